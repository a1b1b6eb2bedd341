"""The models of a comparison, each with its evaluation and, where known, its cases one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, cmp_to_key, partial
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np

from ... import kernels
from ...inference import influence
from ...inference.covariance import Dependence, Sampling
from ...inference.intervals.scale import normal_quantile
from ...input.sample import Sample
from ...input.weighting import effective
from ...measures.registry import Average, Measure
from ...summaries import ClassScores, ConfusionMatrix, Counts, RankingTable, Residuals
from ...summaries.cases import POSITIVE_FROM, ScoredCases, content_order
from ...summaries.class_scores import order_of_cases
from ...summaries.samples import answers_of, clusters_of, places_of, summary_of
from ..arguments import EvaluationOptions
from ..evaluations import evaluate_sample
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation

MANY = 50_000  # cases, from which a thread takes less time to start than it saves


def by_bytes(*arrays: np.ndarray, kind: type | None = float) -> Any:
    """A key that sorts by the bytes of arrays, which are compared in blocks, since models differ early.

    kind: the type of numbers whose bytes are compared, None for that of the arrays.
    """
    return cmp_to_key(partial(_compared, kind))(arrays)


def _compared(kind: type | None, one: Sequence[np.ndarray], other: Sequence[np.ndarray]) -> int:
    for both in zip(one, other, strict=True):
        for rows in kernels.blocks(max(map(len, both))):
            first, second = (np.asarray(array[rows], kind).tobytes() for array in both)
            if first != second:
                return -1 if first < second else 1
    return 0


@dataclass(frozen=True, eq=False)
class Model:
    """A model on some cases.

    truth, answers: codes of the true and of the predicted class, 0 and 1 for two classes; cases: for two
    classes, with scores, or with the predictions as scores; limit: the threshold of these; clusters: the
    cluster of each case; weight: of the cases, None where each counts once (cases with whole weights are
    repeated); labels: of the codes, for more than two classes; source: the place of the scores or predictions
    in memory, the same for models with the same column or array. All are None where only a summary is known.
    """

    name: str
    evaluation: Evaluation
    truth: Any = None
    answers: Any = None
    cases: Any = None
    limit: float = POSITIVE_FROM
    clusters: np.ndarray | None = None
    weight: np.ndarray | None = None
    labels: Sequence[Any] | None = None
    source: Any = None
    per_class: ClassVar[bool] = False  # whether its cases have a score per class

    @property
    def number(self) -> int:
        """The number of cases."""
        return len(self.truth)

    @property
    def classes(self) -> np.ndarray:
        """The class of each case, a whole number."""
        codes: np.ndarray = self.truth
        return codes

    def sampling(self, fixed: bool) -> Sampling:
        """How the cases were sampled, each a cell. fixed: whether the sizes of the classes are."""
        ones = np.broadcast_to(1.0, self.number)
        weight, units = ones if self.weight is None else self.weight, None
        if self.clusters is not None:
            units = Dependence.of_cases(self.clusters, np.arange(self.number), weight, self.classes)
        squares = ones if self.weight is None else weight**2
        return Sampling(weight, squares, self.classes, fixed, units)

    @property
    def resampled(self) -> Any:
        """The cases with a score, which are resampled."""
        return self.cases

    def influence(self, entry: Measure, parameters: Mapping[str, Any]) -> np.ndarray | None:
        """The influence value of each case on a measure; None where it is not known.

        parameters: all that the measure has.
        """
        function = partial(entry.function, **parameters)
        if entry.summary is ConfusionMatrix:
            if isinstance(entry, Average):
                function = partial(entry.of.function, **parameters)
            _, truth, answers = self.of_matrix
            values = influence.of_matrix(entry, function, self.matrix)
            return np.asarray(values[truth * len(self.matrix.weights) + answers])
        if not influence.closed(entry):
            return None
        cases, of_cases = self.cases, np.empty(self.number)
        values, place = influence.of_table(entry, function, parameters, cases.table), cases.place
        at_scores = values.ravel()

        def of_rows(rows: slice) -> None:
            of_cases[rows] = at_scores[place[rows] + len(cases.table) * ~cases.positive[rows]]

        kernels.stretches(of_rows, self.number)
        return of_cases

    def differing(self, other: Model, entry: Measure) -> np.ndarray:
        """Which cases have another prediction, or another score, of the other model."""
        answers = self.cases is None or entry.summary is Counts
        return np.asarray(self.answers != other.answers if answers else self.cases.score != other.cases.score)

    @property
    def of_matrix(self) -> tuple[tuple[Any, ...], np.ndarray, np.ndarray]:
        """The labels of the confusion matrix, and the indices of the true and predicted ones by case."""
        matrix = self.matrix
        known = {label: index for index, label in enumerate(matrix.labels)}
        assert self.labels is not None
        place = np.array(
            [known.get(label, -1) for label in self.labels] + [len(known)]
        )  # no class is the last
        return matrix.labels, place[self.truth], place[self.answers]

    @property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix of three and more classes."""
        assert isinstance(self.evaluation, MulticlassEvaluation)
        return self.evaluation.matrix

    @property
    def two_classes(self) -> bool:
        return isinstance(self.evaluation, BinaryEvaluation)

    @property
    def chosen_here(self) -> bool:
        """Whether its threshold was chosen on the cases that are compared."""
        at = self.evaluation.threshold if isinstance(self.evaluation, BinaryEvaluation) else None
        return at is not None and at.chosen

    @property
    def ranking(self) -> RankingTable | None:
        """The table of scores; None without scores of two classes."""
        return self.evaluation.ranking if isinstance(self.evaluation, BinaryEvaluation) else None

    @property
    def content(self) -> Any:
        """The key by which models are sorted before their cases are: the content of the summary."""
        if self.cases is None:
            return by_bytes(self.matrix.weights)
        table = self.cases.table
        return by_bytes(table.score, table.positive, table.negative)

    def taken(self, rows: np.ndarray) -> Self:
        """The model with its cases in this order."""
        truth, answers, clusters, weight = (
            None if array is None else array[rows]
            for array in (self.truth, self.answers, self.clusters, self.weight)
        )
        cases = None if self.cases is None else self.cases.reordered(rows)
        return replace(self, truth=truth, answers=answers, cases=cases, clusters=clusters, weight=weight)

    def at(self, threshold: float) -> Model:
        """The model with the predictions at another threshold."""
        assert isinstance(self.evaluation, BinaryEvaluation)
        evaluation = self.evaluation.at(threshold)
        limit = evaluation.held_threshold
        return replace(self, evaluation=evaluation, limit=limit, answers=answers_at(self.cases, limit))

    @cached_property
    def sizes(self) -> np.ndarray:
        """The effective number of cases of each class."""
        codes, weight = self.truth, self.weight
        if weight is None and codes.max(initial=0) <= 1:  # bincount makes a copy of small whole numbers
            ones = np.count_nonzero(codes)
            return np.array([len(codes) - ones, ones])
        if weight is None:
            return np.bincount(codes, minlength=2)
        return np.asarray(effective(*(np.bincount(codes, part, 2) for part in (weight, weight**2))))

    @property
    def right(self) -> np.ndarray:
        """Whether each prediction is the true class."""
        return np.asarray(self.answers == self.truth)


