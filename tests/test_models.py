"""Several models by name: each is evaluated as it would be alone, and the cases are read once."""

import json
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from looping import for_each, in_part
from refusals import refuses
from same import same_evaluation

import tallymark as tm
from tallymark.cli import main
from tallymark.input.results import Tabular

N = 120
RNG = np.random.default_rng(8)
Y = RNG.integers(0, 2, N)
A, B = (np.round(np.clip(share * Y + (1 - share) * RNG.random(N), 0, 1), 3) for share in (0.35, 0.1))
CLASSES = np.array(["ant", "bee", "cow"])[RNG.integers(0, 3, N)]
FIRST, SECOND = (RNG.dirichlet([1, 1, 1], N) for _ in range(2))
FRAME = {
    "y": Y, "a": A, "b": B, "a0": 1 - A, "called": (A > 0.4).astype(int), "other": (B > 0.6).astype(int),
    "g": np.arange(N) // 4, "w": RNG.uniform(0.5, 2, N), "kind": CLASSES, "amount": A * 10, "guess": B * 10,
    "guessed": A * 9, **{f"first {label}": FIRST[:, i] for i, label in enumerate(np.unique(CLASSES))},
    **{f"{label} second": SECOND[:, i] for i, label in enumerate(np.unique(CLASSES))},
}  # fmt: skip
PER_CLASS = {
    "first": ["first cow", "first ant", "first bee"],
    "second": ["ant second", "bee second", "cow second"],
}
CALLS = {  # what is said of the cases, and of the models
    "scores": ({"truth": "y"}, "score", {"logreg": "a", "svm": "b"}),
    "two columns": ({"truth": "y", "classes": [0, 1]}, "score", {"logreg": ["a0", "a"], "svm": ["a", "a0"]}),
    "one and two columns": ({"truth": "y"}, "score", {"logreg": ["a0", "a1"], "svm": "b"}),
    "weights": ({"truth": "y", "weight": "w"}, "score", {"logreg": "a", "svm": "b"}),
    "lower is positive": ({"truth": "y", "higher_is_positive": False}, "score", {"logreg": "a", "svm": "b"}),
    "a rule": ({"truth": "y", "rule": "f1"}, "score", {"logreg": "a", "svm": "b"}),
    "clusters": ({"truth": "y", "clusters": "g"}, "score", {"logreg": "a", "svm": "b"}),
    "clusters of labels": (
        {"truth": "y", "clusters": "g"},
        "predicted",
        {"logreg": "called", "svm": "other"},
    ),
    "a score per class": ({"truth": "kind"}, "score", PER_CLASS),
    "labels": ({"truth": "y"}, "predicted", {"logreg": "called", "svm": "other"}),
    "amounts": ({"truth": "amount", "regression": True}, "predicted", {"logreg": "guess", "svm": "guessed"}),
    "one model": ({"truth": "y"}, "score", {"logreg": "a"}),
}
FRAME["a1"] = A


def of_frame(name):
    given, kind, models = CALLS[name]
    if name == "two columns":
        given = {key: value for key, value in given.items() if key != "classes"}
        models = {"logreg": ["a0", "a1"], "svm": ["a1", "a0"]}
    return given, kind, models


@in_part(3)
@for_each("name", CALLS)
def test_each_is_as_alone(name):
    given, kind, models = of_frame(name)
    found = tm.evaluate(FRAME, **given, **{kind: models})
    assert isinstance(found, tm.EvaluationTable)
    assert list(found) == list(models)
    for model, column in models.items():
        alone = tm.evaluate(FRAME, **given, **{kind: column})
        same_evaluation(found[model], alone)
        if name == "scores":
            assert found[model].to_dict() == alone.to_dict()
            assert str(found[model]) == str(alone)


