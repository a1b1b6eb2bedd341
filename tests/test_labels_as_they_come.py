"""Labels as files, frames and arrays hold them: codes, words, missing values, absent classes, orders."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark import InputError, evaluate
from tallymark.cli import main


@pytest.fixture
def csv(tmp_path):
    def write(*lines, name="cases.csv"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    return write


def codes(result):
    return {notice.code for notice in result.notices}


# Codes in text files
# --------------------------------------------------------------------------------------------------


def test_two_codes_of_one_value_are_two_labels(csv):
    rows = ["345.1,345.10", "345.10,345.1", "345.2,345.2", "345.20,345.2", "780.3,780.3"]
    found = evaluate(csv("t,p", *rows * 3), truth="t", predicted="p")
    assert found["accuracy"].value == pytest.approx(0.4)
    assert found.matrix.labels == ("345.1", "345.10", "345.2", "345.20", "780.3")


@for_each(
    ("texts", "labels"),
    [
        (["1E2", "100", "10E1"], ("100", "10E1", "1E2")),
        (["1", "1.0", "2", "+2", "3.00"], (1.0, 2.0, 3.0)),
        (["1.5", "2.5", "1.50"], ("1.5", "1.50", "2.5")),
        (["1.5", "2.5", "3"], (1.5, 2.5, 3.0)),
        (["32E0134", "7", "8"], ("32E0134", "7", "8")),
        (["7", "007", "8"], ("007", "7", "8")),
    ],
)
def test_a_column_is_numbers_only_where_that_merges_no_codes(tmp_path, texts, labels):
    path = tmp_path / "c.csv"
    path.write_text("t,p\n" + "".join(f"{one},{one}\n" for one in texts * 3), encoding="utf-8")
    assert evaluate(str(path), truth="t", predicted="p").matrix.labels == labels


def test_codes_of_one_value_in_another_part_of_the_file(csv, monkeypatch):
    from tallymark.input import sources

    monkeypatch.setattr(sources, "BATCH_ROWS", 4)
    found = evaluate(csv("t,p", *["1.5,1.5", "2.5,2.5"] * 6, "1.50,1.5"), truth="t", predicted="p")
    assert found.matrix.labels == ("1.5", "1.50", "2.5")


def test_groups_and_clusters_of_a_file_are_text_in_natural_order(csv):
    groups = ["1E2", "100", "10E1", "10", "9", "2.0", "2"]
    rows = [f"{group},{i % 2},{(i * 7) % 10}" for i, group in enumerate(groups * 4)]
    found = evaluate(csv("g,y,s", *rows), truth="y", score="s", by="g")
    assert list(found) == ["1E2", "2", "2.0", "9", "10", "10E1", "100"]
    visits = [f"1.{visit}" for visit in (1, 2, 10)]
    rows = [f"{visit},{i % 2},{(i * 7) % 10}" for i, visit in enumerate(visits * 8)]
    path = csv("g,y,s", *rows, name="v.csv")
    assert list(evaluate(path, truth="y", score="s", fold="g")) == visits
    clustered = evaluate(path, truth="y", score="s", clusters="g")
    assert "3 clusters" in str(clustered)
    words = [f"{word},{i % 2},{(i * 7) % 10}" for i, word in enumerate(["no", "f", "T", "true", "yes"] * 4)]
    assert len(evaluate(csv("g,y,s", *words, name="w.csv"), truth="y", score="s", by="g")) == 5


def test_texts_of_groups_in_arrays_are_in_natural_order():
    y, s, by = [0, 1] * 6, np.arange(12.0), ["site 10", "site 9", "site 2"] * 4
    assert list(evaluate(truth=y, score=s, by=by)) == ["site 2", "site 9", "site 10"]
    samples = tm.compare(truth=y, score=s, sample=by, measures="roc_auc")
    assert list(samples.evaluations) == ["site 2", "site 9", "site 10"]
    bands = ["0.5", "0.25", "10"] * 4
    assert list(evaluate(truth=y, score=s, by=bands)) == ["0.25", "0.5", "10"]


# Yes and no
# --------------------------------------------------------------------------------------------------

TIDY = ["obs,.pred_No,.pred_Yes,call,smoker", "Yes,.1,.9,yes,yes", "No,.8,.2,no,no", "Yes,.4,.6,no,yes",
    "No,.3,.7,no,no"]  # fmt: skip


def test_yes_and_no_stay_words(csv):
    path = csv(*TIDY)
    pair = [".pred_No", ".pred_Yes"]
    for more in (
        {},
        {"classes": ["No", "Yes"]},
        {"positive": "Yes"},
        {"positive": "yes"},
        {"positive": True},
    ):
        found = evaluate(path, truth="obs", score=pair, **more)
        assert found["roc_auc"].value == 0.75
        assert found.labels == ("No", "Yes")
    assert evaluate(path, truth="obs", score=".pred_No", positive="No").labels == ("Yes", "No")
    labels = evaluate(path, truth="obs", predicted="call")
    assert labels["accuracy"].value == 0.75
    assert labels.labels == ("No", "Yes")
    assert evaluate(path, truth="obs", predicted="call", classes=["No", "Yes"])["accuracy"].value == 0.75
    groups = evaluate(path, truth="obs", score=".pred_Yes", by="smoker", reference="yes")
    assert list(groups) == ["no", "yes"]
    frame = pd.read_csv(path)
    assert evaluate(frame, truth="obs", score=pair).labels == ("No", "Yes")


@pytest.mark.full
def test_yes_and_no_on_the_command_line(csv, capsys):
    path = csv(*TIDY)
    for more in ([], ["--classes", "No", "Yes"], ["--positive", "Yes"]):
        scores = ["--score", ".pred_No", "--score", ".pred_Yes"]
        assert main(["evaluate", path, "--truth", "obs", *scores, *more, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["measures"]["roc_auc"]["value"] == 0.75


@for_each(
    ("labels", "pair"),
    [
        (["no", "yes"], ("no", "yes")),
        (["No", "Yes"], ("No", "Yes")),
        (["FALSE", "TRUE"], ("FALSE", "TRUE")),
        (["f", "t"], ("f", "t")),
        (["negative", "positive"], ("negative", "positive")),
        (["no", "no"], ("no", "yes")),
        (["YES", "YES"], ("NO", "YES")),
    ],
)
def test_words_that_show_the_positive_label(labels, pair):
    found = evaluate(truth=labels * 3, score=[0.1, 0.8] * 3)
    assert found.labels == pair
    assert ("positive-by-its-name" in codes(found)) == (pair[1] == "positive")
    assert tm.Counts.from_arrays(truth=labels * 3, predicted=labels * 3).total == 6
    assert tm.RankingTable.from_arrays(truth=labels * 3, score=[0.1, 0.8] * 3).total == 6


@for_each("labels", [["bad", "good"], ["0", "1"], ["y", "n"], ["no", "positive"], ["neg", "pos"]])
def test_other_words_must_be_named(labels):
    with refuses("labels", argument="truth"):
        evaluate(truth=labels * 3, score=[0.1, 0.8] * 3)


def test_zero_and_one_in_one_column_and_words_in_the_other(csv):
    for rows in (["1,True", "0,False", "1,False", "0,False"], ["TRUE,1", "FALSE,0", "TRUE,0", "FALSE,0"]):
        assert evaluate(csv("t,p", *rows), truth="t", predicted="p")["accuracy"].value == 0.75


def test_a_third_class_beside_yes_and_no(csv):
    path = csv("t,p", "yes,yes", "no,no", "ex,no")
    assert evaluate(path, truth="t", predicted="p").matrix.labels == ("ex", "no", "yes")


def test_words_in_two_spellings_are_compared_as_booleans():
    truth, called = ["TRUE", "FALSE", "TRUE", "FALSE"], ["True", "False", "False", "False"]
    found = evaluate(truth=truth, predicted=called)
    assert (found["accuracy"].value, found.labels) == (0.75, ("FALSE", "TRUE"))
    assert tm.measures.accuracy(truth=truth, predicted=called) == 0.75
    assert evaluate(truth=truth, predicted=["1", "0", "0", "0"])["accuracy"].value == 0.75
    digits = evaluate(truth=["1", "0", "1", "0"], predicted=called)
    assert (digits["accuracy"].value, digits.labels) == (0.75, ("False", "True"))
    models = tm.compare(truth=truth * 5, predicted={"a": called * 5, "b": truth * 5}, measures="accuracy")
    assert {name: one["accuracy"].value for name, one in models.evaluations.items()} == {"a": 0.75, "b": 1}


# Missing values
# --------------------------------------------------------------------------------------------------

MISSING = ["", " ", "NA", "#N/A", "N/A", "n/a", "None", "<NA>", "NaT", "NAN", "Null", "-nan", "null"]


@in_part(4, ("fast", "full"))
@for_each("text", MISSING)
@for_each("way", ["list", "pandas", "polars", "arrow", "csv", "json", "parquet"])
def test_labels_that_look_missing_are_missing(tmp_path, text, way):
    t, q = ["a", "b", "a", "b", text, text], ["a", "a", "b", "b", text, text]
    data, given = None, {"truth": t, "predicted": q}
    if way in ("pandas", "polars", "arrow"):
        data = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}[way]({"t": t, "q": q})
    elif way != "list":
        data = str(tmp_path / {"csv": "x.csv", "json": "x.jsonl", "parquet": "x.parquet"}[way])
        frame = pd.DataFrame({"t": t, "q": q})
        if way == "csv":
            frame.to_csv(data, index=False)
        elif way == "json":
            frame.to_json(data, orient="records", lines=True)
        else:
            frame.to_parquet(data)
    if data is not None:
        given = {"truth": "t", "predicted": "q"}
    with refuses("missing-value", argument="truth") as refused:
        evaluate(data, **given, positive="a")
    assert refused.value.code == "missing-value"
    found = evaluate(data, **given, positive="a", missing="drop")
    assert (found["cohen_kappa"].value, found.data.dropped) == (0.0, 2)
    named = evaluate(data, **given, classes=["a", "b", text])
    assert named["cohen_kappa"].value == pytest.approx(0.5)
    assert named.matrix.weights.sum() == 6


def test_a_missing_label_beside_numbers(csv):
    found = evaluate(csv("t,s", "1,.9", "0,.1", "N/A,.5", "1,.4"), truth="t", score="s", missing="drop")
    assert (found.labels, found.data.dropped) == ((0, 1), 1)


def test_namibia_can_be_a_class(csv):
    path = csv("t,p", "NA,NA", "ZA,NA", "ZA,ZA")
    found = evaluate(path, truth="t", predicted="p", classes=["NA", "ZA"], positive="NA")
    assert found["sensitivity"].value == 1
    assert found["accuracy"].value == pytest.approx(2 / 3)


def test_what_may_be_missing_is_named():
    found = evaluate(truth=["a", "b", ".", "-"] * 5, predicted=["a", "b", "a", "-"] * 5)
    assert "labels-like-missing" in codes(found)
    assert "labels-like-missing" not in codes(evaluate(truth=["+", "-"] * 5, score=[1, 0] * 5, positive="+"))


# Classes without cases
# --------------------------------------------------------------------------------------------------

QUIET = {"truth": ["ok"] * 4, "score": [0.0, 0.0, 0.1, 0.3]}
BAD = pd.CategoricalDtype(["ok", "bad"])
DECLARED = {
    "classes": (QUIET["truth"], {"classes": ["ok", "bad"]}),
    "pandas": (pd.Series(QUIET["truth"], dtype=BAD), {}),
    "pandas array": (pd.Categorical(QUIET["truth"], dtype=BAD), {}),
    "polars": (pl.Series(QUIET["truth"], dtype=pl.Enum(["bad", "ok"])), {}),
    "arrow": (pa.DictionaryArray.from_arrays(pa.array([0] * 4), ["ok", "bad"]), {}),
}


@in_part(3, ("fast", "full"))
@for_each("name", DECLARED)
def test_a_class_without_cases(name):
    truth, more = DECLARED[name]
    given = {"truth": truth, "score": QUIET["score"], "positive": "bad", **more}
    found = evaluate(**given)
    assert found.labels == ("ok", "bad")
    assert found["brier_score"].value == pytest.approx(0.1 / 4)
    assert found["specificity"].value == 1
    assert np.isnan(found["roc_auc"].value)
    assert "one-class" in codes(found)
    assert evaluate(**{**given, "positive": "ok"}).labels == ("bad", "ok")
    called = evaluate(truth=truth, predicted=["ok"] * 4, positive="bad", **more)
    assert (called["specificity"].value, called.labels) == (1, ("ok", "bad"))
    frame = {"t": truth, "s": QUIET["score"]}
    named = {"truth": "t", "score": "s", "positive": "bad", **more}
    assert evaluate(frame, **named)["brier_score"].value == pytest.approx(0.1 / 4)
    assert tm.check(frame, require=["brier_score <= 0.2", "rows >= 4"], **named).passed
    assert tm.measures.brier_score(**given) == pytest.approx(0.1 / 4)
    monday = tm.RankingTable.from_arrays(**given)
    tuesday = tm.RankingTable.from_arrays(truth=["ok", "bad"], score=[0.2, 0.9], positive="bad")
    assert (monday + tuesday).total == 6
    assert tm.Counts.from_arrays(**given, threshold=0.05) == tm.Counts(tp=0, fp=2, fn=0, tn=2)
    tm.calibration(**given)
    models = tm.compare(
        truth=truth, score={"a": QUIET["score"], "b": [0.3, 0.0, 0.1, 0.3]}, positive="bad",
        measures="brier_score", **more
    )  # fmt: skip
    assert models.evaluations["a"]["brier_score"].value == pytest.approx(0.1 / 4)
    assert len(tm.information_scores(**given, prior=0.1)) == 4
    assert tm.bootstrap(**given)["brier_score"].value == pytest.approx(0.1 / 4)


def test_a_typing_error_is_refused_with_the_way_out():
    for given in (QUIET, {"truth": QUIET["truth"], "predicted": QUIET["truth"]}):
        with refuses("labels", "'bda'", "classes="):
            evaluate(**given, positive="bda")
    with refuses("labels", "'bda'", "'bad'", argument="truth, predicted"):
        evaluate(**QUIET, positive="bda", classes=["ok", "bad"])
    with refuses("unknown-name", "'ok'", argument="truth"):
        evaluate(**QUIET, positive="bad", classes=["fine", "bad"])


def test_a_month_without_frauds_on_the_command_line(csv, capsys):
    path = csv("t,s", "ok,0", "ok,.1", "ok,.2")
    asked = [
        "check",
        path,
        "--truth",
        "t",
        "--score",
        "s",
        "--positive",
        "bad",
        "--require",
        "brier_score <= 0.1",
    ]
    assert main(asked) == 2
    assert "--classes" in capsys.readouterr().err
    assert main([*asked, "--classes", "ok", "bad"]) in (0, 3)
    numbers = csv("t,s", "0,0", "0,.1", "0,.2", name="n.csv")
    for classes in (["0", "1"], ["0", "2"]):
        more = ["--positive", classes[1], "--classes", *classes]
        assert main(["evaluate", numbers, "--truth", "t", "--score", "s", *more]) == 0


def test_a_class_without_cases_of_a_score_per_class():
    declared = pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["a", "b", "c"]))
    score = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]])
    for truth, more in ((declared, {}), (["a", "b"], {"classes": ["a", "b", "c"]})):
        found = evaluate(truth=truth, score=score, **more)
        assert found["log_loss"].value == pytest.approx(-np.log([0.7, 0.8]).mean())
        assert found.matrix.labels == ("a", "b", "c")


# The order of classes
# --------------------------------------------------------------------------------------------------

GRADES = ["low", "mid", "high"]
TRUTH, CALLED = ["low", "mid", "high", "low", "high"], ["low", "high", "high", "mid", "low"]
ORDERED = {
    "ordered": (TRUTH, {"classes": GRADES, "ordered": True}),
    "pandas": (pd.Series(pd.Categorical(TRUTH, GRADES, ordered=True)), {}),
    "polars": (pl.Series(TRUTH, dtype=pl.Enum(GRADES)), {}),
    "arrow": (pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 0, 2]), GRADES, ordered=True), {}),
}  # fmt: skip


@for_each("name", ORDERED)
def test_the_order_of_a_type_or_of_classes(tmp_path, name):
    truth, more = ORDERED[name]
    for data, given in ((None, {"truth": truth, "predicted": CALLED}),
            ({"t": truth, "p": CALLED}, {"truth": "t", "predicted": "p"})):  # fmt: skip
        found = evaluate(data, **given, **more)
        assert found.matrix.labels == tuple(GRADES)
        assert found["quadratic_weighted_kappa"].value == pytest.approx(0.25)
    assert tm.measures.quadratic_weighted_kappa(truth=truth, predicted=CALLED, **more) == pytest.approx(0.25)
    groups = evaluate(truth=truth, predicted=CALLED, by=["x", "x", "x", "y", "y"], **more)
    assert groups["y"].matrix.labels == tuple(GRADES)
    pair = {"a": CALLED, "b": TRUTH}
    models = tm.compare(truth=truth, predicted=pair, measures="quadratic_weighted_kappa", **more)
    assert models.evaluations["a"]["quadratic_weighted_kappa"].value == pytest.approx(0.25)
    score = pd.DataFrame([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]] * 2, columns=["high", "low", "mid"])
    some = truth[:4]
    scored = evaluate(truth=some, score=score, **more)
    assert scored.scores.labels == tuple(GRADES)
    cumulated = np.cumsum(score[GRADES].to_numpy(), 1)[:, :2]
    actual = np.array([[1, 1], [0, 1], [0, 0], [1, 1]])
    assert scored["ranked_probability_score"].value == pytest.approx(((cumulated - actual) ** 2).mean())


def test_classes_alone_have_no_order():
    for more in ({}, {"classes": GRADES}):
        found = evaluate(truth=TRUTH, predicted=CALLED, **more)
        assert "quadratic_weighted_kappa" not in found
        with refuses("unsupported", "ordered=True"):
            _ = found["quadratic_weighted_kappa"]
    assert found.matrix.labels == tuple(GRADES)  # as they are named
    with refuses("needed", argument="classes"):
        evaluate(truth=TRUTH, predicted=CALLED, ordered=True)
    with refuses("needed", argument="classes"):
        tm.measures.quadratic_weighted_kappa(truth=TRUTH, predicted=CALLED)


def test_levels_without_cases_count():
    truth, called = [1, 4, 1, 4, 3, 1], [1, 4, 4, 1, 3, 3]
    declared = pd.Categorical(truth, [1, 2, 3, 4], ordered=True)
    for given, more in (
        (declared, {}),
        (truth, {"classes": [1, 2, 3, 4]}),
        (truth, {"classes": [4, 2, 1, 3]}),
    ):
        found = evaluate(truth=given, predicted=called, **more)
        assert found["quadratic_weighted_kappa"].value == pytest.approx(-0.03125)
        assert "grades-without-cases" not in codes(found)
    gaps = evaluate(truth=truth, predicted=called)
    assert gaps["quadratic_weighted_kappa"].value == pytest.approx(0.0)
    [notice] = [notice for notice in gaps.notices if notice.code == "grades-without-cases"]
    assert notice["labels"] == (2,)
    far = evaluate(truth=[345, 780, 90], predicted=[345, 780, 780])
    assert "grades-without-cases" not in codes(far)


def test_ordered_on_the_command_line(csv, capsys):
    path = csv("t,p", *(f"{t},{p}" for t, p in zip(TRUTH, CALLED, strict=True)))
    given = [path, "--truth", "t", "--predicted", "p", "--classes", *GRADES]
    assert main(["evaluate", *given, "--ordered", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["measures"]["quadratic_weighted_kappa"]["value"] == pytest.approx(0.25)
    require = ["--require", "quadratic_weighted_kappa >= 0.2"]
    assert main(["check", *given, "--ordered", *require]) in (0, 1, 3)
    assert main(["check", *given, *require]) == 2
    assert "--ordered" in capsys.readouterr().err


def test_groups_of_an_ordered_type_are_in_its_order():
    y, s, risk = [0, 1] * 6, np.arange(12.0), ["mid", "high", "low"] * 4
    for by in (pd.Categorical(risk, GRADES, ordered=True), pl.Series(risk, dtype=pl.Enum(GRADES))):
        assert list(evaluate(truth=y, score=s, by=by)) == GRADES
        assert list(evaluate({"y": y, "s": s, "g": by}, truth="y", score="s", by="g")) == GRADES


# Labels that look alike
# --------------------------------------------------------------------------------------------------

ALIKE = {
    "case": (["Cat", "Dog"], ["cat", "dog"]),
    "blanks": (["cat ", "dog "], ["cat", "dog"]),
    "zeros": (["01", "02"], ["1", "2"]),
    "the Unicode form": (["caf\u00e9", "th\u00e9"], ["cafe\u0301", "the\u0301"]),
}


@for_each("what", ALIKE)
def test_labels_that_are_written_in_two_ways(what):
    truth, called = ALIKE[what]
    with pytest.raises(InputError, match=f"none is in both.*differ only in {what}"):
        evaluate(truth=truth * 9, predicted=called * 9)
    mixed = evaluate(truth=truth * 9, predicted=[truth[0], called[1]] * 9)
    [notice] = [notice for notice in mixed.notices if notice.code == "labels-alike"]
    assert notice.severe
    assert notice["what"] == what
    with pytest.raises(InputError, match=f"differ only in {what}"):
        evaluate(truth=[*truth, called[0]], score=[1, 2, 3], positive=truth[0])
    named = evaluate(truth=truth * 9, predicted=called * 9, classes=[*truth, *called])
    assert named["accuracy"].value == 0


def test_disjoint_labels():
    for truth, called in (([1, 2, 3], [4, 5, 6]), (["a", "b"], ["c", "d"])):
        with refuses("labels"):
            evaluate(truth=truth * 5, predicted=called * 5)
    assert evaluate(truth=[0, 0, 0], predicted=[1, 1, 1])["accuracy"].value == 0
    assert evaluate(truth=["a", "a"], predicted=["b", "b"], positive="b")["accuracy"].value == 0


def test_scores_of_a_file_as_labels(tmp_path):
    file = tmp_path / "s.csv"
    rows = "".join(f"{'malignant' if row % 3 else 'benign'},{row / 200}\n" for row in range(200))
    file.write_text("truth,risk\n" + rows, encoding="utf-8")
    with refuses("ambiguous", "score=", argument="predicted"):
        evaluate(file, truth="truth", predicted="risk", positive="malignant")


# Types of arrays
# --------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_bytes_and_matrices():
    found = evaluate(truth=[b"0", b"1"] * 3, score=[0.1, 0.8] * 3, positive=b"1")
    assert (found["roc_auc"].value, found.labels) == (1, ("0", "1"))
    assert evaluate(truth=[b"0", b"1"] * 3, predicted=[b"0", b"1"] * 3, positive=b"1")["accuracy"].value == 1
    column = np.matrix([[0], [1]] * 3)
    assert evaluate(truth=column, score=np.matrix([0.1, 0.8] * 3).T)["roc_auc"].value == 1


# Messages
# --------------------------------------------------------------------------------------------------


def test_what_messages_say_of_labels_and_cases():
    y, s = np.arange(40) % 2, np.random.default_rng(0).random(40)
    for by, name in (
        ([None] * 10 + ["a"] * 30, "by"),
        (pd.Series([None] * 10 + ["a"] * 30, name="site"), "site"),
    ):
        with refuses("missing-value", "10", argument="by") as refused:
            evaluate(truth=y, score=s, by=by)
        assert name in str(refused.value)
        assert "by 1" not in str(refused.value)
    infinite = evaluate(truth=y, score=np.r_[np.inf, np.inf, s[2:]])
    [text] = [notice.text for notice in infinite.notices if notice.code == "infinite-scores"]
    assert text.startswith("2 scores are infinite")
    shares = np.full((21, 3), 1 / 3)
    assert evaluate(truth=np.arange(3).repeat(7), score=shares)["log_loss_skill_score"].value == 0
    assert "weights" not in str(tm.calibration(truth=[1], score=[0.7]))
    weight = np.r_[np.ones(34), np.zeros(6)]
    assert "34 cases" in str(tm.calibration(truth=y, score=s, weight=weight))
    with refuses("invalid-value", argument="require, character 9"):
        tm.check({"y": y, "s": s}, truth="y", score="s", require="roc_auc - 0.1 >= 0.5")


def test_a_matrix_in_another_order_than_the_alphabet_is_read_back():
    matrix = tm.ConfusionMatrix.from_arrays(truth=TRUTH, predicted=CALLED, classes=GRADES)
    assert matrix.labels == tuple(GRADES)
    assert not matrix.has_order
    assert tm.ConfusionMatrix.from_json(matrix.to_json()) == matrix
    assert (matrix + matrix).labels == tuple(GRADES)
