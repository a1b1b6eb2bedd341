"""Measures at thresholds that were chosen on the cases compared."""

from __future__ import annotations

from ...input.messages.notes import Note
from ...summaries import Counts
from .models import Model
from .study import entry_of


def chosen_here(one: Model, other: Model, name: str) -> Note | None:
    """Why there is no interval for such a measure; None for others."""
    if entry_of(one, name)[0].summary is not Counts:
        return None
    return chosen_here_of(one, other)


def chosen_here_of(*models: Model) -> Note | None:
    """Why nothing at the thresholds of these models is tested; None where none was chosen here."""
    found = sorted(model.name for model in models if model.chosen_here)
    number = {} if len(found) == 1 else {"several": True}
    return Note("chosen-here-by-models", models=" and ".join(found), **number) if found else None
