"""Groups of cases: the columns that `by` names, and which group each case is in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .columns import Column
from .errors import InputError
from .labels import number_of, together
from .sample import Index
from .score_columns import NAMES
from .spelling import option
from .validate import refuse_rows, shown

BY, FOLD = "by", "fold"  # arguments that name such columns
MOST_CODES = 1 << 22  # whole numbers in a range of this size are counted, not sorted
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # of a hash of text; equal hashes are compared as text
OF_ARRAY = {BY: "group", FOLD: "fold"}  # names of columns that have none
USUAL = {BY: "site", FOLD: "fold"}  # of a column, in a message
Array = np.ndarray[Any, np.dtype[Any]]


def columns_by(given: Any, arrays: bool, argument: str = BY) -> dict[str, Any]:
    """The columns of `by`, by role: "by", or "by 1", "by 2", ... Raises InputError where there is none.

    argument: "by" or "fold".
    """
    parts = _parts(given, arrays)
    if not parts:
        raise InputError("needed", argument, "no column is named", f"as {option(argument, USUAL[argument])}")
    if len(parts) == 1:
        return {argument: parts[0]}
    return {f"{argument} {i + 1}": part for i, part in enumerate(parts)}


def _parts(given: Any, arrays: bool) -> list[Any]:
    if isinstance(given, Mapping):
        return list(given.values())
    if isinstance(given, str) or not (_of_arrays(given) if arrays else isinstance(given, (list, tuple))):
        return [given]
    return list(given)


def _of_arrays(given: Any) -> bool:
    """Whether it is a list of columns, and not one column."""
    return (
        isinstance(given, (list, tuple))
        and len(given) > 0
        and all(hasattr(one, "__len__") and not isinstance(one, (str, bytes)) for one in given)
    )


def names_by(given: Any, arrays: bool, argument: str = BY) -> tuple[str, ...]:
    """The names of these columns; an array has that of its series, else "group", or "fold"."""
    if isinstance(given, Mapping):
        return tuple(map(str, given))
    parts = _parts(given, arrays)
    own = OF_ARRAY[argument]
    plain = [own] if len(parts) == 1 else [f"{own} {i + 1}" for i in range(len(parts))]
    named = (part if isinstance(part, NAMES) else getattr(part, "name", None) for part in parts)
    named = (str(name) if not arrays and isinstance(name, NAMES) else name for name in named)
    return tuple(name if isinstance(name, str) else other for name, other in zip(named, plain, strict=True))


def groups_of(columns: Sequence[Column], names: tuple[str, ...], argument: str = BY) -> Index:
    """The groups of the cases. Raises InputError where a name occurs twice."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("repeated", argument, f"{shown(twice)} is named twice", "name every column once")
    each = [in_order(column, *_codes(column.values)) for column in columns]
    codes = each[0][1]
    for labels, more in each[1:]:
        codes = codes * len(labels) + more
    present, codes = _numbered(codes)
    return Index(codes, [_labels_at(int(one), each) for one in present], names)


def index_of(column: Column) -> Index:
    """The number of each value of a column, in order. Raises InputError for a missing one."""
    problem, remedy = "the value in {row} is missing", "give one to every case"
    refuse_rows(column, column.gaps(), problem, remedy, code="missing-value")
    labels, codes = in_order(column, *_codes(column.values))
    return Index(codes, labels)


def _labels_at(code: int, each: Sequence[tuple[list[Any], Array]]) -> tuple[Any, ...]:
    """The label in each column of a joint code."""
    found: list[Any] = []
    for labels, _ in reversed(each):
        code, place = divmod(code, len(labels))
        found.insert(0, labels[place])
    return tuple(found)


def in_order(column: Column, labels: list[Any], codes: Array) -> tuple[list[Any], Array]:
    """The labels in the order that their type declares; text in natural order, with 10 after 9."""
    levels = column.levels
    if levels is not None and levels.ordered and {*labels} <= {*levels.labels}:
        order = sorted(range(len(labels)), key=lambda i: levels.labels.index(labels[i]))
    elif isinstance(labels[0], str):
        order = _natural_order(labels)
    else:
        return labels, codes
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return [labels[i] for i in order], place[codes]


def _natural_order(texts: Sequence[str]) -> list[int]:
    """The places of texts in order: different numbers by value, else by the whole numbers in them, too."""
    numbers = [number_of(text) for text in texts]
    if len({*numbers}) == len(texts) and not any(isinstance(number, str) for number in numbers):
        return sorted(range(len(texts)), key=numbers.__getitem__)
    parts = [re.split("0*([0-9]+)", text) for text in texts]  # of two whole numbers the longer is larger
    keys = [[(len(part) if i % 2 else 0, part) for i, part in enumerate(one)] for one in parts]
    return sorted(range(len(texts)), key=keys.__getitem__)


def _codes(values: Array) -> tuple[list[Any], Array]:
    """The labels that occur, sorted, and the index of that of each case."""
    if values.dtype.kind == "b":
        values = values.astype(np.uint8)
        labels, codes = _numbered(values)
        return [bool(label) for label in labels], codes
    if values.dtype.kind in "iu":
        labels, codes = _numbered(values)
        return labels.tolist(), codes
    if values.dtype.kind == "U":
        return _of_text(np.ascontiguousarray(values))
    found, (codes,) = together(values)
    return [one if isinstance(one, (str, bool, int, float)) else str(one) for one in found], codes


def _numbered(values: Array) -> tuple[Array, Array]:
    """The whole numbers that occur, sorted, and the index of each."""
    low, reach = values.min(), int(values.max()) - int(values.min())
    if reach >= MOST_CODES:
        found, codes = np.unique(values, return_inverse=True)
        return found, codes
    shifted = (values - low).astype(np.int64)
    there = np.bincount(shifted, minlength=reach + 1) > 0
    return np.flatnonzero(there).astype(values.dtype) + low, (np.cumsum(there) - 1)[shifted]


def _of_text(values: Array) -> tuple[list[Any], Array]:
    """The same for text of a fixed width, by a hash of each, which is checked."""
    letters = values.view(np.uint32).reshape(len(values), -1)
    keys = np.zeros(len(values), np.uint64)
    for place in range(letters.shape[1]):
        keys = (keys ^ letters[:, place]) * MULTIPLIER
    found = np.unique(keys)
    codes = np.searchsorted(found, keys)
    first = np.empty(len(found), np.int64)
    first[codes] = np.arange(len(codes))
    labels = values[first]
    if not (labels[codes] == values).all():  # two texts have one hash
        other, (codes,) = together(values)
        return other, codes
    order = np.argsort(labels)
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return labels[order].tolist(), places[codes]
