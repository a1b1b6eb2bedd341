"""How well the scores order the cases, whatever the threshold."""

from .. import kernels
from ..registry import measure, ratio
from ..summaries import RankingTable
from .rates import precision


@measure(aka=("auc", "auroc", "area_under_the_roc_curve", "c_statistic", "concordance"), interval="delong-logit")
def roc_auc(t: RankingTable):
    """Probability that a random positive scores higher than a random negative, a tie counting one half.

    sum over the scores s: positives at s * (negatives below s + negatives at s / 2) / (positives * negatives)

    Exact up to the final division where weights are whole.

    Undefined: no positives (positives = 0), or no negatives (negatives = 0).
    Source: Berrar, Def. 27; Tharwat, Alg. 1 and 2.
    Differs: scikit-learn warns and gives NaN too; several tools give 0 or 0.5 where one class is missing.
    """
    return ratio(float(kernels.concordance(t.positive, t.negative)), 2.0 * t.positives * t.negatives)


@measure(aka=("ap", "average_precision_score"), interval="binomial")
def average_precision(t: RankingTable):
    """Precision at each score, averaged over the positives there: the area under the step-wise precision-recall curve.

    sum over the scores s: precision(s) * positives at s / positives

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 32.
    Differs: several tools give the area under straight lines between the points instead, which is too high.
    """
    return ratio(float(t.positive @ precision(t.sweep())[1:]), float(t.positives))
