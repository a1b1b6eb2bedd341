"""The family of calibration errors over bins.

Random variation increases the distance between the proportion of positives and the mean probability in every
bin, so that the error of a sample is biased upwards. The gaps of a member are about those of the data, times
a factor: 0 is perfect calibration, 1 the data. In a cohort the members differ in the proportion of positives
of a bin, in a case-control design, where this would change the class sizes, in its mean probability. So the
error of a calibrated model has the lower bound 0 in all but (1 - level) / 2 of samples. Cases that depend on
each other count as fewer independent ones, by one design effect of all gaps. Docs: intervals_of_maxima.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...input.messages import Note
from ...measures.families.bins import (
    Bins,
    of_equal_mass,
    of_equal_width,
    places_of_equal_mass,
    places_of_equal_width,
)
from ...measures.families.calibration import largest_gap, mean_gap, root_mean_square_gap
from ...summaries import ClassScores, RankingTable
from ...summaries.ranking import Squares
from ..covariance import covariance
from ..doubt import deciding, of_heavy
from ..effective import ONE_CASE
from ..intervals.kinds import ROUNDING, Question, kind
from ..intervals.scale import normal_quantile, student_quantile
from ..results import Interval, no_interval, rounded_interval
from .mechanism import Controls, bounds, draw, factors
from .rankings import sizes

REPLICATES = 200  # samples of each member
CELLS = 200_000  # in all samples, from which on there are fewer
FEWEST_REPLICATES = 100
ADDED = 2.0  # cases that shrink the gap of a bin to 0, and its rate to 1/2 (Agresti and Coull 1998)
FEW = 20  # cases in the bin of the largest gap
MOST = 100  # bins of which a design effect is computed; where there are more, neighbours count as one
LEAST = 0.5  # smallest gap of the family, in standard errors
DIGITS, TINY = 12, 1e-9  # rounding changes no sample; difference of errors due to rounding
# of the posterior of the largest gap: standard deviations of the gaps in standard errors, the scale of their
# prior, and draws
SPREADS = np.concatenate([[0.02], np.geomspace(0.1, 30.0, 30)])
SCALE, DRAWS = 3.0, 10_000

PLACES = {of_equal_width: places_of_equal_width, of_equal_mass: places_of_equal_mass}


class Drawn(NamedTuple):
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
        table.kept[key] = _drawn(bins, classes, q.settings.seed)
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
    of = _drawn(bins, None, q.settings.seed)
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
    of: Drawn,
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
        note = deciding(cases, "cases of the bin with the largest gap") if cases < FEW else note
    if max(high, q.value) <= TINY:
        return no_interval(Note("nearly-all-above"))
    interval = rounded_interval(q.value, low if low > TINY else 0.0, high, "inverted-bootstrap", note)
    return replace(interval, high=min(interval.high, q.entry.range[1]))


def _drawn(bins: Bins, classes: tuple[float, float] | None, seed: int) -> Drawn:
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
    replicates = int(np.clip(CELLS // gaps.size, FEWEST_REPLICATES, REPLICATES))
    samples, controls = draw(strata, replicates, seed)
    cells = np.split(np.concatenate(samples, axis=-1), 2, axis=-1)
    positives, negatives = (part * unit for part, unit in zip(cells, units, strict=True))
    total = positives + negatives
    squares = bins.squares and Squares(positives * units[0], negatives * units[1])
    members = Bins(np.broadcast_to(weight, gaps.shape), positive, mean * weight)
    return Drawn(members, Bins(total, positives, total * mean[:, None], squares), controls)


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
