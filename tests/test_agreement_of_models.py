"""The agreement of two models in either design, and at thresholds chosen on the same cases."""

import numpy as np
import pytest

import tallymark as tm

RNG = np.random.default_rng(4)
N = 400
TRUTH = np.arange(N) < 120
SCORES = {name: RNG.normal(size=N) + 1.2 * TRUTH for name in ("a", "b")}
CHOSEN = "chosen on these cases"


def agreement(design, cases=slice(None), truth=TRUTH):
    answers = {name: (score >= 0.5)[cases] for name, score in SCORES.items()}
    (found,) = tm.compare(truth=truth[cases], predicted=answers, design=design, measures="accuracy").agreement
    return found


def resampled(design, replicates=2_000):
    """Standard deviations of the share and of kappa over resamples."""
    found = []
    for _ in range(replicates):
        drawn = RNG.integers(N, size=N)
        if design == "case-control":
            drawn = np.append(RNG.integers(120, size=120), RNG.integers(120, N, size=N - 120))
        one, other = ((score >= 0.5)[drawn] for score in SCORES.values())
        same, by_chance = (one == other).mean(), np.mean(one) * np.mean(other)
        by_chance += (1 - np.mean(one)) * (1 - np.mean(other))
        found.append((same, (same - by_chance) / (1 - by_chance)))
    return np.std(found, axis=0)


@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_standard_errors_are_those_of_resamples(design):
    found = agreement(design)
    share, kappa = resampled(design)
    assert (found.same.high - found.same.low) / (2 * 1.96) == pytest.approx(share, rel=0.06)
    assert found.kappa.standard_error == pytest.approx(kappa, rel=0.06)


def test_fixed_class_sizes_are_said_and_change_the_interval():
    cohort, fixed = agreement("cohort"), agreement("case-control")
    for name in ("same", "kappa"):
        one, other = getattr(cohort, name), getattr(fixed, name)
        assert one.value == other.value
        assert (one.low, one.high) != (other.low, other.high)
        assert one.note is None
        assert other.note == "given this class mix"


def test_several_classes():
    classes = np.arange(N) % 3
    answers = {name: np.where(RNG.random(N) < 0.7, classes, RNG.integers(3, size=N)) for name in ("a", "b")}
    for design in ("cohort", "case-control"):
        (found,) = tm.compare(truth=classes, predicted=answers, design=design).agreement
        assert found.same.value == np.mean(answers["a"] == answers["b"])
        assert found.same.low < found.same.value < found.same.high
        assert found.kappa.low < found.kappa.value < found.kappa.high


def test_in_clusters_the_error_is_that_of_leaving_out_each():
    cluster = np.arange(N) // 8
    answers = {name: score >= 0.5 for name, score in SCORES.items()}
    (found,) = tm.compare(truth=TRUTH, predicted=answers, clusters=cluster, measures="accuracy").agreement
    without = [agreement("cohort", cluster != one) for one in range(N // 8)]
    for name in ("same", "kappa"):
        values = np.array([getattr(one, name).value for one in without])
        wanted = np.sqrt((1 - 8 / N) * ((values - values.mean()) ** 2).sum())
        assert getattr(found, name).standard_error == pytest.approx(wanted, rel=0.06)


def test_identical_models_keep_an_interval_with_fixed_sizes():
    answers = SCORES["a"] >= 0.5
    for design in ("cohort", "case-control"):
        (found,) = tm.compare(truth=TRUTH, predicted={"a": answers, "b": answers}, design=design).agreement
        assert found.kappa.value == 1
        assert 0.9 < found.kappa.low < 1 == found.kappa.high


@pytest.mark.full
def test_weighted_agreement_of_fixed_sizes_covers():
    """1,000 positives of weight 1.5 that differ in 2 %, 60 negatives of weight 9.5 that differ in 30 %."""
    truth = np.arange(1060) < 1000
    weight, apart = np.where(truth, 1.5, 9.5), np.where(truth, 0.02, 0.3)
    true = 1 - (weight * apart).sum() / weight.sum()
    random, held = np.random.default_rng(8), 0
    for _ in range(100):
        one = random.random(1060) < 0.5
        both = {"a": one, "b": one ^ (random.random(1060) < apart)}
        (found,) = tm.compare(
            truth=truth, predicted=both, weight=weight, weight_kind="importance", design="case-control"
        ).agreement
        held += found.same.low <= true <= found.same.high
        assert found.same.note.endswith("given this class mix")
    assert 88 <= held <= 99


@pytest.mark.full
def test_many_classes_take_no_table_of_all_three():
    """A table of actual and both predicted classes would have 8e9 cells."""
    classes = RNG.integers(0, 2000, 4000)
    for design in ("cohort", "case-control"):
        (found,) = tm.compare(
            truth=classes, predicted={"a": classes, "b": np.roll(classes, 1)}, design=design
        ).agreement
        assert found.same.value < 0.01


def test_nothing_is_tested_at_thresholds_chosen_on_these_cases():
    found = tm.compare(truth=TRUTH, score=SCORES, measures=["sensitivity", "accuracy"])
    assert [test.name for test in found.tests] == [
        "mcnemar mid-p, sensitivity: b - a",
        "mcnemar mid-p, accuracy: b - a",
    ]
    assert all(np.isnan(test.p_value) and CHOSEN in test.note for test in found.tests)
    (both,) = found.agreement
    assert not both.same.has_interval
    assert not both.kappa.has_interval
    assert CHOSEN in both.kappa.note
    given = tm.compare(truth=TRUTH, score=SCORES, measures="accuracy", threshold=0.5)
    assert given.tests[0].p_value >= 0
    assert given.agreement[0].same.has_interval


def test_cochran_q_is_not_made_at_chosen_thresholds():
    three = SCORES | {"c": SCORES["a"] + RNG.normal(size=N)}
    found = tm.compare(truth=TRUTH, score=three, measures="accuracy")
    assert all(np.isnan(test.p_value) for test in found.tests)
    assert "cochran q, accuracy" in [test.name for test in found.tests]


def test_rank_correlations_of_more_cases_than_products_of_32_bits_hold():
    score = np.arange(70_000.0)
    truth = np.arange(70_000) % 2
    compared = tm.compare(truth=truth, score={"one": score, "reversed": -score}, measures=["roc_auc"])
    assert (compared.agreement[0].spearman, compared.agreement[0].kendall) == (
        pytest.approx(-1),
        pytest.approx(-1),
    )
