"""How sentences write arguments: missing='drop' in Python, --missing drop on the command line. Imports nothing but contextvars."""

from __future__ import annotations

from contextvars import ContextVar

TYPE_CHECKING = False  # for type checkers; typing takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Spelling(Protocol):
        """How one kind of user writes arguments."""

        def name(self, argument: str) -> str: ...
        def option(self, argument: str, values: tuple[Any, ...]) -> str: ...
        def either(self, in_python: str, typed: str) -> str: ...


class Python:
    """As keyword arguments."""

    def name(self, argument: str) -> str:
        """At the beginning of a sentence."""
        return argument

    def option(self, argument: str, values: tuple[Any, ...]) -> str:
        """With a value, or without."""
        return f"{argument}={values[0]!r}" if values else f"{argument}="

    def either(self, in_python: str, typed: str) -> str:
        """What has another form on the command line."""
        return in_python


PYTHON = Python()
current: ContextVar[Spelling] = ContextVar("spelling", default=PYTHON)


def name(argument: str) -> str:
    """An argument that a sentence begins with: score, or threshold."""
    return current.get().name(argument)


def option(argument: str, *values: Any) -> str:
    """An argument that is to be given, with this value if there is one: missing='drop', or weight=."""
    return current.get().option(argument, values)


def either(in_python: str, typed: str) -> str:
    """What is written otherwise in Python than on the command line: see curve(), or tallymark curve."""
    return current.get().either(in_python, typed)
