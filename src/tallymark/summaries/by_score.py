"""Weights of both classes in the order of the scores: pairs, overlap, and groups of neighbouring scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from .. import kernels
from .counts import Counts
from .passes import ROWS, Block

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
        positive, negative = block.positive, block.negative
        return (
            kernels.dot(negative, block.tp - positive),
            kernels.dot(positive, block.fp - negative),
            kernels.dot(positive, negative),
        )

    def merged(self, table: RankingTable, parts: list[tuple[float, float, float]]) -> Any:
        return np.add.reduce(parts)


PAIRS = PairSums()


def overlap_of(positive: np.ndarray, negative: np.ndarray) -> Any:
    """1 where the ranges of the scores of both classes overlap, else 0; one per replicate."""
    if not positive.shape[-1]:
        return _plain(np.zeros(positive.shape[:-1]))
    if positive.ndim == 1:
        ends = [_ends(weight > 0) for weight in (positive, negative)]
        return float(all(ends) and ends[0][1] > ends[1][0] and ends[1][1] > ends[0][0])
    sums = (np.cumsum(part, axis=-1) for part in (positive, negative))
    of_rows = [
        (np.argmax(part > 0, -1), np.argmax(part == part[..., -1:], -1), part[..., -1] > 0) for part in sums
    ]
    (first, last, some), (other_first, other_last, others) = of_rows
    return _plain(((last > other_first) & (other_last > first) & some & others).astype(float))


def _ends(there: np.ndarray) -> tuple[int, ...]:
    """The first and the last row where there is a case; nothing without cases."""
    return (int(there.argmax()), len(there) - 1 - int(there[::-1].argmax())) if there.any() else ()


def starts_of_groups(positive: np.ndarray, negative: np.ndarray, fineness: float) -> np.ndarray:
    """The first rows of groups, each with about the square root of the cases of a class further out."""
    return distinct(np.concatenate([_starts(weight, fineness) for weight in (positive, negative)]))


def distinct(values: np.ndarray) -> np.ndarray:
    """The distinct values, ascending: as np.unique, which loads numpy.ma, of values without NaN."""
    values = np.sort(values)
    found: np.ndarray = values[np.append(True, values[1:] != values[:-1])[: len(values)]]
    return found


def split(positive: np.ndarray, negative: np.ndarray, above: int, squares: Counts | None = None) -> Counts:
    """The four counts if the `above` highest scores are predicted positive."""
    tp, fn, fp, tn = (
        float(part.sum()) for weight in (positive, negative) for part in (weight[:above], weight[above:])
    )
    return Counts.of(tp, fp, fn, tn, squares=squares)


def backwards(weight: np.ndarray) -> np.ndarray:
    """The weights from the lowest score to the highest."""
    return weight[..., ::-1].copy()


def _plain(value: Any) -> Any:
    return value if np.ndim(value) else float(value)


def _starts(weight: np.ndarray, fineness: float) -> np.ndarray:
    """The rows at which the square root of the weight from the nearer end passes a multiple of 1 / (2 f)."""
    total = 0.0
    for _, above in _running(weight):
        total = float(above[-1])
    ends = np.square(np.arange(1, int(2 * fineness * np.sqrt(total)) + 1) / (2 * fineness))
    top, bottom = np.zeros(len(ends), np.int64), np.zeros(len(ends), np.int64)
    half, middle, low = np.array([total / 2]), np.zeros(1, np.int64), (total - ends)[::-1]
    for before, above in _running(weight):
        _count(top, ends, before, above, "left")
        _count(middle, half, before, above, "right")
        _count(bottom, low, before, above, "right")
    rows = np.concatenate([[0], top[top < middle], middle, np.maximum(bottom, middle)])
    return rows[rows < len(weight)]


def _running(weight: np.ndarray) -> Iterator[tuple[float, np.ndarray]]:
    """Of each block of rows the weight before it, and down to each of its rows, that of the row included."""
    before = 0.0
    for start in range(0, len(weight), ROWS):
        above = weight[start : start + ROWS].astype(np.float64)
        above[0] += before
        np.add.accumulate(above, out=above)
        yield before, above
        before = float(above[-1])


def _count(
    rows: np.ndarray, sums: np.ndarray, before: float, above: np.ndarray, side: Literal["left", "right"]
) -> None:
    """Adds to `rows` those of a block that are before each of the ascending sums, as np.searchsorted does."""
    first, last = np.searchsorted(sums, before, "left"), np.searchsorted(sums, above[-1], "right")
    rows[first:last] += np.searchsorted(above, sums[first:last], side)
    rows[last:] += len(above)
