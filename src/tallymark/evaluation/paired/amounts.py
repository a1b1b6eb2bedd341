"""Models of predicted amounts on the same cases, compared by the differences of their losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import kernels
from ...inference.effective_units import effective_number
from ...inference.hypothesis.evidence import Certain, Evidence, Normal, Unknown
from ...inference.influence_values import freedom_of_squares, standard_error
from ...inference.intervals.differences import span
from ...inference.intervals.of_residuals import FEW, SKEWED
from ...input import CaseSpec, validate
from ...input.columns import Column
from ...input.data_info import DataInfo
from ...input.messages.notes import Note, Notes, joined
from ...input.spelling import option
from ...input.validate import InputError
from ...summaries import Residuals
from ...summaries.cases import content_order
from ..arguments import Asked as Measured
from ..from_summaries import of_residuals
from .influence_of_amounts import influence_values, without_influence_values
from .models import Model
from .shared_cases import Shared, by_model
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


def check(spec: CaseSpec, threshold: Any, method: str, design: str) -> None:
    """Raises InputError for options that do not apply to amounts."""
    if spec.score is not None:
        raise InputError(
            "conflict",
            "regression",
            f"predicted amounts are passed as {option('predicted')}, not as {option('score')}",
        )
    given = {name: getattr(spec, name) for name in ("positive", "classes", "clusters", "score_kind")} | {
        "threshold": threshold,
        "ordered": spec.ordered or None,
    }
    for name, value in given.items():
        if value is not None:
            raise _for_classes(name)
    if not spec.higher_is_positive:
        raise _for_classes("higher_is_positive")
    if design != "cohort":
        raise InputError(
            "conflict",
            "design",
            f"{design!r} fixes the class sizes, and amounts have no classes",
            "leave it out",
        )
    if method != "auto":
        raise InputError(
            "conflict",
            "method",
            f"{method!r} is for classes",
            "leave it out: losses of amounts are compared by Student's t",
        )


def models_of_amounts(
    found: Mapping[str, Column],
    data: Callable[..., DataInfo],
    spec: CaseSpec,
    measured: Measured,
    thresholds: Any = None,
) -> list[Model]:
    """A model for each column of predicted amounts.

    The order of the cases follows from their values alone. The arguments are those of `models_of`; amounts
    have no thresholds.
    """
    shared = Shared(found["truth"], found.get("weight"), None, data, spec, measured)
    models = [_model(name, column, shared) for name, column in by_model(found, "predicted").items()]
    by_content = sorted((model.errors for model in models), key=lambda errors: np.sort(errors).tobytes())
    order = content_order(*by_content, models[0].weight, models[0].truth)
    return [model.taken(order) for model in models]


def _model(name: str, column: Column, shared: Shared) -> ModelOfAmounts:
    table = Residuals.from_columns(shared.truth, column, shared.weight)
    evaluation = of_residuals(table, shared.asked, shared.data(None, None))
    predicted = validate.scores(column, "only numbers can be subtracted").astype(float)
    truth = shared.truth.values.astype(float)
    errors = (predicted - truth)[shared.rows]
    weight = shared.of_rows["weight"]
    return ModelOfAmounts(name, evaluation, errors=errors, truth=truth[shared.rows], weight=weight)


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


def _for_classes(name: str) -> InputError:
    return InputError(
        "conflict", name, "it is for classes, and regression compares amounts", "leave one of the two out"
    )
