"""Corners of convex hulls."""

import numpy as np

from .counts import Counts

FEWEST_STEPS = 8  # that NumPy adds in parallel


def without_pauses(corner: np.ndarray) -> np.ndarray:
    """The corners alone, of the indices of the last corner so far along the last axis.

    A row has one entry more than a power of two, so that sums over the steps have the same digits with any
    other rows: the last corner is repeated.
    """
    rows = corner.reshape(-1, corner.shape[-1])
    row, column = np.nonzero(rows == np.arange(rows.shape[-1]))
    many = np.bincount(row, minlength=len(rows))
    steps = max(FEWEST_STEPS, 1 << int(many.max(initial=2) - 2).bit_length())
    found = np.repeat(rows[:, -1:], 1 + steps, axis=-1)
    found[row, np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many)] = column
    return found.reshape(*corner.shape[:-1], 1 + steps)


def at_places(counts: Counts, place: np.ndarray) -> Counts:
    """The counts at these indices along the last axis; at the last threshold all are predicted positive."""
    tp, fp = (np.take_along_axis(part, place, -1) for part in (counts.tp, counts.fp))
    return Counts.of(tp, fp, tp[..., -1:] - tp, fp[..., -1:] - fp)
