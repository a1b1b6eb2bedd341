"""The native kernels behind the interface of their NumPy twins: allocation, two threads, sorting.

Cases in the order of their scores, and cases with few distinct scores, are ranked without a sort.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from . import _native  # type: ignore[attr-defined]  # built by CMake
from ._numpy import DEGREES, POWERS, Between as Twin, CurveSums, OwnScores, Powers, Table, halves_of
from .products import blocks
from .threads import MANY, Task, each, processors, together

LARGEST_SPARE = 1 << 26
_spare: list[np.ndarray] = []


@contextmanager
def scratch(size: int, kind: Any) -> Iterator[np.ndarray]:
    """Room for a short time, reused in the next call: the system would have to clear fresh memory."""
    try:
        room = _spare.pop()  # in one step: no other thread gets the same
    except IndexError:
        room = np.empty(0, np.uint8)
    needed = size * np.dtype(kind).itemsize
    if room.nbytes < needed:
        room = np.empty(needed, np.uint8)
    yield room[:needed].view(kind)
    if room.nbytes <= LARGEST_SPARE:
        _spare[:] = [room]


def empty_table(rows: int, score_type: np.dtype[Any], weight_type: Any) -> Table:
    """The columns of a ranking table, whose contents are undefined."""
    return np.empty(rows, score_type), np.empty(rows, weight_type), np.empty(rows, weight_type)


def trimmed(table: Table, rows: int) -> Table:
    """The rows in use, as copies that free the rest of the memory if it is more than an eighth."""
    score, positive, negative = table
    if 8 * rows > 7 * len(score):
        return score[:rows], positive[:rows], negative[:rows]
    copies = each(lambda i: table[i][:rows].copy(), 3, rows > MANY)
    return copies[0], copies[1], copies[2]


def without_gaps(table: Table, rows: Sequence[int], room: Sequence[int]) -> Table:
    """The rows in use of consecutive parts of a table, how many of each, and for how many each has room."""

    def close(column: np.ndarray) -> None:
        to = at = 0
        for number, size in zip(rows, room, strict=True):
            if to != at:
                column[to : to + number] = column[at : at + number]
            to, at = to + number, at + size

    each(lambda i: close(table[i]), len(table), sum(rows) < sum(room))
    return trimmed(table, sum(rows))


def wider(score: np.ndarray) -> np.ndarray:
    """The scores in a type of the native kernels: float16 as float32."""
    return score.astype(np.float32) if score.dtype == np.float16 else score


tally = _native.tally
concordance = _native.concordance

FEW_ROWS = 1 << 9  # below this one native call is faster than three with NumPy's sort
ROWS_WORTH_A_THREAD = 1 << 16


def rank(truth: np.ndarray, score: np.ndarray, positive: float) -> tuple[Any, ...] | None:
    """See `_numpy.rank`."""
    if score.dtype == np.float16:
        result = rank(truth, score.astype(np.float32), positive)
        return result and (result[0].astype(np.float16), *result[1:])
    if len(score) < FEW_ROWS:
        table = empty_table(len(score), score.dtype, np.int64)
        result = _native.rank_few(truth, score, positive, *table)
        return (*trimmed(table, result[0]), result[1]) if result else None
    if result := _without_sort(truth, score, positive):
        return result
    parts = split(truth, score, positive)
    if parts is None:
        return None
    *of_class, negative = parts
    for part in of_class:
        _native.sort(part, np.empty_like(part))
    table = empty_table(len(score), score.dtype, np.int64)
    return *trimmed(table, _native.collapse(*of_class, *table)), negative


def _without_sort(truth: np.ndarray, score: np.ndarray, positive: float) -> tuple[Any, ...] | None:
    """The table of cases with few distinct scores, in the order of their scores, or so many that buckets pay.

    None for others.
    """
    some = sample(score)
    table = few_scores(truth, score, positive, some)
    if table:
        return table
    if not may_be_in_order(some):
        large = len(score) >= ROWS_WORTH_A_THREAD and score.flags.c_contiguous
        return ranked(truth, score, positive, some) if large else None
    columns = empty_table(len(score), score.dtype, np.int64)
    found = _native.rank_in_order(truth, score, positive, bool(some[0] > some[-1]), *columns)
    return (*trimmed(columns, found[0]), found[1]) if found else None


def split(truth: np.ndarray, score: np.ndarray, positive: float) -> tuple[np.ndarray, np.ndarray, Any] | None:
    """See `_numpy.split`."""
    scores = np.empty(len(score), score.dtype)
    found = _native.partition(truth, score, positive, scores)
    return (scores[: found[0]], scores[found[0] :], found[1]) if found else None


def merge(*tables: Table) -> Table:
    """See `_numpy.merge`."""
    if tables[0][0].dtype == np.float16:
        score, positive, negative = merge(*((wider(table[0]), table[1], table[2]) for table in tables))
        return score.astype(np.float16), positive, negative
    rows, parts = sum(len(score) for score, _, _ in tables), processors()
    merged = empty_table(rows, tables[0][0].dtype, tables[0][1].dtype)
    if rows <= MANY or parts < 2:
        return trimmed(merged, _native.merge(tables, *merged))
    some = np.sort(np.concatenate([sample(score) for score, _, _ in tables]))
    edges = some[len(some) * np.arange(1, parts) // parts][::-1]
    ends = np.array(
        [[0, *len(score) - np.searchsorted(score[::-1], edges, "left"), len(score)] for score, _, _ in tables]
    )
    start = ends.sum(0).tolist()

    def merge_part(i: int) -> int:
        of_each = [
            tuple(column[a:b] for column in table)
            for table, (a, b) in zip(tables, ends[:, i : i + 2].tolist(), strict=True)
        ]
        return _native.merge(of_each, *(column[start[i] : start[i + 1]] for column in merged))

    return without_gaps(merged, each(merge_part, parts), np.diff(start).tolist())


def given_to_truth(
    score: np.ndarray, positive: np.ndarray, negative: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """See `_numpy.given_to_truth`."""
    probability, weight = np.empty((2, 2 * len(score)))  # the half that stays unused is never touched
    entries = _native.given_to_truth(wider(score), positive, negative, probability, weight)
    return probability[:entries], weight[:entries]


def hull(tp: np.ndarray, fp: np.ndarray) -> np.ndarray:
    """See `_numpy.hull`."""
    corner = np.empty(tp.shape, np.int64)
    rows = (-1, tp.shape[-1])
    _native.hull(tp.reshape(rows), fp.reshape(rows), corner.reshape(rows))
    return corner


def corners(tp: np.ndarray, fp: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """See `_numpy.corners`."""
    corner, many = np.empty(tp.shape, np.int64), np.empty(tp.shape[:-1], np.int64)
    rows = (-1, tp.shape[-1])
    _native.corners(tp.reshape(rows), fp.reshape(rows), corner.reshape(rows), many.reshape(-1))
    return corner, many


def sweep(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """See `_numpy.sweep`."""
    size = weight.shape[-1]
    above, rest = np.empty((2, *weight.shape[:-1], size + 1))
    rows = np.ascontiguousarray(weight, np.float64).reshape(math.prod(weight.shape[:-1]), size)
    _native.sweep(rows, above.reshape(len(rows), -1), rest.reshape(len(rows), -1))
    return above, rest


def powers(values: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> Powers:
    """See `_numpy.powers`."""
    mean, sums = np.empty(len(starts)), np.empty((len(weights), len(starts), POWERS))
    unit = _native.powers(values, weights, starts, mean, sums.reshape(len(weights), -1))
    return mean, unit, sums


def curve_sums(
    positive: np.ndarray,
    negative: np.ndarray,
    squared: tuple[np.ndarray, ...] | None,
    above: tuple[float, float],
    totals: tuple[float, float],
) -> CurveSums:
    """See `_numpy.curve_sums`."""
    each = [None, None] if squared is None else [np.asarray(one, np.float64) for one in squared]
    return CurveSums(*_native.curve_sums(positive, negative, *each, *above, *totals))


def polynomials(z: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """See `_numpy.polynomials`."""
    result = np.empty((len(starts), len(weights), DEGREES))
    _native.polynomials(z, weights, starts, result.reshape(len(starts), -1))
    return result


def inversions(values: np.ndarray) -> int:
    """See `_numpy.inversions`."""
    return _native.inversions(values.astype(np.int64), np.empty(len(values), np.int64))


def rows_of_text(columns: Sequence[np.ndarray]) -> Iterator[bytes]:
    """See `_numpy.rows_of_text`."""
    given = [np.ascontiguousarray(column) for column in columns]
    for some in blocks(len(given[0])):
        yield _native.rows_of_text(given, some.start, some.stop)


SCORES_WORTH_A_THREAD = 1 << 16


def areas(
    score: np.ndarray,
    truth: np.ndarray,
    worth: np.ndarray,
    weight: np.ndarray,
    own: OwnScores,
    share: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """See `_numpy.areas`."""
    classes, sums = score.shape[1], np.zeros((len(share), len(score)))
    others, pairs = np.zeros((2, len(own.above))), np.zeros((2, classes, classes))
    own = own._replace(score=wider(own.score))
    given = np.ascontiguousarray(wider(score).T), truth, worth, weight, *own, share

    def half(i: int) -> None:
        rows = halves_of(len(score))[i]
        _native.areas(*given, rows.start, rows.stop, sums, others[i], pairs[i])

    together(partial(half, 0), partial(half, 1), when=score.size >= SCORES_WORTH_A_THREAD)
    return sums, others[0] + others[1], pairs[0] + pairs[1]


class Between(Twin):
    """See `_numpy.Between`."""

    def __init__(self, edges: np.ndarray, may_move: np.ndarray):
        super().__init__(edges, may_move)
        sizes = np.bincount(self.cell, minlength=self.cells)
        first = np.append(0, np.cumsum(sizes))
        self.table = np.stack([first, np.append(sizes * self.even, 0)], -1).astype(np.int32).ravel()

    def count(self, score: np.ndarray, counts: np.ndarray) -> None:
        """See `_numpy.Between.count`."""
        _native.count_between(score, self.edges, self.table, self.lowest, self.shift, counts)


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
    """See `_numpy.draw`."""
    shape = replicates, int(sizes.sum())
    return _shared_out(
        lambda a, rows: _native.draw(seed, first + a, limit, sizes, place, rows),
        shape, np.uint8, math.prod(shape), threads,
    )  # fmt: skip


def draw_poisson(
    seed: int, first: int, replicates: int, size: int, limit: np.ndarray, threads: int | None = None
) -> np.ndarray:
    """See `_numpy.draw_poisson`."""
    return _shared_out(
        lambda a, rows: _native.draw_poisson(seed, first + a, limit, rows),
        (replicates, size), np.uint8, replicates * size, threads,
    )  # fmt: skip


def among(times: np.ndarray, masks: np.ndarray, threads: int | None = None) -> np.ndarray:
    """See `_numpy.among`."""
    return _shared_out(
        lambda a, rows: _native.among(times[a : a + len(rows)], masks, rows),
        (len(times), len(masks)), np.int64, times.size, threads,
    )  # fmt: skip


def weighed(times: np.ndarray, numbers: np.ndarray, threads: int | None = None) -> np.ndarray:
    """See `_numpy.weighed`."""
    return _shared_out(
        lambda a, rows: _native.weighed(times[a : a + len(rows)], numbers, rows),
        (len(times), len(numbers)), np.float64, times.size, threads,
    )  # fmt: skip


def swept(
    times: np.ndarray,
    order: np.ndarray | None,
    positive: np.ndarray,
    at: np.ndarray,
    held: np.ndarray,
    starts: np.ndarray | None,
    threads: int | None = None,
) -> np.ndarray:
    """See `_numpy.swept`."""
    return _shared_out(
        lambda a, rows: _native.swept(times[a : a + len(rows)], order, positive, at, held, starts, rows),
        (len(times), 6), np.float64, times.size, threads,
    )  # fmt: skip


def _shared_out(
    work: Callable[[int, np.ndarray], None],
    shape: tuple[int, int],
    kind: Any,
    drawn: int,
    threads: int | None,
) -> np.ndarray:
    """An array of which several threads fill some rows each, with a row per replicate.

    work: fills some rows, from a replicate on, which do not depend on the thread; drawn: cases, over all
    replicates.
    """
    result = np.empty(shape, kind)
    wanted = min(threads or processors(), len(result), max(drawn // CASES_WORTH_A_THREAD, 1))
    ends = [len(result) * i // wanted for i in range(wanted + 1)] if wanted > 1 else [0, len(result)]
    tasks = [Task(wanted - 1, work, a, result[a:b]) for a, b in pairwise(ends[1:])]
    work(0, result[: ends[1]])
    for task in tasks:
        task.result()
    return result


SAMPLED = 500  # scores, at least, that show how all are spread and whether they may be in order
FEWEST_PAIRED, MOST_PAIRED = 1 << 13, 1 << 31  # rows; of fewer a table costs as little
ROWS_IN_BUCKET, MOST_BUCKETS = 1 << 11, 1 << 10
HALF = 0.5
OUTSIDE = 50  # this part of the sampled scores is below the buckets, and above them
Pairs = tuple[int, int, int, Any]  # twice those in the right order, positives, negatives, the negative label
Spans = list[tuple[int, int]]  # the first of some rows, and their end, for each thread


def pairs(truth: np.ndarray, score: np.ndarray, positive: float) -> Pairs | None:
    """Twice the pairs in the right order, and what belongs to them, of cases as in `rank`, without a table.

    None for few cases, where the middle of a sample of the scores has no width or an infinite one, and for
    what `rank` refuses.
    """
    if not FEWEST_PAIRED <= len(score) < MOST_PAIRED or not score.flags.c_contiguous:
        return None
    score = wider(score)
    some = sample(score)
    if may_be_in_order(some) and (result := _in_order(truth, score, positive, bool(some[0] > some[-1]))):
        return result
    table = few_scores(truth, score, positive, some)
    if table:
        _, positives, negatives, negative = table
        twice = _native.concordance(positives, negatives)
        return twice, int(positives.sum()), int(negatives.sum()), negative
    with _buckets(truth, score, positive, some) as held:
        return held and (*_counted(*held[:3]), held[3])


def sample(score: np.ndarray) -> np.ndarray:
    """Some of the scores, in the order of the rows."""
    return score[:: max(len(score) // SAMPLED, 1)]


def may_be_in_order(some: np.ndarray) -> bool:
    """Whether sampled scores rise or fall."""
    return bool((some[1:] >= some[:-1]).all() or (some[1:] <= some[:-1]).all())


def few_scores(
    truth: np.ndarray, score: np.ndarray, positive: float, some: np.ndarray
) -> tuple[Any, ...] | None:
    """The result of `rank` for cases with few distinct scores, else None. some: a sample of the scores."""
    ascending = np.sort(some)
    repeated = (ascending[1:] != ascending[:-1]).mean() < HALF  # else the first rows show that there are many
    spans = _spans(len(score), processors() if repeated else 1)
    tables = [empty_table(min(b - a, _native.most_distinct), score.dtype, np.int64) for a, b in spans]

    def count(i: int) -> Any:
        rows = slice(*spans[i])
        return _native.rank_distinct(truth[rows], score[rows], positive, *tables[i])

    found = each(count, len(spans))
    labels = {one[1] for one in found if one and one[1] is not None}
    if not all(found) or len(labels) > 1:
        return None
    tables = [trimmed(table, one[0]) for table, one in zip(tables, found, strict=True)]
    merged = empty_table(sum(len(table[0]) for table in tables), score.dtype, np.int64)
    return *trimmed(merged, _native.merge(tables, *merged)), next(iter(labels), None)


def _in_order(truth: np.ndarray, score: np.ndarray, positive: float, falls: bool) -> Pairs | None:
    """The pairs of cases in the order of their scores; None if they are not."""
    spans = _spans(len(score), processors())
    found = each(lambda i: _native.pairs_in_order(truth, score, positive, falls, *spans[i]), len(spans))
    if not all(found):
        return None
    twice = above = negatives = 0
    for of_some in found if falls else reversed(found):
        twice += of_some[2] + 2 * above * of_some[1]
        above, negatives = above + of_some[0], negatives + of_some[1]
    return twice, above, negatives, found[0][3]


@contextmanager
def _buckets(
    truth: np.ndarray, score: np.ndarray, positive: float, some: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, int, Any] | None]:
    """The scores bucket by bucket, the starts, the number of threads, and the negative label.

    The starts are those of the negatives and of the positives of each bucket, lowest first, and the end. None
    for scores without a middle of finite width, and for what `rank` refuses. some: a sample of the scores.
    """
    some = np.sort(some)
    rows, tail = len(score), len(some) // OUTSIDE
    buckets = 1 << min(rows // ROWS_IN_BUCKET, MOST_BUCKETS).bit_length() - 1
    with np.errstate(all="ignore"):  # not finite then
        scale = buckets / (some[-1 - tail] - some[tail])
    if not 0 < scale < np.inf:
        yield None
        return
    spans, size = _spans(rows, processors()), rows * score.itemsize
    count = np.zeros((len(spans), 2 * buckets), np.int64)
    with scratch(size + 2 * rows, np.uint8) as room:
        bucket, scores = room[size:].view(np.uint16), room[:size].view(score.dtype)
        given = truth, score, positive
        how = some[tail], scale, bucket
        marked = each(lambda i: _native.mark_buckets(*given, *spans[i], *how, count[i]), len(spans))
        if not all(fine for fine, _ in marked):
            yield None
            return
        start = np.append(0, np.cumsum(count.sum(0)))
        following = start[:-1] + np.cumsum(count, axis=0) - count
        each(lambda i: _native.fill_buckets(score, bucket, *spans[i], following[i], scores), len(spans))
        yield scores, start, len(spans), marked[0][1]


def ranked(truth: np.ndarray, score: np.ndarray, positive: float, some: np.ndarray) -> tuple[Any, ...] | None:
    """The result of `rank`, of contiguous scores.

    None where half of them or more are in one bucket, or there are none. some: a sample of the scores.
    """
    with _buckets(truth, score, positive, some) as found:
        if found is None:
            return None
        scores, start, threads, negative = found
        if 2 * np.diff(start[::2]).max() >= len(score):
            return None
        spans, table = _spans_of_buckets(start, threads), empty_table(len(score), score.dtype, np.int64)

        def rank(i: int) -> int:
            first, last = spans[i]
            above, end = (len(score) - start[2 * b] for b in (last, first))
            return _native.rank_buckets(scores, start, first, last, *(one[above:end] for one in table))

        rows = each(rank, len(spans))
    sizes = np.diff(start[2 * np.array([first for first, _ in spans] + [spans[-1][1]])])
    return *without_gaps(table, rows[::-1], sizes[::-1].tolist()), negative


def _counted(scores: np.ndarray, start: np.ndarray, threads: int) -> tuple[int, int, int]:
    """Twice the pairs in the right order, the positives and the negatives.

    scores: bucket by bucket; start: of the negatives and of the positives of each, and the end.
    """
    spans = _spans_of_buckets(start, threads)
    within = each(lambda i: _native.pairs_of_buckets(scores, start, *spans[i]), len(spans))
    negatives, positives = np.diff(start).reshape(-1, 2).T
    twice = sum(within) + 2 * int(positives @ (np.cumsum(negatives) - negatives))
    return twice, int(positives.sum()), int(negatives.sum())


def _spans_of_buckets(start: np.ndarray, threads: int) -> np.ndarray:
    """The buckets of each thread, with about as many cases."""
    ends = [end for span in _spans(int(start[-1]), threads) for end in span]
    return np.searchsorted(start[::2], ends).reshape(-1, 2)


def _spans(rows: int, threads: int) -> Spans:
    """The rows of each thread, of not too few for one."""
    threads = max(min(threads, rows // ROWS_WORTH_A_THREAD), 1)
    return [*pairwise(rows * i // threads for i in range(threads + 1))]
