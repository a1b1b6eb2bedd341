"""Intervals of measures of four counts, and of the cells of any one table, from influence values.

The four cells are arrays of shape (..., 4), one row per table; so are the bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import inf, isnan, nan, sqrt
from typing import Any

import numpy as np

from ...input.messages import Note, in_array
from ...measures.registry import get
from ...summaries import Counts
from .. import influence
from ..covariance import (
    CLASS_OF_CELL,
    EQUAL,
    LEAST_FREEDOM,
    SAME_MEAN,
    Sampling,
    cells_of,
    covariance,
    sampling_of,
    sums_by,
)
from ..doubt import deciding, heavy, of_heavy, unit
from ..effective import LEAST, ONE_CASE
from ..fixed_sizes import FIXED, FIXED_BY_WEIGHTS, fixed_by_weights
from ..results import Interval, no_interval
from . import proportion
from .kinds import ROUNDING, Question, interval_of, kind, noted
from .scale import LARGEST_STEP, Scale, normal_quantile, student_quantile, student_quantiles

OPPOSITE = [3, 2, 1, 0]  # for each cell the one with the other class and the other prediction
SAME_TRUTH, SAME_PREDICTION = [2, 3, 0, 1], [1, 0, 3, 2]
HALF = 0.5  # of a case, added to each cell where one is empty. Gart (1966)
FARTHEST, HALVINGS = 6.0, 26  # of the steps that the delta method takes; of an interval that contains a bound
NEARLY = 0.02  # relative difference of weights that counts as none
UNLIKE = 2.0  # ratio of weights
HALVES, SAME, AT_AN_END = Note("halves-added"), Note("bounds-alike"), Note("close-to-an-end")
UNITS_AS_CASES = Note("clusters-as-cases")
Function = Callable[[Counts], Any]


@kind("Counts", "proportion")
def of_proportion(q: Question) -> Interval:
    """Of a proportion, by the method of `proportion=`, with p (1 - p) / variance as the number of cases.

    With Student's t where the variance is estimated, because weights vary or cases depend on each other.
    Sources: Korn and Graubard (1998), Survey Methodology 24, 193-201; Dean and Pacheco (2015).
    """
    above, below = parts_of(q.function)
    sampling, level, method = q.sampled, q.settings.level, q.settings.proportion
    p = np.asarray(q.value, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = sampling.weight @ below
        share = np.stack([sampling.weight @ above, sampling.total], -1) / size[..., None]
        values = (above - below * share[..., :1]) * share[..., 1:]
        ((variance,),), (df,) = covariance(values[None], sampling, unbiased=False)
        inside, varies = (p > ROUNDING) & (p < 1 - ROUNDING), ~(variance <= ROUNDING**2)
        known = inside & (variance > ROUNDING**2)
        binomial = sampling.equal & (not sampling.fixed or not mixed(below))
        n = np.where(known & ~binomial, p * (1 - p) / variance, sampling.effective(below))
        x = np.minimum(sampling.weight @ above * (n / size), n)  # but for rounding
        if sampling.units is not None:
            # units less 1: few cases of a kind are not few units, since the variance follows from p, too
            most = sampling.effective(below) - 1
            df = most if sampling.units.pairs is None else np.minimum(df, most)
        elif not (sampling.fixed and mixed(below)):  # else the variance does not follow from p
            df = freedom_of_counts(sampling, df)
        df = np.where(known, np.maximum(df, LEAST_FREEDOM), np.inf)
        times = (normal_quantile(level) / student_quantiles(level, df)) ** 2
        low, high = proportion.METHODS[method](x * times, n * times, level)
    # cases of an empty cell may have other weights than those that were seen
    lacking = sampling.weight == 0
    of_sizes = all(np.ptp(above[one == CLASS_OF_CELL]) == 0 for one in (0, 1))  # alone
    unseen = inside & ~varies & lacking.any(-1) & (not of_sizes)
    empty = ((lacking & (below > 0)).any(-1) & ~alike(sampling, below)) | unseen
    if sampling.units is None and np.any(empty):
        wide = _smooth(q, q.function, p, q.entry.range)
        low, high = np.where(empty, [wide.low, wide.high], [low, high])
    fixed = inside & ~varies & (of_sizes and sampling.fixed)
    blind = one_case(sampling, below)
    shown = times if method == "wald" else 1.0  # whose bounds may be cut
    notes = with_few(values, df, sampling, proportion.remarks(level, method, x * shown, n * shown))
    if sampling.units is not None:
        each: Any = UNITS_AS_CASES
        if sampling.units.pairs is not None:
            found = (Note("persons-as-comparisons", comparisons=cases) for cases in np.ravel(n).tolist())
            each = in_array(found).reshape(np.shape(n))
        notes = noted(~known, each, notes)
        notes = noted(np.isnan(variance), Note("too-few-units", units=sampling.units.name), notes)
    error = np.sqrt(variance) if sampling.units is not None or method == "wald" else None
    low, high = np.minimum(low, p), np.maximum(high, p)
    low, high = (np.where(fixed | blind | np.isnan(variance), np.nan, end) for end in (low, high))
    by_weights = FIXED_BY_WEIGHTS if np.all(fixed_by_weights(q.summary)) else FIXED
    return Interval(low, high, method, noted(blind, ONE_CASE, noted(fixed, by_weights, notes)), error)


@kind("Counts", "difference")
def of_difference(q: Question) -> Interval:
    """Of a difference of two proportions: their bounds, combined with their correlation.

    Without a correlation it is Newcombe's (1998) method 10. Zou and Donner (2008).
    """
    each = [get(function.__name__, Counts) for function in q.entry.interval.of]
    values = [np.asarray(one.function(q.summary), float) for one in each]
    ends = [
        interval_of(replace(q, entry=one, function=one.function, value=value))
        for one, value in zip(each, values, strict=True)
    ]
    sampling = q.sampled
    slopes = np.stack([influence.of_counts(one.function, sampling.weight).values for one in each])
    v = covariance(slopes, sampling, unbiased=False)[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        known = np.minimum(v[0, 0], v[1, 1]) > ROUNDING**2
        correlation = np.where(known, v[0, 1] / np.sqrt(v[0, 0] * v[1, 1]), 0.0)

        def reach(one: Any, other: Any) -> Any:
            return np.sqrt(np.maximum(one**2 - 2 * correlation * one * other + other**2, 0.0))

        low = q.value - reach(values[0] - ends[0].low, ends[1].high - values[1])
        high = q.value + reach(ends[0].high - values[0], values[1] - ends[1].low)
    least, most = q.entry.range
    of_first = ~np.isnan(ends[1].low) & ends[0].notes.astype(bool)
    notes = noted(of_first, ends[0].notes, ends[1].notes)
    return Interval(np.maximum(low, least), np.minimum(high, most), "newcombe", notes)


@kind("Counts", "smooth")
def of_smooth(q: Question) -> Interval:
    """By the delta method on the scale of the range: the logit, or the log from an end of it.

    With half a case added to each count where one is 0: Gart (1966). For odds ratios it is the interval of
    Woolf (1955), for kappa that of Fleiss, Cohen and Everitt (1969), for likelihood ratios that of Simel,
    Samsa and Matchar (1991). With Student's t where weights vary or cases depend on each other.
    """
    return _smooth(q, q.function, q.value, q.entry.range)


@kind("Counts", "score")
def of_score(q: Question) -> Interval:
    """The values that are z of their own standard errors from the estimate, as Wilson's of a proportion.

    They are those of counts in proportion to exp(t * influence value), along which a measure changes most
    (DiCiccio and Romano 1990). With half a case added to each count where one is 0, and t, as for "smooth".
    """
    return _smooth(q, q.function, q.value, q.entry.range, along=True)


@kind("Counts", "with halves")
def of_corrected(q: Question) -> Interval:
    """The same of another measure, always with half a case added to each count."""
    return _smooth(q, q.entry.interval.of[0], q.value, q.entry.range, halves=True)


@kind("Counts", "smaller")
def of_smaller(q: Question) -> Interval:
    """The smaller bounds of two smooth functions, of which the measure is the minimum, each by "score".

    Where their intervals overlap the upper bound is too low if either is: each then has half the error.
    """
    functions, level = q.entry.interval.of, q.settings.level
    values = [np.asarray(function(q.summary), float) for function in functions]
    first, second = (
        _smooth(q, function, value, (-np.inf, np.inf), along=True)
        for function, value in zip(functions, values, strict=True)
    )
    close = np.maximum(first.low, second.low) <= np.minimum(first.high, second.high)
    farther = np.where(close, normal_quantile((1 + level) / 2) / normal_quantile(level), 1.0)
    highs = [value + farther * (one.high - value) for value, one in zip(values, (first, second), strict=True)]
    low, high = np.minimum(first.low, second.low), np.minimum(*highs)
    error = np.where(values[0] <= values[1], first.standard_error, second.standard_error)
    least, most = q.entry.range
    return Interval(np.maximum(low, least), np.minimum(high, most), first.method, first.notes, error)


@kind("Counts", "association")
def of_association(q: Question) -> Interval:
    """Of a measure that is 0 for independent counts: the bounds of its root, with a sign.

    This is a smooth function, as the root of a chi-square, and its bounds reach 0.
    """

    def signed(counts: Counts) -> Any:
        return np.sign(counts.tp * counts.tn - counts.fp * counts.fn) * np.sqrt(q.function(counts))

    known = _smooth(q, signed, signed(q.summary), (-np.inf, np.inf), along=True)
    ends = np.sort([known.low**2, known.high**2], axis=0)
    low = np.where(known.low * known.high > 0, ends[0], np.where(np.isnan(known.low), np.nan, 0.0))
    high = np.minimum(ends[1], q.entry.range[1])
    error = 2 * np.sqrt(q.value) * known.standard_error
    return Interval(np.minimum(low, q.value), np.maximum(high, q.value), known.method, known.notes, error)


def _smooth(
    q: Question,
    function: Function,
    value: Any,
    ends: tuple[float, float],
    halves: bool = False,
    along: bool = False,
) -> Interval:
    """value +- t * standard error, on the scale for the range, or along the family of counts."""
    sampling, level, scale = q.sampled, q.settings.level, Scale(ends)
    empty, seen = (sampling.weight == 0).any(-1) | halves, sampling
    if empty.any():
        sampling = with_halves(sampling, empty, np.ones(4) if halves else None)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        centre, values = influence.of_counts(function, sampling.weight)
        ((variance,),), (df,) = covariance(values[None], sampling, unbiased=False)
        if empty.any():  # of the cases that were seen
            ((observed,),), (df,) = covariance(values[None], seen, unbiased=False)
            df = np.where(observed > EQUAL * variance, df, np.inf)
        of_class = np.abs(sums_by(CLASS_OF_CELL, values * sampling.weight)).max(-1)
        of_rates = of_class <= SAME_MEAN * (np.abs(values) * sampling.weight).sum(-1)
        # the variance of what depends on a mix that is fixed does not follow from the counts alone
        df, error = np.where(seen.fixed & ~of_rates, df, freedom_of_counts(seen, df)), np.sqrt(variance)
        low, high = scale.around(centre, error, level, df)
        if along:
            by_class = sampling.fixed or bool(np.all(of_rates))
            times = student_quantiles(level, df)
            low, high = _along(function, sampling, by_class, centre, values, variance, times)
    least = 0.0 if ends == (0.0, np.inf) else 1.0  # logs have no smallest step
    varies = error > ROUNDING * (least + np.abs(centre))
    blind = one_case(seen, 1.0 * (values != 0))
    known = varies & scale.inside(centre) & ~blind
    low, high = np.where(known, [np.minimum(low, value), np.maximum(high, value)], np.nan)
    notes = noted(empty & (not halves), HALVES, with_few(values, df, seen, np.full(np.shape(df), None)))
    notes = noted(~varies, SAME, noted(~known, AT_AN_END, notes))
    notes = noted(blind, ONE_CASE, notes)
    method = f"{'score' if along else f'delta{scale.name}'}{'-t' if np.isfinite(df).all() else ''}"
    at_value = np.isclose(centre, value, rtol=ROUNDING, atol=0)  # not that of the value with halves
    return Interval(low, high, method, notes, np.where(at_value, error, np.nan))


def _along(
    function: Function,
    sampling: Sampling,
    by_class: bool,
    centre: Any,
    values: np.ndarray,
    variance: Any,
    times: Any,
) -> Any:
    """The lower and the upper value that are so many of their standard errors from the centre.

    The ratio of a variance to that of independent cases is taken to be the one at the centre.
    """
    weight, unit = sampling.weight, sampling.squares / sampling.weight
    code = CLASS_OF_CELL if by_class else np.zeros(4, int)

    def independent(values: np.ndarray, cells: np.ndarray) -> Any:
        alone = Sampling(cells, cells * unit, CLASS_OF_CELL, by_class)
        return covariance(values[None], alone, unbiased=False)[0][0, 0]

    def member(t: np.ndarray) -> np.ndarray:
        cells = weight * np.exp(np.clip(t[..., None] * unit * values, -LARGEST_STEP, LARGEST_STEP))
        return cells * (sums_by(code, weight) / sums_by(code, cells))[..., code]

    effect = variance / independent(values, weight)
    step = times * np.sqrt(variance) * sampling.total / (sampling.squares * values**2).sum(-1)
    side = np.reshape([-1.0, 1.0], (2, *np.ones(np.ndim(step), int)))
    near, far = np.zeros((2, *np.shape(step))), np.full((2, *np.shape(step)), FARTHEST)
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        cells = member(side * middle * step)
        value, slopes = influence.of_counts(function, cells)
        beyond = side * (value - centre) > times * np.sqrt(effect * independent(slopes, cells))
        near, far = np.where(beyond, near, middle), np.where(beyond, middle, far)
    return function(Counts.of(*np.moveaxis(member(side * far * step), -1, 0)))


def freedom_of_counts(sampling: Sampling, df: np.ndarray) -> np.ndarray:
    """The degrees of freedom: infinite where class and prediction determine the weight of a case.

    Then nothing but counts is estimated. They grow to that where the weights of cells differ by less than
    2 % from what class and prediction imply; where a cell is empty, from what one of both does.
    """
    if sampling.units is not None:
        return df
    cells = np.log(np.where(sampling.weight > 0, sampling.squares / sampling.weight, np.nan))
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    both = np.abs(tp + tn - fp - fn)
    one = np.fmin.reduce(np.abs([tp - fn, fp - tn, tp - fp, fn - tn]))
    apart = np.nan_to_num(np.where(np.isnan(both), one, both))
    hardly = np.where(apart > EQUAL, np.minimum(apart, NEARLY) / NEARLY, 0.0)
    return df / hardly**2


def alike(sampling: Sampling, used: np.ndarray) -> Any:
    """Whether the cases of these cells weigh the same, also those of empty cells by class and prediction."""
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = sampling.squares / sampling.weight
        implied = unit[..., SAME_TRUTH] * unit[..., SAME_PREDICTION] / unit[..., OPPOSITE]
    unit = np.where(np.isnan(unit), implied, unit)
    least = np.where(used > 0, unit, np.inf).min(-1)
    most = np.where(used > 0, unit, 0.0).max(-1)
    return sampling.equal | (most - least <= EQUAL * most)


def one_case(sampling: Sampling, used: np.ndarray) -> Any:
    """Whether a single case has nearly all the weight in these cells, so that the cases show no spread.

    Its weight is unlike those of the same class, and those with the same prediction: class weights, and
    weights by the prediction, say how many cases a single one stands for.
    """
    squares = sampling.squares * used
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = sampling.squares / sampling.weight
    heaviest = np.argmax(squares, axis=-1)[..., None]
    own, *others = (
        np.take_along_axis(of, heaviest, -1)[..., 0]
        for of in (unit, unit[..., SAME_TRUTH], *([] if sampling.fixed else [unit[..., SAME_PREDICTION]]))
    )
    unlike = np.all([np.isnan(other) | (own > UNLIKE * other) for other in others], axis=0)
    known = ~np.all(np.isnan(others), axis=0)
    return ((sampling.weight * used).sum(-1) ** 2 < LEAST * squares.sum(-1)) & unlike & known


def one_case_decides(function: Function, counts: Counts) -> Any:
    """Whether a single case has nearly all the weight in the cells that a measure depends on."""
    sampling = sampling_of(counts)
    return one_case(sampling, 1.0 * (influence.of_counts(function, sampling.weight).values != 0))


def with_few(values: np.ndarray, df: np.ndarray, sampling: Sampling, notes: np.ndarray) -> np.ndarray:
    """The notes, with those on heavy cases in their place."""
    few = heavy(values, df, sampling)
    notes = noted(few, None, notes)
    cases = np.minimum(df, sampling.effective(np.ones(len(sampling.stratum))))
    notes[few] = in_array(deciding(one, unit(sampling)) for one in cases[few].tolist())
    return notes


def mixed(below: np.ndarray) -> bool:
    """Whether cases of both classes count in the denominator of a proportion."""
    return all((below * (one == CLASS_OF_CELL)).any() for one in (0, 1))


@cache
def parts_of(function: Function) -> tuple[np.ndarray, np.ndarray]:
    """Which cells count in the numerator of a proportion, and which in the denominator, as 1 and 0.

    They follow from the measure of a single case of each kind.
    """
    single = function(Counts.of(*np.eye(4)))
    return (single == 1).astype(float), (~np.isnan(single)).astype(float)


def parts(function: Function, counts: Counts) -> tuple[Any, Any]:
    """Numerator and denominator of a measure that is a proportion of counts."""
    above, below = parts_of(function)
    cells = cells_of(counts)
    return cells @ above, cells @ below


def with_halves(sampling: Sampling, where: Any, unit: np.ndarray | None = None) -> Sampling:
    """Half a case more in each cell of these tables, each a unit of its own.

    unit: the weight of a case, by default as `unit_weights`.
    """
    unit = unit_weights(sampling) if unit is None else unit
    where = np.asarray(where)[..., None]
    more = HALF * unit * where
    units = sampling.units
    if units is not None:
        of_case = np.sqrt(HALF) * unit * where  # which has half its variance
        each = of_case[..., None] * np.eye(more.shape[-1])
        units = units.with_more(each, units.stratum, lambda one, other: np.concatenate([one, other], -2))
    squares = sampling.squares + HALF * unit**2 * where
    return Sampling(sampling.weight + more, squares, sampling.stratum, sampling.fixed, units)


def unit_weights(sampling: Sampling) -> np.ndarray:
    """The weight of a case in each cell; for an empty cell the weight implied by class and prediction.

    That is the weight where it is a product of a factor of the class and one of the prediction, as for class
    weights, and for verification of only some of those predicted negative. Where two cells are empty, it is
    the weight in the same class, or else with the same prediction.
    """
    weight, squares = sampling.weight, sampling.squares
    unit = np.where((weight > 0) & (squares > 0), squares / np.where(weight > 0, weight, 1.0), np.nan)
    for other in (
        unit[..., SAME_TRUTH] * unit[..., SAME_PREDICTION] / unit[..., OPPOSITE],
        unit[..., SAME_TRUTH],
        unit[..., SAME_PREDICTION],
    ):
        unit = np.where(np.isnan(unit), other, unit)
    return np.where(np.isnan(unit), 1.0, unit)


def proportion_of(q: Question, values: np.ndarray, sampling: Sampling, cells: np.ndarray) -> Interval:
    """Of a proportion of the cases in some cells, with p (1 - p) / variance as the number of cases.

    values: its influence values.
    """
    level, method, p = q.settings.level, q.settings.proportion, float(q.value)
    there, sampling = sampling.occupied
    values, cells = values[there], cells[there]
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
    every, (there, sampling) = values, sampling.occupied
    values = every[there]
    used = 1.0 * (values != 0)
    if sampling.effective(used) < LEAST and not sampling.equal:
        return no_interval(ONE_CASE)
    variance, df = variance_of(values, sampling, of_cases, student)
    if observed is not None:
        spread, df = variance_of(every[: len(observed.weight)], observed, of_cases, student)
        if not spread > ROUNDING**2 * variance:
            df = inf if observed.units is None else observed.units.number - 1.0
    error = sqrt(variance)
    if not error > ROUNDING * (1 + abs(centre)):
        return no_interval(SAME)
    if not scale.inside(centre):
        return no_interval(AT_AN_END)
    low, high = map(float, scale.around(centre, error, q.settings.level, df))
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
    there, sampling = sampling.occupied
    values = values[there]
    with np.errstate(divide="ignore", invalid="ignore"):
        ((variance,),), (df,) = covariance(values[None], sampling, unbiased=of_cases)
    return max(float(variance), 0.0), float(df) if student or not sampling.equal else inf
