"""JSON arrays: Arrow reads the objects as lines where that is the same, the json module otherwise."""

import json

import numpy as np
import pytest

from tallymark.input.sources import jsonlines, read

ROWS = [{"y": i % 2, "p": i / 64, "of": "a"} for i in range(40)]
ODD = {
    "a separator in a text": [*ROWS, {"y": 1, "p": 0.5, "of": "},{"}, *ROWS],
    "objects within": [{"y": 1, "p": 0.25, "of": [{"z": 1}, {"z": 2}]}] * 5,
    "text with a line end": [*ROWS, {"y": 1, "p": 0.5, "of": "}\n{"}, *ROWS],
    "another key": [*ROWS, {"y": 1, "p": 0.5, "of": "a", "more": 2}],
    "a key fewer": [*ROWS, {"y": 1, "p": 0.5}],
    "one object": ROWS[:1],
    "two objects": ROWS[:2],
}


@pytest.fixture(autouse=True)
def _arrow(monkeypatch):
    monkeypatch.setattr(jsonlines, "SMALL", -1)


def columns_of(path):
    batches = list(read(str(path), {"truth": "y", "score": "p"}).batches)
    return [np.concatenate([batch[role].values for batch in batches]).tolist() for role in ("truth", "score")]


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (",\n", ": "), (" ,\r\n  ", ":")])
def test_plain_objects_are_read_by_arrow(monkeypatch, tmp_path, separators):
    monkeypatch.setattr(jsonlines, "_by_objects", None)
    (tmp_path / "x.json").write_bytes(("[\n" + separators[0].join(map(json.dumps, ROWS)) + "\n]\n").encode())
    assert columns_of(tmp_path / "x.json") == [[row["y"] for row in ROWS], [row["p"] for row in ROWS]]


@pytest.mark.parametrize("rows", ODD.values(), ids=ODD)
@pytest.mark.parametrize("indent", [None, 2])
def test_whatever_the_objects_hold(tmp_path, rows, indent):
    (tmp_path / "x.json").write_text(json.dumps(rows, indent=indent))
    assert columns_of(tmp_path / "x.json") == [[row["y"] for row in rows], [row["p"] for row in rows]]
