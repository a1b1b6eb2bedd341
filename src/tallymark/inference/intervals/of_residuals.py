"""Intervals of mean losses of predicted numbers."""

from __future__ import annotations

from functools import partial
from math import exp, sqrt

import numpy as np

from ...input.messages.notes import Note
from ..effective import ONE_CASE
from ..results import Interval, no_interval
from . import of_tables
from .kinds import ROUNDING, Question, kind
from .scale import LARGEST_STEP, student_quantile

FEW = 100  # cases, below which a mean of skewed losses is not normal enough (docs/intervals.md)
SKEWED = 0.25  # skewness of the mean, above which it is not normal enough for any number of cases

kind("Residuals", "mapped")(of_tables.mapped)


@kind("Residuals", "mean")
def mean(q: Question) -> Interval:
    """Of a mean of a loss per case, on the log scale with Student's t.

    The upper bound is that of Hall's (1992) transformation of t where that is higher: samples of skewed
    losses often lack the large ones.
    """
    n = float(q.summary.effective_total)
    if n < 2:
        return no_interval(ONE_CASE)
    if not q.value:
        return no_interval(Note("losses-zero"))
    unit, error, skewness = of_mean(q, n)
    error *= unit / q.value
    if error <= ROUNDING / sqrt(n):
        return no_interval(Note("losses-alike"))
    if not error < LARGEST_STEP:  # at most 1 for equal weights
        return no_interval(Note("weights-too-unequal"))
    t = student_quantile(q.settings.level, n - 1)
    step = min(t * error, LARGEST_STEP)
    high = max(exp(step), 1 + error * skewed_quantile(t, skewness))
    return Interval(q.value * exp(-step), q.value * high, "mean-log-t", doubt(n, skewness), q.value * error)


def of_mean(q: Question, n: float) -> tuple[float, float, float]:
    """A unit, the standard error of the mean of a loss in it, and its skewness, of effectively n cases."""
    loss = partial(q.entry.loss, **getattr(q.function, "keywords", {}))
    unit, second, third = q.summary.spread_of(loss, q.value)
    return unit, sqrt(second / (n - 1)), third / max(second, ROUNDING**2) ** 1.5 / sqrt(n)


def skewed_quantile(t: float, skewness: float) -> float:
    """The t that Hall's transformation maps to -t, negated.

    (1 + k x / 3)^3 = 1 + k (g(x) - k / 6).
    """
    if abs(skewness) < ROUNDING:
        return t
    return -3 / skewness * (float(np.cbrt(1 - skewness * (t + skewness / 6))) - 1)


def doubt(n: float, skewness: float) -> Note | None:
    """Why the interval of a mean may be too narrow: few cases, or skewed losses."""
    if n < FEW:
        return Note("few-cases", limit=FEW, perhaps="too narrow")
    return Note("large-errors-decide", perhaps="too narrow") if skewness > SKEWED else None
