"""Intervals in a cohort of what also depends on the share of positives, and of how far bins lie apart."""

import numpy as np
import pytest
from scipy.special import expit

from tallymark import evaluate
from tallymark.inference.interval import Question
from tallymark.inference.inverted import priors


def entropy(p):
    return -p * np.log(p) - (1 - p) * np.log(1 - p)


def cases(seed, positives=60, negatives=140):
    rng = np.random.default_rng(seed)
    truth = np.arange(positives + negatives) < positives
    return {"truth": truth, "score": expit(1.2 * rng.normal(1.2 * truth) - 1.5)}


def width(evaluation, name):
    return evaluation[name].high - evaluation[name].low


@pytest.mark.parametrize("name", ["average_gain", "recall_at_k"])
def test_the_class_mix_counts_in_a_cohort_only(name):
    cohort, held = (evaluate(**cases(0), design=design) for design in ("cohort", "case-control"))
    assert width(cohort, name) > 1.05 * width(held, name)
    assert "given this class mix" in held[name].note


def test_average_gain_is_the_area_times_the_class_sizes_where_these_are_fixed():
    found = evaluate(**cases(1), design="case-control")
    low, high = ((bound - 0.5) * 60 * 140 / 200 for bound in (found["roc_auc"].low, found["roc_auc"].high))
    assert (found["average_gain"].low, found["average_gain"].high) == pytest.approx((low, high))


def test_the_resolution_of_scores_that_tell_nothing_may_be_0():
    rng = np.random.default_rng(2)
    found = evaluate(truth=rng.random(400) < 0.5, score=rng.random(400))["brier_resolution"]
    assert found.low == 0.0
    assert found.value > 0.0


@pytest.mark.slow
def test_the_resolution_has_an_interval_no_wider_than_chance_asks_for():
    found = evaluate(**cases(3, 500, 500))["brier_resolution"]
    rng, values = np.random.default_rng(4), []
    for _ in range(300):
        rows = rng.integers(1000, size=1000)
        drawn = {name: values[rows] for name, values in cases(3, 500, 500).items()}
        values.append(evaluate(**drawn)["brier_resolution"].value)
    assert found.high - found.low == pytest.approx(4 * np.std(values), rel=0.25)


def test_one_bin_has_no_resolution_to_speak_of():
    found = evaluate(truth=np.arange(40) % 2, score=np.full(40, 0.3))["brier_resolution"]
    assert found.note.endswith("all probabilities are in one bin")


def test_the_share_of_positives_of_weighted_cases_is_as_uncertain_as_their_prevalence():
    given = cases(5, 50, 950)
    weight = np.where(given["truth"], 9.0, 500 / 950)
    found = evaluate(**given, weight=weight, weight_kind="importance")
    table = found.ranking
    low, _, high = priors(Question(found.entry("average_precision"), None, table, 0.5, found.settings))
    assert (low, high) == pytest.approx((found["prevalence"].low, found["prevalence"].high), rel=1e-6)


def test_what_the_design_fixes_is_said_once():
    found = evaluate(**cases(6), design="case-control")
    for name in ("prevalence", "brier_uncertainty"):
        assert "class sizes are fixed by the design" in found[name].note
        assert "has no meaning" not in found[name].note


@pytest.mark.parametrize(
    ("name", "function"),
    [("brier_uncertainty", lambda p: p * (1 - p)), ("log_loss_uncertainty", entropy)],
)
def test_in_clusters_it_is_the_range_over_the_interval_of_the_prevalence(name, function):
    """Not a jackknife of the function, whose slope is 0 at a half: it covered .917 with 40 clusters."""
    rng = np.random.default_rng(6)
    group = np.repeat(np.arange(40), 5)
    truth = rng.normal(size=40)[group] + rng.normal(size=200) > 0.1
    found = evaluate(truth=truth, score=rng.random(200), clusters=group)
    of = found["prevalence"]
    assert of.low < 0.5 < of.high
    ends = [function(of.low), function(of.high)]
    assert (found[name].low, found[name].high) == pytest.approx((min(ends), function(0.5)))
    assert found[name].method == of.method
    assert found[name].standard_error is None
