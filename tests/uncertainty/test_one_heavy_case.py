"""One case with nearly all the weight shows no spread: measures that depend on it have no interval."""

import numpy as np
import pytest
from looping import for_each, in_part

import tallymark as tm

N = 200
RNG = np.random.default_rng(0)
TRUTH = np.arange(N) < N // 2
SCORE = 1 / (1 + np.exp(-(RNG.normal(size=N) + 1.5 * TRUTH - 0.7)))
HEAVY = {
    "tp": TRUTH & (SCORE >= 0.5),
    "fp": ~TRUTH & (SCORE >= 0.5),
    "fn": TRUTH & (SCORE < 0.5),
    "tn": ~TRUTH & (SCORE < 0.5),
}
WHOLE = {"weight_kind": "importance"}


def weights(cell, heavy=1e6):
    weight = np.ones(N)
    weight[np.flatnonzero(HEAVY[cell])[0]] = heavy
    return weight


def with_interval(cell, **more):
    one = tm.evaluate(truth=TRUTH, score=SCORE, weight=weights(cell), threshold=0.5, **WHOLE, **more)
    return {name for name in one if one[name].has_interval}


@in_part(2, ("fast", "full"))
@for_each("design", ["cohort", "case-control"])
def test_only_measures_of_other_cells_have_an_interval(design):
    assert with_interval("tn", design=design) == {
        *("sensitivity", "false_negative_rate", "precision", "false_discovery_rate"),
        *("jaccard", "f1", "f_beta", "g_measure", "standardised_net_benefit"),  # (tp - odds * fp) / positives
    }
    assert with_interval("tp", design=design) == {
        *("specificity", "false_positive_rate", "negative_predictive_value", "false_omission_rate"),
    }


def test_the_reason_is_given():
    one = tm.evaluate(truth=TRUTH, score=SCORE, weight=weights("fp"), threshold=0.5, **WHOLE)
    for name in ("specificity", "accuracy", "roc_auc", "precision_at_k", "brier_score"):
        assert "fewer than two cases, in effect" in one[name].note, name


def test_a_single_case_of_a_class_is_no_heavy_case():
    """Balanced class weights of one positive and 99 negatives."""
    truth = np.arange(100) < 1
    score = np.linspace(0.9, 0.1, 100)
    one = tm.evaluate(truth=truth, score=score, class_weight="balanced", threshold=0.5)
    for name in ("sensitivity", "specificity", "accuracy"):
        assert one[name].has_interval, name


def test_several_classes_labels_and_amounts():
    classes, weight = np.arange(N) % 3, weights("tn")
    other = np.where(RNG.random(N) < 0.7, classes, (classes + 1) % 3)
    several = tm.evaluate(truth=classes, predicted=other, weight=weight, **WHOLE)
    assert not [name for name in several if several[name].has_interval]
    labels = np.stack([TRUTH, ~TRUTH], axis=1)
    found = tm.evaluate(truth=labels, predicted=labels ^ (RNG.random((N, 2)) < 0.1), weight=weight, **WHOLE)
    assert not found["exact_match"].has_interval
    amounts = tm.evaluate(
        truth=SCORE, predicted=SCORE + RNG.normal(size=N), weight=weight, regression=True, **WHOLE
    )
    assert not [name for name in amounts if amounts[name].has_interval]


def test_averages_over_classes():
    classes = np.arange(N) % 3
    one = tm.evaluate(truth=classes, predicted=np.roll(classes, 1), weight=weights("tn"), **WHOLE)
    averages = [one.averages[kind]["f1"] for kind in ("macro", "weighted", "micro")]
    assert not [each for each in averages if each.has_interval]


def test_models_are_not_compared():
    weight = weights("tn")
    other = np.where(weight > 1, SCORE, np.clip(SCORE + 0.1 * RNG.normal(size=N), 0, 1))
    found = tm.compare(truth=TRUTH, score={"a": SCORE, "b": other}, weight=weight, threshold=0.5, **WHOLE)
    for name in found:
        apart = name in ("sensitivity", "f1")  # which the heavy case does not enter
        assert np.isnan(found[name].p_value) != apart, name
        assert found[name].estimate.has_interval == apart, name
    assert found.headline.reading is None
    said = "on 200 cases, without a test: fewer than two cases"
    assert said in str(found.headline)


def test_the_rule_does_not_depend_on_rounding():
    for seed in range(60):
        weight = np.random.default_rng(seed).uniform(0.5, 2.0, N)
        weight[np.flatnonzero(HEAVY["tn"])[0]] = 1e6
        one = tm.evaluate(truth=TRUTH, score=SCORE, weight=weight, threshold=0.5, **WHOLE)
        kept = ("roc_auc", "precision_at_k", "brier_score", "specificity", "accuracy")
        assert not [name for name in kept if one[name].has_interval], seed


@pytest.mark.parametrize("found", [0, 1, 2])
def test_class_weights_and_weights_by_the_prediction_are_no_heavy_case(found):
    """Of 10 positives with weight 15 some are found; of predicted negatives one in 50 is verified."""
    truth = np.arange(300) < 10
    predicted = (np.arange(300) < found) | (np.arange(300) >= 296)
    one = tm.evaluate(truth=truth, predicted=predicted, class_weight="balanced")
    verified = np.where(predicted, 1.0, 50.0)
    for some in (one, tm.evaluate(truth=truth, predicted=predicted, weight=verified, **WHOLE)):
        for name in ("precision", "accuracy", "sensitivity", "specificity"):
            assert some[name].has_interval, name


def test_a_heavy_positive_leaves_no_test_of_the_area():
    truth = np.arange(2000) < 100
    score = RNG.normal(size=(2, 2000)) + truth
    weight = np.where(np.arange(2000) == 0, 1000.0, 1.0)
    models = {"a": score[0], "b": score[1]}
    for pair in (models, dict(reversed(models.items()))):
        found = tm.compare(truth=truth, score=pair, weight=weight, measures=["roc_auc"], **WHOLE)
        assert np.isnan(found["roc_auc"].p_value)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_scale_of_the_weights_does_not_matter(scale):
    one = tm.evaluate(truth=TRUTH, score=SCORE, weight=scale * weights("tn", 10.0), threshold=0.5, **WHOLE)
    assert one["specificity"].has_interval
    assert one["roc_auc"].has_interval


def test_a_model_differs_by_0_from_itself_whatever_the_weights():
    same = {"a": SCORE, "b": SCORE.copy()}
    found = tm.compare(truth=TRUTH, score=same, weight=weights("tn"), threshold=0.5, **WHOLE)
    assert found["roc_auc"].value == 0
    assert np.isnan(found["roc_auc"].low)  # one case has nearly all the weight of a class
    array = tm.compare(truth=TRUTH, score=same | {"b": SCORE}, weight=weights("tn"), threshold=0.5, **WHOLE)
    assert (array["roc_auc"].low, array["roc_auc"].high) == (0, 0)


def test_different_cases_with_one_heavy_one_are_not_compared():
    sets = [
        tm.evaluate(truth=TRUTH, score=SCORE, weight=weight, **WHOLE)
        for weight in (weights("tn"), np.ones(N))
    ]
    for pair in (sets, sets[::-1]):
        found = tm.compare(*pair, paired=False, measures="brier_score")
        assert np.isnan(found["brier_score"].p_value)
