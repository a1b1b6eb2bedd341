"""JSON arrays of objects, each parsed as soon as it is complete.

By the kernel where it can read them, else by the json module.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..validate import InputError, row_at
from .blocks import LONGEST_RECORD, Readable, blocks, check_text, lines_in
from .jsonobjects import Wanted, beyond_blanks, check_columns, check_object, decoder, part_of
from .jsonplain import objects, plain_part, table_of
from .parts import Part

BLANK = b" \t\r\n"
SEPARATOR = re.compile(rb"\}[ \t\r\n]*,[ \t\r\n]*\{")  # of two objects
FIRST_BYTES = 1 << 20  # bytes in which the first separator is searched
# characters: at the end of the text a word or an escape may be incomplete, but none is longer
LONGEST_WORD = 64


def parts(stream: Readable, head: bytes, wanted: Wanted) -> Iterator[Part]:
    """The objects of one array, some megabytes at a time. Raises InputError with the row."""
    array, pieces, size = _Array(wanted), [], 0
    for block in blocks(
        stream,
        head[head.index(b"[") + 1 :],
        1 + lines_in(head[: head.index(b"[")]),
        _at_character,
        wanted.where,
    ):
        check_text(block, wanted.where)
        pieces.append(block.data)
        size += len(block.data)
        if size >= len(array.data):  # an object over many blocks is tried only a few times
            yield from array.parts(b"".join(pieces), last=False)
            pieces, size = [], 0
    yield from array.parts(b"".join(pieces), last=True)


def _at_character(data: bytes, last: bool) -> int:
    """The length up to the last complete character."""
    starts = (at for at in range(len(data) - 1, max(len(data) - 5, -1), -1) if data[at] & 0xC0 != 0x80)
    return len(data) if last else next(starts, len(data))


@dataclass(slots=True)
class _Array:
    """The text of an array that is not parsed yet, and how many objects were taken from it.

    Each object is parsed once.
    """

    wanted: Wanted
    data: bytes = b""
    text: str = ""
    rows: int = 0
    done: bool = False

    def parts(self, data: bytes, last: bool) -> Iterator[Part]:
        """The objects that this text completes; raises InputError for other values."""
        self.data += data
        plain = None if self.done else self._plain()
        if plain is not None:
            yield plain
        self.text = self.data.decode()
        yield from self._parsed(last)
        self.data = self.text.encode()

    def _plain(self) -> Part | None:
        """The objects from here on that the kernel can read."""
        found = objects(self.wanted, self.data, array=True)
        if found is None:
            return self._as_lines()
        if not found.rows or not (self.rows or found.all_there):
            return None
        part = plain_part(self.wanted, found.columns, range(self.rows, self.rows + found.rows), "row")
        if part is not None:
            self.data, self.done = self.data[found.size :], found.done
            self.rows += found.rows
        return part

    def _as_lines(self) -> Part | None:
        """All objects but the last, as lines for Arrow; None where a separator may be inside of an object.

        A line end within a text, or between nested objects, is not valid JSON, so that Arrow refuses the
        lines then.
        """
        data = self.data.lstrip(BLANK)
        found = SEPARATOR.search(data, 0, FIRST_BYTES)
        if found is None:
            return None
        data = data.replace(found[0], b"}\n{")
        lines, _, rest = data.rpartition(b"\n{")
        rows = lines.count(b"\n") + 1
        table = table_of(self.wanted, lines, rows)
        if table is None or not (self.rows or all(part.null_count < rows for part in table.values())):
            return None
        part = plain_part(self.wanted, table, range(self.rows, self.rows + rows), "row")
        if part is not None:
            self.data, self.rows = b"{" + rest, self.rows + rows
        return part

    def _parsed(self, last: bool) -> Iterator[Part]:
        """The objects that only the json module can read; raises InputError for other values."""
        rows: list[Any] = []
        first, fault = self.rows, None
        try:
            self._take(rows)
            self._check_end(last)
        except InputError as wrong:
            fault = wrong
        if rows:
            if first == 0:
                check_columns(dict.fromkeys(key for row in rows for key in row), self.wanted)
            yield part_of(self.wanted, rows, range(first, first + len(rows)), "row")
        if fault is not None:
            raise fault

    def _take(self, rows: list[Any]) -> None:
        """Moves objects from the start of the text to rows, each with the comma or bracket after it."""
        read, at = decoder(), beyond_blanks(self.text, 0)
        if not self.done and not self.rows and self.text.startswith("]", at):
            self.done, at = True, at + 1
        while not self.done:
            row, end = self._next(read, at)
            if end is None:
                break
            rows.append(row)
            self.rows += 1
            self.done = self.text[end] == "]"
            at = beyond_blanks(self.text, end + 1)
        self.text = self.text[at:]

    def _next(self, read: Callable[[str, int], tuple[Any, int]], at: int) -> tuple[Any, int | None]:
        """The object that begins here, and the position of the comma or bracket after it.

        None if the object may be incomplete.
        """
        row = None
        try:
            row, end = read(self.text, at)
            end = beyond_blanks(self.text, end)
        except InputError as wrong:
            raise InputError(
                "unreadable", self.wanted.where, f"{row_at(self.rows)}: {wrong.clause}"
            ) from None
        except json.JSONDecodeError as wrong:
            end = len(self.text) if wrong.msg.startswith("Unterminated") else wrong.pos
        except (ValueError, RecursionError):  # too many digits, nested too deeply
            end = 0
        if row is not None and self.text[end : end + 1] in (",", "]"):
            check_object(row, row_at(self.rows), self.wanted)
            return row, end
        if end + LONGEST_WORD < len(self.text):
            raise self._no_object()
        return None, None

    def _no_object(self) -> InputError:
        where = (
            f"{self.wanted.where}: after {row_at(self.rows - 1)}"
            if self.rows
            else f"{self.wanted.where}: above the first row"
        )
        return InputError(
            "unreadable", None, f"{where} there is no JSON", "it is an array of objects, one per case"
        )

    def _check_end(self, last: bool) -> None:
        rest = self.text[beyond_blanks(self.text, 0) :]
        if self.done and rest:
            raise InputError(
                "unreadable", self.wanted.where, "text follows the end of the array", "remove it"
            )
        if last and not self.done:
            if rest.rstrip().endswith("]"):
                raise self._no_object()
            raise InputError(
                "unreadable", self.wanted.where, "the array of objects has no end", "close it with ]"
            )
        if len(rest) > LONGEST_RECORD:
            raise InputError(
                "unreadable",
                self.wanted.where,
                f"{row_at(self.rows)} has no end within {LONGEST_RECORD >> 20} MB",
                "close it",
            )
