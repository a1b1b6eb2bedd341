"""A table of texts, and one of rows of plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...input import text
from .. import parts

INTERVAL = ("low", "high", "level")
# columns of an estimate that files for programs have
APART = {*INTERVAL, "method", "note", "undefined", "standard_error"}
P_VALUES = ("p_value", "adjusted_p_value")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts. right: the indices of the columns with numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[int] = ()


def grid_of(rows: Sequence[Mapping[str, Any]], digits: int | None = None) -> Grid:
    """Rows of plain values: an interval in one cell, without columns that are empty, or about the method."""
    names = [name for name in (rows[0] if rows else ()) if any(row[name] is not None for row in rows)]
    levels = {row["level"] for row in rows} if set(INTERVAL) <= {*(rows[0] if rows else ())} else set()
    apart = APART if levels else APART - {*INTERVAL}  # a curve has bounds without a level
    shown = [name for name in names if name not in apart]
    place = max(
        (shown.index(name) + 1 for name in ("value", "corrected") if name in shown), default=len(shown)
    )
    header = [*shown[:place], *map(parts.level_of, levels if len(levels) == 1 else ()), *shown[place:]]
    cells = [_cells(row, shown, place, len(levels) == 1, digits) for row in rows]
    number = {name for name in shown if all(_is_number(row[name]) for row in rows)}
    return Grid(header, cells, [i for i, name in enumerate(header) if name in number])


def _cells(
    row: Mapping[str, Any], shown: Sequence[str], place: int, interval: bool, digits: int | None
) -> list[str]:
    cells = [_cell(name, row[name], digits) for name in shown]
    return [*cells[:place], _ends(row, digits), *cells[place:]] if interval else cells


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _cell(name: str, value: Any, digits: int | None) -> str:
    if value is None:
        return "-" if name == "value" else ""
    if name in P_VALUES:
        return parts.p_value(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return parts.rounded(value, digits)
    return text.count(value) if isinstance(value, int) else str(value)


def _ends(row: Mapping[str, Any], digits: int | None) -> str:
    if row["low"] is None and row["high"] is None:
        return "undefined" if row["value"] is None else "none"
    return text.interval(row["low"], row["high"], digits)
