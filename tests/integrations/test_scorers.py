"""Scorers: in every place of scikit-learn that takes one they give the values of the measures."""

import pickle
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from columns_of_text import COLUMNS_OF_TEXT
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm

pytest.importorskip("sklearn")
from sklearn import config_context, metrics
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)

RANDOM = np.random.default_rng(2)
Y = np.arange(120) % 2
X = RANDOM.normal(size=(120, 3)) + 0.8 * Y[:, None]
MANY = np.arange(120) % 3
X3 = RANDOM.normal(size=(120, 3)) + np.eye(3)[MANY]
WEIGHT = RANDOM.integers(1, 4, 120)
MODEL = LogisticRegression()

TWO = {  # ours, scikit-learn's
    "matthews_correlation": "matthews_corrcoef",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "f1": "f1",
    "precision": "precision",
    "recall": "recall",
    "roc_auc": "roc_auc",
    "average_precision": "average_precision",
    "log_loss": "neg_log_loss",
    "brier_score": "neg_brier_score",
    "jaccard": "jaccard",
}


@pytest.mark.full
@for_each("name", TWO)
def test_two_classes_have_the_values_and_the_sign_of_scikit_learn(name):
    ours, theirs = (cross_val_score(MODEL, X, Y, cv=3, scoring=one) for one in (tm.scorer(name), TWO[name]))
    assert ours == pytest.approx(theirs, rel=1e-9)


@in_part(4, ("fast", "full"))
@for_each("average", ["macro", "weighted", "micro"])
def test_averages_over_classes(average):
    ours = cross_val_score(MODEL, X3, MANY, cv=3, scoring=tm.scorer("f1", average=average))
    assert ours == pytest.approx(cross_val_score(MODEL, X3, MANY, cv=3, scoring=f"f1_{average}"))


def test_many_classes():
    found = cross_validate(
        MODEL,
        X3,
        MANY,
        cv=3,
        scoring={name: tm.scorer(name) for name in ("mcc", "log_loss", "macro_roc_auc")},
    )
    theirs = cross_validate(
        MODEL, X3, MANY, cv=3, scoring=("matthews_corrcoef", "neg_log_loss", "roc_auc_ovr")
    )
    assert found["test_mcc"] == pytest.approx(theirs["test_matthews_corrcoef"])
    assert found["test_log_loss"] == pytest.approx(theirs["test_neg_log_loss"])
    assert found["test_macro_roc_auc"] == pytest.approx(theirs["test_roc_auc_ovr"])


def test_classes_that_a_fold_lacks_are_those_of_the_estimator():
    model, few = MODEL.fit(X3, MANY), MANY < 2
    theirs = -metrics.log_loss(MANY[few], model.predict_proba(X3[few]), labels=[0, 1, 2])
    for one in (
        tm.scorer("log_loss"),
        tm.scorer("log_loss", classes=[2, 0, 1]),
        metrics.make_scorer(tm.measures.log_loss, response_method="predict_proba", greater_is_better=False),
    ):
        assert one(model, X3[few], MANY[few]) == pytest.approx(theirs)
    names = np.array(["c", "a", "b"])[MANY]
    model = clone(MODEL).fit(X3, names)
    answers = model.predict(X3[few])
    for name, theirs in {
        "accuracy": metrics.accuracy_score,
        "mcc": metrics.matthews_corrcoef,
        "cohen_kappa": metrics.cohen_kappa_score,
        "error_rate": lambda y, p: metrics.accuracy_score(y, p) - 1,
        "balanced_accuracy": metrics.balanced_accuracy_score,
    }.items():
        for one in (tm.scorer(name), tm.scorer(name, classes=["a", "b", "c"])):
            found = ignoring(tm.UndefinedMeasureWarning, UserWarning)(one, model, X3[few], names[few])
            assert found == pytest.approx(ignoring(UserWarning)(theirs, names[few], answers))


