"""Cross-validated estimators: the values are those of scikit-learn, fold by fold and pooled."""

import sys

import numpy as np
import pandas as pd
import pytest
from columns_of_text import COLUMNS_OF_TEXT
from estimators import Centres
from looping import for_each
from refusals import refuses

import tallymark as tm

pytest.importorskip("sklearn")
import sklearn.model_selection as split
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

pytestmark = pytest.mark.full

RANDOM = np.random.default_rng(3)
N = 90
Y = np.arange(N) % 2
X = RANDOM.normal(size=(N, 3)) + 0.8 * Y[:, None]
MANY = np.arange(N) % 3
X3 = RANDOM.normal(size=(N, 3)) + np.eye(3)[MANY]
AMOUNTS = X @ [1.0, 2.0, 3.0] + RANDOM.normal(size=N)
GROUPS = np.arange(N) // 15
MODEL = make_pipeline(StandardScaler(), LogisticRegression())
SPLITTERS = {
    "a number": 3,
    "shuffled": split.StratifiedKFold(4, shuffle=True, random_state=0),
    "groups": split.GroupKFold(3),
    "one group out": split.LeaveOneGroupOut(),
    "repeated": split.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
    "shuffle split": split.ShuffleSplit(3, test_size=0.5, random_state=0),
    "splits": [(np.arange(60), np.arange(60, N)), (np.arange(30, N), np.arange(30))],
    "predefined": split.PredefinedSplit(np.where(GROUPS < 2, -1, GROUPS % 2)),
}
TWO = {
    "roc_auc": "roc_auc",
    "f1": "f1",
    "matthews_correlation": "matthews_corrcoef",
    "log_loss": "neg_log_loss",
}


@for_each("name", SPLITTERS)
def test_each_fold_has_the_values_of_scikit_learn(name):
    cv, groups = SPLITTERS[name], GROUPS if "group" in name else None
    found = tm.evaluate_estimator(MODEL, X, Y, cv=cv, groups=groups, measures=list(TWO))
    theirs = split.cross_validate(MODEL, X, Y, cv=cv, groups=groups, scoring=list(TWO.values()))
    for ours, other in TWO.items():
        values = theirs[f"test_{other}"] * (-1 if ours == "log_loss" else 1)
        assert found.values_of(ours) == pytest.approx(values)
        assert found.means[ours].value == pytest.approx(values.mean())
    trained = [len(train) for train, _ in split.check_cv(cv, Y, classifier=True).split(X, Y, groups)]
    assert found.trained.tolist() == trained
    codes = {one.code for one in found.notices}
    assert ("cases-repeated" in codes) == (name in ("repeated", "shuffle split"))
    assert ("cases-untested" in codes) == (name in ("predefined", "splits", "shuffle split"))


def test_pooled_values_are_those_of_cross_val_predict():
    found = tm.evaluate_estimator(MODEL, X, Y, cv=5)
    theirs = split.cross_val_predict(MODEL, X, Y, cv=5, method="predict_proba")[:, 1]
    assert found.predictions.answers.tolist() == theirs.tolist()
    assert found.pooled["roc_auc"].value == pytest.approx(metrics.roc_auc_score(Y, theirs))
    assert found.pooled["f1"].value == pytest.approx(metrics.f1_score(Y, theirs >= 0.5))
    assert found.pooled["brier_score"].value == pytest.approx(metrics.brier_score_loss(Y, theirs))


def test_stored_predictions_give_the_same_result(tmp_path):
    found = tm.evaluate_estimator(MODEL, X, Y, cv=5)
    found.predictions.save(tmp_path / "predictions.csv")
    stored = tm.evaluate(tmp_path / "predictions.csv", truth="truth", score="score", fold="fold")
    for name in found.measures:
        assert stored.means[name].low == pytest.approx(found.means[name].low)
        assert stored.pooled[name].high == pytest.approx(found.pooled[name].high)
    assert found.predictions.to_frame().columns.tolist() == ["case", "fold", "truth", "score"]


