"""Scores in Spark: the workers count, by one GROUP BY, and the driver fetches at most 65,536 rows.

In the project's folder, with Java 17 or later:

    python3 -m pip --python .venv install '.[spark]'
    .venv/bin/python examples/spark_job.py [spark://HOST:7077]

The workers need no Tallymark.
"""

import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, rand, when

import tallymark as tm


def scored(spark: SparkSession, rows: int = 200_000) -> DataFrame:
    """Risks, outcomes and sites; of a real job: spark.read.parquet(...), or spark.table(...)."""
    drawn = spark.range(rows).select("id", rand(1).alias("risk"), rand(2).alias("luck"))
    return drawn.select(
        "risk",
        (col("luck") < col("risk")).alias("outcome"),
        when(col("id") % 3 == 0, "north").otherwise("south").alias("site"),
    )


def main(master: str) -> None:
    spark = SparkSession.builder.master(master).getOrCreate()
    cases = scored(spark)
    print(tm.evaluate(cases, truth="outcome", score="risk"), "\n")
    print(tm.evaluate(cases, truth="outcome", score="risk", by="site"))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "local[2]")
