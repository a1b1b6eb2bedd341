"""Quantiles and standard deviations of replicates, along their first axis."""

from __future__ import annotations

import numpy as np

MOST_CASES = 1e15  # to draw: the interval has no width with more
HALF_A_CASE = 0.5  # Jeffreys' prior for each cell


def percentiles(values: np.ndarray, level: float) -> np.ndarray:
    """The interval that contains the middle `level` of the replicates, along the first axis."""
    return quantiles(values, np.array([(1 - level) / 2, (1 + level) / 2]))


def quantiles(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """As np.quantile along the first axis, which loads numpy.ma: a row per share, NaN where there is one."""
    place = (len(values) - 1) * shares
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, len(values) - 1)
    low, high = np.partition(values, np.unique([below, above]), axis=0)[[below, above]]
    part = (place - below).reshape(-1, *[1] * (values.ndim - 1))
    with np.errstate(invalid="ignore"):  # infinities
        found = np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1 - part))
    return np.where(np.isnan(values).any(axis=0), np.nan, found)


def deviation(values: np.ndarray) -> float:
    """The standard deviation of the defined replicates.

    NaN where fewer than two are defined, or one is infinite.
    """
    known = values[~np.isnan(values)]
    with np.errstate(invalid="ignore"):
        return float(np.std(known, ddof=1)) if len(known) > 1 else np.nan
