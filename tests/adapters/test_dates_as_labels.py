"""Dates and times as labels: the same text in CSV, JSON and Parquet."""

import csv
import datetime
import json

import pytest
from refusals import refuses
from test_files_oracle import read

from tallymark import evaluate

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
SIZES = {"rows": 2, "block": 1 << 20, "head": 1 << 20}
NOON = datetime.datetime(2020, 1, 31, 12, 30, 0, 500_000)
VALUES = {
    "days": ([datetime.date(2020, 1, 31), datetime.date(1, 1, 1)], pa.date32()),
    "days in milliseconds": ([datetime.date(2020, 1, 31), datetime.date(1890, 1, 1)], pa.date64()),
    "seconds": ([NOON.replace(microsecond=0), datetime.datetime(1890, 1, 1)], pa.timestamp("s")),
    "microseconds": ([NOON, NOON.replace(microsecond=0)], pa.timestamp("us")),
    "nanoseconds": ([NOON, NOON.replace(microsecond=0)], pa.timestamp("ns")),
    "a time zone": ([NOON.replace(tzinfo=datetime.UTC)] * 2, pa.timestamp("us", "UTC")),
    "times of day": ([NOON.time(), datetime.time(0)], pa.time64("us")),
}


@pytest.mark.parametrize(("values", "kind"), VALUES.values(), ids=VALUES)
def test_every_format_has_the_same_labels(tmp_path, values, kind):
    values = [*values, None, values[0]]
    csv_path, json_path, parquet_path = (tmp_path / f"x.{ending}" for ending in ("csv", "jsonl", "parquet"))
    with open(csv_path, "w", newline="") as file:
        csv.writer(file).writerows([("y", "p"), *((value, 0.5) for value in values)])
    texts = [None if value is None else str(value) for value in values]
    json_path.write_text("\n".join(json.dumps({"y": text, "p": 0.5}) for text in texts))
    parquet.write_table(pa.table({"y": pa.array(values, kind), "p": [0.5] * 4}), parquet_path)
    for path in (csv_path, json_path, parquet_path):
        assert read(path, **SIZES)["y"] == texts, path.suffix


def test_dates_are_no_scores(tmp_path):
    path = str(tmp_path / "x.parquet")
    parquet.write_table(pa.table({"y": [0, 1], "p": pa.array([18000, 18001], pa.date32())}), path)
    with refuses("invalid-value", "'p'", argument="score"):
        evaluate(path, truth="y", score="p")


def test_dates_that_python_has_not(tmp_path):
    path = str(tmp_path / "x.parquet")
    parquet.write_table(pa.table({"y": pa.array([0, 2**50], pa.timestamp("ms")), "p": [0.5, 1]}), path)
    with refuses("unreadable", "x.parquet", "'y'"):
        evaluate(path, truth="y", score="p")
