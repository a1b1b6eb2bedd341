"""A relation of DuckDB that is counted there, next to the average score by label."""

from __future__ import annotations

from functools import partial
from typing import Any

from samples import two_classes
from tasks import OURS, REGISTRY, Job, Target, Task

ROWS = 10_000_000
AVERAGE, LABELS = "DuckDB, average score by label", "tallymark, predicted labels"


def relation(data: Any) -> Any:
    """The columns as a table in memory."""
    import duckdb
    import pyarrow as pa

    connection = duckdb.connect()
    columns = pa.table({"y": data.truth, "p": data.score, "said": data.score >= 0.5})
    connection.register("columns_in_memory", columns)
    connection.execute("create table cases as select * from columns_in_memory")
    return connection.table("cases")


def average(data: Any) -> Job:
    cases = relation(data)
    return Job(lambda: cases.aggregate("y, avg(p)").fetchall())


def evaluated(columns: dict[str, str], data: Any) -> Job:
    import tallymark as tm

    cases = relation(data)
    return Job(lambda: tm.evaluate(cases, truth="y", **columns))


REGISTRY.add(
    Task(
        name="engines/duckdb",
        line=0,
        title=f"`evaluate` of a relation of DuckDB, {ROWS:,} rows, counts and sums of losses",
        data=two_classes(ROWS, distinct=True),
        tools={
            OURS: partial(evaluated, {"score": "p"}),
            LABELS: partial(evaluated, {"predicted": "said"}),
            AVERAGE: average,
        },
        targets=(Target(6, of=AVERAGE), Target(4, of=AVERAGE, tool=LABELS)),
        rounds=3,
        quick=False,
    )
)
