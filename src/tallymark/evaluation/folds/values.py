"""Values of measures without their intervals, which repeated computations do not need."""

from __future__ import annotations

import numpy as np

from ...inference.effective import as_cases
from ...measures.registry import Measure
from ...summaries import ClassScores, Counts, RankingTable
from ..results import Evaluation


def value_of(e: Evaluation, name: str) -> float:
    """The value of an estimate, NaN where the measure is undefined."""
    entry, summary = e.entry(name), e.summary_of(name)
    if isinstance(summary, (Counts, RankingTable)):  # some measures depend on the number of cases
        summary = as_cases(summary)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(entry.function(summary, **e.parameters_of(entry)))


def is_sum_over_cases(entry: Measure) -> bool:
    """Whether each case counts by itself, not by its score among others, so that folds may be pooled.

    So are measures of predicted labels or amounts, and means of a loss of each case.
    """
    return entry.loss is not None or not issubclass(entry.summary, (RankingTable, ClassScores))
