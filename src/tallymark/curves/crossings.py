"""Where two ROC curves cross, and where each is higher."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..input.names import listed
from .curve import Curve


class Region(NamedTuple):
    """A range of false positive rates in which one of two curves is higher, perhaps equal at places."""

    low: float
    high: float
    better: str


class Crossings(NamedTuple):
    """Where two ROC curves cross: false positive rates and sensitivities, and the regions between these."""

    x: np.ndarray
    y: np.ndarray
    regions: tuple[Region, ...]


@listed(
    "function",
    'tm.evaluate(..., score={"a": p, "b": q}).crossings()',
    aka=("crossing_curves", "crossing_roc_curves", "roc_crossings", "crossings_of_curves"),
    command="tallymark plot roc",
)
def crossings(first: Curve, second: Curve, names: tuple[str, str] = ("first", "second")) -> Crossings:
    """The points, x and y, at which the higher of two ROC curves becomes the lower one, and which is higher.

    Where the curves are one line between two such parts, the middle of that line. Along the falling diagonals
    x + y = constant each curve has one point, so that curves with upright parts are functions, too. Source:
    Tharwat, Figure 9.
    """
    along = np.unique(np.concatenate([first.x + first.y, second.x + second.y]))
    gap = _height(first, along) - _height(second, along)
    gap[np.abs(gap) < 1e-12] = 0.0
    known = np.flatnonzero(gap)
    before, after = known[:-1], known[1:]
    turns = gap[before] * gap[after] < 0
    before, after = before[turns], after[turns]
    # next to each other the difference is a straight line between them; else the curves are one from the
    # place after the first to the place before the second
    share = gap[before] / np.where(after == before + 1, gap[before] - gap[after], 1.0)
    straight = along[before] + share * (along[after] - along[before])
    shared = (along[np.minimum(before + 1, len(along) - 1)] + along[after - 1]) / 2
    at = np.where(after == before + 1, straight, shared)
    height = _height(first, at)
    x = (at - height) / 2
    ends = [0.0, *x.tolist(), 1.0] if len(known) else []
    signs = gap[[*before, known[-1]]] if len(known) else []
    regions = (
        Region(low, high, names[int(sign < 0)])
        for low, high, sign in zip(ends[:-1], ends[1:], signs, strict=True)
    )
    return Crossings(x, (at + height) / 2, tuple(regions))


def limits(curve: Curve, x: np.ndarray) -> np.ndarray:
    """The height of a curve just left and just right of each place, one after the other."""
    first, last = np.searchsorted(curve.x, x), np.searchsorted(curve.x, x, "right") - 1
    line, there = np.interp(x, curve.x, curve.y), last >= first
    left, right = (np.where(there, curve.y[np.clip(one, 0, len(curve) - 1)], line) for one in (first, last))
    return np.stack([left, right], axis=1).ravel()


def _height(curve: Curve, along: np.ndarray) -> np.ndarray:
    """y - x at these values of x + y."""
    return np.interp(along, curve.x + curve.y, curve.y - curve.x)
