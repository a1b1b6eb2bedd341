"""Intervals of logistic recalibration, and of functions of the proportion of positives alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, isfinite, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ...input.messages.notes import Note
from ...measures.families.logistic import influence_values, shifts_not_rejected
from ...summaries.outcome_probabilities import both_classes
from ..effective import cases_of_share
from ..fixed_sizes import FIXED, FIXED_BY_WEIGHTS
from ..results import Interval, no_interval
from ..weighted_mix import fixed_by_weights
from . import proportion
from .kinds import Question, kind
from .means import Cases, deviation_of, doubt_of, freedom_of
from .scale import student_quantile

if TYPE_CHECKING:
    pass

FEW_IN_A_CLASS = 20
POINTS = 257  # at which a function of the proportion of positives is evaluated


@kind("RankingTable", "smooth-deviations")
def of_smooth_deviations(q: Question) -> Interval:
    """None: a smooth curve deviates more in samples, and no method is known that covers."""
    return no_interval(Note("smooth-deviations"))


@kind("RankingTable", "fisher")
def by_fisher_information(q: Question) -> Interval:
    """value +- z * the standard error from the Fisher information.

    With importance weights, and where a case-control design matters, from the influence values of the cases
    (the sandwich), with Student's t where they are weighted.
    """
    if q.settings.design == "case-control" or not q.summary.equally_weighted:
        error, df = _sandwich(q)
    else:
        error, df = q.entry.interval.of[0](q.summary, q.entry.name), inf
    if not (isfinite(error) and error > 0):
        return no_interval(Note("likelihood-flat"))
    step = student_quantile(q.settings.level, df) * error
    method = "fisher-information" if df == inf else "sandwich-t"
    return Interval(q.value - step, q.value + step, method, _doubt(q, df), error)


def _sandwich(q: Question) -> tuple[float, float]:
    """The standard error, and its degrees of freedom, which are infinite for equal weights."""
    table = q.summary
    positive, negative = influence_values(table, q.entry.name)
    influence = both_classes(positive, negative)[both_classes(table.positive, table.negative) > 0]
    given, n = Cases.of(table.given), float(table.effective_total)
    if n < 2 or not np.isfinite(influence).all():
        return np.nan, inf
    sums = given.sums_of(influence)
    error = deviation_of(sums, q.settings.design, n) * sqrt(n / (n - 1))
    return error, inf if given.alike else freedom_of(sums, q.settings.design)


@kind("RankingTable", "level")
def of_level(q: Question) -> Interval:
    """The shifts that a score test does not reject, with its variance from the cases.

    The slope need not be 1. For weighted cases with Student's t.
    """
    table, df = q.summary, inf if q.summary.equally_weighted else _sandwich(q)[1]
    z = student_quantile(q.settings.level, df)
    effective = table.in_effective_cases()
    cases = min(effective.logit_positives, effective.logit_negatives)
    if cases < FEW_IN_A_CLASS:
        return by_fisher_information(q)
    if cases <= z**2:
        return no_interval(Note("too-few-for-level"))
    low, high = shifts_not_rejected(table, z, q.settings.design)
    method = "score-test" if df == inf else "score-test-t"
    return Interval(min(low, q.value), max(high, q.value), method, _doubt(q, df))


def _doubt(q: Question, df: float) -> Note | None:
    if min(q.summary.effective_positives, q.summary.effective_negatives) < FEW_IN_A_CLASS:
        return Note("few-in-a-class", limit=FEW_IN_A_CLASS, counted="cases")
    return None if df == inf else doubt_of(df, Cases.of(q.summary.given))


@kind("RankingTable", "of-prior")
def of_prior(q: Question) -> Interval:
    """The smallest and the largest value within the interval of the proportion of positives."""
    table = q.summary
    if q.settings.design == "case-control":
        return no_interval(FIXED_BY_WEIGHTS if fixed_by_weights(table) else FIXED)
    cases = cases_of_share(table)
    if cases < 1:
        return no_interval(Note("weights-of-no-case"))
    positives = table.positives if cases == table.total else table.prior * cases
    found = proportion.interval(positives, cases, q.settings.level, q.settings.proportion)
    return over_shares(found, q.entry.interval.of[0], q.value)


def over_shares(found: Interval, function: Callable[..., Any], value: float) -> Interval:
    """The smallest and the largest value of a function within the interval of the proportion of positives."""
    if np.isnan(found.low):
        return found
    share = np.append(np.linspace(found.low, found.high, POINTS), np.clip(0.5, found.low, found.high))
    values = function(share)
    low, high = min(float(values.min()), value), max(float(values.max()), value)
    return replace(found, low=low, high=high, standard_error=None)
