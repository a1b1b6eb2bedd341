"""Areas under the precision-recall curve, under one name per convention, since their values differ widely."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...summaries import BinnedTable, RankingTable
from ...summaries.passes import Block, collected
from ...summaries.value import cached
from ..registry import Leading, Needs, measure, ratio, within
from . import areas
from .rates import precision

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
        return np.minimum.accumulate(lowest[::-1])[::-1][self.over]

    def _next_lower(self, of: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The highest of these ends of the bins whose other end `of` is below s; -1 if there is none."""
        highest = np.full(self.down[-1] + 1, -1)
        np.maximum.at(highest, of + 1, ends)
        return np.maximum.accumulate(highest)[self.down]

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
    return second / 24 - 7 / 960 * fourth


def _digamma_step(size: np.ndarray, steps: np.ndarray) -> np.ndarray:
    from scipy.special import digamma

    return digamma(size + steps + 1) - digamma(size + 1)


def extremes(values: np.ndarray, first: np.ndarray, last: np.ndarray, of: Any) -> np.ndarray:
    """The extreme of each of these ranges of values. of: np.minimum or np.maximum."""
    level = np.frexp(last - first + 1.0)[1] - 1
    result = np.empty(len(first))
    for step in range(int(level.max(initial=-1)) + 1):
        some, width = level == step, 1 << step
        result[some] = of(values[first[some]], values[last[some] - width + 1])
        values = of(values[:-width], values[width:])
    return result


SMALLEST = np.finfo(np.float64).tiny  # no sum of weights above 0 is smaller

TRAPEZOIDS = (
    "trapezoidal_estimator",
    "trapezoidal_estimator_of_the_area_under_the_empirical_precision_recall_curve",
)


def _precision(t: RankingTable, first: float) -> np.ndarray:
    """The precision at every threshold of the sweep, and `first` where no case is predicted positive."""
    found = precision(t.sweep())
    return np.where(np.isnan(found), first, found)


