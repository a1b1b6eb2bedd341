"""The curves by name, entered where they are defined."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from .curve import Curve

CURVES: dict[str, Callable[..., Curve]] = {}
OF_PROBABILITIES: list[str] = []


def entered(function: Callable[..., Curve]) -> Callable[..., Curve]:
    """Enters a function of a RankingTable under its own name."""
    CURVES[function.__name__] = function
    return function


def of_probabilities(function: Callable[..., Curve]) -> Callable[..., Curve]:
    """Enters a function for scores that are probabilities."""
    OF_PROBABILITIES.append(function.__name__)
    return entered(function)


def has_own_band(name: str) -> bool:
    """Whether the function of that curve makes its band itself, with `level=` and `band=`."""
    return name in CURVES and "band" in inspect.signature(CURVES[name]).parameters
