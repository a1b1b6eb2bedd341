"""Labels are compared by value: columns per class by their names, numbers of every type, the order of
columns, exact integers."""

import contextlib
import io
import json
from itertools import permutations

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from strategies import EVERY, given_to, measures_of, name

import tallymark as tm
from tallymark import (
    ClassScores,
    ConfusionMatrix,
    IndicatorTable,
    InputError,
    RankingTable,
    Residuals,
    compare,
    evaluate,
)
from tallymark.cli import main
from tallymark.inference.interval import METHODS

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

RANDOM = np.random.default_rng(13)
CODE = RANDOM.permutation(np.repeat([0, 1, 2], [20, 25, 30]))
SCORE = RANDOM.dirichlet([1, 1, 1], 75) * 0.5 + 0.5 * np.eye(3)[CODE]
ORDER = [2, 0, 1]  # of the columns: not that of the sorted labels
BIG = 2**53


def codes(found):
    return [notice.code for notice in found.notices]


def said(code, found):
    return next(notice.text for notice in found.notices if notice.code == code)


def from_data(truth, names, **given):
    """With the columns 2, 0, 1 of the scores under these names."""
    return evaluate(
        {"y": truth, **dict(zip(names, SCORE[:, ORDER].T, strict=True))},
        truth="y",
        score=list(names),
        **given,
    )


RIGHT = evaluate(truth=CODE, score=SCORE)


# Columns per class
# ----------------------------------------------------------------------------------------------------

WORDS = np.array(["cat", "dog", "owl"])[CODE]
WITH_GAP = [None if i == 3 else int(label) for i, label in enumerate(CODE)]
NAMED = {
    "integers": (CODE, "201"),
    "floats": (CODE * 1.0, "201"),
    "names of floats": (CODE, ("2.0", "0.0", "1.0")),
    "uint64": (CODE.astype(np.uint64), "201"),
    "float32": (CODE.astype(np.float32), "201"),
    "objects": (CODE.astype(object), "201"),
    "text": (CODE.astype(str), "201"),
    "words": (WORDS, ("owl", "cat", "dog")),
    "a prefix": (WORDS, ("prob_owl", "prob_cat", "prob_dog")),
    "a suffix": (WORDS, ("owl_prob", "cat_prob", "dog_prob")),
    "both": (WORDS, ("p(owl)", "p(cat)", "p(dog)")),
    "a prefix of numbers": (CODE * 1.0, ("p2", "p0", "p1")),
    "a minus sign that is none": (CODE, ("class-2", "class-0", "class-1")),
    "a suffix of numbers": (CODE * 1.0, ("2_p", "0_p", "1_p")),
}


@in_part(6, ("fast", "full"))
@for_each(("truth", "names"), NAMED.values(), ids=list(NAMED))
def test_columns_are_matched_to_the_labels_by_value(truth, names):
    found = from_data(truth, names)
    assert [one.value for one in found.estimates.values()] == [
        found_.value for found_ in map(RIGHT.__getitem__, found)
    ]
    assert found.scores.labels == tuple(sorted(set(np.asarray(truth).tolist())))
    frame = pd.DataFrame(SCORE[:, ORDER], columns=list(names))
    for score in (frame, pl.DataFrame(dict(frame)), pa.table(dict(frame))):
        assert evaluate(truth=truth, score=score).matrix == found.matrix
    affixed = (
        not any(str(label) in names or f"{label:.1f}" in names for label in (0, 1, 2)) and "cat" not in names
    )
    assert ("columns-matched" in codes(found)) == affixed


def test_what_is_left_out_of_the_names_is_said():
    text = said("columns-matched", from_data(WORDS, ("p(owl)", "p(cat)", "p(dog)")))
    assert "'p(' at the beginning and ')' at the end" in text
    whole = from_data(WORDS, ("p_owl", "p_cat", "p_dog")).scores
    assert "columns-matched" in codes(evaluate(whole + whole * 2))


REFUSED = {
    "no name fits": (CODE, "abc", "the names 'a', 'b', 'c' are none of the labels"),
    "one does not fit": (WORDS, ("cat", "dog", "prob_owl"), "the column 'prob_owl' is named like no class"),
    "other numbers": (CODE, "321", "the column '3' is named like no class"),
    "a class twice": (CODE, ("0", "0.0", "1"), "'0.0' is named like a class that has a column already"),
    "half a word": (WORDS, ("bobcat", "bobdog", "bobowl"), "are none of the labels"),
    "half a number": (CODE.astype(str), ("12", "10", "11"), "are none of the labels"),
    "numbers that are not labels": (CODE, ("12", "10", "11"), "are none of the labels"),
    "other words": (WORDS, "201", "are none of the labels"),
}


@for_each(("truth", "names", "reason"), REFUSED.values(), ids=list(REFUSED))
def test_names_that_fit_no_class_are_never_taken_by_position(truth, names, reason):
    with pytest.raises(InputError) as refused:
        from_data(truth, names)
    assert reason in str(refused.value)
    assert "classes=" in str(refused.value)
    labels = sorted(set(np.asarray(truth).tolist()))
    by_hand = from_data(truth, names, classes=[labels[i] for i in ORDER])
    assert cells(by_hand, labels) == RIGHT.matrix.weights.tolist()


def cells(found, labels):
    """Of the matrix, with its classes in this order."""
    places = [found.matrix.labels.index(label) for label in labels]
    return found.matrix.weights[np.ix_(places, places)].tolist()


