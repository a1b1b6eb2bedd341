"""What summaries have in common that hold arrays: they cannot be changed, and are written as JSON."""

from __future__ import annotations

import json
from typing import Any, ClassVar, TypeVar

from .once import once

V = TypeVar("V", bound="Value")


class Value:
    """A summary whose parts cannot be set, with a `to_dict` of plain values and a `from_dict` that reads them."""

    said_of_it: ClassVar[str]  # how a sentence about it begins
    to_dict: Any
    from_dict: Any

    @once
    def kept(self) -> dict[str, Any]:
        """What others have worked out of it, so that they need not do it again."""
        return {}

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self.said_of_it} a value; {name} cannot be set.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.said_of_it} a value; {name} cannot be deleted.")

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), allow_nan=False)

    @classmethod
    def from_json(cls: type[V], text: str) -> V:
        return cls.from_dict(json.loads(text))
