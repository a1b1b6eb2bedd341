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

from ...input.messages import Note
from ...measures.families.bins import of_equal_mass
from ...summaries import RankingTable
from ...summaries.by_score import starts_of_groups
from ...summaries.ranking import logit, sigmoid
from ..bootstrap import resampled
from ..effective import ONE_CASE
from ..intervals.kinds import Question, kind
from ..results import Interval, no_interval, rounded_interval
from .bins import design_effect
from .mechanism import ROUNDING, Moments, bounds, factors, moments_of
from .rankings import FEWEST, rates, sizes

REPLICATES, OF_CALIBRATED = 150, 1_000  # samples of each member, and of calibrated probabilities
BINS = 10  # for the design effect of dependent cases
TOLERANCE = 1e-9  # of a width
# scores, and where there are more, the fineness of groups of neighbours: about 200
MOST_SCORES, FINENESS = 300, 120.0
LEAST = 0.5  # shift of the logits, in standard errors, that is added to the difference between both curves
LIGHTEST, HEAVIEST = 0.1, 10.0  # factors of the weights of scores
NEAREST_TO_AN_END = 0.01  # of a probability whose logit is taken, in cases


class Drawn(NamedTuple):
    """The table and the predicted probabilities, with members and samples.

    samples: of the classes at the scores of the table, since a case that is drawn twice is recalibrated less
    than two cases; calibrated: more of the first member, of which the proportion with a lower bound above 0
    is promised; composed: populations with scores drawn anew, which add their variance.
    """

    table: RankingTable
    probability: np.ndarray
    populations: RankingTable
    samples: RankingTable
    calibrated: RankingTable
    composed: RankingTable


@kind("RankingTable", "miscalibration")
def of_miscalibration(q: Question) -> Interval:
    """By inverting a bootstrap from the predicted probabilities to the rates of the data and beyond."""
    cases, design, (recalibrated, loss) = q.summary.effective_total, q.settings.design, q.entry.interval.of
    if cases < 2:
        return no_interval(ONE_CASE)
    if min(sizes(q.summary)) < FEWEST:
        return no_interval(Note("one-in-a-class"))
    effect = design_effect(q, q.summary, of_equal_mass, of_equal_mass(q.summary, BINS), q.fixed)
    if not cases / effect.factor >= 2:
        return no_interval(ONE_CASE)
    of: Drawn = resampled.kept(
        f"rates {design} {effect.factor}",
        q.summary,
        q.settings.seed,
        lambda: _drawn(_with_effect(q.summary, effect.factor), design, q.settings.seed),
    )
    single = np.ones(len(of.probability))
    charges = np.reshape(loss(RankingTable.of(of.probability, single, single).given), (-1, 2)).T
    if not np.isfinite(charges).all():
        return no_interval(Note("saves-alike"))
    saved = partial(_saved, charges=charges, recalibrated=recalibrated)
    first, moments = moments_of(saved(of.calibrated)), moments_of(saved(of.samples))
    moments = Moments(*(np.append(one, others[1:]) for one, others in zip(first, moments, strict=True)))
    spread = np.hypot(moments.spread, saved(of.composed).std(-1))
    moments = moments._replace(spread=spread, skewness=moments.skewness * (moments.spread / spread) ** 3)
    true = saved(of.populations)
    low, high, *_ = bounds(true, moments, float(saved(of.table)), q.settings.level)
    least = max(TOLERANCE, float(true.min()))  # of calibrated probabilities, but for those at an end
    low, high = min(low if low > least else 0.0, q.value), max(high, q.value)
    if not high - low > TOLERANCE * max(q.value, 1.0):
        return no_interval(Note("saves-alike"))
    return rounded_interval(q.value, low, min(high, q.entry.range[1]), "inverted-bootstrap", effect.note)


def _with_effect(table: RankingTable, factor: float) -> RankingTable:
    """The table with so many fewer effective cases."""
    if factor == 1.0:
        return table
    squares = table.squared.each(lambda part: part * factor)
    return table.of(table.score, table.positive * 1.0, table.negative * 1.0, squares)


def _drawn(table: RankingTable, design: str, seed: int) -> Drawn:
    table, probability = _joined(table)
    rate, weight = _members(table, probability), np.asarray(table.positive + table.negative, float)
    if design == "case-control":  # scores of higher rates get more or less weight, so that the classes fit
        off = rate - rate @ weight[:, None] / weight.sum()
        lacking = float(table.positives) - rate @ weight[:, None]
        weight = weight * np.clip(
            1 + off * lacking / (off**2 @ weight[:, None] + ROUNDING), LIGHTEST, HEAVIEST
        )
    squares = table.squared.positive + table.squared.negative
    unit = np.where(weight > 0, squares / np.maximum(weight, ROUNDING), 1.0)
    units: list[Any] = [unit, unit]  # the weight of a case of either class
    if design == "case-control":
        units = [float(table.positives) / sizes(table)[0], float(table.negatives) / sizes(table)[1]]
    population = _with_classes(table, weight * rate, weight * (1 - rate), design)
    positive, negative = population.positive / units[0], population.negative / units[1]
    cases, random = positive + negative, np.random.default_rng(seed)
    whole = np.maximum(np.rint(cases), 1).astype(np.int64)[:, None]
    chance = (positive / np.where(cases > 0, cases, 1.0))[:, None]
    scale = cases[:, None] / whole

    def samples_of(members: int, replicates: int) -> RankingTable:
        """Samples of the first members."""
        size, unit = whole[:members], scale[:members]
        drawn = random.binomial(size, chance[:members], (members, replicates, len(table)))
        return _with_classes(table, drawn * unit * units[0], (size - drawn) * unit * units[1], design)

    samples = samples_of(len(rate), REPLICATES)
    share, number = cases / cases.sum(-1, keepdims=True), max(round(float(cases[0].sum())), 1)
    factor = random.multinomial(number, share[:, None], (len(rate), REPLICATES // 3)) / number
    factor /= np.where(share > 0, share, 1.0)[:, None]
    composed = [part[:, None] * factor for part in (population.positive, population.negative)]
    composition = _with_classes(table, composed[0], composed[1], design)
    return Drawn(table, probability, population, samples, samples_of(1, OF_CALIBRATED), composition)


def _with_classes(
    table: RankingTable, positive: np.ndarray, negative: np.ndarray, design: str
) -> RankingTable:
    """Tables of these weights, in a case-control design with the class sizes of the table."""
    if design == "case-control":
        positive, negative = (
            part * (total / np.maximum(part.sum(-1, keepdims=True), ROUNDING))
            for part, total in ((positive, table.positives), (negative, table.negatives))
        )
    return table.of(table.score, positive, negative)


def _joined(table: RankingTable) -> tuple[RankingTable, np.ndarray]:
    """The table, with neighbouring scores joined where there are many, and the mean probabilities."""
    if len(table) <= MOST_SCORES:
        return table, table.probability
    weight = np.asarray(table.positive + table.negative, float)
    first = starts_of_groups(weight, weight, FINENESS / float(np.sqrt(weight.sum())))  # whatever the classes
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
