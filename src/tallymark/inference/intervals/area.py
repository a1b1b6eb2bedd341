"""The area under the ROC curve: its variance, and intervals from it or from the area and the class sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isnan, sqrt
from typing import Any

import numpy as np

from ...input.messages import Note, joined
from ...input.names import listed
from ...measures.families.ranking import roc_auc
from ...measures.registry import ratio
from ...summaries import RankingTable
from ...summaries.by_score import PAIRS
from ...summaries.passes import Block, collected
from ...summaries.ranking import Squares
from ..bootstrap.percentiles import HALF_A_CASE
from ..covariance import of_squares
from ..doubt import deciding, few_cases
from ..results import Interval
from .scale import ROUNDING, Scale, normal_quantile, student_quantile


def delong_variance(table: RankingTable) -> Any:
    """DeLong's variance of the AUC, in one pass over the sorted table.

    It is NaN where a class has a single case. Var = S10 / positives + S01 / negatives, S10 being the variance
    over the positives of the proportion of negatives with a lower score (a tie counts 1/2), and S01 the same
    over the negatives; for importance weights w the variance of the mean over a class is sum w^2 (x - mean)^2
    / (sum w)^2, times k / (k - 1) for the effective number k of its cases. For a table with leading axes an
    array, one per replicate.
    Source: DeLong, DeLong and Clarke-Pearson (1988); by ranks: Sun and Xu (2014).
    """
    if table.positive.ndim == 1:
        return collected(table, PLACEMENTS)
    counts, area = table.sweep(), np.asarray(roc_auc(table))
    # The mean of the counts just above a score and at it: those below, and half of those tied with it.
    beaten, beating = counts.tn[..., 1:] + counts.tn[..., :-1], counts.tp[..., 1:] + counts.tp[..., :-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes = table.effective_positives, table.effective_negatives
        found = _variance_of_mean(
            table.squared.positive, table.positives, sizes[0], beaten, table.negatives, area
        )
        found = found + _variance_of_mean(
            table.squared.negative, table.negatives, sizes[1], beating, table.positives, area
        )
    found = np.where(np.minimum(*sizes) > 1, found, np.nan)
    return found if found.ndim else found.item()


@dataclass(frozen=True)
class PlacementSums:
    """The same of a table without replicates, from sums of the squared distances to the mean of a block."""

    def part(self, block: Block) -> list[tuple[float, float, float]]:
        """Of both classes the sum of squared weights, the mean, and the sum of squared distances to it."""
        sums = block.curve_sums
        return [*zip(sums.squares, sums.mean, sums.spread, strict=True)]

    def merged(self, table: RankingTable, parts: list[list[tuple[float, float, float]]]) -> float:
        sizes = table.effective_positives, table.effective_negatives
        if min(sizes) <= 1:
            return np.nan
        total, mean, spread = np.moveaxis(np.array(parts), -1, 0)
        sums = (spread + total * np.square(mean - roc_auc(table))).sum(0)
        totals = float(table.positives), float(table.negatives)
        return float(
            sum(
                of_squares(part, size, of_class)
                for part, size, of_class in zip(sums, sizes, totals, strict=True)
            )
        )


PLACEMENTS = PlacementSums()


def _variance_of_mean(
    squares: np.ndarray, total: Any, size: Any, twice: np.ndarray, others: Any, mean: np.ndarray
) -> np.ndarray:
    """The variance of a weighted mean over a class.

    squares: of the weights; size: the effective one; twice: twice the weight of the others with a lower
    score, overwritten; others: their total weight.
    """
    twice *= np.asarray(0.5 / np.asarray(others))[..., None]
    twice -= mean[..., None]
    twice *= twice
    return of_squares(np.einsum("...i,...i->...", squares, twice), np.asarray(size), np.asarray(total))


def tied_share(table: RankingTable) -> Any:
    """The proportion of pairs of a positive and a negative with the same score.

    With leading axes one per replicate.
    """
    if table.positive.ndim == 1:
        tied = collected(table, PAIRS)[2]
    else:
        tied = np.einsum("...i,...i->...", table.positive * 1.0, table.negative)
    return tied / (np.asarray(table.positives) * 1.0 * table.negatives)


def hanley_mcneil_variance(area: float, positives: float, negatives: float) -> float:
    """The variance of the AUC from the AUC and the class sizes, for exponential scores.

    (A (1 - A) + (positives - 1) (Q1 - A^2) + (negatives - 1) (Q2 - A^2)) / (positives negatives), where Q1 =
    A / (2 - A) is the probability that two positives score higher than one negative, and Q2 = 2 A^2 / (1 + A)
    that one positive scores higher than two negatives.
    Source: Hanley and McNeil (1982), Eq. 1 and 2. It is
    written as A (1 - A) times a factor: Q1 - A^2 = A (1 - A)^2 / (2 - A), and Q2 - A^2 = A^2 (1 - A) / (1 +
    A), to avoid cancellation near 0 and 1.
    """
    inner = 1 + (positives - 1) * (1 - area) / (2 - area) + (negatives - 1) * area / (1 + area)
    return area * (1 - area) * inner / (positives * negatives)


def newcombe_variance(area: Any, positives: Any, negatives: Any) -> Any:
    """The same with both class sizes in the inner terms replaced by their mean.

    It is then symmetric in the classes.
    Source: Newcombe (2006), Statistics in Medicine 25, 559-573, his
    method 5.
    """
    inner = 1 + ((positives + negatives) / 2 - 1) * ((1 - area) / (2 - area) + area / (1 + area))
    return area * (1 - area) * inner / (positives * negatives)


def newcombe_bounds(
    area: float, positives: float, negatives: float, level: float, times: float = 1.0
) -> tuple[float, float]:
    """Newcombe's pseudo-score interval (his method 5), which never has width 0.

    It needs the AUC and the class sizes alone. The bounds solve |area - theta| = z sqrt(V(theta)), V being
    his variance at theta, times a factor.
    """
    limit = normal_quantile(level) ** 2 * times

    def rejected(theta: float) -> bool:
        return (area - theta) ** 2 > limit * newcombe_variance(theta, positives, negatives)

    return _edge(rejected, 0.0, area), _edge(rejected, 1.0, area)


def with_halves(table: RankingTable) -> RankingTable:
    """The table with half a negative above all scores and half a positive below, also with leading axes.

    Its scores are ranks.
    """
    (positive, negative), squares = halves_added(table)
    return RankingTable.of(np.arange(positive.shape[-1], 0.0, -1.0), positive, negative, squares)


def halves_added(table: RankingTable) -> tuple[tuple[np.ndarray, np.ndarray], Squares | None]:
    """The weights with half a case added, and their squares.

    It is added in front for the negatives and at the end for the positives. A case has the weight sum of
    squares / sum of weights of its class, so that one more increases the effective number by one.
    """
    end = np.zeros((*table.positive.shape[:-1], 1))
    units = [_unit(*part) for part in zip(table.squared, (table.positive, table.negative), strict=True)]

    def padded(positive: np.ndarray, negative: np.ndarray, power: int) -> tuple[np.ndarray, np.ndarray]:
        halves = [end + HALF_A_CASE * unit**power for unit in units]
        return np.concatenate([end, positive, halves[0]], axis=-1), np.concatenate(
            [halves[1], negative, end], axis=-1
        )

    squares = None if table.squares is None else Squares(*padded(*table.squares, 2))
    return padded(table.positive, table.negative, 1), squares


def _unit(squares: np.ndarray, weight: np.ndarray) -> Any:
    """The weight of a case of a class; 1 where weights are numbers of cases, or there are none."""
    if squares is weight:
        return 1.0
    total = weight.sum(-1, keepdims=True)
    return np.where(total > 0, ratio(squares.sum(-1, keepdims=True), total), 1.0)


def shape_of(table: RankingTable) -> Any:
    """DeLong's variance over Newcombe's, both for the table with halves.

    It is a factor for `newcombe_bounds`, which then uses DeLong's estimate of the spread of the scores.
    """
    pulled = with_halves(table)
    return delong_variance(pulled) / newcombe_variance(
        roc_auc(pulled), pulled.effective_positives, pulled.effective_negatives
    )


def separated(fewer: float, level: float) -> float:
    """The exact lower bound of the AUC under perfect separation: ((1 - level) / 2) ^ (1 / fewer).

    fewer: cases of the smaller class. Pair each of its cases with another one of the larger class. If all
    cases are separated, so are these pairs, which are independent of one another: P(separated) <= P(a
    positive scores higher)^fewer <= AUC^fewer, whatever the distributions are. So where the AUC is below the
    bound, fewer than (1 - level) / 2 of samples are separated. The bound is sharp: where the larger class
    always scores 0, and the smaller 1 with probability AUC, else -1, it holds with equality. It is that of
    Clopper and Pearson for `fewer` successes of as many.

    If all scores are tied, so are these pairs, and P(all tied) <= P(a pair is tied)^fewer. As |AUC - 1/2| <=
    (1 - P(tied)) / 2, the AUC lies between bound / 2 and 1 - bound / 2.
    """
    return ((1 - level) / 2) ** (1 / fewer)


def _edge(rejected: Callable[[float], bool], outside: float, inside: float, steps: int = 60) -> float:
    """The edge of the rejected values, by bisection between an end of the range and the estimate."""
    if outside == inside:
        return inside
    for _ in range(steps):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if rejected(middle) else (outside, middle)
    return inside


FEW_CASES = 10  # of a class, for the notice on them
FEW_MISPLACED = 2  # cases of the smaller class on the wrong side
FEW_FOR_PLAIN = 5  # the same, for a symmetric interval
UNLIKE = 3  # ratio of the class sizes
HALF = 0.5
SEPARATED = Note("separated")
TIED = Note("scores-all-tied")
MISPLACED = Note("few-misplaced")
ONE_CASE = Note("one-case-in-a-class")
OTHER_SHAPES = Note("class-sizes-unlike")
CUT = Note("bound-cut")


@dataclass(frozen=True, slots=True)
class Area:
    """An area under the ROC curve, and the quantities for its interval.

    variance: by DeLong, NaN with one case in a class; tied: the proportion of pairs with the same score;
    positives, negatives: the class sizes; shape: a function that returns `shape_of`; df, doubt: the
    degrees of freedom of DeLong's variance, which may be few with weights, and the note on that.
    """

    value: float
    variance: float
    tied: float
    positives: float
    negatives: float
    shape: Callable[[], float]
    df: float = inf
    doubt: Note | None = None

    @property
    def fewer(self) -> float:
        """The number of cases in the smaller class."""
        return min(self.positives, self.negatives)

    @property
    def misplaced(self) -> float:
        """The number of misplaced cases of the smaller class, on average.

        Where it is small the variance is uncertain.
        """
        return self.fewer * min(self.value, 1 - self.value)

    @property
    def few(self) -> Note | None:
        """The note that the interval may be too narrow, as where few cases have scores of their own."""
        untied = self.fewer * (1 - self.tied)
        return self.doubt if self.tied < HALF else few_cases(untied) or self.doubt


def of_area(area: Area, level: float, method: str) -> Interval:
    """The interval by this method; exact instead where the variance is 0."""
    at_an_end = min(area.value, 1 - area.value) <= ROUNDING
    by_delong = method.startswith("delong")
    if method != "newcombe" and (at_an_end or (by_delong and area.variance <= ROUNDING**2)):
        return _exact(area, level)
    if by_delong and isnan(area.variance):
        return _newcombe(area, level, "newcombe", ONE_CASE)
    return METHODS[method](area, level)


def _exact(area: Area, level: float) -> Interval:
    bound = separated(area.fewer, level)
    if abs(area.value - HALF) < HALF / 2:
        return Interval(bound / 2, 1 - bound / 2, "exact", TIED)
    low, high = (bound, 1.0) if area.value > HALF else (0.0, 1 - bound)
    return Interval(min(low, area.value), max(high, area.value), "exact", SEPARATED)


def _newcombe(area: Area, level: float, method: str, note: Note | None, times: float = 1.0) -> Interval:
    low, high = newcombe_bounds(area.value, area.positives, area.negatives, level, times)
    return Interval(low, high, method, note)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='delong-logit')",
    name="delong-logit",
    aka=("logit_delong",),
    command="--auc-interval delong-logit",
)
def delong_logit(area: Area, level: float) -> Interval:
    """DeLong's variance on the logit scale: within (0, 1), and skewed near the ends.

    For weighted cases with Student's t. Where few cases are misplaced, so that the variance is uncertain,
    Newcombe's pseudo-score interval with DeLong's variance in place of his: its coverage is at least the
    nominal one there (docs/intervals.md).
    """
    if area.misplaced < FEW_MISPLACED:
        wider = (student_quantile(level, area.df) / normal_quantile(level)) ** 2
        return _newcombe(area, level, "delong-score", area.few or MISPLACED, area.shape() * wider)
    error = sqrt(area.variance)
    low, high = Scale((0.0, 1.0)).around(area.value, error, level, area.df)
    return Interval(low, high, "delong-logit" if area.df == inf else "delong-logit-t", area.few, error)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='delong')",
    name="delong",
    aka=("ci_auc",),
    command="--auc-interval delong",
)
def plain_delong(area: Area, level: float) -> Interval:
    """area +- z times DeLong's standard error, clipped to [0, 1].

    Source: DeLong and others (1988).
    """
    return _plain(area, area.variance, level, "delong", area.few)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='hanley-mcneil')",
    name="hanley-mcneil",
    aka=("hanley_and_mcneil",),
    command="--auc-interval hanley-mcneil",
)
def hanley_mcneil(area: Area, level: float) -> Interval:
    """area +- z times Hanley and McNeil's standard error, clipped to [0, 1].

    It follows from the area and the class sizes. Source: Hanley and McNeil (1982).
    """
    variance = hanley_mcneil_variance(area.value, area.positives, area.negatives)
    return _plain(area, variance, level, "hanley-mcneil", _of_unlike_sizes(area))


def _plain(area: Area, variance: float, level: float, method: str, note: Note | None) -> Interval:
    error = sqrt(variance)
    step = normal_quantile(level) * error
    low, high = area.value - step, area.value + step
    few = deciding(area.misplaced) if area.misplaced < FEW_FOR_PLAIN else None
    notes = joined(few or note, CUT if low < 0 or high > 1 else None)
    return Interval(max(low, 0.0), min(high, 1.0), method, notes, error)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='newcombe')",
    name="newcombe",
    aka=("newcombe_pseudo_score",),
    command="--auc-interval newcombe",
)
def newcombe(area: Area, level: float) -> Interval:
    """Newcombe's pseudo-score interval, from the area and the class sizes alone."""
    return _newcombe(area, level, "newcombe", _of_unlike_sizes(area))


def _of_unlike_sizes(area: Area) -> Note | None:
    return OTHER_SHAPES if max(area.positives, area.negatives) > UNLIKE * area.fewer else None


METHODS = {
    "delong-logit": delong_logit,
    "delong": plain_delong,
    "hanley-mcneil": hanley_mcneil,
    "newcombe": newcombe,
}
