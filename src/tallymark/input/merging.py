"""Sums of many summaries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add
from typing import Any, Protocol

from .. import kernels

AT_ONCE = 8  # sums of similar size that are joined in one step


class Parts(dict[Any, Any]):
    """Summaries by name, as for several models, which are added by name."""

    @classmethod
    def joined(cls, several: Sequence[Parts]) -> Parts:
        """The sum of several; each name on a processor of its own."""
        names = list(dict.fromkeys(name for parts in several for name in parts))
        sums = kernels.each(
            lambda i: joined([parts[names[i]] for parts in several if names[i] in parts]), len(names)
        )
        return cls(zip(names, sums, strict=True))

    def __add__(self, other: Parts) -> Parts:
        return self.joined((self, other))


def joined(several: Sequence[Any]) -> Any:
    """The sum of summaries, in one step where they are of one kind that has `joined`."""
    kinds = {type(one) for one in several}
    at_once = getattr(kinds.pop(), "joined", None) if len(kinds) == 1 < len(several) else None
    return reduce(add, several) if at_once is None else at_once(several)


class Bound(Protocol):
    """A limit of the memory of sums."""

    def exceeded(self, parts: Iterable[Any]) -> bool:
        """Whether these summaries together are too large."""

    def within(self, total: Any) -> Any:
        """The same summary in less memory."""


class Sum:
    """The sum of summaries of one kind, of which those of similar size are joined first, as in a merge sort.

    n parts of a growing table cost O(n log n) instead of O(n^2), and are written log8(n) times; at most
    7 log8(n) partial sums are held.
    """

    def __init__(self, parts: Iterable[Any] = (), bound: Bound | None = None):
        self.bound = bound
        self.stack: list[tuple[int, Any]] = []  # (how many parts, their sum), sizes falling
        for part in parts:
            self.add(part)

    def add(self, part: Any, size: int = 1) -> None:
        """Adds the sum of so many parts."""
        self.stack.append((size, part))
        while len(self.stack) >= AT_ONCE and self.stack[-AT_ONCE][0] <= self.stack[-1][0]:
            self._join(AT_ONCE)
        bound = self.bound
        if bound is not None and self._exceeds(bound):
            self._join()
            if self._exceeds(bound):
                self.stack = [(self.stack[0][0], bound.within(self.total))]

    def _exceeds(self, bound: Bound) -> bool:
        return bound.exceeded(part for _, part in self.stack)

    def _join(self, last: int = 0) -> None:
        """Joins the last partial sums, or all (0)."""
        sizes, several = zip(*self.stack[-last:], strict=True)
        self.stack[-last:] = [(sum(sizes), joined(several))]

    def __add__(self, other: Sum) -> Sum:
        found = Sum(bound=self.bound or other.bound)
        for size, part in self.stack + other.stack:
            found.add(part, size)
        return found

    @property
    def total(self) -> Any:
        """The sum; None of no parts."""
        if len(self.stack) > 1:
            self._join()
        return self.stack[0][1] if self.stack else None


def add_up(parts: Iterable[Any], bound: Bound | None = None) -> Any:
    """The sum of summaries of one kind, or None for no parts."""
    return Sum(parts, bound).total
