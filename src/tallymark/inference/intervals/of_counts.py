"""Intervals of measures of four counts.

Cells are arrays, one entry per table; so are the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...input.messages.notes import Note
from ...measures.registry import get, ratio
from ...summaries import Counts
from ..bootstrap import resampled_counts
from ..effective import (
    UNLIKE,
    UNSURE,
    cells_of,
    effective_parts,
    effective_parts_of,
    numbers,
    of_single_cases,
    spread,
    squares_of,
    unlike,
    with_halves,
)
from ..effective import parts as parts
from ..effective_freedom import parts_at_level
from ..fixed_sizes import HELD, mean_of_classes, mixed
from ..results import Interval, no_interval
from . import proportion
from .agreement import kappa_error
from .kinds import ROUNDING, Question, interval_of, kind
from .notes_of_counts import EVERY_CELL, few_notes, noted, unsure
from .scale import error_of_function, normal_quantile

AT_ONCE = 64  # tables whose replicates are in memory at a time
OF_CLASSES = [np.array([1, 0, 1, 0]), np.array([0, 1, 0, 1])]
OF_RIGHT = [np.array([1, 0, 0, 0]), np.array([0, 0, 0, 1])]
HALVES = Note("halves-added")


def _bounds(function: Callable[..., Any], q: Question) -> tuple[Any, ...]:
    x, n = parts_at_level(*of_single_cases(function), q.summary, q.settings.level)
    return x / np.where(n, n, np.nan), *proportion.METHODS[q.settings.proportion](x, n, q.settings.level)


def _remarks(functions: Sequence[Callable[..., Any]], q: Question) -> np.ndarray:
    return _remarks_on([of_single_cases(function) for function in functions], q)


def _remarks_on(cells: Sequence[tuple[np.ndarray, np.ndarray]], q: Question) -> np.ndarray:
    """The notes on proportions. cells: which count in the numerator, and which in the denominator."""
    if q.settings.proportion == "wald":  # whose bounds may be clipped
        several = [parts_at_level(*one, q.summary, q.settings.level) for one in cells]
    else:
        several = [effective_parts_of(*one, q.summary) for one in cells]
    found = proportion.remarks(q.settings.level, q.settings.proportion, *several)
    return np.where(
        found.astype(bool), found, noted(unsure(q.summary, [below for _, below in cells]), UNSURE)
    )


@kind("Counts", "proportion")
def of_proportion(q: Question) -> Interval:
    """Of a quotient of two sums of counts.

    For proportions over both classes with fixed sizes, the bounds of each class combined, or resampled.
    """
    if _mixed(q, q.function):
        return mean_of_classes(q) or of_counts(q)
    _, low, high = _bounds(q.function, q)
    x, n = effective_parts(q.function, q.summary)
    error = proportion.error_of(x, n, q.settings.proportion)
    found = Interval(low, high, q.settings.proportion, _remarks([q.function], q), error)
    return _where(unlike(q.function, q.summary), q, found)


def _where(resampled: np.ndarray, q: Question, found: Interval) -> Interval:
    """The interval, replaced by the resampled one for these tables."""
    if not np.any(resampled):
        return found
    other = of_counts(q)
    pairs = ((getattr(other, part), getattr(found, part)) for part in ("low", "high", "method", "notes"))
    errors = np.where(resampled, *(np.asarray(one.standard_error, float) for one in (other, found)))
    low, high, method, notes = (np.where(resampled, *pair) for pair in pairs)
    return Interval(low, high, method, notes, errors)


@kind("Counts", "difference")
def of_difference(q: Question) -> Interval:
    """Newcombe's hybrid of the bounds of two proportions.

    Source: Newcombe (1998), method 10; Zou and Donner (2008).
    """
    if _mixed(q, *q.entry.interval.of):
        return of_counts(q)
    (a, a_low, a_high), (b, b_low, b_high) = (_bounds(function, q) for function in q.entry.interval.of)
    low, high = q.value - np.hypot(a - a_low, b_high - b), q.value + np.hypot(a_high - a, b - b_low)
    return Interval(
        np.maximum(low, -1.0), np.minimum(high, 1.0), "newcombe", _remarks(q.entry.interval.of, q)
    )


@kind("Counts", "linear")
def of_linear(q: Question) -> Interval:
    """Of a mean of one number for each kind of case: the bounds of nested proportions, combined.

    The mean is the smallest number plus each distance to the next larger one times the proportion of cases
    with at least that one; the errors of these proportions add up with their correlations. With one distance,
    as for equal costs, it is the interval of a proportion. With fixed class sizes, or a class mix of the
    measure's own, there is one proportion for each class. Source: Zou and Donner (2008); Zou, Huang and Zhang
    (2009), Computational Statistics and Data Analysis 53, 1080-1085.
    """
    each, level = np.asarray(q.function(Counts.of(*np.eye(4))), float), q.settings.level
    if q.settings.design == HELD or np.isnan(each).any():
        above, below, steps = np.array(OF_RIGHT, float), np.array(OF_CLASSES, float), _effects_of_rates(q)
    else:
        ordered = np.unique(each)
        above, below = (each >= ordered[1:, None]).astype(float), np.ones((len(ordered) - 1, 4))
        steps = np.repeat(np.diff(ordered)[:, None], len(q.value), axis=1)
    if not len(above):  # the same number for all cases
        return no_interval(Note("bounds-alike"))
    sizes = below @ cells_of(q.summary)
    p = ratio(above @ cells_of(q.summary), sizes)
    influence = (above[..., None] - p[:, None] * below[..., None]) * ratio(steps, sizes)[:, None]
    influence = np.where(sizes[:, None] > 0, influence, 0.0)
    covariance = np.einsum("ict,jct,ct->ijt", influence, influence, squares_of(q.summary))
    error = np.sqrt(np.einsum("iit->it", covariance))
    same = np.eye(len(p))[..., None] > 0
    correlation = np.where(same, 1.0, np.nan_to_num(ratio(covariance, error * error[:, None])))
    cells = list(zip(above, below, strict=True))
    ends = (
        proportion.METHODS[q.settings.proportion](*parts_at_level(*one, q.summary, level), level)
        for one in cells
    )
    low, high = np.array(list(ends)).swapaxes(0, 1)

    def combined(rising: np.ndarray, falling: np.ndarray) -> np.ndarray:
        gaps = np.where(sizes > 0, np.abs(steps) * np.where(steps > 0, rising, falling), 0.0)
        found: np.ndarray = np.sqrt(np.einsum("it,jt,ijt->t", gaps, gaps, correlation))
        return found

    least, most = q.entry.range
    found = Interval(
        np.maximum(q.value - combined(p - low, high - p), least),
        np.minimum(q.value + combined(high - p, p - low), most),
        q.settings.proportion if len(above) == 1 else "newcombe",
        _remarks_on(cells, q),
    )
    differ = [np.maximum(spread(q.summary, x), spread(q.summary, n - x)) > UNLIKE for x, n in cells]
    return _where(np.any(differ, axis=0), q, found)


def _effects_of_rates(q: Question) -> np.ndarray:
    """The changes of a measure from a rate of 0 to one of 1: of the sensitivity, and of the specificity."""
    c, none = q.summary, np.zeros(np.shape(q.value))
    return np.array(
        [
            q.function(Counts.of(c.positives, c.fp, none, c.tn))
            - q.function(Counts.of(none, c.fp, c.positives, c.tn)),
            q.function(Counts.of(c.tp, none, c.fn, c.negatives))
            - q.function(Counts.of(c.tp, c.negatives, c.fn, none)),
        ]
    )


@kind("Counts", "quotient")
def of_quotient(q: Question) -> Interval:
    """The log method, with the standard error by the delta method.

    Source: Simel, Samsa and Matchar (1991); with halves added to all four counts where one is 0, as for an
    odds ratio: Gart (1966). Quotients over both classes with fixed sizes are resampled.
    """
    if _mixed(q, *q.entry.interval.of):
        return of_counts(q)
    small = (cells_of(q.summary) == 0).any(0)
    counts = with_halves(q.summary, small)
    (x, n), (y, m) = (effective_parts(function, counts) for function in q.entry.interval.of)
    centre = np.log(x) - np.log(n) - np.log(y) + np.log(m)
    return _on_log_scale(q, centre, 1 / x - 1 / n + 1 / y - 1 / m, small)


@kind("Counts", "odds ratio")
def of_odds_ratio(q: Question) -> Interval:
    """Woolf's log method. Source: Woolf (1955); with halves: Gart (1966)."""
    return _odds(q, (cells_of(q.summary) == 0).any(0))


