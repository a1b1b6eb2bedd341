"""Columns as a frame of each engine that runs in other processes, in parts that several workers read."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

NUMBERS = count()
FIXTURES = {"spark": "spark", "dask": "dask_client", "postgres": "postgres"}


def frames_of(engine: str, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """The function from columns to a frame of this engine, which is started if it does not run yet."""
    running = request.getfixturevalue(FIXTURES[engine])

    def of_columns(columns: Any, folder: Path, parts: int = 4) -> Any:
        table = pa.table(columns)
        if engine == "postgres":
            return in_postgres(running, table)
        path = in_parts(table, folder, parts)
        if engine == "spark":
            return running.session.read.parquet(path)
        import dask.dataframe as dd

        return dd.read_parquet(path)

    return of_columns


def in_parts(table: pa.Table, folder: Path, parts: int) -> str:
    """Writes the table as files of a new folder; returns its path."""
    path = folder / f"table{next(NUMBERS)}"
    path.mkdir()
    rows = -(-table.num_rows // parts)
    for part in range(parts):
        pq.write_table(table.slice(part * rows, rows), path / f"{part:03}.parquet")
    return str(path)


def in_postgres(connection: Any, table: pa.Table) -> Any:
    """A table of the server; COPY keeps NaN and missing values apart."""
    import ibis

    name = f"table{next(NUMBERS)}"
    connection.create_table(name, schema=ibis.Schema.from_pyarrow(table.schema))
    lines = BytesIO()
    pyarrow.csv.write_csv(table, lines, pyarrow.csv.WriteOptions(include_header=False))
    with connection.con.cursor() as cursor, cursor.copy(f"COPY {name} FROM STDIN (FORMAT csv)") as copy:
        copy.write(lines.getvalue())
    connection.con.commit()
    return connection.table(name)
