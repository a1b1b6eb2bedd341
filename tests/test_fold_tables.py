"""Several models on folds: each as alone, and their paired differences, which allow for shared training."""

import json
import pickle

import numpy as np
import pytest
from looping import for_each
from refusals import refuses
from same import same_plain
from scipy import stats
from test_folds import CASES, FOLD, FRAME, N, S, Y

import tallymark as tm
from tallymark.cli import main

RNG = np.random.default_rng(9)
OTHER = np.round(np.clip(0.15 * Y + 0.85 * RNG.random(N), 0, 1), 2)
DATA = FRAME | {
    "s 2": OTHER,
    "label 2": (OTHER > 0.5).astype(int),
    "guess 2": RNG.permutation(FRAME["guess"]),
}
DATA |= {"of 2": S * 8 + RNG.random(N)} | {
    f"q {one}": RNG.permutation(FRAME[f"p {one}"]) for one in ("ant", "bee", "cow")
}
SHARE = 1 / 3  # of test to training cases, in 4 folds


def both(given):
    kind = "score" if "score" in given else "predicted"
    column = given[kind]
    other = [f"q{name[1:]}" for name in column] if isinstance(column, list) else f"{column} 2"
    return given | {kind: {"one": column, "other": other}}, {"one": column, "other": other}, kind


@pytest.mark.full
@for_each("name", CASES)
def test_each_model_is_as_alone(name):
    given, models, kind = both(CASES[name])
    found = tm.evaluate(DATA, fold="fold", **given)
    for model, column in models.items():
        alone = tm.evaluate(DATA, fold="fold", **{**given, kind: column})
        assert same_plain(found[model].to_dict(), alone.to_dict())
    assert {one.part for one in found.differences} == {"mean", "pooled"}
    assert len(found.differences) == 2 * len(found.measures)


@pytest.mark.full
@for_each("name", CASES)
def test_differences_of_means_are_those_of_the_corrected_t(name):
    given, _, _ = both(CASES[name])
    found = tm.evaluate(DATA, fold="fold", **given, reference="one")
    for one in found.differences:
        if one.part == "mean":
            values = found["other"].values_of(one.measure) - found["one"].values_of(one.measure)
            error = np.sqrt((1 / 4 + SHARE) * values.var(ddof=1))
            half = stats.t.ppf(0.975, 3) * error
            assert one.value == pytest.approx(values.mean())
            assert (one.estimate.low, one.estimate.high) == pytest.approx(
                (one.value - half, one.value + half)
            )
            assert one.p_value == pytest.approx(2 * stats.t.sf(abs(one.value) / error, 3))


@pytest.mark.full
@for_each("measure", ["f1", "roc_auc", "brier_score"])
def test_differences_of_pooled_values_are_those_of_the_jackknife(measure):
    """Against the delete-one-group jackknife, written out for folds of equal size."""
    found = tm.evaluate(
        truth=Y, score={"one": S, "other": OTHER}, fold=FOLD, measures=[measure], reference="one"
    )

    def difference(rows):
        values = [tm.evaluate(truth=Y[rows], score=one[rows])[measure].value for one in (OTHER, S)]
        return values[0] - values[1]

    without = np.array([difference(i != FOLD) for i in range(4)])
    error = np.sqrt(3 / 4 * ((without - without.mean()) ** 2).sum() * (1 + 4 * SHARE))
    one = next(one for one in found.differences if one.part == "pooled")
    assert one.value == pytest.approx(difference(FOLD >= 0))
    assert one.estimate.standard_error == pytest.approx(error)
    assert one.p_value == pytest.approx(2 * stats.t.sf(abs(one.value) / error, 3))
    if measure == "brier_score":  # a mean over cases: both parts agree
        mean = next(one for one in found.differences if one.part == "mean")
        assert mean.estimate.standard_error == pytest.approx(error)


