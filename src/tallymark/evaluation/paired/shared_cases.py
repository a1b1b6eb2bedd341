"""Models of two classes or more on the same cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import Any

import numpy as np

from ... import kernels
from ...inference.clustered_matrix import ClusteredMatrix
from ...input import Cases, CaseSpec, memory, validate, weighting
from ...input import read as read_cases
from ...input.columns import Column
from ...input.data_info import DataInfo
from ...input.grouping import in_order as ordered_groups
from ...input.labels import BinaryLabels, Coded, is_label, places, together
from ...input.spec import only_two_classes
from ...input.spelling import option
from ...input.validate import InputError
from ...summaries import ConfusionMatrix, RankingTable
from ...summaries.cases import ScoredCases, content_order, rows_that_count
from ...summaries.collected import TwoClassCases, in_order, kind_of_table, of_columns, score_of
from ..arguments import Asked
from ..case_sums import matrix_of
from ..from_cases import of_clusters, of_predicted, of_predicted_clusters, per_class
from ..from_summaries import of_ranking, unanswered_in_clusters
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation
from .models import Model, answers_at

CASE = 40  # bytes of memory for a case of two models, one by one
MANY = 50_000  # cases, from which a thread takes less time to start than it saves


def read(data: Any, spec: CaseSpec, progress: Callable[[int], None] | None = None) -> Cases:
    """The cases with the columns `spec.score`, or `spec.predicted`, by model. Raises InputError."""
    if not spec.regression:
        only_two_classes("a comparison", spec.truth, (), data is not None)
    if spec.kind == "score" and per_class(spec, data is None) and spec.clusters is not None:
        raise InputError(
            "unsupported",
            "clusters",
            "intervals of a score per class assume independent cases",
            f"leave clusters out, or compare predicted labels with {option('predicted')}, which takes"
            " clusters",
        )
    return read_cases(data, spec, progress)


def models_of(
    found: Mapping[str, Column],
    data: Callable[..., DataInfo],
    spec: CaseSpec,
    asked: Asked,
    thresholds: Mapping[Any, float | None],
    tables: Mapping[str, RankingTable] | None = None,
) -> list[Model]:
    """A model for each column of scores or predictions; all are measured on the same rows.

    found: the columns, collected; data: the facts, by the weight of positives and of negatives; tables: by
    model those of its scores, where they are known.
    """
    kind = spec.kind
    named = by_model(found, kind)
    shared = Shared(
        found["truth"], found.get("weight"), found.get("clusters"), data, spec, asked, tables or {}
    )
    return _scored(named, shared, thresholds) if kind == "score" else _labelled(named, shared)


def by_model(found: Mapping[str, Column], kind: str) -> dict[str, Column]:
    """The columns of the models among all that were read. kind: "score" or "predicted"."""
    return {
        role.removeprefix(f"{kind} "): column for role, column in found.items() if role.startswith(f"{kind} ")
    }


@dataclass(frozen=True)
class Shared:
    """The columns that models on the same cases share, the facts, and how they are measured.

    data: the facts, by the weight of positives and of negatives.
    """

    truth: Column
    weight: Column | None
    clusters: Column | None
    data: Callable[..., DataInfo]
    spec: CaseSpec
    asked: Asked
    tables: Mapping[str, RankingTable] = field(default_factory=dict)

    @cached_property
    def rows(self) -> Any:
        """The rows that count, repeated as often as their counts. Raises InputError beyond the memory."""
        if self.weight is None:
            return slice(None)
        if weighting.are_counts(self.weight):
            cases = float(np.asarray(weighting.weights(self.weight)).sum())
            if memory.exceeds(int(CASE * cases), self.spec.memory):
                needs = f"{cases:,.0f} cases need {CASE * cases / 2**20:,.0f} MiB"
                problem = f"models are compared case by case, and {needs}"
                raise InputError(
                    "unsupported", "memory", problem, "pass more, or some of the rows, or evaluate"
                )
        return rows_that_count(self.weight)

    @cached_property
    def of_rows(self) -> dict[str, Any]:
        """The importance weights and the cluster numbers of these rows."""
        weight, clusters = self.weight, None
        if self.clusters is not None:
            clusters = np.unique(codes_of(self.clusters)[1][self.rows], return_inverse=True)[1]
        counts = weight is None or weighting.are_counts(weight)
        return {
            "clusters": clusters,
            "weight": None if counts else np.asarray(weighting.weights(weight))[self.rows],
        }

    def scored(self, name: str, labels: BinaryLabels, coded: Coded, score: Column) -> ScoredCases:
        """The cases with the scores of one model, and their table."""
        if name in self.tables:
            return ScoredCases.of_known(coded, score, self.weight, self.tables[name])
        return ScoredCases.from_coded(labels, coded, score, self.weight, kind_of_table(self.spec))


def ordered(models: Sequence[Model]) -> list[Model]:
    """The models with their cases in an order that follows from their values alone.

    It depends neither on the order of the rows nor on that of the models.
    """
    one = models[0]
    by_content = sorted(models, key=attrgetter("content"))
    answered = [-(model.answers if model.cases is None else model.cases.score) for model in by_content]
    order = content_order(*answered, -one.truth, one.weight, one.clusters)
    return kernels.together(*(partial(model.taken, order) for model in models), when=len(order) > MANY)


def _scored(
    named: Mapping[str, Column], shared: Shared, thresholds: Mapping[Any, float | None]
) -> list[Model]:
    """Models of scores, with one encoding of the truth and one table per model."""
    spec, truth, labels = shared.spec, shared.truth, BinaryLabels(shared.spec.positive, shared.spec.classes)
    scores = {name: score_of(spec, column, truth) for name, column in named.items()}
    coded = labels.coded(truth)
    return [_of_scores(name, shared.scored(name, labels, coded, score), labels, shared, thresholds.get(name))
            for name, score in scores.items()]  # fmt: skip


def _of_scores(
    name: str, cases: ScoredCases, labels: BinaryLabels, shared: Shared, threshold: float | None
) -> Model:
    evaluation = _evaluation_of_scores(cases, labels, shared, threshold)
    limit = evaluation.held_threshold
    rows, of_rows = shared.rows, shared.of_rows
    kept = ScoredCases(
        cases.positive[rows], cases.score[rows], of_rows["weight"], cases.kind, "importance"
    ).with_table(cases.table)
    return Model(
        name, evaluation, kept.positive.view(np.int8), answers_at(kept, limit), kept, limit, **of_rows
    )


def _evaluation_of_scores(
    cases: ScoredCases, labels: BinaryLabels, shared: Shared, threshold: float | None
) -> BinaryEvaluation:
    table, higher = cases.table, shared.spec.higher_is_positive
    data = shared.data(table.positives, table.negatives)
    limit = None if threshold is None else validate.threshold(threshold)
    if shared.clusters is None:
        return of_ranking(table, data, shared.asked, limit, labels.pair(), higher)
    ordered, numbered, _ = in_order(cases, shared.weight, shared.clusters.values)
    return of_clusters(TwoClassCases(ordered, numbered, data, labels.pair()), shared.asked, limit, higher)


def _labelled(named: Mapping[str, Column], shared: Shared) -> list[Model]:
    """Models of predicted labels: of two classes by the positive one, of more by their order."""
    matrices = {name: _matrix_of(column, shared) for name, column in named.items()}
    evaluations = {name: _evaluation_of_labels(matrix, shared) for name, matrix in matrices.items()}
    if any(isinstance(one, MulticlassEvaluation) for one in evaluations.values()):
        return _of_classes(named, matrices, evaluations, shared)
    of_two = {name: one for name, one in evaluations.items() if isinstance(one, BinaryEvaluation)}
    if shared.clusters is not None:
        of_two = {name: _evaluation_of_clusters(column, shared) for name, column in named.items()}
    positive, rows, of_rows = next(iter(of_two.values())).labels[1], shared.rows, shared.of_rows
    truth = is_label(shared.truth.values, positive)[rows]
    models = []
    for name, column in named.items():
        answers = is_label(column.values, positive)[rows]
        if column.unanswered is not None:  # wrong, whichever class the case is of
            answers = np.where(column.unanswered[rows], ~truth, answers)
        cases = ScoredCases(truth, answers.astype(np.float32), of_rows["weight"], weight_kind="importance")
        models.append(Model(name, of_two[name], truth.view(np.int8), answers.view(np.int8), cases, **of_rows))
    return models


def _matrix_of(predicted: Column, shared: Shared) -> ConfusionMatrix:
    matrix = matrix_of(shared.truth, predicted, shared.weight)
    return matrix if shared.of_rows["weight"] is not None else matrix.without_squares()


def _evaluation_of_labels(matrix: ConfusionMatrix, shared: Shared) -> Evaluation:
    """The evaluation without clusters, from which the number of classes follows."""
    return of_predicted(matrix, shared.data, shared.truth, shared.spec, shared.asked)


def _evaluation_of_clusters(predicted: Column, shared: Shared) -> BinaryEvaluation:
    """The evaluation of two classes with clusters."""
    assert shared.clusters is not None
    columns = {"truth": shared.truth, "predicted": predicted, "clusters": shared.clusters}
    columns |= {} if shared.weight is None else {"weight": shared.weight}
    return of_predicted_clusters(of_columns(columns, shared.spec, shared.data), shared.asked)


def _of_classes(
    named: Mapping[str, Column],
    matrices: dict[str, ConfusionMatrix],
    evaluations: dict[str, Evaluation],
    shared: Shared,
) -> list[Model]:
    """Models of three and more classes.

    It is enough that one of them predicts so many, or that the cases have them; the others get all classes.
    """
    matrices |= {
        name: one.matrix for name, one in evaluations.items() if isinstance(one, MulticlassEvaluation)
    }
    labels = sorted(set().union(*(matrix.labels for matrix in matrices.values())))
    every = ConfusionMatrix(tuple(labels), np.zeros(2 * [len(labels)]))
    evaluations |= {
        name: shared.asked.evaluation(
            MulticlassEvaluation, one.data, matrix=matrices[name] + every, unanswered=one.unanswered
        )
        for name, one in evaluations.items() if not isinstance(one, MulticlassEvaluation)
    }  # fmt: skip
    truth, rows = places(shared.truth.values, labels)[shared.rows], shared.rows
    answers = {
        name: np.where(column.without_answer, len(labels), places(column.values, labels))[rows]
        for name, column in named.items()
    }
    models = [
        Model(name, evaluations[name], truth, answers[name], labels=labels, **shared.of_rows)
        for name in named
    ]
    if shared.clusters is None:
        return models
    return [replace(model, evaluation=_grouped(model, shared.asked)) for model in models]


def _grouped(model: Model, asked: Asked) -> Evaluation:
    """The evaluation with intervals for clusters."""
    assert model.clusters is not None
    labels, truth, answers = model.of_matrix
    e = replace(
        model.evaluation, clusters=ClusteredMatrix(labels, truth, answers, model.clusters, model.weight)
    )
    if e.unanswered is None:
        return e
    absent = (answers == len(labels)).astype(np.float32)
    cases = ScoredCases(np.ones(len(truth), bool), absent, model.weight, weight_kind="importance")
    return replace(e, unanswered=unanswered_in_clusters(cases, model.clusters, asked))


def codes_of(column: Column) -> tuple[list[Any], np.ndarray]:
    """The labels of a column in order, and the index of each value. Raises InputError for a missing one."""
    values = column.values
    lost = (
        np.array([value is None for value in values.tolist()]) if values.dtype.kind == "O" else column.gaps()
    )
    if lost.any():
        raise InputError(
            "missing-value",
            column,
            f"the value in {column.row(int(lost.argmax()))} is missing",
            "give one to every case",
            row=int(lost.argmax()),
        )
    labels, (codes,) = together(values)
    return ordered_groups(column, labels, codes)
