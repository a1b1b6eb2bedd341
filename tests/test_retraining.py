"""Resampling with retraining: what may be passed, what is said, what goes wrong and is counted."""

import json
import sys
from contextlib import nullcontext

import numpy as np
import pandas as pd
import polars as pl
import pytest
from estimators import Centres, Constant, Flat, Memory, Only, Stumbling
from looping import for_each
from refusals import refuses
from scipy import sparse

import tallymark as tm
from tallymark import InputError
from tallymark.inference import over_folds
from tallymark.studies import retraining

pytestmark = pytest.mark.full

RANDOM = np.random.default_rng(5)
N = 60
Y = RANDOM.permutation(np.arange(N) % 2)
X = RANDOM.normal(size=(N, 3)) + Y[:, None] * [1.0, 0.5, 0.0]
FEATURES = X
Y_TEST = np.arange(40) % 2
X_TEST = RANDOM.normal(size=(40, 3)) + Y_TEST[:, None] * [1.0, 0.5, 0.0]
THREE = RANDOM.permutation(np.arange(N) % 3)
X_THREE = RANDOM.normal(size=(N, 3)) + 1.5 * np.eye(3)[THREE]


def permuted(estimator=None, x=X, y=Y, x_test=X_TEST, y_test=Y_TEST, **given):
    return tm.permutation_test(estimator or Centres(), x, y, x_test, y_test, **{"permutations": 19} | given)


def bagged(estimator=None, x=X, y=Y, **given):
    return tm.bootstrap_out_of_bag(estimator or Centres(), x, y, **{"replicates": 20} | given)


def folded(estimator=None, x=X, y=Y, **given):
    return tm.cross_validate(estimator or Centres(), x, y, **{"folds": 5, "repeats": 2} | given)


DOORS = {"permutation": permuted, "bag": bagged, "folds": folded}
every_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


def values(found):
    return found.permuted if hasattr(found, "permuted") else found.values


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


# What may be passed
# --------------------------------------------------------------------------------------------------

TABLES = {
    "list": lambda x: x.tolist(),
    "pandas": pd.DataFrame,
    "polars": lambda x: pl.DataFrame(x, schema=["a", "b", "c"]),
    "arrow": lambda x: pl.DataFrame(x, schema=["a", "b", "c"]).to_arrow(),
    "columns": np.asfortranarray,
}


@every_door
@for_each("table", TABLES.values(), ids=TABLES)
def test_features_of_any_kind(door, table):
    given = {"x": table(X)} | ({"x_test": table(X_TEST)} if door is permuted else {})
    assert np.array_equal(values(door(**given)), values(door()))


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_features(kind):
    class Dense(Centres):
        def fit(self, X, y):
            return super().fit(X.toarray(), y)

        def _near(self, X):
            return super()._near(X.toarray())

    assert np.array_equal(values(folded(Dense(), kind(X))), values(folded()))
    assert np.array_equal(values(permuted(Dense(), kind(X), x_test=kind(X_TEST))), values(permuted()))


@every_door
@for_each(
    ("pair", "positive"), [((False, True), None), ((-1, 1), None), (("sick", "well"), "well"), ((3, 7), 7)]
)
def test_labels_of_any_kind(door, pair, positive):
    labels = np.array(pair)
    given = {"y": labels[Y].tolist()} | ({"y_test": pd.Series(labels[Y_TEST])} if door is permuted else {})
    assert np.array_equal(values(door(positive=positive, **given)), values(door()))


@every_door
@for_each("measure", ["roc_auc", "brier_score", "sensitivity", "hinge_loss"])
def test_either_label_may_be_the_positive_one(door, measure):
    """Turning labels round and calling the other one positive changes nothing, whichever method gives the
    scores."""
    for only in ("predict_proba", "decision_function"):
        if (measure, only) in (("brier_score", "decision_function"), ("hinge_loss", "predict_proba")):
            continue
        estimator = Only(Centres(), only)
        turned = {"y": 1 - Y} | ({"y_test": 1 - Y_TEST} if door is permuted else {})
        # strata are drawn in the order of the labels
        plain = {} if door is permuted else {"stratified": False}
        a = door(estimator, measure=measure, **plain)
        b = door(estimator, measure=measure, positive=0, **plain, **turned)
        assert values(a) == pytest.approx(values(b), abs=1e-12, nan_ok=True)


