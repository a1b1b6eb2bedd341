"""JSON arrays without native kernels: Arrow reads the objects as lines where that is the same, the json
module otherwise."""

import json

import numpy as np
import pytest

from tallymark.input.sources import jsonarrays, read

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


@pytest.fixture
def arrow(monkeypatch):
    """How many rows Arrow read at each call."""
    taken = []

    def counted(wanted, data, rows, table_of=jsonarrays.table_of):
        table = table_of(wanted, data, rows)
        taken.append(0 if table is None else rows)
        return table

    monkeypatch.setattr(jsonarrays, "objects", lambda *_, **__: None)
    monkeypatch.setattr(jsonarrays, "table_of", counted)
    return taken


def columns_of(path):
    batches = list(read(str(path), {"truth": "y", "score": "p"}).batches)
    return [np.concatenate([batch[role].values for batch in batches]).tolist() for role in ("truth", "score")]


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (",\n", ": "), (" ,\r\n  ", ":")])
def test_all_but_the_last_object_are_read_by_arrow(arrow, tmp_path, separators):
    (tmp_path / "x.json").write_bytes(("[\n" + separators[0].join(map(json.dumps, ROWS)) + "\n]\n").encode())
    assert columns_of(tmp_path / "x.json") == [[row["y"] for row in ROWS], [row["p"] for row in ROWS]]
    assert sum(arrow) == len(ROWS) - 1


@pytest.mark.parametrize("rows", ODD.values(), ids=ODD)
@pytest.mark.parametrize("indent", [None, 2])
def test_whatever_the_objects_hold(arrow, tmp_path, rows, indent):
    (tmp_path / "x.json").write_text(json.dumps(rows, indent=indent))
    assert columns_of(tmp_path / "x.json") == [[row["y"] for row in rows], [row["p"] for row in rows]]
