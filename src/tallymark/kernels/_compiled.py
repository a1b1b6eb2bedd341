"""The native kernels behind the interface of their NumPy twins: allocation, two threads, sorting.

Cases in the order of their scores, and cases with few distinct scores, are ranked without a sort.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from . import _native  # type: ignore[attr-defined]  # built by CMake
from ._compiled_areas import areas  # noqa: F401  # the same interface
from ._compiled_between import Between  # noqa: F401  # the same interface
from ._compiled_resample import among, draw, draw_poisson, swept, weighed  # noqa: F401  # the same interface
from ._compiled_unsorted import few_scores, may_be_in_order, ranked, sample
from ._compiled_unsorted import pairs as pairs  # the same interface
from ._numpy import DEGREES, POWERS, CurveSums, Powers, Table
from ._numpy import sums as sums_at
from .memory import empty_table, scratch, trimmed, wider, without_gaps
from .products import blocks
from .threads import MANY, Task, each, processors

tally = _native.tally
concordance = _native.concordance

FEW_ROWS = 1 << 9  # below this one native call is faster than three with NumPy's sort
ROWS_WORTH_A_THREAD = 1 << 16
PAGE = 4096
Part = tuple[np.ndarray, np.ndarray | None]  # scores of a class, and their weights
Half = tuple[Part, Part, np.ndarray]  # positives, negatives, and room between them


def rank(
    truth: np.ndarray, score: np.ndarray, weight: np.ndarray | None, positive: float
) -> tuple[Any, ...] | None:
    """See `_numpy.rank`."""
    if score.dtype == np.float16:
        found = rank(truth, score.astype(np.float32), weight, positive)
        return found and (found[0].astype(np.float16), *found[1:])
    rows, weight_type = len(score), np.int64 if weight is None else np.float64
    if rows < FEW_ROWS and weight is None:
        table = empty_table(rows, score.dtype, weight_type)
        found = _native.rank_few(truth, score, positive, *table)
        return (*trimmed(table, found[0]), found[1]) if found else None
    if weight is None and (found := _unweighted(truth, score, positive)):
        return found
    if rows < ROWS_WORTH_A_THREAD or processors() < 2:
        room = np.empty(rows + 1, score.dtype)  # one more for the half below, which is empty
        halves, negative_label = _partition(truth, score, weight, positive, -np.inf, room)
        if not halves:
            return None
        table = empty_table(rows, score.dtype, weight_type)
        return *trimmed(table, _sort_and_collapse(halves[0], table)), negative_label
    some = score[:: rows // 1001]
    pivot = float(np.partition(some, len(some) // 2)[len(some) // 2])
    touched = Task(1, _touched_table, rows, score.dtype, weight_type)
    with scratch(2 * rows, score.dtype) as room:
        halves, negative_label = _partition(truth, score, weight, positive, pivot, room)
        return (*_finish(halves, touched.result()), negative_label) if halves else None


def _unweighted(truth: np.ndarray, score: np.ndarray, positive: float) -> tuple[Any, ...] | None:
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
    halves, negative = _partition(
        truth, score, None, positive, -np.inf, np.empty(len(score) + 1, score.dtype)
    )
    return (halves[0][0][0], halves[0][1][0], negative) if halves else None


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
        number: int = _native.merge(of_each, *(column[start[i] : start[i + 1]] for column in merged))
        return number

    return without_gaps(merged, each(merge_part, parts), np.diff(start).tolist())


def sums(place: np.ndarray, weight: np.ndarray, size: int) -> np.ndarray:
    """See `_numpy.sums`."""
    return sums_at(place, weight, size, _exactly)


def total(weight: np.ndarray) -> float:
    """See `_numpy.total`."""
    found: float = _native.total(np.ascontiguousarray(weight))
    return found


def moments(weight: np.ndarray) -> tuple[float, float]:
    """See `_numpy.moments`."""
    found: tuple[float, float] = _native.moments(np.ascontiguousarray(weight))
    return found


def _exactly(place: np.ndarray, weight: np.ndarray, size: int) -> np.ndarray:
    found = np.empty(size)
    _native.sums(place.astype(np.int64, copy=False), weight, weight.min(), weight.max(), found)
    return found


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
    found = np.empty((len(starts), len(weights), DEGREES))
    _native.polynomials(z, weights, starts, found.reshape(len(starts), -1))
    return found


def inversions(values: np.ndarray) -> int:
    """See `_numpy.inversions`."""
    found: int = _native.inversions(values.astype(np.int64), np.empty(len(values), np.int64))
    return found


def _partition(
    truth: np.ndarray,
    score: np.ndarray,
    weight: np.ndarray | None,
    positive: float,
    pivot: float,
    scores: np.ndarray,
) -> tuple[list[Half], Any]:
    """Two halves, above the pivot and below it, with the scores and weights of positives and of negatives.

    Each half could hold every row, so `scores` has room for twice as many: pages that are never used cost
    nothing. The positives of a half are at the start of its room, the negatives at the end.
    """
    rows = len(score)
    weights = None if weight is None else np.empty(len(scores))
    found = _native.partition(truth, score, weight, positive, pivot, scores, weights)
    if found is None:
        return [], None
    end = len(scores)
    spans = (0, found[0]), (rows - found[1], rows), (rows, rows + found[2]), (end - found[3], end)
    parts = [(scores[a:b], None if weights is None else weights[a:b]) for a, b in spans]
    above = parts[0], parts[1], scores[spans[0][1] : spans[1][0]]
    return [above, (parts[2], parts[3], scores[spans[2][1] : spans[3][0]])], found[4]


def _finish(halves: list[Half], table: Table) -> Table:
    """Sorts and collapses both halves in two threads, and closes the gap that ties leave between them."""
    above = sum(len(score) for score, _ in halves[0][:2])
    lower = Task(1, _sort_and_collapse, halves[1], [column[above:] for column in table])
    top, bottom = _sort_and_collapse(halves[0], [column[:above] for column in table]), lower.result()
    if top < above:
        for column in table:
            column[top : top + bottom] = column[above : above + bottom]
    return trimmed(table, top + bottom)


def _sort_and_collapse(half: Half, table: Sequence[np.ndarray]) -> int:
    (positive, positive_weight), (negative, negative_weight) = (_sorted(*part, half[2]) for part in half[:2])
    rows: int = _native.collapse(positive, negative, positive_weight, negative_weight, *table)
    return rows


def _sorted(score: np.ndarray, weight: np.ndarray | None, room: np.ndarray) -> Part:
    if weight is None:
        _native.sort(score, room if len(room) >= len(score) else np.empty_like(score))
        return score, None
    order = score.argsort()
    score, weight = score[order], weight[order]
    distinct = _native.sum_ties(score, weight)
    return score[:distinct], weight[:distinct]


def _touched_table(rows: int, score_type: np.dtype[Any], weight_type: Any) -> Table:
    """A table whose pages are in memory: the system clears them while the other thread partitions."""
    table = empty_table(rows, score_type, weight_type)
    for column in table:
        column[:: PAGE // column.itemsize] = 0
    return table


def json_objects(
    data: Any, keys: Sequence[bytes], array: bool
) -> tuple[list[tuple[Any, ...]], int, bool] | None:
    """The columns of JSON lines or of objects of an array, the bytes read, whether the array ends; or None.

    Lines are read all or not at all, of an array as many objects as are plain and complete. A column is its
    values as one text, the offsets between them, which values are known, and the sum of their kinds: 1 whole
    numbers, 2 decimals, 4 text, 8 booleans, 16 null, 32 lists and objects.
    """
    found = _native.json_objects(data, keys, array)
    if found is None:
        return None
    columns = [
        (text, np.frombuffer(at, np.int32), np.frombuffer(known, np.bool_), kinds)
        for text, at, known, kinds in found[0]
    ]
    return columns, found[1], found[2]


def rows_of_text(columns: Sequence[np.ndarray]) -> Iterator[bytes]:
    """See `_numpy.rows_of_text`."""
    given = [np.ascontiguousarray(column) for column in columns]
    for some in blocks(len(given[0])):
        yield _native.rows_of_text(given, some.start, some.stop)
