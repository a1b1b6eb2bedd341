"""Cases put together by their probabilities: in bins of equal width, or of equal numbers of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...summaries import RankingTable
from ...summaries.squares import Squares
from ..registry import ratio
from . import areas

# bins; by how much rounding may move a share of the cases, or a weight relative to itself
MOST, JITTER = 10_000, 1e-9


@dataclass(frozen=True, slots=True)
class Bins:
    """Along the last axis one entry per bin, from the lowest: the weight of its cases, of its positives, and
    the sum of the probabilities; replicates have leading axes. squares: None, or the sums of the squared
    weights of the positives and of the negatives, where weights are no numbers of cases.
    """

    weight: np.ndarray
    positive: np.ndarray
    expected: np.ndarray
    squares: Squares | None = None

    def only(self, there: np.ndarray) -> Bins:
        """These of the bins, of a single table."""
        squares = self.squares and self.squares.each(lambda part: part[there])
        return Bins(self.weight[there], self.positive[there], self.expected[there], squares)

    @property
    def excess(self) -> np.ndarray:
        """Positives less those expected."""
        excess: np.ndarray = self.positive - self.expected
        return excess

    @property
    def share(self) -> np.ndarray:
        """Of all cases, those in the bin."""
        share: np.ndarray = ratio(self.weight, areas.column(areas.total(self.weight)))
        return share

    @property
    def gap(self) -> np.ndarray:
        """Share of positives less the mean probability; 0 in an empty bin."""
        return np.where(self.weight > 0, ratio(self.excess, self.weight), 0.0)

    @property
    def rate(self) -> np.ndarray:
        """Share of positives; NaN in an empty bin."""
        rate: np.ndarray = ratio(self.positive, self.weight)
        return rate

    @property
    def variance(self) -> np.ndarray:
        """Of the share of positives; 0 in an empty bin."""
        return np.where(self.weight > 0, ratio(self.rate * (1 - self.rate), self.weight), 0.0)


def of_equal_width(t: RankingTable, bins: Any) -> Bins:
    """Edges 0, 1 / bins, ..., 1; a bin holds its upper edge, and the first one 0, too."""
    return _binned(t, np.searchsorted(upper_edges(bins)[:-1], t.probability, side="left"), int(bins))


def upper_edges(bins: int) -> np.ndarray:
    """1 / bins, 2 / bins, ..., 1, each the nearest float, so that a probability that equals one is in the bin
    below."""
    return np.arange(1, int(bins) + 1) / int(bins)


def of_equal_mass(t: RankingTable, bins: Any) -> Bins:
    """Between the quantiles 1 / bins, 2 / bins, ... of the probabilities; a bin holds its upper edge, and
    cases of one score stay together, so that some bins may be empty.

    Quantiles are of type 7 in Hyndman and Fan (1996), linear between the order statistics, as in
    numpy.quantile, in scikit-learn's calibration_curve and in R. Whole weights are repeated cases. Type 7
    depends on the number of cases, which weights that are not whole do not show: of these the quantiles are
    those of their distribution function (type 1, numpy.quantile with weights and method="inverted_cdf"),
    which are the same on every scale.
    """
    return _binned(t, places_of_equal_mass(t, bins), int(bins))


def places_of_equal_mass(t: RankingTable, bins: Any) -> np.ndarray:
    """At each score the number of the bin of `of_equal_mass`, from 0 on."""
    weight, whole = _repeats(t.positive + t.negative)
    above = np.cumsum(weight, axis=-1)
    total, below = above[..., -1:] * 1.0, (above[..., -1:] - above) * float(bins)
    if whole.all():
        place = _above_type_7(below, total)
    else:
        place = np.where(whole, _above_type_7(below, total), np.floor(ratio(below, total) + JITTER))
    number: np.ndarray = np.clip(np.nan_to_num(place), 0, bins - 1).astype(np.int64)
    return number


def _above_type_7(below: np.ndarray, total: np.ndarray) -> np.ndarray:
    """How many edges a score lies above. An edge lies between the order statistics floor(h) and floor(h) + 1,
    h = q (n - 1) from 0, and below the upper one: so it lies below a score if h is less than the number of
    cases with lower scores.
    """
    return np.ceil(below / np.maximum(total - 1.0, 1.0)) - 1.0


def _repeats(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray | np.bool_]:
    """The weights, and of each replicate whether all are whole, so that they are numbers of cases: then
    without rounding errors."""
    if weight.dtype.kind != "f":
        return weight, np.True_
    nearest = np.rint(weight)
    whole = (np.abs(weight - nearest) <= JITTER * weight).all(-1, keepdims=True)
    return np.where(whole, nearest, weight), whole


def _binned(t: RankingTable, place: np.ndarray, bins: int) -> Bins:
    shape = t.positive.shape[:-1]
    rows = int(np.prod(shape))
    flat = (
        np.arange(rows)[:, None] * bins + np.broadcast_to(place, t.positive.shape).reshape(rows, len(t))
    ).ravel()

    def held(weight: np.ndarray) -> np.ndarray:
        return np.bincount(flat, weight.ravel(), rows * bins).reshape(*shape, bins)

    total = np.asarray(t.positive + t.negative, float)
    squares = t.squared.each(held) if t.weighted and t.squares is not None else None
    return Bins(held(total), held(np.asarray(t.positive, float)), held(total * t.probability), squares)
