"""Areas under a part of the ROC curve, and their standardised form."""

from typing import Any

import numpy as np

from ...summaries import RankingTable
from ..registry import within
from . import areas, rates


def _area_between(x: np.ndarray, y: np.ndarray, low: float, high: float) -> Any:
    """The area under straight lines between the points, for x from low to high."""
    shape = x.shape[:-1]
    rows = int(np.prod(shape)), x.shape[-1] - 1
    x0, x1, y0, y1 = (part.reshape(rows) for part in (x[..., :-1], x[..., 1:], y[..., :-1], y[..., 1:]))
    there = np.nonzero((x1 > x0) & (x1 > low) & (x0 < high))
    x0, x1, y0, y1 = (part[there] for part in (x0, x1, y0, y1))
    a, b = np.maximum(x0, low), np.minimum(x1, high)
    return areas.total_of_some(
        (b - a) * (y0 + (y1 - y0) / (x1 - x0) * ((a - x0) + (b - x0)) / 2), there[0], shape
    )


def _chance(low: float, high: float) -> float:
    """The area under the diagonal."""
    return (high - low) * (high + low) / 2


def _room(low: float, high: float) -> float:
    """The area above the diagonal, as a product, so that no digits cancel."""
    return (high - low) * ((1 - high) + (1 - low)) / 2


def standardised(area: Any, low: float, high: float) -> Any:
    """Scaled as by McClish (1989): 0.5 for random scores and 1 for perfect ones."""
    return within(0.5 + (area - _chance(low, high)) / _room(low, high) / 2, -np.inf, 1.0)


def unstandardised(value: Any, t: RankingTable, low: float, high: float) -> Any:
    """The area of a standardised value."""
    return np.maximum(_chance(low, high) + (2 * value - 1) * _room(low, high), 0.0)


def unstandardised_tpr(value: Any, t: RankingTable, low: float, high: float) -> Any:
    """The same of the area between two true positive rates."""
    return unstandardised(value, t, 1 - high, 1 - low)


def under_roc(t: RankingTable, low: float, high: float) -> Any:
    """The area under the ROC curve between two false positive rates."""
    counts = t.sweep()
    return areas.defined(
        _area_between(rates.false_positive_rate(counts), rates.sensitivity(counts), low, high),
        t.positives,
        t.negatives,
    )


def right_of_roc(t: RankingTable, low: float, high: float) -> Any:
    """The area right of the ROC curve between two true positive rates."""
    counts = t.sweep()
    return areas.defined(
        _area_between(rates.sensitivity(counts), rates.specificity(counts), low, high),
        t.positives,
        t.negatives,
    )
