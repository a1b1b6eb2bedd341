"""Odd values with an answer of their own; `test_fuzz.py` holds every entry point to "an answer or
InputError"."""

import json

import numpy as np
import polars as pl
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.measures.titles import title

Y, P = [0, 1, 1, 0], [0.1, 0.9, 0.8, 0.4]
COUNTS = tm.Counts(tp=4, fp=1, fn=2, tn=5)
SURROGATE = "\ud800"


class Raising:
    """Fails when asked for what it is."""

    def __float__(self):
        raise RuntimeError("no float")

    def __repr__(self):
        raise RuntimeError("no text")


class Unreadable:
    def __array__(self, *_, **__):
        raise RuntimeError("no array")

    def __len__(self):
        return 4


def test_a_masked_value_is_missing_whatever_it_hides():
    truth = np.ma.array([0, 1, "x", 0], mask=[0, 0, 1, 0], dtype=object)
    assert tm.evaluate(truth=truth, score=P, missing="drop").data.rows == 3
    with refuses("missing-value", "missing", argument="truth"):
        tm.evaluate(truth=truth, score=P)


@pytest.mark.full
@for_each("values", [[0, 1, 1, 0], [0, 1, 2, 0]], ids=str)
def test_long_doubles_are_labels_like_any_others(values):
    ev = tm.evaluate(truth=np.array(values, np.longdouble), predicted=np.array(Y, np.longdouble))
    plain = tm.evaluate(truth=np.array(values, float), predicted=np.array(Y, float))
    assert ev.to_json() == plain.to_json()


def test_infinite_labels_in_json():
    matrix = tm.ConfusionMatrix.from_arrays(truth=[0, 1, np.inf, 0], predicted=[0, 1, 1, -np.inf])
    assert json.loads(matrix.to_json())["labels"] == ["-inf", 0.0, 1.0, "inf"]
    assert tm.ConfusionMatrix.from_json(matrix.to_json()) == matrix
    scores = tm.ClassScores.from_arrays(truth=[0.0, 1.0, np.inf], score=np.eye(3))
    assert tm.ClassScores.from_json(scores.to_json()) == scores
    ev = tm.evaluate(truth=[0, np.inf, np.inf, 0], predicted=[0, np.inf, 0, 0], positive=np.inf)
    assert json.loads(ev.to_json())["table"]["labels"] == {"positive": "inf", "negative": 0.0}
    texts = tm.ConfusionMatrix.from_arrays(truth=["inf", "a"], predicted=["a", "a"])
    assert tm.ConfusionMatrix.from_json(texts.to_json()).labels == ("a", "inf")


def test_half_a_surrogate_pair_in_a_label(tmp_path):
    ev = tm.evaluate(truth=[SURROGATE, "b", "b", "c"], predicted=[SURROGATE, "b", "c", "c"])
    for ending in ("html", "json"):
        ev.save(tmp_path / f"page.{ending}")
        written = (tmp_path / f"page.{ending}").read_text(encoding="utf-8")
        assert "ud800" in written or "\N{REPLACEMENT CHARACTER}" in written


def test_integers_of_128_bits():
    labels = pl.Series(Y, dtype=pl.Int128)
    assert tm.evaluate(truth=labels, score=P)["roc_auc"].value == 1
    assert tm.evaluate(pl.DataFrame({"y": labels, "p": P}), truth="y", score="p")["roc_auc"].value == 1
    assert tm.evaluate(truth=Y, score=pl.Series([0, 2**100, 1, 0], dtype=pl.Int128))["roc_auc"].value == 1


MANY = tm.evaluate(truth=[0, 1, 2, 0], predicted=[0, 1, 2, 1])
REFUSED = {
    "float that fails": (lambda: tm.evaluate(truth=Y, score=[Raising()] * 4), "score: "),
    "repr that fails": (
        lambda: tm.evaluate(truth=Raising(), score=P),
        "truth: one value per case is needed, not a Raising",
    ),
    "array that fails": (
        lambda: tm.evaluate(truth=Y, score=Unreadable()),
        "score: a Unreadable that NumPy cannot read .*no array",
    ),
    "positive": (
        lambda: tm.evaluate(truth=Y, score=P, positive=[1]),
        r"positive: \[1\] \(list\) is not a label",
    ),
    "progress": (lambda: tm.evaluate(truth=Y, score=P, progress=1), "progress: 1 is not a function"),
    "progress of compare": (
        lambda: tm.compare(truth=Y, score={"a": P, "b": Y}, progress=1),
        "progress: 1 is not a function",
    ),
    "estimate": (lambda: tm.estimate(3, COUNTS), "measure: 3 is not a measure"),
    "measures": (
        lambda: tm.bootstrap(truth=Y, score=P, measures=np.array(0.9)),
        r"measures: array\(0.9\) is not a list of names",
    ),
    "linear": (
        lambda: tm.convert.linear(P, low=10**400, high=1),
        "low: 1000.* is not possible; give a number that is finite",
    ),
    "planning": (
        lambda: tm.planning.roc_auc(expected=1e-300, width=0.1),
        "expected: 1e-300 leaves nothing to plan",
    ),
    "planning, close to 0": (
        lambda: tm.planning.roc_auc(expected=1e-50, width=0.1),
        "expected: 1e-50 would need more than",
    ),
    "planning of two": (
        lambda: tm.planning.paired_roc_auc(first=0.5, second=1e-50, correlation=0.1, width=0.1),
        "second: 1e-50 is too close to 0",
    ),
    "classes": (lambda: MANY.classes[[]], r"\[\] is not here; there are 0, 1, 2"),
    "averages": (lambda: MANY.averages[{}], "{} is not here; there are macro"),
    "estimates": (lambda: MANY.estimates[[]], "not here|not a measure"),
    "operating points": (
        lambda: tm.evaluate(truth=Y, score=P).operating_points()[[]],
        r"column: \[\] is not known",
    ),
    "endless labels": (
        lambda: tm.convert.to_labels(P, labels=iter(int, 1)),
        "labels: .* is not a list of labels",
    ),
}