def ignoring(*kinds):
    """Calls without these warnings."""

    def call(function, *given, **named):
        with warnings.catch_warnings():
            for kind in kinds:
                warnings.simplefilter("ignore", kind)
            return function(*given, **named)

    return call


class Fixed(ClassifierMixin, BaseEstimator):
    """A classifier with the answers that are passed as features, and these classes."""

    def __init__(self, classes=()):
        self.classes = classes

    def fit(self, X, y):
        self.classes_ = np.array(self.classes or np.unique(y))
        return self

    def predict(self, X):
        return self.classes_[np.asarray(X, int)[:, 0]]

    def predict_proba(self, X):
        return np.asarray(X, float)


LEVELS = ["low", "mid", "high"]


def test_the_order_of_classes():
    model = Fixed(("high", "low", "mid")).fit(None, None)
    truth, places = np.array(["low", "mid", "high", "low", "high"]), [[1], [0], [0], [2], [1]]
    answers = ["low", "high", "high", "mid", "low"]
    for name in ("quadratic_weighted_kappa", "linear_weighted_kappa"):
        expected = tm.evaluate(truth=truth, predicted=answers, classes=LEVELS, ordered=True)[name].value
        assert tm.scorer(name, classes=LEVELS)(model, places, truth) == pytest.approx(expected)
        with refuses("needed", argument="classes"):
            tm.scorer(name)(model, places, truth)
    kinds = (
        pd.Series(truth, dtype=pd.CategoricalDtype(LEVELS, ordered=True)),
        pl.Series(truth, dtype=pl.Enum(LEVELS)),
    )
    for ordered in kinds:
        assert tm.scorer("quadratic_weighted_kappa")(model, places, ordered) == pytest.approx(0.25)
    quadratic = tm.scorer("quadratic_weighted_kappa", classes=LEVELS)
    assert quadratic(model, places, truth) == pytest.approx(0.25)
    rated = Fixed((1, 2, 3, 4)).fit(None, None)  # level 2 does not occur
    places = [[0], [3], [3], [0], [2], [2]]
    by_rank = tm.scorer("quadratic_weighted_kappa")(rated, places, np.array([1, 4, 1, 4, 3, 1]))
    assert by_rank == pytest.approx(-0.03125)


def test_columns_are_those_of_the_estimator():
    model = Fixed(("high", "low", "mid")).fit(None, None)
    shares, truth = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]], np.array(["high", "low"])
    for classes in (None, LEVELS):
        found = tm.scorer("log_loss", classes=classes)(model, shares, truth)
        assert found == pytest.approx((np.log(0.7) + np.log(0.8)) / 2)
    # of low to high: high for sure has the cumulated errors .2 and .3, low for sure .2 and .1
    found = tm.scorer("ranked_probability_score", classes=LEVELS)(model, shares, truth)
    assert found == pytest.approx(-((0.04 + 0.09) / 2 + (0.04 + 0.01) / 2) / 2)
    with refuses("conflict", "'mid'", argument="classes"):
        tm.scorer("log_loss", classes=["low", "high"])(model, shares, truth)
    with refuses("conflict", "'none'", argument="classes"):
        tm.scorer("log_loss", classes=LEVELS)(model, shares, np.array(["high", "none"]))


