"""Corners of convex hulls."""

import numpy as np

from .counts import Counts

FEWEST_STEPS = 8  # that NumPy adds in parallel


def padded(corner: np.ndarray, many: np.ndarray) -> np.ndarray:
    """The corners alone, of the indices of corners and their number along the last axis.

    A row has one entry more than a power of two, so that sums over the steps have the same digits with any
    other rows: the last corner is repeated.
    """
    steps = max(FEWEST_STEPS, 1 << int(many.max(initial=2) - 2).bit_length())
    place = np.minimum(np.arange(1 + steps), many[..., None] - 1)
    return np.take_along_axis(corner, place, -1)


def at_places(counts: Counts, place: np.ndarray) -> Counts:
    """The counts at these indices along the last axis; at the last threshold all are predicted positive."""
    tp, fp = (np.take_along_axis(part, place, -1) for part in (counts.tp, counts.fp))
    return Counts.of(tp, fp, tp[..., -1:] - tp, fp[..., -1:] - fp)
