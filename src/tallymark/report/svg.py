"""A curve as a small SVG picture, without a plotting library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from statistics import NormalDist
from typing import Any

import numpy as np

from ..curves import Curve

SIDE = 320  # of the plotting area, in pixels
LEFT, TOP, RIGHT, BOTTOM = 56, 12, 12, 42
NAME_AT = 10  # where the name of the upright axis stands
KEY = 18  # the height of a line of the key
UNIT = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SMALLEST_SHARE = 9  # the exponent of the smallest rate that is marked on an axis of normal deviates, 10^-9
# the width of a character of a tick, and the least room between two ticks, in pixels
CHARACTER, APART = 7.6, 4
ROUNDING = 1e-9  # of a deviate
FITTING = 5  # characters of a tick for which the left margin has room
FURTHEST = 3.2  # normal deviate that a band is followed to: a rate of 0.07 %
FEWEST_TICKS = 4
# axes that show all of 0 to 1
RATES = ("rate", "probability", "recall", "precision", "specificity", "sensitivity")
STYLE = (
    "text { fill: #5c6878; font: 12px system-ui, sans-serif; } .grid { stroke: #dfe4ea; } .mark { fill:"
    " #b35900; } .baseline { stroke: #5c6878; stroke-dasharray: 4 4; fill: none; } .line, .other, .third {"
    " fill: none; stroke-linecap: round; } .line { stroke: #1f6feb; stroke-width: 2; } .other { stroke:"
    " #b35900; stroke-width: 2; } .third { stroke: #5c6878; stroke-width: 1.5; } .band { fill: #1f6feb;"
    " fill-opacity: 0.15; } .band.second { fill: #b35900; } .point { fill: #1f6feb; }"
)
CLASSES = ("line", "other", "third")
LARGEST = 1e300  # that is drawn
LOWEST = 0.5  # of a decision curve: net benefits this share of the highest below 0


Placed = Callable[[Any, Any], tuple[Any, Any]]  # x and y, numbers or arrays, as places in the picture


@dataclass(frozen=True, slots=True)
class Axis:
    """From where to where, and the ticks with their texts."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: Any) -> Any:
        """As a share of the way."""
        return (value - self.low) / (self.high - self.low)


def standalone(curve: Curve) -> str:
    """A picture that stands for itself, in a file or a notebook."""
    svg = draw(curve, title=curve.name)
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="480" ', 1).replace(
        ">", f"><style>{STYLE}</style>", 1
    )


def draw(curve: Curve, mark: tuple[float, float] | None = None, title: str = "") -> str:
    """An `<svg>` element. mark: a point to stress, as the one of the threshold."""
    key = list(_key(curve))
    above = KEY * len(key)  # the key stands over the picture, where it hides nothing
    width, height = LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM
    across, up = _axes(curve)

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
        *(
            _line(curve, line, at, CLASSES[min(i, 2)])
            for i, line in reversed(list(enumerate(curve.lines.values())))
        ),
        *key,
        *(_points(curve, at) if curve.dots else ()),
        _dot(mark, at),
        (
            f'<text class="axis" x="{LEFT + SIDE / 2:g}" y="{height - 6}"'
            f' text-anchor="middle">{_shown(curve.x_name)}</text>'
        ),
        f'<text class="axis" transform="{turned}" text-anchor="middle">{_shown(y_name)}</text>',
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _shown(name: str) -> str:
    """Of a rate in normal deviates, whose ticks are shares, the rate."""
    deviates = "normal deviate of the "
    return escape(f"{name.removeprefix(deviates)} (normal deviates)" if name.startswith(deviates) else name)


def _axes(curve: Curve) -> tuple[Axis, Axis]:
    lines = [*curve.lines.values(), *(curve.band or ())]  # bands of other lines are cut off at the frame
    # of both mistakes alike, so that the diagonal is their equality
    if curve.x_name.startswith("normal deviate"):
        lines = [np.clip(line, -FURTHEST, FURTHEST) for line in curve.band or ()] + [*curve.lines.values()]
        there = np.isfinite(curve.x) & np.isfinite(curve.y)  # a rate of 0 or 1 is not drawn
        both = _axis(curve.x_name, [line[there] for line in (curve.x, *lines)])
        return both, both
    if curve.name == "decision":  # calling everybody positive falls without end
        lines = [np.maximum(line, -LOWEST * max(curve.y.max(initial=0.0), 0.1)) for line in lines]
    return _axis(curve.x_name, [curve.x]), _axis(curve.y_name, lines)


