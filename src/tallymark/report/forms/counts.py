"""Four counts: as a two-by-two table; arrays of them as they are."""

from __future__ import annotations

import numpy as np

from ...evaluation.contingency import Contingency
from ...summaries import Counts
from . import contingency, rows


def as_text(c: Counts) -> str:
    """The counts with their margins and the eight ratios."""
    return rows.as_text(c) if np.ndim(c.tp) else contingency.as_text(Contingency(c))


def as_html(c: Counts) -> str:
    """The same."""
    return rows.as_html(c) if np.ndim(c.tp) else contingency.as_html(Contingency(c))
