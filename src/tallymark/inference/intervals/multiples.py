"""Families of multiples of a deviation that was found, along which a bootstrap is inverted."""

from __future__ import annotations

import numpy as np

FACTORS = np.concatenate([[0.0], np.geomspace(0.1, 10.0, 20)])
COARSE = 0.2  # relative standard error below which the factors above are too coarse
# distances from 1 of additional factors, the nearest in standard errors
NEAREST, NEAR, GROWTH, MOST_NEAR = 0.5, 0.6, 1.5, 40
DIGITS = 12  # so that rounding changes no sample
TINY = 1e-9  # difference of errors due to rounding


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
    from one member to the next.
    """
    tail, place = (1 - level) / 2, np.arange(len(true))
    above, below = (values >= at - TINY).mean(-1), (values <= at + TINY).mean(-1)
    places = (
        np.interp(tail, np.maximum.accumulate(above), place),
        np.interp(-tail, np.maximum.accumulate(-below), place),
    )
    low, high = (float(np.interp(each, place, true)) for each in places)
    return low, high
