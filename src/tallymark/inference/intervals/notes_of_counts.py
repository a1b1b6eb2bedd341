"""Notes on intervals from few or unequally weighted counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...input.messages.notes import Note
from ...summaries import Counts
from .. import effective
from ..effective import (
    ENOUGH,
    UNSURE,
    cells_of,
    numbers,
    spread,
)
from ..effective import parts as parts

FEW_IN_A_CELL = 5  # cases, below which resampled counts, and halves, cover 92 to 99 %


ONE_CELL = Note("few-in-a-count", limit=FEW_IN_A_CELL)


EVERY_CELL = np.ones(4)


def noted(where: np.ndarray, note: Note, otherwise: Any = None) -> np.ndarray:
    """The note where it applies; otherwise: None, a note, or an array of as many entries."""
    notes = np.empty(np.shape(where), object)
    notes[...] = otherwise
    notes[where] = note
    return notes


def few_notes(counts: Counts) -> np.ndarray:
    """The notes on few cases in a cell, or on weights that vary among few cases."""
    return noted(_few(counts), ONE_CELL, noted(unsure(counts, [EVERY_CELL]), UNSURE))


def unsure(counts: Counts, several: Sequence[np.ndarray]) -> np.ndarray:
    """Whether weights vary among cells that count together, and one of them has few cases.

    The squared weights are then uncertain, too.
    """
    size = np.where(cells_of(counts) > 0, numbers(counts), np.inf)
    few = (
        (size[one > 0] < ENOUGH).any(0) & (spread(counts, one) > 1 + effective.ROUNDING) for one in several
    )
    found: np.ndarray = np.any(list(few), axis=0)
    return found


def _few(counts: Counts) -> np.ndarray:
    found: np.ndarray = np.any(numbers(counts) < FEW_IN_A_CELL, axis=0)
    return found
