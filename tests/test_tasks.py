"""A result type for each task: what it has, and what it says where it is asked for what another task has."""

import ast
import copy
import inspect
import pickle
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark.evaluation.notices import RULES
from tallymark.evaluation.results import NotOfTask
from tallymark.input.sample import TASKS

SOURCE = Path(tm.__file__).parent
N = 60
RNG = np.random.default_rng(5)
TRUTH = np.tile([0, 1, 1], N // 3)
SCORE, OTHER = np.round(np.clip(0.3 * TRUTH + 0.7 * RNG.random(N), 0, 1), 2), RNG.random(N)
CLASSES, PER_CLASS = np.tile(["a", "b", "c"], N // 3), RNG.dirichlet([1, 1, 1], N)
EVERY = MappingProxyType({
    "scores": tm.evaluate(truth=TRUTH, score=SCORE),
    "labels": tm.evaluate(truth=TRUTH, predicted=SCORE > 0.5),
    "counts": tm.evaluate(counts=tm.Counts(tp=5, fp=3, fn=2, tn=9)),
    "scores per class": tm.evaluate(truth=CLASSES, score=PER_CLASS),
    "labels of many classes": tm.evaluate(truth=CLASSES, predicted=np.roll(CLASSES, 7)),
    "several labels": tm.evaluate(truth=np.stack([TRUTH, 1 - TRUTH], axis=1),
        predicted=np.stack([TRUTH, TRUTH], axis=1)),
    "amounts": tm.evaluate(truth=SCORE, predicted=OTHER, regression=True),
})  # fmt: skip
TYPES = {
    "scores": tm.BinaryEvaluation,
    "labels": tm.BinaryEvaluation,
    "counts": tm.BinaryEvaluation,
    "scores per class": tm.MulticlassEvaluation,
    "labels of many classes": tm.MulticlassEvaluation,
    "several labels": tm.MultilabelEvaluation,
    "amounts": tm.RegressionEvaluation,
}
SUMMARIES = (tm.RankingTable, tm.Counts, tm.ConfusionMatrix, tm.ClassScores, tm.IndicatorTable, tm.Residuals)
EACH = for_each("name", list(EVERY))


def public(kind):
    """The names of its fields, properties and methods."""
    names = {one.name for one in fields(kind)} | {name for name, _ in inspect.getmembers(kind)}
    return {name for name in names if not name.startswith("_")}


@EACH
def test_the_type_is_that_of_the_task(name):
    assert type(EVERY[name]) is TYPES[name]
    assert isinstance(EVERY[name], tm.Evaluation)
    assert repr(EVERY[name]).startswith(f"<{TYPES[name].__name__} of ")


def test_the_tasks_are_named_once():
    assert sorted(kind.task for kind in set(TYPES.values())) == sorted(TASKS)


def test_the_base_is_never_made():
    one = EVERY["scores"]
    with pytest.raises(TypeError, match="abstract"):
        tm.Evaluation(data=one.data, settings=one.settings)


@EACH
def test_every_summary_is_held_by_the_type_that_is_made_of_it(name):
    for table in EVERY[name].summaries:
        made = tm.evaluate(table)
        assert issubclass(type(made), tm.Evaluation)
        assert type(made) is TYPES[name]
        assert {type(one) for one in made.summaries} <= {type(one) for one in EVERY[name].summaries} | {
            tm.ConfusionMatrix
        }


@EACH
def test_it_is_a_mapping_of_estimates(name):
    e = EVERY[name]
    assert [*e] == [*e.keys()] == [one for one, _ in e.items()]
    assert [estimate.value for _, estimate in e.items()] == pytest.approx(
        [one.value for one in e.values()], nan_ok=True
    )
    assert dict(e.items()).keys() == dict(e).keys()


@EACH
def test_what_another_task_has_is_refused_with_a_reason(name):
    e, every = EVERY[name], set().union(*map(public, TYPES.values()))
    for asked in sorted(every - public(type(e)) - {"task"}):
        assert not hasattr(e, asked), asked
        with pytest.raises(NotOfTask) as refused:
            getattr(e, asked)
        said = str(refused.value)
        assert said.endswith("."), said
        assert said.startswith("threshold: " if asked == "at" else f"{asked}: "), said
        assert isinstance(pickle.loads(pickle.dumps(refused.value)), tm.InputError)


@EACH
def test_what_no_task_has_is_no_attribute(name):
    with pytest.raises(AttributeError) as missing:
        EVERY[name].nonsense  # noqa: B018
    assert not isinstance(missing.value, tm.InputError)


def test_the_way_out_is_that_of_the_data():
    def said(name, asked):
        with pytest.raises(tm.InputError) as refused:
            getattr(EVERY[name], asked)
        return str(refused.value)

    one_class_first = "there is a score per class; take one class against the rest, one_vs_rest(label)."
    assert said("scores per class", "curve") == f"curve: {one_class_first}"
    assert said("scores per class", "at") == f"threshold: {one_class_first}"
    assert (
        said("labels of many classes", "curve")
        == "curve: it needs scores; there are only labels or counts here."
    )
    assert (
        said("amounts", "operating_points")
        == "operating_points: it needs scores; there are only predicted amounts here."
    )
    assert said("scores", "one_vs_rest").startswith(
        "one_vs_rest: it needs a score per class; evaluate with score= an array"
    )


def test_a_threshold_is_put_among_scores():
    for name in ("counts", "labels"):
        with refuses("unsupported", argument="threshold"):
            EVERY[name].at(0.5)
    with refuses("unsupported", argument="threshold"):
        EVERY["counts"].chosen_by("youden")


@in_part(3)
@EACH
def test_it_is_pickled_and_copied(name):
    e = EVERY[name]
    for again in (pickle.loads(pickle.dumps(e)), copy.copy(e), copy.deepcopy(e)):
        assert type(again) is type(e)
        assert again.to_json() == e.to_json()


@EACH
def test_no_summary_is_none_because_of_the_task(name):
    """None is a field only where the same task may be known by less: without scores, without a threshold."""
    e = EVERY[name]
    empty = {one.name for one in fields(e) if one.init and getattr(e, one.name) is None}
    of_scores = {"binned", "score_kind", "ranking", "threshold", "scores"}
    assert empty <= {"clusters", "selected", "unanswered"} | of_scores
    assert all(isinstance(table, SUMMARIES) for table in e.summaries)


def test_notices_are_of_known_tasks():
    assert all(rule.of and set(rule.of) <= set(TASKS) for rule in RULES)


# which its evaluation always has
OF_A_TASK = {"counts", "matrix", "indicators", "residuals", "many", "two_by_two"}


def none_tests(path):
    """Where a summary that a task always has is compared with None."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        compared = (
            isinstance(node, ast.Compare)
            and isinstance(node.left, ast.Attribute)
            and node.left.attr in OF_A_TASK
        )
        if compared and any(isinstance(one, ast.Constant) and one.value is None for one in node.comparators):
            yield f"{path.relative_to(SOURCE)}:{node.lineno}: {ast.unparse(node)}"


@pytest.mark.full
def test_no_summary_is_compared_with_none_to_learn_the_task():
    found = [where for path in SOURCE.rglob("*.py") for where in none_tests(path)]
    assert not found, found
