"""Errors of measures of two classes where there are more, with what to use instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..input import columns
from ..input.answers import NotAnAnswer, of_answers, with_actual
from ..input.columns import Column
from ..input.labels import distinct, kind_of, listed, not_scores
from ..input.score_columns import is_indicator, number_of_columns
from ..input.spelling import option
from ..input.validate import InputError, shown
from ..summaries import ClassScores, ConfusionMatrix

OF_ONE = "pass one class against the rest, as"


def of_arrays(name: str, given: Mapping[str, Any], has_form_for_many: bool) -> InputError | None:
    """The error for arrays with three classes or more; None if there are fewer, or another error applies.

    given: arrays by role; has_form_for_many: whether the measure takes many classes if no positive one is
    named.
    """
    if is_indicator(given.get("truth")):
        return InputError(
            "unsupported",
            "truth",
            f"{name} is a measure of two classes, and a case has several labels: evaluate({option('truth')}, "
            f"{option('predicted')}) has it for every "
            "label in .classes and its averages in .averages",
            "or pass one label at a time, as truth[:, 0], predicted[:, 0]",
        )
    labels = _labels(given)
    if len(labels) < 3:
        return None
    head, one = (
        f"{name} is a measure of two classes, and there are {len(labels)} ({listed(labels)})",
        shown(labels[0]),
    )
    if given.get("predicted") is None:
        elsewhere = (
            f"with a score per class evaluate({option('truth')}, {option('score')}) has measures of all "
            "classes and .one_vs_rest(label)"
        )
        return InputError(
            "unsupported",
            None,
            f"{head}: {elsewhere}",
            f"or {OF_ONE} truth == {one} with the score of that class",
        )
    rest = f"{OF_ONE} truth == {one} and predicted == {one}"
    if has_form_for_many and given.get("positive") is not None:
        return InputError(
            "conflict",
            "positive",
            f"with it {head}",
            f"leave it out to measure all classes together, or {rest}",
        )
    elsewhere = (
        f"evaluate({option('truth')}, {option('predicted')}) has it for every class in .classes and its"
        " averages in .averages"
    )
    return InputError("unsupported", None, f"{head}: {elsewhere}", f"or {rest}")


def of_summary(name: str, summary: Any) -> InputError | None:
    """The error for a summary of many classes; None for others."""
    if isinstance(summary, ClassScores):
        label = shown(summary.labels[0]) if summary.labels else "label"
        problem = f"{name} is a measure of two classes, and these are the scores of {len(summary)}"
        return InputError("unsupported", None, f"{problem}: take .one_vs_rest({label})")
    if isinstance(summary, ConfusionMatrix) and len(summary) > 2:
        problem = f"{name} is a measure of two classes, and the matrix has {len(summary)}"
        elsewhere = (
            ".one_vs_rest() gives the counts of every class, and evaluate(matrix) averages over the classes"
        )
        return InputError("unsupported", None, f"{problem}: {elsewhere}")
    return None


def _labels(given: Mapping[str, Any]) -> list[Any]:
    """The labels of truth and predicted together.

    Empty where these columns cannot be read, or scores are passed as labels.
    """
    try:
        words = NotAnAnswer.of(given.get("not_an_answer"))
        read = [
            columns.read(given[role], role, not_an_answer=of_answers(role, words))
            for role in ("truth", "predicted")
            if given.get(role) is not None
        ]
        read = [with_actual(column, read[0]) for column in read]
        if given.get("predicted") is not None:
            not_scores(read[-1], read[-1].values, read[0].values)
        elif (
            number_of_columns(given.get("score"), True) < 2
            and len(_distinct(columns.read(given.get("score"), "score"))) < 3
        ):
            return []  # swapped with truth
        if any(column.gaps().any() for column in read) or len({kind_of(column) for column in read}) > 1:
            return []
        return sorted({label for column in read for label in distinct(column.values)})
    except InputError:
        return []


def _distinct(column: Column) -> list[Any]:
    """The distinct values of a column of numbers or text without gaps."""
    kind_of(column)
    return distinct(column.values)
