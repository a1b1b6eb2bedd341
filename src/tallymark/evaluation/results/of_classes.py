"""Evaluations of several classes or labels: every measure of each class, and the averages."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...inference import Estimate
from ...inference.clustered import DependentTables
from ...input.messages import Note
from ...input.names import listed
from ...measures import registry
from ...summaries import ConfusionMatrix, Counts, IndicatorTable
from ..class_measures import ManyClasses, OnDemand
from .base import Evaluation


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClasswiseEvaluation(Evaluation):
    """An evaluation with the measures of two classes for each class against the rest, and their averages."""

    clusters: DependentTables | None = None

    @property
    @abstractmethod
    def table_of_classes(self) -> ConfusionMatrix | IndicatorTable:
        """The table in which each class is counted against the rest."""

    @cached_property
    def many(self) -> ManyClasses:
        """Every measure of every class."""
        return ManyClasses(self.table_of_classes, self.settings, self.parameters, self.clusters)

    @property
    def classes(self) -> OnDemand[Any, OnDemand[str, Estimate]]:
        """By label, the estimates of the class against the rest."""
        return self.many.classes

    @property
    @listed(
        "function",
        "tm.evaluate(...).averages",
        aka=(
            "averages_over_classes",
            "macro_average",
            "macro_averaging",
            "micro_average",
            "micro_averaging",
            "weighted_average",
        ),
        command="tallymark evaluate",
        terms=(
            "one_versus_rest",
            "binary_metrics_for_multiclass_classification",
        ),
    )
    def averages(self) -> OnDemand[str, OnDemand[str, Estimate]]:
        """By kind ("macro", "weighted", "micro"), the averages of the measures over the classes.

        Source: Flemming.
        """
        return self.many.averages

    @property
    def class_counts(self) -> dict[Any, Counts]:
        """By label, the four counts of the class against the rest."""
        return {label: self.many.counts[i] for i, label in enumerate(self.table_of_classes.labels)}

    def _estimate(self, entry: registry.Measure, summary: Any) -> Estimate:
        if isinstance(entry, registry.Average):
            return self.averages[entry.kind_of_average][entry.base.name]
        return super()._estimate(entry, summary)

    def why_not(self, entry: registry.Measure) -> Note:
        """Why a measure is not available, and how to get it."""
        of_classes = Note("of-single-classes", several_labels=self.task == "multilabel", measure=entry.name)
        return of_classes if entry.summary is Counts else super().why_not(entry)

    def _more(self) -> dict[str, Any]:
        counts = {str(label): counts.to_dict() for label, counts in self.class_counts.items()}
        groups = {"classes": self.classes, "averages": self.averages}
        return {**{name: self._plain(group) for name, group in groups.items()}, "class_counts": counts}

    def _plain(self, groups: Mapping[Any, Mapping[str, Estimate]]) -> dict[str, dict[str, Any]]:
        """The estimates of each class, or average: of all measures, or those that were chosen."""
        names = [name for name in self.many.names if self.selected is None or name in self.selected]
        return {str(key): {name: group[name].to_dict() for name in names} for key, group in groups.items()}
