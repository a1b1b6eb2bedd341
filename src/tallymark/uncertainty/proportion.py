"""Intervals of a proportion: x of n. Numbers or arrays; NaN where n is 0."""

from __future__ import annotations

import numpy as np

from ..registry import ratio
from .scale import normal_quantile, wald_on_scale


def wilson(x, n, level: float):
    """Wilson's score interval: the proportions that a score test at this level would not reject.

    Good from the smallest n on; not conservative. Source: Wilson (1927); Brown, Cai and DasGupta (2001), Eq. 4.
    """
    z2 = normal_quantile(level) ** 2
    centre = ratio(x + z2 / 2, n + z2)
    half = np.sqrt(z2) / (n + z2) * np.sqrt(ratio(x * (n - x), n) + z2 / 4)
    # At the ends the bound is exactly 0 or 1; rounding must not leave it just outside or inside.
    low, high = np.where(x == 0, 0.0, np.maximum(centre - half, 0.0)), np.where(x == n, 1.0, np.minimum(centre + half, 1.0))
    return _undefined_without_cases(n, low, high)


def clopper_pearson(x, n, level: float):
    """The exact interval: each tail of the binomial at its bound holds (1 - level) / 2. Never covers less than the level.

    Source: Clopper and Pearson (1934); Berrar, Def. 37, there by the F distribution, here by the beta: the same numbers.
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = np.where(x == 0, 0.0, betaincinv(np.where(x == 0, 1.0, x), n - x + 1.0, tail))
    high = np.where(x == n, 1.0, betaincinv(x + 1.0, np.where(x == n, 1.0, n - x), 1 - tail))
    return _undefined_without_cases(n, low, high)


def mean_of(x, n, level: float, method: str) -> tuple[float, float, str]:
    """Bounds of the mean of proportions of cases that are counted apart, and what they are called.

    On the logit scale, from the variances p (1 - p) / n, p = (x + 1/2) / (n + 1) so that a class without mistakes has one.
    Of two proportions, and where the mean is 0 or 1, Newcombe's: their bounds put together. These are as skewed as those of one
    proportion, which a mean of many is not. Source: Newcombe (1998); Zou and Donner (2008).
    """
    shares, size = x / n, len(n)
    value = float(shares.mean())
    if size > 2 and 0 < value < 1:
        smooth = (x + 0.5) / (n + 1)
        error = float(np.sqrt((smooth * (1 - smooth) / n).sum())) / size
        return *wald_on_scale(value, error, (0.0, 1.0), level), "delta"
    low, high = METHODS[method](x, n, level)
    down, up = float(np.linalg.norm(shares - low)) / size, float(np.linalg.norm(high - shares)) / size
    return max(value - down, 0.0), min(value + up, 1.0), "newcombe"


def _undefined_without_cases(n, low, high):
    return np.where(n == 0, np.nan, low), np.where(n == 0, np.nan, high)


METHODS = {"wilson": wilson, "clopper-pearson": clopper_pearson}
