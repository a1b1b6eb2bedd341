"""matplotlib, which is loaded when a figure is drawn."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...input.validate import InputError


def load(module: str = "matplotlib.pyplot") -> Any:
    """A module of matplotlib. Raises InputError where matplotlib is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(
            "not-installed",
            "plot",
            "figures need matplotlib",
            "pip install 'tallymark[plot]'; curves can be saved as .svg without it",
        ) from None
