"""Passed, failed or undecided: what decides, how many more cases would, and what undecided counts as."""

import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from looping import for_each
from refusals import refuses
from scipy.stats import binom

import tallymark as tm
from tallymark.cli import main
from tallymark.studies.gate import parse

COUNTS = tm.Counts(tp=80, fn=20, fp=30, tn=270)  # sensitivity 0.8, specificity 0.9
LOW, HIGH = tm.estimate("sensitivity", COUNTS).low, tm.estimate("sensitivity", COUNTS).high
SPREAD = tm.Counts(tp=8, fn=2, fp=3, tn=27)


def one(require, **given):
    (finding,) = tm.check(**(given or {"counts": COUNTS}), require=require).findings
    return finding


@for_each(
    ("operator", "limit", "outcome"),
    [
        (">=", LOW - 0.001, "passed"),
        (">=", LOW, "passed"),
        (">", LOW, "undecided"),
        (">=", 0.8, "undecided"),
        (">=", HIGH, "undecided"),
        (">", HIGH, "failed"),
        (">=", HIGH + 0.001, "failed"),
        ("<=", HIGH + 0.001, "passed"),
        ("<=", HIGH, "passed"),
        ("<", HIGH, "undecided"),
        ("<=", LOW, "undecided"),
        ("<", LOW, "failed"),
        ("<=", LOW - 0.001, "failed"),
    ],
)
def test_the_whole_interval_decides(operator, limit, outcome):
    found = one(f"sensitivity {operator} {limit!r}")
    assert (found.outcome, found.passed) == (outcome, outcome == "passed")
    assert (found.part, found.compared) == ("interval", 0.8)
    assert (found.more is None) == (outcome != "undecided" or limit == 0.8)


def test_parts_and_sizes_are_passed_or_failed():
    for require, outcome in (
        ("sensitivity.value >= 0.8", "passed"),
        ("sensitivity.value >= 0.81", "failed"),
        ("sensitivity.low >= 0.8", "failed"),
        ("sensitivity.high >= 0.8", "passed"),
        ("sensitivity.width <= 0.1", "failed"),
        ("n >= 400", "passed"),
        ("n >= 401", "failed"),
        ("missing <= 0", "passed"),
    ):
        assert one(require).outcome == outcome, require


def test_answers_are_a_rate_of_the_model():
    """Unlike what is missing of the rows read, it has an interval that decides."""
    predicted = ["a"] * 48 + ["?"] * 2
    given = {"truth": ["a", "b"] * 25, "predicted": predicted, "not_an_answer": "?", "positive": "a"}
    assert one("unanswered <= 0.05", **given).outcome == "undecided"
    assert one("unanswered.value <= 0.05", **given).outcome == "passed"


# How many more cases
# --------------------------------------------------------------------------------------------------


@for_each(
    ("right", "cases", "limit"),
    [(165, 200, 0.8), (150, 200, 0.7), (410, 500, 0.8), (10, 100, 0.12), (38, 50, 0.7), (760, 1000, 0.74)],
)
def test_so_many_more_cases_decide_with_the_probability_stated(right, cases, limit):
    """The power of the whole study, by the binomial distribution at the present value."""
    counts = tm.Counts(tp=right, fn=cases - right, fp=0, tn=0)
    found = one(f"sensitivity >= {limit}", counts=counts)
    assert found.outcome == "undecided"
    n = cases + found.more
    k = np.arange(n + 1)
    zero = np.zeros(n + 1)
    estimates = tm.estimate_each("sensitivity", tm.Counts(tp=k, fn=n - k, fp=zero, tn=zero))
    above = found.estimate.value > limit
    decides = np.array([each.low >= limit if above else each.high < limit for each in estimates])
    assert 0.76 <= binom.pmf(k, n, right / cases) @ decides <= 0.83


def test_the_sentence_says_what_more_cases_would_show():
    met, not_met, never = (one(f"sensitivity >= {limit}") for limit in (0.75, 0.83, 0.8))
    assert met.sentence.startswith("0.8000 [0.7112, 0.8666] includes 0.75 (95%, wilson); about ")
    assert met.sentence.endswith(" more cases such as these would show, with probability 0.8, that it is met")
    assert not_met.sentence.endswith(" with probability 0.8, that it is not met")
    assert never.sentence.endswith("; no number of cases decides it at this value")
    assert met.more > 100
    assert (never.more, never.outcome) == (None, "undecided")
    assert one("sensitivity >= 0.800000001").more is None  # more than 10^9
    assert "f1.value >= 0.7" in str(tm.check(counts=COUNTS, require="sensitivity >= 0.75"))
    assert "f1.value" not in str(tm.check(counts=COUNTS, require="sensitivity >= 0.5"))


