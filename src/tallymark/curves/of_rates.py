"""Curves of true and false positive rates: ROC, its hull, DET, rates against the threshold; densities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..input import validate
from ..measures.families.rates import false_negative_rate, false_positive_rate, sensitivity
from ..summaries import RankingTable
from .curve import Curve
from .names import caption, entered

MOST_BINS = 100_000
FPR, TPR, FNR = "false positive rate", "true positive rate", "false negative rate"


@caption(
    "ROC curve",
    "roc_auc",
    baseline="guessing",
    aka=(
        "receiver_operating_characteristic",
        "relative_operating_characteristic",
        "roc_curve",
        "roc_tpr_fpr_curve",
    ),
)
@entered
def roc(table: RankingTable) -> Curve:
    """True against false positive rate, from (0, 0) to (1, 1).

    Source: Berrar, Fig. 5a; Tharwat, Alg. 1.
    """
    counts = table.sweep()
    return Curve(
        "roc", false_positive_rate(counts), sensitivity(counts), table.thresholds, FPR, TPR, (0.0, 1.0)
    )


@caption(
    "Convex hull of the ROC curve",
    "auch",
    label="AUC of the hull",
    baseline="guessing",
    aka=("roc_convex_hull", "convex_hull", "rocch", "concavities"),
)
@entered
def roc_hull(table: RankingTable) -> Curve:
    """Corners of the upper convex hull of the ROC curve, from (0, 0) to (1, 1).

    Source: Berrar, Def. 29.
    """
    if not (table.positives and table.negatives):  # the rates of a class without cases are undefined
        return replace(roc(table), name="roc_hull")
    fpr, tpr = false_positive_rate(table.hull), sensitivity(table.hull)
    corner = np.append(True, (np.diff(fpr) != 0) | (np.diff(tpr) != 0))
    return Curve("roc_hull", fpr[corner], tpr[corner], table.thresholds[corner], FPR, TPR, (0.0, 1.0))


@caption(
    "DET curve",
    "equal_error_rate",
    label="EER",
    aka=("detection_error_tradeoff", "detection_error_trade_off", "det_curve"),
)
@entered
def det(table: RankingTable) -> Curve:
    """False negative against false positive rate, both as normal deviates.

    A rate of 0 lies at -infinity. Scores that are normal in both classes give a straight line. Source:
    Tharwat, section 6; Martin et al. (1997).
    """
    from scipy.special import ndtri

    counts = table.sweep()
    x, y = ndtri(false_positive_rate(counts)), ndtri(false_negative_rate(counts))
    return Curve(
        "det", x, y, table.thresholds, f"normal deviate of the {FPR}", f"normal deviate of the {FNR}"
    )


@caption(
    "DET curve on linear axes",
    "equal_error_rate",
    label="EER",
    baseline="guessing",
    aka=("det_curve_on_linear_axes", "linear_det", "fnmr_against_fmr"),
)
@entered
def det_linear(table: RankingTable) -> Curve:
    """False negative against false positive rate, from (0, 1) to (1, 0).

    That of a perfect classifier is on the axes. Source: Tharwat, section 6 and Fig. 12, whose text has the
    false negative rate on the horizontal axis.
    """
    counts = table.sweep()
    x, y = false_positive_rate(counts), false_negative_rate(counts)
    return Curve("det_linear", x, y, table.thresholds, FPR, FNR, (1.0, 0.0))


@caption(
    "True and false positive rate",
    "kolmogorov_smirnov",
    label="KS distance",
    shows="distance",
    aka=("tpr_fpr_plot", "kolmogorov_smirnov_plot", "ks_plot"),
)
@entered
def tpr_fpr(table: RankingTable) -> Curve:
    """True and false positive rate against the threshold.

    Their largest distance is the Kolmogorov-Smirnov statistic. Source: Berrar, Fig. 5b.
    """
    counts, limits = table.sweep(), table.thresholds
    return Curve(
        "tpr_fpr",
        limits,
        sensitivity(counts),
        limits,
        "threshold",
        TPR,
        step="post",
        others={FPR: false_positive_rate(counts)},
    )


@caption(
    "False match and false non-match rate",
    "equal_error_rate",
    label="EER",
    shows="crossing",
    aka=("far_frr_curve", "fmr_fnmr"),
)
@entered
def far_frr(table: RankingTable) -> Curve:
    """False match and false non-match rate against the threshold.

    They cross at the equal error rate. A Tippett plot has 1 minus the false non-match rate. Source: Tharwat,
    Fig. 11.
    """
    counts, limits = table.sweep(), table.thresholds
    rates = {"false non-match rate": false_negative_rate(counts)}
    y = false_positive_rate(counts)
    return Curve("far_frr", limits, y, limits, "threshold", "false match rate", step="post", others=rates)


@caption(
    "Distribution of the scores",
    marked=False,
    aka=(
        "class_densities",
        "score_distribution",
        "score_histogram",
        "class_density",
        "probability_distribution",
        "share_of_examples_with_probability",
    ),
)
@entered
def density(table: RankingTable, *, bins: int = 20) -> Curve:
    """Density of the scores of each class, in bins of equal width.

    The area right of an edge is the true (false) positive rate there. Infinite scores are left out. Source:
    QuData, AUC metric.
    """
    there = np.isfinite(table.score)
    score = table.score[there].astype(float)
    edges = _edges(score, validate.whole(bins, "bins", 1, MOST_BINS))
    classes = {"positives": (table.positive, table.positives), "negatives": (table.negative, table.negatives)}
    lines = {name: _shares(score, weight[there], total, edges) for name, (weight, total) in classes.items()}
    first, *_ = lines
    limits = edges[::-1]
    others = {"density of the negatives": lines["negatives"]}
    return Curve(
        "density",
        limits,
        lines[first],
        limits,
        "score",
        "density of the positives",
        step="pre",
        others=others,
    )


def _edges(score: np.ndarray, bins: int) -> np.ndarray:
    """Edges of bins of equal width over all scores; of one bin around a single score."""
    low, high = (float(score[-1]), float(score[0])) if len(score) else (0.0, 1.0)
    way = np.linspace(0, 1, bins + 1)
    edges = np.unique(low * (1 - way) + high * way)  # fewer where scores are very close
    edges[[0, -1]] = low, high
    half = max(0.5, abs(low) * 1e-6)
    return edges if high > low and (np.diff(edges) > 0).all() else np.array([low - half, low + half])


def _shares(score: np.ndarray, weight: np.ndarray, total: float, edges: np.ndarray) -> np.ndarray:
    """The density per bin, from the highest; 0 at the highest edge, above which there is no bin."""
    # a bin includes its lower edge, since score >= threshold is positive; the last one also its upper edge
    place = np.clip(np.searchsorted(edges, score, side="right") - 1, 0, len(edges) - 2)
    held = np.bincount(place, weight, len(edges) - 1)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.append(0.0, (held / np.float64(total) / np.diff(edges))[::-1])
