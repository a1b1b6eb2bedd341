"""Messages that named the wrong thing."""

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm

Y = np.array([0, 1, 1, 0] * 10)
SCORE = np.linspace(0, 1, 40)
KEPT = tm.evaluate(truth=Y, score=SCORE)
AMOUNTS = tm.evaluate(truth=SCORE * 10, predicted=SCORE * 9, regression=True)

CASES = {
    "a mapping of one evaluation": (
        lambda: tm.compare({"a": KEPT}),
        ["pass them one by one", "compare(ev_a, ev_b)"],
        ["truth"],
    ),
    "a mapping of evaluations": (
        lambda: tm.compare({"a": KEPT, "b": KEPT}),
        ["pass them one by one"],
        ["truth"],
    ),
    "amounts": (
        lambda: tm.compare(AMOUNTS, AMOUNTS),
        ["as many cases (40 cases)", "paired=False"],
        ["class", "score"],
    ),
    "no arrays": (
        lambda: tm.measures.roc_auc(),
        ["roc_auc", "pass truth= and score=", "RankingTable"],
        ["from_arrays"],
    ),
    "no scores": (
        lambda: tm.measures.roc_auc(truth=Y),
        ["score: roc_auc", "pass score="],
        ["from_arrays", "truth="],
    ),
    "no truth": (lambda: tm.measures.f1(), ["truth: f1", "pass truth=", "Counts"], ["from_arrays"]),
}


@for_each(("call", "words", "wrong"), CASES.values(), ids=CASES)
def test_the_right_thing_is_named(call, words, wrong):
    with pytest.raises(tm.InputError) as refused:
        call()
    said = str(refused.value)
    assert all(word in said for word in words), said
    assert not any(word in said for word in wrong), said
    assert "\n" not in said


@for_each("positive", ["1", "yes", "true", 1, True])
def test_the_positive_label_of_yes_and_no(tmp_path, positive):
    """They are compared as booleans, and shown as words."""
    file = tmp_path / "cases.csv"
    file.write_text("y,s\nno,1\nyes,2\nno,3\nyes,4\n")
    for data, given, labels in (
        (str(file), {"truth": "y", "score": "s"}, ("no", "yes")),
        (None, {"truth": Y == 1, "score": SCORE}, (False, True)),
    ):
        assert tm.evaluate(data, **given, positive=positive).labels == labels


def test_a_number_that_is_no_boolean_is_refused():
    with refuses("labels", "'2'", argument="truth"):
        tm.evaluate(truth=Y == 1, score=SCORE, positive="2")


def test_evaluations_are_compared_by_their_names():
    other = tm.evaluate(truth=Y, score=1 - SCORE, name="new")
    both = [tm.compare(KEPT.named("old"), one, paired=False) for one in (other, other.named("old"))]
    assert [[*found.models] for found in both] == [
        ["old", "new"],
        ["model 1", "model 2"],
    ]


@for_each("higher", [True, False])
def test_a_threshold_that_nobody_reaches_is_said_in_words(higher):
    """The highest and the lowest score are of negatives, and a false positive costs most."""
    found = tm.choose_threshold(
        truth=Y, score=SCORE, rule="cost", cost_fp=1000, cost_fn=0.1, higher_is_positive=higher
    )
    assert found.threshold == (np.inf if higher else -np.inf)
    assert str(found).startswith("Predict nobody positive (threshold")


def test_the_parameters_of_a_measure_are_named_by_its_scorer():
    with refuses("unknown-name", "'cost_fp'", argument="cost_foo"):
        tm.scorer("expected_cost", cost_foo=1)
    with refuses("unknown-name", "cost_fn", "cost_fp", argument="zzz"):
        tm.scorer("expected_cost", zzz=1)


def test_a_plan_writes_intervals_as_everything_does():
    plan = tm.planning.proportion(expected=0.9, width=0.1)
    low, high = plan.interval
    assert f"about [{low:.3f}, {high:.3f}]" in str(plan)


def test_a_list_that_holds_a_tuple_is_a_table():
    with refuses("wrong-shape", argument="truth"):
        tm.evaluate({"y": Y, "p": SCORE}, truth=[("a", "y")], score="p")


def test_a_frozen_estimator_is_not_refitted():
    from sklearn.frozen import FrozenEstimator
    from sklearn.linear_model import LogisticRegression

    features = np.c_[SCORE, SCORE**2]
    fitted = LogisticRegression().fit(features, Y)
    codes = [
        {notice.code for notice in tm.evaluate_estimator(one, features, Y, cv=2).notices}
        for one in (fitted, FrozenEstimator(fitted))
    ]
    assert "fitted-model-refitted" in codes[0]
    assert "fitted-model-refitted" not in codes[1]


def test_debiased_ece_of_importance_weights_uses_the_effective_number_of_cases():
    """As by the simulation of Kumar, Liang and Ma, with the linearised standard errors."""
    rng = np.random.default_rng(0)
    p = np.repeat([0.15, 0.55, 0.85], 40)
    y = (rng.random(120) < p).astype(int)
    weight = np.tile([1.0, 3.0], 60)
    found = tm.measures.debiased_ece(truth=y, score=p, weight=weight)
    gap, spread = [], []
    for at in (0.15, 0.55, 0.85):
        w, one = weight[p == at], y[p == at]
        rate = np.average(one, weights=w)
        gap.append(abs(rate - at))
        spread.append(np.sqrt((w**2 * (one - rate) ** 2).sum()) / w.sum())
    again = np.abs(np.array(gap)[:, None] + np.array(spread)[:, None] * rng.normal(size=200_000)).mean(1)
    assert found == pytest.approx(max(np.mean(2 * np.array(gap) - again), 0.0), abs=1e-3)
    assert tm.measures.debiased_ece(truth=y, score=p, weight=7 * weight) == pytest.approx(found)
