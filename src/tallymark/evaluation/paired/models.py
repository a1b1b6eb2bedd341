"""The models of a comparison, each with its evaluation and, where known, its cases one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, cmp_to_key, partial
from operator import attrgetter
from typing import Any

import numpy as np

from ... import kernels
from ...input.weighting import effective
from ...summaries import ConfusionMatrix, RankingTable
from ...summaries.cases import POSITIVE_FROM, ScoredCases, content_order
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
    repeated); labels: of the codes, for more than two classes. All are None where only a summary is known.
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
    def per_class(self) -> bool:
        """Whether its cases have a score per class."""
        return False

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

    def taken(self, rows: np.ndarray) -> Model:
        """The model with its cases in this order."""
        truth, answers, clusters, weight = (
            None if array is None else array[rows]
            for array in (self.truth, self.answers, self.clusters, self.weight)
        )
        cases = None if self.cases is None else self.cases.reordered(rows)
        return replace(self, truth=truth, answers=answers, cases=cases, clusters=clusters, weight=weight)

    def sample(self, rows: np.ndarray, times: np.ndarray) -> Model:
        """The model on some of its cases, each of which stands for `times`; the evaluation is of all."""
        cases = self.cases.sample(rows, times)
        return replace(self, truth=self.truth[rows], answers=self.answers[rows], cases=cases, weight=times)

    def at(self, threshold: float) -> Model:
        """The model with the predictions at another threshold."""
        assert isinstance(self.evaluation, BinaryEvaluation)
        evaluation = self.evaluation.at(threshold)
        limit = evaluation.held_threshold
        return replace(self, evaluation=evaluation, limit=limit, answers=answers_at(self.cases, limit))

    @cached_property
    def sizes(self) -> np.ndarray:
        """The effective number of cases of each class."""
        return _effective_sizes(self.truth, self.weight)

    @cached_property
    def answered(self) -> np.ndarray:
        """The effective number of cases with each predicted class."""
        return _effective_sizes(self.answers, self.weight)

    @property
    def right(self) -> np.ndarray:
        found: np.ndarray = self.answers == self.truth
        return found


def ordered(models: Sequence[Model]) -> list[Model]:
    """The models with their cases in an order that follows from their values alone.

    It depends neither on the order of the rows nor on that of the models.
    """
    one = models[0]
    by_content = sorted(models, key=attrgetter("content"))
    answered = [-(model.answers if model.cases is None else model.cases.score) for model in by_content]
    order = content_order(*answered, -one.truth, one.weight, one.clusters)
    return kernels.together(*(partial(model.taken, order) for model in models), when=len(order) > MANY)


def answers_at(cases: ScoredCases, limit: float) -> np.ndarray:
    """The predicted classes, 0 and 1."""
    with np.errstate(over="ignore"):  # a threshold beyond the range of float32
        found: np.ndarray = (cases.score >= cases.score.dtype.type(limit)).astype(np.int8)
    return found


def _effective_sizes(codes: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """The effective number of cases with each code, 0 and 1 or more."""
    if weight is None and codes.max(initial=0) <= 1:  # bincount makes a copy of small whole numbers
        ones = np.count_nonzero(codes)
        return np.array([len(codes) - ones, ones])
    if weight is None:
        return np.bincount(codes, minlength=2)
    found: np.ndarray = effective(*(np.bincount(codes, part, 2) for part in (weight, weight**2)))
    return found
