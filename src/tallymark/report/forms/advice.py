"""Advice: which measures to use and to avoid, with one's own values, and why. Labels are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import accumulate
from math import isfinite, nan

from ...evaluation.advice.answer import Advice
from ...inference import Estimate
from ...input import text
from ...input.messages.notes import Note
from ...input.spelling import either
from .. import parts
from . import advice_item

Table = tuple[list[str], list[list[str]]]  # header and rows


LINES = 36
ROWS = 12  # of measures to use
LISTED = 3  # measures that a sentence names


def as_text(advice: Advice) -> str:
    """The tables, then the reasons; or one screen, with the reasons for which there is room."""
    assumed = [text.paragraph(advice.conditions, first="")] if advice.conditions else []
    reasons = [text.paragraph(advice_item.as_text(item), first="* ") for item in advice.items]
    if advice.full:
        tables = [text.table(header, rows, right=(1,)) for header, rows in _tables(advice)]
        return "\n\n".join([*tables, *assumed, *reasons])
    tables = [text.table(header, rows[:ROWS], right=(1,)) for header, rows in _tables(advice)][
        : bool(advice.use)
    ]
    verdicts = (("Avoid", advice.avoid), ("Compare within one class mix only", advice.within_mix))
    said = [text.paragraph(_sentence(advice, *one), first="") for one in verdicts if one[1]]
    above = [*tables, *said, *assumed]
    room = LINES - sum(part.count("\n") + 2 for part in above) - 2
    heights = accumulate(reason.count("\n") + 2 for reason in reasons)
    shown = max(sum(height <= room for height in heights), 1)
    left = [item.code for item in advice.items[shown:]]
    more = text.paragraph(f"More: {either('.all', '--all')} ({', '.join(left) or 'every measure'})", first="")
    hidden = left or len(advice.use) > ROWS or len(advice.avoid) > LISTED or advice.within_mix
    return "\n\n".join([*above, *reasons[:shown], *([more] if hidden else [])])


def _sentence(advice: Advice, verdict: str, names: Sequence[str]) -> str:
    """As "Avoid: accuracy 0.909 (0.571 with classes of equal size) and 2 more."."""
    said: list[str] = []
    for name in names[:LISTED]:
        found = advice.estimates[name]
        value = "" if isinstance(found, Note) or found.undefined else f" {parts.rounded(found.value)}"
        there = advice.shifts[name][1] if name in advice.shifts else nan
        of_equal = " with classes of equal size" * (not said)
        said.append(f"{name}{value}" + (f" ({parts.rounded(there)}{of_equal})" if isfinite(there) else ""))
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{verdict}: {', '.join(said)}{more}."


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
    given = [note.text for note in found.notes if note.code == "parameters"]
    ends = f"{parts.ends(found, usual=parts.IN_FULL)}{level}"
    return [name, parts.value(found, usual=parts.IN_FULL), "; ".join([ends, *given])]


def _html(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [_cells("th", header), *(_cells("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _cells(tag: str, row: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(value)}</{tag}>' for value in row)}</tr>"
