"""Scored cases one by one, for resampling and comparing, which summaries do not allow."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernels
from ..input import validate, weighting
from ..input.options import WeightKind
from ..input.weighting import effective
from .counts import Counts
from .ranking import RankingTable, Squares
from .value import cached

FEWEST_IN_RANGES = 1 << 17  # values, below which they are sorted at once
RANGES = 64
MOST_CASES = 1 << 28  # made of weights: some 4 GB
MOST_NUMBERED = 1 << 32  # places in the order of the scores are uint32
POSITIVE_FROM = 0.5  # where predicted labels are held as scores of 0 and 1


class ScoredCases:
    """Cases of two classes with their scores, higher for positives.

    positive: bool, shape (n,); score: float32 or float64, shape (n,); weight: float64, shape (n,), of each
    case, by default a view of a single 1; kind: the type of table of the scores, such as LogitTable;
    weight_kind: as for a RankingTable.
    """

    def __init__(
        self,
        positive: np.ndarray,
        score: np.ndarray,
        weight: np.ndarray | None = None,
        kind: type[RankingTable] = RankingTable,
        weight_kind: WeightKind | None = None,
    ):
        if len(score) > MOST_NUMBERED:
            too_many = (
                f"score: {len(score):,} cases are more than the {MOST_NUMBERED:,} that can be resampled or"
                " compared one by one"
            )
            raise validate.InputError("unsupported", None, too_many, "use evaluate, or a sample of them")
        self.positive, self.score, self.kind = np.asarray(positive, bool), score, kind
        self.weight = weighting.ones(len(score)) if weight is None else weight
        self.weight_kind = weight_kind

    @classmethod
    def from_table(cls, table: RankingTable) -> ScoredCases:
        """The cases of a table, highest score first.

        Whole weights are numbers of cases. Of other weights the squares give the number of cases of each
        class at each score; without squares it is 1. Raises InputError where they are too many to be held one
        by one.
        """
        if table.total == len(table) and not table.weighted:
            return cls(table.positive > 0, table.score, None, type(table)).with_table(table)
        weights = np.stack([table.positive, table.negative], axis=1).ravel()
        times = _cases_at(weights, table.squares) if table.weighted else weights
        if times.sum() > MOST_CASES:
            raise validate.InputError(
                "unsupported",
                "score",
                f"{int(times.sum()):,} cases are too many to be resampled one by one",
                "use evaluate",
            )
        positive = np.repeat(np.tile([True, False], len(table)), times)
        score = np.repeat(np.repeat(table.score, 2), times)
        weight = np.repeat(weights / np.maximum(times, 1), times) if table.weighted else None
        return cls(positive, score, weight, type(table), "importance").with_table(table)

    @property
    def counts_cases(self) -> bool:
        """Whether a case of weight 2 is two cases."""
        return self.weight_kind == "count" or weighting.are_ones(self.weight)

    def taken(self, rows: np.ndarray, one_by_one: bool = True) -> ScoredCases:
        """These cases, in this order.

        one_by_one: with weight 1 where weights are counts, for which rows are repeated.
        """
        each = weighting.ones(len(self)) if one_by_one and self.counts_cases else self.weight
        positive, score, weight = (kernels.taken(one, rows) for one in (self.positive, self.score, each))
        return ScoredCases(positive, score, weight, self.kind, self.weight_kind)

    def reordered(self, order: np.ndarray) -> ScoredCases:
        """The same cases in this order, with the table if it is known."""
        same = self.taken(order, one_by_one=False)
        return same.with_table(self.table) if "table" in self.__dict__ else same

    def in_cases(self) -> ScoredCases:
        """The same with importance weights that add up to the effective number of cases."""
        if self.counts_cases:
            return self
        weight = self.weight * (float(self.weight.sum()) / float(np.square(self.weight).sum()))
        same = ScoredCases(self.positive, self.score, weight, self.kind, "importance")
        return same.with_table(self.table.as_cases) if "table" in self.__dict__ else same

    def with_table(self, table: RankingTable) -> ScoredCases:
        """The same, with the known table of the cases."""
        self.__dict__["table"] = table
        return self

    def __len__(self) -> int:
        return len(self.positive)

    @property
    def strata(self) -> np.ndarray:
        """The class of each case: 0 for positives, else 1."""
        return (~self.positive).view(np.uint8)

    @cached
    def order(self) -> np.ndarray | None:
        """The order of the cases by descending score, uint32; None if they are sorted."""
        if (self.score[1:] <= self.score[:-1]).all():
            return None
        return _argsort(-self.score).astype(np.uint32)

    def in_order(self, values: np.ndarray) -> np.ndarray:
        """Values of the cases, along the last axis, by descending score."""
        if self.order is None:
            return values
        return kernels.taken(values, self.order) if values.ndim == 1 else values[..., self.order]

    @cached
    def shared(self) -> bool:
        """Whether some cases have the same score."""
        score = self.in_order(self.score)
        return bool((score[1:] == score[:-1]).any())

    @cached
    def starts(self) -> np.ndarray:
        """Where each distinct score starts in the order, and the end."""
        score = self.in_order(self.score)
        return np.append(kernels.starts_of_runs(score), len(score))

    @cached
    def positives_by_block(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """By falling score, as `kernels.swept` needs them: the classes, and in each block the positives.

        Of these the places, and how many there are.
        """
        positive, block = self.in_order(self.positive), kernels.CASES_IN_BLOCK

        def counted(rows: slice) -> tuple[np.ndarray, np.ndarray]:
            there = positive[rows]
            number = np.add.reduceat(there, np.arange(0, len(there), block), dtype=np.int64)
            return (np.flatnonzero(there) % block).astype(np.uint16), number

        at, held = zip(*kernels.stretches(counted, len(positive), 16 * block), strict=True)
        return positive.view(np.uint8), np.concatenate(at), np.concatenate(held)

    @cached
    def place(self) -> np.ndarray:
        """For each case the number of distinct scores above its own: the row of its score in the table."""
        if len(self.table) == len(self):  # no score occurs twice
            numbers = np.arange(len(self), dtype=np.uint32)
        else:
            numbers = np.repeat(np.arange(len(self.starts) - 1, dtype=np.uint32), np.diff(self.starts))
        if self.order is None:
            return numbers
        place, order = np.empty_like(numbers), self.order

        def scatter(rows: slice) -> None:
            place[order[rows]] = numbers[rows]

        kernels.stretches(scatter, len(order))
        return place

    @cached
    def table(self) -> RankingTable:
        """The ranking table of the cases."""
        about: Any = {"weight": self.weight, "weight_kind": self.weight_kind}
        weights = {} if weighting.are_ones(self.weight) else about
        return self.kind.from_arrays(truth=self.positive, score=self.score, **weights)

    def resampled(self, times: np.ndarray) -> RankingTable:
        """The tables of resamples, with a leading axis.

        times: shape (replicates, n), how often each case is drawn.
        """
        return self._table(times * self.weight, None if self.counts_cases else times * np.square(self.weight))

    def _table(self, weight: np.ndarray, squares: np.ndarray | None = None) -> RankingTable:
        score, held = (
            self.in_order(self.score),
            None if squares is None else Squares(*self._by_class(squares)),
        )
        if self.shared:
            score = score[self.starts[:-1]]
        return self.kind.of(score, *self._by_class(weight), held)

    def _by_class(self, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The sums at every score, of the positives and of the negatives."""
        weight, positive = self.in_order(weight), self.in_order(self.positive)
        yes, no = np.where(positive, weight, 0), np.where(positive, 0, weight)
        if self.shared:
            yes, no = (np.add.reduceat(part, self.starts[:-1], axis=-1) for part in (yes, no))
        return yes, no

    def counts(self, times: np.ndarray, threshold: float) -> Counts:
        """The counts of resamples at a threshold, each cell of shape (replicates,)."""
        known = self.__dict__.get("_cells")  # of the last threshold
        if known is None or known[0] != threshold:
            known = self.__dict__["_cells"] = threshold, self._cells_at(threshold)
        if weighting.are_ones(self.weight):
            return Counts.of(*kernels.among(times, known[1].view(np.uint8)).T.astype(np.float64))
        return Counts.of(*kernels.weighed(times, known[1] * self.weight).T)

    def _cells_at(self, threshold: float) -> np.ndarray:
        """Whether each case is a true or false positive, a false or true negative: shape (4, cases)."""
        called = self.called(threshold)
        return np.stack([part & yes for yes in (called, ~called) for part in (self.positive, ~self.positive)])

    def called(self, threshold: float) -> np.ndarray:
        """Whether each case is predicted positive."""
        with np.errstate(over="ignore"):  # a threshold beyond what float32 holds
            return np.asarray(self.score >= self.score.dtype.type(threshold))


