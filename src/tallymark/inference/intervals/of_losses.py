"""Intervals of mean losses of two classes, from sums of powers that one pass over the cases collects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ...measures.entry import Measure
from ...summaries import RankingTable
from ...summaries.outcome_probabilities import LossSums, OutcomeProbabilities, sums_of_loss
from ..results import Interval
from .kinds import Question, kind
from .means import Cases, around, mean_alone, of_sums, slopes_with_prior

DERIVATIVE = 1e-9  # error of a numerical derivative
MEAN, MEAN_OF_PRIOR = "mean", "mean-of-prior"
Loss = Callable[[OutcomeProbabilities], Any]


def of_mean(table: RankingTable, entry: Measure, parameters: Mapping[str, Any]) -> Iterator[LossSums]:
    """The sums of the loss of a measure, also at the proportions of positives around that of the table."""
    if entry.loss is None or entry.interval is None:
        return
    loss = _loss(entry, parameters)
    yield sums_of_loss(loss)
    if entry.interval.kind == MEAN_OF_PRIOR and table.given.varies_with_prior(loss):
        yield from (sums_of_loss(loss, other) for other in around(float(table.prior)))


@kind("RankingTable", MEAN, sums=of_mean)
def mean(q: Question) -> Interval:
    """Of a mean of a loss per case, on the scale for its range."""
    sums = q.summary.given.sums_of(_loss(q.entry, getattr(q.function, "keywords", {})))
    return of_sums(q, sums.linear(1.0, sums.centre - q.value), _cases(q.summary), sums.centre)


@kind("RankingTable", MEAN_OF_PRIOR, sums=of_mean)
def mean_of_prior(q: Question) -> Interval:
    """The same where the loss, or a function of its mean, depends on the proportion of positives.

    This proportion is estimated, too.
    """
    given, loss = q.summary.given, _loss(q.entry, getattr(q.function, "keywords", {}))
    sums, prior = given.sums_of(loss), float(q.summary.prior)
    average, varies = given.mean(loss), given.varies_with_prior(loss)

    def mean_at(other: float) -> float:
        found: float = given.mean_at(loss, other) if varies else average
        return found

    by_mean, by_prior = slopes_with_prior(q.entry.of_mean or mean_alone, mean_at, average, prior)
    centre = by_mean * (sums.centre - average) + by_prior * (np.array([0.0, 1.0]) - prior)
    return of_sums(q, sums.linear(by_mean, centre), _cases(q.summary), sums.centre, DERIVATIVE)


def _loss(entry: Measure, parameters: Mapping[str, Any]) -> Loss:
    assert entry.loss is not None
    return partial(entry.loss, **parameters)


def _cases(table: RankingTable) -> Cases | None:
    return None if table.equally_weighted else Cases.of(table.given)
