"""tallymark measures [NAME or words]"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..input.validate import InputError

if TYPE_CHECKING:
    from ..measures.registry import Measure


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser("measures", help="list the measures, or explain one")
    command.set_defaults(run=run)
    command.add_argument("name", nargs="*", help="a name, an alias, or words to look for")
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """Without a name the list; with one the card of that measure, or of all that the words fit."""
    from ..input.results import head
    from ..measures import registry
    from ..report.cards import card

    wanted = " ".join(given.name)
    found = registry.find(wanted) if wanted else registry.all_measures()
    if wanted:  # of one name the first form alone: its card tells of the other
        found = tuple({entry.name: entry for entry in reversed(found)}.values())[::-1]
    if not found:
        registry.get(wanted)  # says which name is nearest
        raise InputError(
            "unknown-name", None, f"{wanted!r} fits no measure", "`tallymark measures` lists them"
        )
    if given.json:
        print(json.dumps({**head("measures"), "measures": [card(entry) for entry in found]}, indent=2))
    elif len(found) == 1:
        print(_printed(card(found[0])))
    else:
        print(_list(found))


def _list(found: Sequence[Measure]) -> str:
    from ..input import text

    lines: list[str] = []
    for family, entry in ((entry.family, entry) for entry in found):
        if f"[{family}]" not in lines:
            lines += [""] * bool(lines) + [f"[{family}]"]
        also = f" (also {', '.join(entry.aliases)})" if entry.aliases else ""
        lines.append(text.paragraph(f"{entry.title}{also}", indent=" " * 28, first=f"{entry.name:<26}  "))
    return "\n".join(lines)


def _printed(card: Mapping[str, Any]) -> str:
    from ..input import text

    head = [
        card["name"],
        "=" * len(card["name"]),
        text.paragraph(card["title"], "", ""),
        "",
        text.paragraph(card["formula"], "      ", "    "),
        "",
    ]
    remarks = [text.paragraph(card["remarks"], "", ""), ""] if card["remarks"] else []
    facts = {
        key: value
        for key, value in card.items()
        if key not in ("name", "title", "remarks", "formula") and value not in (None, "", [])
    }
    lines = [
        text.paragraph(_plain(value), indent=" " * 18, first=f"{key.replace('_', ' '):<16}  ")
        for key, value in facts.items()
    ]
    return "\n".join([*head, *remarks, *lines])


def _plain(value: Any) -> str:
    if isinstance(value, list):
        ends = (len(value) == 2 and any(isinstance(end, float) for end in value)) or value == ["-inf", "inf"]
        return " to ".join(f"{float(end):g}" for end in value) if ends else ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
