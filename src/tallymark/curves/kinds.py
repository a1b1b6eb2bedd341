"""The curves by name: of rates, of retrieval, of costs and of calibration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..inference import Settings, bounds_each, resampled
from ..input import validate
from ..input.messages import Note, joined
from ..input.validate import InputError
from ..measures.families.bins import MOST, Bins, of_equal_mass, of_equal_width, upper_edges
from ..measures.families.cost import net_benefit
from ..measures.families.decomposition import isotonic
from ..measures.families.rates import false_negative_rate, false_positive_rate, precision, sensitivity
from ..measures.families.smooth_calibration import SPAN, local_polynomials, rates_by_probability
from ..measures.registry import ratio
from ..summaries import Counts, RankingTable
from .curve import CONSISTENCY, POINTWISE, SIMULTANEOUS, Band, Curve, caption, entered, of_probabilities

if TYPE_CHECKING:
    from ..inference.clustered import DependentCases


# Curves of true and false positive rates: ROC, its hull, DET, rates against the threshold; densities
# --------------------------------------------------------------------------------------------------

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


# Curves of the positives among the highest scores: precision and recall, gain, lift
# --------------------------------------------------------------------------------------------------

MOST_POINTS = 20_000_000


@caption(
    "Precision-recall curve",
    "average_precision",
    baseline="prevalence",
    aka=("precision_recall", "precision_recall_curve", "prc", "pr_curve", "random_performance_level"),
)
@entered
def pr(table: RankingTable) -> Curve:
    """Precision against recall, as steps, whose area is the average precision.

    At recall 0, where precision is 0/0, the first point has the precision of the second. Source: Tharwat,
    section 5; Berrar, Fig. 5c.
    """
    counts, share = table.sweep(), table.positives / table.total
    y = precision(counts)
    y[0] = y[1]
    return Curve(
        "pr", sensitivity(counts), y, table.thresholds, "recall", "precision", (share, share), step="pre"
    )


@caption(
    "Precision-recall curve, interpolated",
    "auc_pr_davis_goadrich",
    label="Area",
    baseline="prevalence",
    aka=("davis_goadrich_interpolation", "interpolated_precision_recall", "davis_goadrich"),
)
@entered
def pr_interpolated(table: RankingTable, *, per_positive: int = 1) -> Curve:
    """Precision against recall with the interpolated points of Davis and Goadrich.

    There is a point for each positive where several are tied; with per_positive=2 also half way, and so on:
    Eq. 18 holds for any x, and auc_pr_integral is the area for all of them. Between two thresholds false
    positives rise in proportion to true ones; a point between has the threshold of the next one. The first
    point (recall 0) has the precision of the second. Source: Tharwat, Eq. 18; Davis and Goadrich (2006).
    """
    counts, share = table.sweep(), table.positives / table.total
    more_tp, more_fp = np.asarray(table.positive, float), np.asarray(table.negative, float)
    finer = validate.whole(per_positive, "per_positive", 1, 1000)
    points = np.maximum(np.ceil(more_tp * finer), 1)
    if points.sum() > MOST_POINTS:
        raise InputError(
            "unsupported",
            "curve",
            f"'pr_interpolated' has a point for each positive, here {points.sum():,.0f}",
            "take 'pr', and the area from auc_pr_integral",
        )
    points = points.astype(np.int64)
    after = np.repeat(np.arange(len(table)), points)
    way = (np.arange(len(after)) - np.repeat(np.cumsum(points) - points, points) + 1) / points[after]
    tp, fp = (
        start[:-1][after] + more[after] * way for start, more in ((counts.tp, more_tp), (counts.fp, more_fp))
    )
    x, y = ratio(tp, float(table.positives)), tp / (tp + fp)
    limits = table.thresholds
    return Curve(
        "pr_interpolated",
        np.append(0 * x[0], x),
        np.append(y[0], y),
        np.append(limits[0], limits[1:][after]),
        "recall",
        "precision",
        (share, share),
    )


@caption(
    "Cumulative gain",
    "average_gain",
    label="Average gain",
    baseline="guessing",
    aka=("gain_chart", "gain_curve", "cumulative_gains", "cumulative_gain", "cumulative_class_count"),
)
@entered
def gain(table: RankingTable) -> Curve:
    """Positives found against cases taken, the highest scores first.

    Source: Berrar, Fig. 4a.
    """
    counts = table.sweep()
    names = "cases taken", "positives found"
    return Curve(
        "gain", counts.tp + counts.fp, counts.tp, table.thresholds, *names, (0.0, float(table.positives))
    )


@caption("Lift", "average_lift", label="Average lift", baseline="guessing", aka=("lift_chart", "lift_curve"))
@entered
def lift(table: RankingTable) -> Curve:
    """Lift against cases taken, the highest scores first.

    Source: Berrar, Fig. 4b.
    """
    counts = table.sweep()
    y = ratio(precision(counts), table.positives / table.total)[1:]
    return Curve(
        "lift", (counts.tp + counts.fp)[1:], y, table.thresholds[1:], "cases taken", "lift", (1.0, 1.0)
    )


# Curves of misclassification costs: the cost curve and the decision curve
# --------------------------------------------------------------------------------------------------

MOST_THRESHOLDS = 2_000  # thresholds, whose covariance matrix may be held
EVERYBODY, NOBODY, ONE_ANSWER = "everybody positive", "nobody positive", "one answer for all"


@caption(
    "Cost curve",
    "average_cost",
    label="Average cost",
    references=(ONE_ANSWER,),
    marked=False,
    aka=("cost_curve", "cost_lines"),
)
@entered
def cost(table: RankingTable) -> Curve:
    """Smallest expected cost over the thresholds, against the probability cost of the positives.

    x = share_fn / (share_fn + share_fp), with prevalence * cost of a false negative and (1 - prevalence) *
    cost of a false positive as the two parts; y = x * fnr + (1 - x) * fpr at the best threshold. Source:
    Drummond and Holte (2006).
    """
    fpr, fnr = false_positive_rate(table.hull), false_negative_rate(table.hull)
    corner = np.append(True, (np.diff(fpr) != 0) | (np.diff(fnr) != 0))
    fpr, fnr, limits = fpr[corner], fnr[corner], table.thresholds[corner]
    x = np.append(ratio(np.diff(fpr), np.diff(fpr) - np.diff(fnr)), 1.0)
    at = int(np.searchsorted(x, 0.5))  # a separate point, where a constant prediction costs most
    corner = np.insert(np.arange(len(x)), at, at)
    x, fpr, fnr, limits = np.insert(x, at, 0.5), fpr[corner], fnr[corner], limits[corner]
    x, y, limits = np.append(0.0, x), np.append(fpr[0], x * fnr + (1 - x) * fpr), np.append(limits[0], limits)
    new = np.append(True, ~(np.diff(x) == 0))
    x, y, limits = x[new], y[new], limits[new]
    names = "probability cost of the positives", "normalised expected cost"
    return Curve("cost", x, y, limits, *names, others={ONE_ANSWER: np.minimum(x, 1 - x)})


@caption(
    "Decision curve", references=(EVERYBODY, NOBODY), aka=("decision_curve", "decision_curve_analysis", "dca")
)
@of_probabilities
def decision(table: RankingTable, thresholds: Any = None) -> Curve:
    """Net benefit against the threshold, with that of predicting all and none positive.

    thresholds: above 0 and below 1; by default the scores. Raises InputError where the scores are not
    probabilities. Source: Vickers and Elkin (2006), Medical Decision Making 26, 565-574.
    """
    if not table.in_unit_interval:
        raise InputError(
            "unsupported", "curve", "'decision' needs probabilities, but some scores lie outside 0 to 1"
        )
    table = table.as_probabilities()
    counts, limits = table.sweep(), table.thresholds.astype(float)
    there = (limits < 1) & np.isfinite(limits)
    own = limits[there]
    if thresholds is None:
        return _decision(own, counts[there])
    at = decision_thresholds(thresholds)[::-1]
    every = np.unique(np.append(at, own[(own > at[-1]) & (own < at[0])]))[::-1]
    chosen, between = (_decision(one, counts[places_above(limits, one)]) for one in (at, every))
    return replace(chosen, falls=None, between=between)


def places_above(limits: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The places, among descending thresholds, of the lowest ones that are not below these."""
    return np.searchsorted(-limits, -at, side="right") - 1


