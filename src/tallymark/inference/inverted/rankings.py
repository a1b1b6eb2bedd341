"""The family of rankings, for maxima, hulls and areas under the precision-recall curve.

A measure of the ranking depends on the log odds of being positive, given the rank u of the score, 0 < u < 1,
where both classes have the same weight. They are fitted by penalised logistic regression on a polynomial in
the normal quantile of u; a score with many ties keeps its own odds. A member multiplies the density of the
fit half way between the classes by exp(o / 2) for the positives and exp(-o / 2) for the negatives, where o is
a tilt times the log odds: 0 means no discrimination, 1 the fit; beyond both a multiple of the normal quantile
is added, up to perfect separation, in the right order or the wrong one. Two normal distributions of the same
spread stay such ones, and the proportion of a class at a tied score varies.

Samples have the class sizes of the table. In a cohort these vary: for a measure that depends on the
proportion of positives, the bounds at both ends of its interval are combined with those of the ranking, as
for two independent estimates (Zou and Donner 2008). Chosen by simulation among other methods:
docs/intervals_of_maxima.md.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...input.messages import Note, joined
from ...input.weighting import effective
from ...measures.families.ranking import roc_auc
from ...summaries import RankingTable
from ...summaries.ranking import logit, sigmoid
from ..bootstrap import resampled
from ..design_effects import cases_of_share, with_effective_sizes
from ..doubt import FEW, few_cases
from ..intervals import proportion
from ..intervals.area import hanley_mcneil_variance
from ..intervals.kinds import Question, kind
from ..intervals.scale import Scale
from ..results import Interval, no_interval, rounded_interval
from .mechanism import ERRORS, ROUNDING, Controls, bounds, draw

CELLS = 300  # of balanced ranks, where scores are not tied
FINEST, GROWTH, STEPS = 0.1, 1.15, 200  # width of the outermost cell, in cases; ratio of the next ones
POINTS = 1_000  # of the fit
PENALTY = np.array([1e-9, 0.02, 3.0, 3.0])  # of the squares of the coefficients of the Hermite polynomials
ROUNDS, LONGEST_STEP, CONVERGED = 25, 2.0, 1e-15  # of Newton's method
TIED = 4.0  # the weight of the smooth fit at a score, in cases
STEEPEST = 12.0  # log odds of the fit
REPLICATES = 70  # samples of each member
MOST_IN_ORDER = 300  # cases, up to which samples have no ties if the data have none
TILTS = np.geomspace(0.03, 60.0, 25)
TILTS = np.concatenate([-TILTS[::-1], [0.0], TILTS])
LARGEST_ERROR = 1.0  # of the area on the logit scale
CLASSES = "positive", "negative"
FEWEST, FEWEST_DECIDING = 2, 3  # cases
BIASED = 0.25  # of the width


def sizes(table: RankingTable) -> tuple[float, float]:
    """The effective numbers of positives and negatives in a table."""
    return float(table.effective_positives), float(table.effective_negatives)


class LogOdds:
    """The log odds of being positive by balanced rank, from the top: smooth, but for tied scores."""

    def __init__(self, table: RankingTable):
        positive, negative = table.positive / table.positives, table.negative / table.negatives
        width = (positive + negative) / 2
        self.edges = np.append(0.0, np.cumsum(width))
        self.edges /= self.edges[-1]
        self.own = positive / 2 / np.maximum(width, ROUNDING)
        self.tied = np.zeros(len(width))  # cases beyond one at a score
        wide = np.flatnonzero(width > 1 / CELLS)
        weight, squares = (
            (pair[0] + pair[1])[wide] for pair in ((table.positive, table.negative), table.squared)
        )
        self.tied[wide] = np.maximum(effective(weight, squares) - 1, 0.0)
        self.tied[self.tied < 1e-9] = 0.0
        middle = (self.edges[1:] + self.edges[:-1]) / 2
        first = np.flatnonzero(np.diff(np.floor(middle * POINTS), prepend=-1.0))
        rank = (self.edges[first] + self.edges[np.append(first[1:], len(middle))]) / 2
        size = 2 / sum(1 / cases for cases in (float(table.positives), float(table.negatives)))
        positive, negative = (size * np.add.reduceat(part, first) for part in (positive, negative))
        self.coefficients = _logistic(_hermite(rank), positive, positive + negative)

    def row(self, rank: np.ndarray) -> np.ndarray:
        """The row of the table at these ranks."""
        return np.clip(np.searchsorted(self.edges, rank) - 1, 0, len(self.own) - 1)

    def __call__(self, rank: np.ndarray) -> np.ndarray:
        """At these ranks."""
        row = self.row(rank)
        smooth = sigmoid(_hermite(rank) @ self.coefficients)
        chance = (self.tied[row] * self.own[row] + TIED * smooth) / (self.tied[row] + TIED)
        clipped: np.ndarray = np.clip(logit(chance), -STEEPEST, STEEPEST)
        return clipped


def rates(table: RankingTable) -> np.ndarray:
    """The proportion of positives at each score, by the smooth fit."""
    odds = LogOdds(table)
    middle = (odds.edges[1:] + odds.edges[:-1]) / 2
    rate: np.ndarray = sigmoid(odds(middle) + logit(np.float64(table.prior)))
    return rate


def _hermite(rank: np.ndarray) -> np.ndarray:
    """Hermite polynomials in the normal quantile, which increases with the score."""
    z = -kernels.inverse_normal_cdf(np.clip(rank, ROUNDING, 1 - ROUNDING))
    return np.stack([np.ones_like(z), z, (z**2 - 1) / sqrt(2), (z**3 - 3 * z) / sqrt(6)], axis=-1)


def _logistic(x: np.ndarray, positive: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """The coefficients of penalised logistic regression, by Newton's method."""
    beta = np.zeros(x.shape[-1])
    for _ in range(ROUNDS):
        chance = sigmoid(x @ beta)
        slope = (positive - cases * chance) @ x - PENALTY * beta
        bent = (x.T * (cases * chance * (1 - chance))) @ x + np.diag(PENALTY)
        step = np.linalg.solve(bent, slope)
        longest = float(np.abs(step).max())
        beta = beta + step * min(1.0, LONGEST_STEP / max(longest, ROUNDING))
        if longest < CONVERGED:
            break
    return beta