def test_classes_in_another_order_than_the_columns_of_their_names_are_matched_by_name():
    for names in (("dog", "cat", "owl"), ("p_dog", "p_cat", "p_owl")):
        score = pd.DataFrame(SCORE[:, [1, 0, 2]], columns=names)
        for classes in (["cat", "dog", "owl"], ["owl", "dog", "cat"]):
            found = evaluate(truth=WORDS, score=score, classes=classes)
            assert found.scores.labels == found.matrix.labels == tuple(classes)
            assert cells(found, ["cat", "dog", "owl"]) == RIGHT.matrix.weights.tolist()


def test_names_that_can_be_read_in_two_ways_are_refused():
    truth = np.array(["a", "b a", "b"])[CODE]
    with refuses("labels", "classes=", argument="score"):
        evaluate(
            {"y": truth, **dict(zip(("b a", "b b a", "b b"), SCORE.T, strict=True))},
            truth="y",
            score=["b a", "b b a", "b b"],
        )


def test_a_class_without_a_column_is_refused_and_a_column_may_be_of_a_class_that_does_not_occur():
    columns = {"y": CODE, **{str(i): SCORE[:, i % 3] for i in range(5)}}
    for score in (["0", "1", "3"], ["y", "0", "1", "2"]):
        with refuses("labels", argument="score"):
            evaluate(columns, truth="y", score=score)
    for score in (["0", "1", "2", "3"], ["4", "1", "2", "0"]):  # of classes that do not occur
        found = evaluate(columns, truth="y", score=score)
        assert found.scores.labels == tuple(sorted(map(int, score)))
        assert "classes-that-do-not-occur" in codes(found)
        plain = ClassScores.from_arrays(
            truth=CODE, score=np.array([columns[name] for name in score]).T, classes=[*map(int, score)]
        )
        assert found["macro_roc_auc"].value == tm.measures.macro_roc_auc(plain)
    with refuses("labels", argument="score"):
        ClassScores.from_arrays(truth=CODE, score=pd.DataFrame(SCORE[:, :2], columns=["0", "1"]))


def test_the_numbers_that_pandas_gives_to_columns_are_no_names():
    assert (
        evaluate(truth=WORDS, score=pd.DataFrame(SCORE)).matrix.weights.tolist()
        == RIGHT.matrix.weights.tolist()
    )
    with refuses("labels", argument="score"):
        evaluate(truth=WORDS, score=pd.DataFrame(SCORE)[ORDER])


def test_two_columns_of_booleans():
    score = pd.DataFrame({"True": SCORE[:, 1], "False": 1 - SCORE[:, 1]})
    wanted = ClassScores.from_arrays(truth=CODE == 1, score=score[["False", "True"]].to_numpy())
    for truth in (CODE == 1, (CODE == 1) * 1, (CODE == 1) * 1.0):
        for names in (["True", "False"], ["1", "0"], ["1.0", "0.0"]):
            assert ClassScores.from_arrays(truth=truth, score=score.set_axis(names, axis=1)) == wanted


def test_missing_labels_that_turn_integers_to_floats():
    """As arrays with NaN, lists with None, frames with a gap, and CSV files."""
    frame = pd.DataFrame({"y": WITH_GAP, **{str(i): SCORE[:, i] for i in ORDER}})
    wanted = evaluate(truth=np.delete(CODE, 3), score=np.delete(SCORE, 3, axis=0))
    score = [str(i) for i in ORDER]
    for data in (frame, pl.from_pandas(frame), {**dict(frame), "y": WITH_GAP}, frame.astype({"y": "Int64"})):
        found = evaluate(data, truth="y", score=score, missing="drop")
        assert dict(found) == dict(wanted)