@pytest.mark.full
def test_two_classes_of_text_need_a_positive_one_only_where_they_differ():
    names = np.array(["ok", "bad"])[Y]
    model = clone(MODEL).fit(X, names)
    for name in ("accuracy", "mcc", "cohen_kappa", "error_rate", "balanced_accuracy"):
        plain = tm.scorer(name)(clone(MODEL).fit(X, Y), X, Y)
        assert tm.scorer(name)(model, X, names) == tm.scorer(name, positive="bad")(model, X, names) == plain
        with refuses("labels", "'bed'", argument="truth, predicted"):
            tm.scorer(name, positive="bed")(model, X, names)
    theirs = {"log_loss": "neg_log_loss", "roc_auc": "roc_auc", "brier_score": "neg_brier_score"}
    for name, other in theirs.items():
        one = tm.scorer(name)
        expected = metrics.get_scorer(other)(clone(MODEL).fit(X, Y), X, Y)
        assert one(model, X, names) == pytest.approx(expected)
        assert one(model, X, names) == pytest.approx(tm.scorer(name, positive="bad")(model, X, names))
        assert np.isfinite(cross_val_score(MODEL, X, names, cv=3, scoring=one)).all()
    assert tm.scorer("geometric_mean")(model, X, names) == tm.scorer("geometric_mean", positive="ok")(
        model, X, names
    )
    for name in ("average_precision", "f1", "recall"):
        with refuses("labels", "positive", argument="truth, predicted"):
            tm.scorer(name)(model, X, names)
    assert tm.measures.accuracy(truth=names, predicted=model.predict(X)) == np.mean(model.predict(X) == names)
    with refuses("labels", "positive", argument="truth, predicted"):
        tm.scorer("f1")(model, X, names)
    with refuses("unsupported", "average='macro'"):
        tm.scorer("f1")(clone(MODEL).fit(X3, MANY), X3, MANY)


@for_each("label", ["bad", "ok"])
def test_a_fold_without_one_of_two_classes_has_the_value_of_scikit_learn(label):
    names = np.array(["ok", "bad"])[Y]
    model, only = clone(MODEL).fit(X, names), names == label
    two = {"log_loss": metrics.log_loss, "brier_score": metrics.brier_score_loss}
    score = model.predict_proba(X[only])[:, 0]
    for name, theirs in two.items():
        expected = -theirs((names == "bad")[only].astype(int), score, labels=[0, 1])
        assert tm.scorer(name, positive="bad")(model, X[only], names[only]) == pytest.approx(expected)
    labels = {
        "recall": metrics.recall_score,
        "precision": metrics.precision_score,
        "f1": metrics.f1_score,
        "average_precision": metrics.average_precision_score,
        "roc_auc": metrics.roc_auc_score,
    }
    quiet = ignoring(UserWarning)
    for name, theirs in labels.items():
        method = {} if "_" not in name else {"response_method": "predict_proba"}
        other = metrics.make_scorer(theirs, pos_label="bad", **method)
        if name == "roc_auc":
            other = metrics.get_scorer(name)
        found = quiet(tm.scorer(name, positive="bad"), model, X[only], names[only])
        assert found == pytest.approx(quiet(other, model, X[only], names[only]), nan_ok=True)


def test_undefined_values():
    never = Fixed((0, 1)).fit(None, None)
    truth, zeros = np.array([0] * 50 + [1] * 10), np.zeros((60, 1))
    with pytest.warns(tm.UndefinedMeasureWarning, match="precision.*counts? as 0"):
        assert tm.scorer("precision")(never, zeros, truth) == 0
    with pytest.warns(tm.UndefinedMeasureWarning, match="macro average of precision is undefined for 1 of 2"):
        found = tm.scorer("precision", average="macro")(never, zeros, truth)
    theirs = metrics.precision_score(truth, zeros[:, 0], average="macro", zero_division=0)
    assert found == pytest.approx(theirs) == pytest.approx(50 / 120)
    with pytest.warns(tm.UndefinedMeasureWarning, match="counts as 1"):
        assert tm.scorer("false_discovery_rate")(never, zeros, truth) == -1
    with pytest.warns(tm.UndefinedMeasureWarning):
        assert np.isnan(tm.scorer("precision", undefined=float("nan"))(never, zeros, truth))
    three = Fixed((0, 1, 2)).fit(None, None)
    with pytest.warns(tm.UndefinedMeasureWarning, match="leaves out 1 of 3 classes"):
        assert tm.scorer("recall", average="macro")(three, zeros, truth) == 0.5
    with pytest.warns(tm.UndefinedMeasureWarning, match="balanced_accuracy leaves out 1 of 3 classes"):
        assert tm.scorer("balanced_accuracy")(three, zeros, truth) == 0.5


