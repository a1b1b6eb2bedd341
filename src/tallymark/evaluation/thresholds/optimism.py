"""The optimism of a threshold chosen on the cases measured: choose on a random half, count the other half.

The rule chooses a threshold on one half of the cases, and its rates are counted there and on the other half.
The difference is the optimism of a choice on half as many cases. The optimism of an empirical maximum falls
with n to the power of -2/3 (Kim and Pollard 1990), that of a quantile, where a constraint is just met, with 1
/ n; so it is multiplied with 2 ** (-2/3), or with 1/2. docs/thresholds.md compares this with cross-validation
and the bootstrap, by simulation.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isclose, isfinite
from typing import Any, NamedTuple

import numpy as np

from ...inference import Estimate, Settings, estimate
from ...inference.bootstrap.resampled import thins
from ...inference.covariance import cells_of, sampling_of
from ...inference.effective import as_cases
from ...inference.intervals.of_counts import unit_weights
from ...input.messages import Note, joined
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from .choice import SPLITS, Threshold, cases_of_each_class, pick, weights_by_class
from .rules import OfCounts, Rule

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
    fewest = min(_cases(*pair).sum() for pair in weights_by_class(base))
    if fewest < FEWEST:
        return TOO_FEW
    if rule.of_bound:
        base = cases_of_each_class(base)
    chosen_on, counted_on = _halves(base, np.random.default_rng(seed), splits)
    # scaled to the whole class, so that rules on numbers of cases choose as for all cases
    positive, negative = (
        part * (whole.sum() / part.sum(-1, keepdims=True))
        for part, (whole, _) in zip(chosen_on, weights_by_class(base), strict=True)
    )
    picked = pick(rule, base.of(base.score, positive, negative))
    there = picked.good.any(-1)
    if there.mean() < ENOUGH:
        return NOT_FOUND
    gained = [
        _share_above(a, picked.at) - _share_above(b, picked.at)
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
    corrected = Counts.of(tp, counts.negatives - tn, counts.positives - tp, tn)
    if counts.squares is None:
        return corrected
    squares = cells_of(corrected) * unit_weights(sampling_of(counts))
    return Counts.of(
        corrected.tp, corrected.fp, corrected.fn, corrected.tn, squares=Counts.of(*map(float, squares))
    )


def _cases(weight: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The effective number of cases at each score, at least 1 where there is one."""
    with np.errstate(invalid="ignore"):
        cases = np.maximum(
            np.rint(np.divide(weight**2, squares, out=np.zeros_like(weight), where=squares > 0)), 1
        )
    return np.where(weight > 0, cases, 0)


def _halves(
    base: RankingTable, random: np.random.Generator, splits: int
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """By class, the weights of the half for the choice and of the other half.

    Each is an array of shape (2 * splits, scores).
    """
    pairs = [
        _split(weight, _cases(weight, squares), random, splits) for weight, squares in weights_by_class(base)
    ]
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


def _share_above(part: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The share of the weight at the threshold with this index in the sweep."""
    above = np.concatenate([np.zeros((len(part), 1)), np.cumsum(part, axis=-1)], axis=-1)
    return np.take_along_axis(above, at[:, None], -1)[:, 0] / above[:, -1]


BEFORE_METHOD = "corrected-"
CORRECTED = (
    "corrected: minus the optimism of a threshold that was chosen on these cases, found by choices on random"
    " halves of them. The intervals are those of the corrected values."
)
GROUPED = Note("chosen-in-clusters")
NOT_REPEATED = Note("choice-not-repeated")
NO_RULE = Note("rule-unknown")
ON_ALL = Note("chosen-on-all-groups")
APPROXIMATE = Note("chosen-on-few", limit=FEW)
OPTIMISM = "optimism of a chosen threshold"  # where a table keeps it
AT_AN_END = Note("corrected-undefined")


def optimism_of(threshold: Threshold, table: RankingTable, seed: int, grouped: bool) -> Optimism | Note:
    """The optimism of the choice of this threshold on this table, or why it is unknown.

    The weights of the table must be numbers of cases.
    """
    if threshold.rule.code == "on-all-groups":
        return ON_ALL
    if grouped:
        return GROUPED
    if threshold.by is None:
        return NO_RULE
    if not threshold.splits:
        return NOT_REPEATED
    # the last one of a table is kept: notices need it again, with settings of their own
    arguments = threshold.by, seed, threshold.splits
    if OPTIMISM not in table.kept or table.kept[OPTIMISM][0] != arguments:
        table.kept[OPTIMISM] = arguments, optimism(table, *arguments)
    return table.kept[OPTIMISM][1]


def estimate_at_chosen(
    entry: Measure, counts: Counts, gained: Optimism | Note, settings: Settings, **parameters: Any
) -> Estimate:
    """The value on these cases, and the value and interval at the rates corrected for optimism.

    gained: the optimism, or why it is unknown; then there is no interval. The interval is extended where it
    would not contain the value on these cases.
    """
    here = estimate(entry, counts, settings, **parameters)
    if here.undefined or not depends_on_threshold(partial(entry.function, **parameters), counts):
        return here
    if isinstance(gained, Note):
        return Estimate(here.value, level=settings.level, notes=(gained,))
    return around_corrected(here, estimate(entry, less(counts, gained), settings, **parameters), gained)


def around_corrected(here: Estimate, expected: Estimate, gained: Optimism) -> Estimate:
    """The value on these cases, with the corrected value and its interval.

    expected: the estimate from the counts corrected for optimism.
    """
    if not isfinite(expected.value):
        return Estimate(here.value, level=here.level, notes=(AT_AN_END,))
    notes = joined(expected.notes, APPROXIMATE if gained.few else None)
    estimate = replace(expected, value=here.value, corrected=expected.value, notes=notes)
    if not estimate.has_interval:
        return estimate
    low, high = min(estimate.low, here.value), max(estimate.high, here.value)
    return replace(estimate, low=low, high=high, method=f"{BEFORE_METHOD}{estimate.method}")


def depends_on_threshold(function: OfCounts, counts: Counts) -> bool:
    """Whether the measure depends on the predictions, and so on the threshold, unlike the prevalence."""
    cases = as_cases(counts)
    p, n = cases.positives, cases.negatives
    values = [
        float(function(Counts.of(p * x, n * y, p * (1 - x), n * (1 - y))))
        for x, y in ((0.75, 0.25), (0.5, 0.125), (0.875, 0.625))  # on no line
    ]
    return not all(isclose(values[0], one, rel_tol=1e-9) for one in values[1:])
