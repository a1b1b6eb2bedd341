"""Intervals of the loss that isotonic recalibration saves, by inverting a parametric bootstrap.

The isotonic fit follows random variation, so that the loss saved in a sample is biased upwards. The members
of the family are true rates: 0 are the probabilities as predicted, 1 a smooth curve over the ranks through
the data (tilted.py), and the logits of the others lie between both or beyond. Samples of each member are
recalibrated as the data are. A calibrated model is a member, so that its lower bound is above 0 in a
proportion of (1 - level) / 2 of samples. Docs: intervals_of_maxima.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...input.messages.notes import Note
from ...summaries import RankingTable
from ...summaries.by_score import starts_of_groups
from ...summaries.logits import logit, sigmoid
from ..bootstrap import resampled
from ..effective import ONE_CASE
from ..results import Interval, no_interval, rounded_interval
from . import tilted
from .kinds import Question, kind
from .means import FEW_LOSSES
from .multiples import bounds_by_moments
from .samples_of_rates import samples_of

FEWEST = 2  # cases of a class
TOLERANCE = 1e-9  # of a width
FINENESS = 150.0  # about a quarter of the number of groups of a table with many scores
LEAST = 0.5  # shift of the logits, in standard errors, that is added to the difference found
STEEPEST, HALVINGS = 100.0, 50  # of a tilt, and steps to find it
NEAREST_TO_AN_END = 0.01  # of a probability whose logit is taken, in cases
# members where few cases decide, and otherwise distances from 1 in standard errors
FACTORS = np.array([0.0, 0.15, 0.2, 0.3, 0.4, 0.55, 0.75, 1.0, 1.4, 1.9, 2.6, 3.5, 6.0])
NEAR = np.array([-10.0, -6.0, -4.0, -2.5, -1.5, -0.7, 0.0, 0.7, 1.5, 2.5, 4.0, 7.0])
COARSE = 0.2  # relative standard error below which the factors are too coarse


@kind("RankingTable", "miscalibration")
def of_miscalibration(q: Question) -> Interval:
    """By inverting a parametric bootstrap from the predicted probabilities to the rates found and beyond."""
    cases = q.summary.effective_total
    if cases < 2:
        return no_interval(ONE_CASE)
    if min(tilted.sizes(q.summary)) < FEWEST:
        return no_interval(Note("one-in-a-class"))
    table, given = _joined(q.summary)
    charges = _charges(table, given, q.entry.interval.of[1])
    if not np.isfinite(charges).all():
        return no_interval(Note("saves-alike"))
    low, high = _inverted(q, table, given, charges)
    low, high = min(low, q.value), max(high, q.value)  # a sample saves more than its population
    if not high - low > TOLERANCE * max(q.value, 1.0):
        return no_interval(Note("saves-alike"))
    few = Note("few-cases", limit=FEW_LOSSES) if cases < FEW_LOSSES else None
    return rounded_interval(q.value, low, min(high, q.entry.range[1]), "inverted-bootstrap", few)


def _inverted(
    q: Question, table: RankingTable, given: np.ndarray, charges: np.ndarray
) -> tuple[float, float]:
    """The bounds. given: the predicted probability, and charges: the losses, at each score."""
    recalibrated, design, seed = q.entry.interval.of[0], q.settings.design, q.settings.seed

    def drawn() -> tuple[list[RankingTable], list[RankingTable]]:
        populations = [_population(table, rate, design) for rate in _family(table, given)]
        return populations, samples_of(populations, table, design, seed)

    populations, samples = resampled.kept(f"true rates {design}", q.summary, seed, drawn)
    true = np.array([float(_saved(each, charges, recalibrated)) for each in populations])
    values = np.stack([_saved(each, charges, recalibrated) for each in samples])
    low, high = bounds_by_moments(values, float(_saved(table, charges, recalibrated)), true, q.settings.level)
    return (low if low > TOLERANCE else 0.0), high


def _joined(table: RankingTable) -> tuple[RankingTable, np.ndarray]:
    """The table, with neighbouring scores joined where there are many, and the mean probabilities."""
    if not resampled.thins(table):
        return table, table.probability
    if "joined" not in table.kept:  # both losses need it
        table.kept["joined"] = _neighbours_joined(table)
    found: tuple[RankingTable, np.ndarray] = table.kept["joined"]
    return found


def _neighbours_joined(table: RankingTable) -> tuple[RankingTable, np.ndarray]:
    weight = np.asarray(table.positive + table.negative, float)
    fineness = FINENESS / float(np.sqrt(weight.sum()))
    first = starts_of_groups(table.positive, table.negative, fineness)
    held = np.add.reduceat(np.stack([weight * table.probability, weight]), first, axis=-1)
    return table.thinned(fineness), held[0] / held[1]


def _family(table: RankingTable, given: np.ndarray) -> np.ndarray:
    """The true rate of each member at each score: one row for each."""
    rate, weight = tilted.rates(table), np.asarray(table.positive + table.negative, float)
    nearest = NEAREST_TO_AN_END / max(float(table.effective_total), 1.0)
    start = logit(np.clip(given, nearest, 1 - nearest))
    away = logit(rate) - start
    information = weight * rate * (1 - rate) * float(table.effective_total) / weight.sum()
    error = 1 / np.sqrt(float(information.sum()))
    away = away + LEAST * error * (1.0 if float(information @ away) >= 0 else -1.0)
    relative = 1 / float(np.sqrt(information @ away**2))
    factors = FACTORS if relative >= COARSE else np.union1d(0.0, np.maximum(1 + NEAR * relative, 0.0))
    found: np.ndarray = sigmoid(start + factors[:, None] * away)
    return found


def _charges(table: RankingTable, probability: np.ndarray, loss: Callable[..., Any]) -> np.ndarray:
    """The loss of a positive and of a negative at each score: two rows."""
    single = np.ones(len(probability))
    each = RankingTable.of(probability, single, single).given
    found: np.ndarray = np.reshape(loss(each), (-1, 2)).T
    return found


def _saved(table: RankingTable, charges: np.ndarray, recalibrated: Callable[..., Any]) -> np.ndarray:
    """The loss that recalibration saves, of a table or of each sample in one."""
    total = np.asarray(table.total, float)
    predicted = table.positive @ charges[0] + table.negative @ charges[1]
    measured = recalibrated(table) if table.positive.ndim == 1 else resampled.measured(recalibrated, table)
    found: np.ndarray = predicted / total - measured
    return found


def _population(table: RankingTable, rate: np.ndarray, design: str) -> RankingTable:
    """The cases of the table with these rates of positives; in a case-control design with its class sizes.

    For these, scores of higher rates get more or less weight; where no such weights exist, the classes do.
    """
    weight = np.asarray(table.positive + table.negative, float)
    if design == "case-control":
        weight = tilted_weights(weight, rate, float(table.positives))
    positive, negative = weight * rate, weight * (1 - rate)
    if design == "case-control":
        positive *= float(table.positives) / positive.sum()
        negative *= float(table.negatives) / negative.sum()
    return table.of(table.score, positive, negative)


def tilted_weights(weight: np.ndarray, rate: np.ndarray, positives: float) -> np.ndarray:
    """The weights times exp(tilt * rate), of the same total, with so many positives; by bisection.

    Unchanged if no such weights have so many positives.
    """
    total, known = float(weight.sum()), rate[weight > 0]
    if not float(known.min()) * total < positives < float(known.max()) * total:
        return weight
    low, high = -STEEPEST, STEEPEST
    found = weight
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        found = weight * np.exp(middle * (rate - float(rate.mean())))
        found *= weight.sum() / found.sum()
        low, high = (middle, high) if float(found @ rate) < positives else (low, middle)
    return found
