"""The native kernel of areas of many classes behind the interface of its NumPy twin, in two threads."""

from __future__ import annotations

import numpy as np

from . import _native  # type: ignore[attr-defined]  # built by CMake
from ._numpy_areas import OwnScores, halves_of
from .threads import Task, processors

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
    given = np.ascontiguousarray(score.T), truth, worth, weight, *own, share

    def half(i: int) -> None:
        rows = halves_of(len(score))[i]
        _native.areas(*given, rows.start, rows.stop, sums, others[i], pairs[i])

    if score.size < SCORES_WORTH_A_THREAD or processors() == 1:
        half(0)
        half(1)
    else:
        task = Task(1, half, 1)
        half(0)
        task.result()
    return sums, others[0] + others[1], pairs[0] + pairs[1]
