"""The examples run, and what they write can be read."""

import re
import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"

pytestmark = pytest.mark.full


def test_a_first_day(tmp_path, monkeypatch, capsys):
    for library in ("sklearn", "matplotlib", "pandas", "openpyxl"):
        pytest.importorskip(library)
    script = EXAMPLES / "first_day.py"
    assert len(script.read_text().splitlines()) <= 150
    monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    for words in ("mean of folds", "5 models of 569 cases", "3 groups by site", "best by MCC"):
        assert words in out
    assert re.search(r"^logistic +0\.99\d ~?\[0\.98\d, 0\.99\d\]", out, re.M)
    assert (tmp_path / "roc.png").read_bytes().startswith(b"\x89PNG")
    import pandas as pd

    rows = pd.read_excel(tmp_path / "models.xlsx")
    assert rows["model"].nunique() == 5
    assert "roc_auc" in set(rows["measure"])
    assert pd.read_excel(tmp_path / "sites.xlsx")["group"].unique().tolist() == ["north", "south", "west"]


def test_a_baseline_without_data(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pyarrow")
    script = EXAMPLES / "baseline_without_data.py"
    monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "release.tally, on the same cases" in " ".join(out.split())
    assert "case by case: passed" in out
    assert "from counts: undecided" in out


def test_scores_in_duckdb(monkeypatch, capsys):
    """Those of Spark and Dask run on their clusters (tests/engines)."""
    pytest.importorskip("duckdb")
    script = EXAMPLES / "duckdb_query.py"
    monkeypatch.setattr(sys, "argv", [str(script)])
    runpy.run_path(str(script), run_name="__main__")
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "1,000,000 cases" in out
    assert "2 groups by site" in out


def test_judged_answers(tmp_path, monkeypatch, capsys):
    script = EXAMPLES / "judged_answers.py"
    monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    out = capsys.readouterr().out
    assert out.startswith("Rate of pass 0.834 [0.779, 0.883]; of the labels alone 0.853 [0.788, 0.901].")
    assert out.splitlines()[:14] == (EXAMPLES.parent / "docs" / "judges.md").read_text().splitlines()[7:21]
    assert "new - old" in out
