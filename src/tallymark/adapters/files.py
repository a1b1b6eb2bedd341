"""CSV, Parquet and JSON-lines files through DuckDB, batch by batch: the file may be larger than memory."""

from __future__ import annotations

from collections.abc import Iterator
from glob import escape, glob, has_magic
from pathlib import Path
from typing import Any

from ..columns import Column
from ..validate import InputError
from . import frames

BATCH_ROWS = 1 << 20
MISSING_TEXT = ["", "NA", "null", "NULL"]
READERS = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), "csv"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
}
COMPRESSED = (".gz", ".zst")


def batches(path: str, wanted: dict[str, str]) -> Iterator[dict[str, Column]]:
    """The columns by role, a million rows at a time, in the order of the file. Rows are numbered from 1."""
    import narwhals.stable.v2 as nw

    _check(path)
    with _duckdb().connect() as connection:
        try:
            relation = _open(connection, path)
            frames.check_names(wanted, relation.columns, path)
            names = ", ".join(_quoted(name) for name in dict.fromkeys(wanted.values()))
            first_row = 1
            for batch in relation.project(names).to_arrow_reader(BATCH_ROWS):
                frame = nw.from_native(_table(batch), eager_only=True)
                yield frames.named(frame, wanted, first_row)
                first_row += len(frame)
            if first_row == 1:
                raise InputError(f"{path}: there are no rows below the header; at least one case is needed.")
        except (_duckdb().Error, OSError) as reason:  # a batch that fails later comes through pyarrow, as an OSError
            raise InputError(f"{path}: cannot be read: {_first_lines(reason)}") from reason


def _check(path):
    """The file is there, and of a kind that is known, before anything is opened."""
    suffixes = [suffix for suffix in Path(path).suffixes if suffix.lower() not in COMPRESSED]
    if (suffixes[-1].lower() if suffixes else "") not in READERS:
        raise InputError(f"{path}: the kind of file is told by its ending; known are {', '.join(READERS)}, also with .gz or .zst.")
    found = glob(path, recursive=True) if _is_pattern(path) else [path]
    if not found:
        raise InputError(f"{path}: no file fits this pattern.")
    for name in found:
        file = Path(name)
        if not file.is_file():
            raise InputError(
                f"{name}: {'this is a folder' if file.is_dir() else 'no such file'}; give the path of a file of predictions."
            )
        if not file.stat().st_size:
            raise InputError(f"{name}: the file is empty; it needs a header and one row per case.")


def _is_pattern(path):
    return has_magic(path) and not Path(path).exists()


def _open(connection: Any, path: str) -> Any:
    """The file or files as a DuckDB relation. A name that only looks like a pattern is escaped."""
    suffix = [suffix for suffix in Path(path).suffixes if suffix.lower() not in COMPRESSED][-1].lower()
    path = path if _is_pattern(path) else escape(path)
    if READERS[suffix] == "csv":
        return connection.read_csv(path, header=True, null_padding=False, na_values=MISSING_TEXT)
    return getattr(connection, f"read_{READERS[suffix]}")(path)


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


def _first_lines(reason):
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
    return " ".join(lines[:2])[:300] or type(reason).__name__