def output_of(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([*map(str, arguments)]) == 0
    return json.loads(out.getvalue())


@pytest.mark.full
@for_each(
    ("truth", "names"),
    [(WITH_GAP, "201"), (WORDS, ("owl", "cat", "dog"))],
    ids=["numbers with a gap", "words"],
)
def test_columns_of_a_file_on_the_command_line(tmp_path, truth, names):
    path = tmp_path / "x.csv"
    pd.DataFrame({"y": truth, **dict(zip(names, SCORE[:, ORDER].T, strict=True))}).to_csv(path, index=False)
    scores = [part for one in names for part in ("--score", one)]
    found = output_of("evaluate", path, "--truth", "y", *scores, "--missing", "drop", "--json")
    kept = np.delete(np.arange(75), 3) if truth is WITH_GAP else np.arange(75)
    wanted = evaluate(truth=CODE[kept], score=SCORE[kept]).to_dict()["measures"]
    assert {one: found["measures"][one]["value"] for one in found["measures"]} == {
        one: wanted[one]["value"] for one in found["measures"]
    }


def test_a_class_is_named_by_its_value_in_requirements_and_one_against_the_rest():
    e = evaluate(truth=CODE * 1.0, score=SCORE)
    for label in (1, 1.0, np.uint64(1), True):
        assert e.one_vs_rest(label)["roc_auc"].value == RIGHT.one_vs_rest(1)["roc_auc"].value
    for label in ("1", "1.0"):
        assert tm.check(e, require=f'sensitivity[class "{label}"] >= 0').passed


# Several labels
# -------------------------------------------------------------------------------------------------------

TRUTH = pd.DataFrame(RANDOM.integers(0, 2, (30, 3)), columns=["red", "green", "blue"])
ANSWER = pd.DataFrame(RANDOM.integers(0, 2, (30, 3)), columns=TRUTH.columns)
WANTED = IndicatorTable.from_arrays(truth=TRUTH, predicted=ANSWER)


@for_each("order", list(permutations(TRUTH.columns)), ids="-".join)
@for_each("frame", [lambda f: f, pl.from_pandas, pa.Table.from_pandas], ids=["pandas", "polars", "pyarrow"])
def test_frames_of_several_labels_are_matched_by_name(order, frame):
    order = list(order)
    assert IndicatorTable.from_arrays(truth=frame(TRUTH), predicted=frame(ANSWER[order])) == WANTED
    turned = IndicatorTable.from_arrays(truth=frame(TRUTH[order]), predicted=frame(ANSWER))
    assert turned.labels == tuple(order)
    assert WANTED + turned == WANTED + WANTED
    assert dict(evaluate(truth=frame(TRUTH), predicted=frame(ANSWER[order]))) == dict(evaluate(WANTED))


def test_frames_of_other_labels_are_refused():
    for other in (ANSWER.rename(columns={"red": "rot"}), ANSWER[["red", "green"]]):
        with refuses("mismatch"):
            IndicatorTable.from_arrays(truth=TRUTH, predicted=other)
    with refuses("conflict", argument="classes"):
        evaluate(truth=TRUTH, predicted=ANSWER, classes=["red"])


# Integers are exact
# ---------------------------------------------------------------------------------------------------

HUGE = np.array([BIG, BIG + 1, BIG, BIG + 1], np.int64)


@for_each("other", [np.uint64, np.int64, np.float64, object], ids=["uint64", "int64", "float64", "object"])
@for_each("this", [np.int64, np.uint64, object], ids=["int64", "uint64", "object"])
def test_huge_integers_of_mixed_types_are_compared_exactly(this, other):
    truth, predicted = HUGE.astype(this), np.array([BIG, BIG, BIG, BIG]).astype(other)
    assert evaluate(truth=truth, predicted=predicted, positive=BIG)["accuracy"].value == 0.5
    assert evaluate(truth=predicted, predicted=truth, positive=BIG)["accuracy"].value == 0.5
    matrix = ConfusionMatrix.from_arrays(truth=truth, predicted=predicted)
    assert (matrix.labels, matrix.weights.tolist()) == ((BIG, BIG + 1), [[2, 0], [2, 0]])
    parts = [
        ConfusionMatrix.from_arrays(truth=truth[i : i + 1], predicted=predicted[i : i + 1]) for i in range(4)
    ]
    assert sum(parts) == matrix
    found = compare(truth=truth, predicted={"a": predicted, "b": truth}, positive=BIG, measures="accuracy")[
        "accuracy"
    ]
    assert [one.value for one in found.models] == [1.0, 0.5]  # b less a


@for_each("kind", [np.uint64, np.int64, np.float64], ids=["uint64", "int64", "float64"])
def test_huge_integers_of_many_classes(kind):
    truth, answers = np.array([0, BIG, BIG + 1, BIG + 1]), np.array([0, BIG, BIG, BIG]).astype(kind)
    assert evaluate(truth=truth, predicted=answers)["accuracy"].value == 0.5
    found = compare(truth=truth, predicted={"a": answers, "b": truth}, measures="accuracy")["accuracy"]
    assert [one.value for one in found.models] == [1.0, 0.5]


def test_a_batch_of_one_label_adds_no_class():
    matrix = ConfusionMatrix.from_arrays(truth=[5, 5], predicted=[5, 5])
    assert (matrix.labels, matrix.weights.tolist()) == ((5,), [[2]])
    assert ConfusionMatrix.from_arrays(truth=[0, 0], predicted=[0, 0]).labels == (0,)
    assert ConfusionMatrix.from_arrays(truth=[5, 5], predicted=[5, 1]).labels == (1, 5)


def test_a_positive_label_that_the_type_cannot_hold_does_not_occur():
    with pytest.raises(InputError, match=f"{BIG + 1} does not occur"):
        RankingTable.from_arrays(truth=np.array([5.0, BIG]), score=[0.1, 0.2], positive=BIG + 1)
    assert (
        RankingTable.from_arrays(
            truth=np.array([5.0, BIG]), score=[0.1, 0.2], positive=np.uint64(BIG)
        ).positives
        == 1
    )
    for label in ("2", "2.0", 2, 2.0, np.uint64(2)):
        for truth in ([1, 2, 2], [1.0, 2.0, 2.0]):
            assert RankingTable.from_arrays(truth=truth, score=[1, 2, 3], positive=label).positives == 2
            assert evaluate(truth=truth, predicted=truth, positive=label)["sensitivity"].value == 1


def test_labels_that_no_type_holds_exactly_are_refused():
    for labels in ([BIG + 1, 0.5], [2**64, 2**64 + 1], [-1, 2**64 - 1]):
        with refuses("labels", argument="truth"):
            evaluate(truth=labels, predicted=labels)
    with refuses("labels", argument="score"):
        evaluate(truth=[0, 1], score=[BIG + 1, 0.5])


def test_huge_names_of_classes_and_of_groups():
    truth = np.array([0, BIG, BIG + 1] * 5)
    score = RANDOM.random((15, 3))
    frame = pd.DataFrame(score, columns=[str(BIG + 1), "0", str(BIG)])
    wanted = evaluate(truth=np.array([0, 1, 2] * 5), score=score[:, [1, 2, 0]])
    assert evaluate(truth=truth, score=frame)["macro_roc_auc"].value == wanted["macro_roc_auc"].value
    for classes in ([BIG + 1, 0, BIG], [np.uint64(BIG + 1), 0.0, float(BIG)], [str(BIG + 1), "0", str(BIG)]):
        assert (
            evaluate(truth=truth, score=score, classes=classes)["macro_roc_auc"].value
            == wanted["macro_roc_auc"].value
        )
    clusters = np.array([BIG, BIG + 1, BIG + 2] * 5)
    assert (
        evaluate(truth=[0, 1] * 7 + [0], score=score[:, 0], clusters=clusters).to_dict()["data"]["clusters"]
        == 3
    )


def test_cases_of_a_baseline_are_paired_by_exact_names():
    new = pd.DataFrame({"id": np.array([BIG, BIG + 1, 3, 4]), "y": [0, 1, 1, 0], "p": [0.1, 0.9, 0.8, 0.3]})
    old = new.assign(id=new["id"].astype(float))
    asked = {
        "truth": "y",
        "score": "p",
        "pair_by": "id",
        "no_worse_than": 0.1,
        "measures": "accuracy",
        "threshold": 0.5,
    }
    with refuses("repeated", argument="pair_by"):
        tm.check(new, baseline=old, **asked)
    assert tm.check(new, baseline=new.assign(id=new["id"].astype(np.uint64))[::-1], **asked).findings


def test_parts_of_a_column_of_unlike_types():
    """Files whose types differ: labels are joined exactly, or refused."""
    from tallymark.input.columns import joined, read

    parts = [read(np.array([1, BIG]), "truth"), read(np.array([0.5]), "truth")]
    assert joined(parts).values.tolist() == [1, BIG, 0.5]
    for other in (read(np.array([BIG + 1]), "truth"), read(["a"], "truth")):
        with refuses("labels", argument="truth"):
            joined([parts[1], other])


# Rounded probabilities
# ------------------------------------------------------------------------------------------------

FREE = RANDOM.dirichlet([1, 1, 1], 75)


@for_each("kind", [np.float64, np.float32], ids=["double", "single"])
@for_each("digits", [2, 3, 4, 5, 6])
def test_rounded_probabilities_are_probabilities(kind, digits):
    rounded = np.round(FREE, digits).astype(kind)
    off = np.abs(rounded.astype(float).sum(1) - 1)
    assert off.max() > 0.9 * 10.0**-digits
    for more in ({}, {"score_kind": "probability"}):
        found = evaluate(truth=CODE, score=rounded, **more)
        given = np.maximum(rounded.astype(float)[np.arange(75), CODE], np.finfo(kind).eps)
        assert found["log_loss"].value == pytest.approx(-np.log(given).mean(), rel=1e-12)  # as they are
        assert f"{off.max():.2g}" in said("probabilities-rounded", found)
        tm.measures.log_loss(truth=CODE, score=rounded)


def test_many_columns_add_up_the_rounding_of_each():
    score = np.round(RANDOM.dirichlet(np.ones(40), 200), 3)
    assert np.abs(score.sum(1) - 1).max() > 0.002
    assert "log_loss" in evaluate(truth=RANDOM.permutation(np.arange(200) % 40), score=score)


NO_PROBABILITIES = {
    "one row": np.vstack([np.round(FREE[:-1], 6), [0.3, 0.3, 0.3]]),
    "beyond its digits": np.round(FREE, 3) + 0.001,
    "no digits": FREE + 1e-4,
    "single precision": (FREE + 1e-4).astype(np.float32),
    "whole numbers": np.eye(3, dtype=int)[CODE] + np.eye(3, dtype=int)[CODE[::-1]],
    "a tenth too many": np.round(FREE, 1) + 0.1,
    "a single decimal": np.round(FREE, 1),
    "infinite": np.vstack([np.round(FREE[:-1], 6), [np.inf, 0, 0]]),
}


@for_each("score", NO_PROBABILITIES.values(), ids=list(NO_PROBABILITIES))
def test_what_rounding_does_not_explain_is_no_probability(score):
    assert "log_loss" not in evaluate(truth=CODE, score=score)
    with refuses("invalid-value", argument="score"):
        evaluate(truth=CODE, score=score, score_kind="probability")


def test_exact_probabilities_have_no_notice():
    assert "probabilities-rounded" not in codes(RIGHT)
    assert "probabilities-rounded" not in codes(evaluate(truth=CODE, score=SCORE.astype(np.float32)))
    half = evaluate(truth=CODE, score=FREE.astype(np.float16))
    assert "log_loss" in half
    assert "probabilities-rounded" in codes(half)


# Single precision
# -----------------------------------------------------------------------------------------------------

CERTAIN = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]])
CLIPPED = [entry for entry in EVERY if "clip" in entry.parameters]