def test_one_probability_per_case_is_that_of_the_later_label():
    usual = values(bagged(measure="brier_score", stratified=False))
    assert values(bagged(Flat(), measure="brier_score", stratified=False)) == pytest.approx(usual)
    assert values(
        bagged(Flat(), measure="brier_score", stratified=False, positive=0, y=1 - Y)
    ) == pytest.approx(usual)


def test_a_label_is_predicted_as_the_estimator_does_or_at_the_half_or_at_a_threshold():
    own = bagged(measure="accuracy")
    for method in ("predict", "predict_proba", "decision_function"):
        assert np.array_equal(values(bagged(Only(Centres(), method), measure="accuracy")), values(own))
    strict_ = bagged(measure="specificity", threshold=0.8)
    assert (values(strict_) >= values(bagged(measure="specificity"))).all()
    assert strict_.out_of_bag.value > bagged(measure="specificity").out_of_bag.value


def test_parameters_of_measures():
    two = folded(measure="f_beta", parameters={"beta": 2.0})
    assert np.array_equal(
        values(folded(measure="f_beta", parameters={"beta": 1})), values(folded(measure="f1"))
    )
    assert not np.array_equal(values(two), values(folded(measure="f1")))


OF_MANY = [
    "accuracy",
    "cohen_kappa",
    "brier_score",
    "log_loss",
    *(one.name for one in tm.find(tm.ClassScores)),
]


@for_each("measure", OF_MANY)
def test_measures_of_three_classes(measure):
    for labels in (THREE, np.array(["a", "b", "c"])[THREE]):
        found = bagged(Centres(), X_THREE, labels, measure=measure)
        assert found.apparent.value == pytest.approx(_whole(measure, THREE), abs=1e-12)
        assert found.out_of_bag.has_interval
        assert not found.lost.failed


def _whole(measure, truth):
    model = Centres().fit(X_THREE, truth)
    found = getattr(tm.measures, measure)
    if found.summary is tm.Counts:
        return found(truth=truth, predicted=model.predict(X_THREE))
    return found(truth=truth, score=model.predict_proba(X_THREE))


def test_scores_of_pairs_of_classes_are_not_taken_for_scores_of_classes():
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC

    assert bagged(make_pipeline(SVC()), X_THREE, THREE, measure="macro_roc_auc").out_of_bag.value > 0.8
    with refuses("estimator", argument="estimator"):
        bagged(make_pipeline(SVC(decision_function_shape="ovo")), X_THREE, THREE, measure="macro_roc_auc")


def test_a_class_that_is_not_met_in_training_has_no_probability():
    rare = np.where(np.arange(N) == 0, "c", np.where(THREE == 0, "a", "b"))
    found = bagged(Centres(), X_THREE, rare, measure="accuracy", stratified=False, replicates=40)
    assert found.lost.failed == found.lost.undefined == 0
    scores = bagged(Centres(), X_THREE, rare, measure="log_loss", stratified=False, replicates=40)
    assert np.isfinite(scores.values).all()


def test_two_classes_and_a_measure_of_a_whole_matrix():
    name = next(one.name for one in tm.find(tm.ConfusionMatrix) if one.name not in ("accuracy", "error_rate"))
    found = bagged(measure=name)
    assert found.lost.undefined == 0
    assert not found.lost.failed


# The estimator is left alone
# --------------------------------------------------------------------------------------------------


@every_door
def test_the_estimator_is_never_trained_itself(door):
    mine = Centres(scale=2.0)
    door(mine)
    assert vars(mine) == {"scale": 2.0}


def test_copies_as_scikit_learn_makes_them():
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    mine = make_pipeline(StandardScaler(), LogisticRegression(C=0.3)).fit(X, Y)
    copied, theirs = retraining.fresh(mine), clone(mine)
    assert str(copied.get_params()) == str(theirs.get_params())
    assert not hasattr(copied[1], "coef_")
    assert copied[1] is not mine[1]


