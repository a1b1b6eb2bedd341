"""Draws figures with matplotlib: on a figure of their own with everything said, or small on given axes.

The colours of own axes are those of Okabe and Ito (2008), Color Universal Design, without the yellow, which
is too light for lines on white; given axes keep their own cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from io import BytesIO
from itertools import chain, cycle
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from ..input.arguments import Legend
from ..input.errors import InputError
from ..input.validate import shown
from . import files
from .figure import Cells, Figure, Series

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = (
    "-", (0, (5, 2)), (0, (5, 1.5, 1, 1.5)), (0, (6, 1.5, 1, 1.5, 1, 1.5)), (0, (7, 1.5, 2.5, 1.5)),
    (0, (1.2, 1.2)),
)  # fmt: skip
OF_REFERENCES: tuple[Any, ...] = ((0, (1.2, 1.2)), (0, (2.5, 3)))  # these lines are thinner, too
SHAPES = ("o", "s", "^", "D", "v", "P", "X")
HATCHES = ("////", "\\\\\\\\", "....", "xx")
GREY, FAINT = "#5c6878", "#dfe4ea"
ENDINGS, DPI = (".png", ".svg", ".pdf"), 150
FIXED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}  # the same bytes on each day
MARGIN = 0.015  # of the span of an axis, so that lines on its ends are whole
WIDE, HIGH, SQUARE = 6.2, 4.6, 5.4  # inches
ROW_HIGH, LEAST_ROWS = 0.3, 6  # inches of a row of a forest
CELL, LEAST_CELLS = 0.42, 8  # inches of a cell of a matrix
ABREAST = 3  # figures of a grid
INSIDE, MOST_BELOW = 200, 8  # of a legend: entries times characters inside the axes, entries below them
SMALL = "small"
FEW = 1_000  # points that are drawn larger
DARK = 0.55  # share from which the text of a cell is white
MOST_BANDS = 2  # lines of one pair of axes with a band
MOST_TEXTS, MOST_NAMES = 15, 40  # classes whose cells have a text, and names beside a matrix
BAND, EDGE = "_band", "_edge"  # the labels of what no legend names
LOW = 0.18  # of the height, for a histogram inside the axes
PLAIN = {"parse_math": False, "usetex": False}  # of texts with names, which are data: $ is a character
# where the curves leave room
PLACES = {
    "roc": "lower right", "roc_hull": "lower right", "pr": "lower left", "pr_interpolated": "lower left",
    "det_linear": "upper right", "roc_points": "lower right",
}  # fmt: skip


def load(module: str = "matplotlib.pyplot") -> Any:
    """A module of matplotlib. Raises InputError where matplotlib is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(
            "not-installed",
            "plot",
            "figures need matplotlib",
            "pip install 'tallymark[plot]'; curves can be saved as .svg without it",
        ) from None


