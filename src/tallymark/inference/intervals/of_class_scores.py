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
from ..doubt import deciding
from ..results import Interval, no_interval
from .averages import left_out
from .from_influence import smooth
from .kinds import Question, kind

# cases in a class: with fewer an average precision is biased upwards, or says little (docs/intervals.md)
FEW, TOO_FEW = 20, 10
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
    if precisions in spec.of and smallest < TOO_FEW:
        return no_interval(joined(skipped, Note("too-few-of-a-class", limit=TOO_FEW)))
    few = precisions in spec.of and spec.kind == "of-classes" and smallest < FEW
    interval = _of_cases(q, deciding(smallest) if few else None)
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
    found = _of_cases(q)
    return no_interval(Note("losses-alike")) if np.isnan(found.low) else found


def _of_cases(q: Question, notes: Note | None = None) -> Interval:
    values = influence.of_class_scores(q.entry, q.function, q.summary)
    return smooth(q, values, q.sampled, notes, of_cases=True, student=True)
