"""The page of a result, and its card in a notebook: templates of HTML, in which every text is escaped.

A page needs nothing else and loads nothing: its policy allows its own style and script alone, by their
hashes. It reads and prints without the script.
"""

from __future__ import annotations

import json
import re
import sys
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from itertools import groupby, takewhile
from math import ceil, floor, isfinite, log10
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..__about__ import __version__
from ..inference import Estimate
from ..input import validate
from ..input.errors import InputError
from ..input.terminal import without_controls
from . import svg
from .document import ESTIMATES, NUMBERS, Cell, Column, Document, Table, interval, value, written
from .figure import Axis

if TYPE_CHECKING:
    from jinja2 import Environment

    from .figure import Figure

RAISED = re.compile(r"\^(\d+)")
IN_CARD = ("roc", "reliability_equal_mass", "residuals", "confusion")
LARGEST_CARD = 25_000  # bytes
BESIDE = 6  # columns of a table with pictures beside it in a card, which is at most 400 pixels high
MOST_CASES = 10**12  # between two cut-offs
MOST_PARTS = 8  # models or groups that a page has whole; of more it has the tables
LONG = 30  # rows of a table that a page does not fold
SHADES = 9  # of a cell of a matrix, by its share of the row
CLASSES = {"method": "said", "name": "name", "estimate": "e", "difference": "e d"}
UNKNOWN_LABELS = ("0", "1", "-1", "true", "false")  # that say nothing in a sentence


def page(document: Document, title: str | None = None, coarse: int = 0) -> Framed:
    """A page that needs nothing else. title: by default that of the document; coarse: as of `cutoffs`."""
    validate.whole(coarse, "coarse", 0, MOST_CASES)
    if coarse and document.panel is None:
        raise InputError(
            "unsupported",
            "coarse",
            "it makes cut-offs of two classes with the scores of one model, and this result has none",
            "leave it out",
        )
    if document.closer:
        document = replace(document, parts=document.closer)
    elif len(document.parts) > MOST_PARTS:
        left = f"Each of the {len(document.parts):,} has a page of its own, and all are in the JSON."
        document = replace(document, parts={}, footnotes=(*document.footnotes, left))
    if coarse:
        document = replace(document, tables=tuple(map(_without_thresholds, document.tables)))
    panel = document.panel(coarse) if document.panel else document.together() if document.together else None
    if document.together and panel:
        own = f"threshold {panel.values['t'][panel.values['start']]:.4g}"
        document = replace(document, figures=partial(_without_the_threshold, document.figures, own))
    style, script = _asset("page.css"), _asset("page.js")
    data = "" if panel is None else json.dumps(panel.values, separators=(",", ":"), ensure_ascii=False)
    scripts = "" if panel is None else f"; script-src '{_hash(script)}'"
    policy = f"default-src 'none'; style-src '{_hash(style)}'{scripts}; base-uri 'none'; form-action 'none'"
    return Framed(
        _rendered(
            "two_classes.html.j2" if document.panel else "page.html.j2",
            document=document,
            title=title or document.title,
            style=style,
            script=script,
            data=data.replace("<", "\\u003c"),
            policy=policy,
            panel=panel,
        )
    )


def _without_the_threshold(figures: Any, own: str) -> list[Figure]:
    """Pictures whose threshold moves: their words do not name it."""
    return [
        replace(
            one,
            facts=tuple(fact.replace(own, "the threshold") for fact in one.facts),
            series=tuple(replace(line, name=line.name.replace(own, "threshold")) for line in one.series),
        )
        for one in figures()
    ]


def _without_thresholds(table: Table) -> Table:
    """Its methods without the thresholds of maxima, which are scores of cases."""
    of = {one.key for one in table.columns if one.kind == "method"}
    rows = [
        {key: one.value if key in of and isinstance(one, Cell) else one for key, one in row.items()}
        for row in table.rows
    ]
    return replace(table, rows=rows)


