"""Pairs of a positive and a negative, by the order of their scores: what the area under the ROC curve counts."""

import numpy as np

from ..declared import mapped
from ..registry import measure
from ..summaries import RankingTable
from . import areas
from .ranking import roc_auc_optimistic, roc_auc_pessimistic


def _of_pairs(share, t):
    return share * t.positives * t.negatives


def _beyond(share, t):
    return _of_pairs(1 - share, t)


@measure(range=(0.0, np.inf), best=None, better="higher", interval=mapped(roc_auc_pessimistic, _of_pairs))
def concordant_pairs(t: RankingTable):
    """Number of pairs of a positive and a negative in which the positive scores higher.

    sum over the scores s: negatives at s * positives above s

    It depends on the number of cases.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 27; Somers (1962).
    """
    return areas.defined(_exact(t, 0) if t.positive.ndim == 1 else _of_pairs(roc_auc_pessimistic(t), t), t.positives, t.negatives)


@measure(range=(0.0, np.inf), best=0.0, interval=mapped(roc_auc_optimistic, _beyond))
def discordant_pairs(t: RankingTable):
    """Number of pairs of a positive and a negative in which the positive scores lower.

    sum over the scores s: negatives at s * positives below s

    It depends on the number of cases.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 27; Somers (1962).
    """
    return areas.defined(_exact(t, 1) if t.positive.ndim == 1 else _beyond(roc_auc_optimistic(t), t), t.positives, t.negatives)


@measure(range=(0.0, np.inf), best=0.0, interval="resampled")
def tied_pairs(t: RankingTable):
    """Number of pairs of a positive and a negative that have the same score.

    sum over the scores s: negatives at s * positives at s

    It depends on the number of cases.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 27; Somers (1962).
    """
    return areas.defined(areas.total(t.positive * 1.0 * t.negative), t.positives, t.negatives)


def _exact(t, which):
    return float(t.pairs[which])
