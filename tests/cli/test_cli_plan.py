"""tallymark plan: what is printed, JSON, and what goes wrong."""

import json

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark import planning


@pytest.fixture
def run(run):
    """Runs the command: its exit status, what it printed, and what it complained."""
    return lambda *arguments: run("plan", *arguments)


def printed(answer):
    status, out, err = answer
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    return out


AREA = ["--expected", 0.8, "--at-least", 0.75]
MODELS = ["--first", 0.85, "--second", 0.8]
CALLS = [
    (["sensitivity", "--expected", 0.9, "--width", 0.1, "--prevalence", 0.1], "sensitivity",
     {"expected": 0.9, "width": 0.1, "prevalence": 0.1}),
    (["specificity", "--expected", 0.9, "--at-least", 0.8, "--power", 0.9], "specificity",
     {"expected": 0.9, "at_least": 0.8, "power": 0.9}),
    (["proportion", "--expected", 0.1, "--at-most", 0.2, "--method", "jeffreys", "--share", 0.5,
        "--assurance", 0.9], "proportion",
     {"expected": 0.1, "at_most": 0.2, "method": "jeffreys", "share": 0.5, "assurance": 0.9}),
    (["auc", *AREA], "roc_auc", {"expected": 0.8, "at_least": 0.75}),
    (["auc", *AREA, "--variance", "hanley-mcneil", "--prevalence", 0.2, "--level", 0.9], "roc_auc",
     {"expected": 0.8, "at_least": 0.75, "variance": "hanley-mcneil", "prevalence": 0.2, "level": 0.9}),
    (["auc", *AREA, "--spread-ratio", 2, "--negatives-per-positive", 3], "roc_auc",
     {"expected": 0.8, "at_least": 0.75, "spread_ratio": 2, "negatives_per_positive": 3}),
    (["paired-auc", *MODELS, "--correlation", 0.5], "paired_roc_auc",
        {"first": 0.85, "second": 0.8, "correlation": 0.5}),
    (["paired-auc", *MODELS, "--correlation", 0.5, 0.3, "--margin", 0.02], "paired_roc_auc",
     {"first": 0.85, "second": 0.8, "correlation": (0.5, 0.3), "margin": 0.02}),
    (["paired-proportions", *MODELS, "--discordant", 0.1, "--method", "exact"], "paired_proportions",
     {"first": 0.85, "second": 0.8, "discordant": 0.1, "method": "exact"}),
    (["unpaired-auc", *MODELS, "--cluster-size", 3, "--icc", 0.1, "--cv", 0.5], "unpaired_roc_auc",
     {"first": 0.85, "second": 0.8, "cluster_size": 3, "icc": 0.1, "cv": 0.5}),
]  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(
    ("words", "name", "given"), CALLS, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_a_plan_is_that_of_the_function(run, words, name, given):
    plan = getattr(planning, name)(**given)
    assert json.loads(printed_json(run(*words, "--json"))) == plan.to_dict()
    out = printed(run(*words))
    assert out.splitlines()[0] == str(plan).splitlines()[0]
    assert f"{plan.n if plan.positives is None else plan.positives:,}" in out


def test_an_external_validation(run):
    words = [
        "external-validation",
        "--prevalence",
        0.1,
        "--auc",
        0.8,
        "--logit-normal",
        -2.5,
        1,
        "--threshold",
        0.2,
    ]
    plan = planning.external_validation(prevalence=0.1, auc=0.8, logit_normal=(-2.5, 1), threshold=0.2)
    assert printed(run(*words)) == f"{plan}\n"
    assert json.loads(printed_json(run(*words, "--json"))) == plan.to_dict()
    status, out, err = run("external-validation", "--auc", 0.8)
    assert (status, out) == (2, "")
    assert "as --logit-normal -2 1." in err


def printed_json(answer):
    status, out, err = answer
    assert (status, err) == (0, "")
    return out


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    rng = np.random.default_rng(0)
    truth = rng.random(300) < 0.3
    path = tmp_path_factory.mktemp("plan") / "scores.csv"
    rows = [f"{int(t)},{p:.6f}" for t, p in zip(truth, rng.normal(1.2 * truth), strict=True)]
    path.write_text("\n".join(["y,p", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.full
def test_what_a_file_shows(run, file):
    call = [
        "present",
        file,
        "--truth",
        "y",
        "--score",
        "p",
        "--measure",
        "roc_auc",
        "--measure",
        "sensitivity",
        "--width",
        0.05,
    ]
    evaluation = tm.evaluate(str(file), truth="y", score="p")
    found = planning.present(evaluation, measures=("roc_auc", "sensitivity"), width=0.05)
    assert printed(run(*call)) == f"{found}\n"
    assert json.loads(printed_json(run(*call, "--json"))) == found.to_dict()
    assert f"{found['roc_auc'].cases:,}" in printed(run(*call))
    assert printed(run(*call[:6])) == f"{planning.present(evaluation)}\n"


@for_each(
    ("words", "complaint"),
    [
        (["auc", "--expected", 0.8], "exactly one of --width, --at-least; given: none"),
        (
            ["auc", "--expected", 0.7, "--at-least", 0.75],
            "at-least: no number of cases can show it, since 0.7 is expected",
        ),
        (
            ["sensitivity", "--expected", 0.9, "--width", 0.1, "--at-most", 0.95],
            "given: --width and --at-most",
        ),
        (
            ["sensitivity", "--expected", 0.9, "--width", 0.1, "--method", "wald"],
            "method: wald has no interval",
        ),
        (
            ["auc", *AREA, "--spread-ratio", 2, "--variance", "hanley-mcneil"],
            "with --variance 'hanley-mcneil' leave it out",
        ),
        (
            ["auc", *AREA, "--negatives-per-positive", 2, "--prevalence", 0.1],
            "negatives-per-positive: --prevalence already determines",
        ),
        (
            ["paired-auc", "--first", 0.8, "--second", 0.8, "--correlation", 0.5],
            "give a --margin that it may fall short by",
        ),
        (["paired-auc", *MODELS, "--correlation", 0.1, 0.2, 0.3], "correlation: give one number, or two"),
        (["paired-auc", *MODELS], "--correlation"),
        (
            ["sensitivity", "--expected", 0.9, "--width", 0.1, "--prevalence", 1e-8],
            "cases to collect: more than 10^9 cases",
        ),
        (["sensitivity", "--expected", "high"], "'high' is not a number, as 0.5"),
        (["sensitivity", "--exp", 0.9, "--width", 0.1], "--expected"),
        (["specificty"], "invalid choice"),
        ([], "WHAT"),
        (["present", "missing.csv", "--truth", "y", "--score", "p"], "missing.csv"),
    ],
)
def test_what_goes_wrong_is_one_line(run, words, complaint):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert complaint in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


def test_a_measure_that_the_file_does_not_allow(run, file):
    status, out, err = run("present", file, "--truth", "y", "--score", "p", "--measure", "brier_score")
    assert (status, out) == (2, "")
    assert "brier_score is not measured here" in err
    assert run("present", file, "--truth", "y", "--score", "p", "--width", "-1")[0] == 2
