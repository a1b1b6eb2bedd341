"""Resamples of a ranking table, and the bands of curves that are read off them."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import kernels
from ..input.messages import Note
from ..input.weighting import effective
from ..measures.families.rates import false_positive_rate, sensitivity
from ..measures.registry import ratio
from ..summaries import RankingTable
from ..summaries.passes import starts_of_groups
from ..summaries.ranking import ALIKE
from .covariance import case_weights
from .interval import HALF_A_CASE, HELD, MOST_CASES, halves_added, quantiles

if TYPE_CHECKING:
    from .clustered import DependentCases


# Resamples of a ranking table
# --------------------------------------------------------------------------------------------------
#
# Only the weights are resampled; the scores stay in order, and nothing is sorted. A table of very many scores
# is thinned first, so that the cost of a resample does not depend on the number of cases.

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


# Pointwise and simultaneous bands of curves
# --------------------------------------------------------------------------------------------------
#
# A sample is resampled as a whole (the Bayesian bootstrap, with half a case of each class above and below all
# scores), so that each resample has a whole curve. A pointwise band contains the proportion `level` of the
# curves at each place, a simultaneous band contains it at all places at once. Importance weights of each
# class count as its effective number of cases; cases in clusters have the Bayesian bootstrap of the clusters,
# with half a cluster in place of half a case.

# resampled curves outside a band, so that its edges are known to some percent of its width
OUTSIDE = 100
FEWEST, MOST = 2_000, 20_000  # resamples
GROUPS = "groups of neighbouring scores"
MOST_KEPT = 2_500_000  # resampled weights of a class that are kept for the next curve, 40 MB in all
CELLS_OF_BANDS = 500_000  # of resampled weights in memory at a time
CACHED = 50_000  # of these that are read at a time
MOST_SCORES_OF_BANDS = 500  # resampled one by one; with more, groups of neighbours
BY_RANK = 300  # of these groups, fine at both ends of the ROC curve; the others are even in the score
FEWEST_BEYOND = 4  # resamples on either side of a pointwise band
Bounds = tuple[np.ndarray, np.ndarray, Note | None]  # low, high, and what must be said of them
# so many resampled weights of the negatives and of the positives
Draw = Callable[[int, "np.random.Generator"], list[np.ndarray]]  # named, not loaded: that takes 10 ms


class Rates(NamedTuple):
    """ROC curves from (0, 0) to (1, 1), and the proportion of positives.

    Arrays (curves, points), and (curves, 1).
    """

    fpr: np.ndarray
    tpr: np.ndarray
    share: np.ndarray


# the heights of such curves at some places; whether the lowest or the highest possible ones
Reading = Callable[[Rates, bool], np.ndarray]


def replicates(level: float) -> int:
    """The number of resamples for a band of this level."""
    return round(min(max(OUTSIDE / (1 - level), FEWEST), MOST))


def few_scores(table: RankingTable) -> RankingTable:
    """The table, with groups of neighbours where it has many scores, each at its lowest; it keeps them."""
    if len(table) <= MOST_SCORES_OF_BANDS:
        return table
    if GROUPS not in table.kept:
        by_rank = starts_of_groups(
            table.positive,
            table.negative,
            BY_RANK / len(starts_of_groups(table.positive, table.negative, 1.0)),
        )
        finite = table.score[np.isfinite(table.score)]
        ends = finite[[0, -1]].astype(float).tolist() if len(finite) else (0.0, 0.0)
        even = np.linspace(ends[0], ends[1], MOST_SCORES_OF_BANDS - BY_RANK)
        by_score = np.searchsorted(-table.score, -even.astype(table.score.dtype))
        first = kernels.distinct(np.append(by_rank, by_score))
        groups = table.grouped(first)
        last = (
            np.append(first[1:], len(table)) - 1
        )  # its score is the threshold from which on all are positive
        table.kept[GROUPS] = table.of(
            table.score[last], groups.positive.copy(), groups.negative.copy(), groups.squares
        )
    return table.kept[GROUPS]


def resampled(
    table: RankingTable,
    read: Reading,
    number: int,
    seed: int,
    design: str = "cohort",
    clusters: DependentCases | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The lower and upper versions of resampled curves, as `read` returns them: (resamples, places).

    design: "cohort", the proportion of positives varies with the resamples, or "case-control", it is that of
    the table; clusters: units that are resampled as wholes, if cases are not independent; the scores are
    those of their table, else of `few_scores`.
    """
    base, random = few_scores(table) if clusters is None else clusters.table, np.random.default_rng(seed)
    draw = _of_cases(base) if clusters is None else _bands_of_units(clusters)
    drawn_at_once = 0 if clusters is None else max(clusters.number, len(clusters.cases))
    size = max(CELLS_OF_BANDS // max(len(base) + 2, drawn_at_once), 1)
    sizes = [min(size, number - first) for first in range(0, number, size)]
    drawn: Any = ([_rates(part) for part in draw(some, random)] for some in sizes)
    if clusters is None and number * len(base) <= MOST_KEPT:  # all curves of a table share them
        drawn = kept("rates of bands", base, (seed, number), lambda rates=drawn: list(rates))
    share = base.positives / base.total if design == "case-control" else None
    at_once = max(CACHED // (len(base) + 2), 1)
    points = np.zeros((1, len(base) + 2))
    lows, highs = np.empty((2, number, read(Rates(points, points, np.ones((1, 1))), False).shape[1]))

    def both(rates: Sequence[tuple[np.ndarray, ...]], first: int, i: int) -> None:
        some = slice(i * at_once, (i + 1) * at_once)
        worst, best = _resampled(base, [(rate[some], weight[some]) for rate, weight in rates], share)
        place = slice(first + some.start, first + some.start + len(worst.fpr))
        lows[place], highs[place] = read(worst, False), read(best, True)

    for first, rates in zip(range(0, number, size), drawn, strict=True):
        kernels.each(partial(both, rates, first), ceil(len(rates[0][0]) / at_once))
    return lows, highs


def _resampled(
    table: RankingTable, rates: Sequence[tuple[np.ndarray, np.ndarray]], share: Any = None
) -> tuple[Rates, Rates]:
    """Resampled curves, the lowest and the highest possible ones.

    They differ only where one class has no case above, or below. Beyond its last case a class may end at
    once, or where the other does: there the interval of a proportion ends at 0 or at 1.
    """
    counts = table.sweep()
    (fpr, negatives), (tpr, positives) = rates
    share = positives / (positives + negatives) if share is None else np.full_like(positives, share)
    worst = Rates(_closed(fpr, counts.tn == 0, 1.0), _closed(tpr, counts.tp == 0, 0.0), share)
    best = Rates(_closed(fpr, counts.fp == 0, 0.0), _closed(tpr, counts.fn == 0, 1.0), share)
    return worst, best


def _rates(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Resampled rates of one class at every threshold, in place of the weights, and its weight."""
    np.cumsum(weights, axis=1, out=weights)
    whole = weights[:, -1:].copy()
    weights /= whole
    return weights[:, :-1], whole


def _of_cases(table: RankingTable) -> Draw:
    """A function that draws weights of the negatives and of the positives, with half a case at each end.

    With n equal weights the rate at a threshold is Beta(cases above + 1/2, cases below + 1/2).
    """
    parts = [
        _with_ends(*pair)
        for pair in ((table.negative, table.squared.negative), (table.positive, table.squared.positive))
    ]
    return lambda size, random: [
        gammas(random, weight, squares, (size, len(table) + 2)) for weight, squares in parts
    ]


def _with_ends(weight: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights of a class with half a case at both ends, and their squares.

    The same array where weights are numbers of cases.
    """
    unit = 1.0 if squares is weight else float(ratio(squares.sum(), weight.sum()))
    ended = np.pad(weight.astype(float), 1, constant_values=HALF_A_CASE * unit)
    return ended, ended if squares is weight else np.pad(squares, 1, constant_values=HALF_A_CASE * unit**2)


def _bands_of_units(clusters: DependentCases) -> Draw:
    """The same for whole units, with exponential weights, and half a unit of their effective number."""
    units = clusters.sampling(None, HELD).units
    assert units is not None
    unit = (units.sizes**2).sum(0) / units.sizes.sum(0)  # of negatives and of positives

    def drawn(size: int, random: np.random.Generator) -> list[np.ndarray]:
        cells = units.drawn(random.standard_exponential((size, units.number)))
        of_class = np.split(cells, 2, axis=1)[::-1]
        ends = [random.standard_gamma(HALF_A_CASE, (2, size, 1)) * one for one in unit]
        return [np.hstack([first, part, last]) for part, (first, last) in zip(of_class, ends, strict=True)]

    return drawn


def _closed(rates: np.ndarray, known: Any = (), value: float = 0.0) -> np.ndarray:
    """Rates between the corners 0 and 1. known: the thresholds at which they have this value."""
    result = np.empty((len(rates), rates.shape[1] + 2))
    result[:, 0], result[:, 1:-1], result[:, -1] = 0.0, rates, 1.0
    result[:, 1 + np.flatnonzero(known)] = value
    return result


def height(x: np.ndarray, across: np.ndarray, up: np.ndarray, last: bool = True) -> np.ndarray:
    """The heights at x of many lines whose points ascend in x, all in [0, 1].

    Where a line is vertical, that of its last or first point.
    """
    if not last:
        return height(1 - x, (1 - across)[:, ::-1], up[:, ::-1])
    rows = 2.0 * np.arange(len(across))[:, None]  # lines are placed one after the other
    return np.interp((x + rows).ravel(), (across + rows).ravel(), up.ravel()).reshape(len(across), len(x))


def pointwise(low: np.ndarray, high: np.ndarray, level: float) -> Bounds:
    """The middle `level` of the curves at each place."""
    tail = (1 - level) / 2
    enough = tail * len(low) >= FEWEST_BEYOND
    ends = kernels.together(
        *(partial(quantiles, lines, np.array([share])) for lines, share in ((low, tail), (high, 1 - tail)))
    )
    return ends[0][0], ends[1][0], None if enough else _too_few(low)


def envelope(low: np.ndarray, high: np.ndarray, level: float) -> Bounds:
    """The band that contains the proportion `level` of the curves at all places at once.

    The same number of curves is cut off at each place. A curve is ranked by its most extreme place: the
    global rank envelope, or the sup-t band without the assumption of normality.
    Source: Montiel Olea and
    Plagborg-Moller (2019), Algorithm 2; Myllymaki and others (2017).
    """
    allowed, last = int((1 - level) * len(low) + 1e-9), len(low) // 2 - 1
    for most in (min(allowed + 1, last), last):  # `cut` curves are outside, unless values are equal
        below, above = kernels.together(
            lambda: np.sort(np.partition(low, most, axis=0)[: most + 1], axis=0),  # noqa: B023
            lambda: np.sort(np.partition(high, -most - 1, axis=0)[-most - 1 :], axis=0)[::-1],  # noqa: B023
        )
        cut = _cut_off(low, high, below, above, allowed)
        if cut < most:
            break
    return below[max(cut, 1) - 1], above[max(cut, 1) - 1], None if cut else _too_few(low)


def _cut_off(low: np.ndarray, high: np.ndarray, below: np.ndarray, above: np.ndarray, allowed: int) -> int:
    """The largest place in the limits `below` and `above` that at most so many curves exceed anywhere.

    A curve that exceeds limits exceeds all narrower ones; one on the edge counts as outside.
    """
    least, most = 0, len(below) - 1
    while least < most:
        middle = (least + most + 1) // 2
        outside = (low < below[middle]).any(1) | (high > above[middle]).any(1)
        if outside.sum() <= allowed:
            least = middle
        else:
            most, low, high = middle - 1, low[outside], high[outside]
    return least


def _too_few(curves: np.ndarray) -> Note:
    return Note("band-needs-more-resamples", resamples=len(curves))


def kolmogorov(cases: float, level: float) -> float:
    """The largest distance of a class's empirical distribution from the true one, at this level.

    It holds for any distribution. cases: the effective number of them, rounded down. Exact for whole numbers
    of cases, and for continuous scores; conservative with ties. Source: Kolmogorov (1933); scipy's kstwo.
    """
    from scipy.stats import kstwo

    return float(kstwo.ppf(level, max(int(cases * (1 + ALIKE)), 1)))


def kolmogorov_smirnov(table: RankingTable, read: Reading, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest ROC curve within the Kolmogorov bands of both classes.

    Each band has level sqrt(level). Each point has a box, its rates +- the distances; the band is the union
    of the boxes. Source: Campbell (1994).
    """
    counts = table.sweep()
    across, up = (
        kolmogorov(cases, level**0.5) for cases in (table.effective_negatives, table.effective_positives)
    )
    fpr, tpr, share = false_positive_rate(counts)[None], sensitivity(counts)[None], np.full((1, 1), np.nan)
    worst = Rates(_closed(np.minimum(fpr + across, 1)), _closed(np.maximum(tpr - up, 0)), share)
    best = Rates(_closed(np.maximum(fpr - across, 0)), _closed(np.minimum(tpr + up, 1)), share)
    return read(worst, False)[0], read(best, True)[0]
