"""Scores counted between quantiles of the first ones, where memory does not hold every distinct one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

import numpy as np

from .. import kernels
from ..input import validate
from ..input.columns import Column
from ..input.labels import BinaryLabels, Coded
from .binned import LOSSES, OF_PROBABILITIES, OF_SCORES, SHAPE, BinnedTable, Bins, changes
from .power_sums import PowerSums, merged
from .ranking import HALF, RankingTable
from .squares import Squares

BYTES = 64  # of memory for each distinct score, with what adding and measuring need
MOST = 1 << 19  # bins: more do not fit the caches
SMOOTHED = 32  # cases of a class, over which its mass is spread evenly: single positives make no bins
HEAVY = 16  # times the mean weight of a score
LARGEST_COUNT = 1 << 31
ROWS = 1 << 15  # whose losses fit into the cache
STRETCH = 1 << 18  # rows that a thread takes at once
ONES, CLASSES = np.ones((1, ROWS)), np.repeat([[0, 1], [1, 0]], ROWS, axis=1)  # weights; of negatives first
CROWDED = 0.05  # a bin with this part of a batch is too wide for it


class BinCounts:
    """Bins of equal mass in both classes, and the cases counted in them so far.

    before: the cases of the table that shows where bins are needed, with neighbouring scores joined: in about
    this number of bins at most, none across one of the edges. Later scores between two edges are in one bin,
    from the one edge to the last number before the other.
    """

    def __init__(self, table: RankingTable | BinnedTable, bins: int, edges: Sequence[float]):
        names = OF_PROBABILITIES if table.in_unit_interval else OF_SCORES
        if isinstance(table, BinnedTable):
            before = table.compact(bins, edges)
        else:
            before = BinnedTable.from_table(table, names)
        kind, many = before.low.dtype.type, isinstance(table, RankingTable) and len(table) > bins
        if many:
            quantiles, alone = _quantiles(before.ranking, bins)
        else:
            quantiles, alone = before.low, before.high[before.low == before.high]
        fixed = np.concatenate([alone, np.nextafter(alone, kind(np.inf)), np.array(edges, kind)])
        low = _distinct(np.append(fixed, quantiles))
        low = low[np.isfinite(low)]
        may_move = many & ~np.isin(low, fixed)
        self.between = kernels.Between(np.append(kind(-np.inf), low), may_move)
        self.low = self.between.edges
        if many:
            vars(before.ranking).pop("given", None)  # it refers to the table, a cycle that would hold it
            before = BinnedTable.of(_joined(before.ranking, self.low, bins // 4), before.losses, before.kind)
        self.before, self.kind = before, before.kind
        self._begin([name for name in names if name in before.losses])

    def _begin(self, losses: Iterable[str]) -> None:
        kind = self.low.dtype.type
        self.known = np.zeros((2, len(self.low)), np.int64)  # of negatives, of positives, and any squares
        self.counts: list[np.ndarray] = []  # those not yet known, of each thread
        self.rows, self.ends = 0, (kind(np.inf), kind(-np.inf))
        self.losses: dict[str, list[PowerSums]] = {name: [] for name in losses}

    def again(self) -> BinCounts:
        """The same bins for further cases, without those counted so far."""
        new = copy(self)
        new._begin(self.losses)
        return new

    @property
    def empty(self) -> bool:
        """Whether no case was counted here."""
        return not (self.rows or self.known.any())

    def takes(self, score: np.ndarray) -> bool:
        """Whether the bins are narrow where these scores are."""
        if score.dtype != self.low.dtype or not len(score):
            return False
        some = score[:: max(len(score) // 512, 1)]
        places = np.searchsorted(self.low, some, "right") - 1
        place, times = np.unique(places, return_counts=True)
        wide = np.append(self.low, np.inf)[place + 1] > np.nextafter(self.low[place], np.inf)
        return bool((times[wide] <= max(CROWDED * len(some), 2)).all())

    def count(self, labels: BinaryLabels, coded: Coded, score: Column) -> None:
        """Counts the cases of a batch, without weights. Raises InputError as `RankingTable.from_coded`."""
        truth, codes, positive = coded
        numbers = validate.scores(score)
        self._reach(numbers.min(), numbers.max())
        if self.rows + len(numbers) >= LARGEST_COUNT:
            self._carry()
        self.rows += len(numbers)
        starts = range(0, len(numbers), STRETCH)

        def of_stretch(i: int) -> Any:
            rows = slice(starts[i], starts[i] + STRETCH)
            split = kernels.split(codes[rows], numbers[rows], positive)
            return split and (len(split[0]), split[2], self._counted(split[1], split[0]))

        found = kernels.each(of_stretch, len(starts))
        negatives = {one[1] for one in found if one and one[1] is not None}
        if not all(found) or len(negatives) > 1:
            validate.no_gaps(score)
            labels.refuse(truth, score=score)
        for name, known in self.losses.items():
            known[:] = [merged([*known, *(one[name] for *_, some in found for one in some)])]
        labels.learn(truth, next(iter(negatives), None), any(one[0] for one in found))

    def add(self, table: RankingTable) -> None:
        """Counts the cases of a batch with weights."""
        self._reach(table.score[-1], table.score[0])
        if table.squares is not None and len(self.known) == 2:
            self.known = np.concatenate([self.known, self.known])  # all weights so far are 1
        place = np.searchsorted(self.low, table.score, "right") - 1
        weights = (table.negative, table.positive, *table.squared[::-1])[: len(self.known)]
        self.known = self.known + [
            np.bincount(place, weight, len(self.low)).astype(weight.dtype) for weight in weights
        ]
        losses = BinnedTable.from_table(table, self.losses).losses
        vars(table).pop("given", None)  # a cycle, which would hold both until the garbage is collected
        self.losses = {name: [merged([*known, losses[name]])] for name, known in self.losses.items()}

    def _reach(self, low: Any, high: Any) -> None:
        """Widens the range of the scores, of which those outside [0, 1] have other losses."""
        self.ends = min(self.ends[0], low), max(self.ends[1], high)
        if not self.kind.of(np.array(self.ends[::-1]), np.ones(2), np.ones(2)).in_unit_interval:
            self.losses = {name: one for name, one in self.losses.items() if name in OF_SCORES}

    def _counted(self, *of_class: np.ndarray) -> list[dict[str, PowerSums]]:
        """Counts scores of negatives and of positives. The sums of their losses, block by block."""
        try:
            counts = self.counts.pop()  # in one step: no other thread gets the same
        except IndexError:
            counts = np.zeros_like(self.known, np.uint32)
        for of_one, score in zip(counts, of_class, strict=True):
            self.between.count(score, of_one)
        self.counts.append(counts)
        score, first = np.concatenate(of_class), len(of_class[0])
        return [
            self._sums_of(score[i : i + ROWS], first - i) for i in range(0, len(score), ROWS) if self.losses
        ]

    def _sums_of(self, score: np.ndarray, negatives: int) -> dict[str, PowerSums]:
        """The sums of the losses of a block, which begins with so many negatives."""
        size, negatives = len(score), min(max(negatives, 0), len(score))
        classes = [one[ROWS - negatives :][:size] for one in CLASSES]
        table, starts = self.kind.of(score, *classes), np.array([0, negatives])
        given = table.given.at_prior(HALF)

        def sums_of(name: str) -> PowerSums:
            mean, unit, sums = kernels.powers(LOSSES[name](given), ONES[:, :size], starts)
            return PowerSums(mean, sums, unit)

        found = {name: sums_of(name) for name in self.losses}
        vars(table).pop("given")  # a cycle, which would hold both until the garbage is collected
        return found

    def _carry(self) -> None:
        for counts in self.counts:
            self.known += counts
        self.counts, self.rows = [], 0

    def table(self, others: RankingTable | BinnedTable | None = None) -> BinnedTable:
        """The cases that were counted here, and others."""
        self._carry()
        negative, positive = self.known[:2]
        there = np.flatnonzero(positive + negative)[::-1]
        high = np.append(np.nextafter(self.low[1:], self.low.dtype.type(-np.inf)), self.ends[1])
        low, high = np.maximum(self.low[there], self.ends[0]), np.minimum(high[there], self.ends[1])
        losses = {
            name: PowerSums(one.centre, np.broadcast_to(one.sums, SHAPE), one.unit)
            for name, known in self.losses.items()
            for one in known
        }
        squares = Squares(*self.known[:1:-1, there]) if len(self.known) > 2 else None
        bins = Bins(low, high, positive[there], negative[there], squares)
        counted = BinnedTable.of(bins, losses, self.kind)
        return counted if others is None else counted.with_others(BinnedTable.joined([others]), self.low)


def _quantiles(table: RankingTable, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores between which is equal mass in both classes, and heavy scores."""
    rows, marks = len(table), [_marks(one) for one in (table.positive, table.negative) if one.any()]
    every = _distinct(np.concatenate([at for at, _ in marks]))
    mass = np.add.reduce([np.interp(every, *one) for one in marks])
    at = np.interp(np.linspace(0, mass[-1], bins, endpoint=False), mass, every).astype(np.int64)
    weight = table.positive + table.negative
    return table.score[at], table.score[weight > max(4 / bins, HEAVY / rows) * weight.sum()]