def decision_thresholds(given: Any) -> np.ndarray:
    """Ascending thresholds without ties. Raises InputError for any not above 0 and below 1."""
    result = np.unique(np.atleast_1d(np.asarray(validate.some(given, "thresholds", "numbers"), float)))
    if not len(result) or len(result) > MOST_THRESHOLDS or not ((result > 0) & (result < 1)).all():
        raise InputError(
            "invalid-value",
            "thresholds",
            f"they lie above 0 and below 1, at most {MOST_THRESHOLDS:,} of them",
            "as numpy.linspace(0.05, 0.5, 46)",
        )
    return result


def _decision(at: Any, called: Counts) -> Curve:
    """The net benefit of these counts at these thresholds."""
    everybody = Counts.of(called.positives, called.negatives, *np.zeros((2, len(at))))
    others = {EVERYBODY: net_benefit(everybody, threshold=at), NOBODY: np.zeros(len(at))}
    benefit, falls = net_benefit(called, threshold=at), called.fp / called.total
    names = "threshold", "net benefit"
    return Curve("decision", at, benefit, at, *names, others=others, falls=falls)


# Reliability curves: observed against predicted probability, with an interval for each bin
# --------------------------------------------------------------------------------------------------

MEAN, SHARE = "mean probability", "observed rate"
LEVEL, SEED = 0.95, 0
KINDS = POINTWISE, SIMULTANEOUS
MOST_PLACES = 150  # at which isotonic fits are compared


