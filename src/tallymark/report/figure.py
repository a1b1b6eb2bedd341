"""A figure as plain values: axes, series with bands, cells; every way of drawing it reads these alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from ..curves import Curve
from ..curves.curve import Step

UNIT = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
# rates on an axis of normal deviates, the most important ones first
SHARES = (
    "50%", "1%", "99%", "20%", "80%", "0.01%", "99.99%", "0.0001%", "99.9999%", "0.000001%", "99.999999%",
    "0.1%", "99.9%", "0.001%", "99.999%", "0.00001%", "99.99999%", "0.0000001%", "99.9999999%", "5%", "95%",
)  # fmt: skip
SIDE, CHARACTER, APART = 320, 7.6, 4  # pixels: of an axis, of a character, between two ticks
ROUNDING = 1e-9  # of a deviate
FURTHEST = 3.2  # normal deviate that a band is followed to: a rate of 0.07 %
FEWEST_TICKS = 4
# axes that show all of 0 to 1
RATES = ("rate", "probability", "recall", "precision", "specificity", "sensitivity")
LARGEST = 1e300  # that is drawn
DIFFERENCE = "decision_difference"
LOWEST = 0.5  # of a decision curve: net benefits this share of the highest below 0
DEVIATE = "normal deviate"
POINTS = 4_000  # of a line; of more, those on one place of a fine grid are one
GRID = 3_000  # places of an axis
OUTSIDE = -0.5, 1.5  # places beyond these are not distinguished

Kind = Literal["line", "points", "cloud", "bars", "area", "grid", "upright", "level", "span"]


@dataclass(frozen=True, slots=True)
class Axis:
    """From where to where, the ticks with their texts, and the title.

    fixed: whether the ticks are part of the data, as rates at normal deviates.
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    title: str = ""
    fixed: bool = False

    def place(self, value: Any) -> Any:
        """As a share of the way."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """What is drawn in one colour and stands once in the legend.

    kind: "line" with its band from `low` to `high`; "points" with intervals from `low` to `high`, of x where
    `across`; "cloud", points that overlap; "bars" between the edges x, as high as y; "area" from `low` to
    `high`; "grid", counts `low` between the edges x and y; "upright" and "level", lines over the whole figure
    at x or y; "span", a stretch of y at x, or of x over the whole height where `across`.
    name, measure, value, short: in the legend: of what, its measure with the value, and these in a few
    characters; rank: the place among others, the least first.
    look: the number of the colour, or a word for it; None for a reference. dash: of several lines of a look.
    key: by which a script finds it.
    """

    kind: Kind
    x: Any = ()
    y: Any = ()
    low: Any = None
    high: Any = None
    name: str = ""
    measure: str = ""
    value: str = ""
    short: str = ""
    rank: float = 0.0
    look: int | str | None = None
    dash: int = 0
    step: Step = ""
    shape: str = ""
    across: bool = False
    key: str = ""

    @property
    def label(self) -> str:
        """The name with the measure."""
        return ": ".join(filter(None, (self.name, f"{self.measure} {self.value}".strip())))


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A matrix as colours: shares from 0 to 1, NaN left white, with the numbers that they are of.

    percent: whether the share stands below the number.
    """

    shares: np.ndarray
    numbers: np.ndarray | None
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    title: str
    percent: bool = True

    def text(self, row: int, column: int) -> str:
        """The number, and below it the share; an empty cell of many classes is empty."""
        assert self.numbers is not None
        number, share = float(self.numbers[row, column]), float(self.shares[row, column])
        if len(self.rows) > 2 and not number:
            return ""
        written = f"{number:,.6g}" if number >= 1 or number == 0 else f"{number:.3g}"
        return f"{written}\n{100 * share:.1f}%" if self.percent and share == share else written


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """One pair of axes.

    title and facts: of the whole; panel: what this one is of, where several stand side by side; band: what
    bands are; rows: the names of the places 0, 1, ... on the upright axis, from the top, which may have texts
    at their right ends; square: whether both axes have one scale; below: a narrow figure with the same x
    axis. Lines and areas of many points are thinned.
    """

    name: str
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    facts: tuple[str, ...] = ()
    panel: str = ""
    band: str = ""
    rows: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    cells: Cells | None = None
    square: bool = False
    below: Figure | None = None

    def __post_init__(self) -> None:
        lean = tuple(_thinned(one, self.x, self.y) for one in self.series)
        object.__setattr__(self, "series", lean)

    @property
    def heading(self) -> str:
        """The title with the facts below it."""
        return "\n".join((self.title, *self.facts))

    def of(self, kind: Kind) -> list[Series]:
        """The series of this kind."""
        return [one for one in self.series if one.kind == kind]

    @property
    def named(self) -> list[Series]:
        """Those that the legend names."""
        return [one for one in self.series if one.label]


