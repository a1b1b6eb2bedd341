"""Draws a picture with matplotlib: one function per kind of layer."""

from __future__ import annotations

from functools import singledispatch
from itertools import chain
from math import ceil
from typing import Any

import numpy as np

from ...input.validate import InputError
from . import style
from .display import Display
from .loading import load
from .picture import (
    Area,
    Bars,
    Cells,
    Dots,
    Labelled,
    Layer,
    Line,
    Panel,
    Picture,
    Place,
    Rule,
    Span,
    Stretch,
    Texts,
)

MARGIN = 0.015  # of the span of an axis, so that lines on its ends are whole
WIDE, HIGH, SQUARE = 6.2, 4.6, 5.4  # inches
ROW_HIGH, LEAST_ROWS = 0.3, 6  # inches of a row of a forest
CELL, LEAST_CELLS = 0.42, 8  # inches of a cell of a matrix
ABREAST = 3  # panels of a grid
ASIDE, BELOW = "right of it", "below it"  # a legend
NARROW = 4  # intervals between the ticks of a panel of several in a row
UNDER = 0.5  # inches of a legend below the axes
PER_INCH, HANDLE = 13, 8  # characters of a legend
SMALL = "small"
FEW = 1_000  # points that are drawn larger
DARK = 0.55  # share from which the text of a cell is white
PLAIN = {"parse_math": False, "usetex": False}  # of texts with names, which are data: $ is a character


def drawn(picture: Picture, ax: Any = None) -> Display:
    """The picture on these axes, or on a new figure. Raises InputError where one pair of axes is too few."""
    if ax is not None:
        return _on(ax, picture)
    figure, axes = _new(picture)
    many = len(picture.panels) > 1
    for one, panel in zip(axes, picture.panels, strict=True):
        _panel(one, panel, panel.title if many else picture.heading, alone=not many)
    if many:
        figure.suptitle(picture.heading, x=0.01, ha="left", fontsize="medium", **PLAIN)
    return Display(axes[0], tuple(axes), figure, picture)


def _on(ax: Any, picture: Picture) -> Display:
    if len(picture.panels) > 1:
        raise InputError(
            "unsupported",
            "ax",
            f"{picture.kind!r} has {len(picture.panels)} panels here",
            "leave it out for a figure of its own, or draw one evaluation",
        )
    if not hasattr(ax, "get_figure"):
        raise InputError("invalid-value", "ax", "it is not an Axes of matplotlib", "as from plt.subplots()")
    _panel(ax, picture.panels[0], picture.heading)
    return Display(ax, (ax,), ax.get_figure(), picture)


def _new(picture: Picture) -> tuple[Any, list[Any]]:
    """A figure with an empty pair of axes for each panel."""
    number = len(picture.panels)
    across = number if picture.shared else min(number, ABREAST)
    down = ceil(number / across)
    wide, high = map(max, zip(*map(_size, picture.panels), strict=True))
    if picture.shared:
        wide = max(WIDE * 1.6 / number, 2.2)
    elif number > 1:
        wide, high = 0.75 * wide, 0.75 * high
    figure, axes = load().subplots(
        down, across, figsize=(across * wide, down * high + 0.3), squeeze=False, sharey=picture.shared,
        layout="tight",
    )  # fmt: skip
    for spare in axes.flat[number:]:
        spare.remove()
    return figure, list(axes.flat[:number])


def _size(panel: Panel) -> tuple[float, float]:
    """Inches."""
    matrix = next((one for one in panel.layers if isinstance(one, Cells)), None)
    if matrix is not None:
        side = CELL * max(len(matrix.labels), LEAST_CELLS) + 1
        return side + 1, side
    if panel.rows:
        return WIDE, ROW_HIGH * max(len(panel.rows), LEAST_ROWS) + 1
    wide = 3.0 if panel.key == ASIDE else 0.0
    high = 0.2 * ceil(len(panel.named) / ABREAST) + 0.3 if panel.key == BELOW else 0.0
    if panel.square:
        return SQUARE + wide, SQUARE + high
    return WIDE + wide, HIGH + high + (panel.below is not None)


# A panel
# --------------------------------------------------------------------------------------------------


