"""Intervals from influence values: of counts, ranking tables, several classes and predicted amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import e, exp, floor, inf, isfinite, isnan, log, nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..input.messages import Note, Notes, in_array, joined
from ..input.names import listed
from ..measures.families.multiclass import entropy, mutual_information, per_class_scale, right_and_wrong
from ..measures.families.multiclass_ranking import precisions
from ..measures.registry import Average, Measure, get
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable
from ..summaries.passes import PAIRS, SPREAD, LossSums, sums_of_loss
from ..summaries.ranking import Squares
from . import influence, resampled
from .covariance import (
    CLASS_OF_CELL,
    EQUAL,
    FEW,
    FEW_DEGREES,
    LEAST,
    LEAST_FREEDOM,
    ONE_CASE,
    SAME_MEAN,
    Sampling,
    cells_of,
    covariance,
    deciding,
    extended,
    few_cases,
    heavy,
    lacking,
    of_heavy,
    of_sums,
    sampling_of,
    skewed,
    sums_by,
    unit,
)
from .influence import cases_of_share, class_sampling, weights_in_cells, weights_vary, with_effective_sizes
from .interval import (
    FIXED,
    FIXED_BY_WEIGHTS,
    LARGEST_STEP,
    METHODS,
    NO_SEQUENCE,
    PLACEMENTS,
    ROUNDING,
    Area,
    Question,
    Scale,
    delong_variance,
    depends_on_mix,
    deviation,
    error_of,
    fixed_by_weights,
    inner_of,
    interval_of,
    kind,
    mapped,
    normal_quantile,
    noted,
    of_area,
    remarks,
    shape_of,
    student_quantile,
    student_quantiles,
    tied_share,
    transform_of,
    transformed,
    wilson,
)
from .inverted import (
    FEWEST,
    FEWEST_DECIDING,
    decisive_cases,
    error_with_prior,
    inverted,
    of_tied,
    priors,
    sizes,
    tied,
    with_prior,
    with_shares,
)
from .results import Interval, known_error, no_interval

# Intervals of measures of four counts, and of the cells of any one table, from influence values
# --------------------------------------------------------------------------------------------------
#
# The four cells are arrays of shape (..., 4), one row per table; so are the bounds.

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
        low, high = METHODS[method](x * times, n * times, level)
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
    notes = with_few(values, df, sampling, remarks(level, method, x * shown, n * shown))
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
    low, high = (float(end) for end in METHODS[method](p * n * times, n * times, level))
    if isnan(low):
        return no_interval(remarks(level, method, [p * n], [n])[0])
    doubt = of_heavy(values, df, sampling)
    notes = notes or doubt or remarks(level, method, [p * n], [n])[0]
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


# Intervals of ranking and probabilistic measures, from influence values
# --------------------------------------------------------------------------------------------------
#
# For independent cases the variance follows from sums of powers of the influence values by class, which one
# pass over a large table collects; for others from the cells of the table in each unit.

# deciding cases: three without an error do not bound the rate (rule of three)
FEW_SCORES = 100  # distinct scores
FEWEST_BEYOND = 4  # resamples on either side of an interval of percentiles
SHARES = 33  # of positives, at which a function of it is evaluated, since it may have a maximum inside
POINTS = 257  # at which a function of the proportion of positives is evaluated
ENOUGH = 0.9  # proportion of resamples within the range, from which an unbounded scale is used
MANY, MANY_WEIGHTED = 1_000, 100  # cases of the smaller class
DERIVATIVE = 1e-9  # error of a numerical derivative


def error_of_table(q: Question, by_class: bool = False) -> tuple[float, float]:
    """The standard error of a measure, and the degrees of freedom of its square."""
    entry, table, fixed = q.entry, q.summary, by_class or q.fixed
    if q.sampling is not None:
        values = influence.of_table(entry, q.function, q.parameters, table)
        ((variance,),), (df,) = covariance(values.reshape(1, -1), q.sampling, by_class)
        return float(np.sqrt(np.maximum(variance, 0.0))), float(df)
    if influence.is_mean_loss(entry):
        return of_sums(_sums_of_loss(q), fixed)
    if entry.interval.kind == "line":
        return of_sums(influence.sums_of_line(entry.name, table), fixed)
    whole = entry.interval.kind in (*influence.PAIRED, *influence.OF_THRESHOLDS)
    base = table if whole else resampled.thinned(table)
    values = influence.of_table(entry, q.function, q.parameters, base)
    return of_sums(influence.sums_of_table(values, base), fixed)


def class_sizes(q: Question) -> tuple[float, float]:
    """The effective numbers of positives and of negatives."""
    if q.sampling is None:
        return sizes(q.summary)
    positive, negative = (float(q.sampling.effective(1.0 * (q.sampling.stratum == one))) for one in (1, 0))
    return positive, negative


def doubt(q: Question, df: float = nan, by_class: bool = False) -> Note | None:
    """The note that heavy cases may be missing.

    A few cases decide; or the weights vary in one class and are all equal in another. df: of the variance,
    where they are known.
    """
    table = q.summary
    if q.sampling is not None or not weights_vary(table):
        return None
    if not df >= FEW_DEGREES:
        values = influence.of_table(q.entry, q.function, q.parameters, table).ravel()
        found = of_heavy(values, np.nan_to_num(np.array(df)), q.sampled, by_class)
        if found:
            return lacking() if isnan(df) else found
    apart = [float(unit.max() / unit.min()) for unit in weights_in_cells(table) if len(unit)]
    return lacking() if max(apart) > UNLIKE and min(apart) < 1 + EQUAL else None


@kind("RankingTable", "delong-logit", sums=lambda table, entry, given: (PLACEMENTS, PAIRS))
def of_roc_area(q: Question) -> Interval:
    """By DeLong's variance on the logit scale, or the method of `auc_interval`.

    With Student's t where weights vary or cases depend on each other. Where few cases are misplaced, by
    Newcombe's pseudo-score interval with this variance; exact where the classes are separated, or all scores
    are tied.
    """
    t = q.summary
    if q.sampling is None and t.equally_weighted:
        variance, df = float(delong_variance(t)), inf
    else:
        error, df = error_of_table(q, by_class=True)
        variance = error**2
    few, sizes = None if df == inf else doubt(q, df, by_class=True), class_sizes(q)
    if q.sampling is not None and q.sampling.units is not None:
        if isnan(variance):
            return no_interval(Note("too-few-units", units=q.sampling.units.name))
        if variance > ROUNDING**2:  # else every unit counts as one case
            values = influence.of_table(q.entry, q.function, q.parameters, t).reshape(1, -1)
            ((alone,),), _ = covariance(values, replace(q.sampling, units=None), True, unbiased=False)
            effect = max(variance / float(alone), 1.0)
            sizes = float(t.effective_positives) / effect, float(t.effective_negatives) / effect

    def shape() -> float:
        if q.sampling is None:
            return float(shape_of(t))
        weights = zip((t.positive, t.negative), sizes, strict=True)
        return float(shape_of(t.of(t.score, *(weight * (size / weight.sum()) for weight, size in weights))))

    known = Area(q.value, variance, float(tied_share(t)), *sizes, shape, df, few)
    return of_area(known, q.settings.level, q.settings.auc_interval)


def sums_of_mean(table: RankingTable, entry: Measure, parameters: Mapping[str, Any]) -> Iterator[LossSums]:
    """The sums of the loss of a measure, also at the proportions of positives around that of the table."""
    if entry.loss is None or entry.interval is None:
        return
    loss = partial(entry.loss, **parameters)
    yield sums_of_loss(loss)
    if entry.interval.kind == "mean-of-prior" and table.given.varies_with_prior(loss):
        yield from (sums_of_loss(loss, other) for other in influence.around(float(table.prior)))


def _sums_of_loss(q: Question) -> Any:
    """The sums of powers of the influence values of a mean of a loss."""
    loss, prior = partial(q.entry.loss, **getattr(q.function, "keywords", {})), float(q.summary.prior)
    sums = q.summary.given.sums_of(loss)
    mean, by_mean, by_prior = influence.slopes_of_loss(q.entry, loss, q.summary)
    centre = by_mean * (sums.centre - mean) + by_prior * (np.array([0.0, 1.0]) - prior)
    return sums.linear(by_mean, centre)


@kind("RankingTable", "mean", sums=sums_of_mean)
@kind("RankingTable", "mean-of-prior", sums=sums_of_mean)
@kind("RankingTable", "line")
@kind("RankingTable", "pairs", sums=lambda table, entry, given: (PAIRS,))
@kind("RankingTable", "crossing")
@kind("RankingTable", "average-lift")
@kind("RankingTable", "distance-of-means")
def linear(q: Question) -> Interval:
    """value +- t * standard error from influence values, on the scale of the range.

    Student's t has Satterthwaite's degrees of freedom, which are few where a few cases have most of the
    influence. For logistic lines it is the sandwich variance, which holds for any true curve.
    """
    method, table = q.entry.interval.kind, q.summary
    of_classes = method not in ("mean", "mean-of-prior")
    if of_classes and min(sizes(table)) < FEWEST:
        return no_interval(Note("one-in-a-class"))
    if decisive_cases(q) < FEWEST_DECIDING:
        return no_interval(Note("fewer-deciding", limit=FEWEST_DECIDING))
    (error, df), scale = error_of_table(q), Scale(q.entry.range)
    if isnan(error) and q.sampling is not None and q.sampling.units is not None:
        return no_interval(Note("too-few-units", units=q.sampling.units.name))
    rounding = ROUNDING * abs(q.value) if method == "mean" else DERIVATIVE
    if not (scale.inside(q.value) and isfinite(error) and error > rounding / sqrt(table.effective_total)):
        return _without_spread(q, error)
    low, high = map(float, scale.around(q.value, error, q.settings.level, df))
    if not low < high:
        return no_interval(Note("close-to-an-end"))
    notes = doubt(q, df) or (_few_scores(table) if method in influence.OF_THRESHOLDS else None)
    return Interval(min(low, q.value), max(high, q.value), f"delta{scale.name}-t", notes, error)


@kind("RankingTable", "truncated-ks")
def of_truncated_ks(q: Question) -> Interval:
    """From the area under the ROC curve where each case is a threshold: n / (n - 1) (area - 1 / 2).

    Else as other means; without an interval where the classes are separated, which shows no spread.
    """
    table, area_under = q.summary, get("roc_auc", RankingTable)
    value = float(area_under.function(table))
    of_each = table.positive + table.negative
    single = np.ptp(of_each) <= ROUNDING * of_each.max() and not (table.positive * table.negative).any()
    if single and abs(float(table.effective_total) - len(table)) <= ROUNDING * len(table):
        known = interval_of(replace(q, entry=area_under, function=area_under.function, value=value))
        times, error = len(table) / (len(table) - 1), known_error(known.standard_error)
        low, high = (times * (end - 0.5) for end in (known.low, known.high))
        return replace(known, low=low, high=high, standard_error=error and times * error)
    return linear(q) if 0 < value < 1 else no_interval(Note("close-to-an-end"))


def _few_scores(table: RankingTable) -> Note | None:
    """The note on a measure that jumps from score to score, where many cases share few of them."""
    jumps = len(table) < min(FEW_SCORES, float(table.effective_total) * (1 - ROUNDING))
    return Note("few-scores", scores=len(table)) if jumps else None


def _without_spread(q: Question, error: float) -> Interval:
    """The interval of a value at an end of the range, or of cases without spread."""
    method = q.entry.interval.kind
    if method == "line":
        return no_interval(Note("likelihood-flat"))
    if method in ("mean", "mean-of-prior"):
        spread = q.fixed and of_sums(_sums_of_loss(q))[0] > ROUNDING
        return no_interval(Note("losses-alike-in-each-class" if spread and not error else "losses-alike"))
    if method == "distance-of-means":
        return no_interval(Note("close-to-an-end"))
    return _tied(q) if tied(q.summary) else _at_an_end(q)


def _tied(q: Question) -> Interval:
    """Exact where all scores are tied, with the effective sizes of the classes."""
    q, few = with_effective_sizes(q)
    made = of_tied(q)
    return replace(made, notes=joined(made.notes, few))


@kind("RankingTable", "average-precision")
def of_average_precision(q: Question) -> Interval:
    """By inverting a bootstrap along a smooth family of score distributions.

    From influence values, as other means, from 1,000 cases of each class on, with weights that vary from 100
    effective ones, and where cases depend on each other.
    """
    least = MANY_WEIGHTED if weights_vary(q.summary) else MANY
    if q.value in q.entry.range or (q.sampling is None and min(sizes(q.summary)) < least):
        return inverted(q)
    return linear(q)


@kind("RankingTable", "precision-area")
def of_precision_area(q: Question) -> Interval:
    """By inverting a bootstrap along the family of rankings; where most scores are tied, by the delta method.

    It is then a smooth function of the numbers of cases at the scores. Where one of them is 0, a case of each
    class is added, spread evenly over the scores; with two scores that is half a case in each cell.
    """
    table, number = q.summary, len(q.summary)
    # a few scores, of two cases or more on average
    if not 1 < number <= min(FEW_SCORES, float(table.effective_total) / 2) or min(sizes(table)) < FEWEST:
        return inverted(q)
    q, few = with_effective_sizes(q)
    table, fewest = q.summary, min(sizes(q.summary))
    if fewest < FEWEST:
        return no_interval(Note("one-independent-in-a-class"))
    weights, squares = (table.positive * 1.0, table.negative * 1.0), table.squared
    if min(part.min() for part in weights) <= 0:
        units = [part.sum() / weight.sum() for part, weight in zip(squares, weights, strict=True)]
        squares = Squares(*(part + unit**2 / number for part, unit in zip(squares, units, strict=True)))
        weights = tuple(weight + unit / number for weight, unit in zip(weights, units, strict=True))
    base = table.of(table.score, *weights, squares)
    value, values = influence.of_cells(
        lambda cells: q.function(table.of(table.score, cells[..., :number], cells[..., number:])),
        np.concatenate(weights),
    )
    ((variance,),), _ = covariance(values[None], sampling_of(base, q.fixed))
    scale = Scale(q.entry.range)
    low, high = scale.around(float(value), sqrt(variance), q.settings.level, fewest - 1)
    return Interval(min(float(low), q.value), max(float(high), q.value), f"delta{scale.name}-t", few)


@kind("RankingTable", "mean-precision")
def of_mean_precision(q: Question) -> Interval:
    """From influence values, as other means. None with weights: each score of the sample counts alike."""
    if not q.summary.equally_weighted:
        return no_interval(Note("scores-not-weighted"))
    return linear(q)


@kind("RankingTable", "mapped")
def of_function(q: Question) -> Interval:
    """The transformed bounds of another measure of the same table.

    In a cohort they are combined with the interval of the proportion of positives, where the transformation
    depends on it and the bounds of the other measure do not.
    """
    inner, table = inner_of(q), q.summary
    if isnan(inner.value):
        return no_interval(Note("undefined-inner", measure=inner.entry.name))
    result = single(transformed(q, inner))
    if np.isnan(result.low) or q.fixed or not (table.positives and table.negatives):
        return result
    transform = transform_of(q)
    of_share = replace(q, cases=cases_of_share(q) if q.cases is None else q.cases)
    low_share, share, high_share = priors(of_share)
    half = np.clip(0.5, low_share, high_share)  # where the effect of class sizes is largest
    between = np.concatenate(
        [[low_share, share, high_share, half], np.linspace(low_share, high_share, SHARES)]
    )
    # the only fields that a transformation uses
    sizes = table.of(table.score[:1], np.array([table.positives]), np.array([table.negatives]))
    values = np.asarray(transform(inner.value, with_shares(sizes, between)), float)
    if not np.isfinite(values).all() or np.ptp(values) <= ROUNDING or depends_on_mix(inner.function, table):
        return result
    low, high = with_prior(of_share, values, result.low, result.high)
    error = known_error(result.standard_error)
    error = error and error_with_prior(of_share, values, error)
    return replace(result, low=min(low, q.value), high=max(high, q.value), standard_error=error)


@kind("RankingTable", "share-of-taken")
def share_of_taken(q: Question) -> Interval:
    """Wilson's interval, as for a proportion of the cases with the highest scores.

    The number of cases is the effective one, p (1 - p) / variance.
    """
    weight = float(q.entry.effective_n(q.summary, **q.parameters))
    taken = _effective_among(q.summary, weight, q.value)
    if taken < 1:
        return no_interval(Note("fewer-taken"))
    error, df = error_of_table(q)
    inner = q.value * (1 - q.value)
    if q.sampling is None and q.summary.equally_weighted:
        df = inf
    times = (normal_quantile(q.settings.level) / student_quantile(q.settings.level, df)) ** 2
    size = inner / error**2 * times if min(inner, error) > ROUNDING else taken
    low, high = wilson(q.value * size, size, q.settings.level)
    few = few_cases(min(taken, float(q.summary.effective_total)))  # k may be larger than the sample
    return Interval(low, high, "wilson", few)


def _effective_among(table: RankingTable, taken: float, share: float) -> float:
    """The effective number of cases among the highest scores.

    taken: their weight; share: the proportion of positives among them.
    """
    if table.squared.positive is table.positive:
        return taken
    above = np.append(0.0, np.cumsum(table.positive + table.negative))
    of_class = [float(np.interp(taken, above, np.append(0.0, np.cumsum(part)))) for part in table.squared]
    inner = share * (1 - share)
    spread = of_class[0] * (1 - share) ** 2 + of_class[1] * share**2
    return inner * taken**2 / spread if inner > ROUNDING else taken**2 / sum(of_class)


@kind("RankingTable", "smooth-deviations")
def of_smooth_deviations(q: Question) -> Interval:
    """None: a smooth curve deviates more in samples, and no method is known that covers."""
    return no_interval(Note("smooth-deviations"))


@kind("RankingTable", "of-prior")
def of_prior(q: Question) -> Interval:
    """The smallest and the largest value within the interval of the proportion of positives."""
    if q.fixed:
        return no_interval(FIXED_BY_WEIGHTS if fixed_by_weights(q.summary) else FIXED)
    made, function = _of_prevalence(q), q.entry.interval.of[0]
    if np.isnan(made.low):
        return made
    share = np.append(np.linspace(made.low, made.high, POINTS), np.clip(0.5, made.low, made.high))
    values = function(share)
    low, high = min(float(values.min()), q.value), max(float(values.max()), q.value)
    return replace(made, low=low, high=high, standard_error=None)


def _of_prevalence(q: Question) -> Interval:
    """The interval of the proportion of positives."""
    entry, sampling = get("prevalence", Counts), class_sampling(q)
    counts = Counts.of(*sampling.weight.tolist())
    value = entry.function(counts)
    return single(
        interval_of(
            replace(q, entry=entry, function=entry.function, summary=counts, value=value, sampling=sampling)
        )
    )


@kind("RankingTable", "resampled")
def of_resamples(q: Question) -> Interval:
    """value +- z * the standard deviation of Bayesian bootstrap resamples of the cases.

    It is on a scale for the range. In a case-control design each class is resampled separately. Where cases
    depend on each other, their units are, with exponential weights.
    """
    table = q.summary
    if min(table.effective_positives, table.effective_negatives) < 2:
        return no_interval(Note("one-in-a-class"))
    if decisive_cases(q) < FEWEST_DECIDING:
        return no_interval(Note("fewer-deciding", limit=FEWEST_DECIDING))
    if min(class_sizes(q)) < FEWEST:
        return no_interval(Note("one-independent-in-a-class"))
    if tied(table):
        return _tied(q)
    if q.sampling is not None:
        base, resamples = table, resampled.of_units(table, q.sampling, q.settings.seed)
    else:
        base, resamples = resampled.bayesian(table, q.settings.seed, q.settings.design)
    scale = Scale(q.entry.range)
    values = resampled.measured(q.function, resamples)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = scale.to(values) - scale.to(float(q.function(base)))
        ended = not isfinite(scale.to(q.value))
    known = np.isfinite(spread)
    if ended or known.mean() < ENOUGH or np.ptp(spread[known]) <= ROUNDING:
        return _at_an_end(q)
    low, high = scale.around(q.value, float(np.std(spread[known])) / scale.slope(q.value), q.settings.level)
    low, high = min(float(low), q.value), max(float(high), q.value)
    if high - low <= ROUNDING * (abs(low) + abs(high)):  # most resamples have the same value
        return _at_an_end(q)
    heavy_ones = doubt(q) if len(table) <= influence.MOST_KEPT else None  # more take long, and weigh less
    notes, error = few_cases(decisive_cases(q)) or heavy_ones, deviation(values)
    return Interval(low, high, "bayesian-bootstrap", notes, error)


@kind("RankingTable", "at-a-threshold")
def at_a_threshold(q: Question) -> Interval:
    """As "resampled"; with few distinct scores the value is discontinuous, and the interval approximate."""
    interval = of_resamples(q)
    if np.isnan(interval.low):
        return interval
    return replace(interval, notes=interval.notes or _few_scores(q.summary))


def _at_an_end(q: Question) -> Interval:
    """Percentiles, with half a case of each class at the wrong end.

    For resamples that do not differ, or reach an end of the range; with the effective sizes of the classes.
    """
    q, fewest = with_effective_sizes(q)
    _, resamples = resampled.with_halves(q.summary, q.settings.seed, q.settings.design)
    values = resampled.measured(q.function, resamples)
    values = values[np.isfinite(values)]
    tail = (1 - q.settings.level) / 2
    low, high = np.quantile(values, [tail, 1 - tail]) if len(values) else (np.nan, np.nan)
    if not high - low > ROUNDING:
        return no_interval(Note("resamples-alike-so-none"))
    cases, most = decisive_cases(q), 1 - 2 * FEWEST_BEYOND / len(values)
    few = Note("cases-deciding", cases=cases) if cases < FEW else None
    beyond = (
        Note("level-beyond-resamples", resamples=len(values), level=most)
        if tail * len(values) < FEWEST_BEYOND
        else None
    )
    notes = joined(Note("at-an-end-or-flat"), fewest or few, beyond)
    return Interval(
        min(float(low), q.value), max(float(high), q.value), "bayesian-bootstrap with halves", notes
    )


# Intervals of measures of several classes: of a confusion matrix, of a table of labels, of scores per class
# --------------------------------------------------------------------------------------------------
#
# Influence values of the cells, or of the cases, give them; for entropies a noncentral chi-square near 0. A
# measure of every class against the rest is averaged (macro, weighted or micro): the mean of the measure over
# the classes, weighted or not, or the measure of the sum of their counts. A class for which the measure is
# undefined is left out, with its weight; the note states how many were. One case counts in several classes:
# an error is a false negative of one and a false positive of another. So its influence value is the sum of
# those on the classes.

ONE_SIDED = Note("one-part")
FAULTLESS = Note("no-mistakes")
POINTS_OF_ACCURACY = 65  # of the accuracy, at which the measure is evaluated


@kind("ConfusionMatrix", "proportion")
def of_accuracy(q: Question) -> Interval:
    """Of a proportion of all cases, by the method of `proportion=`, as for Counts."""
    sampling = q.sampled
    values = influence.of_matrix(q.entry, q.function, q.summary)
    return proportion_of(q, values, sampling, np.ones(len(values)))


@kind("IndicatorTable", "proportion")
def of_exact(q: Question) -> Interval:
    """The same, of the proportion of cases without an error."""
    sampling = q.sampled
    every, exact = np.eye(2, len(sampling.weight))
    return proportion_of(q, exact - q.value * every, sampling, every)


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
    notes = few_cases(float(sampling.effective(off_diagonal(q.summary)))) if q.entry.ordered else None
    result = smooth(q, values, sampling, notes)
    if np.isnan(result.low):
        return without_mistakes(q, sampling) or replace(result, notes=ONE_SIDED)
    return result


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
    low, _ = wilson(n, n, q.settings.level)
    # the same for every level, so that bounds are nested
    steps = np.linspace(0, 1, POINTS_OF_ACCURACY)
    mixes = ((1 - p) * by_chance / by_chance.sum() + p * weights / right for p in (low, *steps[steps > low]))
    values = [q.value, *(q.function(q.summary.with_weights(mix)) for mix in mixes)]
    return Interval(min(values), max(values), "wilson", FAULTLESS)


CLEARLY = 4  # standard errors above 0, from which on the delta method is used
SPARSE = Note("too-few-cells")
NORMAL_FROM = 1000  # degrees of freedom, from which on a chi-square is approximated as normal


@kind("ConfusionMatrix", "information")
def information(q: Question) -> Interval:
    """By the delta method; near 0 from the noncentral chi-square of the G test.

    Source: Miller (1955); Agresti (2013), 16.3.
    """
    sampling, matrix = q.sampled, q.summary
    weights, wrong = matrix.weights, sampling.effective(off_diagonal(matrix))
    freedom = ((weights.sum(1) > 0).sum() - 1) * ((weights.sum(0) > 0).sum() - 1)
    if not freedom:
        return no_interval(ONE_SIDED)
    if 0 < wrong < _cells_off(q):
        return no_interval(SPARSE)
    nats = replace(q, entry=get("mutual_information", ConfusionMatrix), function=mutual_information)
    n, information, unit = _cases(nats, sampling), mutual_information(matrix), _unit(q)
    miller, most = _bias_of_information(matrix, n), unit * log(len(matrix))
    if q.entry.name == "uncertainty_coefficient":
        most = 1.0
    (variance, df), bias = first_order(q, sampling), unit * miller
    error = sqrt(variance)
    if information - miller < CLEARLY * sqrt(first_order(nats, sampling)[0]):
        ends = _noncentrality(2 * n * information, float(freedom), q.settings.level)
        low, high = (unit * end / (2 * n) for end in ends)
        found = _with_mistakes(q, sampling, low, high, "noncentral-chi-square", bias, error, most)
        return replace(found, standard_error=None)
    if error <= ROUNDING or _one_to_one(matrix):
        return without_mistakes(q, sampling) or no_interval(ONE_SIDED)
    low, high = Scale((0.0, inf)).around(q.value - bias, error, q.settings.level, df)
    return _with_mistakes(q, sampling, low, high, "delta", bias, error, most)


@kind("ConfusionMatrix", "entropy")
def of_entropy(q: Question) -> Interval:
    """By the delta method on the log scale."""
    sampling = q.sampled
    variance, df = first_order(q, sampling)
    error = sqrt(variance)
    if not error or not q.value:
        return without_mistakes(q, sampling) or no_interval(ONE_SIDED)
    if sampling.effective(off_diagonal(q.summary)) < _cells_off(q):
        return no_interval(SPARSE)
    bias = _bias_of_confusion(q.summary, _cases(q, sampling))
    low, high = Scale((0.0, inf)).around(q.value - bias, error, q.settings.level, df)
    return _with_mistakes(q, sampling, low, high, "delta", bias, error, inf)


def _cases(q: Question, sampling: Sampling) -> float:
    """The number of cases in effect."""
    counts = q.summary.without_squares()
    variance, _ = first_order(q, sampling)
    if (sampling.units is None and sampling.equal) or not variance:
        return float(sampling.effective(off_diagonal(counts) * 0 + 1))
    independent, _ = first_order(q, sampling_of(counts, sampling.fixed))
    return float(counts.total * independent / variance)


def _one_to_one(matrix: ConfusionMatrix) -> bool:
    """Whether each class has its own predicted label, which is not the right one for all."""
    there = matrix.weights > 0
    wrong = bool(there.ravel() @ off_diagonal(matrix) > 0)
    return wrong and there.sum(0).max() <= 1 and there.sum(1).max() <= 1


def _with_mistakes(
    q: Question,
    sampling: Sampling,
    low: float,
    high: float,
    method: str,
    bias: float,
    error: float,
    most: float,
) -> Interval:
    """The bounds around the value and within its range.

    Without errors the lower bound follows from a low accuracy.
    """
    perfect = without_mistakes(q, sampling)
    low, high = min(low, q.value), min(max(high, q.value), most)
    if perfect is not None:
        return Interval(
            min(low or q.value, perfect.low), max(high, perfect.high), perfect.method, perfect.notes
        )
    return Interval(low, high, method, _notes(q, sampling, bias, error), error)


def _notes(q: Question, sampling: Sampling, bias: float, error: float) -> Notes:
    """The notes on low coverage, found by simulation to be 77 to 93 %, and on bias.

    See docs/intervals.md.
    """
    per_cell = float(sampling.effective(off_diagonal(q.summary))) / _cells_off(q)
    side = "high" if bias > 0 else "low"
    off = Note("bias-of-few-per-cell", side=side, by=abs(bias)) if abs(bias) > error / 4 else None
    return joined(few_cases(per_cell, "mistakes per cell"), off)


def _cells_off(q: Question) -> int:
    """The cells off the diagonal."""
    return len(q.summary) * (len(q.summary) - 1)


def _unit(q: Question) -> float:
    """The factor from nats to the unit of the measure."""
    if q.entry.name == "uncertainty_coefficient":
        return 1 / float(entropy(q.summary.weights.sum(1)))
    return 1 / log(getattr(q.function, "keywords", {}).get("base", e))


def _noncentrality(g: float, freedom: float, level: float) -> tuple[float, float]:
    """The interval of the noncentrality for a chi-square of g, at least its expectation."""
    from scipy.special import chdtrc, chndtrinc

    tail, at_least = (1 - level) / 2, max(g, freedom)
    if freedom > NORMAL_FROM:
        z2 = normal_quantile(level) ** 2
        least, largest = (
            max(
                x - freedom + 2 * z2 + side * sqrt(4 * (x - freedom) * z2 + 4 * z2**2 + 2 * z2 * freedom), 0.0
            )
            for x, side in ((at_least, -1), (at_least, 1))
        )
        return least, largest
    low = 0.0 if chdtrc(freedom, g) >= tail else float(chndtrinc(g, freedom, 1 - tail))
    return low, float(chndtrinc(at_least, freedom, tail))


def _bias_of_information(matrix: ConfusionMatrix, n: float) -> float:
    """The bias of mutual information, in nats, of n cases. Source: Miller (1955)."""
    weights = matrix.weights
    rows, columns, cells = (int((part > 0).sum()) for part in (weights.sum(1), weights.sum(0), weights))
    return float((cells - rows - columns + 1) / (2 * n))


def _bias_of_confusion(matrix: ConfusionMatrix, n: float) -> float:
    """The bias, which is downwards.

    x log x of each cell off the diagonal is too high by 1 / (2 n), and it counts twice.
    """
    wrong = (matrix.weights > 0).sum() - (matrix.weights.diagonal() > 0).sum()
    return -float(wrong) / n / per_class_scale(len(matrix.weights))


# at which a function of the accuracy is evaluated, within its bounds
SEVERAL = Note("several-labels")
UNSEEN = Note("class-left-out")


@kind("ConfusionMatrix", "recalls")
def of_recalls(q: Question) -> Interval:
    """Of the mean of the recalls of the classes that occur, as that of the macro average of sensitivity.

    Of a single one that occurs it is that of the accuracy.
    """
    there = q.summary.class_sizes > 0
    if there.sum() == 1:
        entry = get("accuracy", ConfusionMatrix)
        found = interval_of(replace(q, entry=entry, function=entry.function))
        return replace(found, notes=joined(left_out(q.summary.labels, there), found.notes))
    return of_average(q, "macro", get("sensitivity", Counts).function)


@listed(
    "interval",
    "ev.averages['macro']['f1']",
    name="takahashi",
    aka=("macro_averaged_f1",),
    command="tallymark evaluate --all",
)
@kind("ConfusionMatrix", "average")
@kind("IndicatorTable", "average")
def average(q: Question) -> Interval:
    """Of an average over classes, with a standard error by the delta method.

    That of the macro average of f1 is Takahashi's; the interval is on the logit scale, so that it stays
    within the range. Source: Takahashi, Yamamoto, Kuchiba and Koyama (2022), Applied Intelligence 52,
    4961-4972.
    """
    how = q.entry.kind_of_average
    function = partial(q.entry.of.function, **getattr(q.function, "keywords", {}))
    if isfinite(q.value):
        return of_average(replace(q, function=function), how, function)
    with np.errstate(invalid="ignore", divide="ignore"):
        left = left_out(q.summary.labels, ~np.isnan(function(q.summary.one_vs_rest())))
    return no_interval(None if how == "micro" else left)


def of_average(q: Question, how: str, function: Callable[..., Any]) -> Interval:
    """The interval of an average, "macro", "weighted" or "micro", of a measure of each class."""
    table, sampling = q.summary, q.sampled
    if isinstance(table, IndicatorTable) and q.fixed:
        return no_interval(SEVERAL)
    if how == "micro" and isinstance(table, ConfusionMatrix) and table.unanswered is None:
        return _of_accuracy(q)
    counts = table.one_vs_rest()
    counted = sampling_of(counts)
    cells, left = counted.weight, None
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.asarray(function(counts), float)
    used, base = ~np.isnan(each), q.entry.of if isinstance(q.entry, Average) else get("sensitivity", Counts)
    proportion = base.interval is not None and base.interval.kind == "proportion"
    if how == "micro":  # half cases count in the sum, once
        empty = (np.arange(len(cells)) == 0) & (cells.sum(0) == 0).any()
    else:
        at_an_end = np.isin(each, base.range) if proportion else (cells == 0).any(-1)
        left, empty = left_out(table.labels, used), at_an_end & used
        if (cells[~used][:, [0, 2]] > 0).any():
            return no_interval(joined(left, UNSEEN))
    inside, unit = q.entry.range[0] < q.value < q.entry.range[1], unit_weights(counted)
    more = HALF * unit * empty[:, None]
    centre, outcomes = influence.of_average(how, function, cells + more)
    there = more > 0
    observed = None if inside else sampling
    sampling = extended(sampling, more[there], (HALF * unit**2)[there], _classes(table)[there])
    values = np.concatenate([table.by_cell(outcomes), outcomes[there]]) * sampling.total
    found = smooth(
        q, values, sampling, centre=nan if inside else float(centre), student=True, observed=observed
    )
    return replace(found, notes=joined(left, found.notes))


def _classes(table: ConfusionMatrix | IndicatorTable) -> np.ndarray:
    """The actual class of half cases of each outcome of each class, (K, 4): itself, or the largest other."""
    if isinstance(table, IndicatorTable):
        return np.zeros((len(table), 4), int)
    *_, second, first = np.argsort(table.class_sizes, kind="stable") if len(table) > 1 else (0, 0)
    own = np.arange(len(table))
    other = np.where(own == first, second, first)
    return np.stack([own, other, own, other], axis=1)


def _of_accuracy(q: Question) -> Interval:
    """From that of the accuracy, for one label per case and the counts of all classes."""
    table, entry = q.summary, get("accuracy", ConfusionMatrix)
    accuracy = float(entry.function(table))
    known = interval_of(replace(q, entry=entry, function=entry.function, value=accuracy))
    if isnan(known.low):
        return known
    # up to rounding
    share = np.clip(np.append(np.linspace(known.low, known.high, POINTS_OF_ACCURACY), accuracy), 0.0, 1.0)
    n, wrong = table.total, table.total * (1 - share)
    values = q.function(Counts.of(n * share, wrong, wrong, n * np.maximum(len(table) - 2 + share, 0.0)))
    values = np.append(values[~np.isnan(values)], q.value)
    low, high = float(values.min()), float(values.max())
    if not (isfinite(low) and isfinite(high) and high - low > ROUNDING):
        return no_interval(SAME)
    return Interval(low, high, known.method, known.notes)


def left_out(labels: Sequence[Any], defined: np.ndarray) -> Note | None:
    """The note on the classes that an average leaves out; None if there are none."""
    missing = [label for label, there in zip(labels, defined.tolist(), strict=True) if not there]
    if not missing:
        return None
    return Note("undefined-classes", labels=tuple(missing), classes=len(labels))


# cases in a class: with fewer an average precision is biased upwards, or says little (docs/intervals.md)
FEW_OF_A_CLASS, TOO_FEW = 20, 10
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
    few = precisions in spec.of and spec.kind == "of-classes" and smallest < FEW_OF_A_CLASS
    interval = _of_cases(q, deciding(smallest) if few else None)
    if np.isnan(interval.low):
        return no_interval(joined(skipped, Note("classes-separated-or-tied")))
    return replace(interval, notes=joined(skipped, interval.notes))


@kind("ClassScores", "mean")
def mean_over_classes(q: Question) -> Interval:
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


# Intervals of measures of predicted amounts
# --------------------------------------------------------------------------------------------------
#
# Of independent cases the sums of powers of what each adds to a measure are enough, which engines have, too;
# of cases in clusters there are influence values.

NEAR_END = 1e-12  # of a range, that differs from its end by rounding alone
ALIKE, TOO_UNEQUAL = Note("losses-alike"), Note("weights-too-unequal")
NAMES = {(-inf, 1.0): "-log-t", (-1.0, 1.0): "-fisher-z-t"}


class Moments(NamedTuple):
    """Of an estimate: the number of cases in effect, or of clusters, standard error, skewness and freedom."""

    n: float
    error: float
    skewness: float
    df: float


@kind("Residuals", "mean")
def mean_of_amounts(q: Question) -> Interval:
    """Of a mean of a loss per case, on the log scale with Student's t.

    The upper bound is that of Hall's (1992) transformation of t where that is higher: samples of skewed
    losses often lack the large ones.
    """
    known = _of_mean(q)
    if known.n < 2:
        return no_interval(ONE_CASE)
    if not q.value:
        return no_interval(Note("losses-zero"))
    error = known.error / q.value
    if error <= ROUNDING / sqrt(known.n):
        return no_interval(ALIKE)
    if not error < LARGEST_STEP:  # at most 1 for equal weights
        return no_interval(TOO_UNEQUAL)
    t = student_quantile(q.settings.level, known.df)
    step = min(t * error, LARGEST_STEP)
    high = max(exp(step), 1 + error * _skewed_quantile(t, known.skewness))
    ends = q.value * exp(-step), q.value * high
    return Interval(*ends, "mean-log-t", _doubt(q, known), known.error)


@kind("Residuals", "signed-mean")
def signed_mean(q: Question) -> Interval:
    """Of a mean of either sign, with Student's t.

    A bound is that of Hall's (1992) transformation of t where that is farther away.
    """
    known = _of_mean(q)
    if known.n < 2:
        return no_interval(ONE_CASE)
    if known.error <= ROUNDING * abs(q.value) / sqrt(known.n):
        return no_interval(ALIKE)
    if not isfinite(known.error + known.skewness):
        return no_interval(TOO_UNEQUAL)
    t = student_quantile(q.settings.level, known.df)
    below, above = (max(t, _skewed_quantile(t, sign * known.skewness)) for sign in (-1, 1))
    ends = q.value - known.error * below, q.value + known.error * above
    return Interval(*ends, "mean-t", _doubt(q, known), known.error)


def _of_mean(q: Question) -> Moments:
    loss = partial(q.entry.loss, **getattr(q.function, "keywords", {}))
    known = _moments(q, loss, lambda: loss(q.summary.error) - q.value)
    return known if q.sampling is not None else known._replace(df=known.n - 1)  # as of a mean


def _moments(q: Question, function: Callable[..., Any], values: Callable[[], np.ndarray]) -> Moments:
    """Those of a mean of a loss, or of a formula of sums. values: the influence of a case of each pair."""
    if q.sampling is None:
        n, sums = float(q.summary.effective_total), q.summary.power_sums(function, values)
        error, df = of_sums(sums)
        size, _, squares, cubes, _ = sums.sums[SPREAD, 0]
        skewness = cubes / max(squares, ROUNDING**2) ** 1.5 * sqrt(size / n)
        return Moments(n, error, float(skewness), min(df, n - 1))
    off = values()
    unit = float(np.abs(off).max()) or 1.0
    variance, df = variance_of(off / unit, q.sampling, student=True)
    parts = q.sampling.units.totals((off / unit)[None])[:, 0]  # type: ignore[union-attr]
    skewness = (parts**3).sum() / max((parts**2).sum(), ROUNDING**2) ** 1.5
    n = q.sampling.effective(np.ones(len(q.summary)))
    return Moments(float(n), sqrt(variance) * unit, float(skewness), df)


def _skewed_quantile(t: float, skewness: float) -> float:
    """The t that Hall's transformation maps to -t, negated.

    (1 + k x / 3)^3 = 1 + k (g(x) - k / 6).
    """
    if abs(skewness) < ROUNDING:
        return t
    return -3 / skewness * (float(np.cbrt(1 - skewness * (t + skewness / 6))) - 1)


def _doubt(q: Question, known: Moments) -> Note | None:
    """The note that the sample may lack large errors; the skewness as Fisher and Pearson adjust it."""
    adjusted = abs(known.skewness) * sqrt(known.n * (known.n - 1)) / max(known.n - 2, 1.0)
    few = q.sampling is None and skewed(adjusted, known.df)
    return lacking("large errors") if few else None


@kind("Residuals", "jackknife")
def jackknife(q: Question) -> Interval:
    """By leaving out each case, on the log scale below 1 and on Fisher's z scale between -1 and 1.

    With Student's t for the degrees of freedom of the variance (docs/intervals.md).
    """
    scale, (formula,) = Scale(q.entry.range), q.entry.interval.of
    if not scale.inside(q.value) or min(q.value - scale.low, scale.high - q.value) < NEAR_END:
        return no_interval(Note("close-to-an-end" if any(q.summary.ends) else "losses-zero"))
    try:
        known = _moments(q, formula, lambda: influence.of_formula(formula, q.summary, scale.to))
    except LookupError:
        return no_interval(Note("without-each-amount"))
    if known.n < 2:
        return no_interval(ONE_CASE)
    if not isfinite(known.error):
        return no_interval(Note("one-case-decides"))
    if not known.error > ROUNDING:
        return no_interval(ALIKE)
    error = known.error / scale.slope(q.value)
    low, high = scale.around(q.value, error, q.settings.level, known.df)
    if not (isfinite(low) and isfinite(high) and low < q.value < high):
        return no_interval(Note("close-to-an-end"))
    return Interval(low, high, f"jackknife{NAMES[q.entry.range]}", None, error)


@kind("Residuals", "median")
def median(q: Question) -> Interval:
    """Between two order statistics, by the binomial distribution of the number of cases below the median.

    Of weighted cases, and of clusters, with the number of cases in effect and Student's t. Source: Thompson
    (1936), Annals of Mathematical Statistics 7, 122-128; with weights Woodruff (1952), J. of the American
    Statistical Association 47, 635-646.
    """
    n, df = float(q.summary.effective_total), inf
    if q.sampling is not None:
        above = np.sign(np.abs(q.summary.error) - q.value) / 2
        variance, df = variance_of(above, q.sampling, student=True)
        n = 0.25 / variance if variance > 0 else 0.0
    elif q.summary.weighted:
        df = n - 1
    rank = rank_below(n, q.settings.level, df)
    if not rank:
        return no_interval(Note("too-few-for-median"))
    size, reached = q.summary.sizes_of_errors
    total, slack = float(q.summary.total), NEAR_END * float(q.summary.total)
    low = size[np.searchsorted(reached, total * rank / n - slack)]
    high = size[np.searchsorted(reached, total * (1 - rank / n) + slack, side="right")]
    if not low < high:
        return no_interval(ALIKE)
    return Interval(float(low), float(high), "order-statistics")


def rank_below(n: float, level: float, df: float = inf) -> int:
    """The largest k for which fewer than k of n cases lie below the median with probability (1 - level) / 2.

    0 where there is none. df: of the number of cases, where that is estimated.
    """
    from scipy.special import bdtrik, ndtr

    tail = (1 - level) / 2
    if df < inf:
        if n < 2:
            return 0
        tail = float(ndtr(-student_quantile(level, df)))
    if n < 1 or 0.5**n > tail:
        return 0
    found = float(bdtrik(tail, n, 0.5)) + 1
    if not isfinite(found):  # of too many cases for bdtrik
        found = n / 2 - normal_quantile(level) * sqrt(n) / 2
    return floor(found)


@kind("Residuals", "largest")
def largest(q: Question) -> Interval:
    """None: a sample does not bound the largest error of other cases without further assumptions."""
    return no_interval(Note("largest-of-sample"))


# Confidence sequences: intervals that contain the true value at every number of cases at once
# --------------------------------------------------------------------------------------------------
#
# Theory of operation. Take a mean m that the cases might have, and bet against it on every case, so that a
# player's capital of 1 does not grow on average if m is true, whatever was bet. The capital then ever exceeds
# 1 / tail with a probability of at most `tail` (Ville's inequality): the means against which it has not are a
# confidence sequence, at whatever number of cases, and however often, one looks. With bets that do not depend
# on the order of cases, mixed by a density, the capital is a function of sums over the cases alone: so it
# needs no order of rows, and merges as all summaries do. Each end has its own capital, and its own half of
# the error.
#
# Sources: Robbins (1970), Annals of Mathematical Statistics 41, 1397-1409; Howard, Ramdas, McAuliffe and
# Sekhon (2021), Annals of Statistics 49, 1055-1080; Waudby-Smith and Ramdas (2024), JRSS B 86, 1-27.

ANYTIME_HALVINGS = 60
PRIOR = 0.5  # Jeffreys': both parameters of the beta density by which bets on a proportion are mixed
SHAPE = 3.0  # of the gamma density by which bets on a mean are mixed: tightest for some hundreds of cases
SEQUENTIAL = ("beta-binomial", "gamma-exponential")
FOR_CHECKS = "tm.check(..., valid='anytime')"
kind("Counts", "function", anytime=True)(mapped)


def _lower_end(log_capital: Callable[[Any], Any], mean: Any, level: float) -> Any:
    """The smallest mean, up to the one that was seen, against which the capital is below 1 / tail."""
    low, high = np.zeros_like(mean), mean
    for _ in range(ANYTIME_HALVINGS):
        middle = (low + high) / 2
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            excluded = log_capital(middle) >= -log((1 - level) / 2)
        low, high = np.where(excluded, middle, low), np.where(excluded, high, middle)
    return low


@listed(
    "interval",
    FOR_CHECKS,
    name="beta-binomial",
    aka=("confidence_sequence", "anytime_valid_interval", "always_valid_interval"),
    command="--valid anytime",
)
def beta_binomial(x: Any, n: Any, level: float) -> tuple[Any, Any]:
    """The confidence sequence of a proportion: at all numbers of cases together its error is 1 - level.

    The capital is a ratio of likelihoods, of larger proportions mixed by Jeffreys' density to the one in
    question.
    Source: Robbins (1970); Howard and others (2021), Proposition 7.
    """
    x, n = np.broadcast_arrays(np.asarray(x, float), n)
    return _least_share(x, n, level), 1 - _least_share(n - x, n, level)


def _least_share(x: np.ndarray, n: np.ndarray, level: float) -> Any:
    share = np.divide(x, n, out=np.full(np.shape(n), np.nan), where=n > 0)
    return _lower_end(lambda p: log_capital_of_share(x, n, p), share, level)


def log_capital_of_share(x: Any, n: Any, p: Any) -> Any:
    """The logarithm of the capital after bets that the true proportion is larger than p."""
    from scipy.special import betainc, betaln, xlog1py, xlogy

    a, b = PRIOR + x, PRIOR + n - x
    mixed_in = (
        betaln(a, b) - betaln(PRIOR, PRIOR) + np.log(betainc(b, a, 1 - p) / betainc(PRIOR, PRIOR, 1 - p))
    )
    return mixed_in - xlogy(x, p) - xlog1py(n - x, -p)


@listed(
    "interval",
    FOR_CHECKS,
    name="gamma-exponential",
    aka=("empirical_bernstein", "betting_interval"),
    command="--valid anytime",
)
def gamma_exponential(mean: Any, variance: Any, n: Any, level: float) -> tuple[Any, Any]:
    """The confidence sequence of a mean of values from 0 to 1, from their mean and variance.

    A bet of the share s on y = x / m - 1, which is never below -1, multiplies the capital by 1 + s y, which
    is at least exp(s y + (log(1 - s) + s) y^2); the product over the cases depends on sums of y and y^2
    alone. Bets are mixed by a gamma density of 1 - s, up to 1.
    Source: Fan, Grama and Liu (2015), Electronic Journal of Probability 20, 1-22; Howard and others (2021),
    Proposition 9.
    """
    return _least_mean(mean, variance, n, level), 1 - _least_mean(1 - mean, variance, n, level)


def _least_mean(mean: Any, variance: Any, n: Any, level: float) -> Any:
    mean, variance = np.asarray(mean, float), np.asarray(variance, float)
    return _lower_end(lambda m: log_capital_of_mean(mean, variance, n, m), mean, level)


def log_capital_of_mean(mean: Any, variance: Any, n: Any, m: Any) -> Any:
    """The logarithm of the capital after bets that the true mean is larger than m."""
    from scipy.special import gammainc, gammaln

    gains, squares = n * (mean / m - 1), n * (variance / m**2 + (mean / m - 1) ** 2)
    shape, rate = squares + SHAPE, gains + squares + SHAPE
    before = SHAPE * log(SHAPE) - gammaln(SHAPE) - np.log(gammainc(SHAPE, SHAPE))
    after = gammaln(shape) + np.log(gammainc(shape, rate)) - shape * np.log(rate)
    return before + after + gains + squares


@kind("Counts", "proportion", anytime=True)
def anytime_proportion(q: Question) -> Interval:
    """Of a proportion of independent cases of equal weight, by the beta-binomial confidence sequence."""
    x, n = parts(q.function, q.summary)
    low, high = beta_binomial(x, n, q.settings.level)
    known = q.sampled.equal & (not (q.fixed and mixed(parts_of(q.function)[1])))
    low, high = (np.where(known, end, np.nan) for end in (low, high))
    return Interval(low, high, "beta-binomial", noted(~known, NO_SEQUENCE), error_of(x, n, "wald"))


@kind("ConfusionMatrix", "proportion", anytime=True)
@kind("IndicatorTable", "proportion", anytime=True)
def of_share(q: Question) -> Interval:
    """The same, of all cases."""
    n = q.sampled.total
    low, high = beta_binomial(q.value * n, n, q.settings.level)
    return _known(q, low, high, "beta-binomial", float(error_of(q.value * n, n, "wald")))


@kind("RankingTable", "mean", anytime=True)
@kind("ClassScores", "mean", anytime=True)
def of_mean(q: Question) -> Interval:
    """Of a mean of a bounded loss, by the gamma-exponential confidence sequence."""
    least, most = q.entry.range
    if not isfinite(most):
        return no_interval(NO_SEQUENCE)
    values = (
        influence.of_class_scores(q.entry, q.function, q.summary)
        if isinstance(q.summary, ClassScores)
        else influence.of_table(q.entry, q.function, q.parameters, q.summary)
    )
    weight, width = q.sampled.weight, most - least
    n = weight.sum()
    variance = float((weight * np.square(np.ravel(values) / width)).sum() / n)
    low, high = gamma_exponential((q.value - least) / width, variance, n, q.settings.level)
    error = width * sqrt(variance / n)
    return _known(q, least + width * low, least + width * high, "gamma-exponential", error)


def _known(q: Question, low: Any, high: Any, method: str, error: float) -> Interval:
    """The interval, where all cases count alike and the share of no class is fixed."""
    known = bool(np.all(q.sampled.equal)) and not q.fixed
    return Interval(float(low), float(high), method, None, error) if known else no_interval(NO_SEQUENCE)
