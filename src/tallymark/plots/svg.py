"""A curve in the unit square as a small SVG picture, without a plotting library."""

from __future__ import annotations

from html import escape

import numpy as np

from ..curves import Curve

SIDE = 320  # of the plotting area, in pixels
LEFT, TOP, RIGHT, BOTTOM = 46, 12, 12, 42
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def draw(curve: Curve, mark: tuple[float, float] | None = None, title: str = "") -> str:
    """An `<svg>` element. mark: a point to stress, as the one of the threshold."""
    width, height = LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM
    (x0, y0), (x1, y1) = _at(0.0, curve.baseline[0]), _at(1.0, curve.baseline[1])
    parts = [
        f'<svg class="curve" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title or curve.name, quote=True)}">',
        *(_tick(value) for value in TICKS),
        f'<path class="baseline" d="M{x0:g},{y0:g}L{x1:g},{y1:g}"/>',
        f'<path class="line" d="{_path(curve)}"/>',
        _dot(mark),
        f'<text class="axis" x="{LEFT + SIDE / 2:g}" y="{height - 6}" text-anchor="middle">{escape(curve.x_name)}</text>',
        f'<text class="axis" transform="translate(12 {TOP + SIDE / 2:g}) rotate(-90)" text-anchor="middle">'
        f"{escape(curve.y_name)}</text>",
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _at(x, y):
    return LEFT + SIDE * x, TOP + SIDE * (1 - y)


def _tick(value):
    (x, y), label = _at(value, value), f"{value:g}"
    bottom = TOP + SIDE
    return (
        f'<path class="grid" d="M{x:g},{TOP}V{bottom}M{LEFT},{y:g}H{LEFT + SIDE}"/>'
        f'<text x="{x:g}" y="{bottom + 16}" text-anchor="middle">{label}</text>'
        f'<text x="{LEFT - 6}" y="{y + 4:g}" text-anchor="end">{label}</text>'
    )


def _dot(mark):
    if mark is None or not np.isfinite(mark).all():
        return ""
    x, y = _at(*mark)
    return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'


def _path(curve):
    """The points on a grid of a tenth of a pixel, each once: a million of them take no more room than the picture shows."""
    there = np.isfinite(curve.x) & np.isfinite(curve.y)
    x, y = (np.rint(10 * values).astype(int) for values in _at(curve.x[there], curve.y[there]))
    moved = np.ones(len(x), bool)
    moved[1:] = (np.diff(x) != 0) | (np.diff(y) != 0)
    points = [f"{a / 10:g},{b / 10:g}" for a, b in zip(x[moved].tolist(), y[moved].tolist(), strict=True)]
    if not curve.step:
        return "M" + "L".join(points)
    # As steps: each precision holds back to the recall before it.
    pairs = [point.split(",") for point in points]
    return f"M{points[0]}" + "".join(f"V{y}H{x}" for x, y in pairs[1:])
