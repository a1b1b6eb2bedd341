"""What pictures of curves say: titles, measures with their values, and where the threshold lies."""

from __future__ import annotations

import numpy as np

from ..curves import CAPTIONS, Caption, Curve
from ..evaluation.results import BinaryEvaluation
from ..inference import Estimate
from .grid import estimate as written
from .grid import title

OF_MEASURES = "Measures against the threshold"
THRESHOLD = ("threshold", "score")  # axes on which it is a place itself


def caption_of(name: str) -> Caption:
    """The caption of a curve; of a measure against the threshold its name."""
    return CAPTIONS.get(name) or Caption(name.replace("_", " ").capitalize())


def operating_point(e: BinaryEvaluation, curve: Curve) -> tuple[float, float] | None:
    """The point of the threshold, where it is one of the points of the curve.

    The curve is one without points added for a band.
    """
    if e.limit is None or curve.x_name in THRESHOLD or not caption_of(curve.name).marked:
        return None
    side = np.greater_equal if e.higher_is_positive else np.less_equal
    reached = np.flatnonzero(side(curve.threshold, e.limit))
    if not len(reached) or e.ranking is None:
        return None
    at = reached[-1]
    own = e.ranking.thresholds if e.higher_is_positive else 0.0 - e.ranking.thresholds
    if curve.threshold[at] != own[side(own, e.limit)][-1]:
        return None
    x, y = float(curve.x[at]), float(curve.y[at])
    return (x, y) if np.isfinite([x, y]).all() else None


def name_of(measure: str) -> str:
    """The usual name of a measure."""
    return title(measure)


def estimate(measure: str, found: Estimate) -> str:
    """Its name, value and interval."""
    return f"{name_of(measure)} {value(found)}"


def value(found: Estimate) -> str:
    """The value and the interval, if there is one."""
    return written(found)


def summary(e: BinaryEvaluation, name: str) -> str:
    """The measure that summarises the curve of this name, where the data allow it; else nothing."""
    about, found = caption_of(name), summarised(e, name)
    return "" if found is None else f"{about.label or name_of(about.measure or name)} {value(found)}"


def summarised(e: BinaryEvaluation, name: str) -> Estimate | None:
    """That measure; None where there is none."""
    measure = caption_of(name).measure
    return e[measure] if measure is not None and measure in e.estimates else None
