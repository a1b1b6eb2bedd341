"""Rankings of all scores together, over the cases and the classes, and of the classes within each case."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...summaries import ClassScores, RankingTable
from ...summaries.ranking import of_answers
from ..registry import IntervalSpec, measure, plain, ratio, within
from . import areas
from .multiclass_probability import mean_charge
from .multiclass_ranking import OfClasses
from .precision_recall import average_precision
from .ranking import roc_auc

MOST_CLASSES = 1e6
IN_RESAMPLES = {"pooled_area": roc_auc, "pooled_precision": average_precision}


class Levels(NamedTuple):
    """The distinct scores of all cases and classes, ascending.

    place: of each score, by case and class; own, other: the weight of the scores for the actual class, and
    for other classes, at each level; is_own: which scores are for the actual class.
    """

    place: np.ndarray
    own: np.ndarray
    other: np.ndarray
    is_own: np.ndarray


def _levels(t: ClassScores) -> Levels:
    distinct, found = np.unique(t.ranked_by, return_inverse=True)
    place: np.ndarray = found.reshape(t.ranked_by.shape)
    is_own = t.truth[:, None] == np.arange(len(t))
    weight = np.broadcast_to(t.weight[:, None].astype(float), is_own.shape)
    own, other = (kernels.sums(place[part], weight[part], len(distinct)) for part in (is_own, ~is_own))
    return Levels(place, own, other, is_own)


Pooled = Callable[[Levels], tuple[float, np.ndarray, np.ndarray]]


def _kept(pooled: Pooled) -> Callable[[ClassScores], OfClasses]:
    """Keeps the result with the table: the value, and the influence of each case on it."""

    @wraps(pooled)
    def asked(t: ClassScores) -> OfClasses:
        if t.weight.ndim > 1:
            is_own = (t.truth[:, None] == np.arange(len(t))).ravel()
            weight = np.repeat(t.weight, len(t), axis=1)
            table = of_answers(RankingTable, t.ranked_by.ravel(), weight * is_own, weight * ~is_own)
            return OfClasses(IN_RESAMPLES[pooled.__name__](table)[:, None], *np.zeros((2, 0)))
        if pooled.__name__ not in t.kept:
            t.kept[pooled.__name__] = _of_cases(t, pooled)
        return t.kept[pooled.__name__]

    return asked


def _of_cases(t: ClassScores, pooled: Pooled) -> OfClasses:
    """With the influences of a case's scores added up."""
    if not t.represented:
        return OfClasses(np.full(1, np.nan), *np.zeros((2, len(t.truth))))
    levels = _levels(t)
    value, of_own, of_other = pooled(levels)
    influence = np.where(levels.is_own, of_own[levels.place], of_other[levels.place]).sum(1)
    return OfClasses(np.array([within(value, 0.0, 1.0)]), influence, influence)


@_kept
def pooled_area(levels: Levels) -> tuple[float, np.ndarray, np.ndarray]:
    """The area, and the influence of a score for the actual class, and for another, at each level."""
    own, other = levels.own, levels.other
    below = (np.cumsum(other) - other / 2) / other.sum()
    above = (own.sum() - np.cumsum(own) + own / 2) / own.sum()
    value = kernels.dot(own, below) / own.sum()
    return float(value), (below - value) / own.sum(), (above - value) / other.sum()


@_kept
def pooled_precision(levels: Levels) -> tuple[float, np.ndarray, np.ndarray]:
    """The same of average precision."""
    own, total = levels.own, levels.own.sum()
    found, called = (np.cumsum(part[::-1])[::-1] for part in (own, own + levels.other))
    precision = ratio(found, called)
    value = kernels.dot(own, precision) / total
    # more weight of a score changes the precision at its level and at all lower ones
    more, less = (np.cumsum(own * ratio(ratio(part, called), called)) for part in (called - found, found))
    return float(value), (precision + more - value) / total, -less / total


def rank_charge(t: ClassScores, k: float = 2) -> np.ndarray:
    """1 where the actual class is among the k highest scores; of ties, the share of the places among them."""
    own = np.take_along_axis(t.ranked_by, t.truth[:, None].astype(np.int64), 1)
    higher, tied = (t.ranked_by > own).sum(1), (t.ranked_by == own).sum(1)
    return np.clip((k - higher) / tied, 0.0, 1.0)


@measure(
    aka=("micro_auc", "roc_auc_micro", "micro_averaged_auc"),
    interval=IntervalSpec("of-pooled", (pooled_area,)),
)
def micro_roc_auc(t: ClassScores) -> Any:
    """Area under the ROC curve of all scores together: those for actual classes against those for others.

    P(score of a case for its class > score of a case for another class) + P(equal) / 2, over all cases

    Scores of different classes are compared, so that they need the same meaning, as probabilities have.

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's roc_auc_score(average="micro"); Flemming (Binary Metrics for Multiclass
    Classification) leaves it open.
    """
    return plain(pooled_area(t).value[..., 0])


@measure(
    aka=("average_precision_micro", "micro_averaged_precision"),
    interval=IntervalSpec("of-pooled", (pooled_precision,)),
)
def micro_average_precision(t: ClassScores) -> Any:
    """Average precision of all scores together: those for actual classes are the positives.

    sum over the scores for actual classes of the precision there, over their number

    Scores of different classes are compared, so that they need the same meaning, as probabilities have.

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's average_precision_score(average="micro").
    """
    return plain(pooled_precision(t).value[..., 0])


@measure(
    aka=("top_k_accuracy_score", "top_k_categorical_accuracy", "accuracy_at_k"),
    terms=("hit_rate_at_k", "topk", "rank_k_identification_rate", "cumulative_match_characteristic", "cmc"),
    interval="mean",
    loss=rank_charge,
    limits={"k": (1, MOST_CLASSES)},
)
def top_k_accuracy(t: ClassScores, *, k: float = 2) -> Any:
    """Proportion of the cases whose actual class is among the k highest scores.

    number of cases whose class has fewer than k higher scores / number of cases

    k: how many, 2 by default; with 1 it is the accuracy of the highest score. Of classes tied at the last
    place a case counts with the probability that its class is taken.

    Undefined: no cases (total = 0).
    Source: Russakovsky and others (2015), International Journal of Computer Vision 115, section 4.1.
    Differs: scikit-learn's top_k_accuracy_score breaks ties by the order of the columns.
    """
    return areas.defined(mean_charge(t, rank_charge(t, k)), t.total)
