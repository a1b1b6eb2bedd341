"""Intervals from the influence values of the cells of one table, whatever these are."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan, nan, sqrt

import numpy as np

from ...input.messages import Note
from ..covariance import Sampling, covariance
from ..doubt import of_heavy
from ..effective import LEAST, ONE_CASE
from ..fixed_sizes import FIXED
from ..results import Interval, no_interval
from . import proportion
from .kinds import ROUNDING, Question
from .of_counts import AT_AN_END, HALVES, SAME, UNITS_AS_CASES
from .scale import Scale, normal_quantile, student_quantile


def of_proportion(q: Question, values: np.ndarray, sampling: Sampling, cells: np.ndarray) -> Interval:
    """Of a proportion of the cases in some cells, with p (1 - p) / variance as the number of cases.

    values: its influence values.
    """
    level, method, p = q.settings.level, q.settings.proportion, float(q.value)
    variance, df = variance_of(values, sampling)
    at_an_end, n, notes = not ROUNDING < p < 1 - ROUNDING, float(sampling.effective(cells)), None
    if n < LEAST and not sampling.equal:
        return no_interval(ONE_CASE)
    if not at_an_end and not variance > ROUNDING**2:  # it follows from the sizes of the classes
        return no_interval(FIXED)
    if not at_an_end:
        n = p * (1 - p) / variance
    elif sampling.units is not None:
        notes, df = UNITS_AS_CASES, inf
    times = 1.0 if df == inf else (normal_quantile(level) / student_quantile(level, df)) ** 2
    low, high = (float(end) for end in proportion.METHODS[method](p * n * times, n * times, level))
    if isnan(low):
        return no_interval(proportion.remarks(level, method, [p * n], [n])[0])
    doubt = of_heavy(values, df, sampling)
    notes = notes or doubt or proportion.remarks(level, method, [p * n], [n])[0]
    error = sqrt(variance) if sampling.units is not None or method == "wald" else None
    return Interval(min(low, p), max(high, p), method, notes, error)


def smooth(
    q: Question,
    values: np.ndarray,
    sampling: Sampling,
    notes: Note | None = None,
    centre: float = nan,
    of_cases: bool = False,
    student: bool = False,
    observed: Sampling | None = None,
) -> Interval:
    """value +- t * standard error, on the scale for the range.

    values: the influence values; notes: where there are enough degrees of freedom; centre: with half cases,
    about which the interval lies in place of the value, to which it is extended; of_cases: whether the cells
    are single cases, so that the variance is a sample's; student: whether a few cases may make up most of it,
    so that degrees of freedom are finite for cases of equal weight, too; observed: the sampling without half
    cases, which come last and have no degrees of freedom.
    """
    halves, (low, high) = not isnan(centre), q.entry.range
    centre, scale = centre if halves else float(q.value), Scale(q.entry.range)
    used = 1.0 * (values != 0)
    if sampling.effective(used) < LEAST and not sampling.equal:
        return no_interval(ONE_CASE)
    variance, df = variance_of(values, sampling, of_cases, student)
    if observed is not None:
        spread, df = variance_of(values[: len(observed.weight)], observed, of_cases, student)
        if not spread > ROUNDING**2 * variance:
            df = inf if observed.units is None else observed.units.number - 1.0
    error = sqrt(variance)
    if not error > ROUNDING * (1 + abs(centre)):
        return no_interval(SAME)
    if not scale.inside(centre):
        return no_interval(AT_AN_END)
    step = student_quantile(q.settings.level, df) * error * scale.slope(centre)
    with np.errstate(over="ignore"):
        low, high = (float(scale.back(scale.to(centre) + side * step)) for side in (-1, 1))
    doubt = of_heavy(values, df, sampling) or notes
    method = f"delta{scale.name}{'' if df == inf else '-t'}"
    low, high = min(low, float(q.value)), max(high, float(q.value))
    return Interval(low, high, method, HALVES if halves else doubt, None if halves else error)


def single(interval: Interval) -> Interval:
    """The interval of one table of counts, whose notes are no array."""
    notes = interval.notes
    return replace(interval, notes=notes.item() if isinstance(notes, np.ndarray) else notes)


def variance_of(
    values: np.ndarray, sampling: Sampling, of_cases: bool = False, student: bool = False
) -> tuple[float, float]:
    """The variance, and its degrees of freedom, without `student` infinite for cases of equal weight."""
    there = sampling.weight > 0
    if sampling.units is None and sampling.together is None and not there.all():  # as in large matrices
        weight, squares, stratum = (
            part[there] for part in (sampling.weight, sampling.squares, sampling.stratum)
        )
        values, sampling = values[there], Sampling(weight, squares, stratum, sampling.fixed)
    with np.errstate(divide="ignore", invalid="ignore"):
        ((variance,),), (df,) = covariance(values[None], sampling, unbiased=of_cases)
    return max(float(variance), 0.0), float(df) if student or not sampling.equal else inf
