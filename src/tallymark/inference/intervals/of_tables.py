"""Intervals of ranking and probabilistic measures, from influence values.

For independent cases the variance follows from sums of powers of the influence values by class, which one
pass over a large table collects; for others from the cells of the table in each unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import inf, isfinite, isnan, nan, sqrt
from typing import Any

import numpy as np

from ...input.messages import Note, joined
from ...measures.registry import Measure, get
from ...summaries import Counts, RankingTable
from ...summaries.by_score import PAIRS
from ...summaries.case_losses import LossSums, sums_of_loss
from ...summaries.ranking import Squares
from .. import influence
from ..bootstrap import percentiles, resampled
from ..covariance import EQUAL, covariance, of_sums, sampling_of
from ..design_effects import cases_of_share, of_classes, unit_weights, weights_vary, with_effective_sizes
from ..doubt import FEW, FEW_DEGREES, few_cases, lacking, of_heavy
from ..fixed_sizes import FIXED, FIXED_BY_WEIGHTS, depends_on_mix, fixed_by_weights
from ..inverted.rankings import (
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
from ..results import Interval, known_error, no_interval
from . import area, proportion
from .area import PLACEMENTS, delong_variance, shape_of, tied_share
from .kinds import ROUNDING, Question, inner_of, interval_of, kind, transform_of, transformed
from .of_counts import single
from .scale import Scale, normal_quantile, student_quantile

# deciding cases: three without an error do not bound the rate (rule of three)
FEWEST, FEWEST_DECIDING = 2, 3
FEW_SCORES = 100  # distinct scores
FEWEST_BEYOND = 4  # resamples on either side of an interval of percentiles
SHARES = 33  # of positives, at which a function of it is evaluated, since it may have a maximum inside
POINTS = 257  # at which a function of the proportion of positives is evaluated
ENOUGH = 0.9  # proportion of resamples within the range, from which an unbounded scale is used
MANY, MANY_WEIGHTED = 1_000, 100  # cases of the smaller class
DERIVATIVE = 1e-9  # error of a numerical derivative
UNLIKE = 2.0  # times the weight


def error_of(q: Question, by_class: bool = False) -> tuple[float, float]:
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
    apart = [float(unit.max() / unit.min()) for unit in unit_weights(table) if len(unit)]
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
        error, df = error_of(q, by_class=True)
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

    known = area.Area(q.value, variance, float(tied_share(t)), *sizes, shape, df, few)
    return area.of_area(known, q.settings.level, q.settings.auc_interval)


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
    (error, df), scale = error_of(q), Scale(q.entry.range)
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
    error, df = error_of(q)
    inner = q.value * (1 - q.value)
    if q.sampling is None and q.summary.equally_weighted:
        df = inf
    times = (normal_quantile(q.settings.level) / student_quantile(q.settings.level, df)) ** 2
    size = inner / error**2 * times if min(inner, error) > ROUNDING else taken
    low, high = proportion.wilson(q.value * size, size, q.settings.level)
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
    entry, sampling = get("prevalence", Counts), of_classes(q)
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
    notes, error = few_cases(decisive_cases(q)) or heavy_ones, percentiles.deviation(values)
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
