"""Sums of many summaries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

Summary = TypeVar("Summary")


class Parts(dict[Any, Any]):
    """Summaries by name, as for several models, which are added by name."""

    def __add__(self, other: Parts) -> Parts:
        return Parts({name: part + other[name] for name, part in self.items()})


def add_up(parts: Iterable[Summary]) -> Summary | None:
    """The sum of summaries of one kind, or None for no parts.

    Adds sums of similar size, as a merge sort does, so that n parts of a growing table cost O(n log n)
    instead of O(n^2); at most log2(n) partial sums are kept.
    """
    stack: list[tuple[int, Summary]] = []  # (how many parts, their sum), sizes falling
    for part in parts:
        size = 1
        while stack and stack[-1][0] == size:
            _, before = stack.pop()
            part, size = before + part, 2 * size  # type: ignore[operator]
        stack.append((size, part))
    total = None
    for _, part in reversed(stack):
        total = part if total is None else part + total  # type: ignore[operator]
    return total
