"""Intervals of measures of a score per class, from the influence values of the cases.

A case counts in the areas of all classes, and its influence values are added over the classes, which need not
be independent.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...input.messages import Note, joined
from ...measures.families.multiclass_ranking import precisions
from .. import influence
from ..results import Interval, no_interval
from .averages import left_out
from .from_influence import smooth
from .kinds import Question, kind

# cases in a class: with fewer the average precision is biased upwards (docs/intervals.md)
FEW, FEW_FOR_PRECISION = 20, 200
TOO_FEW_FOR_PRECISION = 10  # cases in a class, of which an average precision says little
FEW_LOSSES = 100  # cases, below which a mean of skewed losses is not normal enough
ALONE = Note("one-in-a-class")


@kind("ClassScores", "of-classes")
@kind("ClassScores", "of-classes-weighted")
@kind("ClassScores", "of-pooled")
def of_classes(q: Question) -> Interval:
    """From the influence values on the average, on the logit scale; for areas this is DeLong's variance.

    The proportions of the classes, where these weight the average, are estimated, too.
    """
    table, spec = q.summary, q.entry.interval
    pooled = spec.kind == "of-pooled"
    skipped = None if pooled else left_out(table.labels, table.sizes > 0)
    smallest = float(table.effective_total if pooled else table.effective_sizes[table.sizes > 0].min())
    if smallest < 2:
        return no_interval(joined(skipped, ALONE))
    if precisions in spec.of and smallest < TOO_FEW_FOR_PRECISION:
        return no_interval(joined(skipped, Note("too-few-of-a-class", limit=TOO_FEW_FOR_PRECISION)))
    limit = FEW_FOR_PRECISION if precisions in spec.of else FEW
    few = Note("class-with-few-cases", limit=limit, perhaps="too narrow")
    interval = _of_cases(q, few if smallest < limit and not pooled else None)
    if np.isnan(interval.low):
        return no_interval(joined(skipped, Note("classes-separated-or-tied")))
    return replace(interval, notes=joined(skipped, interval.notes))


@kind("ClassScores", "mean")
def mean(q: Question) -> Interval:
    """Of a mean of a loss per case, on the scale for its range."""
    return _of_losses(q)


@kind("ClassScores", "skill")
def skill(q: Question) -> Interval:
    """Of 1 - mean loss / loss of the class proportions, which are estimated, too."""
    return _of_losses(q)


def _of_losses(q: Question) -> Interval:
    few = q.summary.effective_total < FEW_LOSSES
    found = _of_cases(q, Note("few-cases", limit=FEW_LOSSES) if few else None)
    return no_interval(Note("losses-alike")) if np.isnan(found.low) else found


def _of_cases(q: Question, notes: Note | None) -> Interval:
    values = influence.of_class_scores(q.entry, q.function, q.summary)
    return smooth(q, values, q.sampled, notes, of_cases=True, student=True)
