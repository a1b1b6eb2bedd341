"""Scores in DuckDB: it counts, by one GROUP BY, and at most 65,536 rows leave it.

In the project's folder:

    python3 -m pip --python .venv install '.[files]' duckdb
    .venv/bin/python examples/duckdb_query.py [QUERY]      # with the columns risk, outcome and site

A query as "SELECT * FROM 'scores/*.parquet'" reads files that are larger than memory.
"""

import sys

import duckdb

import tallymark as tm

DRAWN = """
    SELECT risk, luck < risk AS outcome, if(id % 3 = 0, 'north', 'south') AS site
    FROM (
        SELECT i AS id, hash(i) / 2.0**64 AS risk, hash(-i - 1) / 2.0**64 AS luck FROM range(1_000_000) t(i)
    )
"""


def main(query: str) -> None:
    cases = duckdb.sql(query)
    print(tm.evaluate(cases, truth="outcome", score="risk"), "\n")
    print(tm.evaluate(cases, truth="outcome", score="risk", by="site"))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else DRAWN)
