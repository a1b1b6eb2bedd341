"""Intervals on an unbounded scale, transformed back into the range of the measure."""

from __future__ import annotations

from collections.abc import Callable
from math import atanh, exp, inf, isfinite, log, tanh
from statistics import NormalDist
from typing import Any

import numpy as np

LARGEST_STEP = 700.0  # larger arguments of exp overflow
ROUNDING = 1e-12  # relative spread due to rounding
MANY_DEGREES, LARGEST_NORMAL = 200.0, 3.5
SERIES = {  # by the power of 1 / df: the divisor, and the coefficients of z from its highest power down
    1: (4, (1, 0, 1, 0)),
    2: (96, (5, 0, 16, 0, 3, 0)),
    3: (384, (3, 0, 19, 0, 17, 0, -15, 0)),
    4: (92_160, (79, 0, 776, 0, 1482, 0, -1920, 0, -945, 0)),
    5: (368_640, (27, 0, 339, 0, 930, 0, -1782, 0, -765, 0, 17955, 0)),
}
STEP = 1e-3  # of a standard error, in a numerical derivative


def normal_quantile(level: float) -> float:
    """The normal quantile of a two-sided interval: 1.96 at 0.95."""
    return -NormalDist().inv_cdf((1 - level) / 2)


def normal_quantiles(probability: np.ndarray) -> np.ndarray:
    """The normal quantiles of a few thousand probabilities, without SciPy, which is slow to load."""
    return np.array([*map(NormalDist().inv_cdf, probability.tolist())])


def student_quantile(level: float, df: float) -> float:
    """The quantile of Student's t with so many degrees of freedom; the normal one for infinity.

    For 200 and more it is a series in 1 / df, which agrees with SciPy to 1e-12: loading SciPy takes longer
    than an evaluation. Source: Goldberg and Levine (1946), Annals of Mathematical Statistics 17, 216-225.
    """
    z = normal_quantile(level)
    if df >= MANY_DEGREES and z < LARGEST_NORMAL:
        return z + sum(float(np.polyval(terms, z)) / (scale * df**k) for k, (scale, terms) in SERIES.items())
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))


def student_quantiles(level: float, df: np.ndarray) -> np.ndarray:
    """The quantiles for an array of degrees of freedom."""
    from scipy.special import stdtrit

    finite = np.isfinite(df)
    return np.where(finite, stdtrit(np.where(finite, df, 1.0), (1 + level) / 2), normal_quantile(level))


def wald_on_scale(
    value: float, error: float, ends: tuple[float, float], level: float, df: float = inf
) -> tuple[float, float]:
    """value +- z * standard error, on the scale for the range; t in place of z with df.

    The scale is the logit in (0, 1), the log from 0 on, and Fisher's z in (-1, 1). By the delta method the
    standard error there is error / (value (1 - value)), error / value or error / (1 - value^2). For any other
    range there is no transformation, and the bounds are clipped.
    """
    z = student_quantile(level, df)
    if ends == (0.0, inf):
        step = min(z * error / value, LARGEST_STEP)
        return value * exp(-step), value * exp(step)
    if ends == (0.0, 1.0):
        centre, step = log(value / (1 - value)), z * error / (value * (1 - value))
        return _expit(centre - step), _expit(centre + step)
    if ends == (-1.0, 1.0):
        centre, step = atanh(value), z * error / (1 - value**2)
        return tanh(centre - step), tanh(centre + step)
    return max(value - z * error, ends[0]), min(value + z * error, ends[1])


def error_of_function(function: Callable[..., Any], value: Any, error: Any) -> Any:
    """The standard error of a function of a value, to first order (delta method).

    It is the derivative times the error of the value.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        up, down = function(value + STEP * error), function(value - STEP * error)
        return np.abs(np.subtract(up, down)) / (2 * STEP)


class Scale:
    """An unbounded scale for a range.

    The logit between two ends, the log from or to one, and no transformation where there are none.
    """

    def __init__(self, ends: tuple[float, float]):
        self.low, self.high = ends

    def to(self, value: Any) -> Any:
        """From the range to the scale."""
        if self.high == inf:
            return value if self.low == -inf else np.log(np.subtract(value, self.low))
        if self.low == -inf:
            return -np.log(np.subtract(self.high, value))
        return np.log(np.subtract(value, self.low)) - np.log(np.subtract(self.high, value))

    def inside(self, value: float) -> bool:
        """Whether the value is within the range, not at an end of it, which is infinite on the scale."""
        return self.low < value < self.high

    def slope(self, value: float) -> float:
        """The derivative of the scale: an error on it is the error times this."""
        below, above = value - self.low, self.high - value  # infinite for an unbounded range
        return 1 / below + 1 / above if isfinite(below) or isfinite(above) else 1.0

    @property
    def name(self) -> str:
        """The suffix in the name of a method."""
        ends = (self.low > -inf) + (self.high < inf)
        return ("", "-log", "-logit")[ends]

    def back(self, value: float) -> float:
        """From the scale to the range."""
        if self.high == inf:
            return value if self.low == -inf else self.low + exp(min(value, LARGEST_STEP))
        if self.low == -inf:
            return self.high - exp(min(-value, LARGEST_STEP))
        return self.low + (self.high - self.low) * _expit(value)

    def around(self, value: float, error: float, level: float, df: float = inf) -> tuple[float, float]:
        """value +- z * error, with degrees of freedom t * error, the error being on the scale."""
        centre, step = self.to(value), student_quantile(level, df) * error
        return self.back(centre - step), self.back(centre + step)


def _expit(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))
