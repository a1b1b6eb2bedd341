"""Intervals of averages over the classes for a score per class, from influence values.

A case counts in the areas of all classes, and its influence values are added over the classes, which need not
be independent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from ...input.messages.notes import Note, joined
from ...measures.families import multiclass_ranking as of_ranking
from ...measures.families import pooled
from ...measures.registry import Measure, ratio
from ...summaries import ClassScores
from ..results import Interval, no_interval
from .averages import left_out
from .kinds import ROUNDING, Question, kind
from .means import Cases, deviation_of, doubt_of, freedom_of, of_mean
from .scale import wald_on_scale

# cases in a class: with fewer the average precision is biased upwards (docs/intervals.md)
FEW, FEW_FOR_PRECISION = 20, 200
ALONE = Note("one-in-a-class")


class Average(NamedTuple):
    """An average over the classes.

    of_each: its function; weighted: whether by the proportions of the classes; few: the number of cases in a
    class below which the interval is approximate; pooled: whether it is one ranking of all scores.
    """

    of_each: Callable[[ClassScores], of_ranking.OfClasses]
    weighted: bool = False
    few: int = FEW
    pooled: bool = False


AVERAGES = {  # by the kind of interval
    "of-classes": Average(of_ranking.against_the_rest),
    "of-classes-weighted": Average(of_ranking.against_the_rest, weighted=True),
    "of-pairs": Average(of_ranking.against_each),
    "of-precisions": Average(of_ranking.precisions, few=FEW_FOR_PRECISION),
    "of-pooled": Average(pooled.pooled_area, pooled=True),
    "of-pooled-precisions": Average(pooled.pooled_precision, pooled=True),
    "of-precisions-weighted": Average(of_ranking.precisions, weighted=True, few=FEW_FOR_PRECISION),
}


def average_of(entry: Measure) -> Average | None:
    """The average over the classes for this measure; None if it is not one."""
    return None if entry.interval is None else AVERAGES.get(entry.interval.kind)


def influence_values(entry: Measure, parameters: dict[str, Any], table: ClassScores) -> np.ndarray | None:
    """The influence values on a measure of a score per class, about 0, in the order of the table.

    None where they are not known. parameters: all that the measure has.
    """
    made, value = entry.interval, float(entry.function(table, **parameters))
    if made is None:
        return None
    if made.kind == "mean":
        assert entry.loss is not None
        found: np.ndarray = entry.loss(table, **parameters) - value
        return found
    if made.kind == "skill":
        return _on_skill(table, value, *made.of)
    average = average_of(entry)
    return None if average is None else table.total * _on_average(table, value, average)


@kind("ClassScores", "of-classes")
def of_classes(q: Question) -> Interval:
    """From the influence values on the mean area, on the logit scale.

    It is DeLong's variance, for all classes together.
    """
    return _by_influence(q)


@kind("ClassScores", "of-classes-weighted")
def of_classes_weighted(q: Question) -> Interval:
    """The same for classes weighted by their proportions, which are estimated, too."""
    return _by_influence(q)


@kind("ClassScores", "of-pairs")
def of_pairs(q: Question) -> Interval:
    """The same for pairs of classes."""
    return _by_influence(q)


@kind("ClassScores", "of-precisions")
def of_precisions(q: Question) -> Interval:
    """From the influence values on the mean average precision, on the logit scale."""
    return _by_influence(q)


@kind("ClassScores", "of-precisions-weighted")
def of_precisions_weighted(q: Question) -> Interval:
    """The same for classes weighted by their proportions, which are estimated, too."""
    return _by_influence(q)


@kind("ClassScores", "of-pooled")
def of_pooled(q: Question) -> Interval:
    """From the influence values of the cases on the area of all scores together, on the logit scale."""
    return _around_the_average(q, AVERAGES[q.entry.interval.kind])


@kind("ClassScores", "of-pooled-precisions")
def of_pooled_precisions(q: Question) -> Interval:
    """The same for the average precision of all scores together."""
    return _around_the_average(q, AVERAGES[q.entry.interval.kind])


@kind("ClassScores", "mean")
def mean(q: Question) -> Interval:
    """Of a mean of a loss per case, on the scale for its range."""
    charges = q.entry.loss(q.summary, **getattr(q.function, "keywords", {}))
    return of_mean(q, charges - q.value, _cases(q.summary))


@kind("ClassScores", "skill")
def skill(q: Question) -> Interval:
    """Of 1 - mean loss / loss of the class proportions, which are estimated, too."""
    return of_mean(q, _on_skill(q.summary, q.value, *q.entry.interval.of), _cases(q.summary), ROUNDING)


def _on_skill(
    table: ClassScores,
    value: float,
    charge: Callable[..., Any],
    reference: Callable[..., Any],
    slope: Callable[..., Any],
) -> np.ndarray:
    """The influence values on a skill score.

    charge: the loss of each case; reference, slope: the loss of the class proportions, and its derivatives.
    """
    shares = table.sizes / table.total
    charges, base, slopes = charge(table), reference(shares), slope(shares)
    loss = (1 - value) * base
    found: np.ndarray = (loss - charges) / base + loss / base**2 * (
        slopes[table.truth] - float(slopes @ shares)
    )
    return found


def _cases(table: ClassScores) -> Cases:
    return Cases(table.weight, table.squares, table.truth)


def _by_influence(q: Question) -> Interval:
    """The interval, with a note on the classes that the average leaves out."""
    found = _around_the_average(q, AVERAGES[q.entry.interval.kind])
    skipped = left_out(q.summary.labels, q.summary.sizes > 0)
    return replace(found, notes=joined(skipped, found.notes))


def _around_the_average(q: Question, average: Average) -> Interval:
    table = q.summary
    smallest = table.effective_total if average.pooled else smallest_class(table)
    if smallest < 2:
        return no_interval(ALONE)
    cases, n = _cases(table), table.effective_total
    influence = cases.sums_of(_on_average(table, q.value, average))
    error = deviation_of(influence, q.settings.design, n) * sqrt(n / (n - 1))
    if not 0 < q.value < 1 or error <= ROUNDING:
        return no_interval(Note("classes-separated-or-tied"))
    df = inf if cases.alike else freedom_of(influence, q.settings.design)
    bounds = wald_on_scale(q.value, error, (0.0, 1.0), q.settings.level, df)
    doubt = few_in_a_class(average, smallest) or doubt_of(df, cases, n)
    return Interval(*bounds, "influence-logit" if df == inf else "influence-logit-t", doubt, error)


def smallest_class(table: ClassScores) -> float:
    """The effective number of cases of the smallest class that occurs."""
    return float(table.effective_sizes[table.sizes > 0].min())


def few_in_a_class(average: Average, smallest: float) -> Note | None:
    """The note, where the smallest class has few cases for this average."""
    return (
        Note("class-with-few-cases", limit=average.few, perhaps="too narrow")
        if smallest < average.few
        else None
    )


def _on_average(table: ClassScores, value: float, average: Average) -> np.ndarray:
    """The derivative of the average by the weight of each case."""
    found = average.of_each(table)
    if not average.weighted:
        return found.plain
    own = np.where(np.isnan(found.value), 0.0, found.value)[table.truth]
    # the weight of a case increases the proportion of its class
    weighted: np.ndarray = found.weighted + ratio(own - value, table.total)
    return weighted
