"""The text forms of numbers, missing values and booleans in files.

This module alone defines them; docs/files.md describes them in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Any

import numpy as np

from ..arrays import arrow_as_numpy
from ..columns import NamedColumn
from ..spelling import IN_FORMATS
from ..validate import InputError, of_numeral, shown

MISSING = ("", "NA", "null", "NULL", "NaN", "nan")
BLANKS = r"[ \t]*"
DECIMAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
INFINITY = r"[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?"
NUMBER = rf"^{BLANKS}(?:{DECIMAL}|{INFINITY}){BLANKS}$"
# A label is not infinite, and 007 is not the label 7: such labels stay text.
LABEL = rf"^{BLANKS}[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?{BLANKS}$"
WHOLE_LABEL = rf"^{BLANKS}[+-]?(?:0|[1-9][0-9]*){BLANKS}$"
NAME = r"^(?:0|-?[1-9][0-9]*)$"  # a number that stands for its text alone
WHOLE_FORM = re.compile(rf"^{BLANKS}[+]?(-?[0-9]+)(?:\.0*)?{BLANKS}$")
EXACT = 2**53  # float64 holds every whole number up to here

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


def common(one: Kind | None, other: Kind | None) -> Kind | None:
    """The kind of a column with two parts of these kinds; None: no value is known yet."""
    if one is None or other is None or one is other:
        return one or other
    return WIDER.get(frozenset({one, other}), Kind.TEXT)


class Texts(list[str]):
    """Distinct texts that were read without Arrow."""

    def to_pylist(self) -> list[str]:
        """As an Arrow array has it."""
        return self


def fits(texts: Any, pattern: str) -> bool:
    """Whether every text of an Arrow array, or of `Texts`, matches the pattern."""
    if isinstance(texts, Texts):
        return all(re.match(pattern, text) for text in texts)
    import pyarrow.compute as pc

    return bool(pc.all(pc.match_substring_regex(texts, pattern), min_count=0).as_py())


def floats(texts: Any) -> np.ndarray | None:
    """An Arrow array of texts as float64, or None if one of them is not a number."""
    return np.fromiter(map(float, texts.to_pylist()), np.float64, len(texts)) if fits(texts, NUMBER) else None


def no_numbers(texts: Any) -> np.ndarray:
    """The indices of texts that are not numbers."""
    return np.flatnonzero([number(text) is None for text in texts.to_pylist()])


def is_plain(column: Any) -> bool:
    """Whether a column of an Arrow table holds labels, or numbers that Arrow and Python read alike.

    The latter are finite, and below 2^53.
    """
    import pyarrow.types as of

    if not of.is_floating(column.type):
        return True
    known = (chunk.drop_null() if chunk.null_count else chunk for chunk in column.chunks)
    return all(bool((np.abs(arrow_as_numpy(chunk)) < EXACT).all()) for chunk in known)


def number(text: str) -> float | None:
    """A single text as a number, or None if it is not a number."""
    return float(text) if re.match(NUMBER, text) else None


def inexact(texts: Iterable[str], values: np.ndarray) -> str | None:
    """The first text that float64 cannot represent.

    A whole number beyond 2^53 that it would round, or a number that is too large.
    """
    large = set(np.flatnonzero(np.abs(values) >= EXACT).tolist())
    return (
        next((text for i, text in enumerate(texts) if i in large and _rounded(text.strip(" \t"))), None)
        if large
        else None
    )


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


def _rounded(text: str) -> bool:
    if text.lstrip("+-").isdigit():
        return len(text) > 400 or is_rounded(int(text))
    return math.isinf(float(text)) and "inf" not in text.lower()


def kind_of(labels: Any, typed: bool) -> Kind | None:
    """The kind of the distinct labels in an Arrow array.

    typed: their type is that of the file, and not inferred from texts.
    """
    if isinstance(labels, Texts):
        return (Kind.TEXT if typed else _kind_of_texts(labels)) if labels else None
    import pyarrow.types as of

    if not len(labels) or of.is_null(labels.type):
        return None
    if of.is_boolean(labels.type):
        return Kind.BOOLEAN
    if of.is_integer(labels.type):
        return Kind.LARGE if any(map(is_rounded, _large(labels.to_numpy()))) else Kind.WHOLE
    if of.is_floating(labels.type):
        return Kind.NUMBER
    return Kind.TEXT if typed else _kind_of_texts(labels)


def _kind_of_texts(labels: Any) -> Kind:
    if not fits(labels, LABEL):
        return Kind.TEXT
    texts = labels.to_pylist()
    values = np.fromiter(map(float, texts), np.float64, len(texts))
    largest, rounded = np.abs(values).max(), inexact(texts, values)
    if fits(labels, WHOLE_LABEL):
        beyond_64_bits = largest >= 2**63 and not all(
            len(text) < 400 and -(2**63) <= int(text) < 2**63 for text in texts
        )
        # together with decimals they are text
        large = rounded or (largest > EXACT and any(map(_changed, texts, values.tolist())))
        return Kind.TEXT if beyond_64_bits else Kind.LARGE if large else Kind.WHOLE
    if np.isinf(largest) or rounded or any(map(_changed, texts, values.tolist())):
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
        whole = WHOLE_FORM.match(text)
        form = whole[1] if whole else text.strip(" \t")
        if forms.setdefault(float(text), form) != form and float(text):  # 0 and -0 are one number
            return False
    return True


def kind_of_names(labels: Any) -> Kind | None:
    """The kind of texts that are names, such as those of groups: whole numbers if all are."""
    if not len(labels):
        return None
    texts = labels.to_pylist()
    exact = max(map(len, texts)) < 19 and fits(labels, NAME)
    return Kind.WHOLE if exact else Kind.TEXT


def _changed(text: str, value: float) -> bool:
    """Whether float64 writes the number with other digits, or the exponent is beyond that of any number."""
    try:
        return Decimal(text.strip()) != Decimal(repr(value))
    except InvalidOperation:
        return True


def _large(values: np.ndarray) -> list[int]:
    large: list[int] = values[(values > EXACT) | (values < -EXACT)].tolist()
    return large


def is_rounded(value: int) -> bool:
    """Whether float64 rounds a whole number."""
    return abs(value) > EXACT and (abs(value) >= 10**308 or int(float(value)) != value)


def values_of(labels: Any, kind: Kind | None) -> np.ndarray | None:
    """The distinct labels as NumPy values, or None where their type does not allow this kind."""
    if isinstance(labels, Texts):
        return _values_of_texts(labels, kind) if labels else np.empty(0)
    import pyarrow.types as of

    if not len(labels) or of.is_null(labels.type):
        return np.empty(0)
    texts = of.is_string(labels.type)
    if kind is Kind.TEXT and not texts:
        return None
    if texts:
        return _values_of_texts(labels.to_pylist(), kind)
    dtype = np.bool_ if kind is Kind.BOOLEAN else np.float64 if kind is Kind.NUMBER else np.int64
    values: np.ndarray = labels.to_numpy(zero_copy_only=False).astype(dtype)
    return values


def _values_of_texts(labels: list[str], kind: Kind | None) -> np.ndarray:
    if kind is Kind.TEXT:
        return np.array([*labels, None], dtype=object)[:-1]
    number, dtype = (float, np.float64) if kind is Kind.NUMBER else (int, np.int64)
    return np.fromiter(map(number, labels), dtype, len(labels))