@for_each(("kind", "epsilon"), [(np.float64, 2.0**-52), (np.float32, 2.0**-23), (np.float16, 2.0**-10)])
def test_losses_are_clipped_at_the_precision_of_the_scores(kind, epsilon):
    """Of two classes and of many."""
    many = evaluate(truth=[0, 1, 2, 2], score=CERTAIN.astype(kind))
    two = evaluate(truth=[0, 1, 1, 1], score=np.array([0, 1, 0, 1]).astype(kind))
    assert many["log_loss"].value == two["log_loss"].value == pytest.approx(-np.log(epsilon) / 4, rel=1e-12)
    assert f"{epsilon:.2g}" in said("log-loss-clipped", many)
    assert many.one_vs_rest(2)["log_loss"].value == pytest.approx(-np.log(epsilon) / 4, rel=1e-12)
    kept = ClassScores.from_json(many.scores.to_json())
    assert tm.measures.log_loss(kept) == many["log_loss"].value
    assert tm.measures.log_loss(kept + kept) == many["log_loss"].value


@for_each("entry", CLIPPED, ids=name)
def test_every_measure_that_clips_does_so_at_the_precision_of_its_scores(entry):
    truth = np.array([0, 1, 2, 2]) if entry.summary is ClassScores else np.array([0, 1, 1, 0])
    score = CERTAIN if entry.summary is ClassScores else np.array([0, 1, 0, 0.5])
    for kind in (np.float64, np.float32):
        wanted = entry(truth=truth, score=score * 1.0, clip=float(np.finfo(kind).eps))
        assert entry(truth=truth, score=score.astype(kind)) == pytest.approx(wanted, rel=1e-12)


