"""Excel files, read back by openpyxl: numbers are numbers, no label is a formula, and what a sheet lacks."""

import sys
from io import BytesIO
from math import inf

import numpy as np
import pytest
from every_result import results
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.input.results import Tabular
from tallymark.report import files as excel

openpyxl = pytest.importorskip("openpyxl")
FORMULAS = ("=1+1", "+1", "-1", "@SUM(1)", "{=1}", "https://example.org", "=HYPERLINK(1)")


def book(result):
    return openpyxl.load_workbook(BytesIO(excel.as_excel(result)))


def cells(sheet):
    """The values, without the header."""
    return [list(row) for row in sheet.iter_rows(min_row=2, values_only=True)]


def with_rows():
    """Of sums of amounts there are no rows."""
    every = {name: one for name, one in results().items() if isinstance(one, Tabular)}
    del every["moments of residuals"]
    return every


def same(read, wanted):
    """Whether a cell has the value of the table; XlsxWriter writes 16 digits, of which Excel shows 15."""
    if wanted in (inf, -inf):
        return read == str(wanted)
    if isinstance(wanted, float):
        return isinstance(read, (int, float)) and read == pytest.approx(wanted, rel=1e-15, abs=0)
    return read == (None if wanted == "" else wanted) and isinstance(
        read, type(wanted) if wanted != "" else object
    )


@pytest.mark.full
@for_each("name", with_rows)
def test_a_sheet_has_the_rows_of_the_table(name):
    one = with_rows()[name]
    found = book(one)
    assert found.sheetnames == ["table", "notices", "data"]
    sheet, rows = found["table"], one.table
    assert [cell.value for cell in sheet[1]] == list(rows[0])
    assert sheet.max_row == len(rows) + 1
    for read, row in zip(cells(sheet), rows, strict=True):
        assert all(map(same, read, row.values())), (read, row)
    assert [row[:2] for row in cells(found["notices"])] == [[one.code, one.text] for one in one.notices]


def test_without_rows_it_is_refused():
    with refuses("unsupported", argument="regression"):
        excel.as_excel(results()["moments of residuals"])


def test_numbers_are_numbers_and_facts_stand_on_their_own_sheet():
    ev = tm.evaluate(truth=[0, 1, 1, 0] * 9, score=[0.1, 0.8, 0.6, 0.7] * 9)
    found = book(ev)
    auc = next(row for row in cells(found["table"]) if row[0] == "roc_auc")
    assert auc[1:4] == [ev["roc_auc"].value, ev["roc_auc"].low, ev["roc_auc"].high]
    facts = dict(cells(found["data"]))
    assert facts["data.rows"] == 36
    assert facts["counts.tp"] == 18
    assert facts["threshold.value"] == 0.5
    assert facts["headline.text"] == str(ev.headline)
    assert not any(name.startswith("measures.") for name in facts)


def test_no_label_is_a_formula_or_a_link():
    truth = np.repeat(FORMULAS, 6)
    ev = tm.evaluate(truth=truth, predicted=np.roll(truth, 1))
    sheet = book(ev.matrix)["table"]
    labels = [cell for row in sheet.iter_rows(min_row=2) for cell in row if isinstance(cell.value, str)]
    assert {cell.value for cell in labels} == {*FORMULAS}
    assert all(cell.data_type == "s" and cell.hyperlink is None for cell in labels)


def test_what_excel_cannot_hold(monkeypatch):
    long = tm.ConfusionMatrix.from_arrays(truth=["x" * 40_000, "y"], predicted=["y", "y"])
    texts = [value for row in cells(book(long)["table"]) for value in row if isinstance(value, str)]
    assert max(map(len, texts)) == excel.LONGEST
    numbers = tm.ConfusionMatrix.from_arrays(truth=[2**60, 1], predicted=[1, 1])
    assert str(2**60) in cells(book(numbers)["table"])[-1]
    assert excel.MOST_ROWS == 1_048_576
    monkeypatch.setattr(excel, "MOST_ROWS", len(long.table) + 1)
    assert cells(book(long)["table"])
    monkeypatch.setattr(excel, "MOST_ROWS", len(long.table))
    with pytest.raises(tm.InputError, match=rf"has {len(long.table) - 1} below its header; write .parquet"):
        book(long)


def test_without_the_library_it_is_refused_before_the_work(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    for attempt in (tm.Evaluation.check_path, tm.Counts(tp=1, fp=1, fn=1, tn=1).save):
        with refuses("not-installed", "'tallymark[excel]'", argument="path"):
            attempt(tmp_path / "x.xlsx")
    assert [*tmp_path.iterdir()] == []
