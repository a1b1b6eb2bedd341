"""What every result is shown as: values in an order, without a word on how they are drawn.

A maker of `report.documents` makes a `Document` of a result; `text`, `html`, `markdown` and `latex` draw it
and know of no verb. `grid` writes the cells of a table, so that every format states the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Literal

from ..inference import Estimate
from ..input import text
from ..input.errors import either
from ..input.messages import why_approximate

if TYPE_CHECKING:
    from .figure import Figure
    from .two_classes import Panel


Kind = Literal[
    "name",  # a label or a name from data
    "text",
    "count",  # a number of cases
    "number",
    "exact",  # a number in as many digits as read the same, as a threshold
    "share",  # a percentage
    "p",  # a p-value
    "estimate",  # value and interval
    "value",  # of an estimate, without its interval
    "difference",  # the same with its sign
    "method",  # of an estimate: how the interval is computed, or why there is none
]
Row = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the key of its values in the rows, its title, and what kind of values it has.

    name: the identifier, shown in place of the title with names=True.
    """

    key: Hashable
    title: str
    kind: Kind = "text"
    name: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with more than the value: a mark, as "!" of a difference that is shown, or another name.

    name: the identifier of what the value is a title of, shown with names=True.
    """

    value: Any
    mark: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of plain values and Estimates under columns.

    screen: how many rows the first screen has at most (None: all, as far as there is room; 0: none, the table
    is shown in full only). kind: "matrix" has actual classes as rows and predicted ones as columns, "forest"
    an interval per row that may be drawn. baseline: where a forest has its line, or by column, a number or
    the key of the numbers of the rows. section: the key of what
    rows are grouped by, which has no column.
    """

    name: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    title: str = ""
    notes: tuple[str, ...] = ()
    screen: int | None = None
    kind: Literal["rows", "matrix", "forest"] = "rows"
    baseline: float | Mapping[Hashable, float | str] | None = None
    section: Hashable | None = None

    @property
    def called(self) -> str:
        """The title, or the name as one."""
        return self.title or f"{self.name[:1].upper()}{self.name[1:]}"


@dataclass(frozen=True, slots=True)
class Remark:
    """A notice that is no more than its texts. printed: the text with its code, as it is printed in full."""

    code: str
    text: str
    brief: str
    printed: str
    severe: bool = False

    def __str__(self) -> str:
        return self.printed


@dataclass(frozen=True, slots=True)
class Tile:
    """A number of the first row of a page, and what it is compared with, as "chance 0.5"."""

    title: str
    estimate: Estimate
    name: str = ""
    beside: str = ""


