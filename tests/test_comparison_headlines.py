"""The sentence on a comparison: denominators, trade-offs, and the joint test of more than two models."""

import numpy as np
import pytest

import tallymark as tm

RANDOM = np.random.default_rng(0)
N = 228
TRUTH = (RANDOM.random(N) < 0.37).astype(int)
PATIENT = RANDOM.integers(0, 100, N)
READERS = {
    "first": np.where(TRUTH, 1, RANDOM.random(N) < 0.8).astype(int),
    "second": np.where(TRUTH, RANDOM.random(N) < 0.6, RANDOM.random(N) < 0.1).astype(int),
}
SCORES = {name: TRUTH + RANDOM.normal(0, 0.5 + 0.1 * i, N) for i, name in enumerate("abcde")}
RATES = ["sensitivity", "specificity"]


def test_the_denominator_of_a_rate_is_its_class():
    found = tm.compare(truth=TRUTH, predicted=READERS, measures=RATES).headline
    assert (found.cases, found.of_class, found.groups) == (TRUTH.sum(), "positive", None)
    assert f"on {TRUTH.sum()} positive cases" in str(found)
    clustered = tm.compare(truth=TRUTH, predicted=READERS, measures=RATES, clusters=PATIENT).headline
    patients = len(set(PATIENT[TRUTH == 1]))
    assert clustered.groups == ("clusters", patients)
    assert f"on {TRUTH.sum()} positive cases in {patients} clusters" in str(clustered)
    of_all = tm.compare(truth=TRUTH, predicted=READERS, measures="accuracy", clusters=PATIENT).headline
    assert f"on {N} cases in {len(set(PATIENT))} clusters" in str(of_all)


def test_a_reader_with_more_of_one_rate_and_less_of_the_other_is_not_better():
    found = tm.compare(truth=TRUTH, predicted=READERS, measures=RATES).headline
    assert found.opposite.measure == "specificity"
    assert "first has the higher sensitivity, and second the higher specificity" in str(found)
    assert "better" not in str(found)
    assert found.to_dict()["opposite"] == "specificity"
    alone = tm.compare(truth=TRUTH, predicted=READERS, measures="sensitivity").headline
    assert str(alone).endswith("first has the higher sensitivity.")


def test_more_than_two_models_open_with_the_joint_test_and_the_range():
    found = tm.compare(truth=TRUTH, score=SCORES, measures=["roc_auc", "brier_score"][:1])
    values = {name: e["roc_auc"].value for name, e in found.evaluations.items()}
    low, high = min(values, key=values.get), max(values, key=values.get)
    (test,) = (one for one in found.tests if one.name.startswith("delong"))
    said = str(found.headline)
    assert said.startswith(
        f"5 models on {N} cases: ROC AUC {values[low]:.3f} ({low}) to {values[high]:.3f} ({high})"
    )
    assert ("not rejected" in said) is (test.p_value >= 0.05)
    shown = sum(one.adjusted < 0.05 for one in found.differences)
    assert f"of 4 differences from a {shown or 'none'}" in said
    plain = found.headline.to_dict()
    assert (plain["shown"], plain["differences"], len(plain["values"])) == (shown, 4, 5)
    assert plain["joint"]["p_value"] == pytest.approx(test.p_value)


def test_without_a_joint_test_there_is_the_range_alone():
    losses = {name: np.clip(score, 0.01, 0.99) for name, score in SCORES.items()}
    said = str(tm.compare(truth=TRUTH, score=losses, measures="brier_score").headline)
    assert "5 models" in said
    assert "rejected" not in said


def test_names_of_models_stand_on_one_line():
    names = ["a\nb", "c" * 200]
    found = tm.compare(truth=TRUTH, score=dict(zip(names, [SCORES["a"], SCORES["e"]], strict=True)))
    assert "\n" not in str(found.headline)
    assert "c" * 81 not in str(found.headline)


def test_a_measure_of_several_pairs_is_in_the_comparison():
    found = tm.compare(truth=TRUTH, score={name: SCORES[name] for name in "abc"})
    assert "roc_auc" in found
    assert "no such measure" not in found
