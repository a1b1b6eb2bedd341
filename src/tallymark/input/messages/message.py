"""Messages as values: a code with fields. No decision depends on the wording of the sentence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from math import isfinite
from typing import Any, Self

import numpy as np

from ..results import Result


class Message(Result, ABC):
    """A code, and the figures and names of a sentence by name.

    Attributes
    ----------
    code : str
        Identifies the message, as "few-in-a-class"; it stays the same when the sentence is reworded.
    fields : tuple of pairs (name, value)
        The figures and names in the sentence, as ("limit", 30); `message["limit"]` is the value. A field may
        hold other messages.
    """

    __slots__ = ("_code", "_fields")

    def __init__(self, code: str, /, **fields: Any):
        self._code = code
        self._fields = tuple(fields.items())

    @property
    def code(self) -> str:
        """Identifies the message."""
        return self._code

    @property
    def fields(self) -> tuple[tuple[str, Any], ...]:
        """The figures and names in the sentence, with their names."""
        return self._fields

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message) or type(other) is not type(self):
            return NotImplemented
        return (self._code, self._fields) == (other._code, other._fields)

    def __hash__(self) -> int:
        return hash((self._code, self._fields))

    def __getitem__(self, name: str) -> Any:
        return dict(self.fields)[name]

    def __contains__(self, name: object) -> bool:
        return name in dict(self.fields)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self.fields))

    def __repr__(self) -> str:
        given = (f"{name}={value!r}" for name, value in self.fields)
        return f"{type(self).__name__}({', '.join([repr(self.code), *given])})"

    def __str__(self) -> str:
        return self.text

    @property
    @abstractmethod
    def text(self) -> str:
        """The sentence."""

    @property
    def in_words(self) -> dict[str, Any]:
        """The fields, with sentences in place of messages."""
        return {name: text_of(value) if is_message(value) else value for name, value in self.fields}

    def but(self, **fields: Any) -> Self:
        """The same message with other values of some fields."""
        return type(self)(self.code, **{**dict(self.fields), **fields})

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: the code, the fields, the sentence."""
        return {
            "code": self.code,
            "fields": {name: _plain(value) for name, value in self.fields},
            "text": self.text,
        }


def is_message(value: Any) -> bool:
    """Whether it is a message, or a tuple of messages."""
    several = isinstance(value, tuple) and bool(value) and all(isinstance(one, Message) for one in value)
    return several or isinstance(value, Message)


def text_of(values: Message | tuple[Message, ...] | None) -> str | None:
    """The sentences joined with semicolons; None without messages."""
    several = (values,) if isinstance(values, Message) else values or ()
    return "; ".join(one.text for one in several) or None


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    return value if value is None or isinstance(value, (str, bool, int)) else str(value)
