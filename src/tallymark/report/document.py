"""What every result is shown as: values in an order, without a word on how they are drawn.

A maker of `report.documents` makes a `Document` of a result; `text`, `html`, `markdown` and `latex` draw it
and know of no verb. `grid` writes the cells of a table, so that every format states the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from ..inference import Estimate

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
