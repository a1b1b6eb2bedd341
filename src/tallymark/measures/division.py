"""The division that measures use, and the ends of their ranges."""

from __future__ import annotations

from typing import Any

import numpy as np


def ratio(numerator: Any, denominator: Any) -> Any:
    """The one place that divides. 0/0 is NaN; a positive number over 0 is infinity; arrays entry by entry."""
    if isinstance(denominator, float):
        if denominator:
            return numerator / denominator
        if not np.ndim(numerator):
            return np.nan if not numerator or numerator != numerator else np.inf if numerator > 0 else -np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(numerator, denominator)


def within(value: Any, low: float, high: float) -> Any:
    """The value, kept from leaving its range by rounding; NaN stays NaN."""
    return min(max(value, low), high) if isinstance(value, float) else np.clip(value, low, high)