def ordered(models: Sequence[Model]) -> list[Model]:
    """The models with their cases in an order that follows from their values alone.

    It depends neither on the order of the rows nor on that of the models.
    """
    first = models[0]
    by_content = sorted(models, key=attrgetter("content"))
    answered = [-(model.answers if model.cases is None else model.cases.score) for model in by_content]
    order = content_order(*answered, -first.truth, first.weight, first.clusters)
    return kernels.together(*(partial(model.taken, order) for model in models), when=len(order) > MANY)


def answers_at(cases: ScoredCases, limit: float) -> np.ndarray:
    """The predicted classes, 0 and 1."""
    with np.errstate(over="ignore"):  # a threshold beyond the range of float32
        return np.asarray(cases.score >= cases.score.dtype.type(limit), np.int8)


@dataclass(frozen=True, eq=False)
class ModelOfClassScores(Model):
    """A model with a score per class.

    place: for each case its row in the table of the evaluation.
    """

    place: Any = None
    per_class = True

    @property
    def table(self) -> ClassScores:
        """The scores in its evaluation."""
        assert isinstance(self.evaluation, MulticlassEvaluation)
        assert self.evaluation.scores is not None
        return self.evaluation.scores

    @property
    def content(self) -> Any:
        """The key by which models are sorted before their cases are: the content of the table."""
        return by_bytes(self.table.score, self.table.truth, self.table.weight, kind=None)

    def taken(self, rows: np.ndarray) -> Self:
        """The model with its cases in this order."""
        return replace(super().taken(rows), place=self.place[rows])

    @property
    def resampled(self) -> ScoredCases:
        """The cases with their highest probability, or its logit, as the score.

        Cases with a correct prediction are positive.
        """
        return ScoredCases(
            self.right, self.table.highest[self.place], self.weight, self.table.kind_of_table, "importance"
        )

    def influence(self, entry: Measure, parameters: Mapping[str, Any]) -> np.ndarray | None:
        """The influence value of each case on a measure; None where it is not known."""
        if entry.summary is ConfusionMatrix:
            return super().influence(entry, parameters)
        if entry.interval is None or entry.interval.kind.startswith("bins"):
            return None
        function = partial(entry.function, **parameters)
        return np.asarray(influence.of_class_scores(entry, function, self.table)[self.place])

    def differing(self, other: Model, entry: Measure) -> np.ndarray:
        """Which cases have another prediction, or other scores, of the other model."""
        assert isinstance(other, ModelOfClassScores)
        if entry.summary is ConfusionMatrix or self.table.labels != other.table.labels:
            return super().differing(other, entry)
        return np.asarray((self.table.score[self.place] != other.table.score[other.place]).any(axis=1))


