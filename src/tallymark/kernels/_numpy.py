"""The kernels in NumPy: the reference for the native ones, used where no compiler was found.

Arrays in, arrays out; only what a single pass notices is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from .products import blocks, power_of_two, sums

Table = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores, the weight of positives and of negatives at each
Powers = tuple[np.ndarray, float, np.ndarray]  # the means, the unit, and the sums by row, part and power
POWERS, DEGREES = 5, 10  # of powers 0 to 4; of polynomials 0 to 9
LANES = 8  # sums side by side, a power of two
ADDED_AT_ONCE = 1 << 10  # rows, as native/curve.hpp sums them


def tally(
    truth: np.ndarray,
    predicted: np.ndarray,
    weight: np.ndarray | None,
    positive: float,
    called_positive: float,
) -> tuple[float, float, float, float, Any, Any] | None:
    """Four weights from two columns of labels.

    truth, predicted: one-dimensional, of any boolean or numeric type; weight: float64 or None; positive,
    called_positive: the number that means positive in each.
    Returns (tp, fp, fn, tn, negative label of truth, negative label of predicted), a negative label being the
    first one that is not positive (None if there is none), or None where a column holds a third label or a
    NaN.
    """
    true_negative, predicted_negative = _negative(truth, positive), _negative(predicted, called_positive)
    if _stray(truth, positive, true_negative) or _stray(predicted, called_positive, predicted_negative):
        return None
    cell = 2 * (truth == positive) + (predicted == called_positive)
    tn, fp, fn, tp = (np.bincount(cell, minlength=4) if weight is None else sums(cell, weight, 4)).tolist()
    return float(tp), float(fp), float(fn), float(tn), true_negative, predicted_negative


def rank(truth: np.ndarray, score: np.ndarray, positive: float) -> tuple[Any, ...] | None:
    """One row per distinct score, highest first.

    score: float32 or float64, one-dimensional; the rest as in `tally`.
    Returns (score, positive, negative, negative label): the number of positives and of negatives at each
    score, int64; or None where a score is NaN or a label is a third one.
    """
    negative = _negative(truth, positive)
    if _stray(truth, positive, negative) or np.isnan(score).any():
        return None
    distinct, row = np.unique(score + score.dtype.type(0), return_inverse=True)
    hit = truth == positive
    return *_add_up(distinct, row, hit.astype(np.int64), (~hit).astype(np.int64)), negative


def split(truth: np.ndarray, score: np.ndarray, positive: float) -> tuple[np.ndarray, np.ndarray, Any] | None:
    """The scores of positives, those of negatives, and the negative label; None as in `rank`."""
    negative, there = _negative(truth, positive), truth == positive
    if _stray(truth, positive, negative) or np.isnan(score).any():
        return None
    score = score + score.dtype.type(0)  # without -0
    return score[there], score[~there], negative


def merge(*tables: Table) -> Table:
    """Merges ranking tables (score, positive, negative) of the same types."""
    score, positive, negative = map(np.concatenate, zip(*tables, strict=True))
    return _add_up(*np.unique(score, return_inverse=True), positive, negative)


def concordance(positive: np.ndarray, negative: np.ndarray) -> float:
    """Twice the weight of the pairs in which the positive scores higher, a tie counting once.

    Exact in int64. In floats the sums are compensated, so that small weights next to large ones keep their
    digits.
    """
    if positive.dtype.kind != "f":
        return (negative @ (2 * np.cumsum(positive) - positive)).item()
    return fsum(negative * (2 * _running(positive)[:-1] + positive))


def pairs(truth: np.ndarray, score: np.ndarray, positive: float) -> None:
    """None: see `summaries.ranking`, which takes a table then; NumPy counts no pairs without a sort."""


def hull(tp: np.ndarray, fp: np.ndarray) -> np.ndarray:
    """The last corner of the upper convex hull of the ROC curve at or before each point, as an index.

    tp, fp: rising from 0 along the last axis, float64, C-contiguous; leading axes hold other curves. The
    slopes of the hull are the decreasing isotonic regression of the proportion of positives at each score.
    """
    if tp.ndim > 1:
        rows = (-1, tp.shape[-1])
        return np.stack([hull(*row) for row in zip(tp.reshape(rows), fp.reshape(rows), strict=True)]).reshape(
            tp.shape
        )
    from scipy.optimize import isotonic_regression

    positive = np.diff(tp)
    weight = positive + np.diff(fp)
    there = np.flatnonzero(weight)
    corner = np.zeros(len(tp), np.int64)
    if len(there):
        blocks = isotonic_regression(
            positive[there] / weight[there], weights=weight[there], increasing=False
        ).blocks
        ends = there[blocks[1:] - 1] + 1
        ends[-1:] = len(tp) - 1
        corner[ends] = ends
    return np.maximum.accumulate(corner)


def corners(tp: np.ndarray, fp: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The indices of the corners of the hull of each row, first of it, and how many there are.

    tp, fp: as for `hull`, with at least one point. What follows the corners of a row is undefined.
    """
    rows = hull(tp, fp).reshape(-1, tp.shape[-1])
    row, column = np.nonzero(rows == np.arange(rows.shape[-1]))
    many = np.bincount(row, minlength=len(rows))
    rows[row, np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many)] = column
    return rows.reshape(tp.shape), many.reshape(tp.shape[:-1])


