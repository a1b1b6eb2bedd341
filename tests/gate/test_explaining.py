"""What a gate means, and how often a model of some quality passes, fails or stays undecided."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from looping import for_each
from refusals import refuses
from scipy.stats import norm

import tallymark as tm
from tallymark.cli import main

CELLS = tm.Counts(tp=160, fn=40, fp=30, tn=270)
DOCS = Path(__file__).parents[2] / "docs"


def chance(require, expected=None, **given):
    (found,) = tm.check(**(given or {"counts": CELLS}), require=require).explain(expected=expected).chances
    return found


def test_the_probabilities_of_a_proportion_are_those_of_a_plan():
    """By hand: standard errors sqrt(p (1 - p) / n) at the value and at the limit."""
    found = chance("sensitivity >= 0.75")
    error, at_limit = (np.sqrt(p * (1 - p) / 200) for p in (0.8, 0.75))
    assert found.passes == pytest.approx(norm.cdf((0.05 - 1.96 * at_limit) / error), abs=0.01)
    assert found.fails == pytest.approx(norm.cdf((-0.05 - 1.96 * at_limit) / error), abs=0.001)
    assert found.passes + found.undecided + found.fails == pytest.approx(1)
    assert found.expected == 0.8
    plan = tm.planning.proportion(expected=0.8, at_least=0.75, power=0.8)
    large = tm.Counts(tp=0.8 * plan.n, fn=0.2 * plan.n, fp=1, tn=1)
    assert chance("sensitivity >= 0.75", counts=large).passes == pytest.approx(0.8, abs=0.02)


@for_each(("limit", "operator"), [(0.8, ">="), (0.8, "<=")])
def test_at_the_limit_the_error_rates_are_those_of_the_level(limit, operator):
    found = chance(f"sensitivity {operator} {limit}", {"sensitivity": limit})
    assert (found.passes, found.fails) == pytest.approx((0.025, 0.025), abs=1e-4)
    at_90 = chance(f"sensitivity {operator} {limit}", counts=CELLS, level=0.9)
    assert (at_90.passes, at_90.fails) == pytest.approx((0.05, 0.05), abs=1e-4)


def test_parts_are_passed_or_failed():
    low, high, value = (chance(f"sensitivity.{part} >= 0.78") for part in ("low", "high", "value"))
    both = chance("sensitivity >= 0.78")
    assert (low.passes, high.fails) == (both.passes, both.fails)
    assert value.passes == pytest.approx(norm.cdf(0.02 / np.sqrt(0.16 / 200)), abs=0.01)
    assert {str(one.undecided) for one in (low, high, value)} == {"0.0"}
    sizes = chance("n >= 500"), chance("n >= 501"), chance("sensitivity.width <= 0.2")
    assert [one.passes for one in sizes] == [1, 0, 1]


def test_in_words():
    for require, meaning in {
        "sensitivity >= 0.75": "all of the 95% interval of sensitivity is at least 0.75",
        "sensitivity.high < 0.9": "the high end of the 95% interval of sensitivity is below 0.9",
        "f1.value > 0.5": "f1 of these cases is above 0.5",
        "n >= 100": "the number of rows is at least 100",
        "accuracy.width <= 5%": "the width of the 95% interval of accuracy is at most 0.05",
    }.items():
        assert chance(require).meaning == meaning
    at_99 = chance("sensitivity >= 0.75", counts=CELLS, uses=5)
    assert at_99.meaning == "all of the 99% interval of sensitivity is at least 0.75"


def test_without_an_interval_nothing_is_known():
    undefined = chance("roc_auc >= 0.5", truth=[1, 1], score=[0.1, 0.2])
    assert np.isnan([undefined.passes, undefined.undecided, undefined.fails]).all()
    assert undefined.to_dict()["passes"] is None


def test_expected_values_are_of_groups_and_of_differences():
    rng = np.random.default_rng(1)
    y = rng.random(300) < 0.4
    frame = pd.DataFrame({"y": y, "new": rng.normal(y), "old": rng.normal(y), "site": np.arange(300) % 2})
    given = {"truth": "y", "score": "new", "baseline_score": "old"}
    require = ["roc_auc >= 0.6 by site", "roc_auc >= baseline - 0.05"]
    verdict = tm.check(frame, **given, require=require)
    expected = {"roc_auc": 0.7, "roc_auc, new - baseline": 0.0}
    found = verdict.explain(expected=expected).chances
    assert [one.expected for one in found] == [0.7, 0.7, 0.0]
    bound = "sensitivity at specificity 0.9"
    at_bound = tm.check(frame, truth="y", score="new", require="sensitivity >= 0.1 at specificity 0.9")
    assert at_bound.explain(expected={bound: 0.4}).chances[0].expected == 0.4
    assert verdict.explain().chances[2].expected == verdict.findings[2].compared
    with refuses("unknown-name", argument="expected"):
        verdict.explain(expected={"roc_acu": 0.7})
    with refuses("invalid-value", argument="expected"):
        verdict.explain(expected={"roc_auc": "much"})


def test_a_difference_is_expected_within_its_range():
    y, p = np.arange(200) % 2, (np.arange(200) * 37) % 101 / 101
    verdict = tm.check(truth=y, score=p, baseline_score=p[::-1], no_worse_than=0.1)
    (name,) = (finding.measured for finding in verdict.findings)
    assert verdict.explain(expected={name: -1}).chances[0].expected == -1
    with refuses("invalid-value", "from -1 to 1", argument="expected"):
        verdict.explain(expected={name: 3})


def test_at_the_ends_of_the_range():
    perfect = tm.Counts(tp=40, fn=0, fp=0, tn=40)
    assert chance("sensitivity >= 0.8", counts=perfect).passes == 1
    assert 0 <= chance("sensitivity >= 0.97", counts=perfect).passes <= 1
    assert chance("sensitivity >= 1", counts=perfect).undecided == 1
    assert chance("sensitivity.value >= 1", counts=perfect).passes == 1
    assert chance("sensitivity >= 0").passes == 1


def test_as_text_and_files(tmp_path):
    found = tm.check(counts=CELLS, require=["sensitivity >= 0.75", "n >= 500"]).explain()
    shown = str(found)
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.startswith("What a model of the expected quality gets from this gate.")
    plain = json.loads(found.to_json())
    assert [one["requirement"] for one in plain["requirements"]] == ["sensitivity >= 0.75", "n >= 500"]
    assert found.table == plain["requirements"]
    found.save(tmp_path / "power.csv")
    assert "undecided" in found.to_markdown()


@for_each(
    ("more", "status", "said"),
    [
        ([], 0, "passes where"),
        (["--expected", "sensitivity=0.9"], 0, "0.9"),
        (["--expected", "sensitivity"], 2, "write a name and a number, as roc_auc=0.85"),
        (["--expected", "sensitivity=high"], 2, "write a name and a number, as roc_auc=0.85"),
        (["--expected", "sensitivity=5"], 2, "give a number from 0 to 1"),
        (["--expected", "sensitivity=-0.1"], 2, "give a number from 0 to 1"),
        (["--expected", "f1=0.9"], 2, "'f1' is not required"),
    ],
)
def test_on_the_command_line(more, status, said, tmp_path, capsys):
    path = tmp_path / "cells.csv"
    path.write_text("y,d\n" + "1,1\n" * 80 + "1,0\n" * 20 + "0,1\n" * 30 + "0,0\n" * 270)
    gate = tmp_path / "gate.toml"
    gate.write_text(
        'data = "cells.csv"\ntruth = "y"\npredicted = "d"\nrequire = "sensitivity >= 0.9"\nstate = "uses"\n'
    )
    assert main(["check", str(gate), "--explain", *more]) == status
    shown = capsys.readouterr()
    assert said in (shown.out or shown.err)
    assert not (tmp_path / "uses").exists()


def test_expected_values_are_for_an_explanation(tmp_path, capsys):
    assert main(["check", "x.csv", "--require", "f1 >= 0.5", "--expected", "f1=0.5"]) == 2
    assert "it is for --explain" in capsys.readouterr().err
    assert main(["check", "x.csv", "--require", "f1 >= 0.5", "--explain", "--self-test"]) == 2
    assert "does not go with --self-test" in capsys.readouterr().err
    junit = str(tmp_path / "x.xml")
    assert main(["check", "x.csv", "--require", "f1 >= 0.5", "--explain", "--junit", junit]) == 2
    assert "an explanation has no verdict" in capsys.readouterr().err


@pytest.mark.full
def test_the_simulation():
    """Some of its settings: error rates at the limit, and what is explained, of 400 samples (1.5 points)."""
    sys.path.insert(0, str(DOCS))
    try:
        simulated = importlib.import_module("coverage_verdicts")
    finally:
        sys.path.remove(str(DOCS))
    for name in ("sensitivity, 200 positives", "area, 1,000 cases"):
        at_limit, away, explained = simulated.outcomes(np.random.default_rng(2), name, 400, 20)
        assert at_limit["passed"] <= 0.05
        assert at_limit["failed"] <= 0.05
        assert abs(away["undecided"] - explained.mean()) <= 0.07