def test_columns_of_both_types_count_as_double_precision():
    frame = pd.DataFrame(CERTAIN.astype(np.float32), columns=list("012")).astype({"0": np.float64})
    assert evaluate(truth=[0, 1, 2, 2], score=frame)["log_loss"].value == pytest.approx(
        52 * np.log(2) / 4, rel=1e-12
    )


def test_logits_need_no_clipping():
    logits = np.array([[90.0, 0, 0], [0, 90, 0], [0, 90, 0], [0, 0, 90]])
    for kind in (np.float64, np.float32, np.float16):
        found = evaluate(truth=[0, 1, 2, 2], score=logits.astype(kind), score_kind="logit")
        assert found["log_loss"].value == pytest.approx(90 / 4, rel=1e-12)


def test_single_precision_changes_nothing_else():
    score = np.round(SCORE * 64) / 64
    double, single = (
        evaluate(truth=CODE, score=score.astype(kind)).to_dict()["measures"] for kind in (float, np.float32)
    )
    assert double == single


# Classes that do not occur
# --------------------------------------------------------------------------------------------

FOUR = np.column_stack([SCORE, np.zeros(75)])


def test_a_class_that_does_not_occur_has_one_true_notice():
    found = evaluate(truth=CODE, score=FOUR, classes=[0, 1, 2, 3])
    assert "1 class is neither true nor predicted (3)" in said("classes-that-do-not-occur", found)
    assert not {"classes-without-cases", "classes-never-predicted"} & set(codes(found))
    called = evaluate(truth=[0, 1, 2, 2, 3], predicted=[0, 1, 2, 4, 2], classes=range(6))
    texts = [
        said(code, called)
        for code in ("classes-without-cases", "classes-never-predicted", "classes-that-do-not-occur")
    ]
    assert [text.split("(")[1].split(")")[0] for text in texts] == ["4", "3", "5"]


def test_averages_say_which_classes_they_leave_out():
    found = evaluate(truth=CODE, score=FOUR, classes=[0, 1, 2, 3])
    kinds = "of-classes", "of-classes-weighted"
    of_classes = [entry.name for entry in measures_of(ClassScores) if entry.interval.kind in kinds]
    for measure in (*of_classes, "balanced_accuracy"):
        assert "1 of 4 classes left out, for which it is undefined (3)" in found[measure].note
        assert found[measure].value == pytest.approx(RIGHT[measure].value, rel=1e-14)
        assert "left out" not in (RIGHT[measure].note or "")
    assert "left out, for which it is undefined (3)" in found.averages["macro"]["f1"].note


# Amounts taken for classes
# --------------------------------------------------------------------------------------------

AMOUNTS = np.round(RANDOM.normal(1000, 300, 50))
GUESSES = np.round(AMOUNTS + RANDOM.normal(0, 50, 50))
ALL = sorted({*AMOUNTS.tolist(), *GUESSES.tolist()})


@pytest.mark.full
def test_amounts_are_not_taken_for_classes(tmp_path):
    for truth, predicted in ((AMOUNTS, GUESSES), (AMOUNTS.astype(int), GUESSES.astype(np.uint16))):
        with refuses("ambiguous", "50", "classes=", argument="truth"):
            evaluate(truth=truth, predicted=predicted)
        with refuses("ambiguous", argument="truth"):
            compare(truth=truth, predicted={"a": predicted, "b": truth})
        with refuses("ambiguous", argument="truth"):
            tm.check(truth=truth, predicted=predicted, require="accuracy >= 0")
        assert len(evaluate(truth=truth, predicted=predicted, classes=ALL).matrix) == len(ALL)
        assert compare(
            truth=truth, predicted={"a": predicted, "b": truth}, classes=ALL, measures="accuracy"
        ).differences
        assert tm.check(truth=truth, predicted=predicted, classes=ALL, require="accuracy >= 0").passed
        assert evaluate(truth=truth, predicted=predicted, regression=True)["mean_absolute_error"].value > 0
    path = tmp_path / "x.csv"
    pd.DataFrame({"y": AMOUNTS, "p": GUESSES}).to_csv(path, index=False)
    with contextlib.redirect_stderr(io.StringIO()) as error:
        assert main(["evaluate", str(path), "--truth", "y", "--predicted", "p"]) == 2
    assert "--regression" in error.getvalue()
    named = [f"{label:g}" for label in ALL]
    found = output_of("evaluate", path, "--truth", "y", "--predicted", "p", "--json", "--classes", *named)
    assert found["measures"]["accuracy"]["value"] == (AMOUNTS == GUESSES).mean()


