"""Where a curve of two lines shows its measure: at their largest distance, or at their crossing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .curve import Curve
from .names import CAPTIONS


class Mark(NamedTuple):
    """A threshold, and the heights between which the measure is; of a crossing both are its height."""

    x: float
    low: float
    high: float


def mark_of(curve: Curve) -> Mark | None:
    """The mark of a curve that has one, also of a simplified one; None where a rate is undefined."""
    about = CAPTIONS.get(curve.name)
    if about is None or not about.shows or not len(curve):
        return None
    other = next(iter(curve.others.values()))
    found = _distance(curve, other) if about.shows == "distance" else _crossing(curve, other)
    return found if np.isfinite(found).all() else None


def _distance(curve: Curve, other: np.ndarray) -> Mark:
    """At the highest threshold where the two lines are farthest apart."""
    at = int(np.argmax(np.abs(curve.y - other)))
    low, high = sorted((float(curve.y[at]), float(other[at])))
    return Mark(float(curve.x[at]), low, high)


def _crossing(curve: Curve, other: np.ndarray) -> Mark:
    """At the threshold at which the first line reaches the second, at the height of the interpolated EER."""
    ahead = curve.y - other
    after = max(int(np.argmax(ahead >= 0)), 1)
    before = after - 1
    rise = ahead[after] - ahead[before]
    share = -ahead[before] / rise if rise else 0.0
    height = float(curve.y[before] + share * (curve.y[after] - curve.y[before]))
    return Mark(float(curve.x[after]), height, height)
