"""Scorers: in every place of scikit-learn that takes one they give the values of the measures."""

import pickle
import sys
import warnings

import numpy as np
import pytest
from looping import for_each

import tallymark as tm

pytest.importorskip("sklearn")
from sklearn import config_context, metrics
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
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


def test_columns_of_classes_that_a_fold_lacks():
    model = MODEL.fit(X3, MANY)
    few = MANY < 2
    with pytest.raises(tm.InputError, match="classes: there are scores of 3 classes, and labels of 2"):
        tm.scorer("log_loss")(model, X3[few], MANY[few])
    named = tm.scorer("log_loss", classes=[0, 1, 2])(model, X3[few], MANY[few])
    theirs = -metrics.log_loss(MANY[few], model.predict_proba(X3[few]), labels=[0, 1, 2])
    assert named == pytest.approx(theirs)


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
    with pytest.raises(tm.InputError, match="positive"):
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
    with pytest.raises(
        tm.InputError, match="of calibration_slope neither higher nor lower values are better"
    ):
        tm.scorer("calibration_slope")
    with pytest.raises(tm.InputError, match="likelihood ratios"):
        tm.scorer("cllr")
    with pytest.raises(tm.InputError, match="average: roc_auc is not a measure of single classes"):
        tm.scorer("roc_auc", average="macro")
    with pytest.raises(tm.InputError, match="regression: roc_auc is not a measure of predicted amounts"):
        tm.scorer("roc_auc", regression=True)
    with pytest.raises(tm.InputError, match="not-a-measure"):
        tm.scorer("not-a-measure")


def test_a_measure_itself_is_no_scorer():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cross_val_score(MODEL, X, Y, cv=3, scoring=tm.measures.f1)
    assert "tallymark.scorer('f1')" in str(caught[0].message)
    with pytest.raises(tm.InputError, match=r"tallymark.scorer\('f1'\)"):
        tm.measures.f1(MODEL, X, Y)


def test_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    with pytest.raises(tm.InputError, match="a scorer needs scikit-learn; pip install scikit-learn"):
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
    with pytest.raises(tm.InputError, match="so that they cannot be swapped"):
        tm.measures.f1(Y, Y)
