"""Means and proportions of labels that few cases have, with the labels of a judge on all cases.

The estimate is that of the labelled cases plus the difference of the judge's mean over all cases from that
over the labelled ones, times a slope: the regression of the labels on the judge's, which has the least
variance. It is the prediction-powered estimate of Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453
(PPI++), with their tuning parameter at its best value, and for a judge with classes the estimate of double
sampling of Tenenbein (1970), J. of the American Statistical Association 65, 1350-1361: the shares of the
judge's classes among all cases, times the rate of the labels in each. It needs no assumption about the judge,
but that the labelled cases are a random sample of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..input.messages import Note, joined
from .covariance import LEAST, LEAST_FREEDOM, MOST_LEVERAGE, ONE_CASE, Sampling, covariance, of_heavy
from .interval import normal_quantile, student_quantile
from .results import Estimate, known_error

YES, NO, UNLABELLED = 0, 1, 2  # rows of counts
FEWEST = 10  # labelled cases from which a slope is estimated
FARTHEST, HALVINGS = 40.0, 50  # of the bisection: the largest logarithm, and how often it is halved
ROUNDING = 1e-12  # of proportions
BY_CHANCE = Note("judge-by-chance")


@dataclass(frozen=True, eq=False)
class Powered:
    """An estimate of labelled cases and a judge.

    value: of the estimate; values: the influence value of each case; sampling: how the cases were sampled,
    with the labelled cases as the stratum 1; slope: by which the judge's labels enter.
    """

    value: float
    values: np.ndarray
    sampling: Sampling
    slope: float

    def estimate(self, level: float) -> Estimate:
        """The value with its interval."""
        if self.labelled < LEAST:
            units = self.sampling.units
            reason = ONE_CASE if units is None else Note("too-few-units", units=units.name)
            return Estimate(self.value, level=level, notes=(reason,))
        return self._estimate(level)

    def _estimate(self, level: float) -> Estimate:
        raise NotImplementedError

    @cached_property
    def labelled(self) -> float:
        """The effective number of units with labelled cases."""
        return float(self.sampling.effective(1.0 * self.sampling.stratum))

    @cached_property
    def variance(self) -> tuple[float, float]:
        """The variance from the influence values, and its degrees of freedom."""
        ((variance,),), (df,) = covariance(self.values[None], self.sampling)
        return float(variance), float(df)


@dataclass(frozen=True, eq=False)
class Mean(Powered):
    """A mean of numbers: value ± t * standard error."""

    def _estimate(self, level: float) -> Estimate:
        variance, df = self.variance
        if not variance > 0:
            return Estimate(self.value, level=level, notes=(Note("bounds-alike"),))
        error = float(np.sqrt(variance))
        reach = student_quantile(level, df) * error
        method = self.sampling.named("prediction-powered-t")
        return Estimate(
            self.value, self.value - reach, self.value + reach, level, method,
            notes=joined(of_heavy(self.values, df, self.sampling)), standard_error=known_error(error),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Proportion(Powered):
    """A proportion, with a score interval.

    counts: the weight of cases with a label that is positive, with another one, and without, by class of the
    judge, shape (3, classes), of which each has labelled cases.
    """

    counts: np.ndarray

    def _estimate(self, level: float) -> Estimate:
        s, weight = self.sampling, self.counts[:UNLABELLED].sum()
        varying = s.units is not None or not s.equal
        variance, _ = _moments(self.counts, *_most_likely(self.counts))
        effect = weight / self.labelled
        if varying and variance > 0:  # the design effect, for which the counts are divided
            independent = Sampling(s.weight, s.squares, s.stratum)
            effect = max(self.variance[0] / variance, weight / float(independent.effective(1.0 * s.stratum)))
        df = max(self.labelled - 1, LEAST_FREEDOM)
        quantile = student_quantile(level, df) if varying else normal_quantile(level)
        low, high = bounds(self.counts / effect, quantile)
        return Estimate(
            self.value, min(float(low), self.value), max(float(high), self.value), level,
            s.named("prediction-powered-score"),
        )  # fmt: skip


def of_mean(label: np.ndarray, judge: np.ndarray, sampling: Sampling) -> Mean:
    """The mean of the labels of all cases.

    label: of each labelled case, any number for others; judge: the judge's number of each case; sampling: the
    labelled cases have the stratum 1. The residuals are divided by 1 - leverage, as in a jackknife (HC3),
    which counts in that the slope is estimated; of fewer than 10 labelled cases it is 0.
    """
    labelled, weight = sampling.stratum == 1, sampling.weight
    own = np.where(labelled, weight, 0.0)
    total, size = weight.sum(), own.sum()
    centre, everywhere, mean = own @ judge / size, weight @ judge / total, own @ label / size
    off = judge - centre
    spread = own @ off**2
    known = spread > 0 and float(sampling.effective(labelled * 1.0)) >= FEWEST
    slope = float(own @ (off * label) / spread) if known else 0.0
    along = off / spread if known else off * 0.0
    error = (label - mean - slope * off) * (1 + (everywhere - centre) * size * along)
    leverage = np.minimum(own * (1 / size + off * along), MOST_LEVERAGE)
    values = np.where(labelled, total / size * error / (1 - leverage), 0.0) + slope * (judge - everywhere)
    return Mean(float(mean + slope * (everywhere - centre)), values, sampling, slope)


def of_proportion(positive: np.ndarray, judge: np.ndarray, sampling: Sampling) -> Proportion:
    """The proportion of positive labels of all cases.

    positive: whether the label of each labelled case is positive, False for others; judge: the code of the
    judge's class; sampling: the labelled cases have the stratum 1. A class without labelled cases is joined
    to that with most of them.
    """
    state = np.where(sampling.stratum == 1, np.where(positive, YES, NO), UNLABELLED)
    size = int(judge.max()) + 1
    counts = np.bincount(state * size + judge, sampling.weight, 3 * size).reshape(3, size)
    of_class = counts[:UNLABELLED].sum(0)
    kept = np.flatnonzero(of_class > 0)
    place = np.full(size, np.searchsorted(kept, of_class.argmax()))
    place[kept] = np.arange(len(kept))
    counts, judge = counts @ np.eye(len(kept))[place], place[judge]
    rate, share = _most_likely(counts)
    value = float(rate @ share)
    times = counts.sum() * share / counts[:UNLABELLED].sum(0)
    error = np.where(state == UNLABELLED, 0.0, times[judge] * (positive - rate[judge]))
    slope = float(rate[1] - rate[0]) if len(kept) == 2 else 0.0 if len(kept) < 2 else np.nan
    return Proportion(value, error + rate[judge] - value, sampling, slope, counts)


def bounds(counts: np.ndarray, quantile: float) -> tuple[Any, Any]:
    """The score interval of a proportion: all values that the estimate is not too far away from.

    Parameters
    ----------
    counts : array of shape (..., 3, classes)
        Cases with a positive label, with another one, and without, by class of the judge.
    quantile : float
        The largest distance, in standard errors at the value, which follow from the most likely rates and
        shares among those with this value. On the longer side of a skewed distribution it is increased by
        the term of the skewness in the expansion of Cornish and Fisher.

    Returns
    -------
    low, high : arrays of shape (...)

    Notes
    -----
    With one class it is Wilson's interval, but for that term. Sources: Wilson (1927); Bartlett (1953),
    Biometrika 40, 12-19, and Laud (2017), Pharmaceutical Statistics 16, 334-348, for the skewness.
    """
    rate, share = _most_likely(counts)
    value = (rate * share).sum(-1)

    def end(side: int) -> Any:
        inside, outside = np.zeros(value.shape), np.full(value.shape, FARTHEST)
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            rate, share = _tilted(counts, np.exp(side * middle))
            variance, third = _moments(counts, rate, share)
            apart = side * (value - (rate * share).sum(-1)) - ROUNDING
            with np.errstate(divide="ignore", invalid="ignore"):
                skewness = np.maximum(side * np.where(variance > 0, third / variance**1.5, 0.0), 0.0)
            limit = (quantile + (quantile**2 - 1) / 6 * skewness) * np.sqrt(variance)
            inside, outside = np.where(apart > limit, [inside, middle], [middle, outside])
        rate, share = _tilted(counts, np.exp(side * inside))
        return (rate * share).sum(-1)

    return end(1), end(-1)


def _most_likely(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rate of positive labels in each class of the judge, and the share of the class among all cases."""
    of_class = counts.sum(-2)
    rate = counts[..., YES, :] / counts[..., :UNLABELLED, :].sum(-2)
    return rate, of_class / of_class.sum(-1, keepdims=True)


