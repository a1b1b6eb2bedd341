"""Why a measure is not there: what the data of an evaluation lack for it."""

from __future__ import annotations

from typing import Any

from .errors import InputError
from .registry import Measure
from .summaries import ClassScores, Counts, RankingTable, Residuals

UNORDERED = "it needs classes in an order, and text has none; name them in it, as classes=['low', 'high'], or number them"


class NotMeasuredError(InputError):
    """A measure is not there. why: what the data lack for it."""

    def __init__(self, name: str, why: str):
        self.why = why
        super().__init__(f"{name} is not measured here: {why}.")


def why_not(e: Any, entry: Measure) -> str:
    """Why an evaluation does not hold a measure, and the way to have it."""
    if entry.summary is Residuals:
        return "it needs predicted amounts; say regression=True"
    if entry.summary is ClassScores and e.scores is None:
        return "it needs a score per class"
    if entry.summary is ClassScores and entry.name in e.left_out:
        return f"the scores are no probabilities: {e.scores.why_no_probabilities}" if e.scores else ""
    if entry.ordered:
        return UNORDERED
    if entry.summary is RankingTable and e.ranking is not None:
        if entry.needs_probabilities:
            return why_no_probabilities(e)
        return f"pass score_kind={entry.scores!r} if that is what the scores are"
    if entry.summary is RankingTable:
        return "there are no scores"
    if e.many is None or entry.summary is not Counts:
        return "the data do not allow it"
    many = "there are more than two classes" if e.matrix else "a case may have several labels"
    return f"{many}; see .classes and .averages"


def why_no_probabilities(e: Any) -> str:
    """Why the scores of an evaluation are not taken for probabilities."""
    if not e.higher_is_positive:
        return "a lower score means positive here"
    if e.score_kind not in (None, "probability", "logit"):
        return f"score_kind={e.score_kind!r} says that the scores are something else"
    return "the scores are no probabilities; pass score_kind='logit' if they are logits"
