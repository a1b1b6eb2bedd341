"""The native kernels of the bootstrap behind the interface of their NumPy twins, in several threads."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from . import _native  # type: ignore[attr-defined]  # built by CMake
from .threads import Task, processors

CASES_WORTH_A_THREAD = 1 << 16  # drawn, over all replicates


def draw(
    seed: int,
    first: int,
    replicates: int,
    limit: np.ndarray,
    sizes: np.ndarray,
    place: np.ndarray | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """See `_numpy_resample.draw`."""
    times = np.empty((replicates, sizes.sum()), np.uint8)
    _shared_out(lambda a, b: _native.draw(seed, first + a, limit, sizes, place, times[a:b]), times, threads)
    return times


def draw_poisson(
    seed: int, first: int, replicates: int, size: int, limit: np.ndarray, threads: int | None = None
) -> np.ndarray:
    """See `_numpy_resample.draw_poisson`."""
    times = np.empty((replicates, size), np.uint8)
    _shared_out(lambda a, b: _native.draw_poisson(seed, first + a, limit, times[a:b]), times, threads)
    return times


def among(times: np.ndarray, masks: np.ndarray, threads: int | None = None) -> np.ndarray:
    """See `_numpy_resample.among`."""
    sums = np.empty((len(times), len(masks)), np.int64)
    _shared_out(lambda a, b: _native.among(times[a:b], masks, sums[a:b]), times, threads)
    return sums


def weighed(times: np.ndarray, numbers: np.ndarray, threads: int | None = None) -> np.ndarray:
    """See `_numpy_resample.weighed`."""
    sums = np.empty((len(times), len(numbers)))
    _shared_out(lambda a, b: _native.weighed(times[a:b], numbers, sums[a:b]), times, threads)
    return sums


def swept(
    times: np.ndarray,
    order: np.ndarray | None,
    positive: np.ndarray,
    at: np.ndarray,
    held: np.ndarray,
    starts: np.ndarray | None,
    threads: int | None = None,
) -> np.ndarray:
    """See `_numpy_resample.swept`."""
    sums = np.empty((len(times), 6))
    _shared_out(
        lambda a, b: _native.swept(times[a:b], order, positive, at, held, starts, sums[a:b]), times, threads
    )
    return sums


def _shared_out(work: Callable[[int, int], None], times: np.ndarray, threads: int | None) -> None:
    """Replicates [a, b) for each thread; a replicate does not depend on the thread."""
    wanted = min(threads or processors(), len(times), max(times.size // CASES_WORTH_A_THREAD, 1))
    ends = [len(times) * i // wanted for i in range(wanted + 1)] if wanted > 1 else [0, len(times)]
    tasks = [Task(wanted - 1, work, a, b) for a, b in pairwise(ends[1:])]
    work(0, ends[1])
    for task in tasks:
        task.result()
