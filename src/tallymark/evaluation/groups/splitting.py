"""From the collected columns of cases to the evaluation of all of them, and of any part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...input import Cases, CaseSpec
from ...input.cases import facts_of
from ...input.columns import Column
from ...input.data_info import DataInfo
from ...input.grouping import Groups, taken
from ...input.labels import BinaryLabels, Coded
from ...input.merging import add_up
from ...summaries import BinnedTable, ConfusionMatrix, Residuals
from ...summaries.collected import Encoding, kind_of_table, of_columns, score_of
from ..arguments import Asked
from ..case_sums import matrix_of
from ..from_cases import of_class_columns, of_clusters, of_predicted, of_predicted_clusters
from ..from_summaries import of_class_scores, of_matrix, of_ranking, of_residuals
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation
from ..thresholds import RuleSpec, Threshold

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False)
class Splitting(ABC):
    """The columns of all cases, of which any rows can be evaluated as all of them are.

    columns: by role, without those of the groups; data: the facts, by the weight of positives and of
    negatives; limit: the threshold, or None.
    """

    columns: Mapping[str, Column]
    data: Callable[..., DataInfo]
    spec: CaseSpec
    asked: Asked
    limit: float | None = None

    @cached_property
    @abstractmethod
    def whole(self) -> Evaluation:
        """The evaluation of all cases. Raises InputError for columns that are not valid."""

    @abstractmethod
    def part(self, rows: Array) -> Evaluation:
        """The evaluation of these rows: with the classes, the threshold and the kind of weights of all."""

    def crosses(self, groups: Groups) -> bool:
        """Whether a cluster has cases in several groups."""
        clusters = self.columns.get("clusters")
        if clusters is None:
            return False
        numbers = np.unique(clusters.values, return_inverse=True)[1].astype(np.int64)
        pairs = np.unique(numbers * len(groups.labels) + groups.codes)
        return bool(len(pairs) > numbers.max() + 1)

    def _rows(self, rows: Array) -> dict[str, Column]:
        return {role: taken(column, rows) for role, column in self._marked.items()}

    @cached_property
    def _marked(self) -> dict[str, Column]:
        """The columns; the weights with the kind that all of them have."""
        weight, kind = self.columns.get("weight"), self.whole.data.weight_kind
        of_kind = {} if weight is None else {"weight": replace(weight, weight_kind=kind)}  # type: ignore[arg-type]  # not mixed
        return {**self.columns, **of_kind}

    def __getstate__(self) -> dict[str, Any]:
        """Without the reader of the data, which a pickle cannot hold: it is needed for `whole` only."""
        return {"whole": self.whole, **vars(self), "data": None}

    def _about(self, rows: Array) -> Callable[..., DataInfo]:
        """The facts about these rows, by the weight of positives and of negatives."""
        return self._facts(self._rows(rows)).of_classes

    def _facts(self, columns: Mapping[str, Column]) -> DataInfo:
        return facts_of(columns.get("weight"), len(columns["truth"]), self.whole.data.source)


class OfScores(Splitting):
    """One score per case, of two classes."""

    @cached_property
    def _labels(self) -> BinaryLabels:
        return BinaryLabels(self.spec.positive, self.spec.classes)

    @cached_property
    def _coded(self) -> Coded:
        return self._labels.coded(self.columns["truth"])

    @cached_property
    def whole(self) -> BinaryEvaluation:
        """The evaluation of all cases."""
        table = self._summary(None)
        pair, higher = self._pair, self.spec.higher_is_positive
        about = self.data(table.positives, table.negatives)
        return of_ranking(table, about, self.asked, self.limit, pair, higher)

    @property
    def _pair(self) -> tuple[Any, Any]:
        self._labels.judge(self.columns["truth"])
        return self._labels.pair()

    def _summary(self, rows: Array | None) -> Any:
        """The table of these rows, or of all."""
        columns = self.columns if rows is None else self._rows(rows)
        score = score_of(self.spec, columns["score"], columns["truth"])
        codes = self._coded.codes if rows is None else self._coded.codes[rows]
        coded = Coded(columns["truth"], codes, self._coded.positive)
        return kind_of_table(self.spec).from_coded(self._labels, coded, score, columns.get("weight"))

    def part(self, rows: Array) -> BinaryEvaluation:
        """The evaluation of these rows, at the threshold of all cases."""
        whole, table = self.whole, self._summary(rows)
        about = self._about(rows)(table.positives, table.negatives)
        higher, asked = self.spec.higher_is_positive, replace(self.asked, rule=None)
        found = of_ranking(table, about, asked, whole.limit, whole.labels, higher)
        return replace(found, threshold=chosen_on_all(whole.threshold))


@dataclass(frozen=True, eq=False, kw_only=True)
class Summed(Splitting):
    """Cases of which there is a summary for each group, whose number stands for its rows.

    summaries, parts: by group, with the facts about its cases; labels: the negative and the positive one, of
    scores; truth: what the column of the actual labels declares.
    """

    summaries: Sequence[Any]
    parts: Sequence[Cases]
    labels: tuple[Any, Any] | None = None
    truth: Column | None = None

    def _summary(self, rows: Array | None) -> Any:
        some = self.summaries if rows is None else [self.summaries[i] for i in rows]
        return BinnedTable.joined(some) if isinstance(some[0], BinnedTable) else add_up(some)

    def _about(self, rows: Array) -> Callable[..., DataInfo]:
        part: Cases = add_up(self.parts[i] for i in rows)
        return part.data


class SummedScores(Summed, OfScores):
    """One score per case, of two classes, in a table for each group."""

    @property
    def _pair(self) -> tuple[Any, Any]:
        assert self.labels is not None
        return self.labels


def chosen_on_all(at: Threshold | None) -> Threshold | None:
    """The threshold of all cases, as that of a part: it may have been chosen, but not on this part alone."""
    return (
        replace(at, rule=RuleSpec("on-all-groups", rule=at.rule), by=None)
        if at is not None and at.chosen
        else at
    )


class OfClusters(Splitting):
    """Cases of two classes in clusters, with scores or predicted labels."""

    @cached_property
    def _encoding(self) -> Encoding:
        return Encoding(BinaryLabels(self.spec.positive, self.spec.classes))

    @cached_property
    def whole(self) -> BinaryEvaluation:
        """The evaluation of all cases."""
        return self._of(self.columns, self.data, self._encoding, self.limit)

    def _of(
        self, columns: Mapping[str, Column], data: Callable[..., DataInfo], encoding: Encoding, limit: Any
    ) -> BinaryEvaluation:
        found = of_columns(columns, self.spec, data, encoding)
        if self.spec.predicted is not None:
            return of_predicted_clusters(found, self.asked)
        return of_clusters(found, self.asked, limit, self.spec.higher_is_positive)

    def part(self, rows: Array) -> BinaryEvaluation:
        """The evaluation of these rows, at the threshold of all cases."""
        of_rows, all_of = self._rows(rows), self._encoding.of(self.columns["truth"])
        coded = Coded(of_rows["truth"], all_of.codes[rows], all_of.positive)
        about, encoding = self._facts(of_rows), Encoding(self._encoding.labels, coded)
        found = self._of(of_rows, about.of_classes, encoding, self.whole.limit)
        return replace(found, threshold=chosen_on_all(self.whole.threshold), labels=self.whole.labels)


class OfLabels(Splitting):
    """Predicted labels of two classes or more."""

    @cached_property
    def _matrix(self) -> ConfusionMatrix:
        return self._of_kind(self._summary(None))

    def _summary(self, rows: Array | None) -> Any:
        """The matrix of these rows, or of all."""
        columns = self.columns if rows is None else self._rows(rows)
        return matrix_of(columns["truth"], columns["predicted"], columns.get("weight"))

    def _of_kind(self, matrix: ConfusionMatrix) -> ConfusionMatrix:
        """The matrix with the kind of weights of all cases."""
        return matrix if self._weight_kind == "importance" else matrix.without_squares()

    @cached_property
    def _weight_kind(self) -> str | None:
        """Known before the reader of the data is left out of a pickle."""
        return self.data(None, None).weight_kind

    @property
    def _truth(self) -> Column | None:
        return self.columns["truth"]

    @cached_property
    def whole(self) -> Evaluation:
        """The evaluation of all cases."""
        return of_predicted(self._matrix, self.data, self._truth, self.spec, self.asked)

    @cached_property
    def _classes(self) -> ConfusionMatrix:
        """The classes of all cases, without these."""
        every = self._matrix
        levels = self.spec.levels(self._truth, every.labels)
        every = every if levels is None else every.with_classes(*levels)
        return every.with_weights(np.zeros_like(every.weights))

    def part(self, rows: Array) -> Evaluation:
        """The evaluation of these rows, with the classes of all cases."""
        matrix = self._of_kind(self._summary(rows)) + self._classes
        return of_matrix(matrix, self._about(rows), self.asked, self.spec.positive)


class SummedLabels(Summed, OfLabels):
    """Predicted labels, in a matrix for each group."""

    @property
    def _truth(self) -> Column | None:
        return self.truth


class OfClassScores(Splitting):
    """A score per class."""

    @cached_property
    def _found(self) -> tuple[MulticlassEvaluation, Array]:
        """The evaluation of all cases, and by row of its table that of the columns."""
        return of_class_columns({None: [dict(self.columns)]}, self.data, self.spec, self.asked)[None]

    @cached_property
    def whole(self) -> MulticlassEvaluation:
        """The evaluation of all cases."""
        return self._found[0]

    @cached_property
    def _places(self) -> Array:
        """The row of the table, by row of the columns."""
        places = np.empty(len(self._found[1]), np.int64)
        places[self._found[1]] = np.arange(len(places))
        return places

    def part(self, rows: Array) -> MulticlassEvaluation:
        """The evaluation of these rows, with the classes of all cases."""
        every, some = self.whole.scores, np.sort(self._places[rows])
        assert every is not None
        scores = type(every)(
            every.labels,
            every.truth[some],
            every.score[some],
            every.weight[some],
            every.affix,
            self.whole.data.weight_kind,  # type: ignore[arg-type]  # not mixed
        )
        in_order = self.whole.matrix.ordered
        return of_class_scores(scores, self._facts(self._rows(rows)).of_classes, self.asked, in_order)


class OfAmounts(Splitting):
    """Predicted amounts."""

    @cached_property
    def whole(self) -> Evaluation:
        """The evaluation of all cases."""
        return of_residuals(Residuals.from_columns(**self.columns), self.asked, self.data(None, None))

    def part(self, rows: Array) -> Evaluation:
        """The evaluation of these rows."""
        of_rows = self._rows(rows)
        return of_residuals(Residuals.from_columns(**of_rows), self.asked, self._facts(of_rows))
