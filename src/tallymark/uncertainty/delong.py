"""Intervals of the area under the ROC curve, from the ranking table alone."""

from __future__ import annotations

from math import sqrt

from ..measures.ranking import roc_auc
from ..summaries import RankingTable
from .scale import normal_quantile, wald_on_scale


def delong_variance(table: RankingTable) -> float:
    """DeLong's variance of the AUC, in one pass over the sorted table; NaN where a class has a single case.

    Var = S10 / positives + S01 / negatives, S10 being the variance over the positives of the share of negatives that each one
    beats (a tie counts 1/2), and S01 the same over the negatives.
    Source: DeLong, DeLong and Clarke-Pearson (1988); by ranks: Sun and Xu (2014).
    """
    if table.positives <= 1 or table.negatives <= 1:
        return float("nan")
    counts, area = table.sweep(), roc_auc(table)
    # The mean of the counts just above a score and at it: those below, and half of those tied with it.
    beaten = (counts.tn[1:] + counts.tn[:-1]) * (0.5 / table.negatives)
    beating = (counts.tp[1:] + counts.tp[:-1]) * (0.5 / table.positives)
    return _variance_of_mean(table.positive, table.positives, beaten, area) + _variance_of_mean(
        table.negative, table.negatives, beating, area
    )


def _variance_of_mean(weight, total, share, mean):
    share -= mean
    share *= share
    return float(weight @ share) / (total - 1) / total


def delong_logit(table: RankingTable, level: float) -> tuple[float, float]:
    """DeLong's interval on the logit scale: it stays in (0, 1) and is skewed as it should be near the ends."""
    return wald_on_scale(roc_auc(table), sqrt(delong_variance(table)), (0.0, 1.0), level)


def newcombe(area: float, positives: float, negatives: float, level: float) -> tuple[float, float]:
    """Newcombe's pseudo-score interval (his method 5): from the AUC and the class sizes alone, so never of width zero.

    The bounds solve |area - theta| = z sqrt(V(theta)), with V the variance of Hanley and McNeil at theta, both class sizes in
    its inner terms replaced by their mean. Source: Newcombe (2006), Statistics in Medicine 25, 559-573.
    """
    z2, inner = normal_quantile(level) ** 2, (positives + negatives) / 2 - 1

    def rejected(theta):
        spread = 1 + inner * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return (area - theta) ** 2 > z2 * theta * (1 - theta) * spread / (positives * negatives)

    return _edge(rejected, 0.0, area), _edge(rejected, 1.0, area)


def _edge(rejected, outside, inside, steps=60):
    """By bisection, where a test changes its mind between a rejected end of the range and the estimate."""
    if outside == inside:
        return inside
    for _ in range(steps):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if rejected(middle) else (outside, middle)
    return inside
