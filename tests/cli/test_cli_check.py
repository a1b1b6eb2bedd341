"""tallymark check: its exit status, what it prints and writes, and what goes wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from looping import for_each, in_part

import tallymark

pytest.importorskip("duckdb")
import duckdb

RANDOM = np.random.default_rng(21)
TRUTH = np.repeat([1, 0], [60, 140])
SCORE = np.round(1 / (1 + np.exp(-RANDOM.normal(2 * TRUTH - 1, 1))), 3)
OTHER = np.round(np.clip(SCORE + RANDOM.normal(0, 0.1, 200), 0, 1), 3)
FILE = ["t.csv", "--truth", "y", "--score", "p"]
MET, NOT_MET = "roc_auc.low >= 0.80", "sensitivity.low >= 0.99 at specificity 0.95"
UNDEFINED = "precision >= 0.1 at threshold 2"


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    """The files that the commands read, in a folder where they write, too; no workflow around them."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    write(
        "t.csv",
        "y,p,q,id,kind",
        zip(TRUTH, SCORE, OTHER, range(200), np.where(TRUTH, "sick", "well"), strict=True),
    )
    write("old.csv", "y,p,id", reversed(list(zip(TRUTH, OTHER, range(200), strict=True))))
    for name in ("t", "old"):
        duckdb.sql(f"COPY (SELECT * FROM '{name}.csv') TO '{name}.parquet'")
    cases = 'data = "t.csv"\ntruth = "y"\nscore = "p"\n'
    Path("gate.toml").write_text(f"{cases}require = ['{MET}', '{NOT_MET}']\n", encoding="utf-8")


def write(name, head, rows):
    Path(name).write_text(
        "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8"
    )


def require(*requirements):
    return [word for one in requirements for word in ("--require", one)]


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def process(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "tallymark", "check", *arguments],
        capture_output=True, text=True, check=False, encoding="utf-8", env={**os.environ, **environment},
    )  # fmt: skip


# The exit status
# --------------------------------------------------------------------------------------------------


@in_part(4)
@for_each(
    ("arguments", "status"),
    [
        ([*FILE, *require(MET)], 0),
        (["t.parquet", *FILE[1:], *require(MET)], 0),
        ([*FILE, *require(MET, NOT_MET)], 1),
        ([*FILE, *require(UNDEFINED)], 1),
        (["gate.toml"], 1),
        ([*FILE, "--gate", "gate.toml", *require(MET)], 0),
        ([*FILE, "--baseline", "old.parquet", "--no-worse-than", "0.05"], 0),
        ([*FILE, "--baseline", "old.parquet", "--no-worse-than", "0", "--measure", "f1"], 1),
        # the same truth, row by row
        ([*FILE, "--baseline", "t.parquet", "--baseline-score", "q", "--no-worse-than", "0.05"], 2),
        (
            [
                *FILE,
                "--baseline",
                "t.parquet",
                "--baseline-score",
                "q",
                "--no-worse-than",
                "0.3",
                "--unpaired",
            ],
            0,
        ),
        ([*FILE, *require("roc_auc.low > = 0.8")], 2),
        ([*FILE, *require(MET), "--junit", "no/such/folder.xml"], 2),
        ([*FILE], 2),
        (["t.csv", "--truth", "y", "--score", "z", *require(MET)], 2),
        (["none.csv", *FILE[1:], *require(MET)], 2),
        ([*FILE, "--require"], 2),
        ([*FILE, *require(MET), "--baseline", "none.csv", "--no-worse-than", "0.01"], 2),
        ([*FILE, "--baseline", "old.csv", "--no-worse-than", "a"], 2),
    ],
)
def test_the_exit_status(arguments, status):
    done = process(*arguments, "--json")
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    if status == 2:
        assert done.stdout == ""
        assert done.stderr.startswith("tallymark")
        assert ": error: " in done.stderr
    else:
        assert done.stderr == ""
        assert strict(done.stdout)["passed"] is (status == 0)


@pytest.mark.full
def test_a_reader_that_stops_reading_does_not_turn_a_failure_into_a_pass():
    pipe = subprocess.Popen(
        [sys.executable, "-m", "tallymark", "check", *FILE, *require(NOT_MET)], stdout=subprocess.PIPE
    )
    pipe.stdout.close()
    assert pipe.wait() == 1


