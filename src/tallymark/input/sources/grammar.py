"""The text forms of numbers, missing values and labels in files.

This module alone defines them; docs/files.md describes them in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Any

import numpy as np

from ..columns import NamedColumn
from ..spelling import IN_FORMATS
from ..validate import InputError, of_numeral, shown

MISSING = ("", "NA", "null", "NULL", "NaN", "nan")
BLANKS = r"[ \t]*"
DECIMAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
INFINITY = r"[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?"
NUMBER = re.compile(rf"{BLANKS}(?:{DECIMAL}|{INFINITY}){BLANKS}")
# A label is not infinite, and 007 is not the label 7: such labels stay text.
LABEL = re.compile(rf"{BLANKS}[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?{BLANKS}")
WHOLE_LABEL = re.compile(rf"{BLANKS}[+-]?(?:0|[1-9][0-9]*){BLANKS}")
NAME = re.compile(r"(?:0|-?[1-9][0-9]{0,17})")  # a number that stands for its text alone
WHOLE_FORM = re.compile(rf"{BLANKS}[+]?(-?[0-9]+)(?:\.0*)?{BLANKS}")
EXACT = 2**53  # float64 holds every whole number up to here
LARGEST = 2**63

ONE_EACH = "write one JSON object per case, as pandas does with to_json(orient='records', lines=True)"
HINTS = {"score": "scores are numbers, and labels go to {option[predicted]}", "weight": "weights are numbers"}
HINTS |= dict.fromkeys(("genuine", "impostor"), "the scores of comparisons are numbers")


class Kind(Enum):
    """The kind of the labels of a column.

    LARGE: whole numbers, some of which float64 would round, or write with other digits.
    """

    BOOLEAN = "true or false"
    WHOLE = "whole numbers"
    LARGE = "large whole numbers"
    NUMBER = "numbers"
    TEXT = "text"


WIDER = {frozenset({Kind.WHOLE, Kind.LARGE}): Kind.LARGE, frozenset({Kind.WHOLE, Kind.NUMBER}): Kind.NUMBER}
KINDS = {bool: Kind.BOOLEAN, int: Kind.WHOLE, float: Kind.NUMBER, str: Kind.TEXT}


def common(one: Kind | None, other: Kind | None) -> Kind | None:
    """The kind of a column with two parts of these kinds; None: no value is known yet."""
    if one is None or other is None or one is other:
        return one or other
    return WIDER.get(frozenset({one, other}), Kind.TEXT)


def number(text: str) -> float | None:
    """A single text as a number, or None if it is not a number."""
    return float(text) if NUMBER.fullmatch(text) else None


def is_plain(values: np.ndarray) -> bool:
    """Whether Arrow and Python read these numbers alike: they are finite, and below 2^53."""
    return values.dtype.kind != "f" or bool((np.abs(values) < EXACT).all())


def is_rounded(value: int) -> bool:
    """Whether float64 rounds a whole number."""
    return abs(value) > EXACT and (abs(value) >= 10**308 or int(float(value)) != value)


def is_inexact(text: str, value: float) -> bool:
    """Whether it is a whole number that float64 would round, or a number that is too large."""
    if abs(value) < EXACT:
        return False
    digits = text.strip(" \t")
    if digits.lstrip("+-").isdigit():
        return len(digits) > 400 or is_rounded(int(digits))
    return math.isinf(value) and "inf" not in digits.lower()


def no_number(column: NamedColumn, value: object, place: str, row: int) -> InputError:
    """The error for a text in a column of numbers. row: as counted in the file."""
    if isinstance(value, str) and number(value) is not None:
        hint = "it is text; write numbers without quotation marks"
    elif isinstance(value, (list, dict)):
        hint = ONE_EACH
    else:
        usual = HINTS.get(column.role.split()[0], "only numbers can be subtracted").format(**IN_FORMATS)
        hint = of_numeral(value) or usual
    return InputError(
        "invalid-value", column, f"{shown(value)} in {place} is not a number", hint, row=row, value=value
    )


def kind_of(labels: Sequence[Any], typed: bool) -> Kind | None:
    """The kind of the distinct labels. typed: their type is that of the file, and not inferred from texts."""
    if not labels:
        return None
    if not typed:
        return _kind_of_texts(labels)
    kind = KINDS[type(labels[0])]
    return Kind.LARGE if kind is Kind.WHOLE and any(map(is_rounded, labels)) else kind


def _kind_of_texts(texts: Sequence[str]) -> Kind:
    if not all(map(LABEL.fullmatch, texts)):
        return Kind.TEXT
    values = list(map(float, texts))
    rounded = any(map(is_inexact, texts, values))
    if all(map(WHOLE_LABEL.fullmatch, texts)):
        if any(abs(value) >= LARGEST for value in values) and not all(
            len(text) < 400 and -LARGEST <= int(text) < LARGEST for text in texts
        ):
            return Kind.TEXT
        # together with decimals they are text
        large = (text for text, value in zip(texts, values, strict=True) if abs(value) > EXACT)
        return Kind.LARGE if rounded or any(_changed(text, float(text)) for text in large) else Kind.WHOLE
    if rounded or any(map(math.isinf, values)) or any(map(_changed, texts, values)):
        return Kind.TEXT  # float64 might make two labels equal
    return Kind.NUMBER if merge_forms({}, texts) else Kind.TEXT


def merge_forms(forms: dict[float, str], texts: Iterable[str]) -> bool:
    """Adds the texts of numbers, by value; whether no two of them are different codes of one value.

    345.1 and 345.10 are two codes, and 1 and 1.0 are one number. 1E2 is a code, too: an exponent is one of a
    number only as Python writes it.
    """
    for text in texts:
        if "e" in text.lower() and text.strip(" \t") != repr(float(text)):
            return False
        whole = WHOLE_FORM.fullmatch(text)
        form = whole[1] if whole else text.strip(" \t")
        if forms.setdefault(float(text), form) != form and float(text):  # 0 and -0 are one number
            return False
    return True


def kind_of_names(labels: Sequence[str]) -> Kind | None:
    """The kind of texts that are names, such as those of groups: whole numbers if all are."""
    if not labels:
        return None
    return Kind.WHOLE if all(map(NAME.fullmatch, labels)) else Kind.TEXT


def _changed(text: str, value: float) -> bool:
    """Whether float64 writes the number with other digits, or the exponent is beyond that of any number."""
    try:
        return Decimal(text.strip()) != Decimal(repr(value))
    except InvalidOperation:
        return True


def values_of(labels: Sequence[Any], kind: Kind | None) -> np.ndarray | None:
    """The distinct labels as NumPy values, or None where their type does not allow this kind."""
    if not labels:
        return np.empty(0)
    if kind is Kind.TEXT:
        return np.array([*labels, None], dtype=object)[:-1] if isinstance(labels[0], str) else None
    dtype: Any = {Kind.BOOLEAN: np.bool_, Kind.NUMBER: np.float64}.get(kind, np.int64)  # type: ignore[arg-type]
    number = float if kind is Kind.NUMBER else int
    return np.fromiter(map(number, labels), dtype, len(labels))
