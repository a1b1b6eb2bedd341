"""The gate with a margin, at the boundary: models that are worse by just the margin."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark.measures import registry

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def simulation():
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module("simulated_gate")
    finally:
        sys.path.remove(str(DOCS))


@pytest.mark.full
@for_each("design", ["cohort", "case-control"])
@for_each("other", ["calibration", "shape"])
def test_what_is_simulated_is_what_check_answers(design, other, simulation):
    positive, scores = simulation.sample(np.random.default_rng(1), other, 300, design)
    data = {"y": positive, "first": scores[0], "other": scores[1]}
    for name in simulation.MEASURES:
        margin, turned = simulation.margin_of(name, other)
        new, baseline = ("other", "first") if turned else ("first", "other")
        asked = {
            "truth": "y",
            "score": new,
            "baseline_score": baseline,
            "threshold": simulation.LIMIT,
            "design": design,
        }
        (found,) = tm.check(data, **asked, measures=name, no_worse_than=margin).findings
        wanted = simulation.finding(name, positive, scores, other, design, 0)
        assert (found.compared, found.limit, found.passed) == (
            pytest.approx(wanted.compared),
            wanted.limit,
            wanted.passed,
        ), name


@pytest.mark.full
@for_each("other", ["calibration", "shape"])
def test_margins_are_true_differences(other, simulation):
    """Those of a large sample, whose standard errors are below 0.004."""
    positive, scores = simulation.sample(np.random.default_rng(2), other, 100_000, "cohort")
    both = [tm.evaluate(truth=positive, score=one, threshold=simulation.LIMIT) for one in scores]
    for name in simulation.MEASURES:
        margin, turned = simulation.margin_of(name, other)
        gain = both[1][name].value - both[0][name].value
        worse = -gain if (registry.get(name).better == "higher") == turned else gain
        assert worse == pytest.approx(margin, abs=0.012), name


@pytest.mark.slow
@for_each("other", ["calibration", "shape"])
def test_a_model_worse_by_the_margin_seldom_passes(other, simulation):
    """600 samples of 300 cases: a share of 2.5 % is known to 0.64 points."""
    counted = simulation.passes(f"{other}, 300 cases, cohort", np.random.default_rng(14), 600)
    found = {name: passed / known for name, (known, passed) in counted.items()}
    assert 0.012 <= np.mean(list(found.values())) <= 0.038
    assert max(found.values()) <= 0.025 + 4 * 0.0064, found
