"""From cases to a summary and its evaluation: by one score, a score per class, predicted labels, several labels or amounts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import columns, probabilities, validate
from ..columns import Column
from ..errors import InputError
from ..evaluation import Evaluation
from ..facts import Data
from ..input import Cases, CaseSpec, read
from ..input.cases import facts_of
from ..input.spec import NO_DIRECTION, NO_TRUTH, PROBABILITIES, one_model, only_of_columns, only_two_classes
from ..input.two_classes import TwoClassCases, collect, kind_of_table, score_of
from ..labels import SOME, BinaryLabels, not_amounts, not_scores
from ..summaries import ClassLogits, ClassScores, ConfusionMatrix, IndicatorTable, Residuals
from ..summaries.cases import POSITIVE_FROM
from ..summaries.indicators import is_indicator
from ..summaries.score_columns import ROLE, several_columns
from ..thresholds import OF_CLUSTERS, Threshold
from ..uncertainty import Settings
from ..uncertainty.clustered import Clusters
from ..uncertainty.draws import check_design
from .asked import Asked
from .tables import of_class_scores, of_indicators, of_matrix, of_ranking

Progress = Callable[[int], None] | None
NO_CLASSES_WITH_CLUSTERS = "classes: an evaluation with clusters= has two classes; leave classes out, or clusters."


def of_cases(data: Any, spec: CaseSpec, asked: Asked, threshold: float | None, progress: Progress) -> Evaluation:
    """By what the cases bear: amounts, clusters, several labels, a score per class, one score, or predicted labels."""
    one_model(spec)
    if spec.regression:
        return _of_amounts(read(data, spec, progress), asked)
    if spec.clusters is not None:
        return _of_clusters(data, spec, asked, threshold, progress)
    kind = spec.kind
    if spec.truth is None:
        raise InputError(NO_TRUTH)
    if data is None and is_indicator(spec.truth):
        return _of_several_labels(spec, asked, threshold)
    if kind == "predicted":
        only_labels(spec, asked, threshold)
        return _of_labels(read(data, spec, progress), asked)
    if several_columns(spec.score, data is None):
        return _of_scores_per_class(read(data, spec, progress), asked, threshold)
    only_of_columns(spec, data is None)
    return _of_scores(read(data, spec, progress), asked, threshold)


def _of_scores(cases: Cases, asked: Asked, threshold: float | None) -> Evaluation:
    spec, labels = cases.spec, BinaryLabels(cases.spec.positive)
    limit = None if threshold is None else validate.threshold(threshold)
    kind = kind_of_table(spec)
    ranking = cases.sum(
        lambda batch: kind.from_columns(labels, **batch | {"score": score_of(spec, batch["score"], batch["truth"])}), labels.forget
    )
    assert cases.truth is not None
    labels.judge(cases.truth)
    data = cases.data(ranking.positives, ranking.negatives)
    return of_ranking(ranking, data, asked, limit, labels.pair(), spec.higher_is_positive)


def _of_scores_per_class(cases: Cases, asked: Asked, threshold: float | None) -> Evaluation:
    spec = cases.spec
    direction, other = None if spec.higher_is_positive else False, None if spec.score_kind in PROBABILITIES else spec.score_kind
    _only_with_one_column(
        threshold=threshold, rule=asked.rule, positive=spec.positive, score_kind=other, higher_is_positive=direction
    )
    summary = ClassLogits if spec.score_kind == "logit" else ClassScores
    batches = cases.sum(lambda batch: [batch])
    if spec.score_kind == "probability":
        roles = [role for role in batches[0] if role.startswith(ROLE)]
        probabilities.check_rows([columns.joined([batch[role] for batch in batches]) for role in roles])
    scores = summary.read(batches, spec.classes)
    return of_class_scores(scores, cases.data, asked, spec.classes is not None and isinstance(scores.labels[0], str))


def _of_labels(cases: Cases, asked: Asked) -> Evaluation:
    matrix = cases.sum(lambda batch: matrix_of(**batch))
    matrix = matrix.without_squares() if cases.counts else matrix
    return of_predicted(matrix, cases.data, cases.truth, cases.spec, asked)


def matrix_of(truth: Column, predicted: Column, weight: Column | None = None) -> ConfusionMatrix:
    """Of some cases. Raises InputError where scores were given as labels."""
    not_scores(predicted, predicted.values[:SOME])  # before a matrix of all scores is made
    return ConfusionMatrix.from_columns(truth, predicted, weight)


def of_predicted(
    matrix: ConfusionMatrix, data: Callable[..., Data], truth: Column | None, spec: CaseSpec, asked: Asked
) -> Evaluation:
    """Of the matrix of all cases. Raises InputError where its labels are amounts or scores, or not among the classes.

    data: the facts, by the weight of positives and of negatives."""
    if spec.classes is None:
        about = data(None, None)
        not_amounts(truth, matrix.labels, int(about.rows) - about.weightless)
        not_scores("predicted", *(_occurring(matrix.labels, matrix.weights.sum(axis)) for axis in (0, 1)))
    else:
        matrix = matrix.with_classes(spec.classes)
    return of_matrix(matrix, data, asked, spec.positive)


def _occurring(labels: Sequence[Any], weights: np.ndarray) -> list[Any]:
    return [label for label, weight in zip(labels, weights, strict=True) if weight]


def _of_several_labels(spec: CaseSpec, asked: Asked, threshold: float | None) -> Evaluation:
    """Of arrays with one column per label."""
    if spec.score is not None:
        raise InputError("score: several labels per case need predicted=, 0 or 1 for each; threshold the scores first.")
    if spec.missing == "drop":
        raise InputError("missing='drop' is for one label per case; leave out the rows with a missing indicator before.")
    for name, value in {"threshold": threshold, "positive": spec.positive, "classes": spec.classes}.items():
        if value is not None:
            raise InputError(f"{name}: it is for one column of scores or labels, not for several; leave it out.")
    weight = columns.read_weights(spec.weight, spec.weight_kind)
    table = IndicatorTable.from_arrays(truth=spec.truth, predicted=spec.predicted, weight=weight)
    return of_indicators(table, asked, facts_of(weight, len(spec.truth)))


def _of_clusters(data: Any, spec: CaseSpec, asked: Asked, threshold: float | None, progress: Progress) -> Evaluation:
    """Cases of two classes that are kept one by one, since those of a cluster belong together."""
    check_clusters(data, spec, asked)
    if spec.predicted is not None:
        only_labels(spec, asked, threshold)
    found = collect(read(data, spec, progress))
    if spec.predicted is None:
        limit = None if threshold is None else validate.threshold(threshold)
        return of_clusters(found, asked, limit, spec.higher_is_positive)
    return of_predicted_clusters(found, asked)


def of_clusters(found: TwoClassCases, asked: Asked, limit: float | None, higher_is_positive: bool) -> Evaluation:
    """Of cases with scores that are collected with their clusters."""
    assert found.clusters is not None
    done = of_ranking(found.model.table, found.data, asked, limit, found.labels, higher_is_positive)
    return replace(done, clusters=Clusters(found.model, found.clusters))


def of_predicted_clusters(found: TwoClassCases, asked: Asked) -> Evaluation:
    """Of cases with predicted labels that are collected with their clusters."""
    assert found.clusters is not None
    counts, clusters = found.model.table.counts_at(POSITIVE_FROM), Clusters(found.model, found.clusters)
    return asked.evaluation(found.data, Threshold(None, "predicted"), counts=counts, labels=found.labels, clusters=clusters)


def check_clusters(data: Any, spec: CaseSpec, asked: Asked) -> None:
    """Raises InputError where something is asked for that intervals of clusters do not have."""
    for name in ("proportion", "auc_interval", "resampling"):
        if getattr(asked.settings, name) != getattr(Settings(), name):
            raise InputError(f"{name}: intervals of clusters come from resampled clusters; leave {name} out.")
    check_design(asked.settings.design, spec.clusters)
    if asked.rule is not None and asked.rule.of_bound:
        raise InputError(f"rule: {asked.rule.text!r} {OF_CLUSTERS}.")
    kind = spec.kind
    if spec.truth is None:
        raise InputError(NO_TRUTH)
    scores = [spec.score] if kind == "score" else []
    only_two_classes("an evaluation with clusters=", spec.truth, scores, data is not None, "leave clusters out")
    if kind == "score":
        only_of_columns(spec, data is None)
    elif spec.classes is not None:
        raise InputError(NO_CLASSES_WITH_CLUSTERS)


def _of_amounts(cases: Cases, asked: Asked) -> Evaluation:
    residuals = cases.sum(lambda batch: Residuals.from_columns(**batch))
    return asked.evaluation(cases.data(None, None), residuals=residuals)


def only_of_amounts(score: Any, **others: Any) -> None:
    """Raises InputError where an argument is given that is for classes."""
    if score is not None:
        raise InputError("regression: predicted amounts are passed as predicted=, not as score=.")
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{name}: it is for classes, and regression compares amounts; leave one of the two out.")


def only_labels(spec: CaseSpec, asked: Asked, threshold: float | None) -> None:
    """Raises InputError where something is given that is for scores."""
    if not spec.higher_is_positive:
        raise InputError(NO_DIRECTION)
    for name, value in {"threshold": threshold, "rule": asked.rule, "score_kind": spec.score_kind}.items():
        if value is not None:
            raise InputError(f"{name}: it needs scores; predicted labels are positive or negative already.")


def _only_with_one_column(**others: Any) -> None:
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{name}: it is for one score per case, not for one per class; leave it out.")
