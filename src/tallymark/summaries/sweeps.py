"""The counts of a ranking table at every threshold, on its convex hull, and at one threshold."""

from __future__ import annotations

import numpy as np

from .. import kernels
from ..input import validate
from .by_score import split
from .cached import cached
from .counts import Counts
from .hulls import HULL, Corners, at_places, padded
from .passes import collected
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
        if self.positive.ndim == 1:
            return self.ends_of_blocks.counts
        sweep = self._sweep
        return at_places(sweep, padded(*kernels.corners(sweep.tp, sweep.fp)))

    @property
    def ends_of_blocks(self) -> Corners:
        """The corners of a table without replicates: between two of them isotonic regression is constant."""
        found: Corners = collected(self, HULL)  # type: ignore[arg-type]  # of a RankingTable
        return found

    @cached
    def _corner(self) -> np.ndarray:
        corner: np.ndarray = kernels.hull(self._sweep.tp, self._sweep.fp)
        return corner

    @property
    def steps(self) -> int:
        """The number of thresholds between the highest and the lowest score."""
        return max(len(self.score) - 1, 0)

    @cached
    def twice_concordant(self) -> float:
        """Twice the pairs in the right order, a tie counting once, of a table without replicates."""
        twice: float = kernels.concordance(self.positive, self.negative)
        return twice

    def sweep_with_squares(self) -> Counts:
        """The counts of `sweep`, with the sums of squared weights where they differ from the weights."""
        counts, squared = self.sweep(), self.squared
        if squared.positive is self.positive:
            return counts
        tp, fp = (
            np.append(0.0, np.add.accumulate(part, axis=-1)) for part in (squared.positive, squared.negative)
        )
        squares = Counts.of(tp, fp, tp[-1] - tp, fp[-1] - fp)
        return Counts.of(*counts._cells(), squares=squares)

    def counts_at(self, threshold: float | np.ndarray) -> Counts:
        """The counts where score >= threshold, rounded to the type of the scores, is predicted positive.

        threshold: a number, or an array, which gives arrays.
        """
        every = threshold if np.ndim(threshold) else validate.threshold(threshold)
        with np.errstate(over="ignore"):  # infinity for a threshold beyond float32
            limit = np.asarray(every).astype(self.score.dtype)
        above = len(self.score) - np.searchsorted(self.score[::-1], limit, side="left")
        if np.ndim(above):
            return self.sweep_with_squares()[above]
        squares = None if self.squared.positive is self.positive else split(*self.squared, int(above))
        return split(self.positive, self.negative, int(above), squares)