@kind("Counts", "odds ratio with halves")
def of_corrected_odds_ratio(q: Question) -> Interval:
    """The log method with halves. Source: Gart (1966)."""
    always = np.ones(np.shape(q.value), bool)
    return replace(_odds(q, always), notes=few_notes(q.summary))


def _odds(q: Question, halves: np.ndarray) -> Interval:
    counts = with_halves(q.summary, halves)
    tp, fp, fn, tn = np.log(cells_of(counts))
    return _on_log_scale(q, tp + tn - fp - fn, (1 / numbers(counts)).sum(0), halves)


def _on_log_scale(q: Question, centre: np.ndarray, variance: np.ndarray, halves: np.ndarray) -> Interval:
    error = np.sqrt(variance)
    step = normal_quantile(q.settings.level) * error
    with np.errstate(over="ignore"):
        middle, low, high = np.exp(centre), np.exp(centre - step), np.exp(centre + step)
    return Interval(
        np.minimum(low, q.value),
        np.maximum(high, q.value),
        np.where(halves, "log with halves", "log"),
        noted(halves, HALVES, noted(unsure(q.summary, OF_CLASSES), UNSURE)),
        # the interval is around the value with halves
        np.where(np.isclose(middle, q.value, rtol=ROUNDING, atol=0), middle * error, np.nan),
    )


