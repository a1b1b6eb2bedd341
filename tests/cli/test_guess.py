"""`tallymark FILE`: which columns are taken, what is refused, and what is said of it."""

import io
import json
import shlex
import sys

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main
from tallymark.input.guess import guess
from tallymark.input.validate import InputError

N = 200
RANDOM = np.random.default_rng(5)
P = np.round(RANDOM.random(N), 4)
Y = (RANDOM.random(N) < P).astype(int)
OTHER = np.round(RANDOM.random(N), 4)
CLASS = np.array(["a", "b", "c"])[np.arange(N) % 3]
SHARES = RANDOM.integers(1, 50, (N, 3)) / 100
SHARES[:, 2] = np.round(1 - SHARES[:, 0] - SHARES[:, 1], 2)
YES = np.where(Y, "yes", "no")
AMOUNT = np.round(RANDOM.normal(size=N), 3)


def columns(**values):
    return {
        name.replace("__", " "): list(map(str, np.asarray(found).tolist())) for name, found in values.items()
    }


PER_CLASS = {f"p_{name}": SHARES[:, i] for i, name in enumerate("abc")}
TAKEN = {  # columns, and what is taken of them
    "usual names": (columns(y=Y, p=P), {"truth": "y", "score": "p"}),
    "other names": (columns(id=np.arange(N), Y_True=Y, Y__Score=P), {"truth": "Y_True", "score": "Y Score"}),
    "labels": (columns(y_true=Y, y_pred=(P > 0.5).astype(int)), {"truth": "y_true", "predicted": "y_pred"}),
    "classes": (
        columns(actual=CLASS, predicted=np.roll(CLASS, 1)),
        {"truth": "actual", "predicted": "predicted"},
    ),
    "a prediction with fractions": (
        columns(label=Y, prediction=P),
        {"truth": "label", "score": "prediction"},
    ),
    "both, which agree": (columns(y=Y, p=P, y_pred=(P >= 0.5).astype(int)), {"truth": "y", "score": "p"}),
    "a known positive": (
        columns(target=YES, proba=P),
        {"truth": "target", "score": "proba"},
    ),
    "a score per class": (columns(y=CLASS, **PER_CLASS), {"truth": "y", "score": ["p_a", "p_b", "p_c"]}),
    "a score per class, in the order of the file": (
        columns(y=CLASS[::-1], **PER_CLASS),
        {"truth": "y", "score": ["p_a", "p_b", "p_c"]},
    ),
    "two columns of probabilities": (columns(y=Y, p_0=1 - P, p_1=P), {"truth": "y", "score": "p_1"}),
    "of a named class": (
        columns(y=YES, prob_yes=P, age=AMOUNT),
        {"truth": "y", "score": "prob_yes"},
    ),
    "logits": (columns(y=Y, logit=np.log(P + 0.01)), {"truth": "y", "score": "logit", "score_kind": "logit"}),
    "labels that are also names of parts of the data": (
        columns(y=np.array(["dev", "test", "train"])[np.arange(N) % 3], predicted=np.repeat("test", N)),
        {"truth": "y", "predicted": "predicted"},
    ),
    "a score and another column": (columns(y=Y, p=P, forest=OTHER), {"truth": "y", "score": "p"}),
    "a score and labels at another threshold": (
        columns(y=Y, p=P, y_pred=(P >= 0.3).astype(int)),
        {"truth": "y", "score": "p"},
    ),
}  # fmt: skip
REFUSED = {  # columns, and what is wrong with them
    "amounts": (columns(y=AMOUNT, y_pred=AMOUNT + P), "'y_pred' is one score per case, but there are"),
    "no labels": (columns(id=np.arange(N), p=P), "no column is named as the actual labels"),
    "two of labels": (columns(y=Y, target=Y, p=P), "'y' and 'target' may all be the actual labels"),
    "no scores": (columns(y=Y, age=AMOUNT, height=P * 100), "no column is named as scores"),
    "an index alone": (columns(y=Y, index=np.arange(N)), "no column is named as scores"),
    "two scores": (columns(y=Y, p=P, score=OTHER), "'p' and 'score' may all be scores"),
    "two of predicted labels": (
        columns(y=Y, pred=Y, y_pred=1 - Y),
        "'pred' and 'y_pred' may all be scores or pred",
    ),
    "labels as scores": (
        columns(y=Y, score=(P > 0.5).astype(int)),
        "'score' is named as scores are, but holds only 0",
    ),
    "text as scores": (columns(y=Y, score=YES), "'score' is named as scores are, but holds text"),
    "decimal commas": (
        columns(y=Y, score=[f"0,{i}" for i in range(len(Y))]),
        "'score' is named as scores are, but holds text, as '0,0'; write decimals",
    ),
    "one score for three classes": (columns(y=CLASS, p=P), "there are 3 or more classes"),
    "of the other class": (
        columns(y=Y, p_0=1 - P),
        "'1' is positive; to measure '0' say --positive 0 --score p_0",
    ),
    "of the negative class": (
        columns(y=YES, prob_no=1 - P),
        "'yes' is positive; to measure 'no' say --positive no --score prob_no",
    ),
    "of an unknown class": (
        columns(y=CLASS[:2].repeat(N // 2), p_a=P, p_b=1 - P),
        "which of 'a' and 'b' is positive",
    ),
    "no probabilities": (columns(y=CLASS, p_a=P, p_b=P, p_c=P), "do not add up to 1"),
    "a score per class and another": (columns(y=CLASS, **PER_CLASS, score=P), "may all be scores"),
    "weights": (columns(y=Y, p=P, sample_weight=P), "'sample_weight' may be the weights of the cases"),
    "several models": (columns(model=CLASS, y=Y, p=P), "'model' may say which model a row is of"),
    "parts of the data": (columns(split=YES, y=Y, p=P), "'split' may say which part of the data"),
    "patients": (
        columns(patient_id=np.arange(N) // 2, y=Y, p=P),
        "rows with the same 'patient_id' may depend",
    ),
    "patients by number": (
        columns(patient_no=np.arange(N) // 2, y=Y, p=P),
        "rows with the same 'patient_no' may depend",
    ),
    "weights in short": (columns(y=Y, p=P, wt=P), "'wt' may be the weights of the cases"),
    "several runs": (columns(seed=np.arange(N) % 2, y=Y, p=P), "'seed' may say which model a row is of"),
    "folds": (columns(fold=np.arange(N) % 5, y=Y, p=P), "'fold' may say which fold"),
    "parts of the data by their values": (
        columns(phase=np.where(Y, "Train", "test"), y=Y, p=P),
        "'phase' may say which part of the data",
    ),
    "a loss": (columns(y=Y, loss=P), "no column is named as scores"),
    "confidence in the predicted label": (
        columns(y=Y, confidence=np.maximum(P, 1 - P)),
        "no column is named as scores",
    ),
}  # fmt: skip


@for_each(("found", "wanted"), list(TAKEN.values()), ids=list(TAKEN))
def test_what_is_taken(found, wanted):
    taken = guess(found, {})
    assert taken.arguments == wanted
    used = {one for value in wanted.values() for one in (value if isinstance(value, list) else [value])}
    assert set(taken.unused) == set(found) - used


@for_each(("found", "said"), list(REFUSED.values()), ids=list(REFUSED))
def test_what_is_refused(found, said):
    with pytest.raises(InputError) as caught:
        guess(found, {})
    assert said in str(caught.value)
    assert caught.value.code == "ambiguous"
    assert caught.value.remedy


def test_columns_without_values_do_not_hold_text():
    with refuses("ambiguous", "'p'"):
        guess({"y": [], "p": []}, {})


def test_what_is_known_is_not_guessed():
    found = columns(y=Y, target=1 - Y, p=P, forest=OTHER)
    assert guess(found, {"truth": "target", "score": "forest"}).arguments == {}
    assert guess(columns(y=Y, target=Y, p=P), {"truth": "y"}).arguments == {"score": "p"}
    assert guess(columns(y=CLASS, p_a=P, p_b=1 - P), {"predicted": "p_a"}).arguments == {"truth": "y"}
    weighted = columns(y=Y, p=P, weight=P)
    assert guess(weighted, {"weight": "weight"}).arguments == {"truth": "y", "score": "p"}
    assert guess(weighted, {"truth": "y", "score": "p"}).arguments == {}
    two = columns(y=CLASS[:2].repeat(N // 2), p_a=P, p_b=1 - P)
    assert guess(two, {"positive": "b"}).arguments == {"truth": "y", "score": "p_b"}
    with refuses("unknown-name", "'z'", argument="truth"):
        guess(found, {"truth": "z"})


# On the command line
# --------------------------------------------------------------------------------------------------


def written(folder, found, name="cases.csv"):
    path = folder / name
    rows = zip(*found.values(), strict=True)
    path.write_text("\n".join(",".join(row) for row in [tuple(found), *rows]) + "\n")
    return str(path)


def test_it_shows_the_evaluation_and_the_command_that_names_the_columns(tmp_path, capsys, monkeypatch):
    path = written(tmp_path, columns(target=YES, risk=P, site=CLASS), "my cases.csv")
    assert main([path, "--measure", "auc"]) == 0
    out = capsys.readouterr().out
    shown = str(tm.evaluate(path, truth="target", score="risk", measures="auc"))
    assert out.startswith(shown)
    said = " ".join(out[len(shown) :].split())
    assert said.startswith("Guessed: truth target, score risk; not used: site.")
    command = out.splitlines()[-1]
    assert command.startswith(f"tallymark evaluate '{path}' --measure auc --truth target --score risk")
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == f"{shown}\n"


@pytest.mark.parametrize(
    "name",
    [
        "classes",
        *(
            pytest.param(name, marks=pytest.mark.full)
            for name in ("usual names", "a score per class", "logits")
        ),
    ],
)
def test_the_command_gives_the_same(name, tmp_path, capsys):
    path = written(tmp_path, TAKEN[name][0])
    assert main([path, "--json"]) in (0, 2)
    out, err = capsys.readouterr()
    if not out:
        assert "seem to be of another class" in err
        return
    assert main([*shlex.split(err.splitlines()[-1])[1:]]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(out)


@pytest.mark.parametrize("name", ["two scores", "weights", "of the other class", "no labels"])
def test_a_refusal_is_one_sentence_with_status_2(name, tmp_path, capsys):
    assert main([written(tmp_path, REFUSED[name][0])]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert REFUSED[name][1] in err
    assert "tallymark evaluate FILE --truth COLUMN --score COLUMN" in err
    assert err.count("\n") == 1


def test_scores_of_the_wrong_class_are_refused(tmp_path, capsys):
    path = written(tmp_path, columns(y=Y, p=1 - P))
    assert main([path]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert (
        "the columns that were guessed (y, p) seem to be of another class, or reversed (auc-below-half)"
        in err
    )
    assert main(["evaluate", path, "--truth", "y", "--score", "p"]) == 0


@pytest.mark.full
def test_other_formats_and_standard_input(tmp_path, capsys, monkeypatch):
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table({"y": Y, "p": P, "site": YES}), tmp_path / "cases.parquet")
    lines = "".join(json.dumps({"y": int(y), "p": float(p)}) + "\n" for y, p in zip(Y, P, strict=True))
    (tmp_path / "cases.jsonl").write_text(lines)
    text = "\n".join(f"{y};{p}" for y, p in [("y", "p"), *zip(Y, P, strict=True)])
    (tmp_path / "cases.tsv").write_text(text)
    wanted = tm.evaluate(truth=Y, score=P)["roc_auc"].to_dict()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    for file in (*(str(tmp_path / f"cases.{ending}") for ending in ("parquet", "jsonl", "tsv")), "-"):
        assert main([file, "--json"]) == 0, file
        assert json.loads(capsys.readouterr().out)["measures"]["roc_auc"] == wanted


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["nofile.csv"], "nofile.csv: no such file"),
        (["--json", "x.csv"], "--json comes before the command or the file"),
        (["evalute"], "'evalute' is not a command (did you mean 'evaluate'?)"),
        (["cases.doc"], "the ending of its name tells the kind of file"),
        (["a.csv", "b.csv"], "the columns of one file are guessed"),
    ],
)
def test_what_is_no_file_is_refused(typed, said, capsys):
    assert main(typed) == 2
    assert said in capsys.readouterr().err


def test_where_nothing_was_guessed_nothing_is_said(tmp_path, capsys):
    path = written(tmp_path, TAKEN["usual names"][0])
    assert main([path, "--truth", "y", "--score", "p"]) == 0
    screen = str(tm.evaluate(path, truth="y", score="p")).splitlines()
    assert capsys.readouterr().out.splitlines()[:-1] == screen[:-1]


def test_evaluate_guesses_nothing(tmp_path, capsys):
    assert main(["evaluate", written(tmp_path, TAKEN["usual names"][0])]) == 2
    assert "--truth" in capsys.readouterr().err


# The beginning of a file
# --------------------------------------------------------------------------------------------------

ROWS = ["1;0.8", "0;0.3", "1;0.4", "0;0.6"] * 5
BEGINNINGS = {  # a file, and what is said of it: as where its columns are named
    "a separator of Excel": ("\n".join(["sep=;", "y;p", *ROWS]).encode(), 0, "20 cases"),
    "UTF-16": ("\n".join(["y;p", *ROWS]).encode("utf-16"), 2, "the file is UTF-16"),
    "a label that looks missing": ("\n".join(["y;p", *ROWS, "NA;0.5"]).encode(), 2, "the first in line 22"),
}


@for_each("name", BEGINNINGS)
def test_files_begin_as_where_their_columns_are_named(name, tmp_path, capsys):
    data, status, said = BEGINNINGS[name]
    path = tmp_path / "cases.csv"
    path.write_bytes(data)
    for more in ([], ["--truth", "y", "--score", "p"]):
        assert main([*(["evaluate"] if more else []), str(path), *more]) == status
        assert said in "".join(capsys.readouterr())


def test_a_bad_score_is_named_with_its_line(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    path.write_text("y,score\n" + "".join(f"{i % 2},0.{i % 9 + 1}\n" for i in range(50)) + "1,oops\n0,0.3\n")
    assert main([str(path)]) == 2
    said = capsys.readouterr().err
    assert "'oops'" in said
    assert "line 52" in said


def test_nan_of_parquet_is_a_missing_value(tmp_path, capsys):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "b.parquet"
    columns = {"truth": [0, 1, 0, 1, 1], "proba": [0.0, 1.0, 0.0, float("nan"), 1.0]}
    pq.write_table(pa.table(columns), path)
    assert main([str(path), "--missing", "drop"]) == 2
    assert "holds only 0 and 1" in capsys.readouterr().err
    of_classes = {"truth": ["a", "b", "c", "a"]} | {
        f"proba_{name}": [float(name == one) for one in "abc"] + [float("nan")] for name in "abc"
    }
    pq.write_table(pa.table(of_classes), path)
    assert main([str(path)]) == 2
    assert "--missing 'drop'" in capsys.readouterr().err
    assert main([str(path), "--missing", "drop"]) == 0
