"""The optimism of a threshold chosen on the cases measured: choose on a random half, count the other half.

The rule chooses a threshold on one half of the cases, and its rates are counted there and on the other half. The difference is the
optimism of a choice on half as many cases. The optimism of an empirical maximum falls with n to the power of -2/3 (Kim and Pollard
1990), that of a quantile, where a constraint is just met, with 1 / n; so it is multiplied with 2 ** (-2/3), or with 1/2.
docs/thresholds.md compares this with cross-validation and the bootstrap, by simulation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..summaries import Counts, RankingTable
from ..uncertainty.resampled import thins
from .picking import pick
from .rules import Rule

SPLITS = 50  # of which each half serves once for the choice and once for the count
OF_A_MAXIMUM, OF_A_QUANTILE = 2.0 ** (-2 / 3), 0.5  # of the optimism that is left with all the cases
FEWEST = 2  # cases of a class, for two halves
ENOUGH = 0.9  # of the halves, on which the rule must find a threshold
MOST_UNITS = 10**8  # that are drawn; more cases are drawn in packets
TOO_FEW = "no interval: the threshold was chosen on these cases, and a class has fewer than 2 of them to choose and count on"
NOT_FOUND = "no interval: the threshold was chosen on these cases, and on many halves of them the rule allows none"


class Optimism(NamedTuple):
    """By how much sensitivity and specificity look better on the cases that the threshold was chosen on than on others."""

    sensitivity: float
    specificity: float


def optimism(table: RankingTable, rule: Rule, seed: int) -> Optimism | str:
    """Of a rule on a table whose weights are numbers of cases; or why it is unknown."""
    base = table.thinned() if thins(table) else table
    if min(base.positives, base.negatives) < FEWEST:
        return TOO_FEW
    chosen_on, counted_on = _halves(base, np.random.default_rng(seed))
    found = pick(rule, base.of(base.score, *(_as_large(part, of) for part, of in zip(chosen_on, _weights(base), strict=True))))
    there = found.good.any(-1)
    if there.mean() < ENOUGH:
        return NOT_FOUND
    gained = [_share_above(a, found.at) - _share_above(b, found.at) for a, b in zip(chosen_on, counted_on, strict=True)]
    left = OF_A_MAXIMUM if rule.allowed is None else OF_A_QUANTILE
    of_positives, of_negatives = (float(part[there].mean()) * left for part in gained)
    return Optimism(of_positives, -of_negatives)


def less(counts: Counts, gained: Optimism) -> Counts:
    """The counts with the optimism of both rates taken off."""
    tp = np.clip(counts.tp - gained.sensitivity * counts.positives, 0.0, counts.positives)
    tn = np.clip(counts.tn - gained.specificity * counts.negatives, 0.0, counts.negatives)
    return Counts.of(float(tp), float(counts.negatives - tn), float(counts.positives - tp), float(tn))


def _weights(table):
    return table.positive.astype(float), table.negative.astype(float)


def _halves(base, random):
    """By class, the weights of the half that the threshold is chosen on and of the other one: (2 * SPLITS, scores) each."""
    pairs = [_split(weight, random) for weight in _weights(base)]
    return [np.concatenate(pair) for pair in pairs], [np.concatenate(pair[::-1]) for pair in pairs]


def _split(weight, random):
    """Each case, or packet of cases, falls into one of two halves of equal size."""
    packet = max(1.0, weight.sum() / MOST_UNITS)
    units = np.where(weight > 0, np.maximum(np.rint(weight / packet), 1), 0).astype(np.int64)
    first = random.multivariate_hypergeometric(units, int(units.sum()) // 2, size=SPLITS, method="marginals")
    of_one = np.divide(weight, units, out=np.zeros_like(weight), where=units > 0)
    return first * of_one, (units - first) * of_one


def _as_large(part, whole):
    """With as much weight as the whole class, so that rules on numbers of cases choose as they do there."""
    return part * (whole.sum() / part.sum(-1, keepdims=True))


def _share_above(part, at):
    """The share of the weight at the threshold with this index in the sweep."""
    above = np.concatenate([np.zeros((len(part), 1)), np.cumsum(part, axis=-1)], axis=-1)
    return np.take_along_axis(above, at[:, None], -1)[:, 0] / above[:, -1]
