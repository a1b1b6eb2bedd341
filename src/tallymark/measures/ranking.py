"""How well the scores order the cases, whatever the threshold."""

from .. import kernels
from ..registry import measure, ratio, within
from ..summaries import RankingTable
from .rates import precision

INT64_ENDS = 2.0**63


@measure(aka=("auc", "auroc", "area_under_the_roc_curve", "c_statistic", "concordance"), interval="delong-logit")
def roc_auc(t: RankingTable):
    """Probability that a random positive scores higher than a random negative, a tie counting one half.

    sum over the scores s: positives at s * (negatives below s + negatives at s / 2) / (positives * negatives)

    Exact up to the final division where weights are whole and there are fewer than 2^62 pairs.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 27; Tharwat, Alg. 1 and 2.
    Differs: scikit-learn warns and gives NaN too; several tools give 0 or 0.5 where one class is missing.
    """
    twice_all = 2.0 * t.positives * t.negatives
    weights = t.positive, t.negative
    if twice_all >= INT64_ENDS:
        weights = t.positive.astype(float), t.negative.astype(float)
    return ratio(min(float(kernels.concordance(*weights)), twice_all), twice_all)


@measure(aka=("ap", "average_precision_score"), interval="binomial")
def average_precision(t: RankingTable):
    """Precision at each score, averaged over the positives there: the area under the step-wise precision-recall curve.

    sum over the scores s: precision(s) * positives at s / positives

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 32.
    Differs: several tools give the area under straight lines between the points instead, which is too high.
    """
    return within(ratio(float(t.positive @ precision(t.sweep())[1:]), float(t.positives)), 0.0, 1.0)
