"""Mean, standard deviation and skewness of a measure over samples, with control variates.

Of the numbers of cases between fixed ranks, by class, all moments are known. Regression on them takes out
most of the simulation error, which with the same seed would be common to all data. Efron (1990), More
efficient bootstrap computations, Journal of the American Statistical Association 85, 79-89.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ROUNDING = 1e-12
RIDGE = 1e-9  # of the sum of squares of a count, and as an absolute number


class Moments(NamedTuple):
    """Of the samples of each member."""

    mean: np.ndarray
    spread: np.ndarray
    skewness: np.ndarray


class Controls:
    """Counts with known moments, on which measures are regressed.

    counted: numbers of cases, with the axes class, member, replicate and group; shares: of each class, the
    expected proportions of its cases, with the axes member and group.
    """

    def __init__(self, counted: np.ndarray, shares: tuple[np.ndarray, np.ndarray]):
        self.sizes = counted[:, 0, 0].sum(-1)
        self.shares = np.stack(shares)
        expected = self.sizes[:, None, None] * self.shares
        off = (counted - expected[:, :, None])[..., :-1]  # the last group follows from the others
        self.off = np.concatenate(list(off), axis=-1)
        self.centre = self.off.mean(1, keepdims=True)
        self.away = self.off - self.centre
        squares = np.einsum("mrj,mrk->mjk", self.away, self.away)
        ridge = RIDGE * (1 + np.einsum("mjj->mj", squares))
        squares[:, range(squares.shape[-1]), range(squares.shape[-1])] += ridge
        self.solve = np.linalg.solve(squares, np.swapaxes(self.away, 1, 2))

    def moments(self, values: np.ndarray) -> Moments:
        """Of values with the axes member and replicate; those that are not finite are left out."""
        known = np.isfinite(values)
        count = np.maximum(known.sum(-1), 2)
        mean = np.where(known, values, 0.0).sum(-1) / count
        away = np.where(known, values - mean[:, None], 0.0)
        square, cube = (away**2).sum(-1) / (count - 1), (away**3).sum(-1) / count
        slope = np.where(known.all(-1)[:, None], np.einsum("mkr,mr->mk", self.solve, away), 0.0)
        fitted = np.einsum("mrk,mk->mr", self.away, slope)
        used, number = slope.shape[-1], values.shape[-1]
        rest = ((away - fitted) ** 2).sum(-1) / (number - used - 1)
        second, third = self._of_slopes(slope)
        controlled = second + rest * (1 - used / (number - used - 2))
        square = np.where(known.all(-1), controlled, square)
        spread = np.sqrt(np.maximum(square, 0.0))
        cube = cube + third - (fitted**3).mean(-1)
        mean = mean - np.einsum("mk,mk->m", self.centre[:, 0], slope)
        return Moments(mean, spread, cube / np.maximum(spread, ROUNDING) ** 3)

    def _of_slopes(self, slope: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The variance and the third central moment of the regression, a sum over the cases."""
        worth = np.stack(np.split(slope, 2, axis=-1))
        worth = np.concatenate([worth, np.zeros((*worth.shape[:-1], 1))], axis=-1)
        worth = worth - (self.shares * worth).sum(-1, keepdims=True)
        second, third = (
            (self.sizes[:, None] * (self.shares * worth**power).sum(-1)).sum(0) for power in (2, 3)
        )
        return second, third
