"""Corners of convex hulls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import kernels
from .counts import Counts
from .passes import Block

if TYPE_CHECKING:
    from .ranking import RankingTable

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
