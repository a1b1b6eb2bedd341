"""Edges between which scores are counted, and where to look for the place of a score among them."""

from __future__ import annotations

import numpy as np

MOST_CELLS, CELLS = 1 << 15, 16  # of all edges, and for each
OUTSIDE = 1 << 10  # this part of the edges is below the cells, and above them
UNEVEN = 2.0  # the mean square of the edges in an even part, at most; by chance it is up to 1.25
PART_BITS = 32  # of a place in a cell


class Between:
    """Ascending edges, of which the first is minus infinity: places of scores among them.

    The bits of a float, read as a whole number, are in its order; their upper part is a cell. Edges that may
    move are spread evenly over their cell, so that a multiplication shows the place of a score there, unless
    some of these parts would then hold far more of the old edges than others.

    cell: the cell of each edge but the first; even: the cells whose edges are spread evenly.
    """

    def __init__(self, edges: np.ndarray, may_move: np.ndarray):
        bits_of = f"i{edges.itemsize}"
        keys = _in_order(edges[1:].view(bits_of)).astype(np.int64)
        tail = len(keys) // OUTSIDE
        low, high = (int(keys[tail]), int(keys[-1 - tail])) if len(keys) else (0, 0)
        most = min(MOST_CELLS, CELLS * len(keys) + 1)
        self.shift = next(bits for bits in range(64) if (high >> bits) - (low >> bits) < most)
        self.lowest, self.cells = (low >> self.shift) - 1, (high >> self.shift) - (low >> self.shift) + 3
        self.cell = np.clip((keys >> self.shift) - self.lowest, 0, self.cells - 1)
        sizes = np.bincount(self.cell, minlength=self.cells)
        first, size = (np.cumsum(sizes) - sizes)[self.cell], sizes[self.cell]
        bits = min(self.shift, PART_BITS)
        start, rest = (self.cell + self.lowest) << self.shift, self.shift - bits
        inside = (self.cell > 0) & (self.cell < self.cells - 1)
        place = first + np.where(inside, ((keys - start) >> rest) * size >> bits, 0)
        crowd = np.square(np.bincount(place, minlength=len(keys)), dtype=float)
        fixed = np.bincount(self.cell[~(inside & may_move)], minlength=self.cells)
        self.even = (fixed == 0) & (np.bincount(self.cell, crowd, self.cells) <= UNEVEN * sizes)
        rank = np.arange(len(keys)) - first
        spread = start - ((-rank << bits) // size << rest)
        found = np.where(self.even[self.cell], spread, keys).astype(bits_of)
        self.edges = np.append(edges[:1], _in_order(found).view(edges.dtype))

    def count(self, score: np.ndarray, counts: np.ndarray) -> None:
        """Adds the number of scores from each edge on, and below the next one."""
        places = np.searchsorted(self.edges, score, "right") - 1
        counts += np.bincount(places, minlength=len(counts)).astype(counts.dtype)


def _in_order(bits: np.ndarray) -> np.ndarray:
    """The bits of floats as whole numbers in the order of the floats, and these as bits."""
    found: np.ndarray = np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)
    return found
