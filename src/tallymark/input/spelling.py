"""Arguments in messages: missing='drop' in Python, --missing 'drop' on the command line.

Imports contextvars only.
"""

from __future__ import annotations

from contextvars import ContextVar

TYPE_CHECKING = False  # for type checkers; importing typing takes longer than the rest of this module
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class Spelling:
    """The form of keyword arguments in Python; the command line has another one."""

    def name(self, argument: str) -> str:
        """The name of an argument at the beginning of a sentence."""
        return argument

    def option(self, argument: str, written: str) -> str:
        """The name of an argument with its value, or alone."""
        return f"{argument}={written}"

    def either(self, in_python: str, typed: str) -> str:
        """The form in Python, of two."""
        return in_python


PYTHON = Spelling()
current: ContextVar[Spelling] = ContextVar("spelling", default=PYTHON)


def name(argument: str) -> str:
    """The name of an argument at the beginning of a sentence."""
    return current.get().name(argument)


def option(argument: str, *value: Any) -> str:
    """An argument, with a value if given: option("missing", "drop"), or option("weight").

    An ellipsis stands for several values.
    """
    return assigned(argument, "[...]" if value == (...,) else "".join(map(repr, value)))


def assigned(argument: str, written: str) -> str:
    """An argument with the text of its value."""
    return current.get().option(argument, written)


def either(in_python: str, typed: str) -> str:
    """One of two texts, for Python or for the command line: either("curve()", "tallymark curve")."""
    return current.get().either(in_python, typed)


FLAGS = {"True": True, "False": False, "0": 0, "None": None}


class _Options:
    """`option` in formats of sentences: {option[weight]}, {option[missing=drop]}."""

    def __getitem__(self, key: str) -> str:
        argument, sign, value = key.partition("=")
        return option(argument, FLAGS.get(value, value)) if sign else option(argument)


class _Either:
    """`either` in formats of sentences: {either[curve()|tallymark curve]}."""

    def __getitem__(self, key: str) -> str:
        return either(*key.split("|"))


IN_FORMATS = {"option": _Options(), "either": _Either()}


def series(parts: Iterable[Any], last: str = "and") -> str:
    """As "a", or "a, b and c"."""
    *first, end = map(str, parts)
    return f"{', '.join(first)} {last} {end}" if first else end
