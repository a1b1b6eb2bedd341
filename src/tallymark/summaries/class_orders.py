"""The order of cases with a score per class: one of their own, and one in each class by its scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .. import kernels
from .cached import cached

CELLS_AT_ONCE = 1 << 17  # scores per block
WORTH_A_THREAD, SAMPLED = 1 << 16, 1001  # cases; scores that show where the middle is


class ClassOrders:
    """The cases of a score per class in the order of each class."""

    labels: tuple[Any, ...]
    truth: np.ndarray
    score: np.ndarray
    weight: np.ndarray

    @property
    def ranked_by(self) -> np.ndarray:
        """The scores by which cases are ranked in each class, shape (n, K)."""
        return self.score

    @cached
    def _ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """The cases of each class by descending score, and where a score differs from the one before.

        Two arrays of shape (K, n), computed in blocks; places are 32-bit to save memory.
        """
        return sorted_in_each_class(self.ranked_by, self.blocks())

    def blocks(self) -> Iterator[slice]:
        """The classes in blocks, so that temporary arrays of a block fit into the cache."""
        size = max(CELLS_AT_ONCE // max(len(self.truth), len(self.labels), 1), 1)
        return (
            slice(start, min(start + size, len(self.labels))) for start in range(0, len(self.labels), size)
        )

    def ranks(self, block: slice = slice(None)) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray] | None]:
        """The cases of some classes by descending score, and which are tied.

        Returns an array with a row per class, of the index of the case at each place; and two like it, of the
        first and of the last place of the cases tied with it, or None where no cases are tied.
        """
        place, new = (part[block] for part in self._ranked)
        return place.astype(np.intp), None if new.all() else ends_of_ties(new)


def order_of_cases(score: np.ndarray, truth: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The order of the cases by their first score, then the other scores, the class and the weight."""
    if not score.shape[1]:
        return np.arange(len(score))
    order = _ascending(score[:, 0])
    first = score[order, 0]
    new = np.append(True, first[1:] != first[:-1])[: len(first)]
    shared = np.flatnonzero(~(new & np.append(new[1:], True)[: len(new)]))
    if len(shared):
        rows, group = order[shared], np.cumsum(new)[shared]
        order[shared] = rows[np.lexsort((weight[rows], truth[rows], *score[rows, 1:].T, group))]
    return order


def _ascending(score: np.ndarray) -> np.ndarray:
    """The order of scores, of many of them below and above a number in the middle in a thread each."""
    if len(score) < WORTH_A_THREAD:
        return np.argsort(score)
    some = score[:: len(score) // SAMPLED]
    below = score < np.partition(some, len(some) // 2)[len(some) // 2]
    order = np.concatenate([np.flatnonzero(part) for part in (below, ~below)])
    ends = 0, np.count_nonzero(below), len(score)

    def sort(half: int) -> None:
        some = order[ends[half] : ends[half + 1]]
        some[:] = some[np.argsort(score[some])]

    kernels.each(sort, 2)
    return order


def sorted_in_each_class(score: np.ndarray, blocks: Iterable[slice]) -> tuple[np.ndarray, np.ndarray]:
    """The cases by descending score, and where a score differs from the one before.

    Two arrays of shape (K, n).
    """
    shape = score.shape[::-1]
    place, new = np.empty(shape, np.int32 if shape[1] < 2**31 else np.int64), np.ones(shape, bool)
    for block in blocks:
        some = np.ascontiguousarray(score[:, block].T)
        order = np.argsort(-some, axis=1, kind="stable")
        some = np.take_along_axis(some, order, 1)
        place[block], new[block, 1:] = order, some[:, 1:] != some[:, :-1]
    for array in (place, new):
        array.setflags(write=False)
    return place, new


def ends_of_ties(new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """In each row the first and the last place of the scores tied with each.

    new: where a score differs from the one before.
    """
    n = new.shape[1]
    at, ends = np.arange(n), np.ones(new.shape, bool)
    ends[:, :-1] = new[:, 1:]
    first = np.maximum.accumulate(np.where(new, at, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, at, n - 1)[:, ::-1], axis=1)[:, ::-1]
    return first, last
