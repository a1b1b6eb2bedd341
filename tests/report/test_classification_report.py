"""The classification report: rows and columns as in scikit-learn, estimates as in the evaluation."""

import csv

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark.evaluation.reporting import MEASURES

RANDOM = np.random.default_rng(8)
TWO = RANDOM.integers(0, 2, 60)
MANY = RANDOM.integers(0, 4, 90)
NAMES = np.array(["a", "a longer name of one", "c", "d"])
SEVERAL = RANDOM.integers(0, 2, (47, 3))
CASES = {
    "two classes": (TWO, np.where(RANDOM.random(60) < 0.7, TWO, 1 - TWO), None),
    "many classes": (MANY, np.where(RANDOM.random(90) < 0.6, MANY, (MANY + 1) % 4), None),
    "names": (NAMES[MANY], NAMES[np.roll(MANY, 1)], None),
    "weights": (MANY, np.roll(MANY, 2), RANDOM.integers(1, 4, 90)),
    "several labels": (SEVERAL, np.where(RANDOM.random((47, 3)) < 0.7, SEVERAL, 1 - SEVERAL), None),
}


@in_part(4, ("fast", "full"))
@for_each("name", CASES)
@for_each("digits", [2, 3])
def test_rows_and_columns_are_those_of_scikit_learn(name, digits):
    metrics = pytest.importorskip("sklearn.metrics")
    truth, predicted, weight = CASES[name]
    theirs = metrics.classification_report(
        truth, predicted, sample_weight=weight, digits=digits, zero_division=0
    )
    theirs = [line.removesuffix(".0").split() for line in theirs.splitlines() if "samples avg" not in line]
    kind = None if weight is None else "count"
    ev = tm.evaluate(truth=truth, predicted=predicted, weight=weight, weight_kind=kind)
    ours = str(tm.classification_report(ev, digits=digits))
    rows = [line.split() for line in ours.split("class ", 1)[1].splitlines() if line and "--" not in line]
    assert rows == [line for line in theirs if line][: len(rows)]


def test_the_estimates_are_those_of_the_evaluation():
    truth, predicted, _ = CASES["many classes"]
    ev = tm.evaluate(truth=truth, predicted=predicted)
    report = tm.classification_report(ev)
    for row in report.rows:
        if row.kind == "class":
            assert dict(row.estimates) == {name: ev.classes[row.label][own] for name, own in MEASURES.items()}
        elif row.kind == "average":
            assert dict(row.estimates) == {
                name: ev.averages[row.label][own] for name, own in MEASURES.items()
            }
        else:
            assert row.estimates == {"accuracy": ev["accuracy"]}
    first = report.table[0]
    assert (first["recall_low"], first["recall_high"]) == (
        ev.classes[0]["recall"].low,
        ev.classes[0]["recall"].high,
    )


def test_of_two_classes_the_positive_one_is_that_of_the_evaluation():
    ev = tm.evaluate(truth=["x", "a", "a", "x", "x"], predicted=["x", "a", "x", "a", "x"], positive="a")
    rows = {row.label: row for row in tm.classification_report(ev).rows}
    assert list(rows)[:2] == ["x", "a"]
    assert rows["a"].estimates["recall"] == ev["sensitivity"]
    assert rows["a"].estimates["precision"].value == ev["precision"].value
    assert rows["x"].estimates["recall"].value == ev["specificity"].value
    assert rows["x"].estimates["precision"].value == ev["negative_predictive_value"].value


def test_intervals_are_shown_on_request_and_not_where_they_would_not_hold():
    ev = tm.evaluate(truth=TWO, score=RANDOM.random(60), replicates=20)
    assert "[" in str(tm.classification_report(ev, intervals=True))
    assert "[" not in str(tm.classification_report(ev))
    assert max(map(len, str(tm.classification_report(ev, intervals=True)).splitlines())) <= 80
    chosen = tm.evaluate(truth=TWO, score=RANDOM.random(60), rule="youden", replicates=20)
    classes = [row for row in tm.classification_report(chosen).rows if row.kind == "class"]
    assert not any(found.has_interval for row in classes for found in row.estimates.values())


def test_what_is_undefined_is_not_zero():
    report = tm.classification_report(tm.evaluate(truth=["a", "b", "c"] * 3, predicted=["a", "b", "b"] * 3))
    assert report.table[2]["precision"] is None
    line = next(line for line in str(report).splitlines() if line.split()[:1] == ["c"])
    assert line.split() == ["c", "-^1", "0.00", "0.00", "3"]


def test_it_is_saved(tmp_path):
    truth, predicted, _ = CASES["many classes"]
    report = tm.classification_report(tm.evaluate(truth=truth, predicted=predicted))
    report.save(tmp_path / "r.txt")
    assert (tmp_path / "r.txt").read_text() == f"{report}\n"
    report.save(tmp_path / "r.csv")
    with open(tmp_path / "r.csv", newline="") as file:
        assert [row["label"] for row in csv.DictReader(file)] == [
            "0",
            "1",
            "2",
            "3",
            "accuracy",
            "macro",
            "weighted",
        ]


def test_what_is_no_evaluation_of_classes_is_refused():
    amounts = tm.evaluate(truth=[1.5, 2.5, 3.0], predicted=[1.0, 2.0, 3.0], regression=True)
    with refuses("unsupported", "classification_report", argument="evaluation"):
        tm.classification_report(amounts)
    with refuses("invalid-value", "truth=y", "score=p", argument="evaluation"):
        tm.classification_report([0, 1])
    for call in (  # as in scikit-learn
        lambda: tm.classification_report([0, 1], [0, 1]),
        lambda: tm.classification_report(y_true=[0, 1], y_pred=[0, 1]),
    ):
        with refuses("needed", "truth=y", "predicted=", argument="evaluation"):
            call()
    with refuses("invalid-value", argument="digits"):
        tm.classification_report(tm.evaluate(truth=TWO, predicted=TWO), digits=0)


@pytest.mark.full
def test_as_latex_it_has_a_column_per_measure_and_fits_an_article():
    truth = np.array(["ant", "bee", "cow"])[np.arange(90) % 3]
    report = tm.classification_report(tm.evaluate(truth=truth, predicted=np.roll(np.sort(truth), 5)))
    written = report.to_latex()
    assert "class & precision & recall & f1-score & support" in written
    assert "\\tiny" not in written
    found = report.rows[0].estimates["precision"]
    assert f"{found.value:.2f}" in written
