"""A table of pyarrow as a frame of each engine, in parts that several workers read."""

from __future__ import annotations

from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

NUMBERS = count()


def in_parts(table: pa.Table, folder: Path, parts: int = 4) -> str:
    """Writes the table as files of a new folder; returns its path."""
    path = folder / f"table{next(NUMBERS)}"
    path.mkdir()
    rows = -(-table.num_rows // parts)
    for part in range(parts):
        pq.write_table(table.slice(part * rows, rows), path / f"{part:03}.parquet")
    return str(path)


def of_spark(cluster: Any, table: pa.Table, parts: int = 4) -> Any:
    return cluster.session.read.parquet(in_parts(table, cluster.folder, parts))


def of_dask(folder: Path, table: pa.Table, parts: int = 4) -> Any:
    import dask.dataframe as dd

    return dd.read_parquet(in_parts(table, folder, parts))


def of_postgres(connection: Any, table: pa.Table) -> Any:
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
