"""Differences of models in groups of the cases and over folds, and whether they are the same in all groups.

Groups have other cases, so that the intervals of their differences hold together by Sidak's level. That a
difference is the same in all groups is tested by Welch's test for unequal variances (1951), and where some
units have cases in several groups by Wald's test with F, from the covariance of the influence values by unit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from math import exp, inf, isnan, nan
from typing import Any

import numpy as np

from ...evaluation.arguments import EvaluationOptions
from ...evaluation.folds.table import check_options, in_several_folds, trained_of, value_of
from ...evaluation.notices import Notice
from ...evaluation.paired.comparison import ComparisonOptions, Difference, ModelContrasts, differences_of
from ...evaluation.paired.models import models_of
from ...inference import Estimate
from ...inference.contrast import Evidence, Normal, Ratio, Unknown, equal, span
from ...inference.covariance import correlations
from ...inference.hypothesis import Test, adjusted, not_made
from ...inference.over_folds import NO_DIFFERENCE, less, mean_over_folds
from ...input.errors import InputError
from ...input.messages import Note, joined
from ...input.names import listed
from ...input.options import Adjustment
from ...input.sample import Array, Index, Sample, name_of_units
from ...input.spelling import option

FEW_GROUPS = Note("interaction-of-one-group")
MOST_FREEDOM = 1e9  # of Student's t, which is then normal
Pairs = Sequence[tuple[int, int]]


class FoldContrasts(ModelContrasts):
    """Models in the mean over folds, with the error of Nadeau and Bengio (2003), and their differences.

    Ratios are of geometric means.
    """

    folds: Index
    shares: Array
    part: Callable[[Array], ModelContrasts]

    @classmethod
    def of(
        cls, study: ModelContrasts, folds: Index, shares: Array, part: Callable[[Array], ModelContrasts]
    ) -> FoldContrasts:
        """The same models and measures. shares: of each fold the ratio of test to training cases."""
        found = cls(study.models, study.names, study.options)
        found.folds, found.shares, found.part = folds, shares, part
        found.assumes = f"{study.assumes}; each model trained on the cases of the other folds"
        return found

    @cached_property
    def values(self) -> dict[str, Array]:
        """By measure the value of each model in each fold, NaN where it is not defined."""
        found = {name: np.full((len(self.models), len(self.folds.labels)), nan) for name in self.names}
        for i in np.unique(self.folds.codes):
            models = self.part(np.flatnonzero(self.folds.codes == i)).models
            for name, values in found.items():
                values[:, i] = [value_of(model.evaluation, name) for model in models]
        return found

    def estimate(self, name: str, model: int) -> Estimate:
        mean = mean_over_folds(self.values[name][model], self.shares)
        return mean.estimate(self.models[model].evaluation.entry(name).range, self.options.level)

    def apart(self, name: str, model: int, reference: int) -> float:
        return float(self.evidence(name, model, reference).value)

    def evidence(self, name: str, model: int, reference: int) -> Evidence:
        first, second = (self.values[name][i] for i in (model, reference))
        ends, ratio = span(self.models[model].evaluation.entry(name).range), self.options.scale
        if ratio:
            ends = (-inf, inf)
            with np.errstate(divide="ignore", invalid="ignore"):
                first, second = np.log(first), np.log(second)
        found = mean_over_folds(less(first, second), self.shares)
        if found.value != found.value:
            return Unknown((NO_DIFFERENCE,))
        estimate = found.estimate(ends, self.options.level, NO_DIFFERENCE, True)
        if not estimate.has_interval:
            return Unknown(estimate.notes, value=exp(found.value) if ratio else found.value)
        evidence = Normal(found.value, found.error, found.method, ends, found.df, estimate.notes)
        return Ratio(evidence) if ratio else evidence

    def _between(self, name: str) -> Any:
        return None


class Parts:
    """The groups and the folds of the cases of a comparison, and the differences of the models there."""

    def __init__(self, study: ModelContrasts, options: EvaluationOptions):
        self.whole, self.options = study, replace(options, rule=None)
        sample = study.models[0].sample
        assert sample is not None
        self.sample: Sample = sample
        self.groups, self.folds = sample.index.get("group"), sample.index.get("fold")
        self.shares: Array | None = None
        if self.folds is not None:
            check_options(self.options)
            if study.options.method != "auto":
                problem = "means over folds have the corrected resampled t"
                raise InputError("unsupported", "method", problem, f"leave it, or {option('fold')}, out")
            self.shares = self.folds.numbers / trained_of(self.folds)
        self.limits = {one.name: one.limit if one.ranking is not None else None for one in study.models}

    @property
    def notices(self) -> tuple[Notice, ...]:
        """That clusters, or persons, have cases in several folds."""
        units = self.sample.units
        crossed = 0 if self.folds is None else in_several_folds(units, self.folds)
        if units is None or not crossed:
            return ()
        return (Notice("clusters-in-several-folds", clusters=crossed, of=name_of_units(units)),)

    @cached_property
    def units(self) -> dict[str, Array]:
        """By group the units of its cases; empty where none has cases in several groups, and over folds."""
        units = self.sample.units
        if units is None or self.groups is None or self.folds is not None:
            return {}
        found = {name: units[..., self.groups.rows(i)] for i, name in enumerate(self.groups.names)}
        each = [np.unique(some) for some in found.values()]
        return found if sum(map(len, each)) > len(np.unique(np.concatenate(each))) else {}

    def study(self, rows: Array | None, options: ComparisonOptions, by_folds: bool = True) -> ModelContrasts:
        """The models on these cases, or on all; in the mean over folds where there are any."""
        if rows is None:
            found = self.whole
        else:
            models = models_of(self.sample.take(rows), self.options, self.limits)
            models = [replace(m, source=w.source) for m, w in zip(models, self.whole.models, strict=True)]
            found = ModelContrasts(models, self.whole.names, options)
        if self.folds is None or self.shares is None or not by_folds:
            return found
        every = np.arange(len(self.sample)) if rows is None else rows
        folds = replace(self.folds, codes=self.folds.codes[every])
        return FoldContrasts.of(found, folds, self.shares, partial(self._of_fold, every, options))

    def _of_fold(self, every: Array, options: ComparisonOptions, rows: Array) -> ModelContrasts:
        """The models on some of these cases."""
        return self.study(every[rows], options, by_folds=False)

    def differences(
        self, index: Index, key: str, pairs: Pairs, adjust: Adjustment, chosen: bool
    ) -> tuple[tuple[Difference, ...], list[ModelContrasts]]:
        """The differences in each group, or fold, with intervals that hold together, and their studies.

        key: "group" or "fold".
        """
        level = self.whole.options.level ** (1 / len(index.labels))
        options = replace(self.whole.options, level=level)
        studies = [
            self.study(index.rows(i), options, by_folds=key == "group") for i in range(len(index.labels))
        ]
        each = [differences_of(one, pairs, None, {}, adjust, chosen) for one in studies]
        found = [
            replace(one, group=name) if key == "group" else replace(one, fold=name)
            for name, some in zip(index.names, each, strict=True)
            for one in some
        ]
        together = None
        if chosen and len(self.whole.models) > 2:
            together = [f"{one.measure} {getattr(one, key)}" for one in found]
        p_values = adjusted([one.p_value for one in found], adjust, together).tolist()
        return tuple(replace(one, adjusted=p) for one, p in zip(found, p_values, strict=True)), studies


@listed(
    "test",
    "tm.compare(..., by='site').tests",
    name="interaction",
    aka=("welch_anova", "effect_modification"),
    command="tallymark compare --by site",
)
def interactions(
    found: Sequence[Difference], studies: Mapping[str, ModelContrasts], units: Mapping[str, Array]
) -> tuple[Test, ...]:
    """By measure and pair of models the test that their difference is the same in all groups.

    studies: by group; units: by group the units of its cases, where some have cases in several groups.
    """
    by_row: dict[tuple[str, str, str], list[Difference]] = {}
    for one in found:
        by_row.setdefault((one.measure, one.model, one.reference), []).append(one)
    return tuple(
        _interaction(f"interaction, {measure}: {model} - {reference}", some, studies, units)
        for (measure, model, reference), some in by_row.items()
    )


def _interaction(
    name: str, found: Sequence[Difference], studies: Mapping[str, ModelContrasts], units: Mapping[str, Array]
) -> Test:
    from scipy.special import fdtrc

    known = [(one, evidence) for one in found if (evidence := _additive(one.evidence)).standard_error]
    if len(known) < 2:
        return not_made(name, FEW_GROUPS)
    value, error, freedom = np.array([(e.value, e.standard_error, e.df) for _, e in known]).T
    freedom = np.minimum(freedom, MOST_FREEDOM)
    left = len(found) - len(known)
    note = Note("groups-left-out", groups=left) if left else None
    if units:
        rows = [_influence(one, studies[str(one.group)], units[str(one.group)]) for one, _ in known]
        if any(one is None for one in rows):
            return not_made(name, Note("clusters-in-several-groups"))
        between = correlations(rows, by_class=found[0].measure == "roc_auc")
        chi, df = equal(value, between * np.outer(error, error))
        if isnan(chi):
            return not_made(name, FEW_GROUPS)
        p = float(fdtrc(df, freedom.min(), chi / df)) if df else 1.0
        return Test(name, chi, p, df, joined(note))
    weight = error**-2
    share = weight / weight.sum()
    chi, k = float((weight * (value - share @ value) ** 2).sum()), len(value) - 1
    spread = float(((1 - share) ** 2 / freedom).sum()) / (k * (k + 2))
    f = chi / k / (1 + 2 * (k - 1) * spread)
    return Test(name, chi, float(fdtrc(k, 1 / (3 * spread), f)), k, joined(note))


def _additive(evidence: Any) -> Any:
    """The evidence on the scale on which values are subtracted, with its standard error."""
    while hasattr(evidence, "of"):
        evidence = evidence.of
    return evidence


def _influence(one: Difference, study: ModelContrasts, units: Array) -> Any:
    """The influence values of the cases on a difference, their sampling and the numbers of their units."""
    names = [model.name for model in study.models]
    both: list[Any] = [study.influence(one.measure, names.index(name)) for name in (one.model, one.reference)]
    if any(values is None for values in both):
        return None
    if one.scale:
        both = [v / e.value for v, e in zip(both, one.models, strict=True)]
    return both[0] - both[1], study.sampling, np.unique(units)
