"""Rankings of all scores together, over the cases and the classes, and of the classes within each case."""

from typing import Any

import numpy as np

from ...summaries import ClassScores, RankingTable
from ...summaries.ranking import of_answers
from ..registry import IntervalSpec, measure
from . import areas
from .multiclass_probability import mean_charge
from .precision_recall import average_precision
from .ranking import roc_auc

MOST_CLASSES = 1e6


def pooled(t: ClassScores) -> RankingTable:
    """The scores of all cases for all classes: those for the actual classes are the positives."""
    if "pooled" not in t.kept:
        actual = (t.truth[:, None] == np.arange(len(t))).ravel()
        weight = np.repeat(t.weight, len(t), axis=-1)
        t.kept["pooled"] = of_answers(RankingTable, t.ranked_by.ravel(), weight * actual, weight * ~actual)
    return t.kept["pooled"]


def rank_charge(t: ClassScores, k: float = 2) -> np.ndarray:
    """1 where the actual class is among the k highest scores; of ties, the share of the places among them."""
    own = np.take_along_axis(t.ranked_by, t.truth[:, None].astype(np.int64), 1)
    higher, tied = (t.ranked_by > own).sum(1), (t.ranked_by == own).sum(1)
    return np.clip((k - higher) / tied, 0.0, 1.0)


@measure(
    aka=("micro_auc", "roc_auc_micro", "micro_averaged_auc"),
    interval=IntervalSpec("of-pooled", (roc_auc,)),
)
def micro_roc_auc(t: ClassScores) -> Any:
    """Area under the ROC curve of all scores together: those for actual classes against those for others.

    P(score of a case for its class > score of a case for another class) + P(equal) / 2, over all cases

    Scores of different classes are compared, so that they need the same meaning, as probabilities have.

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's roc_auc_score(average="micro"); Flemming (Binary Metrics for Multiclass
    Classification) leaves it open.
    """
    return areas.defined(roc_auc(pooled(t)), t.represented)


@measure(
    aka=("average_precision_micro", "micro_averaged_precision"),
    interval=IntervalSpec("of-pooled", (average_precision,)),
)
def micro_average_precision(t: ClassScores) -> Any:
    """Average precision of all scores together: those for actual classes are the positives.

    sum over the scores for actual classes of the precision there, over their number

    Scores of different classes are compared, so that they need the same meaning, as probabilities have.

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's average_precision_score(average="micro").
    """
    return areas.defined(average_precision(pooled(t)), t.represented)


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