def test_few_cases_text_and_half_as_many_classes_are_no_amounts():
    assert len(evaluate(truth=AMOUNTS[:19], predicted=[AMOUNTS[0], *GUESSES[1:19]]).matrix) > 19
    with refuses("labels", "regression=True", argument="predicted"):
        evaluate(truth=AMOUNTS[:19], predicted=AMOUNTS[:19] + 1)
    assert len(evaluate(truth=AMOUNTS.astype(str), predicted=GUESSES.astype(str)).matrix) > 25
    assert len(evaluate(truth=np.arange(20) % 10, predicted=np.arange(20) % 10).matrix) == 10
    with refuses("ambiguous", argument="truth"):
        evaluate(truth=np.arange(20) % 11, predicted=np.arange(20) % 11)


def test_classes_of_predicted_labels():
    found = evaluate(truth=["a", "b"], predicted=["a", "a"], classes=["c", "b", "a"])
    assert type(found) is tm.MulticlassEvaluation
    assert found.matrix.labels == ("c", "b", "a")  # the order that classes= gives
    assert evaluate(truth=[1, 1], predicted=[1, 1], classes=[0, 1])["accuracy"].value == 1
    assert evaluate(truth=[1.0, 2.0, 3.0], predicted=[1, 2, 2], classes=("1", "2", "3")).matrix.total == 3
    for classes, reason in (
        (["a"], "'b' is not one of the classes"),
        (["a", "b", "a"], "twice"),
        ("ab", "not a list"),
        ([["a"], "b"], "is not a label"),
    ):
        with pytest.raises(InputError, match=f"classes.*{reason}|{reason}.*classes"):
            evaluate(truth=["a", "b"], predicted=["a", "a"], classes=classes)


def test_models_with_classes_that_do_not_occur_are_compared_with_all_of_them():
    """Weighted kappas depend on the number of classes: the difference is that of the evaluations."""
    truth, one, other = RANDOM.integers(0, 3, (3, 60))
    found = compare(
        truth=truth,
        predicted={"a": one, "b": other},
        classes=range(7),
        measures=["linear_weighted_kappa", "accuracy"],
    )
    alone = [evaluate(truth=truth, predicted=answers, classes=range(7)) for answers in (one, other)]
    for difference in found.differences:
        assert [model.value for model in difference.models] == [
            e[difference.measure].value for e in alone[::-1]
        ]
        assert difference.estimate.has_interval


# Types of numbers, and the order of columns
# ---------------------------------------------------------------------------

BINARY = RANDOM.integers(0, 2, 40)
EIGHTHS = RANDOM.integers(1, 8, 40) / 8  # exact in every type of float
WEIGHT = RANDOM.integers(1, 4, 40)
NUMBERS = {
    "int8": lambda a: a.astype(np.int8),
    "uint64": lambda a: a.astype(np.uint64),
    "float64": lambda a: a.astype(np.float64),
    "float32": lambda a: a.astype(np.float32),
    "float16": lambda a: a.astype(np.float16),
    "objects": lambda a: a.astype(object),
    "big-endian": lambda a: a.astype(">i4"),
}
LABELS = NUMBERS | {
    "bool": lambda a: a.astype(bool),
    "list": lambda a: a.tolist(),
    "list of floats": lambda a: a.astype(float).tolist(),
    "pandas Int64": lambda a: pd.Series(a, dtype="Int64"),
    "pandas boolean": lambda a: pd.Series(a.astype(bool), dtype="boolean"),
    "pandas category": lambda a: pd.Series(a).astype("category"),
    "pandas category of floats": lambda a: pd.Series(a.astype(float)).astype("category"),
    "polars": lambda a: pl.Series(a.astype(np.uint8)),
    "polars boolean": lambda a: pl.Series(a.astype(bool)),
    "pyarrow": lambda a: pa.chunked_array([pa.array(a)]),
    "pyarrow dictionary": lambda a: pa.chunked_array([pa.array(a).dictionary_encode()]),
}
FLOATS = {
    "float32": lambda a: a.astype(np.float32),
    "float16": lambda a: a.astype(np.float16),
    "objects": lambda a: a.astype(object),
    "list": lambda a: a.tolist(),
    "pandas Float64": lambda a: pd.Series(a, dtype="Float64"),
    "polars": lambda a: pl.Series(a, dtype=pl.Float32),
}


OF_EACH_SUMMARY = list({entry.summary: entry for entry in reversed(EVERY)}.values())
COLUMN_TYPES = [
    *((role, (which, change)) for role in ("truth", "predicted") for which, change in LABELS.items()),
    *(("score", one) for one in FLOATS.items()),
    *(("weight", one) for one in NUMBERS.items()),
]


def same(one, other):
    return one == other or (one != one and other != other)


def with_columns(change, table):
    """Each column of a table changed; a frame where the change gives one, else an array."""
    return (
        change(table)
        if hasattr(table, "shape") and table.ndim == 1
        else np.column_stack([np.asarray(change(c)) for c in table.T])
    )


each_type = for_each(
    ("role", "change"), COLUMN_TYPES, ids=lambda one: one if isinstance(one, str) else one[0]
)


@for_each("entry", OF_EACH_SUMMARY, ids=name)
@each_type
def test_the_type_of_a_column_changes_no_summary(role, change, entry):
    assert_type_changes_nothing(role, change, entry)


@in_part(4)
@for_each("entry", EVERY, ids=name)
@each_type
def test_the_type_of_a_column_changes_no_measure(role, change, entry):
    assert_type_changes_nothing(role, change, entry)


