"""Intervals of measures of predicted amounts that are no means of losses."""

from __future__ import annotations

from math import floor, inf, isfinite, sqrt

import numpy as np

from ...input.messages.notes import Note
from ..degrees_of_freedom import freedom
from ..effective import ONE_CASE
from ..results import Interval, no_interval
from .kinds import ROUNDING, Question, kind
from .of_residuals import FEW, doubt, of_mean, skewed_quantile
from .scale import Scale, normal_quantile, student_quantile

NEAR_END = 1e-12  # of a range, that differs from its end by rounding alone


@kind("Residuals", "signed-mean")
def signed_mean(q: Question) -> Interval:
    """Of a mean of either sign, with Student's t.

    A bound is that of Hall's (1992) transformation of t where that is farther away.
    """
    n = float(q.summary.effective_total)
    if n < 2:
        return no_interval(ONE_CASE)
    unit, error, skewness = of_mean(q, n)
    error *= unit
    if error <= ROUNDING * abs(q.value) / sqrt(n):
        return no_interval(Note("losses-alike"))
    if not isfinite(error + skewness):
        return no_interval(Note("weights-too-unequal"))
    t = student_quantile(q.settings.level, n - 1)
    below, above = (max(t, skewed_quantile(t, sign * skewness)) for sign in (-1, 1))
    ends = q.value - error * below, q.value + error * above
    return Interval(*ends, "mean-t", doubt(n, abs(skewness)), error)


@kind("Residuals", "jackknife")
def jackknife(q: Question) -> Interval:
    """By leaving out each case, on the log scale below 1 and on Fisher's z scale between -1 and 1.

    With Student's t for the degrees of freedom of the variance (docs/intervals.md).
    """
    r, scale = q.summary, Scale(q.entry.range)
    n = float(r.effective_total)
    if n < 2:
        return no_interval(ONE_CASE)
    if not scale.inside(q.value) or min(q.value - scale.low, scale.high - q.value) < NEAR_END:
        return no_interval(Note("close-to-an-end" if any(r.ends) else "losses-zero"))
    (formula,) = q.entry.interval.of
    changes = r.jackknifed(formula, scale.to)
    if changes is None:
        return no_interval(Note("without-each-amount"))
    second, fourth, _ = changes
    if not isfinite(second + fourth):
        return no_interval(Note("one-case-decides"))
    error = sqrt((1 - 1 / n) * second) / n
    if not error > ROUNDING:
        return no_interval(Note("losses-alike"))
    df = min(n - 1, freedom(*(np.array([one]) for one in changes)))
    low, high = scale.around(q.value, error, q.settings.level, df)
    if not (isfinite(low) and isfinite(high) and low < q.value < high):
        return no_interval(Note("close-to-an-end"))
    return Interval(low, high, f"jackknife{NAMES[q.entry.range]}", _few(n, df), error / scale.slope(q.value))


NAMES = {(-inf, 1.0): "-log-t", (-1.0, 1.0): "-fisher-z-t"}


def _few(n: float, df: float) -> Note | None:
    if n < FEW:
        return Note("few-cases", limit=FEW, perhaps="too narrow")
    return Note("few-deciding", cases=df) if df < 30 else None


@kind("Residuals", "median")
def median(q: Question) -> Interval:
    """Between two order statistics, by the binomial distribution of the number of cases below the median.

    Of weighted cases with the effective number and Student's t. Source: Thompson (1936), Annals of
    Mathematical Statistics 7, 122-128; with weights Woodruff (1952), J. of the American Statistical
    Association 47, 635-646.
    """
    n = float(q.summary.effective_total)
    rank = rank_below(n, q.settings.level, bool(q.summary.weighted))
    if not rank:
        return no_interval(Note("too-few-for-median"))
    size, reached = q.summary.sizes_of_errors
    total, slack = float(q.summary.total), NEAR_END * float(q.summary.total)
    low = size[np.searchsorted(reached, total * rank / n - slack)]
    high = size[np.searchsorted(reached, total * (1 - rank / n) + slack, side="right")]
    if not low < high:
        return no_interval(Note("losses-alike"))
    return Interval(float(low), float(high), "order-statistics", None, None)


def rank_below(n: float, level: float, weighted: bool) -> int:
    """The largest k for which fewer than k of n cases lie below the median with probability (1 - level) / 2.

    0 where there is none.
    """
    from scipy.special import bdtrik, ndtr

    tail = (1 - level) / 2
    if weighted:
        if n < 2:
            return 0
        tail = float(ndtr(-student_quantile(level, n - 1)))
    if n < 1 or 0.5**n > tail:
        return 0
    found = float(bdtrik(tail, n, 0.5)) + 1
    if not isfinite(found):  # of too many cases for bdtrik
        found = n / 2 - normal_quantile(level) * sqrt(n) / 2
    return floor(found)


@kind("Residuals", "largest")
def largest(q: Question) -> Interval:
    """None: a sample does not bound the largest error of other cases without further assumptions."""
    return no_interval(Note("largest-of-sample"))
