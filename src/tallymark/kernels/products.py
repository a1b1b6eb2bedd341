"""Sums of products that depend neither on BLAS nor on threads, rows taken, and the normal distribution."""

from __future__ import annotations

from collections.abc import Iterator
from math import erfc, inf, nan, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from .threads import MANY, STRETCH, stretches

BLOCK = 1 << 16  # entries of a slice
SMALLEST_UNIT, LARGEST_UNIT = -1021, 1023  # exponents


def blocks(size: int) -> Iterator[slice]:
    """Consecutive slices of `BLOCK` entries."""
    return (slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK))


def changes(*values: np.ndarray) -> np.ndarray:
    """Where one of these differs from the entry before; the first entry is such a place."""
    changed = np.ones(len(values[0]), bool)
    changed[1:] = np.logical_or.reduce([one[1:] != one[:-1] for one in values])
    return changed


def starts_of_runs(*values: np.ndarray) -> np.ndarray:
    """The places of these changes."""
    return np.flatnonzero(changes(*values))


def distinct(values: np.ndarray) -> np.ndarray:
    """The distinct values, none of them NaN, ascending: `numpy.unique` hashes them, and loads numpy.ma."""
    values = np.sort(values)
    return values[changes(values)]


def taken(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The values, of one dimension, in these rows; of a view of a single number another view."""
    if values.strides == (0,) and rows.dtype != bool and len(values):
        return np.broadcast_to(values[0], len(rows))
    if len(rows) <= MANY or rows.dtype == bool:
        return values[rows]
    result = np.empty(len(rows), values.dtype)

    def some(part: slice) -> None:
        result[part] = values[rows[part]]

    stretches(some, len(rows))
    return result


def dot(a: np.ndarray, b: np.ndarray) -> float | Any:
    """The sum of the products of two arrays along the last axis, of one dimension stretch by stretch."""
    if a.ndim > 1 or b.ndim > 1:
        return np.einsum("...i,...i->...", a, b)
    if len(a) <= STRETCH:
        return float(np.einsum("i,i->", a, b))
    return float(np.add.reduce(stretches(lambda some: np.einsum("i,i->", a[some], b[some]), len(a))))


def power_of_two(values: np.ndarray) -> float:
    """That which the largest of the values does not reach; 1 if they are 0, or one is not finite.

    Its reciprocal is finite, too.
    """
    largest = float(max(values.max(initial=0.0), -values.min(initial=0.0)))
    exponent = int(np.frexp(largest)[1]) if 0 < largest < np.inf else 0
    return float(2.0 ** min(max(exponent, SMALLEST_UNIT), LARGEST_UNIT))


def sums(place: np.ndarray, weight: np.ndarray, size: int) -> np.ndarray:
    """The sums of the weights at each place from 0 to size - 1; of rows of weights one row of sums for each.

    place: whole numbers; weight: float64, or a view of a single number.
    """
    if weight.ndim > 1:
        at = (place + size * np.arange(len(weight))[:, None]).ravel()
        return np.bincount(at, weight.ravel(), size * len(weight)).reshape(-1, size)
    if weight.strides == (0,) and len(weight):
        return np.bincount(place, minlength=size) * weight[0]
    return np.bincount(place, weight, size).astype(np.float64, copy=False)  # whole without cases


_erfc = np.frompyfunc(erfc, 1, 1)


def normal_cdf(z: Any) -> Any:
    """The probability below z, of an array or a number."""
    found = 0.5 * np.asarray(_erfc(np.asarray(z, np.float64) / -sqrt(2)), np.float64)
    return found if found.ndim else float(found)


def inverse_normal_cdf(probability: Any) -> Any:
    """The inverse of `normal_cdf`, of an array or a number; NaN outside 0 to 1.

    Source: Wichura (1988), Applied Statistics 37, 477-484, in Python's statistics.NormalDist.
    """
    with np.errstate(invalid="ignore"):  # NaN
        found = np.asarray(_quantile(np.asarray(probability, np.float64)), np.float64)
    return found if found.ndim else float(found)


def _quantile_of_one(probability: float) -> float:
    if 0 < probability < 1:
        return NormalDist().inv_cdf(probability)
    return {0.0: -inf, 1.0: inf}.get(probability, nan)


_quantile = np.frompyfunc(_quantile_of_one, 1, 1)
