"""The cases of one model, of which any rows can be evaluated as all of them are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...input import Cases, CaseSpec
from ...input.columns import Column
from ...input.data_info import DataInfo
from ...input.memory import add_up
from ...input.sample import Array, Sample
from ...summaries import BinnedTable, ConfusionMatrix
from ...summaries.samples import with_all_classes
from ..arguments import EvaluationOptions
from ..evaluations import evaluate_sample, of_matrix, of_scores
from ..results import BinaryEvaluation, Evaluation
from ..thresholds import RuleSpec


@dataclass(frozen=True, eq=False)
class Splitting(ABC):
    """The cases of one model. limit: the threshold, or None."""

    options: EvaluationOptions
    limit: float | None

    @cached_property
    @abstractmethod
    def whole(self) -> Evaluation:
        """The evaluation of all cases. Raises InputError for columns that are not valid."""

    @abstractmethod
    def _of_rows(self, rows: Array, options: EvaluationOptions, limit: float | None) -> Evaluation: ...

    @property
    def units(self) -> Array | None:
        """The units of the cases, as `Sample.units`."""
        return None

    def part(self, rows: Array) -> Evaluation:
        """The evaluation of these rows: with the classes, the threshold and the kind of weights of all."""
        whole = self.whole
        limit = whole.limit if isinstance(whole, BinaryEvaluation) else None
        found = self._of_rows(rows, replace(self.options, rule=None), limit)
        if not isinstance(whole, BinaryEvaluation) or whole.threshold is None:
            return found
        at = whole.threshold  # it may have been chosen, but not on this part alone
        if at.chosen:
            at = replace(at, rule=RuleSpec("on-all-groups", rule=at.rule), by=None)
        return replace(found, threshold=at)  # type: ignore[call-arg]


@dataclass(frozen=True, eq=False)
class OfSample(Splitting):
    """The cases one by one."""

    sample: Sample

    @cached_property
    def whole(self) -> Evaluation:
        """The evaluation of all cases."""
        return evaluate_sample(self.sample, 0, self.options, self.limit)

    def _of_rows(self, rows: Array, options: EvaluationOptions, limit: float | None) -> Evaluation:
        return evaluate_sample(self.sample.take(rows), 0, options, limit)

    @property
    def units(self) -> Array | None:
        """The units of the cases."""
        return self.sample.units


@dataclass(frozen=True, eq=False)
class OfSummaries(Splitting):
    """A summary of each group of cases with scores or labels, whose number stands for its rows.

    data: the facts, by the weight of positives and of negatives; summaries, parts: by group, with the facts
    about its cases; labels: the negative and the positive one, of scores; truth: what the column of the
    actual labels declares.
    """

    spec: CaseSpec
    data: Callable[..., DataInfo]
    summaries: Sequence[Any]
    parts: Sequence[Cases]
    labels: tuple[Any, Any] | None = None
    truth: Column | None = None

    @cached_property
    def whole(self) -> Evaluation:
        """The evaluation of all cases."""
        return self._evaluation(self._every, self.data, self.options, self.limit)

    @cached_property
    def _every(self) -> Any:
        """The summary of all cases, of labels with all classes."""
        every = self._summary(np.arange(len(self.summaries)))
        if not isinstance(every, ConfusionMatrix):
            return every
        return with_all_classes(every, self.truth, self.spec, self.data(None, None))

    def _summary(self, groups: Array) -> Any:
        some = [self.summaries[i] for i in groups]
        found: Any = BinnedTable.joined(some) if isinstance(some[0], BinnedTable) else add_up(some)
        labels = isinstance(found, ConfusionMatrix)
        return found.without_squares() if labels and self.data(None, None).weight_kind == "count" else found

    def _of_rows(self, rows: Array, options: EvaluationOptions, limit: float | None) -> Evaluation:
        part: Cases = add_up(self.parts[i] for i in rows)
        summary = self._summary(rows)
        if isinstance(summary, ConfusionMatrix):
            summary += self._every.with_weights(np.zeros_like(self._every.weights))
        return self._evaluation(summary, part.data, options, limit)

    def _evaluation(
        self, summary: Any, facts: Callable[..., DataInfo], options: Any, limit: Any
    ) -> Evaluation:
        if isinstance(summary, ConfusionMatrix):
            return of_matrix(summary, facts, options, self.spec.positive)
        assert self.labels is not None
        info, higher = facts(summary.positives, summary.negatives), self.spec.higher_is_positive
        return of_scores(summary, info, options, limit, self.labels, higher)

    def __getstate__(self) -> dict[str, Any]:
        """Without the reader of the data, which a pickle cannot hold: it is needed for `whole` only."""
        return {"whole": self.whole, "_every": self._every, **vars(self), "data": self.whole.data.of_classes}
