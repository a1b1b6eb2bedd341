"""Verbs that work from an evaluation answer as they do from its cases."""

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark import InputError

RANDOM = np.random.default_rng(2)
TRUTH = np.tile([0, 1, 1, 0, 0], 24)
SCORE = np.round(0.3 * TRUTH + 0.7 * RANDOM.random(120), 2)
CLUSTERS = np.arange(120) // 4
CASES = {
    "scores": {"truth": TRUTH, "score": SCORE},
    "lower is positive": {"truth": TRUTH, "score": -SCORE, "higher_is_positive": False},
    "logits": {"truth": TRUTH, "score": 4 * SCORE - 2, "score_kind": "logit"},
    "counts of cases": {
        "truth": TRUTH,
        "score": SCORE,
        "weight": RANDOM.integers(0, 3, 120),
        "weight_kind": "count",
    },
    "importance weights": {"truth": TRUTH, "score": SCORE, "weight": RANDOM.lognormal(size=120)},
    "labels, level, seed": {
        "truth": np.where(TRUTH, "yes", "no"),
        "score": SCORE,
        "positive": "yes",
        "level": 0.9,
        "rng": 7,
    },
    "case-control": {"truth": TRUTH, "score": SCORE, "design": "case-control"},
    "parameters": {"truth": TRUTH, "score": SCORE, "parameters": {"f_beta": {"beta": 2.0}}},
}
VERBS = {
    "choose_threshold": lambda *data, **cases: tm.choose_threshold(*data, rule="f1", replicates=50, **cases),
    "choose_threshold, bound": lambda *data, **cases: tm.choose_threshold(
        *data, rule="sensitivity.low>=0.5", replicates=50, **cases
    ),
    "choose_threshold, no resamples": lambda *data, **cases: tm.choose_threshold(
        *data, replicates=0, **cases
    ),
    "calibration": lambda *data, **cases: tm.calibration(*data, bins=5, **cases),
    "unscored": lambda *data, **cases: tm.unscored(*data, share=0.1, **cases),
    "advise": lambda *data, **cases: tm.advise(*data, **cases),
    "check": lambda *data, **cases: tm.check(*data, require=["roc_auc.low >= 0.5"], **cases),
}


def answer(verb, *data, **cases):
    try:
        return VERBS[verb](*data, **cases).to_dict()
    except InputError as reason:
        return str(reason)


@in_part(4)
@for_each("verb", VERBS)
@for_each("name", CASES)
def test_the_answer_is_that_of_the_cases(verb, name):
    cases = {
        **CASES[name],
        **({"score_kind": "probability"} if verb == "calibration" and name not in ("logits",) else {}),
    }
    if verb == "calibration" and name == "lower is positive":
        pytest.skip("these are not probabilities")
    assert answer(verb, tm.evaluate(**cases)) == answer(verb, **cases)


@pytest.mark.full
def test_most_of_these_are_answered():
    found = {
        (verb, name): answer(verb, tm.evaluate(**cases)) for verb in VERBS for name, cases in CASES.items()
    }
    refused = {("calibration", "lower is positive"), ("unscored", "lower is positive")}
    assert {which for which, one in found.items() if isinstance(one, str)} == refused


def test_the_threshold_of_the_evaluation_is_replaced():
    start = tm.evaluate(truth=TRUTH, score=SCORE, threshold=0.9)
    assert tm.choose_threshold(start, replicates=0).evaluation.threshold.value != 0.9


@for_each("verb", VERBS)
def test_arguments_of_cases_are_refused_next_to_an_evaluation(verb):
    with refuses("conflict", argument="truth"):
        VERBS[verb](tm.evaluate(truth=TRUTH, score=SCORE), truth=TRUTH)


OTHERS = {
    "labels": {"truth": TRUTH, "predicted": TRUTH},
    "a score per class": {"truth": np.arange(120) % 3, "score": np.full((120, 3), 1 / 3)},
    "amounts": {"truth": SCORE, "predicted": SCORE / 2, "regression": True},
    "several labels": {"truth": np.stack([TRUTH, 1 - TRUTH], 1), "predicted": np.stack([TRUTH, TRUTH], 1)},
}


@for_each("verb", ["choose_threshold", "unscored"])
@for_each("name", OTHERS)
def test_an_evaluation_without_what_is_needed_is_refused_with_what_to_pass(verb, name):
    with refuses("needed", argument="score"):
        VERBS[verb](tm.evaluate(**OTHERS[name]))


