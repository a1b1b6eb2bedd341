"""Areas under the precision-recall curve: each convention under a name of its own, for they differ much."""

import numpy as np

from .. import kernels
from ..registry import measure, ratio, within
from ..summaries import RankingTable
from . import areas
from .rates import precision, sensitivity


def _precision(t, first):
    """The precision at every threshold of the sweep, and what it is taken to be where nobody is predicted positive."""
    found = precision(t.sweep())
    return np.where(np.isnan(found), first, found)


@measure(aka=("ap", "average_precision_score"), interval="average-precision")
def average_precision(t: RankingTable):
    """Precision at each score, averaged over the positives there: the area under the step-wise precision-recall curve.

    sum over the scores s: precision(s) * positives at s / positives

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 32.
    Differs: several tools give the area under straight lines between the points instead, which is too high.
    """
    if t.positive.ndim == 1:
        found = kernels.dot(t.positive, precision(t.sweep())[1:])
        if found == found:  # else a score that nobody has comes first
            return within(ratio(found, float(t.positives)), 0.0, 1.0)
    return areas.share(areas.total(t.positive * _precision(t, 0.0)[..., 1:]), t.positives * 1.0)


@measure(best=None, better="higher", interval="mean-precision")
def mean_precision(t: RankingTable):
    """Mean of the precision over all thresholds.

    mean over the distinct scores s of precision(s)

    Not the average precision, which weights each threshold with the positives that it adds.

    Undefined: no positives (positives = 0).
    Source: Berrar, after Def. 32.
    """
    there = areas.occurring(t)
    return areas.defined(ratio(areas.total(_precision(t, 0.0)[..., 1:] * there), areas.total(there)), t.positives)


@measure(interval="inverted")
def auc_pr_trapezoid(t: RankingTable):
    """Area under straight lines between the points (recall, precision), from (0, 1) on. Mostly too high.

    sum over the thresholds: (recall_2 - recall_1) * (precision_1 + precision_2) / 2

    Undefined: no positives (positives = 0).
    Source: Davis and Goadrich (2006), who say why not to use it.
    Differs: the same as scikit-learn's auc(recall, precision); its average_precision_score is average_precision.
    """
    return areas.defined(areas.trapezoids(sensitivity(t.sweep()), _precision(t, 1.0)), t.positives)


def _between_recalls(t, before, after):
    """The area under straight lines from one recall to the next, the precision at each being its lowest or highest there.

    Among the thresholds of one recall the first, with the fewest false positives, has the highest precision, the last the lowest.
    """
    recall, found = sensitivity(t.sweep()), _precision(t, 0.0)
    size = found.shape[-1]
    new = np.append(np.full((*recall.shape[:-1], 1), True), t.positive > 0, axis=-1)  # not by the recall, which is rounded
    first = np.maximum.accumulate(np.where(new, np.arange(size), 0), axis=-1)
    ends = np.append(new[..., 1:], np.full((*new.shape[:-1], 1), True), axis=-1)
    last = np.minimum.accumulate(np.where(ends, np.arange(size), size - 1)[..., ::-1], axis=-1)[..., ::-1]
    of = {"lowest": np.take_along_axis(found, last, -1), "highest": np.take_along_axis(found, first, -1)}
    area = areas.total(np.diff(recall) * (of[before][..., :-1] + of[after][..., 1:]) / 2)
    return areas.defined(within(area, 0.0, 1.0), t.positives)


@measure(best=None, better="higher", interval="inverted")
def auc_pr_min(t: RankingTable):
    """Lower trapezoid estimator of the area under the precision-recall curve: at each recall the lowest precision.

    sum over the recalls r_1 < r_2: (r_2 - r_1) * (lowest precision at r_1 + lowest precision at r_2) / 2

    The precision is taken to be 0 where nobody is predicted positive, so that even perfect scores get less than 1.

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 33; Boyd, Eng and Page (2013).
    """
    return _between_recalls(t, "lowest", "lowest")


@measure(best=None, better="higher", interval="inverted")
def auc_pr_minmax(t: RankingTable):
    """Trapezoid estimator of the area under the precision-recall curve: from the lowest precision to the next recall's highest.

    sum over the recalls r_1 < r_2: (r_2 - r_1) * (lowest precision at r_1 + highest precision at r_2) / 2

    The precision is taken to be 0 where nobody is predicted positive, so that even perfect scores get less than 1.

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 33.
    """
    return _between_recalls(t, "lowest", "highest")


