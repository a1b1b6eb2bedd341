"""Text for terminals: numbers, labels and aligned tables, 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import count as count_from
from math import floor, inf, isfinite, isinf, isnan, log10
from textwrap import wrap
from typing import Any
from unicodedata import combining, east_asian_width

import numpy as np

from .terminal import ellipsis, encodable

LARGEST_SINGLE = 3.4e38
LARGE_COUNT = 1000  # from which a fractional number of cases has one digit after the point
WIDTH = 80
NARROWEST = 40  # columns of a terminal by default
NARROW = 10  # smallest width of a last column
GAP = "  "
DIGITS, MOST_DIGITS = 3, 12  # after the point
CHOSEN: ContextVar[int | None] = ContextVar("digits", default=None)  # in place of these
LARGE, LARGEST = 1_000, 1e9  # from where no digits follow the point, and as far as all are written
APART, NEAR = 2, 100  # units of the last digit that the ends differ by; of the width, below which an end is 0


def json_label(label: Any) -> Any:
    """A label for strict JSON; an infinite number is the text "inf" or "-inf"."""
    return str(label) if isinstance(label, float) and isinf(label) else label


def read_labels(written: Sequence[Any]) -> tuple[Any, ...]:
    """The labels from `json_label`; "inf" is a number if another label is one."""
    numbers = any(not isinstance(label, str) for label in written)
    return tuple(float(label) if numbers and label in ("inf", "-inf") else label for label in written)


@contextmanager
def with_digits(digits: int | None) -> Iterator[None]:
    """While numbers are written with so many digits after the point, at least, in place of the usual ones."""
    before = CHOSEN.set(digits)
    try:
        yield
    finally:
        CHOSEN.reset(before)


def number(value: float, digits: int = 4) -> str:
    """Four decimals, or four significant digits for small numbers; whole numbers as they are."""
    if isnan(value):
        return "-"
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    if value == int(value) and 10 <= abs(value) < 1e15:
        return f"{value:.0f}"
    return f"{value:.{digits}f}" if 0.001 <= abs(value) < 1000 or value == 0 else f"{value:.{digits}g}"


def rounded(value: float, digits: int | None = None) -> str:
    """So many digits after the point, by default three, and none from a thousand on.

    A number that this would show as 0, or that is very large, has so many significant digits.
    """
    size = abs(value)
    if not isfinite(value):
        return number(value)
    digits = CHOSEN.get() if digits is None else digits
    if digits is None:
        digits = 0 if LARGE <= size < LARGEST else DIGITS
    tiny = 0 < size < 10.0**-digits / 2
    return f"{value:.{max(digits, 1)}g}" if tiny or size >= LARGEST else f"{value:.{digits}f}"


def digits_of(low: float, high: float, digits: int | None = None, usual: int = DIGITS) -> int:
    """How many digits after the point a value and the ends of its interval have, so that the ends differ.

    Nor is an end written as 0 that is not, unless it is very near. digits: at least so many, by default the
    usual ones, and none where an end is a thousand or more.
    """
    sizes = [abs(end) for end in (low, high) if isfinite(end)]
    digits = CHOSEN.get() if digits is None else digits
    least = (0 if LARGE <= max(sizes, default=0) < LARGEST else usual) if digits is None else digits
    width = high - low
    if not isfinite(width) or width <= 0:
        return least
    smallest = min([width / APART, *(size for size in sizes if size > width / NEAR)])
    return max(least, min(MOST_DIGITS, -floor(log10(smallest))) if smallest < 10.0**-least else least)


def interval(low: float | None, high: float | None, digits: int | None = None, usual: int = DIGITS) -> str:
    """An interval as every text, page and picture writes it: "[0.860, 0.923]".

    An end that is None, as in JSON, is infinite.
    """
    low, high = -inf if low is None else low, inf if high is None else high
    places = digits_of(low, high, digits, usual)
    tiny = 10.0**-places / 2  # an end so near to 0 has one digit
    return (
        f"[{', '.join(f'{end:.1g}' if 0 < abs(end) < tiny else rounded(end, places) for end in (low, high))}]"
    )


def exact(value: float) -> str:
    """The shortest text that reads as the same number, in single precision for such scores."""
    if isinf(value) or isnan(value):
        return f"{value:g}"
    if value == int(value) and abs(value) < 1e15:
        return f"{value:.0f}"
    single = np.float32(value) if abs(value) < LARGEST_SINGLE else value
    return str(single if float(single) == value else float(value))


def count(value: float) -> str:
    """A number of cases: with all digits if it is whole, else with four, or one after the point."""
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= LARGE_COUNT else f"{value:.4g}"


def whole(value: float) -> float:
    """A whole number as an integer, so that it is written without a point."""
    return int(value) if value == int(value) else value


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows under a header, two spaces between columns; those with indices in `right` are right-aligned."""
    widths = _widths(header, rows)
    return "\n".join(_line(row, widths, right) for row in (header, _rules(header, widths), *rows))


