"""The curves by name, entered where they are written."""

from __future__ import annotations

from collections.abc import Callable

from .curve import Curve

CURVES: dict[str, Callable[..., Curve]] = {}


def entered(function: Callable[..., Curve]) -> Callable[..., Curve]:
    """Enters a function of a RankingTable under its own name."""
    CURVES[function.__name__] = function
    return function
