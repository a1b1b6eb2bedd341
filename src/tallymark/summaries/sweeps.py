"""The counts of a ranking table at every threshold, on its convex hull, and at one threshold."""

from __future__ import annotations

import numpy as np

from .. import kernels
from ..input import validate
from .by_score import split
from .cached import cached
from .counts import Counts
from .hulls import at_places, without_pauses
from .squares import Squares


class Sweeps:
    """The counts of a table of two classes, by threshold."""

    score: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    squared: Squares

    @property
    def thresholds(self) -> np.ndarray:
        """The thresholds of `sweep`: infinity, for above every score, and then every score, descending. Shape
        (len + 1,)."""
        return np.concatenate([[np.inf], self.score]).astype(self.score.dtype)

    def sweep(self) -> Counts:
        """The counts at every threshold of `thresholds`, each cell an array: from nobody to everybody
        predicted positive."""
        counts: Counts = self._sweep
        return counts

    @cached
    def _sweep(self) -> Counts:
        tp, fp = np.zeros((2, *self.positive.shape[:-1], len(self.score) + 1))
        np.add.accumulate(self.positive, axis=-1, dtype=np.float64, out=tp[..., 1:])
        np.add.accumulate(self.negative, axis=-1, dtype=np.float64, out=fp[..., 1:])
        # By subtraction from the last sum, so that rounding never leaves a negative rest.
        return Counts.of(tp, fp, tp[..., -1:] - tp, fp[..., -1:] - fp)

    @cached
    def hull(self) -> Counts:
        """The ROC curve's convex hull, walked with pauses: each point of the sweep below it is moved back to
        the corner before."""
        return at_places(self._sweep, self._corner)

    @cached
    def corners(self) -> Counts:
        """The hull without pauses, but for the last corner, which is repeated until all rows are as long."""
        return at_places(self._sweep, without_pauses(self._corner))

    @cached
    def _corner(self) -> np.ndarray:
        corner: np.ndarray = kernels.hull(self._sweep.tp, self._sweep.fp)
        return corner

    @property
    def steps(self) -> int:
        """The number of thresholds between the highest and the lowest score."""
        return max(len(self.score) - 1, 0)

    def counts_at(self, threshold: float) -> Counts:
        """The counts where score >= threshold is predicted positive; the threshold is first rounded to the
        type of the scores."""
        with np.errstate(over="ignore"):  # beyond what float32 holds: infinity
            limit = self.score.dtype.type(validate.threshold(threshold))
        above = len(self.score) - int(np.searchsorted(self.score[::-1], limit, side="left"))
        squares = None if self.squared.positive is self.positive else split(*self.squared, above)
        return split(self.positive, self.negative, above, squares)
