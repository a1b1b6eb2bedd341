"""The optimism of a threshold chosen on the cases measured: choose on a random half, count the other half.

The rule chooses a threshold on one half of the cases, and its rates are counted there and on the other half.
The difference is the optimism of a choice on half as many cases. The optimism of an empirical maximum falls
with n to the power of -2/3 (Kim and Pollard 1990), that of a quantile, where a constraint is just met, with 1
/ n; so it is multiplied with 2 ** (-2/3), or with 1/2. docs/thresholds.md compares this with cross-validation
and the bootstrap, by simulation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...inference.bootstrap.resampled import thins
from ...inference.covariance import cells_of, sampling_of
from ...inference.intervals.of_counts import unit_weights
from ...input.messages import Note
from ...summaries import Counts, RankingTable
from ...summaries.ranking import Squares
from .picking import pick
from .rules import Rule

SPLITS = 50  # in each, both halves are used for the choice, and for the count
OF_A_MAXIMUM, OF_A_QUANTILE = 2.0 ** (-2 / 3), 0.5  # share of the optimism that remains with all the cases
FEW = 30  # cases of a class; with fewer, intervals cover 89 % in some settings (docs/thresholds.md)
FEWEST = 2  # cases of a class, needed for two halves
ENOUGH = 0.9  # share of the halves on which the rule must find a threshold
MOST_UNITS = 10**8  # units that are drawn; more cases are drawn in groups
TOO_FEW = Note("chosen-on-too-few", limit=FEWEST)
NOT_FOUND = Note("choice-rarely-possible")


class Optimism(NamedTuple):
    """How much larger sensitivity and specificity are on the cases of the choice than on other cases.

    few: whether a class has fewer than 30 cases.
    """

    sensitivity: float
    specificity: float
    few: bool = False


def optimism(table: RankingTable, rule: Rule, seed: int, splits: int = SPLITS) -> Optimism | Note:
    """The optimism of a rule on a table, from so many splits of the cases; or why it is unknown."""
    base = table.thinned() if thins(table) else table
    fewest = min(_cases(*pair).sum() for pair in _pairs(base))
    if fewest < FEWEST:
        return TOO_FEW
    if rule.of_bound:
        base = cases_of_each_class(base)
    chosen_on, counted_on = _halves(base, np.random.default_rng(seed), splits)
    positive, negative = (_as_large(part, of) for part, (of, _) in zip(chosen_on, _pairs(base), strict=True))
    found = pick(rule, base.of(base.score, positive, negative))
    there = found.good.any(-1)
    if there.mean() < ENOUGH:
        return NOT_FOUND
    gained = [
        _share_above(a, found.at) - _share_above(b, found.at)
        for a, b in zip(chosen_on, counted_on, strict=True)
    ]
    left = (
        OF_A_QUANTILE if rule.exact or rule.spec.code in ("constraint", "bound", "all-of") else OF_A_MAXIMUM
    )
    of_positives, of_negatives = (float(part[there].mean()) * left for part in gained)
    return Optimism(of_positives, -of_negatives, bool(fewest < FEW))


def less(counts: Counts, gained: Optimism) -> Counts:
    """The counts corrected for the optimism of both rates; the totals of both classes stay the same."""
    tp = float(np.clip(counts.tp - gained.sensitivity * counts.positives, 0.0, counts.positives))
    tn = float(np.clip(counts.tn - gained.specificity * counts.negatives, 0.0, counts.negatives))
    found = Counts.of(tp, counts.negatives - tn, counts.positives - tp, tn)
    if counts.squares is None:
        return found
    squares = cells_of(found) * unit_weights(sampling_of(counts))
    return Counts.of(found.tp, found.fp, found.fn, found.tn, squares=Counts.of(*map(float, squares)))


def cases_of_each_class(table: RankingTable) -> RankingTable:
    """The table with weights that add up to the effective number of cases in each class."""
    of_class = [(weight, squares, _factor(weight, squares)) for weight, squares in _pairs(table)]
    positive, negative = (weight * factor for weight, _, factor in of_class)
    return table.of(
        table.score, positive, negative, Squares(*(squares * factor**2 for _, squares, factor in of_class))
    )


def _factor(weight: np.ndarray, squares: np.ndarray) -> float:
    return float(weight.sum() / squares.sum()) if squares.any() else 1.0


def _pairs(table: RankingTable) -> list[tuple[np.ndarray, np.ndarray]]:
    """By class, the weights at each score, and their squares."""
    return [
        (np.asarray(a, float), np.asarray(b, float))
        for a, b in zip((table.positive, table.negative), table.squared, strict=True)
    ]


def _cases(weight: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The effective number of cases at each score, at least 1 where there is one."""
    with np.errstate(invalid="ignore"):
        found = np.maximum(
            np.rint(np.divide(weight**2, squares, out=np.zeros_like(weight), where=squares > 0)), 1
        )
    return np.where(weight > 0, found, 0)


def _halves(
    base: RankingTable, random: np.random.Generator, splits: int
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """By class, the weights of the half for the choice and of the other half.

    Each is an array of shape (2 * splits, scores).
    """
    pairs = [_split(weight, _cases(weight, squares), random, splits) for weight, squares in _pairs(base)]
    return [np.concatenate(pair) for pair in pairs], [np.concatenate(pair[::-1]) for pair in pairs]


def _split(
    weight: np.ndarray, cases: np.ndarray, random: np.random.Generator, splits: int
) -> tuple[np.ndarray, np.ndarray]:
    """Each case, or group of cases, is put into one of two halves of equal size."""
    packet = max(1.0, cases.sum() / MOST_UNITS)
    units = np.where(cases > 0, np.maximum(np.rint(cases / packet), 1), 0).astype(np.int64)
    first = random.multivariate_hypergeometric(units, int(units.sum()) // 2, size=splits, method="marginals")
    of_one = np.divide(weight, units, out=np.zeros_like(weight), where=units > 0)
    return first * of_one, (units - first) * of_one


def _as_large(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """The weights scaled to the whole class, so that rules on numbers of cases choose as for all cases."""
    found: np.ndarray = part * (whole.sum() / part.sum(-1, keepdims=True))
    return found


def _share_above(part: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The share of the weight at the threshold with this index in the sweep."""
    above = np.concatenate([np.zeros((len(part), 1)), np.cumsum(part, axis=-1)], axis=-1)
    found: np.ndarray = np.take_along_axis(above, at[:, None], -1)[:, 0] / above[:, -1]
    return found
