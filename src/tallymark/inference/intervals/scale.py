"""Intervals on an unbounded scale, transformed back into the range of the measure."""

from __future__ import annotations

from collections.abc import Callable
from math import atanh, exp, inf, log, tanh
from typing import Any

import numpy as np

from ...summaries.ranking import sigmoid
from .quantiles import normal_quantile as normal_quantile
from .quantiles import student_quantile as student_quantile
from .quantiles import student_quantiles as student_quantiles

LARGEST_STEP = 700.0  # larger arguments of exp overflow
ROUNDING = 1e-12  # relative spread due to rounding
STEP = 1e-3  # of a standard error, in a numerical derivative


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
        return float(sigmoid(centre - step)), float(sigmoid(centre + step))
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

    def inside(self, value: Any) -> Any:
        """Whether the value is within the range, not at an end of it, which is infinite on the scale."""
        return (self.low < value) & (value < self.high)

    def slope(self, value: Any) -> Any:
        """The derivative of the scale: an error on it is the error times this."""
        if self.low == -inf and self.high == inf:
            return np.ones_like(value, float) if np.ndim(value) else 1.0
        return 1 / (value - self.low) + 1 / (self.high - value)  # 0 for an unbounded side

    @property
    def name(self) -> str:
        """The suffix in the name of a method."""
        ends = (self.low > -inf) + (self.high < inf)
        return ("", "-log", "-logit")[ends]

    def back(self, value: Any) -> Any:
        """From the scale to the range."""
        if self.high == inf:
            return value if self.low == -inf else self.low + np.exp(np.minimum(value, LARGEST_STEP))
        if self.low == -inf:
            return self.high - np.exp(np.minimum(np.negative(value), LARGEST_STEP))
        return self.low + (self.high - self.low) * sigmoid(value)

    def around(self, value: float, error: float, level: float, df: float = inf) -> tuple[float, float]:
        """value +- z * error, with degrees of freedom t * error, the error being on the scale."""
        centre, step = self.to(value), student_quantile(level, df) * error
        return self.back(centre - step), self.back(centre + step)
