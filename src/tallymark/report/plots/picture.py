"""What a figure shows, as plain values, before any library draws it: pictures of panels of layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...curves.curve import Step
from ..axes import Axis

Place = Literal["best", "lower right", "lower left", "upper right", "upper left", "right of it", "below it"]
POINTS = 4_000  # of a line; of more, those on one place of a fine grid are one
GRID = 3_000  # places of an axis
OUTSIDE = -0.5, 1.5  # places beyond these are not distinguished


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line. look: the number of its series, None for a reference; second: of several lines of a series."""

    x: np.ndarray
    y: np.ndarray
    label: str = ""
    look: int | None = None
    second: int = 0
    step: Step = ""


@dataclass(frozen=True, slots=True, eq=False)
class Area:
    """The area between two heights. alone: whether it belongs to the only series, or overlaps others."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    label: str = ""
    look: int | None = None
    step: Step = ""
    hatch: str = ""
    alone: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Dots:
    """Points, with intervals of y where `low` and `high` are given, or of x with `across`.

    many: whether they overlap, so that each is drawn small and faint.
    """

    x: np.ndarray
    y: np.ndarray
    label: str = ""
    look: int | None = None
    shape: str = "o"
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    across: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line over the whole panel, upright or level. second: with dashes of another kind."""

    value: float
    label: str = ""
    look: int | None = None
    upright: bool = True
    dashed: bool = True
    second: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """A distance between two heights at one place, as that of two lines."""

    x: float
    low: float
    high: float
    label: str = ""
    look: int | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A range of x over the whole height, as the interval of a threshold."""

    low: float
    high: float
    label: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """A histogram: heights between edges, from 0; downwards where `down`."""

    edges: np.ndarray
    heights: np.ndarray
    label: str = ""
    look: int | None = None
    hatch: str = ""
    down: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A matrix of shares as colours, with a text in each cell where there is room; NaN is left white.

    labels: of the rows, and of the columns where `across` does not name these.
    """

    shares: np.ndarray
    texts: tuple[tuple[str, ...], ...] | None
    labels: tuple[str, ...]
    bar: str
    across: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """A text at the right end of each row."""

    y: np.ndarray
    words: tuple[str, ...]


Labelled = Line | Area | Dots | Rule | Span | Stretch | Bars
Layer = Line | Area | Dots | Rule | Span | Stretch | Bars | Cells | Texts


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One pair of axes.

    rows: names of the places 0, 1, ... on the upright axis, from the top; square: whether both axes have one
    scale; key: where the legend is, None for no legend; below: a narrow panel with the same x axis.
    """

    layers: tuple[Layer, ...]
    x_name: str
    y_name: str
    across: Axis | None = None
    up: Axis | None = None
    title: str = ""
    rows: tuple[str, ...] = ()
    square: bool = False
    key: Place | None = "best"
    below: Panel | None = None

    @property
    def named(self) -> tuple[Labelled, ...]:
        """The layers that the legend names."""
        every = (one for one in self.layers if isinstance(one, Labelled))
        return tuple(one for one in every if one.label)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A figure: its panels in a row or a grid, its title, and the facts below the title."""

    kind: str
    panels: tuple[Panel, ...]
    title: str
    facts: tuple[str, ...] = ()
    shared: bool = False  # whether the panels have the same rows, whose names the first one shows

    @property
    def heading(self) -> str:
        """The title with the facts below it."""
        return "\n".join((self.title, *self.facts))


def thinned(
    x: np.ndarray, heights: Sequence[np.ndarray], across: Axis, up: Axis
) -> tuple[np.ndarray, list[np.ndarray]]:
    """The points of a line, or an area, without those that lie on the place of their neighbour."""
    if len(x) <= POINTS:
        return x, list(heights)
    places = [_place(x, across), *(_place(one, up) for one in heights)]
    moved = np.any([one[1:] != one[:-1] for one in places], axis=0)
    kept = np.append(True, moved) | np.append(moved, True)  # both ends of each step
    return x[kept], [one[kept] for one in heights]


def _place(values: np.ndarray, axis: Axis) -> Any:
    with np.errstate(invalid="ignore"):
        places = np.clip(axis.place(values), *OUTSIDE)
    return np.rint(GRID * np.nan_to_num(places, nan=3 * OUTSIDE[1]))
