"""Two columns of probabilities, as predict_proba gives them: the same as the column of the positive class
alone."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from looping import for_each, in_part
from refusals import refuses
from same import same_evaluation

import tallymark as tm
from tallymark.cli import main

N = 120
RNG = np.random.default_rng(8)
Y = RNG.integers(0, 2, N)
P = np.round(np.clip(0.35 * Y + 0.65 * RNG.random(N), 0, 1), 3)
TEXT = np.where(Y == 1, "ill", "well")
BOTH = np.c_[1 - P, P]
CLUSTERS = np.arange(N) // 4
FRAME = {
    "y": Y,
    "text": TEXT,
    "prob_0": 1 - P,
    "prob_1": P,
    "well": 1 - P,
    "ill": P,
    "g": CLUSTERS,
    "id": np.arange(N),
    "w": RNG.uniform(0.5, 2, N),
}
SEVERAL = {"y": Y, "q": P**2, **FRAME}
OF_TEXT = {"truth": "text", "positive": "ill"}


def same(one, other):
    """Bit for bit."""
    if isinstance(one, tm.Evaluation):
        same_evaluation(one, other)
    else:
        assert one.to_dict() == other.to_dict()


# The score is that of the positive class
# --------------------------------------------------------------------------------------------------

ARRAYS = {  # truth and more, two columns
    "0 and 1": ({"truth": Y}, BOTH),
    "booleans": ({"truth": Y == 1}, BOTH),
    "-1 and 1": ({"truth": 2 * Y - 1}, BOTH),
    "0 is positive": ({"truth": Y, "positive": 0}, BOTH[:, ::-1]),
    "text, sorted": ({"truth": TEXT, "positive": "ill"}, BOTH[:, ::-1]),
    "text, in the order of classes": ({"truth": TEXT, "positive": "ill", "classes": ["well", "ill"]}, BOTH),
    "a list of rows": ({"truth": Y.tolist()}, BOTH.tolist()),
    "float32": ({"truth": Y}, BOTH.astype(np.float32)),
    "one class only": ({"truth": np.ones(N, int)}, BOTH),
    "a frame in another order": ({"truth": TEXT, "positive": "ill"}, pd.DataFrame({"ill": P, "well": 1 - P})),
    "a frame of two affixes": ({"truth": Y}, pl.DataFrame({"p_1_hat": P, "p_0_hat": 1 - P})),
    "classes and names": ({"truth": Y, "classes": [1, 0]}, pd.DataFrame({"yes": P, "no": 1 - P})),
}


@for_each("name", ARRAYS)
def test_arrays(name):
    given, both = ARRAYS[name]
    alone = P.astype(np.float32) if name == "float32" else P
    same(tm.evaluate(**given, score=both), tm.evaluate(**{**given, "classes": None}, score=alone))


@for_each("order", [["prob_0", "prob_1"], ["prob_1", "prob_0"]], ids=["in order", "unordered"])
def test_columns_are_matched_by_name(order):
    same(tm.evaluate(FRAME, truth="y", score=order), tm.evaluate(FRAME, truth="y", score="prob_1"))
    flipped = tm.evaluate(FRAME, truth="y", score=order, positive=0)
    same(flipped, tm.evaluate(FRAME, truth="y", score="prob_0", positive=0))


@for_each("order", [["ill", "well"], ["well", "ill"]], ids=["in order", "unordered"])
def test_columns_with_the_names_of_text_labels(order):
    for make in (dict, pd.DataFrame, pl.DataFrame):
        same(
            tm.evaluate(make(FRAME), **OF_TEXT, score=order), tm.evaluate(make(FRAME), **OF_TEXT, score="ill")
        )


def test_files_in_many_batches(tmp_path):
    whole, parts = tmp_path / "whole.csv", [tmp_path / f"part{i}.csv" for i in range(3)]
    frame = pd.DataFrame(FRAME).sort_values("y")  # the first file holds one class only
    frame.to_csv(whole, index=False)
    for path, rows in zip(parts, np.array_split(np.arange(N), 3), strict=True):
        frame.iloc[rows].to_csv(path, index=False)
    assert set(frame.y[: N // 3]) == {0}
    for source in (str(whole), [str(path) for path in parts]):
        for order in (["prob_1", "prob_0"], ["prob_0", "prob_1"]):
            same(tm.evaluate(source, truth="y", score=order), tm.evaluate(source, truth="y", score="prob_1"))
            one = tm.evaluate(source, **OF_TEXT, score=["ill", "well"], weight="w")
            same(one, tm.evaluate(source, **OF_TEXT, score="ill", weight="w"))


def test_missing_values_are_dropped_or_counted(tmp_path):
    lost = {**FRAME, "prob_0": np.where(np.arange(N) < 3, np.nan, 1 - P)}
    with refuses("missing-value", "'prob_0'", "row 0", argument="score 1"):
        tm.evaluate(lost, truth="y", score=["prob_0", "prob_1"])
    path = tmp_path / "lost.csv"
    pd.DataFrame(lost).to_csv(path, index=False)
    with refuses("missing-value", "'prob_0'", "line 2", argument="score 2"):
        tm.evaluate(path, truth="y", score=["prob_1", "prob_0"])
    found = tm.evaluate(lost, truth="y", score=["prob_0", "prob_1"], missing="drop")
    assert found.data.dropped == 3
    assert found["roc_auc"] == tm.evaluate(truth=Y[3:], score=P[3:])["roc_auc"]


def test_rows_of_weight_0_need_not_add_up():
    weight, both = np.ones(N), BOTH.copy()
    weight[5], both[5] = 0, 0.9
    same(
        tm.evaluate(truth=Y, score=both, weight=weight), tm.evaluate(truth=Y, score=both[:, 1], weight=weight)
    )


# Every entry point
# --------------------------------------------------------------------------------------------------

VERBS = {
    "clusters": lambda d, score: tm.evaluate(d, truth="y", score=score, clusters="g"),
    "bootstrap": lambda d, score: tm.bootstrap(d, truth="y", score=score, replicates=50),
    "compare": lambda d, score: tm.compare(d, truth="y", score={"a": score, "b": "w"}, replicates=100),
    "calibration": lambda d, score: tm.calibration(d, truth="y", score=score),
    "choose_threshold": lambda d, score: tm.choose_threshold(d, truth="y", score=score, replicates=50),
    "biometric": lambda d, score: tm.biometric(d, truth="y", score=score),
    "check": lambda d, score: tm.check(d, truth="y", score=score, require="roc_auc.low >= 0.1"),
    "check, baseline": lambda d, score: tm.check(
        d, truth="y", score=score, baseline_score="w", no_worse_than=0.5, measures="roc_auc"
    ),
    "check, new and old": lambda d, score: tm.check(
        d, truth="y", score="w", baseline_score=score, no_worse_than=0.5, measures="roc_auc"
    ),
    "check, pairs": lambda d, score: tm.check(
        d,
        truth="y",
        score=score,
        baseline=dict(d),
        baseline_score="w",
        pair_by="id",
        no_worse_than=0.5,
        measures="roc_auc",
    ),
    "check, the baseline on other cases": lambda d, score: tm.check(
        d,
        truth="y",
        score="w",
        baseline=dict(d),
        baseline_score=score,
        paired=False,
        no_worse_than=0.5,
        measures="roc_auc",
    ),
    "unscored": lambda d, score: tm.unscored(d, truth="y", score=score, share=0.1),
    "at_prevalence": lambda d, score: tm.at_prevalence(
        tm.evaluate(d, truth="y", score=score), prevalence=0.1
    ),
    "advise": lambda d, score: tm.advise(d, truth="y", score=score),
}


@pytest.mark.full
@for_each("verb", VERBS)
def test_every_verb_takes_two_columns(verb):
    run = VERBS[verb]
    same(run(FRAME, ["prob_1", "prob_0"]), run(FRAME, "prob_1"))


def test_measures_of_arrays():
    frame = pd.DataFrame({"ill": P, "well": 1 - P})
    for name, more in {
        "roc_auc": {},
        "brier_score": {},
        "log_loss": {"base": 2},
        "f1": {"threshold": 0.4},
    }.items():
        measure = getattr(tm.measures, name)
        assert measure(truth=Y, score=BOTH, **more) == measure(truth=Y, score=P, **more)
        assert measure(truth=TEXT, score=frame, positive="ill", **more) == measure(truth=Y, score=P, **more)
    named = tm.measures.roc_auc(truth=TEXT, score=BOTH, positive="ill", classes=["well", "ill"])
    assert named == tm.measures.roc_auc(truth=Y, score=P)


def test_summaries_of_arrays():
    both, single = (tm.RankingTable.from_arrays(truth=Y, score=score) for score in (BOTH, P))
    assert np.array_equal(both.score, single.score)
    assert np.array_equal(both.positive, single.positive)


@in_part(3)
@for_each("command", ["evaluate", "bootstrap", "calibration", "threshold", "advise"])
def test_the_command_line_repeats_score(command, tmp_path, capsys):
    path = tmp_path / "cases.csv"
    pd.DataFrame(FRAME).to_csv(path, index=False)
    more = ["--replicates", "50"] if command in ("bootstrap", "threshold") else []
    answers = []
    for scores in (["ill", "well"], ["ill"]):
        given = [part for name in scores for part in ("--score", name)]
        assert (
            main([command, str(path), "--truth", "text", "--positive", "ill", *given, *more, "--json"]) == 0
        )
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]


def test_classes_name_the_columns_of_both_models_of_a_check():
    columns = {"yes": P, "no": 1 - P, "old yes": P**2, "old no": 1 - P**2, "y": Y}
    asked = {"truth": "y", "no_worse_than": 0.5, "measures": "roc_auc"}
    found = tm.check(
        columns, score=["yes", "no"], baseline_score=["old yes", "old no"], classes=[1, 0], **asked
    )
    same(found, tm.check(columns, score="yes", baseline_score="old yes", **asked))
    same(
        found,
        tm.check(
            columns,
            score={"new": ["yes", "no"]},
            baseline_score={"old": ["old yes", "old no"]},
            classes=[1, 0],
            **asked,
        ),
    )
    same(found, tm.check(columns, score=["yes", "no"], baseline_score="old yes", classes=[1, 0], **asked))
    with refuses("conflict", "baseline_score"):
        tm.check(columns, score="yes", baseline_score={"a": "yes", "b": "no"}, **asked)


# What is refused
# --------------------------------------------------------------------------------------------------

WRONG = P.copy()
WRONG[7] += 0.25
REFUSED = {  # what is given, and what the refusal holds
    "a wrong sum": (
        {"truth": Y, "score": np.c_[1 - P, WRONG]},
        f"score: in row 7 (counted from 0) the two columns hold {1 - P[7]:.10g} and {WRONG[7]:.10g}, "
        "not the probabilities of two classes, which add up to 1; pass the column of the positive class "
        "alone, as score[:, 1].",
    ),
    "a wrong sum in a frame": (
        {"data": {**FRAME, "prob_1": WRONG}, "truth": "y", "score": ["prob_1", "prob_0"]},
        "pass the column of the positive class alone, as score='prob_1'.",
    ),
    "a wrong sum of a model": (
        {"data": {**FRAME, "prob_1": WRONG}, "truth": "y", "score": {"svm": ["prob_1", "prob_0"], "b": "w"}},
        "score svm: in row 7 (counted from 0) the two columns hold",
    ),
    "outside of 0 to 1": ({"truth": Y, "score": np.c_[-P, 1 + P]}, "not the probabilities of two classes"),
    "logits": ({"truth": Y, "score": BOTH, "score_kind": "logit"},
        "score_kind: two columns, one per class, are probabilities"),
    "turned": ({"truth": Y, "score": BOTH, "higher_is_positive": False},
        "higher_is_positive: of two columns each"),
    "no positive label": ({"truth": TEXT, "score": BOTH}, "pass positive='ill' or positive='well'"),
    "no positive number": ({"truth": Y + 1, "score": BOTH}, "pass positive=1 or positive=2"),
    "another positive label": ({"truth": TEXT, "score": BOTH, "positive": "il"},
        "the positive label 'il' does not occur"),
    "a positive label of no class": (
        {"truth": Y, "score": BOTH, "positive": 3},
        "positive: 3 is none of the classes of the two columns (0, 1)"
    ),
    "three classes": ({"truth": np.arange(N) % 3, "score": BOTH},
        "score has 2 columns, one per class, but there are 3 classes"),
    "three classes by name": (
        {"data": {**FRAME, "text": np.where(Y == 1, "ill", np.where(CLUSTERS % 2, "well", "dead"))},
        **OF_TEXT,
         "score": ["ill", "well"]},
        "the class 'dead' has no column",
    ),
    "columns of no class": ({"data": FRAME, **OF_TEXT, "score": ["prob_0", "prob_1"]}, "none of the labels"),
    "one column twice": ({"data": FRAME, "truth": "y", "score": ["prob_1", "prob_1"]},
        "'prob_1' is named twice"),
    "an unknown column": ({"data": FRAME, "truth": "y", "score": ["prob_1", "prob_2"]},
        "score 2: the data has no column 'prob_2'"),
    "three classes of one column": ({"truth": Y, "score": P, "classes": [0, 1, 2]},
        "3 classes (0, 1, 2) where two"),
    "classes of other labels": ({"truth": Y, "score": BOTH, "classes": [0, 2], "positive": 2},
        "1 is not one of the classes in classes= (0, 2)"),
}  # fmt: skip


@for_each("name", REFUSED)
def test_what_is_refused(name):
    given, text = REFUSED[name]
    function = tm.compare if isinstance(given["score"], dict) else tm.evaluate
    data = [given["data"]] if "data" in given else []
    with pytest.raises(tm.InputError) as refused:
        function(*data, **{name: value for name, value in given.items() if name != "data"})
    assert text in str(refused.value)


@for_each("decimals", [1, 2, 3])
def test_rounding_is_no_error(decimals):
    one, unit = np.round(P / 3, decimals), 10.0**-decimals
    both = np.c_[np.round(1 - one - unit * (np.arange(N) % 2), decimals), one]
    assert np.abs(both.sum(axis=1) - 1).max() > 0.9 * unit
    if decimals == 1:  # with a single decimal numbers that add up to 0.9 may be anything
        with refuses("invalid-value", argument="score"):
            tm.evaluate(truth=Y, score=both)
    else:
        same(tm.evaluate(truth=Y, score=both), tm.evaluate(truth=Y, score=both[:, 1]))
