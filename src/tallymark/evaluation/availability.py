"""Why a measure is not available: what the data of an evaluation lack."""

from __future__ import annotations

from typing import Any

from ..input.errors import InputError
from ..input.messages import Note
from ..measures.registry import Average, Measure
from ..summaries import ClassScores, RankingTable, Residuals

NEEDED: dict[Any, Note] = {
    Residuals: Note("needs-amounts"),
    ClassScores: Note("needs-class-scores"),
    RankingTable: Note("needs-scores"),
}
LOWER_IS_POSITIVE = Note("lower-is-positive")
NO_PROBABILITIES = Note("no-probabilities-of-two")


class NotMeasuredError(InputError):
    """A measure is not available. why: what the data lack for it."""

    def __init__(self, name: str, why: Note):
        self.why = why
        super().__init__("unsupported", None, f"{name} is not measured here: {why}", value=name)


def why_unmeasured(entry: Measure) -> Note:
    """Why the table that a measure needs is missing, and how to get it."""
    if isinstance(entry, Average):
        return Note("of-several-classes", measure=entry.base.name)
    return NEEDED.get(entry.summary) or why_not_in_order(entry)


def why_not_in_order(entry: Measure) -> Note:
    """Why a measure is not available, although its table is."""
    return Note("needs-order" if entry.ordered else "not-of-these-data")


def kind_needed(entry: Measure) -> Note | None:
    """The kind that the scores must be stated to be, where a measure requires it."""
    return (
        Note("needs-score-kind", score_kind=entry.scores)
        if entry.scores not in (None, "probability")
        else None
    )
