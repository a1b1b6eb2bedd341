"""Intervals of a mean over the cases, or of a function of one, from influence values.

For cases with weights w and influence values psi the variance is sum w^2 psi^2 / (sum w)^2, psi per unit of
the proportion of the weight (linearisation). In a case-control design the class sizes are fixed: influence
values are centred by class. For weighted cases, and for unbounded losses, a few cases may dominate: there
Student's t replaces the normal distribution.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...input.messages.notes import Note
from ...measures.registry import ratio
from ...summaries import RankingTable
from ...summaries.power_sums import CASES, FOURTH, SPREAD, WEIGHT, Entries, PowerSums, merged
from ..degrees_of_freedom import few_deciding, freedom
from ..effective import LEAST, ONE_CASE
from ..results import Interval, no_interval
from .kinds import ROUNDING, Question
from .scale import Scale

UNBOUNDED = (0.0, inf)
ALIKE = 1e-9  # relative difference due to rounding
UNLIKE = 2.0  # times the weight
UNSEEN = Note("weights-vary-in-one-class")
FEW_LOSSES = 100  # cases, below which a mean of skewed losses is not normal enough
STEP = 1e-5  # relative step of a numerical derivative


class Cases(NamedTuple):
    """Entries of cases that share an influence value, along one axis.

    weight: of an entry; squares: the sum of its squared weights (None where that is the weight itself); code:
    the number of its class.
    """

    weight: np.ndarray
    squares: np.ndarray | None
    of_class: np.ndarray

    @classmethod
    def of(cls, given: Any) -> Cases:
        """The entries of `OutcomeProbabilities`."""
        return cls(given.weight, given.squares, given.positive)

    @classmethod
    def of_table(cls, table: RankingTable) -> Cases:
        """The entries of a table of two classes, positives first."""
        weight, squares = np.concatenate([table.positive, table.negative]), np.concatenate(table.squared)
        there = weight > 0
        return cls(weight[there], squares[there], np.repeat([True, False], len(table))[there])

    def sums_of(self, values: np.ndarray) -> PowerSums:
        """The sums of powers of a value of each entry, block by block."""
        classes = int(self.of_class.max(initial=0)) + 1
        parts = [self._of(some, classes).sums_of(values[some]) for some in kernels.blocks(len(values))]
        return merged(parts)

    def _of(self, some: slice, classes: int) -> Entries:
        squares = None if self.squares is None else self.squares[some]
        return Entries.of(self.weight[some], squares, self.of_class[some], classes)

    @property
    def alike(self) -> bool:
        """Whether every case has the same weight."""
        if self.squares is None:
            return True
        of_each = ratio(self.squares, self.weight)
        return bool(np.ptp(of_each) <= ALIKE * float(of_each.max()))


def slopes_with_prior(
    function: Callable[[float, float], float], mean_at: Callable[[float], float], mean: float, prior: float
) -> tuple[float, float]:
    """The derivatives of a function of a mean loss and of the proportion of positives, numerically.

    mean: the mean loss, which depends on the proportion by `mean_at`.
    """
    change = STEP * max(abs(mean), STEP)
    above, below = (function(mean_at(other), other) for other in around(prior))
    by_mean = (function(mean + change, prior) - function(mean - change, prior)) / (2 * change)
    return by_mean, (above - below) / (2 * _step(prior))


def around(prior: float) -> tuple[float, float]:
    """The proportions of positives for the derivative at one, above it and below it."""
    return prior + _step(prior), prior - _step(prior)


def _step(prior: float) -> float:
    """Small next to the proportion and its complement, and above 0 where a class has no cases."""
    return STEP * max(prior * (1 - prior), STEP)


def mean_alone(mean: float, prior: float) -> float:
    """The function of a measure that is the mean of a loss."""
    return mean


def of_mean(q: Question, influence: np.ndarray, cases: Cases, rounding: float = 0.0) -> Interval:
    """The interval of the mean on the scale for its range.

    rounding: a bound on the error of the influence values.
    """
    sums = cases.sums_of(influence)
    return of_sums(q, sums, cases, sums.centre, rounding)


def of_sums(
    q: Question, influence: PowerSums, cases: Cases | None, losses: np.ndarray, rounding: float = 0.0
) -> Interval:
    """The same from the sums of powers of the influence values.

    cases: None where weights are numbers of cases; losses: the mean loss of each class.
    """
    n = float(q.summary.effective_total)
    if n < LEAST:
        return no_interval(ONE_CASE)
    deviation, spread = deviation_of(influence, q.settings.design, n), influence.sums[SPREAD, :, 0]
    if deviation <= sqrt(float(spread.sum())) * max(ROUNDING * abs(q.value), rounding):
        apart = np.ptp(losses[spread > 0]) > ROUNDING * np.abs(losses).max()
        held = q.settings.design == "case-control" and apart
        return no_interval(Note("losses-alike-in-each-class" if held else "losses-alike"))
    bounded = (cases is None or cases.alike) and q.entry.range != UNBOUNDED
    df = inf if bounded else freedom_of(influence, q.settings.design)  # docs/intervals.md
    total, scale = float(q.summary.total), Scale(q.entry.range)
    error = deviation / sqrt(n - 1) * sqrt(n) / total
    try:
        low, high = scale.around(q.value, error * scale.slope(q.value), q.settings.level, df)
    except (OverflowError, ZeroDivisionError):
        low = high = np.nan
    if not (isfinite(low) and isfinite(high) and low < high):  # nearly no spread, or nearly all of the range
        return no_interval(Note("close-to-an-end"))
    few = doubt_of(df, cases, n) or (Note("few-cases", limit=FEW_LOSSES) if n < FEW_LOSSES else None)
    return Interval(low, high, f"mean{scale.name}{'' if df == inf else '-t'}", few, error)


def doubt_of(df: float, cases: Cases | None, n: float = inf) -> Note | None:
    """The note on why the variance may be wrong.

    There are fewer than 30 degrees of freedom, or the weights vary in one class and are all equal in another,
    whose cases with large weights may be missing.
    """
    if few := few_deciding(df, n):
        return few
    if df == inf or cases is None or cases.squares is None:
        return None
    unit = cases.squares / cases.weight
    apart = [
        float(part.max() / part.min())
        for part in (unit[(cases.of_class == c) & (unit > 0)] for c in np.unique(cases.of_class[unit > 0]))
    ]
    return UNSEEN if max(apart) > UNLIKE and min(apart) < 1 + ALIKE else None


def freedom_of(influence: PowerSums, design: str) -> float:
    """The degrees of freedom of the sum of squares."""
    sums = _about_mean(influence, design).sums
    second, fourth, size = sums[SPREAD, :, 2], sums[FOURTH, :, 4], sums[CASES, :, 0]
    if design == "cohort":
        second, fourth, size = (part.sum(keepdims=True) for part in (second, fourth, size))
    return freedom(second, fourth, size)


def _about_mean(influence: PowerSums, design: str) -> PowerSums:
    """The influence values; in a case-control design less the mean of each class."""
    return influence.about(np.zeros_like(influence.centre)) if design == "cohort" else influence


def deviation_of(influence: PowerSums, design: str, n: float) -> float:
    """The root of the sum of squared influence values; in a case-control design about the mean of each class.

    Where a mean is subtracted, the sum is multiplied by k / (k - 1) for the effective number k of cases in
    the class, and by (n - 1) / n, which compensates for n / (n - 1) in the caller.
    """
    about = _about_mean(influence, design)
    squares = about.sums[SPREAD, :, 2]
    if design == "cohort":
        return about.unit * sqrt(max(float(squares.sum()), 0.0))
    total, spread = influence.sums[WEIGHT, :, 0], influence.sums[SPREAD, :, 0]
    size = np.divide(total**2, spread, out=np.zeros_like(total), where=spread > 0)
    corrected = float((squares * size / np.maximum(size - 1, 1.0)).sum())
    return about.unit * sqrt(corrected * (n - 1) / n)
