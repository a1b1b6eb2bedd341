"""What the class mix does to each measure, worked out on one's own table: no list says which measures depend
on it.

A summary is a table of weights: true classes by predictions, or by scores. With each row weighed anew the
classes get another mix and keep their rates; with every row spread like the sum of all rows the predictions
know nothing of the classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from math import isclose, isfinite, isnan
from typing import Any, NamedTuple

import numpy as np

from ...measures import registry
from ...summaries import ConfusionMatrix, Counts
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation

MOVED = 0.05  # a measure with two ends depends on the class mix where it changes by more than this,
TENTH = 0.10  # one without by more than this share of its larger value


class Shift(NamedTuple):
    """A measure here and with classes of equal size.

    size: the change, where 1 is as much as may be overlooked; endless: whether its range has no end
    somewhere; anchored: whether guessing gets the same value in both.
    """

    name: str
    here: float
    there: float
    size: float
    endless: bool
    anchored: bool

    @property
    def moved(self) -> bool:
        return self.size > 1


@singledispatch
def rows(summary: Any) -> np.ndarray:
    """Weights by true class (rows) and by prediction or score (columns)."""
    return np.array([summary.positive, summary.negative], float)


@rows.register
def _(summary: Counts) -> np.ndarray:
    return np.array([[summary.tp, summary.fn], [summary.fp, summary.tn]])


@rows.register
def _(summary: ConfusionMatrix) -> np.ndarray:
    return summary.weights


@singledispatch
def _like(summary: Any, weights: np.ndarray) -> Any:
    """A summary of the same kind with these weights."""
    return summary.of(summary.score, *weights)


@_like.register
def _(summary: Counts, weights: np.ndarray) -> Counts:
    (tp, fn), (fp, tn) = weights.tolist()
    return Counts.of(tp, fp, fn, tn)


@_like.register
def _(summary: ConfusionMatrix, weights: np.ndarray) -> ConfusionMatrix:
    return summary.with_weights(weights)


def at_mix(summary: Any, *shares: float) -> Any:
    """The same rates and as many cases in all, with these shares of the classes; a class without cases keeps
    none."""
    weights = rows(summary)
    size = weights.sum(1)
    factor = np.divide(np.array(shares) * size.sum(), size, out=np.zeros_like(size), where=size > 0)
    return _like(summary, weights * factor[:, None])


def balanced(summary: Any) -> Any:
    """The same rates with classes of equal size, of those that occur."""
    there = rows(summary).sum(1) > 0
    return at_mix(summary, *(there / there.sum()).tolist())


def guessing(summary: Any) -> Any:
    """The same classes, each predicted alike: what is predicted as often as here, but without knowing the
    truth."""
    weights = rows(summary)
    return _like(summary, np.outer(weights.sum(1), weights.sum(0)) / weights.sum())


@singledispatch
def answered(e: Evaluation) -> Any:
    """The table of what was predicted, of one label per case; else None."""
    return None


@answered.register
def _(e: BinaryEvaluation) -> Counts:
    return e.counts


@answered.register
def _(e: MulticlassEvaluation) -> ConfusionMatrix:
    return e.matrix


def decided(e: Evaluation) -> Any:
    """The table of what was predicted, if there are cases of two classes or more; else None."""
    table = answered(e)
    return table if table is not None and _classes(table) > 1 else None


def shifts(e: Evaluation, need: str | None = None) -> list[Shift]:
    """Of every measure that fits the need and the data and has a better end: what classes of equal size would
    make of it."""
    found = []
    for table, entries in _asked(e, need):
        equal, blind = balanced(table), guessing(table)
        blind_equal = balanced(blind)
        for entry in entries:
            values = [
                float(entry.function(one, **e.parameters_of(entry)))
                for one in (table, equal, blind, blind_equal)
            ]
            found.append(_shift(entry, *values))
    return found


def _shift(entry: registry.Measure, here: float, there: float, blind: float, blind_there: float) -> Shift:
    endless = not all(map(isfinite, entry.range))
    return Shift(
        entry.name,
        here,
        there,
        _size(here, there, endless),
        endless,
        isclose(blind, blind_there, abs_tol=1e-9),
    )


def _asked(e: Evaluation, need: str | None) -> Iterator[tuple[Any, list[registry.Measure]]]:
    """The tables, each with the measures of it that fit and that the evaluation has."""
    ranking = e.ranking if need != "decision" and isinstance(e, BinaryEvaluation) else None
    wanted = [decided(e) if need in (None, "decision") else None, ranking]
    for table in wanted:
        if table is not None and _classes(table) > 1:
            each = [entry for entry in registry.find(table) if entry.better and entry.name in e.estimates]
            fit = [entry for entry in each if table is not ranking or need in (None, _need(entry))]
            yield e.as_cases(table) or table, fit


def _need(entry: registry.Measure) -> str:
    return "probabilities" if entry.needs_probabilities else "ranking"


def _classes(summary: Any) -> int:
    return int((rows(summary).sum(1) > 0).sum())


def _size(here: float, there: float, endless: bool) -> float:
    change = abs(there - here)
    if not change or isnan(change):  # NaN: undefined, or infinite in both
        return 0.0
    return change / (TENTH * max(abs(here), abs(there)) if endless else MOVED)
