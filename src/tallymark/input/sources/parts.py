"""Parts of text files: the forms of numbers, missing values and labels, and batches of columns of one type.

docs/files.md describes the forms in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import Enum
from itertools import compress
from typing import Any, NoReturn

import numpy as np

from .. import columns
from ..answers import NotAnAnswer, of_answers
from ..arrays import MISSING_LABELS, arrow_as_numpy
from ..columns import ANSWERS, Column, NamedColumn
from ..spelling import IN_FORMATS
from ..validate import InputError, beyond, of_numeral, row_at, shown
from ..where import WHERE

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


Places = range | np.ndarray  # by row, the number of its line


class StartOver(Exception):  # noqa: N818  # no error: the batches so far are read again
    """A label is text, after only numbers: the batches start again with the type of the whole column."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns to read of a file.

    names: of the columns, by role; numbers: the roles of numbers; where: the file in messages; file: the
    same, if there are several; not_an_answer: predicted values that name no class; unit: what places count,
    lines or rows of an array.
    """

    names: Mapping[str, Any]
    numbers: frozenset[str]
    where: str
    file: str | None = None
    not_an_answer: NotAnAnswer | None = None
    unit: str = "line"

    def place(self, number: int) -> str:
        """A row of an array, counted from 0, or a line."""
        return row_at(number) if self.unit == "row" else f"line {number}"

    def refuse(self, problem: str, remedy: str = "", **facts: Any) -> NoReturn:
        """Raises InputError for the file."""
        raise InputError("unreadable", self.where, problem, remedy, **facts) from None

    def refuse_number(self, role: str, value: Any, number: int, rounded: bool) -> NoReturn:
        """Raises InputError for a value that is no number, or that float64 would round."""
        column, place = NamedColumn(role, self.names[role]), self.place(number)
        if rounded:
            raise beyond(column, value, f"{place} of {self.where}", number)
        raise no_number(column, value, place if self.file is None else f"{place} of {self.file}", number)

    def answers(self, role: str, labels: Labels) -> Labels:
        """Labels, of predicted ones those that are answers."""
        words = of_answers(role, self.not_an_answer)
        return labels if words is None else labels.with_answers(words)


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of labels: the distinct ones, and for each row the index of its label.

    The index is -1 where the value is missing. typed: whether the file distinguishes numbers and text, as
    JSON does; unanswered: of predicted labels, where the answer is no class, or None.
    """

    distinct: list[Any]
    codes: np.ndarray
    typed: bool = False
    unanswered: np.ndarray | None = None

    @classmethod
    def of(cls, array: Any, typed: bool = False) -> Labels:
        """From a column of a table of Arrow."""
        coded = array.combine_chunks().dictionary_encode()
        codes = arrow_as_numpy(coded.indices.fill_null(-1) if coded.indices.null_count else coded.indices)
        return cls(coded.dictionary.to_pylist(), codes, typed)

    @classmethod
    def of_rows(cls, values: Sequence[Any], keys: Sequence[Any], typed: bool = False) -> Labels:
        """From a value for each row. keys: what tells two values apart; None of missing ones."""
        distinct: dict[Any, Any] = {}
        for key, value in zip(keys, values, strict=True):
            distinct.setdefault(key, value)
        distinct.pop(None, None)
        codes = {key: code for code, key in enumerate(distinct)}
        return cls(list(distinct.values()), np.array([codes.get(key, -1) for key in keys], np.int64), typed)

    def with_answers(self, words: NotAnAnswer) -> Labels:
        """The same predicted labels; these values are no answer."""
        gone = words.among(self.distinct)
        if words.none and not self.typed:
            gone |= np.isin(self.distinct, [*MISSING_LABELS, ""])
        there = np.append(gone, words.gaps and self.typed)[self.codes]
        return replace(self._without(gone), unanswered=there if there.any() else None)

    def _without(self, gone: np.ndarray) -> Labels:
        if not gone.any():
            return self
        places = np.append(np.where(gone, -1, np.cumsum(~gone) - 1), -1)
        return replace(
            self, distinct=list(compress(self.distinct, (~gone).tolist())), codes=places[self.codes]
        )

    def without(self, words: Collection[str]) -> Labels:
        """The same column, in which these texts are missing values."""
        return self._without(np.array([label in words for label in self.distinct], bool))

    def values(self, kind: Kind | None) -> np.ndarray | None:
        """One value per row, None or NaN where missing; None where the labels are not of this kind."""
        known = values_of(self.distinct, kind)
        if known is None or (not len(known) and not len(self.codes)):
            return known
        if self.codes.min() < 0:
            numbers = kind in (None, Kind.NUMBER)
            known = np.append(known, np.nan) if numbers else np.array([*known.tolist(), None], dtype=object)
        return known[self.codes]


