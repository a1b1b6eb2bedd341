"""Models with a score per class on the same cases, compared by the differences of influence values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...inference.degrees_of_freedom import few_deciding
from ...inference.hypothesis.evidence import Evidence, Normal, Unknown, of_replicates
from ...inference.influence_values import freedom_of_squares, standard_error
from ...inference.intervals.differences import span
from ...inference.intervals.of_class_scores import (
    ALONE,
    Average,
    average_of,
    few_in_a_class,
    influence_values,
    smallest_class,
)
from ...inference.replicates import replicates
from ...input.messages.notes import Note, Notes, joined
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import ClassScores, ConfusionMatrix, RankingTable
from ...summaries.cases import ScoredCases
from ...summaries.class_orders import sorted_in_each_class
from ..results import MulticlassEvaluation
from .models import Model, by_bytes
from .same_cases import GROWING, GROWS, NO_SPREAD, ROUNDING, SAME_ANSWERS, SAME_RANKS, SAME_SCORES, SameCases
from .study import entry_of, unknown, with_note

AREA_OF_ONE = Note("area-of-one")
NOT_KNOWN = Note("no-influence-values")
NOT_KEPT = Note("resamples-of-two-classes")


@dataclass(frozen=True, eq=False)
class ModelOfClassScores(Model):
    """A model with a score per class.

    place: for each case its row in the table of the evaluation.
    """

    place: Any = None

    @property
    def per_class(self) -> bool:
        """Whether its cases have a score per class."""
        return True

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

    def taken(self, rows: np.ndarray) -> ModelOfClassScores:
        """The model with its cases in this order."""
        found = super().taken(rows)
        assert isinstance(found, ModelOfClassScores)
        return replace(found, place=self.place[rows])

    @property
    def confident(self) -> ScoredCases:
        """The cases with their highest probability, or its logit, as the score.

        Cases with a correct prediction are positive.
        """
        return ScoredCases(
            self.right, self.table.highest[self.place], self.weight, self.table.kind_of_table, "importance"
        )

    def influence(self, name: str) -> np.ndarray | None:
        """The influence values of a measure; None where they are not known."""
        found = influence_values(*entry_of(self, name), self.table)
        return None if found is None else found[self.place]


class SameCasesPerClass(SameCases):
    """Two models or more with a score per class for the same cases."""

    @property
    def _scored(self) -> list[ModelOfClassScores]:
        return [model for model in self.models if isinstance(model, ModelOfClassScores)]

    def _same(self, entry: Measure, one: Any, other: Any, value: float) -> Note | None:
        """The note where both models have the same ranking or scores, else None."""
        if entry.summary is ConfusionMatrix:
            return SAME_ANSWERS if np.array_equal(one.answers, other.answers) else None
        if value or one.table.labels != other.table.labels:
            return None
        if np.array_equal(*(model.table.score[model.place] for model in (one, other))):
            return SAME_SCORES
        return SAME_RANKS if average_of(entry) and _rank_alike(one, other) else None

    def _of_influences(self, entry: Measure, model: int, reference: int, value: float) -> Evidence:
        """The evidence from the differences of the influence values of each case.

        For a mean of losses these are the losses.
        Source: Diebold and Mariano (1995); for areas it is
        DeLong's variance.
        """
        one, other = self._scored[model], self._scored[reference]
        average, smallest = average_of(entry), smallest_class(one.table)
        if average and smallest < 2:
            return Unknown((ALONE,))
        first, second = (each.influence(entry.name) for each in (one, other))
        if first is None or second is None:
            return self._of_confidence(entry, one, other, value)
        apart = first - second
        error, freedom = standard_error(apart, one.weight, self._classes)
        if error != error:
            return Unknown((Note("no-spread"),))
        if not error > ROUNDING * max(1.0, abs(value)):
            return unknown(NO_SPREAD, value)
        freedom = max(min(freedom, freedom_of_squares(apart, one.weight, self._classes)), 1.0)
        method = "paired-delta" if average or entry.loss is None else "paired-mean"
        found = [each.evaluation[entry.name] for each in (one, other)]
        doubt = _doubt(average, smallest, freedom, max(estimate.value for estimate in found))
        without = dict.fromkeys(
            note for estimate in found for note in estimate.notes if note.code == "undefined-classes"
        )
        return Normal(value, error, method, span(entry.range), freedom, joined(*doubt, *without))

    def _of_confidence(
        self, entry: Measure, one: ModelOfClassScores, other: ModelOfClassScores, value: float
    ) -> Evidence:
        """The evidence on a measure of the highest probability, from resamples of the cases."""
        if _of_table(entry) is None:
            return Unknown((NOT_KNOWN,))
        if self.asked.fixed:
            return Unknown((NOT_KEPT,))
        model, reference = (self._drawn[each.name][entry.name] for each in (one, other))
        return with_note(
            of_replicates(value, model, reference, "bootstrap", one.table.effective_total), GROWS
        )

    @cached_property
    def _drawn(self) -> dict[str, dict[str, np.ndarray]]:
        """By model and measure of the highest probability, the values in resamples.

        The resamples are the same for all models.
        """
        models = sorted(self._scored, key=lambda model: model.content)
        found = {name: _of_table(model.evaluation.entry(name)) for model in models[:1] for name in self.names}
        entries = {name: entry for name, entry in found.items() if entry is not None}
        asked = [(entry, entry_of(models[0], name)[1]) for name, entry in entries.items()]
        cases, how = [model.confident for model in models], self.asked
        values = replicates(asked, cases, how.draws, thresholds=[None] * len(models), progress=how.progress)
        return {
            model.name: dict(zip(entries, one, strict=True))
            for model, one in zip(models, values, strict=True)
        }


def _of_table(entry: Measure) -> Measure | None:
    """The measure of one score that this measure applies to the highest one; None if there is none."""
    if entry.summary is not ClassScores or entry.interval is None or entry.interval.kind not in GROWING:
        return None
    return next((one for one in registry.find(RankingTable) if one.interval == entry.interval), None)


def _rank_alike(one: ModelOfClassScores, other: ModelOfClassScores) -> bool:
    """Whether both have the same order of the cases in every class, with the same ties."""
    first, second = (
        sorted_in_each_class(each.table.ranked_by[each.place], [slice(None)]) for each in (one, other)
    )
    return all(np.array_equal(*pair) for pair in zip(first, second, strict=True))


def _doubt(average: Average | None, smallest: float, freedom: float, highest: float) -> Notes:
    """Why the interval is approximate.

    An area of 1 has no variance; few cases of a class, or few degrees of freedom.
    """
    few = few_in_a_class(average, smallest) if average else None
    return joined(AREA_OF_ONE if average and highest > 1 - ROUNDING else None, few or few_deciding(freedom))
