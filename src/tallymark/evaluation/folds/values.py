"""Values of measures without their intervals, which repeated computations do not need."""

from __future__ import annotations

from math import nan

import numpy as np

from ...inference.effective import as_cases
from ...input.messages import Note
from ...measures.registry import Measure
from ...summaries import ClassScores, Counts, RankingTable
from ..results import BinaryEvaluation, Evaluation


def value_of(e: Evaluation, name: str) -> float:
    """The value of an estimate, NaN where the measure is undefined, or only bounds of it are known."""
    found = _value(e, name)
    return nan if isinstance(found, Note) else found


def why_undefined(e: Evaluation, name: str) -> Note | None:
    """Why the value is NaN."""
    found = _value(e, name)
    return found if isinstance(found, Note) else e.entry(name).why_undefined(e.summary_of(name))


def _value(e: Evaluation, name: str) -> float | Note:
    entry, summary = e.entry(name), e.summary_of(name)
    binned = e.binned if isinstance(e, BinaryEvaluation) else None
    if binned is not None and isinstance(summary, RankingTable) and not binned.single:
        found = entry.bounds_of(binned.as_cases, **e.parameters_of(entry))
        if isinstance(found, Note) or found[0] < found[1]:
            return Note("value-in-bins", bins=len(binned))
        return found[0]
    if isinstance(summary, (Counts, RankingTable)):  # some measures depend on the number of cases
        summary = as_cases(summary)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(entry.function(summary, **e.parameters_of(entry)))


def is_sum_over_cases(entry: Measure) -> bool:
    """Whether each case counts by itself, not by its score among others, so that folds may be pooled.

    So are measures of predicted labels or amounts, and means of a loss of each case.
    """
    return entry.loss is not None or not issubclass(entry.summary, (RankingTable, ClassScores))