@caption(
    "Reliability",
    "expected_calibration_error",
    label="ECE",
    baseline="calibrated",
    marked=False,
    aka=("reliability_diagram", "calibration_curve", "calibration_plot"),
)
@of_probabilities
def reliability(
    table: RankingTable, *, bins: int = 10, level: float = LEVEL, band: str | None = None
) -> Curve:
    """Observed proportion of positives against mean probability, in bins of equal width.

    Each bin has Wilson's interval; empty bins are left out. With importance weights the number of cases of
    each bin is the effective one, with which its proportion has the linearised variance.

    Calibrated probabilities lie on the diagonal. The threshold is the upper edge of a bin. band:
    "simultaneous" for intervals that cover the true rates of all bins together, those of Clopper and Pearson,
    each of level level ** (1 / bins) (Sidak 1967; the bins are independent).
    Source: Murphy and Winkler
    (1977).
    """
    known, number = probabilities_of(table, "reliability"), validate.whole(bins, "bins", 1, MOST)
    return _of_bins("reliability", of_equal_width(known, number), upper_edges(number), level, band)


@caption(
    "Reliability, bins of equal mass",
    "adaptive_calibration_error",
    label="ECE",
    baseline="calibrated",
    marked=False,
    aka=("calibration_plot_quantile",),
)
@of_probabilities
def reliability_equal_mass(
    table: RankingTable, *, bins: int = 10, level: float = LEVEL, band: str | None = None
) -> Curve:
    """Observed proportion of positives against mean probability, in bins of equal numbers of cases.

    Cases with the same probability stay together. The bins are between quantiles of type 7, as in
    `calibration_curve` of scikit-learn with strategy="quantile". The threshold is the highest probability in
    a bin.
    """
    known, number = (
        probabilities_of(table, "reliability_equal_mass"),
        validate.whole(bins, "bins", 1, MOST),
    )
    found = of_equal_mass(known, number)
    above = np.cumsum((known.positive + known.negative)[::-1], dtype=float)
    last = np.searchsorted(above, np.cumsum(found.weight) * (1 - 1e-12))
    last = np.minimum(last, len(known) - 1)
    return _of_bins("reliability_equal_mass", found, known.probability[::-1][last], level, band)


@caption(
    "Reliability, isotonic regression",
    "brier_miscalibration",
    label="Miscalibration (Brier)",
    baseline="calibrated",
    marked=False,
    aka=("corp_reliability_diagram", "isotonic_calibration_curve"),
)
@of_probabilities
def reliability_isotonic(table: RankingTable, *, level: float = LEVEL, band: str | None = None) -> Curve:
    """Isotonic regression of the actual class on the probability, without bins.

    The consistency band shows by simulation where the curve would lie, at each point, if the probabilities
    were calibrated. band: "simultaneous" for a band around the whole curve. Source: Dimitriadis, Gneiting and
    Jordan (2021), CORP.
    """
    known = probabilities_of(table, "reliability_isotonic")
    (low, high), about = _consistency(
        known, validate.level(level), band and validate.choice(band, KINDS, "band")
    )
    x = known.probability[::-1].copy()
    ends = float(x[0]), float(x[-1])
    return Curve(
        "reliability_isotonic",
        x,
        isotonic(known)[::-1],
        x.copy(),
        "probability",
        SHARE,
        ends,
        band=(low[::-1], high[::-1]),
        about=about,
    )


def probabilities_of(table: RankingTable, name: str) -> RankingTable:
    """The table of a curve that needs probabilities. Raises InputError for other scores."""
    if not table.in_unit_interval:
        raise InputError(
            "unsupported",
            "curve",
            f"{name!r} needs probabilities, but {table.why_no_probabilities}",
            "make a LogitTable of logits",
        )
    return table.as_cases


