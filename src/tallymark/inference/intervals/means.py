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
from ..degrees_of_freedom import degrees_of_freedom, few_deciding
from ..results import Interval, no_interval
from .kinds import ROUNDING, Question
from .scale import Scale

UNBOUNDED = (0.0, inf)
ALIKE = 1e-9  # relative difference due to rounding
UNLIKE = 2.0  # times the weight
UNSEEN = Note("weights-vary-in-one-class")
LARGEST = 1e100  # whose square, times a weight, does not overflow
FEW_LOSSES = 100  # cases, below which a mean of skewed losses is not normal enough
STEP = 1e-5  # relative step of a numerical derivative
TOO_FEW = Note("weights-of-one-case")


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

    @property
    def alike(self) -> bool:
        """Whether every case has the same weight."""
        if self.squares is None:
            return True
        of_each = ratio(self.squares, self.weight)
        return bool(np.ptp(of_each) <= ALIKE * float(of_each.max()))

    @property
    def spread(self) -> np.ndarray:
        """The factor of the squared influence values in the variance."""
        return self.weight if self.squares is None else self.squares


def influence_with_prior(
    function: Callable[[float, float], float],
    charges_at: Callable[[float], tuple[np.ndarray, bool]],
    positive: np.ndarray,
    weight: np.ndarray,
) -> np.ndarray:
    """The influence values of a function of a mean loss and of the proportion of positives.

    They are numerical derivatives. function: of this mean and this proportion; charges_at: the loss of each
    entry of cases, and whether it depends on the proportion of positives; positive: of each entry, whether
    its cases are; weight: of each entry.
    """
    total = float(np.add.reduce(weight))
    blocks = kernels.blocks(len(weight))
    positives = [kernels.dot(weight[some], positive[some].astype(float)) for some in blocks]
    prior = float(np.add.reduce(positives)) / total
    charges, depends = charges_at(prior)
    average, step = kernels.dot(weight, charges) / total, STEP * prior * (1 - prior)
    change = STEP * max(abs(average), STEP)

    def mean_at(prior: float) -> float:
        return kernels.dot(weight, charges_at(prior)[0]) / total if depends else average

    above, below = (function(mean_at(prior + side), prior + side) for side in (step, -step))
    by_mean = (function(average + change, prior) - function(average - change, prior)) / (2 * change)
    by_prior = (above - below) / (2 * step)
    for some in kernels.blocks(len(charges)):  # in place: the arrays may be large
        charges[some] = by_mean * (charges[some] - average) + by_prior * (positive[some] - prior)
    return charges


def mean_alone(mean: float, prior: float) -> float:
    """The function of a measure that is the mean of a loss."""
    return mean


def of_mean(q: Question, influence: np.ndarray, cases: Cases, rounding: float = 0.0) -> Interval:
    """The interval of the mean on the scale for its range.

    rounding: a bound on the error of the influence values.
    """
    n = float(q.summary.effective_total)
    if n < 2:
        return no_interval(TOO_FEW)
    largest = float(max(influence.max(), -influence.min()))
    unit = largest if LARGEST < largest < inf else 1.0  # in which no square overflows
    squares = squares_of(influence if unit == 1.0 else influence / unit, cases, q.settings.design, n)
    if squares <= _spread_of_none(cases, n) * (max(ROUNDING * abs(q.value), rounding) / unit) ** 2:
        return no_interval(_why_no_spread(influence, cases, q.settings.design))
    total, df = float(q.summary.total), _degrees_of_freedom(q, influence, cases)
    scale = Scale(q.entry.range)
    error = unit * sqrt(squares / (n - 1) / total * (n / total))
    try:
        low, high = scale.around(q.value, error * scale.slope(q.value), q.settings.level, df)
    except (OverflowError, ZeroDivisionError):
        low = high = np.nan
    if not (isfinite(low) and isfinite(high) and low < high):  # nearly no spread, or nearly all of the range
        return no_interval(Note("close-to-an-end"))
    few = doubt_of(df, cases) or (Note("few-cases", limit=FEW_LOSSES) if n < FEW_LOSSES else None)
    return Interval(low, high, f"mean{scale.name}{'' if df == inf else '-t'}", few, error)


def _degrees_of_freedom(q: Question, influence: np.ndarray, cases: Cases) -> float:
    """The degrees of freedom, infinite for bounded losses of cases without importance weights.

    Such a mean is nearly normal (docs/intervals.md).
    """
    if cases.alike and q.entry.range != UNBOUNDED:
        return inf
    return variance_freedom(influence, cases, q.settings.design)


def doubt_of(df: float, cases: Cases) -> Note | None:
    """The note on why the variance may be wrong.

    There are fewer than 30 degrees of freedom, or the weights vary in one class and are all equal in another,
    whose cases with large weights may be missing.
    """
    if few := few_deciding(df):
        return few
    if df == inf or cases.squares is None:
        return None
    unit = cases.squares / cases.weight
    apart = [
        float(part.max() / part.min())
        for part in (unit[cases.of_class == c] for c in np.unique(cases.of_class))
    ]
    return UNSEEN if max(apart) > UNLIKE and min(apart) < 1 + ALIKE else None


def variance_freedom(influence: np.ndarray, cases: Cases, design: str) -> float:
    """The degrees of freedom of the sum of squares."""
    if design == "cohort":
        return degrees_of_freedom(influence, cases.weight, cases.squares)
    _, code = np.unique(cases.of_class, return_inverse=True)
    return degrees_of_freedom(_centred(influence, cases.weight, code), cases.weight, cases.squares, code)


def _centred(influence: np.ndarray, weight: np.ndarray, code: np.ndarray) -> np.ndarray:
    """The values less the mean of each class."""
    mean = np.bincount(code, weight * influence) / np.bincount(code, weight)
    found: np.ndarray = influence - mean[code]
    return found


def squares_of(influence: np.ndarray, cases: Cases, design: str, n: float) -> float:
    """The sum of squared influence values; in a case-control design about the mean of each class.

    Where a mean is subtracted, the sum is multiplied by k / (k - 1) for the effective number k of cases in
    the class, and by (n - 1) / n, which compensates for n / (n - 1) in the caller.
    """
    if design == "cohort":
        return kernels.dot_of_squares(cases.spread, influence)
    found = 0.0
    for c in np.unique(cases.of_class):
        some = cases.of_class == c
        weight, spread = cases.weight[some], cases.spread[some]
        total, squares = float(weight.sum()), float(spread.sum())
        size = total if cases.squares is None else total**2 / squares
        off = influence[some] - kernels.dot(weight, influence[some]) / total
        found += kernels.dot(spread, np.square(off)) * size / max(size - 1, 1.0)
    return found * (n - 1) / n


def _spread_of_none(cases: Cases, n: float) -> float:
    return n if cases.squares is None else float(cases.squares.sum())


def _why_no_spread(influence: np.ndarray, cases: Cases, design: str) -> Note:
    if design == "case-control" and squares_of(influence, cases, "cohort", 2.0) > 0:
        return Note("losses-alike-in-each-class")
    return Note("losses-alike")
