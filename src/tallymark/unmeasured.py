"""Why a measure is not there: what the data of an evaluation lack for it."""

from __future__ import annotations

from typing import Any

from .errors import InputError
from .notes import Note
from .registry import Measure
from .summaries import ClassScores, Counts, RankingTable, Residuals


class NotMeasuredError(InputError):
    """A measure is not there. why: what the data lack for it."""

    def __init__(self, name: str, why: Note):
        self.why = why
        super().__init__(f"{name} is not measured here: {why}.")


def why_not(e: Any, entry: Measure) -> Note:
    """Why an evaluation does not hold a measure, and the way to have it."""
    if entry.summary is Residuals:
        return Note("needs-amounts")
    if entry.summary is ClassScores:
        return _of_class_scores(e, entry)
    if entry.ordered:
        return Note("needs-order")
    if entry.summary is RankingTable:
        return _of_scores(e, entry)
    if e.many is None or entry.summary is not Counts:
        return Note("not-of-these-data")
    return Note("of-single-classes", several_labels=e.matrix is None)


def _of_class_scores(e, entry):
    if e.scores is None:
        return Note("needs-class-scores")
    return Note("no-probabilities", because=e.scores.why_no_probabilities) if entry.name in e.left_out else _kind(entry)


def _of_scores(e, entry):
    if e.ranking is None:
        return Note("needs-scores")
    return why_no_probabilities(e) if entry.needs_probabilities else _kind(entry)


def _kind(entry):
    return Note("needs-score-kind", score_kind=entry.scores)


def why_no_probabilities(e: Any) -> Note:
    """Why the scores of an evaluation are not taken for probabilities."""
    if not e.higher_is_positive:
        return Note("lower-is-positive")
    if e.score_kind not in (None, "probability", "logit"):
        return Note("other-score-kind", score_kind=e.score_kind)
    return Note("no-probabilities-of-two")
