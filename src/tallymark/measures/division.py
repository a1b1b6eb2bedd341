"""The division that measures use, and clipping to their ranges."""

from __future__ import annotations

from typing import Any

import numpy as np


def ratio(numerator: Any, denominator: Any) -> Any:
    """Division where 0/0 is NaN and a positive number over 0 infinity, without warnings."""
    if isinstance(denominator, float):
        if denominator:
            return numerator / denominator
        if not np.ndim(numerator):
            return np.nan if not numerator or numerator != numerator else np.inf if numerator > 0 else -np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(numerator, denominator)


def within(value: Any, low: float, high: float) -> Any:
    """The value clipped to its range against rounding errors; NaN stays NaN."""
    if isinstance(value, float):
        return min(max(value, low), high)
    return np.minimum(np.maximum(value, low), high)


def plain(value: Any) -> Any:
    """A number as a Python float, an array as it is."""
    return value if np.ndim(value) else float(value)
