"""What stands on the page of a result that has none of its own: its notices, its rows, its text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from .. import text
from ..results import Tabular
from .sheet import notices

MOST_ROWS = 100


def body(result: Any) -> str:
    """Its short form, and what it has of the others."""
    head = f'<p class="facts">{escape(repr(result).removeprefix("<").removesuffix(">"))}</p>'
    rows = table(result.table) if isinstance(result, Tabular) else ""
    return "\n".join(part for part in (head, notices(result), rows, _text(result, bool(rows))) if part)


def _text(result, folded):
    if type(result).__str__ is object.__str__:  # the short form
        return ""
    written = f"<pre>{escape(str(result))}</pre>"
    return f"<details><summary>As text</summary>{written}</details>" if folded else written


def table(rows: Sequence[dict]) -> str:
    """The first rows; columns without any value are left out."""
    names = [name for name in (rows[0] if rows else ()) if any(row[name] is not None for row in rows)]
    numbers = {name for name in names if all(isinstance(row[name], (int, float, type(None))) for row in rows)}
    head = "".join(_cell("th", name, name in numbers) for name in names)
    lines = ["".join(_cell("td", _shown(row[name]), name in numbers) for name in names) for row in rows[:MOST_ROWS]]
    body = "\n".join(f"<tr>{line}</tr>" for line in (head, *lines))
    more = len(rows) - MOST_ROWS
    foot = f'\n<p class="facts">{text.count(more)} more rows; .table has all.</p>' if more > 0 else ""
    return f'<div class="scroll"><table>\n{body}\n</table></div>{foot}' if names else ""


def _cell(tag, value, number):
    place = ' class="n"' if number else ""
    return f"<{tag}{place}>{escape(value)}</{tag}>"


def _shown(value):
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return text.number(value) if isinstance(value, float) else text.count(value)
