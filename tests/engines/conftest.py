"""The engines, each started once for the session, where a test wants it."""

import narwhals.stable.v2 as nw
import pytest
from clusters import dask_cluster, postgres_server, spark_cluster


@pytest.fixture(scope="session")
def spark():
    with spark_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def dask_client():
    with dask_cluster() as client:
        yield client


@pytest.fixture(scope="session")
def postgres():
    with postgres_server() as connection:
        yield connection


@pytest.fixture
def fetched(monkeypatch):
    """The numbers of rows that came to the client, one for each query."""
    rows, collect = [], nw.LazyFrame.collect

    def counted(self, *args, **kwargs):
        table = collect(self, *args, **kwargs)
        rows.append(len(table))
        return table

    monkeypatch.setattr(nw.LazyFrame, "collect", counted)
    return rows
