"""tallymark compare: what it prints and writes, and what goes wrong."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from looping import for_each, in_part
from typed import as_typed

import tallymark
from tallymark.cli.commands import parser, typed
from tallymark.input import errors

pytest.importorskip("duckdb")

RANDOM = np.random.default_rng(8)
N = 160
Y = (RANDOM.random(N) < 0.4).astype(int)
LATENT = RANDOM.normal(size=N) + 1.2 * Y
A, B = (np.round(1 / (1 + np.exp(0.5 - LATENT - spread * RANDOM.normal(size=N))), 4) for spread in (0.5, 1.5))
SITE = np.where(np.arange(N) % 2, "x", "y")
ROWS = [Y, A, B, np.arange(N) // 4, 1 + np.arange(N) % 2, (A > 0.5).astype(int), (B > 0.5).astype(int), SITE]
CASES = ["t.csv", "--truth", "y", "--score", "a", "--score", "b"]
QUICK = ["--replicates", "200"]
GIVEN = {"truth": "y", "score": ["a", "b"], "replicates": 200}


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    """The files that the commands read, in a folder where they write, too."""
    monkeypatch.chdir(tmp_path)
    for name, rows in (("t.csv", slice(None)), ("first.csv", slice(80)), ("second.csv", slice(80, None))):
        lines = [",".join(map(str, row)) for row in list(zip(*ROWS, strict=True))[rows]]
        Path(name).write_text("\n".join(["y,a,b,patient,n,la,lb,site", *lines]) + "\n", encoding="utf-8")


def printed(answer):
    status, out, err = answer
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines()), default=0) <= 80 or out.startswith("{")
    return out


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


SAID = {
    "plain": (CASES, GIVEN),
    "measures": ([*CASES, "--measure", "roc_auc", "--measure", "mcc"],
        GIVEN | {"measures": ["roc_auc", "mcc"]}),
    "a threshold": ([*CASES, "--threshold", "0.4"], GIVEN | {"threshold": 0.4}),
    "a threshold each": ([*CASES, "--threshold", "0.4", "--threshold", "0.6"],
        GIVEN | {"threshold": [0.4, 0.6]}),
    "clusters": ([*CASES, "--clusters", "patient"], GIVEN | {"clusters": "patient"}),
    "weights": ([*CASES, "--weight", "n", "--level", "0.9"], GIVEN | {"weight": "n", "level": 0.9}),
    "groups and folds": ([*CASES, "--by", "site", "--fold", "n"], GIVEN | {"by": "site", "fold": "n"}),
    "ratios": ([*CASES, "--scale", "ratio"], GIVEN | {"scale": "ratio"}),
    "the best": ([*CASES, "--reference", "best"], GIVEN | {"reference": "best"}),
    "margin": ([*CASES, "--non-inferior-by", "0.3"], GIVEN | {"non_inferior_by": 0.3}),
    "equivalent": ([*CASES, "--equivalent-within", "0.3"], GIVEN | {"equivalent_within": 0.3}),
    "permutation": ([*CASES, "--method", "permutation", "--seed", "3"],
        GIVEN | {"method": "permutation", "rng": 3}),
    "adjust": ([*CASES, "--adjust", "benjamini-hochberg"], GIVEN | {"adjust": "benjamini-hochberg"}),
    "reference": ([*CASES, "--reference", "b"], GIVEN | {"reference": "b"}),
    "design": ([*CASES, "--design", "cohort"], GIVEN | {"design": "cohort"}),
    "parameters": (
        [*CASES, "--measure", "f_beta", "--set", "f_beta.beta=2"],
        GIVEN | {"measures": ["f_beta"], "parameters": {"f_beta": {"beta": 2}}},
    ),
    "lower": ([*CASES, "--lower-is-positive"], GIVEN | {"higher_is_positive": False}),
    "labels": (
        ["t.csv", "--truth", "y", "--predicted", "la", "--predicted", "lb"],
        {"truth": "y", "predicted": ["la", "lb"], "replicates": 200},
    ),
    "sample": (["t.csv", "--truth", "y", "--score", "a", "--sample", "site"],
        GIVEN | {"score": "a", "sample": "site"}),
}  # fmt: skip


@in_part(4)
@for_each(("arguments", "given"), SAID.values(), ids=SAID)
def test_the_command_prints_what_the_function_finds(run, arguments, given):
    found = tallymark.compare(arguments[0], **given)
    assert strict(printed(run("compare", *arguments, *QUICK, "--json"))) == strict(found.to_json())
    assert printed(run("compare", *arguments, *QUICK)) == f"{as_typed(found)}\n"


def test_different_files(run):
    found = tallymark.compare("first.csv", "second.csv", truth="y", score=["a", "b"])
    out = run(
        "compare",
        "first.csv",
        "--unpaired",
        "second.csv",
        "--truth",
        "y",
        "--score",
        "a",
        "--score",
        "b",
        "--json",
    )
    assert strict(printed(out)) == strict(found.to_json())
    assert not found.paired


def test_the_confidence_curve_is_written(run):
    out = printed(run("compare", *CASES, "--measure", "roc_auc", "--plot", "c.svg"))
    assert out.endswith("\nConfidence curve: c.svg\n")
    assert ElementTree.parse("c.svg").getroot().tag.endswith("svg")
    strict(printed(run("compare", *CASES, "--measure", "roc_auc", "--plot", "c.csv", "--json")))
    assert Path("c.csv").read_text(encoding="utf-8").startswith("threshold,")


def test_help(run):
    out = printed(run("compare", "--help"))
    assert out.startswith("usage: tallymark compare")
    for name in (
        "--score",
        "--predicted",
        "--unpaired",
        "--sample",
        "--clusters",
        "--non-inferior-by",
        "--adjust",
        "--method",
    ):
        assert name in out
    assert "compare" in printed(run("--help"))


WRONG = {
    "no file": (["x.csv", *CASES[1:]], "x.csv"),
    "no column": ([*CASES[:-1], "z"], "no column 'z'"),
    "one model": (CASES[:-2], "--score 'a' --score 'b', second file --unpaired, or --sample."),
    "no truth": (["t.csv", "--score", "a"], "--truth"),
    "no scores": (["t.csv", "--truth", "y"], "score predicted"),
    "two scores by": ([*CASES, "--sample", "site"], "score: with --sample there"),
    "a negative margin": ([*CASES, "--equivalent-within", "-0.1"], "equivalent-within: -0.1"),
    "both": ([*CASES, "--equivalent-within", "1", "--non-inferior-by", "1"], "not allowed with"),
    "measure": ([*CASES, "--measure", "rocauc"], "'rocauc' no measure did you mean"),
    "method": ([*CASES, "--method", "t"], "method: 't' not known"),
    "a plot of two": ([*CASES, "--plot", "c.svg"], "--plot one difference"),
    "a plot of no kind": ([*CASES, "--measure", "roc_auc", "--plot", "c.png"], ".svg"),
    "a plot over the input": (
        [*CASES, "--measure", "roc_auc", "--plot", "t.csv"],
        "plot the file that is read",
    ),
    "replicates": ([*CASES, "--replicates", "3"], "replicates 3 is not possible"),
    "a text for a score": ([*CASES[:-1], "site"], "score site 'y' is not a number"),
}


@for_each(("arguments", "parts"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_said_in_one_line(run, arguments, parts):
    before = {path.name for path in Path().iterdir()}
    status, out, err = run("compare", *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("tallymark")
    for word in parts.split():
        assert word in err, err
    assert {path.name for path in Path().iterdir()} == before


def test_arguments_are_named_as_they_are_typed():
    """Those that a way out names; a list is an option that is repeated."""
    commands = [parser(name).commands[name] for name in ("compare", "advise")]
    actions = [action for command in commands for action in command._actions]
    for given, in_python, here in (
        (("sample",), "sample=", "--sample"),
        (("clusters", "patient"), "clusters='patient'", "--clusters 'patient'"),
        (("measures", ["roc_auc", "f1"]), "measures=['roc_auc', 'f1']", "--measure 'roc_auc' --measure 'f1'"),
        (("score", ...), "score=[...]", "--score"),
        (("logit_normal", (-2, 1)), "logit_normal=(-2, 1)", "--logit-normal -2 1"),
        (("higher_is_positive", False), "higher_is_positive=False", "--lower-is-positive"),
        (("regression", True), "regression=True", "--regression"),
        (("paired", False), "paired=False", "--unpaired"),
        (("rng", 3), "rng=3", "--seed 3"),
    ):
        assert errors.option(*given) == in_python
        with typed(actions):
            assert errors.option(*given) == here
            assert [errors.spelled(one) for one in ("cost_fp", "a_file", "rng")] == [
                "cost-fp",
                "a_file",
                "seed",
            ]
            assert (
                "{option[missing=drop]} {either[curve()|tallymark curve]}".format(**errors.IN_FORMATS)
                == "--missing 'drop' tallymark curve"
            )
        assert errors.spelled("cost_fp") == "cost_fp"


def test_options_are_named_by_readers_in_threads_too(tmp_path, run):
    """A file of several blocks is read by threads."""
    path = tmp_path / "long.csv"
    path.write_text("y,p\n" + "0,0.25\n1,0.75\n" * 100_000 + "1,high\n")
    status, out, err = run("evaluate", path, "--truth", "y", "--score", "p")
    assert (status, out) == (2, "")
    assert "labels go to --predicted" in err


def test_json_names_arguments_of_python(run):
    """Whoever writes it: sentences that are made while a command runs, too."""
    status, out, _ = run("advise", "t.csv", "--truth", "y", "--score", "a", "--json")
    assert status == 0
    assert "--" not in out
