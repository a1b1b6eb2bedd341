"""The bootstrap of every task: labels, scores per class, several labels, amounts, by any unit and design."""

import numpy as np
import pytest
from golden import DESIGNS, TASKS, call, cases
from looping import for_each
from refusals import refuses

import tallymark as tm

OTHERS = ("labels", "class scores", "several labels", "amounts")
RANDOM = np.random.RandomState(5)
FIRST = RANDOM.randint(0, 50, 400)
PERSONS = FIRST, np.where(RANDOM.random_sample(400) < 0.2, FIRST, (FIRST + RANDOM.randint(1, 50, 400)) % 50)
COUNTED = {"replicates": 60, "measures": "all", "method": "percentile"}


def drawn(columns, times):
    """The rows, each as often as it was drawn."""
    rows = np.repeat(np.arange(400), times)
    return {
        name: value[rows] if isinstance(value, np.ndarray) and len(value) == 400 else value
        for name, value in columns.items()
    }


@for_each("task", OTHERS)
@for_each("weighted", [False, True])
def test_a_resample_is_the_evaluation_of_its_rows(task, weighted):
    """Every measure, also of rows with weights. Each row is a cluster, so that the draws are known by row."""
    columns = call({**TASKS[task], **({"weight": "weight"} if weighted else {})})
    found = tm.bootstrap(**columns, clusters=np.arange(400), **COUNTED)
    times = np.concatenate(list(draws_of(found)))[:3]
    for number, one in enumerate(times):
        wanted = tm.evaluate(**drawn(columns, one))
        for name in found:
            value = found.replicates(name)[number]
            assert value == pytest.approx(wanted[name].value, rel=1e-9, abs=1e-12, nan_ok=True), name


def draws_of(found):
    from tallymark.inference.replicates import draws

    units = found.cases.units
    for chunk in draws(found.how, found.model.strata, units):
        by_unit = np.zeros((len(chunk), units.max() + 1), int)
        by_unit[:, units] = chunk
        yield by_unit


@for_each("task", TASKS)
@for_each("design", [*DESIGNS, "persons"])
@pytest.mark.full
def test_every_index_and_design_has_intervals(task, design):
    """Refused are fixed class sizes where there are no classes, and nothing else."""
    options = {} if design == "persons" else DESIGNS[design]
    given = call({**TASKS[task], **options})
    if design == "persons":
        scored = task not in OTHERS
        mated = given["truth"] == 1 if scored else PERSONS[0] == PERSONS[1]
        given["persons"] = (
            PERSONS[0],
            np.where(mated, PERSONS[0], (PERSONS[0] + 1 + np.arange(400) % 49) % 50),
        )
    if task in ("several labels", "amounts") and "case-control" in design:
        with refuses("conflict", argument="design"):
            tm.bootstrap(**given, replicates=50)
        return
    found = tm.bootstrap(**given, replicates=200)
    wanted = tm.evaluate(
        **{name: one for name, one in given.items() if name not in ("clusters", "persons", "design")}
    )
    for name in found:
        one = found[name]
        assert one.value == pytest.approx(wanted[name].value, rel=1e-9), name
        assert one.low < one.value < one.high or one.notes, (name, one)
    assert found.to_dict()["data"].get("clusters") == (60 if "clusters" in design else None)


@for_each("task", ["labels", "class scores", "amounts"])
def test_clusters_of_repeated_cases_count_once(task):
    """Five times the cases in clusters of five: the interval of the cases, not one of five times as many."""
    columns = call(TASKS[task])
    name = {"labels": "accuracy", "class scores": "macro_roc_auc", "amounts": "r2"}[task]
    how = {"measures": [name], "method": "percentile", "replicates": 500}
    once = tm.bootstrap(**columns, **how)[name]
    five = {**drawn(columns, np.full(400, 5)), "clusters": np.repeat(np.arange(400), 5)}
    many = tm.bootstrap(**five, **how)[name]
    assert many.high - many.low == pytest.approx(once.high - once.low, rel=0.15)


def test_case_control_with_clusters_holds_the_class_sizes():
    """The prevalence does not vary, nor do balanced measures with it."""
    found = tm.bootstrap(
        **call(TASKS["probabilities"]), clusters=cases()["cluster"], design="case-control",
        measures=["prevalence", "precision", "brier_score"], replicates=200,
    )  # fmt: skip
    assert np.ptp(found.replicates("prevalence")) < 1e-12
    assert np.ptp(found.replicates("precision")) > 0.05
    assert "given this class mix" in found["precision"].note


def test_case_control_of_many_classes_draws_each_class():
    found = tm.bootstrap(
        **call(TASKS["class scores"]), design="case-control", measures=["macro_recall", "top_label_ece"],
        replicates=200,
    )  # fmt: skip
    assert np.ptp(found.replicates("top_label_ece")) > 0.01
    assert found["top_label_ece"].low != found["top_label_ece"].low  # deviations grow in resamples
    assert "given this class mix" not in (found["macro_recall"].note or "")


def test_persons_widen_the_interval():
    """Scores that vary from person to person: the intervals of independent comparisons are too narrow."""
    random = np.random.RandomState(2)
    first, second = (part.ravel() for part in np.triu_indices(60))
    effect, mated = random.standard_normal(60), first == second
    score = 0.7 * (effect[first] + effect[second]) + random.standard_normal(len(first)) + 2.0 * mated
    given = {
        "truth": mated.astype(int),
        "score": score,
        "measures": ["false_positive_rate"],
        "threshold": 1.0,
    }
    width = {}
    for name, persons in (("persons", (first, second)), ("none", None)):
        one = tm.bootstrap(**given, persons=persons, replicates=400)["false_positive_rate"]
        width[name] = one.high - one.low
    wanted = tm.biometric(truth=mated.astype(int), score=score, persons=(first, second), threshold=1.0)
    known = wanted["false_positive_rate"]
    assert width["persons"] > 3 * width["none"]
    assert width["persons"] == pytest.approx(known.high - known.low, rel=0.25)


@for_each("task", ["labels", "class scores", "amounts", "probabilities"])
def test_an_evaluation_is_resampled_as_its_cases_are(task):
    columns = call(TASKS[task])
    evaluation = tm.evaluate(**columns)
    found = tm.bootstrap(evaluation, replicates=400, method="percentile")
    wanted = tm.bootstrap(**columns, replicates=400, method="percentile")
    assert found.keys() == wanted.keys()
    for name in found:
        assert found[name].value == pytest.approx(wanted[name].value, rel=1e-9)
        width = wanted[name].high - wanted[name].low
        if width == width:
            assert abs(found[name].low - wanted[name].low) < 0.35 * width, name


@for_each(
    "summary",
    [
        tm.Counts(tp=40, fp=9, fn=12, tn=60),
        tm.ConfusionMatrix(("a", "b", "c"), [[20, 3, 1], [4, 15, 2], [0, 5, 30]]),
    ],
)
def test_counted_cases_are_resampled(summary):
    found = tm.bootstrap(summary, replicates=300)
    wanted = tm.evaluate(summary) if not isinstance(summary, tm.Counts) else tm.evaluate(counts=summary)
    one, other = found["accuracy"], wanted["accuracy"]
    assert one.value == other.value
    assert one.high - one.low == pytest.approx(other.high - other.low, rel=0.25)
