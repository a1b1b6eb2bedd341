"""Curves of the positives among the highest scores: precision and recall, gain, lift."""

from __future__ import annotations

import numpy as np

from ..input import validate
from ..input.validate import InputError
from ..measures.families.rates import precision, sensitivity
from ..measures.registry import ratio
from ..summaries import RankingTable
from .curve import Curve
from .names import caption, entered

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