@kind("Counts", "function")
def of_function(q: Question) -> Interval:
    """The transformed bounds of another measure."""
    made = q.entry.interval
    inner = get(made.of[0].__name__, Counts)
    found = interval_of(replace(q, entry=inner, function=inner.function, value=inner.function(q.summary)))
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.sort([made.transform(found.low), made.transform(found.high)], axis=0)
    torn = ~((ends[0] <= q.value + ROUNDING) & (q.value - ROUNDING <= ends[1])) & ~np.isnan(found.low)
    why = Note("leaps", measure=inner.name)
    low, high = np.minimum(ends[0], q.value), np.maximum(ends[1], q.value)
    error = error_of_function(
        made.transform, inner.function(q.summary), np.asarray(found.standard_error, float)
    )
    return Interval(
        np.where(torn, np.nan, low),
        np.where(torn, np.nan, high),
        found.method,
        noted(torn, why, found.notes),
        error,
    )


@kind("Counts", "kappa")
def of_kappa(q: Question) -> Interval:
    """Fleiss, Cohen and Everitt's standard error, on Fisher's z scale; the bootstrap where that is 0."""
    weights, squares = (_as_matrices(part(q.summary)) for part in (cells_of, squares_of))
    error = kappa_error(weights, np.eye(2), squares, q.settings.design == HELD)
    flat = ~(error > ROUNDING) | (abs(q.value) > 1 - ROUNDING)
    with np.errstate(divide="ignore", invalid="ignore"):
        step = normal_quantile(q.settings.level) * error / (1 - q.value**2)
        low, high = (np.tanh(np.arctanh(q.value) + side * step) for side in (-1, 1))
    notes = few_notes(q.summary)
    unalike = spread(q.summary, EVERY_CELL) > UNLIKE
    if not flat.any():
        return _where(unalike, q, Interval(low, high, "fleiss-cohen-everitt", notes, error))
    other = of_counts(q)
    blind = np.isnan(other.low)
    why = noted(~blind, Note("standard-error-zero", method=other.method), other.notes)
    pairs = (other.low, low), (other.high, high), (other.standard_error, error)
    low, high, error = (np.where(flat, *pair) for pair in pairs)
    return _where(
        unalike & ~flat, q, Interval(low, high, "fleiss-cohen-everitt", np.where(flat, why, notes), error)
    )


def _as_matrices(cells: np.ndarray) -> np.ndarray:
    """Confusion matrices with true rows and predicted columns, the positive class first."""
    tp, fp, fn, tn = cells
    return np.stack([np.stack([tp, fn], -1), np.stack([fp, tn], -1)], -2)


