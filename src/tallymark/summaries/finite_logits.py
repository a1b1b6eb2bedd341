"""The finite logits of a ranking table, and few points that stand for those of a large one.

Sums of smooth functions of the logit, as logistic regression needs them at each of its steps, are taken over
the points: per interval of `WIDTH` the weights of `POINTS` Chebyshev nodes that give the sums of all
polynomials up to that degree. Source: Trefethen (2013), Approximation Theory and Approximation Practice,
theorem 8.2: for the logistic function with a slope up to `STEEPEST` the relative error is below 1e-14.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import kernels
from .passes import Block, collected, has_blocks

if TYPE_CHECKING:
    from .ranking import RankingTable

WIDTH, POINTS = 0.125, kernels.DEGREES
STEEPEST = 4.0


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
    if not has_blocks(t):
        return None
    found: FiniteLogits | None = collected(t, LOGITS)
    return found


@dataclass(frozen=True)
class LogitSums:
    """The weights at the points, from the sums of the weights times each polynomial in each interval."""

    def part(self, block: Block) -> tuple[np.ndarray, np.ndarray]:
        """The intervals with cases, (intervals,), and the sums there, (intervals, parts, degrees)."""
        t, there = block.table, block.table.has_finite_logit
        first, last = max(block.rows.start, there.start), min(block.rows.stop, there.stop)
        weights = (t.positive, t.negative) if _alike(t) else (t.positive, t.negative, *t.squared)
        if first >= last:
            return np.empty(0), np.empty((0, len(weights), POINTS))
        rows = slice(first, last)
        return _of_rows(t.logits_of(rows), [one[rows] for one in weights])

    def merged(self, table: RankingTable, parts: list[tuple[np.ndarray, np.ndarray]]) -> FiniteLogits | None:
        numbers, sums = (np.concatenate(of_all) for of_all in zip(*parts, strict=True))
        first = _starts(numbers)
        return _points(table, numbers[first], np.add.reduceat(sums, first, axis=0) if len(first) else sums)


LOGITS = LogitSums()


def _alike(t: RankingTable) -> bool:
    return t.squared.positive is t.positive


def _points(t: RankingTable, first: np.ndarray, sums: np.ndarray) -> FiniteLogits | None:
    if not len(first) or 2 * sums[:, 0].size * POINTS > len(t):
        return None
    degree, node = np.arange(POINTS), np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS)
    share = np.cos(degree[:, None] * np.arccos(node)) * np.where(degree, 2.0, 1.0)[:, None] / POINTS
    x = ((first + 0.5)[:, None] + node / 2) * WIDTH
    weights = [np.einsum("ik,km->im", one, share).ravel() for one in np.moveaxis(sums, 1, 0)]
    positive, negative = weights[:2]
    squares = (positive, negative) if _alike(t) else (weights[2], weights[3])
    return FiniteLogits(x.ravel(), positive, negative, squares)


def _of_rows(logit: np.ndarray, parts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    number = np.floor(logit / WIDTH)
    starts = _starts(number)
    weights = np.stack([part.astype(np.float64) for part in parts])
    return number[starts], kernels.polynomials(2 * (logit / WIDTH - number) - 1, weights, starts)


def _starts(number: np.ndarray) -> np.ndarray:
    """Where another number begins."""
    return np.flatnonzero(np.append(True, number[1:] != number[:-1])[: len(number)])
