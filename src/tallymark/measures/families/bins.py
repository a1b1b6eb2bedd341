"""Bins of predicted probabilities, of equal width or with equal numbers of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...input.weighting import effective
from ...summaries import RankingTable
from ...summaries.passes import Block, collected
from ...summaries.ranking import Squares
from ..registry import Needs, ratio
from . import areas

# bins; relative rounding error of a proportion of the cases, or of a weight
MOST, JITTER = 10_000, 1e-9
WITHOUT_SQUARES = 3  # rows of sums


@dataclass(frozen=True, slots=True)
class Bins:
    """Sums over the cases of each bin, from the lowest, along the last axis.

    weight, positive, expected: of the weights, of those of positives, and of the probabilities. squares: of
    the squared weights of the positives and of the negatives, None where weights are numbers of cases.
    Leading axes hold replicates.
    """

    weight: np.ndarray
    positive: np.ndarray
    expected: np.ndarray
    squares: Squares | None = None

    def only(self, there: np.ndarray) -> Bins:
        """The bins where `there` is true, of a single table."""
        squares = self.squares and self.squares.each(lambda part: part[there])
        return Bins(self.weight[there], self.positive[there], self.expected[there], squares)

    @property
    def excess(self) -> np.ndarray:
        """The number of positives minus the sum of the probabilities."""
        return self.positive - self.expected

    @property
    def share(self) -> np.ndarray:
        """The proportion of all cases that is in the bin."""
        return ratio(self.weight, areas.column(areas.total(self.weight)))

    @property
    def gap(self) -> np.ndarray:
        """The proportion of positives minus the mean probability; 0 in an empty bin."""
        return np.where(self.weight > 0, ratio(self.excess, self.weight), 0.0)

    @property
    def rate(self) -> np.ndarray:
        """The proportion of positives; NaN in an empty bin."""
        return ratio(self.positive, self.weight)

    @property
    def cases(self) -> np.ndarray:
        """The effective number of cases in each bin."""
        if self.squares is None:
            return self.weight
        return np.asarray(effective(self.weight, sum(self.squares)))

    @property
    def unbiased_variance(self) -> np.ndarray:
        """The variance of the proportion of positives, with n - 1 for n effective cases; 0 of one case."""
        n = self.cases
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(n > 1 + JITTER, self.variance * n / (n - 1), 0.0)

    @property
    def variance(self) -> np.ndarray:
        """The variance of the proportion of positives, linearised of importance weights; 0 without cases."""
        rate, weight = self.rate, self.weight
        if self.squares is None:
            own = ratio(rate * (1 - rate), weight)
        else:
            of_positives, of_negatives = self.squares
            own = ratio(of_positives * (1 - rate) ** 2 + of_negatives * rate**2, weight**2)
        return np.where(weight > 0, own, 0.0)


@dataclass(frozen=True)
class EqualWidth:
    """The sums over bins with edges 0, 1 / bins, ..., 1."""

    bins: int

    def places(self, probability: np.ndarray, of_type: np.dtype[Any]) -> np.ndarray:
        """The indices of the bins. of_type: that of the scores, to which the edges are rounded."""
        edges = upper_edges(self.bins)[:-1].astype(of_type)
        return np.searchsorted(edges, probability.astype(of_type, copy=False), "left")

    def part(self, block: Block) -> np.ndarray:
        place = self.places(block.probability, block.table.score.dtype)
        return _added(block, place, self.bins)

    def merged(self, table: RankingTable, parts: list[np.ndarray]) -> Bins:
        return _bins(parts)


@dataclass(frozen=True)
class EqualMass:
    """The sums over bins between the quantiles 1 / bins, 2 / bins, ... of the probabilities."""

    bins: int

    def part(self, block: Block) -> np.ndarray:
        return _added(block, self._places(block), self.bins)

    def prepare(self, table: RankingTable) -> np.ndarray | None:
        """The indices of the bins where weights may be fractions, which no block alone shows."""
        return places_of_equal_mass(table, self.bins) if table.positive.dtype.kind == "f" else None

    def _places(self, block: Block) -> np.ndarray:
        """The indices of the bins."""
        table, bins = block.table, self.bins
        if table.positive.dtype.kind == "f":
            return block.prepared[self][block.rows]
        total = float(table.total)
        above_type_7 = _above_type_7((total - (block.tp + block.fp)) * float(bins), total)
        places = np.clip(above_type_7, 0, bins - 1).astype(np.int64)
        return places

    def merged(self, table: RankingTable, parts: list[np.ndarray]) -> Bins:
        return _bins(parts)


BY_WIDTH, BY_MASS = Needs(of_bins=EqualWidth), Needs(of_bins=EqualMass)
ANSWERS_BY_WIDTH, ANSWERS_BY_MASS = (
    Needs(of_bins=EqualWidth, answers=True),
    Needs(of_bins=EqualMass, answers=True),
)


def of_equal_width(t: RankingTable, bins: Any) -> Bins:
    """Bins with edges 0, 1 / bins, ..., 1, which include their upper edge, and the first one also 0."""
    if t.positive.ndim > 1:
        return _binned(t, places_of_equal_width(t, bins), int(bins))
    return collected(t, EqualWidth(int(bins)))


def places_of_equal_width(t: RankingTable, bins: Any) -> np.ndarray:
    """The index of the bin of `of_equal_width`, for each score."""
    return EqualWidth(int(bins)).places(t.probability, t.score.dtype)


def upper_edges(bins: int) -> np.ndarray:
    """1 / bins, 2 / bins, ..., 1, each the nearest float.

    Rounded to the type of the scores, so that a probability that equals an edge is in the bin below.
    """
    return np.arange(1, int(bins) + 1) / int(bins)


def of_equal_mass(t: RankingTable, bins: Any) -> Bins:
    """Bins between the quantiles 1 / bins, 2 / bins, ... of the probabilities, with their upper edge.

    Cases with the same score stay together, so that some bins may be empty. Quantiles are of type 7 in
    Hyndman and Fan (1996), linear between the order statistics, as in numpy.quantile, in scikit-learn's
    calibration_curve and in R. Whole weights are repeated cases. Type 7 depends on the number of cases, which
    weights that are not whole do not determine: for these the quantiles are those of the distribution
    function (type 1, numpy.quantile with weights and method="inverted_cdf"), which do not depend on the scale
    of weights.
    """
    if t.positive.ndim > 1:
        return _binned(t, places_of_equal_mass(t, bins), int(bins))
    return collected(t, EqualMass(int(bins)))


def places_of_equal_mass(t: RankingTable, bins: Any) -> np.ndarray:
    """The index of the bin of `of_equal_mass`, for each score."""
    weight, whole = _repeats(t.positive + t.negative)
    above = np.cumsum(weight, axis=-1)
    total, below = above[..., -1:] * 1.0, (above[..., -1:] - above) * float(bins)
    if whole.all():
        place = _above_type_7(below, total)
    else:
        place = np.where(whole, _above_type_7(below, total), np.floor(ratio(below, total) + JITTER))
    return np.clip(np.nan_to_num(place), 0, bins - 1).astype(np.int64)


def _above_type_7(below: np.ndarray, total: Any) -> Any:
    """The number of edges below a score.

    An edge lies between the order statistics floor(h) and floor(h) + 1, h = q (n - 1) counted from 0, and
    below the upper one: so it lies below a score if h is less than the number of cases with lower scores.
    """
    return np.ceil(below / np.maximum(total - 1.0, 1.0)) - 1.0


def _repeats(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray | np.bool_]:
    """The weights, rounded where all of a replicate are whole, and whether they are."""
    if weight.dtype.kind != "f":
        return weight, np.True_
    nearest = np.rint(weight)
    whole = (np.abs(weight - nearest) <= JITTER * weight).all(-1, keepdims=True)
    return np.where(whole, nearest, weight), whole


def _added(block: Block, place: np.ndarray, bins: int) -> np.ndarray:
    """The sums of a block: one row each of weights, of positives, of probabilities and of both squares."""
    total = block.positive + block.negative
    every = (total, block.positive, total * block.probability, *block.squares)
    return np.array([np.bincount(place, part, bins) for part in every])


def _bins(parts: list[np.ndarray]) -> Bins:
    sums: np.ndarray = np.add.reduce(parts)
    squares = Squares(*sums[WITHOUT_SQUARES:]) if len(sums) > WITHOUT_SQUARES else None
    return Bins(sums[0], sums[1], sums[2], squares)


def _binned(t: RankingTable, place: np.ndarray, bins: int) -> Bins:
    shape = t.positive.shape[:-1]
    rows = int(np.prod(shape))
    flat = (
        np.arange(rows)[:, None] * bins + np.broadcast_to(place, t.positive.shape).reshape(rows, len(t))
    ).ravel()

    def held(weight: np.ndarray) -> np.ndarray:
        return np.bincount(flat, weight.ravel(), rows * bins).reshape(*shape, bins)

    total = np.asarray(t.positive + t.negative, float)
    squares = t.squared.each(held) if t.squares is not None else None
    return Bins(held(total), held(np.asarray(t.positive, float)), held(total * t.probability), squares)
