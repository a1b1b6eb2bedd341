"""Models on the same cases: their differences as contrasts of influence values, case by case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Protocol

import numpy as np

from ... import kernels
from ...inference import influence
from ...inference.contrast import contrast
from ...inference.covariance import FEW_DEGREES, Dependence, Sampling, covariance
from ...inference.fixed_sizes import GIVEN_MIX, depends_on_mix
from ...inference.hypothesis.evidence import Certain, Evidence, Normal, Split, Unknown, of_replicates
from ...inference.hypothesis.multiplicity import adjusted
from ...inference.intervals.differences import independent, span
from ...inference.intervals.discordant import Discordant, DiscordantByClass
from ...inference.intervals.kinds import ROUNDING
from ...inference.intervals.of_counts import parts_of
from ...inference.replicates import MEANS, replicates
from ...input import validate
from ...input.listed import listed
from ...input.messages.notes import Note, Notes, joined
from ...input.options import Adjustment
from ...input.validate import InputError
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import ClassScores, ConfusionMatrix, Counts, RankingTable
from ...summaries.value import cached, once_for_all_threads
from .chosen import chosen_here
from .differences import Difference
from .margins import decision_of
from .models import Model, ordered
from .study import (
    ComparisonOptions,
    deciding,
    entry_of,
    estimate_of,
    few_of,
    of_one_case_here,
    with_note,
    with_width,
    without_interval,
)
from .swapping import swapped

ALL = "all"
FEW_DISCORDANT = 10
GROWING = (
    "largest", "bins", "bins-of-equal-mass", "bins-of-answers", "bins-of-answers-of-equal-mass",
    "bins-between", "miscalibration", "discrimination",
)  # kinds of intervals of measures that few cases make larger on average  # fmt: skip
AS_INDEPENDENT = Note("as-independent")
AREA_OF_ONE = Note("area-of-one")
SAME_COLUMN = Note("same-column")
NOT_KEPT = Note("resamples-of-two-classes")
GROWS = Note("bias-of-both")
SAME_WHATEVER_IS_PREDICTED = Note("same-whatever-is-predicted")
NOT_KNOWN = Note("no-influence-values")
CELLS_OF_PAIR = np.array(
    [3 - 2 * (np.arange(8) // 2 % 2) - np.arange(8) // 4, 3 - 2 * (np.arange(8) % 2) - np.arange(8) // 4]
)  # of 4 truth + 2 prediction of the one + prediction of the other, the place among the counts of each model


class Differing(Protocol):
    """Data from which differences of models are estimated."""

    names: Sequence[str]
    options: ComparisonOptions

    @property
    def models(self) -> Sequence[Model]: ...

    def evidence(self, name: str, model: int, reference: int) -> Evidence: ...


class Paired:
    """Two models or more on the same cases."""

    paired = True

    def __init__(self, models: Sequence[Model], names: Sequence[str], options: ComparisonOptions):
        self.models, self.names, self.options = models, names, options
        self._of_reference: dict[str, tuple[int, np.ndarray | None]] = {}
        self._of_pairs: dict[tuple[str, str], Sampling] = {}
        if (options.resampling or options.permutes) and any(model.cases is None for model in models):
            raise InputError(
                "unsupported",
                "method",
                f"{options.method!r} needs two classes",
                "leave it out: with more classes every measure has its method",
            )

    @property
    def assumes(self) -> str:
        apart = "cases" if self.models[0].clusters is None else "clusters"
        return f"{apart} independent of one another; the same cases for all models"

    @cached
    def sampling(self) -> Sampling:
        """How the cases were sampled."""
        return self.models[0].sampling(self.options.fixed)

    def _pair(self, one: Model, other: Model) -> Sampling:
        """How the cases were sampled, by class and the predictions of both models."""
        names = one.name, other.name
        if names not in self._of_pairs:
            cell = 4 * one.truth.astype(np.int64) + 2 * one.answers + other.answers
            stratum, units = np.arange(8) // 4, None
            if one.clusters is not None:
                number = int(one.clusters.max()) + 1
                by_unit = np.bincount(8 * one.clusters + cell, one.weight, 8 * number).reshape(number, 8)
                units = Dependence(by_unit, stratum)
            squares = one.weight if one.weight is None else one.weight**2
            weight, squares = (np.bincount(cell, part, 8) * 1.0 for part in (one.weight, squares))
            self._of_pairs[names] = Sampling(weight, squares, stratum, self.options.fixed, units)
        return self._of_pairs[names]

    def evidence(self, name: str, model: int, reference: int) -> Evidence:
        """The evidence on the difference of two models."""
        one, other = self.models[model], self.models[reference]
        entry, parameters = entry_of(one, name)
        reason = without_interval(one, other, name)
        same = one.source is not None and one.source == other.source
        if same and not reason and (entry.summary is not Counts or one.limit == other.limit):
            return Certain((SAME_COLUMN,))
        reason = reason or joined(chosen_here(one, other, name) or of_one_case_here(one, other, name))
        if reason:
            return Unknown(reason)
        identical = not one.differing(other, entry).any()
        if self.options.permutes and not identical:
            one, other = (models[i] for models, i in ((self._ordered, model), (self._ordered, reference)))
            return swapped(entry, parameters, one, other, self.options.draws, self.options.progress)
        if self.options.resampling and not identical:
            return self._bootstrap(name, model, reference)
        plain = one.clusters is None and one.weight is None
        shares = self._shares(entry, one, other) if self.options.method == "score" and plain else None
        evidence = shares or self._contrast(entry, name, model, reference)
        if evidence is None and identical:
            return Unknown(self._notes(entry, name, one, other), value=0.0)
        return evidence or self._bootstrap(name, model, reference)

    # By influence values
    # ----------------------------------------------------------------------------------------------

    def _contrast(self, entry: Measure, name: str, model: int, reference: int) -> Evidence | None:
        """The evidence from the influence values of both models; None where they are not known.

        Sources: DeLong, DeLong and Clarke-Pearson (1988) of areas; Diebold and Mariano (1995) of means.
        """
        one, other = self.models[model], self.models[reference]
        first, second = one.evaluation[name], other.evaluation[name]
        single = [note for each in (first, second) for note in each.notes if note.code == "one-in-a-class"]
        if single:
            return Unknown(joined(single[0]))
        counted, area = entry.summary is Counts, entry.name == "roc_auc"
        differing = one.differing(other, entry)
        if counted:
            sampling, differing = self._pair(one, other), CELLS_OF_PAIR[0] != CELLS_OF_PAIR[1]
            values: Any = [
                _of_counts(partial(entry.function, **entry_of(each, name)[1]), sampling, cells)
                for each, cells in zip((one, other), CELLS_OF_PAIR, strict=True)
            ]
        else:
            sampling, values = self.sampling, self._influences(name, model, reference)
            if values is None:
                return None
        mean = entry.interval is not None and entry.interval.kind in MEANS
        method = "delong" if area else "paired-mean" if mean else "paired-delta"
        matrix = entry.summary is ConfusionMatrix
        difference = contrast(
            values,
            sampling,
            (first, second),
            method if one.clusters is None else f"{method}-clustered",
            span(entry.range),
            differing=differing,
            counted=counted or mean or matrix,
            by_class=area,
            mean=mean,
            notes=self._notes(entry, name, one, other),
        )
        if isinstance(difference, Unknown) and difference.value == difference.value:  # nothing varies
            if counted and abs(difference.value) <= ROUNDING * abs(first.value):
                return Certain((SAME_WHATEVER_IS_PREDICTED,))
            apart = independent(first, second, span(entry.range))
            return Split(apart, (AS_INDEPENDENT,)) if apart.has_interval else difference
        if not isinstance(difference, Normal):
            return difference
        return self._of_areas(difference, one) if area else replace(difference, covariance=None)

    @listed(
        "test",
        "tm.compare(..., method='delong')",
        name="delong",
        aka=("roc_test", "comparison_of_areas", "delong_test_of_two_areas"),
        command="tallymark compare --method delong",
    )
    def _of_areas(self, difference: Normal, one: Model) -> Evidence:
        """The difference of two areas on the same cases; the published test for the method "delong".

        Source: DeLong, DeLong and Clarke-Pearson (1988).
        """
        assert difference.covariance is not None
        (a, b), (_, d) = difference.covariance
        plain = self.options.method == "delong" and one.clusters is None and a + d - 2 * b > 0
        return replace(difference, error=float(np.sqrt(a + d - 2 * b)), df=np.inf) if plain else difference

    def _influences(self, name: str, model: int, reference: int) -> list[np.ndarray] | None:
        """The influence values of each case on both models' measures; None where they are not known."""
        if name == "roc_auc":
            return [self._areas[i] for i in (model, reference)]
        first = self.models[model].influence(*entry_of(self.models[model], name))
        if self._of_reference.get(name, (None,))[0] != reference:
            other = self.models[reference]
            self._of_reference[name] = reference, other.influence(*entry_of(other, name))
        second = self._of_reference[name][1]
        return None if first is None or second is None else [first, second]

    @cached
    def _areas(self) -> np.ndarray:
        """The influence values on the areas of all models, which are also tested together."""
        values: Any = kernels.each(
            lambda i: self.models[i].influence(*entry_of(self.models[i], "roc_auc")), len(self.models)
        )
        return np.stack(values)

    @property
    def covariance_of_areas(self) -> np.ndarray:
        """The covariance of the areas of all models."""
        of_areas: np.ndarray = covariance(self._areas, self.sampling, by_class=True)[0]
        return of_areas

    def _notes(self, entry: Measure, name: str, one: Model, other: Model) -> Notes:
        apart = int(np.count_nonzero(one.differing(other, entry)))
        few = Note("few-differ", cases=apart, of=one.number) if apart < FEW_DISCORDANT else None
        of_classes = [
            note
            for each in (one, other)
            for note in each.evaluation[name].notes
            if note.code in ("undefined-classes", "class-with-few-cases")
        ]
        highest = max(each.evaluation[name].value for each in (one, other))
        ranked = entry.summary in (RankingTable, ClassScores) and entry.range == (0.0, 1.0)
        best = AREA_OF_ONE if ranked and entry.better == "higher" and highest == 1 else None
        return joined(*few_of(one, few), best, *dict.fromkeys(of_classes))

    # By the number of discordant cases
    # ----------------------------------------------------------------------------------------------

    def _shares(self, entry: Measure, one: Model, other: Model) -> Evidence:
        """Tango's interval, for measures that are proportions of the same cases for both models."""
        if entry.summary is ConfusionMatrix:
            parts = [one.right & ~other.right, ~one.right & other.right, np.ones(one.number, bool)]
            b, c, n = (np.bincount(one.truth, part) for part in parts)
            return self._discordant(*((b, c) if entry.name == "accuracy" else (c, b)), n)
        cases, (above, below) = self._pair(one, other).weight, parts_of(entry.function)
        first, second = (above[cells] for cells in CELLS_OF_PAIR)
        cases = cases * below[CELLS_OF_PAIR[0]]
        parts = [cases * (first > second), cases * (first < second), cases]
        return self._discordant(*(part.reshape(2, 4).sum(1) for part in parts))

    def _discordant(self, b: np.ndarray, c: np.ndarray, n: np.ndarray) -> Evidence:
        """b, c: by class the cases that the first model alone, or the second alone, has; n: all."""
        b, c, n = (part[n > 0] for part in (b, c, n))
        apart, number = int(b.sum() + c.sum()), int(n.sum())
        few = joined(Note("few-differ", cases=apart, of=number) if apart < FEW_DISCORDANT else None)
        if self.options.fixed and len(n) > 1:
            return DiscordantByClass(tuple(b), tuple(c), tuple(n), few)
        return Discordant(int(b.sum()), int(c.sum()), number, few)

    # By resamples
    # ----------------------------------------------------------------------------------------------

    @cached
    def _ordered(self) -> list[Model]:
        """The models with their cases in the order in which they are drawn."""
        return ordered(self.models) if self.models[0].cases is not None else list(self.models)

    @cached
    def _replicates(self) -> dict[str, np.ndarray]:
        """By measure, (models, replicates): the values in resamples, the same for all models."""
        models, first = self._ordered, self._ordered[0]
        names = [name for name in self.names if _resampled(models[0].evaluation.entry(name), first)]
        statistics: Any = [
            [
                (_resampled(entry, model), parameters)
                for entry, parameters in (entry_of(model, n) for n in names)
            ]
            for model in models
        ]
        cases = [model.resampled for model in models]
        limits = [model.limit if model.cases is not None else None for model in models]
        same = all(part == statistics[0] for part in statistics)
        parts = [
            replicates(row, cases if same else [cases[i]], self.options.draws,
                       thresholds=limits if same else [limits[i]],
                       clusters=first.clusters, progress=self.options.progress)
            for i, row in enumerate(statistics[:1] if same else statistics)
        ]  # fmt: skip
        values = np.concatenate(parts)
        return {name: values[:, i] for i, name in enumerate(names)}

    def _bootstrap(self, name: str, model: int, reference: int) -> Evidence:
        one, other = self.models[model], self.models[reference]
        entry, value = entry_of(one, name)[0], one.evaluation[name].value - other.evaluation[name].value
        if _resampled(entry, one) is None:
            known = [each.evaluation[name].notes for each in (one, other)]
            return Unknown(next((notes for notes in known if notes), (NOT_KNOWN,)))
        if one.cases is None and self.options.fixed:
            return Unknown((NOT_KEPT,))
        drawn, kind = self._replicates[name], entry.interval.kind if entry.interval is not None else None
        evidence = of_replicates(
            value, drawn[model], drawn[reference], self.options.resampling or "bootstrap", deciding(one)
        )
        units, few = deciding(one), None
        if one.clusters is not None and units <= FEW_DEGREES:
            few = Note("few-deciding", cases=units - 1, of="clusters")
        return with_note(evidence, joined(*few_of(one, few, GROWS if kind in GROWING else None)))


