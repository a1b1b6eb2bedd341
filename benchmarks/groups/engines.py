"""A relation of DuckDB that is counted there, next to the average score by label."""

from __future__ import annotations

from typing import Any

from samples import two_classes
from tasks import OURS, REGISTRY, Job, Target, Task

ROWS = 10_000_000
AVERAGE, COUNTS = "DuckDB, average score by label", "tallymark, counts alone"


def relation(data: Any) -> Any:
    """The columns as a table in memory."""
    import duckdb
    import pyarrow as pa

    connection = duckdb.connect()
    columns = pa.table({"y": data.truth, "p": data.score})
    connection.register("columns_in_memory", columns)
    connection.execute("create table cases as select * from columns_in_memory")
    return connection.table("cases")


def average(data: Any) -> Job:
    cases = relation(data)
    return Job(lambda: cases.aggregate("y, avg(p)").fetchall())


def evaluated(data: Any) -> Job:
    import tallymark as tm

    cases = relation(data)
    return Job(lambda: tm.evaluate(cases, truth="y", score="p"))


def counted(data: Any) -> Job:
    """Without the query of the sums of losses, in the process of this tool alone."""
    from tallymark.summaries.engines import Engine

    Engine._losses = lambda self, *_: [{} for _ in self.parts]
    return evaluated(data)


REGISTRY.add(
    Task(
        name="engines/duckdb",
        line=0,
        title=f"`evaluate` of a relation of DuckDB, {ROWS:,} rows, counts and sums of losses",
        data=two_classes(ROWS, distinct=True),
        tools={
            OURS: evaluated,
            COUNTS: counted,
            AVERAGE: average,
        },
        targets=(Target(6, of=AVERAGE), Target(4, of=AVERAGE, tool=COUNTS)),
        rounds=3,
        quick=False,
    )
)