def _panel(ax: Any, panel: Panel, heading: str, alone: bool = True) -> None:
    ax.set_axisbelow(True)
    matrix = next((one for one in panel.layers if isinstance(one, Cells)), None)
    if matrix is None:
        ax.grid(color=style.FAINT, linewidth=0.8)
    for layer in panel.layers:
        draw(layer, ax)
    if matrix is not None and (alone or matrix.texts is None):
        bar = ax.get_figure().colorbar(ax.images[-1], ax=ax, fraction=0.046, pad=0.04)
        bar.set_label(matrix.bar, **PLAIN)
    _axes(ax, panel, alone)
    ax.set_title(heading, loc="left", fontsize="medium", **PLAIN)
    strip = None if panel.below is None else _strip(ax, panel.below)
    if panel.key is not None and panel.named:
        _key(ax, panel.key, strip)


def _axes(ax: Any, panel: Panel, alone: bool) -> None:
    ax.set_xlabel(panel.x_name, **PLAIN)
    ax.set_ylabel(panel.y_name, **PLAIN)
    for axis, one in (("x", panel.across), ("y", panel.up)):
        if one is not None:
            span = MARGIN * (one.high - one.low)
            getattr(ax, f"set_{axis}lim")(one.low - span, one.high + span)
            if one.ticks and one.ticks[0][1].endswith("%"):  # of normal deviates
                getattr(ax, f"set_{axis}ticks")([at for at, _ in one.ticks], [text for _, text in one.ticks])
    if panel.rows:
        ax.set_yticks(range(len(panel.rows)), panel.rows, **PLAIN)
        ax.set_ylim(len(panel.rows) - 0.5, -0.5)
        ax.grid(visible=False, axis="y")
        if not alone:
            ax.locator_params(axis="x", nbins=NARROW)
    if panel.square:
        ax.set_aspect("equal", adjustable="box")


def _key(ax: Any, key: Place, strip: Any) -> None:
    """The legend, with what the strip shows."""
    found = [one.get_legend_handles_labels() for one in (ax, strip) if one is not None]
    pieces, labels = ([*chain(*parts)] for parts in zip(*found, strict=True))
    legend = ax.legend(
        pieces, labels, fontsize=SMALL, framealpha=0.85, handlelength=3.2, **_placed(ax, key, labels)
    )
    for one in legend.get_texts():
        one.update(PLAIN)


def _placed(ax: Any, key: Place, labels: list[str]) -> dict[str, Any]:
    """The arguments of the legend at this place."""
    if key == ASIDE:
        return {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0)}
    if key != BELOW:
        return {"loc": key}
    figure = ax.get_figure()
    lower = load("matplotlib.transforms").ScaledTranslation(0, -UNDER, figure.dpi_scale_trans)
    return {
        "loc": "upper left", "bbox_to_anchor": (0.0, 0.0), "bbox_transform": ax.transAxes + lower,
        "borderaxespad": 0, "ncols": _abreast(labels, figure.get_size_inches()[0]),
    }  # fmt: skip


def _abreast(labels: list[str], wide: float) -> int:
    """The columns of a legend for which there is room."""
    for across in range(ABREAST, 1, -1):
        columns = np.array_split([len(one) + HANDLE for one in labels], min(across, len(labels)))
        if sum(column.max() for column in columns) <= PER_INCH * wide:
            return across
    return 1


def _strip(ax: Any, panel: Panel) -> Any:
    """A narrow panel below, with the x axis of the one above."""
    below = load("mpl_toolkits.axes_grid1").make_axes_locatable(ax)
    strip = below.append_axes("bottom", size="22%", pad=0.12, sharex=ax)
    ax.tick_params(labelbottom=False)
    ax.set_xlabel("")
    _panel(strip, panel, "")
    strip.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.6g}")  # those downwards are numbers, too
    return strip


# The layers
# --------------------------------------------------------------------------------------------------


@singledispatch
def draw(layer: Layer, ax: Any) -> None:
    """One layer on the axes."""
    raise NotImplementedError(type(layer).__name__)


@draw.register
def _(layer: Line, ax: Any) -> None:
    x, y = (np.where(np.isfinite(values), values, np.nan) for values in (layer.x, layer.y))
    ax.plot(
        x, y, label=_label(layer), color=style.colour(layer.look),
        linestyle=style.dash(layer.look, layer.second), linewidth=1.2 if layer.look is None else 1.8,
        drawstyle=f"steps-{layer.step}" if layer.step else "default",
        marker="o" if np.count_nonzero(np.isfinite(x + y)) == 1 else None, markersize=4,
        zorder=2 if layer.look is None else 3,
    )  # fmt: skip