def _distinct(values: np.ndarray) -> np.ndarray:
    """The distinct values in ascending order; `numpy.unique` hashes them, which takes ten times as long."""
    values = np.sort(values)
    distinct: np.ndarray = values[changes(values)]
    return distinct


def _marks(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows between which about `SMOOTHED` cases of a class lie, and the part of its weight up to each."""
    sums = np.add.accumulate(weight, dtype=np.float64)
    step = SMOOTHED * sums[-1] / np.count_nonzero(weight)
    rows = _distinct(np.append(np.searchsorted(sums, np.arange(step, sums[-1], step)), len(sums) - 1))
    return np.append(-1, rows), np.append(0.0, sums[rows] / sums[-1])


def _joined(table: RankingTable, edges: np.ndarray, most: int) -> Bins:
    """The scores between edges, in bins that end where a run of a class does, if there are no more runs."""
    positive, both = table.positive > 0, (table.positive > 0) & (table.negative > 0)
    runs = np.flatnonzero(np.append(True, (positive[1:] != positive[:-1]) | both[1:] | both[:-1]))
    first = np.append(
        len(table) - np.searchsorted(table.score[::-1], edges), runs if len(runs) <= most else [0]
    )
    first = _distinct(first).astype(np.int64)
    first = first[first < len(table)]
    of_first = table.grouped(first)
    low = table.score[np.append(first[1:], len(table)) - 1]
    return Bins(low, of_first.score, of_first.positive, of_first.negative, of_first.squares)
