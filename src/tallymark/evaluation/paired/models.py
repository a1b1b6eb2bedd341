"""The models of a comparison, each with its evaluation and, where known, its cases one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ... import kernels
from ...inference.clustered import DependentCases
from ...inference.covariance import Dependence, Sampling
from ...inference.influence import of_summary
from ...input.sample import Sample
from ...input.weighting import are_ones, effective
from ...measures.registry import Measure
from ...summaries import ClassScores, ConfusionMatrix, Counts, RankingTable
from ...summaries.cases import POSITIVE_FROM, ScoredCases, content_order
from ...summaries.samples import answers_of, cells_of, summary_of
from ..arguments import EvaluationOptions
from ..evaluations import evaluate_sample
from ..results import BinaryEvaluation, Evaluation

MANY = 50_000  # cases, from which a thread takes less time to start than it saves


@dataclass(frozen=True, eq=False)
class Model:
    """A model on some cases.

    truth, answers: codes of the true and of the predicted class, 0 and 1 for two classes; output: scores,
    shape (n,) or (n, classes), or predicted amounts; cases: for two classes, with scores, or with the
    predictions as scores; limit: the threshold of these; cells: for others, by type of summary the cell of
    each case; clusters: the units of the cases, as `Sample.units`; weight: of the cases, 1 where they are
    counted (those with whole weights are repeated); source: the place of the scores or predictions in
    memory, the same for models with the same column or array. All are None where only a summary is known.
    """

    name: str
    evaluation: Evaluation
    truth: Any = None
    answers: Any = None
    cases: Any = None
    limit: float = POSITIVE_FROM
    output: Any = None
    cells: Mapping[type, np.ndarray] = field(default_factory=dict)
    clusters: np.ndarray | None = None
    weight: Any = None
    source: Any = None

    @cached_property
    def sampling(self) -> Sampling:
        """How the cases were sampled, each a cell, with a class mix that varies."""
        weight = self.weight
        squares = weight if are_ones(weight) else weight**2
        units = None if self.clusters is None else Dependence.of_cases(self.clusters, weight, self.truth)
        return Sampling(weight, squares, self.truth, units=units)

    @property
    def resampled(self) -> ScoredCases:
        """The cases that are resampled, of a score per class with the highest one: positive where right."""
        if self.cases is not None:
            return self.cases
        table: ClassScores = self.evaluation.scores  # type: ignore[attr-defined]
        highest = table.highest[self.cells[ClassScores]]
        return ScoredCases(self.right, highest, self.weight, table.kind_of_table, "importance")

    def influence(self, entry: Measure, parameters: Mapping[str, Any]) -> np.ndarray | None:
        """The influence value of each case on a measure; None where it is not known.

        parameters: all that the measure has.
        """
        e = self.evaluation
        summary = self.cases.table if entry.summary is RankingTable else e.summary_of(entry.name)
        values = of_summary(entry, parameters, summary, partial(e.__getitem__, entry.name))
        if values is None:
            return None
        if not isinstance(summary, RankingTable):
            return np.asarray(values[self.cells[entry.summary]])
        at_scores, place, positive = values.ravel(), self.cases.place, self.cases.positive
        of_cases = np.empty(len(positive))

        def of_rows(rows: slice) -> None:
            at = place[rows] + len(summary) * ~positive[rows]
            np.take(at_scores, at, out=of_cases[rows], mode="clip")  # other modes copy

        kernels.stretches(of_rows, len(of_cases), kernels.BLOCK)
        return of_cases

    def differing(self, other: Model, entry: Measure) -> np.ndarray:
        """Which cases have another prediction, or another score or amount, of the other model."""
        if entry.summary in (Counts, ConfusionMatrix):
            return np.asarray(self.answers != other.answers)
        apart = self.output != other.output
        if self.output.ndim == 1:
            return np.asarray(apart)
        missing = np.isnan(self.output) & np.isnan(other.output)
        return np.asarray((apart & ~missing).any(axis=1))

    @property
    def two_classes(self) -> bool:
        return isinstance(self.evaluation, BinaryEvaluation)

    @property
    def per_class(self) -> bool:
        """Whether the cases have a score per class."""
        return ClassScores in self.cells

    @property
    def ranking(self) -> RankingTable | None:
        """The table of scores; None without scores of two classes."""
        return self.evaluation.ranking if isinstance(self.evaluation, BinaryEvaluation) else None

    def taken(self, rows: np.ndarray) -> Model:
        """The model with its cases in this order."""
        names = ("truth", "answers", "output")
        arrays = {name: getattr(self, name) for name in names}
        taken: Any = {name: None if array is None else array[rows] for name, array in arrays.items()}
        taken["weight"] = None if self.weight is None else kernels.taken(self.weight, rows)
        taken["clusters"] = None if self.clusters is None else self.clusters[..., rows]
        cases = None if self.cases is None else self.cases.reordered(rows)
        return replace(
            self, cases=cases, cells={kind: cell[rows] for kind, cell in self.cells.items()}, **taken
        )

    def at(self, threshold: float) -> Model:
        """The model with the predictions at another threshold."""
        assert isinstance(self.evaluation, BinaryEvaluation)
        evaluation = self.evaluation.at(threshold)
        limit = evaluation.held_threshold
        return replace(self, evaluation=evaluation, limit=limit, answers=answers_at(self.cases, limit))

    @property
    def one_by_one(self) -> Model:
        """The model with the cases of its ranking table, or of its evaluation with clusters, where known."""
        clusters, table = self.evaluation.clusters, self.ranking
        if self.cases is not None or (not isinstance(clusters, DependentCases) and table is None):
            return self
        cases = clusters.cases if isinstance(clusters, DependentCases) else ScoredCases.from_table(table)  # type: ignore[arg-type]
        limit, truth = self.evaluation.held_threshold, cases.positive.view(np.int8)
        about: dict[str, Any] = {"truth": truth, "output": cases.score, "weight": cases.weight}
        return replace(self, cases=cases, limit=limit, answers=answers_at(cases, limit), **about)

    @cached_property
    def sizes(self) -> np.ndarray:
        """The effective number of cases of each class."""
        codes, s = self.truth, self.sampling
        size = int(codes.max(initial=1)) + 1
        return np.asarray(effective(*(kernels.sums(codes, part, size) for part in (s.weight, s.squares))))

    @property
    def right(self) -> np.ndarray:
        """Whether each prediction is the true class."""
        return np.asarray(self.answers == self.truth)


def ordered(models: Sequence[Model]) -> list[Model]:
    """The models with their cases in an order that follows from their values alone, for resampling.

    It depends neither on the order of the rows nor on that of the models.
    """
    first, outputs = models[0], [model.output for model in models]
    outputs.sort(key=lambda output: (-np.sort(-output, axis=0)).tobytes())
    columns = [-column for output in outputs for column in output.reshape(len(output), -1).T]
    units = () if first.clusters is None else np.atleast_2d(first.clusters)
    order = content_order(*columns, -first.truth, first.weight, *units)
    return kernels.together(*(partial(model.taken, order) for model in models), when=len(order) > MANY)


def answers_at(cases: ScoredCases, limit: float) -> np.ndarray:
    """The predicted classes, 0 and 1."""
    with np.errstate(over="ignore"):  # a threshold beyond the range of float32
        return np.asarray(cases.score >= cases.score.dtype.type(limit), np.int8)


def models_of(
    sample: Sample, options: EvaluationOptions, thresholds: Mapping[Any, float | None]
) -> list[Model]:
    """A model for each output of the sample; all are measured on the same cases.

    A case with a count of 2 is two cases.
    """
    cases = sample.one_by_one()
    models = []
    for i, name in enumerate(sample.models):
        evaluation = evaluate_sample(sample, i, options, thresholds.get(name))
        about = _of_two(sample, cases, i, evaluation) if sample.task == "binary" else _of_cells(sample, i)
        source = sample.output[i].__array_interface__["data"]
        models.append(
            Model(str(name), evaluation, clusters=cases.units, weight=cases.weight, source=source, **about)
        )
    return models


def _of_two(sample: Sample, cases: Sample, i: int, evaluation: Evaluation) -> dict[str, Any]:
    """Two classes: predicted labels are scores of 0 and 1."""
    weight, truth = cases.weight, cases.truth.view(np.int8)
    if sample.kind == "predicted":
        called = answers_of(cases, i)
        scored = ScoredCases(cases.truth, called.astype(np.float32), weight, weight_kind="importance")
        return {"truth": truth, "answers": called.view(np.int8), "output": scored.score, "cases": scored}
    table, limit = summary_of(sample, i), evaluation.held_threshold
    scored = ScoredCases(cases.truth, cases.output[i], weight, type(table), "importance").with_table(table)
    answers = answers_at(scored, limit)
    return {"truth": truth, "answers": answers, "output": scored.score, "cases": scored, "limit": limit}


def _of_cells(sample: Sample, i: int) -> dict[str, Any]:
    """Several classes, or amounts."""
    cells, output, matrix = cells_of(sample, i), sample.output[i], None
    if sample.counts and not are_ones(sample.weight):
        times = sample.weight.astype(np.int64)
        output, cells = np.repeat(output, times, axis=0), {k: np.repeat(c, times) for k, c in cells.items()}
    about: dict[str, Any] = {"output": output, "cells": cells, "truth": np.zeros(len(output), np.int8)}
    if sample.task == "regression":
        return about
    table = summary_of(sample, i)
    matrix = table.confusion(sample.ordered) if isinstance(table, ClassScores) else table
    known = np.array([*map(sample.labels.index, matrix.labels), len(sample.labels)])
    truth, answers = (known[one] for one in divmod(cells[ConfusionMatrix], len(matrix.weights)))
    return about | {"truth": truth, "answers": answers}