Columns = Mapping[str, np.ndarray | Labels]  # by role


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows: their numbers or labels by role, and their lines.

    Numbers are float64, NaN where missing; objects where some are not numbers.
    """

    columns: Columns
    lines: Places
    unit: str = "line"

    def __len__(self) -> int:
        return len(self.lines)

    def without(self, missing: Callable[[str, Sequence[Any]], Collection[str]]) -> Part:
        """The same rows without labels that are missing values. missing: which of some labels, by role."""
        known = {
            role: one.without(missing(role, one.distinct)) if isinstance(one, Labels) else one
            for role, one in self.columns.items()
        }
        return replace(self, columns=known)

    def column(self, wanted: Wanted, role: str, kind: Kind | None) -> Column:
        """One of its columns. kind: of the labels. Raises InputError for labels of another kind."""
        held, first = self.columns[role], int(self.lines[0])
        kept = None if isinstance(self.lines, range) else self.lines - first
        column = Column(role, np.empty(0), None, wanted.names[role], first, wanted.file, kept, self.unit)
        if isinstance(held, Labels):
            values, gaps, unanswered = held.values(kind), held.codes < 0, held.unanswered
        else:
            values, gaps, unanswered = held, np.isnan(held), None
        if values is None:
            raise InputError(
                "labels",
                column,
                f"in {wanted.where} text and other values are mixed",
                "make them all text or all numbers",
            )
        return replace(column, values=values, missing=gaps if gaps.any() else None, unanswered=unanswered)


def grouped(parts: Iterable[Part], rows: int) -> Iterator[list[Part]]:
    """Parts of so many rows together, or a few more; the last ones may have fewer."""
    group: list[Part] = []
    for part in parts:
        if len(part):
            group.append(part)
        if sum(map(len, group)) >= rows:
            yield group
            group = []
    if group:
        yield group


def columns_of_table(table: Any, wanted: Wanted, names: Mapping[str, str], typed: bool) -> Columns | None:
    """The columns by role; None of numbers that Arrow and Python may read differently.

    names: of the columns in the table, by role; typed: whether the file distinguishes numbers and text.
    """
    columns: dict[str, np.ndarray | Labels] = {}
    for role, name in names.items():
        column = table.column(name)
        if str(column.type) == "double" and not is_plain(arrow_as_numpy(column.drop_null())):
            return None
        if role not in wanted.numbers:
            columns[role] = wanted.answers(role, Labels.of(column, typed))
        else:
            columns[role] = arrow_as_numpy(column.fill_null(np.nan) if column.null_count else column)
    return columns


def kinds_of(group: list[Part], by_value: Collection[str] = ()) -> dict[str, Kind | None]:
    """The kind of the labels in these rows, by role. by_value: roles that are compared with numbers."""
    result: dict[str, Kind | None] = {}
    for part in group:
        for role, column in part.columns.items():
            if isinstance(column, Labels):
                named = role.split()[0] not in (*ANSWERS, WHERE) and not column.typed
                kind = kind_of_names(column.distinct) if named else kind_of(column.distinct, column.typed)
                if kind is Kind.TEXT and role in by_value and not column.typed and _all_numbers(column):
                    kind = Kind.NUMBER  # 0.5 and 0.50 are two labels, but one number
                result[role] = common(result.get(role), kind)
    return result


def _all_numbers(labels: Labels) -> bool:
    values = map(number, labels.distinct)
    pairs = zip(labels.distinct, values, strict=True)
    return all(value is not None and not is_inexact(text, value) for text, value in pairs)


def columns_of(group: Sequence[Part], wanted: Wanted, kinds: Mapping[str, Kind | None]) -> dict[str, Column]:
    """The columns by role. kinds: of the labels."""
    return {
        role: columns.joined([part.column(wanted, role, kinds.get(role)) for part in group])
        for role in wanted.names
    }
