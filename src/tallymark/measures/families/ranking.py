"""How well the scores order the cases, at all thresholds together.

Sums run along the last axis: leading axes hold replicates.
"""

from typing import Any

import numpy as np

from ... import kernels
from ...summaries import BinnedTable, Counts, RankingTable
from ...summaries.passes import PAIRS, collected
from ..registry import IntervalSpec, Leading, Needs, delta, mapped, measure, ratio
from . import areas
from .combined import youden_j
from .rates import false_negative_rate, false_positive_rate, sensitivity

INT64_ENDS = 2.0**63
HALF = 0.5


def _of_pairs(of_ties: float, kind: str = "pairs") -> IntervalSpec:
    """The interval of the share of the pairs in the right order, and this proportion of those tied."""

    def _slopes(right: float, wrong: float, tied: float) -> tuple[float, float, float]:
        whole = right + wrong + tied
        share = ratio(right + of_ties * tied, whole)
        return ratio(1 - share, whole), ratio(-share, whole), ratio(of_ties - share, whole)

    return delta(_slopes, kind)


def _slopes_of_gamma(right: float, wrong: float, tied: float) -> tuple[float, float, float]:
    untied = (right + wrong) ** 2
    return ratio(2 * wrong, untied), ratio(-2 * right, untied), 0.0


@measure(
    aka=(
        "auc",
        "auroc",
        "area_under_the_roc_curve",
        "c_statistic",
        "concordance",
        "auc_roc",
        "roc_auc_score",
        "area_under_curve",
        "area_under_the_curve",
        "concordance_index",
    ),
    interval=_of_pairs(HALF, "delong-logit"),
    headline=Leading(10, "ROC AUC", column=1),
    needs=Needs(pairs_alone=True),
    terms=(
        "area_under_the_receiver_operating_characteristic_curve",
        "areas_of_trapezoids",
        "auc_algorithm",
        "probabilistic_interpretation_of_auc",
    ),
    bounds="roc",
)
def roc_auc(t: RankingTable) -> Any:
    """Area under the ROC curve: the probability that a random positive scores above a random negative.

    sum over the scores s: positives at s * (negatives below s + negatives at s / 2) / (positives * negatives)

    A tie counts one half. Exact up to the final division where weights are whole and there are fewer than
    2^62 pairs; sums of fractional weights are compensated.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 27; Tharwat, Alg. 1 and 2.
    Differs: scikit-learn warns and gives NaN too; several tools give 0 or 0.5 where one class is missing.
    Bounds: no pair counts less where its positive scores higher or its negative lower.
    """
    if t.positive.ndim > 1:
        return _area(t, HALF)
    twice_all = 2.0 * t.positives * t.negatives
    if twice_all < INT64_ENDS and not t.weighted:
        # of integers, and so rounded once
        return t.twice_concordant / (2 * t.positives * t.negatives) if twice_all else np.nan
    right, wrong = _both_ways(t)
    return ratio(right, right + wrong)


def _both_ways(t: RankingTable) -> tuple[float, float]:
    """Twice the weight of the pairs in the right and in the wrong order, with half of the ties in each."""
    positive, negative = t.positive.astype(float), t.negative.astype(float)
    return kernels.concordance(positive, negative), kernels.concordance(negative, positive)


OF_PAIRS = Needs((PAIRS,))


def _won(t: RankingTable, of_ties: float) -> Any:
    """The weight of the pairs in the right order, and this proportion of that of the ties."""
    if t.positive.ndim == 1:
        right, _, tied = collected(t, PAIRS)
        return float(right + of_ties * tied)
    positive, negative = np.asarray(t.positive, float), np.asarray(t.negative, float)
    won = negative * t.sweep().tp[..., :-1]
    if of_ties:
        won += positive * negative * of_ties
    return areas.total(won)


def _lost(t: RankingTable) -> Any:
    """The weight of the pairs in the wrong order."""
    if t.positive.ndim == 1:
        return float(collected(t, PAIRS)[1])
    return areas.total(t.positive * t.sweep().fp[..., :-1])


def _area(t: RankingTable, of_ties: float) -> Any:
    return areas.share(_won(t, of_ties), t.positives * 1.0 * t.negatives)


@measure(
    interval=_of_pairs(1.0),
    needs=OF_PAIRS,
    terms=(
        "optimistic_pessimistic_and_expected_roc_segments",
        "equally_scored_samples",
    ),
    bounds="roc",
)
def roc_auc_optimistic(t: RankingTable) -> Any:
    """Area under the ROC curve if the positives of every tie ranked first.

    sum over the scores s: negatives at s * (positives above s + positives at s) / (positives * negatives)

    It is the proportion of pairs in the right order or tied.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Tharwat, section 3, on equal scores.
    """
    return _area(t, 1.0)


@measure(
    interval=_of_pairs(0.0),
    needs=OF_PAIRS,
    terms=(
        "optimistic_pessimistic_and_expected_roc_segments",
        "equally_scored_samples",
    ),
    bounds="roc",
)
def roc_auc_pessimistic(t: RankingTable) -> Any:
    """Area under the ROC curve if the negatives of every tie ranked first.

    sum over the scores s: negatives at s * positives above s / (positives * negatives)

    It is the proportion of pairs in the right order.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Tharwat, section 3, on equal scores.
    """
    return _area(t, 0.0)


