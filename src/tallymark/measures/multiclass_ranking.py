"""How well a score per class orders the cases: areas of each class against the others, and their averages."""

from functools import wraps
from typing import NamedTuple

import numpy as np

from ..registry import measure, ratio, within
from ..summaries import ClassScores
from . import areas


class OfClasses(NamedTuple):
    """Per class, and what each case does to it: how the value would rise with a little more weight of the case, per unit of weight.

    value: shape (K,), NaN for a class that has all cases or none; influence: shape (n, K).
    """

    value: np.ndarray
    influence: np.ndarray


def _kept(function):
    """Worked out once for each table: values and intervals, plain and weighted, share it."""

    @wraps(function)
    def asked(t: ClassScores) -> OfClasses:
        if function.__name__ not in t.kept:
            t.kept[function.__name__] = function(t)
        return t.kept[function.__name__]

    return asked


def _areas(t, of_others):
    """Of each class the weighted share of others that its cases score higher than; of_others: what each case counts as an other."""
    place, first, last = t.ranks
    truth, weight = t.truth[place], t.weight[place]
    own = np.where(truth == np.arange(len(t)), weight, 0.0)
    other = np.where(own > 0, 0.0, of_others[place, np.arange(len(t))] * weight)
    sizes = t.sizes
    below = _half_tied(other[::-1], len(place) - 1 - last[::-1], len(place) - 1 - first[::-1])[::-1]
    above = ratio(_half_tied(own, first, last), sizes)
    return place, own, below, above, ratio((own * below).sum(axis=0), sizes)


def _half_tied(weight, first, last):
    """Down each column: the weight further up, and half of that tied with a place."""
    sums = np.concatenate([np.zeros((1, weight.shape[1])), np.cumsum(weight, axis=0)])
    return (np.take_along_axis(sums, first, 0) + np.take_along_axis(sums, last + 1, 0)) / 2


@_kept
def against_the_rest(t: ClassScores) -> OfClasses:
    """The area under the ROC curve of each class against all others, by the score of that class."""
    others = ratio(1.0, (t.total - t.sizes)) + np.zeros((len(t.truth), 1))
    place, own, below, above, value = _areas(t, others)
    # A case of the class beats its share of the others; a case of the others is beaten by its share of the class.
    gain = np.where(own > 0, ratio(below - value, t.sizes), ratio(above - value, t.total - t.sizes))
    return OfClasses(_where_both(t, value), _in_order_of_cases(gain, place))


@_kept
def against_each(t: ClassScores) -> OfClasses:
    """Of each class, by its score, the mean over the other classes of the area under the ROC curve against one of them."""
    sizes, occurring = t.sizes, t.represented
    if not occurring:
        return OfClasses(np.full(len(t), np.nan), np.zeros((len(t.truth), len(t))))
    others = ratio(ratio(1.0, sizes), occurring)[t.truth][:, None] + np.zeros((1, len(t)))
    place, own, below, above, value = _areas(t, others)
    truth, weight = t.truth[place], t.weight[place]
    column = np.arange(len(t))
    cell = (truth * len(t) + column).ravel()  # of the column's class against the row's
    pair = ratio(np.bincount(cell, (weight * above).ravel(), len(t) ** 2).reshape(len(t), -1), sizes[:, None])
    gain = np.where(own > 0, ratio(below - value, sizes), ratio(above - pair[truth, column], sizes[truth] * occurring))
    return OfClasses(_where_both(t, value), _in_order_of_cases(gain, place))


@_kept
def precisions(t: ClassScores) -> OfClasses:
    """The average precision of each class against all others, by the score of that class."""
    place, first, last = t.ranks
    truth, weight = t.truth[place], t.weight[place]
    own = np.where(truth == np.arange(len(t)), weight, 0.0)
    found, called = (np.take_along_axis(np.cumsum(part, axis=0), last, 0) for part in (own, weight))
    precision = ratio(found, called)
    value = ratio((own * precision).sum(axis=0), t.sizes)
    # More weight here moves the precision at all places from here down.
    moved = _from_here(own * ratio(called - found, called**2), first), _from_here(own * ratio(found, called**2), first)
    gain = np.where(own > 0, ratio(precision + moved[0] - value, t.sizes), ratio(-moved[1], t.sizes))
    return OfClasses(_where_both(t, value), _in_order_of_cases(gain, place))


def _in_order_of_cases(values, place):
    ordered = np.empty_like(values)
    np.put_along_axis(ordered, place, values, 0)
    return ordered


def _from_here(weight, first):
    """Down each column: the sum from the first place of those tied with a place to the end."""
    sums = np.concatenate([np.zeros((1, weight.shape[1])), np.cumsum(weight, axis=0)])
    return sums[-1] - np.take_along_axis(sums, first, 0)


def _where_both(t, value):
    """NaN for a class without cases, or without others."""
    return np.where((t.sizes > 0) & (t.represented > 0), within(value, 0.0, 1.0), np.nan)


def _mean(t, of_classes, weights=None):
    known = ~np.isnan(of_classes.value)
    weight = known if weights is None else np.where(known, weights, 0.0)
    return areas.plain(ratio(float(weight @ np.where(known, of_classes.value, 0.0)), float(weight.sum())))


@measure(aka=("macro_auc", "one_vs_rest_auc"), interval="of-classes")
def macro_roc_auc(t: ClassScores):
    """Mean over the classes of the area under the ROC curve of the class against all others.

    mean over the classes of roc_auc(class against the rest)

    Classes that do not occur are left out.

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's roc_auc_score(multi_class="ovr"); Fawcett (2006).
    """
    return _mean(t, against_the_rest(t))


@measure(aka=("prior_weighted_auc", "provost_domingos_auc", "weighted_auc"), interval="of-classes-weighted")
def weighted_roc_auc(t: ClassScores):
    """Mean over the classes, each weighted with its share of the cases, of the area under the ROC curve against all others.

    sum over the classes of share(class) * roc_auc(class against the rest)

    Undefined: no two classes (represented = 0).
    Source: Tharwat, section 4, after Provost and Domingos (2001).
    """
    return _mean(t, against_the_rest(t), t.sizes)


@measure(aka=("hand_till_auc", "m_measure", "one_vs_one_auc"), interval="of-pairs")
def pairwise_roc_auc(t: ClassScores):
    """Mean over all pairs of classes of the probability that a case of the one scores higher in it than a case of the other.

    2 / (K (K - 1)) * sum over the pairs i < j of (A(i | j) + A(j | i)) / 2

    A(i | j) is the area under the ROC curve of class i against class j alone, by the score of class i. It does not depend on the
    class mix. Classes that do not occur are left out.

    Undefined: no two classes (represented = 0).
    Source: Hand and Till (2001); Tharwat, section 4.
    """
    return _mean(t, against_each(t))


@measure(aka=("map", "macro_average_precision"), interval="of-precisions")
def mean_average_precision(t: ClassScores):
    """Mean over the classes of the average precision of the class against all others.

    mean over the classes of average_precision(class against the rest)

    Classes that do not occur are left out.

    Undefined: no two classes (represented = 0).
    Source: Berrar, after Def. 33.
    """
    return _mean(t, precisions(t))


@measure(interval="of-precisions-weighted")
def weighted_average_precision(t: ClassScores):
    """Mean over the classes, each weighted with its share of the cases, of the average precision against all others.

    sum over the classes of share(class) * average_precision(class against the rest)

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's average_precision_score(average="weighted").
    """
    return _mean(t, precisions(t), t.sizes)