def _of_bins(name: str, bins: Bins, edges: np.ndarray, level: float, band: str | None) -> Curve:
    """The curve from the lowest bin to the highest."""
    there = np.flatnonzero(bins.weight > 0)
    bins, level = bins.only(there), validate.level(level)
    x, y, of_bin = bins.expected / bins.weight, bins.positive / bins.weight, level ** (1 / len(there))
    if band is not None and validate.choice(band, KINDS, "band") == SIMULTANEOUS:
        # Clopper-Pearson, since Wilson's coverage is too low at the high levels of single bins
        # (docs/intervals.md)
        settings = Settings(of_bin, "clopper-pearson")
        about = Band(band, level, settings.proportion, (Note("band-of-bins", bins=len(there), level=of_bin),))
    else:
        settings = Settings(level)
        about = Band(POINTWISE, level, settings.proportion)
    squares = bins.squares and _in_or_out(*bins.squares)
    counts = _in_or_out(bins.positive, bins.weight - bins.positive, squares)
    _, low, high = bounds_each("precision", counts, settings)
    ends = float(x[0]), float(x[-1])
    return Curve(name, x, y, edges[there], MEAN, SHARE, ends, band=(low, high), dots=True, about=about)


def _in_or_out(positive: np.ndarray, negative: np.ndarray, squares: Counts | None = None) -> Counts:
    """The counts of each bin, whose cases are predicted positive, and those of others negative."""
    others = (np.maximum(part.sum() - part, 0.0) for part in (positive, negative))
    return Counts.of(positive, negative, *others, squares=squares)


def in_units(curve: Curve, clusters: DependentCases, settings: Settings) -> Curve:
    """The intervals of the bins where cases are in units."""
    table, edges = clusters.cases.table, curve.threshold
    p = table.probability[clusters.cases.place]
    place = np.searchsorted(edges.astype(p.dtype), p)
    sampling = clusters.predicted(place, np.eye(len(edges), dtype=bool), settings.design)
    counts = Counts.of(*np.moveaxis(sampling.weight, -1, 0))
    _, low, high = bounds_each("precision", counts, settings, sampling)
    assert curve.about is not None
    return replace(curve, band=(low, high), about=replace(curve.about, method=sampling.named("wilson")))


def _consistency(
    table: RankingTable, level: float, band: str | None
) -> tuple[tuple[np.ndarray, np.ndarray], Band]:
    """Bounds of the isotonic fit, at each score or at all, if probabilities are calibrated; their facts."""
    base, others = resampled.if_calibrated(table, SEED)
    if band == SIMULTANEOUS:
        low, high, more = _all_along(base, others, table, level)
    else:
        fits = isotonic(others)
        low, high, more = resampled.pointwise(fits, fits, level)
    place = np.clip(
        np.searchsorted(-base.probability, -table.probability, side="right") - 1, 0, len(base) - 1
    )
    about = Band(band or POINTWISE, level, CONSISTENCY, joined(Note("band-if-calibrated"), more))
    return (low[place], high[place]), about


def _all_along(
    base: RankingTable, others: RankingTable, table: RankingTable, level: float
) -> resampled.Bounds:
    """An envelope at some scores; between two of them a fit, which is monotone, lies between theirs."""
    number, rows = resampled.replicates(level), len(base)
    at = np.unique(np.linspace(0, rows - 1, MOST_PLACES).astype(int))
    fits = [isotonic(others)[:, at]]
    while sum(map(len, fits)) < number:
        fits.append(isotonic(resampled.if_calibrated(table, SEED + len(fits))[1])[:, at])
    every = np.concatenate(fits)
    low, high, more = resampled.envelope(every, every, level)
    # scores descend: take the nearest place with a score as high, or higher
    higher = np.searchsorted(at, np.arange(rows), side="right") - 1
    lower = np.searchsorted(at, np.arange(rows))
    return low[lower], high[higher], more


# A smooth reliability curve: local linear regression of the actual class on the probability
# --------------------------------------------------------------------------------------------------

MOST_FITTED = 1_000  # at which the curve is fitted


def smooth_reliability(table: RankingTable, *, span: float = SPAN, points: int = 101) -> Curve:
    """Local linear regression of the actual class on the probability (lowess without robustness iterations).

    At each of `points` places of equal distance the line is fitted to the share `span` of the cases that is
    nearest, with tricube weights; values are limited to 0 and 1. Source: Cleveland (1979), JASA 74, 829-836;
    for calibration Austin and Steyerberg (2014), Statistics in Medicine 33, 517-535. Raises InputError where
    the scores are not probabilities.
    """
    known = probabilities_of(table, "smooth_reliability")
    number = validate.whole(points, "points", 2, MOST_FITTED)
    x, rate, weight = rates_by_probability(known)
    at = np.unique(np.linspace(x[0], x[-1], number))
    y = local_polynomials(at, x, rate, weight, validate.number(span, "span", 0.01, 1), degree=1)
    ends = float(at[0]), float(at[-1])
    return Curve("smooth_reliability", at, y, at.copy(), "probability", SHARE, ends)
