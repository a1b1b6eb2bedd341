"""Sums over the rows of a ranking table: all that are asked for are collected in one pass over its blocks.

A sum says what it takes of a block and how the parts of the blocks merge. What several sums need of a block
is computed once. Blocks are read by several threads; where they begin does not depend on the threads, and so
neither does the result.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import isqrt
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .. import kernels
from ..kernels import CurveSums
from .value import cached

if TYPE_CHECKING:
    from .case_losses import OutcomeProbabilities
    from .ranking import RankingTable

ROWS = 1 << 15  # of a block, at least


class Sum(Hashable, Protocol):
    """What is collected of the rows of a table without replicates, and the name under which it is kept."""

    def part(self, block: Block) -> Any:
        """What a block adds."""

    def merged(self, table: RankingTable, parts: list[Any]) -> Any:
        """The result, from the parts of all blocks, in their order."""


class Block:
    """Consecutive rows of a ranking table.

    rows: which; above: the positives and the negatives with higher scores; prepared: what sums compute of the
    table before the pass.
    """

    def __init__(
        self, table: RankingTable, rows: slice, above: tuple[float, float], prepared: dict[Sum, Any]
    ):
        self.table, self.rows, self.above, self.prepared = table, rows, above, prepared

    @cached
    def given(self) -> OutcomeProbabilities:
        """The predicted probabilities of the actual classes."""
        return self.table.given.part(self.rows)

    @cached
    def positive(self) -> np.ndarray:
        return self.table.positive[self.rows].astype(np.float64)

    @cached
    def negative(self) -> np.ndarray:
        return self.table.negative[self.rows].astype(np.float64)

    @cached
    def probability(self) -> np.ndarray:
        return self.table.probability[self.rows]

    @cached
    def tp(self) -> np.ndarray:
        """The true positives at each score."""
        return self._running(self.positive, 0)

    @cached
    def fp(self) -> np.ndarray:
        """The false positives at each score."""
        return self._running(self.negative, 1)

    @property
    def curve(self) -> tuple[np.ndarray, np.ndarray]:
        """The true and the false positives above the first score, then at each."""
        return np.append(self.above[0], self.tp), np.append(self.above[1], self.fp)

    @cached
    def curve_sums(self) -> CurveSums:
        """What the block adds to the sums along the curves."""
        part, totals = self.table.part(self.rows), (float(self.table.positives), float(self.table.negatives))
        return kernels.curve_sums(part.positive, part.negative, part.squares, self.above, totals)

    def _running(self, weight: np.ndarray, number: int) -> np.ndarray:
        """Sums in the order of the rows."""
        sums = weight.copy()
        sums[:1] += self.above[number]
        return np.add.accumulate(sums, out=sums)

    @property
    def squares(self) -> tuple[np.ndarray, ...]:
        """The squared weights of the positives and of the negatives; none of numbers of cases."""
        return tuple(one[self.rows] for one in self.table.squares or ())


def collect(table: RankingTable, wanted: Iterable[Sum]) -> None:
    """Keeps these sums with the table, those that are not kept yet, in one pass."""
    new = [one for one in dict.fromkeys(wanted) if one not in table.kept]
    if not new:
        return
    prepared = {one: one.prepare(table) for one in new if hasattr(one, "prepare")}
    step = rows_of_blocks(len(table))
    starts = range(0, max(len(table), 1), step)
    above = [one.tolist() for one in table.above_blocks] if len(starts) > 1 else [[0.0], [0.0]]

    def parts_of(i: int) -> list[Any]:
        rows = slice(starts[i], min(starts[i] + step, len(table)))
        block = Block(table, rows, (above[0][i], above[1][i]), prepared)
        return [one.part(block) for one in new]

    first = parts_of(0)  # before the others, so that what the table caches is computed once
    parts = [first, *kernels.each(lambda i: parts_of(i + 1), len(starts) - 1)]
    merged = ((one, list(of_one)) for one, of_one in zip(new, zip(*parts, strict=True), strict=True))
    table.kept.update({one: one.merged(table, of_one) for one, of_one in merged})


def collected(table: RankingTable, one: Sum) -> Any:
    """A sum, from what is kept or in a pass of its own."""
    result = table.kept.get(one)
    if result is None:
        collect(table, (one,))
        result = table.kept[one]
    return result


def has_blocks(table: RankingTable) -> bool:
    """Whether a table without replicates has more rows than the smallest block."""
    return table.positive.ndim == 1 and len(table) > ROWS


def rows_of_blocks(rows: int) -> int:
    """The number of rows of a block of a table with so many.

    It grows with the square root, so that there are enough blocks for many threads, which rarely wait for the
    interpreter's lock: 2^15 up to half a million rows, 2^18 of ten million.
    """
    return ROWS * max(1, isqrt(rows // (4 * ROWS)))
