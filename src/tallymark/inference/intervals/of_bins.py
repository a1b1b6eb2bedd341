"""Intervals of calibration errors over bins, by inverting a parametric bootstrap.

Random variation increases the distance between the proportion of positives and the mean probability in every
bin, so that the error of a sample is biased upwards. The bootstrap is inverted along a family of calibration
errors, which are about the gap found in each bin, times a factor; 0 is perfect calibration, 1 about what was
found. Samples are drawn from each member: the number of cases in each bin, and the number of positives among
them. The bounds are the true errors of those members of whose samples a proportion of (1 - level) / 2 is as
large as the value, or as small. So the error of a calibrated model has the lower bound 0 in all but that
proportion of samples. Docs: intervals_of_maxima.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...input.messages.notes import Note
from ...measures.families.bins import Bins, of_equal_mass, of_equal_width
from ...measures.families.calibration import largest_gap, mean_gap, root_mean_square_gap
from ...summaries.squares import Squares
from ..effective import ONE_CASE
from ..results import Interval, no_interval, rounded_interval
from . import bins_by_class
from .kinds import Question, kind
from .largest_gap import upper_bound
from .means import FEW_LOSSES
from .multiples import DIGITS, TINY, bounds, factors_for
from .tilted import sizes

if TYPE_CHECKING:
    from ...summaries import RankingTable

REPLICATES, FEWEST_REPLICATES, CELLS = 400, 100, 200_000  # samples of each member, and counts in all of them
ADDED = 2.0  # cases that shrink the gap of a bin to 0, and its rate to 1/2 (Agresti and Coull 1998)
FEW = 30  # cases that decide
PART, HALF = 0.5, 0.5  # smallest gap of the family, in standard errors


@kind("RankingTable", "bins")
def of_bins(q: Question) -> Interval:
    """By inverting a parametric bootstrap along multiples of the calibration errors found."""
    return _inverted(q, q.summary, of_equal_width)


@kind("RankingTable", "bins-of-equal-mass")
def of_bins_of_equal_mass(q: Question) -> Interval:
    """The same with bins of equal numbers of cases."""
    return _inverted(q, q.summary, of_equal_mass)


@kind("RankingTable", "bins-of-answers")
@kind("ClassScores", "bins")
def of_bins_of_answers(q: Question) -> Interval:
    """The same for the probability of the predicted class and whether it is correct."""
    return _inverted(q, q.summary.confidence, of_equal_width)


@kind("RankingTable", "bins-of-answers-of-equal-mass")
@kind("ClassScores", "bins-of-equal-mass")
def of_bins_of_answers_of_equal_mass(q: Question) -> Interval:
    """The same for the probability of the predicted class, in bins of equal numbers of cases."""
    return _inverted(q, q.summary.confidence, of_equal_mass)


def bins_of(q: Question) -> int:
    """The number of bins."""
    found: int = (q.entry.defaults | getattr(q.function, "keywords", {}))["bins"]
    return found


def _inverted(q: Question, table: RankingTable, binned: Callable[[RankingTable, int], Bins]) -> Interval:
    bins = binned(table, bins_of(q))
    kept = bins.only(bins.weight > 0)
    if _cases(kept).sum() < 2:
        return no_interval(ONE_CASE)
    functions = q.entry.interval.of[0], q.entry.interval.of[-1]
    if len(kept.weight) == 1 and functions[0] is largest_gap:  # which is the mean one
        functions = mean_gap, mean_gap
    by_class = q.settings.design == "case-control" and table is q.summary and functions[0] is not largest_gap
    of = "samples of bins", binned.__name__, bins_of(q), q.settings.seed, by_class
    if of not in table.kept:  # all errors over the same bins share them
        table.kept[of] = _of_classes(q, kept) if by_class else _of_all(kept, q.settings.seed)
    members, samples = table.kept[of]
    found = _bounds(q, kept, members, samples, functions)
    return replace(found, high=min(found.high, q.entry.range[1]))


def _of_all(kept: Bins, seed: int) -> tuple[Bins, Bins]:
    """The populations of the family, and samples of all cases together."""
    rates = _rates(kept)
    populations = Bins(
        np.broadcast_to(kept.weight, rates.shape),
        rates * kept.weight,
        np.broadcast_to(kept.expected, rates.shape),
    )
    return populations, _samples(kept, rates, seed)


def _of_classes(q: Question, kept: Bins) -> tuple[Bins, Bins]:
    """The same with fixed class sizes."""
    gaps = _gaps(kept)
    replicates = int(np.clip(CELLS // gaps.size, FEWEST_REPLICATES, REPLICATES))
    members = bins_by_class.populations(kept, _cases(kept), gaps)
    return members, bins_by_class.samples(members, sizes(q.summary), replicates, q.settings.seed)


@kind("RankingTable", "bins-between")
def between_bins(q: Question) -> Interval:
    """The same for the differences between the proportions of positives in the bins and in all cases."""
    bins = of_equal_width(q.summary, bins_of(q))
    kept = _about_all(bins.only(bins.weight > 0))
    if len(kept.weight) < 2:
        return no_interval(Note("probabilities-in-one-bin"))
    if _cases(kept).sum() < 2:
        return no_interval(ONE_CASE)

    def apart(samples: Bins) -> Any:
        return root_mean_square_gap(_about_all(samples))

    members, samples = _of_all(kept, q.settings.seed)
    root = replace(q, value=float(np.sqrt(q.value)))
    found = _bounds(root, kept, members, samples, (apart, apart))
    return replace(
        found, low=min(found.low**2, q.value), high=min(max(found.high**2, q.value), q.entry.range[1])
    )


def _about_all(bins: Bins) -> Bins:
    """The bins with the overall proportion of positives as the expected one."""
    share = bins.positive.sum(-1, keepdims=True) / bins.weight.sum(-1, keepdims=True)
    return replace(bins, expected=bins.weight * share)


def _bounds(
    q: Question,
    kept: Bins,
    populations: Bins,
    samples: Bins,
    functions: tuple[Callable[..., Any], Callable[..., Any]],
) -> Interval:
    """functions: the error of a population, and of a sample."""
    norm, measured = functions
    true = np.asarray(norm(populations))
    low, high = bounds(np.asarray(measured(samples), float), q.value, true, q.settings.level)
    if norm is largest_gap:
        high = upper_bound(_cases(kept), kept.rate, kept.expected / kept.weight, q.settings.level)
    low = low if low > TINY else 0.0
    if max(high, q.value) <= TINY:
        return no_interval(Note("nearly-all-above"))
    return rounded_interval(q.value, low, high, "inverted-bootstrap", _notes(norm, kept))


def _notes(norm: Callable[..., Any], bins: Bins) -> Note | None:
    cases = _cases(bins)
    deciding = float(cases[np.argmax(np.abs(bins.gap))]) if norm is largest_gap else FEW
    if deciding < FEW:
        return Note("few-in-the-largest-gap", cases=deciding)
    return Note("few-cases", limit=FEW_LOSSES) if cases.sum() < FEW_LOSSES else None


def _rates(bins: Bins) -> np.ndarray:
    """The proportions of positives in each bin: one row for each member of the family."""
    mean = bins.expected / bins.weight
    found: np.ndarray = np.clip(mean + _gaps(bins), 0.0, 1.0).round(DIGITS)
    return found


def _gaps(bins: Bins) -> np.ndarray:
    """The gap of each bin: one row for each member of the family."""
    cases, mean = _cases(bins), bins.expected / bins.weight
    gap, rate = bins.gap * cases / (cases + ADDED), (bins.rate * cases + ADDED) / (cases + 2 * ADDED)
    least = PART * np.sqrt(rate * (1 - rate) / cases)
    way = np.where(gap == 0, np.where(mean > HALF, -1.0, 1.0), np.sign(gap))
    size = np.hypot(gap, least)
    factors = factors_for(float(np.sqrt(((least / PART * cases) ** 2).sum()) / (size * cases).sum()))
    found: np.ndarray = factors[:, None] * way * size
    return found


def _samples(bins: Bins, rates: np.ndarray, seed: int) -> Bins:
    """Samples with the axes member, replicate, bin.

    The number of cases in each bin is the same for all members, and drawn once.
    """
    mean = bins.expected / bins.weight
    random, worth = np.random.default_rng(seed), _cases(bins)
    replicates = int(np.clip(CELLS // rates.size, FEWEST_REPLICATES, REPLICATES))
    cases = random.multinomial(max(round(float(worth.sum())), 1), worth / worth.sum(), replicates)
    positive = random.binomial(cases, rates[:, None])
    cases = np.broadcast_to(cases, positive.shape)
    unit = bins.weight / worth  # the weight of a case
    squares = bins.squares and Squares(positive * unit**2, (cases - positive) * unit**2)
    return Bins(cases * unit, positive * unit, cases * unit * mean, squares)


def _cases(bins: Bins) -> np.ndarray:
    """The effective number of cases in each bin, the same in any order of the rows."""
    return np.round(bins.cases, DIGITS)
