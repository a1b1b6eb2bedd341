"""Weights of both classes in the order of the scores: pairs, overlap, and groups of neighbouring scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from .. import kernels
from .counts import Counts
from .passes import Block, rows_of_blocks

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


def running(weight: np.ndarray) -> np.ndarray:
    """The weight down to each row, that of the row included."""
    above, found = above_blocks(weight), np.empty(len(weight))

    def of_block(rows: slice) -> None:
        np.add.accumulate(weight[rows], dtype=np.float64, out=found[rows])
        found[rows] += above[rows.start // rows_of_blocks(len(weight))]

    kernels.stretches(of_block, len(weight), rows_of_blocks(len(weight)))
    return found


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
