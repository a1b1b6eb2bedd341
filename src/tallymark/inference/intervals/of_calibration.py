"""Intervals of isotonic parts of the Brier score and the log loss, and of logistic recalibration.

Also of functions of the proportion of positives alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import kernels
from ...input.messages.notes import Note
from ...measures.families.case_losses import mean_loss
from ...measures.families.decomposition import isotonic
from ...measures.families.logistic import influence_values, shifts_not_rejected
from ...summaries.outcome_probabilities import both_classes
from ..bootstrap import resampled
from ..effective import cases_of_share
from ..fixed_sizes import FIXED, FIXED_BY_WEIGHTS
from ..results import Interval, no_interval
from ..weighted_mix import fixed_by_weights
from . import proportion
from .kinds import Question, kind
from .means import FEW_LOSSES, TOO_FEW, Cases, doubt_of, squares_of, variance_freedom
from .scale import normal_quantile, student_quantile

if TYPE_CHECKING:
    from ...summaries import RankingTable

FEW_IN_A_CLASS = 20
TOLERANCE = 1e-9  # of a width
POINTS = 257  # at which a function of the proportion of positives is evaluated


@kind("RankingTable", "smooth-deviations")
def of_smooth_deviations(q: Question) -> Interval:
    """None: a smooth curve deviates more in samples, and no method is known that covers."""
    return no_interval(Note("smooth-deviations"))


@kind("RankingTable", "miscalibration")
def of_miscalibration(q: Question) -> Interval:
    """From the variance of the loss saved by case, and from its bias due to the fit."""
    return _of_isotonic(q, q.summary)


@kind("RankingTable", "discrimination")
def of_discrimination(q: Question) -> Interval:
    """The same for the loss saved in comparison with the proportion of positives for every case."""
    return _of_isotonic(q, q.summary.with_probabilities(np.full(len(q.summary), q.summary.prior)))


def _of_isotonic(q: Question, reference: RankingTable) -> Interval:
    """The interval of the loss that the isotonic fit saves.

    On these cases the fit is at least as good as the true rates, so that it saves at least as much. The upper
    bound is that of the loss it saves; for the lower bound the expected excess over the true rates is
    subtracted, which is estimated by taking the rates of the fit as the true ones.
    """
    table, (recalibrated, loss) = q.summary, q.entry.interval.of
    cases = table.effective_total
    if cases < 2:
        return no_interval(TOO_FEW)
    fit, given = table.with_probabilities(isotonic(table)), Cases.of(table.given)
    with np.errstate(invalid="ignore"):
        saved = reference.given.each(loss)
        saved -= fit.given.each(loss)
    mean = kernels.dot(given.weight, saved) / float(table.total)
    with np.errstate(over="ignore"):  # one saving is infinite
        error = float(np.sqrt(squares_of(saved - mean, given, q.settings.design, cases))) / float(table.total)
    _, again = resampled.if_isotonic(table, q.settings.seed)
    beyond = resampled.measured(lambda some: mean_loss(some, loss) - recalibrated(some), again)
    added = float(np.quantile(np.maximum(beyond, 0.0), (1 + q.settings.level) / 2))
    step = normal_quantile(q.settings.level) * error
    low, high = max(q.value - added - step, 0.0), min(q.value + step, q.entry.range[1])
    if not (isfinite(step) and high - low > TOLERANCE * max(q.value, 1.0)):
        return no_interval(Note("saves-alike"))
    few = Note("few-cases", limit=FEW_LOSSES) if cases < FEW_LOSSES else None
    return Interval(min(low, q.value), max(high, q.value), "isotonic", few)


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
    error = float(np.sqrt(squares_of(influence, given, q.settings.design, n) * n / (n - 1)))
    return error, inf if given.alike else variance_freedom(influence, given, q.settings.design)


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
    return doubt_of(df, Cases.of(q.summary.given))


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
