"""The order of text classes: that of classes= with ordered=True, or of their type."""

import pickle

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark import ClassScores, ConfusionMatrix, compare, evaluate
from tallymark.cli import main

RANDOM = np.random.default_rng(6)
N = 120
CODE = RANDOM.integers(0, 3, N)
CALLED = np.clip(CODE + RANDOM.integers(-1, 2, N), 0, 2)
SCORE = RANDOM.dirichlet([1, 1, 1], N)
WORDS = ["low", "mid", "high"]  # the alphabet has high, low, mid
TRUTH, PREDICTED = np.array(WORDS)[CODE], np.array(WORDS)[CALLED]
CASES = {
    "labels": ({"truth": TRUTH, "predicted": PREDICTED}, {"truth": CODE, "predicted": CALLED}),
    "scores": ({"truth": TRUTH, "score": SCORE}, {"truth": CODE, "score": SCORE}),
    "weights": (
        {"truth": TRUTH, "predicted": PREDICTED, "weight": SCORE[:, 0] + 0.1},
        {"truth": CODE, "predicted": CALLED, "weight": SCORE[:, 0] + 0.1},
    ),
}
ORDERED = {entry.name for entry in (*tm.find(ConfusionMatrix), *tm.find(ClassScores)) if entry.ordered}


@for_each("name", CASES)
def test_ordered_measures_of_words_are_those_of_their_numbers(name):
    words, numbers = CASES[name]
    found, wanted = evaluate(**words, classes=WORDS, ordered=True), evaluate(**numbers)
    assert ORDERED & set(found) == ORDERED & set(wanted)
    assert {"linear_weighted_kappa", "quadratic_weighted_kappa"} <= set(found)
    for measure in ORDERED & set(found):
        assert found[measure] == wanted[measure], measure
    assert found.matrix.labels == tuple(WORDS)
    np.testing.assert_array_equal(found.matrix.weights, wanted.matrix.weights)


def test_another_order_is_another_value():
    first, second = (
        evaluate(**CASES["labels"][0], classes=order, ordered=True)
        for order in (WORDS, ["mid", "low", "high"])
    )
    assert first["linear_weighted_kappa"].value != second["linear_weighted_kappa"].value
    assert first["cohen_kappa"].value == pytest.approx(second["cohen_kappa"].value, rel=1e-14)
    assert first.averages["macro"]["f1"].value == pytest.approx(
        second.averages["macro"]["f1"].value, rel=1e-14
    )
    for label in WORDS:
        assert first.classes[label]["f1"] == second.classes[label]["f1"]


@for_each("name", CASES)
def test_without_an_order_they_are_left_out_with_the_way_out(name):
    words, _ = CASES[name]
    found = evaluate(**words)
    assert not ORDERED & set(found)
    with refuses("unsupported", "classes=", "ordered=True"):
        _ = found["linear_weighted_kappa"]


def test_numbers_keep_their_own_order():
    words, numbers = evaluate(**CASES["labels"][1]), evaluate(**CASES["labels"][1], classes=[2, 0, 1])
    assert words["linear_weighted_kappa"] == numbers["linear_weighted_kappa"]
    assert numbers.matrix.labels == (0, 1, 2)


def test_a_class_without_cases_has_its_place():
    found = evaluate(**CASES["labels"][0], classes=["none", *WORDS], ordered=True)
    assert found.matrix.labels == ("none", *WORDS)
    wanted = evaluate(truth=CODE, predicted=CALLED, classes=[-1, 0, 1, 2])
    assert found["linear_weighted_kappa"] == wanted["linear_weighted_kappa"]


def test_measures_of_arrays_comparisons_and_the_command_line(tmp_path, capsys):
    wanted = evaluate(truth=CODE, predicted=CALLED)["linear_weighted_kappa"]
    assert tm.measures.linear_weighted_kappa(truth=TRUTH, predicted=PREDICTED, classes=WORDS) == wanted.value
    models = [PREDICTED, TRUTH[::-1].copy()], [CALLED, CODE[::-1].copy()]
    one, other = (
        compare(truth=truth, predicted=both, measures="linear_weighted_kappa", **more)[
            "linear_weighted_kappa"
        ].estimate
        for truth, both, more in (
            (TRUTH, models[0], {"classes": WORDS, "ordered": True}),
            (CODE, models[1], {}),
        )
    )
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
    path = tmp_path / "cases.csv"
    path.write_text("y,p\n" + "\n".join(map(",".join, zip(TRUTH, PREDICTED, strict=True))), encoding="utf-8")
    assert (
        main(
            [
                "evaluate",
                str(path),
                "--truth",
                "y",
                "--predicted",
                "p",
                "--classes",
                *WORDS,
                "--ordered",
                "--all",
            ]
        )
        == 0
    )
    assert f"Linearweightedkappa{wanted.value:.3f}" in capsys.readouterr().out.replace(" ", "")


# The matrix
# -----------------------------------------------------------------------------------------------------------


def matrix(labels, seed=1, ordered=True):
    cells = np.random.default_rng(seed).integers(0, 9, (len(labels), len(labels)))
    return ConfusionMatrix(labels, cells, ordered=ordered)


def test_an_ordered_matrix_keeps_its_order():
    one = matrix(WORDS)
    assert one.has_order
    assert one.labels == tuple(WORDS)
    for same in (
        pickle.loads(pickle.dumps(one)),
        ConfusionMatrix.from_json(one.to_json()),
        one * 1,
        one.repeated(1),
        one + 0,
    ):
        assert same == one
        assert same.ordered
    assert one != matrix(WORDS, ordered=False)
    assert "ordered" not in matrix(WORDS, ordered=False).to_dict()
    assert evaluate(one)["linear_weighted_kappa"] == evaluate(matrix([0, 1, 2]))["linear_weighted_kappa"]


def test_matrices_are_added_in_the_order_of_one_of_them():
    one, other = matrix(WORDS), matrix(WORDS[:2], seed=2, ordered=False)
    assert (one + other).labels == (other + one).labels == tuple(WORDS)
    assert (one + other) == (other + one)
    assert (one + other).total == one.total + other.total
    assert (one + matrix(WORDS[1:], seed=3)).labels == tuple(WORDS)
    assert ConfusionMatrix.empty() + one == one
    with refuses("unknown-name", "'x'", argument="labels"):
        _ = one + matrix(["x", "low"], ordered=False)
    with refuses("mismatch", argument="labels"):
        _ = one + matrix(WORDS[::-1])


def test_what_is_refused():
    with refuses("invalid-value", "'yes'", argument="ordered"):
        ConfusionMatrix(["a", "b"], [[1, 2], [3, 4]], ordered="yes")
    with refuses("unknown-name", "'mid'", "classes=", argument="truth, predicted"):
        evaluate(**CASES["labels"][0], classes=["low", "high"])
    with refuses("repeated", argument="classes"):
        ConfusionMatrix.from_arrays(truth=TRUTH, predicted=PREDICTED, classes=["low", "low", "mid", "high"])


def test_a_value_that_is_no_answer_has_no_place_in_the_order():
    ev = tm.evaluate(truth=[1, 2, 3] * 5, predicted=[-1, 2, 3] * 5, not_an_answer=[-1])
    with refuses("unsupported"):
        ev["linear_weighted_kappa"]
