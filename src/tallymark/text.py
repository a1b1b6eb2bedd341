"""Tables of text: aligned columns that fit a terminal of 80."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isinf, isnan
from textwrap import wrap
from typing import Any

import numpy as np

LARGEST_SINGLE = 3.4e38
WIDTH = 80
NARROW = 10  # the least room for a last column
GAP = "  "


class AsJson:
    """An answer that has a `to_dict` of plain values."""

    __slots__ = ()
    to_dict: Any

    def to_json(self, indent: int | None = 2) -> str:
        """Strict JSON: no NaN, no infinity."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)


def number(value: float, digits: int = 4) -> str:
    """Four decimals, or four significant digits where that would say nothing; whole numbers as they are."""
    if isnan(value):
        return "-"
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    if value == int(value) and 10 <= abs(value) < 1e15:
        return f"{value:.0f}"
    return f"{value:.{digits}f}" if 0.001 <= abs(value) < 1000 or value == 0 else f"{value:.{digits}g}"


def exact(value: float) -> str:
    """The shortest text that gives the same number again; of a score in single precision the same such number."""
    if isinf(value) or isnan(value):
        return f"{value:g}"
    if value == int(value) and abs(value) < 1e15:
        return f"{value:.0f}"
    single = np.float32(value) if abs(value) < LARGEST_SINGLE else value
    return str(single if float(single) == value else float(value))


def count(value: float) -> str:
    """A number of cases: whole ones in full."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.10g}"


def whole(value: float) -> float:
    """A whole number as an integer, so that it is written without a point."""
    return int(value) if value == int(value) else value


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows under a header, two spaces apart, as wide as they are; columns numbered in `right` are set flush right."""
    widths = _widths(header, rows)
    return "\n".join(_line(row, widths, right) for row in (header, ["-" * width for width in widths], *rows))


def blocks(header: Sequence[str], rows: Sequence[Sequence[str]], last: int = 0) -> str:
    """The same, one below the other where all columns do not fit a terminal; the first column, and the `last` ones, in each."""
    widths = _widths(header, rows)
    ends = range(len(widths) - last, len(widths))
    room = WIDTH - widths[0] - sum(len(GAP) + widths[i] for i in ends)
    parts: list[list[int]] = []
    left = 0
    for i in range(1, len(widths) - last):
        left -= len(GAP) + widths[i]
        if left < 0:
            parts, left = [*parts, []], room - len(GAP) - widths[i]
        parts[-1].append(i)
    chosen = [[0, *part, *ends] for part in parts]
    return "\n\n".join(
        aligned([header[i] for i in some], [[row[i] for i in some] for row in rows], range(1, len(some) - last)) for some in chosen
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """The same, with the last column broken so that all fits the width of a terminal."""
    widths = _widths(header, rows)
    room = max(WIDTH - sum(widths[:-1]) - len(GAP) * len(widths[:-1]), NARROW)
    widths[-1] = min(widths[-1], room)
    lines = [_line(header, widths, right), _line(["-" * width for width in widths], widths, right)]
    for *cells, last in rows:
        first, *rest = wrap(last, room) or [""]
        lines.append(_line([*cells, first], widths, right))
        lines += [_line([*("" for _ in cells), more], widths, right) for more in rest]
    return "\n".join(lines)


def label(value: object, longest: int) -> str:
    """A label on one line, cut in the middle where it is long: what tells labels apart often stands at their end."""
    written = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in str(value))
    if len(written) <= longest:
        return written
    front = longest // 2
    return f"{written[:front]}…{written[front + 1 - longest :]}"


def _widths(header, rows):
    return [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]


def _line(cells, widths, right):
    padded = enumerate(zip(cells, widths, strict=True))
    return GAP.join(cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in padded).rstrip()


def paragraph(text: str, indent: str = "  ", first: str | None = None) -> str:
    """Text broken at 80 columns, the lines after the first indented."""
    lines = wrap(
        text,
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)
