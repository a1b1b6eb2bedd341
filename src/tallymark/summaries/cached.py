"""A property that is computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class cached:  # noqa: N801  # reads as what it is: a decorator
    """A property that is computed once.

    functools.cached_property takes a lock before Python 3.12, which costs more than a sum.
    """

    def __init__(self, function: Callable[[Any], Any]):
        self.function, self.name, self.__doc__ = function, function.__name__, function.__doc__

    def __get__(self, table: Any, owner: Any = None) -> Any:
        if table is None:
            return self
        return table.__dict__.setdefault(self.name, self.function(table))  # one value for all threads