def _of_counts(function: Any, sampling: Sampling, cells: np.ndarray) -> np.ndarray:
    """The influence values of a measure of four counts in the cells of a pair of models.

    Half a case is added to each count where one is empty.
    """
    counts = np.bincount(cells, sampling.weight, 4)
    if not counts.all():
        counts += sampling.squares.sum() / sampling.total / 2
    of_cells: np.ndarray = influence.of_counts(function, counts).values[cells]
    return of_cells


def _resampled(entry: Measure, model: Model) -> Measure | None:
    """The measure of the scores that are resampled; None if there is none.

    For a score per class that of the highest one.
    """
    if model.cases is not None:
        return entry
    if entry.summary is not ClassScores or entry.interval is None or entry.interval.kind not in GROWING:
        return None
    return next((one for one in registry.find(RankingTable) if one.interval == entry.interval), None)


def pairs_of(names: Sequence[str], reference: Any) -> list[tuple[int, int]]:
    """The indices of model and reference in each pair."""
    if reference is None:
        return [(i, 0) for i in range(1, len(names))]
    # the label of a sample may be a number
    known = reference if isinstance(reference, str) else str(reference)
    if known == ALL and ALL not in names:
        return [(j, i) for i in range(len(names)) for j in range(i + 1, len(names))]
    place = names.index(validate.choice(known, names, "reference"))
    return [(i, place) for i in range(len(names)) if i != place]