class Segments(NamedTuple):
    """The steps between thresholds at which positives are added, flat over all replicates.

    shape: of the leading axes; row: the replicate; tp, called: the true positives and all predicted positives
    before; positive, size: the numbers added; before, after: the precision there, NaN if no case is predicted
    positive. The precision after is the highest at its recall.
    """

    shape: tuple[int, ...]
    row: np.ndarray
    tp: np.ndarray
    called: np.ndarray
    positive: np.ndarray
    size: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @property
    def cases(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The true positives and all predicted positives before, and the numbers added."""
        return self.tp, self.called, self.positive, self.size

    @property
    def first(self) -> np.ndarray:
        """Whether a segment is the first one of its replicate."""
        return np.diff(self.row, prepend=-1) > 0

    def total(self, terms: np.ndarray) -> Any:
        """The sum over the segments of each replicate."""
        return areas.total_of_some(terms, self.row, self.shape)


def _segments(t: RankingTable) -> Segments:
    """The segments; those of replicates are kept, since several measures of a table use them."""
    if t.positive.ndim == 1:
        return _cut(t)
    if "segments" not in t.kept:
        t.kept["segments"] = _cut(t)
    return t.kept["segments"]


def _cut(t: RankingTable) -> Segments:
    counts, at = t.sweep(), np.flatnonzero(t.positive > 0)
    row = at // max(len(t), 1)
    # a row of the sweep has one entry more than one of the table
    tp, fp = (np.ravel(part)[at + row] for part in (counts.tp, counts.fp))
    positive, negative = np.ravel(t.positive)[at] * 1.0, np.ravel(t.negative)[at]
    called, size = tp + fp, positive + negative
    before, after = ratio(tp, called), ratio(tp + positive, called + size)
    return Segments(t.positive.shape[:-1], row, tp, called, positive, size, before, after)


@dataclass(frozen=True)
class PrecisionSum:
    """The sum over the positives of the precision at their score."""

    def part(self, block: Block) -> float:
        return float(block.curve_sums.precision)

    def merged(self, table: RankingTable, parts: list[float]) -> float:
        return sum(parts)


PRECISIONS = PrecisionSum()


def _mean_over_recall(t: RankingTable, heights: Callable[[Segments], np.ndarray]) -> Any:
    """The mean over the positives of a height, a function of the segments."""
    found = _segments(t)
    return areas.share(found.total(found.positive * heights(found)), t.positives * 1.0)


@measure(
    aka=("ap", "average_precision_score", "auc_pr", "aucpr", "auprc", "pr_auc"),
    terms=("area_under_the_precision_recall_curve",),
    interval="average-precision",
    headline=Leading(20, "Average precision", ("baseline", "prevalence"), column=5),
    needs=Needs((PRECISIONS,)),
    bounds=mean_of("at"),
)
def average_precision(t: RankingTable) -> Any:
    """Area under the precision-recall curve as steps: the mean over the positives of the precision there.

    sum over the scores s: precision(s) * positives at s / positives

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 32.
    Differs: several tools give the area under straight lines between the points instead, which is too high.
    Bounds: `precision_bounds`, since neither table of the bracket is a bound: the lowest value has
    positives that are not tied, the highest one may need ties.
    """
    if t.positive.ndim == 1:
        found = collected(t, PRECISIONS)
        if found == found:  # NaN if a score without cases comes first
            return within(ratio(found, float(t.positives)), 0.0, 1.0)
    if t.positive.ndim == 1 or "segments" in t.kept:
        return _mean_over_recall(t, lambda found: found.after)
    heights, called = (
        np.add.accumulate(part, axis=-1, dtype=np.float64) for part in (t.positive, t.negative)
    )
    called += heights
    np.maximum(called, SMALLEST, out=called)  # so that the precision is 0 where no case is predicted positive
    heights /= called
    return areas.share(np.einsum("...i,...i->...", heights, t.positive), t.positives * 1.0)


@measure(
    best=None,
    better="higher",
    interval="mean-precision",
    terms=("average_of_the_precisions_for_all_possible_thresholds",),
)
def mean_precision(t: RankingTable) -> Any:
    """Mean of the precision over all thresholds.

    mean over the distinct scores s of precision(s)

    Unlike average_precision, it does not weight a threshold by the positives that it adds.

    Undefined: no positives (positives = 0).
    Source: Berrar, after Def. 32.
    Bounds: none, since joined scores are one threshold instead of several.
    """
    there = areas.occurring(t)
    return areas.defined(
        ratio(areas.total(_precision(t, 0.0)[..., 1:] * there), areas.total(there)), t.positives
    )


@measure(
    terms=(
        "auc_pr",
        "auprc",
        "pr_auc",
        "aucpr",
        "area_under_the_precision_recall_curve",
        "linear_interpolation",
    ),
    interval="precision-area",
    bounds=mean_of("above_or_1", "at", first=1.0),
)
def auc_pr_trapezoid(t: RankingTable) -> Any:
    """Area under straight lines between the points of the precision-recall curve, starting at (0, 1).

    sum over the thresholds: (recall_2 - recall_1) * (precision_1 + precision_2) / 2

    It is mostly too high.

    Undefined: no positives (positives = 0).
    Source: Davis and Goadrich (2006), who advise against it.
    Differs: it equals scikit-learn's auc(recall, precision); its average_precision_score is
    average_precision.
    Bounds: `precision_bounds`; the lower one is attained where bins do not overlap.
    """
    return _mean_over_recall(
        t, lambda found: (np.where(found.called > 0, found.before, 1.0) + found.after) / 2
    )


def _lowest_before(found: Segments) -> np.ndarray:
    """The precision at the last threshold of the recall before; 0 if no case is predicted positive."""
    return np.where(found.called > 0, found.before, 0.0)


def _highest_before(found: Segments) -> np.ndarray:
    """The precision at the first threshold of the recall before; 0 if no case is predicted positive."""
    return np.where(found.first, 0.0, np.roll(found.after, 1))


def _lowest_after(t: RankingTable, found: Segments) -> np.ndarray:
    """The precision at the last threshold of the recall after.

    That is the threshold before the next positives, or the lowest one.
    """
    counts = t.sweep()[..., -1]
    everybody = np.reshape(precision(counts), -1)[found.row]
    return np.where(np.append(found.first[1:], True), everybody, np.roll(_lowest_before(found), -1))


@measure(
    aka=("lower_trapezoid_estimator",),
    best=None,
    better="higher",
    interval="precision-area",
    terms=TRAPEZOIDS,
    bounds=mean_of("above", "lower"),
)
def auc_pr_min(t: RankingTable) -> Any:
    """Lower trapezoid estimator of the area under the precision-recall curve.

    sum over the recalls r_1 < r_2: (r_2 - r_1) * (lowest precision at r_1 + lowest precision at r_2) / 2

    The precision is set to 0 where no case is predicted positive, so that even perfect scores have less
    than 1.

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 33; Boyd, Eng and Page (2013).
    Bounds: `precision_bounds`, wide, since both precisions have bounds of their own: no order of the cases
    attains both at once.
    """
    return _mean_over_recall(t, lambda found: (_lowest_before(found) + _lowest_after(t, found)) / 2)


@measure(
    aka=("min_max_trapezoid_estimator",),
    best=None,
    better="higher",
    interval="precision-area",
    terms=TRAPEZOIDS,
    bounds=mean_of("above", "at", first=0.0),
)
def auc_pr_minmax(t: RankingTable) -> Any:
    """Trapezoid estimator of the area under the precision-recall curve, from lowest to highest precision.

    sum over the recalls r_1 < r_2: (r_2 - r_1) * (lowest precision at r_1 + highest precision at r_2) / 2

    The precision is set to 0 where no case is predicted positive, so that even perfect scores have less
    than 1.

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 33.
    Bounds: `precision_bounds`; the lower one is attained where bins do not overlap.
    """
    return _mean_over_recall(t, lambda found: (_lowest_before(found) + found.after) / 2)


@measure(
    aka=("upper_trapezoid_estimator",),
    best=None,
    better="higher",
    interval="precision-area",
    terms=TRAPEZOIDS,
    bounds=mean_of("higher", "at"),
)
def auc_pr_max(t: RankingTable) -> Any:
    """Upper trapezoid estimator of the area under the precision-recall curve.

    sum over the recalls r_1 < r_2: (r_2 - r_1) * (highest precision at r_1 + highest precision at r_2) / 2

    The precision is set to 0 where no case is predicted positive, so that even perfect scores have less
    than 1.

    Undefined: no positives (positives = 0).
    Source: Berrar, Def. 33.
    Bounds: `precision_bounds`, wide, since both precisions have bounds of their own: no order of the cases
    attains both at once.
    """
    return _mean_over_recall(t, lambda found: (_highest_before(found) + found.after) / 2)


MOST_STEPS = 5_000_000  # that are added one by one
ROUNDING = 1e-12  # of weights that make up whole cases


@measure(
    aka=("auc_pr_continuous",),
    terms=("auc_pr", "auprc", "pr_auc", "aucpr", "area_under_the_precision_recall_curve"),
    interval="precision-area",
    bounds="roc",
)
def auc_pr_integral(t: RankingTable) -> Any:
    """Area under the precision-recall curve with nonlinear interpolation between thresholds, in closed form.

    integral over recall of tp / (tp + fp), where fp rises in proportion to tp between neighbouring thresholds

    It is Eq. 18 of Tharwat with any x, not whole positives only, as in auc_pr_davis_goadrich.

    Undefined: no positives (positives = 0).
    Source: Tharwat, Eq. 18; Davis and Goadrich (2006); Keilwagen, Grosse and Grau (2014), PLoS ONE 9.
    Bounds: it is the mean over tp of tp / (tp + fp) on the ROC curve of straight lines, where a higher
    curve has fewer fp at each tp.
    """
    return _mean_over_recall(t, _integral)


def _integral(found: Segments) -> np.ndarray:
    """The mean precision between one threshold and the next."""
    tp, called, positive, size = found.cases
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = size / positive  # cases for each positive
        return (
            1 + np.where(called > 0, (tp - called / slope) * np.log1p(size / called) / positive, 0.0)
        ) / slope


@measure(
    terms=("auc_pr", "auprc", "pr_auc", "aucpr", "area_under_the_precision_recall_curve"),
    interval="precision-area",
    bounds=areas.of_numbers_of_cases("auc_pr_davis_goadrich"),
)
def auc_pr_davis_goadrich(t: RankingTable) -> Any:
    """Area under the precision-recall curve with the interpolated points of Davis and Goadrich.

    trapezoids between the points at tp = tp_1, tp_1 + 1, ..., tp_2, where fp rises in proportion

    Fractional weights are crossed in equal steps of at most 1. It depends on the number of cases where scores
    are tied.

    Undefined: no positives (positives = 0).
    Source: Tharwat, Eq. 18; Davis and Goadrich (2006).
    Bounds: for whole weights its points have whole tp, at each of which a higher ROC curve of straight
    lines has fewer fp.
    """
    found = _segments(t)
    steps = np.maximum(np.ceil(found.positive * (1 - ROUNDING)), 1.0)
    if not found.shape and len(steps) < steps.sum() <= MOST_STEPS:
        return areas.share(_step_by_step(found, steps.astype(np.int64)), t.positives * 1.0)
    return areas.share(found.total(_all_steps(found, steps)), t.positives * 1.0)


def _step_by_step(found: Segments, steps: np.ndarray) -> Any:
    """The sum of the trapezoids times the positives, each computed separately; some segments at a time."""
    ends = np.cumsum(steps)
    cuts = np.unique(np.searchsorted(ends, [*range(0, int(ends[-1]), kernels.BLOCK), ends[-1]], "right"))
    parts = (
        _trapezoids(*(np.asarray(part)[first:last] for part in (*found.cases, steps)))
        for first, last in pairwise(cuts.tolist())
    )
    return sum(parts)


def _trapezoids(
    tp: np.ndarray, called: np.ndarray, positive: np.ndarray, size: np.ndarray, steps: np.ndarray
) -> Any:
    segment = np.repeat(np.arange(len(steps)), steps)
    way = (np.arange(len(segment)) - np.repeat(np.cumsum(steps) - steps, steps)) / steps[segment]
    tp, called, positive, size = (part[segment] for part in (tp, called, positive, size))
    height, after = (_height(tp, called, positive, size, at) for at in (way, way + 1 / steps[segment]))
    return areas.total((height + after) / 2 * positive / steps[segment])


def _height(
    tp: np.ndarray, called: np.ndarray, positive: np.ndarray, size: np.ndarray, way: np.ndarray
) -> np.ndarray:
    """The precision between one threshold and the next; at the first point that of the first segment."""
    found, cases = tp + positive * way, called + size * way
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(cases > 0, found / cases, positive / size)


def _all_steps(found: Segments, steps: np.ndarray) -> np.ndarray:
    """The same in closed form, less accurate where a step is small compared with the cases before it."""
    first = np.where(found.called > 0, found.before, found.positive / found.size)
    heights, several = (first + found.after) / 2, steps > 1
    heights[several] += _between_steps(*(part[several] for part in (*found.cases, steps)))
    return found.positive / steps * heights


def _between_steps(
    tp: np.ndarray, called: np.ndarray, positive: np.ndarray, size: np.ndarray, steps: np.ndarray
) -> np.ndarray:
    """The sum over i = 1 ... steps - 1 of the precision after i steps.

    It is a constant plus a multiple of the sum of 1 / (at + i), which digamma functions give.
    """
    from scipy.special import digamma

    slope, at = size / positive, called / (size / steps)
    return (steps - 1) / slope + (tp - called / slope) / (size / steps) * (
        digamma(at + steps) - digamma(at + 1)
    )
