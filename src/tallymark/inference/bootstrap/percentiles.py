"""Quantiles and standard deviations of replicates, along their first axis."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

REPLICATES = 5_000
MOST_CASES = 1e15  # to draw: the interval has no width with more
HALF = 0.5
HALF_A_CASE = 0.5  # Jeffreys' prior for each cell


def percentiles(values: np.ndarray, level: float) -> np.ndarray:
    """The interval that contains the middle `level` of the replicates, along the first axis."""
    return quantiles(values, tails(level))


def tails(level: float) -> np.ndarray:
    """The proportions below the two ends of the middle `level`."""
    tail = (1 - level) / 2
    return np.array([tail, 1 - tail])


def quantiles(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """As np.quantile along the first axis, which loads numpy.ma: a row per share, NaN where there is one."""
    found = at_places(partial(ordered, values), len(values), shares)
    return np.where(np.isnan(values).any(axis=0), np.nan, found)


def ordered(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What values would have at these places along the first axis if they were in ascending order."""
    found: np.ndarray = np.partition(values, np.unique(places), axis=0)[places]
    return found


def at_places(ordered: Callable[[np.ndarray], np.ndarray], size: int, shares: np.ndarray) -> np.ndarray:
    """The quantiles of so many ascending values, of which `ordered` gives those at some places."""
    place = (size - 1) * shares
    below = np.floor(place).astype(np.int64)
    low, high = ordered(np.array([below, np.minimum(below + 1, size - 1)]))
    part = (place - below).reshape(-1, *[1] * (low.ndim - 1))
    with np.errstate(invalid="ignore"):  # infinities
        found: np.ndarray = np.where(part < HALF, low + (high - low) * part, high - (high - low) * (1 - part))
    return found


def deviation(values: np.ndarray) -> Any:
    """The standard deviation of the defined replicates, along the first axis.

    NaN where fewer than two are defined, or one is infinite.
    """
    found = _deviation(values, len(values))
    if not np.isnan(found).any():
        return found
    gaps = np.isnan(values)
    number = (~gaps).sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # gaps are set to the mean, where they do not contribute
        filled = np.where(gaps, np.where(gaps, 0.0, values).sum(0) / number, values)
    return _deviation(filled, number)


def _deviation(values: np.ndarray, number: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        off = values - values.mean(0)
        return np.sqrt(np.einsum("r...,r...->...", off, off) / np.subtract(number, 1))
