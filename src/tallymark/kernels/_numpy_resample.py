"""The kernels of the bootstrap in NumPy: the reference for native/draw.hpp and native/resample.hpp."""

from __future__ import annotations

import numpy as np

from .products import drawn

CASES_IN_BLOCK = 4096
GOLDEN = 0x9E3779B97F4A7C15
DRAWS_AT_ONCE = 1 << 20
WORD = (1 << 64) - 1
LOWER = (1 << 32) - 1  # half of a word
LAST_STREAM = LOWER  # beyond the blocks
LANES, USUAL_LIMITS = 16, 7  # see native/draw.hpp


def draw(
    seed: int,
    first: int,
    replicates: int,
    limit: np.ndarray,
    sizes: np.ndarray,
    place: np.ndarray | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """How often each case is drawn, uint8 of shape (replicates, cases).

    Of each class as many draws as it has cases. seed: of 64 bits; first: the number of the first replicate;
    limit: uint32 of shape (classes, 20), as for `draw_poisson`, with a mean below 1; sizes: int64, of the one
    or two classes; place: uint32, the cases of the first class, then of the second, None for one class.
    threads: by default one per processor.
    """
    times = np.empty((replicates, sizes.sum()), np.uint8)
    step = max(1, DRAWS_AT_ONCE // max(times.shape[1], 1))
    for start in range(0, replicates, step):
        numbers = np.arange(first + start, first + min(start + step, replicates))
        parts = [_of_class(seed, numbers, c, limit[c], int(size)) for c, size in enumerate(sizes)]
        times[start : start + step, slice(None) if place is None else place] = np.concatenate(parts, axis=1)
    return times


def _of_class(seed: int, numbers: np.ndarray, part: int, limit: np.ndarray, size: int) -> np.ndarray:
    """Poisson numbers, and the draws that are missing at random; all again where they are too many."""
    times = np.zeros((len(numbers), size), np.uint8)
    if size and limit[0] < 1 << 16:
        times[:] = _poisson(seed, numbers, part, limit, size)
    missing = size - times.sum(axis=1, dtype=np.int64)
    again, missing = missing < 0, np.maximum(missing, 0)
    key = _streams(seed, numbers, np.array([part << 32 | LAST_STREAM]))
    # of the draw in its replicate
    number = np.arange(missing.sum()) - np.repeat(np.cumsum(missing) - missing, missing)
    random = mixed(np.repeat(key[:, 0], missing) + (number + 1).astype(np.uint64) * np.uint64(GOLDEN))
    case = np.repeat(np.arange(len(numbers)) * size, missing) + below(random, size)
    times += np.bincount(case, minlength=times.size).astype(np.uint8).reshape(times.shape)
    if again.any():
        times[again] = _of_class(seed, numbers[again], part + 2, limit, size)
    return times


def below(random: np.ndarray, size: int) -> np.ndarray:
    """Numbers from 0 to size - 1 for 64 random bits each: the high half of their product with the size."""
    half, wide = np.uint64(32), np.uint64(size)
    low = (random & np.uint64(LOWER)) * wide >> half
    return ((random >> half) * wide + low >> half).astype(np.int64)


def draw_poisson(
    seed: int, first: int, replicates: int, size: int, limit: np.ndarray, threads: int | None = None
) -> np.ndarray:
    """How often each case is drawn, uint8 of shape (replicates, cases), by a Poisson distribution.

    limit: uint32, 7 usual and 13 rare ones. The usual ones are the probabilities of no more than 0, 1, 2, ...
    6 draws times 2^16, where the probability of each number is rounded down. The rare ones are those of a
    case whose 16 bits reach all of these, times 2^32.
    """
    times = np.empty((replicates, size), np.uint8)
    step = max(1, DRAWS_AT_ONCE // max(size, 1))
    for start in range(0, replicates, step):
        numbers = np.arange(first + start, first + min(start + step, replicates))
        times[start : start + step] = _poisson(seed, numbers, 0, limit, size)
    return times


def _poisson(seed: int, numbers: np.ndarray, part: int, limit: np.ndarray, size: int) -> np.ndarray:
    """By 16 random bits of each case, and by 32 more of a case whose bits reach all usual limits."""
    blocks = -(-size // CASES_IN_BLOCK)
    key = _streams(seed, numbers, np.arange(blocks) + (part << 32))
    random = _random(key, min(size, CASES_IN_BLOCK)).reshape(len(numbers), -1)[:, :size]
    found: np.ndarray = np.searchsorted(limit[:USUAL_LIMITS].astype(np.uint16), random, side="right")
    replicate, case = np.nonzero(found == USUAL_LIMITS)
    counter = (case % CASES_IN_BLOCK + 1).astype(np.uint64) * np.uint64(GOLDEN)
    more = (mixed(key[replicate, case // CASES_IN_BLOCK] - counter) & np.uint64(LOWER)).astype(np.uint32)
    found[replicate, case] = np.searchsorted(limit[USUAL_LIMITS:], more, side="right")
    return found


def _random(key: np.ndarray, size: int) -> np.ndarray:
    """16 random bits of the first cases of each block, uint16 of shape (*key.shape, cases).

    xoshiro128++ (Blackman and Vigna 2021) in 16 lanes: of each step the low halves, then the high halves.
    """
    counter = np.arange(1, 2 * LANES + 1, dtype=np.uint64) * np.uint64(GOLDEN)
    both = mixed(key[..., None] + counter)
    state = np.stack([both & np.uint64(LOWER), both >> np.uint64(32)], axis=-1).astype(np.uint32)
    a, b, c, d = np.moveaxis(state.reshape(*key.shape, 4, LANES), -2, 0)
    steps = -(-size // (2 * LANES))
    random = np.empty((*key.shape, steps, 2, LANES), np.uint16)
    for step in range(steps):
        number = _turned(a + d, 7) + a
        random[..., step, 0, :], random[..., step, 1, :] = number, number >> np.uint32(16)
        c, d, shifted = c ^ a, d ^ b, b << np.uint32(9)
        a, b, c, d = a ^ d, b ^ c, c ^ shifted, _turned(d, 11)
    return random.reshape(*key.shape, -1)


def _turned(bits: np.ndarray, by: int) -> np.ndarray:
    found: np.ndarray = bits << np.uint32(by) | bits >> np.uint32(32 - by)
    return found


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


def _streams(seed: int, numbers: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """The start of the stream of each replicate and block, uint64 of shape (replicates, blocks)."""
    golden = np.uint64(GOLDEN)
    start = mixed(np.array([(seed + GOLDEN) & WORD], np.uint64))
    of_replicate = mixed(start + numbers.astype(np.uint64) * golden)
    return mixed(of_replicate[:, None] + blocks.astype(np.uint64) * golden)


def mixed(z: np.ndarray) -> np.ndarray:
    """The finalizer of SplitMix64: one random number per counter. Source: Steele, Lea and Flood (2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: np.ndarray = z ^ (z >> np.uint64(31))
    return found