@pytest.mark.full
@pytest.mark.skipif(os.name != "posix", reason="a shell closes the streams")
@pytest.mark.parametrize(("requirement", "status"), [(MET, 0), (NOT_MET, 1), ("f1 >", 2)])
def test_without_standard_output_the_status_stays(requirement, status):
    words = [sys.executable, "-m", "tallymark", "check", *FILE, *require(requirement)]
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *words], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "Traceback" not in done.stderr


# What is printed
# --------------------------------------------------------------------------------------------------


def test_the_command_prints_what_the_function_finds(run):
    found = tallymark.check("t.csv", truth="y", score="p", require=[MET, NOT_MET, UNDEFINED])
    arguments = [*FILE, *require(MET, NOT_MET, UNDEFINED)]
    assert run("check", *arguments) == (1, f"{found}\n", "")
    status, out, err = run("check", *arguments, "--json")
    assert (status, strict(out), err) == (1, found.to_dict(), "")
    assert max(map(len, str(found).splitlines())) <= 80


@pytest.mark.full
@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["--level", "0.8", "--seed", "3", "--threshold", "0.3"], {"level": 0.8, "rng": 3, "threshold": 0.3}),
        (["--baseline", "old.csv", "--no-worse-than", "0.05"],
            {"baseline": "old.csv", "no_worse_than": 0.05}),
        (["--baseline", "old.csv", "--no-worse-than", "0.05", "--pair-by", "id", "--measure", "log_loss",
            "--measure", "roc_auc"],
         {"baseline": "old.csv", "no_worse_than": 0.05, "pair_by": "id",
             "measures": ["log_loss", "roc_auc"]}),
        (["--baseline-score", "q", "--no-worse-than", "0.05"],
            {"baseline_score": "q", "no_worse_than": 0.05}),
        (["--baseline", "t.parquet", "--baseline-score", "q", "--no-worse-than", "0.05", "--unpaired"],
         {"baseline": "t.parquet", "baseline_score": "q", "no_worse_than": 0.05, "paired": False}),
    ],
    ids=["settings", "different cases", "paired", "side by side", "another column"],
)  # fmt: skip
def test_options(run, arguments, given):
    found = tallymark.check("t.csv", truth="y", score="p", require=MET, **given)
    assert strict(run("check", *FILE, *require(MET), *arguments, "--json")[1]) == found.to_dict()
    assert run("check", *FILE, *require(MET), *arguments)[1] == f"{found}\n"


def test_help(run):
    status, out, _ = run("check", "--help")
    assert status == 0
    assert "--gate" in out
    assert "1 one is not" in " ".join(out.split())


# What is written
# --------------------------------------------------------------------------------------------------


def test_junit(run):
    status, out, _ = run("check", *FILE, *require(MET, NOT_MET), "--junit", "results.xml")
    assert status == 1
    assert out.endswith("\nJUnit: results.xml\n")
    expected = tallymark.check("t.csv", truth="y", score="p", require=[MET, NOT_MET]).to_junit()
    assert Path("results.xml").read_text(encoding="utf-8") == expected
    assert ElementTree.parse("results.xml").getroot().attrib["failures"] == "1"


@pytest.mark.parametrize(
    "wrong",
    [
        require("f1 >"),
        ["--positive", "sick", *require(MET)],
        require("brier_scor >= 0"),
        [*require(MET), "--report", "page.txt"],
        [*require(MET), "--undecided", "pass", "--state", "t.csv"],
        [*require(MET), "--undecided", "maybe"],
        [*require(MET), "--no-such-option"],
    ],
)
def test_where_the_call_is_wrong_there_is_junit_with_an_error_and_nothing_else(run, wrong):
    Path("results.xml").write_text("before", encoding="utf-8")
    status, out, err = run("check", *FILE, *wrong, "--junit", "results.xml", "--github")
    assert (status, out) == (2, "")
    root = ElementTree.parse("results.xml").getroot()
    assert root.attrib == {"name": "tallymark check", "tests": "1", "failures": "0", "errors": "1"}
    (found,) = root.iter("error")
    assert found.text.splitlines()[0] in err
    assert ".." not in err


