"""Streams of batches: readers and datasets of Arrow, other libraries' streams, generators."""

import json

import numpy as np
import pandas as pd
import pytest

import tallymark as tm
from tallymark.cli import main

pa = pytest.importorskip("pyarrow")
dataset = pytest.importorskip("pyarrow.dataset")
rng = np.random.default_rng(1)
N = 500
FRAME = pd.DataFrame({"y": np.where(rng.random(N) < 0.4, "yes", "no"), "p": rng.random(N), "z": 0})
TABLE = pa.Table.from_pandas(FRAME)
GIVEN = {"truth": "y", "score": "p", "positive": "yes"}
EXPECTED = tm.evaluate(FRAME, **GIVEN)["roc_auc"]


class Stream:
    """An object that has nothing but the stream of Arrow."""

    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)


STREAMS = {
    "reader": lambda: TABLE.to_reader(100),
    "dataset": lambda: dataset.dataset(TABLE),
    "capsule": Stream,
    "batches": lambda: iter(TABLE.to_batches(100)),
    "frames": lambda: (FRAME[start : start + 90] for start in range(0, N, 90)),
    "mappings": lambda: ({name: part[name] for name in part} for part in (FRAME[:200], FRAME[200:])),
}


@pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
def test_a_stream_is_read_as_the_frame(stream):
    assert tm.evaluate(stream(), **GIVEN)["roc_auc"] == EXPECTED
    both = tm.evaluate(stream(), **{**GIVEN, "score": {"a": "p", "b": "z"}})
    assert both["a"]["roc_auc"] == EXPECTED
    with pytest.raises(tm.InputError, match="no column 'q'"):
        tm.evaluate(stream(), **{**GIVEN, "score": "q"})


def test_rows_are_counted_through_and_a_stream_is_read_once():
    gap = FRAME.copy()
    gap.loc[333, "p"] = np.nan
    with pytest.raises(tm.InputError, match="row 333"):
        tm.evaluate(pa.Table.from_pandas(gap).to_reader(100), **GIVEN)
    reader = TABLE.to_reader(100)
    tm.evaluate(reader, **GIVEN)
    with pytest.raises(tm.InputError, match="read once"):
        tm.evaluate(reader, **GIVEN)


@pytest.fixture
def folder(tmp_path):
    parts = FRAME.assign(day=np.where(np.arange(N) < 200, "2024-01-01", "2024-01-02"), site=np.arange(N) % 3)
    for (day, site), part in parts.groupby(["day", "site"]):
        place = tmp_path / "data" / f"day={day}" / f"site={site}"
        place.mkdir(parents=True)
        part.drop(columns=["day", "site"]).to_parquet(place / "part-0.parquet")
    (tmp_path / "data" / "_SUCCESS").write_text("")
    return tmp_path / "data"


def test_a_folder_of_files_has_the_columns_of_its_folders(folder):
    assert tm.evaluate(folder, **GIVEN)["roc_auc"] == EXPECTED
    assert tm.evaluate(f"{folder}/*/*/*.parquet", **GIVEN)["roc_auc"] == EXPECTED
    assert tm.evaluate(f"{folder}/**", **GIVEN)["roc_auc"] == EXPECTED
    groups = tm.evaluate(folder, **GIVEN, by=["day", "site"])
    assert [one.data.rows for one in groups.values()] == [67, 67, 66, 100, 100, 100]
    assert next(iter(groups)) == "2024-01-01, 0"
    files = sorted(folder.rglob("*.parquet"))
    assert list(tm.evaluate(files, **GIVEN, by="day")) == ["2024-01-01", "2024-01-02"]
    with pytest.raises(tm.InputError, match="no column 'month'"):
        tm.evaluate(folder, **GIVEN, by="month")


@pytest.mark.full
def test_folders_and_patterns_on_the_command_line(folder, capsys):
    for path in (folder, f"{folder}/day=*/*"):
        assert (
            main(["evaluate", str(path), *["--truth", "y", "--score", "p", "--positive", "yes", "--json"]])
            == 0
        )
        assert json.loads(capsys.readouterr().out)["data"]["rows"] == N
    (folder.parent / "empty").mkdir()
    with pytest.raises(tm.InputError, match="holds no file"):
        tm.evaluate(folder.parent / "empty", **GIVEN)
