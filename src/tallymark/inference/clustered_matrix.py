"""Influence values of measures of a confusion matrix, and intervals for cases in clusters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np

from .. import kernels
from ..input.messages.notes import Note
from ..measures.registry import Measure
from ..summaries import ConfusionMatrix
from .clustered import estimated
from .effective_units import Resting, effective_number, few_units, widened
from .intervals import proportion
from .intervals.kinds import ROUNDING, Settings
from .intervals.scale import wald_on_scale
from .results import Estimate, Interval, no_interval

MOST_CLASSES = 60  # up to which derivatives are computed numerically for each cell
STEP = 1e-6  # of a numerical derivative, relative to all cases
TOO_MANY = Note("too-many-classes", limit=MOST_CLASSES)
METHOD = "delta-clustered"


# labels, and for each case the indices of the true and of the predicted one
Coded = tuple[tuple[Any, ...], np.ndarray, np.ndarray]


def influence(function: Callable[..., Any], coded: Coded, weight: np.ndarray) -> np.ndarray:
    """The influence value of each case on a measure of a confusion matrix, times the total weight.

    function: the measure with its parameters.
    """
    labels, truth, answers = coded
    size = len(labels) + int(answers.max(initial=0) == len(labels))  # the last answer is no class
    table = kernels.sums(truth * size + answers, weight, size * size).reshape(size, size)
    total = table.sum()

    def measured(weights: np.ndarray) -> float:
        # the labels keep their order
        return float(function(ConfusionMatrix(labels, weights, ordered=True)))

    base, slopes = measured(table), np.zeros((size, size))
    for place in zip(*np.nonzero(table), strict=True):  # cells, not cases
        moved = table.copy()
        moved[place] += STEP * total
        slopes[place] = (measured(moved) - base) / STEP
    of_each = slopes[truth, answers]
    found: np.ndarray = of_each - kernels.dot(weight, of_each) / weight.sum()
    return found


def error_of(influences: np.ndarray, clusters: np.ndarray | None) -> float:
    """The standard error from the influence values of independent cases, or of clusters."""
    if clusters is not None:
        influences = np.bincount(clusters, influences)
    n = len(influences)
    apart = influences - influences.mean()
    return float(np.sqrt(n / max(n - 1, 1) * kernels.dot(apart, apart)))


class ClusteredMatrix:
    """Cases of three or more classes in clusters, with intervals by the delta method.

    Influence values are summed by cluster. truth, answers: indices among `labels`; clusters: the number of
    each, from 0 on; weight: None for one each.
    """

    what = "clusters"

    def __init__(
        self,
        labels: tuple[Any, ...],
        truth: np.ndarray,
        answers: np.ndarray,
        clusters: np.ndarray,
        weight: np.ndarray | None,
    ):
        self.labels, self.truth, self.answers, self.groups, self.weight = (
            labels,
            truth,
            answers,
            clusters,
            weight,
        )
        self.number = int(clusters.max()) + 1
        self._weight = np.ones(len(truth)) if weight is None else weight

    @property
    def of(self) -> tuple[np.ndarray, ...]:
        """The cluster of each case."""
        return (self.groups,)

    def __reduce__(self) -> tuple[Any, ...]:
        return ClusteredMatrix, (self.labels, self.truth, self.answers, self.groups, self.weight)

    def estimate(
        self,
        entry: Measure,
        summary: Any,
        settings: Settings,
        parameters: dict[str, Any],
        threshold: float | None,
    ) -> Estimate:
        """The measure of the matrix of all cases, with its interval."""
        return estimated(
            entry, summary, settings, parameters, partial(self._interval, entry, summary, settings.level)
        )

    def _interval(
        self, entry: Measure, summary: Any, level: float, function: Callable[..., Any], value: float
    ) -> Interval:
        if np.isinf(value):
            return no_interval(Note("infinite"))
        if self.number < 2:
            return no_interval(Note("one-cluster"))
        if len(self.labels) > MOST_CLASSES:
            return no_interval(TOO_MANY)
        influences = influence(function, (self.labels, self.truth, self.answers), self._weight)
        error = error_of(influences * self._weight, self.groups) / self._weight.sum()
        if not error > ROUNDING or not entry.range[0] < value < entry.range[1]:
            return self._at_an_end(entry, summary, level) or no_interval(Note("clusters-alike"))
        rests = Resting(self.number, effective_number(self._sizes), self.what)
        bounds = wald_on_scale(value, widened(error, rests.effective, level), entry.range, level)
        return Interval(*bounds, METHOD, few_units(rests), error)

    @cached_property
    def _sizes(self) -> np.ndarray:
        """The weight of each cluster."""
        return np.bincount(self.groups, self._weight)

    def _at_an_end(self, entry: Measure, summary: Any, level: float) -> Interval | None:
        """Wilson's interval of the proportion of correct cases, each cluster counting as one case.

        Clusters of unequal size are worth as many of equal size as give the same variance (Kish 1965). None
        for other measures.
        """
        if entry.interval is None or entry.interval.kind != "share right":
            return None
        clusters, share = effective_number(self._sizes), float(entry.function(summary))
        low, high = proportion.wilson(clusters * share, clusters, level)
        return Interval(low, high, "wilson of clusters", Note("clusters-as-cases"))