def test_more_uses_need_more_cases():
    each = [tm.check(counts=COUNTS, require="sensitivity >= 0.75", uses=k).findings[0].more for k in (1, 5)]
    assert each[1] > 1.3 * each[0]


# The verdict
# --------------------------------------------------------------------------------------------------

PASSES, FAILS, OPEN = "sensitivity >= 0.5", "specificity >= 0.95", "sensitivity >= 0.75"


@for_each(
    ("require", "outcome", "summary"),
    [
        ([PASSES], "passed", "passed: the requirement is met"),
        ([FAILS], "failed", "FAILED: the requirement is not met"),
        ([OPEN], "undecided", "UNDECIDED: these cases do not show whether the requirement is met"),
        ([PASSES, "n >= 3"], "passed", "passed: 2 of 2 requirements met"),
        ([PASSES, OPEN], "undecided", "UNDECIDED: 1 of 2 requirements met, 1 undecided"),
        ([PASSES, OPEN, FAILS], "failed", "FAILED: 1 of 3 requirements met, 1 undecided"),
    ],
)
def test_a_failure_outranks_what_is_undecided(require, outcome, summary):
    for undecided in (None, "pass", "fail"):
        verdict = tm.check(counts=COUNTS, require=require, undecided=undecided)
        counted = f"UNDECIDED (counts as {undecided})" if undecided else "UNDECIDED"
        assert verdict.summary == summary.replace("UNDECIDED", counted)
        assert verdict.outcome == outcome
        passed = outcome == "passed" or (outcome == "undecided" and undecided == "pass")
        assert verdict.passed is bool(verdict) is passed
        plain = json.loads(verdict.to_json())
        assert (plain["outcome"], plain["passed"], plain["undecided"]) == (outcome, passed, undecided)
        assert tm.Verdict.from_json(verdict.to_json()).to_dict() == verdict.to_dict()


@for_each(
    ("undecided", "element", "level"),
    [(None, "skipped", "warning"), ("pass", "skipped", "notice"), ("fail", "failure", "error")],
)
def test_ci_systems_see_what_it_counts_as(undecided, element, level):
    verdict = tm.check(counts=COUNTS, require=[PASSES, OPEN], undecided=undecided)
    root = ElementTree.fromstring(verdict.to_junit())
    found = root.findall("testsuite/testcase")[1][0]
    assert found.tag == element
    assert found.attrib == {"type": "undecided", "message": verdict.findings[1].sentence}
    lines = verdict.to_annotations().splitlines()[-2:]
    assert [line.split(" ")[0] for line in lines] == [f"::{level}", f"::{level}"]
    assert "UNDECIDED" in verdict.to_markdown()
    assert "UNDECIDED" in verdict.to_html()


@for_each(
    ("requirements", "more", "status"),
    [
        ([PASSES], [], 0),
        ([PASSES, FAILS], [], 1),
        ([PASSES, OPEN], [], 3),
        ([OPEN, FAILS], [], 1),
        ([OPEN, FAILS], ["--undecided", "pass"], 1),
        ([OPEN], ["--undecided", "pass"], 0),
        ([OPEN], ["--undecided", "fail"], 1),
        ([OPEN], ["--undecided", "maybe"], 2),
    ],
)
def test_the_exit_status(requirements, more, status, tmp_path, capsys):
    path = tmp_path / "cells.csv"
    path.write_text("y,d,n\n1,1,80\n1,0,20\n0,1,30\n0,0,270\n")
    given = ["check", str(path), "--truth", "y", "--predicted", "d", "--weight", "n"]
    words = [word for one in requirements for word in ("--require", one)]
    assert main([*given, "--weight-kind", "count", *words, *more]) == status
    if status in (1, 3):
        assert ("UNDECIDED" in capsys.readouterr().out) is (OPEN in requirements)


def test_what_undecided_may_count_as():
    with refuses("unknown-name", argument="undecided"):
        tm.check(counts=COUNTS, require=PASSES, undecided="passed")


