"""Intervals of measures of a whole confusion matrix, or of a table of labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...input.messages.notes import Note, joined
from ...measures.families.multiclass import by_distance, right_and_wrong
from ...summaries import ConfusionMatrix
from ..effective import ENOUGH, UNSURE, exact_of_all, right_of_rows, varied, wrong_cases
from ..effective_freedom import factor_of_recalls
from ..fixed_sizes import HELD
from ..results import Interval, no_interval
from . import proportion
from .agreement import centred, kappa_error
from .averages import SEVERAL, left_out, share_of_right
from .kinds import ROUNDING, Question, kind
from .scale import wald_on_scale

ONE_SIDED = Note("one-part")
FAULTLESS = Note("no-mistakes")
# cases, below which weighted kappa covers 92 %, since distant errors dominate (docs/intervals.md)
FEW_MISTAKES = 10
POINTS = 65  # of the accuracy, at which the measure is evaluated


@kind("ConfusionMatrix", "share right")
def share_right(q: Question) -> Interval:
    """Of the accuracy, or of 1 - accuracy.

    For fixed class sizes, of the mean of the recalls, weighted by class size.
    """
    return share_of_right(q.summary, q.settings, q.entry.better == "higher")


def with_doubt(found: Interval, summary: Any) -> Interval:
    """The interval with a note where the weights of a matrix vary and few cases are errors."""
    if (
        not isinstance(summary, ConfusionMatrix)
        or found.notes
        or not varied(summary)
        or wrong_cases(summary) >= ENOUGH
    ):
        return found
    return replace(found, notes=UNSURE)


@kind("IndicatorTable", "exact")
def exact(q: Question) -> Interval:
    """Of the proportion of cases without an error."""
    if q.settings.design == HELD:
        return no_interval(SEVERAL)
    x, n = exact_of_all(q.summary)
    return proportion.interval(x, n, q.settings.level, q.settings.proportion)


@kind("ConfusionMatrix", "mean of recalls")
def mean_of_recalls(q: Question) -> Interval:
    """Of the mean of the recalls of the classes that occur, which are independent."""
    right, sizes = right_of_rows(q.summary)
    there = sizes > 0
    times = factor_of_recalls(q.summary, q.settings.level)[there]
    found = proportion.mean_of(
        right[there], sizes[there], q.settings.level, q.settings.proportion, times=times
    )
    skipped = left_out(q.summary.labels, there)
    return replace(found, notes=joined(skipped, found.notes))


@kind("ConfusionMatrix", "kappa")
def kappa(q: Question) -> Interval:
    """Of unweighted kappa."""
    return _kappa(q, np.eye(len(q.summary.weights)))


@kind("ConfusionMatrix", "linear kappa")
def linear_kappa(q: Question) -> Interval:
    """Of kappa weighted by distance."""
    return _kappa(q, by_distance(len(q.summary), 1))


@kind("ConfusionMatrix", "quadratic kappa")
def quadratic_kappa(q: Question) -> Interval:
    """Of kappa weighted by squared distance."""
    return _kappa(q, by_distance(len(q.summary), 2))


def _kappa(q: Question, agreement: np.ndarray) -> Interval:
    error = kappa_error(q.summary.weights, agreement, q.summary.squares, q.settings.design == HELD)
    found = _around(q, float(error), "fleiss-cohen-everitt")
    few = q.entry.ordered and not found.notes and wrong_cases(q.summary) < FEW_MISTAKES
    return replace(found, notes=Note("few-mistakes", limit=FEW_MISTAKES)) if few else found


@kind("ConfusionMatrix", "delta")
def delta(q: Question) -> Interval:
    """The delta method: the multinomial variance of the derivatives by cell, on an unbounded scale.

    Source: Agresti (2013), section 16.1.
    """
    return _around(q, delta_error(q), "delta")


def delta_error(q: Question) -> float:
    """The standard error, to first order."""
    (slope_of,) = q.entry.interval.of
    shares = q.summary.weights / q.summary.total
    slope = centred(shares, slope_of(shares), q.settings.design == HELD)
    return float(np.sqrt((q.summary.case_squares * slope**2).sum()) / q.summary.total)


def _around(q: Question, error: float, method: str) -> Interval:
    """The interval on the scale of the range; without spread, from the bounds of the accuracy."""
    low, high = q.entry.range
    if not error > ROUNDING or not low < q.value < high:
        return without_mistakes(q) or no_interval(ONE_SIDED)
    return Interval(
        *wald_on_scale(q.value, error, (low, high), q.settings.level), method, standard_error=error
    )


def without_mistakes(q: Question) -> Interval | None:
    """From no error down to the lowest likely accuracy; None where there is an error.

    The errors are distributed as under independence.
    """
    weights = q.summary.weights
    right, wrong = right_and_wrong(q.summary)
    by_chance = np.outer(weights.sum(1), weights.sum(0)) * (1 - np.eye(len(weights)))
    if wrong or not by_chance.any():
        return None
    low, _ = proportion.wilson(right, right, q.settings.level)
    # the same for every level, so that bounds are nested
    steps = np.linspace(0, 1, POINTS)
    mixes = ((1 - p) * by_chance / by_chance.sum() + p * weights / right for p in (low, *steps[steps > low]))
    values = [q.value, *(q.function(q.summary.with_weights(mix)) for mix in mixes)]
    return Interval(min(values), max(values), "wilson", FAULTLESS)
