"""Frames of engines that run in this process: by name a function from columns to a frame, in a folder."""

import sqlite3
import warnings
from itertools import count

import polars as pl
import pyarrow as pa
import pytest

NUMBERS = count()


def of_duckdb(columns, folder):
    return pytest.importorskip("duckdb").from_arrow(pa.table(columns))


def of_ibis_duckdb(columns, folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        connection = pytest.importorskip("ibis").duckdb.connect()
    connection.con.register("cases_in_memory", pa.table(columns))
    connection.con.execute("create table cases as select * from cases_in_memory")
    return connection.table("cases")


def of_ibis_sqlite(columns, folder):
    """SQLite holds NaN as null, float32 as float64 and Boolean values as numbers."""
    ibis, pandas = pytest.importorskip("ibis"), pytest.importorskip("pandas")
    path = folder / f"{next(NUMBERS)}.sqlite"
    types = {name: pa.array(values).type for name, values in columns.items()}
    flags = {name: "BOOLEAN" for name, one in types.items() if pa.types.is_boolean(one)}
    with sqlite3.connect(path) as database:
        pandas.DataFrame(columns).to_sql("cases", database, index=False, dtype=flags)
    database.close()
    return ibis.sqlite.connect(path).table("cases")


def of_dask(columns, folder):
    dask, pandas = pytest.importorskip("dask.dataframe"), pytest.importorskip("pandas")
    return dask.from_pandas(pandas.DataFrame(columns), npartitions=3)


FRAMES = {
    "duckdb": of_duckdb,
    "polars": lambda columns, folder: pl.LazyFrame(columns),
    "ibis-duckdb": of_ibis_duckdb,
    "ibis-sqlite": of_ibis_sqlite,
    "dask": of_dask,
}
