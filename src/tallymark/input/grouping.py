"""Groups of cases: the columns that `by` names, and which group each case is in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .columns import Column
from .errors import InputError
from .labels import coded, number_of, together
from .sample import Index
from .score_columns import NAMES
from .spelling import option
from .validate import refuse_rows, shown

BY, FOLD = "by", "fold"  # arguments that name such columns
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
    each = [_coded(column) for column in columns]
    codes = each[0][1]
    for labels, more in each[1:]:
        codes = codes * len(labels) + more
    present, codes = coded(codes)
    return Index(codes, [_labels_at(int(one), each) for one in present], names)


def index_of(column: Column) -> Index:
    """The number of each value of a column, in order. Raises InputError for a missing one."""
    problem, remedy = "the value in {row} is missing", "give one to every case"
    refuse_rows(column, column.gaps(), problem, remedy, code="missing-value")
    labels, codes = _coded(column)
    return Index(codes, labels)


def _labels_at(code: int, each: Sequence[tuple[list[Any], Array]]) -> tuple[Any, ...]:
    """The label in each column of a joint code."""
    found: list[Any] = []
    for labels, _ in reversed(each):
        code, place = divmod(code, len(labels))
        found.insert(0, labels[place])
    return tuple(found)


def _coded(column: Column) -> tuple[list[Any], Array]:
    """The labels that occur, and the index of that of each case.

    They are in the order that their type declares; text in natural order, with 10 after 9.
    """
    found, (codes,) = together(column.values)
    labels: list[Any] = [one if isinstance(one, (str, bool, int, float)) else str(one) for one in found]
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
