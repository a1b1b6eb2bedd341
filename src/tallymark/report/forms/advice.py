"""Advice: which measures to use and to avoid, with one's own values, and why. Labels are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from ...evaluation.advice.answer import Advice
from ...inference import Estimate
from ...input import text
from ...input.messages.notes import Note
from .. import parts
from . import advice_item

Table = tuple[list[str], list[list[str]]]  # header and rows


def as_text(advice: Advice) -> str:
    """The tables, then the reasons."""
    tables = [text.table(header, rows, right=(1,)) for header, rows in _tables(advice)]
    assumed = [text.paragraph(advice.conditions, first="")] if advice.conditions else []
    return "\n\n".join(
        [*tables, *assumed, *(text.paragraph(advice_item.as_text(item), first="* ") for item in advice.items)]
    )


def as_html(advice: Advice) -> str:
    """The same."""
    reasons = "".join(f"<li>{escape(advice_item.as_text(item))}</li>" for item in advice.items)
    assumed = f"<p>{escape(advice.conditions)}</p>" if advice.conditions else ""
    return "".join(_html(*table) for table in _tables(advice)) + f"{assumed}<ul>{reasons}</ul>"


def _tables(advice: Advice) -> Iterator[Table]:
    """What to use; what misleads, and what holds for one class mix, with what the mix does to it."""
    if advice.use:
        yield ["use", "value", "interval"], [_row(name, advice.estimates[name]) for name in advice.use]
    for names, verdict in ((advice.avoid, "avoid"), (advice.within_mix, "within one class mix")):
        if names:
            yield [verdict, "value", "with classes of equal size"], _moved(advice, names)


def _moved(advice: Advice, names: Iterable[str]) -> list[list[str]]:
    """The value of each measure here, and with classes of equal size."""
    there = {name: text.number(shift[1]) for name, shift in advice.shifts.items()}
    return [[*_row(name, advice.estimates[name])[:2], there.get(name, "")] for name in names]


def _row(name: str, found: Estimate | Note) -> list[str]:
    if isinstance(found, Note):
        return [name, "-", found.text]
    if found.undefined:
        return [name, "-", f"undefined: {found.undefined}"]
    level = f" at {100 * found.level:.4g} %" if found.has_interval else ""
    return [name, text.number(found.centre), f"{parts.ends(found)}{level}"]


def _html(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [_cells("th", header), *(_cells("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _cells(tag: str, row: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(value)}</{tag}>' for value in row)}</tr>"