@dataclass(frozen=True, slots=True, eq=False)
class Display:
    """A figure that was drawn, with the names of scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes, or the first of several.
    axes_ : tuple of matplotlib.axes.Axes
        All axes with a figure of their own.
    figure_ : matplotlib.figure.Figure
        The figure that they are in.
    figures : tuple of Figure
        What is drawn on each, as plain values.
    """

    ax_: Any
    axes_: tuple[Any, ...]
    figure_: Any
    figures: tuple[Figure, ...]

    def save(self, path: str | Path, *, dpi: float = DPI) -> None:
        """Write the figure to a .png, .svg or .pdf file; an error leaves no partial file.

        dpi: pixels per inch of a .png. Raises InputError for another ending, and where the file cannot be
        written.
        """
        target = files.check(path, "path", ENDINGS)
        ending = target.suffix.lower()
        picture = BytesIO()
        with load("matplotlib").rc_context({"svg.hashsalt": "tallymark", "pdf.fonttype": 42}):
            self.figure_.savefig(
                picture, format=ending[1:], dpi=dpi, bbox_inches="tight", metadata=FIXED[ending]
            )
        files.write(target, "path", picture.getvalue())

    def __repr__(self) -> str:
        panels = len(self.axes_)
        return f"<Display of {self.figures[0].name}: {panels} panel{'s' * (panels != 1)}>"


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw.

    legend: None for the usual one; color: of the series, or a list of colours; colorbar: of a matrix, None
    for the usual choice; own: whether the axes are the figure's own.
    """

    legend: Legend | bool | None = None
    color: Any = None
    colorbar: bool | None = None
    own: bool = False

    @property
    def full(self) -> bool:
        """Whether the legend says everything."""
        return self.legend == "full" or (self.own and self.legend in (None, True))


def drawn(figures: Sequence[Figure], ax: Any = None, title: str | None = None, **style: Any) -> Display:
    """The figures on these axes, or on a new figure. Raises InputError where one pair of axes is too few."""
    legend = style.get("legend")
    if legend not in (None, True, False, "short", "full"):
        problem = f"{shown(legend)} is not a legend"
        raise InputError(
            "invalid-value", "legend", problem, "'short', 'full', or False for none", value=legend
        )
    first, many = figures[0], len(figures) > 1
    if ax is not None:
        if many and not first.rows:
            raise InputError(
                "unsupported", "ax", f"{first.name!r} has {len(figures)} panels here",
                "leave it out for a figure of its own, or draw one evaluation",
            )  # fmt: skip
        if not hasattr(ax, "get_figure"):
            raise InputError(
                "invalid-value", "ax", "it is not an Axes of matplotlib", "as from plt.subplots()"
            )
        _draw(
            ax, first, Style(**style), first.title if title is None else title
        )  # a forest of the first measure
        return Display(ax, (ax,), ax.get_figure(), (first,))
    figure, axes = _new(figures)
    heading = first.heading if title is None else title
    for one, each in zip(axes, figures, strict=True):
        _draw(one, each, Style(**style, own=True), each.panel if many else heading, single=not many)
    if many:
        figure.suptitle(heading, x=0.01, ha="left", fontsize="medium", **PLAIN)
    return Display(axes[0], tuple(axes), figure, tuple(figures))


def _new(figures: Sequence[Figure]) -> tuple[Any, list[Any]]:
    """A figure with an empty pair of axes for each."""
    number, shared = len(figures), len({one.rows for one in figures}) == 1 and bool(figures[0].rows)
    across = number if shared else min(number, ABREAST)
    down = ceil(number / across)
    wide, high = map(max, zip(*map(_size, figures), strict=True))
    if number > 1:
        wide, high = (max(WIDE * 1.6 / number, 2.2), high) if shared else (0.75 * wide, 0.75 * high)
    figure, axes = load().subplots(
        down, across, figsize=(across * wide, down * high + 0.3), squeeze=False, sharey=shared, layout="tight"
    )
    for spare in axes.flat[number:]:
        spare.remove()
    for one in axes.flat[:number]:
        one.set_prop_cycle(color=COLOURS)
    return figure, list(axes.flat[:number])


def _size(figure: Figure) -> tuple[float, float]:
    """Inches."""
    if figure.cells is not None:
        side = CELL * max(*figure.cells.shares.shape, LEAST_CELLS) + 1
        return side + 1, side
    if figure.rows:
        return WIDE, ROW_HIGH * max(len(figure.rows), LEAST_ROWS) + 1
    place = _place(figure.name, [one.label for one in figure.named])
    wide, high = 3.0 * (place == "right"), (0.2 * len(figure.named) + 0.3) * (place == "below")
    if figure.square:
        return SQUARE + wide, SQUARE + high
    return WIDE + wide, HIGH + high + (figure.below is not None)


# A figure on its axes
# --------------------------------------------------------------------------------------------------


def _draw(ax: Any, figure: Figure, how: Style, title: str, single: bool = True) -> None:
    colours, fresh = _colours(ax, figure, how.color), not ax.has_data()
    bands = 0 if how.own else sum(one.get_label() == BAND for one in ax.collections)
    after = 0 if fresh else sum(not one.get_label().startswith("_") for one in ax.lines)
    if figure.cells is not None:
        usual = how.own and (single or figure.cells.numbers is None)
        _cells(ax, figure.cells, usual if how.colorbar is None else how.colorbar)
    elif how.own:
        ax.set_axisbelow(True)
        ax.grid(color=FAINT, linewidth=0.8)
    for one in figure.series:
        plain = replace(one, low=None, high=None) if one.kind == "line" and bands >= MOST_BANDS else one
        _series(ax, figure, plain, _label(one, how.full), colours.get(one.look, GREY), after)
    _once(ax)
    below = None if figure.below is None or not fresh else _below(ax, figure.below, how)
    _scales(ax, figure, fresh, narrow=how.own and not single)
    for at, words in enumerate(figure.beside if how.own and single else ()):
        ax.annotate(
            words, (1.02, at), xycoords=("axes fraction", "data"), va="center", fontsize=SMALL,
            annotation_clip=False, **PLAIN,
        )  # fmt: skip
    if how.own or title:
        ax.set_title(title, loc="left" if how.own else "center", fontsize="medium", **PLAIN)
    if how.legend is not False:
        _legend(ax, figure, how, below)


def _colours(ax: Any, figure: Figure, given: Any) -> dict[Any, Any]:
    """By look, but for references, which have none: those given, or the next ones of the axes' cycle."""
    looks = list(dict.fromkeys(one.look for one in figure.series if one.look is not None))
    if isinstance(given, list) or (isinstance(given, tuple) and isinstance(given[0], str)):
        return dict(zip(looks, cycle(given), strict=False))
    if given is not None:
        return dict.fromkeys(looks, given)
    lines = [ax.plot([], [])[0] for _ in looks]
    for line in lines:
        line.remove()
    return {look: line.get_color() for look, line in zip(looks, lines, strict=True)}


