"""JSON arrays: plain objects are read by the native kernel, the others by the json module, in their order."""

import json

import pytest
from test_files_oracle import read

from tallymark import kernels
from tallymark.input.sources import jsonarrays

pytest.importorskip("pyarrow")
SIZES = {"rows": 1000, "block": 1 << 20, "head": 1 << 20}
native = pytest.mark.skipif(kernels.NAME != "native", reason="NumPy reads no JSON")
ROWS = [{"y": f"é{i % 3}", "p": i / 7, "more": [{"y": "]},{"}, None]} for i in range(40)]


def held(tmp_path, text, **sizes):
    path = tmp_path / "x.json"
    path.write_text(text)
    rows = json.loads(text)
    assert read(path, **SIZES | sizes) == {name: [row.get(name) for row in rows] for name in ("y", "p")}


@native
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("end", ["", " \n"])
def test_plain_objects_are_not_parsed_by_the_json_module(tmp_path, monkeypatch, indent, end):
    monkeypatch.setattr(jsonarrays, "part_of", None)
    held(tmp_path, json.dumps(ROWS, indent=indent, ensure_ascii=False) + end)


@pytest.mark.full
@pytest.mark.parametrize("block", [1, 30, 500, 1 << 20])
@pytest.mark.parametrize("odd", [0, 20, 39])
def test_an_object_that_is_not_plain_among_others(tmp_path, block, odd):
    rows = [dict(row, y='"\n' if i == odd else row["y"]) for i, row in enumerate(ROWS)]
    held(tmp_path, json.dumps(rows, ensure_ascii=False), block=block, head=block + 300)


@pytest.mark.parametrize("block", [1, 30, 1 << 20])
def test_a_column_of_which_no_value_is_known_at_first(tmp_path, block):
    rows = [{"y": None, "p": None}] * 20 + ROWS + [{"p": 1}, {"y": "b"}]
    held(tmp_path, json.dumps(rows, ensure_ascii=False), block=block, head=block + 300)
