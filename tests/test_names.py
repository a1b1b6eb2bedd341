"""Whatever is printed with a name can be asked for by that name, in every verb."""

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark.measures import registry
from tallymark.report.documents import document

random = np.random.default_rng(7)
TRUTH = random.integers(0, 3, 240)
PREDICTED = np.where(random.random(240) < 0.7, TRUTH, random.integers(0, 3, 240))
TAGS = random.integers(0, 2, (120, 3))
TAGGED = np.where(random.random(TAGS.shape) < 0.8, TAGS, 1 - TAGS)
SCORE = np.clip(0.4 * (TRUTH > 0) + 0.6 * random.random(240), 0, 1)
CLASSES = tm.evaluate(truth=TRUTH, predicted=PREDICTED)
LABELS = tm.evaluate(truth=TAGS, predicted=TAGGED)
TWO = tm.evaluate(truth=TRUTH > 0, score=SCORE)
AMOUNTS = tm.evaluate(truth=SCORE, predicted=SCORE + 0.1 * random.random(240), regression=True)
EVALUATIONS = {"classes": CLASSES, "labels": LABELS, "two": TWO, "amounts": AMOUNTS}


@in_part(4, ("fast", "full"))
@for_each("e", EVALUATIONS.values(), ids=EVALUATIONS)
def test_each_line_of_the_screen_is_read_by_its_label_and_by_its_name(e):
    rows = next(one for one in document(e).tables if one.name == "measures").rows
    for row in rows:
        label, name = row["measure"].value, row["measure"].name
        assert e[label] == e[name] == row["estimate"]
        assert name in e.to_frame().measure.tolist()


def test_averages_over_classes_are_measures():
    f1 = [2 * c.tp / (2 * c.tp + c.fp + c.fn) for c in CLASSES.class_counts.values()]
    shares = np.bincount(TRUTH) / len(TRUTH)
    assert CLASSES["macro_f1"].value == pytest.approx(np.mean(f1))
    assert CLASSES["weighted_f1"].value == pytest.approx(shares @ f1)
    assert CLASSES["macro_f1"] == CLASSES.averages["macro"]["f1"]
    assert tm.estimate("macro_f1", CLASSES.matrix) == CLASSES["macro_f1"]
    assert tm.measures.macro_f1(truth=TRUTH, predicted=PREDICTED) == pytest.approx(np.mean(f1))
    assert tm.measures.macro_f1(truth=TAGS, predicted=TAGGED) == pytest.approx(LABELS["macro_f1"].value)
    assert CLASSES["weighted Jaccard"] == CLASSES.averages["weighted"]["jaccard"]


def test_an_average_in_every_verb():
    value = CLASSES["macro_f1"].value
    chosen = tm.evaluate(truth=TRUTH, predicted=PREDICTED, measures=["Macro F1", "micro_jaccard"])
    assert list(chosen) == ["macro_f1", "micro_jaccard"]
    assert "Macro F1" in str(chosen)
    models = {"a": PREDICTED, "b": random.permutation(PREDICTED)}
    one = tm.compare(truth=TRUTH, predicted=models, measures=["macro_f1"]).differences[0]
    assert one.estimate.has_interval
    verdict = tm.check(truth=TRUTH, predicted=PREDICTED, require=["macro_f1.low >= 0.5", "macro f1 <= 0.9"])
    assert [one.estimate.value for one in verdict.findings] == [value, value]
    groups = tm.evaluate(truth=TRUTH, predicted=PREDICTED, by=TRUTH % 2, measures=["macro_f1"])
    assert groups["0"]["macro_f1"].value != groups["1"]["macro_f1"].value


@pytest.mark.full
def test_scorers_take_averages_by_name():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.datasets import load_iris
    from sklearn.metrics import hamming_loss
    from sklearn.model_selection import cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_iris(return_X_y=True)
    model = sklearn.clone(DecisionTreeClassifier(max_depth=1, random_state=0))
    for ours, theirs in (("macro_f1", "f1_macro"), ("Weighted F1", "f1_weighted")):
        found = [cross_val_score(model, X, y, scoring=one) for one in (tm.scorer(ours), theirs)]
        assert found[0] == pytest.approx(found[1])
    tags = np.c_[y == 0, y > 0, X[:, 0] > 5.8].astype(int)
    fitted = model.fit(X, tags)
    assert -tm.scorer("hamming_loss")(fitted, X, tags) == pytest.approx(hamming_loss(tags, fitted.predict(X)))


@for_each(
    ("e", "name", "own"),
    [
        (LABELS, "hamming_loss", None),
        (CLASSES, "hamming_loss", "error_rate"),
        (TWO, "hamming_loss", "error_rate"),
        (TWO, "pr_auc", "average_precision"),
        (TWO, "aucpr", "average_precision"),
        (TWO, "bal_acc", "balanced_accuracy"),
        (CLASSES, "balanced accuracy", "balanced_accuracy"),
        (TWO, "youden", "youden_j"),
        (TWO, "ECE", "expected_calibration_error"),
    ],
)
def test_usual_names(e, name, own):
    wanted = (TAGS != TAGGED).mean() if own is None else e[own].value
    assert e[name].value == pytest.approx(wanted)


def test_f2_and_its_like_set_the_parameter():
    c = TWO.counts
    assert TWO["f2"].value == pytest.approx(5 * c.tp / (5 * c.tp + 4 * c.fn + c.fp))
    assert TWO["F0.5"].value == pytest.approx(1.25 * c.tp / (1.25 * c.tp + 0.25 * c.fn + c.fp))
    changed = tm.evaluate(truth=TRUTH > 0, score=SCORE, parameters={"f_beta": {"beta": 0.5}})
    assert changed["f2"] == TWO["f2"]


def test_weighted_kappa_is_no_average():
    with refuses("unknown-name", "linear_weighted_kappa"):
        CLASSES["weighted_kappa"]


def test_an_average_of_two_classes_says_what_to_take():
    with refuses("unsupported"):
        TWO["macro_f1"]


def test_a_mean_squared_error_is_no_brier_score():
    one = tm.evaluate(truth=[1.5, 2, 5], predicted=[1, 1, 4.5], regression=True, measures=["mse"])
    several = tm.evaluate(truth=[1.5, 2, 5], predicted={"a": [1, 1, 4.5], "b": [1, 2, 5.5]}, regression=True)
    compared = tm.compare(truth=SCORE, predicted={"a": SCORE + 0.1, "b": 0.9 * SCORE}, regression=True)
    for result in (one, several, compared):
        for text in (str(result), result.to_html(), result.to_markdown()):
            assert "Brier" not in text
    assert "Mean squared error" in str(one)
    assert "Huber loss" in str(AMOUNTS[["huber_loss"]])


def test_titles_are_no_names_of_other_measures():
    """A title that is the name of another measure would read that one."""
    for entry in registry.all_measures():
        if entry.headline is not None:
            assert entry.name in {form.name for form in registry.forms(entry.headline.label)}


def test_all_wrong_names_are_answered_at_once():
    with pytest.raises(tm.InputError) as refusal:
        tm.evaluate(truth=TRUTH, predicted=PREDICTED, measures=["foo", "accuracy", "recal"])
    assert "'foo'" in str(refusal.value)
    assert "'recal' (did you mean 'recall'?)" in str(refusal.value)