@pytest.mark.full
def test_p_values_are_adjusted_within_a_part_and_the_best_is_the_reference():
    found = tm.evaluate(truth=Y, score={"a": OTHER, "b": S, "c": OTHER}, fold=FOLD)
    assert found.compared_with == "b"
    means = [one for one in found.differences if one.part == "mean"]
    ranked = sorted(means, key=lambda one: one.p_value)
    assert ranked[0].adjusted == pytest.approx(min(1, ranked[0].p_value * len(means)))
    same = tm.evaluate(truth=Y, score={"a": S, "b": S}, fold=FOLD)
    assert all(
        (one.value, one.estimate.low, one.estimate.high, one.p_value) == (0, 0, 0, 1)
        for one in same.differences
    )
    errors = tm.evaluate(truth=Y, score={"a": OTHER, "b": S}, fold=FOLD, measures=["brier_score", "f1"])
    assert errors.compared_with == "b"


@pytest.mark.full
def test_text_rows_and_files(tmp_path):
    found = tm.evaluate(DATA, truth="y", score={"a": "s", "b": "s 2"}, fold="fold")
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 80
    assert "a has the best mean ROC AUC" in str(found)
    assert "Minus a, the best mean ROC AUC here" in " ".join(str(found).split())
    rows = found.table
    assert len(rows) == 2 * len(found["a"].table)
    assert {"model": "a", "part": "mean", "measure": "roc_auc"}.items() <= rows[0].items()
    found.save(tmp_path / "found.json")
    again = tm.load(tmp_path / "found.json")
    assert again.table == rows
    assert again["b"]["roc_auc", "pooled"] == found["b"].pooled["roc_auc"]
    assert again.to_dict()["differences"] == [one.to_dict() for one in found.differences]
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()
    for ending in (".csv", ".md", ".tex", ".xlsx", ".html", ".parquet"):
        found.save(tmp_path / f"found{ending}")
    panel = found.plot(measures="f1").figures[0]
    assert panel.rows == ("a: mean", "a: pooled", "b: mean", "b: pooled")
    assert panel.series[0].x.tolist() == [
        part["f1"].value for one in found.values() for part in (one.means, one.pooled)
    ]
    with refuses("unsupported", "'a'", argument="means"):
        found.means  # noqa: B018
    with refuses("unsupported", "figure", argument="kind"):
        found.plot("roc")


@pytest.mark.full
def test_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    tm.evaluate(truth=Y, score=S)  # loads the package before the time of the command
    path.write_text(
        "y,a,b,fold\n" + "".join(f"{y},{a},{b},{f}\n" for y, a, b, f in zip(Y, S, OTHER, FOLD, strict=True))
    )
    given = ["evaluate", str(path), "--truth", "y", "--model", "a=a", "--model", "b=b", "--fold", "fold"]
    found = tm.evaluate(str(path), truth="y", score={"a": "a", "b": "b"}, fold="fold", reference="b")
    main([*given, "--reference", "b"])
    assert capsys.readouterr().out[:1000] == str(found)[:1000]
    main([*given, "--reference", "b", "--json"])
    assert json.loads(capsys.readouterr().out) == found.to_dict()


def test_where_no_value_is_better_the_first_model_is_compared_with():
    given, _, _ = both(CASES["scores"])
    found = tm.evaluate(DATA, fold="fold", **given, measures=["predicted_prevalence", "roc_auc"])
    assert found.compared_with == "one"
    assert "the best" not in str(found)
    assert "the best" in str(found.choose("roc_auc"))


@pytest.mark.full
def test_all_has_every_fold_of_every_model():
    given, _, _ = both(CASES["scores"])
    found = tm.evaluate(DATA, fold="fold", **given)
    text = str(found.all)
    for name, model in found.items():
        _, _, of_model = text.partition(f"\n{name}\n===")
        assert all(f"\n{fold} " in of_model for fold in model)


def test_a_mapping_of_one_model_knows_its_reference_and_its_threshold():
    given = {"truth": "y", "score": {"one": "s"}, "fold": "fold"}
    same = tm.evaluate(DATA, truth="y", score="s", fold="fold", threshold=0.3)
    assert tm.evaluate(DATA, **given, threshold={"one": 0.3}, reference="one").to_dict() == same.to_dict()
    with refuses("unknown-name", "'other'", argument="reference"):
        tm.evaluate(DATA, **given, reference="other")
    with refuses("unknown-name", "'other'", argument="threshold"):
        tm.evaluate(DATA, **given, threshold={"other": 0.3})