@pytest.mark.full
def test_a_search_over_folds_that_lack_a_class():
    names = np.array(["rare" if i in (5, 70) else "ok" if i % 2 else "other" for i in range(120)])
    scoring = tm.scorer(["accuracy", "mcc", "log_loss", "balanced_accuracy"])
    scoring |= {f"macro_{name}": tm.scorer(name, average="macro") for name in ("precision", "recall", "f1")}
    search = GridSearchCV(MODEL, {"C": [1e-6, 1.0]}, scoring=scoring, cv=KFold(6), refit="log_loss")
    found = ignoring(tm.UndefinedMeasureWarning)(search.fit, X, names)
    for name in scoring:
        assert np.isfinite(found.cv_results_[f"mean_test_{name}"]).all()
    few = np.where(np.arange(120) < 60, np.array(["ok", "bad"])[Y], "ok")
    model = LogisticRegression(class_weight="balanced")
    found, theirs = (
        ignoring(UserWarning)(GridSearchCV(model, {"C": [1e-6, 1.0]}, scoring=one, cv=KFold(4)).fit, X, few)
        for one in (
            tm.scorer("recall", positive="bad"),  # half of the folds have no positive
            metrics.make_scorer(metrics.recall_score, pos_label="bad", zero_division=0),
        )
    )
    assert found.cv_results_["mean_test_score"] == pytest.approx(theirs.cv_results_["mean_test_score"])
    assert found.best_score_ > 0


def test_scores_of_other_scorers_are_not_taken():
    """scikit-learn keeps the scores of a method, also those of the other class."""
    names = np.array(["ok", "bad"])[Y]
    scoring = {"theirs": "neg_log_loss", "area": "roc_auc", "ours": tm.scorer("brier_score", positive="bad")}
    scoring |= {"other": tm.scorer("average_precision", positive="ok")}
    found = cross_validate(MODEL, X, names, cv=3, scoring=scoring)
    for name in ("ours", "other"):
        assert (
            found[f"test_{name}"].tolist()
            == cross_val_score(MODEL, X, names, cv=3, scoring=scoring[name]).tolist()
        )


@in_part(4, ("fast", "full"))
@for_each("kind", COLUMNS_OF_TEXT)
def test_text_labels_of_any_column(kind):
    names = np.array(["ok", "bad"])[Y]
    model, given = clone(MODEL).fit(X, names), COLUMNS_OF_TEXT[kind](names)
    for name in ("f1", "roc_auc", "log_loss", "accuracy"):
        one = tm.scorer(name, positive="bad")
        assert one(model, X, given) == one(model, X, names)


def test_several_measures_and_parameters_by_name():
    assert tm.scorer(["macro_f1", "mcc"])["macro_f1"](clone(MODEL).fit(X3, MANY), X3, MANY) < 1
    found = tm.scorer(["mcc", tm.measures.f_beta, "roc_auc"], beta=2)
    assert list(found) == ["mcc", "f_beta", "roc_auc"]
    values = cross_validate(MODEL, X, Y, cv=3, scoring=found)
    for name, one in found.items():
        assert values[f"test_{name}"].tolist() == cross_val_score(MODEL, X, Y, cv=3, scoring=one).tolist()
    model = clone(MODEL).fit(X, Y)
    assert found["f_beta"](model, X, Y) == metrics.fbeta_score(Y, model.predict(X), beta=2)
    with refuses("unknown-name", "pos_label"):
        tm.scorer("f1", pos_label=1)
    with refuses("unknown-name", argument="beta"):
        tm.scorer("f1", beta=2)
    with refuses("invalid-value", "f_beta", argument="f_beta: beta"):
        tm.scorer("f_beta", beta=-1)


def test_amounts():
    amounts = X @ [1.0, 2.0, 3.0] + RANDOM.normal(size=120)
    for ours, theirs in {"r2": "r2", "mean_absolute_error": "neg_mean_absolute_error"}.items():
        found = cross_val_score(
            LinearRegression(), X, amounts, cv=3, scoring=tm.scorer(ours, regression=True)
        )
        assert found == pytest.approx(cross_val_score(LinearRegression(), X, amounts, cv=3, scoring=theirs))


