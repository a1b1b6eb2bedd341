"""Scores counted between edges, with a table that shows where to look for the place of a score."""

from __future__ import annotations

import numpy as np

from . import _native  # type: ignore[attr-defined]  # built by CMake

MOST_CELLS = 1 << 18


class Between:
    """See `_numpy.Between`."""

    def __init__(self, edges: np.ndarray):
        self.edges = edges
        bits = edges[1:].view(f"i{edges.itemsize}")
        keys = np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits).astype(np.int64)
        low, high = (int(keys[0]), int(keys[-1])) if len(keys) else (0, 0)
        self.shift = next(bits for bits in range(64) if (high >> bits) - (low >> bits) < MOST_CELLS)
        self.lowest = low >> self.shift
        cells = np.append(0, (keys >> self.shift) - self.lowest)
        self.first = np.searchsorted(cells, np.arange(cells[-1] + 2)).astype(np.int32)

    def count(self, score: np.ndarray, counts: np.ndarray) -> None:
        """See `_numpy.Between.count`."""
        _native.count_between(score, self.edges, self.first, self.lowest, self.shift, counts)
