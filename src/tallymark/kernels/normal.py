"""The normal distribution function and its inverse of arrays, without SciPy, which takes long to load."""

from __future__ import annotations

from math import erfc, inf, nan, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

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
