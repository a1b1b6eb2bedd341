"""Resamples of a ranking table.

Only the weights are resampled; the scores stay in order, and nothing is sorted. A table of very many scores
is thinned first, so that the cost of a resample does not depend on the number of cases.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from ... import kernels
from ...input.weighting import effective
from ...summaries import RankingTable
from ..case_weights import case_weights
from ..intervals.area import halves_added
from .percentiles import MOST_CASES

REPLICATES = 1_000
FEWEST_REPLICATES = 200
CELLS, MOST_DRAWN = 1_000_000, 20_000_000  # of a resampled column: limits on time and memory
MOST_SCORES = 1_000  # resampled one by one
CELLS_AT_ONCE = 100_000  # of resamples that are measured, so that what a measure needs stays in the cache


def multinomial(
    table: RankingTable, seed: int, replicates: int = REPLICATES, design: str = "cohort"
) -> tuple[RankingTable, Iterator[RankingTable]]:
    """The table, thinned where necessary, and bootstrap resamples, some at a time: cases with replacement.

    design: "cohort", all cases together, so that the class mix varies and a resample may lack a class, or
    "case-control", each class separately. With importance weights the effective number of cases of each class
    is drawn, each score with the probability of its weight. Efron (1979).
    """
    base, random = thinned(table), np.random.default_rng(seed)
    size = min(replicates, max(FEWEST_REPLICATES, MOST_DRAWN // (len(base) + 1)))
    step = max(1, CELLS_AT_ONCE // (2 * len(base) + 1))
    sizes = [min(step, size - start) for start in range(0, size, step)]
    weights = base.positive.astype(float), base.negative.astype(float)
    units = [
        float(squares.sum() / weight.sum()) if weight.any() else 1.0
        for weight, squares in zip(weights, base.squared, strict=True)
    ]
    cases = [weight / unit for weight, unit in zip(weights, units, strict=True)]
    groups = [np.concatenate(cases)] if design == "cohort" else cases

    def drawn(number: int) -> RankingTable:
        both = np.hstack([_redrawn(random, group, number) for group in groups])
        positive, negative = np.split(both, 2, axis=1)
        return base.of(base.score, positive * units[0], negative * units[1])

    return base, kernels.ahead(drawn, sizes)


def _redrawn(random: np.random.Generator, cases: np.ndarray, number: int) -> np.ndarray:
    """So many samples of these numbers of cases, with replacement."""
    total = float(cases.sum())
    size = round(min(max(total, 1.0), MOST_CASES))
    if not total:
        return np.zeros((number, len(cases)))
    return random.multinomial(size, cases / total, number) * (total / size)


def bayesian(table: RankingTable, seed: int, design: str = "cohort") -> tuple[RankingTable, RankingTable]:
    """The table, thinned where necessary, and its Bayesian bootstrap with exponential weights.

    design: "cohort", all cases together, so that the class mix varies, or
    "case-control", each class separately. Importance weights are multiplied by those drawn. No score ever
    loses all its cases. The last resamples are kept, since all measures of a table share them. Rubin (1981).
    """
    return kept(f"bayesian {design}", table, seed, lambda: _bayesian(thinned(table), seed, design))


def of_units(table: RankingTable, sampling: Any, seed: int) -> RankingTable:
    """Resamples of cases that depend on each other: units with exponential weights, like clusters.

    A comparison of two persons has the product of their weights. Where class sizes are fixed each class is
    scaled to its own.
    """
    return kept(f"units {sampling.fixed}", table, seed, lambda: _of_units(table, sampling, seed))


def _of_units(table: RankingTable, sampling: Any, seed: int) -> RankingTable:
    units, random = sampling.units, np.random.default_rng(seed)
    drawn = random.standard_exponential((replicates_of(table), units.number))
    return _rescaled(table, np.split(units.drawn(drawn), 2, axis=1), sampling.fixed)


def if_calibrated(table: RankingTable, seed: int) -> tuple[RankingTable, RankingTable]:
    """The table, thinned where necessary, and others with classes drawn by the predicted probabilities.

    The last ones are kept, too.
    """
    return kept("if calibrated", table, seed, lambda: _if_calibrated(thinned(table), seed))


def _if_calibrated(base: RankingTable, seed: int) -> tuple[RankingTable, RankingTable]:
    size, shape = np.asarray(base.positive + base.negative, np.float64), (replicates_of(base), len(base))
    random = np.random.default_rng(seed)
    if base.squares is not None:
        return base, base.of(base.score, *_of_case_weights(base, random, shape))
    # As many scores as cases, or more: each is a case of any weight.
    single = base.weighted and len(base) >= base.total
    cases = np.ones(len(base), np.int64) if single else np.maximum(np.rint(size), 1).astype(np.int64)
    drawn = random.binomial(cases, base.probability, size=shape) * (size / cases)
    return base, base.of(base.score, drawn, size - drawn)


def _of_case_weights(
    base: RankingTable, random: np.random.Generator, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Weights of positives and negatives where the weight of a case depends on its class.

    Their sum then varies.
    """
    weights = case_weights(base)
    cases = np.maximum(np.rint(weights.cases), 1).astype(np.int64)
    drawn, unit = (
        random.binomial(cases, weights.sampled(base.probability), size=shape),
        weights.score * weights.cases / cases,
    )
    return drawn * (weights.positive * unit), (cases - drawn) * (weights.negative * unit)


