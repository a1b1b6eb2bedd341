"""Two models on the same cases: refused as `evaluate` refuses, and the new model is measured on all its
cases."""

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

from tallymark import InputError, biometric, check, compare

N = 90
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
DATA = {
    "y": Y, "a": 0.3 * Y + 0.7 * RNG.random(N), "b": np.where(np.arange(N) < 7, np.nan, RNG.random(N)),
    "c": RNG.random(N), "three": RNG.integers(0, 3, N), "two": RNG.integers(0, 2, N), "called": Y,
    "g": np.arange(N) // 3, "p1": np.arange(N), "p2": np.arange(N) + (Y == 0),
}  # fmt: skip
GIVEN = {"truth": "y", "score": "a", "baseline_score": "c", "no_worse_than": 0.1}
LABELS = {"truth": "two", "predicted": ["three", "two"], "clusters": "g", "replicates": 100}
PERSONS = {"truth": "y", "score": "a", "persons": ("p1", "p2")}
REFUSED = {
    "no truth": (check, {**GIVEN, "truth": None}, "truth: the actual labels are missing"),
    "no score": (check, {**GIVEN, "score": None}, "Give exactly one of score=, predicted="),
    "a mapping": (
        check,
        {**GIVEN, "score": {"x": "a", "y": "c"}},
        "check is of one model, and 2 are named ('x', 'y')",
    ),
    "two thresholds": (check, {**GIVEN, "threshold": [0.3, 0.6]}, "is not a number"),
    "no function": (check, {**GIVEN, "progress": 3}, "progress: 3 is not a function"),
    "other classes": (check, {**GIVEN, "classes": [1, 2], "positive": 1}, "0 is not one of the classes"),
    "three classes of scores": (
        compare,
        {"truth": "y", "score": ["a", "c"], "classes": [0, 1, 2]},
        "3 classes (0, 1, 2) where two are needed",
    ),
    "persons and labels": (biometric, {**PERSONS, "predicted": "called"}, "Give exactly one of score="),
    "persons and classes": (biometric, {**PERSONS, "classes": [0, 1, 2]}, "classes: "),
    "persons and many scores": (
        biometric,
        {**PERSONS, "score": ["a", "c", "two"]},
        "cannot be matched by name to the classes",
    ),
}


@for_each("name", REFUSED)
def test_what_is_refused(name):
    function, given, text = REFUSED[name]
    with pytest.raises(InputError) as refusal:
        function(DATA, **given)
    assert text in str(refusal.value)


def test_arrays_by_position_are_refused():
    with refuses("by-position", "require=", "truth=", argument="check"):
        check(DATA, DATA["y"], **GIVEN)


def test_gaps_of_the_baseline_are_no_matter_of_the_new_model():
    found = check(DATA, **{**GIVEN, "baseline_score": "b", "missing": "drop"}, require=["rows >= 90"])
    assert found.findings[0].passed


def test_labels_of_the_baseline_alone_are_no_matter_of_the_new_model():
    given = {
        "truth": "y",
        "predicted": "called",
        "baseline_score": "three",
        "no_worse_than": 0.9,
        "measures": ["accuracy"],
    }
    assert check(DATA, **given, require=["sensitivity >= 0.1"]).findings[0].passed


def test_progress_counts_the_rows():
    seen = []
    check(DATA, **GIVEN, progress=seen.append)
    assert seen == [N]


def test_one_model_predicts_more_classes_and_cases_are_in_clusters():
    found = compare(DATA, **LABELS)
    assert all(len(one.matrix.labels) == 3 for one in found.evaluations.values())