@measure(best=None, better="higher", interval="inverted")
def auc_pr_max(t: RankingTable):
    """Upper trapezoid estimator of the area under the precision-recall curve: at each recall the highest precision.

    sum over the recalls r_1 < r_2: (r_2 - r_1) * (highest precision at r_1 + highest precision at r_2) / 2

    The precision is taken to be 0 where nobody is predicted positive, so that even perfect scores get less than 1.

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 33.
    """
    return _between_recalls(t, "highest", "highest")


MOST_STEPS = 5_000_000  # that are added one by one
ROUNDING = 1e-12  # of weights that make up whole cases


def _segments(t):
    """Between neighbouring thresholds: the positives, and all cases, predicted positive before, and how many more after."""
    counts, positive = t.sweep(), t.positive * 1.0
    called = counts.tp + counts.fp
    return counts.tp[..., :-1], called[..., :-1], positive, positive + t.negative


@measure(interval="inverted")
def auc_pr_integral(t: RankingTable):
    """Area under the precision-recall curve when tied cases come in even proportion: exact, in closed form.

    integral over recall of tp / (tp + fp), where fp rises in proportion to tp between neighbouring thresholds

    Undefined: no positives (positives = 0).
    Source: Davis and Goadrich (2006); Keilwagen, Grosse and Grau (2014), PLoS ONE 9.
    """
    tp, called, positive, size = _segments(t)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = size / positive  # cases for each positive
        bent = (tp - called / slope) / slope * np.log1p(size / called)
        area = positive / slope + np.where(called > 0, bent, 0.0)
    return areas.share(areas.total(np.where(positive > 0, area, 0.0)), t.positives * 1.0)


@measure(interval="inverted")
def auc_pr_davis_goadrich(t: RankingTable):
    """Area under the precision-recall curve with the points of Davis and Goadrich between those of neighbouring thresholds.

    trapezoids between the points at tp = tp_1, tp_1 + 1, ..., tp_2, where fp rises in proportion

    Fractional weights are crossed in equal steps of at most 1. It depends on the number of cases where scores are tied.

    Undefined: no positives (positives = 0).
    Source: Tharwat, Eq. 18; Davis and Goadrich (2006).
    """
    tp, called, positive, size = _segments(t)
    steps = np.maximum(np.ceil(positive * (1 - ROUNDING)), 1.0)
    if steps.ndim == 1 and steps.sum() <= MOST_STEPS:
        return areas.share(_step_by_step(tp, called, positive, size, steps.astype(np.int64)), t.positives * 1.0)
    return areas.share(areas.total(np.where(positive > 0, _all_steps(tp, called, positive, size, steps), 0.0)), t.positives * 1.0)


def _step_by_step(tp, called, positive, size, steps):
    """The trapezoids added one by one, times the positives."""
    segment = np.repeat(np.arange(len(steps)), steps)
    way = (np.arange(len(segment)) - np.repeat(np.cumsum(steps) - steps, steps)) / steps[segment]
    height = _height(tp[segment], called[segment], positive[segment], size[segment], way)
    after = _height(tp[segment], called[segment], positive[segment], size[segment], way + 1 / steps[segment])
    return areas.total(np.where(positive[segment] > 0, (height + after) / 2 * positive[segment] / steps[segment], 0.0))


def _height(tp, called, positive, size, way):
    """The precision on the way from one threshold to the next; at the very first point as on the way from it."""
    found, cases = tp + positive * way, called + size * way
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(cases > 0, found / cases, positive / size)


def _all_steps(tp, called, positive, size, steps):
    """The same in closed form, which loses digits where far more cases come before a step than in it."""
    from scipy.special import digamma

    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        step = positive / steps
        slope, at = size / positive, called / (size / steps)
        # The sum over i = 1 ... steps - 1 of tp / called, there: a constant and a multiple of the sum of 1 / (at + i).
        between = (steps - 1) / slope + (tp - called / slope) / (size / steps) * (digamma(at + steps) - digamma(at + 1))
        first, last = np.where(called > 0, tp / called, 1 / slope), (tp + positive) / (called + size)
        return step * ((first + last) / 2 + np.where(steps > 1, between, 0.0))
