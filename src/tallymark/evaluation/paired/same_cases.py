"""Models on the same cases, which are compared case by case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import inf, isfinite
from typing import Any

import numpy as np

from ... import kernels
from ...inference.clustered_matrix import MOST_CLASSES, TOO_MANY, error_of, influence
from ...inference.hypothesis.evidence import Certain, Evidence, Normal, Split, Unknown, of_replicates
from ...inference.influence_values import (
    freedom_of_squares,
    influence_values,
    known,
    of_answers,
    of_loss,
    standard_error,
    standard_error_of_sample,
)
from ...inference.intervals.differences import independent, span
from ...inference.intervals.discordant import Discordant, DiscordantByClass
from ...inference.intervals.paired import Areas, areas, areas_of_placements, placements
from ...inference.replicates import replicates
from ...input.messages.notes import Note, joined
from ...input.validate import InputError
from ...measures.registry import Measure
from ...summaries import ConfusionMatrix, Counts, RankingTable
from ...summaries.cached import cached
from .chosen import chosen_here
from .models import Model, ordered
from .study import (
    ENOUGH,
    Asked,
    clusters_of,
    deciding,
    entry_of,
    few_of,
    of_one_case_here,
    success,
    unknown,
    with_note,
    without_interval,
)
from .swapping import of_ranks, swapped

ROUNDING = 1e-9  # of a standard error
FEW_DISCORDANT = 10
MANY_CASES = 1 << 21  # more than these, and standard errors of differences come from a random sample
SAMPLED = 1 << 19  # cases of each class in it
# degrees of freedom of a variance from the sample; with fewer, such as for models that differ in few cases,
# all cases are taken
LEAST_FREEDOM = 20_000
GROWING = (
    "largest", "bins", "bins-of-equal-mass", "bins-of-answers", "bins-of-answers-of-equal-mass",
    "bins-between", "miscalibration", "discrimination",
)  # kinds of intervals of measures that few cases make larger on average  # fmt: skip
GROWS = Note("bias-of-both")
NO_SPREAD = Note("every-case-alike")
SAME_SCORES = Note("same-scores")
SAME_RANKS = Note("same-ranks")
SAME_ANSWERS = Note("same-answers")


class SameCases:
    """Two models or more on the same cases."""

    paired = True

    def __init__(self, models: Sequence[Model], names: Sequence[str], asked: Asked):
        self.models, self.names, self.asked = models, names, asked
        self._of_reference: dict[Measure, Any] = {}  # the model, and its influence values
        self._tallies: dict[tuple[str, str], np.ndarray] = {}
        if (asked.resampling or asked.permutes) and any(model.cases is None for model in models):
            raise InputError(
                "unsupported",
                "method",
                f"{asked.method!r} needs two classes",
                "leave it out: with more classes every measure has its method",
            )

    @cached
    def _ordered(self) -> list[Model]:
        """The models with their cases in the order in which they are drawn."""
        return ordered(self.models)

    @property
    def _classes(self) -> np.ndarray | None:
        """The class of each case where the class sizes are fixed; None where they vary."""
        return self.models[0].truth if self.asked.fixed else None

    @cached
    def _sampled(self) -> tuple[Sequence[Model], np.ndarray | None]:
        """The models on a random sample of the cases, and the number of cases that each of it stands for.

        At most 2^19 of each class are drawn, without replacement, with the seed of the resamples. A standard
        error from them has a relative simulation error of 1 / sqrt(2 df), df by the fourth moment: 0.07 % for
        normal contributions, 0.1 to 0.4 % for usual models, and at most 0.5 %, since a difference with fewer
        than 20,000 degrees of freedom takes all cases. All cases, and None, up to 2^21 of them, and
        with weights or clusters.
        """
        one = self.models[0]
        plain = one.weight is None and one.clusters is None
        if not plain or len(one.truth) <= MANY_CASES or any(model.cases is None for model in self.models):
            return self.models, None
        sizes = one.sizes
        random, drawn = np.random.default_rng(self.asked.draws.seed), np.minimum(sizes, SAMPLED)
        rows = np.concatenate(
            [
                random.choice(np.flatnonzero(one.truth == code), drawn[code], replace=False, shuffle=False)
                for code in (0, 1)
            ]
        )
        rows.sort()
        times = (sizes / np.maximum(drawn, 1))[one.truth[rows]]
        return kernels.each(lambda i: self.models[i].sample(rows, times), len(self.models)), times

    @property
    def assumes(self) -> str:
        apart = "cases" if self.models[0].clusters is None else "clusters"
        return f"{apart} independent of one another; the same cases for all models"

    def evidence(self, name: str, model: int, reference: int) -> Evidence:
        """The evidence on the difference of two models."""
        one, other = self.models[model], self.models[reference]
        first, second = one.evaluation[name], other.evaluation[name]
        entry, _ = entry_of(one, name)
        value = first.value - second.value
        reason = without_interval(one, other, name)
        if reason:
            return Unknown(reason)
        same = self._same(entry, one, other, value)
        if same:
            return Certain((same,))
        why = chosen_here(one, other, name) or of_one_case_here(one, other, name)
        if why:
            return Unknown((why,))
        if self.asked.permutes:
            parameters = entry_of(one, name)[1]
            one, other = self._ordered[model], self._ordered[reference]
            return swapped(entry, parameters, one, other, self.asked.draws, self.asked.progress)
        if entry.name == "roc_auc" and not self.asked.resampling:
            return self._delong(model, reference, name)
        if not self.asked.resampling and one.clusters is None and one.weight is None:
            shares = self._shares(entry, one, other)
            if shares:
                return shares
        if entry.summary is ConfusionMatrix:
            return self._of_matrices(entry, one, other, value)
        closed = None if self.asked.resampling else self._of_influences(entry, model, reference, value)
        return closed or self._bootstrap(name, model, reference, value)

    def _same(self, entry: Measure, one: Model, other: Model, value: float) -> Note | None:
        """The note where no case distinguishes the two models, else None."""
        scored = one.ranking is not None
        if not scored:
            return SAME_ANSWERS if np.array_equal(one.answers, other.answers) else None
        if not value and one.limit == other.limit and np.array_equal(one.cases.score, other.cases.score):
            return SAME_SCORES
        if value or entry.summary is not RankingTable:
            return None  # predictions of other cases may differ
        if not np.array_equal(one.cases.place, other.cases.place):
            return None
        return SAME_RANKS if of_ranks(entry, entry_of(one, entry.name)[1], one.cases) else None

    # The area
    # ----------------------------------------------------------------------------------------------

    @cached
    def areas(self) -> Areas:
        """DeLong's covariance of the areas, from a sample of many cases."""
        models, times = self._sampled
        if times is not None:
            positive, truth = models[0].cases.positive, models[0].truth
            ones, per_case = np.ones(len(times)), (times.sum() / np.bincount(truth, times))[truth]
            shares = kernels.each(lambda i: placements(positive, models[i].cases.place, ones), len(models))
            if all(
                _precise(*standard_error_of_sample((one - other) * per_case, times, truth, True))
                for one, other in combinations(shares, 2)
            ):
                sample = areas_of_placements(positive, shares, ones)
                assert sample.of_classes is not None
                parts = sample.of_classes / np.array([times[positive][0], times[~positive][0]])[:, None, None]
                value = np.array([model.evaluation["roc_auc"].value for model in self.models])
                return replace(sample, value=value, covariance=parts.sum(0), of_classes=parts)
        first = self.models[0]
        ranked = kernels.each(lambda i: self.models[i].cases.place, len(self.models))
        return areas(first.cases.positive, ranked, first.weight, first.clusters)

    def _delong(self, model: int, reference: int, name: str) -> Evidence:
        value, error = self.areas.difference(model, reference)
        one, other = self.models[model], self.models[reference]
        if error > ROUNDING:
            ends = Note("area-of-one") if max(self.areas.value[[model, reference]]) == 1 else None
            freedom = self._freedom_of_areas(model, reference)
            method = "delong" if one.clusters is None else "delong-clustered"
            covariance = self.areas.covariance_of(model, reference)
            return Normal(value, error, method, df=freedom, notes=few_of(one, ends), covariance=covariance)
        found = independent(one.evaluation[name], other.evaluation[name])
        alone = "case" if one.clusters is None else "cluster"
        note = Note(
            "delong-without-spread",
            of_a_single=alone if error != error else None,
            interval=found.has_interval,
        )
        return Split(found, (note,)) if found.has_interval else Unknown((note,))

    def _freedom_of_areas(self, model: int, reference: int) -> float:
        """The degrees of freedom for a difference of areas.

        With clusters from their effective number; infinite for the published test, by the method "delong".
        """
        if self.models[model].clusters is not None:
            return _freedom(self.models[model], by_class=True)
        return inf if self.asked.method == "delong" else self.areas.degrees_of_freedom(model, reference)

    # Shares of cases
    # ----------------------------------------------------------------------------------------------

    def _shares(self, entry: Measure, one: Model, other: Model) -> Evidence | None:
        """Tango's interval, for measures that are proportions of the same cases for both models."""
        if entry.name in ("accuracy", "error_rate") and entry.summary is ConfusionMatrix:
            first, second = one.right, other.right
            parts = [first & ~second, ~first & second, np.ones(len(first), bool)]
            b, c, n = (np.bincount(one.truth, part) for part in parts)
            return self._discordant(*((b, c) if entry.name == "accuracy" else (c, b)), n)
        adds = success(entry)
        if adds is None:
            return None
        tp, fp, fn, tn = adds
        if (tp == fn or tp != tp) and (fp == tn or fp != fp):
            return Certain((Note("same-whatever-is-predicted"),))
        # by class, and by the predictions of both models
        first, second = np.array([[tn, fp], [fn, tp]])[:, :, None], np.array([[tn, fp], [fn, tp]])[:, None]
        cases = self._tally(one, other)
        b, c = (cases * (first > second)).sum((1, 2)), (cases * (first < second)).sum((1, 2))
        return self._discordant(b, c, cases.sum((1, 2)) * (first == first)[:, 0, 0])

    def _tally(self, one: Model, other: Model) -> np.ndarray:
        """The number of cases by class, prediction of the one, and of the other model: shape (2, 2, 2)."""
        names = one.name, other.name
        if names not in self._tallies:
            cell = 4 * one.truth + 2 * one.answers + other.answers
            self._tallies[names] = np.bincount(cell, minlength=8).reshape(2, 2, 2).astype(float)
        return self._tallies[names]

    def _discordant(self, b: np.ndarray, c: np.ndarray, n: np.ndarray) -> Evidence:
        """b, c: by class the cases that the first model alone, or the second alone, has; n: all."""
        b, c, n = (part[n > 0] for part in (b, c, n))
        apart = int(b.sum() + c.sum())
        few = joined(Note("few-discordant", cases=apart) if apart < FEW_DISCORDANT else None)
        if self.asked.fixed and len(n) > 1:
            return DiscordantByClass(tuple(b), tuple(c), tuple(n), few)
        return Discordant(int(b.sum()), int(c.sum()), int(n.sum()), few)

    # Means over the cases
    # ----------------------------------------------------------------------------------------------

    def _of_influences(self, entry: Measure, model: int, reference: int, value: float) -> Evidence | None:
        """The evidence from the differences of the influence values of each case.

        For a mean of losses all cases count, those with large differences most, which gives the degrees of
        freedom; for other measures these come from the smaller class, or the rarer prediction. None where the
        influence values are not known. Source: Diebold and Mariano (1995).
        """
        one, other = self.models[model], self.models[reference]
        found = self._error(entry, model, reference)
        if found is None:
            return None
        error, freedom = found
        if error != error:
            return Unknown((Note("no-spread"),))
        if not error > ROUNDING * max(1.0, abs(value)):
            return unknown(NO_SPREAD, value)
        few = None
        if not of_loss(entry):
            freedom, few = (
                min(freedom, self._decisive(entry, one, other) - 1),
                self._few_answers(entry.name, model, reference),
            )
        method = ("paired-mean" if of_loss(entry) else "paired-delta") + (
            "" if one.clusters is None else "-clustered"
        )
        return Normal(value, error, method, span(entry.range), max(freedom, 1.0), few_of(one, few))

    def _error(
        self, entry: Measure, model: int, reference: int, sampled: bool = True
    ) -> tuple[float, float] | None:
        """The standard error of a difference, and its degrees of freedom.

        sampled: from a sample of many cases, where this is precise.
        """
        one = self.models[model]
        models, times = self._sampled if sampled else (self.models, None)
        numbers, of_reference = [model], (reference, times is None)
        if self._of_reference.get(entry, [None])[0] != of_reference:
            numbers.append(reference)
        first, *new = kernels.each(
            lambda i: _influences(
                entry, entry_of(self.models[numbers[i]], entry.name)[1], models[numbers[i]]
            ),
            len(numbers),
        )
        if new:
            self._of_reference[entry] = of_reference, new[0]
        second = self._of_reference[entry][1]
        if first is None or second is None:
            return None
        first = first - second
        if times is None:
            error, freedom = standard_error(first, one.weight, self._classes, one.clusters)
            if of_loss(entry) and one.clusters is None:
                freedom = min(freedom, freedom_of_squares(first, one.weight, self._classes))
        else:
            error, freedom = standard_error_of_sample(first, times, models[model].truth, self.asked.fixed)
            if not _precise(error, freedom):
                return self._error(entry, model, reference, sampled=False)
        return error, freedom

    @staticmethod
    def _decisive(entry: Measure, one: Model, other: Model) -> float:
        """The number of cases that the difference rests on."""
        cases = deciding(one)
        return min(cases, *map(_rarest_answer, (one, other))) if entry.summary is Counts else cases

    # Everything else
    # ----------------------------------------------------------------------------------------------

    @cached
    def _replicates(self) -> dict[str, np.ndarray]:
        """By measure, (models, replicates): the values in resamples, the same for all models."""
        models = self._ordered
        first = models[0]
        cases = [model.cases for model in models if model.cases is not None]
        limits = [model.limit for model in models]
        asked = [[entry_of(model, name) for name in self.names] for model in models]
        alike = all(part == asked[0] for part in asked)
        rows = [asked[0]] if alike else asked
        parts = [
            replicates(row, cases if alike else [cases[i]], self.asked.draws,
            thresholds=limits if alike else [limits[i]],
                       clusters=first.clusters, progress=self.asked.progress)
            for i, row in enumerate(rows)
        ]  # fmt: skip
        found = np.concatenate(parts)
        return {name: found[:, i] for i, name in enumerate(self.names)}

    def _bootstrap(self, name: str, model: int, reference: int, value: float) -> Evidence:
        found = self._replicates[name]
        evidence = of_replicates(
            value,
            found[model],
            found[reference],
            self.asked.resampling or "bootstrap",
            deciding(self.models[model]),
        )
        made = self.models[model].evaluation.entry(name).interval
        grows = GROWS if made is not None and made.kind in GROWING else None
        return with_note(
            evidence, few_of(self.models[model], self._few_answers(name, model, reference), grows)
        )

    def _few_answers(self, name: str, model: int, reference: int) -> Note | None:
        one, other = self.models[model], self.models[reference]
        if entry_of(one, name)[0].summary is not Counts:
            return None
        apart = int(np.count_nonzero(one.answers != other.answers))
        if apart < FEW_DISCORDANT:
            return Note("few-answered-differently", cases=apart)
        rarest = min(map(_rarest_answer, (one, other)))
        return Note("few-of-an-answer", limit=ENOUGH) if rarest < ENOUGH else None

    def _of_matrices(self, entry: Measure, one: Model, other: Model, value: float) -> Evidence:
        """The evidence by the delta method, from the differences of the influence values of each case."""
        size = max(len(one.matrix), len(other.matrix))
        if size > MOST_CLASSES:
            return Unknown((TOO_MANY,))
        weight = np.ones(len(one.truth)) if one.weight is None else one.weight
        function = partial(entry.function, **entry_of(one, entry.name)[1])
        first, second = (influence(function, model.of_matrix, weight) for model in (one, other))
        if self.asked.fixed:
            error, _ = standard_error(first - second, weight, one.truth)
        else:
            error = error_of((first - second) * weight, one.clusters) / weight.sum()
        if not error > ROUNDING:
            return unknown(NO_SPREAD, value)
        return Normal(value, error, "delta", span(entry.range), _freedom(one), few_of(one))


def _precise(error: float, freedom: float) -> bool:
    """Whether a standard error from a sample, with these degrees of freedom, is near that of all cases."""
    return error > 0 and freedom >= LEAST_FREEDOM


def _rarest_answer(model: Model) -> float:
    """The effective number of cases with the rarer of the two predictions."""
    return float(model.answered.min())


def _influences(entry: Measure, parameters: dict[str, Any], model: Model) -> np.ndarray | None:
    """The influence values of a measure of scores, or of predictions if its range is finite.

    None where they are not known.
    """
    if known(entry):
        return influence_values(entry, parameters, model.cases)
    if entry.summary is not Counts or not isfinite(span(entry.range)[1]):
        return None
    return of_answers(
        partial(entry.function, **parameters), model.truth == 1, model.answers == 1, model.weight
    )


def _freedom(model: Model, by_class: bool = False) -> float:
    """Degrees of freedom of Student's t, from the effective number of clusters.

    Source: Carter, Schnepel and Steigerwald (2017).
    """
    return inf if model.clusters is None else max(clusters_of(model, by_class).effective - 1, 1.0)
