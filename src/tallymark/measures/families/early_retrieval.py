"""The top of the ranking: parts of the ROC curve, the highest scores, and one rate at a given other rate."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...summaries import RankingTable
from ..registry import mapped, measure, ratio
from . import areas, partial_areas, rates


def positives_among(t: RankingTable, k: Any) -> Any:
    """The positives among the k highest scores; cases tied at the last place are taken in random order."""
    counts = t.sweep()
    called = counts.tp + counts.fp
    if not len(t):
        return areas.plain(called[..., 0])
    # the highest score of which not all are taken
    last = np.clip((called <= k).sum(-1, keepdims=True) - 1, 0, len(t) - 1)
    before, above, here = (np.take_along_axis(part, last, -1) for part in (counts.tp, called, t.positive))
    size = np.take_along_axis(called, last + 1, -1) - above
    # a resample may have no case with that score
    share = np.where(size > 0, np.clip(ratio(k - above, size), 0.0, 1.0), 0.0)
    return areas.plain((before + here * share)[..., 0])


def cases_taken(t: RankingTable, k: float) -> Any:
    """k, or the number of cases where there are fewer."""
    return np.minimum(k, t.total * 1.0)


SHARE, BELOW_ONE = (0.0, 1.0), (-np.inf, 1.0)
ROUNDING, AT = 1e-12, "at-a-threshold"
RANGE = {"low": SHARE, "high": SHARE}


@measure(
    aka=("partial_auc_corrected",),
    range=BELOW_ONE,
    interval="resampled",
    limits=RANGE,
    effective_n=lambda t, low, high: high * t.negatives,
    bounds="roc",
)
def partial_auc_standardised(t: RankingTable, *, low: float = 0.0, high: float = 0.1) -> Any:
    """Partial area under the ROC curve, scaled to 0.5 for random scores and 1 for perfect ones.

    (1 + (partial_auc - chance) / (high - low - chance)) / 2 with chance = (high^2 - low^2) / 2

    low, high: the false positive rates. Below 0 where low is above 0 and the curve far below the diagonal.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: McClish (1989), Medical Decision Making 9, 190-195.
    Differs: R's pROC gives nothing below 0.5; scikit-learn's max_fpr is `high`; precrec divides by high - low
    instead.
    """
    return partial_areas.standardised(partial_areas.under_roc(t, low, high), low, high)


@measure(
    aka=("pauc",),
    best=None,
    better="higher",
    interval=mapped(partial_auc_standardised, partial_areas.unstandardised),
    limits=RANGE,
    bounds="roc",
)
def partial_auc(t: RankingTable, *, low: float = 0.0, high: float = 0.1) -> Any:
    """Area under the ROC curve between two false positive rates.

    integral of tpr over fpr from low to high

    low, high: the false positive rates. The area is at most high - low.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, section 6; McClish (1989).
    Bounds: the ROC curve of straight lines is nowhere lower where a positive scores higher or a negative
    lower: a tie lies on the line between its ends, and the points that replace these lie above and left
    of them.
    """
    return partial_areas.under_roc(t, low, high)


@measure(
    range=BELOW_ONE,
    interval="resampled",
    limits=RANGE,
    effective_n=lambda t, low, high: (1 - low) * t.positives,
    bounds="roc",
)
def partial_auc_tpr_standardised(t: RankingTable, *, low: float = 0.9, high: float = 1.0) -> Any:
    """Partial area right of the ROC curve, scaled to 0.5 for random scores and 1 for perfect ones.

    (1 + (partial_auc_tpr - chance) / (high - low - chance)) / 2 with chance = ((1 - low)^2 - (1 - high)^2) /
    2

    low, high: the true positive rates. Below 0 where high is below 1 and the curve far below the diagonal.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: McClish (1989), for the other rate.
    """
    return partial_areas.standardised(partial_areas.right_of_roc(t, low, high), 1 - high, 1 - low)


@measure(
    best=None,
    better="higher",
    interval=mapped(partial_auc_tpr_standardised, partial_areas.unstandardised_tpr),
    limits=RANGE,
    bounds="roc",
)
def partial_auc_tpr(t: RankingTable, *, low: float = 0.9, high: float = 1.0) -> Any:
    """Area right of the ROC curve between two true positive rates.

    integral of 1 - fpr over tpr from low to high

    low, high: the true positive rates. The area is at most high - low.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Jiang, Metz and Nishikawa (1996), Radiology 201, 745-750.
    Bounds: the ROC curve of straight lines is nowhere further right, as for partial_auc.
    """
    return partial_areas.right_of_roc(t, low, high)


# The highest scores
# -------------------------------------------------------------------------------------------------------


@measure(
    aka=("p_at_k", "top_k_precision"),
    best=None,
    better="higher",
    interval="share-of-taken",
    limits={"k": (1, np.inf)},
    effective_n=cases_taken,
    bounds="roc",
)
def precision_at_k(t: RankingTable, *, k: float = 10) -> Any:
    """Proportion of positives among the k highest scores.

    positives among the k highest scores / k

    k: the number of cases taken, or all cases if there are fewer. Cases tied at the last place count as in
    random order. It depends on the number of cases.

    Undefined: no cases (total = 0).
    Source: Manning, Raghavan and Schuetze, Introduction to Information Retrieval (2008), section 8.4.
    Bounds: the positives expected among the k highest scores lie where the ROC curve of straight lines
    has tp + fp = k; a higher curve crosses that line further up.
    """
    return areas.share(positives_among(t, areas.column(cases_taken(t, k))), cases_taken(t, k))


@measure(
    aka=("top_k_recall",),
    best=None,
    better="higher",
    interval="inverted",
    limits={"k": (1, np.inf)},
    effective_n=cases_taken,
    bounds="roc",
)
def recall_at_k(t: RankingTable, *, k: float = 10) -> Any:
    """Proportion of the positives that are among the k highest scores.

    positives among the k highest scores / positives

    k: the number of cases taken. Cases tied at the last place count as in random order. It depends on the
    number of cases.

    Undefined: no positives (positives = 0).
    Source: Manning, Raghavan and Schuetze, Introduction to Information Retrieval (2008), section 8.4.
    Bounds: as for precision_at_k.
    """
    return areas.share(positives_among(t, k), t.positives * 1.0)


@measure(
    best=None,
    better="higher",
    interval="share-of-taken",
    limits={"share": (1e-6, 1.0)},
    effective_n=lambda t, share: share * t.total,
    bounds="roc",
)
def precision_at_share(t: RankingTable, *, share: float = 0.1) -> Any:
    """Proportion of positives among a given proportion of the cases, those with the highest scores.

    positives among the share * n highest scores / (share * n)

    share: the proportion of the cases that is taken. Cases tied at the last place count as in random order,
    and the last case in part.

    Undefined: no cases (total = 0).
    Source: Berrar, section 6, on the top of the ranking.
    Bounds: as for precision_at_k.
    """
    taken = share * t.total
    return areas.share(positives_among(t, areas.column(taken)), taken)


@measure(
    best=None,
    better="higher",
    interval="inverted",
    limits={"share": (1e-6, 1.0)},
    effective_n=lambda t, share: share * t.total,
    bounds="roc",
)
def recall_at_share(t: RankingTable, *, share: float = 0.1) -> Any:
    """Proportion of the positives that are among a given proportion of the cases, the highest scores.

    positives among the share * n highest scores / positives

    share: the proportion of the cases that is taken. Cases tied at the last place count as in random order,
    and the last case in part.

    Undefined: no positives (positives = 0).
    Source: Berrar, section 6, on the top of the ranking.
    Bounds: as for precision_at_k.
    """
    return areas.share(positives_among(t, areas.column(share * t.total)), t.positives * 1.0)


def _enriched(recall: Any, t: RankingTable, share: float) -> Any:
    return recall / share


@measure(
    aka=("ef",),
    range=(0.0, np.inf),
    best=None,
    better="higher",
    interval=mapped(recall_at_share, _enriched),
    limits={"share": (1e-6, 1.0)},
    bounds="roc",
)
def enrichment_factor(t: RankingTable, *, share: float = 0.01) -> Any:
    """Lift of the highest scores: the proportion of positives among them, divided by that among all cases.

    precision_at_share / (positives / n)

    share: the proportion of the cases that is taken. The largest value is 1 / share or n / positives.

    Undefined: no positives (positives = 0).
    Source: Truchon and Bayly (2007), Journal of Chemical Information and Modeling 47, 488-508.
    """
    return ratio(recall_at_share(t, share=share), share)


def _rarer_at_the_top(t: RankingTable, alpha: float) -> float:
    """The cases of the rarer class among the n / alpha highest scores, on which the value mostly depends."""
    taken = t.total / alpha
    found: float = positives_among(t, taken)
    return min(found, taken - found)


@measure(
    interval="resampled",
    limits={"alpha": (0.01, 500.0)},
    effective_n=_rarer_at_the_top,
    bounds="roc",
)
def bedroc(t: RankingTable, *, alpha: float = 20.0) -> Any:
    """Early recognition of positives, whose weights decrease exponentially with the rank.

    (s - smallest s) / (largest s - smallest s) with s = sum over the positives of exp(-alpha * rank / n)

    0 if all positives rank last, 1 if all rank first. alpha: with 20 the first 8 % of the ranks make up 80 %
    of the value. Tied cases have the mean over their ranks.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Truchon and Bayly (2007), Journal of Chemical Information and Modeling 47, 488-508.
    Bounds: by parts it is a mean of the positives expected among the x highest scores with weights that
    are positive; these rise with the curve as for precision_at_k.
    """
    counts = t.sweep()
    called = counts.tp + counts.fp
    share = called / np.maximum(called[..., -1:], np.finfo(float).tiny)
    # rounding may leave positives, but no cases
    positive = np.minimum(ratio(np.diff(counts.tp), np.diff(called)), 1.0)
    weight = -np.diff(np.exp(-alpha * share)) * positive
    positive = ratio(t.positives * 1.0, t.total * 1.0)
    lowest, highest = np.exp(-alpha * (1 - positive)) - np.exp(-alpha), -np.expm1(-alpha * positive)
    found = areas.share(areas.total(np.nan_to_num(weight)) - lowest, highest - lowest)
    return areas.defined(found, t.positives, t.negatives)


# What one rate allows of another
# ------------------------------------------------------------------------------------------


def _called_at(t: RankingTable, precision: float) -> Any:
    return recall_at_precision(t, precision=precision) * t.positives / max(precision, ROUNDING)


@measure(
    interval="inverted",
    limits={"precision": SHARE},
    effective_n=_called_at,
    bounds="roc",
)
def recall_at_precision(t: RankingTable, *, precision: float = 0.9) -> Any:
    """Largest recall over the thresholds with at least the given precision.

    max over the thresholds with precision >= the given one of recall

    precision: the lowest precision that is accepted. If no threshold reaches it, the value is 0.

    Undefined: no positives (positives = 0).
    Source: Saito and Rehmsmeier (2015) on reading the precision-recall curve.
    Bounds: at every threshold tp does not fall and fp does not rise, so that precision and recall do not
    fall.
    """
    return areas.best_at(t, rates.sensitivity, rates.precision, precision, t.positives)


@measure(
    interval=AT,
    limits={"recall": SHARE},
    bounds="roc",
)
def precision_at_recall(t: RankingTable, *, recall: float = 0.9) -> Any:
    """Largest precision over the thresholds with at least the given recall.

    max over the thresholds with recall >= the given one of precision

    recall: the lowest recall that is accepted.

    Undefined: no positives (positives = 0).
    Source: Saito and Rehmsmeier (2015) on reading the precision-recall curve.
    Bounds: as for recall_at_precision.
    """
    return areas.best_at(t, rates.precision, rates.sensitivity, recall, t.positives)


@measure(
    aka=("recall_at_specificity",),
    interval=AT,
    limits={"specificity": SHARE},
    effective_n=lambda t, specificity: (1 - specificity) * t.negatives,
    bounds="roc",
)
def sensitivity_at_specificity(t: RankingTable, *, specificity: float = 0.95) -> Any:
    """Largest sensitivity over the thresholds with at least the given specificity.

    max over the thresholds with specificity >= the given one of sensitivity

    specificity: the lowest specificity that is accepted.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Pepe, The Statistical Evaluation of Medical Tests (2003).
    Differs: R's pROC interpolates linearly between the thresholds, to values that none of them reaches.
    Bounds: at every threshold neither rate falls where a positive scores higher or a negative lower.
    """
    return areas.best_at(t, rates.sensitivity, rates.specificity, specificity, t.positives, t.negatives)


@measure(
    interval=AT,
    limits={"sensitivity": SHARE},
    effective_n=lambda t, sensitivity: (1 - sensitivity) * t.positives,
    bounds="roc",
)
def specificity_at_sensitivity(t: RankingTable, *, sensitivity: float = 0.95) -> Any:
    """Largest specificity over the thresholds with at least the given sensitivity.

    max over the thresholds with sensitivity >= the given one of specificity

    sensitivity: the lowest sensitivity that is accepted.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Pepe, The Statistical Evaluation of Medical Tests (2003).
    Differs: R's pROC interpolates linearly between the thresholds, to values that none of them reaches.
    Bounds: as for sensitivity_at_specificity.
    """
    return areas.best_at(t, rates.specificity, rates.sensitivity, sensitivity, t.positives, t.negatives)
