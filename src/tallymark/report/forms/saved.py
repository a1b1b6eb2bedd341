"""The figures of an answer that was read from JSON: notices and rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...input import text
from .. import parts
from ..saved import SavedResult

ROWS, LONGEST = 200, 30  # how many rows, and characters of a cell
# columns that stand in another form, or not at all
APART = {"low", "high", "level", "undefined", "note", "standard_error"}


def as_text(saved: SavedResult) -> str:
    """What `print` shows."""
    sentence = saved._parts.get("headline")
    head = [text.paragraph(str(sentence), first="")] if sentence else []
    head.append(text.paragraph(repr(saved).removeprefix("<").removesuffix(">"), first=""))
    return "\n\n".join(part for part in (*head, *parts.flagged(saved.notices), *_rows(saved.table)) if part)


def _rows(table: list[dict[str, Any]]) -> list[str]:
    """The first rows, without columns that are empty in all, and how many there are more."""
    levels = {row["level"] for row in table if "level" in row}
    rows = [_cells(row, len(levels) == 1) for row in table]
    names = [name for name in (rows[0] if rows else ()) if any(row[name] for row in rows)]
    more = f"{text.count(len(rows) - ROWS)} more rows; .table has all." if len(rows) > ROWS else ""
    return [text.blocks(names, [[row[name] for name in names] for row in rows[:ROWS]]) if names else "", more]


def _cells(row: Mapping[str, Any], one_level: bool) -> dict[str, str]:
    """A row as text: the interval as one cell, and the reason in place of a missing value.

    one_level: whether all intervals have the same level, so that the head of their column has it.
    """
    if not row.keys() >= {"value", "low", "high", "level", "method"}:
        return {name: _cell(value) for name, value in row.items() if name not in APART}
    before = list(row)[: list(row).index("value")]
    ends = (
        "none"
        if row["low"] is None and row["high"] is None
        else text.interval(row["low"], row["high"], usual=parts.IN_FULL)
    )
    level, method = f"{100 * row['level']:.4g}%", _cell(row["undefined"] or row["method"])
    interval = {f"{level} interval": ends} if one_level else {"interval": f"{ends} at {level}"}
    found = {"value": _cell(row["value"]) or "-", **interval, "method": method}
    after = [name for name in row if name not in (*before, *found, *APART)]
    return {name: _cell(row[name]) for name in before} | found | {name: _cell(row[name]) for name in after}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return text.number(value) if isinstance(value, float) else text.label(value, LONGEST)
