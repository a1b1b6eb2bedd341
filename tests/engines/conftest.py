"""The engines, each started once for the session, where a test wants it."""

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
