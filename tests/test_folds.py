"""Folds of a cross-validation: stored predictions with a column of folds, their means, and all pooled."""

import json
import pickle

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from scipy import stats

import tallymark as tm
from tallymark.cli import main
from tallymark.inference.over_folds import mean_over_folds, pooled_over_folds

N = 120
RNG = np.random.default_rng(6)
Y = np.arange(N) % 2
S = np.round(np.clip(0.3 * Y + 0.7 * RNG.random(N), 0, 1), 2)
FOLD = np.arange(N) // 2 % 4
KIND = np.array(["ant", "bee", "cow"])[np.arange(N) % 3]
SHARES = RNG.dirichlet([1, 1, 1], N) * 0.5 + 0.5 * (KIND[:, None] == ["ant", "bee", "cow"])
FRAME = {
    "y": Y, "s": S, "fold": FOLD, "label": (S > 0.4).astype(int), "kind": KIND, "guess": np.roll(KIND, 1),
    "w": RNG.uniform(0.5, 2, N), "amount": S * 10, "of": S * 9 + Y, "patient": np.arange(N) // 8 * 4 + FOLD,
    **{f"p {one}": SHARES[:, i] for i, one in enumerate(("ant", "bee", "cow"))},
}  # fmt: skip
PER_CLASS = ["p ant", "p bee", "p cow"]
CASES = {
    "scores": {"truth": "y", "score": "s"},
    "weights": {"truth": "y", "score": "s", "weight": "w"},
    "labels": {"truth": "y", "predicted": "label"},
    "clusters": {"truth": "y", "score": "s", "clusters": "patient"},
    "classes": {"truth": "kind", "predicted": "guess"},
    "a score per class": {"truth": "kind", "score": PER_CLASS},
    "amounts": {"truth": "amount", "predicted": "of", "regression": True},
}
TWICE = {
    "y": np.r_[Y, Y], "s": np.r_[S, np.roll(S, 2)], "repeat": np.repeat(["a", "b"], N),
    "fold": np.r_[FOLD, np.roll(FOLD, 3)], "patient": np.r_[np.arange(N), np.arange(N)],
}  # fmt: skip


def of(where):
    return {name: values[where] for name, values in FRAME.items()}