@for_each("name", REFUSED)
def test_what_is_refused_and_how(name):
    call, text = REFUSED[name]
    with pytest.raises(tm.InputError, match=text):
        call()


def test_what_cannot_be_a_key_is_not_there():
    assert [] not in MANY.classes
    assert {} not in MANY.estimates


def test_infinite_values_stand_in_frames_files_and_saved_results(tmp_path):
    pd = pytest.importorskip("pandas")
    counts = tm.Counts(tp=9, fp=0, fn=1, tn=10)  # (9 * 10) / (0 * 1)
    every, name = tm.evaluate(counts=counts), "diagnostic_odds_ratio"
    every.save(tmp_path / "saved.json")
    for one in (every.all, tm.load(tmp_path / "saved.json")):
        row = next(row for row in one.table if row["measure"] == name)
        assert (row["value"], row["high"]) == (np.inf, np.inf)
        assert np.isfinite(row["low"])
        for backend in ("pandas", "polars", "pyarrow"):
            frame = one.to_frame(backend)
            assert np.inf in list(frame["value"].to_pylist() if backend == "pyarrow" else frame["value"])
        one.save(tmp_path / "rows.csv")
        read = pd.read_csv(tmp_path / "rows.csv").set_index("measure").loc[name]
        assert (read["value"], read["high"]) == (np.inf, np.inf)
        one.save(tmp_path / "rows.parquet")
        assert pd.read_parquet(tmp_path / "rows.parquet").set_index("measure").loc[name, "high"] == np.inf
        one.save(tmp_path / "rows.xlsx")
        line = next(
            line
            for line in str(getattr(one, "all", one)).splitlines()
            if line.startswith((name, title(name)))
        )
        assert line.count("inf") == 2, line
    assert "Infinity" not in every.to_json()
    assert tm.load(tmp_path / "saved.json")[name].value == np.inf


def test_half_a_surrogate_in_a_label_is_escaped_in_files(tmp_path):
    labels = np.array(["a\ud800", "b"], object)[[0, 1, 0, 1, 1, 0] * 4]
    found = tm.evaluate(truth=labels, predicted=labels[::-1].copy(), classes=["b", "a\ud800"], positive="b")
    groups = tm.evaluate(truth=[0, 1] * 12, predicted=[0, 1, 1] * 8, by=labels)
    for one in (found.all, groups):
        for ending in ("xlsx", "parquet", "csv", "json", "html", "md", "tex"):
            one.save(tmp_path / f"x.{ending}")


def test_constructors_and_references_refuse_what_they_cannot_hold():
    table = tm.ClassScores.from_arrays(truth=["a", "b"], score=[[0.9, 0.1], [0.4, 0.6]])
    assert tm.ClassScores(table.labels, table.truth, table.score, table.weight).labels == table.labels
    for changed in (
        {"truth": None},
        {"score": [[1]]},
        {"weight": "x"},
        {"truth": np.array([0.5, 1])},
        {"score": table.score.T[:1]},
    ):
        given = {"labels": table.labels, "truth": table.truth, "score": table.score, "weight": table.weight}
        with pytest.raises(tm.InputError):
            tm.ClassScores(**given | changed)
    for given in ({"counts": 3}, {"counts": tm.Counts(tp=[1, 2], fp=[1, 2], fn=[1, 2], tn=[1, 2])}):
        with pytest.raises(tm.InputError):
            tm.Contingency(**given)
    with pytest.raises(tm.InputError):
        tm.compare(truth=[0, 1] * 9, predicted={"a": [0, 1] * 9, "b": [1, 0] * 9}, reference=np.array([1, 2]))


def test_a_number_of_too_many_digits_and_a_torn_header_are_told_as_they_are(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"y": 1, "p": ' + "1" * 5000 + "}\n", encoding="utf-8")
    with pytest.raises(tm.InputError) as caught:
        tm.evaluate(str(path), truth="y", score="p")
    assert "nested" not in str(caught.value)
    from tallymark.input.guess import peek

    path = tmp_path / "x.csv"
    path.write_text('y,p,"a;;b;c;d",g\n1,.5,2,3\n', encoding="utf-8")
    assert list(peek(str(path))) == ["y", "p", "a;;b;c;d", "g"]


def test_arrays_without_dimensions_in_a_list_are_numbers():
    truth, predicted = [np.array(1), np.array(0), np.array(1)], [1, 0, 0]
    assert tm.evaluate(truth=truth, predicted=predicted)["accuracy"].value == pytest.approx(2 / 3)


def test_rows_of_lists_of_several_lengths_are_refused():
    with refuses("wrong-shape", argument="score"):
        tm.evaluate(truth=[1, 0], score=[[[0], [1, 2]], [1, 2]])


def test_groups_with_numbers_of_any_length_are_in_natural_order():
    names = ["a10", "a9", "a009", "a0", "a" + "9" * 5000]
    groups = tm.evaluate(truth=[1, 0] * 5, predicted=[1, 0] * 5, by=[*names, *names])
    assert list(groups) == ["a0", "a009", "a9", "a10", names[-1]]