def test_annotations_where_they_are_asked_for(run):
    _, out, err = run("check", *FILE, *require(NOT_MET), "--github")
    assert out.startswith(f"::error title={NOT_MET}::low ")
    assert err == ""
    _, out, err = run("check", *FILE, *require(NOT_MET), "--github", "--json")
    assert strict(out)["passed"] is False
    assert err.startswith(f"::error title={NOT_MET}::low ")
    assert "::" not in run("check", *FILE, *require(NOT_MET))[1]


def test_annotations_in_a_workflow(run, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("summary.md").write_text("before\n", encoding="utf-8")
    status, out, _ = run("check", *FILE, *require(MET, NOT_MET))
    assert status == 1
    assert out.startswith("::error ")
    assert out.endswith("\nAnnotated, since GITHUB_ACTIONS is true; --no-github leaves that out.\n")
    found = tallymark.check("t.csv", truth="y", score="p", require=[MET, NOT_MET])
    assert Path("summary.md").read_text(encoding="utf-8") == f"before\n{found.to_markdown()}"
    assert (
        run("check", *FILE, *require(MET), "--no-github")[1]
        == f"{tallymark.check('t.csv', truth='y', score='p', require=MET)}\n"
    )
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/such/folder.md")
    status, out, err = run("check", *FILE, *require(MET), "--junit", "results.xml")
    assert (status, out) == (2, "")
    assert "GITHUB_STEP_SUMMARY names 'no/such/folder.md'" in err
    assert not Path("results.xml").exists()


# What is wrong
# --------------------------------------------------------------------------------------------------


@for_each(
    ("arguments", "said"),
    [
        ([], 'nothing is required; as --require "roc_auc >= 0.80"'),
        (
            ["--no-worse-than", "0.1"],
            "no-worse-than: it is for a baseline, and there is none; pass --baseline",
        ),
        (
            ["--baseline", "old.csv"],
            "no-worse-than: by how much may the new model be worse? As --no-worse-than 0.01",
        ),
        (
            ["--baseline", "t.csv", "--no-worse-than", "0.1"],
            "pass --baseline-score to compare two scores there",
        ),
        (
            ["--baseline", "old.csv", "--no-worse-than", "0.1", "--pair-by", "ids"],
            "pair-by: t.csv has no column 'ids'",
        ),
        ([*require(MET), "--junit", "results.txt"], "junit: 'results.txt' must end in .xml"),
        ([*require(MET), "--junit", "t.xml"], "junit: 't.xml' is the file that is read"),
    ],
)
def test_one_sentence_says_what_is_wrong(run, arguments, said):
    Path("t.xml").write_text(MET, encoding="utf-8")
    arguments = [*arguments, "--state", "t.xml"] if "t.xml" in arguments else arguments
    status, out, err = run("check", *FILE, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_the_character_is_shown_below(run):
    status, out, err = run("check", *FILE, *require("precision_at_k(k=10).lo >= 0.3"))
    assert (status, out) == (2, "")
    sentence, line, caret = err.splitlines()
    assert sentence.startswith(
        "tallymark: error: require, character 22: 'lo' is not known (did you mean 'low'?)"
    )
    assert line == "  precision_at_k(k=10).lo >= 0.3"
    assert line[caret.index("^") :].startswith("lo ")
    err = run("check", *FILE, *require('f1[class "a"] >= 0.3'))[2]
    assert err.splitlines()[1:] == ['  f1[class "a"] >= 0.3', "           ^"]


def test_the_uses_of_a_test_set(run):
    status, out, err = run("check", *FILE, *require(MET), "--uses", 5)
    verdict = tallymark.check("t.csv", truth="y", score="p", require=MET, uses=5)
    assert (status, err) == (0 if verdict.passed else 1, "")
    assert out == f"{verdict}\n"
    assert strict(run("check", *FILE, *require(MET), "--uses", 5, "--json")[1])["uses"] == 5
    assert run("check", *FILE, *require(MET), "--uses", 0)[0] == 2
