"""What is said of files of another kind, or written in another way, than their name says."""

import gzip
import json
import re

import numpy as np
import pandas as pd
import pytest
from refusals import refuses

import tallymark as tm

ROWS = [(i % 2, i / 10) for i in range(8)]
PLAIN = "y,p\n" + "\n".join(f"{y},{p}" for y, p in ROWS)


def said(path, content, **given):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(tm.InputError) as wrong:
        tm.evaluate(path, **{"truth": "y", "score": "p", **given})
    return str(wrong.value)


COLUMNS = {name: [row[i] for row in ROWS] for i, name in enumerate("yp")}
AS_CSV = [f"{y},{p}" for y, p in ROWS]
JSON_LINES = '{"y": 1, "p": true}\n{"y": 0, "p": false}'
OTHERS = {
    "decimal comma": ("x.csv", PLAIN.replace(",", ";").replace(".", ","), "with a point"),
    "percentages": ("x.csv", PLAIN.replace("0.3", "30 %"), "write 20 % as 0.2"),
    "row names of R": (
        "x.csv",
        "y,p\n" + "\n".join(f"{i},{row}" for i, row in enumerate(AS_CSV)),
        "row.names",
    ),
    "separators at the end": ("x.csv", "y,p\n" + "\n".join(f"{row}," for row in AS_CSV), "end of the lines"),
    "blanks": ("x.csv", PLAIN.replace(",", " "), "no separator but blanks"),
    "UTF-16 without a mark": ("x.csv", PLAIN.encode("utf-16-le"), "UTF-16"),
    "UTF-32": ("x.csv", PLAIN.encode("utf-32"), "UTF-32"),
    "UTF-16": ("x.csv", PLAIN.encode("utf-16"), "UTF-16"),
    "Latin-1": ("x.csv", PLAIN.replace("y,p", "y\xe9,p").encode("latin-1"), "line 1 holds the byte 0xe9"),
    "gzip": ("x.csv", gzip.compress(PLAIN.encode()), r"gzip.*\.gz"),
    "gzip of JSON": ("x.jsonl", gzip.compress(b'{"y": 1, "p": 0.5}'), r"gzip.*\.gz"),
    "too large": ("x.csv", PLAIN.replace("0.3", "1e999"), "1.8e308"),
    "columns in JSON": ("x.json", json.dumps(COLUMNS), "one JSON object per case"),
    "pandas in JSON": ("x.json", pd.DataFrame(COLUMNS).to_json(), "one JSON object per case"),
    "true as a score": ("x.jsonl", JSON_LINES, "True in line 1 is not a number"),
}


@pytest.mark.parametrize(("name", "content", "fact"), OTHERS.values(), ids=OTHERS)
def test_what_is_wrong_and_the_way_out(tmp_path, name, content, fact):
    text = said(tmp_path / name, content)
    assert re.search(fact, text), text
    assert "\0" not in text


def test_parquet_with_another_ending(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "x.csv"
    pd.DataFrame(COLUMNS).to_parquet(path)
    assert re.search(r"Parquet.*\.parquet", said(path, path.read_bytes()))


def test_the_separator_line_of_excel_is_read(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("sep=;\n" + PLAIN.replace(",", ";"))
    assert tm.evaluate(path, truth="y", score="p")["roc_auc"].value == 10 / 16
    path.write_text("sep=;\r\n" + PLAIN.replace(",", ";").replace("0.3", "x"))
    with refuses("invalid-value", "'x'", "line 6", argument="score"):
        tm.evaluate(path, truth="y", score="p")


def test_dates_as_scores():
    dates = np.arange("2024-01-01", "2024-01-09", dtype="datetime64[D]")
    for score in (dates, pd.Series(dates)):
        with refuses("invalid-value", argument="score"):
            tm.evaluate(truth=COLUMNS["y"], score=score)
