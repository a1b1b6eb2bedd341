"""Weights by class: those of each case computed by hand, in every form of input and for every task."""

import json

import numpy as np
import pandas
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main

pytestmark = pytest.mark.full

RANDOM = np.random.default_rng(5)
N = 120
TRUTH = (np.arange(N) % 5 == 0).astype(int)
SCORE = np.round(np.clip(0.3 * TRUTH + 0.7 * RANDOM.random(N), 0, 1), 2)
CLASSES = np.array(["a", "b", "b", "c", "c", "c"])[np.arange(N) % 6]
GROUP = np.array(["one", "two"])[np.arange(N) // 30 % 2]
PER_CLASS = RANDOM.dirichlet([1, 1, 1], N)
BALANCED = {1: N / 2 / (N / 5), 0: N / 2 / (4 * N / 5)}  # n / (K n_k)
OF_CLASSES = {"a": 2, "b": 1, "c": 2 / 3}
FORMS = {
    "scores": {"truth": TRUTH, "score": SCORE},
    "labels": {"truth": TRUTH, "predicted": (SCORE > 0.4).astype(int)},
    "a score per class": {"truth": CLASSES, "score": PER_CLASS},
    "labels of many": {"truth": CLASSES, "predicted": np.roll(CLASSES, 1)},
    "clusters": {"truth": TRUTH, "score": SCORE, "clusters": np.arange(N) // 4},
    "models": {"truth": TRUTH, "score": {"one": SCORE, "other": 1 - SCORE}},
    "groups": {"truth": TRUTH, "score": SCORE, "by": GROUP},
    "folds": {"truth": TRUTH, "score": SCORE, "fold": GROUP},
}


@for_each("form", FORMS)
def test_the_weights_of_each_case(form):
    given = FORMS[form]
    weights = OF_CLASSES if given["truth"] is CLASSES else BALANCED
    by_hand = np.array([weights[label] for label in given["truth"].tolist()])
    wanted = tm.evaluate(**given, weight=by_hand, weight_kind="importance").to_dict()
    assert tm.evaluate(**given, class_weight="balanced").to_dict() == wanted
    assert tm.evaluate(**given, class_weight=weights).to_dict() == wanted


def test_balanced_is_a_weight_of_npr_for_each_positive():
    """QuData: with npr = 1 the accuracy is the mean of tpr and tnr, and precision tpr / (tpr + 1 - tnr)."""
    plain, balanced = (tm.evaluate(**FORMS["labels"], class_weight=one) for one in (None, "balanced"))
    npr = plain["npr"].value
    assert npr == 4
    tpr, tnr = plain["sensitivity"].value, plain["specificity"].value
    for found in (balanced, tm.evaluate(**FORMS["labels"], class_weight={0: 1, 1: npr})):
        assert found["accuracy"].value == pytest.approx((tpr + tnr) / 2)
        assert found["precision"].value == pytest.approx(tpr / (tpr + 1 - tnr))
        at = tm.at_prevalence(plain, npr=1)
        assert all(found[name].value == pytest.approx(at[name].value) for name in ("f1", "cohen_kappa"))
        for name in ("sensitivity", "specificity"):
            assert found[name].low == pytest.approx(plain[name].low, rel=1e-9)
            assert found[name].high == pytest.approx(plain[name].high, rel=1e-9)


def test_balanced_weights_are_those_of_scikit_learn():
    weights = pytest.importorskip("sklearn.utils.class_weight").compute_sample_weight("balanced", CLASSES)
    found = tm.evaluate(**FORMS["labels of many"], class_weight="balanced")
    wanted = tm.evaluate(**FORMS["labels of many"], weight=weights, weight_kind="importance")
    assert found["accuracy"].value == pytest.approx(wanted["accuracy"].value)
    assert found["accuracy"].low == pytest.approx(wanted["accuracy"].low)


def test_frames_and_files_and_cases_that_are_left_out(tmp_path):
    frame = pandas.DataFrame({"y": TRUTH, "p": SCORE})
    frame.loc[frame.index[:40], "p"] = np.nan
    frame.to_csv(tmp_path / "c.csv", index=False)
    frame.to_parquet(tmp_path / "c.parquet")
    kept = {"truth": TRUTH[40:], "score": SCORE[40:]}
    wanted = tm.evaluate(**kept, class_weight="balanced")
    columns = {"truth": "y", "score": "p", "missing": "drop", "class_weight": "balanced"}
    for data in (frame, str(tmp_path / "c.csv"), str(tmp_path / "c.parquet")):
        found = tm.evaluate(data, **columns)
        assert dict(found.estimates) == dict(wanted.estimates)
    with refuses("missing-value", "missing", argument="score"):
        tm.evaluate(frame, truth="y", score="p", class_weight="balanced")


@for_each(
    ("more", "said"),
    [
        ({"class_weight": "npr"}, "'npr' is not understood; give 'balanced', or a number for each class"),
        ({"class_weight": 3}, "3 is not understood"),
        ({"class_weight": {0: 1}}, "the class 1 has no weight"),
        ({"class_weight": {0: 1, 1: 2, 2: 3}}, "2 is not a class; there are 0, 1"),
        ({"class_weight": {0: 1, 1: 0}}, "give a finite number above 0 for 1"),
        ({"class_weight": {0: 1, 1: -2}}, "-2"),
        ({"class_weight": "balanced", "weight": SCORE}, "weight= is given, too"),
        ({"class_weight": "balanced", "weight_kind": "count"}, "weight_kind= is given, too"),
        ({"class_weight": "balanced", "truth": None}, "the actual labels are missing"),
    ],
)
def test_what_is_refused(more, said):
    with pytest.raises(tm.InputError) as refused:
        tm.evaluate(**{**FORMS["scores"], **more})
    assert said in str(refused.value)


def test_data_without_classes_are_refused():
    with refuses("conflict", "regression=", argument="class_weight"):
        tm.evaluate(truth=SCORE, predicted=SCORE, regression=True, class_weight="balanced")
    with refuses("unsupported", argument="class_weight"):
        tm.evaluate(counts=tm.Counts(tp=1, fp=1, fn=1, tn=1), class_weight="balanced")
    several = np.stack([TRUTH, 1 - TRUTH], axis=1)
    with refuses("unsupported", argument="class_weight"):
        tm.evaluate(truth=several, predicted=several, class_weight="balanced")


def test_the_option(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = ["y,p", *(f"{y},{p}" for y, p in zip(TRUTH, SCORE, strict=True))]
    (tmp_path / "c.csv").write_text("\n".join(rows))
    call = ["evaluate", "c.csv", "--truth", "y", "--score", "p", "--json"]
    for written, given in (
        (["balanced"], "balanced"),
        (["0=1", "1=2.5"], {0: 1, 1: 2.5}),
    ):
        assert main([*call, *(word for one in written for word in ("--class-weight", one))]) == 0
        wanted = tm.evaluate("c.csv", truth="y", score="p", class_weight=given).to_dict()
        assert json.loads(capsys.readouterr().out) == wanted
    for wrong, said in (
        ("0=x", "write LABEL=WEIGHT"),
        ("0=1", "the class 1 has no weight"),
        ("npr", "balanced"),
    ):
        assert main([*call, "--class-weight", wrong]) == 2
        assert said in capsys.readouterr().err