def test_text_labels_and_decision_functions():
    names = np.array(["sick", "well"])[Y]
    model = RidgeClassifier().fit(X, names)
    sick = names == "sick"
    assert tm.scorer("recall", positive="sick")(model, X, names) == np.mean(model.predict(X)[sick] == "sick")
    area = metrics.roc_auc_score(sick, -model.decision_function(X))
    assert tm.scorer("roc_auc", positive="sick")(model, X, names) == pytest.approx(area)
    with refuses("labels", "positive", argument="truth, predicted"):
        tm.scorer("recall")(model, X, names)


def test_a_grid_search_chooses_by_it():
    grid = {"C": [1e-6, 1.0]}
    found = GridSearchCV(MODEL, grid, scoring=tm.scorer("log_loss"), cv=3).fit(X, Y)
    theirs = GridSearchCV(MODEL, grid, scoring="neg_log_loss", cv=3).fit(X, Y)
    assert found.best_params_ == theirs.best_params_ == {"C": 1.0}
    assert found.best_score_ == pytest.approx(theirs.best_score_)


@pytest.mark.full
def test_a_threshold_is_tuned_by_it():
    found = TunedThresholdClassifierCV(MODEL, scoring=tm.scorer("f1"), cv=3).fit(X, Y)
    theirs = TunedThresholdClassifierCV(MODEL, scoring="f1", cv=3).fit(X, Y)
    assert found.best_threshold_ == pytest.approx(theirs.best_threshold_)
    assert found.best_score_ == pytest.approx(theirs.best_score_)


def test_weights():
    model = MODEL.fit(X, Y)
    for name, theirs in {"f1": "f1", "log_loss": "neg_log_loss"}.items():
        ours = tm.scorer(name)(model, X, Y, sample_weight=WEIGHT)
        assert ours == pytest.approx(metrics.get_scorer(theirs)(model, X, Y, sample_weight=WEIGHT))
        assert ours != pytest.approx(tm.scorer(name)(model, X, Y))


def test_weights_are_routed():
    with config_context(enable_metadata_routing=True):
        fitted = LogisticRegression().set_fit_request(sample_weight=False)
        weights = {"sample_weight": WEIGHT.astype(float)}
        found = [
            cross_val_score(
                fitted, X, Y, cv=3, scoring=one.set_score_request(sample_weight=True), params=weights
            )
            for one in (tm.scorer("f1"), metrics.make_scorer(metrics.f1_score))
        ]
        plain = cross_val_score(fitted, X, Y, cv=3, scoring=tm.scorer("f1"))
    assert found[0] == pytest.approx(found[1])
    assert found[0] != pytest.approx(plain)


@pytest.mark.full
def test_it_is_pickled_and_cloned():
    made = tm.scorer("f_beta", parameters={"beta": 2})
    again, model = pickle.loads(pickle.dumps(made)), MODEL.fit(X, Y)
    assert again(model, X, Y) == made(model, X, Y) == metrics.fbeta_score(Y, model.predict(X), beta=2)
    assert clone(GridSearchCV(MODEL, {}, scoring=made)).scoring is not None
    assert "f_beta" in repr(made)
    assert cross_val_score(MODEL, X, Y, cv=3, scoring=made, n_jobs=2).shape == (3,)


def test_measures_that_cannot_score():
    with refuses("unsupported", "calibration_slope", argument="measure"):
        tm.scorer("calibration_slope")
    with refuses("unsupported", argument="measure"):
        tm.scorer("cllr")
    with refuses("conflict", "roc_auc", argument="average"):
        tm.scorer("roc_auc", average="macro")
    with refuses("conflict", "roc_auc", argument="regression"):
        tm.scorer("roc_auc", regression=True)
    with refuses("unknown-name", "not-a-measure"):
        tm.scorer("not-a-measure")


