"""Intervals on a scale that has no ends, turned back: so no bound leaves the range of the measure."""

from __future__ import annotations

from math import exp, isinf, log
from statistics import NormalDist


def normal_quantile(level: float) -> float:
    """The z of a two-sided interval: 1.96 at 0.95."""
    return -NormalDist().inv_cdf((1 - level) / 2)


def wald_on_scale(value: float, error: float, upper: float, level: float) -> tuple[float, float]:
    """value +- z * standard error, worked out on the logit scale in (0, 1) or on the log scale in (0, infinity).

    By the delta method the standard error there is error / (value (1 - value)), or error / value.
    """
    z = normal_quantile(level)
    if isinf(upper):
        step = z * error / value
        return value * exp(-step), value * exp(step)
    centre, step = log(value / (1 - value)), z * error / (value * (1 - value))
    return _expit(centre - step), _expit(centre + step)


def _expit(x):
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))