class Family(NamedTuple):
    """Members by their tilt, and samples of them.

    width, odds, quantile: of the cells, from the highest score, in balanced ranks, with the log odds of the
    fit and the normal quantile of the rank; weights: of the positives and of the negatives of a sample; tied:
    whether a cell is a score that many cases share.
    """

    width: np.ndarray
    odds: np.ndarray
    quantile: np.ndarray
    weights: tuple[float, float]
    tied: np.ndarray

    @property
    def side(self) -> float:
        """The tilt of the fit: 1, or -1 where its order is wrong."""
        return 1.0 if float(self.width @ (self.odds * self.quantile)) >= 0 else -1.0

    def shares(self, tilt: Any) -> tuple[np.ndarray, np.ndarray]:
        """The proportions of the positives and of the negatives in each cell: one row per tilt."""
        tilt = np.reshape(tilt, (-1, 1))
        own = np.clip(self.side * tilt, 0.0, 1.0)
        half = (own * self.odds + (tilt - self.side * own) * self.quantile) / 2
        between = np.log(self.width) - np.logaddexp(self.odds / 2, -self.odds / 2)
        return _shares(between + half), _shares(between - half)

    def population(self, tilt: Any, prior: Any = None) -> RankingTable:
        """Members, with another proportion of positives if there is one; only tied scores have many cases."""
        total, shares = sum(self.weights), self.shares(tilt)
        weights = self.weights if prior is None else (total * prior[:, None], total * (1 - prior[:, None]))
        parts = np.where(self.tied, 1, np.ceil(CELLS * np.maximum(*shares).max(0))).astype(np.int64)
        return in_cells(
            *(
                (weight * share / parts).repeat(parts, -1)
                for weight, share in zip(weights, shares, strict=True)
            )
        )


def _shares(logs: np.ndarray) -> np.ndarray:
    weight: np.ndarray = np.exp(logs - logs.max(-1, keepdims=True))
    weight /= weight.sum(-1, keepdims=True)
    return weight


def in_cells(positive: np.ndarray, negative: np.ndarray) -> RankingTable:
    """A table of cells, from the highest score."""
    return RankingTable.of(np.arange(positive.shape[-1], 0.0, -1.0), positive, negative)


def family(table: RankingTable) -> Family:
    """The family through a table of two classes."""
    odds = LogOdds(table)
    outer = np.cumsum(np.minimum(FINEST / min(sizes(table)) * GROWTH ** np.arange(STEPS), 1 / CELLS))
    outer = np.append(outer, np.arange(outer[-1] + 1 / CELLS, 0.5, 1 / CELLS))
    free = np.concatenate([outer[outer < 0.5], [0.5], 1 - outer[outer < 0.5]])
    wide = np.flatnonzero(odds.tied)
    free = free[odds.tied[odds.row(free)] == 0]
    cut = kernels.distinct(np.concatenate([[0.0, 1.0], free, odds.edges[wide], odds.edges[wide + 1]]))
    cut = np.append(cut[:-1][np.diff(cut) > ROUNDING], 1.0)
    middle = (cut[1:] + cut[:-1]) / 2
    weights = float(table.positives), float(table.negatives)
    tied = odds.tied[odds.row(middle)] > 0
    return Family(np.diff(cut), odds(middle), _hermite(middle)[:, 1], weights, tied)