@dataclass(frozen=True, eq=False)
class ModelOfAmounts(Model):
    """A model that predicts amounts.

    truth: the amount of each case; errors: predicted - truth.
    """

    errors: Any = None

    @property
    def classes(self) -> np.ndarray:
        """All cases are of one class."""
        return np.zeros(self.number, np.int8)

    def influence(self, entry: Measure, parameters: Mapping[str, Any]) -> np.ndarray | None:
        """The influence value of each case on a measure; None where it is not known."""
        weight = np.ones(self.number) if self.weight is None else self.weight.copy()
        squares = None if self.weight is None else np.square(weight)
        cases = Residuals.of(self.errors.copy(), weight, squares, self.truth.copy())
        shown = self.evaluation[entry.name]
        width = (shown.high - shown.low) / normal_quantile(shown.level)
        values = influence.of_amounts(entry, partial(entry.function, **parameters), cases, width)
        return values if np.isfinite(values).all() else None

    def differing(self, other: Model, entry: Measure) -> np.ndarray:
        """Which cases have another predicted amount of the other model."""
        assert isinstance(other, ModelOfAmounts)
        return np.asarray(self.errors != other.errors)

    def taken(self, rows: np.ndarray) -> Self:
        """The model with its cases in this order."""
        return replace(super().taken(rows), errors=self.errors[rows])


# From a sample
# -------------------------------------------------------------------------------------------------------


def models_of(
    sample: Sample, options: EvaluationOptions, thresholds: Mapping[Any, float | None]
) -> list[Model]:
    """A model for each output of the sample; all are measured on the same cases.

    A case with a count of 2 is two cases. Amounts and scores per class are in an order that follows from the
    values of the cases alone.
    """
    cases = sample.one_by_one()
    shared: dict[str, Any] = {
        "weight": cases.weight,
        "clusters": clusters_of(cases) if "cluster" in cases.index else None,
    }
    make = _of_two if sample.task == "binary" else _of_amounts if sample.task == "regression" else _of_classes
    models: list[Any] = []
    for i, name in enumerate(sample.models):
        evaluation = evaluate_sample(sample, i, options, thresholds.get(name))
        about = shared | {"source": sample.output[i].__array_interface__["data"]}
        models.append(make(sample, cases, i, name=str(name), evaluation=evaluation, **about))
    if sample.task == "regression":
        by_content = sorted((model.errors for model in models), key=lambda errors: np.sort(errors).tobytes())
        order = content_order(*by_content, models[0].weight, models[0].truth)
    elif sample.task == "multiclass" and sample.kind == "score":
        by_content = sorted(models, key=attrgetter("content"))
        weight = np.ones(len(cases)) if cases.weight is None else cases.weight
        rows = np.hstack([model.table.score[model.place] for model in by_content])
        order = order_of_cases(rows, cases.truth, weight)
    else:
        return models
    return [model.taken(order) for model in models]


def _of_two(sample: Sample, cases: Sample, i: int, **about: Any) -> Model:
    """Two classes: predicted labels are scores of 0 and 1."""
    truth, evaluation, weight = cases.truth.view(np.int8), about["evaluation"], about["weight"]
    if sample.kind == "predicted":
        called = answers_of(cases, i)
        scored = ScoredCases(cases.truth, called.astype(np.float32), weight, weight_kind="importance")
        return Model(truth=truth, answers=called.view(np.int8), cases=scored, **about)
    table, limit = summary_of(sample, i), evaluation.held_threshold
    scored = ScoredCases(cases.truth, cases.output[i], weight, type(table), "importance").with_table(table)
    return Model(truth=truth, answers=answers_at(scored, limit), cases=scored, limit=limit, **about)


def _of_classes(sample: Sample, cases: Sample, i: int, **about: Any) -> Model:
    """Several classes, with predicted labels or a score per class."""
    if sample.kind == "predicted":
        return Model(truth=cases.truth, answers=cases.output[i], labels=sample.labels, **about)
    table, place = summary_of(sample, i), places_of(sample, i)
    if sample.weight is not None and sample.counts:
        place = np.repeat(place, sample.weight.astype(np.int64))
    among = np.array([sample.labels.index(label) for label in table.labels])
    answers = among[table.predicted()[0]][place]
    return ModelOfClassScores(truth=cases.truth, answers=answers, labels=sample.labels, place=place, **about)


def _of_amounts(sample: Sample, cases: Sample, i: int, **about: Any) -> Model:
    return ModelOfAmounts(errors=cases.output[i] - cases.truth, truth=cases.truth, **about)
