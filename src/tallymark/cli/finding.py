"""find and measures: the catalogue."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..input import text
from ..input.validate import InputError, nearest
from . import options
from .options import Command

if TYPE_CHECKING:
    from ..report.catalogue import Entry

WIDTH = 26  # of the names in a list


def find(given: argparse.Namespace) -> None:
    """Without words the whole list; with them the card of what they mean, or the candidates.

    With a name, `measures` leaves out what is none where a measure fits.
    """
    from ..report import catalogue

    wanted, of_all = " ".join(given.name), given.command == "find"
    entries = matches(wanted) if wanted else catalogue.entries()
    fitting = [one for one in entries if of_all or one.kind == "measure"]
    exact = [one for one in fitting if one.name == wanted and not of_all]
    show("found" if of_all else "measures", exact or fitting or entries, given.json)


def matches(wanted: str) -> Sequence[Entry]:
    """What the words mean. Raises InputError if nothing."""
    from ..report import catalogue

    entries = catalogue.find(wanted)
    if not entries:
        names = [name for one in catalogue.entries() for name in one.names]
        misspelt = nearest(wanted, names) if " " not in wanted else ""
        problem = f"{wanted!r} is nothing in the catalogue{misspelt}{entries.hint()}"
        raise InputError("unknown-name", None, problem, "`tallymark find` lists all of it")
    return entries


def show(answer: str, entries: Sequence[Entry], as_json: bool) -> None:
    """One as its card, several as a list, where a measure with several forms is named once; JSON has all."""
    from ..input.results import head
    from ..report.cards import card

    if as_json:
        print(json.dumps({**head(answer), answer: [card(entry) for entry in entries]}, indent=2))
        return
    first: dict[tuple[str, str], Entry] = {}
    for one in entries:
        first.setdefault((one.kind, one.name), one)
    once = tuple(first.values())
    print(_printed(card(once[0])) if len(once) == 1 else _list(once))


def _list(entries: Sequence[Entry]) -> str:
    lines: list[str] = []
    for entry in entries:
        heading = f"[{getattr(entry, 'family', f'{entry.kind}s')}]"
        if heading not in lines:
            lines += [""] * bool(lines) + [heading]
        also = f" (also {', '.join(entry.aliases)})" if entry.aliases else ""
        indent = " " * (WIDTH + 2)
        lines.append(text.paragraph(f"{entry.title}{also}", indent, f"{entry.name:<{WIDTH}}  "))
    return "\n".join(lines)


def _printed(card: Mapping[str, Any]) -> str:
    head = [card["name"], "=" * len(card["name"]), text.paragraph(card["title"], "", ""), ""]
    if "formula" in card:
        head += [text.paragraph(card["formula"], "      ", "    "), ""]
    if card.get("remarks"):
        head += [text.paragraph(card["remarks"], "", ""), ""]
    facts = {
        key: value
        for key, value in card.items()
        if key not in ("name", "title", "remarks", "formula") and value not in (None, "", [])
    }
    lines = [
        text.paragraph(_plain(value), indent=" " * 18, first=f"{key.replace('_', ' '):<16}  ")
        for key, value in facts.items()
    ]
    return "\n".join([*head, *lines])


def _plain(value: Any) -> str:
    if isinstance(value, list):
        ends = (len(value) == 2 and any(isinstance(end, float) for end in value)) or value == ["-inf", "inf"]
        return " to ".join(f"{float(end):g}" for end in value) if ends else ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


WORDS: options.Options = {
    "name": {"nargs": "*", "help": "a name, an abbreviation, or words to look for"},
    **options.JSON,
}
COMMANDS = {
    "find": Command(
        "find measures, curves, rules, intervals, tests, losses and conversions by any name",
        ("find recall", "find brier score"),
        WORDS,
        find,
    ),
    "measures": Command("list the measures, or explain one", ("measures", "measures roc_auc"), WORDS, find),
}
