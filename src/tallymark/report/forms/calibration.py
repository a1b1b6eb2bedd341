"""How well calibrated probabilities are: the figures, and the reliability curve."""

from __future__ import annotations

from ...evaluation.calibration import Calibration
from . import curve, rows


def as_html(c: Calibration) -> str:
    """The rows, and the curve."""
    return f"{rows.as_html(c)}\n{curve.as_html(c.curve())}"