def _tilted(counts: np.ndarray, ratio: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The most likely rates and shares among those with one proportion, which falls as the ratio rises.

    With Lagrange's multipliers u of positive and v of other labels, and the ratio u / v, the share s and the
    rate a of a class fulfil u s = yes / a + unlabelled and v s = no / (1 - a) + unlabelled: a quadratic
    equation of a.
    """
    yes, no, unlabelled = np.moveaxis(counts, -2, 0)
    times = np.asarray(ratio)[..., None]
    c = (1 - times) * unlabelled
    b = yes + times * no - c
    root = np.sqrt(np.maximum(b * b + 4 * c * yes, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.clip(np.where(b > 0, 2 * yes / (b + root), (root - b) / (2 * c)), 0.0, 1.0)
        share = np.where(rate < 0.5, no / (1 - rate) + unlabelled, (yes / rate + unlabelled) / times)
    return rate, share / share.sum(-1, keepdims=True)


def _moments(counts: np.ndarray, rate: np.ndarray, share: np.ndarray) -> tuple[Any, Any]:
    """The second and the third central moment of the estimate, where these rates and shares are true."""
    labelled, total = counts[..., :UNLABELLED, :].sum(-2), counts.sum((-2, -1))
    within, off = rate * (1 - rate), rate - (rate * share).sum(-1, keepdims=True)
    second = (share**2 * within / labelled).sum(-1) + (share * off**2).sum(-1) / total
    third = (share**3 * within * (1 - 2 * rate) / labelled**2).sum(-1) + (share * off**3).sum(-1) / total**2
    return second, third


def rogan_gladen(share: Estimate, sensitivity: Estimate, specificity: Estimate) -> Estimate:
    """The proportion of positive labels from the judge's share of positives, and how often it is right.

    It is (share + specificity - 1) / (sensitivity + specificity - 1). The bounds are the values x at which
    share - x sensitivity - (1 - x) (1 - specificity) is as far from 0 as the intervals of the three allow,
    combined by MOVER, so that they reach 0 or 1 where the judge may be one by chance.
    Sources: Rogan and Gladen (1978), American J. of Epidemiology 107, 71-76; Zou and Donner (2008),
    Statistics in Medicine 27, 1693-1702.
    """
    level, false = share.level, 1 - specificity.value
    better, above = sensitivity.value - false, share.value - false
    if not better > 0:
        return Estimate(np.nan, level=level, undefined=BY_CHANCE)
    value = min(max(above / better, 0.0), 1.0)
    lacking = next((one for one in (share, sensitivity, specificity) if not one.has_interval), None)
    if lacking is not None:
        return Estimate(value, level=level, notes=lacking.notes)

    def end(side: int, share_by: float, sensitivity_by: float, false_by: float) -> float:
        square = better**2 - sensitivity_by**2 - false_by**2
        if square <= 0:
            return float(side > 0)
        middle = better * above - false_by**2
        root = max(middle**2 - square * (above**2 - share_by**2 - false_by**2), 0.0)
        return min(max((middle + side * float(np.sqrt(root))) / square, 0.0), 1.0)

    low = end(
        -1, share.value - share.low, sensitivity.high - sensitivity.value, specificity.value - specificity.low
    )
    high = end(
        1, share.high - share.value, sensitivity.value - sensitivity.low, specificity.high - specificity.value
    )
    if not high > low:
        return Estimate(value, level=level, notes=(Note("bounds-alike"),))
    method = (share.method or "").removesuffix("wilson") + "rogan-gladen"
    return Estimate(value, min(low, value), max(high, value), level, method)
