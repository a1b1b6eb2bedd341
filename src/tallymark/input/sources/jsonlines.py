"""JSON lines and JSON arrays, read as by the json module of Python.

Arrow, which is faster, reads lines where both agree: a block only if every line is one object, and a number
only if it is finite and below 2^53.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from ..answers import NotAnAnswer
from ..validate import InputError
from . import jsonarrays
from .blocks import BOM, Block, ahead, blocks, check_kind, check_text, filled, newlines_in
from .jsonobjects import Wanted, beyond_blanks, check_columns, check_object, decoder, part_of
from .jsonplain import FIRST_LINES, objects, plain_part, table_of
from .parts import Part

FIRST_BYTES = 1 << 20  # names of columns are searched in so many bytes and FIRST_LINES


def parts(
    stream: Any,
    names: Mapping[str, str],
    numbers: frozenset[str],
    where: str,
    file: str | None,
    not_an_answer: Mapping[str, NotAnAnswer],
) -> Iterator[Part]:
    """The rows. Raises InputError for a file of another format, with the line."""
    head = filled(stream, FIRST_BYTES)
    check_kind(head, where)
    head = head.removeprefix(BOM)
    wanted = Wanted(names, numbers, where, file, not_an_answer)
    if head.lstrip().startswith(b"["):
        yield from jsonarrays.parts(stream, head, wanted)
        return
    data = blocks(stream, head, 1, _at_newline, where)
    yield from ahead(partial(_read, wanted), _checked(data, wanted))


def _at_newline(data: bytes, last: bool) -> int:
    """The length up to the last LF: a CR alone is white space of JSON."""
    return len(data) if last else data.rfind(b"\n") + 1


def _checked(data: Iterable[Block], wanted: Wanted) -> Iterator[Block]:
    """The blocks, after the columns are found in the lines of the first one."""
    for number, block in enumerate(data):
        if not number:
            known: dict[str, None] = {}
            for _, row in islice(_objects(block, wanted), FIRST_LINES):
                known.update(dict.fromkeys(row))
            if not set(wanted.names.values()) <= known.keys():
                for _, row in _objects(block, wanted):
                    known.update(dict.fromkeys(row))
            check_columns(known, wanted)
        yield block


# Lines
# --------------------------------------------------------------------------------------------------


def _read(wanted: Wanted, block: Block) -> Part:
    check_text(block, wanted.where)
    data = block.data.replace(b"\r\n", b"\n") if b"\r" in block.data else block.data
    found = objects(wanted, data, array=False)
    rows = newlines_in(data) + (not data.endswith(b"\n")) if found is None else found.rows
    lines = range(block.line, block.line + rows)
    part = None if found is None else plain_part(wanted, found.columns, lines, "line")
    if part is None:
        part = plain_part(wanted, table_of(wanted, data, rows), lines, "line")
    return _by_lines(wanted, block) if part is None else part


# What only the json module can read
# --------------------------------------------------------------------------------------------------


def _by_lines(wanted: Wanted, block: Block) -> Part:
    """Every line by the json module, about five times slower. Raises InputError with the line."""
    rows = list(_objects(block, wanted))
    return part_of(wanted, [row for _, row in rows], np.array([line for line, _ in rows], dtype=np.int64))


def _objects(block: Block, wanted: Wanted) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, object) for every line that is not blank."""
    read = decoder()
    check_text(block, wanted.where)
    for line, text in enumerate(block.data.decode().split("\n"), block.line):
        start = beyond_blanks(text, 0)
        if start < len(text):
            try:
                row, end = read(text, start)
                if beyond_blanks(text, end) < len(text):
                    raise json.JSONDecodeError("Extra data", text, end)
            except (ValueError, RecursionError) as wrong:
                if line == 1 and text.strip() == "{":
                    problem = "one JSON object over several lines, as a saved result, is no table of cases"
                    raise InputError(
                        "unreadable", wanted.where, problem, "pass the cases, one JSON object on a line"
                    ) from None
                raise InputError("unreadable", wanted.where, f"line {line}: {_explained(wrong)}") from None
            check_object(row, f"line {line}", wanted)
            yield line, row


def _explained(wrong: Exception) -> str:
    if isinstance(wrong, InputError):
        return wrong.clause
    other = "a number has too many digits" if isinstance(wrong, ValueError) else "nested too deeply"
    return f"it is no JSON ({getattr(wrong, 'msg', other)}); every line holds one JSON object"
