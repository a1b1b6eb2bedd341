"""The finite logits of a ranking table, and few points that stand for those of a large one.

Sums of smooth functions of the logit, as logistic regression needs them at each of its steps, are taken over
the points: per interval of `WIDTH` the weights of `POINTS` Chebyshev nodes that give the sums of all
polynomials up to that degree. Source: Trefethen (2013), Approximation Theory and Approximation Practice,
theorem 8.2: for the logistic function with a slope up to `STEEPEST` the relative error is below 1e-14.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .ranking import RankingTable

WIDTH, POINTS = 0.125, 10
STEEPEST = 4.0
MANY = 50_000  # scores from which points are used
BLOCK = 1 << 14


class FiniteLogits(NamedTuple):
    """Logits, the weight of both classes at each, and the sums of squared case weights.

    Weights of points may be negative; their sums are those of the cases.
    """

    x: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    squares: tuple[np.ndarray, np.ndarray]

    @property
    def total(self) -> np.ndarray:
        """The weight of both classes."""
        total: np.ndarray = self.positive + self.negative
        return total


def finite_logits(t: RankingTable) -> FiniteLogits:
    """Those of every score. Leading axes of the weights are kept."""
    there, parts = t.has_finite_logit, (t.positive, t.negative, *t.squared)
    weights = [np.asarray(part[..., there], float) for part in parts]
    return FiniteLogits(t.logit[there], weights[0], weights[1], (weights[2], weights[3]))


def points_of(t: RankingTable) -> FiniteLogits | None:
    """The points of a large table; None of a small one, or where there would be nearly as many points."""
    if t.positive.ndim > 1 or len(t) < MANY:
        return None
    if "points" not in t.kept:
        t.kept["points"] = _points(t)
    found: FiniteLogits | None = t.kept["points"]
    return found


def _points(t: RankingTable) -> FiniteLogits | None:
    alike = t.squared.positive is t.positive
    parts = (t.positive, t.negative) if alike else (t.positive, t.negative, *t.squared)
    first, sums = _sums(t, parts)
    if not len(first) or 2 * sums[:, 0].size * POINTS > len(t):
        return None
    degree, node = np.arange(POINTS), np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS)
    share = np.cos(degree[:, None] * np.arccos(node)) * np.where(degree, 2.0, 1.0)[:, None] / POINTS
    x = ((first + 0.5)[:, None] + node / 2) * WIDTH
    weights = [np.einsum("ik,km->im", one, share).ravel() for one in np.moveaxis(sums, 1, 0)]
    positive, negative = weights[:2]
    squares = (positive, negative) if alike else (weights[2], weights[3])
    return FiniteLogits(x.ravel(), positive, negative, squares)


def _sums(t: RankingTable, parts: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The intervals with cases, and in each the sums of the parts times each Chebyshev polynomial.

    Shapes (intervals,) and (intervals, parts, degrees).
    """
    numbers, sums = [], []
    for rows, logit in _blocks(t):
        number = np.floor(logit / WIDTH)
        starts = np.flatnonzero(np.append(True, number[1:] != number[:-1]))
        weights = np.stack([part[rows].astype(np.float64) for part in parts])
        numbers.append(number[starts])
        sums.append(_of_block(2 * (logit / WIDTH - number) - 1, weights, starts))
    if not numbers:
        return np.empty(0), np.empty((0, len(parts), POINTS))
    number, held = np.concatenate(numbers), np.concatenate(sums)
    first = np.flatnonzero(np.append(True, number[1:] != number[:-1]))
    return number[first], np.add.reduceat(held, first, axis=0)


def _of_block(z: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The sums of weights times the polynomials of z, in [-1, 1], from each start to the next."""
    found = np.empty((len(starts), len(weights), POINTS))
    before, now = z, np.ones_like(z)  # T_-1 = T_1
    for degree in range(POINTS):
        found[:, :, degree] = np.add.reduceat(weights * now, starts, axis=1).T
        before, now = now, 2 * z * now - before
    return found


def _blocks(t: RankingTable) -> Iterator[tuple[slice, np.ndarray]]:
    """Consecutive rows with finite logits, and these."""
    there = t.has_finite_logit
    for start in range(there.start, there.stop, BLOCK):
        rows = slice(start, min(start + BLOCK, there.stop))
        yield rows, t.logits_of(rows)