def assert_type_changes_nothing(role, change, entry):
    given = given_to(entry, BINARY, EIGHTHS) | {"weight": WEIGHT}
    if role in given and not (role == "predicted" and entry.summary is Residuals):  # amounts are not labels
        changed = given | {role: with_columns(change[1], np.asarray(given[role]))}
        assert same(entry(**changed), entry(**given))


ENTRIES = {
    "evaluate labels": lambda c: evaluate(truth=c["truth"], predicted=c["called"], weight=c["weight"]),
    "evaluate scores": lambda c: evaluate(truth=c["truth"], score=c["score"], weight=c["weight"]),
    "compare": lambda c: compare(
        truth=c["truth"],
        predicted={"a": c["called"], "b": c["turned"]},
        weight=c["weight"],
        measures=["accuracy", "sensitivity"],
    ),
    "check": lambda c: tm.check(truth=c["truth"], score=c["score"], require="accuracy >= 0.5"),
    "choose_threshold": lambda c: tm.choose_threshold(rule="youden", truth=c["truth"], score=c["score"]),
    "calibration": lambda c: tm.calibration(truth=c["truth"], score=c["score"]),
    "bootstrap": lambda c: tm.bootstrap(
        truth=c["truth"], score=c["score"], measures="accuracy", replicates=100
    ),
    "clusters": lambda c: evaluate(truth=c["truth"], predicted=c["called"], clusters=c["clusters"]),
}
COLUMNS = {
    "truth": BINARY,
    "called": (EIGHTHS > 0.5) * 1,
    "turned": 1 - BINARY,
    "score": EIGHTHS,
    "weight": WEIGHT,
    "clusters": np.arange(40) // 4,
}


def plain(found):
    """The numbers of an answer."""
    return [
        value
        for value in flat(found.to_dict())
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]


def flat(value):
    if isinstance(value, dict):
        return [
            leaf for key, part in value.items() if key not in ("labels", "score_type") for leaf in flat(part)
        ]
    return [leaf for part in value for leaf in flat(part)] if isinstance(value, (list, tuple)) else [value]


@in_part(4)
@for_each("answer", ENTRIES.values(), ids=list(ENTRIES))
def test_the_type_of_a_column_changes_no_answer(answer):
    wanted = plain(answer(COLUMNS))
    for role in COLUMNS:
        kinds = FLOATS if role == "score" else NUMBERS if role == "weight" else LABELS
        for change in kinds.values():
            changed = change(COLUMNS[role])
            # booleans cannot name ten clusters
            if role != "clusters" or len(set(np.asarray(changed).tolist())) == 10:
                assert plain(answer(COLUMNS | {role: changed})) == wanted, role


@pytest.mark.full
@for_each("entry", measures_of(ClassScores), ids=name)
@for_each("order", list(permutations(range(3))), ids=str)
def test_the_order_of_named_columns_changes_no_measure_of_a_score_per_class(order, entry):
    tied = np.round(SCORE * 4) / 4
    tied[:, 2] = 1 - tied[:, 0] - tied[:, 1]
    for truth, names in ((CODE, list("012")), (WORDS, ["cat", "dog", "owl"])):
        if entry.ordered and truth is WORDS:
            continue  # text has no order
        frame = pd.DataFrame(tied, columns=names)
        assert same(
            entry(truth=truth, score=frame[[names[i] for i in order]]), entry(truth=truth, score=frame)
        )


@for_each("entry", measures_of(IndicatorTable), ids=name)
@for_each("order", list(permutations(TRUTH.columns)), ids=str)
def test_the_order_of_columns_changes_no_measure_of_several_labels(order, entry):
    found = entry(truth=TRUTH, predicted=ANSWER[list(order)])
    assert same(found, entry(truth=TRUTH, predicted=ANSWER))
    assert found == pytest.approx(entry(truth=TRUTH[list(order)], predicted=ANSWER), rel=1e-14)


# Clusters of three and more classes
# -------------------------------------------------------------------------------------


def drawn_in_groups(clusters, size, seed=3):
    """Truth and two predictions, whose mistakes come in whole clusters."""
    random = np.random.default_rng(seed)
    truth, hard = random.integers(0, 3, (clusters, size)), random.random((clusters, 1)) < 0.3
    answers = [
        np.where(hard & (random.random(truth.shape) < 0.9), (truth + 1) % 3, truth).ravel() for _ in range(2)
    ]
    return truth.ravel(), answers, np.repeat(np.arange(clusters), size)


def test_intervals_of_models_of_many_classes_know_of_the_groups():
    truth, answers, clusters = drawn_in_groups(40, 10)
    models = dict(zip("ab", answers, strict=True))
    grouped, plain_ = (
        compare(truth=truth, predicted=models, **more) for more in ({"clusters": clusters}, {})
    )
    for model, called in models.items():
        e = grouped.evaluations[model]
        right = np.bincount(clusters, called == truth)
        error = np.std(right / 10, ddof=1) / np.sqrt(40)  # of the mean of forty equal clusters
        found, value = e["accuracy"], e["accuracy"].value
        assert found.standard_error == pytest.approx(error, rel=0.01)  # clusters have more of one class
        n = value * (1 - value) / error**2  # cases in effect
        low, high = (np.array(METHODS["wilson"](value * n * f, n * f, 0.95)) for f in (1.0, 0.85))
        assert high[0] < found.low < low[0]  # wider, by Student's t
        assert low[1] < found.high < high[1]
        independent = plain_.evaluations[model]
        for measure in e:
            if e[measure].has_interval and "delta-logit" in (independent[measure].method or ""):
                assert e[measure].high - e[measure].low > 1.5 * (
                    independent[measure].high - independent[measure].low
                )
        for estimates in (*e.classes.values(), *e.averages.values()):
            for measure in ("f1", "sensitivity"):
                assert estimates[measure].has_interval
        assert e.to_dict()["data"]["clusters"] == 40


