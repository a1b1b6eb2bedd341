"""A property that is computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

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
