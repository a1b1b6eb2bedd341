"""Scores counted between quantiles of the first ones, where memory does not hold every distinct one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from .. import kernels
from ..input import validate
from ..input.columns import Column
from ..input.labels import BinaryLabels, Coded
from .binned import LOSSES, OF_PROBABILITIES, OF_SCORES, BinnedTable, Bins
from .passes import ROWS
from .power_sums import ORDER, PowerSums, merged
from .ranking import HALF, RankingTable

BYTES = 64  # of memory for each distinct score, with what adding and measuring need
MOST = 1 << 19  # bins: more do not fit the caches
SMOOTHED = 32  # cases of a class, over which its mass is spread evenly: single positives make no bins
HEAVY = 16  # times the mean weight of a score
LARGEST_COUNT = 1 << 31
CROWDED = 0.05  # a bin with this part of a batch is too wide for it


def in_bins(table: RankingTable | BinnedTable, bins: int, edges: Sequence[float]) -> BinnedTable:
    """Neighbouring scores joined by their mass, none across an edge, in about this number of bins at most."""
    if isinstance(table, BinnedTable):
        return table.compact(bins, edges)
    names = OF_PROBABILITIES if table.in_unit_interval else OF_SCORES
    single = BinnedTable.from_table(table, names)
    if len(table) <= bins:
        return single
    first = _starts(table, bins, edges)
    low, held = table.score[np.append(first[1:], len(table)) - 1], partial(np.add.reduceat, indices=first)
    weights = held(table.positive), held(table.negative), table.squares and table.squares.each(held)
    return BinnedTable.of(Bins(low, table.score[first], *weights), single.losses, type(table))


def _starts(table: RankingTable, bins: int, edges: Sequence[float]) -> np.ndarray:
    """The first row of each bin: of equal mass in both classes, heavy scores alone, few runs of a class."""
    rows, marks = len(table), [_marks(one) for one in (table.positive, table.negative) if one.any()]
    every = np.unique(np.concatenate([at for at, _ in marks]))
    mass = np.add.reduce([np.interp(every, *one) for one in marks])
    weight = table.positive + table.negative
    heavy = np.flatnonzero(weight > max(4 / bins, HEAVY / rows) * weight.sum())
    del weight
    parts = [
        np.interp(np.linspace(0, mass[-1], bins, endpoint=False), mass, every).astype(np.int64) + 1,
        heavy, heavy + 1,
        rows - np.searchsorted(table.score[::-1], np.array(edges, table.score.dtype)),
    ]  # fmt: skip
    positive, both = table.positive > 0, (table.positive > 0) & (table.negative > 0)
    runs = np.flatnonzero(np.append(True, (positive[1:] != positive[:-1]) | both[1:] | both[:-1]))
    first = np.unique(np.concatenate([[0], *parts, runs if len(runs) <= bins // 4 else []])).astype(np.int64)
    return first[first < rows]


def _marks(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows between which about `SMOOTHED` cases of a class lie, and the part of its weight up to each."""
    sums = np.add.accumulate(weight, dtype=np.float64)
    step = SMOOTHED * sums[-1] / np.count_nonzero(weight)
    rows = np.unique(np.append(np.searchsorted(sums, np.arange(step, sums[-1], step)), len(sums) - 1))
    return np.append(-1, rows), np.append(0.0, sums[rows] / sums[-1])


class BinCounts:
    """The cases counted so far in the bins of a table, which is that of the cases before.

    Their number is that of the table, and of the edges; later scores between two edges are in one bin, from
    the one edge to the last number before the other.
    """

    def __init__(self, table: BinnedTable, edges: Sequence[float]):
        kind = table.low.dtype
        single = table.high[table.low == table.high]
        low = np.concatenate([table.low, np.nextafter(single, kind.type(np.inf)), np.array(edges, kind)])
        self.low = np.append(kind.type(-np.inf), np.unique(low[np.isfinite(low)]))
        self.between = kernels.Between(self.low)
        self.counts = np.zeros((2, len(self.low)), np.uint32)  # of negatives, of positives
        self.known = np.zeros_like(self.counts, np.int64)
        self.rows, self.ends, self.kind = 0, (kind.type(np.inf), kind.type(-np.inf)), table.kind
        self.losses: dict[str, list[PowerSums]] = {name: [] for name in table.losses}
        self.room = np.empty((0, 0))

    @property
    def size(self) -> int:
        """The number of cases that were counted here."""
        return int(self.known.sum()) + self.rows

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
        found = kernels.split(codes, numbers, positive)
        if found is None:
            validate.no_gaps(score)
            labels.refuse(truth, score=score)
        positives, negatives, negative = found
        both = negatives, positives
        kernels.each(lambda i: self.between.count(both[i], self.counts[i]), 2)
        self.rows += len(numbers)
        if self.rows + len(numbers) >= LARGEST_COUNT:
            self._carry()
        self.ends = min(self.ends[0], numbers.min()), max(self.ends[1], numbers.max())
        if self.ends[0] < 0 or self.ends[1] > 1:
            self.losses = {name: one for name, one in self.losses.items() if name in OF_SCORES}
        for i, one in enumerate(both):
            self._add_losses(i, one)
        labels.learn(truth, negative, lambda: len(positives) > 0)

    def _carry(self) -> None:
        self.known += self.counts
        self.counts[:], self.rows = 0, 0

    def _add_losses(self, of_class: int, score: np.ndarray) -> None:
        """Adds the sums of the losses of cases of one class."""
        if not (len(score) and self.losses):
            return
        if self.room.shape[1] < len(score):  # used again for each batch, since new pages are slow
            self.room = np.empty((len(self.losses), len(score)))
            self.ones, self.none = np.ones(len(score), np.int64), np.zeros(len(score), np.int64)
            self.weights = np.ones((1, len(score)))
        values, ones, none = (one[..., : len(score)] for one in (self.room, self.ones, self.none))
        table = self.kind.of(score, ones, none) if of_class else self.kind.of(score, none, ones)
        given = table.given.at_prior(HALF)
        for start in range(0, len(score), ROWS):
            rows = slice(start, start + ROWS)
            part = given.part(rows)
            for i, name in enumerate(self.losses):
                values[i, rows] = LOSSES[name](part)
        weights, first = self.weights[:, : len(score)], np.zeros(1, np.int64)
        for i, parts in enumerate(self.losses.values()):
            mean, unit, sums = kernels.powers(values[i], weights, first)
            centre, whole = np.zeros(2), np.zeros((1, 2, ORDER + 1))
            centre[of_class], whole[:, of_class] = mean[0], sums[:, 0]
            parts[:] = [merged([*parts, PowerSums(centre, np.broadcast_to(whole, (4, 2, ORDER + 1)), unit)])]

    def table(self) -> BinnedTable:
        """The cases that were counted here."""
        self._carry()
        negative, positive = self.known
        there = np.flatnonzero(positive + negative)[::-1]
        high = np.append(np.nextafter(self.low[1:], self.low.dtype.type(-np.inf)), self.ends[1])
        low, high = np.maximum(self.low[there], self.ends[0]), np.minimum(high[there], self.ends[1])
        losses = {name: parts[0] for name, parts in self.losses.items() if parts}
        return BinnedTable.of(Bins(low, high, positive[there], negative[there], None), losses, self.kind)
