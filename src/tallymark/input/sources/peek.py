"""The first rows of a file, column by column as they are written, for a guess at what the columns are."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..arrays import MISSING_LABELS
from ..validate import InputError, shown
from . import paths
from .blocks import BOM, check_kind, filled
from .delimited import beginning

ROWS = 10_000
BYTES = 1 << 22  # of text, at most
MISSING = MISSING_LABELS | {""}

Columns = dict[str, list[Any]]


def peek(path: str) -> Columns:
    """By name the values of the first rows: texts of CSV, values of JSON lines and Parquet.

    Missing values are None. Raises InputError for a file that cannot be read, and for several files.
    """
    files = paths.found(path)
    if len(files) > 1:
        raise InputError("needed", None, f"{shown(path)} stands for {len(files)} files", "name the columns")
    stream, kind = files[0].open()
    try:
        found = {"csv": _of_text, "json": _of_lines, "parquet": _of_parquet}[kind](stream, files[0].name)
    except (ValueError, OSError, csv.Error) as reason:
        if isinstance(reason, InputError):
            raise
        raise InputError(
            "unreadable", files[0].name, "its first rows cannot be read", "name the columns in evaluate"
        ) from reason
    finally:
        stream.close()
    return {
        name: [None if isinstance(value, str) and value in MISSING else value for value in values]
        for name, values in found.items()
    }


def _of_text(stream: Any, where: str) -> Columns:
    head, start, separators = beginning(filled(stream, BYTES), where)
    text = head[start:].decode(errors="surrogateescape")
    headers = {one: next(_rows(text, one), []) for one in separators}
    # one that tears quoted names leaves their quotation marks
    separator = max(separators, key=lambda one: (not any('"' in n for n in headers[one]), len(headers[one])))
    rows = list(islice(_rows(text, separator), ROWS + 1))
    names, body = (rows[0], rows[1:]) if rows else ([], [])
    if len(head) >= BYTES - len(BOM) and len(rows) <= ROWS:
        body = body[:-1]  # which may be cut off
    if len(set(names)) < len(names):
        raise InputError("repeated", None, "two columns have one name", "name the columns in evaluate")
    return {name: [row[i] for row in body if i < len(row)] for i, name in enumerate(names)}


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    return (row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if row)


def _of_lines(stream: Any, where: str) -> Columns:
    head = filled(stream, BYTES)
    check_kind(head, where)
    lines = head.removeprefix(BOM).decode(errors="surrogateescape").splitlines()
    lines = [line for line in (lines[:-1] if len(head) == BYTES else lines) if line.strip()]
    rows = [json.loads(line) for line in lines[:ROWS]]
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("a line is not an object")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _of_parquet(stream: Any, where: str) -> Columns:
    from pyarrow import parquet

    with parquet.ParquetFile(stream) as opened:
        names = opened.schema_arrow.names
        first = next(opened.iter_batches(ROWS), None)
        columns = {} if first is None else first.to_pydict()
    return {name: columns.get(name, []) for name in names}
