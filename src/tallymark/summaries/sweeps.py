"""The counts of a ranking table at every threshold, on its convex hull, and at one threshold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .. import kernels
from ..input import validate
from .by_score import split
from .cached import cached
from .counts import Counts
from .hulls import at_places, padded
from .squares import Squares


class Sweeps:
    """The counts of a table of two classes, by threshold."""

    score: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    squared: Squares

    @property
    def thresholds(self) -> np.ndarray:
        """The thresholds of `sweep`: infinity, then every score, descending. Shape (len + 1,)."""
        return np.concatenate([[np.inf], self.score]).astype(self.score.dtype)

    def sweep(self) -> Counts:
        """The counts at every threshold of `thresholds`, each cell an array, from none to all positive."""
        counts: Counts = self._sweep
        return counts

    def running(self) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """The true and the false positives at the scores, for blocks of rows of a single table."""
        before = [0.0, 0.0]
        for rows in kernels.blocks(len(self.score)):
            sums = [part[rows].astype(np.float64) for part in (self.positive, self.negative)]
            for i, part in enumerate(sums):
                part[0] += before[i]
                before[i] = float(np.add.accumulate(part, out=part)[-1])
            yield rows, sums[0], sums[1]

    @cached
    def _sweep(self) -> Counts:
        if self.positive.ndim > 1:
            (tp, fn), (fp, tn) = (kernels.sweep(part) for part in (self.positive, self.negative))
            return Counts.of(tp, fp, fn, tn)
        tp, fp = np.zeros((2, len(self.score) + 1))
        np.add.accumulate(self.positive, axis=-1, dtype=np.float64, out=tp[..., 1:])
        np.add.accumulate(self.negative, axis=-1, dtype=np.float64, out=fp[..., 1:])
        # by subtraction from the last sum, so that no difference is negative
        return Counts.of(tp, fp, tp[..., -1:] - tp, fp[..., -1:] - fp)

    @cached
    def hull(self) -> Counts:
        """The convex hull of the ROC curve, with each point of the sweep moved to the corner before it."""
        return at_places(self._sweep, self._corner)

    @cached
    def corners(self) -> Counts:
        """The corners of the hull; the last one is repeated until all rows are of equal length."""
        sweep = self._sweep
        return at_places(sweep, padded(*kernels.corners(sweep.tp, sweep.fp)))

    @property
    def corner_places(self) -> np.ndarray:
        """The indices of the corners in the sweep of a table without replicates."""
        return np.flatnonzero(np.diff(self._corner, prepend=-1))

    @cached
    def _corner(self) -> np.ndarray:
        corner: np.ndarray = kernels.hull(self._sweep.tp, self._sweep.fp)
        return corner

    @property
    def steps(self) -> int:
        """The number of thresholds between the highest and the lowest score."""
        return max(len(self.score) - 1, 0)

    def counts_at(self, threshold: float) -> Counts:
        """The counts where score >= threshold, rounded to the type of the scores, is predicted positive."""
        with np.errstate(over="ignore"):  # infinity for a threshold beyond float32
            limit = self.score.dtype.type(validate.threshold(threshold))
        above = len(self.score) - int(np.searchsorted(self.score[::-1], limit, side="left"))
        squares = None if self.squared.positive is self.positive else split(*self.squared, above)
        return split(self.positive, self.negative, above, squares)
