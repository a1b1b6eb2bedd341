"""Scores counted between edges, with a table that shows where to look for the place of a score."""

from __future__ import annotations

import numpy as np

from . import _between, _native  # type: ignore[attr-defined]  # built by CMake


class Between(_between.Between):
    """See `_between.Between`."""

    def __init__(self, edges: np.ndarray, may_move: np.ndarray):
        super().__init__(edges, may_move)
        sizes = np.bincount(self.cell, minlength=self.cells)
        first = np.append(0, np.cumsum(sizes))
        self.table = np.stack([first, np.append(sizes * self.even, 0)], -1).astype(np.int32).ravel()

    def count(self, score: np.ndarray, counts: np.ndarray) -> None:
        """See `_between.Between.count`."""
        _native.count_between(score, self.edges, self.table, self.lowest, self.shift, counts)
