"""JSON objects as the json module of Python reads them, and their values as columns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..answers import NotAnAnswer
from ..columns import NamedColumn
from ..validate import InputError, beyond, row_at, shown
from . import grammar
from .frames import check_names
from .parts import Labels, Part, Places

BLANKS = re.compile(r"[ \t\r\n]*")  # blank characters of JSON
SURROGATE = re.compile("[\ud800-\udfff]")
LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns to read.

    names: of the columns, by role; numbers: the roles of numbers; where: the file; not_an_answer: by role
    of predicted labels, the values that name no class.
    """

    names: Mapping[str, str]
    numbers: frozenset[str]
    where: str
    file: str | None
    not_an_answer: Mapping[str, NotAnAnswer]

    def place(self, unit: str, number: int) -> str:
        """A row in messages, with the file if there are several."""
        return (
            named_place(unit, number) if self.file is None else f"{named_place(unit, number)} of {self.file}"
        )

    def named(self, role: str) -> NamedColumn:
        """A column in messages."""
        return NamedColumn(role, self.names[role])


def named_place(unit: str, number: int) -> str:
    """A row of an array, counted from 0, or a line."""
    return row_at(number) if unit == "row" else f"{unit} {number}"


def check_columns(known: Iterable[str], wanted: Wanted) -> None:
    """Raises InputError unless all columns are keys of the objects."""
    known = list(known)
    if not known:
        raise InputError(
            "unreadable",
            wanted.where,
            "it holds no objects with columns",
            "write one JSON object per case, with its columns by name",
        )
    check_names(wanted.names, known, wanted.where)


def decoder() -> Callable[[str, int], tuple[Any, int]]:
    """A function that reads the object at a position in a text, and returns where it ends.

    It raises InputError for a key that occurs twice.
    """
    twice: str | None = None

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        # the last call is for the object itself, after those for all objects in it
        found, twice = dict(pairs), None
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
        return found

    scan = json.JSONDecoder(object_pairs_hook=once, parse_float=_float).raw_decode

    def read(text: str, at: int) -> tuple[Any, int]:
        row, end = scan(text, at)
        if twice is not None and isinstance(row, dict):
            raise InputError(
                "repeated", None, f"{shown(twice)} stands there twice", "give each key once", value=twice
            )
        return row, end

    return read


def _float(text: str) -> float:
    value = float(text)
    if np.isinf(value):
        raise InputError(
            "invalid-value",
            None,
            f"{shown(text)} is beyond the numbers that float64 holds",
            "write it with fewer digits",
            value=text,
        )
    return value


def check_object(row: Any, place: str, wanted: Wanted) -> None:
    """Raises InputError for a value that is not an object."""
    if not isinstance(row, dict):
        raise InputError(
            "unreadable",
            wanted.where,
            f"{place} holds {shown(row)}, no object",
            "write one object per case, with its columns by name",
            value=row,
        )


def part_of(wanted: Wanted, rows: list[dict[str, Any]], places: Places, unit: str = "line") -> Part:
    """The columns of these rows. Raises InputError for values that they cannot hold."""
    columns = {
        role: (_numbers if role in wanted.numbers else _labels)(
            role, [row.get(name) for row in rows], places, unit, wanted
        )
        for role, name in wanted.names.items()
    }
    return Part(columns, places, unit)


def _numbers(role: str, values: list[Any], places: Places, unit: str, wanted: Wanted) -> np.ndarray:
    """Values as float64, with NaN for missing ones.

    Raises InputError for a value that is not a number, and for a number that float64 cannot represent.
    """
    known = {int, float, type(None)}
    if not {type(value) for value in values} <= known:
        odd = next(i for i, value in enumerate(values) if type(value) not in known)
        raise grammar.no_number(
            wanted.named(role), values[odd], wanted.place(unit, places[odd]), int(places[odd])
        )
    for value, place in zip(values, places, strict=True):
        if type(value) is int and grammar.is_rounded(value):
            raise beyond(
                wanted.named(role), value, f"{named_place(unit, place)} of {wanted.where}", int(place)
            )
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _labels(role: str, values: list[Any], places: Places, unit: str, wanted: Wanted) -> Labels:
    """Coded labels of one type.

    Raises InputError for lists, objects, texts among numbers, and numbers that would be rounded.
    """
    import pyarrow as pa

    known = [None if value is None or value != value else value for value in values]
    there = None
    if role in wanted.not_an_answer:
        there = wanted.not_an_answer[role].among(known)
        known = [None if gone else value for value, gone in zip(known, there.tolist(), strict=True)]
    kinds = {type(value) for value in known} - {type(None)}
    fits = _fitting(kinds)
    odd = next((i for i, value in enumerate(known) if value is not None and not fits(value)), None)
    if odd is not None and isinstance(known[odd], (list, dict)):
        place = f"{named_place(unit, places[odd])} of {wanted.where}"
        problem = f"{shown(known[odd])} in {place} is not one value"
        raise InputError("unreadable", wanted.named(role), problem, grammar.ONE_EACH)
    if odd is not None:
        value, where = known[odd], f"{named_place(unit, places[odd])} of {wanted.where}"
        problem, way_out = (
            ("holds half of a surrogate pair, which is no character", "write the whole pair, or other text")
            if isinstance(value, str) and SURROGATE.search(value)
            else (
                "is not a label among the others: text, numbers and other values are mixed, or a whole number"
                " is too large",
                "make them all text or all numbers",
            )
        )
        raise InputError(
            "labels", wanted.named(role), f"{shown(value)} in {where} {problem}", way_out, value=value
        )
    if float in kinds:
        array = pa.array([None if value is None else float(value) for value in known], pa.float64())
    else:
        types = {int: pa.int64(), bool: pa.bool_(), str: pa.string()}
        array = pa.array(known, types[kinds.pop()] if kinds else pa.null())
    return replace(
        Labels.of(array, typed=True), unanswered=there if there is not None and there.any() else None
    )


def _fitting(kinds: set[type]) -> Callable[[Any], bool]:
    """Whether a label fits a column with labels of these types."""
    if kinds <= {int, float}:
        return lambda value: (
            type(value) is float
            or (not grammar.is_rounded(value) if float in kinds else -LARGEST <= value < LARGEST)
        )
    if kinds == {str}:
        return lambda value: not SURROGATE.search(value)
    if kinds == {bool}:
        return lambda value: True
    first = next((kind for kind in (str, bool, int) if kind in kinds), None)
    return lambda value: type(value) is first


def beyond_blanks(text: str, at: int) -> int:
    """The position of the next character that is not blank."""
    return BLANKS.match(text, at).end()  # type: ignore[union-attr]  # it also matches no blanks at all
