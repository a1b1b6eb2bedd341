"""The two persons of each case, such as a comparison: they may be one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .columns import Column
from .errors import InputError
from .labels import together
from .spelling import assigned, option
from .validate import shown

ROLES = ("persons[0]", "persons[1]")
HOW = "give two columns or two arrays, as {persons}: the two persons of each case"


class SamePerson(NamedTuple):
    """The two persons of comparisons, of which the positive (mated) ones are of a person with himself."""

    first: Any
    second: Any


def both_persons(persons: Any) -> dict[str, Any]:
    """The two columns, by role; empty for None. Raises InputError for anything but two columns or arrays."""
    if persons is None:
        return {}
    if isinstance(persons, np.ndarray) and persons.ndim == 2 and persons.shape[1] == len(ROLES):
        persons = tuple(persons.T)
    if isinstance(persons, str) or not isinstance(persons, (tuple, list)) or len(persons) != len(ROLES):
        raise InputError(
            "invalid-value",
            "persons",
            f"{shown(persons)} is not understood",
            HOW.format(persons=assigned("persons", "('id1', 'id2')")),
            value=persons,
        )
    if isinstance(persons[0], str) and persons[0] == persons[1]:
        raise InputError(
            "conflict",
            "persons",
            f"{shown(persons[0])} is the column of both",
            f"name two columns; of cases with one person each it is {option('clusters', persons[0])}",
            value=persons,
        )
    return dict(zip(ROLES, persons, strict=True))


def numbered(
    columns: Sequence[Column], mated: np.ndarray | None = None
) -> tuple[list[Any], Sequence[np.ndarray]]:
    """The persons who occur, and in each of two columns their numbers.

    mated: whether the two are one, where that is known. Raises InputError where it is not so.
    """
    first, second = columns
    if _is_text(first) != _is_text(second):
        first, second = _as_text(first, second), _as_text(second, first)
    labels, (left, right) = together(first.values, second.values)
    wrong = np.flatnonzero(False if mated is None else mated != (left == right))
    if mated is not None and len(wrong):
        raise _contradiction(columns, int(wrong[0]), bool(mated[wrong[0]]), len(wrong))
    return labels, (left, right)


def _contradiction(columns: Sequence[Column], row: int, mated: bool, number: int) -> InputError:
    first, second = columns
    one, other = (
        shown(column.values[row].item() if hasattr(column.values[row], "item") else column.values[row])
        for column in (first, second)
    )
    what = (
        f"a mated comparison, but of two persons, {one} and {other}"
        if mated
        else f"a non-mated comparison, but of {one} with itself"
    )
    more = f" ({number:,} such rows in all)" if number > 1 else ""
    return InputError(
        "mismatch",
        "persons",
        f"{first.row(row)} is {what}{more}",
        "correct the label or the persons",
        row=first.number(row),
    )


def _as_text(column: Column, other: Column) -> Column:
    """Whole numbers as the texts that a file has for them. Raises InputError for other numbers."""
    if _is_text(column):
        return column
    if column.values.dtype.kind not in "iu":
        raise InputError(
            "mismatch",
            "persons",
            f"{other} holds text and {column} numbers that are not whole, so that no person is in both",
            "pass both as text, as with .astype(str)",
        )
    distinct, places = np.unique(column.values, return_inverse=True)
    texts = np.array([*map(str, distinct.tolist()), None], object)[:-1]
    return replace(column, values=texts[places])


def _is_text(column: Column) -> bool:
    values = column.values
    return values.dtype.kind in "OUST" and len(values) > 0 and isinstance(values[0], str)