def card(document: Document) -> str:
    """A short form for a notebook: no script, and the colours of the notebook's theme.

    A matrix, or the first table, and two pictures are shown, the other tables folded, as far as there is
    room; in an untrusted notebook it has no pictures, and the host aligns what is folded where there is none.
    """
    tables = [
        replace(one, section=None, columns=tuple(c for c in one.columns if c.kind != "method"))
        for one in document.tables
        if one.rows
    ]
    tables.sort(key=lambda one: (one.kind != "matrix", one.screen == 0))  # stable
    wide = bool(tables) and len(tables[0].columns) > BESIDE
    chosen = () if wide else (document.figures(IN_CARD) or document.figures())[:2]
    room = [
        (pictures, number, aligned)
        for pictures in (len(chosen), 1, 0)
        for number in range(len(tables), 0, -1)
        for aligned in (True, False)
    ]
    for pictures, number, aligned in room or [(len(chosen), 0, True)]:
        made = _rendered(
            "card.html.j2",
            document=document,
            style=_asset("card.css"),
            figures=chosen[:pictures],
            shown=tables[:1],
            folded=tables[1:number],
            aligned=aligned,
        )
        if len(made.encode()) <= LARGEST_CARD:
            break
    return made


class Framed(str):
    """A page that a notebook shows inside a frame."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _environment().get_template("frame.html.j2").render(page=self)

    def __repr__(self) -> str:
        return f'<page of {len(self.encode()) // 1000} kB, which a notebook shows; .save("x.html") writes it>'


def _rendered(template: str, **values: Any) -> str:
    return without_controls(_environment().get_template(template).render(values))


@cache
def _asset(name: str) -> str:
    return (files(__package__) / "pages" / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    import jinja2
    from markupsafe import Markup, escape

    class Compiled(jinja2.FileSystemBytecodeCache):
        """Templates are compiled once, as modules are: next to them, if one may write there."""

        def dump_bytecode(self, bucket: Any) -> None:
            with suppress(OSError):
                if not sys.dont_write_bytecode:
                    Path(self.directory).mkdir(exist_ok=True)
                    super().dump_bytecode(bucket)

    tag = f"%s.{sys.implementation.cache_tag}-{jinja2.__version__}-{__version__}"
    made = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, "pages"),
        bytecode_cache=Compiled(str(Path(__file__).with_name("pages") / "__pycache__"), tag),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,  # takes longer than it saves
    )
    made.globals |= {
        "version": __version__,
        "draw": lambda *args, **options: Markup(svg.draw(*args, **options)),
        "legend": svg.legend,
        "laid_out": laid_out,
        "long": LONG,
        "merged": merged,
        "sections": sections,
        "value": value,
        "interval": interval,
    }
    made.tests["folded"] = lambda table: table.section is not None or table.screen == 0
    made.tests["without_values"] = lambda table: all(
        getattr(row.get("estimate"), "undefined", None) for row in table.rows
    )
    made.filters |= {
        "share": lambda part: f"{100 * part:.6g}%",
        "raised": lambda text: Markup(RAISED.sub(r"<sup>\1</sup>", str(escape(text)))),
        "sentence": lambda text: f"{text[:1].upper()}{text[1:].removesuffix('.')}.",
        "said": lambda label, other: other if label.lower() in UNKNOWN_LABELS else label,
    }
    return made


class Drawn(NamedTuple):
    """A cell: its text and classes; of a forest the places of value and ends, a radius, and a line."""

    text: str
    classes: str
    hint: str = ""  # the identifier of a title
    bar: tuple[float, float, float, float] | None = None
    line: float | None = None


class Layout(NamedTuple):
    """A table as it is drawn. scales: of each column the texts of the ends."""

    head: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[Drawn]]
    below: Sequence[str]
    scales: Sequence[tuple[str, str] | None]


def sections(table: Table) -> list[tuple[str, Table]]:
    """A table, or one for each value of what its rows are grouped by, with a title."""
    if table.section is None:
        return [(table.called, table)]
    groups = groupby(table.rows, key=itemgetter(table.section))
    titled = ((f"{name[:1].upper()}{name[1:]}", rows) for name, rows in groups)
    return [(name, replace(table, title=name, rows=[*rows], section=None)) for name, rows in titled]


def merged(notices: Iterable[Any]) -> list[tuple[Any, list[str]]]:
    """Notices of one code as one, with what all end with as the last line."""
    result, every = [], [*notices]
    codes = [one.code for one in every]
    every.sort(key=lambda one: codes.index(one.code))
    for _, same in groupby(every, key=attrgetter("code")):
        some = list(same)
        texts = [*dict.fromkeys(one.text for one in some)]
        ends = zip(*(one.split(": ")[::-1] for one in texts if len(texts) > 1), strict=False)
        end = ": ".join([same[0] for same in takewhile(lambda each: len({*each}) == 1, ends)][::-1])
        lines = [f"{one.removesuffix(end).rstrip(': ')}." if end else one for one in texts]
        result.append((some[0], [*lines, f"{end[:1].upper()}{end[1:]}"] if end else lines))
    return result


def laid_out(table: Table, most: int | None = None) -> Layout:
    """The first rows of a table as texts with their classes, and what is drawn next to them."""
    text = written(table, most=most)
    kinds = ["n" if one.kind in NUMBERS else CLASSES.get(one.kind, "") for one in table.columns]
    columns: list[list[Drawn]] = []
    scales: list[tuple[str, str] | None] = []
    for i, (column, kind) in enumerate(zip(table.columns, kinds, strict=True)):
        texts = [row[i] for row in text.rows]
        bars, scale = _forest(table, column, len(texts))
        shades = _shades(table, i, len(texts)) if table.kind == "matrix" and i else [""] * len(texts)
        if i == 0 and [one.kind for one in table.columns[:2]] == ["name", "name"]:  # which stands once
            shades = [" again" * (k > 0 and one == texts[k - 1]) for k, one in enumerate(texts)]
        hints = [getattr(row.get(column.key), "name", "") for row in table.rows[: len(texts)]]
        columns.append(
            [
                Drawn(one, kind + shade, hint, *bar)
                for one, shade, hint, bar in zip(texts, shades, hints, bars, strict=True)
            ]
        )
        scales.append(scale)
    return Layout(
        list(zip(text.header, kinds, strict=True)), list(zip(*columns, strict=True)), text.below, scales
    )


def _shades(table: Table, i: int, rows: int) -> list[str]:
    """Classes of a column of a matrix: darker by the share of the row, mistakes in another colour."""
    keys = [one.key for one in table.columns[1:] if one.key != "total"]
    result = [""] * rows
    for k, row in enumerate(table.rows[: min(rows, len(keys))] if i <= len(keys) else ()):
        counts = [row[key] if isinstance(row.get(key), (int, float)) else 0 for key in keys]
        part = counts[i - 1] / (sum(counts) or 1)
        result[k] = f" shade k{ceil(SHADES * part)}{' off' * (k != i - 1)}"
    return result


def _forest(table: Table, column: Column, rows: int) -> tuple[list[Any], tuple[str, str] | None]:
    """The intervals and lines of a column as places from 0 to 1, and its scale."""
    cells = [row.get(column.key) for row in table.rows[:rows]]
    found = [one.value if isinstance(one, Cell) else one for one in cells]
    ends = [end for one in found if isinstance(one, Estimate) for end in (one.low, one.centre, one.high)]
    of = table.baseline.get(column.key) if isinstance(table.baseline, Mapping) else table.baseline
    lines = [row.get(of) if isinstance(of, str) else of for row in table.rows[:rows]]
    ends = [end for end in [*ends, *lines] if end is not None and isfinite(end)]
    if table.kind != "forest" or column.kind not in ESTIMATES or not ends:
        return [()] * rows, None
    shares = [end for end in ends if 0 <= end <= 1]
    if table.columns[0].key == "measure" and len(shares) >= len(ends) / 2 and table.baseline is None:
        ends = [0.0, 1.0]  # what is not between these, as log loss beside accuracy, has no bar
    span = max(ends) - min(ends) or abs(ends[0]) or 1.0
    step = 10.0 ** floor(log10(span)) / 2
    low, high = step * floor(min(ends) / step), step * ceil(max(ends) / step)
    high += step * (high == low)

    place = Axis(low, high).place
    bars = []
    for one, line, radius in zip(found, lines, _radii(table, rows), strict=True):
        bar = None
        if isinstance(one, Estimate) and low <= one.centre <= high:
            around = (one.low, one.high) if one.has_interval else (one.centre,) * 2
            if all(low <= end <= high for end in around):
                bar = (place(one.centre), *map(place, around), radius)
        bars.append((bar, None if line is None else place(line)))
    return bars, (f"{low:.4g}", f"{high:.4g}")


def _radii(table: Table, rows: int) -> list[float]:
    """Of the dots of a forest: their areas are as the numbers of cases, up to the second largest."""
    cases = [row.get("cases", 1) for row in table.rows[:rows]]
    most = sorted(cases)[-2:][0] or 1
    return [round(max(2.5, 5 * min(1.0, n / most) ** 0.5), 1) for n in cases]
