"""The rows of a ranking table in their order: pairs, overlap, groups, hulls, and logits.

Sums of smooth functions of the logit, as logistic regression needs them at each of its steps, are taken over
the points: per interval of `WIDTH` the weights of `POINTS` Chebyshev nodes that give the sums of all
polynomials up to that degree. Source: Trefethen (2013), Approximation Theory and Approximation Practice,
theorem 8.2: for the logistic function with a slope up to `STEEPEST` the relative error is below 1e-14.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from .. import kernels
from .counts import Counts
from .passes import Block, collected, has_blocks, rows_of_blocks

if TYPE_CHECKING:
    from .ranking import RankingTable


class Pairs(NamedTuple):
    """The weight of the pairs of a positive and a negative, by which scores higher."""

    concordant: float
    discordant: float
    tied: float


def pairs_of(positive: np.ndarray, negative: np.ndarray, positives: float, negatives: float) -> Pairs:
    """Exact for whole weights of fewer than 2^62 pairs. positives, negatives: the sums of the weights."""
    if 2.0 * positives * negatives >= 2.0**63:
        positive, negative = positive.astype(float), negative.astype(float)
    right, wrong = kernels.concordance(positive, negative), kernels.concordance(negative, positive)
    tied = (positive * negative).sum().item()
    half: Callable[[Any], Any] = (
        (lambda twice: twice // 2) if isinstance(tied, int) else (lambda twice: twice / 2)
    )
    return Pairs(half(right - tied), half(wrong - tied), tied)


@dataclass(frozen=True)
class PairSums:
    """The weights of the pairs in the right order, in the wrong order and tied, of a single table."""

    def part(self, block: Block) -> tuple[float, float, float]:
        sums = block.curve_sums
        return sums.concordant, sums.discordant, sums.tied

    def merged(self, table: RankingTable, parts: list[tuple[float, float, float]]) -> Any:
        return np.add.reduce(parts)


PAIRS = PairSums()


def overlap_of(positive: np.ndarray, negative: np.ndarray) -> Any:
    """1 where the ranges of the scores of both classes overlap, else 0; one per replicate."""
    if not positive.shape[-1]:
        return _plain(np.zeros(positive.shape[:-1]))
    if positive.ndim == 1:
        ends = [ends_of(weight) for weight in (positive, negative)]
        return float(all(ends) and ends[0][1] > ends[1][0] and ends[1][1] > ends[0][0])
    sums = (np.cumsum(part, axis=-1) for part in (positive, negative))
    of_rows = [
        (np.argmax(part > 0, -1), np.argmax(part == part[..., -1:], -1), part[..., -1] > 0) for part in sums
    ]
    (first, last, some), (other_first, other_last, others) = of_rows
    return _plain(((last > other_first) & (other_last > first) & some & others).astype(float))


def ends_of(weight: np.ndarray) -> tuple[int, ...]:
    """The first and the last row with a case; nothing without cases."""
    first, last = _first(weight), _first(weight[::-1])
    return () if first is None or last is None else (first, len(weight) - 1 - last)


def _first(weight: np.ndarray) -> int | None:
    for some in kernels.blocks(len(weight)):
        place = int((weight[some] > 0).argmax())
        if weight[some][place] > 0:
            return int(some.start) + place
    return None


def split(by_class: tuple[np.ndarray, np.ndarray], above: int) -> Counts:
    """The four counts if the `above` highest scores are predicted positive."""
    tp, fn, fp, tn = (float(part.sum()) for weight in by_class for part in (weight[:above], weight[above:]))
    return Counts.of(tp, fp, fn, tn)


def _plain(value: Any) -> Any:
    return value if np.ndim(value) else float(value)


def starts_of_groups(positive: np.ndarray, negative: np.ndarray, fineness: float) -> np.ndarray:
    """The first rows of groups, each with about the square root of the cases of a class further out."""
    return kernels.distinct(np.concatenate([_starts(weight, fineness) for weight in (positive, negative)]))


def _starts(weight: np.ndarray, fineness: float) -> np.ndarray:
    """The rows at which the square root of the weight from the nearer end passes a multiple of 1 / (2 f)."""
    above = above_blocks(weight)
    total = float(above[-1])
    ends = np.square(np.arange(1, int(2 * fineness * np.sqrt(total)) + 1) / (2 * fineness))
    ends = ends[ends <= total / 2]
    top = _rows_to(weight, above, ends, "left")
    middle, *bottom = _rows_to(weight, above, np.append(total / 2, (total - ends)[::-1]), "right")
    rows = np.concatenate([[0], top[top < middle], [middle], bottom]).astype(np.int64)
    return rows[rows < len(weight)]


def above_blocks(weight: np.ndarray) -> np.ndarray:
    """The weight above each block of rows, and the whole weight."""
    of_blocks = kernels.stretches(
        lambda rows: weight[rows].sum(dtype=np.float64), len(weight), rows_of_blocks(len(weight))
    )
    return np.append(0.0, np.add.accumulate(np.array(of_blocks, np.float64)))


def running(weight: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """The weight down to each row, that of the row included."""
    above, result = above_blocks(weight), np.empty(len(weight)) if out is None else out

    def of_block(rows: slice) -> None:
        np.add.accumulate(weight[rows], dtype=np.float64, out=result[rows])
        result[rows] += above[rows.start // rows_of_blocks(len(weight))]

    kernels.stretches(of_block, len(weight), rows_of_blocks(len(weight)))
    return result


def _rows_to(
    weight: np.ndarray, above: np.ndarray, sums: np.ndarray, side: Literal["left", "right"]
) -> np.ndarray:
    """The number of rows down to each of the ascending sums of the weight, as np.searchsorted gives it."""
    rows, block = np.full(len(sums), len(weight)), np.searchsorted(above[1:], sums, side)
    firsts = np.searchsorted(block, np.arange(len(above)))

    def of_block(those: slice) -> None:
        i = those.start // rows_of_blocks(len(weight))
        some = slice(firsts[i], firsts[i + 1])
        if some.start < some.stop:
            down_to = above[i] + np.add.accumulate(weight[those], dtype=np.float64)
            rows[some] = those.start + np.searchsorted(down_to, sums[some], side)

    kernels.stretches(of_block, len(weight), rows_of_blocks(len(weight)))
    return rows


FEWEST_STEPS = 8  # that NumPy adds in parallel


def padded(corner: np.ndarray, many: np.ndarray) -> np.ndarray:
    """The corners alone, of the indices of corners and their number along the last axis.

    A row has one entry more than a power of two, so that sums over the steps have the same digits with any
    other rows: the last corner is repeated.
    """
    steps = max(FEWEST_STEPS, 1 << int(many.max(initial=2) - 2).bit_length())
    place = np.minimum(np.arange(1 + steps), many[..., None] - 1)
    return np.take_along_axis(corner, place, -1)


def at_places(counts: Counts, place: np.ndarray) -> Counts:
    """The counts at these indices along the last axis; at the last threshold all are predicted positive."""
    tp, fp = (np.take_along_axis(part, place, -1) for part in (counts.tp, counts.fp))
    return Counts.of(tp, fp, tp[..., -1:] - tp, fp[..., -1:] - fp)


class Corners(NamedTuple):
    """The corners of the convex hull of a ROC curve: indices in the sweep, true and false positives there."""

    place: np.ndarray
    tp: np.ndarray
    fp: np.ndarray

    @property
    def counts(self) -> Counts:
        """The counts there; the last corner is repeated as by `padded`."""
        at = padded(np.arange(len(self.place)), np.asarray(len(self.place)))
        tp, fp = self.tp[at], self.fp[at]
        return Counts.of(tp, fp, tp[-1] - tp, fp[-1] - fp)


@dataclass(frozen=True)
class HullSums:
    """The corners of the hull, which lie among those of all parts: the blocks of isotonic regression."""

    def part(self, block: Block) -> Corners:
        tp, fp = block.curve
        return _corners(np.arange(block.rows.start, block.rows.start + len(tp)), tp, fp)

    def merged(self, table: RankingTable, parts: list[Corners]) -> Corners:
        if len(parts) == 1:
            return parts[0]
        # a block begins where the one before ends
        all_of = (np.concatenate([of[0][:1], *(one[1:] for one in of)]) for of in zip(*parts, strict=True))
        return _corners(*all_of)


HULL = HullSums()


def _corners(place: np.ndarray, tp: np.ndarray, fp: np.ndarray) -> Corners:
    """Those of these points, with the first and the last of them."""
    corner, many = kernels.corners(tp, fp)
    at = corner[: int(many)]
    if at[-1] < len(tp) - 1:
        at = np.append(at, len(tp) - 1)
    return Corners(place[at], tp[at], fp[at])


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
        return self.positive + self.negative


def finite_logits(t: RankingTable) -> FiniteLogits:
    """Those of every score. Leading axes of the weights are kept."""
    there, parts = t.has_finite_logit, (t.positive, t.negative, *t.squared)
    weights = [np.asarray(part[..., there], float) for part in parts]
    return FiniteLogits(t.logit[there], weights[0], weights[1], (weights[2], weights[3]))


def points_of(t: RankingTable) -> FiniteLogits | None:
    """The points of a large table; None of a small one, or where there would be nearly as many points."""
    if not has_blocks(t):
        return None
    return collected(t, LOGITS)


@dataclass(frozen=True)
class LogitSums:
    """The weights at the points, from the sums of the weights times each polynomial in each interval."""

    def part(self, block: Block) -> tuple[np.ndarray, np.ndarray]:
        """The intervals with cases, (intervals,), and the sums there, (intervals, parts, degrees)."""
        t, there = block.table, block.table.has_finite_logit
        first, last = max(block.rows.start, there.start), min(block.rows.stop, there.stop)
        weights = (t.positive, t.negative) if t.squares is None else (t.positive, t.negative, *t.squared)
        if first >= last:
            return np.empty(0), np.empty((0, len(weights), POINTS))
        rows = slice(first, last)
        return _of_rows(t.part(rows).logit, [one[rows] for one in weights])

    def merged(self, table: RankingTable, parts: list[tuple[np.ndarray, np.ndarray]]) -> FiniteLogits | None:
        numbers, sums = (np.concatenate(of_all) for of_all in zip(*parts, strict=True))
        first = kernels.starts_of_runs(numbers)
        return _points(table, numbers[first], np.add.reduceat(sums, first, axis=0) if len(first) else sums)


LOGITS = LogitSums()


def _points(t: RankingTable, first: np.ndarray, sums: np.ndarray) -> FiniteLogits | None:
    if not len(first) or 2 * sums[:, 0].size * POINTS > len(t):
        return None
    degree, node = np.arange(POINTS), np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS)
    share = np.cos(degree[:, None] * np.arccos(node)) * np.where(degree, 2.0, 1.0)[:, None] / POINTS
    x = ((first + 0.5)[:, None] + node / 2) * WIDTH
    weights = [np.einsum("ik,km->im", one, share).ravel() for one in np.moveaxis(sums, 1, 0)]
    positive, negative = weights[:2]
    squares = (positive, negative) if t.squares is None else (weights[2], weights[3])
    return FiniteLogits(x.ravel(), positive, negative, squares)


def _of_rows(logit: np.ndarray, parts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    number = np.floor(logit / WIDTH)
    starts = kernels.starts_of_runs(number)
    weights = np.stack([part.astype(np.float64) for part in parts])
    return number[starts], kernels.polynomials(2 * (logit / WIDTH - number) - 1, weights, starts)