@in_part(3, ("fast", "full"))
@for_each(
    "measure",
    ["accuracy", "balanced_accuracy", "cohen_kappa", "matthews_correlation", "quadratic_weighted_kappa"],
)
def test_errors_of_groups_are_those_of_the_jackknife(measure):
    truth, answers, clusters = drawn_in_groups(60, 5)
    found = compare(truth=truth, predicted=answers, clusters=clusters, measures=measure).evaluations[
        "model 1"
    ][measure]
    without = np.array(
        [
            evaluate(truth=truth[clusters != g], predicted=answers[0][clusters != g], classes=range(3))[
                measure
            ].value
            for g in range(60)
        ]
    )
    jackknife = np.sqrt(59 / 60 * np.sum((without - without.mean()) ** 2))
    assert found.standard_error == pytest.approx(jackknife, rel=0.01)
    # 2.0010: of Student's t with 59 degrees of freedom, the most that there may be
    assert found.high - found.low > 0.98 * 2 * 2.0010 * jackknife


def test_groups_without_mistakes_and_a_single_group():
    truth, (called, _), clusters = drawn_in_groups(40, 10)
    faultless = compare(truth=truth, predicted={"a": truth, "b": called}, clusters=clusters).evaluations["a"]
    found = faultless["accuracy"]
    assert (found.value, found.method) == (1.0, "cluster-wilson")
    assert found.low == pytest.approx(40 / (40 + 1.959964**2), rel=1e-6)
    assert faultless["cohen_kappa"].low < found.low
    alone = compare(truth=truth, predicted={"a": called, "b": truth}, clusters=np.zeros(400)).evaluations["a"]
    assert "too few clusters" in alone["accuracy"].note
    few = compare(truth=truth, predicted={"a": called, "b": truth}, clusters=clusters % 7).evaluations["a"]
    of_cases = evaluate(truth=truth, predicted=called)["accuracy"]
    assert few["accuracy"].high - few["accuracy"].low > of_cases.high - of_cases.low


def test_groups_of_many_classes_elsewhere_have_the_intervals_of_both():
    truth, (called, _), clusters = drawn_in_groups(40, 10)
    assert evaluate(truth=truth, predicted=called, clusters=clusters)["accuracy"].has_interval
    evaluations = list(
        compare(truth=truth, predicted={"a": truth, "b": called}, clusters=clusters).evaluations.values()
    )
    found = compare(*evaluations, paired=False, measures="accuracy")
    assert (found.differences[0].estimate.method, found.assumes[:8]) == ("mover", "clusters")
    with refuses("unsupported", argument="method"):
        compare(*evaluations, paired=False, method="bootstrap")


def test_neither_rows_of_weight_0_nor_the_order_of_rows_decide_what_looks_like_amounts_or_scores():
    labels, weight = np.r_[np.arange(15), np.arange(9), np.zeros(30, int)], np.r_[np.ones(24), np.zeros(30)]
    with refuses("ambiguous", "15", "24", argument="truth"):
        evaluate(truth=labels, predicted=labels, weight=weight)
    truth = np.arange(3000) % 2
    predicted = np.where(np.arange(3000) < 1500, truth, np.round(np.arange(3000) / 3000, 2))
    for order in (slice(None), slice(None, None, -1)):
        with refuses("ambiguous", argument="predicted"):
            evaluate(truth=truth[order], predicted=predicted[order])


@for_each("predicted", [[0.2, 0.8] * 10, [0, 0.5] * 10, [0.1, 0.7, 0.3, 0.9] * 5])
def test_a_few_fractional_numbers_against_whole_labels_are_scores(predicted):
    truth = [0, 1] * 10
    for call in (
        evaluate,
        lambda truth, predicted: compare(truth=truth, predicted={"a": truth, "b": predicted}),
    ):
        with refuses("ambiguous", argument="predicted"):
            call(truth=truth, predicted=predicted)


def test_fractional_labels_are_labels_where_truth_has_some_or_classes_names_them():
    halves = [0, 0.5, 1] * 10
    assert evaluate(truth=halves, predicted=halves[::-1]).matrix.labels == (0, 0.5, 1)
    assert evaluate(truth=[0, 1, 1] * 10, predicted=halves, classes=[0, 0.5, 1]).matrix.labels == (0, 0.5, 1)
    assert tm.mcnemar(truth=halves, predicted=[halves, halves[::-1]]).first_only == 20


def test_a_summary_of_amounts_with_fractional_weights_says_so():
    found = evaluate(
        tm.Residuals.from_arrays(truth=[1.0, 2, 3, 4], predicted=[1.5, 2, 2, 4], weight=[50.5, 20, 30, 10])
    )
    assert "importance-weights" in codes(found)


@for_each("kind", [np.int8, np.int16])
def test_labels_as_far_apart_as_their_type_allows(kind):
    labels = np.array([np.iinfo(kind).min, np.iinfo(kind).max] * 5, kind)
    ev = tm.evaluate(truth=labels, predicted=labels, positive=labels[1], clusters=labels)
    assert ev["accuracy"].value == 1
