"""Intervals of measures of predicted amounts.

Of independent cases the sums of powers of what each adds to a measure are enough, which engines have, too; of
cases in clusters there are influence values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import exp, floor, inf, isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from ...input.messages import Note
from ...summaries.power_sums import SPREAD
from .. import influence
from ..covariance import of_sums
from ..doubt import lacking, skewed
from ..effective import ONE_CASE
from ..results import Interval, no_interval
from .kinds import ROUNDING, Question, kind
from .of_counts import variance_of
from .scale import LARGEST_STEP, Scale, normal_quantile, student_quantile

NEAR_END = 1e-12  # of a range, that differs from its end by rounding alone
ALIKE, TOO_UNEQUAL = Note("losses-alike"), Note("weights-too-unequal")
NAMES = {(-inf, 1.0): "-log-t", (-1.0, 1.0): "-fisher-z-t"}


class Moments(NamedTuple):
    """Of an estimate: the number of cases in effect, or of clusters, standard error, skewness and freedom."""

    n: float
    error: float
    skewness: float
    df: float


@kind("Residuals", "mean")
def mean(q: Question) -> Interval:
    """Of a mean of a loss per case, on the log scale with Student's t.

    The upper bound is that of Hall's (1992) transformation of t where that is higher: samples of skewed
    losses often lack the large ones.
    """
    known = _of_mean(q)
    if known.n < 2:
        return no_interval(ONE_CASE)
    if not q.value:
        return no_interval(Note("losses-zero"))
    error = known.error / q.value
    if error <= ROUNDING / sqrt(known.n):
        return no_interval(ALIKE)
    if not error < LARGEST_STEP:  # at most 1 for equal weights
        return no_interval(TOO_UNEQUAL)
    t = student_quantile(q.settings.level, known.df)
    step = min(t * error, LARGEST_STEP)
    high = max(exp(step), 1 + error * _skewed_quantile(t, known.skewness))
    ends = q.value * exp(-step), q.value * high
    return Interval(*ends, "mean-log-t", _doubt(q, known), known.error)


@kind("Residuals", "signed-mean")
def signed_mean(q: Question) -> Interval:
    """Of a mean of either sign, with Student's t.

    A bound is that of Hall's (1992) transformation of t where that is farther away.
    """
    known = _of_mean(q)
    if known.n < 2:
        return no_interval(ONE_CASE)
    if known.error <= ROUNDING * abs(q.value) / sqrt(known.n):
        return no_interval(ALIKE)
    if not isfinite(known.error + known.skewness):
        return no_interval(TOO_UNEQUAL)
    t = student_quantile(q.settings.level, known.df)
    below, above = (max(t, _skewed_quantile(t, sign * known.skewness)) for sign in (-1, 1))
    ends = q.value - known.error * below, q.value + known.error * above
    return Interval(*ends, "mean-t", _doubt(q, known), known.error)


def _of_mean(q: Question) -> Moments:
    loss = partial(q.entry.loss, **getattr(q.function, "keywords", {}))
    known = _moments(q, loss, lambda: loss(q.summary.error) - q.value)
    return known if q.sampling is not None else known._replace(df=known.n - 1)  # as of a mean


def _moments(q: Question, function: Callable[..., Any], values: Callable[[], np.ndarray]) -> Moments:
    """Those of a mean of a loss, or of a formula of sums. values: the influence of a case of each pair."""
    if q.sampling is None:
        n, sums = float(q.summary.effective_total), q.summary.power_sums(function, values)
        error, df = of_sums(sums)
        size, _, squares, cubes, _ = sums.sums[SPREAD, 0]
        skewness = cubes / max(squares, ROUNDING**2) ** 1.5 * sqrt(size / n)
        return Moments(n, error, float(skewness), min(df, n - 1))
    off = values()
    unit = float(np.abs(off).max()) or 1.0
    variance, df = variance_of(off / unit, q.sampling, student=True)
    parts = q.sampling.units.totals((off / unit)[None])[:, 0]  # type: ignore[union-attr]
    skewness = (parts**3).sum() / max((parts**2).sum(), ROUNDING**2) ** 1.5
    n = q.sampling.effective(np.ones(len(q.summary)))
    return Moments(float(n), sqrt(variance) * unit, float(skewness), df)


def _skewed_quantile(t: float, skewness: float) -> float:
    """The t that Hall's transformation maps to -t, negated.

    (1 + k x / 3)^3 = 1 + k (g(x) - k / 6).
    """
    if abs(skewness) < ROUNDING:
        return t
    return -3 / skewness * (float(np.cbrt(1 - skewness * (t + skewness / 6))) - 1)


def _doubt(q: Question, known: Moments) -> Note | None:
    """The note that the sample may lack large errors; the skewness as Fisher and Pearson adjust it."""
    adjusted = abs(known.skewness) * sqrt(known.n * (known.n - 1)) / max(known.n - 2, 1.0)
    few = q.sampling is None and skewed(adjusted, known.df)
    return lacking("large errors") if few else None


@kind("Residuals", "jackknife")
def jackknife(q: Question) -> Interval:
    """By leaving out each case, on the log scale below 1 and on Fisher's z scale between -1 and 1.

    With Student's t for the degrees of freedom of the variance (docs/intervals.md).
    """
    scale, (formula,) = Scale(q.entry.range), q.entry.interval.of
    if not scale.inside(q.value) or min(q.value - scale.low, scale.high - q.value) < NEAR_END:
        return no_interval(Note("close-to-an-end" if any(q.summary.ends) else "losses-zero"))
    try:
        known = _moments(q, formula, lambda: influence.of_formula(formula, q.summary, scale.to))
    except LookupError:
        return no_interval(Note("without-each-amount"))
    if known.n < 2:
        return no_interval(ONE_CASE)
    if not isfinite(known.error):
        return no_interval(Note("one-case-decides"))
    if not known.error > ROUNDING:
        return no_interval(ALIKE)
    error = known.error / scale.slope(q.value)
    low, high = scale.around(q.value, error, q.settings.level, known.df)
    if not (isfinite(low) and isfinite(high) and low < q.value < high):
        return no_interval(Note("close-to-an-end"))
    return Interval(low, high, f"jackknife{NAMES[q.entry.range]}", None, error)


@kind("Residuals", "median")
def median(q: Question) -> Interval:
    """Between two order statistics, by the binomial distribution of the number of cases below the median.

    Of weighted cases, and of clusters, with the number of cases in effect and Student's t. Source: Thompson
    (1936), Annals of Mathematical Statistics 7, 122-128; with weights Woodruff (1952), J. of the American
    Statistical Association 47, 635-646.
    """
    n, df = float(q.summary.effective_total), inf
    if q.sampling is not None:
        above = np.sign(np.abs(q.summary.error) - q.value) / 2
        variance, df = variance_of(above, q.sampling, student=True)
        n = 0.25 / variance if variance > 0 else 0.0
    elif q.summary.weighted:
        df = n - 1
    rank = rank_below(n, q.settings.level, df)
    if not rank:
        return no_interval(Note("too-few-for-median"))
    size, reached = q.summary.sizes_of_errors
    total, slack = float(q.summary.total), NEAR_END * float(q.summary.total)
    low = size[np.searchsorted(reached, total * rank / n - slack)]
    high = size[np.searchsorted(reached, total * (1 - rank / n) + slack, side="right")]
    if not low < high:
        return no_interval(ALIKE)
    return Interval(float(low), float(high), "order-statistics")


def rank_below(n: float, level: float, df: float = inf) -> int:
    """The largest k for which fewer than k of n cases lie below the median with probability (1 - level) / 2.

    0 where there is none. df: of the number of cases, where that is estimated.
    """
    from scipy.special import bdtrik, ndtr

    tail = (1 - level) / 2
    if df < inf:
        if n < 2:
            return 0
        tail = float(ndtr(-student_quantile(level, df)))
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