def test_many_classes():
    names = np.array(["ant", "bee", "cow"])[MANY]
    found = tm.evaluate_estimator(MODEL, X3, names, cv=3)
    theirs = split.cross_validate(MODEL, X3, names, cv=3, scoring=["accuracy", "roc_auc_ovr", "neg_log_loss"])
    assert found.values_of("accuracy") == pytest.approx(theirs["test_accuracy"])
    assert found.values_of("macro_roc_auc") == pytest.approx(theirs["test_roc_auc_ovr"])
    assert found.values_of("log_loss") == pytest.approx(-theirs["test_neg_log_loss"])
    labels = tm.evaluate_estimator(MODEL, X3, names, cv=3, method="predict")
    assert labels.values_of("accuracy") == pytest.approx(theirs["test_accuracy"])
    assert labels.predictions.answers.tolist() == split.cross_val_predict(MODEL, X3, names, cv=3).tolist()
    assert found.predictions.answers.shape == (N, 3)


def test_amounts():
    cv = split.KFold(4, shuffle=True, random_state=0)
    found = tm.evaluate_estimator(
        LinearRegression(), X, AMOUNTS, cv=cv, measures=["r2", "mean_absolute_error"]
    )
    theirs = split.cross_validate(
        LinearRegression(), X, AMOUNTS, cv=cv, scoring=["r2", "neg_mean_absolute_error"]
    )
    assert found.values_of("r2") == pytest.approx(theirs["test_r2"])
    assert found.values_of("mean_absolute_error") == pytest.approx(-theirs["test_neg_mean_absolute_error"])
    answers = split.cross_val_predict(LinearRegression(), X, AMOUNTS, cv=cv)
    assert found.pooled["r2"].value == pytest.approx(metrics.r2_score(AMOUNTS, answers))


def test_decision_functions_and_text_labels():
    names = np.array(["sick", "well"])[Y]
    found = tm.evaluate_estimator(RidgeClassifier(), X, names, cv=3, positive="sick")
    scorer = metrics.make_scorer(metrics.recall_score, pos_label="sick")
    theirs = split.cross_validate(RidgeClassifier(), X, names, cv=3, scoring={"a": "roc_auc", "b": scorer})
    assert found.values_of("roc_auc") == pytest.approx(theirs["test_a"])
    assert found.values_of("recall") == pytest.approx(theirs["test_b"])
    assert found.whole.threshold.value == 0


@for_each("kind", COLUMNS_OF_TEXT)
def test_text_labels_of_two_classes_of_any_column(kind):
    names = np.array(["ok", "bad"])[Y].tolist()
    y = COLUMNS_OF_TEXT[kind](names)
    wanted = tm.evaluate_estimator(MODEL, X, Y, cv=2, measures=["roc_auc", "f1"])
    found = tm.evaluate_estimator(MODEL, X, y, cv=2, positive="bad", measures=["roc_auc", "f1"])
    several = {"one": MODEL, "other": MODEL}
    table = tm.evaluate_estimator(several, X, y, cv=2, positive="bad", measures=["roc_auc", "f1"])
    for name in ("roc_auc", "f1"):
        assert found.values_of(name) == pytest.approx(wanted.values_of(name))
        assert table["other"].values_of(name) == pytest.approx(wanted.values_of(name))
    assert found.predictions.to_frame()["truth"].tolist() == names


def test_weights_in_training_and_in_measures():
    weight = RANDOM.uniform(0.5, 2, N)
    found = tm.evaluate_estimator(
        LogisticRegression(), X, Y, cv=3, weight=weight, params={"sample_weight": weight}
    )
    expected = []
    for train, test in split.StratifiedKFold(3).split(X, Y):
        model = clone(LogisticRegression()).fit(X[train], Y[train], sample_weight=weight[train])
        score = model.predict_proba(X[test])[:, 1]
        expected.append(metrics.roc_auc_score(Y[test], score, sample_weight=weight[test]))
    assert found.values_of("roc_auc") == pytest.approx(expected)


def test_labels_that_are_not_by_the_score():
    tuned = split.FixedThresholdClassifier(LogisticRegression(), threshold=0.3)
    found = tm.evaluate_estimator(tuned, X, Y, cv=3)
    answers = split.cross_val_predict(LogisticRegression(), X, Y, cv=3, method="predict_proba")[:, 1]
    assert found.differing == int(((answers >= 0.3) & (answers < 0.5)).sum()) > 0
    assert "labels-not-by-threshold" in {one.code for one in found.notices}
    labels = tm.evaluate_estimator(tuned, X, Y, cv=3, method="predict")
    assert labels.values_of("f1") == pytest.approx(split.cross_val_score(tuned, X, Y, cv=3, scoring="f1"))
    assert not tm.evaluate_estimator(MODEL, X, Y, cv=3).differing


