"""Classifiers as points in ROC space, with their intervals and the convex hull."""

from __future__ import annotations

import numpy as np

from ...evaluation.roc_points import RocPoint, RocPoints
from ...input import text
from ..axes import axis_of
from . import style
from .picture import Dots, Layer, Line, Panel, Picture
from .registry import kind
from .source import LONGEST

FPR, TPR = "false positive rate", "true positive rate"


@kind("Classifiers in ROC space", RocPoints, way="whole", needs="classifiers in ROC space")
def roc_points(found: RocPoints) -> Picture:
    """A point for each classifier, with intervals of both rates, and the hull of all."""
    ends = np.array([0.0, 1.0])
    corners = sorted(
        {(0.0, 0.0), (1.0, 1.0), *(one.place for one in found.values() if one.slopes is not None)}
    )
    across, up = np.transpose(corners)
    layers: list[Layer] = [Line(ends, ends, "guessing"), Line(across, up, "convex hull", None, 1)]
    names = text.labels(found, LONGEST)
    for look, (name, one) in enumerate(found.items()):
        layers += _point(one, names[name], look)
    axes = axis_of(FPR, [ends]), axis_of(TPR, [ends])
    panel = Panel(tuple(layers), FPR, TPR, *axes, square=True, key="lower right")
    return Picture(
        "roc_points", (panel,), "Classifiers in ROC space", (f"{100 * found.level:.4g} % intervals",)
    )


def _point(one: RocPoint, name: str, look: int) -> list[Layer]:
    x, y = (np.array([rate]) for rate in one.place)
    over = f", dominated by {len(one.dominated_by)}" if one.dominated_by else ""
    shape, rates = style.shape(look), (one.false_positive_rate, one.sensitivity)
    (left, right), (low, high) = (
        (np.array([rate.low]), np.array([rate.high])) if rate.has_interval else (None, None) for rate in rates
    )
    up = Dots(x, y, f"{name}{over}", look, shape, low, high)
    return [Dots(x, y, "", look, shape, left, right, across=True), up]