def test_a_measure_itself_is_no_scorer():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cross_val_score(MODEL, X, Y, cv=3, scoring=tm.measures.f1)
    assert "tallymark.scorer('f1')" in str(caught[0].message)
    with refuses("by-position", "'f1'"):
        tm.measures.f1(MODEL, X, Y)


def test_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.metrics._scorer", None)
    monkeypatch.delitem(sys.modules, "tallymark.integrations.scoring", raising=False)
    with refuses("not-installed"):
        tm.scorer("f1")


# make_scorer of a measure
# -------------------------------------------------------------------------------------------------------

BOTH = ("decision_function", "predict_proba")
MADE = {
    "f1": {},
    "matthews_correlation": {},
    "error_rate": {"greater_is_better": False},
    "roc_auc": {"response_method": BOTH},
    "log_loss": {"response_method": "predict_proba", "greater_is_better": False},
    "f_beta": {"beta": 2},
}


@pytest.mark.full
@for_each("name", MADE)
def test_make_scorer_of_a_measure_gives_what_our_scorer_gives(name):
    measure, given = getattr(tm.measures, name), MADE[name]
    parameters = {key: value for key, value in given.items() if key == "beta"}
    ours = tm.scorer(name, parameters=parameters)
    made = metrics.make_scorer(measure, **given)
    found = [cross_val_score(MODEL, X, Y, cv=3, scoring=one, error_score="raise") for one in (made, ours)]
    assert found[0].tolist() == found[1].tolist()


@pytest.mark.full
def test_make_scorer_of_many_classes_and_of_text_labels():
    for name, given in {"mcc": {}, "macro_roc_auc": {"response_method": "predict_proba"}}.items():
        made = metrics.make_scorer(getattr(tm.measures, name), **given)
        found = [
            cross_val_score(MODEL, X3, MANY, cv=3, scoring=one, error_score="raise")
            for one in (made, tm.scorer(name))
        ]
        assert found[0].tolist() == found[1].tolist()
    names = np.array(["sick", "well"])[Y]
    model = MODEL.fit(X, names)
    for name, given in {"recall": {}, "brier_score": MADE["log_loss"]}.items():
        made = metrics.make_scorer(getattr(tm.measures, name), pos_label="sick", **given)
        assert made(model, X, names) == tm.scorer(name, positive="sick")(model, X, names)


@pytest.mark.full
def test_make_scorer_in_searches():
    made = metrics.make_scorer(tm.measures.f1)
    found = TunedThresholdClassifierCV(MODEL, scoring=made, cv=3).fit(X, Y)
    theirs = TunedThresholdClassifierCV(MODEL, scoring="f1", cv=3).fit(X, Y)
    assert found.best_threshold_ == pytest.approx(theirs.best_threshold_)
    searched = GridSearchCV(MODEL, {"C": [1e-6, 1.0]}, scoring=made, cv=3, error_score="raise").fit(X, Y)
    theirs = GridSearchCV(MODEL, {"C": [1e-6, 1.0]}, scoring="f1", cv=3).fit(X, Y)
    assert searched.best_score_ == pytest.approx(theirs.best_score_)


@for_each(
    ("name", "given", "words"),
    {
        "sign": ("error_rate", {}, "pass greater_is_better=False to make_scorer"),
        "the other sign": ("f1", {"greater_is_better": False}, "pass greater_is_better=True"),
        "labels for scores": ("roc_auc", {}, "needs scores, and the scorer asks for labels"),
        "scores for labels": ("exact_match", {"response_method": "predict_proba"}, "needs labels"),
        "no direction": ("prevalence", {}, "neither higher nor lower"),
        "positive": ("roc_auc", {"response_method": BOTH, "positive": 1}, "pass pos_label"),
    }.values(),
)
def test_what_make_scorer_cannot_make(name, given, words):
    made = metrics.make_scorer(getattr(tm.measures, name), **given)
    with pytest.raises(tm.InputError, match=words):
        made(MODEL.fit(X, Y), X, Y)


def test_other_callers_name_their_arrays():
    with refuses("by-position"):
        tm.measures.f1(Y, Y)
