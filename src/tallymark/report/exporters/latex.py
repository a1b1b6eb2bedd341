r"""Results as LaTeX tables, for \usepackage{booktabs}; no text in them is a command.

Source: the characters that LaTeX reserves: L. Lamport, "LaTeX: A Document Preparation System", 2.1; rules of
tables: S. Fear, "Publication quality tables in LaTeX" (booktabs).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ...__about__ import __version__
from .document import Section, sections
from .grid import Grid

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
OPENING = re.compile(r"^(?=[\[*])")  # after the end of a row these belong to it


# of a page of the class article, at 10 points
WIDTH, CHARACTER = 345.0, 5.0  # points: a line, a character
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
    Letters("\\scriptsize", 0.7),
    Letters("\\tiny\\setlength{\\tabcolsep}{2pt}", 0.55, 4.0),
)


def as_text(result: Any) -> str:
    """A table for each part, with what leads as its caption and notices below it."""
    parts = sections(result)
    body = "\n".join(map(_section, parts))
    long = any(one.grid is not None and _is_long(one.grid) for one in parts)
    strange = any(ord(one) > KNOWN and one not in PUNCTUATION for one in body)
    packages = "booktabs,longtable" if long else "booktabs"
    return HEAD.format(version=__version__, packages=packages, engine=ENGINE * strange) + body


def escaped(written: str) -> str:
    """The text on one line, with nothing in it a command; a minus sign before a number."""
    signs = written.replace(">=", "\N{GREATER-THAN OR EQUAL TO}").replace("<=", "\N{LESS-THAN OR EQUAL TO}")
    printable = "".join(one if one.isprintable() else " " for one in signs)
    hyphens = LIGATURE.sub(r"\1{}", SPECIAL.sub(lambda found: ESCAPES[found[0]], " ".join(printable.split())))
    return NEGATIVE.sub("$-$", hyphens)


def _section(s: Section) -> str:
    caption = " ".join(escaped(part) for part in (s.heading and f"{s.heading}.", s.lead or s.above) if part)
    notes = [*([s.above] if s.lead else []), *(one.brief for one in s.notices if one.severe), s.below]
    below = [f"  \\par\\smallskip{{\\footnotesize {escaped(note)}\\par}}" for note in notes if note]
    if s.grid is not None and _is_long(s.grid):
        return "\n".join([*_long(s.grid, caption), *below, ""])
    lines = [f"  \\caption{{{caption}}}"] if caption else []
    lines += _tabular(s.grid) if s.grid is not None and s.grid.header else []
    return "\n".join(["\\begin{table}", "  \\centering", *lines, *below, "\\end{table}", ""])


def _is_long(grid: Grid) -> bool:
    """Whether it may need more than a page, also by long texts."""
    return sum(1 + max(map(len, row), default=0) // (LONG_TEXT // 2) for row in grid.rows) > LONG_TABLE


def _tabular(grid: Grid) -> list[str]:
    size, columns = _layout(grid)
    head, *rows = _lines(grid)
    return [
        *([f"  {size}"] if size else []),
        f"  \\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        "    \\toprule",
        head,
        "    \\midrule",
        *rows,
        "    \\bottomrule",
        "  \\end{tabular}",
    ]


def _long(grid: Grid, caption: str) -> list[str]:
    """A table of several pages, with its header on each."""
    size, columns = _layout(grid)
    head, *rows = _lines(grid)
    return [
        f"{{{size}",
        f"  \\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
        *([f"    \\caption{{{caption}}}\\\\"] if caption else []),
        "    \\toprule",
        head,
        "    \\midrule",
        "    \\endhead",
        "    \\bottomrule",
        "    \\endfoot",
        *rows,
        "  \\end{longtable}}",
    ]


def _lines(grid: Grid) -> list[str]:
    return ["    " + " & ".join(map(_cell, row)).rstrip() + r" \\" for row in (grid.header, *grid.rows)]


def _layout(grid: Grid) -> tuple[str, str]:
    """The size of the letters with which the table has room, and the columns."""
    longest = [max(map(len, column)) for column in zip(grid.header, *grid.rows, strict=True)]
    long = [i for i, size in enumerate(longest) if size > LONG_TEXT]
    short = CHARACTER * sum(size for i, size in enumerate(longest) if i not in long)
    left = [(one, WIDTH - one.between * len(longest) - one.share * short) for one in SIZES]
    chosen, room = next((pair for pair in left if pair[1] >= NARROWEST * len(long)), left[-1])
    wide = max(room / max(len(long), 1), NARROWEST * chosen.share)
    letters = ["r" if i in grid.right else "l" for i in range(len(longest))]
    columns = [f"p{{{wide:.0f}pt}}" if i in long else letter for i, letter in enumerate(letters)]
    return chosen.command, "".join(columns)


def _cell(written: str) -> str:
    return OPENING.sub("{}", escaped(written))