@for_each("name", ["labels", "amounts", "several labels"])
def test_calibration_needs_probabilities(name):
    with refuses("needed", "truth=", "score=.", argument="score"):
        tm.calibration(tm.evaluate(**OTHERS[name]))


def test_clusters_are_known_from_the_evaluation():
    kept = tm.evaluate(truth=TRUTH, score=SCORE, clusters=CLUSTERS)
    assert tm.calibration(kept)["calibration_slope"].method.startswith("cluster")
    given = {"truth": TRUTH, "score": SCORE, "clusters": CLUSTERS, "replicates": 60}
    assert tm.choose_threshold(kept, replicates=60).interval == tm.choose_threshold(**given).interval


# Resampling
# -----------------------------------------------------------------------------------------------------------


@for_each("name", [*(CASES.keys() - {"importance weights"}), "clusters", "threshold"])
def test_a_bootstrap_of_an_evaluation_is_that_of_its_cases(name):
    more = {"clusters": {"clusters": CLUSTERS}, "threshold": {"threshold": 0.4}}
    cases = CASES.get(name) or {**CASES["scores"], **more[name]}
    own = {one: cases[one] for one in ("level", "rng", "design") if one in cases}
    asked = {"replicates": 60, "measures": ["roc_auc", "f1", "f_beta"]}
    assert (
        tm.bootstrap(tm.evaluate(**cases), **own, **asked).to_dict()
        == tm.bootstrap(**cases, **asked).to_dict()
    )


def test_cases_of_importance_weights_are_those_of_the_table():
    """Without equal scores, so that each case is known from the table."""
    cases = CASES["importance weights"] | {"score": SCORE + 0.001 * RANDOM.random(120)}
    found, wanted = (
        tm.bootstrap(*data, replicates=60, measures=["roc_auc"], **given)["roc_auc"]
        for data, given in (((tm.evaluate(**cases),), {}), ((), cases))
    )
    assert [found.low, found.high] == pytest.approx([wanted.low, wanted.high], rel=1e-9)


def test_cases_of_importance_weights_with_equal_scores_are_not_known():
    with refuses("unsupported", argument="data"):
        tm.bootstrap(tm.evaluate(**CASES["importance weights"]))


def test_a_chosen_threshold_is_said_to_be():
    chosen = tm.choose_threshold(truth=TRUTH, score=SCORE, rule="f1", replicates=0).evaluation
    notes = tm.bootstrap(chosen, replicates=60, measures=["f1"])["f1"].notes
    assert "chosen-here" in [note.code for note in notes]


REFUSED = {
    "truth": {"truth": TRUTH},
    "weight_kind": {"weight_kind": "count"},
    "higher_is_positive": {"higher_is_positive": False},
    "missing": {"missing": "drop"},
    "design": {"design": "case-control"},
}


@for_each("argument", REFUSED)
def test_what_an_evaluation_holds_is_not_given_again(argument):
    with pytest.raises(InputError, match=rf"^{argument}: .*(leave it out|pass design=)"):
        tm.bootstrap(tm.evaluate(truth=TRUTH, score=SCORE), **REFUSED[argument])


@for_each("name", OTHERS)
def test_a_bootstrap_takes_the_evaluations_of_all_tasks(name):
    """But for several labels, of which an evaluation does not hold the cases."""
    evaluation = tm.evaluate(**OTHERS[name])
    if name == "several labels":
        with refuses("unsupported", argument="data"):
            tm.bootstrap(evaluation)
        return
    found = tm.bootstrap(evaluation, replicates=60)
    for one in found:
        assert found[one].value == pytest.approx(evaluation[one].value, nan_ok=True)


def test_an_evaluation_is_not_evaluated_again():
    done = tm.evaluate(truth=[0, 1, 0, 1], score=[0.1, 0.9, 0.6, 0.4])
    with refuses("ambiguous", argument="data"):
        tm.evaluate(done)


BY_POSITION = {
    "choose_threshold": lambda ev: tm.choose_threshold(ev, "f1"),
    "calibration": lambda ev: tm.calibration(ev, 5),
    "check": lambda ev: tm.check(ev, "roc_auc >= 0.5"),
    "check, with require=": lambda ev: tm.check(ev, "roc_auc >= 0.5", require="f1 >= 0.1"),
    "unscored": lambda ev: tm.unscored(ev, 0.2, share=0.1),
}


@for_each("verb", BY_POSITION)
def test_nothing_is_passed_by_position_next_to_an_evaluation(verb):
    with refuses("by-position", "truth="):
        BY_POSITION[verb](tm.evaluate(truth=TRUTH, score=SCORE))
