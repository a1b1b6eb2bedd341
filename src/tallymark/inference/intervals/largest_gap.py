"""The upper bound of the largest calibration gap over bins, from a posterior distribution.

The largest of several gaps found is biased upwards, and where it is small by chance, several bins have about
the same gap, so that multiples of the gaps found have upper bounds that are too low. Here the gaps of the
bins are normal about a common mean, with a standard deviation that has a half-Cauchy prior (Gelman 2006,
Bayesian Analysis 1:515), so that the data decide how far the gaps are shrunk to their mean. Docs:
intervals_of_maxima.md.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np

from ... import kernels

# standard deviations of the gaps, in standard errors, and the scale of their prior
SPREADS = np.concatenate([[0.02], np.geomspace(0.1, 30.0, 30)])
SCALE = 3.0
NODES = 15  # of the mean of the gaps
HALF = 0.5
CLOSE, CERTAIN = 1e-13, 1e-12
FURTHEST = 8.3  # deviate beyond which a probability differs from 0 or 1 by less than the rounding of 1
ADDED = 1.0  # case of either class, added to each bin for its standard error (Agresti and Coull 1998)


def upper_bound(cases: np.ndarray, rate: np.ndarray, expected: np.ndarray, level: float) -> float:
    """The quantile (1 + level) / 2 of the largest gap.

    cases, rate, expected: of each bin the effective number of cases, the proportion of positives and the mean
    probability.
    """
    weight, mean, spread = _posterior(cases, rate, expected)
    return _crossing(
        lambda size: float((weight * _none_above(size, mean, spread, expected)).sum()) - (1 + level) / 2
    )


def _crossing(function: Callable[[float], float]) -> float:
    """Where a function that rises from below 0 at 0 to above 0 at 1 crosses 0, or jumps over it.

    By inverse quadratic interpolation where the last three points allow it, else by bisection.
    Chandrupatla (1997), Advances in Engineering Software 28, 145-149.
    """
    near, far, way = 1.0, 0.0, HALF  # the last point and the one on the other side
    at_near, at_far = function(near), function(far)
    while abs(far - near) > CLOSE:
        edge = CLOSE / 2 / abs(far - near)
        point = near + min(max(way, edge), 1 - edge) * (far - near)
        found = function(point)
        if (found < 0) == (at_near < 0):
            old, at_old = near, at_near
        else:
            old, at_old, far, at_far = far, at_far, near, at_near
        near, at_near = point, found
        place, height = (near - far) / (old - far), (at_near - at_far) / (at_old - at_far)
        way = HALF
        if 1 - sqrt(1 - place) < height < sqrt(place):
            way = at_near / (at_far - at_near) * at_old / (at_far - at_old)
            way += (old - near) / (far - near) * at_near / (at_old - at_near) * at_far / (at_old - at_far)
    return max(near, far)


def _posterior(
    cases: np.ndarray, rate: np.ndarray, expected: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights of the nodes, and by node and bin the mean and the standard deviation of the gap."""
    total = cases + 2 * ADDED
    shrunk = (rate * cases + ADDED) / total
    gap, variance = (rate - expected) * cases / total, shrunk * (1 - shrunk) / total
    unit = np.sqrt(cases.sum() / (cases / variance).sum())
    between = (unit * SPREADS)[:, None]
    precision = 1 / (variance + between**2)
    centre = (precision * gap).sum(1, keepdims=True) / precision.sum(1, keepdims=True)
    error = 1 / np.sqrt(precision.sum(1, keepdims=True))
    weight = _weights(precision, gap - centre)
    node = kernels.inverse_normal_cdf((np.arange(NODES) + 0.5) / NODES)
    common = (centre + error * node)[..., None]
    kept = (between**2 * precision)[:, None]  # of what a gap differs from the mean
    mean = common + kept * (gap - common)
    spread = np.broadcast_to(np.sqrt(variance * kept), mean.shape)
    return np.repeat(weight / NODES, NODES).reshape(mean.shape[:2]), mean, spread


def _weights(precision: np.ndarray, off: np.ndarray) -> np.ndarray:
    """The posterior probability of each standard deviation of the gaps."""
    logs = 0.5 * np.log(precision).sum(1) - 0.5 * np.log(precision.sum(1))
    logs -= 0.5 * (precision * off**2).sum(1) + np.log1p((SPREADS / SCALE) ** 2)
    weight = np.exp(logs - logs.max()) * np.gradient(SPREADS)
    found: np.ndarray = weight / weight.sum()
    return found


def _none_above(size: float, mean: np.ndarray, spread: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """By node, the probability that no gap is larger; a gap ends where the proportion is 0 or 1."""
    above = np.where(size >= 1 - expected - CERTAIN, 1.0, _below((size - mean) / spread))
    below = np.where(size >= expected - CERTAIN, 0.0, _below((-size - mean) / spread))
    found: np.ndarray = np.maximum(above - below, 0.0).prod(-1)
    return found


def _below(z: np.ndarray) -> np.ndarray:
    """The normal distribution function, 0 or 1 where it is so but for rounding of 1."""
    found = np.where(z > 0, 1.0, 0.0)
    near = np.abs(z) < FURTHEST
    found[near] = kernels.normal_cdf(z[near])
    return found
