r"""A Document as LaTeX tables, for \usepackage{booktabs}; no text in them is a command.

Source: the characters that LaTeX reserves: L. Lamport, "LaTeX: A Document Preparation System", 2.1; rules of
tables: S. Fear, "Publication quality tables in LaTeX" (booktabs).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..__about__ import __version__
from .document import INTERVAL, Document, Grid, written

HEAD = "% Tallymark {version}. In the preamble: \\usepackage{{{packages}}}{engine}\n"
ENGINE = "; compile with lualatex or xelatex, since some letters are not in the fonts of pdflatex"
KNOWN = 0x17F  # the last letter that pdflatex knows without a package for its script: Latin Extended-A
ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\symbol{34}",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
    "\N{MINUS SIGN}": "$-$",
    "\N{INFINITY}": r"$\infty$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
SPECIAL = re.compile("[" + re.escape("".join(ESCAPES)) + "]")
NEGATIVE = re.compile(r"(?<![\w.-])-(?=\d)")
LIGATURE = re.compile(
    r"([-',])(?=\1)"
)  # two hyphens would be a dash, two apostrophes or commas a quotation mark
RANGE = re.compile(r"(?<=\d)-(?=\d)|(?<= )-(?= )")  # of items, or a difference
RAISED = re.compile(r"(?<!\w)\\textasciicircum\{\}(\d+)")  # the mark of a note
OPENING = re.compile(r"^(?=[\[*])")  # after the end of a row these belong to it


# of a page of the class article, at 10 points
WIDTH, CHARACTER = 345.0, 5.0  # points: a line, a character
COLUMN = 229.0  # of a page with two columns; a wider table spans both
NARROWEST = 90.0  # points of a column of long texts
LONG_TEXT = 40  # characters of a cell that is broken into lines
LONG_TABLE = 30  # lines of a table that may need several pages
PUNCTUATION = (
    "\u2013\u2014\u2026\u2018\u2019"  # dashes, an ellipsis, and quotation marks, which pdflatex knows
)


class Letters(NamedTuple):
    """The size of the letters of a table, the share of the usual one, and the points between two columns."""

    command: str
    share: float
    between: float = 12.0


SIZES = (
    Letters("", 1.0),
    Letters("\\small", 0.9),
    Letters("\\footnotesize", 0.8),
    Letters("\\footnotesize\\setlength{\\tabcolsep}{3pt}", 0.8, 6.0),
    Letters("\\scriptsize\\setlength{\\tabcolsep}{3pt}", 0.7, 6.0),
)


def latex(document: Document, names: bool = False, caption: str | None = None) -> str:
    """A table for each of the document, what leads as the caption of the first, and notices below it.

    caption: in place of the headline.
    """
    body = "\n".join(_tables(document, names, caption))
    strange = any(ord(one) > KNOWN and one not in PUNCTUATION for one in body)
    packages = "booktabs,longtable" if "{longtable}" in body else "booktabs"
    return HEAD.format(version=__version__, packages=packages, engine=ENGINE * strange) + body


def _tables(document: Document, names: bool, caption: str | None, called: str = "") -> list[str]:
    """The tables, then those of the parts. called: the name of a part."""
    lead = caption if caption is not None else document.headline or next(iter(document.facts), "")
    facts = document.facts if caption is not None or document.headline else document.facts[1:]
    notes = [one.brief for one in document.notices if one.severe]
    tables = [one for one in document.tables if one.rows]
    result = []
    for i, table in enumerate(tables):
        grid = written(table, names)
        first = lead if i == 0 else table.title
        head = " ".join(part for part in (called and f"{called}.", first) if part)
        below = [*(notes if i == 0 else ()), *grid.below]
        below += [*facts, *document.footnotes] if i == len(tables) - 1 else []
        result.append(_section(grid, escaped(head or table.called), below))
    if not tables:
        result.append("\n\n".join(map(escaped, (lead, *notes, *facts, *document.footnotes))) + "\n")
    for name, one in document.parts.items():
        result += _tables(one(), names, None, name)
    return result


def escaped(written: str) -> str:
    """The text on one line, with nothing in it a command; a minus sign before a number."""
    signs = written.replace(">=", "\N{GREATER-THAN OR EQUAL TO}").replace("<=", "\N{LESS-THAN OR EQUAL TO}")
    printable = "".join(one if one.isprintable() else " " for one in signs)
    hyphens = LIGATURE.sub(r"\1{}", SPECIAL.sub(lambda found: ESCAPES[found[0]], " ".join(printable.split())))
    return RAISED.sub(r"\\textsuperscript{\1}", RANGE.sub("--", NEGATIVE.sub("$-$", hyphens)))


def _section(grid: Grid, caption: str, notes: Sequence[str]) -> str:
    """A table with its caption and notes; one that may need several pages has its header on each."""
    size, columns, spans, heads, rows = _layout(grid)
    below = [f"  \\par\\smallskip{{\\footnotesize {escaped(note)}\\par}}" for note in notes if note]
    lines = sum(1 + max(map(len, row), default=0) // (LONG_TEXT // 2) for row in grid.rows)
    if lines > LONG_TABLE:
        table = [
            f"{{{size}",
            f"  \\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
            f"    \\caption{{{caption}}}\\\\",
            "    \\toprule",
            *heads,
            "    \\midrule",
            "    \\endhead",
            "    \\bottomrule",
            "    \\endfoot",
            *rows,
            "  \\end{longtable}}",
            *below,
            "",
        ]
    else:
        table = [
            f"\\begin{{table{spans}}}",
            "  \\centering",
            f"  \\caption{{{caption}}}",
            *([f"  {size}"] if size else []),
            f"  \\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
            "    \\toprule",
            *heads,
            "    \\midrule",
            *rows,
            "    \\bottomrule",
            "  \\end{tabular}",
            *below,
            f"\\end{{table{spans}}}",
            "",
        ]
    return "\n".join(table)


def _layout(grid: Grid) -> tuple[str, str, str, list[str], list[str]]:
    """The size of the letters that have room, the columns, a star for a table that spans two, and the lines.

    Where a row does not fit in small letters, intervals stand below their values.
    """
    whole = [[[(cell, "")] for cell in row] for row in (grid.header, *grid.rows)]
    size, columns, spans, fits = _columns(grid, whole)
    if not fits and len(grid.estimates) > 1:
        whole = [
            [_halves(cell, i in grid.estimates or j == 0) for i, cell in enumerate(row)]
            for j, row in enumerate((grid.header, *grid.rows))
        ]
        size, columns, spans, _ = _columns(grid, whole)
    head, *rows = ([_line(row, k) for k in range(max(map(len, row)))] for row in whole)
    apart = ["    \\addlinespace[2pt]"] * any(len(row) > 1 for row in rows)
    return size, columns, spans, head, [line for row in rows for line in (*row, *apart)]


def _halves(written: str, split: bool) -> list[tuple[str, str]]:
    """The lines of a cell, each with the size of its letters: a value and its interval, or two words."""
    parts = INTERVAL.split(written, maxsplit=1) if split and "[" in written else written.split(" ", 1)
    return [(parts[0], ""), *((one, "\\scriptsize ") for one in parts[1:])] if split else [(written, "")]


def _line(row: Sequence[Sequence[tuple[str, str]]], k: int) -> str:
    cells = [cell[k] if k < len(cell) else ("", "") for cell in row]
    each = [(OPENING.sub("{}", escaped(one)), size) for one, size in cells]
    return (
        "    "
        + " & ".join(f"{{{size}{one}}}" if size and one else one for one, size in each).rstrip()
        + r" \\"
    )


def _columns(grid: Grid, rows: Sequence[Sequence[Sequence[tuple[str, str]]]]) -> tuple[str, str, str, bool]:
    """The size of the letters, the columns, a star if they are wide, and if letters are not too small."""
    longest = [max(len(one) for cell in column for one, _ in cell) for column in zip(*rows, strict=True)]
    long = [i for i, size in enumerate(longest) if size > LONG_TEXT]
    short = CHARACTER * sum(size for i, size in enumerate(longest) if i not in long)
    left = [(one, WIDTH - one.between * len(longest) - one.share * short) for one in SIZES]
    chosen, room = next((pair for pair in left if pair[1] >= NARROWEST * len(long)), left[-1])
    wide = max(room / max(len(long), 1), NARROWEST * chosen.share)
    letters = ["r" if i in grid.right else "l" for i in range(len(longest))]
    columns = [f"p{{{wide:.0f}pt}}" if i in long else letter for i, letter in enumerate(letters)]
    spans = "*" * bool(long or WIDTH - room > COLUMN)
    return chosen.command, "".join(columns), spans, chosen in SIZES[:2]
