"""Weights of any size: no traceback and no warning of NumPy; one far below the largest counts as 0."""

import contextlib
import re

import numpy as np
import pytest
from looping import for_each, in_part

import tallymark as tm

ROWS = 60
RANDOM = np.random.default_rng(7)
TRUTH, SCORE = RANDOM.integers(0, 2, ROWS), RANDOM.random(ROWS)
CALLED = (SCORE > 0.5).astype(int)
CLASSES, OTHER_CLASSES = RANDOM.integers(0, 3, ROWS), RANDOM.integers(0, 3, ROWS)
TABLE = RANDOM.dirichlet([1, 1, 1], ROWS)
INDICATORS = RANDOM.integers(0, 2, (2, ROWS, 3))
GROUP, CLUSTER = np.arange(ROWS) % 3, np.arange(ROWS) // 3
TWO = {"truth": TRUTH, "score": SCORE}
MODELS = {"truth": TRUTH, "score": {"a": SCORE, "b": 1 - SCORE}}

VERBS = {
    "scores": lambda w: tm.evaluate(**TWO, weight=w).all,
    "labels": lambda w: tm.evaluate(truth=TRUTH, predicted=CALLED, weight=w).all,
    "labels of many classes": lambda w: tm.evaluate(truth=CLASSES, predicted=OTHER_CLASSES, weight=w).all,
    "scores of many classes": lambda w: tm.evaluate(truth=CLASSES, score=TABLE, weight=w).all,
    "several labels": lambda w: tm.evaluate(truth=INDICATORS[0], predicted=INDICATORS[1], weight=w).all,
    "amounts": lambda w: tm.evaluate(truth=SCORE, predicted=SCORE[::-1], regression=True, weight=w).all,
    "groups": lambda w: tm.evaluate(**TWO, weight=w, by=GROUP),
    "groups of many classes": lambda w: tm.evaluate(truth=CLASSES, score=TABLE, weight=w, by=GROUP),
    "folds": lambda w: tm.evaluate(**TWO, weight=w, fold=GROUP),
    "clusters": lambda w: tm.evaluate(**TWO, weight=w, clusters=CLUSTER),
    "clusters of labels": lambda w: tm.evaluate(truth=TRUTH, predicted=CALLED, weight=w, clusters=CLUSTER),
    "case-control": lambda w: tm.evaluate(**TWO, weight=w, design="case-control").all,
    "compare": lambda w: tm.compare(**MODELS, weight=w),
    "compare clusters": lambda w: tm.compare(**MODELS, weight=w, clusters=CLUSTER),
    "compare labels": lambda w: tm.compare(truth=TRUTH, predicted={"a": CALLED, "b": TRUTH}, weight=w),
    "compare many classes": lambda w: tm.compare(
        truth=CLASSES, score={"a": TABLE, "b": TABLE[::-1]}, weight=w
    ),
    "compare amounts": lambda w: tm.compare(
        truth=SCORE, predicted={"a": SCORE[::-1], "b": SCORE**2}, regression=True, weight=w
    ),
    "calibration": lambda w: tm.calibration(**TWO, weight=w),
    "calibration of many classes": lambda w: tm.calibration(truth=CLASSES, score=TABLE, weight=w),
    "threshold": lambda w: tm.choose_threshold(**TWO, weight=w, rule="youden"),
    "bounded threshold": lambda w: tm.choose_threshold(**TWO, weight=w, rule="sensitivity>=0.8"),
    "bootstrap": lambda w: tm.bootstrap(**TWO, weight=w, replicates=50),
    "check": lambda w: tm.check(**TWO, weight=w, require=["roc_auc >= 0", "brier_score <= 1"]),
    "biometric": lambda w: tm.biometric(**TWO, weight=w),
    "advice": lambda w: tm.advise(**TWO, weight=w),
    "curves": lambda w: [
        tm.evaluate(**TWO, weight=w).curve(name) for name in ("roc", "pr", "lift", "reliability", "decision")
    ],
    "json": lambda w: tm.evaluate(**TWO, weight=w).to_json(),
}  # fmt: skip
# the others are of the full tier
QUICK = {"amounts", "bootstrap", "check", "clusters of labels", "compare amounts", "curves", "several labels"}
QUICK |= {"compare", "compare clusters", "folds", "labels of many classes"}
EACH = [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in VERBS]
RANGES = [(-300, 0), (-300, 300), (-170, -155), (-40, 0), (-35, -25), (-100, 2), (-30, 30), (0, 300)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("verb", EACH)
def test_weights_of_any_size_give_an_answer_or_one_clear_error(verb):
    random, answers = np.random.default_rng(11), 0
    for (low, high), share in zip(RANGES, 4 * (1.0, 0.05), strict=True):
        weight = np.where(random.random(ROWS) < share, 10.0 ** random.uniform(low, high, ROWS), 1.0)
        with contextlib.suppress(tm.InputError):
            str(VERBS[verb](weight))
            answers += 1
    assert answers >= len(RANGES) / 2


@pytest.mark.parametrize("verb", EACH)
def test_a_weight_far_below_the_largest_counts_as_0(verb):
    small, none = RANDOM.random(ROWS) + 0.5, None
    rows = np.arange(0, ROWS, 7)
    none = small.copy()
    small[rows], none[rows] = 1e-200, 0.0
    assert str(VERBS[verb](small)) == str(VERBS[verb](none))


def test_a_small_weight_in_a_bin():
    found = tm.evaluate(
        truth=[1, 0, 1, 0, 1, 1], score=[0.9, 0.2, 0.8, 0.3, 0.25, 0.7], weight=[1e-200, 1, 1, 1, 1, 1]
    )
    assert found["expected_calibration_error"].value == pytest.approx(0.23)  # (.2 + .2 + .45 + .3) / 5
    assert found.data.weightless == 1


@pytest.mark.filterwarnings("error")
def test_weights_of_a_kernel_that_underflow():
    x = np.linspace(0, 10, 200)
    weight = np.exp(-((x - 4) ** 2) / (2 * 0.25**2))
    truth = (RANDOM.random(200) < x / 10).astype(int)
    found = tm.evaluate(truth=truth, score=x / 10, weight=weight)
    assert str(found.all)
    assert str(tm.calibration(truth=truth, score=x / 10, weight=weight))


@in_part(20, ("fast", "full"))
@for_each("seed", range(20))
def test_no_more_cases_decide_than_there_are(seed):
    random = np.random.default_rng(seed)
    e = tm.evaluate(truth=[0, 1, 0, 1, 1], score=random.random(5), weight=random.random(5) + 0.1)
    notes = " ".join(str(e[name].note) for name in e)
    assert all(float(cases) <= 5 for cases in re.findall(r"about ([\d.]+) cases decide", notes))


def test_two_light_cases_in_a_bin_do_not_decide_the_debiased_error():
    random = np.random.default_rng(0)
    p = random.uniform(0.5, 0.6, 2000)
    truth, score = np.r_[random.random(2000) < p - 0.15, True, False], np.r_[p, 0.95, 0.96]
    plain = tm.evaluate(truth=truth, score=score)["debiased_rmsce"].value
    found = [
        tm.evaluate(truth=truth, score=score, weight=factor * np.r_[np.ones(2000), light, light + 0.001])
        for light in (0.4, 0.5, 0.6)
        for factor in (1.0, 3.0)
    ]
    assert [one["debiased_rmsce"].value for one in found] == pytest.approx([plain] * 6, abs=2e-4)
