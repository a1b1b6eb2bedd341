"""Effective numbers of cases and of units, from the sums of the weights and of their squares.

A cell whose cases have total weight w, and total squared weight w2, has the variance of w^2 / w2 cases of
weight w2 / w each. The variance of a proportion p is linearised: sum of w_i^2 (y_i - p)^2 / (sum of w_i)^2,
over the cases in the denominator. Source: Korn and Graubard (1998); Dean and Pacheco (2015).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input.messages import Note
from ..summaries import ClassScores, RankingTable, Residuals
from .covariance import EQUAL
from .doubt import deciding

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


ENOUGH = 30  # units in effect (docs/intervals.md)


def effective_number(sizes: np.ndarray) -> float:
    """The number of units of equal size with the same variance.

    It is (sum of sizes)^2 / (sum of squared sizes), and G / (1 + Gamma) of Carter, Schnepel and Steigerwald
    (2017), Review of Economics and Statistics 99, 698-709, Eq. 6, with variances in proportion to the sizes.
    With variances in proportion to their squares (all cases of a unit alike) intervals would be conservative,
    two to five times as wide (docs/intervals.md).
    """
    sizes = np.asarray(sizes, float)
    total = float(sizes.sum())
    return total * total / kernels.dot(sizes, sizes) if total else 0.0


class Units(NamedTuple):
    """The units (clusters or persons) that contribute to an estimate, or the cases where these are drawn.

    effective: their effective number; number: how many; name: what they are.
    """

    effective: float
    number: int
    name: str

    @property
    def text(self) -> str:
        """The name; with the effective number where it is lower."""
        if self.effective > self.number - 0.5:
            return self.name
        return f"{self.name} in effect ({self.number:,} of unlike size count as {self.effective:.3g})"

    @property
    def few(self) -> Note | None:
        """The note, if there are few units."""
        return deciding(self.effective, self.name) if self.effective < ENOUGH - EQUAL else None


def units_of(
    units: np.ndarray, weight: np.ndarray, classes: Mapping[str, np.ndarray], what: str = "clusters"
) -> Units:
    """All units, or those with cases of a class, whichever are fewest in effect.

    units: the cluster of each case, or in two rows its two persons, who may be one; classes: by name, which
    cases; what: the name of the units.
    """
    first, *others = np.atleast_2d(units)

    def sums(sizes: np.ndarray) -> np.ndarray:
        both = (np.bincount(other, sizes * (other != first), units.max() + 1) for other in others)
        return sum(both, np.bincount(first, sizes, units.max() + 1))

    of = {what: sums(weight)} | {f"{what} with {name}": sums(weight * some) for name, some in classes.items()}
    return min(Units(effective_number(sizes), int((sizes > 0).sum()), name) for name, sizes in of.items())