def no_figures(*_: Any) -> tuple[Figure, ...]:
    """Whatever kinds are named."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A result as it is shown, in this order; empty parts are left out.

    figures: makes the data of the pictures, of all or of the kinds named, for renderers that draw. parts: by
    name the makers of documents of what the result is of, as each model; closer: the same, which only a page
    has, as those of the worst classes. rest: what more there is, and how
    to see it. tone: of the headline, where it is a verdict. panel: makes what a threshold moves, for a page;
    of the number of cases that there are at least between two cut-offs, or 0; together: the same of several
    models, whose figures it moves. origin: for the foot of a page,
    what was read, when, and by which call.
    """

    kind: str
    title: str = ""
    headline: str = ""
    facts: tuple[str, ...] = ()
    notices: Sequence[Any] = ()
    tiles: tuple[Tile, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: Callable[..., Sequence[Figure]] = no_figures
    footnotes: tuple[str, ...] = ()
    parts: Mapping[str, Callable[[], Document]] = field(default_factory=dict)
    closer: Mapping[str, Callable[[], Document]] = field(default_factory=dict)
    rest: str = ""
    panel: Callable[[int], Panel] | None = None
    together: Callable[[], Panel] | None = None
    origin: tuple[str, ...] = ()
    tone: Literal["", "good", "bad"] = ""

    def __post_init__(self) -> None:
        for part in ("facts", "footnotes"):
            object.__setattr__(self, part, tuple(filter(None, getattr(self, part))))
        object.__setattr__(self, "tables", tuple(one for one in self.tables if one.rows))


# In files
# --------------------------------------------------------------------------------------------------

TEXTS = ("kind", "title", "headline", "rest", "tone")
OF_TABLES = ("name", "title", "screen", "kind", "baseline")
OF_REMARKS = ("code", "text", "brief", "severe")


def to_plain(document: Document) -> dict[str, Any]:
    """Strict JSON of a document without its parts; rows are lists in the order of the columns."""
    return {
        **{name: getattr(document, name) for name in TEXTS},
        "facts": [*document.facts],
        "footnotes": [*document.footnotes],
        "notices": [
            {**{name: getattr(one, name) for name in OF_REMARKS}, "printed": str(one)}
            for one in document.notices
        ],
        "tiles": [[one.title, _value(one.estimate), one.name, one.beside] for one in document.tiles],
        "tables": [
            {
                **{name: getattr(one, name) for name in OF_TABLES},
                "notes": [*one.notes],
                "columns": [[column.title, column.kind, column.name] for column in one.columns],
                "rows": [[_value(row.get(column.key)) for column in one.columns] for row in one.rows],
                "sections": None if one.section is None else [row[one.section] for row in one.rows],
            }
            for one in document.tables
        ],
    }


def _value(value: Any) -> Any:
    """An estimate, a cell, or a number that JSON does not have, by its name; anything else as it is."""
    if isinstance(value, Estimate):
        return {"estimate": value.to_dict()}
    if isinstance(value, Cell):
        return {"value": _value(value.value), "mark": value.mark, "name": value.name}
    number = value.item() if hasattr(value, "item") else value
    return {"number": str(number)} if isinstance(number, float) and not isfinite(number) else number


def of_plain(plain: Mapping[str, Any], estimate: Callable[[Any], Estimate]) -> Document:
    """The document of its plain values. estimate: reads one."""

    def value(written: Any) -> Any:
        if not isinstance(written, Mapping):
            return written
        if "value" in written:
            return Cell(value(written["value"]), written["mark"], written["name"])
        return estimate(written["estimate"]) if "estimate" in written else float(written["number"])

    def table(columns: Any, rows: Any, sections: Any, notes: Any, **more: Any) -> Table:
        named = sections or [None] * len(rows)
        return Table(
            columns=tuple(Column(i, *column) for i, column in enumerate(columns)),
            rows=[
                {**dict(enumerate(map(value, row))), "section": section}
                for row, section in zip(rows, named, strict=True)
            ],
            notes=tuple(notes),
            section="section" if sections else None,
            **more,
        )

    return Document(
        **{name: plain[name] for name in TEXTS},
        facts=tuple(plain["facts"]),
        footnotes=tuple(plain["footnotes"]),
        notices=[Remark(**one) for one in plain["notices"]],
        tiles=tuple(Tile(title, value(found), *more) for title, found, *more in plain["tiles"]),
        tables=tuple(table(**one) for one in plain["tables"]),
    )


# A table as texts, which every format lays out: one notation of numbers, with what they need said below
# --------------------------------------------------------------------------------------------------
#
# An estimate is "0.895 [0.860, 0.923]", with ~ before an interval that is approximate; what is undefined is
# "-", with its reason below the table. Digits follow the interval: its ends differ in what is written.

NUMBERS = ("value", "count", "number", "exact", "share", "p")
ESTIMATES = ("estimate", "difference")
BELOW = ("approximate", "conditional")  # notes that many measures have: said once, below the table
HERE = "on these cases"
NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
INTERVAL = re.compile(r" (?=~?\[)")  # before that of a written estimate
NOTHING = 1e-12  # a value nearer to 0 is 0 but for rounding
ROUNDING = 1e-9  # of the width of an interval: a value nearer to 0 is 0 but for rounding
APPROXIMATE, WITHOUT, MIX = "~ approximate: ", "Without an interval: ", "Given this class mix: "
# sentences below a table by their beginnings, and what stands between their parts
SENTENCES = {APPROXIMATE: "; ", WITHOUT: "; ", MIX: ", "}
FEW = 2  # reasons why intervals are approximate that are listed
CORRECTED = (
    "Corrected values allow for the choice of the threshold on these cases; the intervals are around them."
)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts. right: the indices of columns with numbers; estimates: of those with estimates."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[int] = ()
    estimates: Sequence[int] = ()
    below: Sequence[str] = ()


def written(
    table: Table,
    names: bool = False,
    most: int | None = None,
    longest: int = 200,
) -> Grid:
    """Its first `most` rows as texts.

    names: identifiers in place of titles; longest: characters of a name.
    """
    columns = table.columns
    rows = table.rows[:most]
    foot = _Foot(names, explained=any(one.kind == "method" for one in columns))
    heads = [one.name if names and one.name else one.title for one in columns]
    short = text.labels(dict.fromkeys(heads[1:]), longest) if table.kind == "matrix" else {}
    several = sum(one.kind == "estimate" for one in columns) > 1
    shortened = {
        one.key: text.labels(
            dict.fromkeys(
                _plain(row.get(one.key), names) for row in rows if not getattr(row.get(one.key), "name", "")
            ),
            longest,
        )
        for one in columns
        if one.kind == "name"
    }
    cells: list[list[str]] = []
    section = None
    for row in rows:
        if table.section is not None and row[table.section] != section:
            section = row[table.section]
            cells.append([f"[{section}]", *("" for _ in columns[1:])])
        of_measure = getattr(row.get(columns[0].key), "name", "")
        first = _plain(row.get(columns[0].key), names)
        cells.append(
            [
                shortened[one.key].get(name := _plain(row.get(one.key), names), name)
                if one.kind == "name"
                else foot.cell(one, row.get(one.key), head if several and not of_measure else first)
                for one, head in zip(columns, heads, strict=True)
            ]
        )
    return Grid(
        [short.get(head, head) for head in heads],
        cells,
        [i for i, one in enumerate(columns) if one.kind in NUMBERS],
        [i for i, one in enumerate(columns) if one.kind in ESTIMATES],
        [*table.notes, *foot.lines(len(foot.notes[APPROXIMATE]) if most is None else FEW)],
    )


def _plain(value: Any, names: bool) -> str:
    """A name as it is shown."""
    if isinstance(value, Cell):
        return f"{value.name if names and value.name else value.value}{value.mark}"
    return "" if value is None else str(value)


@dataclass
class _Foot:
    """Writes cells, and gathers what has to be said below the table.

    explained: whether a column has the methods and reasons; remarks: those of each mark, which differ in
    numbers alone; notes: by the beginnings of their sentences.
    """

    names: bool
    explained: bool
    remarks: dict[str, list[str]] = field(default_factory=dict)
    notes: dict[str, dict[str, None]] = field(default_factory=lambda: {one: {} for one in SENTENCES})
    parameters: dict[str, None] = field(default_factory=dict)
    corrected: bool = False

    def cell(self, column: Column, value: Any, about: str) -> str:
        """A value as the kind of its column is written. about: what an estimate is of."""
        whole = value if isinstance(value, Cell) else Cell(value)
        value, mark = (whole.name if self.names and whole.name else whole.value), whole.mark
        if value is None:
            return mark
        if isinstance(value, Estimate):
            if column.kind == "method":
                return self._method(value) + mark
            if column.kind == "value":
                value = value if value.undefined else Estimate(value.centre, bounds=value.bounds)
            return self._estimate(value, about, mark, "+" * (column.kind == "difference"))
        if isinstance(value, str):
            return value + mark
        return WRITE.get(column.kind, str)(value) + mark

    def _estimate(self, found: Estimate, about: str, mark: str, sign: str) -> str:
        if found.undefined:
            return "-" if self.explained else f"-{self._mark(found.undefined.text)}"
        for note in () if self.explained else found.notes:
            if note.code == "given-mix":
                self.notes[MIX][about] = None
            elif note.code == "parameters":
                self.parameters[f"{about}: {note.text}."] = None
            elif note.kind == "approximate" and found.has_interval:
                self.notes[APPROXIMATE][why_approximate(note.text)] = None
            elif not found.has_interval:
                self.notes[WITHOUT][note.reason] = None
        self.corrected |= found.corrected is not None
        return estimate(found, sign) + mark * found.has_interval

    def _method(self, found: Estimate) -> str:
        """The method with its notes, those of many measures as marks; or why there is no value."""
        if found.undefined:
            why = found.undefined
            return self._mark(why.text) if why.code.startswith("no-bounds") else why.text
        own = [part for part in (here(found), found.method) if part]
        marks = []
        for note in found.notes:
            if note.kind in BELOW or not (found.has_interval or note.code == "parameters"):
                marks.append(self._mark(note.text, note.kind in BELOW))
            else:
                own.append(note.text)
        said, its = "; ".join(own), "".join(sorted(marks, key=lambda one: int(one[1:])))
        return f"{said} {its}" if its and said[-1:].isdigit() else said + its

    def _mark(self, remark: str, alike: bool = False) -> str:
        """The mark of a remark. alike: that of others which differ in numbers."""
        key = NUMBER.sub("", remark) if alike else remark
        self.remarks.setdefault(key, []).append(remark)
        return f"^{[*self.remarks].index(key) + 1}"

    def lines(self, few: int) -> list[str]:
        """What stands below, a sentence each. few: reasons of intervals that are listed."""
        reasons = dict.fromkeys(ranges(self.notes[APPROXIMATE]))
        notes = self.notes | {APPROXIMATE: reasons}
        if len(reasons) > few:
            notes |= {APPROXIMATE: {f"{len(reasons)} reasons: {in_full()} has them": None}}
        return [
            *(f"^{i} {ranges(some)[0]}." for i, some in enumerate(self.remarks.values(), 1)),
            *(
                f"{start}{between.join(notes[start])}."
                for start, between in SENTENCES.items()
                if notes[start]
            ),
            *self.parameters,
            *([CORRECTED] if self.corrected else []),
        ]


def ranges(sentences: Iterable[str]) -> list[str]:
    """Sentences that differ in numbers alone as one, with the least and the largest of these."""
    groups: dict[str, list[str]] = {}
    for one in sentences:
        groups.setdefault(NUMBER.sub("", one), []).append(one)
    result = []
    for some in groups.values():
        numbers = zip(*map(NUMBER.findall, some), strict=True)
        sizes = [sorted({*each}, key=lambda one: float(one.replace(",", ""))) for each in numbers]
        spans = [" to ".join(dict.fromkeys((each[0], each[-1]))) for each in sizes]
        between = NUMBER.split(some[0])
        result.append("".join(map("".join, zip(between, [*spans, ""], strict=True))))
    return result


def in_full() -> str:
    """How everything is printed."""
    return either("result.all", "--all")


# Values
# --------------------------------------------------------------------------------------------------


def estimate(found: Estimate, sign: str = "") -> str:
    """The value with its interval, as "0.895 [0.860, 0.923]"; "-" where it is undefined."""
    return f"{value(found, sign)} {interval(found)}".rstrip() if not found.undefined else "-"


def value(found: Estimate, sign: str = "") -> str:
    """The value that the interval belongs to, with as many digits as its ends.

    Where only its bounds are known, both, as "0.853 to 0.861", unless they are written with the same digits.
    sign: before a number that is not below 0.
    """
    if found.undefined:
        return "-"
    if not found.has_interval:
        written: Callable[[float], str] = text.rounded
    else:
        places, width = text.digits_of(found.low, found.high), found.high - found.low
        written = partial(
            _beside_interval, places=places, negligible=ROUNDING * width if isfinite(width) else 0.0
        )
    return " to ".join(
        dict.fromkeys(sign * bool(one >= 0) + written(one) for one in found.bounds or (found.centre,))
    )


def _beside_interval(value: float, places: int, negligible: float) -> str:
    """A value with as many digits as the ends of its interval, and one more where it would be 0."""
    if abs(value) < max(negligible, 10.0 ** -(places + 1) / 2):
        return text.rounded(0.0, places)
    return text.rounded(value, places + (abs(value) < 10.0**-places / 2))


def rounded(found: Estimate) -> str:
    """The value without its interval, in the usual digits; both bounds where they differ in these."""
    return " to ".join(
        dict.fromkeys(text.rounded(0.0 if abs(one) < NOTHING else one) for one in found.between)
    )


def interval(found: Estimate) -> str:
    """The interval, with ~ before one that is approximate; empty without one."""
    if not found.has_interval:
        return ""
    about = "~" * any(note.kind == "approximate" for note in found.notes)
    return f"{about}{text.interval(found.low, found.high)}"


def here(found: Estimate) -> str:
    """The value on the cases that the threshold was chosen on, next to the corrected one; else empty."""
    return "" if found.corrected is None else f"{text.rounded(found.value)} {HERE}"


def p_value(value: float) -> str:
    """Four decimals, or that it is smaller."""
    return "-" if isnan(value) else "<0.0001" if value < 1e-4 else f"{value:.4f}"


def level_of(level: float, what: str = "estimate") -> str:
    """The head of a column of estimates."""
    return f"{what} [{100 * level:.4g}% interval]"


WRITE: dict[str, Callable[[Any], str]] = {
    "count": text.count,
    "exact": text.exact,
    "share": lambda one: f"{text.rounded(100 * one, text.CHOSEN.get() or 1)} %",
    "p": p_value,
    **dict.fromkeys(("number", "estimate", "difference"), text.rounded),
}
