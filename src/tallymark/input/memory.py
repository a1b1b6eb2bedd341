"""Sums of many summaries, and the memory that they may take: as given, or half of what is free."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, Protocol

from .. import kernels
from .errors import InputError
from .validate import real, shown

LEAST, USUAL = 1 << 20, 1 << 30  # bytes: of what is given, and by default
LARGEST = 1 << 62
RESERVE = 1 << 25  # bytes: of reading and measuring, however few the sums
ROW, FEWEST_ROWS = 1024, 1 << 14  # of a batch: a part of the memory, of which most is for the sums
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([KMGT])(I?))?B?", re.IGNORECASE)


def checked(given: Any) -> int | None:
    """Bytes, of a whole number or a text as "2GiB" or "500MB"; None without any. Raises InputError."""
    if given is None:
        return None
    met = SIZE.fullmatch(given.strip()) if isinstance(given, str) else None
    size = real(given)
    if met is not None:
        number, prefix, binary = met.groups()
        size = float(number) * (1024 if binary else 1000) ** (
            "KMGT".find((prefix or "").upper()) + 1 if prefix else 0
        )
    if not size >= LEAST:
        raise InputError(
            "invalid-value",
            "memory",
            f"{shown(given)} is not a size of 1 MiB or more",
            "as 2GiB, 500MB or a number of bytes",
            value=given,
        )
    return int(min(size, LARGEST))


def exceeds(size: int, given: Any) -> bool:
    """Whether so many bytes are more than is given, or than is free by default."""
    most = checked(given)
    return size > (most or USUAL) and size > usable(most)


def rows_at_once(given: Any) -> int | None:
    """The most rows of a batch; None without a size."""
    most = checked(given)
    return None if most is None else max(most // ROW, FEWEST_ROWS)


def of_sums(size: int) -> int:
    """The part of so much memory that sums may take, with what adding and measuring them need."""
    return max(size - RESERVE, size // 2)


def with_sums(size: int) -> int:
    """The least memory in which sums may take so much."""
    return min(size + RESERVE, 2 * size)


def usable(given: int | None) -> int:
    """The bytes that summaries may take: those given, or half of those that are free, and at least 1 GiB."""
    return max(min(_free(), default=0) // 2, USUAL) if given is None else given


def _free() -> Iterator[int]:
    """The free bytes of the machine, of the control groups and below the limit of this process."""
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            yield 1024 * int(line.split()[1])
    for line in _read("/proc/self/cgroup").splitlines():
        _, controllers, place = line.split(":", 2)
        if controllers in ("", "memory"):
            root = Path("/sys/fs/cgroup", controllers)
            limit, used = ("max", "current") if not controllers else ("limit_in_bytes", "usage_in_bytes")
            for folder in (root / place.strip("/"), root):  # the second: as a container sees its own
                sizes = [_read(folder / f"memory.{name}").strip() for name in (limit, used)]
                if all(size.isdigit() for size in sizes):
                    yield int(sizes[0]) - int(sizes[1])
    try:
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            yield most - os.sysconf("SC_PAGE_SIZE") * int(_read("/proc/self/statm").split()[0])
    except (ImportError, IndexError):  # not on Windows; no /proc
        pass


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


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
        result = Sum(bound=self.bound or other.bound)
        for size, part in self.stack + other.stack:
            result.add(part, size)
        return result

    @property
    def total(self) -> Any:
        """The sum; None of no parts."""
        if len(self.stack) > 1:
            self._join()
        return self.stack[0][1] if self.stack else None


def add_up(parts: Iterable[Any], bound: Bound | None = None) -> Any:
    """The sum of summaries of one kind, or None for no parts."""
    return Sum(parts, bound).total
