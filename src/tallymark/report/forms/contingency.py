"""A two-by-two table: the counts with their margins, and the eight ratios."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...evaluation.contingency import LONGEST_LABEL, OF_COLUMNS, OF_ROWS, Contingency, Pairs, Ratios
from ...inference import estimate
from ...input import text
from .. import parts

SHORTEST_LABEL = 8


def as_text(c: Contingency) -> str:
    """Three tables that keep to 80 columns."""
    return "\n\n".join([cells(c), _pairs(c, OF_ROWS), _pairs(c, OF_COLUMNS)])


def as_html(c: Contingency) -> str:
    """The same tables, which scroll where they are too wide."""
    return f'<div class="scroll">{tables(c)}</div>'


def tables(c: Contingency) -> str:
    """The three tables as HTML."""
    head = "".join(f'<th class="n">predicted {escape(name)}</th>' for name in _named(c))
    body = "\n".join(_html_row(name, row) for name, row in zip(_row_names(c), c.rows, strict=True))
    counts = f'<table>\n<tr><th></th>{head}<th class="n">total</th></tr>\n{body}\n</table>'
    return "\n".join([counts, *(_html_pairs(c, pairs) for pairs in (OF_ROWS, OF_COLUMNS))])


def cells(c: Contingency) -> str:
    """The counts with their margins; labels are shorter where the terminal is narrow."""
    tables = (_cells(c, longest) for longest in (LONGEST_LABEL, SHORTEST_LABEL))
    return next((table for table in tables if text.fits(table)), _cells(c, SHORTEST_LABEL))


def _cells(c: Contingency, longest: int) -> str:
    header = ["", *(f"predicted {label}" for label in _named(c, longest)), "total"]
    rows = [[name, *map(text.count, row)] for name, row in zip(_row_names(c, longest), c.rows, strict=True)]
    return text.fitted(header, rows, right=(1, 2, 3))


def _pairs(c: Contingency, pairs: Pairs) -> str:
    interval = f"{100 * c.settings.level:.4g}% interval"
    ratios = c.ratios(pairs)
    header = [_of_each(pairs), _shown(ratios), interval, "complement", _shown(ratios)]
    rows = [[a, parts.value(x), parts.bounds(x), b, parts.value(y)] for a, x, b, y in ratios]
    return text.fitted(header, rows, right=(1, 4)) + "\n" + text.paragraph(_dependence(c, pairs), first="")


def _shown(ratios: Ratios) -> str:
    """What the numbers next to the intervals are."""
    return "value" if all(x.corrected is None for _, x, _, _ in ratios) else "corrected"


def _html_pairs(c: Contingency, pairs: Pairs) -> str:
    rows = "\n".join(
        f'<tr><td>{a}</td><td class="n">{parts.value(x)}</td><td class="n">{parts.bounds(x)}</td>'
        f'<td>{b}</td><td class="n">{parts.value(y)}</td></tr>'
        for a, x, b, y in c.ratios(pairs)
    )
    value = f'<th class="n">{_shown(c.ratios(pairs))}</th>'
    head = f'<tr><th>{_of_each(pairs)}</th>{value}<th class="n">interval</th><th>complement</th>{value}</tr>'
    return f'<table>\n{head}\n{rows}\n</table>\n<p class="facts">{_dependence(c, pairs)}</p>'


def _html_row(name: str, row: Sequence[float]) -> str:
    cells = "".join(f'<td class="n">{text.count(cell)}</td>' for cell in row)
    return f"<tr><th>{escape(name)}</th>{cells}</tr>"


def _of_each(pairs: Pairs) -> str:
    return "of each row" if pairs == OF_ROWS else "of each column"


def _dependence(c: Contingency, pairs: Pairs) -> str:
    if pairs == OF_ROWS:
        return "These do not depend on the prevalence."
    share = text.number(estimate("prevalence", c.counts).value)
    fixed = c.settings.design == "case-control"
    return (
        "These depend on the prevalence,"
        f" {f'which the design fixes at {share}' if fixed else f'{share} here'}."
    )


def _named(c: Contingency, longest: int = LONGEST_LABEL) -> list[str]:
    names = text.labels(c.labels, longest)
    return [names[c.labels[1]], names[c.labels[0]]]


def _row_names(c: Contingency, longest: int = LONGEST_LABEL) -> list[str]:
    return [*(f"actual {label}" for label in _named(c, longest)), "total"]