def test_copies_by_parameters_and_whole():
    inner = Memory(random_state=3)
    mine = Memory(inner=inner)
    mine.fit(X, Y)
    copied = retraining.fresh(mine)
    assert copied.inner is not inner
    assert copied.inner.random_state == 3
    assert not hasattr(copied, "fitted_")
    kept = Centres().fit(X, Y)
    assert retraining.fresh(kept).centres_ is not kept.centres_


def test_random_estimators_are_seeded_where_asked():
    mine = Memory(inner=Memory())
    one, two = (folded(mine, seed_estimator=True).values for _ in range(2))
    assert np.array_equal(one, two)
    assert len(set(one[0])) > 3  # another seed for every fit
    assert not np.array_equal(folded(mine).values, folded(mine).values)
    assert mine.random_state is None
    made = retraining.fresh(mine)
    retraining.seed(made, np.random.default_rng(0))
    assert isinstance(made.inner.random_state, int)


# Jobs, seeds, progress
# --------------------------------------------------------------------------------------------------


@every_door
def test_the_number_of_jobs_changes_nothing(door):
    pytest.importorskip("joblib")
    assert np.array_equal(values(door(jobs=2)), values(door(jobs=1)))


@every_door
def test_the_seed_is_stated_and_gives_the_same_again(door):
    found = door(rng=np.random.default_rng(8))
    assert np.array_equal(values(found), values(door(rng=found.seed)))
    assert not np.array_equal(values(found), values(door()))
    assert f"seed {found.seed}" in " ".join(str(found).split())


