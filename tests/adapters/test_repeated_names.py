"""A name that occurs twice is refused, also where it is not asked for."""

import pytest
from written import refusal, written

from tallymark import evaluate
from tallymark.input.sources import jsonlines

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def evaluated(data, **given):
    return evaluate(data, **({"truth": "y", "score": "p"} | given))["roc_auc"].value


@pytest.mark.parametrize(("above", "line"), [("", 1), ("\n\r\n", 3)])
@pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
def test_in_the_header_of_a_csv_file(tmp_path, separator, above, line):
    path = written(tmp_path, above + "y,a,p,a\n1,2,.9,2\n0,2,.2,2\n".replace(",", separator))
    assert refusal(path) == f"{path}: line {line}: 2 columns have the name 'a'; give each its own name."


def test_a_column_that_is_not_there_is_named_first(tmp_path):
    path = written(tmp_path, "a,a,q\n1,2,.9\n")
    assert refusal(path) == f"truth: {path} has no column 'y'; the columns are 'a', 'q'."


def test_columns_without_a_name(tmp_path):
    """Trailing separators, as spreadsheets write them; such a column can be asked for where there is only
    one."""
    path = written(tmp_path, "y,p,,\n1,.9,,\n0,.2,,\n")
    assert evaluated(path) == 1
    assert refusal(path, score="") == f"{path}: line 1: 2 columns have the name ''; give each its own name."
    path = written(tmp_path, "y,,p, , \n1,.9,.1,,\n0,.2,.5,,\n")
    assert refusal(path) == f"{path}: line 1: 2 columns have the name ' '; give each its own name."


OBJECTS = ['{"y": 1, "p": 0.9, "a": 1}', '{"y": 0, "p": 0.2, "a": 1}']
REPEATS = {
    "with one value": ('{"y": 0, "y": 0, "p": 0.5}', "y"),
    "with none": ('{"y": 0, "p": 0.5, "p": null}', "p"),
    "written in two ways": ('{"y": 0, "p": 0.5, "\\u0070": 1}', "p"),
    "in another order": ('{"p": 1, "a": 0.5, "p": 1, "y": 0}', "p"),
    "more than any other has": ('{"y": 0, "p": 0.5, "a": 1, "b": 1, "c": 2, "y": 3}', "y"),
}


@pytest.mark.parametrize("rows", [0, 1, 30])
@pytest.mark.parametrize(("text", "key"), REPEATS.values(), ids=REPEATS)
@pytest.mark.parametrize("small", [-1, 1 << 17])
def test_in_an_object_of_json(tmp_path, monkeypatch, text, key, rows, small):
    monkeypatch.setattr(jsonlines, "SMALL", small)
    lines = [*OBJECTS * rows, text, *OBJECTS]
    path = written(tmp_path, "\n".join(lines), "x.jsonl")
    assert refusal(path) == f"{path}: line {2 * rows + 1}: {key!r} stands there twice; give each key once."
    path = written(tmp_path, f"[{', '.join(lines)}]", "x.json")
    assert (
        refusal(path)
        == f"{path}: row {2 * rows} (counted from 0): {key!r} stands there twice; give each key once."
    )


def test_lines_of_which_the_keys_repeat_from_one_to_the_next(tmp_path):
    """As many keys as lines with two keys each would have, in their order: only the second line has one of
    them twice."""
    path = written(tmp_path, '{"y": 1, "p": 0.9}\n{"y": 0, "p": 0.5, "y": 0}\n{"p": 0.2}\n', "x.jsonl")
    assert refusal(path) == f"{path}: line 2: 'y' stands there twice; give each key once."


def test_keys_within_values_and_in_any_order(tmp_path):
    lines = [
        '{"y": 1, "p": 0.9, "a": {"a": 1, "a": 2}}',
        '{"a": [{"y": 2, "y": 3}], "p": 0.2, "y": 0}',
        '{"p": 0.3, "y": 0}',
    ]
    assert evaluated(written(tmp_path, "\n".join(lines), "x.jsonl")) == 1
    assert evaluated(written(tmp_path, f"[{', '.join(lines)}]", "x.json")) == 1


def test_in_parquet(tmp_path):
    path = str(tmp_path / "x.parquet")
    columns = [pa.array([1, 0]), pa.array([0.9, 0.1]), pa.array([1, 1]), pa.array([1, 1])]
    parquet.write_table(pa.Table.from_arrays(columns, ["y", "p", "a", "a"]), path)
    assert refusal(path) == f"{path}: 2 columns have the name 'a'; give each its own name."


def frames():
    names, rows = ["y", "p", "a", "a"], [[1, 0.9, 1, 1], [0, 0.1, 1, 1]]
    yield pa.Table.from_arrays([pa.array(column) for column in zip(*rows, strict=True)], names)
    yield pytest.importorskip("pandas").DataFrame(rows, columns=names)


def test_in_a_frame():
    for frame in frames():
        assert refusal(frame) == "the data: 2 columns have the name 'a'; give each its own name."


def test_in_a_relation():
    relation = pytest.importorskip("duckdb").sql("select 1 as y, 0.5 as p, 1 as a, 2 as a")
    assert refusal(relation) == "the data: 2 columns have the name 'a'; give each its own name."
