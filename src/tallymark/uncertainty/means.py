"""The interval of a mean over the cases, or of what is made of one: from what each case does to the value."""

from __future__ import annotations

from math import inf, isfinite, sqrt

import numpy as np

from .. import kernels
from .kinds import ROUNDING, Question
from .results import Interval, no_interval
from .scale import Scale

LARGEST = 1e100  # of which the square, times a weight, is a float
FEW_LOSSES = 100  # below which a mean of so skewed a loss is not yet normal


def of_mean(q: Question, pulls: np.ndarray, weight: np.ndarray, rounding: float = 0.0) -> Interval:
    """On the scale that suits the range. pulls: what each case does to the value; rounding: what they may be off by."""
    n = float(q.summary.total)
    if n < 2:
        return no_interval("the weights make up fewer than two cases, which show no spread")
    largest = float(np.abs(pulls).max())
    unit = largest if LARGEST < largest < inf else 1.0  # in which no square overflows
    squares = kernels.dot(weight, np.square(pulls / unit))
    if squares <= n * (max(ROUNDING * abs(q.value), rounding) / unit) ** 2:
        return no_interval("every case has the same loss: there is no spread to go by")
    scale = Scale(q.entry.range)
    try:
        low, high = scale.around(q.value, unit * sqrt(squares / (n - 1) / n) * scale.slope(q.value), q.settings.level)
    except (OverflowError, ZeroDivisionError):
        low = high = np.nan
    if not (isfinite(low) and isfinite(high) and low < high):  # nearly no spread, or nearly all of the range
        return no_interval("the value is too close to an end of its range for an interval")
    return Interval(low, high, f"mean{scale.name}", f"approximate: fewer than {FEW_LOSSES} cases" if n < FEW_LOSSES else None)
