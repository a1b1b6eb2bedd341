"""A sample and its parts: summaries are views, and parts that are added are the whole again."""

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark.evaluation.evaluate import describe, evaluate_sample
from tallymark.input import CaseSpec
from tallymark.input.sample import Index
from tallymark.summaries.samples import read_sample, summary_of

RANDOM, N = np.random.default_rng(3), 120
TRUTH, SCORE = RANDOM.integers(0, 2, N), np.round(RANDOM.random(N), 2)
KIND, ROWS = RANDOM.choice(["a", "b", "c"], N), RANDOM.dirichlet(np.ones(3), N)
LABELS = RANDOM.integers(0, 2, (N, 3))
WEIGHT, TIMES = RANDOM.uniform(0.5, 2, N), RANDOM.integers(1, 4, N)
TASKS = {
    "scores": ({"truth": TRUTH, "score": SCORE}, "roc_auc"),
    "lower is positive": ({"truth": TRUTH, "score": SCORE, "higher_is_positive": False}, "roc_auc"),
    "logits": ({"truth": TRUTH, "score": 4 * SCORE - 2, "score_kind": "logit"}, "brier_score"),
    "labels of two": ({"truth": TRUTH, "predicted": SCORE > 0.5}, "f1"),
    "labels": ({"truth": KIND, "predicted": RANDOM.permutation(KIND)}, "accuracy"),
    "no answers": (
        {"truth": KIND, "predicted": np.where(SCORE > 0.8, "?", KIND), "not_an_answer": ["?"]},
        "accuracy",
    ),
    "score per class": ({"truth": KIND, "score": ROWS}, "macro_roc_auc"),
    "several labels": ({"truth": LABELS, "predicted": LABELS[::-1]}, "exact_match"),
    "amounts": ({"truth": SCORE, "predicted": ROWS[:, 0], "regression": True}, "mean_squared_error"),
}
WEIGHTS = {
    "none": {},
    "importance": {"weight": WEIGHT},
    "counts": {"weight": TIMES, "weight_kind": "count"},
}


@for_each("weights", WEIGHTS)
@for_each("task", TASKS)
def test_a_sample_has_the_summaries_of_its_cases_in_any_order(task, weights):
    given, measure = TASKS[task]
    given = given | WEIGHTS[weights]
    if task == "labels of two":
        given = {**given, "truth": TRUTH == 1}
    expected = tm.evaluate(**given)
    spec, options = describe(**given)
    sample = read_sample(None, spec)
    groups = Index(np.arange(len(sample)) % 3, ["x", "y", "z"])
    sample.index["group"] = groups
    parts = [sample.where(group=code) for code in range(3)]
    assert [len(part) for part in parts] == [40, 40, 40]
    order = np.concatenate([groups.rows(code) for code in range(3)])
    for one in (sample, sample.take(order)):
        found = evaluate_sample(one, 0, options, getattr(expected, "limit", None))
        assert found.task == expected.task
        assert found[measure].value == pytest.approx(expected[measure].value, rel=1e-12)
        assert found[measure].low == pytest.approx(expected[measure].low, rel=1e-9)
        assert found.data.rows == expected.data.rows
        assert found.data.effective_rows == pytest.approx(expected.data.effective_rows)


def test_a_model_without_a_column_for_a_class_has_its_own_labels():
    three = np.where(KIND == "c", "a", KIND)
    sample = read_sample(None, CaseSpec(truth=three, score={"one": ROWS, "two": ROWS}, classes=list("abc")))
    assert [summary_of(sample, i).labels for i in (0, 1)] == [("a", "b", "c")] * 2


def test_the_facts_of_labels_are_those_of_the_cases_whatever_the_number_of_models():
    models = {"a": SCORE > 0.5, "b": SCORE > 0.3, "c": SCORE > 0.7}
    found = tm.compare(truth=TRUTH == 1, predicted=models, measures="accuracy").data
    assert (found.rows, found.positives) == (N, TRUTH.sum())