def with_halves(table: RankingTable, seed: int, design: str = "cohort") -> tuple[RankingTable, RankingTable]:
    """The same with half a negative above all scores and half a positive below.

    So not even a perfect order has no variance.
    """
    base = thinned(table)
    (positive, negative), squares = halves_added(base)
    return _bayesian(
        base.of(np.concatenate([base.score[:1], base.score, base.score[-1:]]), positive, negative, squares),
        seed,
        design,
    )


def _bayesian(base: RankingTable, seed: int, design: str) -> tuple[RankingTable, RankingTable]:
    return base, _weighted(base, np.random.default_rng(seed), replicates_of(base), design)


def _weighted(base: RankingTable, random: np.random.Generator, number: int, design: str) -> RankingTable:
    """Resamples; entries of weight W and squares S are worth W^2 / S cases."""
    size = number, len(base)
    drawn = [
        gammas(random, *part, size) for part in zip((base.positive, base.negative), base.squared, strict=True)
    ]
    return _rescaled(base, drawn, design != "cohort")


def _rescaled(base: RankingTable, drawn: Sequence[np.ndarray], fixed: bool) -> RankingTable:
    """Resamples, scaled to the total of the table. fixed: each class to its own."""
    sums, totals = (
        [part.sum(-1, keepdims=True) for part in drawn],
        [float(base.positives), float(base.negatives)],
    )
    if not fixed:
        sums, totals = [sums[0] + sums[1]] * 2, [float(base.total)] * 2
    scales = [
        np.divide(total, held, out=np.zeros_like(held), where=held > 0)
        for total, held in zip(totals, sums, strict=True)
    ]
    return base.of(base.score, *(part * scale for part, scale in zip(drawn, scales, strict=True)))


def gammas(
    random: np.random.Generator, weight: np.ndarray, squares: np.ndarray, size: tuple[int, ...]
) -> np.ndarray:
    """Gamma weights for entries of weight W and squares S: of shape W^2 / S, times S / W."""
    if squares is weight:
        return random.standard_gamma(np.broadcast_to(weight.astype(np.float64), size))
    unit = np.divide(squares, weight, out=np.zeros_like(weight), where=weight > 0)
    # independent of the scale of weights: the number of draws depends on every bit
    shape = effective(weight, squares).astype(np.float32)
    return np.asarray(random.standard_gamma(np.broadcast_to(shape.astype(np.float64), size)) * unit)


def measured(function: Callable[[RankingTable], Any], resamples: RankingTable) -> np.ndarray:
    """The values of a measure, by the leading axes of the table."""
    return np.concatenate([np.asarray(function(block), float) for block in blocks(resamples)])


def blocks(resamples: RankingTable) -> tuple[RankingTable, ...]:
    """The table, cut along its first axis; kept with it, since measures share what they need of one."""
    if "blocks" not in resamples.kept:
        resamples.kept["blocks"] = tuple(_blocks(resamples))
    return resamples.kept["blocks"]


def _blocks(resamples: RankingTable) -> Iterator[RankingTable]:
    positive, negative = resamples.positive, resamples.negative
    step = max(1, CELLS_AT_ONCE // max(positive[:1].size, 1))
    for start in range(0, len(positive), step):
        yield resamples.of(resamples.score, positive[start : start + step], negative[start : start + step])


_last: dict[str, tuple[Any, ...]] = {}  # by the kind: the table, the seed, and the resamples


def _forget(kind: str, gone: Any) -> None:
    """Removes the resamples of a table together with it."""
    if _last and kind in _last and _last[kind][0] is gone:  # at interpreter exit module globals may be None
        del _last[kind]


def kept(kind: str, table: RankingTable, seed: Hashable, draw: Callable[..., Any]) -> Any:
    """The last draws of this kind, if they are of this table and seed; else new ones."""
    last = _last.get(kind)  # once: another thread may replace it
    if last is None or last[0]() is not table or last[1] != seed:
        last = None
        _last.pop(kind, None)  # freed first, since both would take twice the memory
        last = _last[kind] = weakref.ref(table, lambda gone: _forget(kind, gone)), seed, draw()
    return last[2]


def thins(table: RankingTable) -> bool:
    """Whether the table has too many scores to resample each."""
    return len(table) > MOST_SCORES


def thinned(table: RankingTable) -> RankingTable:
    """The table, with neighbouring scores joined where there are too many to resample each."""
    return table.thinned() if thins(table) else table


def replicates_of(table: RankingTable) -> int:
    """The number of resamples of a table, fewer of a long one."""
    return int(min(REPLICATES, max(FEWEST_REPLICATES, CELLS // (len(table) + 1))))
