"""Samples of the members of a family of score distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...summaries import RankingTable
from .controls import Controls
from .tilted import Family, table_of

MOST_IN_ORDER = 300  # cases, up to which these are drawn one by one, without ties
REPLICATES = 70  # samples of each member
EDGES = np.array([0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95])  # balanced ranks, between which cases are counted
# cases of a class that are drawn one by one into cells; by numbers of 16 bits
MOST_CASE_BY_CASE, SLOTS = 1_000, 1 << 16


class Samples(NamedTuple):
    """Of each member as many positives and negatives: axes member, replicate; and their controls."""

    table: RankingTable
    controls: Controls


def samples(known: Family, shares: tuple[np.ndarray, np.ndarray], seed: int) -> Samples:
    """The samples of members with these shares in the cells."""
    random = np.random.default_rng(seed)
    cases = [max(round(size), 1) for size in known.sizes]
    first, second = (share / share.sum(-1, keepdims=True) for share in shares)
    factors = [weight / size for weight, size in zip(known.weights, cases, strict=True)]
    group = np.searchsorted(EDGES, np.cumsum(known.width) - known.width / 2)
    groups = np.empty((2, len(first), REPLICATES, len(EDGES) + 1))
    draw = _in_cells if known.tied or sum(cases) > MOST_IN_ORDER else _in_order
    drawn = draw(random, (first, second), cases, group, groups)
    expected = first @ _members(group), second @ _members(group)
    for part, factor in zip(drawn, factors, strict=True):
        if factor != 1:
            part *= factor
    return Samples(table_of(*drawn), Controls(groups, expected))


def _members(group: np.ndarray) -> np.ndarray:
    """1 where a cell belongs to a group, else 0: a row per cell."""
    member: np.ndarray = np.equal(group[:, None], np.arange(len(EDGES) + 1)).astype(float)
    return member


def _in_cells(
    random: np.random.Generator,
    shares: Sequence[np.ndarray],
    cases: Sequence[int],
    group: np.ndarray,
    groups: np.ndarray,
) -> list[np.ndarray]:
    """The samples, one member at a time, which needs half the memory."""
    found, members = [], _members(group)
    for share, size, counts in zip(shares, cases, groups, strict=True):
        drawn = np.empty((len(share), REPLICATES, share.shape[-1]))
        draw = _case_by_case if size <= MOST_CASE_BY_CASE else _cell_by_cell
        for each, part, held in zip(share, drawn, counts, strict=True):
            part[:] = draw(random, each, size)
            np.matmul(part, members, out=held)
        found.append(drawn)
    return found


def _cell_by_cell(random: np.random.Generator, share: np.ndarray, size: int) -> np.ndarray:
    return random.multinomial(size, share, REPLICATES)


def _case_by_case(random: np.random.Generator, share: np.ndarray, size: int) -> np.ndarray:
    """The same for fewer cases."""
    return counted(cells_of_cases(random, share, size), len(share))


def counted(place: np.ndarray, places: int) -> np.ndarray:
    """How many of each row are at each place."""
    found = place + np.arange(len(place))[:, None] * places
    return np.bincount(found.ravel(), minlength=len(place) * places).reshape(len(place), places)


def cells_of_cases(
    random: np.random.Generator, share: np.ndarray, size: int, replicates: int = REPLICATES
) -> np.ndarray:
    """The cell of each case, from a table of slots for the random number: axes replicate, case.

    Where a slot has several cells, from the position in the slot.
    """
    edges = np.add.accumulate(share)[:-1] * SLOTS
    starts = np.zeros(len(share) + 1, np.int64)  # of the cells, after the slots where two of them meet
    meeting = np.minimum(edges.astype(np.int64), SLOTS - 1)
    np.add(meeting, 1, out=starts[1:-1])
    starts[-1] = SLOTS
    few = np.int16 if len(share) < SLOTS // 2 else np.int64  # of 128 KB, which needs no fresh pages
    cells = np.arange(len(share), dtype=few).repeat(starts[1:] - starts[:-1])
    cells[meeting] = -1
    slot = random.integers(0, SLOTS, replicates * size, np.uint16)
    found: np.ndarray = cells.take(slot)
    unclear = (found < 0).nonzero()[0]
    found[unclear] = edges.searchsorted(slot[unclear] + random.random(len(unclear)), side="right")
    return found.reshape(replicates, size)


def _in_order(
    random: np.random.Generator,
    shares: Sequence[np.ndarray],
    cases: Sequence[int],
    group: np.ndarray,
    groups: np.ndarray,
) -> list[np.ndarray]:
    """The cases, sorted by the cell and at random within it, with the class in the last bit."""
    key = np.empty((len(shares[0]), REPLICATES, sum(cases)), np.int64)
    for i, one in enumerate(key):
        parts = np.split(one, cases[:1], axis=-1)
        for is_positive, part, share, size, held in zip((1, 0), parts, shares, cases, groups, strict=True):
            cell = cells_of_cases(random, share[i], size)
            held[i] = counted(group[cell], held.shape[-1])
            place = 1 + cell + random.random(part.shape)
            part[:] = (place.view(np.int64) & ~1) | is_positive
    key.sort(axis=-1)
    positive = (key & 1).astype(float)
    return [positive, 1 - positive]