def powers(values: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> Powers:
    """Of each part the mean by the first row of weights, and sums of the powers of the distances to it.

    starts: the first entry of each part, the first 0; weights: (rows, entries), C-contiguous float64. The
    distances are in a unit, a power of two that none reaches, 1 where one is not finite.
    """
    add = _in_lanes(starts, len(values))
    with np.errstate(over="ignore", invalid="ignore"):  # not finite then, as the caller sees
        total, first = add(weights[0]), add(weights[0] * values)
        mean = np.divide(first, total, out=np.zeros_like(total), where=total > 0)
        off = values - np.repeat(mean, np.diff(starts, append=len(values)))
        unit = power_of_two(off)
        off /= unit
        sums = np.empty((len(weights), len(starts), POWERS))
        for of_row, product in zip(sums, weights, strict=True):
            for power in range(POWERS):
                of_row[:, power] = add(product)
                product = product * off
    return mean, unit, sums


class CurveSums(NamedTuple):
    """What a block of a ranking table adds to the sums along its curves.

    concordant, discordant, tied: of its pairs with the cases of the block, and of those above it; precision:
    over its positives. By class, of positives and of negatives: squares, the sum of the squared weights, and
    of the share of the other class that a case is ranked correctly against, where a tie counts one half, the
    mean and the sum of squared distances to it, both weighted by squares.
    """

    concordant: float
    discordant: float
    tied: float
    precision: float
    squares: tuple[float, float]
    mean: tuple[float, float]
    spread: tuple[float, float]


def curve_sums(
    positive: np.ndarray,
    negative: np.ndarray,
    squared: tuple[np.ndarray, ...] | None,
    above: tuple[float, float],
    totals: tuple[float, float],
) -> CurveSums:
    """The sums of consecutive rows of a table.

    squared: the sums of squared weights of both classes, None where they are the weights; above: the
    positives and the negatives above these rows; totals: those of the table.
    """
    p, n = positive.astype(np.float64), negative.astype(np.float64)
    tp, fp = (np.add.accumulate(np.append(start, one))[1:] for start, one in zip(above, (p, n), strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = (totals[1] - fp + n / 2) / totals[1], (tp - p / 2) / totals[0]
        precision = np.divide(tp, tp + fp, out=np.zeros(len(p)), where=p > 0)
        by_class = [_about_mean(*one) for one in zip(squared or (p, n), shares, strict=True)]
    concordant, discordant, tied, precise = map(_in_turn, (n * (tp - p), p * (fp - n), p * n, p * precision))
    return CurveSums(concordant, discordant, tied, precise, *zip(*by_class, strict=True))


def _about_mean(weight: np.ndarray, x: np.ndarray) -> tuple[float, float, float]:
    total = _in_turn(weight)
    mean = _in_turn(weight * x) / total if total > 0 else 0.0
    return total, mean, _in_turn(weight * (x - mean) * (x - mean))


def _in_turn(values: np.ndarray) -> float:
    """The sum in the order of native/curve.hpp, to the same bits."""
    parts = np.pad(values, (0, -len(values) % ADDED_AT_ONCE)).reshape(-1, ADDED_AT_ONCE)
    return float(np.add.accumulate(np.append(0.0, np.add.accumulate(parts, axis=1)[:, -1]))[-1])


def polynomials(z: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The sums of weights times the Chebyshev polynomials of z, by part, row of weights and degree.

    z: in [-1, 1]; weights, starts: as for `powers`.
    """
    add, result = _in_lanes(starts, len(z)), np.empty((len(starts), len(weights), DEGREES))
    before, now = z, np.ones_like(z)  # T_-1 = T_1
    for degree in range(DEGREES):
        for row, weight in enumerate(weights):
            result[:, row, degree] = add(weight * now)
        before, now = now, 2 * z * now - before
    return result


def _in_lanes(starts: np.ndarray, size: int) -> Callable[[np.ndarray], np.ndarray]:
    """A function that sums each part of `size` values in the order of native/powers.hpp, to the same bits."""
    part = np.repeat(np.arange(len(starts)), np.diff(starts, append=size))
    place = part * LANES + (np.arange(size) - starts[part]) % LANES

    def add(values: np.ndarray) -> np.ndarray:
        lane = np.bincount(place, values, LANES * len(starts)).reshape(-1, LANES)
        for _ in range(LANES.bit_length() - 1):
            lane = lane[:, ::2] + lane[:, 1::2]
        return lane[:, 0]

    return add


def sweep(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The running sums of each row from 0 on, and the sum of the row less these.

    weight: with leading axes; any type of numbers.
    """
    above = np.zeros((*weight.shape[:-1], weight.shape[-1] + 1))
    np.add.accumulate(weight, axis=-1, dtype=np.float64, out=above[..., 1:])
    return above, above[..., -1:] - above


def given_to_truth(
    score: np.ndarray, positive: np.ndarray, negative: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Scores as probabilities: those of the actual classes, and the weight of the cases there, both float64.

    p for positives and 1 - p for negatives; one entry per score and class with cases, score by score.
    """
    p = score.astype(np.float64)
    weight = np.stack([positive, negative], axis=1).astype(np.float64)
    occurs = weight > 0
    return np.stack([p, 1.0 - p], axis=1)[occurs], weight[occurs]


def inversions(values: np.ndarray) -> int:
    """The number of pairs of values in descending order. values: whole numbers from 0 on.

    By binary digits, highest first: among values with equal higher digits a 1 before a 0 is such a pair.
    """
    result, row = 0, np.arange(len(values))
    for digit in reversed(range(int(values.max(initial=0)).bit_length())):
        one, higher = values >> digit & 1, values >> (digit + 1)
        start = np.flatnonzero(np.append(True, higher[1:] != higher[:-1]))
        group = np.repeat(np.arange(len(start)), np.diff(start, append=len(values)))
        ones = np.cumsum(one) - one
        before, first = ones - ones[start][group], start[group]
        result += int(before[one == 0].sum())
        zeros = np.add.reduceat(1 - one, start)[group]
        place = first + np.where(one, zeros + before, row - first - before)
        ordered = np.empty_like(values)
        ordered[place] = values
        values = ordered
    return result


def _running(weight: np.ndarray) -> np.ndarray:
    """The sums of the weights above each row, and of all, with compensation (Neumaier 1974)."""
    sums = np.concatenate([[0.0], np.cumsum(weight)])
    before, after = sums[:-1], sums[1:]
    added = after - before
    lost = (before - (after - added)) + (weight - added)
    return sums + np.concatenate([[0.0], np.cumsum(lost)])


def _add_up(distinct: np.ndarray, row: np.ndarray, positive: np.ndarray, negative: np.ndarray) -> Table:
    sums = [np.zeros(len(distinct), weight.dtype) for weight in (positive, negative)]
    for total, weight in zip(sums, (positive, negative), strict=True):
        np.add.at(total, row, weight)
    return distinct[::-1].copy(), sums[0][::-1].copy(), sums[1][::-1].copy()


def _negative(label: np.ndarray, positive: float) -> Any:
    first = int(np.argmax(label != positive))
    return None if len(label) == 0 or label[first] == positive else label[first].item()


def _stray(label: np.ndarray, positive: float, negative: Any) -> bool:
    known = label == positive
    return not (known if negative is None else known | (label == negative)).all()


def rows_of_text(columns: Sequence[np.ndarray]) -> Iterator[bytes]:
    """Lines of CSV with the numbers of these columns, in blocks: float64 as by repr, NaN empty, or int64."""
    for some in blocks(len(columns[0])):
        texts = zip(*(_texts(column[some]) for column in columns), strict=True)
        yield "".join(f"{','.join(row)}\n" for row in texts).encode()


def _texts(values: np.ndarray) -> list[str]:
    """The numbers as texts; of equal numbers in succession one text is made, since curves have many."""
    last = (values[1:] != values[:-1]) | (np.signbit(values[1:]) != np.signbit(values[:-1]))
    first = np.flatnonzero(np.append(True, last))
    distinct = values[first]
    texts = np.array([*map(repr, distinct.tolist())], object)
    texts[distinct != distinct] = ""
    return texts.repeat(np.diff(first, append=len(values))).tolist()


MOST_CELLS, CELLS = 1 << 15, 16  # of all edges, and for each
OUTSIDE = 1 << 10  # this part of the edges is below the cells, and above them
UNEVEN = 2.0  # the mean square of the edges in an even part, at most; by chance it is up to 1.25
PART_BITS = 32  # of a place in a cell


class Between:
    """Ascending edges, of which the first is minus infinity: places of scores among them.

    The bits of a float, read as a whole number, are in its order; their upper part is a cell. Edges that may
    move are spread evenly over their cell, so that a multiplication shows the place of a score there, unless
    some of these parts would then hold far more of the old edges than others.

    cell: the cell of each edge but the first; even: the cells whose edges are spread evenly.
    """

    def __init__(self, edges: np.ndarray, may_move: np.ndarray):
        bits_of = f"i{edges.itemsize}"
        keys = _in_order(edges[1:].view(bits_of)).astype(np.int64)
        tail = len(keys) // OUTSIDE
        low, high = (int(keys[tail]), int(keys[-1 - tail])) if len(keys) else (0, 0)
        most = min(MOST_CELLS, CELLS * len(keys) + 1)
        self.shift = next(bits for bits in range(64) if (high >> bits) - (low >> bits) < most)
        self.lowest, self.cells = (low >> self.shift) - 1, (high >> self.shift) - (low >> self.shift) + 3
        self.cell = np.clip((keys >> self.shift) - self.lowest, 0, self.cells - 1)
        sizes = np.bincount(self.cell, minlength=self.cells)
        first, size = (np.cumsum(sizes) - sizes)[self.cell], sizes[self.cell]
        bits = min(self.shift, PART_BITS)
        start, rest = (self.cell + self.lowest) << self.shift, self.shift - bits
        inside = (self.cell > 0) & (self.cell < self.cells - 1)
        place = first + np.where(inside, ((keys - start) >> rest) * size >> bits, 0)
        crowd = np.square(np.bincount(place, minlength=len(keys)), dtype=float)
        fixed = np.bincount(self.cell[~(inside & may_move)], minlength=self.cells)
        self.even = (fixed == 0) & (np.bincount(self.cell, crowd, self.cells) <= UNEVEN * sizes)
        rank = np.arange(len(keys)) - first
        spread = start - ((-rank << bits) // size << rest)
        found = np.where(self.even[self.cell], spread, keys).astype(bits_of)
        self.edges = np.append(edges[:1], _in_order(found).view(edges.dtype))

    def count(self, score: np.ndarray, counts: np.ndarray) -> None:
        """Adds the number of scores from each edge on, and below the next one."""
        places = np.searchsorted(self.edges, score, "right") - 1
        counts += np.bincount(places, minlength=len(counts)).astype(counts.dtype)


def _in_order(bits: np.ndarray) -> np.ndarray:
    """The bits of floats as whole numbers in the order of the floats, and these as bits."""
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


class OwnScores(NamedTuple):
    """The distinct scores of the cases of each class, by the score of that class.

    score: ascending in each class; start: where each class starts, and the end; above: for each class c, from
    2 start[c] + c on, the proportion of the class above a score, by the slot of the score: twice the number
    of the class's scores below it, plus 1 where one equals it, of which half counts.
    """

    score: np.ndarray
    start: np.ndarray
    above: np.ndarray


def areas(
    score: np.ndarray,
    truth: np.ndarray,
    worth: np.ndarray,
    weight: np.ndarray,
    own: OwnScores,
    share: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums over all cases and classes, without cases in their own class.

    score: float32 or float64, (cases, classes); truth: int64, the class of each case; worth, weight: float64.
    share: (shares, classes). Returns, where above is the proportion of a class above a case:
    of each case the sum over the classes of share * above, shape (shares, cases); of each slot the sum of
    worth; and of each pair of a case's class and another the sum of weight * above.
    """
    halves = [_half(score, truth, worth, weight, own, share, rows) for rows in halves_of(len(score))]
    sums, others, pairs = zip(*halves, strict=True)
    return np.concatenate(sums, axis=1), others[0] + others[1], pairs[0] + pairs[1]


def halves_of(cases: int) -> tuple[slice, slice]:
    """The rows of both halves, whose sums are added, whatever the number of threads."""
    return slice(0, cases // 2), slice(cases // 2, cases)


def _half(
    score: np.ndarray,
    truth: np.ndarray,
    worth: np.ndarray,
    weight: np.ndarray,
    own: OwnScores,
    share: np.ndarray,
    rows: slice,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    score, truth, worth, weight = score[rows], truth[rows], worth[rows], weight[rows]
    classes = score.shape[1]
    sums, others = np.zeros((len(share), len(score))), np.zeros(len(own.above))
    pairs = np.zeros((classes, classes))
    for c in range(classes):
        mine = own.score[own.start[c] : own.start[c + 1]]
        if not len(mine):
            continue
        place, rest = 2 * own.start[c] + c, np.flatnonzero(truth != c)
        column = np.ascontiguousarray(score[rest, c])
        ends = [np.searchsorted(mine, column, side) for side in ("left", "right")]
        slot = ends[0] + ends[1]
        part = own.above[place + slot]
        sums[:, rest] += share[:, c, None] * part
        others[place : place + 2 * len(mine) + 1] = np.bincount(slot, worth[rest], 2 * len(mine) + 1)
        pairs[:, c] = np.bincount(truth[rest], weight[rest] * part, classes)
    return sums, others, pairs


CASES_IN_BLOCK = 4096
GOLDEN = 0x9E3779B97F4A7C15
DRAWS_AT_ONCE = 1 << 20
WORD = (1 << 64) - 1
LOWER = (1 << 32) - 1  # half of a word
LAST_STREAM = LOWER  # beyond the blocks
LANES_OF_DRAWS, USUAL_LIMITS = 16, 7  # see native/draw.hpp


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
    result: np.ndarray = np.searchsorted(limit[:USUAL_LIMITS].astype(np.uint16), random, side="right")
    replicate, case = np.nonzero(result == USUAL_LIMITS)
    counter = (case % CASES_IN_BLOCK + 1).astype(np.uint64) * np.uint64(GOLDEN)
    more = (mixed(key[replicate, case // CASES_IN_BLOCK] - counter) & np.uint64(LOWER)).astype(np.uint32)
    result[replicate, case] = np.searchsorted(limit[USUAL_LIMITS:], more, side="right")
    return result


def _random(key: np.ndarray, size: int) -> np.ndarray:
    """16 random bits of the first cases of each block, uint16 of shape (*key.shape, cases).

    xoshiro128++ (Blackman and Vigna 2021) in 16 lanes: of each step the low halves, then the high halves.
    """
    counter = np.arange(1, 2 * LANES_OF_DRAWS + 1, dtype=np.uint64) * np.uint64(GOLDEN)
    both = mixed(key[..., None] + counter)
    state = np.stack([both & np.uint64(LOWER), both >> np.uint64(32)], axis=-1).astype(np.uint32)
    a, b, c, d = np.moveaxis(state.reshape(*key.shape, 4, LANES_OF_DRAWS), -2, 0)
    steps = -(-size // (2 * LANES_OF_DRAWS))
    random = np.empty((*key.shape, steps, 2, LANES_OF_DRAWS), np.uint16)
    for step in range(steps):
        number = _turned(a + d, 7) + a
        random[..., step, 0, :], random[..., step, 1, :] = number, number >> np.uint32(16)
        c, d, shifted = c ^ a, d ^ b, b << np.uint32(9)
        a, b, c, d = a ^ d, b ^ c, c ^ shifted, _turned(d, 11)
    return random.reshape(*key.shape, -1)


def _turned(bits: np.ndarray, by: int) -> np.ndarray:
    return bits << np.uint32(by) | bits >> np.uint32(32 - by)


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
    parts = [times[i : i + step].astype(np.float64) @ columns.T for i in range(0, len(times), step)]
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
    return z ^ (z >> np.uint64(31))
