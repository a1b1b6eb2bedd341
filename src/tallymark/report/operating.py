"""Where the threshold of an evaluation lies on one of its curves."""

from __future__ import annotations

import numpy as np

from ..curves import CAPTIONS, Caption, Curve
from ..evaluation.results import BinaryEvaluation

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
