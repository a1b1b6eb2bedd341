"""--clusters of the commands curve and threshold; what is printed of a band; exit statuses in every help."""

import json
import re

import numpy as np
import pytest

import tallymark as tm
from tallymark.cli import DONE, INTERRUPTED, NOT_PASSED, STATUSES, UNDECIDED, WRONG
from tallymark.cli.commands import parser
from tallymark.input.text import WIDTH

N = 90
RANDOM = np.random.default_rng(1)
TRUTH = np.arange(N) % 3 == 0
SCORE = np.round(np.clip(0.2 * TRUTH + 0.75 * RANDOM.random(N), 0.01, 0.99), 3)
GROUP = np.arange(N) // 3


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    path = tmp_path_factory.mktemp("clusters") / "cases.csv"
    rows = zip(TRUTH.astype(int), SCORE, GROUP, strict=True)
    path.write_text("y,p,patient\n" + "\n".join(",".join(map(str, row)) for row in rows), encoding="utf-8")
    return [path, "--truth", "y", "--score", "p"]


@pytest.mark.full
def test_a_curve_of_groups(run, cases):
    status, out, err = run("curve", "roc", *cases, "--clusters", "patient", "--band", "pointwise")
    assert status == DONE
    expected = tm.evaluate(truth=TRUTH, score=SCORE, clusters=GROUP).curve("roc", band="pointwise")
    low = [float(line.split(",")[-2]) for line in out.splitlines()[1:]]
    assert low == pytest.approx(expected.band[0].tolist())
    assert "clustered bayesian-bootstrap" in err
    assert low != pytest.approx(
        tm.evaluate(truth=TRUTH, score=SCORE).curve("roc", band="pointwise").band[0].tolist()
    )


@pytest.mark.parametrize(("curve", "band"), [("roc", "kolmogorov-smirnov"), ("reliability", "simultaneous")])
def test_a_band_that_groups_have_not(run, cases, curve, band):
    status, out, err = run("curve", curve, *cases, "--clusters", "patient", "--band", band)
    assert (status, out, err.count("\n")) == (WRONG, "", 1)
    assert f"clusters: no valid {band} band of '{curve}'" in err
    assert "take a pointwise or simultaneous band of" in err


def test_a_threshold_of_groups_has_the_interval_of_their_resamples(run, cases):
    status, out, _ = run("threshold", *cases, "--clusters", "patient", "--replicates", "200", "--json")
    expected = tm.choose_threshold(truth=TRUTH, score=SCORE, clusters=GROUP, replicates=200)
    assert status == 0
    assert expected.to_dict()["threshold"] == json.loads(out)["threshold"]


# Options that had, or have elsewhere, another name
# --------------------------------------------------------------------

RENAMED = {
    "groups": "clusters",
    "risk-groups": "hl-groups",
    "draw": "resampling",
    "bootstrap": "resampling",
    "auc": "auc-interval",
    "sample-weight": "weight",
    "y-true": "truth",
}


def commands_with(option):
    (commands,) = (action.choices for action in parser()._subparsers._group_actions)
    return [name for name, command in commands.items() if f"--{option}" in command._option_string_actions]


@pytest.mark.parametrize(
    ("command", "old", "new"),
    [
        (name, old, new)
        for old, new in RENAMED.items()
        for name in commands_with(new)
        if name in commands_with("truth")
    ],
)
def test_an_option_of_another_name_is_answered_with_its_name_here(run, command, old, new):
    own = {
        "compare": ["--score", "p", "--score", "q"],
        "curve": [],
        "plot": ["--out", "x.png"],
        "tally": ["-o", "x.tally"],
    }
    required = own.get(command, ["--score", "p"])
    where = ["roc", "cases.csv"] if command in ("curve", "plot") else ["cases.csv"]
    for written in ([f"--{old}", "site"], [f"--{old}=site"]):
        status, out, err = run(command, *where, "--truth", "y", *required, *written)
        assert (status, out) == (WRONG, "")
        assert (
            err == f"tallymark {command}: error: --{old}: here it is called --{new}; see tallymark {command}"
            " --help\n"
        )


