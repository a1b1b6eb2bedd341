"""Equality of labels, which is that of Python's numbers.

1, 1.0, np.uint64(1) and True are one label, 2**53 + 1 and 2.0**53 are two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..columns import Column
from ..errors import LabelError
from ..spelling import option
from ..validate import labels as labels_of
from ..values import shown
from .words import WORDS, same_word

Array = np.ndarray[Any, np.dtype[Any]]
MANY = 6  # labels that a message lists
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?inf", re.IGNORECASE)


def plain(label: Any) -> Any:
    """A scalar of NumPy as a Python value, which compares exactly with whole numbers and with floats.

    Bytes are text, as in a column.
    """
    label = label.item() if isinstance(label, np.generic) else label
    return label.decode("utf-8", "backslashreplace") if isinstance(label, bytes) else label


def number_of(text: str) -> int | float | str:
    """The number that a text represents, else the text itself."""
    if not NUMBER.fullmatch(text):
        return text
    try:
        return int(text)
    except ValueError:
        return float(text)


def as_number(label: Any, dtype: np.dtype[Any]) -> float | int | None:
    """The label as a number of that type ("1" as an integer, "yes" as a boolean), or None if it has none."""
    if isinstance(label, str):
        label = _word(label) if dtype.kind == "b" else number_of(label)
    try:
        with np.errstate(over="ignore"):
            held = dtype.type(label).item()
        return held if held == plain(label) else None
    except (TypeError, ValueError, OverflowError):
        return None


def known_as(wanted: Any, labels: Sequence[Any]) -> Any:
    """The one of these labels that a text or a number means, as "1" for 1.0; None if there is none."""
    wanted = plain(wanted)
    exact = next((label for label in labels if label == wanted or _stands_for(wanted, label)), None)
    return same_word(wanted, labels) if exact is None else exact


def _stands_for(wanted: Any, label: Any) -> bool:
    """Whether one is the text of the other, a number or a boolean."""
    if isinstance(label, str) or not isinstance(wanted, str):
        return isinstance(label, str) and label == str(wanted)
    return bool(label == (_word(wanted) if isinstance(label, bool) else number_of(wanted)))


def _word(text: str) -> int | float | str:
    """The number that a text means among booleans: 1 for "yes", "true" and "1"."""
    return WORDS.get(text.lower(), number_of(text))


def named_classes(classes: Any, where: Any, found: Sequence[Any]) -> list[Any]:
    """The labels in `classes=`, all different, which must include every label that occurs.

    where: the column of the labels; found: those that occur. A text may mean a number. Raises InputError.
    """
    if isinstance(classes, (str, bytes)) or not hasattr(classes, "__iter__"):
        raise LabelError(
            "labels",
            "classes",
            f"{shown(classes)} is not a list of labels",
            "give every label once",
            value=classes,
        )
    numbers = bool(found) and not isinstance(found[0], str)
    given = [plain(label) for label in labels_of(classes, "classes")]
    labels = [_meant(label, found[0]) if numbers and isinstance(label, str) else label for label in given]
    odd = next((label for label in labels if not isinstance(label, (str, bool, int, float))), None)
    if odd is not None or len({isinstance(label, str) for label in labels}) > 1:
        raise LabelError(
            "labels", "classes", f"{shown(given)} are not labels", "give numbers or text, as truth has them"
        )
    if len(set(labels)) < len(labels):
        raise LabelError("repeated", "classes", f"{shown(labels)} has a label twice", "give every label once")
    strange = next((one for one in found if one not in labels and same_word(one, labels) is None), None)
    if strange is not None:
        part = isinstance(where, Column) and (where.file or where.first_row)  # of many rows
        place = f", in {where.row(int(np.argmax(where.values == strange)))}," if part else ""
        raise LabelError(
            "unknown-name",
            where,
            f"{shown(strange)}{place} is not one of the classes in {option('classes')} ({listed(labels)})",
            "name all that occur"
            + f", or in {option('not_an_answer')} those that are no class" * ("predicted" in str(where)),
            value=strange,
        )
    return labels


def _meant(text: str, other: Any) -> Any:
    """The number or boolean that a text means among labels as another one."""
    value = _word(text) if isinstance(other, bool) else number_of(text)
    return bool(value) if isinstance(other, bool) and value in (0, 1) else value


def is_label(values: Array, label: Any) -> Array:
    """True where a value is that label."""
    if values.dtype.kind not in "buif":
        return np.asarray(values == label, bool)
    number = as_number(label, values.dtype)
    return np.zeros(len(values), bool) if number is None else np.asarray(values == number)


def together(*arrays: Array) -> tuple[list[Any], list[Array]]:
    """The sorted labels of these arrays together, and for each array the indices of its values."""
    if arrays[0].dtype.kind != "O" and len({array.dtype for array in arrays}) == 1:  # one sort is faster
        values, codes = np.unique(np.concatenate(arrays), return_inverse=True)
        return values.tolist(), np.split(codes, np.cumsum([len(array) for array in arrays])[:-1])
    found = [distinct(array) for array in arrays]
    labels = sorted(set().union(*found))
    return labels, [_places(array, there, labels) for array, there in zip(arrays, found, strict=True)]


def places(values: Array, labels: Sequence[Any], found: Sequence[Any] | None = None) -> Array:
    """The index of each value among the labels; -1 where it is none of them.

    found: the distinct values, sorted, where they are known.
    """
    return _places(values, distinct(values) if found is None else found, labels)


def _places(values: Array, found: Sequence[Any], labels: Sequence[Any]) -> Array:
    """found: the distinct values, sorted."""
    place = {label: index for index, label in enumerate(labels)}
    if values.dtype.kind == "O":
        return np.fromiter((place.get(value, -1) for value in values.tolist()), np.int64, len(values))
    of_found = np.fromiter((place.get(label, -1) for label in found), np.int64, len(found))
    taken: Array = (
        of_found[np.searchsorted(np.array(found, values.dtype), values)]
        if len(found)
        else np.empty(0, np.int64)
    )
    return taken


def differ(one: Array, other: Array) -> Array:
    """True where two columns of the same rows have different values."""
    _, (first, second) = together(one, other)
    return np.asarray(first != second)


def distinct(array: Array) -> list[Any]:
    """The labels that occur, sorted, without NaN."""
    if array.dtype.kind == "O":
        return sorted(set(array.tolist()))
    found: list[Any] = np.unique(array[array == array]).tolist()
    return found


def listed(labels: Sequence[Any]) -> str:
    """The first labels, and how many more there are."""
    some = ", ".join(shown(label) for label in list(labels)[:MANY])
    return some if len(labels) <= MANY else f"{some} and {len(labels) - MANY} more"
