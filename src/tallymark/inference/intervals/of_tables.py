"""Intervals of ranking and probabilistic measures."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf, isfinite, isnan
from typing import Any

import numpy as np

from ... import kernels
from ...input.messages.notes import Note, joined
from ...measures.registry import get, ratio
from ...summaries import RankingTable
from ...summaries.by_score import PAIRS
from ...summaries.outcome_probabilities import both_classes
from ..bootstrap import percentiles, resampled
from ..fixed_sizes import depends_on_mix
from ..inverted.rankings import error_with_prior, of_tied, priors, tied, with_prior, with_shares
from ..results import Interval, known_error, no_interval
from . import area, proportion
from .delong import PLACEMENTS, delong_freedom, delong_variance, shape_of, tied_share
from .kinds import ROUNDING, Question, interval_of, kind
from .means import Cases, deviation_of, doubt_of
from .scale import Scale, error_of_function

FEW_RESAMPLED, FEW_OF_A_LARGEST = 100, 2_000  # cases of the smaller class (docs/intervals.md)
# deciding cases: three without an error do not bound the rate (rule of three)
FEWEST_DECIDING, FEW_DECIDING = 3, 30
FEW_SCORES = 100  # distinct scores
FEWEST_BEYOND = 4  # resamples on either side of an interval of percentiles
SHARES = 33  # of positives, at which a function of it is evaluated, since it may have a maximum inside
NEAR = 0.5  # of the cases taken, for the window on either side of the cut
ENOUGH = 0.9  # proportion of resamples within the range, from which an unbounded scale is used
# bounds on a scale around a value, from a spread
Around = Callable[[Scale, float, np.ndarray], tuple[float, float]]


@kind("RankingTable", "delong-logit", sums=lambda table, entry, given: (PLACEMENTS, PAIRS))
def of_roc_area(q: Question) -> Interval:
    """By DeLong's variance on the logit scale, or the method of `auc_interval`.

    For weighted cases with Student's t. Where few cases are misplaced, by Newcombe's pseudo-score interval
    with this variance; exact where the classes are separated, or all scores are tied.
    """
    t = q.summary
    sizes = t.effective_positives, t.effective_negatives
    df = inf if t.equally_weighted else delong_freedom(t, q.value)
    doubt = None if df == inf else doubt_of(df, Cases.of_table(t))
    known = area.Area(
        q.value, delong_variance(t), float(tied_share(t)), *sizes, lambda: shape_of(t), df, doubt
    )
    return area.of_area(known, q.settings.level, q.settings.auc_interval)


@kind("RankingTable", "mapped")
def mapped(q: Question) -> Interval:
    """The transformed bounds of another measure of the same table."""
    given, transform = _parameters(q), q.entry.interval.transform
    inner = get(q.entry.interval.of[0].__name__, type(q.summary))
    function = partial(
        inner.function, **{name: value for name, value in given.items() if name in inner.parameters}
    )
    value = float(function(q.summary))
    if isnan(value):
        return no_interval(Note("undefined-inner", measure=inner.name))
    found = interval_of(replace(q, entry=inner, function=function, value=value))
    extra = {name: value for name, value in given.items() if name in inspect.signature(transform).parameters}
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (float(transform(bound, q.summary, **extra)) for bound in (found.low, found.high))
    if isnan(low):
        return found
    low, high = sorted((low, high))  # the transformation may be decreasing
    error = known_error(found.standard_error)
    error = error and float(
        error_of_function(lambda inner: transform(inner, q.summary, **extra), value, error)
    )
    low, high, error = _with_class_mix(
        q, function, lambda table: transform(value, table, **extra), low, high, error
    )
    return replace(found, low=min(low, q.value), high=max(high, q.value), standard_error=error)


def _with_class_mix(
    q: Question,
    inner: Callable[..., Any],
    transformed: Callable[[Any], Any],
    low: float,
    high: float,
    error: float | None,
) -> tuple[float, float, float | None]:
    """The bounds in a cohort, combined with the interval of the proportion of positives.

    The transformation depends on this proportion, the other measure's bounds do not.
    """
    table = q.summary
    if (
        q.settings.design != "cohort"
        or not isinstance(table, RankingTable)
        or not (table.positives and table.negatives)
    ):
        return low, high, error
    low_share, share, high_share = priors(q)
    half = np.clip(0.5, low_share, high_share)  # where the effect of class sizes is largest
    between = np.concatenate(
        [[low_share, share, high_share, half], np.linspace(low_share, high_share, SHARES)]
    )
    # the only fields that a transformation uses
    sizes = table.of(table.score[:1], np.array([table.positives]), np.array([table.negatives]))
    values = np.asarray(transformed(with_shares(sizes, between)), float)
    if not np.isfinite(values).all() or np.ptp(values) <= ROUNDING or depends_on_mix(inner, table):
        return low, high, error
    return *with_prior(q, values, low, high), error and error_with_prior(q, values, error)


@kind("RankingTable", "share-of-taken")
def share_of_taken(q: Question) -> Interval:
    """Wilson's interval, as for a proportion of the cases with the highest scores.

    The number of cases is the effective one, from the variance.
    """
    weight = float(q.entry.effective_n(q.summary, **_parameters(q)))
    taken = _effective_among(q.summary, weight, q.value)
    if taken < 1:
        return no_interval(Note("fewer-taken"))
    size = _size_of_taken(q, weight) or taken
    low, high = proportion.wilson(q.value * size, size, q.settings.level)
    return Interval(low, high, "wilson", Note("few-taken", cases=taken) if taken < FEW_DECIDING else None)


def _size_of_taken(q: Question, taken: float) -> float | None:
    """p (1 - p) / variance of the proportion p of positives among the highest scores.

    taken: their weight. None where the variance is 0. One more case above the cut moves another one below it,
    which is positive with the proportion r of those near the cut. A positive among those taken contributes
    1 - r, a negative -r, others 0, each less the mean, in a case-control design that of its class.
    """
    table, p = q.summary, q.value
    weight = table.positive + table.negative
    higher = np.cumsum(weight) - weight
    r, rows = _share_near(table, taken, higher, weight), int(np.searchsorted(higher, taken))
    above = np.clip(ratio(taken - higher[:rows], weight[:rows]), 0.0, 1.0)
    cases, influence = _with_rest(table, rows, above * (1 - r), -above * r)
    mean = kernels.dot(cases.weight, influence) / float(table.total)
    n = float(table.effective_total)
    if n < 2:
        return None
    squares = deviation_of(cases.sums_of(influence - mean), q.settings.design, n) ** 2 * n / (n - 1)
    return p * (1 - p) * taken**2 / squares if squares > ROUNDING and p * (1 - p) > ROUNDING else None


def _with_rest(
    table: RankingTable, rows: int, of_positive: np.ndarray, of_negative: np.ndarray
) -> tuple[Cases, np.ndarray]:
    """The entries of the first rows, with these influence values, and all others as one of each class."""
    parts = [
        both_classes(*(one[:rows] for one in pair))
        for pair in ((table.positive, table.negative), table.squared)
    ]
    rest = [
        [float(one[rows:].sum()) for one in pair]
        for pair in ((table.positive, table.negative), table.squared)
    ]
    weight, squares = (np.append(part, more) for part, more in zip(parts, rest, strict=True))
    there = weight > 0
    of_class, influence = (
        np.arange(len(weight)) % 2 == 0,
        np.append(both_classes(of_positive, of_negative), [0.0, 0.0]),
    )
    alike = table.squared.positive is table.positive
    return Cases(weight[there], None if alike else squares[there], of_class[there]), influence[there]


def _share_near(table: RankingTable, taken: float, higher: np.ndarray, weight: np.ndarray) -> float:
    """The proportion of positives near the cut.

    It is that of the cases tied there, where these are many, else of a window.
    """
    cut = min(int(np.searchsorted(higher, taken, side="left")), len(higher)) - 1
    if weight[cut] >= NEAR * taken:
        return float(table.positive[cut] / weight[cut])
    near = np.clip(ratio(NEAR * taken - np.abs(higher + weight / 2 - taken), weight), 0.0, 1.0)
    return kernels.dot(near, table.positive) / kernels.dot(near, weight)


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


@kind("RankingTable", "resampled")
def of_resamples(q: Question) -> Interval:
    """value +- z * the standard deviation of Bayesian bootstrap resamples of the cases.

    It is on a scale for the range. In a case-control design each class is resampled separately.
    """
    return _of_resamples(q, _standard_deviation(q))


def _standard_deviation(q: Question) -> Around:
    return lambda scale, value, spread: scale.around(value, float(np.std(spread)), q.settings.level)


@kind("RankingTable", "resampled-whole")
def of_whole_resamples(q: Question) -> Interval:
    """As "resampled", with every score as a threshold; there must not be too many."""
    if len(q.summary) > resampled.MOST_WHOLE:
        return no_interval(Note("too-many-scores", limit=resampled.MOST_WHOLE))
    found = _of_resamples(q, _standard_deviation(q), whole=True)
    tied = q.summary.total > len(q.summary)
    return replace(found, notes=found.notes or Note("scores-tied")) if tied else found


@kind("RankingTable", "at-a-threshold")
def at_a_threshold(q: Question) -> Interval:
    """As "resampled"; with few distinct scores the value is discontinuous, and the interval approximate."""
    found = of_resamples(q)
    few = len(q.summary) < FEW_SCORES and not found.notes
    return replace(found, notes=Note("few-scores", scores=len(q.summary))) if few else found


def _of_resamples(q: Question, bounds: Around, whole: bool = False) -> Interval:
    """Bounds from the differences between resamples and table, on the scale.

    At the ends of the range from the resamples alone.
    """
    table = q.summary
    if min(table.effective_positives, table.effective_negatives) < 2:
        return no_interval(Note("one-in-a-class"))
    if _decisive(q) < FEWEST_DECIDING:
        return no_interval(Note("fewer-deciding", limit=FEWEST_DECIDING))
    if tied(table):
        return of_tied(q)
    base, resamples = resampled.bayesian(table, q.settings.seed, whole, q.settings.design)
    scale = Scale(q.entry.range)
    values = resampled.measured(q.function, resamples)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = scale.to(values) - scale.to(float(q.function(base)))
        ended = not isfinite(scale.to(q.value))
    known = np.isfinite(spread)
    if ended or known.mean() < ENOUGH or np.ptp(spread[known]) <= ROUNDING:
        return _at_an_end(q)
    low, high = bounds(scale, q.value, spread[known])
    low, high = min(float(low), q.value), max(float(high), q.value)
    if high - low <= ROUNDING * (abs(low) + abs(high)):  # most resamples have the same value
        return _at_an_end(q)
    return Interval(low, high, "bayesian-bootstrap", _rests(q), float(percentiles.deviation(values)))


def _at_an_end(q: Question) -> Interval:
    """Percentiles, with half a case of each class at the wrong end.

    For resamples that do not differ, or reach an end of the range.
    """
    _, resamples = resampled.with_halves(q.summary, q.settings.seed, q.settings.design)
    values = resampled.measured(q.function, resamples)
    values = values[np.isfinite(values)]
    tail = (1 - q.settings.level) / 2
    low, high = np.quantile(values, [tail, 1 - tail]) if len(values) else (np.nan, np.nan)
    if not high - low > ROUNDING:
        return no_interval(Note("resamples-alike-so-none"))
    cases, most = _decisive(q), 1 - 2 * FEWEST_BEYOND / len(values)
    few = Note("cases-deciding", cases=cases) if cases < FEW_DECIDING else None
    beyond = (
        Note("level-beyond-resamples", resamples=len(values), level=most)
        if tail * len(values) < FEWEST_BEYOND
        else None
    )
    notes = joined(Note("at-an-end-or-flat"), few, beyond)
    return Interval(
        min(float(low), q.value), max(float(high), q.value), "bayesian-bootstrap with halves", notes
    )


def _parameters(q: Question) -> dict[str, Any]:
    found: dict[str, Any] = q.entry.defaults | getattr(q.function, "keywords", {})
    return found


def _decisive(q: Question) -> float:
    """The number of cases that the value depends on."""
    if q.entry.effective_n is None:
        return np.inf
    return float(q.entry.effective_n(q.summary.in_effective_cases(), **_parameters(q)))


def _rests(q: Question) -> Note | None:
    cases, smaller = _decisive(q), min(q.summary.effective_positives, q.summary.effective_negatives)
    if cases < FEW_DECIDING:
        return Note("few-deciding", cases=cases, perhaps="too narrow")
    few = smaller < FEW_RESAMPLED
    return Note("few-in-a-class", limit=FEW_RESAMPLED, counted="cases", perhaps="too narrow") if few else None