def _twice_less_one(area: Any, t: RankingTable | None = None) -> Any:
    return 2 * area - 1


@measure(
    aka=("somers_d", "accuracy_ratio", "gini_coefficient", "gini_index", "gain_capture"),
    range=(-1.0, 1.0),
    interval=mapped(roc_auc, _twice_less_one),
    bounds="roc",
)
def gini(t: RankingTable) -> Any:
    """Somers' D given the actual class: the difference of concordant and discordant pairs, over all pairs.

    2 * roc_auc - 1

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 28; Somers (1962).
    Differs: some tools give the Gini coefficient of the lift curve, which depends on the class mix.
    """
    return _twice_less_one(roc_auc(t))


@measure(
    range=(-1.0, 1.0),
    interval=delta(_slopes_of_gamma, "pairs"),
    needs=OF_PAIRS,
    bounds="roc",
)
def goodman_kruskal_gamma(t: RankingTable) -> Any:
    """Proportion of concordant minus proportion of discordant pairs, among the pairs that are not tied.

    (concordant - discordant) / (concordant + discordant)

    Undefined: no positives (positives = 0), or no negatives (negatives = 0), or no two scores (steps = 0).
    Source: Goodman and Kruskal (1954).
    Bounds: where a positive scores higher or a negative lower, no concordant pair is lost and no
    discordant one added; the value rises with the first and falls with the second.
    """
    right, wrong = _won(t, 0.0), _lost(t)
    return ratio(right - wrong, right + wrong)


@measure(
    aka=("area_under_the_roc_convex_hull", "roc_convex_hull_area"),
    range=(0.5, 1.0),
    interval="largest",
    needs=areas.OF_HULL,
    bounds="roc",
)
def auch(t: RankingTable) -> Any:
    """Area under the convex hull of the ROC curve, which the best mixtures of thresholds reach.

    sum over the edges of the hull: (fpr_2 - fpr_1) * (tpr_1 + tpr_2) / 2

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 29.
    Bounds: at every threshold tp does not fall and fp does not rise where a positive scores higher or a
    negative lower, so that the hull contains the one before.
    """
    return areas.defined(
        areas.trapezoids(false_positive_rate(t.corners), sensitivity(t.corners)), t.positives, t.negatives
    )


def _deviate(area: Any, t: RankingTable | None = None) -> Any:
    return np.sqrt(2) * kernels.inverse_normal_cdf(area)


def _swapped(t: RankingTable) -> RankingTable:
    return t.of(t.score, t.negative, t.positive)


@measure(
    aka=("d_a", "sensitivity_index"),
    range=(-np.inf, np.inf),
    best=np.inf,
    interval=mapped(roc_auc, _deviate),
    bounds="roc",
)
def d_prime(t: RankingTable) -> Any:
    """Distance in standard deviations of two normal distributions of equal variance with this ROC AUC.

    sqrt(2) * normal quantile of roc_auc

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Macmillan and Creelman, Detection Theory (2005).
    Differs: biometric tools give `decidability`, from the means and variances of the scores, as d'.
    """
    area, rest = roc_auc(t), roc_auc(_swapped(t))  # near 1 the smaller of the two has more digits
    return areas.plain(np.where(area < rest, _deviate(area), 0.0 - _deviate(rest)))


def _distance(c: Counts) -> Any:
    return np.abs(youden_j(c))


def _of_both_signs(binned: BinnedTable) -> tuple[float, float]:
    """Bounds from those of the largest tpr - fpr, which rises with the curve, and fpr - tpr, which falls."""
    least, most = (youden_j(table.sweep()) for table in binned.bracket())
    up, down = (least.max(), most.max()), ((-most).max(), (-least).max())
    return max(up[0], down[0]), max(up[1], down[1])


@measure(
    aka=("ks", "ks_statistic", "ks_distance", "kolmogorov_smirnov_distance"),
    interval="largest",
    attained=_distance,
    bounds=_of_both_signs,
)
def kolmogorov_smirnov(t: RankingTable) -> Any:
    """Largest absolute difference between the true and the false positive rate.

    max over the thresholds of |tpr - fpr|

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 30.
    Bounds: the largest tpr - fpr rises with the ROC curve and the largest fpr - tpr falls; the larger of
    both has the larger of their lower and of their upper bounds.
    """
    return areas.plain(_distance(t.sweep()).max(-1))


@measure(
    aka=("taks",),
    range=(-1.0, 1.0),
    best=None,
    better="higher",
    interval="truncated-ks",
    terms=(
        "truncated_average_kolmogorov_smirnov_statistic",
        "noise_robust_ranking_measure",
    ),
)
def truncated_average_ks(t: RankingTable) -> Any:
    """Mean difference of the true and the false positive rate over all thresholds but the first and the last.

    mean over the scores but the lowest of tpr - fpr

    Each distinct score is one threshold. The largest possible value depends on the number of scores.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0), or no two scores (steps = 0).
    Source: Berrar, Def. 31.
    Bounds: none, since joined scores are one threshold instead of several.
    """
    there = areas.occurring(t)  # at the lowest score the difference is 0
    mean = ratio(areas.total(youden_j(t.sweep())[..., 1:] * there), np.maximum(areas.total(there) - 1.0, 0.0))
    return areas.defined(areas.plain(mean), t.positives, t.negatives)


