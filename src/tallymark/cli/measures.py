"""tallymark measures [NAME or words]"""

from __future__ import annotations

import argparse
from typing import Any

from . import find

EXAMPLES = (
    "measures",
    "measures roc_auc",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser("measures", help="list the measures, or explain one", examples=EXAMPLES)
    command.set_defaults(run=run)
    find.add_words(command)


def run(given: argparse.Namespace) -> None:
    """Without a name the list; with the name of a measure its card, and for other words what they fit."""
    from ..measures import registry

    wanted = " ".join(given.name)
    if not wanted:
        find.show("measures", registry.all_measures(), given.json)
        return
    found = find.found(wanted)
    measures = [entry for entry in found if entry.kind == "measure"]
    measures = [entry for entry in measures if entry.name == wanted] or measures
    find.show("measures", measures or found, given.json)