def test_the_estimator_is_not_fitted_and_jobs_change_nothing():
    model = LogisticRegression()
    one, two = (tm.evaluate_estimator(model, X, Y, cv=3, jobs=jobs) for jobs in (1, 2))
    assert not hasattr(model, "coef_")
    assert one.to_dict() == two.to_dict()


def test_an_estimator_without_the_base_class_of_scikit_learn():
    found = tm.evaluate_estimator(Centres(), X, Y, cv=3)
    cases = split.StratifiedKFold(3).split(X, Y)
    expected = [
        metrics.roc_auc_score(Y[test], Centres().fit(X[train], Y[train]).decision_function(X[test]))
        for train, test in cases
    ]
    assert found.values_of("roc_auc") == pytest.approx(expected)


class Labels(ClassifierMixin, BaseEstimator):
    """A classifier with predicted labels only."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (X[:, 0] > 0.4).astype(int)


class Failing(LogisticRegression):
    def fit(self, X, y):
        raise RuntimeError("no memory")


def test_several_are_trained_and_tested_on_the_same_folds():
    # two calls of one of these splitters differ
    cv, again = (split.ShuffleSplit(4, test_size=0.3, random_state=np.random.RandomState(0)) for _ in "ab")
    models = {"plain": MODEL, "strong": LogisticRegression(C=1e-3)}
    found = tm.evaluate_estimator(models, X, Y, cv=cv, measures=["roc_auc", "f1"], progress=False)
    case = found["plain"].predictions.columns["case"]
    assert np.array_equal(case, found["strong"].predictions.columns["case"])
    assert not np.array_equal(*(one.predictions.columns["score"] for one in found.values()))
    fixed = list(again.split(X, Y))
    for name, model in models.items():
        alone = tm.evaluate_estimator(model, X, Y, cv=fixed, measures=["roc_auc", "f1"])
        assert found[name].to_dict() == alone.to_dict()
    again = tm.evaluate_estimator(models, X, Y, cv=fixed, measures=["roc_auc", "f1"], jobs=2)
    assert again.to_dict() == found.to_dict()
    as_list = tm.evaluate_estimator(list(models.values()), X, Y, cv=fixed, reference="Pipeline")
    assert list(as_list) == ["Pipeline", "LogisticRegression"]
    assert as_list.compared_with == "Pipeline"


def test_scores_and_labels_share_the_measures_of_labels():
    models = {"scores": MODEL, "labels": make_pipeline(Labels())}
    found = tm.evaluate_estimator(models, X, Y, cv=3)
    assert "roc_auc" in found["scores"].measures
    assert "roc_auc" not in found.measures
    assert "sensitivity" in found.measures


# Fitted estimators as they are
# --------------------------------------------------------------------------------------------------

HALF = N // 2
FIRST, LAST = slice(0, HALF), slice(HALF, N)


def codes(found):
    return [one.code for one in found.notices]


def test_a_fitted_estimator_is_measured_as_it_is():
    model = clone(MODEL).fit(RANDOM.normal(size=(HALF, 3)), Y[FIRST])  # of noise
    found = tm.evaluate_estimator(model, X[LAST], Y[LAST])
    theirs = model.predict_proba(X[LAST])[:, 1]
    assert found["roc_auc"].value == pytest.approx(metrics.roc_auc_score(Y[LAST], theirs))
    assert found.to_dict() == tm.evaluate(truth=Y[LAST], score=theirs).to_dict()
    assert tm.evaluate_estimator(model, X[LAST], Y[LAST], cv="prefit").to_dict() == found.to_dict()
    by_folds = tm.evaluate_estimator(model, X[LAST], Y[LAST], cv=3)
    assert "fitted-model-refitted" in codes(by_folds)
    assert "prefit" in str(by_folds)
    assert by_folds.means["roc_auc"].value > found["roc_auc"].value
    new = tm.evaluate_estimator({"old": model, "new": clone(MODEL)}, X[LAST], Y[LAST], cv=3)
    assert [one["model"] for one in new.notices if one.code == "fitted-model-refitted"] == ["old"]
    assert "fitted-model-refitted" not in codes(tm.evaluate_estimator(clone(MODEL), X, Y, cv=3))


def test_fitted_estimators_of_every_kind():
    grid = split.GridSearchCV(MODEL, {"logisticregression__C": [0.1, 1.0]}, cv=3).fit(X[FIRST], Y[FIRST])
    models = {
        "grid": grid,
        "ridge": RidgeClassifier().fit(X[FIRST], Y[FIRST]),
        "foreign": Centres().fit(X[FIRST], Y[FIRST]),
    }
    table = tm.evaluate_estimator(models, X[LAST], Y[LAST])
    assert list(table) == list(models)
    for name, model in models.items():
        alone = tm.evaluate_estimator(model, X[LAST], Y[LAST])
        assert table[name]["accuracy"].value == alone["accuracy"].value
        assert alone["accuracy"].value == np.mean(model.predict(X[LAST]) == Y[LAST])
    score = models["ridge"].decision_function(X[LAST])
    assert table["ridge"]["roc_auc"].value == pytest.approx(metrics.roc_auc_score(Y[LAST], score))
    assert len(table.differences) > 0
    labels = tm.evaluate_estimator({"labels": Labels().fit(X, Y), **models}, X[LAST], Y[LAST])
    assert labels["grid"]["accuracy"].value == table["grid"]["accuracy"].value
    assert "roc_auc" not in labels["grid"]
    amounts = LinearRegression().fit(X[FIRST], AMOUNTS[FIRST])
    found = tm.evaluate_estimator(amounts, X[LAST], AMOUNTS[LAST], measures=["r2"])
    assert dict(found) == {"r2": found["r2"]}
    assert found["r2"].value == pytest.approx(amounts.score(X[LAST], AMOUNTS[LAST]))
    tuned = split.FixedThresholdClassifier(LogisticRegression(), threshold=0.3).fit(X[FIRST], Y[FIRST])
    assert "labels-not-by-threshold" in codes(tm.evaluate_estimator(tuned, X[LAST], Y[LAST]))
    labels = tm.evaluate_estimator(tuned, X[LAST], Y[LAST], method="predict")
    assert labels["accuracy"].value == np.mean(tuned.predict(X[LAST]) == Y[LAST])


def test_fitted_estimators_of_classes_that_do_not_occur():
    names = np.array(["ant", "bee", "cow"])[MANY]
    model = clone(MODEL).fit(X3, names)
    few = MANY < 2
    for method in ("auto", "predict"):
        found = tm.evaluate_estimator(model, X3[few], names[few], method=method)
        assert found["accuracy"].value == np.mean(model.predict(X3[few]) == names[few])
        assert found.matrix.labels == ("ant", "bee", "cow")
    two = np.array(["ok", "bad"])
    for labels, given in ((np.array([0, 1]), {}), (two, {"positive": "bad"})):
        model = clone(MODEL).fit(X, labels[Y])
        score = model.predict_proba(X)[:, list(model.classes_).index(labels[1])]
        for only in (Y == 0, Y == 1):
            for method in ("auto", "predict"):
                one = tm.evaluate_estimator(model, X[only], labels[Y[only]], method=method, **given)
                assert "one-class" in codes(one)
                assert one["accuracy"].value == np.mean(model.predict(X[only]) == labels[Y[only]])
            one = tm.evaluate_estimator(model, X[only], labels[Y[only]], **given)
            assert one["brier_score"].value == pytest.approx(np.mean((score - Y)[only] ** 2))


class OfAnotherLibrary(BaseEstimator):
    """It says itself whether it is fitted, as LightGBM does, and has no attribute that ends with _."""

    def __init__(self, best=0.4):
        self.best = best

    def fit(self, X, y):
        self._known = np.unique(y)
        return self

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_known")

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-X[:, 0]))
        return np.column_stack([1 - p, p])


def test_an_estimator_that_says_itself_whether_it_is_fitted():
    with refuses("needed", argument="cv"):
        tm.evaluate_estimator(OfAnotherLibrary(), X, Y)
    found = tm.evaluate_estimator(OfAnotherLibrary().fit(X, Y), X, Y)
    assert found["roc_auc"].value == pytest.approx(metrics.roc_auc_score(Y, X[:, 0]))


def test_only_a_fitted_estimator_is_measured_without_cv():
    for model in (
        MODEL,
        split.GridSearchCV(MODEL, {}),
        Centres(),
        {"fitted": clone(MODEL).fit(X, Y), "new": MODEL},
    ):
        with refuses("needed", "cv=5", argument="cv"):
            tm.evaluate_estimator(model, X, Y)
    with refuses("estimator", argument="estimator"):
        tm.evaluate_estimator(MODEL, X, Y, cv="prefit")
    with refuses("unknown-name", "'prefix'", argument="cv"):
        tm.evaluate_estimator(MODEL, X, Y, cv="prefix")
    fitted = clone(MODEL).fit(X, Y)
    for given in ({"groups": GROUPS}, {"params": {"sample_weight": Y + 1}}):
        with refuses("conflict"):
            tm.evaluate_estimator(fitted, X, Y, **given)


class Framed(LogisticRegression):
    """Probabilities in a frame whose columns are named."""

    NAMES = ("p_1", "p_0")

    def predict_proba(self, X):
        return pd.DataFrame(super().predict_proba(X), columns=self.NAMES)


class NamedInOrder(Framed):
    NAMES = ("p_0", "p_1")


def test_columns_that_are_named_in_another_order_than_the_classes():
    for cv in (3, None):
        with refuses("estimator", "predict_proba", "'p_1'", "'p_0'"):
            tm.evaluate_estimator(Framed().fit(X, Y), X, Y, cv=cv)
    fine = tm.evaluate_estimator(NamedInOrder().fit(X, Y), X, Y)
    assert fine["roc_auc"].value > 0.5


def test_intervals_of_folds_say_what_they_are():
    found = tm.evaluate_estimator(MODEL, X, Y, cv=3)
    note = next(one for one in found.whole["roc_auc"].notes if one.code == "cases-of-several-models")
    assert note["folds"] == 3
    assert note.kind == "approximate"
    assert "cases-of-several-models" not in {one.code for one in found[0]["roc_auc"].notes}
    assert "cases-of-several-models" not in {one.code for one in found.pooled["accuracy"].notes}
    said = " ".join(str(found).split())
    assert "approximate, for models trained on 60 cases" in said
    uneven = " ".join(str(tm.evaluate_estimator(MODEL, X[:-1], Y[:-1], cv=4)).split())
    assert "trained on 66 to 67 cases" in uneven
    simple = " ".join(str(tm.cross_validate(Centres(), X, Y, folds=3, repeats=1, progress=False)).split())
    assert "approximate" in simple
    assert "trained on about 60 cases" in simple


REFUSED = {
    "fold 0 it cannot be trained.*no memory": {"estimator": Failing()},
    "cv: it cannot split these cases": {"cv": 60},
    "cv: it cannot split these cases.*groups": {"cv": split.GroupKFold(3)},
    "case 1 is both": {"cv": [([0, 1, 2], [1])]},
    "fold 0 has no test case": {"cv": [([0, 1, 2], [])]},
    "names a case that does not exist": {"cv": [([0, 1, 2], [90])]},
    "it gives no split": {"cv": []},
    "weight has 3": {"weight": [1, 2, 3]},
    "params: .* is not understood": {"params": 7},
    "no method predict_proba": {"estimator": RidgeClassifier(), "method": "predict_proba"},
    "amounts have no positive label": {"estimator": LinearRegression(), "positive": 1},
    "'a' is a classifier, and 'b' a regressor": {"estimator": {"a": MODEL, "b": LinearRegression()}},
    "is a class": {"estimator": LogisticRegression},
    "method": {"method": "score"},
    "rocauc": {"measures": "rocauc"},
}


@for_each("words", REFUSED)
def test_what_is_refused(words):
    given = {"estimator": MODEL, "cv": 3, **REFUSED[words]}
    with pytest.raises(tm.InputError, match=words):
        tm.evaluate_estimator(given.pop("estimator"), X, Y, **given)


def test_names_of_other_arguments_and_missing_amounts():
    with refuses("unknown-name", argument="folds"):
        tm.evaluate_estimator(MODEL, X, Y, folds=3)
    with refuses("unknown-name", "sample_weight"):
        tm.evaluate_estimator(MODEL, X, Y, sample_weight=Y)
    with refuses("missing-value", argument="y"):
        tm.evaluate_estimator(LinearRegression(), X, np.where(np.arange(N) == 4, np.nan, AMOUNTS), cv=3)


def test_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    with refuses("not-installed", "evaluate_estimator"):
        tm.evaluate_estimator(MODEL, X, Y)