def _thinned(one: Series, across: Axis, up: Axis) -> Series:
    """A line or an area, of many points without those on the place of their neighbour on a fine grid."""
    if one.kind not in ("line", "area") or len(one.x) <= POINTS:
        return one
    heights = {name: getattr(one, name) for name in ("y", "low", "high")}
    heights = {name: values for name, values in heights.items() if values is not None and len(values)}
    with np.errstate(invalid="ignore"):
        shares = np.clip([across.place(one.x), *map(up.place, heights.values())], *OUTSIDE)
    places = np.rint(GRID * np.nan_to_num(shares, nan=3 * OUTSIDE[1]))
    moved = (places[:, 1:] != places[:, :-1]).any(axis=0)
    kept = np.append(True, moved) | np.append(moved, True)  # both ends of each step
    return replace(one, x=one.x[kept], **{name: values[kept] for name, values in heights.items()})


# Axes
# --------------------------------------------------------------------------------------------------


def shown_name(name: str) -> str:
    """Of a rate in normal deviates, whose ticks are shares, the rate."""
    deviates = f"{DEVIATE} of the "
    return f"{name.removeprefix(deviates)} (normal deviates)" if name.startswith(deviates) else name


def axes_of(*curves: Curve) -> tuple[Axis, Axis]:
    """Of all lines of these curves of one name, and of their bands; bands of other lines are cut off."""
    names = curves[0].x_name, curves[0].y_name
    lines = [line for curve in curves for line in _heights(curve)]
    if names[0].startswith(DEVIATE):
        both = axis_of(
            names[0], [*(one.x[np.isfinite(one.x) & np.isfinite(one.y)] for one in curves), *lines]
        )
        return both, both  # of both mistakes alike, so that the diagonal is their equality
    upright = "difference" if curves[0].name == DIFFERENCE else names[1]  # its name ends with that of a model
    return axis_of(names[0], [one.x for one in curves]), axis_of(upright, lines)


def _heights(curve: Curve) -> list[np.ndarray]:
    lines, band = [*curve.lines.values()], [*(curve.band or ())]
    if curve.x_name.startswith(DEVIATE):  # a rate of 0 or 1 is not drawn
        followed = [np.where(np.abs(one) < FURTHEST, one, np.nan) for one in band]
        return [one[np.isfinite(curve.x) & np.isfinite(curve.y)] for one in (*followed, *lines)]
    if curve.name == "decision":  # calling everybody positive falls without end
        lowest = -LOWEST * max(curve.y.max(initial=0.0), 0.1)
        return [np.maximum(line, lowest) for line in (*lines, *band)]
    if curve.name == DIFFERENCE:  # at high thresholds a band has no end
        return [1.5 * curve.y, -0.5 * curve.y]
    return [*lines, *band]


def axis_of(name: str, values: Sequence[np.ndarray], title: str | None = None, room: float = 0.0) -> Axis:
    """All of 0 to 1 for a rate, shares for normal deviates, else what the finite values need.

    room: a share of the span, next to the outermost of these.
    """
    title = shown_name(name) if title is None else title
    finite = np.concatenate([line[np.isfinite(line)] for line in values])
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    if name.startswith(DEVIATE):  # to a rate of one half, where a curve ends below
        return _of_deviates(min(low, -2.0), max(high, 0.0), title)
    rate = name.split()[-1:] and name.split()[-1] in RATES
    if not room and (rate or (low >= 0 and 0.5 < high <= 1 and name != "score")):
        return Axis(0.0, 1.0, tuple((tick, f"{tick:g}") for tick in UNIT), title)
    low, high = (min(max(end, -LARGEST), LARGEST) for end in (low, high))
    if not high - low > 1e-9 * max(abs(low), abs(high)):
        half = max(0.5, abs(low) * 1e-6)
        low, high = low - half, high + half
    if 0 < low < 0.3 * high and not room:
        low = 0.0
    low, high = low - room * (high - low), high + room * (high - low)
    # 1, 2 or 5 times a power of ten, so that there are some ticks, but not many
    size = 10.0 ** floor(log10((high - low) / FEWEST_TICKS))
    step = max((size * k for k in (1, 2, 5) if (high - low) / (size * k) >= FEWEST_TICKS), default=size)
    places = step * np.arange(ceil(low / step - 1e-9), floor(high / step + 1e-6) + 1)
    return Axis(low, high, tuple((place, _written(place, step)) for place in places.tolist()), title)


def _written(value: float, step: float) -> str:
    """With as many digits as tell it from the next one."""
    if step <= 1e-5 or abs(value) >= 1e13:
        return f"{value:.6g}" if abs(value) > step / 2 else "0"
    if abs(value - round(value)) < step / 2:
        return f"{round(value):,}"
    return f"{value + 0.0:,.{max(0, -floor(log10(step) + 1e-9))}f}"


def _of_deviates(low: float, high: float, title: str) -> Axis:
    """Ticks at as many rates as have room: 50 %, both ends, then the others by importance."""
    every = [(NormalDist().inv_cdf(float(text[:-1]) / 100), text) for text in SHARES]
    inside = [(place, text) for place, text in every if low - ROUNDING <= place <= high + ROUNDING]
    ticks: list[tuple[float, str]] = []
    for place, text in [inside[0], min(inside), max(inside), *inside]:
        if all(
            SIDE * abs(place - at) / (high - low) >= CHARACTER * (len(text) + len(other)) / 2 + APART
            for at, other in ticks
        ):
            ticks.append((place, text))
    return Axis(low, high, tuple(sorted(ticks)), title, fixed=True)
