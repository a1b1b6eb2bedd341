"""Curves as files: what comes back from each form, and what is refused before anything is written."""

import csv
import errno
import json
import math
import os
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from drawn_tables import ALL, OF_PROBABILITIES, alike, every_name, table_of

from tallymark import InputError, RankingTable
from tallymark.curves import Curve, curve
from tallymark.input.results import head
from tallymark.report import svg

INFINITE = RankingTable([math.inf, 0.7, 0.1 + 0.2, -math.inf], [1, 2, 0, 1], [0, 1, 2, 1])
ONE_CLASS = table_of([0, 0, 0], [0.9, 0.9, 1 / 3])
SINGLE = table_of([0, 1, 1], np.array([0.1, 0.7, 0.3], np.float32))
TABLES = {"infinite": INFINITE, "one class": ONE_CLASS, "single precision": SINGLE}
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def found_of(name, table):
    if name in OF_PROBABILITIES and table is INFINITE:
        table = table_of([0, 1, 1, 0], [1.0, 0.0, 0.7, 0.1 + 0.2])
    return curve(name, table)


def from_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return {
        name: [float(text or "nan") for text in texts] for name, texts in zip(names, columns, strict=True)
    }


def from_json(path):
    strict = json.loads(
        path.read_text(encoding="utf-8"),
        parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"),
    )
    return {
        name: [math.nan if value is None else float(value) for value in values]
        for name, values in strict["columns"].items()
    }


def from_parquet(path):
    from pyarrow.parquet import read_table

    return {name: column.to_numpy() for name, column in zip(*table_and_names(read_table(path)), strict=True)}


def table_and_names(table):
    return table.column_names, table.columns


READERS = {".csv": from_csv, ".json": from_json, ".parquet": from_parquet}

# Round trips
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@every_table
@every_name
@pytest.mark.parametrize("ending", READERS)
def test_what_is_saved_comes_back_to_the_last_digit(tmp_path, ending, name, table):
    found, path = found_of(name, table), tmp_path / f"curve{ending}"
    found.save(path)
    back = READERS[ending](path)
    assert [*back] == [*found.columns]
    assert alike([np.asarray(column, float) for column in back.values()], [*found.columns.values()])


@every_table
@every_name
def test_a_picture_is_the_one_that_a_notebook_shows(tmp_path, name, table):
    found, path = found_of(name, table), tmp_path / "curve.svg"
    found.save(str(path))
    assert path.read_text(encoding="utf-8") == found._repr_svg_()
    assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_the_forms_of_what_is_infinite_or_undefined(tmp_path):
    found = curve("precision", RankingTable([0.5, -math.inf], [1, 0], [0, 1]))
    found.save(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == b"threshold,precision\ninf,\n0.5,1.0\n-inf,0.5\n"
    assert found.to_dict() == head("curve") | {
        "curve": "precision",
        "step": "post",
        "baseline": None,
        "columns": {"threshold": ["inf", 0.5, "-inf"], "precision": [None, 1.0, 0.5]},
    }


def test_the_json_says_what_the_curve_is(tmp_path):
    found = curve("pr", INFINITE)
    found.save(tmp_path / "a.json")
    told = json.loads((tmp_path / "a.json").read_text())
    assert (told["curve"], told["step"], told["baseline"]) == ("pr", "pre", [0.5, 0.5])
    assert [*told["columns"]] == ["threshold", "recall", "precision"]


def test_names_with_commas_and_quotes(tmp_path):
    y = np.array([0.0, 1.0])
    Curve("odd", y, y, y, 'a "rate", of sorts', "line\nbreak").save(tmp_path / "a.csv")
    assert [*from_csv(tmp_path / "a.csv")] == ["threshold", 'a "rate", of sorts', "line\nbreak"]


@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet", ".svg"])
def test_a_curve_without_points_is_a_file_without_rows(tmp_path, ending):
    """Of the decision curve none is below a threshold of 1."""
    found = curve("decision", table_of([0, 1], [1.0, 1.0]))
    assert len(found) == len(found.simplify()) == found.area == 0
    found.save(tmp_path / f"a{ending}")
    if ending in READERS:
        assert {len(column) for column in READERS[ending](tmp_path / f"a{ending}").values()} == {0}


@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet", ".svg"])
def test_a_file_is_replaced_and_its_ending_may_be_in_capitals(tmp_path, ending):
    path = tmp_path / f"a{ending.upper()}"
    path.write_text("x" * 100_000)
    curve("roc", INFINITE).save(path)
    curve("roc", INFINITE).save(tmp_path / f"b{ending}")
    assert path.read_bytes() == (tmp_path / f"b{ending}").read_bytes()


def test_data_frames_take_the_columns():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for name in ALL:
        columns = found_of(name, INFINITE).columns
        assert [*pandas.DataFrame(columns)] == polars.DataFrame(columns).columns == [*columns]


# Refused
# --------------------------------------------------------------------------------------------------


def refused(path, *said):
    """The text of the one clear sentence with which saving there is refused."""
    with pytest.raises(InputError) as caught:
        curve("roc", INFINITE).save(path)
    text = str(caught.value)
    assert text.startswith("path: ")
    assert text.endswith(".")
    assert "\n" not in text
    assert all(word in text for word in said)


@pytest.mark.parametrize(
    "name", ["curve.png", "curve", "curve.csv.gz", ".csv", "csv", "curve.", "curve.csv ", "curve.doc"]
)
def test_another_ending_is_refused(tmp_path, name):
    refused(tmp_path / name, f"{name!r}"[1:], ".json, .csv, .md, .tex, .xlsx, .parquet or .svg")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet", ".svg"])
def test_a_folder_that_is_not_there_is_refused(tmp_path, ending):
    refused(tmp_path / "none" / f"curve{ending}", f"the folder {str(tmp_path / 'none')!r} does not exist")
    (tmp_path / "file").write_text("kept")
    refused(tmp_path / "file" / f"curve{ending}", "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet", ".svg"])
def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path, ending):
    (tmp_path / f"curve{ending}").mkdir()
    refused(tmp_path / f"curve{ending}", f"curve{ending}", "is a folder")
    assert [*(tmp_path / f"curve{ending}").iterdir()] == []


@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet", ".svg"])
def test_a_full_disk_is_refused_and_leaves_nothing(tmp_path, monkeypatch, ending):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tallymark.report.files.os.replace", full)
    refused(tmp_path / f"curve{ending}", "cannot be written", "No space left on device")
    assert [*tmp_path.iterdir()] == []


def test_parquet_without_pyarrow_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused(tmp_path / "curve.parquet", "pip install 'tallymark[files]'")
    assert [*tmp_path.iterdir()] == []


def test_what_cannot_be_drawn_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(svg, "standalone", lambda figure: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        curve("roc", INFINITE).save(tmp_path / "curve.svg")
    assert [*tmp_path.iterdir()] == []
