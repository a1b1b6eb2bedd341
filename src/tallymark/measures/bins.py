"""Cases put together by their probabilities: in bins of equal width, or of equal numbers of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..registry import ratio
from ..summaries import RankingTable
from . import areas

MOST, JITTER = 10_000, 1e-9  # bins; of a share of the cases, which rounding must not push into the next bin


@dataclass(frozen=True, slots=True)
class Bins:
    """Along the last axis one entry per bin, from the lowest: the weight of its cases, of its positives, and the sum of the
    probabilities; replicates have leading axes.
    """

    weight: np.ndarray
    positive: np.ndarray
    expected: np.ndarray

    @property
    def excess(self) -> np.ndarray:
        """Positives less those expected."""
        return self.positive - self.expected

    @property
    def share(self) -> np.ndarray:
        """Of all cases, those in the bin."""
        return ratio(self.weight, areas.column(areas.total(self.weight)))

    @property
    def gap(self) -> np.ndarray:
        """Share of positives less the mean probability; 0 in an empty bin."""
        return np.where(self.weight > 0, ratio(self.excess, self.weight), 0.0)

    @property
    def rate(self) -> np.ndarray:
        """Share of positives; NaN in an empty bin."""
        return ratio(self.positive, self.weight)

    @property
    def variance(self) -> np.ndarray:
        """Of the share of positives; 0 in an empty bin."""
        return np.where(self.weight > 0, ratio(self.rate * (1 - self.rate), self.weight), 0.0)


def of_equal_width(t: RankingTable, bins: Any) -> Bins:
    """Edges 0, 1 / bins, ..., 1; a bin holds its upper edge, and the first one 0, too."""
    return _binned(t, np.searchsorted(upper_edges(bins)[:-1], t.probability, side="left"), int(bins))


def upper_edges(bins: int) -> np.ndarray:
    """1 / bins, 2 / bins, ..., 1, each the nearest float, so that a probability that equals one is in the bin below."""
    return np.arange(1, int(bins) + 1) / int(bins)


def of_equal_mass(t: RankingTable, bins: Any) -> Bins:
    """As many cases in each, as far as cases of one score allow, which stay together: where the share of cases below them falls."""
    weight = np.asarray(t.positive + t.negative, float)
    above = np.cumsum(weight, axis=-1)
    below = ratio(above[..., -1:] - above, above[..., -1:])
    at = np.nan_to_num(np.floor(bins * below + JITTER))
    return _binned(t, np.clip(at, 0, bins - 1).astype(np.int64), int(bins))


def _binned(t, place, bins):
    shape = t.positive.shape[:-1]
    rows = int(np.prod(shape))
    flat = (np.arange(rows)[:, None] * bins + np.broadcast_to(place, t.positive.shape).reshape(rows, len(t))).ravel()

    def held(weight):
        return np.bincount(flat, weight.ravel(), rows * bins).reshape(*shape, bins)

    total = np.asarray(t.positive + t.negative, float)
    return Bins(held(total), held(np.asarray(t.positive, float)), held(total * t.probability))
