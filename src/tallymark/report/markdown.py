"""A Document in Markdown, compact, for a comment on a pull request or a language model.

Nothing in a label or a name is a mark or a mention.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .document import Document, Table, written

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")
NUMBER = r"-?(?:inf|[\d.]+(?:e[+-]?\d+)?)"
INTERVAL = re.compile(rf"(?:\\~)?\\\[({NUMBER}, {NUMBER})\\\](?!\()")
MENTION = re.compile(r"@(?=\w)")
RIGHT, LEFT = "---:", "---"


def markdown(document: Document, names: bool = False, level: int = 3) -> str:
    """What leads, severe notices, facts and tables, and the documents of the parts; ends with a line end.

    names: identifiers in place of titles; level: of the headings of parts.
    """
    blocks = [
        f"**{_plain(document.headline)}**" if document.headline else "",
        *_notices(document),
        "\n".join(f"{_plain(one)}  " for one in document.facts).rstrip(),
        *(_table(one, names) for one in document.tables if one.rows),
        *map(_plain, document.footnotes),
    ]
    for name, one in document.parts.items():
        blocks += [f"{'#' * level} {_plain(name)}", markdown(one(), names, level + 1).rstrip("\n")]
    return _joined(blocks) + "\n"


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block)


def _plain(written: str) -> str:
    """On one line, and nothing in it a mark or a mention; the brackets of an interval make no link."""
    plain = MENTION.sub("@<!-- -->", SPECIAL.sub(r"\\\1", " ".join(written.split())))
    return INTERVAL.sub(lambda found: found[0].replace("\\[", "[").replace("\\]", "]"), plain)


def _notices(document: Document) -> list[str]:
    """Severe notices in brief, and the codes of the others."""
    severe = [f"> **Notice** {_plain(one.brief)} `{one.code}`" for one in document.notices if one.severe]
    others = dict.fromkeys(one.code for one in document.notices if not one.severe)
    further = f"Further notices: {', '.join(f'`{code}`' for code in others)}." if others else ""
    return ["\n>\n".join(severe), further]


def _table(table: Table, names: bool) -> str:
    """The rows, and what stands below them."""
    grid = written(table, names)
    marks = [RIGHT if i in grid.right else LEFT for i in range(len(grid.header))]
    lines = [[*map(_plain, grid.header)], marks, *([*map(_plain, row)] for row in grid.rows)]
    rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return _joined(
        [f"**{_plain(table.title)}**" if table.title else "", rows, " ".join(map(_plain, grid.below))]
    )


# Model cards
# --------------------------------------------------------------------------------------------------


def yaml(value: Mapping[str, Any]) -> str:
    """Plain values as YAML, in the form of JSON, which is a part of it.

    What YAML cannot print is escaped, half a surrogate pair replaced.
    """
    escaped = (
        one
        if one.isprintable() or one == "\n"
        else "\N{REPLACEMENT CHARACTER}"
        if 0xD800 <= ord(one) < 0xE000
        else f"\\U{ord(one):08x}"
        for one in json.dumps(value, ensure_ascii=False, indent=2)
    )
    return f"{''.join(escaped)}\n"