def _label(series: Series, full: bool) -> str:
    """For the legend; matplotlib leaves out those that begin with an underscore."""
    if not full and series.look is None:
        return "_"
    both = f"{series.name} ({series.short})" if series.name and series.short else series.name or series.short
    label = series.label if full else both
    return f" {label}" if label.startswith("_") else label or "_"


def _once(ax: Any) -> None:
    """Without references that are there already, as from an overlaid figure."""
    known = set()
    for line in [one for one in ax.lines if one.get_color() == GREY]:
        place = line.get_xydata().tobytes()
        if place in known:
            line.remove()
        known.add(place)


def _scales(ax: Any, figure: Figure, fresh: bool, narrow: bool) -> None:
    ax.set_xlabel(figure.x.title, **PLAIN)
    ax.set_ylabel(figure.y.title, **PLAIN)
    for name, one in (("x", figure.x), ("y", figure.y)) if figure.cells is None else ():
        span = MARGIN * (one.high - one.low) if one.high > one.low else 0
        ends = one.low - span, one.high + span
        if not fresh and one.high > one.low:
            old = getattr(ax, f"get_{name}lim")()
            ends = min(ends[0], *old), max(ends[1], *old)
        getattr(ax, f"set_{name}lim")(*ends)
        if one.fixed:
            getattr(ax, f"set_{name}ticks")([at for at, _ in one.ticks], [text for _, text in one.ticks])
    if figure.rows:
        ax.set_yticks(range(len(figure.rows)), figure.rows, **PLAIN)
        ax.grid(visible=False, axis="y")
        if narrow:
            ax.locator_params(axis="x", nbins=4)
    if figure.square:
        ax.set_aspect("equal", adjustable="box")


def _place(name: str, labels: Sequence[str]) -> str:
    """Of a full legend: inside where there is room, else below the axes, right of them where it is long."""
    if len(labels) > MOST_BELOW:
        return "right"
    return PLACES.get(name, "best") if len(labels) * max(map(len, labels), default=0) <= INSIDE else "below"


def _legend(ax: Any, figure: Figure, how: Style, below: Any) -> None:
    """The legend, with what the strip below shows, and what the bands are."""
    found = [one.get_legend_handles_labels() for one in (ax, below) if one is not None]
    pieces, labels = ([*chain(*parts)] for parts in zip(*found, strict=True))
    if figure.band and how.full:
        pieces.append(load("matplotlib.patches").Patch(color=GREY, alpha=0.3))
        labels.append(figure.band)
    if not labels:
        return
    where = _place(figure.name, labels) if how.own and how.full else PLACES.get(figure.name, "best")
    outside: dict[str, dict[str, Any]] = {
        "right": {"bbox_to_anchor": (1.02, 1.0)},
        "below": {"bbox_to_anchor": (0.0, -0.42 if below else -0.12), "borderaxespad": 0},
    }
    place = {"loc": "upper left", **outside[where]} if where in outside else {"loc": where}
    legend = ax.legend(pieces, labels, fontsize=SMALL, framealpha=0.85, handlelength=2.4, **place)
    for one in legend.get_texts():
        one.update(PLAIN)


def _below(ax: Any, figure: Figure, how: Style) -> Any:
    """Of own axes a narrow figure below; of given axes its bars inside, from the lower edge."""
    if how.own:
        maker = load("mpl_toolkits.axes_grid1").make_axes_locatable(ax)
        strip = maker.append_axes("bottom", size="22%", pad=0.12, sharex=ax)
        strip.set_prop_cycle(color=COLOURS)
        ax.tick_params(labelbottom=False)
        _draw(strip, figure, replace(how, legend=False), "")
        # those downwards are numbers, too
        strip.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.6g}")
        return strip
    inside = ax.inset_axes([0, 0, 1, LOW], zorder=0.5)
    bars = figure.of("bars")
    inside.stairs(sum(np.abs(one.y) for one in bars), bars[0].x, fill=True, color=GREY, alpha=0.3)
    inside.set_xlim(ax.get_xlim())
    inside.set_axis_off()
    return None


# The series
# --------------------------------------------------------------------------------------------------