def differences_of(
    study: Differing,
    pairs: Sequence[tuple[int, int]],
    hypothesis: str | None,
    margins: Mapping[str, float],
    adjust: Adjustment,
) -> tuple[Difference, ...]:
    """The differences of all measures in these pairs."""
    models, names, options = study.models, study.names, study.options
    kernels.each(lambda i: models[i].evaluation.add_up(names), len(models))

    def of_measure(i: int) -> list[Difference]:
        return [_difference(study, names[i], pair, hypothesis, margins) for pair in pairs]

    with once_for_all_threads():
        # resamples and permutations are those of all measures, and report their progress
        several = models[0].evaluation.data.rows > kernels.MANY and not (
            options.resampling or options.permutes
        )
        differences = list(chain.from_iterable(kernels.each(of_measure, len(names), several)))
    p_values = adjusted([difference.p_value for difference in differences], adjust).tolist()
    return tuple(replace(each, adjusted=p) for each, p in zip(differences, p_values, strict=True))


def _difference(
    study: Differing,
    name: str,
    pair: tuple[int, int],
    hypothesis: str | None,
    margins: Mapping[str, float],
) -> Difference:
    model, reference = pair
    one, other, options = study.models[model], study.models[reference], study.options
    values = one.evaluation[name], other.evaluation[name]
    value, entry = values[0].value - values[1].value, one.evaluation.entry(name)
    evidence = with_width(study.evidence(name, model, reference), value, options.level)
    if options.fixed and any(
        depends_on_mix(partial(entry.function, **entry_of(each, name)[1]), each.evaluation.summary_of(name))
        for each in (one, other)
    ):
        evidence = with_note(evidence, GIVEN_MIX)
    estimate = estimate_of(value, evidence, options.level, span(entry.range))
    p, test = float(evidence.p_at(0.0)), evidence.method
    decision = None
    if hypothesis is not None and name in margins:
        decision = decision_of(hypothesis, margins[name], entry.better, estimate, evidence, options.level)
    return Difference(name, one.name, other.name, estimate, p, p, test, values, evidence, decision)
