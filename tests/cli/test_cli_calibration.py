"""tallymark calibration; and evaluate --score-kind and --regression: what they print and write, and what goes
wrong."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from scipy.special import logit, softmax
from typed import as_typed

import tallymark

pytest.importorskip("duckdb")

RANDOM = np.random.default_rng(8)
P = np.round(RANDOM.beta(0.8, 1, 200), 3).clip(0.001, 0.999)
TRUTH = (RANDOM.random(200) < P).astype(int)
OF_THREE = np.round(RANDOM.normal(0, 2, (120, 3)), 3)
KIND = (RANDOM.random((120, 1)) > softmax(OF_THREE, axis=1).cumsum(1)).sum(1)
CASES = ["t.csv", "--truth", "y", "--score", "p"]
LOGITS = ["t.csv", "--truth", "y", "--score", "z", "--score-kind", "logit"]
THREE = [
    "k.csv",
    "--truth",
    "kind",
    "--score",
    "a",
    "--score",
    "b",
    "--score",
    "c",
    "--classes",
    "0",
    "1",
    "2",
]
AMOUNTS = ["a.csv", "--truth", "truth", "--predicted", "said", "--regression"]


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    """The files that the commands read, in a folder where they write, too."""
    monkeypatch.chdir(tmp_path)
    write("t.csv", "y,p,z,n,far", zip(TRUTH, P, logit(P), 1 + np.arange(200) % 3, 2 * P, strict=True))
    write("k.csv", "kind,a,b,c", np.c_[KIND, OF_THREE].tolist())
    write("a.csv", "truth,said", [(1, 1.5), (2, 1), (3, 3), (4, 6)])


def write(name, head, rows):
    Path(name).write_text(
        "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8"
    )


def printed(answer):
    status, out, err = answer
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines()), default=0) <= 80 or out.startswith("{")
    return out


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


@pytest.mark.full
@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (CASES, {"truth": "y", "score": "p"}),
        ([*CASES, "--weight", "n", "--bins", "5", "--hl-groups", "4", "--fitted"],
         {"truth": "y", "score": "p", "weight": "n", "bins": 5, "hl_groups": 4, "fitted": True}),
        ([*CASES, "--level", "0.9", "--seed", "3"], {"truth": "y", "score": "p", "level": 0.9, "rng": 3}),
        (LOGITS, {"truth": "y", "score": "z", "score_kind": "logit"}),
        ([*THREE, "--score-kind", "logit"], {"truth": "kind", "score": [*"abc"], "classes": range(3),
            "score_kind": "logit"}),
    ],
    ids=["plain", "weights, bins and groups", "level", "logits", "logits of classes"],
)  # fmt: skip
def test_the_command_prints_what_the_function_finds(run, arguments, given):
    found = tallymark.calibration(arguments[0], **given)
    assert strict(printed(run("calibration", *arguments, "--json"))) == strict(found.to_json())
    assert printed(run("calibration", *arguments)) == f"{as_typed(found)}\n"


@pytest.mark.full
@pytest.mark.parametrize("how", ["equal_width", "equal_mass", "isotonic"])
def test_a_curve_is_written_beside_the_answer(run, how):
    found = tallymark.calibration("t.csv", truth="y", score="p")
    out = printed(run("calibration", *CASES, "--how", how, "--plot", "r.svg"))
    assert out.endswith("\nReliability curve: r.svg\n")
    assert Path("r.svg").read_text(encoding="utf-8") == found.curve(how)._repr_svg_()
    assert ElementTree.parse("r.svg").getroot().tag.endswith("svg")
    strict(printed(run("calibration", *CASES, "--how", how, "--plot", "r.csv", "--json")))
    assert len(Path("r.csv").read_text(encoding="utf-8").splitlines()) == 1 + len(found.curve(how))


def test_help(run):
    out = printed(run("calibration", "--help"))
    assert out.startswith("usage: tallymark calibration")
    for name in (
        "--bins",
        "--hl-groups",
        "--fitted",
        "--plot",
        "--how",
        "--score-kind",
        "equal_mass",
        "isotonic",
        "--json",
    ):
        assert name in out
    assert "calibration" in printed(run("--help"))


WRONG = {
    "no probabilities": (
        ["calibration", "t.csv", "--truth", "y", "--score", "far"],
        "is not a probability --score-kind 'logit'",
    ),
    "no file": (["calibration", "x.csv", "--truth", "y", "--score", "p"], "x.csv"),
    "no column": (["calibration", "t.csv", "--truth", "y", "--score", "q"], "no column 'q'"),
    "labels": (
        ["calibration", "t.csv", "--truth", "y", "--predicted", "y"],
        "unrecognized arguments: --predicted",
    ),
    "no score": (
        ["calibration", "t.csv", "--truth", "y"],
        "exactly one of --score",
    ),
    "how without a plot": (["calibration", *CASES, "--how", "isotonic"], "--how --plot"),
    "bins": (["calibration", *CASES, "--bins", "0"], "bins 0 is not possible"),
    "risk groups": (["calibration", *CASES, "--hl-groups", "1"], "hl-groups 1 is not possible"),
    "clusters and persons": (
        ["calibration", *CASES, "--clusters", "y", "--persons", "y", "p"],
        "clusters persons not both",
    ),
    "how": (["calibration", *CASES, "--how", "equal", "--plot", "r.svg"], "'equal' is not known isotonic"),
    "a plot of no kind": (["calibration", *CASES, "--plot", "r.png"], ".svg"),
    "a plot over the input": (["calibration", *CASES, "--plot", "t.csv"], "plot the file that is read"),
    "a margin": (["calibration", *CASES, "--score-kind", "margin"], "calibration needs probabilities"),
    "scores turned round": (
        ["calibration", *CASES, "--lower-is-positive"],
        "lower-is-positive means more positive",
    ),
    "an unknown kind": (["evaluate", *CASES, "--score-kind", "logits"], "'logits' is not known 'logit'"),
    "probabilities that are none": (
        ["evaluate", "t.csv", "--truth", "y", "--score", "far", "--score-kind", "probability"],
        "is not a probability line --score-kind 'logit'",
    ),
    "class probabilities that are none": (
        ["evaluate", *THREE, "--score-kind", "probability"],
        "line --score-kind 'logit'",
    ),
    "amounts with scores": (["evaluate", *CASES, "--regression"], "amounts --predicted"),
    "amounts with a threshold": (["evaluate", *AMOUNTS, "--threshold", "3"], "threshold regression"),
}


@for_each(("arguments", "parts"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_said_in_one_line(run, arguments, parts):
    before = {path.name for path in Path().iterdir()}
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(("tallymark: ", "tallymark calibration: "))
    for word in parts.split():
        assert word in err, err
    assert "score_kind" not in err
    assert "tallymark." not in err.replace("tallymark: ", "")
    assert {path.name for path in Path().iterdir()} == before


@pytest.mark.full
@pytest.mark.parametrize(
    ("kind", "column", "measure"),
    [("logit", "z", "log_loss"), ("margin", "z", "hinge_loss"), ("probability", "p", "brier_score")],
)
def test_evaluate_says_what_the_scores_are(run, kind, column, measure):
    arguments = ["t.csv", "--truth", "y", "--score", column, "--score-kind", kind]
    found = tallymark.evaluate("t.csv", truth="y", score=column, score_kind=kind)
    answer = strict(printed(run("evaluate", *arguments, "--json")))
    assert answer == strict(found.to_json())
    assert answer["measures"][measure]["value"] == found[measure].value
    assert printed(run("evaluate", *arguments)) == f"{as_typed(found)}\n"
    classes = [*THREE, "--score-kind", "logit", "--json"]
    wanted = tallymark.evaluate(
        "k.csv", truth="kind", score=["a", "b", "c"], classes=range(3), score_kind="logit"
    )
    assert strict(printed(run("evaluate", *classes))) == strict(wanted.to_json())


def test_evaluate_amounts(run):
    """Off by .5, -1, 0 and 2."""
    out = printed(run("evaluate", *AMOUNTS))
    assert " on 4 cases: " in out
    assert "Root mean squared error" in out
    answer = strict(printed(run("evaluate", *AMOUNTS, "--set", "huber_loss.epsilon=1", "--json")))
    values = {name: found["value"] for name, found in answer["measures"].items()}
    assert values == pytest.approx({
        "mean_squared_error": 1.3125, "mean_absolute_error": 0.875, "root_mean_squared_error": 1.3125**0.5,
        "huber_loss": 1.0625, "mean_error": 0.375, "median_absolute_error": 0.75, "largest_error": 2.0,
        "r2": -0.05, "explained_variance": 0.0625, "absolute_error_skill_score": 0.125,
        "correlation": 7.75 / (5 * 15.1875) ** 0.5,
    }, rel=1e-12)  # fmt: skip
    assert answer["task"] == "regression"
    printed(run("evaluate", *AMOUNTS, "--report", "a.html"))
    assert "ean squared error" in Path("a.html").read_text(encoding="utf-8")
