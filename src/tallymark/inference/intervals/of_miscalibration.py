"""Intervals of the loss that isotonic recalibration saves, by inverting a parametric bootstrap.

The isotonic fit follows random variation, so that the loss saved in a sample is biased upwards. The true
rates are estimated by a smooth curve over the ranks (tilted.py). The members of the family predict
probabilities whose logits differ from those of the isotonic fit of the true rates by a multiple of the
difference found; 0 is what no isotonic recalibration improves, 1 about what was found. Samples have the true
rates, and are recalibrated as the data are. Docs: intervals_of_maxima.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...input.messages.notes import Note
from ...input.weighting import effective
from ...measures.families.case_losses import mean_loss
from ...measures.families.decomposition import isotonic
from ...summaries import RankingTable
from ...summaries.by_score import starts_of_groups
from ...summaries.logits import logit, sigmoid
from ..bootstrap import resampled
from ..results import Interval, no_interval, rounded_interval
from . import tilted, tilted_samples
from .kinds import Question, kind
from .means import FEW_LOSSES, TOO_FEW
from .multiples import bounds, factors_for

FEWEST = 2  # cases of a class
TOLERANCE = 1e-9  # of a width
LEAST = 0.5  # shift of the logits, in standard errors, that is added to the difference found
NEAREST_TO_AN_END = 1e-9  # of a probability whose logit is taken


@kind("RankingTable", "miscalibration")
def of_miscalibration(q: Question) -> Interval:
    """By inverting a parametric bootstrap along multiples of the miscalibration found."""
    cases = q.summary.effective_total
    if cases < 2:
        return no_interval(TOO_FEW)
    if min(tilted.sizes(q.summary)) < FEWEST:
        return no_interval(Note("one-in-a-class"))
    recalibrated, loss = q.entry.interval.of
    table, given = _joined(q.summary)
    rate = tilted.rates(table)
    weight = np.asarray(table.positive + table.negative, float)
    family = _family(table, given, isotonic(table.of(table.score, weight * rate, weight * (1 - rate))))
    charges = np.array([_charges(table, each, loss) for each in family])
    if not np.isfinite(charges).all():
        return no_interval(Note("saves-alike"))
    expected = np.einsum("i,mci,ci->m", weight / weight.sum(), charges, np.stack([rate, 1 - rate]))
    samples = resampled.kept(
        f"if smooth {q.settings.design}", table, q.settings.seed, lambda: _samples(q, table, rate)
    )
    saved = _saved(samples, charges, recalibrated)
    value = float(mean_loss(table.with_probabilities(given), loss) - recalibrated(table))
    low, high = bounds(saved, value, expected - expected[0], q.settings.level)
    low, high = min(low, q.value), max(high, q.value)  # a joined table saves a little less
    if not high - low > TOLERANCE * max(q.value, 1.0):
        return no_interval(Note("saves-alike"))
    few = Note("few-cases", limit=FEW_LOSSES) if cases < FEW_LOSSES else None
    return rounded_interval(q.value, low, min(high, q.entry.range[1]), "inverted-bootstrap", few)


def _joined(table: RankingTable) -> tuple[RankingTable, np.ndarray]:
    """The table, with neighbouring scores joined where there are many, and the mean probabilities."""
    if len(table) <= resampled.MOST_WHOLE:
        return table, table.probability
    weight = np.asarray(table.positive + table.negative, float)
    first = starts_of_groups(table.positive, table.negative, 1.0)
    held = np.add.reduceat(np.stack([weight * table.probability, weight]), first, axis=-1)
    return table.thinned(), held[0] / held[1]


def _family(table: RankingTable, given: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """The probabilities that the members predict at each score: one row for each."""
    weight = np.asarray(table.positive + table.negative, float)
    away = logit(np.clip(given, NEAREST_TO_AN_END, 1 - NEAREST_TO_AN_END)) - logit(rate)
    information = weight * rate * (1 - rate) * float(table.effective_total) / weight.sum()
    error = 1 / np.sqrt(float(information.sum()))
    away = away + LEAST * error * (1.0 if float(information @ away) >= 0 else -1.0)
    size = np.sqrt(float(information @ away**2))
    found: np.ndarray = sigmoid(logit(rate) + factors_for(1 / size)[:, None] * away)
    return found


def _charges(table: RankingTable, probability: np.ndarray, loss: Callable[..., Any]) -> np.ndarray:
    """The loss of a positive and of a negative at each score: two rows."""
    single = np.ones(len(probability))
    each = RankingTable.of(probability, single, single).given
    found: np.ndarray = np.reshape(loss(each), (-1, 2)).T
    return found


def _saved(samples: RankingTable, charges: np.ndarray, recalibrated: Callable[..., Any]) -> np.ndarray:
    """By member and sample, the loss that recalibration saves."""
    total = np.asarray(samples.total, float)
    predicted = charges[:, 0] @ samples.positive.T + charges[:, 1] @ samples.negative.T
    found: np.ndarray = predicted / total - resampled.measured(recalibrated, samples)
    return found


def _samples(q: Question, table: RankingTable, rate: np.ndarray) -> RankingTable:
    """Samples with these rates of positives.

    In a cohort as many cases as there are in effect at each score, on average; in a case-control design of
    each class.
    """
    random = np.random.default_rng(q.settings.seed)
    weight = np.asarray(table.positive + table.negative, float)
    replicates = resampled.replicates_of(table)
    if q.settings.design == "case-control":
        sizes, totals = tilted.sizes(table), (float(table.positives), float(table.negatives))
        positive, negative = (
            _drawn(random, weight * part, size, replicates) * (total / max(round(size), 1))
            for part, size, total in zip((rate, 1 - rate), sizes, totals, strict=True)
        )
        return table.of(table.score, positive, negative)
    cases = weight if table.squares is None else effective(weight, sum(table.squared))
    both = np.concatenate([cases * rate, cases * (1 - rate)])
    counts = _drawn(random, both, float(cases.sum()), replicates)
    unit = np.divide(weight, cases, out=np.zeros_like(weight), where=cases > 0)
    positive, negative = np.split(counts, 2, axis=-1)
    return table.of(table.score, positive * unit, negative * unit)


def _drawn(random: np.random.Generator, weight: np.ndarray, size: float, replicates: int) -> np.ndarray:
    """How many of so many cases lie in each place, with probabilities in proportion to the weights."""
    cases, share = max(round(size), 1), weight / weight.sum()
    if cases > tilted_samples.MOST_CASE_BY_CASE:
        return random.multinomial(cases, share, replicates).astype(float)
    return tilted_samples.counted(
        tilted_samples.cells_of_cases(random, share, cases, replicates), len(share)
    ).astype(float)
