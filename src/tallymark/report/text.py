"""A Document as text of 80 columns: one screen of 36 lines, or everything."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ..input import text
from ..input.terminal import FAINT, GREEN, RED, coloured, without_controls
from .document import ESTIMATES, INTERVAL, Document, Grid, Table, in_full, written

LINES = 36
PROSE = 400  # characters of a text that is not a line of facts
LEAST = 4  # rows that are left of a table that is shortened
OTHERS = 2  # notices that are not severe on a screen
LONGEST, SHORT = 24, 14  # characters of a name, in a table of several estimates
LABELS = (24, 12, 8)  # of a class in a matrix: the first with which it fits


def screen(document: Document, names: bool = False) -> str:
    """What `print` shows: the headline, what changes how it is read, and what there is room for.

    names: identifiers in place of titles.
    """
    if document.kind == "sentence":
        return without_controls(document.headline)
    severe = [one for one in document.notices if one.severe]
    others = [_flagged(one) for one in document.notices if not one.severe]
    tables = [one for one in document.tables if one.screen != 0 and one.rows]
    rows = [min(len(one.rows[: one.screen]), LINES) for one in tables]
    narrow = [False] * len(tables)
    kept, facts = len(severe), len(document.facts)
    drawn = cache(lambda i, most, narrow: _table(tables[i], names, most, narrow))
    while True:
        parts = [
            _headline(document),
            "\n".join(map(_paragraph, document.facts[:facts])),
            _severe(severe, kept),
            *map(drawn, range(len(tables)), rows, narrow),
            "\n".join(map(_paragraph, document.footnotes)),
            _more_notices(len(others)) if others else "",
            coloured(_paragraph(document.rest), FAINT),
        ]
        over = (
            sum(part.count("\n") + 2 for part in parts if part)
            - 1
            - (LINES if text.width() == text.WIDTH else 10 * LINES)
        )
        wide = [i for i, one in enumerate(narrow) if not one and drawn(i, rows[i], True) != parts[3 + i]]
        long = [i for i, one in enumerate(tables) if rows[i] > LEAST and one.kind != "matrix"]
        if over <= 0:
            break
        if wide:
            narrow[wide[-1]] = True
        elif long:
            rows[max(long, key=lambda i: (rows[i], i))] -= 1
        elif len(tables) > 1:
            tables.pop()
            narrow.pop()
            rows = [min(len(one.rows[: one.screen]), LINES) for one in tables]
        elif kept > 1:
            kept -= 1
        elif facts > 1:
            facts -= 1
        else:
            break
    shown: list[str] = []
    for one in others[:OTHERS]:
        if over + one.count("\n") + 1 - (len(others) == len(shown) + 1) > 0:
            break
        shown.append(one)
        over += one.count("\n") + 1
    left = _more_notices(len(others) - len(shown)) if len(others) > len(shown) else ""
    parts[-2] = "\n".join(part for part in (*shown, left) if part)
    return without_controls("\n\n".join(part for part in parts if part))


def full(document: Document, names: bool = False) -> str:
    """Everything, the documents of the parts below their names."""
    parts = [
        _headline(document),
        "\n".join(map(_paragraph, document.facts)),
        coloured("\n".join(_flagged(one) for one in document.notices if one.severe), RED),
        *(_table(one, names) for one in document.tables if one.rows),
        "\n".join(map(_paragraph, document.footnotes)),
        *(_flagged(one) for one in document.notices if not one.severe),
    ]
    said = "\n\n".join(part for part in parts if part)
    for name, one in document.parts.items():
        label = text.label(name, text.width())
        said += f"\n\n\n{label}\n{'=' * len(label)}\n\n{full(one(), names)}"
    return without_controls(said.strip("\n"))


def _headline(document: Document) -> str:
    said = _paragraph(document.headline)
    return coloured(said, GREEN if document.tone == "good" else RED) if document.tone else said


def _paragraph(sentence: str) -> str:
    """Lines after the first are indented, but for long texts."""
    return text.paragraph(sentence, "" if len(sentence) > PROSE else "  ", "") if sentence else ""


def _flagged(notice: object) -> str:
    return text.paragraph(str(notice), first="! ")


def _severe(notices: Sequence[object], kept: int) -> str:
    """The severe notices in brief, of the last ones the codes alone."""
    lines = [text.paragraph(f"{one.brief} [{one.code}]", first="! ") for one in notices[:kept]]  # type: ignore[attr-defined]
    codes = [one.code for one in notices[kept:]]  # type: ignore[attr-defined]
    lines += [_flagged(f"Also, see {in_full()}: {', '.join(codes)}")] if codes else []
    return coloured("\n".join(lines), RED)


def _more_notices(number: int) -> str:
    return f"! {number} more notice{'s' * (number != 1)}: {in_full()}"


def _table(table: Table, names: bool, most: int | None = None, narrow: bool = False) -> str:
    """Its title, its rows, and what stands below. narrow: only the columns that fit a line."""
    several = sum(one.kind in ESTIMATES for one in table.columns) > 1
    drawn, dropped = "", 0
    for longest in LABELS if table.kind == "matrix" else (SHORT if several else LONGEST,):
        grid = written(table, names, most, longest)
        drawn, dropped = _drawn(grid, narrow, table.kind == "matrix")
        if text.fits(drawn):
            break
    left = len(table.rows) - len(table.rows[:most])
    rest = [f"{left:,} more"] * bool(left) + [f"{dropped} more column{'s' * (dropped != 1)}"] * bool(dropped)
    below = [*grid.below, *(f"({one}: {in_full()})" for one in rest)]
    return "\n".join([*([table.title] if table.title else []), drawn, *map(_paragraph, below)])


def _drawn(grid: Grid, narrow: bool, matrix: bool) -> tuple[str, int]:
    """Aligned columns, estimates by their intervals; too wide ones in blocks, or as many as fit.

    And the number of columns that are left out.
    """
    rows = _aligned_estimates(grid)
    right = grid.right
    short = [[text.label(cell, text.WIDTH // 2) for cell in row] for row in rows]  # in blocks
    whole = text.aligned(grid.header, rows, right)
    if text.fits(whole, text.terminal_width() if matrix else None):
        return whole, 0
    last = len(grid.header) - 1
    if last not in right and last not in grid.estimates and not matrix:
        taken = sum(max(map(text.columns_of, column)) + 2 for column in zip(grid.header, *rows, strict=True))
        taken -= max(map(text.columns_of, (row[-1] for row in (grid.header, *rows)))) + 2
        if (
            text.width() < text.WIDTH
            or taken + max(text.NARROW, text.columns_of(grid.header[-1])) <= text.WIDTH
        ):
            return text.table(grid.header, rows, right), 0
        others = text.blocks(grid.header[:-1], [row[:-1] for row in short])
        ends = text.table([grid.header[0], grid.header[-1]], [[row[0], row[-1]] for row in rows])
        return (others, 1) if narrow else (f"{others}\n\n{ends}", 0)
    for columns in range(last if narrow else 0, 1, -1):
        fewer = text.aligned(grid.header[:columns], [row[:columns] for row in rows], right)
        if text.fits(fewer):
            return fewer, len(grid.header) - columns
    return text.blocks(grid.header, short), 0


def _aligned_estimates(grid: Grid) -> list[list[str]]:
    """The cells, in which all intervals of a column begin below each other."""
    rows = [list(row) for row in grid.rows]
    for i in grid.estimates:
        split = [INTERVAL.split(row[i], maxsplit=1) for row in rows]
        width = max((len(one[0]) for one in split), default=0)
        approximate = any(one[1:] and one[1].startswith("~") for one in split)
        for row, (first, *rest) in zip(rows, split, strict=True):
            ends = "".join(rest)
            space = " " * (approximate and not ends.startswith("~"))
            value = first if first[:2] in ("-", "-^") else f"{first:>{width}}"
            row[i] = f"{value} {space}{ends}".rstrip()
    return rows
