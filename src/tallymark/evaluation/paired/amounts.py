"""Models of predicted amounts on the same cases, compared by the differences of their losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import kernels
from ...inference.effective_units import effective_number
from ...inference.hypothesis.evidence import Certain, Evidence, Normal, Unknown
from ...inference.influence_values import freedom_of_squares, standard_error
from ...inference.intervals.differences import span
from ...inference.intervals.of_residuals import FEW, SKEWED
from ...input.messages.notes import Note, Notes, joined
from .influence_of_amounts import influence_values, without_influence_values
from .models import Model
from .study import Asked, entry_of, of_one_case_here, unknown, without_interval

ROUNDING = 1e-9  # of the difference
NO_SPREAD = Note("every-case-alike")
SAME = Note("same-amounts")


@dataclass(frozen=True, eq=False)
class ModelOfAmounts(Model):
    """A model that predicts amounts.

    errors, truth: predicted - truth, and truth, for each case; None where only a summary is known.
    """

    errors: Any = None
    truth: Any = None

    def taken(self, rows: np.ndarray) -> ModelOfAmounts:
        """The model with its cases in this order."""
        weight = None if self.weight is None else self.weight[rows]
        return replace(self, errors=self.errors[rows], truth=self.truth[rows], weight=weight)


class SameAmounts:
    """Two models or more that predict the amounts of the same cases."""

    paired = True
    assumes = "cases independent of one another; the same cases for all models"

    def __init__(self, models: Sequence[ModelOfAmounts], names: Sequence[str], asked: Asked):
        self.models, self.names, self.asked = models, names, asked

    def evidence(self, name: str, model: int, reference: int) -> Evidence:
        """The difference of two models: Student's t for the differences of their influence values.

        For a mean of losses the influence values are the losses. Source: Diebold and Mariano (1995).
        """
        one, other = self.models[model], self.models[reference]
        reason = without_interval(one, other, name)
        if reason:
            return Unknown(reason)
        if np.array_equal(one.errors, other.errors):
            return Certain((SAME,))
        lacking = joined(of_one_case_here(one, other, name)) or without_influence_values(name, one, other)
        if lacking:
            return Unknown(lacking)
        value = one.evaluation[name].value - other.evaluation[name].value
        apart = np.subtract(*(influence_values(*entry_of(each, name), each) for each in (one, other)))
        error, freedom = standard_error(apart, one.weight)
        if error != error:
            return Unknown((Note("no-spread-of-amounts"),))
        if not error > ROUNDING * abs(value):
            return unknown(NO_SPREAD, value)
        freedom = max(min(freedom, freedom_of_squares(apart, one.weight)), 1.0)
        ends = span(one.evaluation.entry(name).range)
        return Normal(value, error, "paired-mean", ends, freedom, _doubt(apart, one.weight))


def _doubt(apart: np.ndarray, weight: np.ndarray | None) -> Notes:
    """Why the interval may be too narrow: few cases, or skewed differences."""
    w = np.ones(len(apart)) if weight is None else weight
    n = effective_number(w)
    if n < FEW:
        return joined(Note("few-cases", limit=FEW, perhaps="too narrow"))
    off = apart - kernels.dot(w, apart) / w.sum()
    variance = kernels.dot(w, off**2)
    skewness = abs(kernels.dot(w, off**3)) * np.sqrt(w.sum()) / variance**1.5 / np.sqrt(n)
    return joined(Note("large-errors-decide", perhaps="too narrow") if skewness > SKEWED else None)
