"""What summaries have in common: values that are read back from JSON, and properties computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from math import inf
from threading import Lock
from typing import Any, ClassVar, Self

import numpy as np

from ..input import validate
from ..input.results import Readable, Tabular
from ..input.validate import InputError, shown
from ..input.weighting import effective

SCORE_TYPES = ("float16", "float32", "float64")
_waiting: dict[tuple[int, str], Lock] = {}  # by table and property, while threads compute several measures
_shared = [0]  # how many calls share tables between threads


@contextmanager
def once_for_all_threads() -> Iterator[None]:
    """Meanwhile threads that need the same property wait for the one that computes it.

    Properties depend on one another in no circle, so that no two threads wait for each other.
    """
    _shared.append(0)
    try:
        yield
    finally:
        _shared.pop()


def _multiple(value: Any, role: str) -> Any:
    """A number from 0 on, or an array, one for each of the summaries along leading axes."""
    return value if isinstance(value, np.ndarray) else validate.number(value, role, 0, inf)


class cached:  # noqa: N801  # reads as what it is: a decorator
    """A property that is computed once.

    functools.cached_property takes a lock before Python 3.12, which costs more than a sum.
    """

    def __init__(self, function: Callable[[Any], Any]):
        self.function, self.name, self.__doc__ = function, function.__name__, function.__doc__

    def __get__(self, table: Any, owner: Any = None) -> Any:
        if table is None:
            return self
        kept, key = table.__dict__, (id(table), self.name)
        if len(_shared) == 1:
            return kept.setdefault(self.name, self.function(table))  # one value for all threads
        try:
            with _waiting.setdefault(key, Lock()):
                if self.name not in kept:
                    kept[self.name] = self.function(table)
            return kept[self.name]
        finally:
            _waiting.pop(key, None)


class Summary(Readable, Tabular):
    """A result that adds up with others of its class, with `+`."""

    __slots__ = ()

    ENTRIES: ClassVar[tuple[str, ...]]  # of its JSON, by which a file is known as one of this class
    SCORE_KIND: ClassVar[str | None] = None  # in its JSON, where the scores are of a kind

    @classmethod
    def _check_kind(cls, plain: Mapping[str, Any]) -> None:
        """Raises InputError for plain values with scores of another kind."""
        if plain.get("score_kind") != cls.SCORE_KIND:
            kind = plain.get("score_kind") or "no score_kind"
            raise InputError(
                "mismatch",
                "from_dict",
                f"it holds scores of {shown(kind)}, and is no JSON of {cls.__name__}",
                "read it with tallymark.load",
            )

    @property
    def _kind(self) -> dict[str, str]:
        """The kind of the scores as an entry of plain values; empty where any scores may be meant."""
        return {} if self.SCORE_KIND is None else {"score_kind": self.SCORE_KIND}

    def to_json(self, indent: int | None = None) -> str:
        """Strict JSON on one line, which `from_json` reads; indent: spaces per level, for several lines."""
        return Tabular.to_json(self, indent)


class Value(Summary):
    """An immutable summary, of the weights of cases and of the sums of their squares, where these differ."""

    FIELDS: ClassVar[tuple[str, ...]]  # the arguments of its class
    CELLS: ClassVar[tuple[str, ...]]  # those of them that are weights
    squares: Any
    total: Any
    joined: Any  # the sum of several, where two have none of their own

    @classmethod
    def of(cls, *fields: Any) -> Self:
        """A summary of valid arguments, which nothing else uses: arrays are made read-only.

        Weights may have leading axes, one entry per replicate.
        """
        new = object.__new__(cls)
        new._set(*fields)
        return new

    def _set(self, *fields: Any) -> None:
        for name, value in zip_longest(self.FIELDS, fields):
            for part in value if isinstance(value, tuple) else (value,):
                if type(part) is np.ndarray:
                    part.setflags(write=False)
            self.__dict__[name] = value

    def _fields(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.FIELDS)

    @cached
    def kept(self) -> dict[Hashable, Any]:
        """Results of other modules that are kept with the summary, by a name or by the `Sum`."""
        return {}

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}: {name} cannot be set.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}: {name} cannot be deleted.")

    @classmethod
    def _family(cls) -> Any:
        """The class whose summaries add up."""
        return next(one for one in reversed(cls.__mro__) if "FIELDS" in vars(one))

    def _plus(self, other: Any) -> Any:
        """The sum of two of a family."""
        return self.joined((self, other))

    def _changed(
        self,
        change: Callable[[Any], Any],
        of_squares: Callable[[Any], Any] | None = None,
        **fields: Any,
    ) -> Self:
        """The same with weights and squares changed, by default in the same way, and other fields."""
        new = {name: change(self.__dict__[name]) for name in self.CELLS}
        new["squares"] = _each(self.squares, of_squares or change)
        return self.of(*({**self.__dict__, **new, **fields}[name] for name in self.FIELDS))

    def _scaled(self, factor: Any, of_squares: Any) -> Any:
        """The same with the weights, and the squares if there are any, times numbers."""
        return self._changed(lambda weight: weight * factor, lambda squares: squares * of_squares)

    def __add__(self, other: Any) -> Self:
        if isinstance(other, self._family()):
            return self._plus(other)
        return self if isinstance(other, int) and other == 0 else NotImplemented  # sum() starts at 0

    __radd__ = __add__

    def __mul__(self, factor: float) -> Self:
        """Every weight times a number from 0 on; numbers of cases become that many times as many cases.

        Raises InputError for another one.
        """
        factor = _multiple(factor, "factor")
        return self._scaled(factor, factor**2)

    def repeated(self, times: float) -> Self:
        """The same cases, `times` times as many. Raises InputError for a number below 0."""
        times = _multiple(times, "times")
        return self._scaled(times, times)

    def _squares_with(self, other: Any, add: Callable[[Any, Any], Any]) -> Any:
        """The squares of both together; None where neither has any."""
        if self.squares is None and other.squares is None:
            return None
        return add(self.squared, other.squared)

    @property
    def squared(self) -> Any:
        """The sums of squared weights: the weights themselves where these are numbers of cases."""
        return self.squares or self

    @cached
    def effective_total(self) -> Any:
        """The effective number of cases: how many of one weight are equivalent to all."""
        squares = self.squares
        if squares is None:
            return self.total
        total = squares.total if isinstance(squares, Value) else np.add.reduce(squares, axis=None)
        return effective(self.total, total)

    def with_squares(self, squares: Any) -> Self:
        """The same weights with other squares."""
        return self.of(*({**self.__dict__, "squares": squares}[name] for name in self.FIELDS))

    def without_squares(self) -> Self:
        """The weights as numbers of cases."""
        return self.with_squares(None)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and equal(self._fields(), other._fields())

    def __reduce__(self) -> tuple[Any, ...]:
        return self.of, self._fields()


def _each(squares: Any, change: Callable[[Any], Any]) -> Any:
    """Squares of any form, changed by a function of an array; None without any."""
    if isinstance(squares, Value):
        return squares._changed(change)
    if isinstance(squares, tuple):
        return type(squares)(*map(change, squares))
    return None if squares is None else change(squares)


def both(function: Callable[[Any], Any], weights: Any, squares: Any) -> tuple[Any, Any]:
    """A function of the weights, and of the squares, None without any."""
    return function(weights), None if squares is None else function(squares)


def equal(one: Any, other: Any) -> bool:
    """Whether two fields are the same: arrays entry by entry, tuples part by part."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is not None and other is not None and np.array_equal(one, other)
    return bool(one == other)


