"""How sentences write arguments: missing='drop' in Python, --missing 'drop' on the command line. Imports
contextvars only."""

from __future__ import annotations

from contextvars import ContextVar

TYPE_CHECKING = False  # for type checkers; typing takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any


class Spelling:
    """As keyword arguments of Python; the command line has its own."""

    def name(self, argument: str) -> str:
        """At the beginning of a sentence."""
        return argument

    def option(self, argument: str, written: str) -> str:
        """With a value as Python writes it, or without."""
        return f"{argument}={written}"

    def either(self, in_python: str, typed: str) -> str:
        """What has another form on the command line."""
        return in_python


PYTHON = Spelling()
current: ContextVar[Spelling] = ContextVar("spelling", default=PYTHON)


def name(argument: str) -> str:
    """An argument that a sentence begins with: score, or threshold."""
    return current.get().name(argument)


def option(argument: str, *value: Any) -> str:
    """An argument that is to be given, with this value if there is one: option("missing", "drop"), or
    option("weight").

    An ellipsis stands for several values.
    """
    return assigned(argument, "[...]" if value == (...,) else "".join(map(repr, value)))


def assigned(argument: str, written: str) -> str:
    """The same with a value that is written out already."""
    return current.get().option(argument, written)


def either(in_python: str, typed: str) -> str:
    """What is written otherwise in Python than on the command line: either("curve()", "tallymark curve")."""
    return current.get().either(in_python, typed)


FLAGS = {"True": True, "False": False, "0": 0}


class _Options:
    """The same in formats of sentences: {option[weight]}, {option[missing=drop]},
    {option[regression=True]}."""

    def __getitem__(self, key: str) -> str:
        argument, sign, value = key.partition("=")
        return option(argument, FLAGS.get(value, value)) if sign else option(argument)


class _Either:
    """The same: {either[curve()|tallymark curve]}."""

    def __getitem__(self, key: str) -> str:
        return either(*key.split("|"))


IN_FORMATS = {"option": _Options(), "either": _Either()}
