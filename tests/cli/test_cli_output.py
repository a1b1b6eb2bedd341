"""Every command that makes a result writes it as JSON, as Markdown and as a page, by the same options."""

import json

import pytest
from looping import for_each, in_part

from tallymark.cli import main
from tallymark.cli.commands import parser

OTHERS = ("curve", "plot", "convert", "tally", "merge", "release", "find", "measures", "plan", "guess")
CALLS = {
    "evaluate": "cases.csv --truth y --score p",
    "guess": "guessed.csv",
    "bootstrap": "cases.csv --truth y --score p --replicates 100 --measure roc_auc",
    "compare": "cases.csv --truth y --score p --score q",
    "threshold": "cases.csv --truth y --score p --rule f1 --replicates 50",
    "calibration": "cases.csv --truth y --score p",
    "biometric": "cases.csv --truth y --score p --threshold 0.5",
    "identify": "cases.csv --truth site --score p --score q --classes n s",
    "judge": "cases.csv --truth known --judge y",
    "counts": "--tp 40 --fp 5 --fn 10 --tn 45",
    "prevalence": "--tp 40 --fp 5 --fn 10 --tn 45 --prevalence 0.1",
    "class-mix": "--tp 40 --fp 5 --fn 10 --tn 45",
    "unscored": "cases.csv --truth y --score p --share 0.1",
    "roc-points": "cases.csv --truth y --model old=p --model new=q",
    "advise": "cases.csv --truth y --score p",
    "check": "cases.csv --truth y --score p --require roc_auc>=0.1",
    "plan sensitivity": "--expected 0.9 --width 0.1",
    "plan present": "cases.csv --truth y --score p",
    "demo": "",
}


@pytest.fixture
def cases(tmp_path, monkeypatch):
    rows = [
        (
            i % 2,
            (i * 37 % 97 + 40 * (i % 2)) / 140,
            (i * 53 % 101 + 60 * (i % 2)) / 165,
            "ns"[i % 3 > 0],
            "" if i % 5 else int(i % 11 > 4),
        )
        for i in range(120)
    ]
    for name, columns in (("cases", ("y", "p", "q", "site", "known")), ("guessed", ("y", "p"))):
        lines = [columns, *(row[: len(columns)] for row in rows)]
        (tmp_path / f"{name}.csv").write_text("\n".join(",".join(map(str, line)) for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_commands_are_here():
    assert {name.split()[0] for name in CALLS} | set(OTHERS) == set(parser().commands)


@in_part(8, ("fast", "full"))
@for_each("name", CALLS)
def test_a_result_is_written_in_every_format(name, cases, capsys):
    call = [*name.split(), *CALLS[name].split()]
    page = cases / "page.html"
    assert main([*call, "--json", "--report", str(page)]) == 0, capsys.readouterr().err
    assert json.loads(capsys.readouterr().out)["tallymark"]
    written = page.read_text()
    assert written.startswith("<!doctype html>")
    assert main([*call, "--markdown", *(["--report", str(page)] if name == "demo" else [])]) == 0
    assert "|" in capsys.readouterr().out
    if "cases.csv" in call:
        before = (cases / "cases.csv").read_bytes()
        assert main([*call, "--report", "cases.csv"]) == 2
        assert (cases / "cases.csv").read_bytes() == before


def test_the_ending_is_checked_for_the_result_that_is_written(cases, capsys):
    call = ["evaluate", "cases.csv", "--truth", "y", "--score", "p", "--guideline", "stard"]
    assert main([*call, "--report", "r.csv"]) == 2
    assert "report: 'r.csv' must end in" in capsys.readouterr().err
