"""Conditions on rows, as "split = 'test' and age >= 50": a small grammar, of which nothing is executed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partialmethod, reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_
from typing import Any

import numpy as np

from .columns import Column, NamedColumn
from .errors import InputError, LabelError
from .validate import shown

WHERE = "where"
TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`)"""
    r"|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))"
    r"|(?P<word>[^\W\d][\w.]*)|(?P<sign><=|>=|<>|!=|==|[=<>(),])|(?P<other>\S))"
)
SIGNS = {"=": eq, "==": eq, "!=": ne, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
CONSTANTS = {"true": True, "false": False}
RESERVED = {"and", "or", "not", "in", "is", "null", *CONSTANTS}
AS_HERE = "write comparisons of columns with values, as \"split = 'test' and age >= 50\""
LONGEST = 10_000
DIGITS = 20  # of whole numbers of 64 bits
Test = Callable[[Callable[[str], Any]], Any]  # of columns by name, in NumPy, Arrow or a frame


@dataclass(frozen=True)
class Condition:
    """What rows have to fulfil.

    columns: by role the names of its columns; test: of these, by name; nulls: whether it asks for missing
    values, which other libraries define otherwise; numbers: the names of columns compared with a number.
    """

    columns: dict[str, str]
    test: Test
    nulls: bool
    numbers: frozenset[str]

    def arrow(self) -> Any:
        """An expression of Arrow, to leave out parts of the data; None for missing values."""
        from pyarrow import compute

        return None if self.nulls else self.test(compute.field)

    def filtered(self, frame: Any) -> Any:
        """The rows of a frame of narwhals that fulfil it; NaN is no value, as engines may see it."""
        import narwhals.stable.v2 as nw

        schema = frame.collect_schema()

        def column(name: str) -> InFrame:
            values = nw.col(name)
            there = ~values.is_null()
            return InFrame(values, there & (values <= np.inf) if schema[name].is_float() else there)

        return frame.filter(self.test(column).true)

    def may_hold(self, known: dict[str, Column]) -> bool:
        """Whether rows may fulfil it of which the columns of these roles have one value each."""
        if not {*self.columns} <= {*known}:
            return True
        return len(self.kept({WHERE: Column(WHERE, np.zeros(1)), **known})[WHERE]) > 0

    def kept(self, batch: dict[str, Column]) -> dict[str, Column]:
        """The rows of a batch that fulfil it, without its own columns. Raises InputError for other types."""
        own = {name: Compared(batch[role]) for role, name in self.columns.items()}
        rows = self.test(own.__getitem__).true
        others = {role: column for role, column in batch.items() if role not in self.columns}
        return others if rows.all() else {role: column.those(rows) for role, column in others.items()}


@dataclass(frozen=True)
class Rows:
    """Where something is true, and where it is false; neither where a value is missing, as in SQL."""

    true: np.ndarray
    false: np.ndarray

    def __and__(self, other: Rows) -> Rows:
        return Rows(self.true & other.true, self.false | other.false)

    def __or__(self, other: Rows) -> Rows:
        return Rows(self.true | other.true, self.false & other.false)

    def __invert__(self) -> Rows:
        return Rows(self.false, self.true)


class Comparable:
    """What is compared with a value, by the method `compare` of its class."""

    def _by(self, comparison: Callable[[Any, Any], Any], value: Any) -> Rows:
        return self.compare(comparison, value)  # type: ignore[attr-defined]

    __eq__ = partialmethod(_by, eq)
    __ne__ = partialmethod(_by, ne)
    __lt__, __le__ = partialmethod(_by, lt), partialmethod(_by, le)
    __gt__, __ge__ = partialmethod(_by, gt), partialmethod(_by, ge)


@dataclass(frozen=True, eq=False)
class InFrame(Comparable):
    """A column of a frame as an expression of narwhals. there: where it has a value."""

    values: Any
    there: Any

    def is_null(self) -> Rows:
        """Where it has no value."""
        return Rows(~self.there, self.there)

    def compare(self, comparison: Callable[[Any, Any], Any], value: Any) -> Rows:
        true = comparison(self.values, value)
        return Rows(self.there & true, self.there & ~true)


@dataclass(frozen=True, eq=False)
class Compared(Comparable):
    """A column whose values are compared with one of their kind."""

    column: Column

    def is_null(self) -> Rows:
        """Where it has no value."""
        gaps = self.column.gaps()
        return Rows(gaps, ~gaps)

    def compare(self, comparison: Callable[[Any, Any], Any], value: Any) -> Rows:
        there = ~self.column.gaps()
        values = self.column.values[there]
        text = isinstance(value, str)
        kinds = (
            {*map(type, values.tolist())}
            if values.dtype == object
            else {str if values.dtype.kind in "UT" else float}
        )
        if values.dtype.kind == "M":
            try:
                value, kinds = np.datetime64(value), set()
            except (TypeError, ValueError):
                raise InputError(
                    "mismatch",
                    NamedColumn(WHERE, self.column.name),
                    f"it holds times, with which {shown(value)} is not compared",
                    "compare it with a date in quotation marks, as '2024-01-31'",
                ) from None
        if len(values) and any(issubclass(kind, str) != text for kind in kinds):
            problem = f"it holds {'numbers' if text else 'text'}, with which {shown(value)} is not compared"
            way_out = "leave out its quotation marks" if text else f"write '{value}'"
            # a LabelError, since later rows of a file may show that it is text
            raise LabelError("mismatch", NamedColumn(WHERE, self.column.name), problem, way_out)
        true = np.zeros(len(there), bool)
        true[there] = comparison(values, value)
        return Rows(true, there & ~true)


class _Reading:
    """The tokens of a text from left to right, and the columns that they name."""

    def __init__(self, text: str):
        self.text, self.at = text, 0
        self.tokens = [
            (one.lastgroup, one[one.lastgroup or 0], one.start(one.lastgroup or 0))
            for one in TOKEN.finditer(text)
        ]
        self.columns: dict[str, str] = {}
        self.nulls = False
        self.numbers: set[str] = set()

    @property
    def token(self) -> tuple[str | None, str, int]:
        """Its kind, what is written, and where; of the end no kind."""
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, "", len(self.text))

    def took(self, word: str) -> bool:
        """Whether this word or sign is next; then it is read."""
        kind, written, _ = self.token
        met = kind in ("word", "sign") and written.lower() == word
        self.at += met
        return met

    def needed(self, sign: str) -> None:
        if not self.took(sign):
            raise self.wrong()

    def wrong(self) -> InputError:
        rest = self.text[self.token[2] :].strip()
        return InputError(
            "invalid-value",
            WHERE,
            f"{shown(self.text)} is not understood at {shown(rest) if rest else 'its end'}",
            AS_HERE,
            value=self.text,
        )

    def whole(self) -> Test:
        result = self.either()
        if self.at < len(self.tokens):
            raise self.wrong()
        return result

    def either(self) -> Test:
        return self.joined("or", or_, lambda: self.joined("and", and_, self.single))

    def joined(self, word: str, join: Callable[[Any, Any], Any], part: Callable[[], Test]) -> Test:
        parts = [part()]
        while self.took(word):
            parts.append(part())
        return lambda column: reduce(join, [one(column) for one in parts])

    def single(self) -> Test:
        if self.took("not"):
            negated = self.single()
            return lambda column: ~negated(column)
        if self.took("("):
            result = self.either()
            self.needed(")")
            return result
        return self.comparison()

    def comparison(self) -> Test:
        name = self.name()
        if self.took("is"):
            negated = self.took("not")
            self.needed("null")
            self.nulls = True
            return _of(name, lambda column: column.is_null(), negated)
        compare = SIGNS.get(self.token[1])
        if compare is not None:
            self.at += 1
            value = self.value(name)
            return _of(name, lambda column: compare(column, value))
        negated = self.took("not")
        for word in ("in", "("):
            self.needed(word)
        values = [self.value(name)]
        while self.took(","):
            values.append(self.value(name))
        self.needed(")")
        return _of(name, lambda column: reduce(or_, [column == value for value in values]), negated)

    def name(self) -> str:
        kind, written, _ = self.token
        if kind not in ("word", "quoted") or written.startswith("'") or written.lower() in RESERVED:
            raise self.wrong()
        self.at += 1
        name = written if kind == "word" else _unquoted(written)
        self.columns[f"{WHERE} {name}"] = name
        return name

    def value(self, name: str) -> str | bool | float:
        """A value with which the column of this name is compared."""
        kind, written, _ = self.token
        constant = CONSTANTS.get(written.lower()) if kind == "word" else None
        if (kind not in ("quoted", "number") and constant is None) or written.startswith("`"):
            raise self.wrong()
        self.at += 1
        if kind != "number":
            return _unquoted(written) if constant is None else constant
        self.numbers.add(name)
        return int(written) if written.lstrip("+-").isdigit() and len(written) <= DIGITS else float(written)


def _unquoted(written: str) -> str:
    return written[1:-1].replace(written[0] * 2, written[0])


def _of(name: str, test: Callable[[Any], Any], negated: bool = False) -> Test:
    return lambda column: ~test(column(name)) if negated else test(column(name))


def condition(text: Any) -> Condition:
    """The condition that a text says. Raises InputError, with the place, where it is not understood."""
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST:
        raise InputError("invalid-value", WHERE, f"{shown(text)} is no condition", AS_HERE, value=text)
    reading = _Reading(text)
    try:
        test = reading.whole()
    except RecursionError:
        raise InputError("invalid-value", WHERE, "its parentheses are nested too deeply", AS_HERE) from None
    return Condition(reading.columns, test, reading.nulls, frozenset(reading.numbers))