def _series(ax: Any, figure: Figure, one: Series, label: str, colour: Any, after: int) -> None:
    """One series on the axes. after: the labelled lines there before."""
    look = one.look if isinstance(one.look, int) else 0
    dash = OF_REFERENCES[one.dash % 2] if one.look is None else DASHES[
        (look + after + one.dash * len(DASHES) // 2 + one.dash // 2) % len(DASHES)
    ]  # fmt: skip
    steps = f"steps-{one.step}" if one.step else "default"
    if one.kind in ("line", "area") and one.low is not None:
        alone = len([line for line in figure.of("line") if line.look is not None]) == 1
        end = np.finfo(float).max / 1e10
        low, high = (np.clip(bound, -end, end) for bound in (one.low, one.high))
        ax.fill_between(
            one.x, low, high, label=label if one.kind == "area" and not len(one.y) else BAND, color=colour,
            alpha=0.18 if alone else 0.1, linewidth=0, step=one.step or None, zorder=1.5,
        )  # fmt: skip
        for bound in () if alone or one.kind == "area" else (low, high):  # areas that overlap look alike
            ax.plot(
                one.x, bound, label=EDGE, color=colour, alpha=0.5, linestyle=dash, drawstyle=steps,
                linewidth=0.7,
            )  # fmt: skip
    if one.kind == "line":
        x, y = (np.where(np.isfinite(values), values, np.nan) for values in (one.x, one.y))
        single = np.count_nonzero(np.isfinite(x + y)) == 1
        ax.plot(
            x, y, label=label, color=colour, linestyle=dash, linewidth=1.2 if one.look is None else 1.8,
            drawstyle=steps, marker="o" if single else None, markersize=4,
            zorder=2 if one.look is None else 3,
        )  # fmt: skip
    elif one.kind == "points":
        at, ends = one.x if one.across else one.y, {}
        shape = one.shape or SHAPES[(look + after) % len(SHAPES)]
        if one.low is not None:
            ends["xerr" if one.across else "yerr"] = np.maximum([at - one.low, one.high - at], 0)
        ax.errorbar(
            one.x, one.y, **ends, label=label, fmt=shape, color=colour, markersize=6, capsize=2.5,
            elinewidth=1.4, zorder=4, markeredgecolor="white", markeredgewidth=0.7,
        )  # fmt: skip
    elif one.kind == "cloud":
        size = 3.5 if len(one.x) <= FEW else 2.5
        ax.plot(
            one.x, one.y, "o", label=label, color=colour, markersize=size, alpha=0.4, markeredgewidth=0,
            rasterized=True,
        )  # fmt: skip
    elif one.kind == "grid":
        number = np.where(one.low > 0, one.low, np.nan).T
        tiles = load("matplotlib.colors").LinearSegmentedColormap.from_list("", [f"{FAINT}", colour])
        ax.pcolormesh(one.x, one.y, number, cmap=tiles, norm="log", rasterized=True, zorder=1, label="_")
        ax.plot([], [], "s", color=colour, label=label)
    elif one.kind == "bars":
        rgb = load("matplotlib.colors").to_rgb
        ax.stairs(
            one.y, one.x, label=label, fill=True, color=colour, facecolor=(*rgb(colour), 0.33),
            edgecolor=colour, linewidth=1.2, hatch=HATCHES[look % len(HATCHES)], zorder=2,
        )  # fmt: skip
    elif one.kind in ("upright", "level"):
        dashes = DASHES[2 - one.dash] if one.label or one.dash else "-"
        put, at = (ax.axvline, one.x) if one.kind == "upright" else (ax.axhline, one.y)
        put(at, label=label, color=colour, linestyle=dashes, linewidth=1.2, zorder=2.5)
    elif one.kind == "span" and one.across:
        ax.axvspan(one.low, one.high, label=label, color=GREY, alpha=0.15, linewidth=0)
    elif one.kind == "span":
        ax.plot(
            [one.x, one.x], [one.low, one.high], label=label, linewidth=2.2, color=colour, marker="_",
            markersize=9, markeredgewidth=2.2, zorder=4,
        )  # fmt: skip


def _cells(ax: Any, cells: Cells, colorbar: bool) -> None:
    """A matrix as a heat map, with its numbers where there are not too many."""
    image = ax.imshow(cells.shares, cmap="Blues", vmin=0, vmax=1)
    (rows, columns) = (
        range(0, len(names), ceil(len(names) / MOST_NAMES)) for names in (cells.rows, cells.columns)
    )
    turned = max(map(len, cells.columns), default=0) * len(cells.columns) > 50
    ax.set_xticks(columns, [cells.columns[i] for i in columns], rotation=90 if turned else 0, **PLAIN)
    ax.set_yticks(rows, [cells.rows[i] for i in rows], **PLAIN)
    if cells.numbers is not None and len(cells.rows) <= MOST_TEXTS:
        for i, j in np.ndindex(cells.shares.shape):
            dark = cells.shares[i, j] > DARK
            ax.text(
                j, i, cells.text(i, j), ha="center", va="center", color="white" if dark else "black",
                fontsize=SMALL, **PLAIN,
            )  # fmt: skip
    if colorbar:
        ax.get_figure().colorbar(image, ax=ax, fraction=0.046, pad=0.04).set_label(cells.title, **PLAIN)
