"""From cases to a summary and its evaluation: scores, predicted labels, several labels, or amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..inference.clustered import Clusters
from ..input import CaseSpec, KeepingTruth, columns, probabilities, read, validate
from ..input.answers import same_words
from ..input.columns import Column
from ..input.data_info import DataInfo
from ..input.errors import InputError
from ..input.labels import BinaryLabels, not_amounts, not_scores
from ..input.models import by_name, role_of, thresholds_of
from ..input.score_columns import ROLE, TWO, is_indicator
from ..input.spec import no_order, no_truth
from ..input.values import shown
from ..summaries import (
    BinnedTable,
    ClassLogits,
    ClassScores,
    ConfusionMatrix,
    IndicatorTable,
    RankingTable,
    Residuals,
)
from ..summaries.cases import POSITIVE_FROM
from ..summaries.collected import Encoding, TwoClassCases, of_columns
from ..summaries.true_classes import TrueClasses
from .applicable import check_clusters, only_indicators, only_labels, only_per_class
from .arguments import Asked
from .case_sums import CaseSums
from .from_summaries import (
    of_class_scores,
    of_indicators,
    of_matrix,
    of_predicted_counts,
    of_ranking,
    of_residuals,
    unanswered_in_clusters,
)
from .results import BinaryEvaluation, Evaluation, MulticlassEvaluation

Progress = Callable[[int], None] | None
# by the name of the model; None for the only model, which has no name
Evaluations = dict[str | None, Evaluation]


def of_cases(
    data: Any,
    spec: CaseSpec,
    asked: Asked,
    threshold: Any,
    progress: Progress,
    kept: KeepingTruth | None = None,
) -> Evaluations:
    """The evaluation of each model, of the type that the columns of the cases call for.

    Amounts, clusters, several labels, a score per class, one score, or predicted labels. kept: the same data,
    where the columns that are read are to be kept.
    """
    source = data if kept is None else kept
    if spec.clusters is not None and not spec.regression:
        check_clusters(data, spec, asked)
        return _of_clusters(source, spec, asked, threshold, progress)
    if not spec.regression:
        kind = spec.kind
        if spec.truth is None:
            raise no_truth()
        if data is None and is_indicator(spec.truth):
            only_indicators(spec, threshold)
        elif kind == "predicted":
            only_labels(spec, asked, threshold)
        elif per_class(spec, data is None):
            only_per_class(spec, asked, threshold)
    scores = spec.kind == "score" and not spec.regression
    edges = limits_of(threshold, by_name(spec.score)) if scores else {}
    sums = CaseSums.read(source, spec, progress, edges=edges, parameters=asked.parameters)
    return evaluated(sums, asked, threshold)


def evaluated(sums: CaseSums, asked: Asked, threshold: Any) -> Evaluations:
    """The evaluation of each model, from the sums of the summaries of its cases."""
    cases, spec, found = sums.cases, sums.cases.spec, sums.by_model
    cases.check_complete()
    if cases.per_class:
        only_per_class(spec, asked, threshold)
        batches = [cases.by_model(batch) for batch in found]
        parts = {name: [one[name] for one in batches] for name in cases.models}
        return {name: one for name, (one, _) in of_class_columns(parts, cases.data, spec, asked).items()}
    first = next(iter(found.values()))
    if isinstance(first, (BinnedTable, RankingTable)):
        return _of_scores(sums, asked, threshold)
    if isinstance(first, Residuals):
        return {name: of_residuals(one, asked, cases.data(None, None)) for name, one in found.items()}
    if isinstance(first, IndicatorTable):
        only_indicators(spec, threshold)
        return {name: of_indicators(one, asked, cases.data(None, None)) for name, one in found.items()}
    only_labels(spec, asked, threshold)
    matrices = {name: one.without_squares() if cases.counts else one for name, one in found.items()}
    return {name: of_predicted(one, cases.data, cases.truth, spec, asked) for name, one in matrices.items()}


def of_each_model(spec: CaseSpec) -> dict[str | None, CaseSpec]:
    """The same cases with one model each, by its name."""
    return {name: spec.of_columns({spec.kind: one}) for name, one in by_name(spec.given[spec.kind]).items()}


def per_class(spec: CaseSpec, arrays: bool) -> bool:
    """Whether there is a score per class, of three classes or more.

    Raises InputError where only some of the models have that.
    """
    sizes = {name: len(parts) for name, parts in spec.roles(spec.kind, arrays).items()}
    many, few = ([name for name, size in sizes.items() if (size > TWO) is wanted] for wanted in (True, False))
    if many and few:
        raise InputError(
            "mismatch",
            "score",
            f"the model {shown(many[0])} has {sizes[many[0]]} columns, one per class, and {shown(few[0])} has"
            f" {sizes[few[0]]}",
            "evaluate models of two classes and of more apart",
            value=many[0],
        )
    return bool(many)


def limits_of(threshold: Any, models: Iterable[str | None]) -> dict[str | None, float | None]:
    """The threshold of each model."""
    given = thresholds_of(threshold, list(models))
    return {name: None if limit is None else validate.threshold(limit) for name, limit in given.items()}


def _of_scores(sums: CaseSums, asked: Asked, threshold: Any) -> Evaluations:
    cases, labels = sums.cases, sums.labels
    limits = limits_of(threshold, cases.models)
    assert cases.truth is not None
    labels.judge(cases.truth)
    return {
        name: of_ranking(
            one,
            cases.data(one.positives, one.negatives),
            asked,
            limits[name],
            labels.pair(),
            cases.spec.higher_is_positive,
        )
        for name, one in sums.by_model.items()
    }


def of_class_columns(
    parts: Mapping[Any, list[dict[str, Column]]], data: Callable[..., DataInfo], spec: CaseSpec, asked: Asked
) -> dict[Any, tuple[MulticlassEvaluation, np.ndarray]]:
    """For each model its table and, for each case, the index of its row; labels are encoded once.

    parts: by model the batches, with a column per class; data: the facts, by the weight of positives and of
    negatives.
    """
    true = TrueClasses.read(next(iter(parts.values())))
    return {
        name: _of_class_columns(batches, name, true, data, spec, asked) for name, batches in parts.items()
    }


def _of_class_columns(
    batches: list[dict[str, Column]],
    name: str | None,
    true: TrueClasses,
    data: Callable[..., DataInfo],
    spec: CaseSpec,
    asked: Asked,
) -> tuple[MulticlassEvaluation, np.ndarray]:
    called = role_of("score", name)
    if spec.score_kind == "probability":
        roles = [role for role in batches[0] if role.startswith(ROLE)]
        probabilities.check_rows(
            [columns.joined([batch[role] for batch in batches]) for role in roles], called
        )
    kind = ClassLogits if spec.score_kind == "logit" else ClassScores
    scores, order = kind.read_with_order(batches, spec.classes, called, true, spec.ordered)
    in_order: bool | None = spec.ordered or true.has_order(scores.labels)
    if spec.ordered and spec.classes is None and isinstance(scores.labels[0], str):
        raise no_order()
    if spec.classes is not None and not spec.ordered:
        in_order = None if isinstance(scores.labels[0], str) else False
    return of_class_scores(scores, data, asked, in_order), order


def of_predicted(
    matrix: ConfusionMatrix, data: Callable[..., DataInfo], truth: Column | None, spec: CaseSpec, asked: Asked
) -> Evaluation:
    """The evaluation of the matrix of all cases.

    data: the facts, by the weight of positives and of negatives. Raises InputError where its labels are
    amounts or scores, or not among the classes.
    """
    if spec.classes is None:
        about = data(None, None)
        not_amounts(truth, matrix.labels, int(about.rows) - about.weightless)
        called, actual = (_occurring(matrix.labels, matrix.weights.sum(axis)) for axis in (0, 1))
        not_scores("predicted", called, actual)
        if truth is not None:
            same_words(truth, actual, called, spec.positive)
    levels = spec.levels(truth, matrix.labels)
    matrix = matrix if levels is None else matrix.with_classes(*levels)
    return of_matrix(matrix, data, asked, spec.positive)


def _occurring(labels: Sequence[Any], weights: np.ndarray) -> list[Any]:
    return [label for label, weight in zip(labels, weights, strict=False) if weight]


def _of_clusters(data: Any, spec: CaseSpec, asked: Asked, threshold: Any, progress: Progress) -> Evaluations:
    """The cases of two classes, kept one by one because of their clusters."""
    if spec.predicted is not None:
        only_labels(spec, asked, threshold)
    cases = read(data, spec, progress)
    parts, encoding = cases.by_model(cases.columns()), Encoding(BinaryLabels(spec.positive, spec.classes))
    found = {name: of_columns(one, spec, cases.data, encoding) for name, one in parts.items()}
    if spec.predicted is not None:
        return {name: of_predicted_clusters(one, asked) for name, one in found.items()}
    limits = limits_of(threshold, found)
    return {
        name: of_clusters(one, asked, limits[name], spec.higher_is_positive) for name, one in found.items()
    }


def of_clusters(
    found: TwoClassCases, asked: Asked, limit: float | None, higher_is_positive: bool
) -> BinaryEvaluation:
    """The evaluation of cases with scores that are collected with their clusters."""
    assert found.clusters is not None
    done = of_ranking(found.model.table, found.data, asked, limit, found.labels, higher_is_positive)
    return replace(done, clusters=Clusters(found.model, found.clusters))


def of_predicted_clusters(found: TwoClassCases, asked: Asked) -> BinaryEvaluation:
    """The evaluation of cases with predicted labels that are collected with their clusters."""
    assert found.clusters is not None
    counts, clusters = found.model.table.counts_at(POSITIVE_FROM), Clusters(found.model, found.clusters)
    of_none = None if found.unanswered is None else unanswered_in_clusters(*found.unanswered, asked)
    return of_predicted_counts(counts, found.data, asked, found.labels, clusters, of_none)
