"""Results in Markdown, compact, for a comment on a pull request or a language model.

What leads, severe notices, and a table. Nothing in a label or a name is a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...evaluation.notices import Notice
from .document import Section, sections
from .grid import Grid

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")
NUMBER = r"-?(?:inf|[\d.]+(?:e[+-]?\d+)?)"
INTERVAL = re.compile(rf"\\\[({NUMBER}, {NUMBER})\\\](?!\()")
MENTION = re.compile(r"@(?=\w)")
RIGHT, LEFT = "---:", "---"


def as_text(result: Any, names: bool = False, digits: int | None = None) -> str:
    """The result in Markdown, with a line end.

    Of evaluations, names: identifiers in place of standard names; digits: after the point.
    """
    return _joined(map(_section, sections(result, names, digits))) + "\n"


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block)


def _section(s: Section) -> str:
    heading = f"### {_plain(s.heading)}" if s.heading else ""
    lead = f"**{_plain(s.lead)}**" if s.lead else ""
    table = _table(s.grid) if s.grid is not None and s.grid.header else ""
    return _joined([heading, lead, _notices(s.notices), _plain(s.above), table, _plain(s.below)])


def _plain(written: str) -> str:
    """On one line, and nothing in it a mark or a mention; the brackets of an interval make no link."""
    plain = MENTION.sub("@<!-- -->", SPECIAL.sub(r"\\\1", " ".join(written.split())))
    return INTERVAL.sub(r"[\1]", plain)


def _table(grid: Grid) -> str:
    marks = [RIGHT if i in grid.right else LEFT for i in range(len(grid.header))]
    lines = [[*map(_plain, grid.header)], marks, *([*map(_plain, row)] for row in grid.rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _notices(notices: Sequence[Notice]) -> str:
    """Severe notices in brief, and the codes of the others."""
    severe = [f"> **Notice** {_plain(one.brief)} `{one.code}`" for one in notices if one.severe]
    others = dict.fromkeys(one.code for one in notices if not one.severe)
    further = f"Further notices: {', '.join(f'`{code}`' for code in others)}." if others else ""
    return "\n\n".join(["\n>\n".join(severe), further]).strip()
