"""The kernels of the bootstrap in NumPy: the reference for the native ones (see native/resample.hpp)."""

from __future__ import annotations

import numpy as np

from .products import drawn

CASES_IN_BLOCK = 4096
GOLDEN = 0x9E3779B97F4A7C15
DRAWS_AT_ONCE = 1 << 20
WORD = (1 << 64) - 1


def draw(
    seed: int, first: int, placed: np.ndarray, held: np.ndarray, place: np.ndarray, threads: int | None = None
) -> np.ndarray:
    """How often each case is drawn, uint8 of shape (replicates, cases).

    seed: of 64 bits; first: the number of the first replicate; placed: int64 of shape (replicates, blocks,
    classes), how many draws fall into each block of 4,096 cases; held: int64 of shape (blocks, classes), how
    many cases are there; place: uint16, block by block the places in the block of the cases of the first
    class, then of the next. threads: by default one per processor.
    """
    replicates, size = len(placed), len(place)
    times = np.empty((replicates, size), np.uint8)
    step = max(1, DRAWS_AT_ONCE // max(size, 1))
    for start in range(0, replicates, step):
        part = placed[start : start + step]
        times[start : start + step] = _drawn(seed, first + start, part, held, place)
    return times


def _drawn(seed: int, first: int, placed: np.ndarray, held: np.ndarray, place: np.ndarray) -> np.ndarray:
    replicates, blocks, classes = placed.shape
    of_block = placed.sum(2).ravel()  # one entry per replicate and block
    keys = _streams(seed, first, replicates, blocks)
    # of the draw in its block
    number = np.arange(of_block.sum()) - np.repeat(np.cumsum(of_block) - of_block, of_block)
    cell = np.repeat(np.tile(np.arange(blocks * classes), replicates), placed.ravel())
    random = mixed(np.repeat(keys.ravel(), of_block) + (number + 1).astype(np.uint64) * np.uint64(GOLDEN))
    index = ((random >> np.uint64(12)) * held.ravel().astype(np.uint64)[cell]) >> np.uint64(52)
    before = np.cumsum(held.ravel()) - held.ravel()
    case = place[before[cell] + index.astype(np.int64)] + (cell // classes) * CASES_IN_BLOCK
    row = np.repeat(np.arange(replicates), of_block.reshape(replicates, blocks).sum(1))
    return np.bincount(row * len(place) + case, minlength=replicates * len(place)).reshape(
        replicates, len(place)
    )


def draw_poisson(
    seed: int, first: int, replicates: int, size: int, limit: np.ndarray, threads: int | None = None
) -> np.ndarray:
    """How often each case is drawn, uint8 of shape (replicates, cases), by a Poisson(1) distribution.

    limit: uint32, the probabilities of no more than 0, 1, 2, ... draws times 2^32.
    """
    blocks = -(-size // CASES_IN_BLOCK)
    times = np.empty((replicates, size), np.uint8)
    counter = np.arange(1, CASES_IN_BLOCK // 2 + 1, dtype=np.uint64) * np.uint64(GOLDEN)
    step = max(1, DRAWS_AT_ONCE // max(size, 1))
    for start in range(0, replicates, step):
        part = min(step, replicates - start)
        both = mixed(_streams(seed, first + start, part, blocks)[..., None] + counter)
        random = np.stack([both & np.uint64(0xFFFFFFFF), both >> np.uint64(32)], axis=-1).reshape(part, -1)[
            :, :size
        ]
        times[start : start + part] = np.searchsorted(limit, random.astype(np.uint32), side="right")
    return times


def among(times: np.ndarray, masks: np.ndarray, threads: int | None = None) -> np.ndarray:
    """The number of draws of the cases of each mask (uint8, (masks, cases)), int64 (replicates, masks)."""
    return _summed(times, masks).astype(np.int64)


def weighed(times: np.ndarray, numbers: np.ndarray, threads: int | None = None) -> np.ndarray:
    """The sums over the draws of numbers (float64, (columns, cases)), shape (replicates, columns)."""
    return _summed(times, numbers)


def swept(
    times: np.ndarray,
    order: np.ndarray | None,
    positive: np.ndarray,
    at: np.ndarray,
    held: np.ndarray,
    starts: np.ndarray | None,
    threads: int | None = None,
) -> np.ndarray:
    """Sums of each replicate from the highest score down, float64 of shape (replicates, 6).

    They are the positives, the negatives, twice the pairs in the right order (a tie counts once), the sum
    over the positives of the precision at their score, and the highest and the lowest of tp * negatives -
    fp * positives. times: (replicates, cases); order: uint32, the cases by falling score, None where they are
    in that order; positive: uint8, in that order; at: uint16, where in each block of 4,096 the positives are,
    and held how many, per block; starts: int64, where each distinct score starts, and the end; None where no
    score is shared.
    """
    step = max(1, DRAWS_AT_ONCE // max(times.shape[1], 1))
    parts = [_swept(times[i : i + step], order, positive, starts) for i in range(0, len(times), step)]
    return np.concatenate(parts) if parts else np.empty((0, 6))


def _swept(
    times: np.ndarray, order: np.ndarray | None, positive: np.ndarray, starts: np.ndarray | None
) -> np.ndarray:
    weight = (times if order is None else times[:, order]).astype(np.int64)
    of_class = [weight * positive, weight * (1 - positive)]
    if starts is not None:
        of_class = [np.add.reduceat(part, starts[:-1], axis=1) for part in of_class]
    up, along = of_class
    tp, fp = np.cumsum(up, axis=1), np.cumsum(along, axis=1)
    positives, negatives = tp[:, -1:], fp[:, -1:]
    area = (up * (2 * negatives - fp - (fp - along))).sum(1)
    precision = (up * (tp / np.maximum(tp + fp, 1))).sum(1)
    difference = tp * negatives - fp * positives
    ends = np.maximum(difference.max(1), 0), np.minimum(difference.min(1), 0)
    return np.stack([positives[:, 0], negatives[:, 0], area, precision, *ends], axis=1).astype(np.float64)


def _summed(times: np.ndarray, columns: np.ndarray) -> np.ndarray:
    step = max(1, DRAWS_AT_ONCE // max(times.shape[1], 1))
    parts = [drawn(times[i : i + step], columns.T) for i in range(0, len(times), step)]
    return np.concatenate(parts) if parts else np.empty((0, len(columns)))


def _streams(seed: int, first: int, replicates: int, blocks: int) -> np.ndarray:
    """The start of the stream of each replicate and block, uint64 of shape (replicates, blocks)."""
    golden = np.uint64(GOLDEN)
    start = mixed(np.array([(seed + GOLDEN) & WORD], np.uint64))
    of_replicate = mixed(start + np.arange(first, first + replicates, dtype=np.uint64) * golden)
    return mixed(of_replicate[:, None] + np.arange(blocks, dtype=np.uint64) * golden)


def mixed(z: np.ndarray) -> np.ndarray:
    """The finalizer of SplitMix64: one random number per counter. Source: Steele, Lea and Flood (2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: np.ndarray = z ^ (z >> np.uint64(31))
    return found