@for_each("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames(make):
    found = tm.evaluate(make(FRAME), truth="y", score={"logreg": "a", "svm": ["a0", "a1"]})
    assert found["svm"].data.source == "DataFrame"
    for model, column in {"logreg": "a", "svm": "a1"}.items():
        same_evaluation(found[model], tm.evaluate(make(FRAME), truth="y", score=column))


def test_arrays():
    found = tm.evaluate(
        truth=Y,
        score={"logreg": A.tolist(), "svm": np.c_[1 - B, B], "frame": pd.DataFrame({"p1": B, "p0": 1 - B})},
    )
    for model, score in {"logreg": A, "svm": B, "frame": B}.items():
        same_evaluation(found[model], tm.evaluate(truth=Y, score=score))
    many = tm.evaluate(truth=CLASSES, score={"first": FIRST, "second": SECOND.tolist()})
    for model, score in {"first": FIRST, "second": SECOND}.items():
        same_evaluation(many[model], tm.evaluate(truth=CLASSES, score=score))


def test_several_labels_per_case():
    truth, one, other = (
        np.c_[Y, 1 - Y],
        np.c_[A > 0.5, A < 0.4].astype(int),
        np.c_[B > 0.5, B < 0.4].astype(int),
    )
    found = tm.evaluate(truth=truth, predicted={"one": one, "other": other})
    same_evaluation(found["other"], tm.evaluate(truth=truth, predicted=other))
    same_evaluation(found["one"], tm.evaluate(truth=truth, predicted=one))


def test_files_of_many_batches(tmp_path):
    paths = [tmp_path / f"part{i}.csv" for i in range(3)]
    frame = pd.DataFrame(FRAME).sort_values("y")
    for path, rows in zip(paths, np.array_split(np.arange(N), 3), strict=True):
        frame.iloc[rows].to_csv(path, index=False)
    paths = [str(path) for path in paths]
    for name in (
        "scores",
        "one and two columns",
        "weights",
        "clusters",
        "a score per class",
        "labels",
        "amounts",
    ):
        given, kind, models = of_frame(name)
        found = tm.evaluate(paths, **given, **{kind: models})
        for model, column in models.items():
            same_evaluation(found[model], tm.evaluate(paths, **given, **{kind: column}))


def test_thresholds():
    of_all = tm.evaluate(FRAME, truth="y", score={"logreg": "a", "svm": "b"}, threshold=0.3)
    assert [one.threshold.value for one in of_all.values()] == [0.3, 0.3]
    of_each = tm.evaluate(
        FRAME, truth="y", score={"logreg": "a", "svm": "b"}, threshold={"svm": 0.7, "logreg": 0.2}
    )
    assert {name: one.threshold.value for name, one in of_each.items()} == {"logreg": 0.2, "svm": 0.7}
    same_evaluation(of_each["svm"], tm.evaluate(FRAME, truth="y", score="b", threshold=0.7))
    one_only = tm.evaluate(FRAME, truth="y", score={"logreg": "a", "svm": "b"}, threshold={"svm": 0.7})
    same_evaluation(one_only["logreg"], tm.evaluate(FRAME, truth="y", score="a"))


def test_rows_that_lack_a_score_are_left_out_for_all():
    lost = {**FRAME, "b": np.where(np.arange(N) < 5, np.nan, B)}
    with refuses("missing-value", "'b'", argument="score svm"):
        tm.evaluate(lost, truth="y", score={"logreg": "a", "svm": "b"})
    found = tm.evaluate(lost, truth="y", score={"logreg": "a", "svm": "b"}, missing="drop")
    assert [one.data.dropped for one in found.values()] == [5, 5]
    assert found["logreg"]["roc_auc"] == tm.evaluate(truth=Y[5:], score=A[5:])["roc_auc"]


# The table
# --------------------------------------------------------------------------------------------------


def two():
    return tm.evaluate(FRAME, truth="y", score={"logreg": "a", "svm": "b"})


def test_a_mapping_of_names():
    found = two()
    assert (len(found), list(found), "svm" in found, "x" in found, 3 in found) == (
        2,
        ["logreg", "svm"],
        True,
        False,
        False,
    )
    assert dict(found)["svm"] is found["svm"]
    assert repr(found) == "<EvaluationTable of 2 models: 'logreg', 'svm'>"
    with pytest.raises(
        KeyError, match=r"'smv' is not a model here \(did you mean 'svm'\?\); there are 'logreg', 'svm'"
    ):
        found["smv"]
    with refuses("unknown-name"):
        found[0]


@pytest.mark.full
def test_rows_of_model_and_measure():
    found = two()
    rows = found.table
    assert next(iter(rows[0])) == "model"
    assert [row["model"] for row in rows] == ["logreg"] * len(found["logreg"]) + ["svm"] * len(found["svm"])
    for name, one in found.items():
        own = [
            {key: value for key, value in row.items() if key != "model"}
            for row in rows
            if row["model"] == name
        ]
        assert own == one.table
    assert found.to_frame().shape == (len(rows), len(rows[0]))
    assert isinstance(found, Tabular)


@pytest.mark.full
def test_plain_values_and_text():
    found = two()
    plain = found.to_dict()
    assert json.loads(found.to_json()) == plain
    assert plain["models"] == {name: one.to_dict() for name, one in found.items()}
    assert plain["reference"] == found.compared_with == "logreg"
    assert [one["measure"] for one in plain["differences"]] == list(found.measures)
    assert str(found).startswith(
        "logreg has the best ROC AUC of 2 models, 0.914 [0.854, 0.951]; the other is"
    )
    for name, one in found.items():
        assert f"\n\n\n{name}\n{'=' * len(name)}\n\n{one.all}" in str(found.all)
    again = pickle.loads(pickle.dumps(found))
    assert again.to_dict() == plain
    assert repr(again) == repr(found)


def test_notices_name_their_model():
    found = tm.evaluate(FRAME, truth="y", score={"good": "a", "turned": "a0"})
    said = [notice for notice in found.notices if notice.code == "auc-below-half"]
    assert len(said) == 1
    assert said[0].text.startswith("turned: ")
    assert len(found.notices) == sum(len(one.notices) for one in found.values())


EVIL = "</h1><script>alert('1')</script>\x1b[31m&"


@pytest.mark.full
def test_hostile_names_are_escaped():
    found = tm.evaluate(FRAME, truth="y", score={EVIL: "a", "=1+1": "b"})
    html = found._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;alert" in html
    assert "\x1b" not in str(found)
    assert "\x1b" not in repr(found)
    assert found[EVIL]["roc_auc"] == two()["logreg"]["roc_auc"]


# What is refused
# --------------------------------------------------------------------------------------------------

REFUSED = {
    "no model": ({"score": {}}, "score: the mapping is empty; name every model with its column"),
    "a number as a name": ({"score": {1: "a"}}, "score: 1 (int) is not a model name"),
    "no name": ({"score": {None: "a"}}, "score: None (NoneType) is not a model name"),
    "no column": ({"score": {"svm": None}}, "score: the model 'svm' has no column (None)"),
    "an unknown column": ({"score": {"logreg": "a", "svm": "bb"}}, "score svm: the data has no column 'bb'"),
    "an unknown column of a class": ({"score": {"svm": ["a0", "a2"]}},
        "score 2 of svm: the data has no column 'a2'"),
    "a number beside data": ({"score": {"logreg": "a", "svm": 0.5}},
        "score svm: with data given, name one of its columns"),
    "a mapping of mappings": ({"score": {"svm": {"x": "a"}}},
        "score svm: with data given, name one of its columns"),
    "both kinds": ({"score": {"a": "a"}, "predicted": {"a": "called"}}, "exactly one of score=, predicted="),
    "a threshold of no model": (
        {"score": {"a": "a"}, "threshold": {"b": 1}}, "threshold: 'b' is not a model here; the models are a."
    ),
    "two thresholds for one": ({"score": {"a": "a"}, "threshold": [0.1, 0.2]}, "2 thresholds for 1 models"),
    "two and three columns": (
        {"score": {"two": "a", "three": PER_CLASS["first"]}},
        "score: the model 'three' has 3 columns, one per class, and 'two' has 1; "
        "evaluate models of two classes and of more apart.",
    ),
    "columns of no class": (
        {"truth": "kind", "score": {"first": ["first ant", "first bee", "a"]}},
        "score first: the names 'first ant', 'first bee', 'a' are none of the labels",
    ),
    "one name for two columns": (
        {"score": {"a": ["a0", "a1"], "2 of a": "b"}},
        "two models have a column that is called 'score 2 of a'"
    ),
    "three classes of one column": ({"score": {"a": "a"}, "classes": [0, 1, 2]}, "where two are needed"),
    "with regression": ({"score": {"a": "a"}, "regression": True},
        "regression: predicted amounts are passed as predicted="),
}  # fmt: skip


@for_each("name", REFUSED)
def test_what_is_refused(name):
    given, text = REFUSED[name]
    with pytest.raises(tm.InputError) as refused:
        tm.evaluate(FRAME, **{"truth": "y", **given})
    assert text in str(refused.value)
    assert "\n" not in str(refused.value)


def test_arrays_of_other_lengths():
    with pytest.raises(tm.InputError, match=f"^truth has {N} rows and score svm has {N - 1}"):
        tm.evaluate(truth=Y, score={"logreg": A, "svm": B[1:]})
    with refuses("wrong-shape", argument="score svm"):
        tm.evaluate(truth=Y, score={"logreg": A, "svm": 5})


VERBS = {
    "bootstrap": lambda **models: tm.bootstrap(FRAME, truth="y", **models, replicates=50),
    "calibration": lambda **models: tm.calibration(FRAME, truth="y", **models),
    "choose_threshold": lambda **models: tm.choose_threshold(FRAME, truth="y", **models, replicates=50),
    "unscored": lambda **models: tm.unscored(FRAME, truth="y", **models, share=0.1),
    "biometric": lambda **models: tm.biometric(FRAME, truth="y", **models),
    "check": lambda **models: tm.check(FRAME, truth="y", **models, require="roc_auc >= 0.1"),
    "advise": lambda **models: tm.advise(FRAME, truth="y", **models),
}


@in_part(3)
@for_each("verb", VERBS)
def test_other_verbs_take_one_model_by_its_name(verb):
    run = VERBS[verb]
    assert run(score={"logreg": "a"}).to_dict() == run(score="a").to_dict()
    with pytest.raises(
        tm.InputError,
        match=rf"^score: {verb} is of one model, and 2 are named \('logreg', 'svm'\); call it for each",
    ) as refused:
        run(score=(models := {"logreg": "a", "svm": "b"}))
    typed = re.search(
        r"\{name: tm\.\w+\(\.\.\., score=one\) for name, one in models\.items\(\)\}", str(refused.value)
    )
    call = typed[0].replace(f"tm.{verb}(..., ", "run(")
    assert eval(call, {"models": models, "run": run})["svm"].to_dict() == run(score="b").to_dict()
    with refuses("needed", argument="score"):
        run(score={})


@for_each("verb", ["evaluate", "check", "advise", "choose_threshold", "compare"])
def test_a_table_is_no_data(verb):
    required = {"require": "roc_auc >= 0.1"} if verb == "check" else {}
    with pytest.raises(tm.InputError, match=r"^data: "):
        getattr(tm, verb)(two(), **required)


# compare
# --------------------------------------------------------------------------------------------------

QUICK = {"truth": "y", "replicates": 100}
HALF = {name: np.asarray(values)[:70] for name, values in FRAME.items()}
SITES = {**FRAME, "site": np.where(np.arange(N) % 2, "x", "z")}
COMPARED = {  # with columns per class, and with those of the positive class alone
    "the same cases": (
        lambda: tm.compare(FRAME, score={"m": ["a0", "a1"], "n": "b"}, **QUICK),
        lambda: tm.compare(FRAME, score={"m": "a1", "n": "b"}, **QUICK),
    ),
    "clusters": (
        lambda: tm.compare(FRAME, score={"m": ["a1", "a0"], "n": "b"}, clusters="g", **QUICK),
        lambda: tm.compare(FRAME, score={"m": "a1", "n": "b"}, clusters="g", **QUICK),
    ),
    "arrays": (
        lambda: tm.compare(truth=Y, score={"m": np.c_[1 - A, A], "n": np.c_[1 - B, B]}, replicates=100),
        lambda: tm.compare(truth=Y, score={"m": A, "n": B}, replicates=100),
    ),
    "arrays of different cases": (
        lambda: tm.compare(
            truth=[Y, Y[:70]], score={"m": np.c_[1 - A, A], "n": B[:70]}, paired=False, replicates=100
        ),
        lambda: tm.compare(truth=[Y, Y[:70]], score={"m": A, "n": B[:70]}, paired=False, replicates=100),
    ),
    "two data sets": (
        lambda: tm.compare(FRAME, HALF, score={"m": ["a0", "a1"], "n": "b"}, **QUICK),
        lambda: tm.compare(FRAME, HALF, score={"m": "a1", "n": "b"}, **QUICK),
    ),
    "samples": (
        lambda: tm.compare(SITES, score={"m": ["a0", "a1"]}, sample="site", **QUICK),
        lambda: tm.compare(SITES, score="a1", sample="site", **QUICK),
    ),
}


@in_part(3)
@for_each("name", COMPARED)
def test_columns_per_class_in_compare(name):
    one, other = (run() for run in COMPARED[name])
    assert one.to_dict() == other.to_dict()
    assert one.models == (("x", "z") if name == "samples" else ("m", "n"))


def test_evaluations_within_a_comparison_are_those_of_the_table():
    models = {"m": ["a0", "a1"], "n": "b"}
    compared, table = tm.compare(FRAME, score=models, **QUICK), tm.evaluate(FRAME, truth="y", score=models)
    for name in models:
        same_evaluation(compared.evaluations[name], table[name])


NOT_COMPARED = {
    "three for two data sets": (
        lambda: tm.compare(FRAME, HALF, score={"m": "a", "n": "b", "o": "a0"}, **QUICK),
        "score: 3 models are named for 2 data sets"
    ),
    "one model": (lambda: tm.compare(FRAME, score={"m": "a"}, **QUICK), "score: one model only"),
    "no model": (lambda: tm.compare(FRAME, score={}, **QUICK), "score: the mapping is empty"),
    "models and samples": (
        lambda: tm.compare(SITES, score={"m": "a", "n": "b"}, sample="site", **QUICK),
        "score: with sample= there is one column"
    ),
    "lists of names": (
        lambda: tm.compare(FRAME, score=[["a0", "a1"], ["a1", "a0"]], **QUICK),
        "score: with data given, name its columns"
    ),
    "an unknown column": (lambda: tm.compare(FRAME, score={"m": "x", "n": "b"}, **QUICK),
        "score m: the data has no column 'x'"),
    "another length": (
        lambda: tm.compare(truth=Y, score={"m": A, "n": B[1:]}), f"truth has {N} rows and score n has {N - 1}"
    ),
}  # fmt: skip


@for_each("name", NOT_COMPARED)
def test_what_is_not_compared(name):
    run, text = NOT_COMPARED[name]
    with pytest.raises(tm.InputError) as refused:
        run()
    assert text in str(refused.value)


# The command line
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "cases.csv"
    pd.DataFrame({**FRAME, "p=1, of a": A}).to_csv(path, index=False)
    return str(path)


MODELS = ("--model", "logreg=a0", "--model", "logreg=a1", "--model", "svm=b")


def said(capsys, *arguments):
    assert main([*arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.full
def test_evaluate_of_models(path, capsys, tmp_path):
    found = json.loads(said(capsys, "evaluate", path, "--truth", "y", *MODELS, "--json"))
    for name, columns in {"logreg": ["a0", "a1"], "svm": ["b"]}.items():
        score = [part for column in columns for part in ("--score", column)]
        assert found["models"][name] == json.loads(
            said(capsys, "evaluate", path, "--truth", "y", *score, "--json")
        )
    page = tmp_path / "page.html"
    text = said(capsys, "evaluate", path, "--truth", "y", *MODELS, "--report", str(page))
    assert text.startswith("logreg has the best ROC AUC of 2 models")
    assert "\ncases.csv: 2 models of 120 cases; " in text
    written = page.read_text(encoding="utf-8")
    assert all(f">{name}</label>" in written for name in found["models"])
    assert all(f"<b>{name}</b>: ROC AUC " in written for name in found["models"])


@pytest.mark.full
def test_models_on_the_command_line(path, capsys):
    text = said(capsys, "evaluate", path, "--truth", "y", *MODELS)
    assert text.startswith("logreg has the best ROC AUC of 2 models")
    assert "\ncases.csv: 2 models of 120 cases; " in text
    assert max(map(len, text.splitlines())) <= 80
    full = said(capsys, "evaluate", path, "--truth", "y", *MODELS, "--all")
    for name in ("logreg", "svm"):
        assert f"\n{name}\n{'=' * len(name)}\n\nROC AUC " in full
    named = said(
        capsys, "evaluate", path, "--truth", "y", *MODELS, "--reference", "svm", "--names", "--digits", "4"
    )
    assert "minus svm;" in named
    assert "roc_auc" in named


@pytest.mark.full
def test_the_first_equals_sign_ends_the_name(path, capsys):
    found = json.loads(said(capsys, "evaluate", path, "--truth", "y", "--model", "one=p=1, of a", "--json"))
    assert list(found["models"]) == ["one"]
    assert found["models"]["one"]["measures"] == tm.evaluate(path, truth="y", score="a").to_dict()["measures"]


def test_compare_of_models(path, capsys):
    quick = ("--replicates", "100", "--json")
    found = json.loads(said(capsys, "compare", path, "--truth", "y", *MODELS, *quick))
    named = tm.compare(path, truth="y", score={"logreg": "a1", "svm": "b"}, replicates=100).to_dict()
    assert found == named


@for_each("command", ["evaluate", "compare"])
def test_models_of_amounts_on_the_command_line(command, tmp_path, capsys):
    rows = "".join(f"{n},{n + n % 3},{n - n % 5}\n" for n in range(40))
    file = tmp_path / "amounts.csv"
    file.write_text(f"price,g,h\n{rows}", encoding="utf-8")
    options = ("--truth", "price", "--model", "old=g", "--model", "new=h", "--regression", "--json")
    found = json.loads(said(capsys, command, str(file), *options))
    meant = getattr(tm, command)(
        str(file), truth="price", predicted={"old": "g", "new": "h"}, regression=True
    )
    assert found == meant.to_dict()


WRONG = {
    "no column": (("evaluate", "--model", "svm"),
        "--model: 'svm' is not understood; write NAME=COLUMN, as svm=score_b."),
    "no name": (("evaluate", "--model", "=a"), "--model: '=a' is not understood"),
    "with a score": (("evaluate", "--model", "x=a", "--score", "b"),
        "--model: the models are named with their columns"),
    "with labels": (("compare", "--model", "x=a", "--predicted", "called"), "leave out --predicted"),
    "an unknown column": (("evaluate", "--model", "x=nowhere"), "score x: "),
    **{
        command: ((command, "--model", "x=a"),
        "this command is of one model: name its column with --score, and run it once for each")
        for command in ("bootstrap", "calibration", "threshold", "check", "advise", "biometric")
    },
}  # fmt: skip


@for_each("name", WRONG)
def test_what_the_command_line_refuses(name, path, capsys):
    (command, *options), text = WRONG[name]
    assert main([command, path, "--truth", "y", *options]) == 2
    assert text in capsys.readouterr().err


def test_a_threshold_for_all_models_that_is_an_array_without_dimension_is_refused_as_for_one():
    truth, score = [0, 1, 0, 1], [0.1, 0.9, 0.3, 0.4]
    for models in (score, {"a": score, "b": score}):
        with refuses("invalid-value", argument="threshold"):
            tm.evaluate(truth=truth, score=models, threshold=np.array(0.3))


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pl.Series])
def test_thresholds_of_models_may_be_any_sequence(kind):
    truth, score = [0, 1, 0, 1], {"a": [0.1, 0.9, 0.3, 0.4], "b": [0.2, 0.6, 0.7, 0.3]}
    found = tm.evaluate(truth=truth, score=score, threshold=kind([0.5, 0.25]))
    assert [one.threshold.value for one in found.values()] == [0.5, 0.25]


OF_ONE = {
    "evaluate": tm.evaluate,
    "bootstrap": tm.bootstrap,
    "calibration": tm.calibration,
    "choose_threshold": tm.choose_threshold,
    "check": lambda table: tm.check(table, require="roc_auc >= 0.5"),
}


@for_each("verb", OF_ONE)
def test_evaluations_of_several_models_are_refused_with_what_to_pass(verb):
    table = tm.evaluate(truth=[0, 1, 0, 1], score={"old": [0.1, 0.9, 0.2, 0.8], "new": [0.2, 0.7, 0.3, 0.6]})
    with refuses("unsupported", argument="data"):
        OF_ONE[verb](table)


def test_what_each_model_has_is_taken_by_its_name():
    table = tm.evaluate(truth=[0, 1, 0, 1], score={"old": [0.1, 0.9, 0.2, 0.8], "new": [0.2, 0.7, 0.3, 0.6]})
    with refuses("unsupported", "'old'", argument="counts"):
        tm.at_prevalence(table, prevalence=0.1)
    assert not hasattr(table, "curve")
    assert not hasattr(table, "nothing")


def test_a_measure_of_several_models_has_a_value_for_each():
    truth, scores = [0, 1, 1, 0], {"a": [0.1, 0.4, 0.8, 0.2], "b": [0.3, 0.2, 0.9, 0.1]}
    assert tm.measures.roc_auc(truth=truth, score=scores) == {"a": 1.0, "b": 0.75}
    two = {name: np.column_stack([1 - np.array(one), one]) for name, one in scores.items()}
    assert tm.measures.roc_auc(truth=truth, score=two) == {"a": 1.0, "b": 0.75}
    found = tm.measures.f_beta(truth=truth, score=scores, threshold=0.3, beta=2)
    assert found == {
        name: tm.measures.f_beta(truth=truth, score=one, threshold=0.3, beta=2)
        for name, one in scores.items()
    }
    assert tm.measures.accuracy(truth=truth, predicted={"a": [0, 1, 1, 1], "b": truth}) == {
        "a": 0.75,
        "b": 1.0,
    }
    assert tm.measures.precision(truth=truth, predicted={"none": [0] * 4}, undefined=0) == {"none": 0.0}
    for wrong, said in (
        ({}, "score: the mapping is empty"),
        ({1: scores["a"]}, "score: 1 .int. is not a model name"),
        ({"a": None}, "score: the model 'a' has no column"),
        ({"a": [0.1, 0.2]}, "truth has 4 rows and score a has 2"),
    ):
        with pytest.raises(tm.InputError, match=said):
            tm.measures.roc_auc(truth=truth, score=wrong)


def test_a_measure_names_the_model_whose_column_is_wrong():
    with refuses("missing-value", argument="score b") as raised:
        tm.measures.roc_auc(truth=[0, 1, 1], score={"a": [0.1, 0.2, 0.3], "b": [0.1, None, 0.3]})
    assert (raised.value.argument, raised.value.row, raised.value.remedy) == (
        "score b",
        1,
        "leave out such rows",
    )


def test_tables_of_one_column_are_tables_in_a_mapping_too():
    truth = np.array([[1], [0], [1], [0]])
    for one in (truth, pd.DataFrame(truth, columns=["0"]), truth.tolist()):
        assert tm.measures.exact_match(truth=truth, predicted={"a": one}) == {
            "a": tm.measures.exact_match(truth=truth, predicted=one)
        }
    scores = np.full((4, 1), 0.5)
    for one in (scores, scores.tolist()):
        alone, named = (raises(truth=list("abca"), score=score) for score in (one, {"a": one}))
        assert alone == named


def raises(**given):
    with pytest.raises(tm.InputError) as raised:
        tm.measures.pairwise_roc_auc(**given)
    return str(raised.value)


@for_each("score", [[0.5, 0.6], {"a": [0.5, 0.6]}], ids=["one", "mapping"])
def test_the_warning_of_an_undefined_measure_points_at_the_call(score):
    with pytest.warns(tm.UndefinedMeasureWarning) as caught:
        tm.measures.roc_auc(truth=[1, 1], score=score)
    assert [one.filename for one in caught] == [__file__]


def test_a_gap_is_dropped_by_the_option_only_where_there_is_one():
    with refuses("missing-value", "missing='drop'", argument="score"):
        tm.evaluate(truth=[0, 1], score=[0.5, None])
    with refuses("missing-value", argument="score"):
        tm.RankingTable.from_arrays(truth=[0, 1], score=[0.5, None])


def test_no_model_is_called_the_best_where_no_value_is_better():
    found = tm.evaluate(
        FRAME, truth="y", score={"a": "a", "b": "b"}, measures=["predicted_prevalence", "roc_auc"]
    )
    assert found.compared_with == "a"
    assert "the best" not in str(found)
    assert "the best ROC AUC here" in str(found.choose("roc_auc"))
