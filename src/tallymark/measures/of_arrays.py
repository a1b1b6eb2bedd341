"""The summary that a measure is computed from if it is called with arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..input import columns
from ..input.arrays import levels_of
from ..input.calls import unknown
from ..input.score_columns import is_indicator, several_columns
from ..input.spec import no_order
from ..input.spelling import option
from ..input.validate import InputError
from ..input.values import OF_MODELS, names_of_models
from ..summaries import ConfusionMatrix, Counts, IndicatorTable, RankingTable
from ..summaries.counted_pairs import table_for_pairs
from . import two_classes

if TYPE_CHECKING:
    from .entry import Measure


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
        why = (
            two_classes.of_arrays(form.name, given, many) if form.summary in (Counts, RankingTable) else None
        )
        if why is None:
            raise
    raise why
