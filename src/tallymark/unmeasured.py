"""Why a measure is not there: what the data of an evaluation lack for it."""

from __future__ import annotations

from typing import Any

from .errors import InputError
from .registry import Measure
from .summaries import ClassScores, RankingTable, Residuals

NEEDED: dict[Any, str] = {
    Residuals: "it needs predicted amounts; say regression=True",
    ClassScores: "it needs a score per class",
    RankingTable: "there are no scores",
}
UNORDERED = "it needs classes in an order, and text has none; name them in it, as classes=['low', 'high'], or number them"
LOWER_IS_POSITIVE = "a lower score means positive here"
NO_PROBABILITIES = "the scores are no probabilities; pass score_kind='logit' if they are logits"


class NotMeasuredError(InputError):
    """A measure is not there. why: what the data lack for it."""

    def __init__(self, name: str, why: str):
        self.why = why
        super().__init__(f"{name} is not measured here: {why}.")


def why_unmeasured(entry: Measure) -> str:
    """Why there is no table that a measure needs, and the way to have it."""
    return NEEDED.get(entry.summary) or why_not_in_order(entry)


def why_not_in_order(entry: Measure) -> str:
    """Why a measure is not there, although its table is."""
    return UNORDERED if entry.ordered else "the data do not allow it"