@draw.register
def _(layer: Area, ax: Any) -> None:
    limits = np.finfo(float).max / 1e10
    low, high = (np.clip(one, -limits, limits) for one in (layer.low, layer.high))
    colour, step = style.colour(layer.look), layer.step
    ax.fill_between(
        layer.x, low, high, label=_label(layer), alpha=0.18 if layer.alone else 0.1, color=colour,
        linewidth=0, hatch=layer.hatch or None, step=step or None, zorder=1.5,
    )  # fmt: skip
    for end in () if layer.alone else (layer.low, layer.high):  # edges, as areas that overlap look alike
        ax.plot(
            layer.x, np.where(np.isfinite(end), end, np.nan), label="_", color=colour, alpha=0.5,
            linestyle=style.dash(layer.look), drawstyle=f"steps-{step}" if step else "default",
            linewidth=0.7, zorder=1.6,
        )  # fmt: skip


@draw.register
def _(layer: Dots, ax: Any) -> None:
    colour, ends = style.colour(layer.look), {}
    if layer.low is not None and layer.high is not None:
        at = layer.x if layer.across else layer.y
        ends["xerr" if layer.across else "yerr"] = np.maximum([at - layer.low, layer.high - at], 0)
    size, faint = (3.5 if len(layer.x) <= FEW else 2.5, 0.4) if layer.many else (6, 1.0)
    ax.errorbar(
        layer.x, layer.y, **ends, label=_label(layer), fmt=layer.shape, color=colour, markersize=size,
        alpha=faint, capsize=2.5, elinewidth=1.4, zorder=4,
        markeredgecolor=colour if layer.many else "white", markeredgewidth=0 if layer.many else 0.7,
        rasterized=layer.many,
    )  # fmt: skip


@draw.register
def _(layer: Rule, ax: Any) -> None:
    put = ax.axvline if layer.upright else ax.axhline
    dashes = style.RULES[layer.second % 2] if layer.dashed else "-"
    colour = style.colour(layer.look)
    put(layer.value, label=_label(layer), color=colour, linestyle=dashes, linewidth=1.2, zorder=2.5)


@draw.register
def _(layer: Span, ax: Any) -> None:
    ax.plot(
        [layer.x, layer.x], [layer.low, layer.high], label=_label(layer), linewidth=2.2,
        color=style.colour(layer.look), marker="_", markersize=9, markeredgewidth=2.2, zorder=4,
    )  # fmt: skip


@draw.register
def _(layer: Stretch, ax: Any) -> None:
    ax.axvspan(layer.low, layer.high, label=_label(layer), color=style.GREY, alpha=0.15, linewidth=0)


@draw.register
def _(layer: Bars, ax: Any) -> None:
    heights = -layer.heights if layer.down else layer.heights
    colour = style.colour(layer.look)
    ax.stairs(
        heights, layer.edges, label=_label(layer), fill=True, facecolor=f"{colour}55",
        edgecolor=colour, linewidth=1.2, hatch=layer.hatch or None, zorder=2,
    )  # fmt: skip


@draw.register
def _(layer: Texts, ax: Any) -> None:
    for at, words in zip(layer.y, layer.words, strict=True):
        ax.annotate(
            words, (1.02, at), xycoords=("axes fraction", "data"), va="center", fontsize=SMALL,
            annotation_clip=False, **PLAIN,
        )  # fmt: skip


@draw.register
def _(layer: Cells, ax: Any) -> None:
    ax.imshow(layer.shares, cmap="Blues", vmin=0, vmax=1)
    across = layer.across or layer.labels
    places, columns = _sparse(len(layer.labels)), _sparse(len(across))
    names = [across[i] for i in columns]
    ax.set_xticks(columns, names, **_turned(names), **PLAIN)
    ax.set_yticks(places, [layer.labels[i] for i in places], **PLAIN)
    for i, row in enumerate(layer.texts or ()):
        for j, words in enumerate(row):
            colour = "white" if layer.shares[i, j] > DARK else "black"
            ax.text(j, i, words, ha="center", va="center", color=colour, fontsize=SMALL, **PLAIN)


def _label(layer: Labelled) -> str:
    """The label for matplotlib, which leaves those that begin with an underscore out of the legend."""
    return f" {layer.label}" if layer.label.startswith("_") else layer.label or "_"


def _sparse(number: int, most: int = 40) -> list[int]:
    """The places that have a label."""
    return list(range(0, number, ceil(number / most)))


def _turned(labels: list[str]) -> dict[str, Any]:
    return {"rotation": 90} if max(map(len, labels), default=0) * len(labels) > 50 else {}
