"""Messages that named the wrong thing."""

import numpy as np
import pytest
from looping import for_each

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
    with pytest.raises(tm.InputError, match="'2' does not occur"):
        tm.evaluate(truth=Y == 1, score=SCORE, positive="2")
