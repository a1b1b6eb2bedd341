"""The document of a result as plain values, next to its figures in a file: what it shows when it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from ..inference import Estimate
from .document import Cell, Column, Document, Remark, Table, Tile

TEXTS = ("kind", "title", "headline", "rest", "tone")
OF_TABLES = ("name", "title", "screen", "kind", "baseline")
OF_REMARKS = ("code", "text", "brief", "severe")


def plain(document: Document) -> dict[str, Any]:
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


def document(plain: Mapping[str, Any], estimate: Callable[[Any], Estimate]) -> Document:
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