class Drawn(NamedTuple):
    """Members of a family by their tilts, with their populations and samples."""

    family: Family
    tilt: np.ndarray
    populations: RankingTable
    samples: RankingTable
    controls: Controls


def drawn(table: RankingTable, seed: int) -> Drawn:
    """The members and samples of a table; the last are kept, since all measures of a table share them."""
    result: Drawn = resampled.kept("rankings", table, seed, lambda: _drawn(table, seed))
    return result


def _drawn(table: RankingTable, seed: int) -> Drawn:
    of, cases = family(table), sizes(table)
    tilt = _tilts(of, cases)
    samples, controls = draw([*zip(of.shares(tilt), cases, strict=True)], REPLICATES, seed)
    if sum(cases) <= MOST_IN_ORDER and not of.tied.any():
        samples = _in_order(samples, seed)
    weighted = (part * (weight / size) for part, weight, size in zip(samples, of.weights, cases, strict=True))
    return Drawn(of, tilt, of.population(tilt), in_cells(*weighted), controls)


def _in_order(samples: list[np.ndarray], seed: int) -> list[np.ndarray]:
    """Each case by itself, in random order within its cell: as many columns as cases."""
    counts = np.rint(np.stack(samples, axis=-1)).astype(np.int64)
    shape = (*counts.shape[:2], -1)
    cells = np.tile(np.arange(2 * counts.shape[2]), counts.shape[0] * counts.shape[1])
    cell = cells.repeat(counts.ravel()).reshape(shape)
    order = np.argsort(cell // 2 + np.random.default_rng(seed).random(cell.shape), axis=-1)
    positive = np.take_along_axis(cell % 2 == 0, order, axis=-1).astype(float)
    scale = [part[0, 0].sum() / max(round(part[0, 0].sum()), 1) for part in samples]
    return [positive * scale[0], (1 - positive) * scale[1]]


def _tilts(of: Family, cases: tuple[float, float]) -> np.ndarray:
    """The ascending tilts of the members: no discrimination, the fit, those around it, and both ends."""
    area = np.maximum.accumulate(roc_auc(of.population(TILTS)))
    least = 0.1 / cases[0] / cases[1]
    fit = float(np.clip(np.interp(of.side, TILTS, area), least, 1 - least))
    error = sqrt(hanley_mcneil_variance(fit, *cases)) / (fit * (1 - fit))
    around = np.interp(sigmoid(logit(fit) + ERRORS * min(error, LARGEST_ERROR)), area, TILTS)
    return kernels.distinct(np.concatenate([around, [0.0, of.side, of.side * TILTS[-1]]]))


@kind("RankingTable", "largest")
@kind("RankingTable", "inverted")
@kind("RankingTable", "discrimination")
def inverted(q: Question) -> Interval:
    """By inverting a bootstrap along the family of rankings."""
    if min(sizes(q.summary)) < FEWEST:
        return no_interval(Note("one-in-a-class"))
    q, few = with_effective_sizes(q)
    table = q.summary
    if not min(sizes(table)) >= FEWEST:
        return no_interval(Note("one-independent-in-a-class"))
    decisive = decisive_cases(q)
    if decisive < FEWEST_DECIDING:
        return no_interval(Note("fewer-deciding", limit=FEWEST_DECIDING))
    if tied(table):
        return of_tied(q)
    of = drawn(table, q.settings.seed)
    true = np.asarray(q.function(of.populations), float)
    with np.errstate(all="ignore"):
        moments = of.controls.moments(resampled.measured(q.function, of.samples))
    if (
        not np.isfinite(moments.mean + moments.spread).all()
        or np.ptp(true) <= ROUNDING
        or moments.spread.max() <= ROUNDING
    ):
        return no_interval(Note("samples-alike"))
    fit = int(np.searchsorted(of.tilt, of.family.side))
    limits = bounds(true, moments, q.value, q.settings.level, fit)
    low, high = limits.low, limits.high
    tilt, lowest = np.interp([limits.member, limits.lowest], np.arange(len(true)), of.tilt)
    if np.isfinite(decisive) and low > q.entry.range[0]:  # where there may be fewer, by chance more were seen
        (positive,), (negative,) = (getattr(of.family.population(lowest), one) for one in CLASSES)
        decisive = min(decisive, decisive_cases(replace(q, summary=in_cells(positive, negative))))
    if q.settings.design == "cohort":
        low, high = with_prior(
            q, np.asarray(q.function(of.family.population(tilt, priors(q))), float), low, high
        )
    least, most = q.entry.range
    low, high = (
        next((end for end in q.entry.range if abs(end - one) < ROUNDING), one) for one in (low, high)
    )
    made = rounded_interval(
        q.value,
        low,
        high,
        "inverted-bootstrap",
        joined(*_notes(q, q.value - limits.middle, high - low, decisive), few),
    )
    return replace(made, low=max(made.low, least), high=min(made.high, most))  # rounded beyond ln 2


def tied(table: RankingTable) -> bool:
    """Whether all scores are tied."""
    return int(np.count_nonzero(table.positive + table.negative)) == 1


def of_tied(q: Question) -> Interval:
    """Exact where all scores are tied.

    All cases of a class are tied with the others with a probability of at most (1 - a)^n if a proportion a of
    it lies above or below them.
    """
    tail = (1 - q.settings.level) / 2
    apart = [1 - tail ** (1 / size) for size in sizes(q.summary)]
    parts = np.tile([0.0, 1.0, 0.0], (2, 8, 1))
    for row, (of, cell, share) in enumerate(product((0, 1), (0, 2), (ROUNDING, 1.0))):
        parts[of, row, cell] = share * apart[of]
        parts[of, row, 1] -= share * apart[of]
    weights = float(q.summary.positives), float(q.summary.negatives)
    values = np.asarray(
        q.function(in_cells(*(weight * part for weight, part in zip(weights, parts, strict=True)))), float
    )
    low, high = float(values.min()), float(values.max())
    if q.settings.design == "cohort":
        low, high = with_prior(q, np.asarray(q.function(with_shares(q.summary, priors(q))), float), low, high)
    return rounded_interval(q.value, low, high, "exact", Note("scores-all-tied"))


def scale_of(q: Question) -> Scale:
    """A scale with ends half a case beyond those of the measure, so that these are finite on it."""
    (low, high), room = q.entry.range, 0.5 / min(sizes(q.summary))
    room *= high - low if np.isfinite(high - low) else 1.0
    return Scale((low - room, high + room))


def priors(q: Question) -> np.ndarray:
    """The lower bound of the proportion of positives, the proportion, and the upper bound.

    They are never 0 or 1, where measures are undefined.
    """
    prior, cases = float(q.summary.prior), cases_of_share(q) if q.cases is None else q.cases
    share = proportion.interval(prior * cases, cases, q.settings.level, q.settings.proportion)
    result: np.ndarray = np.clip([share.low, prior, share.high], ROUNDING * prior, 1 - ROUNDING * (1 - prior))
    return result


def with_shares(table: Any, prior: np.ndarray) -> Any:
    """The same scores with other proportions of positives: a row for each."""
    positive, negative = table.positive / table.positives, table.negative / table.negatives
    return table.of(
        table.score, prior[:, None] * positive * table.total, (1 - prior[:, None]) * negative * table.total
    )


def with_prior(q: Question, values: np.ndarray, low: float, high: float) -> tuple[float, float]:
    """Bounds for the class sizes of the table, combined with the interval of the prevalence.

    values: at its `priors`.
    """
    if not np.ptp(values) > ROUNDING:
        return low, high
    scale = scale_of(q)
    middle, least, most, low, high = (
        float(scale.to(x)) for x in (values[1], values.min(), values.max(), low, high)
    )
    ends = (
        middle - hypot(middle - least, max(middle - low, 0.0)),
        middle + hypot(most - middle, max(high - middle, 0.0)),
    )
    below, above = (float(np.clip(scale.back(end), *q.entry.range)) for end in ends)
    return below, above


def error_with_prior(q: Question, values: np.ndarray, error: float) -> float:
    """A standard error for the class sizes of the table, combined with that of the prevalence.

    values: at its `priors`.
    """
    low, prior, high = priors(q)
    cases = cases_of_share(q) if q.cases is None else q.cases
    return hypot(error, float(values[2] - values[0]) / (high - low) * sqrt(prior * (1 - prior) / cases))


def decisive_cases(q: Question) -> float:
    """The number of cases that the value depends on."""
    if q.entry.effective_n is None:
        return np.inf
    return float(q.entry.effective_n(q.summary.in_effective_cases(), **q.parameters))


def _notes(q: Question, bias: float, width: float, decisive: float) -> tuple[Note | None, ...]:
    """On values at an end, few deciding cases, and the size of the bias.

    Few cases decide where the measure has a cut; where the best cut is sought, the family allows for them.
    """
    if q.value in q.entry.range:
        return Note("at-an-end"), Note("cases-deciding", cases=decisive) if decisive < FEW else None
    few = None if q.entry.interval.kind == "largest" else few_cases(decisive)
    return few, Note("bias", bias=bias) if abs(bias) > BIASED * width else None
