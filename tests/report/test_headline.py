"""The headline sentence: what it is made of, what it says, and that it opens every format."""

import json
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark.evaluation.headline import RATES
from tallymark.input import text
from tallymark.input.text import with_digits
from tallymark.measures import titles
from tallymark.report import document
from tallymark.report.documents import headlines
from tallymark.report.output import page

RANDOM = np.random.default_rng(3)
LOGIT = RANDOM.normal(-0.5, 1.5, 400)
SCORE = 1 / (1 + np.exp(-LOGIT))
TRUTH = (RANDOM.random(400) < SCORE).astype(int)
SHARES = RANDOM.dirichlet(np.full(4, 0.3), 400)
CLASS = (SHARES.cumsum(1) < RANDOM.random((400, 1))).sum(1).clip(0, 3)
LABELS = RANDOM.random((400, 3)) < (0.1, 0.4, 0.6)

FOUND = {
    "scores": tm.evaluate(truth=TRUTH, score=SCORE),
    "labels": tm.evaluate(truth=TRUTH, predicted=SCORE > 0.4),
    "counts": tm.evaluate(counts=tm.Counts(tp=70, fp=20, fn=30, tn=80)),
    "class scores": tm.evaluate(truth=CLASS, score=SHARES),
    "class labels": tm.evaluate(truth=CLASS, predicted=SHARES.argmax(1)),
    "several labels": tm.evaluate(truth=LABELS, predicted=LABELS ^ (RANDOM.random((400, 3)) < 0.1)),
    "amounts": tm.evaluate(truth=LOGIT, predicted=LOGIT + 0.1 * SCORE, regression=True),
    "clusters": tm.evaluate(truth=TRUTH, score=SCORE, clusters=np.arange(400) // 4),
    "chosen threshold": tm.evaluate(truth=TRUTH, score=SCORE, rule="youden"),
    "chosen measures": tm.evaluate(truth=TRUTH, score=SCORE, measures=["f1", "roc_auc"]),
    "one class": tm.evaluate(truth=[0] * 5, score=[0.1] * 5),
    "infinite": tm.evaluate(truth=TRUTH, score=SCORE, threshold=np.inf),
}
MOVING = ("scores", "clusters", "chosen threshold")  # pages with a threshold to move
every = for_each("found", list(FOUND.values()), ids=list(FOUND))


def sentence(name):
    return str(FOUND[name].headline)


def test_what_it_says_of_scores():
    found = FOUND["scores"]
    auc, high, low = (found[name] for name in ("roc_auc", *RATES))
    widest = max((high, low), key=lambda one: one.high - one.low)
    rates = [
        f"{name} {one.value:.3f} [{one.low:.3f}, {one.high:.3f}]{' (the less certain)' * (one is widest)}"
        for name, one in (("sensitivity is", high), ("specificity", low))
    ]
    assert sentence("scores") == (
        f"ROC AUC {auc.value:.3f} [{auc.low:.3f}, {auc.high:.3f}] (95% CI) on 400 cases, {TRUTH.sum()}"
        f" positive: better than chance (0.5); at the threshold 0.5 {rates[0]} and {rates[1]}."
    )


def test_what_it_says_of_a_table():
    assert sentence("counts") == (
        "Balanced accuracy 0.750 [0.685, 0.802] (95% CI) on 200 cases, 100 positive: better than chance"
        " (0.5); sensitivity is 0.700 [0.604, 0.781] (the less certain) and specificity 0.800 [0.711,"
        " 0.867]."
    )


def test_a_single_class_is_not_compared_with_chance():
    found = tm.evaluate(truth=list("aaaa"), predicted=list("abca"))
    assert str(found.headline).startswith("Balanced accuracy 0.500 [0.150, 0.850] (95% CI) on 4 cases")
    assert found.headline.reading is None
    assert "chance" not in str(found.headline)


def test_what_it_says_of_classes():
    found = FOUND["class scores"]
    said = sentence("class scores")
    area, share = found["macro_roc_auc"], found["accuracy"]
    assert said.startswith(
        f"Macro ROC AUC {area.value:.3f} [{area.low:.3f}, {area.high:.3f}] (95% CI) on 400 cases, 4"
    )
    largest = found.baselines["largest class"]
    assert (
        f"accuracy is {share.value:.3f} [{share.low:.3f}, {share.high:.3f}], against {largest:.3f} for"
        in said
    )
    widths = {label: one["sensitivity"].high - one["sensitivity"].low for label, one in found.classes.items()}
    assert f"the sensitivity of class {max(widths, key=widths.get)}, " in said
    assert sentence("class labels").startswith("Balanced accuracy ")
    assert FOUND["class labels"].headline.chance == 1 / 4


@pytest.mark.parametrize(
    ("shift", "said"),
    [(0.5, "too high on average"), (-0.5, "too low on average"), (0, "not shown to be biased")],
)
def test_what_it_says_of_amounts(shift, said):
    error = RANDOM.normal(size=400)
    found = tm.evaluate(truth=LOGIT, predicted=LOGIT + error - error.mean() + shift, regression=True)
    share, size, mean = (found[name] for name in ("r2", "root_mean_squared_error", "mean_error"))
    reading = {1: "better than", -1: "worse than", 0: "not shown to be better than"}
    assert str(found.headline) == (
        f"R2 {share.value:.3f} [{share.low:.3f}, {share.high:.3f}] (95% CI) on 400 cases:"
        f" {reading[(share.low > 0) - (share.high < 0)]} always predicting the mean; root mean squared error"
        f" is {size.value:.3f} [{size.low:.3f}, {size.high:.3f}]; mean error is {document.value(mean)}"
        f" [{mean.low:.3f}, {mean.high:.3f}], {said}."
    )


@pytest.mark.parametrize(
    ("score", "reading", "words"),
    [
        (SCORE, "better", "better than chance (0.5)"),
        (-LOGIT, "worse", "worse than chance (0.5)"),
        (np.arange(400) % 7, "unclear", "not shown to differ from chance (0.5)"),
    ],
)
def test_its_reading_is_that_of_the_interval(score, reading, words):
    found = tm.evaluate(truth=TRUTH, score=score)
    assert found.headline.reading == reading
    assert words in str(found.headline)


def test_the_ends_of_the_interval_decide():
    h = FOUND["scores"].headline
    found = h.main.estimate
    assert replace(h, chance=found.low).reading == replace(h, chance=found.high).reading == "unclear"
    assert replace(h, chance=found.high + 1e-9).reading == "worse"
    assert replace(h, chance=None).reading is None


def test_what_is_undefined_has_its_reason():
    assert sentence("one class").startswith("ROC AUC is undefined on 5 cases, 0 positive: no positives")
    assert "sensitivity" not in sentence("one class")
    assert FOUND["one class"].headline.reading is None


def test_a_chosen_threshold_has_corrected_values():
    found = FOUND["chosen threshold"]
    assert found.headline.chosen
    high = found["sensitivity"]
    wanted = f"corrected sensitivity is {high.corrected:.3f} [{high.low:.3f}, {high.high:.3f}]"
    assert f", chosen on these cases, {wanted}" in sentence("chosen threshold")
    assert "chosen" not in sentence("scores")


def test_clusters_are_counted():
    assert " on 400 cases in 100 clusters, " in sentence("clusters")


def test_what_is_approximate_says_so():
    few = tm.evaluate(truth=[0, 0, 0, 1, 1, 1, 1], score=[0.1, 0.2, 0.6, 0.5, 0.7, 0.8, 0.9])
    marked = any(note.kind == "approximate" for note in few["roc_auc"].notes)
    assert marked == ("(approximate 95% CI)" in str(few.headline))
    assert "approximate" not in sentence("scores")


def test_of_chosen_measures_the_first_leads_and_no_other_is_computed():
    found = tm.evaluate(truth=TRUTH, score=SCORE, measures=["f1"])
    assert str(found.headline).startswith("F1 ")
    assert found.headline.further == ()
    assert list(found._found) == ["f1"]


def test_digits():
    found = FOUND["scores"]
    with with_digits(5):
        said = headlines.sentence(found.headline)
    assert f"ROC AUC {found['roc_auc'].value:.5f} [{found['roc_auc'].low:.5f}, " in said


# In every format
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@every
def test_it_opens_text_and_page(found):
    said = str(found.headline)
    assert said.endswith(".")
    assert "nan" not in said
    for shown in (str(found), str(tm.Evaluation.from_json(found.to_json()))):
        assert " ".join(shown.split()).startswith(said)
    assert " ".join(str(found.all).split()).startswith(str(found.all.result.headline))
    above, numbers = unescape(page(found).split("<body>")[1]).split("<table", 1)
    assert "</table>" in numbers
    if any(found is FOUND[name] for name in MOVING):  # what the threshold moves is said next
        assert f"<h1>{replace(found.headline, further=())}</h1>" in above
        for name in ("sensitivity", "specificity"):
            assert f'<span data-say="{name}">{found[name].value:.3f}</span>' in above
    else:
        assert f"<h1>{said}</h1>" in above


@pytest.mark.full
@every
def test_it_is_read_back(found):
    plain = json.loads(found.to_json())["headline"]
    assert plain["text"] == str(found.headline)
    assert plain["reading"] == found.headline.reading
    again = tm.Evaluation.from_json(found.to_json())
    assert again.headline == str(found.headline)
    assert again.to_dict()["headline"] == plain


@every
def test_its_measures_are_those_of_the_evaluation(found):
    h = found.headline
    assert h.main.estimate is found._found[h.main.measure]
    for one in h.further:
        assert one.estimate == (
            found.averages["macro"]["f1"] if one.measure == "macro_f1" else found.estimates[one.measure]
        )
    assert h.cases == found.data.rows


@pytest.mark.parametrize(
    ("weight", "kind", "wanted"),
    [
        (1 + np.arange(400) % 3, "count", f" on {(1 + np.arange(400) % 3).sum()} cases, "),
        (1 + np.arange(400) % 3, "importance", " on 400 weighted cases: "),
        (np.arange(400) % 4 != 0, "count", " on 300 cases, "),
        (np.arange(400) % 4 / 7, "importance", " on 300 weighted cases: "),
    ],
)
def test_weights(weight, kind, wanted):
    found = tm.evaluate(truth=TRUTH, score=SCORE, weight=weight, weight_kind=kind)
    assert wanted in str(found.headline)
    classes = tm.evaluate(truth=CLASS, score=SHARES, weight=weight, weight_kind=kind)
    assert wanted[:-2] in str(classes.headline)
    amounts = tm.evaluate(truth=LOGIT, predicted=SCORE, weight=weight, weight_kind=kind, regression=True)
    assert wanted[:-2] in str(amounts.headline)


def test_numbers_are_those_of_the_table():
    assert [text.rounded(one) for one in (0.5, 1234.5, 1e-5, 0.0, 2e9)] == [
        "0.500",
        "1234",
        "1e-05",
        "0.000",
        "2e+09",
    ]
    assert titles.title("sensitivity") == "Sensitivity (recall)"
    assert [titles.in_sentence(one) for one in ("sensitivity", "roc_auc", "f1")] == [
        "sensitivity",
        "ROC AUC",
        "F1",
    ]
