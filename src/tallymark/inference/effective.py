"""Effective numbers of cases, from the sums of the weights and of their squares.

A cell whose cases have total weight w, and total squared weight w2, has the variance of w^2 / w2 cases of
weight w2 / w each. The variance of a proportion p is linearised: sum of w_i^2 (y_i - p)^2 / (sum of w_i)^2,
over the cases in the denominator. Source: Korn and Graubard (1998); Dean and Pacheco (2015).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input.messages import Note
from ..summaries import ClassScores, RankingTable, Residuals

LEAST = 2  # cases, in effective numbers, without which there is no spread
ONE_CASE = Note("weights-of-one-case")
CASES = RankingTable, ClassScores, Residuals


def as_cases(summary: Any) -> Any:
    """The summary with its weights scaled to add up to the effective number of cases.

    Measures that depend on the number of cases use this number, so that a constant factor on all weights has
    no effect.
    """
    if isinstance(summary, (ClassScores, Residuals)):  # whose intervals do not depend on the scale of weights
        return summary
    if isinstance(summary, RankingTable):
        return summary.as_cases
    if summary.squares is None:
        return summary
    size = np.asarray(summary.effective_total, float)
    factor = np.divide(size, summary.total, out=np.ones_like(size), where=size > 0)
    return summary * (factor if factor.ndim else float(factor))


def effective_rows(summary: Any) -> float | None:
    """The effective number of cases, None where weights are numbers of cases."""
    size = summary.effective_total
    same = summary.squares is None or (isinstance(summary, CASES) and size == summary.total)
    return None if same else float(size)


def of_one_case(summary: Any) -> bool:
    """Whether one case has nearly all the weight, so that the cases show no spread."""
    return summary.squares is not None and float(summary.effective_total) < LEAST
