"""The models of a comparison, each with its evaluation and, where known, its cases one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ... import kernels
from ...inference.clustered import DependentCases
from ...inference.covariance import Dependence, Sampling, correlations, sampling_of
from ...inference.influence import of_summary
from ...input.sample import Array, Sample
from ...input.weighting import effective
from ...measures.registry import Measure
from ...summaries import ClassScores, ConfusionMatrix, Counts, RankingTable
from ...summaries.cases import POSITIVE_FROM, ScoredCases, content_order
from ...summaries.samples import cells_of, sample_of_cases, scores_of
from ..arguments import EvaluationOptions
from ..evaluations import evaluate_sample
from ..results import BinaryEvaluation, Evaluation

MANY = 50_000  # cases, from which a thread takes less time to start than it saves


class Influences:
    """Influence values of evaluations, by name, whose cases may be in the same units.

    evaluation: by name; units: by name the numbers of the units of its cases, those of all cases under None;
    empty where cases are independent.
    """

    def __init__(self, evaluation: Callable[[Any], Evaluation], units: Mapping[Any, Array]):
        self.evaluation, self.units = evaluation, units
        self._known: dict[tuple[Any, str], tuple[Array, Any, Sampling] | None] = {}

    @cached_property
    def crossed(self) -> bool:
        """Whether some units have cases in several evaluations."""
        each = [np.unique(units) for name, units in self.units.items() if name is not None]
        return bool(each) and sum(map(len, each)) > len(np.unique(np.concatenate(each)))

    def of(self, name: Any, measure: str) -> tuple[Array, Any, Sampling] | None:
        """The influence values of the cells on a measure, the summary, and how its cases were sampled.

        None where they are not known.
        """
        if (name, measure) not in self._known:
            e = self.evaluation(name)
            entry, table, held = e.entry(measure), e.summary_of(measure), e.clusters
            if held is not None:
                table, sampling = held.sampled(entry, table, e.settings, e.held_threshold)
            else:
                sampling = sampling_of(table)
            given = {**entry.defaults, **e.parameters_of(entry)}
            values = of_summary(entry, given, table, partial(e.__getitem__, measure))
            self._known[name, measure] = None if values is None else (values.ravel(), table, sampling)
        return self._known[name, measure]

    def correlations(self, measure: str, names: Sequence[Any]) -> Array:
        """(k, k): of a measure in evaluations whose cases are in units; NaN where they are not known."""
        known = [(self.of(name, measure), np.unique(self.units[name])) for name in names]
        if any(one is None for one, _ in known):
            return np.full((len(names), len(names)), np.nan)
        found = [(one[0], one[2], units) for one, units in known if one is not None]
        return correlations(found, by_class=measure == "roc_auc")


@dataclass(frozen=True, eq=False)
class Model:
    """A model with its evaluation, and its cases.

    sample: the cases of all models, each with the weight 1 where weights are numbers of cases; place: of the
    model among its outputs; rows: of each case the row in the tables of the evaluation that hold every case,
    None where they are the same; source: the place of the scores or predictions in memory, the same for
    models with the same column or array. All are None where only a summary is known.
    """

    name: str
    evaluation: Evaluation
    sample: Sample | None = None
    place: int = 0
    rows: Array | None = None
    source: Any = None

    @property
    def clusters(self) -> Array | None:
        """The units of the cases, as `Sample.units`."""
        if self.sample is not None:
            return self.sample.units
        held = self.evaluation.clusters
        return None if held is None else held.units

    @property
    def weight(self) -> Any:
        return None if self.sample is None else self.sample.weight

    @property
    def ranking(self) -> RankingTable | None:
        """The table of scores; None without scores of two classes."""
        return self.evaluation.ranking if isinstance(self.evaluation, BinaryEvaluation) else None

    @property
    def limit(self) -> float:
        """The threshold of the scores, as they are stored."""
        return POSITIVE_FROM if self.ranking is None else self.evaluation.held_threshold

    @cached_property
    def truth(self) -> Any:
        """The codes of the true classes; 0 where there are none."""
        sample = self.sample
        if sample is None:
            return None
        if sample.task == "binary":
            return sample.truth.view(np.int8)
        return sample.truth if sample.task == "multiclass" else np.zeros(len(sample), np.int8)

    @cached_property
    def answers(self) -> Any:
        """The codes of the predicted classes; None where there are none."""
        sample = self.sample
        if sample is None or sample.task in ("regression", "multilabel"):
            return None
        if sample.task == "binary":
            return self.cases.called(self.limit).view(np.int8)
        if not self.per_class:
            return sample.output[self.place]
        table: ClassScores = self.evaluation.scores  # type: ignore[attr-defined]
        among = np.array([*map(sample.labels.index, table.labels)])
        return among[table.predicted()[0]][self._rows]

    @property
    def cases(self) -> Any:
        """The cases with their scores, or with the predictions as scores; None but for two classes."""
        if self.sample is None or self.sample.task != "binary":
            return None
        return scores_of(self.sample, self.place)

    @property
    def resampled(self) -> ScoredCases:
        """The cases that are resampled, of a score per class with the highest one: positive where right."""
        if self.cases is not None:
            return self.cases
        table: ClassScores = self.evaluation.scores  # type: ignore[attr-defined]
        return ScoredCases(
            self.right, table.highest[self._rows], self.weight, table.kind_of_table, "importance"
        )

    @property
    def _rows(self) -> Any:
        return slice(None) if self.rows is None else self.rows

    @cached_property
    def sampling(self) -> Sampling:
        """How the cases were sampled, each a cell, with a class mix that varies."""
        sample = self.sample
        assert sample is not None
        units = None if sample.units is None else Dependence.of_cases(sample.units, sample.weight, self.truth)
        return Sampling(sample.weight, sample.squares, self.truth, units=units)

    def influence(self, entry: Measure, parameters: Mapping[str, Any]) -> np.ndarray | None:
        """The influence value of each case on a measure; None where it is not known.

        parameters: all that the measure has.
        """
        e = self.evaluation
        summary = self.cases.table if entry.summary is RankingTable else e.summary_of(entry.name)
        values = of_summary(entry, parameters, summary, partial(e.__getitem__, entry.name))
        if values is None or isinstance(summary, RankingTable):
            return values if values is None else self._at_scores(values, len(summary))
        if isinstance(summary, ClassScores):
            return np.asarray(values[self._rows])
        cells = self._cells_of(summary) if isinstance(summary, ConfusionMatrix) else self._cells
        return np.asarray(values[cells] if cells.ndim == 1 else cells @ values)

    @cached_property
    def _cells(self) -> Array:
        """The cell of each case of two classes or with an amount, or whether it counts in each of labels."""
        assert self.sample is not None
        if self.sample.task == "binary":  # of true and false positives, false and true negatives
            return np.asarray(3 - 2 * self.answers - self.truth)
        return next(iter(cells_of(self.sample, self.place).values()))

    def _cells_of(self, matrix: ConfusionMatrix) -> Array:
        """The cell of each case in the matrix of the evaluation, which may lack classes of other models."""
        assert self.sample is not None
        place = {label: i for i, label in enumerate(matrix.labels)}
        known = np.array([*(place.get(label, 0) for label in self.sample.labels), len(place)])
        return np.asarray(known[self.truth] * len(matrix.weights) + known[self.answers])

    def _at_scores(self, values: np.ndarray, size: int) -> np.ndarray:
        """The values of positives, then of negatives, at each of so many scores, by case."""
        at_scores, place, positive = values.ravel(), self.cases.place, self.cases.positive
        of_cases = np.empty(len(positive))

        def of_rows(rows: slice) -> None:
            at = place[rows] + size * ~positive[rows]
            np.take(at_scores, at, out=of_cases[rows], mode="clip")  # other modes copy

        kernels.stretches(of_rows, len(of_cases), kernels.BLOCK)
        return of_cases

    def differing(self, other: Model, entry: Measure) -> np.ndarray:
        """Which cases have another prediction, or another score or amount, of the other model."""
        if entry.summary in (Counts, ConfusionMatrix):
            return np.asarray(self.answers != other.answers)
        assert self.sample is not None
        assert other.sample is not None
        first, second = self.sample.output[self.place], other.sample.output[other.place]
        apart = first != second
        if first.ndim == 1:
            return np.asarray(apart)
        return np.asarray((apart & ~(np.isnan(first) & np.isnan(second))).any(axis=1))

    @property
    def per_class(self) -> bool:
        """Whether the cases have a score per class."""
        sample = self.sample
        return sample is not None and sample.task == "multiclass" and sample.kind == "score"

    def at(self, threshold: float) -> Model:
        """The model with the predictions at another threshold."""
        assert isinstance(self.evaluation, BinaryEvaluation)
        return replace(self, evaluation=self.evaluation.at(threshold))

    @property
    def one_by_one(self) -> Model:
        """The model with the cases of its ranking table, or of its evaluation with clusters, where known."""
        held, table = self.evaluation.clusters, self.ranking
        if self.sample is None and isinstance(held, DependentCases):
            cases, units = held.cases, held.units
        elif self.sample is None and table is not None:
            cases, units = ScoredCases.from_table(table), None
        else:
            return self
        return replace(self, sample=sample_of_cases(cases, units, self.evaluation.data).one_by_one())

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


def influences_of(models: Sequence[Model]) -> Influences:
    """The influence values of models on different cases, with their units where these are of one data set."""
    evaluations = {model.name: model.evaluation for model in models}
    columns = {model.name: model.sample.columns_of_units for model in models if model.sample is not None}
    labels = {id(one.labels) for each in columns.values() for one in each}
    units = {}
    if len(labels) == 1 and len(columns) == len(models):
        units = {name: np.stack([one.codes for one in each]) for name, each in columns.items()}
    return Influences(evaluations.__getitem__, units)


def ordered(models: Sequence[Model]) -> list[Model]:
    """The models with their cases in an order that follows from their values alone, for resampling.

    It depends neither on the order of the rows nor on that of the models.
    """
    sample = models[0].sample
    assert sample is not None
    outputs = [sample.output[model.place] if model.cases is None else model.cases.score for model in models]
    outputs.sort(key=lambda output: (-np.sort(-output, axis=0)).tobytes())
    columns = [-column for output in outputs for column in output.reshape(len(output), -1).T]
    units = () if sample.units is None else np.atleast_2d(sample.units)
    order = content_order(*columns, -models[0].truth, sample.weight, *units)
    rows = order if models[0].rows is None else models[0].rows[order]
    same = sample.reordered(order)
    return [replace(model, sample=same, rows=rows) for model in models]


def models_of(
    sample: Sample, options: EvaluationOptions, thresholds: Mapping[Any, float | None]
) -> list[Model]:
    """A model for each output of the sample; all are measured on the same cases.

    A case with a count of 2 is two cases.
    """
    evaluations = [
        evaluate_sample(sample, i, options, thresholds.get(name)) for i, name in enumerate(sample.models)
    ]
    cases = sample.one_by_one()
    rows = None if cases is sample else sample.each_case
    return [
        Model(str(name), evaluation, cases, i, rows, sample.output[i].__array_interface__["data"])
        for i, (name, evaluation) in enumerate(zip(sample.models, evaluations, strict=True))
    ]
