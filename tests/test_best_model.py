"""Differences from the best of several models, for whose choice p-values and intervals allow."""

import numpy as np
import pytest
from scipy.stats import norm, studentized_range

import tallymark as tm


def models(k, n=300, seed=0, common=0.9, better=0.0):
    """Labels, and scores of k models of which each has the same expected values, but the first."""
    random = np.random.default_rng(seed)
    truth = np.arange(n) < n // 3
    shared = np.sqrt(common) * random.standard_normal(n) + 1.2 * truth
    scores = {f"m{i}": shared + np.sqrt(1 - common) * random.standard_normal(n) for i in range(k)}
    scores["m0"] = scores["m0"] + better * truth
    return truth, scores


def test_of_independent_models_it_is_the_test_by_tukey():
    # as many cases in each sample, so that the range of the values is nearly the studentised one
    truth = [np.repeat([1, 0], 200)] * 4
    right = (160, 150, 146, 138)
    predicted = {f"m{i}": np.where(np.arange(400) % 200 < number, 1, 0) for i, number in enumerate(right)}
    predicted = {name: np.where(np.arange(400) < 200, one, 0) for name, one in predicted.items()}
    given = {"truth": truth, "predicted": predicted, "paired": False, "measures": "sensitivity"}
    alone, best = tm.compare(**given, adjust="none"), tm.compare(**given, reference="best")
    for one, of in zip(best.differences, alone.differences, strict=True):
        z = norm.isf(of.p_value / 2)
        assert one.p_value == pytest.approx(studentized_range.sf(z * np.sqrt(2), 4, np.inf), abs=0.015)
        assert one.estimate.value == of.estimate.value
        assert one.low < of.low < of.high < one.high


def test_p_values_and_intervals_agree():
    truth, scores = models(6, better=0.4)
    found = tm.compare(
        truth=truth, score=scores, reference="best", measures=["roc_auc", "brier_score", "f1"][:1]
    )
    assert found.from_best
    assert {one.reference for one in found.differences} == {"m0"}
    shown = {one.model for one in found.differences if one.p_value < 0.05}
    assert shown == {one.model for one in found.differences if one.excludes_zero}
    assert set(found.not_worse()) == set(scores) - shown
    assert found.not_worse()[0] == "m0"
    for one in found.differences:
        low, high = one.interval(0.9)
        assert one.low < low < high < one.high
        assert one.p_at(one.low) == pytest.approx(0.05, abs=0.002)


def test_a_far_difference_has_a_p_value_below_the_smallest_of_the_draws():
    truth, scores = models(4, n=900, better=2.0)
    found = tm.compare(truth=truth, score=scores, reference="best", measures="roc_auc")
    alone = tm.compare(truth=truth, score=scores, reference="m0", measures="roc_auc", adjust="none")
    for one, of in zip(found.differences, alone.differences, strict=True):
        assert of.p_value < one.p_value == pytest.approx(6 * of.p_value)  # of six pairs, by Bonferroni


def test_two_models_have_no_choice():
    truth, scores = models(2)
    best = tm.compare(truth=truth, score=scores, reference="best", measures="roc_auc").differences[0]
    other = tm.compare(truth=truth, score=scores, reference=best.reference, measures="roc_auc").differences[0]
    assert (best.p_value, best.low, best.high) == (other.p_value, other.low, other.high)


def test_a_copy_of_a_model_is_less_of_a_choice_than_another_model():
    truth, scores = models(4, better=0.3)
    plain = tm.compare(truth=truth, score=scores, reference="m0", measures="roc_auc", adjust="none")
    alone = tm.compare(truth=truth, score=scores, reference="best", measures="roc_auc")
    copies = {**scores, "copy": scores["m3"].copy()}
    with_copy = tm.compare(truth=truth, score=copies, reference="best", measures="roc_auc")
    for name in ("m1", "m2", "m3"):
        # the difference of the copies is one more, which is independent of the others
        p, single = alone["roc_auc", name].p_value, plain["roc_auc", name].p_value
        expected = 1 - (1 - p) * (1 - single)
        assert with_copy["roc_auc", name].p_value == pytest.approx(expected, abs=0.01)


LABELS = np.repeat([1, 0], 20)
AN_ERROR = np.where(np.arange(40) == 0, 0, LABELS)
RANKED = np.random.default_rng(0).random(40)
FEW = np.repeat([0.0, 1.0], 3)


@pytest.mark.parametrize(
    ("truth", "given", "measure"),
    [
        (LABELS, {"score": [RANKED] * 3}, "roc_auc"),
        (LABELS, {"score": [RANKED, RANKED, RANKED**2, RANKED[::-1]]}, "brier_score"),
        (LABELS, {"predicted": [LABELS] * 4 + [AN_ERROR]}, "sensitivity"),
        (LABELS, {"predicted": [LABELS] * 4 + [AN_ERROR]}, "accuracy"),
        (LABELS, {"predicted": [LABELS, LABELS, 1 - LABELS]}, "sensitivity"),
        (LABELS, {"score": [LABELS, 0.5 * LABELS, 1 - LABELS, RANKED]}, "roc_auc"),
        (FEW, {"score": [FEW, 1 - FEW, FEW / 2]}, "roc_auc"),
    ],
)
def test_intervals_are_no_narrower_and_p_values_no_smaller_than_those_of_a_pair_alone(truth, given, measure):
    [(kind, columns)] = given.items()
    columns = {f"m{i}": np.array(one) for i, one in enumerate(columns)}
    about = {"truth": truth, kind: columns, "measures": measure}
    found = tm.compare(**about, reference="best")
    for one in found.differences:
        of = tm.compare(**about, reference=one.reference, adjust="none")[measure, one.model]
        assert one.low <= of.low <= of.high <= one.high
        assert one.p_value >= of.p_value
        for level in (0.5, 0.9, 0.99):
            (low, high), (least, most) = one.interval(level), of.interval(level)
            assert low <= least <= most <= high
        effects = np.linspace(-1, 1, 41)
        assert (one.p_at(effects) >= of.p_at(effects)).all()
    table = tm.evaluate(truth=truth, **{kind: columns}).choose(measure)
    assert all(one.estimate.has_interval for one in table.differences)


