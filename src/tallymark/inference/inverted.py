"""Intervals by inverting a bootstrap along a family with one parameter.

A measure that is biased upwards or not smooth (maxima, hulls, errors over bins) has a bias and a spread that
depend on its true value, so that no correction at the estimate is right. The members of a family through the
data range from no effect to the largest one; each is a population with a true value, and samples of it show
which values it gives. The bounds are the true values of those members of whose samples the value is the upper
and the lower quantile. Efron (1981), Canadian Journal of Statistics 9, 139-172; DiCiccio and Romano (1990),
International Statistical Review 58, 59-76.

A member is a probability for each cell of one or more strata; its samples are multinomial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input.messages import Note, joined
from ..input.weighting import effective
from ..measures.families.bins import (
    Bins,
    of_equal_mass,
    of_equal_width,
    places_of_equal_mass,
    places_of_equal_width,
)
from ..measures.families.calibration import largest_gap, mean_gap, root_mean_square_gap
from ..measures.families.ranking import roc_auc
from ..summaries import ClassScores, RankingTable
from ..summaries.passes import starts_of_groups
from ..summaries.ranking import Squares, logit, sigmoid
from . import interval, resampled
from .covariance import FEW, ONE_CASE, covariance, deciding, few_cases, of_heavy
from .influence import cases_of_share, with_effective_sizes
from .interval import Question, Scale, hanley_mcneil_variance, kind, normal_quantile, student_quantile
from .results import Interval, no_interval, rounded_interval

ROUNDING, TINY = 1e-12, 1e-9  # relative; of values that are equal but for rounding
CASE_BY_CASE, SLOTS = 10, 1 << 16  # cases per cell up to which each is drawn, by a number of 16 bits
# The largest skewness that is corrected for, alone and times the quantile, so that quantiles increase.
SKEWED, OF_QUANTILE = 1.2, 2.5
# Members: how far they are from the data, in standard errors.
ERRORS = np.array([-6.0, -4.5, -3.3, -2.5, -1.8, -1.1, -0.4, 0.3, 1.0, 1.8, 2.7, 4.0, 6.0])
BETWEEN = 200  # steps from one member to the next
EDGES = np.array([0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95])  # of the cells that are controlled together


def multinomial(random: np.random.Generator, share: np.ndarray, size: int, replicates: int) -> np.ndarray:
    """Numbers of cases in cells: axes member, replicate, cell. share: of the cells, a row per member."""
    cells = share.shape[-1]
    if not share.any():  # no case of a class
        return np.zeros((len(share), replicates, cells))
    share = share / share.sum(-1, keepdims=True)
    if size > CASE_BY_CASE * cells:
        return random.multinomial(size, share[:, None], (len(share), replicates)).astype(float)
    places = np.arange(replicates)[:, None] * cells
    samples = np.empty((len(share), replicates, cells))
    for row, sample in zip(share, samples, strict=True):
        ends = np.rint(np.add.accumulate(row) * SLOTS).astype(np.int64)
        cell = np.arange(cells).repeat(np.diff(ends, prepend=0))
        place = cell[random.integers(0, len(cell), (replicates, size), np.uint16)] + places
        sample[:] = np.bincount(place.ravel(), minlength=sample.size).reshape(sample.shape)
    return samples


def draw(
    strata: Sequence[tuple[np.ndarray, float]], replicates: int, seed: int
) -> tuple[list[np.ndarray], Controls]:
    """Samples of each stratum, which add up to its size, and their controls.

    strata: of each the probabilities of the cells, a row per member, and the effective number of cases.
    """
    random = np.random.default_rng(seed)
    samples = [multinomial(random, share, max(round(size), 1), replicates) for share, size in strata]
    controls = Controls(samples, [share for share, _ in strata])
    return [
        part * (size / max(round(size), 1)) for part, (_, size) in zip(samples, strata, strict=True)
    ], controls


class Moments(NamedTuple):
    """Mean, standard deviation and skewness of a measure over the samples of each member."""

    mean: np.ndarray
    spread: np.ndarray
    skewness: np.ndarray


def moments_of(values: np.ndarray) -> Moments:
    """Without control variates; values: with the axes member and replicate."""
    away = values - values.mean(-1, keepdims=True)
    spread = np.maximum(away.std(-1, ddof=1), ROUNDING)
    return Moments(values.mean(-1), spread, (away**3).mean(-1) / spread**3)


class Controls:
    """Control variates: numbers of cases in groups of cells, of which all moments are known.

    Regression on them takes out most of the simulation error, which with the same seed would be common to all
    data. Efron (1990), Journal of the American Statistical Association 85, 79-89.
    """

    def __init__(self, samples: Sequence[np.ndarray], shares: Sequence[np.ndarray]):
        self.sizes, self.shares, off = [], [], []
        for cases, share in zip(samples, shares, strict=True):
            size, share = float(cases[0, 0].sum()), share / max(float(share[0].sum()), TINY)
            middle = share.mean(0)
            group = np.searchsorted(EDGES, np.cumsum(middle) - middle / 2)
            of_group = np.equal(group[:, None], np.arange(len(EDGES) + 1)).astype(float)
            self.sizes.append(size)
            self.shares.append(share @ of_group)
            off.append(cases @ of_group - size * self.shares[-1][:, None])
        every = np.concatenate(off, axis=-1)
        self.centre = every.mean(1)
        self.away = np.round(every - self.centre[:, None], 9)  # where no count varies, there is no slope
        self.inverse = np.linalg.pinv(self.away, rcond=1e-6)

    def moments(self, values: np.ndarray) -> Moments:
        """Of values with the axes member and replicate; those that are not finite are left out."""
        known, number = np.isfinite(values), values.shape[-1]
        mean = np.where(known, values, 0.0).sum(-1) / known.sum(-1)
        away = np.where(known, values - mean[:, None], 0.0)
        slope = np.einsum("mkr,mr->mk", self.inverse, away)
        fitted = np.einsum("mrk,mk->mr", self.away, slope)
        second = third = 0.0
        parts = np.split(slope, len(self.sizes), axis=-1)
        for size, share, worth in zip(self.sizes, self.shares, parts, strict=True):
            off = worth - (share * worth).sum(-1, keepdims=True)
            second = second + size * (share * off**2).sum(-1)
            third = third + size * (share * off**3).sum(-1)
        used = slope.shape[-1] - len(self.sizes)  # the last group follows from the others
        rest = ((away - fitted) ** 2).sum(-1) / (number - used - 1)
        spread = np.sqrt(np.maximum(second + rest * (1 - used / (number - used - 2)), 0.0))
        cube = third + (away**3 - fitted**3).mean(-1)
        mean = mean - np.einsum("mk,mk->m", self.centre, slope)
        return Moments(mean, spread, cube / np.maximum(spread, ROUNDING) ** 3)


class Limits(NamedTuple):
    """The bounds, and the member (a fractional index) whose median is the value, with its true value.

    lowest: the member of the lower bound.
    """

    low: float
    high: float
    middle: float
    member: float
    lowest: float


def bounds(true: np.ndarray, moments: Moments, at: float, level: float, fit: int | None = None) -> Limits:
    """The lowest and the highest true value of members of whose samples the value is within the quantiles.

    The quantiles are those of Cornish and Fisher (1938), interpolated between members. true: the values of
    the members; at: the value; fit: the member that fits best, if a measure may fall and rise along the
    family: of members that are not rejected, those connected with the nearest one count.
    """
    z = normal_quantile(level)
    most = min(SKEWED, OF_QUANTILE / z)
    skew, place = np.clip(moments.skewness, -most, most), np.arange(len(true))
    member = np.linspace(0.0, len(true) - 1.0, (len(true) - 1) * BETWEEN + 1)
    upper, lower, median = (
        np.interp(member, place, moments.mean + moments.spread * (t + skew * (t**2 - 1) / 6))
        for t in (z, -z, 0.0)
    )
    value, outside = np.interp(member, place, true), np.maximum(at - upper, lower - at)
    if fit is None and true[0] <= true.min() + TINY:  # less than with no effect does not reject it
        outside[0] = at - upper[0]
    accepted = np.flatnonzero(outside <= max(float(outside.min()), 0.0) + TINY)
    if fit is not None:
        run = np.cumsum(np.diff(accepted, prepend=accepted[0]) > 1)
        accepted = accepted[run == run[np.argmin(np.abs(member[accepted] - fit))]]
    middle = accepted[np.argmin(np.abs(median[accepted] - at))]
    lowest, high = accepted[np.argmin(value[accepted])], float(value[accepted].max())
    return Limits(
        float(value[lowest]), high, float(value[middle]), float(member[middle]), float(member[lowest])
    )


def factors(error: float) -> np.ndarray:
    """The members of a family of multiples of an effect, from none. error: its relative standard error."""
    return kernels.distinct(np.maximum(np.concatenate([[0.0, 1.0], 1 + ERRORS * error]), 0.0))


# The family of rankings, for maxima, hulls and areas under the precision-recall curve
# --------------------------------------------------------------------------------------------------
#
# A measure of the ranking depends on the log odds of being positive, given the rank u of the score, 0 < u <
# 1, where both classes have the same weight. They are fitted by penalised logistic regression on a polynomial
# in the normal quantile of u; a score with many ties keeps its own odds. A member multiplies the density of
# the fit half way between the classes by exp(o / 2) for the positives and exp(-o / 2) for the negatives,
# where o is a tilt times the log odds: 0 means no discrimination, 1 the fit; beyond both a multiple of the
# normal quantile is added, up to perfect separation, in the right order or the wrong one. Two normal
# distributions of the same spread stay such ones, and the proportion of a class at a tied score varies.
#
# Samples have the class sizes of the table. In a cohort these vary: for a measure that depends on the
# proportion of positives, the bounds at both ends of its interval are combined with those of the ranking, as
# for two independent estimates (Zou and Donner 2008). Chosen by simulation among other methods:
# docs/intervals_of_maxima.md.

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


class RankingsDrawn(NamedTuple):
    """Members of a family by their tilts, with their populations and samples."""

    family: Family
    tilt: np.ndarray
    populations: RankingTable
    samples: RankingTable
    controls: Controls


def drawn(table: RankingTable, seed: int) -> RankingsDrawn:
    """The members and samples of a table; the last are kept, since all measures of a table share them."""
    result: RankingsDrawn = resampled.kept("rankings", table, seed, lambda: _rankings_drawn(table, seed))
    return result


def _rankings_drawn(table: RankingTable, seed: int) -> RankingsDrawn:
    of, cases = family(table), sizes(table)
    tilt = _tilts(of, cases)
    samples, controls = draw([*zip(of.shares(tilt), cases, strict=True)], REPLICATES, seed)
    if sum(cases) <= MOST_IN_ORDER and not of.tied.any():
        samples = _in_order(samples, seed)
    weighted = (part * (weight / size) for part, weight, size in zip(samples, of.weights, cases, strict=True))
    return RankingsDrawn(of, tilt, of.population(tilt), in_cells(*weighted), controls)


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
    share = interval.interval(prior * cases, cases, q.settings.level, q.settings.proportion)
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


# The family of calibration errors over bins
# --------------------------------------------------------------------------------------------------
#
# Random variation increases the distance between the proportion of positives and the mean probability in
# every bin, so that the error of a sample is biased upwards. The gaps of a member are about those of the
# data, times a factor: 0 is perfect calibration, 1 the data. In a cohort the members differ in the proportion
# of positives of a bin, in a case-control design, where this would change the class sizes, in its mean
# probability. So the error of a calibrated model has the lower bound 0 in all but (1 - level) / 2 of samples.
# Cases that depend on each other count as fewer independent ones, by one design effect of all gaps. Docs:
# intervals_of_maxima.md.

REPLICATES_OF_BINS = 200  # samples of each member
CELLS_OF_BINS = 200_000  # in all samples, from which on there are fewer
FEWEST_REPLICATES = 100
ADDED = 2.0  # cases that shrink the gap of a bin to 0, and its rate to 1/2 (Agresti and Coull 1998)
FEW_IN_BIN = 20  # cases in the bin of the largest gap
MOST = 100  # bins of which a design effect is computed; where there are more, neighbours count as one
LEAST = 0.5  # smallest gap of the family, in standard errors
DIGITS = 12  # rounding changes no sample
# of the posterior of the largest gap: standard deviations of the gaps in standard errors, the scale of their
# prior, and draws
SPREADS = np.concatenate([[0.02], np.geomspace(0.1, 30.0, 30)])
SCALE, DRAWS = 3.0, 10_000

PLACES = {of_equal_width: places_of_equal_width, of_equal_mass: places_of_equal_mass}


class BinsDrawn(NamedTuple):
    """Members, with their populations and samples."""

    populations: Bins
    samples: Bins
    controls: Controls


@kind("RankingTable", "bins")
@kind("RankingTable", "bins-of-equal-mass")
@kind("RankingTable", "bins-of-answers")
@kind("RankingTable", "bins-of-answers-of-equal-mass")
@kind("ClassScores", "bins")
@kind("ClassScores", "bins-of-equal-mass")
def of_bins(q: Question) -> Interval:
    """By inverting a bootstrap along the family of calibration errors.

    Of answers they are those of the probability of the predicted class and whether it is correct.
    """
    name, binned, number = q.entry.interval.kind, of_equal_width, q.parameters["bins"]
    if name.endswith("of-equal-mass"):
        binned = of_equal_mass
    of_answers = q.entry.summary is ClassScores or name.startswith("bins-of-answers")
    table = q.summary.confidence if of_answers else q.summary
    bins = binned(table, number)
    of_population, of_sample = q.entry.interval.of[0], q.entry.interval.of[-1]
    if np.count_nonzero(bins.weight) == 1 and of_population is largest_gap:  # which is the mean one
        of_population = of_sample = mean_gap
    by_class = q.fixed and table is q.summary and of_population is not largest_gap
    effect = design_effect(q, table, binned, bins, by_class)
    bins = _with_effect(bins, effect.factor)
    if not bins.cases.sum() >= 2:
        return no_interval(_too_few(q))
    key = (
        "inverted over bins",
        binned.__name__,
        q.parameters["bins"],
        q.settings.seed,
        by_class,
        effect.factor,
    )
    if key not in table.kept:  # all errors over the same bins share them
        positives, negatives = sizes(table)
        classes = (positives / effect.factor, negatives / effect.factor) if by_class else None
        table.kept[key] = _bins_drawn(bins, classes, q.settings.seed)
    return _bounds(q, bins, table.kept[key], of_population, of_sample, effect.note)


@kind("RankingTable", "bins-between")
def between_bins(q: Question) -> Interval:
    """The same for the differences between the proportions of positives in the bins and in all cases."""
    bins = _about_all(of_equal_width(q.summary, q.parameters["bins"]))
    effect = design_effect(q, q.summary, of_equal_width, bins, by_class=False)
    bins = _with_effect(bins, effect.factor)
    if len(bins.weight) < 2:
        return no_interval(Note("probabilities-in-one-bin"))
    if not bins.cases.sum() >= 2:
        return no_interval(_too_few(q))
    of = _bins_drawn(bins, None, q.settings.seed)
    return _bounds(q, bins, of, _square, lambda samples: _square(_about_all(samples)), effect.note)


def _square(bins: Bins) -> Any:
    return root_mean_square_gap(bins) ** 2


def _about_all(bins: Bins) -> Bins:
    """The bins with the overall proportion of positives as the expected one."""
    share = bins.positive.sum(-1, keepdims=True) / bins.weight.sum(-1, keepdims=True)
    return replace(bins, expected=bins.weight * share)


def _too_few(q: Question) -> Note:
    units = None if q.sampling is None else q.sampling.units
    return ONE_CASE if units is None else Note("too-few-units", units=units.name)


class DesignEffect(NamedTuple):
    """The variance of gaps over that of independent cases, and the note on units that decide."""

    factor: float = 1.0
    note: Note | None = None


def design_effect(
    q: Question, table: RankingTable, binned: Callable[..., Bins], bins: Bins, by_class: bool
) -> DesignEffect:
    """One design effect of the gaps of all bins of dependent cases; 1 for independent ones.

    The variances of the gaps, each times the share of its bin, are added up. Where units err in one direction
    in several bins, the variance of the sum of all gaps is larger, and counts. Degrees of freedom are those
    of this sum, less what so many independent cases lack, which samples show; the factor has the square of
    the ratio of Student's t to the normal quantile.

    table: the summary, or its answers; bins: all of them; by_class: whether the class sizes are fixed.
    """
    if q.sampling is None:
        return DesignEffect()
    sampling = replace(q.sampling, fixed=by_class)
    right, place = _cells(q.summary, table, binned, len(bins.weight))
    joined_bins = -(-len(bins.weight) // MOST)
    excess = np.add.reduceat(bins.excess, np.arange(0, len(bins.weight), joined_bins))
    place, number = place // joined_bins, len(excess)
    size, hits = (np.bincount(place, part, number) for part in (sampling.weight, sampling.weight * right))
    away = right - (hits / np.where(size > 0, size, 1.0))[place]
    values = np.vstack([away * (place == np.arange(number)[:, None]), away * np.sign(excess)[place]])
    alone, every = replace(sampling, units=None), np.ones(len(right))
    together, freedom = covariance(values, sampling)
    independent, lacking = covariance(values, alone)
    pooled, directed = (np.array([one.diagonal()[:-1].sum(), one[-1, -1]]) for one in (together, independent))
    if not directed.min() > ROUNDING**2:  # where no gap varies, cases of a unit count as equal
        return DesignEffect(float(alone.effective(every) / sampling.effective(every)))
    factor = max(float((pooled / directed).max()), 1.0)
    assert sampling.units is not None
    share = max(float(1 / freedom[-1] - factor / lacking[-1]), 1 / (sampling.units.number - 1))
    factor *= (student_quantile(q.settings.level, 1 / share) / normal_quantile(q.settings.level)) ** 2
    return DesignEffect(float(factor), of_heavy(values[-1], freedom[-1], sampling))


def _cells(
    summary: RankingTable, table: RankingTable, binned: Callable[..., Bins], number: int
) -> tuple[np.ndarray, np.ndarray]:
    """Whether each cell of a summary counts as a positive, and its bin.

    The cells are the positives, then the negatives. table: the summary, or its answers.
    """
    place = PLACES[binned](table, number)
    yes = np.ones(len(summary), bool)
    if table is not summary:
        score, middle = np.clip(summary.score, *summary.ENDS), summary.MIDDLE
        yes = score >= middle
        answer = np.where(yes, score, 2 * middle - score)
        place = place[np.minimum(np.searchsorted(-table.score, -answer), len(table) - 1)]
    return np.concatenate([yes, ~yes]) * 1.0, np.concatenate([place, place])


def _with_effect(bins: Bins, factor: float) -> Bins:
    """The bins that have cases, with so many fewer effective ones."""
    bins = bins.only(bins.weight > 0)
    if factor == 1.0:
        return bins
    squares = bins.squares or Squares(bins.positive, bins.weight - bins.positive)
    return replace(bins, squares=squares.each(lambda part: part * factor))


def _bounds(
    q: Question,
    bins: Bins,
    of: BinsDrawn,
    of_population: Callable[..., Any],
    of_sample: Callable[..., Any],
    note: Note | None,
) -> Interval:
    """The interval, from the errors of populations and of samples.

    That of the data is theirs with as many effective cases, on which errors less their bias depend.
    """
    moments = of.controls.moments(np.asarray(of_sample(of.samples), float))
    at = q.value if q.sampling is None else float(of_sample(bins))
    low, high, *_ = bounds(np.asarray(of_population(of.populations)), moments, at, q.settings.level)
    if of_population is largest_gap:
        high = bound_of_largest(bins, q.settings.level, q.settings.seed)
        cases = float(bins.cases[np.argmax(np.abs(bins.gap))])
        note = deciding(cases, "cases of the bin with the largest gap") if cases < FEW_IN_BIN else note
    if max(high, q.value) <= TINY:
        return no_interval(Note("nearly-all-above"))
    interval = rounded_interval(q.value, low if low > TINY else 0.0, high, "inverted-bootstrap", note)
    return replace(interval, high=min(interval.high, q.entry.range[1]))


def _bins_drawn(bins: Bins, classes: tuple[float, float] | None, seed: int) -> BinsDrawn:
    """Members and samples. classes: the effective class sizes, where these are fixed."""
    cases, gaps, mean = np.round(bins.cases, DIGITS), _gaps(bins), bins.expected / bins.weight
    if classes:  # one more case of the class mix in each bin, so that none is without a class
        weight = bins.weight * (1 + 1 / np.maximum(cases, 1.0))
        positive = bins.positive + (weight - bins.weight) * (bins.positive.sum() / bins.weight.sum())
        mean, positive = np.clip(positive / weight - gaps, 0.0, 1.0), np.broadcast_to(positive, gaps.shape)
        strata = [*zip((positive, weight - positive), classes, strict=True)]
        units = [share[0].sum() / max(size, 1.0) for share, size in strata]
    else:
        weight, positive = bins.weight, np.clip(mean + gaps, 0.0, 1.0).round(DIGITS) * bins.weight
        units = [weight / cases] * 2  # the weight of a case
        strata = [
            (np.concatenate([positive / units[0], (weight - positive) / units[0]], axis=-1), cases.sum())
        ]
        mean = np.broadcast_to(mean, gaps.shape)
    replicates = int(np.clip(CELLS_OF_BINS // gaps.size, FEWEST_REPLICATES, REPLICATES_OF_BINS))
    samples, controls = draw(strata, replicates, seed)
    cells = np.split(np.concatenate(samples, axis=-1), 2, axis=-1)
    positives, negatives = (part * unit for part, unit in zip(cells, units, strict=True))
    total = positives + negatives
    squares = bins.squares and Squares(positives * units[0], negatives * units[1])
    members = Bins(np.broadcast_to(weight, gaps.shape), positive, mean * weight)
    return BinsDrawn(members, Bins(total, positives, total * mean[:, None], squares), controls)


def _gaps(bins: Bins) -> np.ndarray:
    """The gap of each bin: one row for each member of the family."""
    cases, mean = np.round(bins.cases, DIGITS), bins.expected / bins.weight
    gap, rate = bins.gap * cases / (cases + ADDED), (bins.rate * cases + ADDED) / (cases + 2 * ADDED)
    error = np.sqrt(rate * (1 - rate) / cases)
    way = np.where(gap == 0, np.where(mean > 0.5, -1.0, 1.0), np.sign(gap))
    size = np.hypot(gap, LEAST * error)
    return factors(float(np.sqrt(((error * cases) ** 2).sum()) / (size * cases).sum()))[:, None] * way * size


def bound_of_largest(bins: Bins, level: float, seed: int) -> float:
    """The upper bound of the largest gap: the quantile (1 + level) / 2 of its posterior distribution.

    Where it is small by chance, several bins have about the same gap, and multiples of these have upper
    bounds that are too low. The gaps are normal about a common mean, with a standard deviation that has a
    half-Cauchy prior (Gelman 2006, Bayesian Analysis 1:515), so that the data determine how far they are
    shrunk to it.
    """
    cases, mean, random = bins.cases + 2.0, bins.expected / bins.weight, np.random.default_rng(seed)
    rate = (bins.rate * bins.cases + 1.0) / cases  # one case of either class added
    gap, variance = bins.gap * bins.cases / cases, rate * (1 - rate) / cases
    unit = np.sqrt(bins.cases.sum() / (bins.cases / variance).sum())
    between = (unit * SPREADS[:, None]) ** 2
    precision = 1 / (variance + between)
    total = precision.sum(1)
    centre = (precision * gap).sum(1) / total
    logs = (np.log(precision).sum(1) - np.log(total) - (precision * (gap - centre[:, None]) ** 2).sum(1)) / 2
    weight = np.exp(logs - logs.max()) / (1 + (SPREADS / SCALE) ** 2) * np.gradient(SPREADS)
    row = random.choice(len(SPREADS), DRAWS, p=weight / weight.sum())
    common = (centre[row] + random.standard_normal(DRAWS) / np.sqrt(total[row]))[:, None]
    share = (between * precision)[row]  # of what a gap differs from the mean
    gaps = common + share * (gap - common) + np.sqrt(variance * share) * random.standard_normal(share.shape)
    return float(np.quantile(np.abs(np.clip(gaps, -mean, 1 - mean)).max(1), (1 + level) / 2))


# The family of true rates, for the loss that isotonic recalibration saves
# --------------------------------------------------------------------------------------------------
#
# The isotonic fit follows random variation, so that the loss saved in a sample is biased upwards. The members
# are true rates: 0 the probabilities as predicted, 1 a smooth curve over the ranks through the data, and the
# logits of the others lie between both or beyond. Samples of each member are recalibrated as the data are. A
# calibrated model is a member, so that its lower bound is above 0 in a proportion of (1 - level) / 2 of
# samples. Docs: intervals_of_maxima.md.

REPLICATES_OF_RATES, OF_CALIBRATED = 150, 1_000  # samples of each member, and of calibrated probabilities
BINS = 10  # for the design effect of dependent cases
TOLERANCE = 1e-9  # of a width
# scores, and where there are more, the fineness of groups of neighbours: about 200
MOST_SCORES, FINENESS = 300, 120.0
LEAST_SHIFT = (
    0.5  # shift of the logits, in standard errors, that is added to the difference between both curves
)
LIGHTEST, HEAVIEST = 0.1, 10.0  # factors of the weights of scores
NEAREST_TO_AN_END = 0.01  # of a probability whose logit is taken, in cases


class RatesDrawn(NamedTuple):
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
    of: RatesDrawn = resampled.kept(
        f"rates {design} {effect.factor}",
        q.summary,
        q.settings.seed,
        lambda: _rates_drawn(_table_with_effect(q.summary, effect.factor), design, q.settings.seed),
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


def _table_with_effect(table: RankingTable, factor: float) -> RankingTable:
    """The table with so many fewer effective cases."""
    if factor == 1.0:
        return table
    squares = table.squared.each(lambda part: part * factor)
    return table.of(table.score, table.positive * 1.0, table.negative * 1.0, squares)


def _rates_drawn(table: RankingTable, design: str, seed: int) -> RatesDrawn:
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

    samples = samples_of(len(rate), REPLICATES_OF_RATES)
    share, number = cases / cases.sum(-1, keepdims=True), max(round(float(cases[0].sum())), 1)
    factor = random.multinomial(number, share[:, None], (len(rate), REPLICATES_OF_RATES // 3)) / number
    factor /= np.where(share > 0, share, 1.0)[:, None]
    composed = [part[:, None] * factor for part in (population.positive, population.negative)]
    composition = _with_classes(table, composed[0], composed[1], design)
    return RatesDrawn(table, probability, population, samples, samples_of(1, OF_CALIBRATED), composition)


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
    away = away + LEAST_SHIFT * error * (1.0 if float(information @ away) >= 0 else -1.0)
    relative = 1 / float(np.sqrt(information @ away**2))
    rate: np.ndarray = sigmoid(start + factors(relative)[:, None] * away)
    return rate


def _saved(table: RankingTable, charges: np.ndarray, recalibrated: Callable[..., Any]) -> np.ndarray:
    """The loss that recalibration saves, of a table or of each one in it."""
    predicted = table.positive @ charges[0] + table.negative @ charges[1]
    measured = recalibrated(table) if table.positive.ndim == 1 else resampled.measured(recalibrated, table)
    saved: np.ndarray = predicted / np.asarray(table.total, float) - measured
    return saved
