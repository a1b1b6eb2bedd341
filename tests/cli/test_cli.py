"""The command line: what it prints, what it writes, and how it ends."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from looping import for_each, in_part
from typed import as_typed

import tallymark
from tallymark.measures.registry import all_measures

pytest.importorskip("duckdb")

RANDOM = np.random.default_rng(2)
TRUTH = RANDOM.integers(0, 2, 80)
SCORE = np.round(np.clip(0.4 * TRUTH + 0.6 * RANDOM.random(80), 0, 1), 3)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def table(tmp_path):
    rows = [
        f"{y},{p},{'sick' if y else 'well'},{int(p >= 0.5)},{1 + i % 3}"
        for i, (y, p) in enumerate(zip(TRUTH, SCORE, strict=True))
    ]
    (tmp_path / "t.csv").write_text("\n".join(["y,p,state,said,n", *rows]), encoding="utf-8")
    return "t.csv"


def refused(answer):
    """The one line of a call that went wrong."""
    status, out, err = answer
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("tallymark")
    assert ": error: " in err
    assert "Traceback" not in err
    return err


def python(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "tallymark", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        encoding="utf-8",
    )


# evaluate
# --------------------------------------------------------------------------------------------------


def test_evaluate_prints_the_table(run, table):
    status, out, err = run("evaluate", table, "--truth", "y", "--score", "p")
    assert (status, err) == (0, "")
    assert out == f"{as_typed(tallymark.evaluate(table, truth='y', score='p'))}\n"
    assert max(map(len, out.splitlines())) <= 80


def test_evaluate_json_is_nothing_but_json(run, table):
    status, out, err = run("evaluate", table, "--truth", "y", "--score", "p", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == tallymark.evaluate(table, truth="y", score="p").to_dict()


@in_part(3)
@for_each(
    ("options", "given"),
    [
        (["--score", "p", "--threshold", "0.3"], {"score": "p", "threshold": 0.3}),
        (["--score", "p", "--threshold=-1e3"], {"score": "p", "threshold": -1000.0}),
        (["--score", "p", "--threshold", "inf"], {"score": "p", "threshold": float("inf")}),
        (["--score", "p", "--level", "0.9"], {"score": "p", "level": 0.9}),
        (["--score", "p", "--weight", "n"], {"score": "p", "weight": "n"}),
        (["--score", "p", "--positive", "0"], {"score": "p", "positive": 0}),
        (["--predicted", "said"], {"predicted": "said"}),
        (["--predicted", "said", "--positive", "1", "--weight", "n"], {"predicted": "said", "weight": "n"}),
        (["--score", "p", "--lower-is-positive"], {"score": "p", "higher_is_positive": False}),
        (["--score", "p", "--missing", "drop"], {"score": "p", "missing": "drop"}),
        (
            ["--score", "p", "--proportion", "clopper-pearson"],
            {"score": "p", "proportion": "clopper-pearson"},
        ),
        (["--score", "p", "--seed", "4"], {"score": "p", "rng": 4}),
    ],
)
def test_evaluate_options(run, table, options, given):
    status, out, _ = run("evaluate", table, "--truth", "y", "--json", *options)
    assert status == 0
    assert json.loads(out) == tallymark.evaluate(table, truth="y", **given).to_dict()


@pytest.mark.full
def test_evaluate_text_labels(run, table):
    status, out, _ = run(
        "evaluate", table, "--truth", "state", "--score", "p", "--positive", "sick", "--json"
    )
    assert status == 0
    assert json.loads(out)["data"]["positives"] == TRUTH.sum()


def test_evaluate_many_classes(run, tmp_path):
    (tmp_path / "k.csv").write_text("y,z\n" + "a,a\nb,b\nc,c\na,b\n" * 9, encoding="utf-8")
    status, out, _ = run("evaluate", "k.csv", "--truth", "y", "--predicted", "z")
    assert status == 0
    assert "3 classes" in out
    status, out, _ = run("evaluate", "k.csv", "--truth", "y", "--predicted", "z", "--json")
    assert list(json.loads(out)["classes"]) == ["a", "b", "c"]


def test_evaluate_says_its_notices(run, table):
    _, out, err = run("evaluate", table, "--truth", "y", "--score", "n")
    assert "! " in out
    assert "[threshold-chosen-here]" in out
    assert err == ""


def test_missing_values(run, tmp_path):
    (tmp_path / "g.csv").write_text("y,p\n1,0.9\n0,\n0,0.2\n", encoding="utf-8")
    err = refused(run("evaluate", "g.csv", "--truth", "y", "--score", "p"))
    assert "score (column 'p'): 1 value is missing (NaN or null), the first in line 3;" in err
    status, out, _ = run("evaluate", "g.csv", "--truth", "y", "--score", "p", "--missing", "drop")
    assert status == 0
    assert "! 1 row (33.3%) with a missing value was left out." in out


# Reports
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("name", ["r.html", "r.HTM", "sub/r.json", "with space & <b>.html"])
def test_report(run, table, tmp_path, name):
    (tmp_path / "sub").mkdir()
    status, out, _ = run("evaluate", table, "--truth", "y", "--score", "p", "--report", name)
    assert status == 0
    assert out.endswith(f"\nReport: {name}\n")
    text = (tmp_path / name).read_text(encoding="utf-8")
    if name.endswith("json"):
        assert json.loads(text)["schema"] == 2
    else:
        assert "<!doctype html>" in text


def test_report_beside_json(run, table, tmp_path):
    status, out, _ = run("evaluate", table, "--truth", "y", "--score", "p", "--json", "--report", "r.html")
    assert status == 0
    json.loads(out)
    assert (tmp_path / "r.html").exists()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("none/r.html", "the folder 'none' does not exist"),
        ("r.pdf", "'r.pdf' must end in .html"),
        ("r", "must end in .html"),
        ("folder.html", "is a folder"),
        ("t.csv/r.html", "report: "),
    ],
)
@pytest.mark.parametrize("command", ["evaluate", "counts", "demo"])
def test_a_report_that_cannot_be_written_is_refused_before_the_work(
    run, table, tmp_path, monkeypatch, command, path, said
):
    (tmp_path / "folder.html").mkdir()
    monkeypatch.setattr(tallymark, "evaluate", lambda *_, **__: pytest.fail("the work was done first"))
    arguments = {
        "evaluate": [table, "--truth", "y", "--score", "p"],
        "counts": ["--tp", 1, "--fp", 2, "--fn", 3, "--tn", 4],
        "demo": [],
    }[command]
    before = sorted(tmp_path.rglob("*"))
    assert said in refused(run(command, *arguments, "--report", path))
    assert sorted(tmp_path.rglob("*")) == before


def test_a_report_in_a_folder_without_permission(run, table, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    if os.access(locked, os.W_OK):
        pytest.skip("this user may write everywhere")
    assert "cannot be written" in refused(
        run("evaluate", table, "--truth", "y", "--score", "p", "--report", "locked/r.html")
    )


def test_nothing_is_written_when_the_input_is_wrong(run, table, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    refused(run("evaluate", table, "--truth", "y", "--score", "state", "--report", "r.html"))
    assert sorted(tmp_path.rglob("*")) == before


# What goes wrong
# --------------------------------------------------------------------------------------------------

EVALUATE = ["evaluate", "t.csv", "--truth", "y"]
WRONG = {
    "no command": ([], "COMMAND"),
    "unknown command": (["evalute"], "'evalute'"),
    "no file": (["evaluate", "none.csv", "--truth", "y", "--score", "p"], "none.csv: no such file"),
    "no truth": (["evaluate", "t.csv", "--score", "p"], "--truth"),
    "no score": (EVALUATE, "--score, --predicted"),
    "both": ([*EVALUATE, "--score", "p", "--predicted", "said"], "exactly one"),
    "unknown option": ([*EVALUATE, "--score", "p", "--tresh", "1"], "--tresh"),
    "missing column": ([*EVALUATE, "--score", "pp"], "no column 'pp' (did you mean 'p'?)"),
    "text scores": ([*EVALUATE, "--score", "state"], "score (column 'state'): "),
    "threshold": ([*EVALUATE, "--score", "p", "--threshold", "half"], "'half'"),
    "threshold NaN": ([*EVALUATE, "--score", "p", "--threshold", "nan"], "threshold: nan"),
    "threshold of labels": (
        [*EVALUATE, "--predicted", "said", "--threshold", "0.5"],
        "threshold: it needs scores",
    ),
    "level": ([*EVALUATE, "--score", "p", "--level", "95"], "level: 95.0 does not lie between 0 and 1"),
    "positive": (
        [*EVALUATE, "--score", "p", "--positive", "yes"],
        "'yes' does not occur; the labels are 0, 1",
    ),
    "positive not named": (["evaluate", "t.csv", "--truth", "state", "--score", "p"], "--positive "),
    "missing": ([*EVALUATE, "--score", "p", "--missing", "ignore"], "'ignore'"),
    "seed": ([*EVALUATE, "--score", "p", "--seed", "-1"], "-1"),
    "swapped": (["evaluate", "t.csv", "--truth", "p", "--score", "y"], "seem to be swapped"),
    "weights": ([*EVALUATE, "--score", "p", "--weight", "state"], "weight (column 'state')"),
    "counts without tn": (["counts", "--tp", "1", "--fp", "1", "--fn", "1"], "--tn"),
    "negative count": (["counts", "--tp", "-1", "--fp", "1", "--fn", "1", "--tn", "1"], "tp: -1"),
    "count of text": (["counts", "--tp", "many", "--fp", "1", "--fn", "1", "--tn", "1"], "'many'"),
    "count of NaN": (["counts", "--tp", "nan", "--fp", "1", "--fn", "1", "--tn", "1"], "tp: nan"),
    "infinite count": (["counts", "--tp", "1", "--fp", "inf", "--fn", "1", "--tn", "1"], "fp: inf"),
    "measure, none near": (["measures", "qqqqq"], "'qqqqq' is nothing in the catalogue"),
    "found nothing": (["find", "qqqqq"], "'qqqqq' is nothing in the catalogue"),
}


@pytest.mark.usefixtures("table")
@for_each(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_said_in_one_line(run, arguments, said):
    assert said in refused(run(*arguments))
    if arguments and arguments[0] not in ("measures", "find"):
        assert said in refused(run(*arguments, "--json"))


# counts, measures, demo
# --------------------------------------------------------------------------------------------------


def test_counts(run):
    status, out, err = run("counts", "--tp", 70, "--fp", 20, "--fn", 30, "--tn", 80, "--all")
    assert (status, err) == (0, "")
    assert re.search(r"^Accuracy +0\.750 +\[0\.686, 0\.805\] +wilson$", out, re.M)
    status, out, _ = run("counts", "--tp", 70, "--fp", 20, "--fn", 30, "--tn", 80, "--json", "--level", 0.9)
    assert status == 0
    expected = tallymark.evaluate(counts=tallymark.Counts(tp=70, fp=20, fn=30, tn=80), level=0.9)
    assert json.loads(out) == expected.to_dict()


def test_counts_report(run, tmp_path):
    assert run("counts", "--tp", 7, "--fp", 2, "--fn", 3, "--tn", 8, "--report", "c.html")[0] == 0
    assert "ccuracy" in (tmp_path / "c.html").read_text(encoding="utf-8")


@pytest.mark.full
def test_all_measures(run):
    status, out, _ = run("measures")
    assert status == 0
    names = [line.split()[0] for line in out.splitlines() if line and line[0] not in " ["]
    assert "[rates]" in out
    assert names == list(dict.fromkeys(entry.name for entry in all_measures()))  # in one of its forms
    assert all(len(line) <= 80 for line in out.splitlines())
    status, out, _ = run("measures", "--json")
    assert [card["name"] for card in json.loads(out)["measures"]] == [entry.name for entry in all_measures()]


@pytest.mark.parametrize("name", ["mcc", "Matthews", "matthews_correlation", "PHI"])
def test_one_measure(run, name):
    status, out, _ = run("measures", name)
    assert status == 0
    assert out.startswith("matthews_correlation\n====")
    for word in ("phi", "Berrar", "scikit-learn", "tallymark/measures/families/association.py:"):
        assert word in out


def test_find_shows_any_kind(run):
    status, out, _ = run("find", "gain", "chart")
    assert status == 0
    for said in ("gain\n====", "curve", 'ev.curve("gain")', "tallymark curve gain", "Berrar, Fig. 4a"):
        assert said in out
    assert max(map(len, run("find")[1].splitlines())) <= 80


def test_find_corrects_a_typing_slip_and_lists_candidates(run):
    assert run("find", "preciison")[1].startswith("precision\n")
    out = run("find", "lift")[1]
    assert "[combined]" in out
    assert "[curves]" in out


def test_measures_by_words(run):
    status, out, _ = run("measures", "actual", "positives")
    assert status == 0
    assert "sensitivity" in out
    assert "prevalence" in out
    assert "recall" in run("measures", "sensitivity")[1]


@pytest.mark.full
def test_demo(run, tmp_path):
    status, out, err = run("demo")
    assert (status, err) == (0, "")
    assert "ROC AUC" in out
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert readme.split("prints what follows")[1].split("```")[1].strip() in out
    assert "Report: tallymark-demo.html" in out
    assert (tmp_path / "tallymark-demo.html").stat().st_size > 1000


@pytest.mark.full
def test_demo_json_and_report(run, tmp_path):
    status, out, _ = run("demo", "--json", "--report", "d.json")
    assert status == 0
    written = json.loads((tmp_path / "d.json").read_text(encoding="utf-8"))
    assert json.loads(out) | {"document": written["document"]} == written
    assert [path.name for path in tmp_path.iterdir()] == ["d.json"]


# Help and version
# --------------------------------------------------------------------------------------------------


def test_version(run):
    status, out, _ = run("--version")
    assert status == 0
    assert out.startswith(f"tallymark {tallymark.__version__} (")
    from tallymark import kernels

    assert f"({kernels.NAME} kernels" in out


@pytest.mark.parametrize("command", [[], ["evaluate"], ["counts"], ["prevalence"], ["measures"], ["demo"]])
def test_help(run, command):
    status, out, err = run(*command, "--help")
    assert (status, err) == (0, "")
    assert out.startswith("usage: tallymark")


# As a process
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_python_m_tallymark(table):
    done = python("evaluate", table, "--truth", "y", "--score", "p", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["data"]["rows"] == 80


@pytest.mark.full
def test_a_process_that_goes_wrong():
    done = python("evaluate", "none.csv", "--truth", "y", "--score", "p")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kernels", ["numpy"])
def test_version_says_which_kernels_run(kernels):
    assert f"({kernels} kernels" in python("--version", TALLYMARK_KERNELS=kernels).stdout


@pytest.mark.full
def test_output_that_is_no_unicode(tmp_path):
    (tmp_path / "größe.csv").write_text("y,p\n1,0.9\n0,0.2\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tallymark", "evaluate", "größe.csv", "--truth", "y", "--score", "p"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert b"Traceback" not in done.stderr


@pytest.mark.full
def test_a_reader_that_has_seen_enough(table):
    command = f"{sys.executable} -m tallymark evaluate {table} --truth y --score p | head -2"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert "80 cases" in done.stdout


# Misspelled
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (
            ["evaluat", "x.csv"],
            "'evaluat' is not a command (did you mean 'evaluate'?); choose from evaluate, bootstrap,",
        ),
        (
            ["evaluate", "x.csv", "--truht", "y"],
            "--truht is not an option (did you mean '--truth'?); see tallymark evaluate",
        ),
        (
            ["evaluate", "x.csv", "--truth", "y", "--treshold=3"],
            "--treshold is not an option (did you mean '--threshold'?)",
        ),
        (
            ["evaluate", "x.csv", "--truth", "y", "--shape", "round"],
            "arguments: --shape round; see tallymark evaluate --help",
        ),
        (["measures", "roc_auk"], "'roc_auk' is nothing in the catalogue (did you mean 'roc_auc'?)"),
    ],
)
def test_a_misspelled_name_is_answered_with_the_nearest(run, arguments, meant):
    status, out, err = run(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert meant in err
