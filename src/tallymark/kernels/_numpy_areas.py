"""Areas of many classes in NumPy: the reference for the native kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class OwnScores(NamedTuple):
    """The distinct scores of the cases of each class, by the score of that class.

    score: ascending in each class; start: where each class starts, and the end; above: for each class c, from
    2 start[c] + c on, the proportion of the class above a score, by the slot of the score: twice the number
    of the class's scores below it, plus 1 where one equals it, of which half counts.
    """

    score: np.ndarray
    start: np.ndarray
    above: np.ndarray


def areas(
    score: np.ndarray,
    truth: np.ndarray,
    worth: np.ndarray,
    weight: np.ndarray,
    own: OwnScores,
    share: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums over all cases and classes, without cases in their own class.

    score: float32 or float64, (cases, classes); truth: int64, the class of each case; worth, weight: float64.
    share: (shares, classes). Returns, where above is the proportion of a class above a case:
    of each case the sum over the classes of share * above, shape (shares, cases); of each slot the sum of
    worth; and of each pair of a case's class and another the sum of weight * above.
    """
    halves = [_half(score, truth, worth, weight, own, share, rows) for rows in halves_of(len(score))]
    sums, others, pairs = zip(*halves, strict=True)
    return np.concatenate(sums, axis=1), others[0] + others[1], pairs[0] + pairs[1]


def halves_of(cases: int) -> tuple[slice, slice]:
    """The rows of both halves, whose sums are added, whatever the number of threads."""
    return slice(0, cases // 2), slice(cases // 2, cases)


def _half(
    score: np.ndarray,
    truth: np.ndarray,
    worth: np.ndarray,
    weight: np.ndarray,
    own: OwnScores,
    share: np.ndarray,
    rows: slice,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    score, truth, worth, weight = score[rows], truth[rows], worth[rows], weight[rows]
    classes = score.shape[1]
    sums, others = np.zeros((len(share), len(score))), np.zeros(len(own.above))
    pairs = np.zeros((classes, classes))
    for c in range(classes):
        mine = own.score[own.start[c] : own.start[c + 1]]
        if not len(mine):
            continue
        place, rest = 2 * own.start[c] + c, np.flatnonzero(truth != c)
        column = np.ascontiguousarray(score[rest, c])
        ends = [np.searchsorted(mine, column, side) for side in ("left", "right")]
        slot = ends[0] + ends[1]
        part = own.above[place + slot]
        sums[:, rest] += share[:, c, None] * part
        others[place : place + 2 * len(mine) + 1] = np.bincount(slot, worth[rest], 2 * len(mine) + 1)
        pairs[:, c] = np.bincount(truth[rest], weight[rest] * part, classes)
    return sums, others, pairs