# Against a baseline
# --------------------------------------------------------------------------------------------------

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.random(400) < 0.4
CASES = pd.DataFrame({"y": TRUTH, "new": RANDOM.normal(1.5 * TRUTH)})
CASES["old"] = CASES.new + RANDOM.normal(0, 0.3, 400)
GIVEN = {"truth": "y", "score": "new", "baseline_score": "old"}


@for_each(
    ("text", "limit", "written"),
    [
        ("roc_auc >= baseline", 0.0, "roc_auc >= baseline"),
        ("roc_auc >= baseline - 0.01", -0.01, "roc_auc >= baseline - 0.01"),
        ("roc_auc>=baseline-1%", -0.01, "roc_auc >= baseline - 0.01"),
        ("roc_auc >= baseline -.01", -0.01, "roc_auc >= baseline - 0.01"),
        ("log_loss.high < baseline + 0.02", 0.02, "log_loss.high < baseline + 0.02"),
        ("f1 > baseline +0.02 at threshold 0.4", 0.02, "f1 > baseline + 0.02 at threshold 0.4"),
    ],
)
def test_a_limit_may_be_the_baseline(text, limit, written):
    found = parse(text)
    assert (found.of_baseline, found.limit, str(found)) == (True, limit, written)
    assert parse(written) == found


@for_each(("require", "margin"), [("roc_auc >= baseline", 0), ("roc_auc >= baseline - 0.02", 0.02)])
def test_it_is_what_no_worse_than_requires(require, margin):
    asked = tm.check(CASES, **GIVEN, require=require)
    plain = tm.check(CASES, **GIVEN, no_worse_than=margin)
    assert [each.to_dict() for each in asked.findings] == [each.to_dict() for each in plain.findings]
    assert asked.findings[0].measured == "roc_auc, new - baseline"


def test_findings_against_a_baseline_are_the_last():
    require = ["roc_auc >= baseline - 0.1", "n >= 10", "roc_auc >= 0.5"]
    found = tm.check(CASES, **GIVEN, require=require, no_worse_than=0.2).findings
    assert [each.requirement for each in found] == [*require[1:], require[0], "roc_auc >= baseline - 0.2"]
    assert [each.outcome for each in found] == ["passed"] * 4


def test_an_end_of_the_difference():
    low, value = tm.check(
        CASES, **GIVEN, require=["roc_auc.low >= baseline - 0.5", "roc_auc.value >= baseline - 0.5"]
    ).findings
    assert (low.compared, value.compared) == (low.estimate.low, low.estimate.value)


@for_each(
    ("require", "given", "code"),
    [
        ("roc_auc >= baseline - 0.01", {"truth": "y", "score": "new"}, "there is no baseline"),
        ("n >= baseline", GIVEN, "is not compared with a baseline"),
        ("missing <= baseline", GIVEN, "is not compared with a baseline"),
        ("f1.width <= baseline", GIVEN, "is not compared with a baseline"),
        ("f1 >= baseline by site", GIVEN, "groups are not compared"),
        ("f1 >= baseline -", GIVEN, "expected a number"),
        ("f1 >= baseline 0.1", GIVEN, "expected the end"),
        ("f1 >= baseline - x", GIVEN, "expected a number"),
        ("f1 >= baseline - 2", GIVEN, "a difference of f1 lies from -1 to 1, never at -2"),
        ("worst f1 >= 0.5 by site", GIVEN, "every group has to meet it, and so the worst"),
        ("f1 >= -", GIVEN, "expected the number that it is compared with"),
    ],
)
def test_what_is_wrong_with_it(require, given, code):
    with pytest.raises(tm.InputError, match=code):
        tm.check(CASES, **given, require=require)
    with refuses("needed", argument="no_worse_than"):
        tm.check(CASES, **GIVEN, require="roc_auc >= baseline", measures="f1")


def test_further_cases_of_a_difference():
    """So many more of the same cases have an interval that excludes the limit in 0.8 of samples."""
    found = tm.check(CASES, **GIVEN, require="roc_auc >= baseline").findings[0]
    assert found.outcome == "undecided"
    times = 1 + found.more / len(CASES)
    half = (found.estimate.high - found.estimate.low) / 2 / np.sqrt(times)
    assert abs(found.compared) == pytest.approx(half * (1 + 0.8416 / 1.96), rel=0.1)