WITHOUT_INTERVALS = {"class-mix", "unscored", "tally"}


def test_cases_can_be_said_to_belong_together_in_every_command_that_reads_cases():
    assert set(commands_with("clusters")) == set(commands_with("truth")) - WITHOUT_INTERVALS


def test_an_option_of_a_plan_of_another_name(run):
    status, _, err = run("plan", "present", "cases.csv", "--truth", "y", "--score", "p", "--groups", "site")
    assert status == WRONG
    assert (
        err
        == "tallymark plan present: error: --groups: here it is called --clusters; see tallymark plan present"
        " --help\n"
    )


def test_an_option_that_is_unknown_is_shown_as_it_was_written(run):
    status, _, err = run("evaluate", "cases.csv", "--truth", "y", "--shape", "round")
    assert status == WRONG
    assert (
        err
        == "tallymark evaluate: error: unrecognized arguments: --shape round; see tallymark evaluate --help\n"
    )


# What is printed of a band
# --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_a_prevalence_at_every_threshold(run, cases, design):
    """With fixed class sizes it has an interval at no threshold, and so no band; in a cohort the same one
    everywhere."""
    found = tm.evaluate(truth=TRUTH, score=SCORE, design=design).curve("prevalence", band="pointwise")
    _, _, err = run("curve", "prevalence", *cases, "--band", "pointwise", "--design", design)
    assert "at some thresholds" not in err
    if design == "cohort":
        assert found.band is not None
        assert np.ptp(found.band[0]) == np.ptp(found.band[1]) == 0
    else:
        assert (found.band, found.about.method) == (None, None)
        assert found.about.note == "no interval: the class sizes are fixed by the design"
        assert found.about.note in err


def test_notes_at_some_thresholds():
    """Wald's condition fails at the ends of the range."""
    found = tm.evaluate(truth=TRUTH, score=SCORE, proportion="wald").curve("sensitivity", band="pointwise")
    assert "at some thresholds approximate: n p > 5" in found.about.note


@pytest.mark.parametrize("curve", ["roc", "f1", "cohen_kappa"])
def test_what_a_band_is_fits_the_terminal(run, cases, curve):
    _, _, err = run("curve", curve, *cases, "--band", "pointwise", "--design", "case-control")
    assert "pointwise band" in err
    assert max(map(len, err.splitlines())) <= WIDTH


# Exit statuses
# --------------------------------------------------------------------------------------------------------


def every_parser(one, name=()):
    yield name, one
    for action in one._actions:
        for word, below in (action.choices or {}).items() if isinstance(action.choices, dict) else ():
            yield from every_parser(below, (*name, word))


def test_every_help_ends_with_the_exit_statuses():
    found = dict(every_parser(parser()))
    assert len(found) > 20
    for name, one in found.items():
        last = " ".join(one.format_help().split()).partition("Exit status: ")[2]
        known = {
            int(part.split()[0]): part.split(maxsplit=1)[1] for part in last.removesuffix(".").split(", ")
        }
        assert set(known) == {DONE, WRONG, INTERRUPTED} | (
            {NOT_PASSED, UNDECIDED} if name in ((), ("check",)) else set()
        ), name
        assert known[WRONG] == STATUSES[WRONG], name


def test_the_statuses_are_those_of_check(run, cases):
    said = " ".join(run("check", "--help")[1].split())
    for limit, status, words in (
        (0.01, DONE, "every requirement is met"),
        (0.999, NOT_PASSED, "one is not met"),
    ):
        assert run("check", *cases, "--require", f"roc_auc >= {limit}")[0] == status
        assert re.search(rf"\b{status} {words}", said)


def test_an_option_of_other_commands_is_answered_with_these(run, cases):
    status, _, error = run("compare", *cases, "--guideline", "stard")
    assert status == 2
    assert "--guideline is an option of evaluate" in error
