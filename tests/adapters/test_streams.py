"""Streams of batches: readers and datasets of Arrow, other libraries' streams, generators."""

import json

import numpy as np
import pandas as pd
import pytest
from refusals import refuses

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
    with refuses("unknown-name", "'q'", argument="score"):
        tm.evaluate(stream(), **{**GIVEN, "score": "q"})


def test_rows_are_counted_through_and_a_stream_is_read_once():
    gap = FRAME.copy()
    gap.loc[333, "p"] = np.nan
    with refuses("missing-value", "row 333", argument="score"):
        tm.evaluate(pa.Table.from_pandas(gap).to_reader(100), **GIVEN)
    reader = TABLE.to_reader(100)
    tm.evaluate(reader, **GIVEN)
    with refuses("empty", argument="data"):
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
    with refuses("unknown-name", "'month'", argument="by"):
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
    with refuses("unreadable"):
        tm.evaluate(folder.parent / "empty", **GIVEN)


def written(folder, tables, ending):
    """The paths of these tables as files."""
    import pyarrow.csv
    import pyarrow.parquet

    paths = [str(folder / f"{name}.{ending}") for name in tables]
    for path, table in zip(paths, tables.values(), strict=True):
        if ending == "csv":
            pyarrow.csv.write_csv(table, path)
        else:
            pyarrow.parquet.write_table(table, path, row_group_size=20)
    return paths


@pytest.mark.parametrize("known", [[0, 1], ["no", "yes"]], ids=["numbers", "words"])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize(
    ("later", "row", "group"), [([2] * 30, 0, 0), ([0] * 30 + [2] + [1] * 9, 30, 1), ([1, 2] * 15, 1, 0)]
)
def test_a_label_that_only_a_later_part_has_is_named_with_its_place(
    tmp_path, known, positive, later, row, group
):
    words = np.array([*known, 7 if known[0] == 0 else "maybe"])
    labels = words[[0, 1] * 10], words[later]
    tables = {
        name: pa.table({"y": one, "p": np.linspace(0, 1, len(one))})
        for name, one in zip(("first", "then"), labels, strict=True)
    }
    given = {"truth": "y", "score": "p"} | ({"positive": known[1]} if positive else {})
    parquet, csv = (written(tmp_path, tables, ending) for ending in ("parquet", "csv"))
    through = [batch for table in tables.values() for batch in table.to_batches()]

    def updates(data):
        held = tm.Accumulator(positive=given.get("positive"))
        for name in tables:
            held.update(truth=data[name]["y"].to_numpy(), score=data[name]["p"].to_numpy())

    places = {
        f"row {row} (counted from 0) in row group {group} of then.parquet": lambda: tm.evaluate(
            parquet, **given
        ),
        f"line {row + 2} of then.csv": lambda: tm.evaluate(csv, **given),
        f"row {row} (counted from 0) in row group {group} of then.parquet on": lambda: tm.evaluate(
            dataset.dataset(parquet), **given
        ),
        f"row {row} (counted from 0) on": lambda: updates(tables),
        f"row {20 + row} (counted from 0) on": lambda: tm.evaluate(iter(tables.values()), **given),
        f"row {20 + row} (counted from 0) on;": lambda: tm.evaluate(
            pa.RecordBatchReader.from_batches(through[0].schema, through), **given
        ),
    }
    for place, call in places.items():
        with pytest.raises(tm.InputError) as refused:
            call()
        text = str(refused.value)
        assert refused.value.code == "labels"
        assert "3 classes" in text
        assert f"{words[2].item()!r} from {place}" in text
        assert "one class against the rest" in text
    if not positive:
        return
    with refuses("unknown-name", "then.csv", argument="truth"):
        tm.evaluate(csv, **given, classes=known)
