"""A result that has no form of its own: as text its short form, as HTML its notices, its rows, its text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from ...input import text
from ...input.results import Tabular
from ..sheet import notices

MOST_ROWS = 100
LONG = 40  # characters of a cell that needs room
INTERVAL = {"low", "high", "level"}
LAST = ("undefined", "note")  # of an estimate


def as_text(result: Any) -> str:
    """The short form."""
    return repr(result)


def as_html(result: Any) -> str:
    """Its short form, and what it has of the others."""
    head = f'<p class="facts">{escape(repr(result).removeprefix("<").removesuffix(">"))}</p>'
    rows = table(result.table) if isinstance(result, Tabular) else ""
    leads = getattr(result, "headline", None)
    first = "" if leads is None else f'<p class="headline">{escape(str(leads))}</p>'
    return "\n".join(
        part for part in (first, head, notices(result), rows, _folded(result, bool(rows))) if part
    )


def _folded(result: object, folded: bool) -> str:
    short, whole = repr(result), str(result)
    if whole == short:
        return ""
    written = f"<pre>{escape(whole)}</pre>"
    return f"<details><summary>As text</summary>{written}</details>" if folded else written


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The first rows; columns without any value are left out, and the ends of an interval stand together."""
    more = len(rows) - MOST_ROWS
    rows = [_with_interval(row) for row in rows[:MOST_ROWS]]
    names = [name for name in (rows[0] if rows else ()) if any(row[name] is not None for row in rows)]
    numbers = {name for name in names if all(isinstance(row[name], (int, float, type(None))) for row in rows)}
    head = "".join(_cell("th", name, name in numbers) for name in names)
    lines = ["".join(_cell("td", _shown(row[name]), name in numbers) for name in names) for row in rows]
    body = "\n".join(f"<tr>{line}</tr>" for line in (head, *lines))
    foot = f'\n<p class="facts">{text.count(more)} more rows; .table has all.</p>' if more > 0 else ""
    return f'<div class="scroll"><table>\n{body}\n</table></div>{foot}' if names else ""


def _with_interval(row: dict[str, Any]) -> dict[str, Any]:
    """An estimate with both ends of its interval as one text, and its notes last."""
    if not row.keys() >= INTERVAL:
        return row
    ends = [row["low"], row["high"]]
    level = f"{100 * row['level']:.4g}%"
    interval = (
        None if ends == [None, None] else f"{text.interval(row['low'], row['high'], usual=4)} at {level}"
    )
    first = {
        "interval" if name == "low" else name: interval if name == "low" else value
        for name, value in row.items()
    }
    last = {name: row[name] for name in LAST if name in row}
    return {name: value for name, value in first.items() if name not in INTERVAL | last.keys()} | last


def _cell(tag: str, value: str, number: bool) -> str:
    place = "n" if number else "said" if len(value) > LONG else "short"
    return f'<{tag} class="{place}">{escape(value)}</{tag}>'


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return text.number(value) if isinstance(value, float) else text.count(value)
