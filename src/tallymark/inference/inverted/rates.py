"""The family of true rates, for the loss that isotonic recalibration saves.

The isotonic fit follows random variation, so that the loss saved in a sample is biased upwards. The members
are true rates: 0 the probabilities as predicted, 1 a smooth curve over the ranks through the data, and the
logits of the others lie between both or beyond. Samples of each member are recalibrated as the data are. A
calibrated model is a member, so that its lower bound is above 0 in a proportion of (1 - level) / 2 of
samples. Docs: intervals_of_maxima.md.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...input.messages.notes import Note
from ...summaries import RankingTable
from ...summaries.by_score import starts_of_groups
from ...summaries.logits import logit, sigmoid
from ..bootstrap import resampled
from ..effective import ONE_CASE
from ..intervals.kinds import Question, kind
from ..intervals.of_class_scores import FEW_LOSSES
from ..results import Interval, no_interval, rounded_interval
from .mechanism import ROUNDING, Controls, bounds, draw, factors
from .rankings import FEWEST, rates, sizes

REPLICATES = 150  # samples of each member
TOLERANCE = 1e-9  # of a width
MOST_SCORES, FINENESS = (
    300,
    150.0,
)  # scores; neighbours are joined to about a quarter of FINENESS where there are more
LEAST = 0.5  # shift of the logits, in standard errors, that is added to the difference between both curves
STEEPEST, HALVINGS = 100.0, 50  # of a tilt, and steps to find it
NEAREST_TO_AN_END = 0.01  # of a probability whose logit is taken, in cases


class Drawn(NamedTuple):
    """The table and the predicted probabilities, with members and samples."""

    table: RankingTable
    probability: np.ndarray
    populations: RankingTable
    samples: RankingTable
    controls: Controls


@kind("RankingTable", "miscalibration")
def of_miscalibration(q: Question) -> Interval:
    """By inverting a bootstrap from the predicted probabilities to the rates of the data and beyond."""
    cases, design, (recalibrated, loss) = q.summary.effective_total, q.settings.design, q.entry.interval.of
    if cases < 2:
        return no_interval(ONE_CASE)
    if min(sizes(q.summary)) < FEWEST:
        return no_interval(Note("one-in-a-class"))
    of: Drawn = resampled.kept(
        f"rates {design}", q.summary, q.settings.seed, lambda: _drawn(q.summary, design, q.settings.seed)
    )
    single = np.ones(len(of.probability))
    charges = np.reshape(loss(RankingTable.of(of.probability, single, single).given), (-1, 2)).T
    if not np.isfinite(charges).all():
        return no_interval(Note("saves-alike"))
    saved = partial(_saved, charges=charges, recalibrated=recalibrated)
    moments = of.controls.moments(saved(of.samples))
    low, high, *_ = bounds(saved(of.populations), moments, float(saved(of.table)), q.settings.level)
    low, high = (
        min(low if low > TOLERANCE else 0.0, q.value),
        max(high, q.value),
    )  # a sample saves more than its population
    if not high - low > TOLERANCE * max(q.value, 1.0):
        return no_interval(Note("saves-alike"))
    few = Note("few-cases", limit=FEW_LOSSES) if cases < FEW_LOSSES else None
    return rounded_interval(q.value, low, min(high, q.entry.range[1]), "inverted-bootstrap", few)


def _drawn(table: RankingTable, design: str, seed: int) -> Drawn:
    table, probability = _joined(table)
    rate, weight = _members(table, probability), np.asarray(table.positive + table.negative, float)
    if design == "case-control":
        weight = np.stack([_tilted(weight, row, float(table.positives)) for row in rate])
    positive, negative = weight * rate, weight * (1 - rate)
    if design == "case-control":
        totals, cases = (table.positives, table.negatives), sizes(table)
        positive, negative = (
            part * (total / part.sum(-1, keepdims=True))
            for part, total in zip((positive, negative), totals, strict=True)
        )
        strata = [*zip((positive, negative), cases, strict=True)]
        units = [np.asarray(total / size) for total, size in zip(totals, cases, strict=True)]
    else:
        squares = table.squared.positive + table.squared.negative
        unit = np.where(weight > 0, squares / np.maximum(weight, ROUNDING), 1.0)  # the weight of a case
        strata = [
            (np.concatenate([positive, negative], axis=-1) / np.tile(unit, 2), float((weight / unit).sum()))
        ]
        units = [unit, unit]
    samples, controls = draw(strata, REPLICATES, seed)
    cells = np.split(np.concatenate(samples, axis=-1), 2, axis=-1)
    drawn = table.of(table.score, cells[0] * units[0], cells[1] * units[1])
    return Drawn(table, probability, table.of(table.score, positive, negative), drawn, controls)


def _joined(table: RankingTable) -> tuple[RankingTable, np.ndarray]:
    """The table, with neighbouring scores joined where there are many, and the mean probabilities."""
    if len(table) <= MOST_SCORES:
        return table, table.probability
    weight = np.asarray(table.positive + table.negative, float)
    first = starts_of_groups(table.positive, table.negative, FINENESS / float(np.sqrt(weight.sum())))
    sums = np.add.reduceat(np.stack([weight * table.probability, weight]), first, axis=-1)
    return table.grouped(first), sums[0] / sums[1]


def _members(table: RankingTable, probability: np.ndarray) -> np.ndarray:
    """The true rate of each member at each score: one row for each."""
    smooth, weight = rates(table), np.asarray(table.positive + table.negative, float)
    nearest = NEAREST_TO_AN_END / max(float(table.effective_total), 1.0)
    start = logit(np.clip(probability, nearest, 1 - nearest))
    away = logit(smooth) - start
    information = weight * smooth * (1 - smooth) * float(table.effective_total) / weight.sum()
    error = 1 / np.sqrt(float(information.sum()))
    away = away + LEAST * error * (1.0 if float(information @ away) >= 0 else -1.0)
    relative = 1 / float(np.sqrt(information @ away**2))
    rate: np.ndarray = sigmoid(start + factors(relative)[:, None] * away)
    return rate


def _saved(table: RankingTable, charges: np.ndarray, recalibrated: Callable[..., Any]) -> np.ndarray:
    """The loss that recalibration saves, of a table or of each one in it."""
    predicted = table.positive @ charges[0] + table.negative @ charges[1]
    measured = recalibrated(table) if table.positive.ndim == 1 else resampled.measured(recalibrated, table)
    saved: np.ndarray = predicted / np.asarray(table.total, float) - measured
    return saved


def _tilted(weight: np.ndarray, rate: np.ndarray, positives: float) -> np.ndarray:
    """The weights times exp(tilt * rate), of the same total, with so many positives; by bisection.

    Unchanged if no such weights have so many positives.
    """
    total, known = float(weight.sum()), rate[weight > 0]
    if not float(known.min()) * total < positives < float(known.max()) * total:
        return weight
    low, high = -STEEPEST, STEEPEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        tilted = weight * np.exp(middle * (rate - float(rate.mean())))
        tilted *= total / tilted.sum()
        low, high = (middle, high) if float(tilted @ rate) < positives else (low, middle)
    return tilted
