"""Class weights that are made from the sample fix the class mix: intervals, resamples, tests and bands are
for this mix."""

import math

import numpy as np
import pytest
from looping import for_each

from tallymark import (
    ClassScores,
    ConfusionMatrix,
    Counts,
    RankingTable,
    bootstrap,
    choose_threshold,
    compare,
    evaluate,
)
from tallymark.inference import Settings, estimate, estimate_each
from tallymark.inference.interval import FIXED_BY_WEIGHTS, GIVEN_MIX, GIVEN_WEIGHTS, fixed_by_weights

RANDOM = np.random.default_rng(4)
N = 400
TRUTH = RANDOM.random(N) < 0.2
SCORE = 1 / (1 + np.exp(-(1.2 * TRUTH - 0.9 + RANDOM.normal(size=N))))
OTHER = 1 / (1 + np.exp(-(1.2 * TRUTH - 0.4 + RANDOM.normal(size=N))))
WEIGHT = N / 2 / np.where(TRUTH, TRUTH.sum(), (~TRUTH).sum())
GIVEN = {"truth": TRUTH, "score": SCORE, "weight": WEIGHT, "weight_kind": "importance"}
CLASSES = np.array([0] * 60 + [1] * 30 + [2] * 110)
PREDICTED = np.where(RANDOM.random(200) < 0.7, CLASSES, RANDOM.integers(0, 3, 200))
BALANCED = (200 / 3 / np.bincount(CLASSES))[CLASSES]
PER_CLASS = RANDOM.random((200, 3)) + np.eye(3)[CLASSES]
OF_MIX = ("precision", "accuracy", "f1", "brier_score", "log_loss", "calibration_in_the_large", "lift")
MANY = {"truth": CLASSES, "weight": BALANCED, "weight_kind": "importance"}


def table(weight, kind="importance"):
    return RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=weight, weight_kind=kind)


def test_where_the_weights_of_the_classes_are_the_same_in_all():
    assert fixed_by_weights(table(WEIGHT))
    assert fixed_by_weights(table(7 * WEIGHT))
    assert fixed_by_weights(table(WEIGHT.round(4)))
    assert fixed_by_weights(table(WEIGHT).counts_at(0.5))
    assert fixed_by_weights(ConfusionMatrix.from_arrays(truth=CLASSES, predicted=PREDICTED, weight=BALANCED))
    assert fixed_by_weights(ClassScores.from_arrays(truth=CLASSES, score=PER_CLASS, weight=BALANCED))


def test_not_where_they_vary_or_add_up_to_others():
    assert not fixed_by_weights(table(None, None))
    assert not fixed_by_weights(table(np.ones(N)))
    assert not fixed_by_weights(table(np.where(TRUTH, 2.0, 1.0), "count"))
    assert not fixed_by_weights(table(np.where(TRUTH, 1.01, 1.0) * WEIGHT))
    assert not fixed_by_weights(table(WEIGHT * RANDOM.lognormal(0, 0.01, N)))
    assert not fixed_by_weights(RankingTable([0.7, 0.3], [0.5, 2.0], [0.0, 0.0]))
    half = np.arange(N) % 2 == 0  # as many cases of each class: equal weights are none
    assert not fixed_by_weights(RankingTable.from_arrays(truth=half, score=SCORE, weight=np.full(N, 0.5)))
    assert not fixed_by_weights(Counts(tp=2, fp=1, fn=1, tn=2))


@pytest.mark.full
def test_intervals_are_those_of_fixed_class_sizes_and_say_so():
    cohort, fixed = evaluate(**GIVEN), evaluate(**GIVEN, design="case-control")
    assert cohort.design == "cohort"
    assert "the weights fix the class mix" in cohort.conditions
    for name in cohort:
        one, other = cohort[name], fixed[name]
        assert (one.low, one.high) == (other.low, other.high) or (
            math.isnan(one.low) and math.isnan(other.low)
        ), name
        assert one.note == other.note
    for name in OF_MIX:
        assert GIVEN_WEIGHTS.text in cohort[name].note
    for name in ("sensitivity", "specificity", "roc_auc"):
        assert GIVEN_MIX.text not in (cohort[name].note or "")


def test_a_prevalence_has_no_interval():
    found = evaluate(**GIVEN)
    for name in ("prevalence", "npr", "brier_uncertainty", "log_loss_uncertainty"):
        assert not found[name].has_interval
        assert FIXED_BY_WEIGHTS.text in found[name].note


