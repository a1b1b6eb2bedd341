"""Streams of bytes in blocks that end with a record, and parallel work on several blocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol, TypeVar

import numpy as np

from ..validate import InputError

LF = ord("\n")
BOM = b"\xef\xbb\xbf"  # the byte order mark of UTF-8
# what a file is that begins so; with the ending that it needs
OTHERS: dict[bytes, str | tuple[str, str]] = {
    b"PAR1": ("Parquet", ".parquet"),
    b"\x1f\x8b": ("compressed by gzip", ".gz"),
    b"\x28\xb5\x2f\xfd": ("compressed by Zstandard", ".zst"),
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
BLOCK_BYTES = 1 << 18  # small enough to stay in the cache; several are held at once
SMALL = 1 << 17  # bytes that are read without Arrow, which takes a tenth of a second to load
LONGEST_RECORD = 1 << 26
WORKERS = 2
T = TypeVar("T")


class Readable(Protocol):
    """An object with bytes to read."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records, with the lines that they are on.

    line: the number of the first line; line_ends: how many there are.
    """

    data: bytes
    line: int
    line_ends: int


# from what was read, and whether it is all: the length of its whole records
Cut = Callable[[bytes, bool], int]


def blocks(stream: Readable, head: bytes, line: int, cut: Cut, where: str) -> Iterator[Block]:
    """The blocks of a stream after its head. Raises InputError for a record without an end."""
    rest, size = head, BLOCK_BYTES
    while True:
        read = stream.read(size)
        data, last = rest + read, not read
        end = cut(data, last)
        if end:
            whole, rest = data[:end], data[end:]
            block = Block(whole, line, lines_in(whole))
            yield block
            line += block.line_ends
        else:
            rest = data
        size = max(BLOCK_BYTES, 0 if end else len(data))
        if last:
            return
        if len(rest) > LONGEST_RECORD:
            raise InputError(
                "unreadable",
                where,
                f"the record that begins in line {line} has no end within {LONGEST_RECORD >> 20} MB",
                "close the value, or the object, that has no end",
            )


def filled(stream: Readable, size: int) -> bytes:
    """As many bytes as requested, or all there are.

    A single read may return fewer, as from a pipe or a compressed file.
    """
    data = stream.read(size)
    while len(data) < size and (more := stream.read(size - len(data))):
        data += more
    return data


def lines_in(data: bytes) -> int:
    """The number of line ends: LF, CR or both together."""
    ends = newlines_in(data)
    return ends + data.count(b"\r") - data.count(b"\r\n") if b"\r" in data else ends


def newlines_in(data: bytes) -> int:
    """The number of LFs; NumPy counts them four times as fast as bytes do."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == LF))


def at_line_end(data: bytes, last: bool) -> int:
    """The length up to the last line end. A CR at the very end may be half of one."""
    if last:
        return len(data)
    end = data.rfind(b"\n") + 1
    return end or data.rfind(b"\r", 0, max(len(data) - 1, 0)) + 1


def check_text(block: Block, where: str) -> None:
    """Raises InputError, with the line, for text that is not UTF-8."""
    if block.data.isascii():
        return
    try:
        block.data.decode()
    except UnicodeDecodeError as wrong:
        line = block.line + lines_in(block.data[: wrong.start])
        raise InputError(
            "unreadable",
            where,
            f"line {line} holds the byte 0x{block.data[wrong.start]:02x}, which is not UTF-8",
            "save the file as UTF-8",
        ) from None


def check_kind(head: bytes, where: str) -> None:
    """Raises InputError for the beginning of a file that is no text in UTF-8, whatever its name says."""
    what = next((name for magic, name in OTHERS.items() if head.startswith(magic)), None)
    if what is None and b"\0" in head[:1000]:
        what = "UTF-16 without a byte order mark, or no text"
    if what is not None:
        how = f"give it the ending {what[1]}" if isinstance(what, tuple) else "save it as UTF-8"
        kind = what[0] if isinstance(what, tuple) else what
        raise InputError("unreadable", where, f"line 1: the file is {kind}", how)


def ahead(work: Callable[[Any], T], items: Iterable[Any]) -> Iterator[T]:
    """work(item) for each item, in order, with the next ones computed in parallel.

    A single item uses no thread. An error of the items comes after the results of those before it.
    """

    def result(item: Any) -> T:
        if isinstance(item, InputError):
            raise item
        return work(item)

    items = _with_fault(items)
    first, second = next(items, None), next(items, None)
    if second is None:
        if first is not None:
            yield result(first)
        return
    pool = ThreadPoolExecutor(WORKERS, "tallymark-files")
    pending: deque[Future[T]] = deque()
    try:
        for item in chain((first, second), items):
            pending.append(_begun(pool, result, item))
            if len(pending) > WORKERS:  # one extra item waits, so that no worker is idle
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        # no waiting: the garbage collector may close this within a lock of `threading` that waiting needs
        pool.shutdown(wait=False, cancel_futures=True)


def _with_fault(items: Iterable[Any]) -> Iterator[Any]:
    """The items, and the error that ends them."""
    try:
        yield from items
    except InputError as wrong:
        yield wrong


def _begun(pool: ThreadPoolExecutor, work: Callable[[Any], T], item: Any) -> Future[T]:
    try:
        return pool.submit(copy_context().run, work, item)
    except RuntimeError:  # no thread can start, as when Python shuts down
        done: Future[T] = Future()
        done.set_result(work(item))
        return done