@for_each("name", CASES)
def test_each_fold_and_all_pooled_are_as_alone(name):
    given = CASES[name]
    found, whole = tm.evaluate(FRAME, fold="fold", **given), tm.evaluate(FRAME, **given)
    assert list(found) == ["0", "1", "2", "3"]
    assert found.sizes == dict.fromkeys("0123", N // 4)
    kind = {"weight_kind": "importance"} if "weight" in given else {}
    alone = [tm.evaluate(of(fold == FOLD), **given, **kind) for fold in range(4)]
    for measure in found.measures:
        values = [one[measure].value for one in alone]
        assert found.values_of(measure) == pytest.approx(values)
        assert found.means[measure].value == pytest.approx(np.mean(values))
        assert found.pooled[measure].value == whole[measure].value
    assert found[2].data.rows == found["2"].data.rows == N // 4


def test_the_interval_of_a_mean_by_hand():
    found = tm.evaluate(FRAME, truth="y", score="s", fold="fold").means["roc_auc"]
    values = [tm.evaluate(of(fold == FOLD), truth="y", score="s")["roc_auc"].value for fold in range(4)]
    half = stats.t.ppf(0.975, 3) * np.sqrt((1 / 4 + 1 / 3) * np.var(values, ddof=1))
    assert (found.low, found.high) == pytest.approx((np.mean(values) - half, min(np.mean(values) + half, 1)))
    assert found.method == "corrected-resampled-t"


def test_of_a_mean_over_cases_in_equal_folds_the_pooled_interval_is_that_of_the_mean():
    found = tm.evaluate(FRAME, truth="y", score="s", fold="fold")
    mean, pooled = found.means["brier_score"], found.pooled["brier_score"]
    assert (pooled.value, pooled.low, pooled.high) == pytest.approx((mean.value, mean.low, mean.high))
    assert not pooled.notes


def test_the_jackknife_of_folds_of_any_sizes():
    values, sizes = np.array([0.2, 0.5, 0.9]), np.array([10, 20, 30])
    whole = (values * sizes).sum() / 60
    without = (whole * 60 - values * sizes) / (60 - sizes)
    deviations = (values - whole) ** 2 / (60 / sizes - 1)  # pseudo-values of a mean are the values
    no_shares = np.zeros(3)
    found = pooled_over_folds(whole, without, sizes, no_shares)
    assert found.error**2 == pytest.approx(deviations.mean())
    equal = np.array([20, 20, 20])
    mean = values.mean()
    without = (3 * mean - values) / 2
    found = pooled_over_folds(mean, without, equal, no_shares)
    assert found.error**2 == pytest.approx(values.var(ddof=1) / 3)
    shares = np.full(3, 0.5)
    found = pooled_over_folds(mean, without, equal, shares)
    assert found.error == pytest.approx(mean_over_folds(values, shares).error)


def test_folds_without_a_value_are_left_out():
    truth = np.where(FOLD == 1, 0, Y)
    found = tm.evaluate(truth=truth, score=S, fold=FOLD)
    area = found.means["roc_auc"]
    assert np.isnan(found.values_of("roc_auc")).tolist() == [False, True, False, False]
    assert area.value == pytest.approx(np.nanmean(found.values_of("roc_auc")))
    assert area.notes[-1].code == "folds-left-out"
    assert area.notes[-1]["folds"] == 1
    one_each = tm.evaluate(truth=Y, score=S, fold=np.arange(N))
    assert one_each.means["roc_auc"].undefined
    assert one_each.pooled["roc_auc"].has_interval


def test_repeated_folds():
    found = tm.evaluate(TWICE, truth="y", score="s", fold=["repeat", "fold"])
    assert list(found)[:2] == ["a, 0", "a, 1"]
    assert found["b", 3].data.rows == N // 4
    assert found.trained.tolist() == [3 * N // 4] * 8
    assert found.repeated
    values = found.values_of("accuracy")
    half = stats.t.ppf(0.975, 7) * np.sqrt((1 / 8 + 1 / 3) * np.var(values, ddof=1))
    for estimate in (found.means["accuracy"], found.pooled["accuracy"]):
        assert estimate.high - estimate.value == pytest.approx(half)
    assert "cases-repeated" in {one.code for one in found.notices}


def test_clusters_in_several_folds_of_a_repeat():
    codes = [
        {one.code for one in tm.evaluate(truth=Y, score=S, fold=FOLD, clusters=clusters).notices}
        for clusters in (FRAME["patient"], np.arange(N) // 8)
    ]
    assert ["clusters-in-several-folds" in one for one in codes] == [False, True]
    twice = tm.evaluate(TWICE, truth="y", score="s", fold=["repeat", "fold"], clusters="patient")
    assert "clusters-in-several-folds" not in {one.code for one in twice.notices}


def test_a_threshold_that_is_chosen_on_all_folds():
    found = tm.evaluate(truth=Y, score=10 * S, fold=FOLD)
    for estimate in (found.means["f1"], found.pooled["f1"]):
        assert not estimate.has_interval
        assert estimate.notes[0].code == "chosen-on-all-folds"
    assert found.means["roc_auc"].has_interval
    given = tm.evaluate(truth=Y, score=10 * S, fold=FOLD, threshold=5)
    assert given.means["f1"].has_interval


REFUSED = {
    "only fold": {"fold": np.zeros(N)},
    "leave one of the two out": {"fold": FOLD, "by": FOLD},
    "fold: no column is named": {"fold": {}},
    "test cases of all folds": {"fold": FOLD, "rule": "youden"},
    "let the class mix vary": {"fold": FOLD, "design": "case-control"},
    "reference": {"fold": FOLD, "reference": "1"},
    "reference: 'c' is not known; choose from a, b": {
        "fold": FOLD,
        "score": {"a": S, "b": S},
        "reference": "c",
    },
    "summary does not hold the fold": {"fold": FOLD, "counts": tm.Counts(tp=1, fp=1, fn=1, tn=1)},
}


@for_each("words", REFUSED)
def test_what_is_refused(words):
    with pytest.raises(tm.InputError, match=words):
        tm.evaluate(**{"truth": Y, "score": S, **REFUSED[words]})


def test_predictions_that_were_given_are_not_kept():
    with refuses("unsupported", argument="predictions"):
        tm.evaluate(truth=Y, score=S, fold=FOLD).predictions  # noqa: B018


def test_it_is_chosen_from_saved_and_read_back(tmp_path):
    found = tm.evaluate(FRAME, truth="y", score="s", fold="fold", measures=["f1", "roc_auc"])
    assert found.measures == tuple(found.means) == ("f1", "roc_auc")
    assert list(found["1"]) == ["f1", "roc_auc"]
    frame = found.to_frame()
    assert frame.groupby("part").size().to_dict() == {"fold": 8, "mean": 2, "pooled": 2}
    for ending in ("json", "csv", "md", "tex", "html"):
        found.save(tmp_path / f"folds.{ending}")
    saved = tm.load(tmp_path / "folds.json")
    assert saved["f1", "mean"] == found.means["f1"]
    assert saved["auroc", "2"] == found["2"]["roc_auc"]
    assert saved.table == found.table
    assert str(saved) == str(found)
    assert "corrected resampled" in str(saved.all)
    again = pickle.loads(pickle.dumps(found))
    assert again.means["f1"] == found.means["f1"]


@in_part(3, ("fast", "full"))
@for_each("name", CASES)
def test_the_text_fits_the_terminal(name):
    found = tm.evaluate(FRAME, fold="fold", **CASES[name])
    written = str(found)
    assert max(map(len, written.splitlines())) <= 80
    assert "mean of folds" in written
    assert "folds" in found.to_html()


def test_the_command_line(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    rows = ["y,s,repeat,fold", *(",".join(map(str, one)) for one in zip(Y, S, Y * 0, FOLD, strict=True))]
    path.write_text("\n".join(rows))
    call = ["evaluate", str(path), "--truth", "y", "--score", "s", "--measure", "f1"]
    assert main([*call, "--fold", "fold", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    expected = tm.evaluate(truth=Y, score=S, fold={"fold": FOLD}, measures="f1").to_dict()
    assert answer["mean"] == expected["mean"]
    assert answer["pooled"] == expected["pooled"]
    assert main([*call, "--fold", "repeat", "--fold", "fold"]) == 0
    assert "repeat, fold" in capsys.readouterr().out
