"""The native kernel of areas of many classes behind the interface of its NumPy twin, in two threads."""

from __future__ import annotations

from functools import partial

import numpy as np

from . import _native  # type: ignore[attr-defined]  # built by CMake
from ._numpy_areas import OwnScores, halves_of
from .memory import wider
from .threads import together

SCORES_WORTH_A_THREAD = 1 << 16


def areas(
    score: np.ndarray,
    truth: np.ndarray,
    worth: np.ndarray,
    weight: np.ndarray,
    own: OwnScores,
    share: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """See `_numpy_areas.areas`."""
    classes, sums = score.shape[1], np.zeros((len(share), len(score)))
    others, pairs = np.zeros((2, len(own.above))), np.zeros((2, classes, classes))
    own = own._replace(score=wider(own.score))
    given = np.ascontiguousarray(wider(score).T), truth, worth, weight, *own, share

    def half(i: int) -> None:
        rows = halves_of(len(score))[i]
        _native.areas(*given, rows.start, rows.stop, sums, others[i], pairs[i])

    together(partial(half, 0), partial(half, 1), when=score.size >= SCORES_WORTH_A_THREAD)
    return sums, others[0] + others[1], pairs[0] + pairs[1]