@every_door
def test_without_joblib_one_process_does_it_and_says_so(door, monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    found = door(jobs=2)
    assert np.array_equal(values(found), values(door()))
    assert "joblib is not installed" in str(found)
    assert "joblib" not in str(door())


@every_door
def test_progress(door):
    done = []
    total = values(door(progress=done.append)).size
    assert done == list(range(1, total + 1))


def test_a_bar_on_a_terminal_and_none_elsewhere(monkeypatch, capsys):
    bagged()
    assert capsys.readouterr().err == ""
    told = []
    monkeypatch.setattr(retraining, "progress_bar", lambda unit, total: nullcontext(told.append))
    bagged(progress=False)
    assert not told
    found = bagged()
    assert told == list(range(1, len(found.values) + 1))


@every_door
def test_a_key_stops_it(door):
    class Stopped(Centres):
        calls = 0

        def fit(self, X, y):
            Stopped.calls += 1
            if Stopped.calls == 3:
                raise KeyboardInterrupt
            return super().fit(X, y)

    with pytest.raises(KeyboardInterrupt):
        door(Stopped())
    assert Stopped.calls == 3


# What goes wrong is counted
# --------------------------------------------------------------------------------------------------


@every_door
def test_failed_fits_are_counted_and_quoted(door):
    y = np.r_[1, 0, Y[2:]]
    found = door(Stumbling(), y=y, measure="accuracy", **({"stratified": False} if door is bagged else {}))
    gone = found.lost[0] if door is folded else found.lost
    there = ~np.isnan(values(found)).ravel()
    assert 0 < gone.failed < values(found).size
    assert gone.failed == (~there).sum()
    assert gone.first_error == "ArithmeticError: the sum did not converge"
    assert f"{gone.failed} fits failed, the first with ArithmeticError: the sum did not converge" in " ".join(
        str(found).split()
    )
    assert str(gone.failed) in found.to_json()
    if door is permuted:
        assert found.used == there.sum()
        assert found.p_value == (found.as_good + 1) / (found.used + 1)
    else:
        mean = found.out_of_bag.value if door is bagged else found.estimate.value
        assert mean == pytest.approx(np.nanmean(values(found)))


@every_door
def test_an_estimator_that_always_fails(door):
    class Broken(Centres):
        def fit(self, X, y):
            raise RuntimeError("no memory")

    with refuses("estimator", argument="estimator"):
        door(Broken())


@every_door
def test_an_estimator_that_fails_on_everything_but_the_whole(door):
    class Choosy(Centres):
        def fit(self, X, y):
            if not (np.array_equal(y, Y) and np.array_equal(X, FEATURES)):
                raise RuntimeError("other cases")
            return super().fit(X, y)

    with refuses("estimator", argument="estimator"):
        door(Choosy())


def test_an_estimator_without_answers():
    class Mute(Centres):
        def predict_proba(self, X):
            raise RuntimeError("not today")

    with refuses("estimator", argument="estimator"):
        bagged(Mute())


def test_undefined_values_are_counted_with_their_reason():
    """A bootstrap set that leaves out no case of a class has no AUC."""
    y = np.r_[1, 1, np.zeros(N - 2, int)]
    found = bagged(Centres(), X, y, replicates=60)
    assert found.lost.undefined == np.isnan(found.values).sum() > 0
    assert found.lost.failed == 0
    assert "no positives" in str(found.lost.first_reason)
    assert "undefined, the first since: no positives" in " ".join(str(found).split())


def test_uniform_resamples_may_lack_a_class_in_training():
    y = np.r_[1, np.zeros(N - 1, int)]
    found = bagged(Only(Centres(), "decision_function"), X, y, stratified=False, replicates=40)
    assert found.lost.failed > 0
    assert "trained on 1 of 2 classes" in found.lost.first_error
    assert found.lost.undefined > 0


def test_nothing_defined_is_said():
    found = bagged(Constant(0), measure="precision")
    assert np.isnan(found.out_of_bag.value)
    assert found.out_of_bag.undefined
    assert found.lost.undefined == 20
    assert np.isnan(found.overfitting)
    assert strict(found.to_json())["estimates"]["632"]["value"] is None
    folds = folded([Constant(0), Constant(0)], measure="precision")
    assert folds.estimates["Constant 1"].undefined
    assert np.isnan(folds.differences[0].p_value)
    with refuses("no-result", argument="measure"):
        permuted(Constant(0), measure="precision")
    assert max(map(len, f"{found}\n{folds}".splitlines())) <= 80


# Nothing degenerate looks sure
# --------------------------------------------------------------------------------------------------


def test_perfect_separation_has_no_interval_of_no_width():
    far = X + 100 * Y[:, None]
    for found in (bagged(x=far).out_of_bag, folded(x=far).estimate):
        assert found.value == 1
        assert not found.has_interval
        assert "does not mean that there is no uncertainty" in found.note


def test_two_equal_estimators():
    found = folded({"a": Centres(), "b": Centres()})
    one = found.differences[0]
    assert (one.estimate.value, one.estimate.low, one.estimate.high, one.p_value) == (0, 0, 0, 1)
    assert "equal on every fold" in one.note
    assert found["a"] == found["b"]


def test_rounding_is_no_difference_to_test_by():
    same = np.array([0.3, 0.4, 0.35, 0.5])
    off = same + np.array([0, 5e-17, 0, -1e-16])
    assert (same != off).any()
    assert not over_folds.less(same, off).any()
    first, second = np.array([[np.inf, 1], [np.nan, 1], [np.inf, np.inf], [1, 0.5], [0, 0]]).T
    np.testing.assert_array_equal(over_folds.less(first, second), [np.inf, np.nan, np.nan, 0.5, 0])


def test_estimators_that_differ_by_rounding_are_equal():
    class Rounded(Centres):
        def predict_proba(self, X):
            return np.clip(np.nextafter(super().predict_proba(X), 1), 0, 1)

    found = folded({"a": Centres(), "b": Rounded()}, measure="brier_score")
    assert (found.values[0] != found.values[1]).any()
    assert found.differences[0].p_value == 1


def test_a_difference_that_never_varies():
    found = folded({"yes": Constant(1), "no": Constant(0)}, measure="sensitivity")
    one = found.differences[0]
    assert one.estimate.value == 1
    assert not one.estimate.has_interval
    assert np.isnan(one.p_value)
    assert "the same on every fold" in one.note


def test_bounds_stay_in_the_range():
    found = folded(x=X + 1.5 * Y[:, None], folds=10).estimate
    assert found.high == 1
    assert "cut" in found.note


def test_infinite_values_have_no_interval():
    y = np.where(np.arange(N) < 4, 1 - Y, Y)
    found = bagged(x=X + 2 * Y[:, None], y=y, measure="positive_likelihood_ratio", replicates=40)
    assert np.isinf(found.values).any()
    assert np.isinf(found.out_of_bag.value)
    assert not found.out_of_bag.has_interval
    assert np.isnan(found.estimate_632.value)
    strict(found.to_json())
    assert np.isinf(folded(x=X + 2 * Y[:, None], y=y, measure="positive_likelihood_ratio").estimate.value)


def test_one_repeat_of_few_replicates_says_so():
    assert "too few" in bagged(replicates=20).out_of_bag.note
    assert bagged(replicates=60).out_of_bag.note is None


# What is refused
# --------------------------------------------------------------------------------------------------

BOTH = {
    "class": ({"estimator": Centres},
        r"estimator: Centres is a class; pass an instance of it, as Centres\(\)\."),
    "no fit": ({"estimator": 3}, "estimator: 3 has no method fit"),
    "lengths": ({"x": X[:-1]}, "X has 59 rows and y has 60; give one row and one label per case"),
    "no features": ({"x": "file.csv"}, "X: features are an array"),
    "one class": ({"y": np.ones(N, int)}, "y: every label is 1, and a classifier needs two classes"),
    "gap": ({"y": [None, *Y[1:].tolist()]}, "y: 1 value is missing"),
    "table": ({"y": X}, "y: several labels per case are not supported here; take one label at a time"),
    "names": ({"y": np.array(["a", "b"])[Y]}, "y: it does not say which label is the positive one"),
    "odd name": ({"y": np.array(["a", "b"])[Y], "positive": "c"}, "y: the positive label 'c' does not occur"),
    "measure": ({"measure": "roc_acu"}, "did you mean 'roc_auc'"),
    "regression": ({"measure": "mean_squared_log_error"},
        "not a measure in the catalogue|not of classifiers"),
    "labels": ({"measure": "exact_match"},
        "exact_match cannot be taken here, since it is not of classifiers with one label"),
    "llr": ({"measure": "cllr"}, "cllr needs likelihood ratios"),
    "threshold": ({"threshold": 0.4}, "threshold: roc_auc does not use one"),
    "nan": ({"measure": "f1", "threshold": float("nan")}, "threshold: nan is not a number"),
    "parameter": ({"parameters": {"beta": 2}}, "roc_auc has no parameters|but not beta"),
    "parameters": ({"parameters": 3}, "parameters: 3 is not understood"),
    "jobs": ({"jobs": 0}, "jobs: 0 is not possible"),
    "seed": ({"rng": -1}, "rng: -1 is not a valid seed"),
    "level": ({"level": 95}, "level: 95 does not lie between 0 and 1"),
    "progress": ({"progress": 3}, "progress: 3 is not understood"),
    "seeding": ({"seed_estimator": 1}, "seed_estimator: 1 is neither True nor False"),
    "no params": ({"seed_estimator": True}, "seed_estimator: the estimator has no get_params"),
    "clusters": ({"clusters": [1, 2]}, "y has 60 rows and clusters has 2; give one value per case"),
    "no scores": ({"estimator": Only(Centres(), "predict")},
        "no method predict_proba or decision_function, which the measure"),
    "no probabilities": (
        {"estimator": Only(Centres(), "decision_function"), "measure": "log_loss"},
        "no method predict_proba, which the measure",
    ),
    "no margins": ({"estimator": Only(Centres(), "predict_proba"), "measure": "hinge_loss"},
        "no method decision_function, which"),
}  # fmt: skip


@every_door
@for_each(("given", "said"), BOTH.values(), ids=BOTH)
def test_wrong_calls(door, given, said):
    with pytest.raises(InputError, match=said) as caught:
        door(**given)
    assert "\n" not in str(caught.value)


OWN = {
    "label": (
        lambda: permuted(y_test=np.arange(40) % 3),
        r"y_test: 2 in row 2 \(counted from 0\) is none of the labels of y, 0, 1",
    ),
    "kind": (lambda: permuted(y_test=["a", "b"] * 20), "y_test: 'a' is none of the labels of y, 0, 1"),
    "test rows": (lambda: permuted(x_test=X), "X_test has 60 rows and y_test has 40"),
    "counting": (lambda: permuted(counting="berrar"), "counting: 'berrar' is not known"),
    "permutations": (lambda: permuted(permutations=0), "permutations: 0 is not possible"),
    "direction": (
        lambda: permuted(measure="predicted_prevalence"),
        "neither a higher nor a lower value is better",
    ),
    "two": (
        lambda: permuted(clusters=Y, blocks=Y),
        "clusters, blocks: labels move between clusters, or within blocks",
    ),
    "mixed": (lambda: permuted(clusters=np.arange(N) // 2), "has labels of several classes"),
    "pure": (lambda: permuted(blocks=Y), "blocks: every block has labels of one class"),
    "roc of three": (
        lambda: bagged(x=X_THREE, y=THREE),
        "roc_auc cannot be taken here, since y has 3 classes, and it is for two",
    ),
    "positive of three": (lambda: bagged(x=X_THREE, y=THREE, positive=1), "positive: y has 3 classes"),
    "both": (
        lambda: bagged(clusters=Y, stratified=True),
        "stratified: clusters are drawn whatever their classes",
    ),
    "replicates": (lambda: bagged(replicates=1), "replicates: 1 is not possible"),
    "folds": (lambda: folded(folds=61), "folds: 61 of 60 cases is not possible"),
    "fold": (lambda: folded(folds=1), "folds: 1 is not possible"),
    "group folds": (lambda: folded(clusters=np.arange(N) % 4), "folds: 5 of 4 clusters is not possible"),
    "no estimators": (lambda: tm.cross_validate([], X, Y), "estimator: there is none"),
    "which": (lambda: folded([Centres(), Centres()]).estimate, "There are 2 estimators"),
    "unknown": (lambda: folded()["x"], "'x' is not an estimator here"),
}


@for_each(("call", "said"), OWN.values(), ids=OWN)
def test_other_wrong_calls(call, said):
    with pytest.raises(InputError, match=said):
        call()


def test_answers_that_are_none():
    class Odd(Centres):
        def __init__(self, answer):
            self.answer = answer

        def predict_proba(self, X):
            return self.answer(len(X))

        def predict(self, X):
            return self.answer(len(X))

    wrong = {
        "NaN in row 0": lambda n: np.full((n, 2), np.nan),
        "3 columns for 2 classes": lambda n: np.full((n, 3), 1 / 3),
        "one row per case": lambda n: np.zeros((n + 1, 2)),
    }
    for said, answer in wrong.items():
        with pytest.raises(InputError, match=said):
            bagged(Odd(answer))
    with refuses("unknown-name", "0.3", "row 0", argument="predict"):
        bagged(Odd(lambda n: np.full(n, 0.3)), measure="f1")
    with refuses("unsupported", argument="brier_score"):
        bagged(Odd(lambda n: np.full((n, 2), 7.0)), measure="brier_score")


# What is said
# --------------------------------------------------------------------------------------------------


def test_answers_are_written_and_printed():
    y = np.r_[1, 0, Y[2:]]
    long = {
        "an estimator with a very long name " * 2: Centres(),
        "another": Stumbling(),
        "third": Centres(3.0),
    }
    found = [
        permuted(),
        permuted(measure="log_loss", counting="permuted-only"),
        permuted(Stumbling(), y=y),
        permuted(permutations=1),
        bagged(),
        bagged(Stumbling(), y=y, measure="predicted_prevalence", stratified=False),
        bagged(x=X_THREE, y=THREE, measure="accuracy"),
        folded(),
        folded(long, y=y, measure="brier_score"),
        folded(repeats=1, folds=2),
    ]
    for one in found:
        assert max(map(len, str(one).splitlines())) <= 80, str(one)
        assert strict(one.to_json()) == one.to_dict()
        assert one.to_dict()["schema"] == 2
        assert "\n" not in repr(one)
        with pytest.raises(ValueError, match="read-only"):
            values(one)[..., 0] = 3


def test_the_direction_is_that_of_the_measure():
    """With one feature that tells and many that do not, permuted labels do not find it, and real ones do."""
    rng = np.random.default_rng(2)
    x, x_test = rng.normal(size=(N, 30)), rng.normal(size=(40, 30))
    x[:, 0] += 2 * Y
    x_test[:, 0] += 2 * Y_TEST
    for measure, better in (
        ("roc_auc", "higher"),
        ("brier_score", "lower"),
        ("error_rate", "lower"),
        ("f1", "higher"),
    ):
        found = permuted(x=x, x_test=x_test, measure=measure, permutations=39)
        assert found.better == better
        assert found.p_value <= 0.075