def _axis(name: str, values: Sequence[np.ndarray]) -> Axis:
    """All of 0 to 1 for a rate, shares for normal deviates, else what the finite values need."""
    finite = np.concatenate([line[np.isfinite(line)] for line in values])
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    if name.startswith("normal deviate"):
        return _of_deviates(min(low, -2.0), max(high, 2.0))
    if name.split()[-1] in RATES or (low >= 0 and 0.5 < high <= 1 and name != "score"):
        return Axis(0.0, 1.0, tuple((tick, f"{tick:g}") for tick in UNIT))
    low, high = max(low, -LARGEST), min(high, LARGEST)
    if not high - low > 1e-9 * max(abs(low), abs(high)):
        half = max(0.5, abs(low) * 1e-6)
        low, high = low - half, high + half
    if 0 < low < 0.3 * high:
        low = 0.0
    step = _step(high - low)
    ticks = step * np.arange(floor(low / step + 1e-9), floor(high / step + 1e-6) + 1)
    return Axis(
        low,
        high,
        tuple((float(tick), _written(float(tick), step)) for tick in ticks if tick >= low - step * 1e-9),
    )


def _step(span: float) -> float:
    """1, 2 or 5 times a power of ten, so that there are some ticks, but not many."""
    size = 10.0 ** floor(log10(span / FEWEST_TICKS))
    return max(
        (size * factor for factor in (1, 2, 5) if span / (size * factor) >= FEWEST_TICKS), default=size
    )


def _written(value: float, step: float) -> str:
    """With as many digits as tell it from the next one."""
    if step <= 1e-5 or abs(value) >= 1e13:
        return f"{value:.6g}" if abs(value) > step / 2 else "0"
    return f"{value + 0.0:,.{max(0, -floor(log10(step) + 1e-9))}f}"


def _of_deviates(low: float, high: float) -> Axis:
    """Ticks at as many rates as have room: 50 %, both ends, then the others by importance."""
    ticks: list[tuple[float, str]] = []
    inside = [(place, text) for place, text in _shares() if low - ROUNDING <= place <= high + ROUNDING]
    for place, text in [inside[0], min(inside), max(inside), *inside]:
        if all(
            SIDE * abs(place - at) / (high - low) >= CHARACTER * (len(text) + len(other)) / 2 + APART
            for at, other in ticks
        ):
            ticks.append((place, text))
    return Axis(low, high, tuple(sorted(ticks)))


def _shares() -> Iterator[tuple[float, str]]:
    """Rates as normal deviates with their texts, in the order of their importance."""
    yield 0.0, "50%"
    powers = [(10.0**-k, k - 2) for k in (*range(2, SMALLEST_SHARE + 1, 2), *range(3, SMALLEST_SHARE + 1, 2))]
    for share, decimals in [powers[0], (0.2, 0), *powers[1:], (0.05, 0)]:
        place = NormalDist().inv_cdf(share)
        yield place, f"{100 * share:.{decimals}f}%"
        yield -place, f"{100 * (1 - share):.{decimals}f}%"


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
    path = _run(*at(np.append(x, x[::-1]), np.append(low, high[::-1])), step=False) if len(x) else ""
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


def _run(x: np.ndarray, y: np.ndarray, step: bool) -> str:
    """Of points without a gap; a single one as a dot, which a round cap makes of a line without length."""
    x, y = (np.rint(10 * places).astype(int) for places in (x, y))
    moved = np.ones(len(x), bool)
    moved[1:] = (np.diff(x) != 0) | (np.diff(y) != 0)
    points = [f"{a / 10:g},{b / 10:g}" for a, b in zip(x[moved].tolist(), y[moved].tolist(), strict=True)]
    if len(points) == 1:
        return f"M{points[0]}h0"
    if not step:
        return "M" + "L".join(points)
    # As steps: each precision holds back to the recall before it.
    pairs = [point.split(",") for point in points]
    return f"M{points[0]}" + "".join(f"V{y}H{x}" for x, y in pairs[1:])
