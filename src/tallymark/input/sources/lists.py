"""Files with numbers only, one per line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import IO, Any

import numpy as np

from ..arrays import arrow_as_numpy
from ..columns import Column, NamedColumn
from ..validate import InputError, beyond, shown
from . import grammar, paths, small
from .blocks import BOM, Block, ahead, at_line_end, blocks

Rows = tuple[np.ndarray, np.ndarray]  # numbers, and their lines


def numbers(path: str, role: str) -> Column:
    """The numbers of a file, or of standard input, without blank lines.

    Raises InputError for anything else, with the line.
    """
    name = "standard input" if path == paths.STANDARD_INPUT else paths.named(path)
    try:
        with paths.standard_input() if path == paths.STANDARD_INPUT else open(path, "rb") as file:
            parts = list(ahead(partial(_read, role, name), _blocks(file, name)))
    except InputError:
        raise
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or "it is not text in UTF-8"
        raise InputError(
            "unreadable",
            role,
            f"{name} cannot be read ({why})",
            "give numbers, one a line, or name a column with --score",
        ) from None
    parts = parts or [(np.empty(0), np.empty(0, np.int64))]
    values, lines = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Column(role, values, first_row=1, file=name, kept=lines - 1, unit="line")


def _blocks(file: IO[bytes], name: str) -> Iterator[Block]:
    return blocks(file, file.read(len(BOM)).removeprefix(BOM), 1, at_line_end, name)


def _read(role: str, name: str, block: Block) -> Rows:
    """The numbers by Arrow where every line has a plain one, else one by one."""
    if len(block.data) > small.BYTES and find_spec("pyarrow") is not None:
        values = _by_arrow(block.data)
        if values is not None and len(values) == block.line_ends + (not block.data.endswith((b"\n", b"\r"))):
            return values, np.arange(block.line, block.line + len(values))
    text = block.data.decode().replace("\r\n", "\n").replace("\r", "\n")
    lines = enumerate((line.strip(" \t") for line in text.split("\n")), block.line)
    found = [(i, line) for i, line in lines if line]
    values = np.array([_number(text, role, f"line {i} of {name}", i) for i, text in found], dtype=np.float64)
    return values, np.array([i for i, _ in found], dtype=np.int64)


def _by_arrow(data: bytes) -> np.ndarray | None:
    import pyarrow as pa
    from pyarrow import csv

    try:
        table = csv.read_csv(
            pa.py_buffer(data),
            csv.ReadOptions(use_threads=False, block_size=len(data) + 1, column_names=["number"]),
            csv.ParseOptions(delimiter=";", quote_char=False),
            csv.ConvertOptions(column_types={"number": pa.float64()}, null_values=list(grammar.MISSING)),
        )
    except pa.ArrowInvalid:
        return None
    column: Any = table.column("number")
    if not grammar.is_plain(column):
        return None
    return arrow_as_numpy(column.fill_null(float("nan")) if column.null_count else column)


def _number(text: str, role: str, place: str, row: int) -> float:
    if text in grammar.MISSING:
        return np.nan
    value = grammar.number(text)
    if value is None:
        problem = f"{place}: {shown(text[:40])} is not a number"
        raise InputError(
            "invalid-value", role, problem, "or name a column with --score", row=row, value=text[:40]
        )
    if grammar.inexact([text], np.array([value])) is not None:
        raise beyond(NamedColumn(role), text, place, row)
    return value
