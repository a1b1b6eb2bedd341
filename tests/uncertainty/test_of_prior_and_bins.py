"""Intervals in a cohort of what also depends on the share of positives, and of how far bins lie apart."""

import numpy as np
import pytest
from scipy.special import expit

from tallymark import evaluate


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


@pytest.mark.full
def test_the_resolution_has_an_interval_no_wider_than_chance_asks_for():
    found = evaluate(**cases(3, 500, 500))["brier_resolution"]
    rng, values = np.random.default_rng(4), []
    for _ in range(300):
        rows = rng.integers(1000, size=1000)
        drawn = {name: values[rows] for name, values in cases(3, 500, 500).items()}
        values.append(evaluate(**drawn)["brier_resolution"].value)
    assert found.high - found.low == pytest.approx(4 * np.std(values), rel=0.25)
