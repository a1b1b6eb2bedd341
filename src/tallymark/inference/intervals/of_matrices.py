"""Intervals of measures of a whole confusion matrix, or of a table of labels, from influence values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...input.messages import Note
from ...measures.families.multiclass import right_and_wrong
from ...summaries import ConfusionMatrix
from .. import influence
from ..covariance import Sampling
from ..doubt import few_cases
from ..results import Interval, no_interval
from . import proportion
from .from_influence import of_proportion, smooth, variance_of
from .kinds import Question, kind

ONE_SIDED = Note("one-part")
FAULTLESS = Note("no-mistakes")
POINTS = 65  # of the accuracy, at which the measure is evaluated


@kind("ConfusionMatrix", "proportion")
def of_accuracy(q: Question) -> Interval:
    """Of a proportion of all cases, by the method of `proportion=`, as for Counts."""
    sampling = q.sampled
    values = influence.of_matrix(q.entry, q.function, q.summary)
    return of_proportion(q, values, sampling, np.ones(len(values)))


@kind("IndicatorTable", "proportion")
def of_exact(q: Question) -> Interval:
    """The same, of the proportion of cases without an error."""
    sampling = q.sampled
    every, exact = np.eye(2, len(sampling.weight))
    return of_proportion(q, exact - q.value * every, sampling, every)


@kind("ConfusionMatrix", "delta")
def delta(q: Question) -> Interval:
    """The delta method: the variance of the derivatives by cell, on an unbounded scale.

    Of kappa it is the interval of Fleiss, Cohen and Everitt (1969). With Student's t where weights vary or
    cases depend on each other. Source: Agresti (2013), section 16.1.
    """
    sampling, (low, high) = q.sampled, q.entry.range
    if not low < q.value < high:
        return without_mistakes(q, sampling) or no_interval(ONE_SIDED)
    values = influence.of_matrix(q.entry, q.function, q.summary)
    mistakes = float(sampling.effective(off_diagonal(q.summary)))
    found = smooth(q, values, sampling, few_cases(mistakes) if q.entry.ordered else None)
    if np.isnan(found.low):
        return without_mistakes(q, sampling) or replace(found, notes=ONE_SIDED)
    return found


def off_diagonal(matrix: ConfusionMatrix) -> np.ndarray:
    """Which cells have errors, as 1 and 0."""
    return 1 - np.eye(len(matrix.weights)).ravel()


def first_order(q: Question, sampling: Sampling) -> tuple[float, float]:
    """The variance of a measure, to first order, and its degrees of freedom."""
    return variance_of(influence.of_matrix(q.entry, q.function, q.summary), sampling)


def without_mistakes(q: Question, sampling: Sampling) -> Interval | None:
    """From no error down to the lowest likely accuracy; None where there is an error.

    The errors are distributed as under independence.
    """
    weights = q.summary.weights
    right, wrong = right_and_wrong(q.summary)
    by_chance = np.outer(weights.sum(1), weights.sum(0)) * (1 - np.eye(len(weights)))
    if wrong or not by_chance.any():
        return None
    n = sampling.effective(np.ones(len(sampling.stratum)))
    low, _ = proportion.wilson(n, n, q.settings.level)
    # the same for every level, so that bounds are nested
    steps = np.linspace(0, 1, POINTS)
    mixes = ((1 - p) * by_chance / by_chance.sum() + p * weights / right for p in (low, *steps[steps > low]))
    values = [q.value, *(q.function(q.summary.with_weights(mix)) for mix in mixes)]
    return Interval(min(values), max(values), "wilson", FAULTLESS)
