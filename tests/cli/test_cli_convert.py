"""tallymark convert, class-mix, unscored, curve pairs, and counts of predictive values."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from typed import as_typed

import tallymark as tm
from tallymark.evaluation.class_mix import changes_with_class_mix, curve_changes
from tallymark.measures import registry
from tallymark.summaries import RankingTable

pytestmark = pytest.mark.full
pytest.importorskip("pyarrow")

ROWS = [("007", 1, 2.5, 1, 2, "x, y"), ("008", 0, -1, 0.5, 0.5, ""), ("009", 1, 0, 3, 1, "z")]
RANDOM = np.random.default_rng(8)
TRUTH = np.arange(40) % 2
SCORE = np.round(np.clip(0.3 * TRUTH + 0.7 * RANDOM.random(40), 0, 1), 2)


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "c.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "y", "z", "cat", "dog", "note"), *ROWS])
    lines = ["y,p", *(f"{y},{p}" for y, p in zip(TRUTH, SCORE, strict=True))]
    (tmp_path / "cases.csv").write_text("\n".join(lines))


def read(text):
    return list(csv.DictReader(text.splitlines()))


def printed(answer):
    status, out, err = answer
    assert (status, err) == (0, ""), err
    return out


# convert
# --------------------------------------------------------------------------------------------------


def test_a_conversion_keeps_every_column_of_the_file(run):
    rows = read(printed(run("convert", "sigmoid", "c.csv", "--score", "z")))
    assert [list(row) for row in rows] == [["id", "y", "z", "cat", "dog", "note", "probability"]] * 3
    assert [(row["id"], row["note"], float(row["z"])) for row in rows] == [(r[0], r[5], r[2]) for r in ROWS]
    wanted = tm.convert.sigmoid([row[2] for row in ROWS])
    assert [float(row["probability"]) for row in rows] == wanted.tolist()


def test_every_kind_is_that_of_python(run):
    z, both = [row[2] for row in ROWS], [row[3:5] for row in ROWS]
    columns = ["--score", "cat", "--score", "dog"]
    linear = read(printed(run("convert", "linear", "c.csv", "--score", "z", "--low", -2, "--high", 3)))
    np.testing.assert_allclose(
        [float(row["probability"]) for row in linear], tm.convert.linear(z, low=-2, high=3)
    )
    softmax = read(printed(run("convert", "softmax", "c.csv", *columns, "--name", "p")))
    found = [[float(row["p_cat"]), float(row["p_dog"])] for row in softmax]
    np.testing.assert_allclose(found, tm.convert.softmax(both))
    argmax = read(printed(run("convert", "argmax", "c.csv", *columns, "--ambiguous-label", "?")))
    assert [(row["label"], row["ambiguous"]) for row in argmax] == [("dog", "0"), ("?", "1"), ("cat", "0")]
    labels = ["convert", "labels", "cases.csv", "--score", "p", "--threshold", 0.3, "--labels", "no", "yes"]
    wanted = tm.convert.to_labels(SCORE, threshold=0.3, labels=("no", "yes")).labels.tolist()
    assert [row["label"] for row in read(printed(run(*labels)))] == wanted


def test_what_is_written_is_evaluated(run):
    said = printed(run("convert", "sigmoid", "cases.csv", "--score", "p", "-o", "out.parquet"))
    assert said == "out.parquet: 40 rows, with probability\n"
    found = tm.evaluate("out.parquet", truth="y", score="probability")["log_loss"].value
    assert found == pytest.approx(tm.evaluate(truth=TRUTH, score=tm.convert.sigmoid(SCORE))["log_loss"].value)


@for_each(
    ("arguments", "said"),
    [
        (["sigmoid", "c.csv", "--score", "zz"], "no column 'zz' (did you mean 'z'?)"),
        (["sigmoid", "c.csv", "--score", "note"], "score (column 'note'): 'x, y' in line 2 is not a number"),
        (["sigmoid", "c.csv", "--score", "z", "--name", "y"], "a column 'y' already; give another name"),
        (["sigmoid", "c.csv", "--score", "z", "--low", "0"], "unrecognized arguments: --low 0"),
        (["linear", "c.csv", "--score", "z", "--low", "0"], "linear needs high; pass --high"),
        (
            ["linear", "c.csv", "--score", "z", "--low", "0", "--high", "3"],
            "-1 in line 3 lies outside 0 to 3",
        ),
        (["softmax", "c.csv", "--score", "z"], "repeat --score, once for each class"),
        (["labels", "c.csv", "--score", "cat", "--score", "dog"], "labels takes one column"),
        (["tanh", "c.csv", "--score", "z"], "invalid choice: 'tanh'"),
        (["sigmoid", "c.csv", "--score", "z", "-o", "c.csv"], "is the file that is read"),
        (["sigmoid", "c.csv", "--score", "z", "-o", "c.txt"], "must end in .csv, .parquet or .xlsx"),
    ],
)
def test_a_wrong_call_is_one_sentence(run, arguments, said):
    status, out, err = run("convert", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


# counts of predictive values
# --------------------------------------------------------------------------------------------------

VALUES = ["--precision", 0.75, "--npv", 0.67, "--predicted-prevalence", 0.4]


def test_counts_of_predictive_values(run):
    given = {"precision": 0.75, "negative_predictive_value": 0.67, "predicted_prevalence": 0.4}
    table = tm.convert.from_predictive_values(**given, cases=100)
    found = json.loads(printed(run("counts", *VALUES, "--cases", 100, "--json")))
    assert found == tm.evaluate(counts=table).to_dict()
    shares = json.loads(
        printed(run("counts", *VALUES, "--json", "--measure", "LR+", "--measure", "accuracy"))
    )
    assert list(shares["measures"]) == ["positive_likelihood_ratio", "accuracy"]
    assert shares["measures"]["accuracy"]["value"] == pytest.approx(0.4 * 0.75 + 0.6 * 0.67)
    assert shares["measures"]["accuracy"]["low"] is None
    assert printed(run("counts", *VALUES, "--measure", "accuracy")).split() == [
        "measure", "value", "--------", "-----", "Accuracy", "0.702",
    ]  # fmt: skip


@for_each(
    ("arguments", "said"),
    [
        (["--precision", 0.75], "from_predictive_values needs negative_predictive_value; pass"),
        (["--precision", 0.75, "--npv", 0.67], "give --predicted-prevalence or --prevalence."),
        (["--precision", 0.75, "--npv", 0.67, "--prevalence", 0.9], "0.9 contradicts the predictive values"),
        (["--tp", 3], "Counts needs fp, fn and tn; pass --fp, --fn, --tn"),
        ([*VALUES, "--tp", 3], "Counts needs fp, fn and tn; pass --fp, --fn, --tn"),
        ([*VALUES, "--tp", 3, "--fp", 1, "--fn", 1, "--tn", 1], "both are given"),
    ],
)
def test_incomplete_values_are_refused(run, arguments, said):
    status, out, err = run("counts", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


# class-mix
# --------------------------------------------------------------------------------------------------


def test_the_class_mix_of_a_file(run):
    found = json.loads(printed(run("class-mix", "cases.csv", "--truth", "y", "--score", "p", "--json")))
    wanted = tm.class_mix_sensitivity(tm.evaluate(truth=TRUTH, score=SCORE))
    assert {name: found[name] for name in wanted.to_dict()} == wanted.to_dict()
    assert found["answer"] == "class_mix"
    text = printed(run("class-mix", "cases.csv", "--truth", "y", "--score", "p", "-o", "mix.csv"))
    assert text == f"{as_typed(wanted)}\n\nReport: mix.csv\n"
    assert max(map(len, text.splitlines())) <= 80
    assert len(read(Path("mix.csv").read_text())) == len(wanted.table)


def test_values_of_rankings_are_those_of_the_cases_repeated():
    """With each negative three times in place of the negatives multiplied by 3."""
    mix = tm.class_mix_sensitivity(tm.evaluate(truth=TRUTH, score=SCORE), growth=(1, 3))
    weight = np.where(TRUTH == 1, 1, 3)
    repeated = tm.evaluate(truth=np.repeat(TRUTH, weight), score=np.repeat(SCORE, weight))
    wrong = [
        (name, values[1], repeated[name].value)
        for name, values in mix.values.items()
        if values[1] != pytest.approx(repeated[name].value, rel=1e-9, nan_ok=True)
    ]
    assert wrong == []
    assert {"roc_auc", "average_precision", "log_loss"} <= set(mix.values)


def test_which_rankings_and_curves_change():
    """Tharwat: ROC curves do not depend on the class mix, precision-recall curves do."""
    changes = {entry.name: changes_with_class_mix(entry) for entry in registry.find(RankingTable)}
    assert not any(changes[name] for name in ("roc_auc", "gini", "auch", "youden_j_max", "partial_auc"))
    assert all(changes[name] for name in ("average_precision", "log_loss", "average_lift", "h_measure"))
    curves = {name: curve_changes(name) for name in tm.class_mix_sensitivity(evaluated()).curves}
    assert not any(curves[name] for name in ("roc", "det", "tpr_fpr", "far_frr", "density"))
    assert all(curves[name] for name in ("pr", "gain", "lift", "decision", "reliability"))


def evaluated():
    return tm.evaluate(truth=TRUTH, score=SCORE)


def test_the_class_mix_of_a_table(run):
    cells = ["--tp", 70, "--fp", 20, "--fn", 30, "--tn", 80]
    wanted = tm.class_mix_sensitivity(tm.Counts(tp=70, fp=20, fn=30, tn=80), growth=(1, 10), grown="positive")
    out = printed(run("class-mix", *cells, "--growth", 1, 10, "--grown", "positive"))
    assert out == f"{as_typed(wanted)}\n"
    both = "all of --tp --fp --fn --tn"
    for wrong, said in (([], both), (["--tp", 3], "pass --fp, --fn, --tn"), (["cases.csv", *cells], both)):
        status, _, err = run("class-mix", *wrong)
        assert (status, err.count("\n")) == (2, 1)
        assert said in err


# unscored, and pairs
# --------------------------------------------------------------------------------------------------


def test_unscored(run):
    columns = ["cases.csv", "--truth", "y", "--score", "p"]
    wanted = tm.unscored(truth=TRUTH, score=SCORE, of_positives=0.3, of_negatives=0.1)
    shares = ["--of-positives", 0.3, "--of-negatives", 0.1]
    assert json.loads(printed(run("unscored", *columns, *shares, "--json"))) == wanted.to_dict()
    out = printed(run("unscored", *columns, *shares, "-o", "u.csv", "--plot", "u.svg"))
    assert out == f"{as_typed(wanted)}\n\nReport: u.csv\n\nArea against the constant: u.svg\n"
    assert [row["others"] for row in read(Path("u.csv").read_text())] == [
        row["others"] for row in wanted.table
    ]
    for wrong in ([], ["--share", 2], ["--of-positives", 0.1]):
        status, _, err = run("unscored", *columns, *wrong)
        assert (status, err.count("\n")) == (2, 1)
        assert "share" in err


def test_pairs(run):
    columns = ["cases.csv", "--truth", "y", "--score", "p"]
    wanted = tm.evaluate(truth=TRUTH, score=SCORE).pairs_matrix
    assert printed(run("curve", "pairs", *columns)) == f"{wanted}\n"
    assert printed(run("curve", "pairs", *columns, "--out", "pairs.csv")) == "pairs.csv: 400 pairs\n"
    cells = [float(row["cell"]) for row in read(Path("pairs.csv").read_text())]
    assert np.mean(cells) == pytest.approx(tm.evaluate(truth=TRUTH, score=SCORE)["roc_auc"].value)
    status, _, err = run("curve", "pairs", *columns, "--band", "pointwise")
    assert status == 2
    assert "the table holds every pair as it is" in err