def fitted(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """The same where it fits the terminal; else the first cells on lines of their own, or in blocks."""
    whole = aligned(header, rows, right)
    if fits(whole):
        return whole
    lines = aligned(header[1:], [row[1:] for row in rows], [i - 1 for i in right]).splitlines()
    if max(map(columns_of, lines)) + len(GAP) > width():
        return blocks(header, rows)
    names = [header[0], "", *(row[0] for row in rows)]
    below = (([name] if name else []) + [GAP + line] for name, line in zip(names, lines, strict=True))
    return "\n".join(line for pair in below for line in pair)


def blocks(header: Sequence[str], rows: Sequence[Sequence[str]], last: int = 0) -> str:
    """The same, in several blocks where the columns do not fit the terminal.

    Each block has the first column, and the `last` ones.
    """
    widths = _widths(header, rows)
    ends = range(len(widths) - last, len(widths))
    narrow = width() - max(widths[1:], default=0) - len(GAP)
    if NARROW <= narrow < widths[0]:
        header, *rows = ([label(row[0], narrow), *row[1:]] for row in (header, *rows))
        widths = _widths(header, rows)
    room = width() - widths[0] - sum(len(GAP) + widths[i] for i in ends)
    parts: list[list[int]] = []
    left = 0
    for i in range(1, len(widths) - last):
        left -= len(GAP) + widths[i]
        if left < 0:
            parts, left = [*parts, []], room - len(GAP) - widths[i]
        parts[-1].append(i)
    chosen = [[0, *part, *ends] for part in parts]
    return "\n\n".join(
        aligned(
            [header[i] for i in some], [[row[i] for i in some] for row in rows], range(1, len(some) - last)
        )
        for some in chosen
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """The same, with the last column wrapped to the width of the terminal."""
    widths = _widths(header, rows)
    room = max(width() - sum(widths[:-1]) - len(GAP) * len(widths[:-1]), NARROW)
    if sum(widths[:-1]) + len(GAP) * len(widths[:-1]) + min(widths[-1], NARROW) > width():
        return _stacked(header, rows)
    widths[-1] = min(widths[-1], room)
    lines = [_line(header, widths, right), _line(_rules(header, widths), widths, right)]
    for *cells, last in rows:
        first, *rest = wrap(last, room) or [""]
        lines.append(_line([*cells, first], widths, right))
        lines += [_line([*("" for _ in cells), more], widths, right) for more in rest]
    return "\n".join(lines)


def _stacked(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The cells of each row below each other, for a terminal that is too narrow for a table."""
    parts = []
    for row in (header, *rows):
        middle = GAP.join(cell for cell in row[1:-1] if cell)
        parts += [row[0], *(paragraph(part, GAP) for part in (middle, row[-1]) if part)]
        parts += ["-" * width()] if row is header else []
    return "\n".join(parts)


def terminal_width() -> int:
    """The width of the terminal, 80 where there is none."""
    from shutil import get_terminal_size  # it loads three compression libraries

    return max(get_terminal_size((WIDTH, 1)).columns, NARROWEST)


def width() -> int:
    """The width of text: 80 columns, or that of a narrower terminal."""
    return min(WIDTH, terminal_width())


def fits(table: str, most: int | None = None) -> bool:
    """Whether no line is longer than the width of text, or than `most`."""
    return max(map(columns_of, table.splitlines())) <= (width() if most is None else most)


def label(value: object, longest: int) -> str:
    """One label on one line, shortened in the middle. For several labels `labels` keeps them distinct."""
    return _cut(_on_one_line(value), longest, longest // 2)


def labels(values: Iterable[Any], longest: int) -> dict[Any, str]:
    """The label of each value, of at most `longest` characters; different values have different labels.

    A long label is shortened in the middle. Labels that are then equal are shortened elsewhere, at the same
    place in all of them or from their first difference on, and numbered where that does not distinguish them.
    """
    result = {value: label(value, longest) for value in values}
    alike: dict[str, list[Any]] = {}
    for value, written in result.items():
        alike.setdefault(written, []).append(value)
    taken = {written for written, group in alike.items() if len(group) == 1}
    for group in (group for group in alike.values() if len(group) > 1):
        cuts = _distinct([_on_one_line(value) for value in group], longest, taken)
        taken |= set(cuts)
        result |= zip(group, cuts, strict=True)
    return result


def _distinct(written: Sequence[str], longest: int, taken: set[str]) -> list[str]:
    """The texts shortened at one place so that all differ, also from those taken; else numbered."""
    half = longest // 2
    fronts = sorted(range(longest), key=lambda front: abs(front - half))
    first, last = min(written), max(written)  # all others share what these two begin with
    start = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    ways = [partial(_cut, longest=longest, front=front) for front in fronts] + [
        partial(_cut_to, longest=longest, start=start)
    ]
    for way in ways:
        cuts = [way(one) for one in written]
        if len({*cuts}) == len(cuts) and taken.isdisjoint(cuts):
            return cuts
    return _numbered(written, longest, taken)


def _numbered(written: Sequence[str], longest: int, taken: set[str]) -> list[str]:
    """The shortened text with the first free number at the end."""
    cuts: list[str] = []
    numbers = count_from(1)
    for one in written:
        ways = (f"~{number}" for number in numbers)
        cuts.append(
            next(cut for end in ways if (cut := label(one, max(longest - len(end), 1)) + end) not in taken)
        )
    return cuts


def _on_one_line(value: object) -> str:
    return encodable(
        "".join(
            character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in str(value)
        )
    )


def _cut(written: str, longest: int, front: int) -> str:
    """The text without its middle where it is too long. front: the length of the beginning kept."""
    return (
        written
        if len(written) <= longest
        else f"{written[:front]}{ellipsis()}{written[len(written) - (longest - front - 1) :]}"
    )


def _cut_to(written: str, longest: int, start: int) -> str:
    """The text from the first difference on."""
    return _cut(f"{written[:1]}{ellipsis()}{written[start:]}", longest, longest - 1)


def columns_of(text: str) -> int:
    """The columns of a terminal that a text takes: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(one) in "WF" else not combining(one) for one in text)


def _widths(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(columns_of(row[i]) for row in (header, *rows)) for i in range(len(header))]


def _rules(header: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Dashes below each head, but for the first column none below an empty one."""
    return [
        "-" * width if head or not i else ""
        for i, (head, width) in enumerate(zip(header, widths, strict=True))
    ]


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> str:
    spaces = [" " * (width - columns_of(cell)) for cell, width in zip(cells, widths, strict=True)]
    return GAP.join(
        space + cell if i in right else cell + space
        for i, (cell, space) in enumerate(zip(cells, spaces, strict=True))
    ).rstrip()


def paragraph(text: str, indent: str = "  ", first: str | None = None) -> str:
    """Text wrapped at 80 columns, with lines after the first indented."""
    lines = wrap(
        text,
        width(),
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)
