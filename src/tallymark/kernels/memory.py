"""Memory of the native kernels: for a short time, and for ranking tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ._numpy import Table
from .threads import MANY, each

LARGEST_SPARE = 1 << 26
_spare: list[np.ndarray] = []


@contextmanager
def scratch(size: int, kind: Any) -> Iterator[np.ndarray]:
    """Room for a short time, reused in the next call: the system would have to clear fresh memory."""
    try:
        room = _spare.pop()  # in one step: no other thread gets the same
    except IndexError:
        room = np.empty(0, np.uint8)
    needed = size * np.dtype(kind).itemsize
    if room.nbytes < needed:
        room = np.empty(needed, np.uint8)
    yield room[:needed].view(kind)
    if room.nbytes <= LARGEST_SPARE:
        _spare[:] = [room]


def empty_table(rows: int, score_type: np.dtype[Any], weight_type: Any) -> Table:
    """The columns of a ranking table, whose contents are undefined."""
    return np.empty(rows, score_type), np.empty(rows, weight_type), np.empty(rows, weight_type)


def trimmed(table: Table, rows: int) -> Table:
    """The rows in use, as copies that free the rest of the memory if it is more than an eighth."""
    score, positive, negative = table
    if 8 * rows > 7 * len(score):
        return score[:rows], positive[:rows], negative[:rows]
    copies = each(lambda i: table[i][:rows].copy(), 3, rows > MANY)
    return copies[0], copies[1], copies[2]


def without_gaps(table: Table, rows: Sequence[int], room: Sequence[int]) -> Table:
    """The rows in use of consecutive parts of a table, how many of each, and for how many each has room."""

    def close(column: np.ndarray) -> None:
        to = at = 0
        for number, size in zip(rows, room, strict=True):
            if to != at:
                column[to : to + number] = column[at : at + number]
            to, at = to + number, at + size

    each(lambda i: close(table[i]), len(table), sum(rows) < sum(room))
    return trimmed(table, sum(rows))


def wider(score: np.ndarray) -> np.ndarray:
    """The scores in a type of the native kernels: float16 as float32."""
    return score.astype(np.float32) if score.dtype == np.float16 else score
