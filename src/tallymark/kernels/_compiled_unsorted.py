"""What the native kernels find without a sort: tables of few distinct scores, and counts of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np

from . import _native  # type: ignore[attr-defined]  # built by CMake
from .memory import empty_table, scratch, trimmed, wider, without_gaps
from .threads import each, processors

SAMPLED = 500  # scores, at least, that show how all are spread and whether they may be in order
FEWEST_PAIRED, MOST_PAIRED = 1 << 13, 1 << 31  # rows; of fewer a table costs as little
ROWS_WORTH_A_THREAD = 1 << 16
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
    if may_be_in_order(some) and (found := _in_order(truth, score, positive, bool(some[0] > some[-1]))):
        return found
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
            rows: int = _native.rank_buckets(scores, start, first, last, *(one[above:end] for one in table))
            return rows

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
