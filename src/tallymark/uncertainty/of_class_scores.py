"""Intervals of averages over the classes of how a score per class ranks: by the influence of each case on the average.

A case counts in the areas of all classes; what it does to each adds up, so that the classes need not be independent.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt

import numpy as np

from ..measures import multiclass_ranking as of_ranking
from ..notes import Note, joined
from ..registry import ratio
from .averages import left_out
from .kinds import ROUNDING, Question, kind
from .means import Cases, doubt_of, of_mean, squares_of, variance_freedom
from .results import Interval, no_interval
from .scale import wald_on_scale

FEW, FEW_FOR_PRECISION = 20, 200  # cases in a class: the average precision of fewer is too high on average (docs/intervals.md)


@kind("ClassScores", "of-classes")
def of_classes(q: Question) -> Interval:
    """By the influence of each case on the mean of the areas (DeLong's variance, over all classes together), on the logit scale."""
    return _by_influence(q, of_ranking.against_the_rest, weighted=False)


@kind("ClassScores", "of-classes-weighted")
def of_classes_weighted(q: Question) -> Interval:
    """The same for classes weighted with their shares, which are estimated, too."""
    return _by_influence(q, of_ranking.against_the_rest, weighted=True)


@kind("ClassScores", "of-pairs")
def of_pairs(q: Question) -> Interval:
    """The same for pairs of classes."""
    return _by_influence(q, of_ranking.against_each, weighted=False)


@kind("ClassScores", "of-precisions")
def of_precisions(q: Question) -> Interval:
    """By the influence of each case on the mean of the average precisions, on the logit scale."""
    return _by_influence(q, of_ranking.precisions, weighted=False, few=FEW_FOR_PRECISION)


@kind("ClassScores", "of-precisions-weighted")
def of_precisions_weighted(q: Question) -> Interval:
    """The same for classes weighted with their shares, which are estimated, too."""
    return _by_influence(q, of_ranking.precisions, weighted=True, few=FEW_FOR_PRECISION)


@kind("ClassScores", "mean")
def mean(q: Question) -> Interval:
    """Of a mean of a loss per case, on the scale that suits the range."""
    charges = q.entry.loss(q.summary, **getattr(q.function, "keywords", {}))
    return of_mean(q, charges - q.value, _cases(q.summary))


@kind("ClassScores", "skill")
def skill(q: Question) -> Interval:
    """Of 1 - mean loss / loss of the shares of the classes, which are estimated, too."""
    table, (charge, reference, slope) = q.summary, q.entry.interval.of
    shares = table.sizes / table.total
    charges, base, slopes = charge(table), reference(shares), slope(shares)
    loss = (1 - q.value) * base
    pulls = (loss - charges) / base + loss / base**2 * (slopes[table.truth] - float(slopes @ shares))
    return of_mean(q, pulls, _cases(table), ROUNDING)


def _cases(table):
    return Cases(table.weight, table.squares, table.truth)


def _by_influence(q, of_each, weighted, few=FEW):
    """The interval, with a note of the classes that the average leaves out."""
    found = _around_the_average(q, of_each, weighted, few)
    skipped = left_out(q.summary.labels, q.summary.sizes > 0)
    return replace(found, notes=joined(skipped, found.notes))


def _around_the_average(q, of_each, weighted, few):
    table = q.summary
    found = of_each(table)
    known = ~np.isnan(found.value)
    smallest = float(table.effective_sizes[table.sizes > 0].min())
    if smallest < 2:
        return no_interval(Note("one-in-a-class"))
    influence = found.weighted if weighted else found.plain
    if weighted:  # the share of its own class rises with the case
        influence = influence + ratio(np.where(known, found.value, 0.0)[table.truth] - q.value, table.total)
    n = table.effective_total
    variance = squares_of(influence, _cases(table), q.settings.design, n) * n / (n - 1)
    if not 0 < q.value < 1 or variance <= ROUNDING**2:
        return no_interval(Note("classes-separated-or-tied"))
    cases = _cases(table)
    df = inf if cases.alike else variance_freedom(influence, cases, q.settings.design)
    error = sqrt(variance)
    bounds = wald_on_scale(q.value, error, (0.0, 1.0), q.settings.level, df)
    doubt = Note("class-with-few-cases", limit=few, perhaps="too narrow") if smallest < few else doubt_of(df, cases)
    return Interval(*bounds, "influence-logit" if df == inf else "influence-logit-t", doubt, error)