def test_each_entry_of_counts_by_itself():
    squares = Counts(tp=[48, 4], fp=[4, 4], fn=[32, 6], tn=[36, 36])
    counts = Counts(tp=[12, 4], fp=[2, 4], fn=[8, 6], tn=[18, 36], squares=squares)
    assert fixed_by_weights(counts).tolist() == [True, False]
    both = estimate_each("accuracy", counts)
    for i in (0, 1):
        assert both[i] == estimate("accuracy", counts[i])
    assert both[0].low == estimate("accuracy", counts[0], Settings(design="case-control")).low
    assert both[1].low != estimate("accuracy", counts[1], Settings(design="case-control")).low


def test_of_many_classes():
    cohort, fixed = (
        evaluate(**MANY, predicted=PREDICTED, design=design) for design in ("cohort", "case-control")
    )
    assert (cohort["accuracy"].low, cohort["accuracy"].high) == (
        fixed["accuracy"].low,
        fixed["accuracy"].high,
    )
    assert cohort.classes[1]["precision"].low == fixed.classes[1]["precision"].low
    assert not cohort.classes[1]["prevalence"].has_interval
    scores = evaluate(**MANY, score=PER_CLASS / PER_CLASS.sum(1, keepdims=True))
    assert GIVEN_WEIGHTS.text in scores["log_loss"].note
    assert GIVEN_MIX.text in scores.one_vs_rest(1)["brier_score"].note


@for_each("resampling", ("bootstrap", "poisson-bootstrap"))
def test_every_resample_has_the_class_mix(resampling):
    found = bootstrap(
        **GIVEN,
        measures=["prevalence", "precision", "log_loss"],
        resampling=resampling,
        replicates=200,
        threshold=0.4,
    )
    np.testing.assert_allclose(found.replicates("prevalence"), 0.5, rtol=1e-9)
    assert "fixed" not in (found["log_loss"].note or "")
    assert GIVEN_WEIGHTS.text in found["precision"].note
    assert "which the weights fix" in found["prevalence"].note
    assert found.how.design == "cohort"


def test_comparisons_are_given_the_mix():
    one, other = (
        compare(**{**GIVEN, "score": [SCORE, OTHER]}, measures=["brier_score", "f1"], design=design)
        for design in ("cohort", "case-control")
    )
    for first, second in zip(one.differences, other.differences, strict=True):
        assert (first.low, first.high) == (second.low, second.high)
        assert GIVEN_MIX.text in first.estimate.note


def test_bands_and_chosen_thresholds_are_given_the_mix():
    cohort, fixed = (evaluate(**GIVEN, design=design) for design in ("cohort", "case-control"))
    one, other = (found.curve("pr", band="pointwise", level=0.9) for found in (cohort, fixed))
    np.testing.assert_array_equal(one.band, other.band)
    assert GIVEN_MIX.text in one.about.note
    chosen = [
        choose_threshold(**GIVEN, rule="f1", design=design, replicates=200)
        for design in ("cohort", "case-control")
    ]
    assert chosen[0].interval == chosen[1].interval
    assert chosen[0].note == GIVEN_MIX.text


def test_groups_are_not_held():
    clusters = np.arange(N) // 4
    found = evaluate(**GIVEN, clusters=clusters)
    assert not found.mix_fixed_by_weights
    assert GIVEN_MIX.text not in (found["precision"].note or "")


@pytest.mark.full
def test_the_coverage_with_class_weights_of_the_sample():
    """The variance is that within the classes. With a variance of the class mix the Brier score covered
    0.994."""
    random, bounds, values = np.random.default_rng(8), [], []
    for _ in range(300):
        truth = random.random(300) < 0.1
        x = random.normal(size=300) + 1.2 * truth
        p = 1 / (1 + np.exp(-x))
        weight = 150 / np.where(truth, truth.sum(), (~truth).sum())
        found = estimate("brier_score", RankingTable.from_arrays(truth=truth, score=p, weight=weight))
        bounds.append((found.low, found.high))
        values.append(found.value)
    low, high = np.array(bounds).T
    assert 0.91 <= np.mean((low <= np.mean(values)) & (np.mean(values) <= high)) <= 0.98
    assert np.mean(high - low) / (2 * 1.96 * np.std(values)) == pytest.approx(1.03, abs=0.12)
