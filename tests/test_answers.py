"""Predicted labels in other words than the truth, and answers that are no class."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from refusals import refuses
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef, precision_score

import tallymark as tm

rng = np.random.default_rng(7)
N = 600
CLASSES = np.array(["billing", "bug", "other", "sales"])
TRUTH = CLASSES[rng.integers(0, 4, N)]
NO_CLASS = ["unparseable", "ERROR", ""]


def answers(right, none=0.07):
    found = np.where(rng.random(N) < right, TRUTH, CLASSES[rng.integers(0, 4, N)])
    return np.where(rng.random(N) < none, rng.choice(NO_CLASS, N), found)


FIRST, SECOND = answers(0.85), answers(0.7)
MARK = {"not_an_answer": NO_CLASS}
SICK = rng.random(N) < 0.3
REF = np.where(SICK, "malignant", "benign")
CALLED = (rng.random(N) < 0.85) == SICK
NONE = rng.random(N) < 0.1
TEST = np.where(NONE, "indeterminate", np.where(CALLED, "positive", "negative"))
WORDS = {"positive": "malignant", "predicted_positive": "positive", "not_an_answer": ["indeterminate"]}
PATIENT = rng.integers(0, 150, N)
# a case without a result is a false negative if it is sick, else a false positive
WORST = np.where(NONE, ~SICK, CALLED)
CELLS = {
    "tp": int((SICK & WORST).sum()),
    "fp": int((~SICK & WORST).sum()),
    "fn": int((SICK & ~WORST).sum()),
    "tn": int((~SICK & ~WORST).sum()),
}


def test_answers_that_are_no_class_are_wrong_and_no_class_of_their_own():
    ev = tm.evaluate(truth=TRUTH, predicted=FIRST, **MARK)
    four = {"labels": list(CLASSES)}
    for name, function in (("f1", f1_score), ("precision", precision_score)):
        for average in ("macro", "micro", "weighted"):
            right = function(TRUTH, FIRST, average=average, **four)
            found = ev.averages[average][name]
            assert found.value == pytest.approx(right, rel=1e-12)
            assert found.low < right < found.high
    assert list(ev.classes) == list(CLASSES)
    assert ev["accuracy"].value == pytest.approx(accuracy_score(TRUTH, FIRST), rel=1e-12)
    one = np.where(np.isin(FIRST, NO_CLASS), "none", FIRST)
    assert ev["cohen_kappa"].value == pytest.approx(cohen_kappa_score(TRUTH, one), rel=1e-12)
    assert ev["matthews_correlation"].value == pytest.approx(matthews_corrcoef(TRUTH, one), rel=1e-12)
    assert ev.unanswered.value == np.isin(FIRST, NO_CLASS).mean()
    assert ev.unanswered.low == pytest.approx(tm.evaluate(counts=tm.Counts(
        tp=int(np.isin(FIRST, NO_CLASS).sum()), fn=int((~np.isin(FIRST, NO_CLASS)).sum()), fp=0, tn=0,
    ))["sensitivity"].low)  # fmt: skip
    assert "quadratic_weighted_kappa" not in ev


def test_the_matrix_has_a_column_of_them_and_adds_up():
    halves = [slice(None, 250), slice(250, None)]
    whole = tm.ConfusionMatrix.from_arrays(truth=TRUTH, predicted=FIRST, **MARK)
    parts = [tm.ConfusionMatrix.from_arrays(truth=TRUTH[h], predicted=FIRST[h], **MARK) for h in halves]
    assert parts[0] + parts[1] == whole
    assert whole.labels == tuple(CLASSES)
    assert whole.weights.shape == (5, 5)
    assert whole.unanswered.sum() == np.isin(FIRST, NO_CLASS).sum()
    assert tm.ConfusionMatrix.from_dict(json.loads(json.dumps(whole.to_dict()))) == whole
    assert "(no answer)" in str(whole)
    without = tm.ConfusionMatrix.from_arrays(truth=TRUTH, predicted=TRUTH)
    assert (without + whole).unanswered.sum() == whole.unanswered.sum()


@pytest.mark.parametrize("weights", [None, rng.integers(1, 4, N), rng.random(N) + 0.5], ids=str)
def test_two_classes_in_other_words_and_indeterminate_results(weights):
    given = {"weight": weights, "weight_kind": None if weights is None else "importance"}
    expected = tm.evaluate(truth=SICK, predicted=WORST, **given)
    found = tm.evaluate(truth=REF, predicted=TEST, **WORDS, **given)
    assert found.labels == ("benign", "malignant")
    for name in ("sensitivity", "specificity", "precision", "accuracy", "f1"):
        for part in ("value", "low", "high"):
            assert getattr(found[name], part) == pytest.approx(getattr(expected[name], part), rel=1e-9)
    w = np.ones(N) if weights is None else weights
    assert found.unanswered.value == pytest.approx(w @ NONE / w.sum())


def test_the_same_cells_through_every_way_in(tmp_path):
    frame = pd.DataFrame({"t": REF, "p": TEST, "c": PATIENT})
    for name, write in (("x.csv", frame.to_csv), ("x.parquet", frame.to_parquet)):
        write(tmp_path / name, index=False)
    frame.to_json(tmp_path / "x.jsonl", orient="records", lines=True)
    named = {"truth": "t", "predicted": "p", **WORDS}
    ways = [frame, *(tmp_path / f"x.{kind}" for kind in ("csv", "parquet", "jsonl"))]
    for data in ways:
        assert tm.evaluate(data, **named).counts == tm.Counts(**CELLS), data
    clustered = tm.evaluate(frame, **named, clusters="c")
    assert clustered.counts == tm.Counts(**CELLS)
    expected = tm.evaluate(truth=SICK, predicted=WORST, clusters=PATIENT)
    assert clustered["sensitivity"].low == expected["sensitivity"].low
    share = tm.evaluate(truth=SICK, predicted=NONE, clusters=PATIENT)["predicted_prevalence"]
    assert (clustered.unanswered.low, clustered.unanswered.high) == (share.low, share.high)
    assert tm.measures.sensitivity(truth=REF, predicted=TEST, **WORDS) == CELLS["tp"] / SICK.sum()
    assert tm.Counts.from_arrays(truth=REF, predicted=TEST, **WORDS) == tm.Counts(**CELLS)
    groups = tm.evaluate(frame, **named, by="c")
    assert sum((e.counts for e in groups.values()), tm.Counts.zero()) == tm.Counts(**CELLS)


def test_compare_counts_them_as_wrong():
    two = np.where(NONE[::-1], "indeterminate", np.where(SICK, "positive", "negative"))
    worst = np.where(NONE[::-1], ~SICK, SICK)
    named = {"measures": ["accuracy", "sensitivity"]}
    for clusters in (None, PATIENT):
        found = tm.compare(truth=REF, predicted={"a": TEST, "b": two}, clusters=clusters, **named, **WORDS)
        expected = tm.compare(truth=SICK, predicted={"a": WORST, "b": worst}, clusters=clusters, **named)
        for one, other in zip(found.differences, expected.differences, strict=True):
            assert (one.value, one.estimate.low, one.estimate.high) == pytest.approx(
                (other.value, other.estimate.low, other.estimate.high)
            )
    many = tm.compare(truth=TRUTH, predicted={"a": FIRST, "b": SECOND}, measures="accuracy", **MARK)
    assert many.differences[0].value == pytest.approx((SECOND == TRUTH).mean() - (FIRST == TRUTH).mean())


def test_no_verb_fails_on_them(tmp_path):
    ev = tm.evaluate(truth=TRUTH, predicted=FIRST, **MARK)
    for name in ("html", "json", "md", "tex"):
        ev.save(tmp_path / f"x.{name}")
    assert "(no answer)" in (tmp_path / "x.html").read_text()
    assert "no-answer" in str(tm.load(tmp_path / "x.json"))
    assert str(ev.all)
    assert str(tm.advise(ev))
    assert str(tm.no_information_test(ev))
    for more in ({"weight": np.linspace(0.5, 1.5, N)}, {"design": "case-control"}, {"clusters": PATIENT}):
        found = tm.compare(truth=TRUTH, predicted={"a": FIRST, "b": SECOND}, **MARK, **more)
        assert all(np.isfinite(one.estimate.low) for one in found.differences)
    margin = {"baseline_score": SECOND, "no_worse_than": 0.05, "measures": "accuracy"}
    assert tm.check(truth=TRUTH, predicted=FIRST, **margin, **MARK)


@pytest.mark.full
def test_check_and_the_command_line(tmp_path):
    frame = pd.DataFrame({"t": REF, "p": TEST})
    frame.to_csv(tmp_path / "x.csv", index=False)
    verdict = tm.check(frame, truth="t", predicted="p", **WORDS, require="sensitivity >= 0.5")
    assert verdict.findings[0].estimate.value == CELLS["tp"] / SICK.sum()
    command = [
        sys.executable,
        "-m",
        "tallymark",
        "evaluate",
        "x.csv",
        "--truth",
        "t",
        "--predicted",
        "p",
        "--json",
    ]
    words = [
        "--positive",
        "malignant",
        "--predicted-positive",
        "positive",
        "--not-an-answer",
        "indeterminate",
    ]
    done = subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["counts"] == CELLS
    assert answer["unanswered"]["value"] == NONE.mean()
    assert "no-answer" in {notice["code"] for notice in answer["notices"]}


def test_they_are_read_before_missing_values(tmp_path):
    frame = pd.DataFrame({"t": ["a", "a", "b", "b", "a"], "p": ["a", None, "b", "", "NA"]})
    frame.to_csv(tmp_path / "x.csv", index=False)
    with refuses("missing-value", "missing", argument="predicted"):
        tm.evaluate(tmp_path / "x.csv", truth="t", predicted="p", positive="a")
    ev = tm.evaluate(tmp_path / "x.csv", truth="t", predicted="p", positive="a", not_an_answer=["", "NA"])
    assert ev.counts == tm.Counts(tp=1, fn=2, fp=1, tn=1)
    with refuses("missing-value", argument="predicted"):
        tm.evaluate(tmp_path / "x.csv", truth="t", predicted="p", positive="a", not_an_answer=[""])
    ev = tm.evaluate(truth=[1, 0, 1, 0], predicted=[1, "ERROR", None, 0], not_an_answer=["ERROR", None])
    assert ev.counts == tm.Counts(tp=1, fn=1, fp=1, tn=1)
    ev = tm.evaluate(truth=[1, 0, 1, 0], predicted=np.array([1, -9, np.nan, 0]), not_an_answer=[-9, ""])
    assert ev.counts == tm.Counts(tp=1, fn=1, fp=1, tn=1)
    ratings = pd.DataFrame({"t": [1, 0, 1, 0], "p": ["1", "ERROR", "0", "0"]})
    ratings.to_csv(tmp_path / "y.csv", index=False)  # the labels stay numbers
    ev = tm.evaluate(tmp_path / "y.csv", truth="t", predicted="p", not_an_answer="ERROR")
    assert ev.counts == tm.Counts(tp=1, fn=1, fp=1, tn=1)


def test_errors_name_the_options():
    given = {"truth": REF, "positive": "malignant"}
    plain = np.where(CALLED, "positive", "negative")
    for more in ({}, {"clusters": PATIENT}):
        with refuses("labels", "predicted_positive='positive'", argument="predicted_positive"):
            tm.evaluate(predicted=plain, **given, **more)
        with refuses("labels", "not_an_answer", argument="positive"):
            tm.evaluate(predicted=np.where(NONE, "ERROR", np.where(CALLED, REF, "benign")), **given, **more)
        with refuses("labels", "not_an_answer", argument="predicted"):
            tm.evaluate(predicted=TEST, predicted_positive="positive", **given, **more)
    with refuses("labels", "predicted_positive"):
        tm.measures.f1(predicted=plain, **given)
    with refuses("unknown-name", "not_an_answer", argument="truth, predicted"):
        tm.evaluate(truth=TRUTH, predicted=np.where(FIRST == "", "ERROR", FIRST), classes=list(CLASSES))
    with refuses("unknown-name", "'Positive'", argument="predicted_positive"):
        tm.evaluate(predicted=plain, predicted_positive="Positive", **given)
    for name in ("predicted_positive", "not_an_answer"):
        with pytest.raises(tm.InputError, match=f"{name}: .*predicted"):
            tm.evaluate(truth=SICK, score=SICK * 1.0, **{name: "x"})
    with refuses("invalid-value", argument="not_an_answer"):
        tm.evaluate(predicted=plain, **given, not_an_answer=3)


def test_predicted_words_for_numbers_and_one_class(tmp_path):
    frame = pd.DataFrame({"t": SICK.astype(int), "p": np.where(CALLED, "yes", "no")})
    frame.to_csv(tmp_path / "x.csv", index=False)
    for data in (frame, tmp_path / "x.csv"):
        ev = tm.evaluate(data, truth="t", predicted="p", predicted_positive="yes")
        assert ev.labels == (0, 1)
        assert ev["accuracy"].value == (CALLED == SICK).mean()
    one = tm.evaluate(truth=["m", "m"], predicted=["+", "-"], positive="m", predicted_positive="+")
    assert one.counts == tm.Counts(tp=1, fp=0, fn=1, tn=0)


def test_dropping_cases_without_a_prediction_is_said_to_be_biased():
    predicted = np.where(NONE, None, TEST)
    ev = tm.evaluate(
        truth=REF, predicted=predicted, positive="malignant", predicted_positive="positive", missing="drop"
    )
    text = next(notice.text for notice in ev.notices if notice.code == "rows-dropped")
    assert "biased upwards" in text
    assert str(NONE.sum()) in text


def test_text_and_numbers_name_the_option():
    with refuses("labels", "predicted_positive="):
        tm.evaluate(truth=["m", "b"], predicted=[1, 0], positive="m")
    ev = tm.evaluate(truth=["m", "b"], predicted=[1, 0], positive="m", predicted_positive=1)
    assert ev["accuracy"].value == 1
