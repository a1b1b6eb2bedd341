"""Sums over the rows of a ranking table: all that are asked for are collected in one pass over its blocks.

A sum says what it takes of a block and how the parts of the blocks merge. Blocks fit into the cache, and what
several sums need of one is computed once. Stretches of blocks are read by several threads; where they begin
does not depend on the threads, and so neither does the result.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .. import kernels
from .cached import cached

if TYPE_CHECKING:
    from .outcome_probabilities import OutcomeProbabilities
    from .ranking import RankingTable

ROWS = 1 << 15  # of a block
STRETCH = 8  # blocks, one after the other in one thread


class Sum(Hashable, Protocol):
    """What is collected of the rows of a table without replicates, and the name under which it is kept."""

    def part(self, block: Block) -> Any:
        """What a block adds."""

    def merged(self, table: RankingTable, parts: list[Any]) -> Any:
        """The result, from the parts of all blocks, in their order."""


class Block:
    """Consecutive rows of a ranking table.

    rows: which; before: the positives and the negatives with higher scores, None where no sum asked for them
    in the block before; shared: what sums keep for the other blocks of the stretch, by a name of their own;
    prepared: what sums compute of the table before the pass.
    """

    def __init__(
        self,
        table: RankingTable,
        rows: slice,
        before: tuple[float, float] | None,
        shared: dict[Hashable, Any],
        prepared: dict[Sum, Any],
    ):
        self.table, self.rows, self.before, self.shared, self.prepared = table, rows, before, shared, prepared

    @cached
    def given(self) -> OutcomeProbabilities:
        """The predicted probabilities of the actual classes."""
        given: OutcomeProbabilities = self.table.given.part(self.rows)
        return given

    @cached
    def positive(self) -> np.ndarray:
        return self.table.positive[self.rows].astype(np.float64)

    @cached
    def negative(self) -> np.ndarray:
        return self.table.negative[self.rows].astype(np.float64)

    @cached
    def probability(self) -> np.ndarray:
        found: np.ndarray = self.table.probability[self.rows]
        return found

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
        return np.append(self._start[0], self.tp), np.append(self._start[1], self.fp)

    def _running(self, weight: np.ndarray, number: int) -> np.ndarray:
        """Sums in the order of the rows, as over all rows at once."""
        if not self._start[number]:
            return np.add.accumulate(weight)
        sums = weight.copy()
        sums[:1] += self._start[number]
        return np.add.accumulate(sums, out=sums)

    @property
    def _start(self) -> tuple[float, float]:
        assert self.before is not None, "a sum asks for running counts in all blocks or in none"
        return self.before

    @property
    def squared(self) -> tuple[np.ndarray, np.ndarray]:
        """The squared weights of the positives and of the negatives."""
        held = self.table.squared
        if held.positive is self.table.positive:
            return self.positive, self.negative
        return held.positive[self.rows], held.negative[self.rows]

    @property
    def after(self) -> tuple[float, float] | None:
        """The positives and the negatives down to the last row; None if no sum asked for running counts."""
        known = "tp" in self.__dict__ and len(self.tp)
        return (float(self.tp[-1]), float(self.fp[-1])) if known else None


def blocks_of(
    table: RankingTable, rows: slice, before: tuple[float, float], prepared: dict[Sum, Any]
) -> Iterator[Block]:
    """The blocks of a stretch of rows of a table without replicates, at least one."""
    shared: dict[Hashable, Any] = {}
    at: tuple[float, float] | None = before
    for start in range(rows.start, max(rows.stop, rows.start + 1), ROWS):
        block = Block(table, slice(start, min(start + ROWS, rows.stop)), at, shared, prepared)
        yield block
        at = block.after if start + ROWS < rows.stop else None


def collect(table: RankingTable, wanted: Iterable[Sum]) -> None:
    """Keeps these sums with the table, those that are not kept yet, in one pass."""
    new = [one for one in dict.fromkeys(wanted) if one not in table.kept]
    if not new:
        return
    prepared = {one: one.prepare(table) for one in new if hasattr(one, "prepare")}
    starts = np.arange(0, max(len(table), 1), STRETCH * ROWS)
    before = np.zeros((len(starts), 2))
    if len(starts) > 1:
        of_each = [np.add.reduceat(one, starts, dtype=np.float64) for one in (table.positive, table.negative)]
        before[1:] = np.cumsum(of_each, axis=1).T[:-1]

    def parts_of(i: int) -> list[list[Any]]:
        rows = slice(int(starts[i]), min(int(starts[i]) + STRETCH * ROWS, len(table)))
        blocks = blocks_of(table, rows, (float(before[i, 0]), float(before[i, 1])), prepared)
        return [[one.part(block) for one in new] for block in blocks]

    first = parts_of(0)  # before the others, so that what the table caches is computed once
    parts = [
        part for some in [first, *kernels.each(lambda i: parts_of(i + 1), len(starts) - 1)] for part in some
    ]
    merged = ((one, list(of_one)) for one, of_one in zip(new, zip(*parts, strict=True), strict=True))
    table.kept.update({one: one.merged(table, of_one) for one, of_one in merged})


def collected(table: RankingTable, one: Sum) -> Any:
    """A sum, from what is kept or in a pass of its own."""
    found = table.kept.get(one)
    if found is None:
        collect(table, (one,))
        found = table.kept[one]
    return found


def has_blocks(table: RankingTable) -> bool:
    """Whether a table without replicates has more rows than one block."""
    return table.positive.ndim == 1 and len(table) > ROWS
