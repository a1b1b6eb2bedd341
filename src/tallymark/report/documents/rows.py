"""Results without a maker of their own: their sentence, and their rows; figures that were read from JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from ...inference import Estimate
from ...input import text
from ..document import Column, Document, Kind, Table
from ..grid import level_of
from .common import named

INTERVAL = {"value", "low", "high", "level", "method"}
APART = INTERVAL | {"undefined", "note", "standard_error", "bounds", "corrected", "optimism"}
KINDS: Mapping[str, Kind] = {"p_value": "p", "adjusted_p_value": "p", "adjusted": "p", "p": "p"}
SCREEN = 100


class Said:
    """A sentence of a row in place of a note."""

    kind, code = "remark", ""

    def __init__(self, said: str):
        self.text = self.reason = said

    def __str__(self) -> str:
        return self.text


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
    """Rows of plain values: each estimate in one cell with its method, without columns that are empty."""
    keys = [key for key in (found[0] if found else ()) if any(row[key] is not None for row in found)]
    columns = [Column(key, key, _kind(key, [row[key] for row in found])) for key in keys]
    if not found or not found[0].keys() >= INTERVAL:
        return Table(name, tuple(columns), found)
    levels = {row["level"] for row in found}
    head = level_of(*levels) if len(levels) == 1 else "value [interval]"
    place = keys.index("value") if "value" in keys else len(keys)
    before, after = (
        [one for one in some if one.key not in APART] for some in (columns[:place], columns[place:])
    )
    if "measure" in keys:
        found = [{**row, "measure": named(row["measure"])} for row in found]
    own = Column("estimate", head, "estimate"), Column("method", "method", "method")
    after += [Column("level", "level", "share")] if len(levels) > 1 else []
    each = [{**row, "estimate": (one := estimate_of(row)), "method": one} for row in found]
    return Table(name, (*before, own[0], *after, own[1]), each)


def estimate_of(row: Mapping[str, Any]) -> Any:
    """The estimate of a row of plain values."""
    nan = float("nan")
    value, low, high = (nan if row[key] is None else row[key] for key in ("value", "low", "high"))
    if (low == low) != (high == high):  # an infinite end is None in JSON
        low, high = (-float("inf") if low != low else low), (float("inf") if high != high else high)
    note, why = row.get("note"), row.get("undefined")
    return Estimate(
        value,
        low,
        high,
        row["level"],
        row["method"],
        undefined=Said(why) if why else None,  # type: ignore[arg-type]
        notes=(Said(note),) if note else (),  # type: ignore[arg-type]
        corrected=row.get("corrected"),
        bounds=tuple(row["bounds"]) if row.get("bounds") else None,
    )


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
