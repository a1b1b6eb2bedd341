"""Sums over the rows of a ranking table: all that are asked for are collected in one pass over its blocks.

A sum says what it takes of a block and how the parts of the blocks merge. Blocks fit into the cache, and what
several sums need of one is computed once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .cached import cached

if TYPE_CHECKING:
    from .outcome_probabilities import OutcomeProbabilities
    from .ranking import RankingTable

ROWS = 1 << 15  # of a block


class Sum(Hashable, Protocol):
    """What is collected of the rows of a table without replicates, and the name under which it is kept."""

    def part(self, block: Block) -> Any:
        """What a block adds."""

    def merged(self, table: RankingTable, parts: list[Any]) -> Any:
        """The result, from the parts of all blocks, in their order."""


class Block:
    """Consecutive rows of a ranking table.

    rows: which; before: the positives and the negatives with higher scores, None where no sum asked for them
    in the block before; shared: what sums keep for the other blocks of the pass, by a name of their own.
    """

    def __init__(
        self,
        table: RankingTable,
        rows: slice,
        before: tuple[float, float] | None,
        shared: dict[Hashable, Any],
    ):
        self.table, self.rows, self.before, self.shared = table, rows, before, shared

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


def blocks_of(table: RankingTable) -> Iterator[Block]:
    """At least one, of a table without replicates."""
    before: tuple[float, float] | None = (0.0, 0.0)
    shared: dict[Hashable, Any] = {}
    rows = len(table)
    for start in range(0, max(rows, 1), ROWS):
        block = Block(table, slice(start, min(start + ROWS, rows)), before, shared)
        yield block
        before = block.after if start + ROWS < rows else None


def collect(table: RankingTable, wanted: Iterable[Sum]) -> None:
    """Keeps these sums with the table, those that are not kept yet, in one pass."""
    new = [one for one in dict.fromkeys(wanted) if one not in table.kept]
    if new:
        parts = [[one.part(block) for one in new] for block in blocks_of(table)]
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
