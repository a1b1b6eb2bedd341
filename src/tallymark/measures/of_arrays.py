"""The summary that a measure is computed from if it is called with arrays, and why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..input import columns
from ..input.answers import NotAnAnswer, of_answers, with_actual
from ..input.arrays import levels_of
from ..input.calls import unknown
from ..input.columns import Column
from ..input.labels import distinct, kind_of, listed, not_scores
from ..input.score_columns import is_indicator, number_of_columns, several_columns
from ..input.spec import no_order
from ..input.spelling import option
from ..input.validate import OF_MODELS, InputError, names_of_models, shown
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable
from ..summaries.ranking import table_for_pairs

if TYPE_CHECKING:
    from .registry import Measure


OF_ONE = "pass one class against the rest, as"


def no_two_classes(name: str, given: Mapping[str, Any], has_form_for_many: bool) -> InputError | None:
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


def no_summary_of_two(name: str, summary: Any) -> InputError | None:
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
            and len(_distinct_values(columns.read(given.get("score"), "score"))) < 3
        ):
            return []  # swapped with truth
        if any(column.gaps().any() for column in read) or len({kind_of(column) for column in read}) > 1:
            return []
        return sorted({label for column in read for label in distinct(column.values)})
    except InputError:
        return []


def _distinct_values(column: Column) -> list[Any]:
    """The distinct values of a column of numbers or text without gaps."""
    kind_of(column)
    return distinct(column.values)


def of_each_model(given: Mapping[str, Any]) -> dict[str, dict[str, Any]] | None:
    """The arguments of each model, where one of them is a mapping of models.

    Raises InputError for names that are not valid.
    """
    kind = next((one for one in OF_MODELS if isinstance(given.get(one), Mapping)), None)
    if kind is None:
        return None
    names_of_models(kind, given[kind])
    read = _named if given.get("not_an_answer") is None else lambda column, role: column
    return {name: {**given, kind: read(column, f"{kind} {name}")} for name, column in given[kind].items()}


def _named(values: Any, role: str) -> Any:
    """A column with its role for messages; a table, also with one column, unchanged."""
    rows = values if isinstance(values, (list, tuple)) else ()
    of_rows = bool(rows) and isinstance(rows[0], (list, tuple, np.ndarray))
    return values if of_rows or len(getattr(values, "shape", (1,))) > 1 else columns.read(values, role)


def summary_of(entry: Measure, forms: Sequence[Measure], given: Mapping[str, Any]) -> Any:
    """The summary for the form of the measure that takes these arrays.

    They are a column of scores, scores per class, or predictions. Raises InputError.
    """
    form = _form(entry, forms, given)
    if "predicted" in given and "predicted" not in form.takes and "score" in form.takes:
        problem = f"{entry.name} is measured on scores, and predicted labels are none"
        raise InputError("unsupported", "predicted", problem, f"pass {option('score')}")
    if not given.keys() <= form.taken:
        raise unknown(entry.name, given, (*entry.takes, *entry.parameters))
    lacking = [name for name in form.required if name not in given]
    if lacking:
        kind = form.summary.__name__
        problem = f"{entry.name} is measured on arrays or on a {kind}"
        raise InputError(
            "unsupported", lacking[0], problem, f"pass {' and '.join(map(option, lacking))}, or the {kind}"
        )
    summary = _summarised(form, given)
    if form.needs_probabilities:
        summary.check_probabilities(given["score"])
    return summary


def _form(entry: Measure, forms: Sequence[Measure], given: Mapping[str, Any]) -> Measure:
    labels = IndicatorTable if is_indicator(given.get("truth")) else None
    if labels and not entry.fits(labels):
        return next((one for one in forms if one.fits(labels)), entry)
    per_class = entry.summary is RankingTable and entry.scores and several_columns(given.get("score"), True)
    if given.keys() <= entry.taken and not per_class:
        return entry
    return next((one for one in forms if one is not entry and given.keys() <= one.taken), entry)


def _in_order(form: Measure, given: Mapping[str, Any]) -> Any:
    """The summary for a measure of ordered classes."""
    if form.summary is ConfusionMatrix:
        matrix = ConfusionMatrix.from_arrays(**given)
        if not matrix.has_order and given.get("classes") is not None:
            matrix = ConfusionMatrix.from_arrays(**{**given, "ordered": True})
        if matrix.has_order:
            return matrix
        raise no_order()
    scores, declared = form.summary.from_arrays(**given), levels_of(given["truth"])
    known = given.get("classes") is not None or (declared is not None and declared.ordered)
    if not known and isinstance(scores.labels[0], str):
        raise no_order()
    return scores


def _summarised(form: Measure, given: Mapping[str, Any]) -> Any:
    """The matrix of more than two classes, or of two without a positive one, where the measure has a form.

    A measure of ordered classes takes these in the order of `classes`. Raises InputError where there is none.
    """
    if form.ordered:
        return _in_order(form, given)
    try:
        alone = form.needs is not None and form.needs.pairs_alone
        return (table_for_pairs if alone else form.summary.from_arrays)(**given)
    except InputError as wrong:
        if wrong.argument == "predicted_positive":
            raise
        many = form.for_many_classes is not None and given.get("predicted") is not None
        if many and given.keys() <= {"truth", "predicted", "weight", "not_an_answer"}:
            return ConfusionMatrix.from_arrays(**given)
        why = no_two_classes(form.name, given, many) if form.summary in (Counts, RankingTable) else None
        if why is None:
            raise
    raise why
