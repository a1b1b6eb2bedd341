"""Draws a figure as SVG: without ids and style attributes, so that several stand on a page with a strict CSP.

Colours are classes, `c-0`, `c-1`, ... or `c-pos`, whose `color` the style sheet of a page sets; shapes use
`currentColor`. A script finds the scales in `data-x` and `data-y` of the element ("pixel, pixel, value,
value"), and series by `data-series`, `data-band`, `data-mark` and `data-rule`.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import ceil
from typing import Any

import numpy as np

from .figure import LARGEST, Cells, Figure, Series

WIDTH, HEIGHT = 520, 400
TOP, RIGHT, BOTTOM = 14, 16, 48
CHARACTER, LARGE, NARROW = 7.2, 10, 6  # pixels of a character of a tick or a name; on a phone; in a card
LONGEST_NAME = 170  # pixels beside a forest or a matrix
ROW, KEY = 26, 20  # pixels of a row of a forest, of a line of the legend
LOW = 0.18  # of the height, for a histogram below a curve
MOST_TEXTS, MOST_TIPS, MOST_NAMES = 15, 50, 25  # classes with a text in cells, with tooltips; names beside
LEVELS = 10  # densities of tiles
STYLE = (
    "text{fill:#4c5563;font:13px system-ui,sans-serif}.axis{fill:#16181d}.grid{stroke:#e3e6ea;fill:none}"
    ".curve,.rule,.whisk,.ref{fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round}"
    ".ref,.rule{stroke-width:1.3;stroke-dasharray:4 4}.d-1{stroke-dasharray:8 4}.d-2{stroke-dasharray:2 4}"
    ".number{fill:#16181d}.dark{fill:#fff}.cloud{stroke:currentColor;stroke-width:4;opacity:.45}"
    ".band{fill:currentColor;opacity:.14}.point,.mark,.cell{fill:currentColor}.bar{fill:currentColor;opacity:.35}"
    ".c-ref{color:#5c6878}.c-0{color:#0072b2}.c-1{color:#d55e00}.c-2{color:#009e73}.c-3{color:#cc79a7}"
    ".c-4{color:#e69f00}.c-5{color:#56b4e9}.c-6{color:#16181d}.c-7{color:#8a6d00}"
)


def standalone(figure: Figure) -> str:
    """A picture that stands for itself, in a file or a notebook, with its legend above."""
    svg = draw(figure, legend=True)
    return svg.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" ', 1).replace(
        ">", f"><style>{STYLE}</style>", 1
    )


def draw(figure: Figure, width: int = WIDTH, height: int | None = None, legend: bool = False) -> str:
    """An `<svg>` element. legend: above the axes; on a page it stands in the heading."""
    return "".join(_Frame(figure, width, height, legend).parts())


def legend(figure: Figure) -> list[tuple[str, str]]:
    """The classes, of the colour and of the sample, and the text of each series that has a name.

    Several with the same measure follow its name, the best first; references stand last.
    """
    ranked = sorted((one for one in figure.named if one.measure), key=lambda one: one.rank)
    several = len(ranked) > 1
    others = [one for one in figure.named if not (several and one.measure)]
    others.sort(key=lambda one: one.look is None)
    known = [(one, f"{one.name} {one.value}") for one in ranked if several] + [
        (one, one.label) for one in others
    ]
    entries = [(f"c-{_look(one)} {_sample(figure, one)}", text.replace("\n", "; ")) for one, text in known]
    return [("c-ref", f"{ranked[0].measure}:"), *entries] if several else entries


def _sample(figure: Figure, one: Series) -> str:
    """The classes of the sample of a series in the legend: a line with its dashes, a dot, or a patch."""
    if one.kind in ("points", "cloud"):
        return "sample dot"
    if one.kind in ("bars", "area", "grid", "span"):
        return "sample patch"
    if one.kind != "line":
        return f"sample {one.kind}"
    dash = 2 if one.look is None else _dash(figure, one)
    return f"sample d-{dash}" if dash else "sample"


def _dash(figure: Figure, one: Series) -> int:
    """Lines of several looks differ in their dashes, too."""
    several = len(figure.of("line")) > 1
    return (
        (one.dash or (one.look if isinstance(one.look, int) and several else 0)) % 3
        if one.kind == "line"
        else 0
    )


def _look(one: Series) -> str:
    return "ref" if one.look is None else str(one.look if isinstance(one.look, str) else one.look % 8)


class _Frame:
    """A figure with the places of its axes."""

    def __init__(self, figure: Figure, width: int, height: int | None, key: bool) -> None:
        self.figure, self.width = figure, width
        cells = figure.cells
        names = figure.rows or (cells.rows if cells is not None else [text for _, text in figure.y.ticks])
        character = CHARACTER if not figure.rows else LARGE if width >= WIDTH else NARROW
        longest = character * max(map(len, names), default=0)
        self.left = round(min(longest, LONGEST_NAME) + (18 if figure.rows else 40))
        last = [text for place, text in figure.x.ticks if figure.x.place(place) > 0.9]
        right = max(RIGHT, LARGE * max(map(len, last), default=0) / 2)
        self.right = width - round(right + CHARACTER * max(map(len, figure.beside), default=0))
        side, under = self.right - self.left, 0.0
        if cells is not None:
            under = min(CHARACTER * max(map(len, cells.columns), default=0), LONGEST_NAME)
        self.turned = cells is not None and under > side / len(cells.columns) - 6
        self.bottom = round(
            TOP + ROW * len(figure.rows) if figure.rows else TOP + side if cells else HEIGHT - BOTTOM
        )
        self.height = self.bottom + BOTTOM + round(under * self.turned)
        if height is not None:
            self.height, self.bottom = height, self.bottom + height - self.height
        self.entries = [*legend(figure), ("c-ref", figure.band)] if key else []
        self.entries = [(look, text) for look, text in self.entries if text]
        self.above = KEY * len(self.entries)

    def x(self, value: Any) -> Any:
        return self.left + (self.right - self.left) * self.figure.x.place(value)

    def y(self, value: Any) -> Any:
        return self.bottom - (self.bottom - TOP) * self.figure.y.place(value)

    def parts(self) -> Iterator[str]:
        figure, across, up = self.figure, self.figure.x, self.figure.y
        scale = [
            f'data-{name}="{place(axis.low):g},{place(axis.high):g},{axis.low:g},{axis.high:g}"'
            for name, axis, place in (("x", across, self.x), ("y", up, self.y))
        ]
        title, box = figure.title or figure.panel or figure.name, (0, -self.above, self.width)
        yield (
            f'<svg class="figure" data-figure="{escape(figure.name)}" {" ".join(scale)} role="img" '
            f'aria-label="{escape(title)}" viewBox="{" ".join(map(str, box))} {self.height + self.above}">'
        )
        yield f"<desc>{escape(_described(figure))}</desc>"
        yield from self.grid()
        wide, high = self.right - self.left + 4, self.bottom - TOP + 4  # a nested <svg> clips without an id
        yield (
            f'<svg class="plot" x="{self.left - 2}" y="{TOP - 2}" width="{wide}" height="{high}" '
            f'viewBox="{self.left - 2} {TOP - 2} {wide} {high}">'
        )
        if figure.below is not None:
            yield from self.histogram(figure.below)
        if figure.cells is not None:
            yield from self.cells(figure.cells)
        kinds = ("bars", "grid", "area", "line", "span", "upright", "level")
        for one in sorted(
            (one for one in figure.series if one.kind in kinds), key=lambda one: one.kind != "bars"
        ):
            yield from self.series(one)
        yield "</svg>"
        for one in figure.series:
            if one.kind in ("points", "cloud"):
                yield from self.points(one)
        for at, words in enumerate(figure.beside):
            yield _text(words, self.right + 8, self.y(at) + 4, "start", "label")
        if self.above:
            yield from self.key()
        yield "</svg>"

    def grid(self) -> Iterator[str]:
        """The grid with its ticks, and the titles of the axes."""
        figure = self.figure
        free = -self.width
        for i, (value, text) in enumerate(figure.x.ticks):
            at, half = self.x(value), CHARACTER * len(text) / 2
            yield f'<path class="grid" d="M{at:.1f} {TOP}V{self.bottom}"/>'
            if at - half > free:
                yield _text(text, at, self.bottom + 18, "middle", more=f' data-tick="x{i}"')
                free = at + half
        for i, (value, text) in enumerate(figure.y.ticks):
            at = self.y(value)
            yield f'<path class="grid" d="M{self.left} {at:.1f}H{self.right}"/>'
            yield _text(text, self.left - 8, at + 4, "end", more=f' data-tick="y{i}"')
        cells = figure.cells
        names = figure.rows if cells is None else cells.rows
        for at in range(0, len(names), ceil(len(names) / MOST_NAMES) if cells is not None else 1):
            yield _text(_cut(names[at]), self.left - 8, self.y(at) + 4, "end")
        if cells is not None:
            for at in range(0, len(cells.columns), ceil(len(cells.columns) / MOST_NAMES)):
                x, down, name = self.x(at), self.bottom + 8, _cut(cells.columns[at])
                place = (x + 4, down, "end") if self.turned else (x, down + 10, "middle")
                yield _text(name, *place, turned=self.turned)
        small = self.width < WIDTH / 2
        for title, x, y in (
            (figure.x.title, (self.left + self.right) / 2, self.height - 8),
            (figure.y.title, 14, (TOP + self.bottom) / 2),
        ):
            if title:
                yield _text(title.split(" (")[0] if small else title, x, y, "middle", "axis", turned=x == 14)

    def series(self, one: Series) -> Iterator[str]:
        """A line with its band, an area, bars, a line over the whole figure."""
        look, key = f"c-{_look(one)}", f'="{escape(one.key)}"' if one.key else ""
        if one.kind in ("line", "area") and one.low is not None and (path := self.band(one)):
            yield f'<path class="band {look}"{key and f" data-band{key}"} d="{path}"/>'
        if one.kind == "line" and (path := self.path(one.x, one.y, one.step)):
            dash = _dash(self.figure, one)
            dashed = f" d-{dash}" if dash else ""
            kind = "ref c-ref" if one.look is None else f"curve {look}"
            yield f'<path class="{kind}{dashed}"{key and f" data-series{key}"} d="{path}"/>'
        elif one.kind == "bars":
            yield f'<path class="bar {look}" d="{_bars(self.x(one.x), self.y(one.y), self.y(0.0))}"/>'
        elif one.kind == "grid":
            x, y, dense = self.x(one.x), self.y(one.y), np.log1p(one.low)  # the more, the denser
            shares = dense.T / max(dense.max(), 1e-300)
            yield from _tiles(x[:-1], y[1:], x[1] - x[0], y[0] - y[1], shares, look)
        elif one.kind == "span" and one.across:
            low, high = self.x(one.low), self.x(one.high)
            yield f'<path class="band c-ref" d="M{low:.1f} {TOP}H{high:.1f}V{self.bottom}H{low:.1f}Z"/>'
        elif one.kind == "span":
            x, low, high = self.x(one.x), self.y(one.low), self.y(one.high)
            yield f'<path class="whisk {look}" d="M{x:.1f} {low:.1f}V{high:.1f}"/>'
        elif one.kind == "upright":
            rule = f'class="rule {look}" data-rule{key} d="M0 {TOP}V{self.bottom}"'
            yield f'<path {rule} transform="translate({self.x(one.x):.1f} 0)"/>'
        elif one.kind == "level":
            yield f'<path class="ref {look}" d="M{self.left} {self.y(one.y):.1f}H{self.right}"/>'

    def points(self, one: Series) -> Iterator[str]:
        """Points with their intervals; one with a key is a mark that a script moves."""
        look, x, y = f"c-{_look(one)}", self.x(np.asarray(one.x, float)), self.y(np.asarray(one.y, float))
        there = np.isfinite(x) & np.isfinite(y) & (np.abs(x) < LARGEST) & (np.abs(y) < LARGEST)
        if one.low is not None:
            place, frame = (self.x, (self.left, self.right)) if one.across else (self.y, (TOP, self.bottom))
            low, high = (np.clip(place(np.asarray(end, float)), *frame) for end in (one.low, one.high))
            ends = [
                f"M{a:.1f} {v:.1f}H{b:.1f}" if one.across else f"M{u:.1f} {a:.1f}V{b:.1f}"
                for u, v, a, b in zip(x[there], y[there], low[there], high[there], strict=True)
                if a == a and b == b
            ]
            if ends:
                yield f'<path class="whisk {look}" d="{"".join(ends)}"/>'
        x, y = x[there], y[there]
        if one.kind == "cloud":
            dots = "".join(
                f"M{a:g} {b:g}h0" for a, b in {*zip(_half(x).tolist(), _half(y).tolist(), strict=True)}
            )
            yield (f'<path class="cloud {look}" stroke-linecap="round" d="{dots}"/>' if dots else "")
            return
        kind = (
            f'class="mark {look}" data-mark="{escape(one.key)}" r="6"'
            if one.key
            else f'class="point {look}" r="4"'
        )
        for a, b in zip(x.tolist(), y.tolist(), strict=True):
            yield f'<circle {kind} cx="{a:.1f}" cy="{b:.1f}"/>'

    def histogram(self, below: Figure) -> Iterator[str]:
        """Of the probabilities, from the lower edge."""
        bars = below.of("bars")
        number = sum(np.abs(one.y) for one in bars)
        height = LOW * (self.bottom - TOP) * number / max(float(number.max()), 1e-300)
        yield f'<path class="bar c-ref" d="{_bars(self.x(bars[0].x), self.bottom - height, self.bottom)}"/>'

    def cells(self, cells: Cells) -> Iterator[str]:
        """A matrix: the number in each cell, or of many classes as its tooltip."""
        down, across = cells.shares.shape
        wide, high = (self.right - self.left) / across, (self.bottom - TOP) / down
        written = cells.numbers is not None and max(down, across) <= MOST_TEXTS
        left, top = self.left + wide * np.arange(across), TOP + high * np.arange(down)
        mistaken = ~np.eye(down, across, dtype=bool) & (cells.rows == cells.columns)
        shares = np.where(mistaken, np.sqrt(cells.shares), cells.shares)  # mistakes are rare
        if max(down, across) > MOST_TIPS or cells.numbers is None:
            for look, there in (("c-0", ~mistaken), ("c-1", mistaken)):
                yield from _tiles(left, top, wide, high, np.where(there, shares, 0), look)
            return
        for i, j in np.argwhere(cells.shares > 0).tolist():
            x, y, share, look = left[j], top[i], float(shares[i, j]), f"c-{int(mistaken[i, j])}"
            text = ", ".join(cells.text(i, j).split("\n"))
            tip = f"<title>{escape(f'{cells.rows[i]} as {cells.columns[j]}: {text}')}</title>"
            at = f'x="{x:.1f}" y="{y:.1f}" width="{max(wide - 1, 0.5):.1f}" height="{max(high - 1, 0.5):.1f}"'
            yield f'<rect class="cell {look}" fill-opacity="{0.06 + 0.94 * share:.2f}" {at}>{tip}</rect>'
        for i, j in np.ndindex(cells.shares.shape) if written else ():
            x, y = self.left + (j + 0.5) * wide, TOP + (i + 0.5) * high
            dark = " dark" if shares[i, j] > 0.55 else ""
            lines = [line for line in cells.text(i, j).split("\n") if line][: 2 if high > 48 else 1]
            for n, line in enumerate(lines):
                at = y + 4 + 16 * (n - (len(lines) - 1) / 2)
                yield _text(line, x, at, "middle", f"number{dark}")

    def key(self) -> Iterator[str]:
        """The names of the series above the axes, each next to a piece of it."""
        for i, (look, text) in enumerate(self.entries):
            y = i * KEY - self.above + 12
            yield f'<path class="curve {look}" d="M{self.left} {y}h18"/>'
            yield _text(text, self.left + 26, y + 4, "start", "label")

    def path(self, x: Any, y: Any, step: str = "") -> str:
        """A line on half pixels, with gaps where it is not finite."""
        across, up = np.asarray(x, float), np.asarray(y, float)
        there = (np.abs(across) <= LARGEST) & (np.abs(up) <= LARGEST)  # NaN is not
        px, py = self.x(np.where(there, across, 0.0)), self.y(np.where(there, up, 0.0))
        py = np.clip(py, -2 * self.height, 3 * self.height)  # far outside the frame
        runs = np.flatnonzero(np.diff(there, prepend=False, append=False)).reshape(-1, 2).tolist()
        return "".join(_run(px[start:stop], py[start:stop], step) for start, stop in runs)

    def band(self, one: Series) -> str:
        """The area between low and high where both are known; an infinite bound runs along the frame."""
        parts = [np.asarray(part, float) for part in (one.x, one.low, one.high)]
        x, low, high = (part[~np.isnan(parts).any(axis=0)] for part in parts)
        if one.step == "post":  # each height holds to the next place
            x, low, high = np.repeat(x, 2)[1:], np.repeat(low, 2)[:-1], np.repeat(high, 2)[:-1]
        elif one.step == "pre":
            x, low, high = np.repeat(x, 2)[:-1], np.repeat(low, 2)[1:], np.repeat(high, 2)[1:]
        px = np.clip(self.x(x), self.left, self.right)
        low, high = (np.clip(self.y(end), TOP, self.bottom) for end in (low, high))
        return f"{_run(np.append(px, px[::-1]), np.append(high, low[::-1]))}Z" if len(x) else ""


def _text(
    words: str, x: float, y: float, anchor: str, kind: str = "tick", more: str = "", turned: bool = False
) -> str:
    place = f'transform="translate({x:.1f} {y:.1f}) rotate(-90)"' if turned else f'x="{x:.1f}" y="{y:.1f}"'
    return f'<text class="{kind}"{more} {place} text-anchor="{anchor}">{escape(words)}</text>'


def _cut(name: str) -> str:
    """A name for which there is room next to the axes."""
    most = int(LONGEST_NAME / CHARACTER)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _tiles(left: Any, top: Any, wide: float, high: float, shares: Any, look: str) -> Iterator[str]:
    """Cells as paths, one for each of a few densities; those of 0 and NaN are left out."""
    levels = np.ceil(LEVELS * np.nan_to_num(shares))
    for level in range(1, LEVELS + 1):
        cells = np.argwhere(levels == level).tolist()
        path = "".join(f"M{left[j]:.1f} {top[i]:.1f}h{wide:.1f}v{high:.1f}h{-wide:.1f}z" for i, j in cells)
        if path:
            yield f'<path class="cell {look}" fill-opacity="{level / LEVELS:.2f}" d="{path}"/>'


def _half(values: np.ndarray) -> Any:
    return np.rint(2 * values) / 2


def _run(x: np.ndarray, y: np.ndarray, step: str = "") -> str:
    """Of points without a gap, without those on the place of, or in line with, their neighbours."""
    points = np.stack([_half(x), _half(y)], axis=1)
    if step:  # as a staircase: "post" goes across first
        corner = np.stack(
            [points[1:, 0], points[:-1, 1]] if step == "post" else [points[:-1, 0], points[1:, 1]], axis=1
        )
        points = np.insert(points, np.arange(1, len(points)), corner, axis=0)
    points = points[np.append(True, (np.diff(points, axis=0) != 0).any(axis=1))]
    if len(points) > 2:
        step_to = np.diff(points, axis=0)
        turn = step_to[:-1, 0] * step_to[1:, 1] - step_to[:-1, 1] * step_to[1:, 0]
        onward = (step_to[:-1] * step_to[1:] >= 0).all(axis=1)
        points = points[np.concatenate([[True], (turn != 0) | ~onward, [True]])]
    start, steps = points[0].tolist(), np.diff(points, axis=0).tolist()
    moves = (f"v{b:g}" if not a else f"h{a:g}" if not b else f"l{a:g} {b:g}" for a, b in steps)
    return f"M{start[0]:g} {start[1]:g}{''.join(moves) or 'h0'}"


def _bars(edges: Any, tops: Any, floor: float) -> str:
    """Bars between edges, from the floor."""
    return "".join(
        f"M{a:.1f} {floor:.1f}V{top:.1f}H{b:.1f}V{floor:.1f}Z"
        for a, b, top in zip(edges[:-1], edges[1:], tops, strict=True)
        if abs(top - floor) > 0.05
    )


def _described(figure: Figure) -> str:
    """The axes, the series and the facts, as a sentence for those who do not see it."""
    axes = f"{figure.y.title or 'rows'} against {figure.x.title}" if figure.x.title else ""
    rows = [f"{name} {words}" for name, words in zip(figure.rows, figure.beside, strict=False)] or list(
        figure.rows
    )
    said = [axes, *(one.label for one in figure.named), figure.band, *rows, *figure.facts]
    return "; ".join(one for one in said if one)
