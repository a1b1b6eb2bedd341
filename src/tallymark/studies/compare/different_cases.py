"""Models on different cases, whose estimates are independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import sqrt

import numpy as np

from ...evaluation.paired.chosen import chosen_here
from ...evaluation.paired.models import Model, answers_at
from ...evaluation.paired.study import (
    ComparisonOptions,
    deciding,
    entry_of,
    few_of,
    of_one_case_here,
    with_note,
    without_interval,
)
from ...evaluation.paired.swapping import shuffled
from ...evaluation.results import BinaryEvaluation, Evaluation
from ...inference import Estimate
from ...inference.clustered import Clusters, Persons
from ...inference.hypothesis.evidence import Evidence, Normal, Split, Unknown, of_replicates
from ...inference.intervals import delong
from ...inference.intervals.differences import independent, span
from ...inference.replicates import replicates
from ...input.messages.notes import Note, Notes, joined, of_kind
from ...input.spelling import option
from ...input.validate import InputError
from ...summaries import ConfusionMatrix
from ...summaries.cases import ScoredCases

OF_PERSONS = "its comparisons share persons, and compare would assume that they are independent"
WITH_INTERVALS = "see the interval of each evaluation, which allows for them"


class DifferentCases:
    """Two models or more, each on its own cases."""

    paired = False
    assumes = "cases independent of one another; different cases for each model"

    def __init__(self, models: Sequence[Model], names: Sequence[str], options: ComparisonOptions):
        one_by_one = bool(options.resampling or options.permutes)
        if one_by_one or options.method == "delong":
            for one in models:
                if isinstance(one.evaluation, BinaryEvaluation):
                    one.evaluation.need_each_score(f"the method {options.method!r}")
        self.models, self.names, self.options = (
            [with_cases(model) if one_by_one else model for model in models],
            names,
            options,
        )
        if one_by_one and any(model.cases is None for model in self.models):
            raise InputError(
                "unsupported",
                "method",
                f"{options.method!r} needs the cases one by one, of two classes",
                "give them, or leave it out",
            )
        if any(model.clusters is not None for model in models):
            if options.method in ("delong", "permutation"):
                raise InputError(
                    "unsupported",
                    "method",
                    f"{options.method!r} does not allow for {option('clusters')} on different cases",
                    "use 'bootstrap'",
                )
            if not all(model.two_classes for model in models):
                raise InputError(
                    "unsupported",
                    "clusters",
                    "of more than two classes they need the same cases",
                    "take one class against the rest",
                )
            self.assumes = self.assumes.replace("cases independent", "clusters independent")

    def evidence(self, name: str, model: int, reference: int) -> Evidence:
        """The evidence on the difference of two models."""
        one, other = self.models[model], self.models[reference]
        first, second = one.evaluation[name], other.evaluation[name]
        value = first.value - second.value
        reason = without_interval(one, other, name) or chosen_here(one, other, name)
        reason = reason or of_one_case_here(one, other, name)
        if reason:
            return Unknown(joined(reason))
        if self.options.permutes:
            return shuffled(*entry_of(one, name), one, other, self.options.draws, self.options.progress)
        few = tuple(dict.fromkeys(joined(few_of(one), few_of(other))))
        made = one.evaluation.entry(name).interval
        better = not (first.has_interval and second.has_interval) or made is None
        known = one.cases is not None and other.cases is not None and _of_cases(one, name)
        grouped = one.clusters is not None or other.clusters is not None
        if known and (self.options.resampling or grouped or better):
            found = self._replicates
            drawn = found[model][name], found[reference][name]
            method, cases = self.options.resampling or "bootstrap", min(map(deciding, (one, other)))
            return with_note(of_replicates(value, *drawn, method, cases), few)
        if self.options.method == "delong":
            return self._delong(one, other, value, few)
        return _named(_put_together(first, second, span(one.evaluation.entry(name).range)), one, other)

    @staticmethod
    def _delong(one: Model, other: Model, value: float, few: Notes) -> Evidence:
        """DeLong's variances, with Student's t and Satterthwaite's degrees of freedom.

        With importance weights by the effective number of cases of each class.
        """
        tables = [model.ranking for model in (one, other) if model.ranking is not None]
        variances = [delong.delong_variance(table) for table in tables]
        error = sqrt(max(sum(variances), 0.0)) if all(v == v for v in variances) else float("nan")
        if not error > 0:
            return _put_together(one.evaluation["roc_auc"], other.evaluation["roc_auc"], (-1.0, 1.0))
        sizes = [table.effective_positives + table.effective_negatives for table in tables]
        parts = [v**2 / (size - 1) for v, size in zip(variances, sizes, strict=True)]
        first, second = map(float, variances)
        covariance = (first, 0.0), (0.0, second)
        return Normal(value, error, "delong", df=error**4 / sum(parts), notes=few, covariance=covariance)

    @cached_property
    def _replicates(self) -> list[dict[str, np.ndarray]]:
        """By model and measure the values in resamples, drawn independently for each model."""
        return [self._of_one(i, model) for i, model in enumerate(self.models)]

    def _of_one(self, i: int, model: Model) -> dict[str, np.ndarray]:
        seed = int(np.random.SeedSequence([self.options.draws.seed, i]).generate_state(1, np.uint64)[0] >> 1)
        how = replace(self.options.draws, seed=seed)
        names = [name for name in self.names if model.evaluation.entry(name).summary is not ConfusionMatrix]
        statistics = [entry_of(model, name) for name in names]
        found = replicates(
            statistics,
            [model.cases],
            how,
            thresholds=[model.limit],
            clusters=model.clusters,
            progress=self.options.progress,
        )
        return dict(zip(names, found[0], strict=True))


def model_of(name: str, evaluation: Evaluation) -> Model:
    """A model of which only the evaluation is known.

    Raises InputError where it is an evaluation of comparisons that share persons.
    """
    clusters = evaluation.clusters
    if isinstance(clusters, Persons):
        raise InputError("unsupported", "data", f"{name}: {OF_PERSONS}", WITH_INTERVALS)
    return Model(name, evaluation, clusters=None if clusters is None else clusters.groups)


def with_cases(model: Model) -> Model:
    """The model with the cases of its ranking table, or of its evaluation with clusters."""
    cases, limit = None if model.cases is not None else _one_by_one(model), model.evaluation.held_threshold
    if cases is None:
        return model
    truth, answers = cases.positive.astype(np.int64), answers_at(cases, limit)
    return replace(model, cases=cases, limit=limit, answers=answers, truth=truth, weight=cases.weight)


def _one_by_one(model: Model) -> ScoredCases | None:
    """The cases of an evaluation with clusters, or of a ranking table; None for others."""
    if isinstance(model.evaluation.clusters, Clusters):
        return model.evaluation.clusters.cases
    return None if model.ranking is None else ScoredCases.from_table(model.ranking)


def _of_cases(model: Model, name: str) -> bool:
    """Whether the measure can be computed in resamples of cases."""
    return model.evaluation.entry(name).summary is not ConfusionMatrix


def _named(evidence: Split | Unknown, one: Model, other: Model) -> Evidence:
    """The evidence, its notes with the names of the models."""
    names = {"first": one.name, "second": other.name}
    return replace(evidence, notes=tuple(_with_model(note, names) for note in evidence.notes))


def _with_model(note: Note, names: Mapping[str, str]) -> Note:
    """A note on the first or the second value as one on that of a model."""
    if "which" not in note:
        return note
    return Note(
        note.code, model=names[note["which"]], **{name: note[name] for name in note if name != "which"}
    )


def _put_together(first: Estimate, second: Estimate, ends: tuple[float, float]) -> Split | Unknown:
    found = independent(first, second, ends)
    if not found.has_interval:
        return Unknown(found.notes)
    return Split(found, tuple(dict.fromkeys(of_kind(joined(first.notes, second.notes), "approximate"))))