def in_lists(values: np.ndarray) -> list[Any]:
    """Nested lists of plain numbers; infinite ones as the text "inf" or "-inf"."""
    odd = ~np.isfinite(values)
    plain = values.astype(object)
    plain[odd] = [str(value) for value in values[odd].tolist()]
    return plain.tolist()


def scores_of(table: Mapping[str, Any], name: str) -> np.ndarray:
    """Scores of plain values in their type; without it float64."""
    kind = validate.choice(table.get("score_type", "float64"), SCORE_TYPES, "score_type")
    return np.array(table[name], np.float64).astype(kind)


def fingerprint_of(summary: Any) -> str:
    """The SHA-256 of the cells of a summary, in hexadecimal digits.

    Sums are rounded to 40 bits: in another order of the cases those of fractional weights differ in the last.
    """
    import hashlib

    found, held = hashlib.sha256(), getattr(summary, "__dict__", {})
    for name in (*summary.ENTRIES, "weights", "weight", "truth", "squares", "losses"):
        part = held.get(name) if held else getattr(summary, name, None)
        cells = np.asarray(fingerprint_of(part) if hasattr(part, "ENTRIES") else part)
        if cells.dtype == np.float64 and name != "score":
            share, power = np.frexp(cells)
            cells = np.ldexp(np.rint(np.ldexp(share, 40)), power - 40)
        found.update(f"{name} {cells.dtype.str} {cells.shape} ".encode())
        found.update(
            repr(cells.tolist()).encode() if cells.dtype.kind in "OUSM" else np.ascontiguousarray(cells).data
        )
    return found.hexdigest()