def test_a_model_that_alone_is_not_shown_to_be_worse_is_not_among_several():
    scores = {"a": FEW, "b": 1 - FEW, "c": FEW / 2}
    found = tm.compare(truth=FEW, score=scores, reference="best", measures="roc_auc")
    assert set(found.not_worse()) == set(scores)
    assert "nearly all resamples" not in str(found)


def test_tables_of_models_allow_for_the_choice_and_name_those_not_worse():
    truth, scores = models(8)
    table = tm.evaluate(truth=truth, score=scores).choose("roc_auc")
    best = tm.compare(truth=truth, score=scores, reference="best", measures="roc_auc")
    assert [one.p_value for one in table.differences] == [one.p_value for one in best.differences]
    named = tm.evaluate(truth=truth, score=scores, reference=table.compared_with).choose("roc_auc")
    assert all(a.p_value > b.p_value for a, b in zip(table.differences, named.differences, strict=True))
    assert table.not_worse[0] == table.compared_with
    assert "Not shown to be worse than the best" in str(table).replace("\n ", "").replace("  ", " ")
    assert named.not_worse == ()


def test_folds_allow_for_the_choice():
    truth, scores = models(4, better=1.5)
    fold = np.arange(len(truth)) % 10
    table = tm.evaluate(truth=truth, score=scores, fold=fold).choose("roc_auc")
    named = tm.evaluate(truth=truth, score=scores, fold=fold, reference="m0").choose("roc_auc")
    assert table.compared_with == "m0"
    for one, of in zip(table.differences, named.differences, strict=True):
        assert one.p_value == pytest.approx(min(6 * of.p_value, 1.0))
        assert (one.p_value < 0.05) == one.excludes_zero
        assert one.estimate.level == of.estimate.level == 0.95
    assert table.not_worse[0] == "m0"


def test_several_measures_are_adjusted_as_many_times_as_there_are_measures():
    truth, scores = models(5, better=0.5)
    measures = ["roc_auc", "average_precision"]
    found = tm.compare(truth=truth, score=scores, reference="best", measures=measures)
    least = min(one.p_value for one in found.differences)
    assert min(one.adjusted for one in found.differences) == pytest.approx(2 * least)


def test_those_not_worse_are_the_same_in_headline_method_and_table():
    measures = ["roc_auc", "brier_score", "average_precision"]
    larger = 0
    for seed in range(20):
        truth, scores = models(4, n=150, seed=seed, better=0.35)
        scores = {name: 1 / (1 + np.exp(-one)) for name, one in scores.items()}
        found = tm.compare(truth=truth, score=scores, reference="best", measures=measures)
        table = tm.evaluate(truth=truth, score=scores).choose(measures)
        assert found.not_worse() == found.headline.not_worse == table.not_worse
        shown = {one.model for one in found.differences if one.measure == "roc_auc" and one.adjusted < 0.05}
        assert set(found.not_worse()) == set(scores) - shown
        alone = tm.compare(truth=truth, score=scores, reference="best", measures="roc_auc").not_worse()
        larger += len(found.not_worse()) > len(alone)
    assert larger  # the adjustment for three measures leaves more models


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_other_methods_allow_for_it(method):
    truth, scores = models(3, n=90, better=1.0)
    given = {"truth": truth, "score": scores, "measures": "roc_auc", "method": method, "replicates": 400}
    found, alone = tm.compare(**given, reference="best"), tm.compare(**given)
    assert all(a.p_value >= b.p_value for a, b in zip(found.differences, alone.differences, strict=True))


def test_clusters_and_other_cases_allow_for_it():
    truth, scores = models(3, better=1.0)
    found = tm.compare(
        truth=truth, score=scores, measures="roc_auc", reference="best", clusters=np.arange(len(truth)) // 3
    )
    assert all(one.test.endswith("-all-pairs") for one in found.differences)


def test_a_measure_without_a_better_value_has_no_best():
    truth, scores = models(3)
    with pytest.raises(tm.InputError, match="no value of"):
        tm.compare(truth=truth, score=scores, reference="best", measures="predicted_prevalence")
    found = tm.compare(truth=truth, score=scores, measures="predicted_prevalence")
    assert found.not_worse() == ()
    with pytest.raises(tm.InputError, match="not compared"):
        found.not_worse("f1")


def test_a_model_may_be_called_best():
    truth, scores = models(3)
    scores = {"best": scores["m1"], "a": scores["m0"], "b": scores["m2"]}
    found = tm.compare(truth=truth, score=scores, reference="best", measures="roc_auc")
    assert not found.from_best
    assert {one.reference for one in found.differences} == {"best"}


@pytest.mark.full
@pytest.mark.parametrize("k", [3, 8])
def test_equal_models_are_seldom_told_apart(k):
    rejected = 0
    for seed in range(200):
        truth, scores = models(k, n=150, seed=seed)
        table = tm.evaluate(truth=truth, score=scores).choose("roc_auc")
        rejected += any(one.adjusted < 0.05 for one in table.differences)
    assert rejected / 200 <= 0.09  # 0.06, and two standard errors