def _argsort(values: np.ndarray) -> np.ndarray:
    """The order of the values, ascending; of many, range by range, which do not depend on the threads."""
    if len(values) < FEWEST_IN_RANGES:
        return np.argsort(values)
    sample = np.sort(values[:: len(values) // (64 * RANGES)])
    pivots = sample[len(sample) // RANGES :: len(sample) // RANGES]
    order, step = np.empty(len(values), np.int64), -(-len(values) // RANGES)

    def mark(rows: slice) -> tuple[np.ndarray, np.ndarray]:
        """The rows by range, and the number of those in each."""
        place = np.searchsorted(pivots, values[rows], "right").astype(np.uint8)
        return np.argsort(place, kind="stable"), np.bincount(place, minlength=len(pivots) + 1)

    marked = kernels.stretches(mark, len(values), step)
    number = np.array([of_ranges for _, of_ranges in marked])
    ends = np.append(0, np.cumsum(number.sum(0)))
    to = ends[:-1] + np.cumsum(number, axis=0) - number  # where the rows of a stretch begin in each range

    def fill(rows: slice) -> None:
        i = rows.start // step
        local, sizes = marked[i][0], number[i]
        place = np.repeat(to[i] - (np.cumsum(sizes) - sizes), sizes) + np.arange(len(local))
        order[place] = local + rows.start

    kernels.stretches(fill, len(values), step)

    def sort(i: int) -> None:
        rows = order[ends[i] : ends[i + 1]]
        rows[:] = rows[np.argsort(values[rows])]

    kernels.each(sort, len(pivots) + 1)
    return order


def content_order(first: np.ndarray, *others: np.ndarray | None) -> np.ndarray:
    """An order of the rows that depends on their values alone, not on the order of input.

    Ascending by the first key; rows that are equal in it by the next, and so on; None means no key.
    """
    order = _argsort(first)
    value = kernels.taken(first, order)
    again = np.append(False, value[1:] == value[:-1])
    tied = np.flatnonzero(again | np.append(again[1:], False))
    if len(tied):
        rows, group = order[tied], np.cumsum(~again[tied])
        keys = [key[rows] for key in reversed(others) if key is not None]
        order[tied] = rows[np.lexsort([*keys, group])]
    return order


def _cases_at(weights: np.ndarray, squares: Squares | None) -> np.ndarray:
    """The number of cases of equal weight of each class at each score."""
    there = weights > 0
    if squares is None:
        return there.astype(np.int64)
    return np.where(
        there, np.maximum(np.rint(effective(weights, np.stack(squares, axis=1).ravel())), 1), 0
    ).astype(np.int64)