@measure(
    aka=("max_youden_j", "max_youden_index", "maximum_youden_index", "j_max", "maximum_youden_j"),
    interval="largest",
    attained=youden_j,
    bounds="roc",
)
def youden_j_max(t: RankingTable) -> Any:
    """Largest Youden index over the thresholds.

    max over the thresholds of tpr - fpr

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 8; Youden (1950).
    Bounds: at every threshold tpr - fpr does not fall where a positive scores higher or a negative
    lower.
    """
    return areas.plain(youden_j(t.sweep()).max(-1))


def _gain(area: Any, t: RankingTable) -> Any:
    return (area - 0.5) * ratio(t.positives * 1.0 * t.negatives, t.total * 1.0)


@measure(
    range=(-np.inf, np.inf),
    best=None,
    better="higher",
    interval=mapped(roc_auc, _gain),
    needs=OF_PAIRS,
    bounds="roc",
)
def average_gain(t: RankingTable) -> Any:
    """Mean excess of positives among the highest scores over the number expected for random scores.

    mean over j = 1 ... n of positives among the j highest scores - j * positives / n

    Cases with the same score count as in random order, so that it equals (roc_auc - 1/2) * positives *
    negatives / n: 0 for a random guesser. It depends on the number of cases.

    Undefined: no cases (total = 0).
    Source: Berrar, Def. 25.
    """
    return ratio(_won(t, HALF) - t.positives * t.negatives / 2, t.total * 1.0)


@measure(
    range=(0.0, np.inf),
    best=None,
    better="higher",
    interval="average-lift",
    bounds=areas.of_numbers_of_cases("average_lift"),
)
def average_lift(t: RankingTable) -> Any:
    """Mean lift over the numbers of highest scores taken.

    mean over j = 1 ... n of (positives among the j highest scores / j) / (positives / n)

    Cases with the same score count as in random order. It depends on the number of cases.

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 26.
    Bounds: for whole weights: the positives expected among the j highest scores lie where the ROC curve
    of straight lines has tp + fp = j, and a higher curve has more of them there.
    """
    counts = t.sweep()
    return ratio(areas.total(areas.precision_within(counts.tp, counts.fp)), t.positives * 1.0)


@measure(
    interval="largest",
    limits={"severity_ratio": (1e-6, 1e6)},
    needs=areas.OF_HULL,
    bounds="roc",
)
def h_measure(t: RankingTable, *, severity_ratio: float | None = None) -> Any:
    """Relative reduction of the expected loss of an uninformative classifier, for a fixed cost distribution.

    1 - mean of the smallest loss over c ~ Beta(2, 1 + 1 / severity_ratio) / the same of always giving one
    answer

    The loss is c * fp / n + (1 - c) * fn / n at the threshold that is best for c. severity_ratio: the cost of
    a false positive over that of a false negative at the mode of the distribution of c; by default
    positives / negatives.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Hand (2009); Hand and Anagnostopoulos (2014), Pattern Recognition Letters 40.
    Differs: R's hmeasure silently reverses the scores of a classifier with an area below 0.5.
    Bounds: for each c the smallest loss over the thresholds does not rise, as for auch.
    """
    severe = ratio(t.positives * 1.0, t.negatives * 1.0) if severity_ratio is None else severity_ratio
    hull, one_answer = t.corners, t.sweep()[..., [0, -1]]
    known, blind = (
        areas.least_mean(counts.fp, counts.fn, 2.0, 1 + ratio(1.0, severe)) for counts in (hull, one_answer)
    )
    return areas.share(blind - known, blind)


@measure(
    aka=("area_under_the_cost_curve",),
    range=(0.0, 0.5),
    best=0.0,
    interval="largest",
    limits={"alpha": (0.01, 1000.0), "beta": (0.01, 1000.0)},
    needs=areas.OF_HULL,
    bounds="roc",
)
def average_cost(t: RankingTable, *, alpha: float = 1.0, beta: float = 1.0) -> Any:
    """Mean of the lower envelope of the cost curve over a distribution of class mix and costs.

    mean over x ~ Beta(alpha, beta) of the smallest x * fnr + (1 - x) * fpr over the thresholds

    x: the proportion of the largest possible cost that is due to false negatives; alpha, beta: of its
    distribution, by default the uniform one, with which the value is the area under the curve.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Drummond and Holte (2006), Machine Learning 65, 95-130.
    Bounds: for each x the smallest cost over the thresholds does not rise, as for auch.
    """
    hull = t.corners
    mean = areas.least_mean(false_positive_rate(hull), false_negative_rate(hull), beta, alpha)
    return areas.defined(mean, t.positives, t.negatives)
