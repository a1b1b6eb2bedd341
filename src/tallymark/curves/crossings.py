"""Where two ROC curves cross."""

from __future__ import annotations

import numpy as np

from ..input.listed import listed
from .curve import Curve


@listed(
    "function",
    'tm.evaluate(..., score={"a": p, "b": q}).plot("roc")',
    aka=("crossing_curves", "crossing_roc_curves", "roc_crossings", "crossings_of_curves"),
    command="tallymark plot roc",
)
def crossings(first: Curve, second: Curve) -> tuple[np.ndarray, np.ndarray]:
    """The points, x and y, at which the higher of two ROC curves becomes the lower one.

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
    return (at - height) / 2, (at + height) / 2


def _height(curve: Curve, along: np.ndarray) -> np.ndarray:
    """y - x at these values of x + y."""
    found: np.ndarray = np.interp(along, curve.x + curve.y, curve.y - curve.x)
    return found
