"""Curves of misclassification costs: the cost curve and the decision curve."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..input import validate
from ..input.validate import InputError
from ..measures.families.cost import net_benefit
from ..measures.families.rates import false_negative_rate, false_positive_rate
from ..measures.registry import ratio
from ..summaries import Counts, RankingTable
from .curve import Curve
from .names import caption, entered, of_probabilities

MOST = 2_000  # thresholds, whose covariance matrix may be held
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
    at = thresholds_of(thresholds)[::-1]
    every = np.unique(np.append(at, own[(own > at[-1]) & (own < at[0])]))[::-1]
    chosen, between = (_decision(one, counts[places_above(limits, one)]) for one in (at, every))
    return replace(chosen, falls=None, between=between)


def places_above(limits: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The places, among descending thresholds, of the lowest ones that are not below these."""
    return np.searchsorted(-limits, -at, side="right") - 1


def thresholds_of(given: Any) -> np.ndarray:
    """Ascending thresholds without ties. Raises InputError for any not above 0 and below 1."""
    result = np.unique(np.atleast_1d(np.asarray(validate.some(given, "thresholds", "numbers"), float)))
    if not len(result) or len(result) > MOST or not ((result > 0) & (result < 1)).all():
        raise InputError(
            "invalid-value",
            "thresholds",
            f"they lie above 0 and below 1, at most {MOST:,} of them",
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
