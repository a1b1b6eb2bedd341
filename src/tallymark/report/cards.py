"""The card of an entry of the catalogue: all that is known of it, of a measure how it behaves, too."""

from __future__ import annotations

from typing import Any

from ..evaluation.behaviour import behaviour
from ..inference import described
from ..input.names import Listed
from ..input.results import plain_number
from ..measures.registry import Measure


def card(entry: Measure | Listed) -> dict[str, Any]:
    """As plain values; an end of its range that is infinite as "inf"."""
    if isinstance(entry, Listed):
        return {
            "kind": entry.kind,
            "name": entry.name,
            "title": entry.title,
            "aliases": list(entry.aliases),
            "in_python": entry.use,
            "command": entry.command,
            "source": entry.source,
        }
    return {
        "kind": entry.kind,
        "name": entry.name,
        "title": entry.title,
        "remarks": entry.remarks,
        "formula": entry.formula,
        "aliases": list(entry.aliases),
        "in_python": entry.use,
        "of_many_classes": entry.for_many_classes.formula if entry.for_many_classes else "",
        "of": entry.summary.__name__,
        "range": [plain_number(end) for end in entry.range],
        "parameters": ", ".join(
            f"{name} = {value}" for name, value in entry.defaults.items() if value is not None
        ),
        "better": entry.better,
        "best": plain_number(entry.best),
        "undefined": entry.section("Undefined"),
        "interval": described(entry) if entry.interval else None,
        "source": entry.source,
        "differs": entry.section("Differs"),
        "defined_in": entry.where,
        **behaviour(entry),
    }
