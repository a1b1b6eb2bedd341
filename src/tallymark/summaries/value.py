"""The base classes of summaries: they are read back from JSON, and those that hold arrays are immutable."""

from __future__ import annotations

from typing import Any, ClassVar

from ..input.results import Readable, Tabular
from .cached import cached


class Summary(Readable, Tabular):
    """A result that adds up with others of its class, with `+`."""

    __slots__ = ()

    def to_json(self, indent: int | None = None) -> str:
        """Strict JSON on one line, which `from_json` reads; indent: spaces per level, for several lines."""
        return Tabular.to_json(self, indent)


class Value(Summary):
    """An immutable summary, with a `to_dict` of plain values and a `from_dict` that reads them."""

    said_of_it: ClassVar[str]  # how a sentence about it begins

    @cached
    def kept(self) -> dict[str, Any]:
        """Results of other modules that are kept with the summary."""
        return {}

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self.said_of_it} a value; {name} cannot be set.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.said_of_it} a value; {name} cannot be deleted.")
