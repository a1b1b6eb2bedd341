"""CSV, Parquet and JSON-lines files through DuckDB, batch by batch: the file may be larger than memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from glob import escape, glob, has_magic
from pathlib import Path

import numpy as np

from ..columns import Column
from ..validate import InputError, shown
from . import frames

BATCH_ROWS = 1 << 20
MISSING_TEXT = ["", "NA", "null", "NULL"]
READERS = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), "csv"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
}
NUMBERS = ("score", "weight")  # roles of columns that hold numbers
COMPRESSED = (".gz", ".zst")
LONGEST_PATH = 4000
TELLING = (
    "error when",
    "could not convert",
    "unicode",
    "expected",
    "conversion",
)  # in the line of DuckDB's that says what is wrong


def batches(paths: Sequence[str], wanted: dict[str, str]) -> Iterator[dict[str, Column]]:
    """The columns by role, a million rows at a time, file by file, in the order of each. Rows are numbered from 1 in each file.

    paths: of files, or patterns of paths; every one is checked before anything is read.
    """
    files = [file for path in paths for file in _found(path)]
    with _duckdb().connect() as connection:
        rows = 0
        for file in files:
            for batch in _batches_of(connection, file, wanted, several=len(files) > 1):
                rows += len(next(iter(batch.values())))
                yield batch
        if not rows:
            raise InputError(f"{', '.join(paths)}: there are no rows below the header; at least one case is needed.")


def _batches_of(connection, file, wanted, several):
    import narwhals.stable.v2 as nw

    try:
        relation = _open(connection, file)
        frames.check_names(wanted, relation.columns, file)
        names = ", ".join(_quoted(name) for name in dict.fromkeys(wanted.values()))
        first_row = 1
        for batch in relation.project(names).to_arrow_reader(BATCH_ROWS):
            frame = nw.from_native(_table(batch), eager_only=True)
            named = frames.named(frame, wanted, first_row, Path(file).name if several else None)
            untyped = READERS[_kind(file)] == "csv"
            yield {
                role: _as_numbers(column) if untyped and role.split()[0] in NUMBERS else column for role, column in named.items()
            }
            first_row += len(frame)
    except (_duckdb().Error, OSError) as reason:  # a batch that fails later comes through pyarrow, as an OSError
        raise InputError(f"{file}: cannot be read: {_telling_lines(reason)}; mend the file or leave that row out.") from reason


def _as_numbers(column):
    """A CSV file has no types: where DuckDB takes a column of numbers for text, because of an "inf" say, they are numbers still."""
    if column.values.dtype.kind != "O":
        return column
    try:
        return replace(column, values=column.values.astype(np.float64), missing=None)
    except (TypeError, ValueError):
        return column


def _found(path):
    """The files that a path or pattern stands for: they are there, and of a kind that is known."""
    if _kind(path) not in READERS:
        raise InputError(f"{path}: the kind of file is told by its ending; known are {', '.join(READERS)}, also with .gz or .zst.")
    found = sorted(glob(path, recursive=True)) if has_magic(path) and not os.path.exists(path) else [path]
    if not found:
        raise InputError(f"{path}: no file fits this pattern.")
    for name in found:
        file = Path(name)
        if len(name) > LONGEST_PATH or "\0" in name:
            raise InputError(f"{shown(name)}: this is no path of a file.")
        if not file.is_file():
            trouble = "this is a folder" if file.is_dir() else "no such file"
            raise InputError(f"{name}: {trouble}; give the path of a file of predictions.")
        if not file.stat().st_size:
            raise InputError(f"{name}: the file is empty; it needs a header and one row per case.")
    return found


def _kind(path):
    """Its ending, beneath that of a compression."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() not in COMPRESSED]
    return suffixes[-1] if suffixes else ""


def _open(connection, file):
    path = escape(file)  # DuckDB would take [1] in a name for a pattern
    if READERS[_kind(file)] == "csv":
        return connection.read_csv(path, header=True, null_padding=False, na_values=MISSING_TEXT)
    return getattr(connection, f"read_{READERS[_kind(file)]}")(path)


def _duckdb():
    try:
        import duckdb
        import pyarrow  # noqa: F401  # DuckDB hands batches over through it
    except ImportError as missing:
        raise InputError(f"Reading files needs {missing.name}; install it with: pip install 'tallymark[files]'") from missing
    return duckdb


def _table(batch):
    import pyarrow

    return pyarrow.Table.from_batches([batch])


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def _telling_lines(reason):
    """The first line of a long message, and the one that says what is wrong."""
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()] or [type(reason).__name__]
    telling = [line for line in lines[1:] if any(word in line.lower() for word in TELLING)]
    return " ".join([lines[0], *telling[:1]])[:300].rstrip(".")
