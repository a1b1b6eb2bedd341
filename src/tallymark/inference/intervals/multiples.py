"""Families along which a bootstrap is inverted: multiples of a deviation that was found, and their bounds."""

from __future__ import annotations

import numpy as np

from .quantiles import normal_quantile

FACTORS = np.concatenate([[0.0], np.geomspace(0.1, 10.0, 20)])
COARSE = 0.2  # relative standard error below which the factors above are too coarse
# distances from 1 of additional factors, the nearest in standard errors
NEAREST, NEAR, GROWTH, MOST_NEAR = 0.5, 0.6, 1.5, 40
DIGITS = 12  # so that rounding changes no sample
TINY = 1e-9  # difference of errors due to rounding
NEIGHBOURS = np.array([0.25, 0.5, 0.25])  # shares of the moments of a member and of those next to it
MOST_SKEWED = 2.0  # skewness times the normal quantile, beyond which quantiles would not increase


def factors_for(error: float) -> np.ndarray:
    """The factors of the members of the family: 0, and about 1.

    With many cases there are more near 1, at distances of about the relative standard error of what was
    found.
    """
    if error >= COARSE:
        return FACTORS
    near = error * NEAREST * GROWTH ** np.arange(MOST_NEAR)
    near = near[near < NEAR]
    return np.union1d(FACTORS, np.concatenate([1 - near, 1 + near]).round(DIGITS))


def bounds(values: np.ndarray, at: float, true: np.ndarray, level: float) -> tuple[float, float]:
    """The true values of the members of whose samples (1 - level) / 2 are as large as `at`, or as small.

    values: of samples, with the axes member and replicate; true: of the members. Proportions do not decrease
    from one member to the next. Where less than one sample is expected beyond a bound, by the moments.
    """
    tail, place = (1 - level) / 2, np.arange(len(true))
    if tail * values.shape[-1] < 1:
        return bounds_by_moments(values, at, true, level)
    above, below = (values >= at - TINY).mean(-1), (values <= at + TINY).mean(-1)
    places = (
        np.interp(tail, np.maximum.accumulate(above), place),
        np.interp(-tail, np.maximum.accumulate(-below), place),
    )
    low, high = (float(np.interp(each, place, true)) for each in places)
    return low, high


def bounds_by_moments(values: np.ndarray, at: float, true: np.ndarray, level: float) -> tuple[float, float]:
    """The same, with quantiles from the mean, the standard deviation and the skewness of the samples.

    By the expansion of Cornish and Fisher (1938). So a hundred samples of each member are enough, for high
    levels too. The moments of neighbouring members are averaged.
    """
    z, mean = normal_quantile(level), values.mean(-1)
    spread = np.maximum(values.std(-1), TINY**2)
    skew = ((values - mean[:, None]) ** 3).mean(-1) / spread**3
    spread, skew = (np.convolve(np.pad(part, 1, "edge"), NEIGHBOURS, "valid") for part in (spread, skew))
    skew = np.clip(skew, -MOST_SKEWED / z, MOST_SKEWED / z)
    upper, lower = (mean + spread * (times + skew * (times**2 - 1) / 6) for times in (z, -z))
    place = np.arange(len(true))
    first, last = (np.interp(at, np.maximum.accumulate(edge), place) for edge in (upper, lower))
    least, most = np.minimum.accumulate(true[::-1])[::-1], np.maximum.accumulate(true)
    return float(np.interp(first, place, least)), float(np.interp(last, place, most))
