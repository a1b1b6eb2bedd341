"""The cells of a confusion matrix collapsed: into four counts, or into one sum."""

from __future__ import annotations

import numpy as np

from .counts import Counts


def one_vs_rest(weights: np.ndarray, squares: Counts | None = None) -> Counts:
    """Each class in turn against all others."""
    tp = weights.diagonal(axis1=-2, axis2=-1).copy()
    fp, fn = weights.sum(-2) - tp, weights.sum(-1) - tp
    there = weights > 0
    # the number of cells that are neither in the row nor in the column of the class
    of_class = there.sum(-2) + there.sum(-1) - there.diagonal(axis1=-2, axis2=-1)
    outside = there.sum((-2, -1))[..., None] - of_class
    total = weights.sum((-2, -1))[..., None]
    tn = np.where(outside > 0, np.maximum(total - tp - fp - fn, 0.0), 0.0)
    return Counts.of(tp, fp, fn, tn, squares=squares)


def two_by_two(weights: np.ndarray, where: list[bool], squares: Counts | None = None) -> Counts:
    """The counts of two classes. where: which of the labels is the positive one."""
    if len(weights) > len(where):  # a case whose answer is no class is wrong, whichever class it is of
        size = len(where)
        unanswered = weights[:size, size]
        known = two_by_two(weights[:size, :size], where)
        wrong = [float(unanswered[np.equal(where, yes)].sum()) for yes in (True, False)]
        return Counts.of(known.tp, known.fp + wrong[1], known.fn + wrong[0], known.tn, squares=squares)
    if len(where) == 2 and sum(where) == 1:
        turn = slice(None) if where[1] else slice(None, None, -1)
        (tn, fp), (fn, tp) = weights[turn, turn].tolist()
        return Counts.of(tp, fp, fn, tn, squares=squares)
    cell = {
        (row, column): float(weights[np.ix_(np.equal(where, row), np.equal(where, column))].sum())
        for row in (True, False)
        for column in (True, False)
    }
    return Counts.of(
        cell[True, True], cell[False, True], cell[True, False], cell[False, False], squares=squares
    )


def but_one(weights: np.ndarray, chosen_by: np.ndarray) -> float:
    """The sum of all weights but that of the largest `chosen_by`; 0 if there are none."""
    return float(np.delete(weights, chosen_by.argmax()).sum()) if weights.size else 0.0
