"""Sums of many summaries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol


class Parts(dict[Any, Any]):
    """Summaries by name, as for several models, which are added by name."""

    def __add__(self, other: Parts) -> Parts:
        both = {name: part + other[name] for name, part in self.items() if name in other}
        return Parts({**self, **other, **both})


class Bound(Protocol):
    """A limit of the memory of sums."""

    def exceeded(self, parts: Iterable[Any]) -> bool:
        """Whether these summaries together are too large."""

    def within(self, total: Any) -> Any:
        """The same summary in less memory."""


class Sum:
    """The sum of summaries of one kind, of which those of similar size are added first, as in a merge sort.

    n parts of a growing table cost O(n log n) instead of O(n^2); at most log2(n) partial sums are kept.
    """

    def __init__(self, parts: Iterable[Any] = (), bound: Bound | None = None):
        self.bound = bound
        self.stack: list[tuple[int, Any]] = []  # (how many parts, their sum), sizes falling
        for part in parts:
            self.add(part)

    def add(self, part: Any, size: int = 1) -> None:
        """Adds the sum of so many parts."""
        while self.stack and self.stack[-1][0] <= size:
            less, before = self.stack.pop()
            part, size = before + part, less + size
        self.stack.append((size, part))
        if self.bound is not None and self.bound.exceeded(one for _, one in self.stack):
            self.stack = [(sum(size for size, _ in self.stack), self.bound.within(self.total))]

    def __add__(self, other: Sum) -> Sum:
        found = Sum(bound=self.bound or other.bound)
        for size, part in self.stack + other.stack:
            found.add(part, size)
        return found

    @property
    def total(self) -> Any:
        """The sum; None of no parts."""
        while len(self.stack) > 1:
            more, part = self.stack.pop()
            size, before = self.stack.pop()
            self.stack.append((size + more, before + part))
        return self.stack[0][1] if self.stack else None


def add_up(parts: Iterable[Any], bound: Bound | None = None) -> Any:
    """The sum of summaries of one kind, or None for no parts."""
    return Sum(parts, bound).total
