"""A curve as a small SVG picture, without a plotting library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import numpy as np

from ..curves import Curve
from ..curves.curve import Step
from ..curves.marks import mark_of
from .axes import CHARACTER, LARGEST, SIDE, Axis, axes_of, shown_name

LEFT, TOP, RIGHT, BOTTOM = 56, 12, 12, 42
NAME_AT = 10  # where the name of the upright axis stands
KEY = 18  # the height of a line of the key
FITTING = 5  # characters of a tick for which the left margin has room
STYLE = (
    "text { fill: #5c6878; font: 12px system-ui, sans-serif; } .grid { stroke: #dfe4ea; } .mark { fill:"
    " #b35900; } .baseline { stroke: #5c6878; stroke-dasharray: 4 4; fill: none; } .line, .other, .third {"
    " fill: none; stroke-linecap: round; } .line { stroke: #1f6feb; stroke-width: 2; } .other { stroke:"
    " #b35900; stroke-width: 2; } .third { stroke: #5c6878; stroke-width: 1.5; } .band { fill: #1f6feb;"
    " fill-opacity: 0.15; } .band.second { fill: #b35900; } .point { fill: #1f6feb; }"
    " .distance { stroke: #5c6878; stroke-width: 3; }"
)
CLASSES = ("line", "other", "third")


Placed = Callable[[Any, Any], tuple[Any, Any]]  # x and y, numbers or arrays, as places in the picture


def standalone(curve: Curve) -> str:
    """A picture that stands for itself, in a file or a notebook."""
    svg = draw(curve, title=curve.name)
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="480" ', 1).replace(
        ">", f"><style>{STYLE}</style>", 1
    )


def draw(
    curve: Curve, mark: tuple[float, float] | None = None, title: str = "", limit: float | None = None
) -> str:
    """An `<svg>` element. mark: a point to stress; limit: a place of the x axis, as that of the threshold."""
    curve = curve.joined()
    key = list(_key(curve))
    above = KEY * len(key)  # the key stands over the picture, where it hides nothing
    width, height = LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM
    across, up = axes_of(curve)

    def at(x: Any, y: Any) -> tuple[Any, Any]:
        return LEFT + SIDE * across.place(x), TOP + SIDE * (1 - up.place(y))

    y_name = "" if curve.others else curve.y_name
    # more margin for long ticks
    left = round(CHARACTER * max(0, max((len(text) for _, text in up.ticks), default=0) - FITTING))
    turned = f"translate({NAME_AT - left} {TOP + SIDE / 2:g}) rotate(-90)"
    parts = [
        (
            f'<svg class="curve" viewBox="{-left} {-above} {width + left} {height + above}" role="img" '
            f'aria-label="{escape(title or curve.name, quote=True)}">'
        ),
        *(_across(at(value, up.low)[0], text) for value, text in across.ticks),
        *(_up(at(across.low, value)[1], text) for value, text in up.ticks),
        *(_band(curve.x, both, at, across, up, "band second") for both in curve.bands.values()),
        _band(curve.x, curve.band, at, across, up),
        _baseline(curve, at),
        "" if limit is None else _upright(limit, across, at),
        *(
            _line(curve, line, at, CLASSES[min(i, 2)])
            for i, line in reversed(list(enumerate(curve.lines.values())))
        ),
        *key,
        *(_points(curve, at) if curve.dots else ()),
        _dot(mark, at),
        _measured(curve, at),
        (
            f'<text class="axis" x="{LEFT + SIDE / 2:g}" y="{height - 6}"'
            f' text-anchor="middle">{escape(shown_name(curve.x_name))}</text>'
        ),
        f'<text class="axis" transform="{turned}" text-anchor="middle">{escape(shown_name(y_name))}</text>',
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _across(x: float, text: str) -> str:
    bottom = TOP + SIDE
    return (
        f'<path class="grid" d="M{x:g},{TOP}V{bottom}"/><text x="{x:g}" y="{bottom + 16}"'
        f' text-anchor="middle">{text}</text>'
    )


def _up(y: float, text: str) -> str:
    return (
        f'<path class="grid" d="M{LEFT},{y:g}H{LEFT + SIDE}"/><text x="{LEFT - 6}" y="{y + 4:g}"'
        f' text-anchor="end">{text}</text>'
    )


def _baseline(curve: Curve, at: Placed) -> str:
    if curve.baseline is None or not np.isfinite(curve.baseline).all():
        return ""
    finite = curve.x[np.isfinite(curve.x)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    (x0, y0), (x1, y1) = at(low, curve.baseline[0]), at(high, curve.baseline[1])
    return f'<path class="baseline" d="M{x0:g},{y0:g}L{x1:g},{y1:g}"/>'


def _upright(place: float, across: Axis, at: Placed) -> str:
    """A line over the whole height, if the place is on the axis."""
    if not across.low <= place <= across.high:
        return ""
    return f'<path class="baseline" d="M{at(place, 0.0)[0]:g},{TOP}V{TOP + SIDE}"/>'


def _band(
    x: np.ndarray,
    band: tuple[np.ndarray, np.ndarray] | None,
    at: Placed,
    across: Axis,
    up: Axis,
    kind: str = "band",
) -> str:
    """The area between low and high where both are known; an infinite bound runs along the frame."""
    if band is None:
        return ""
    there = ~np.isnan([x, *band]).any(axis=0)
    x, low, high = (np.asarray(part, float)[there] for part in (x, *band))
    x, low, high = (
        np.clip(x, across.low, across.high),
        np.clip(low, up.low, up.high),
        np.clip(high, up.low, up.high),
    )
    path = _run(*at(np.append(x, x[::-1]), np.append(low, high[::-1])), step="") if len(x) else ""
    return f'<path class="{kind}" d="{path}Z"/>' if path else ""


def _points(curve: Curve, at: Placed) -> Iterator[str]:
    """The points themselves, of a curve of few."""
    across, up = at(np.asarray(curve.x, float), np.asarray(curve.y, float))
    for x, y in zip(across.tolist(), up.tolist(), strict=True):
        yield f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="3"/>'


def _dot(mark: tuple[float, float] | None, at: Placed) -> str:
    if mark is None or not np.isfinite(mark).all():
        return ""
    x, y = at(*mark)
    return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'


def _measured(curve: Curve, at: Placed) -> str:
    """The largest distance of two lines, or the point where they cross."""
    found = mark_of(curve)
    if found is None:
        return ""
    (x, low), (_, high) = at(found.x, found.low), at(found.x, found.high)
    if found.low == found.high:
        return _dot((found.x, found.low), at)
    return f'<path class="distance" d="M{x:.1f},{low:.1f}V{high:.1f}"/>'


def _key(curve: Curve) -> Iterator[str]:
    """The names of several lines, and that of a band that was asked for, each next to a piece of it."""
    pieces = [
        (f'class="{CLASSES[min(i, 2)]}" d="M{LEFT + 8},{{}}h18"', name)
        for i, name in enumerate(curve.lines)
        if curve.others
    ]
    if curve.about is not None:
        said = str(curve.about) if curve.band is not None else curve.about.note or ""
        pieces.append((f'class="band" d="M{LEFT + 8},{{}}v-5h18v10h-18Z"', said))
    for i, (piece, name) in enumerate(pieces):
        y = KEY * (i + 1 - len(pieces)) - 2
        yield (
            f'<path {piece.format(y - 4)}/><text x="{LEFT + 32}" y="{y}"'
            f' text-anchor="start">{escape(name)}</text>'
        )


def _line(curve: Curve, values: np.ndarray, at: Placed, kind: str) -> str:
    path = _path(curve, values, at)
    return f'<path class="{kind}" d="{path}"/>' if path else ""


def _path(curve: Curve, values: np.ndarray, at: Placed) -> str:
    """The points on a grid of a tenth of a pixel, without repeats, so that its size is bounded."""
    across, up = (np.asarray(column, float) for column in (curve.x, values))
    there = (np.abs(across) <= LARGEST) & (np.abs(up) <= LARGEST)  # NaN is not
    x, y = at(np.where(there, across, 0.0), np.where(there, up, 0.0))
    runs = np.flatnonzero(np.diff(there & (y <= TOP + SIDE + 1e-6), prepend=False, append=False)).reshape(
        -1, 2
    )
    return "".join(_run(x[start:stop], y[start:stop], curve.step) for start, stop in runs.tolist())


def _run(x: np.ndarray, y: np.ndarray, step: Step) -> str:
    """Of points without a gap; a single one as a dot, which a round cap makes of a line without length."""
    x, y = (np.rint(10 * places).astype(int) for places in (x, y))
    moved = np.ones(len(x), bool)
    moved[1:] = (np.diff(x) != 0) | (np.diff(y) != 0)
    points = [f"{a / 10:g},{b / 10:g}" for a, b in zip(x[moved].tolist(), y[moved].tolist(), strict=True)]
    if len(points) == 1:
        return f"M{points[0]}h0"
    if not step:
        return "M" + "L".join(points)
    # As steps: each precision holds back to the recall before it, a rate down to the next threshold.
    pairs = [point.split(",") for point in points]
    if step == "post":
        return f"M{points[0]}" + "".join(f"H{x}V{y}" for x, y in pairs[1:])
    return f"M{points[0]}" + "".join(f"V{y}H{x}" for x, y in pairs[1:])
