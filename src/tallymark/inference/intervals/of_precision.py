"""Intervals of means of the precision, from influence values.

A case changes the precision at its own score and at all lower ones. They are used for the mean precision of
scores with few ties, and for the average precision of many cases; for fewer cases a bootstrap is inverted
(inverted/rankings.py).

As there, the spread is that of samples with the class sizes of the table, and in a cohort it is combined with
the interval of the proportion of positives.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from ... import kernels
from ...input.messages.notes import Note
from ...summaries import RankingTable
from ..bootstrap import resampled
from ..bootstrap.percentiles import deviation
from ..inverted.rankings import (
    FEW,
    FEWEST,
    error_with_prior,
    inverted,
    priors,
    sizes,
    with_prior,
    with_shares,
)
from ..results import Interval, no_interval, rounded_interval
from .kinds import ROUNDING, Question, kind
from .scale import Scale

MANY = 1_000  # cases of the smaller class
# mean cases per score, from which the bootstrap by score has better coverage than influence values
SHARED = 5
# cases of each class at each score; 0.5 and 1 are too many for 20 scores (docs/intervals_of_maxima.md)
ADDED = 0.25


@kind("RankingTable", "average-precision")
def of_average_precision(q: Question) -> Interval:
    """By inverting a bootstrap along a smooth family of score distributions.

    From 1,000 cases of each class on from influence values.
    """
    if min(sizes(q.summary)) < MANY or q.value in q.entry.range:
        return inverted(q)
    base = q.summary.thinned() if resampled.thins(q.summary) else q.summary
    influence = _of_average(base, float(q.function(base)))
    return _by_influence(
        q, base, influence, q.entry.range, lambda shares: q.function(with_shares(base, shares))
    )


@kind("RankingTable", "mean-precision")
def of_mean_precision(q: Question) -> Interval:
    """From influence values, on a logit scale between the worst and the best order of these cases.

    For scores with many ties by the Bayesian bootstrap of both classes at each score.
    """
    table = q.summary
    if min(sizes(table)) < FEWEST:
        return no_interval(Note("one-in-a-class"))
    if SHARED * len(table) <= table.total and len(table) <= resampled.MOST_SCORES:
        return _by_level(q)
    return _by_influence(
        q,
        table,
        _of_mean(table, q.value),
        _ends(table),
        lambda shares: np.array([_mean_with(table, share) for share in shares.tolist()]),
    )


def _by_level(q: Question) -> Interval:
    """The Bayesian bootstrap of both classes at each score, with a fraction of a case added to each cell.

    Each score counts alike, however few cases it has, and must show some spread. Rubin (1981), Annals of
    Statistics 9, 130-134, with a prior.
    """
    table, random = q.summary, np.random.default_rng(q.settings.seed)
    drawn = [
        _drawn(random, *part) for part in zip((table.positive, table.negative), sizes(table), strict=True)
    ]
    if q.settings.design != "cohort":
        drawn = [
            part * (total / part.sum(-1, keepdims=True))
            for part, total in zip(drawn, (table.positives, table.negatives), strict=True)
        ]
    tail = (1 - q.settings.level) / 2
    values = q.function(RankingTable.of(table.score, drawn[0], drawn[1]))
    low, high = np.quantile(values, [tail, 1 - tail])
    fewest = float((table.positive + table.negative).min())
    few = Note("few-cases-of-a-score", cases=fewest) if fewest < FEW else None
    return rounded_interval(
        q.value, float(low), float(high), "bayesian-bootstrap", few, float(deviation(values))
    )


def _drawn(random: np.random.Generator, weight: np.ndarray, cases: float) -> np.ndarray:
    """Resampled cells of a class with so many cases: shape (replicates, scores)."""
    unit = weight.sum() / cases
    found: np.ndarray = unit * random.standard_gamma(
        weight / unit + ADDED, (resampled.REPLICATES, len(weight))
    )
    return found


def _by_influence(
    q: Question,
    table: RankingTable,
    influence: tuple[np.ndarray, np.ndarray],
    ends: tuple[float, float],
    with_share: Callable[[np.ndarray], Any],
) -> Interval:
    """The interval from the variances of the influence values within each class.

    They are those of the table, or of a thinned one. with_share: the values with other proportions of
    positives.
    """
    least, most = ends
    error = sqrt(
        sum(map(_squares, (table.positive, table.negative), table.squared, sizes(table), influence))
    ) / float(table.total)
    if not (error > ROUNDING and least + ROUNDING < q.value < most - ROUNDING):
        return no_interval(Note("values-at-an-end"))
    scale = Scale(ends)
    low, high = scale.around(q.value, error * scale.slope(q.value), q.settings.level)
    if q.settings.design == "cohort":
        values = np.asarray(with_share(priors(q)))
        low, high = with_prior(q, np.clip(values - values[1] + q.value, *q.entry.range), low, high)
        error = error_with_prior(q, values, error)
    few = Note("few-in-a-class", limit=FEW, counted="cases") if min(sizes(table)) < FEW else None
    return rounded_interval(q.value, low, high, "influence-logit", few, error)


def _squares(weight: np.ndarray, squared: np.ndarray, cases: float, influence: np.ndarray) -> float:
    """The weighted sum of squares; for weighted cases with the squared weights."""
    centred = influence - float(np.einsum("i,i->", weight, influence)) / float(weight.sum())
    return float(np.einsum("i,i,i->", squared, centred, centred)) * cases / (cases - 1)


def _single(table: RankingTable) -> np.ndarray:
    """Whether there is a single case at a score, of any weight."""
    if "single" not in table.kept:
        weight, squares = table.positive + table.negative, table.squared.positive + table.squared.negative
        table.kept["single"] = weight**2 <= squares * (1 + ROUNDING)
    found: np.ndarray = table.kept["single"]
    return found


def _mean_with(table: RankingTable, share: float) -> float:
    """The mean precision with this proportion of positives.

    The threshold of a single case has the weight of the case.
    """
    counts = table.sweep()
    of_positive, of_negative = share / table.prior, (1 - share) / (1 - table.prior)
    tp, fp = of_positive * counts.tp[1:], of_negative * counts.fp[1:]
    tp /= np.add(tp, fp, out=fp)
    weight = np.where(_single(table), table.positive * of_positive + table.negative * of_negative, 1.0)
    np.divide(weight, table.positive + table.negative, out=weight, where=_single(table))
    return kernels.dot(tp, weight) / float(np.add.reduce(weight))


def _of_average(table: RankingTable, value: float) -> tuple[np.ndarray, np.ndarray]:
    """The influence values on average precision, of a positive and of a negative at each score."""
    tp, above = table.sweep().tp[1:], table.sweep().tp[1:] + table.sweep().fp[1:]
    lower, lost = _from_the_lowest(table.positive / above), _from_the_lowest(table.positive * tp / above**2)
    share = table.positives / table.total
    return (tp / above - value + lower - lost) / share, -lost / share


def _of_mean(table: RankingTable, value: float) -> tuple[np.ndarray, np.ndarray]:
    """The influence values on mean precision; the threshold of a single case is removed with it."""
    tp, above = table.sweep().tp[1:], table.sweep().tp[1:] + table.sweep().fp[1:]
    lower, lost = _from_the_lowest(1 / above), _from_the_lowest(tp / above**2)
    own = np.where(_single(table), (tp / above - value) / (table.positive + table.negative), 0.0)
    thresholds = table.total / len(table)
    return (lower - lost + own) * thresholds, (own - lost) * thresholds


def _from_the_lowest(terms: np.ndarray) -> np.ndarray:
    return np.add.accumulate(terms[::-1])[::-1]


def _ends(table: RankingTable) -> tuple[float, float]:
    """The mean precision with all positives last, and with all first, where each case is a threshold.

    In each class the cases with the smallest weights come first.
    """
    if not _single(table).all():
        return 0.0, 1.0
    positive, negative = (np.cumsum(np.sort(part[part > 0])) for part in (table.positive, table.negative))
    low = (positive / (negative[-1] + positive)).sum()
    high = len(positive) + (positive[-1] / (positive[-1] + negative)).sum()
    return float(low) / len(table), float(high) / len(table)
