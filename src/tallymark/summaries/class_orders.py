"""Orders of cases with a score per class: one of their own, and in each class from the highest to the lowest
score."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def order_of_cases(score: np.ndarray, truth: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The cases by their first score; those with the same one by the others, by class and by weight."""
    if not score.shape[1]:
        return np.arange(len(score))
    order = np.argsort(score[:, 0], kind="stable")
    first = score[order, 0]
    new = np.append(True, first[1:] != first[:-1])[: len(first)]
    shared = np.flatnonzero(~(new & np.append(new[1:], True)[: len(new)]))
    if len(shared):
        rows, group = order[shared], np.cumsum(new)[shared]
        order[shared] = rows[np.lexsort((weight[rows], truth[rows], *score[rows, 1:].T, group))]
    return order


def sorted_in_each_class(score: np.ndarray, blocks: Iterable[slice]) -> tuple[np.ndarray, np.ndarray]:
    """The cases from the highest to the lowest score, and where a score differs from the one before: two
    arrays of shape (K, n)."""
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
    """In each row the first and the last place of the scores tied with each. new: where a score differs from
    the one before."""
    n = new.shape[1]
    at, ends = np.arange(n), np.ones(new.shape, bool)
    ends[:, :-1] = new[:, 1:]
    first = np.maximum.accumulate(np.where(new, at, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, at, n - 1)[:, ::-1], axis=1)[:, ::-1]
    return first, last
