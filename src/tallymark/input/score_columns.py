"""Scores per class: the columns of an array or a frame, or the names of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..kernels.threads import each
from . import columns
from .validate import InputError, shown
from .values import on_host

ROLE = "score "
NAMES = (str, int, np.integer, tuple)  # types of names of columns
TWO = 2  # number of classes with one score per case
WORTH_A_THREAD = 1 << 16  # scores
ROWS_AT_ONCE = 1024  # rows that are transposed together: their scores fit into the cache


def several_columns(score: Any, arrays: bool) -> bool:
    """Whether there are three or more columns of scores."""
    return number_of_columns(score, arrays) > TWO


def number_of_columns(score: Any, arrays: bool) -> int:
    """The number of columns of scores, in a two-dimensional array or a list of names; else 1."""
    if isinstance(score, (list, tuple)):
        if not arrays:
            return len(score) if len(score) > 1 and all(isinstance(name, NAMES) for name in score) else 1
        first = score[0] if len(score) else None
        if isinstance(first, np.ndarray):
            return first.size
        return len(first) if isinstance(first, (list, tuple)) else 1
    return score.shape[1] if _dimensions(score) == 2 else 1


def turned(table: np.ndarray) -> np.ndarray:
    """The columns of an array as rows of another, written in blocks.

    Writing a whole column at once would touch another page of memory for each value.
    """
    found = np.empty(table.shape[::-1], table.dtype)
    for start in range(0, len(table), ROWS_AT_ONCE):
        found[:, start : start + ROWS_AT_ONCE] = table[start : start + ROWS_AT_ONCE].T
    return found


def in_order(rows: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The rows of an array with their values in this order; -0 becomes 0."""
    found = np.empty(rows.shape[:1] + order.shape, rows.dtype)

    def some(row: int) -> None:
        rows[row].take(order, out=found[row], mode="clip")  # without a copy, unlike mode="raise"
        found[row] += rows.dtype.type(0)

    each(some, len(rows), when=rows.size > WORTH_A_THREAD)
    return found


def stacked(rows: Sequence[np.ndarray]) -> np.ndarray:
    """One-dimensional arrays as rows of an array, without a copy where they are the rows of one in order."""
    base = rows[0].base
    like = isinstance(base, np.ndarray) and base.shape == (len(rows), len(rows[0]))
    if base is not None and like and base.flags.c_contiguous:
        first, step = base.__array_interface__["data"][0], base.strides[0]
        places = [row.__array_interface__["data"][0] for row in rows]
        if all(row.dtype == base.dtype and row.strides == base.strides[1:] for row in rows) and places == [
            first + i * step for i in range(len(rows))
        ]:
            return base
    return np.asarray(rows)


def _dimensions(score: Any) -> int:
    shape = getattr(score, "shape", None)
    return len(shape) if isinstance(shape, tuple) else 0


def score_columns(score: Any, arrays: bool) -> dict[str, Any]:
    """The columns, or their names, by role: "score 1", "score 2", ... Raises InputError."""
    if not arrays:
        parts = list(score)
    elif _dimensions(score) == 2 and hasattr(score, "columns"):
        # Arrow's columns are the arrays themselves
        parts = _of_frame(score, list(getattr(score, "column_names", score.columns)))
    else:
        table = _table(score)
        parts = list(table.T if isinstance(table, np.ma.MaskedArray) else turned(table))
    return {f"{ROLE}{i + 1}": part for i, part in enumerate(parts)}


def _of_frame(frame: Any, names: list[Any]) -> list[Any]:
    """Names and columns; without the names where they are the default numbers of pandas."""
    texts = list(map(str, names))
    twice = next((name for name in texts if texts.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            "repeated",
            "score",
            f"the column {shown(twice)} is named twice",
            "every class has one of its own",
            value=twice,
        )
    numbered = all(type(name) is int for name in names) and names == list(range(len(names)))
    return [frame[name] if numbered else (text, frame[name]) for name, text in zip(names, texts, strict=True)]


def named(values: Any, role: str) -> columns.Column:
    """A column of an array, or one of a frame with its name."""
    return (
        columns.read(values[1], role, values[0]) if isinstance(values, tuple) else columns.read(values, role)
    )


def rows_of(values: Any, role: str) -> np.ndarray:
    """An array of two dimensions, of objects if it is a list of rows. Raises InputError for anything else."""
    try:
        values = on_host(values)
        table = np.asanyarray(values, None if hasattr(values, "dtype") else object)
    except ValueError:
        table = np.empty(0)
    except Exception as reason:  # any exception of a foreign type
        what = f"a {type(values).__name__} that NumPy cannot read ({shown(reason)})"
        raise InputError("unreadable", role, what, "convert it to an array") from reason
    if table.ndim != 2:
        raise InputError(
            "wrong-shape",
            role,
            "a row of numbers per case is needed, one for each class",
            "give an array of two dimensions, or rows of one length",
        )
    return table


def _table(score: Any) -> np.ndarray:
    """An array of two dimensions, of numbers if it is a list of rows."""
    table = rows_of(score, "score")
    if table.dtype == object:
        table = np.stack([columns.read(part.tolist(), ROLE.strip()).values for part in table.T], axis=1)
    return table


def is_indicator(values: Any) -> bool:
    """Whether these are two-dimensional, with one column per label."""
    return number_of_columns(values, True) > 1
