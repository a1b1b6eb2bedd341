"""Results whose parts have names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from .errors import InputError


class ByName:
    """Iteration over the names of the parts, their number, and `in`; dict(result) holds them all.

    A subclass defines `__getitem__`, which raises InputError for an unknown name, and either `estimates`, by
    name, or `keys`.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __getitem__(self, name: str) -> Any: ...

    def keys(self) -> Collection[str]:
        """The names of the measures."""
        names: Collection[str] = self.estimates.keys()  # type: ignore[attr-defined]
        return names

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        """Whether there is a part of this name, or of another name of the same measure."""
        try:
            return isinstance(name, str) and (name in self.keys() or self[name] is not None)
        except InputError:
            return False
