"""Clusters of cases of several classes, of several labels, and of amounts."""

import numpy as np
import pytest
from looping import for_each

import tallymark as tm

RANDOM = np.random.default_rng(12)
CLUSTERS, SIZE = 50, 4
GROUP = np.repeat(np.arange(CLUSTERS), SIZE)
SHIFT = RANDOM.normal(size=CLUSTERS)[GROUP]
KIND = RANDOM.integers(0, 3, len(GROUP))
SCORE = np.exp(RANDOM.normal(size=(len(GROUP), 3)) + (1.2 + SHIFT)[:, None] * np.eye(3)[KIND])
SCORE /= SCORE.sum(1, keepdims=True)
LABELS = (RANDOM.random((len(GROUP), 3)) < [0.3, 0.5, 0.6]).astype(int)
ANSWERS = np.where(RANDOM.random(LABELS.shape) < 1 / (1 + np.exp(-1.3 - SHIFT))[:, None], LABELS, 1 - LABELS)
AMOUNT = 5 + RANDOM.normal(size=len(GROUP))
TASKS = {
    "labels": {"truth": KIND, "predicted": SCORE.argmax(1)},
    "scores": {"truth": KIND, "score": SCORE},
    "several labels": {"truth": LABELS, "predicted": ANSWERS},
    "amounts": {
        "truth": AMOUNT,
        "predicted": AMOUNT + SHIFT + 0.5 * RANDOM.normal(size=len(GROUP)),
        "regression": True,
    },
}  # fmt: skip
# whose intervals are not from influence values alone
OTHERS = ("mutual_information", "uncertainty_coefficient", "confusion_entropy", "median_absolute_error")
# their influence values leave a case out, which changes less of three times the cases
BY_LEAVING_OUT = ("r2", "explained_variance", "correlation", "absolute_error_skill_score")
MEASURES = [
    (task, name)
    for task, given in TASKS.items()
    for name in tm.evaluate(**given)
    if not name.startswith(("top_label", "largest")) and name not in OTHERS
]


def taken(given, rows):
    return {name: one if isinstance(one, bool) else one[rows] for name, one in given.items()}


def estimates(e):
    """By name those of all measures, and some of classes and averages."""
    found = dict(e)
    for group in ("classes", "averages"):
        for key, one in getattr(e, group, {}).items():
            found |= {f"{key} {name}": one[name] for name in ("f1", "sensitivity", "cohen_kappa")}
    return found


@for_each("case", MEASURES, ids=" ".join)
@pytest.mark.full
def test_standard_errors_are_those_of_the_jackknife_by_cluster(case):
    task, name = case
    given, level = TASKS[task], 0.95
    found = tm.evaluate(**given, clusters=GROUP, level=level)[name]
    without = [tm.evaluate(**taken(given, one != GROUP))[name].value for one in range(CLUSTERS)]
    off = np.array(without) - np.mean(without)
    jackknife = np.sqrt((1 - 1 / CLUSTERS) * (off**2).sum())
    assert found.standard_error == pytest.approx(jackknife, rel=0.1)


@for_each("task", TASKS)
def test_copies_of_a_case_are_one_case(task):
    """Intervals are those of the cases once, apart from Student's t of as many clusters."""
    given, rows = TASKS[task], np.repeat(np.arange(len(GROUP)), 3)
    once = estimates(tm.evaluate(**given, clusters=np.arange(len(GROUP))))
    thrice = estimates(tm.evaluate(**taken(given, rows), clusters=rows))
    for name, one in once.items():
        if one.has_interval and name not in OTHERS:
            ends, by_each = (thrice[name].low, thrice[name].high), name in BY_LEAVING_OUT
            simulated = "bootstrap" in (one.method or "")
            within = {"abs": 0.05 * (one.high - one.low)} if simulated else {"rel": 0.02 if by_each else 1e-6}
            assert ends == pytest.approx((one.low, one.high), **within), name


@for_each("task", ["labels", "scores", "several labels", "amounts"])
def test_the_scale_of_weights_does_not_matter(task):
    weight = RANDOM.lognormal(size=len(GROUP))
    one, other = (
        estimates(tm.evaluate(**TASKS[task], clusters=GROUP, weight=weight * factor)) for factor in (1, 7.5)
    )
    for name, found in one.items():
        ends = other[name].low, other[name].high
        assert ends == pytest.approx((found.low, found.high), rel=1e-6, nan_ok=True), name


@for_each("task", TASKS)
@pytest.mark.full
def test_wider_than_of_independent_cases_where_cases_of_a_cluster_are_alike(task):
    name = {"several labels": "exact_match", "amounts": "mean_error"}.get(task, "accuracy")
    grouped, alone = (tm.evaluate(**TASKS[task], **more)[name] for more in ({"clusters": GROUP}, {}))
    assert grouped.high - grouped.low > 1.2 * (alone.high - alone.low)
    assert tm.evaluate(**TASKS[task], clusters=GROUP).to_dict()["data"]["clusters"] == CLUSTERS


def test_one_cluster_has_no_interval():
    for given in TASKS.values():
        e = tm.evaluate(**given, clusters=np.zeros(len(GROUP)))
        assert not any(one.has_interval for one in estimates(e).values())


def test_differences_know_of_the_clusters():
    for task in ("scores", "amounts"):
        given = dict(TASKS[task])
        output = "score" if task == "scores" else "predicted"
        other = np.roll(given[output], 1, axis=0) if task == "scores" else AMOUNT + 0.3
        given[output] = {"a": given[output], "b": other}
        name = "log_loss" if task == "scores" else "mean_squared_error"
        widths = []
        for more in ({"clusters": GROUP}, {}):
            found = tm.compare(**given, **more, measures=[name])[name].estimate
            widths.append(found.high - found.low)
        assert widths[0] > 1.15 * widths[1], task


def test_a_report_of_two_classes_has_the_intervals_of_their_evaluation():
    truth = KIND > 0
    for given in ({"score": SCORE[:, 1] + SCORE[:, 2], "threshold": 0.5}, {"predicted": SCORE.argmax(1) > 0}):
        e = tm.evaluate(truth=truth, clusters=GROUP, **given)
        row = next(row for row in tm.classification_report(e).rows if row.label == e.labels[1])
        for name, own in (("precision", "precision"), ("recall", "sensitivity"), ("f1", "f1")):
            found = row.estimates[name]
            assert (found.low, found.high) == pytest.approx((e[own].low, e[own].high), rel=1e-9)
