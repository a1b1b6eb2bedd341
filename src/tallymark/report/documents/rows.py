"""Results without a maker of their own: their sentence, and their rows; figures that were read from JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from ...input import text
from ..document import Column, Document, Kind, Table

KINDS: Mapping[str, Kind] = {
    "p_value": "p",
    "adjusted_p_value": "p",
    "adjusted": "p",
    "p": "p",
    "level": "share",
}
SCREEN = 100


def rows(result: Any, full: bool = False) -> Document:
    """The short form, and the rows."""
    table = getattr(result, "table", None)
    said = repr(result).removeprefix("<").removesuffix(">")
    lead = getattr(result, "headline", None)
    return Document(
        kind=type(result).__name__,
        headline="" if lead is None else str(lead),
        facts=(said, *([result.conditions] if result.conditions else [])),
        notices=result.notices,
        tables=(of_rows(table if full else table[:SCREEN]),) if table else (),
        rest=f"{text.count(len(table) - SCREEN)} more rows; .table has all."
        if table and len(table) > SCREEN and not full
        else "",
    )


def short(result: Any, full: bool = False) -> Document:
    """The short form alone."""
    return Document(kind=type(result).__name__, facts=(repr(result),), notices=result.notices)


def of_rows(found: Sequence[Mapping[str, Any]], name: str = "rows") -> Table:
    """Rows of plain values, without columns that are empty."""
    keys = [key for key in (found[0] if found else ()) if any(row[key] is not None for row in found)]
    columns = [Column(key, key, _kind(key, [row[key] for row in found])) for key in keys]
    return Table(name, tuple(columns), found)


def _kind(key: str, values: Sequence[Any]) -> Kind:
    if key in KINDS:
        return KINDS[key]
    known = [value for value in values if value is not None]
    if any(isinstance(value, bool) or not isinstance(value, (int, float)) for value in known):
        return "name" if key in ("model", "group", "fold", "class", "measure", "requirement") else "text"
    return "count" if all(float(value).is_integer() for value in known) else "number"


def saved(result: Any, full: bool = False) -> Document:
    """What the answer showed, where its file has that, or its figures."""
    shown: Document | None = result._document(full)
    if shown is not None:
        return shown
    data = result.to_dict().get("data") or {}
    source = PurePath(data.get("source", "")).name
    return replace(rows(result, full), title=data.get("name") or ("" if source.isidentifier() else source))


def curve(found: Any, full: bool = False) -> Document:
    """What a curve is, what its band is for, and why there is none."""
    why = found.about.note if found.about is not None else None
    facts = (repr(found), str(why or ""), found.conditions)
    points = replace(of_rows(found.table, "points"), screen=0)
    return Document(
        kind="curve",
        title=found.name,
        facts=tuple(one for one in facts if one),
        notices=found.notices,
        tables=(points,),
    )


def in_full(whole: Any, full: bool = True) -> Document:
    """A result in full."""
    from . import document

    return document(whole.result, full=True)
