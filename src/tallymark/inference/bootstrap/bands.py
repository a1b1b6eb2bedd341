"""Pointwise and simultaneous bands of curves.

A sample is resampled as a whole (the Bayesian bootstrap, with half a case of each class above and below all
scores), so that each resample has a whole curve. A pointwise band contains the proportion `level` of the
curves at each place, a simultaneous band contains it at all places at once. Importance weights of each class
count as its effective number of cases; cases in clusters have the Bayesian bootstrap of the clusters, with
half a cluster in place of half a case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import kernels
from ...input.messages import Note
from ...measures.families.rates import false_positive_rate, sensitivity
from ...measures.registry import ratio
from ...summaries import RankingTable
from ...summaries.by_score import starts_of_groups
from ...summaries.ranking import ALIKE
from ..fixed_sizes import HELD
from .percentiles import HALF_A_CASE, quantiles
from .resampled import gammas, kept

if TYPE_CHECKING:
    from ..clustered import DependentCases

# resampled curves outside a band, so that its edges are known to some percent of its width
OUTSIDE = 100
FEWEST, MOST = 2_000, 20_000  # resamples
GROUPS = "groups of neighbouring scores"
MOST_KEPT = 2_500_000  # resampled weights of a class that are kept for the next curve, 40 MB in all
CELLS = 500_000  # of resampled weights in memory at a time
CACHED = 50_000  # of these that are read at a time
MOST_SCORES = 500  # resampled one by one; with more, groups of neighbours
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
    if len(table) <= MOST_SCORES:
        return table
    if GROUPS not in table.kept:
        by_rank = starts_of_groups(
            table.positive,
            table.negative,
            BY_RANK / len(starts_of_groups(table.positive, table.negative, 1.0)),
        )
        finite = table.score[np.isfinite(table.score)]
        ends = finite[[0, -1]].astype(float).tolist() if len(finite) else (0.0, 0.0)
        even = np.linspace(ends[0], ends[1], MOST_SCORES - BY_RANK)
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
    draw = _of_cases(base) if clusters is None else _of_units(clusters)
    drawn_at_once = 0 if clusters is None else max(clusters.number, len(clusters.cases))
    size = max(CELLS // max(len(base) + 2, drawn_at_once), 1)
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


def _of_units(clusters: DependentCases) -> Draw:
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
