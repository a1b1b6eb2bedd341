"""Bounds of areas under the precision-recall curve, of scores of which only the bins are known.

An area is a mean over the positives of precisions: at the score s of the positive, above it, down to the next
higher score of positives, or above the next lower one. For each s the bins say how many cases have such
scores for certain and how many possibly, and so the lowest and the highest precision. As functions of s these
are steps, and their extremes between the ends of the bin of a positive are bounds of its term.

The average precision has a tighter lower bound. The positive with the rank j has a score no lower than the
lower end with the rank j, and at least j positives down to it: so its precision is at least that of j
positives with all the negatives that are possibly there, and the positives of a bin count one by one. Those
of a single score are tied, and their precision is higher by an amount that falls with the number of positives
above them, of which the largest possible one is taken.

Areas under straight lines from the precision above a score to that at it have tighter bounds of both sides.
Tied positives follow d others and precede all but e; with m negatives the area above them is that of a chord
of x / (x + m) from d to e. This function is concave: so no chord is above it, and none is below the longest
one, from the positives that are certainly higher to those that are possibly at least as high.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...input.messages.notes import Note
from ...summaries import BinnedTable
from ...summaries.cached import cached
from ..division import ratio, within
from ..registry import get

Bounds = tuple[float, float]
Pair = tuple[np.ndarray, np.ndarray]
FEW = 30  # cases, up to which digamma functions have enough digits


def mean_of(*terms: str, first: float | None = None) -> Callable[[BinnedTable], Bounds]:
    """The bounds of an area whose heights are the mean of these precisions, methods of `Places`.

    first: where the area is under lines to each precision from the one above, that of no cases.
    """

    def bounds(binned: BinnedTable) -> Bounds:
        if not binned.positives:
            return np.nan, np.nan
        places = Places(binned)
        low, high = np.mean([getattr(places, term)() for term in terms], axis=0).tolist()
        if first is not None:
            least, most = places.under_chords(first)
            low, high = max(low, least), min(high, most)
        return within(low, 0.0, 1.0), within(high, 0.0, 1.0)

    return bounds


def of_numbers_of_cases(name: str) -> Callable[[BinnedTable], list[float] | Note]:
    """The values on both tables of the bracket, of a measure that is proven to rise for whole weights."""

    def bounds(binned: BinnedTable) -> list[float] | Note:
        if binned.positive.dtype.kind == "f":
            return Note("no-bounds-with-weights")
        return get(name).at_ends(binned)

    return bounds


class Places:
    """The scores s at which counts differ: each end of a bin, then the interval above it.

    Arrays of weights have an entry per end, of the weight at it and above it, and a 0 behind.
    """

    def __init__(self, binned: BinnedTable):
        self.whole = binned.positive.dtype.kind != "f"
        weights = binned.positive.astype(float), binned.negative.astype(float)
        ends = np.unique(np.concatenate([binned.low, binned.high]))
        bins = [np.searchsorted(ends, part) for part in (binned.low, binned.high)]
        self.certain, self.possible = (
            [np.cumsum(np.bincount(end, weight, len(ends) + 1)[::-1])[::-1] for weight in weights]
            for end in bins
        )
        some = weights[0] > 0
        self.weight, self.low, self.high = weights[0][some], bins[0][some], bins[1][some]

    @cached
    def down(self) -> np.ndarray:
        """The entries of the weights with scores >= s, for each s."""
        return (np.arange(2 * len(self.certain[0]) - 2) + 1) // 2

    @cached
    def over(self) -> np.ndarray:
        """The entries of the weights with scores > s, for each s."""
        return np.arange(2 * len(self.certain[0]) - 2) // 2 + 1

    def at(self) -> Bounds:
        """Of the precision at the score."""
        low, tp, fp = self._least_average(), self.possible[0], self.certain[1]
        highest = extremes(np.where(tp + fp > 0, ratio(tp, tp + fp), 1.0), self.low, self.high, np.maximum)
        return low, float(np.average(highest, weights=self.weight))

    def above(self, empty: float = 0.0) -> Bounds:
        """Of the precision above the score. empty: that of no cases."""
        return self._bounds((self.over, self.over), (self.over, self.over), empty)

    def above_or_1(self) -> Bounds:
        """The same, with a precision of 1 where there are no cases."""
        return self.above(1.0)

    def higher(self) -> Bounds:
        """Of the precision down to the next higher score of positives, 0 if there is none."""
        lowest, highest = self._next_higher(self.high, self.low), self._next_higher(self.low, self.high)
        return self._bounds((self.over, self.over), (np.maximum(lowest, self.over), highest), 0.0)

    def lower(self) -> Bounds:
        """Of the precision above the next lower score of positives, that of all cases if there is none."""
        lowest, highest = self._next_lower(self.high, self.low), self._next_lower(self.low, self.high)
        return self._bounds((self.down, self.down), (lowest + 1, np.minimum(highest + 1, self.down)), 0.0)

    def under_chords(self, empty: float) -> Bounds:
        """Of the mean of the precisions above and at the score. empty: the precision of no cases."""
        highest, lowest = (np.argsort(ends)[::-1] for ends in (self.high, self.low))
        weight, up = self.weight[highest], self.high[highest] + 1
        down, negatives = np.cumsum(weight), self.certain[1][up]
        with np.errstate(divide="ignore", invalid="ignore"):
            lost = negatives * np.log1p(weight / (down - weight + negatives))
        most = (weight - np.where(negatives > 0, lost, 0.0)).sum() / down[-1]

        weight, end = self.weight[lowest], self.low[lowest]
        before = np.cumsum(weight) - weight
        rank = np.minimum(np.searchsorted(down, before, "right"), len(down) - 1)
        first, last = self.certain[0][up[rank]], self.possible[0][end]
        negatives = self.possible[1][end]
        steep = np.clip((before + weight / 2 - first) / (last - first), 0.0, 1.0)
        start = np.where(first + negatives > 0, ratio(first, first + negatives), empty)
        height = start + steep * (ratio(last, last + negatives) - start)
        return float((weight * height).sum() / down[-1]), float(most)

    def _next_higher(self, of: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The lowest of these ends of the bins whose other end `of` is above s."""
        lowest = np.full(self.down[-1] + 1, self.down[-1])
        np.minimum.at(lowest, of, ends)
        found: np.ndarray = np.minimum.accumulate(lowest[::-1])[::-1][self.over]
        return found

    def _next_lower(self, of: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The highest of these ends of the bins whose other end `of` is below s; -1 if there is none."""
        highest = np.full(self.down[-1] + 1, -1)
        np.maximum.at(highest, of + 1, ends)
        found: np.ndarray = np.maximum.accumulate(highest)[self.down]
        return found

    def _bounds(self, positives: Pair, negatives: Pair, empty: float) -> Bounds:
        """Of the mean of a precision, from the entries of both weights for the lower and the upper bound."""
        counts = (
            (self.certain[0][positives[0]], self.possible[1][negatives[0]]),
            (self.possible[0][positives[1]], self.certain[1][negatives[1]]),
        )
        precisions = [np.where(tp + fp > 0, ratio(tp, tp + fp), empty) for tp, fp in counts]
        low, high = (
            np.average(extremes(values, 2 * self.low, 2 * self.high, of), weights=self.weight)
            for values, of in zip(precisions, (np.minimum, np.maximum), strict=True)
        )
        return float(low), float(high)

    def _least_average(self) -> float:
        """The lower bound of the average precision."""
        tied = self.low == self.high
        order = np.lexsort((~tied, self.low))[::-1]
        weight, tied, end = self.weight[order], tied[order], self.low[order]
        down = np.cumsum(weight)
        negatives, most = self.possible[1][end], self.possible[0][end]
        sums = self._one_by_one(down - weight, weight, negatives)
        moved = sums - self._one_by_one(most - weight, weight, negatives)
        together = weight * ratio(most, most + negatives) + np.where(down == most, 0.0, moved)
        return float(np.where(tied, together, sums).sum() / down[-1])

    def _one_by_one(self, before: np.ndarray, weight: np.ndarray, negatives: np.ndarray) -> np.ndarray:
        """A lower bound of the sum of the precisions of these positives if they are not tied.

        before: the positives above them; negatives: those above them. For weights that are not whole,
        which may stand for many small ones.
        """
        size = before + negatives
        with np.errstate(divide="ignore", invalid="ignore"):
            lost = np.log1p(weight / (size + 0.5 * self.whole))
            if self.whole:
                lost -= _over_midpoints(size + 0.5, weight)
                few = size < FEW
                lost[few] = _digamma_step(size[few], weight[few])
            return np.where(negatives > 0, weight - negatives * lost, weight)


def _over_midpoints(x: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """At most the excess of the integral of 1 / x over the sum at the middle of each step."""
    ends = x, x + steps
    second, fourth = (1 / ends[0] ** power - 1 / ends[1] ** power for power in (2, 4))
    excess: np.ndarray = second / 24 - 7 / 960 * fourth
    return excess


def _digamma_step(size: np.ndarray, steps: np.ndarray) -> np.ndarray:
    from scipy.special import digamma

    step: np.ndarray = digamma(size + steps + 1) - digamma(size + 1)
    return step


def extremes(values: np.ndarray, first: np.ndarray, last: np.ndarray, of: Any) -> np.ndarray:
    """The extreme of each of these ranges of values. of: np.minimum or np.maximum."""
    level = np.frexp(last - first + 1.0)[1] - 1
    result = np.empty(len(first))
    for step in range(int(level.max(initial=-1)) + 1):
        some, width = level == step, 1 << step
        result[some] = of(values[first[some]], values[last[some] - width + 1])
        values = of(values[:-width], values[width:])
    return result
