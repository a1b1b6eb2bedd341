r"""Results as LaTeX tables, for \usepackage{booktabs}; no text in them is a command.

Source: the characters that LaTeX reserves: L. Lamport, "LaTeX: A Document Preparation System", 2.1; rules of
tables: S. Fear, "Publication quality tables in LaTeX" (booktabs).
"""

from __future__ import annotations

import re
from typing import Any

from ...__about__ import __version__
from .document import Grid, Section, sections

HEAD = "% Tallymark {version}. In the preamble: \\usepackage{{booktabs}}\n"
ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
SPECIAL = re.compile("[" + re.escape("".join(ESCAPES)) + "]")
NEGATIVE = re.compile(r"(?<![\w.-])-(?=\d)")
LIGATURE = re.compile(r"-(?=-)")  # two hyphens would be a dash
OPENING = re.compile(r"^(?=[\[*])")  # after the end of a row these belong to it


def as_text(result: Any) -> str:
    """A table for each part, with what leads as its caption and notices below it."""
    return HEAD.format(version=__version__) + "\n".join(map(_section, sections(result)))


def escaped(written: str) -> str:
    """The text on one line, with nothing in it a command; a minus sign before a number."""
    printable = "".join(one if one.isprintable() else " " for one in written)
    hyphens = LIGATURE.sub("-{}", SPECIAL.sub(lambda found: ESCAPES[found[0]], " ".join(printable.split())))
    return NEGATIVE.sub("$-$", hyphens)


def _section(s: Section) -> str:
    caption = " ".join(escaped(part) for part in (s.heading and f"{s.heading}.", s.lead or s.above) if part)
    lines = [f"  \\caption{{{caption}}}"] if caption else []
    lines += _tabular(s.grid) if s.grid is not None and s.grid.header else []
    notes = [*([s.above] if s.lead else []), *(one.brief for one in s.notices if one.severe), s.below]
    below = [f"  \\par\\smallskip{{\\footnotesize {escaped(note)}\\par}}" for note in notes if note]
    return "\n".join(["\\begin{table}", "  \\centering", *lines, *below, "\\end{table}", ""])


def _tabular(grid: Grid) -> list[str]:
    columns = "".join("r" if i in grid.right else "l" for i in range(len(grid.header)))
    head, *rows = (
        "    " + " & ".join(map(_cell, row)).rstrip() + r" \\" for row in (grid.header, *grid.rows)
    )
    return [
        f"  \\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        "    \\toprule",
        head,
        "    \\midrule",
        *rows,
        "    \\bottomrule",
        "  \\end{tabular}",
    ]


def _cell(written: str) -> str:
    return OPENING.sub("{}", escaped(written))