def _mixed(q: Question, *functions: Callable[..., Any]) -> bool:
    return q.settings.design == HELD and any(mixed(function) for function in functions)


@kind("Counts", "counts")
def of_counts(q: Question) -> Interval:
    """Percentiles over resampled counts."""
    return _resampled(q, q.function, lambda bounds: bounds)


@kind("Counts", "smaller")
def of_smaller(q: Question) -> Interval:
    """The bounds of two smooth functions, of which the measure is the minimum.

    Resamples of the minimum itself would hardly reach its maximum.
    """
    a, b = (
        _resampled(q, function, lambda bounds: bounds, function(q.summary))
        for function in q.entry.interval.of
    )
    low, high = np.minimum(a.low, b.low), np.minimum(a.high, b.high)
    of_a, of_b = (function(q.summary) for function in q.entry.interval.of)
    error = np.where(of_a <= of_b, a.standard_error, b.standard_error)
    return Interval(
        np.maximum(low, q.entry.range[0]), np.minimum(high, q.entry.range[1]), a.method, a.notes, error
    )


@kind("Counts", "association")
def of_association(q: Question) -> Interval:
    """Percentiles of a measure that is 0 for independent counts, resampled with a sign.

    The sign makes it a smooth function, as the root of a chi-square. Its own percentiles could never reach 0,
    since every resample has some association.
    """

    def signed(counts: Counts) -> Any:
        beyond = counts.tp * counts.tn - counts.fp * counts.fn
        return np.sign(beyond) * np.sqrt(q.function(counts))

    def unsigned(bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        low, high = bounds
        return np.where(low * high > 0, np.minimum(low**2, high**2), 0.0), np.maximum(low**2, high**2)

    return _resampled(q, signed, unsigned, unit=np.square)


def _resampled(
    q: Question,
    function: Callable[..., Any],
    turn: Callable[[np.ndarray], Any],
    value: Any = None,
    unit: Callable[[Any], Any] = np.asarray,
) -> Interval:
    """The interval from resampled counts. unit: from a value of the function to that of the measure."""
    value, size = q.value if value is None else value, len(q.summary.tp)
    found = [
        _percentiles(q, function, unit, slice(start, start + AT_ONCE)) for start in range(0, size, AT_ONCE)
    ]
    bounds, lost, flat, error = (np.concatenate(part, axis=-1) for part in zip(*found, strict=True))
    low, high = turn(bounds)
    none = (lost == resampled_counts.REPLICATES) | flat
    low, high = np.minimum(low, value), np.maximum(high, value)
    return Interval(
        np.where(none, np.nan, low),
        np.where(none, np.nan, high),
        q.settings.resampling,
        _notes(q, lost, flat),
        error,
    )


def _percentiles(
    q: Question, function: Callable[..., Any], unit: Callable[[Any], Any], some: slice
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Any]:
    """The bounds for these tables, with the number of undefined replicates.

    Also whether all others are equal, and their standard deviation.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        values = function(
            resampled_counts.METHODS[q.settings.resampling](
                q.summary[some], q.settings.seed, q.settings.design
            )
        )
    gaps = np.isnan(values)
    lost = gaps.sum(0)
    bounds = resampled_counts.percentiles(values, q.settings.level)
    for i in np.flatnonzero((lost > 0) & (lost < len(values))):  # the few with undefined resamples
        bounds[:, i] = resampled_counts.percentiles(values[~gaps[:, i], i], q.settings.level)
    return (
        bounds,
        lost,
        ~(bounds[1] - bounds[0] > ROUNDING * abs(bounds).max(0)),
        resampled_counts.deviation(unit(values)),
    )


def _notes(q: Question, lost: np.ndarray, flat: np.ndarray) -> np.ndarray:
    notes = few_notes(q.summary)
    for i in np.flatnonzero(lost):
        notes[i] = Note("resamples-not-counted", lost=int(lost[i]), resamples=resampled_counts.REPLICATES)
    notes[flat] = Note("resamples-of-counts-alike", resampling=q.settings.resampling)
    notes[lost == resampled_counts.REPLICATES] = Note("resamples-undefined")
    return notes
