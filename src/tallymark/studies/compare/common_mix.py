"""Models on different cases whose class mix differs, and their differences at a common mix.

Many measures depend on the shares of the classes: such a difference is one of the samples as much as one of
the models. At a common mix the cases of each class have a common weight, so that the classes have the same
shares in every sample; intervals are then for fixed class sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np

from ...evaluation.notices import Notice
from ...evaluation.paired.comparison import Difference
from ...evaluation.results import BinaryEvaluation, Evaluation, MulticlassEvaluation
from ...inference import Estimate
from ...inference.contrast import independent, span
from ...input.messages import Note, joined, of_code
from ...summaries.ranking import Squares

ALARMS = 0.02  # at most so many samples of one class mix are said to differ
SAME = 1e-9  # relative difference of a value that the mix does not change


class CommonMix:
    """Evaluations by the name of their sample: whether class mixes differ, and values at a common one."""

    def __init__(self, evaluations: Mapping[str, Evaluation]):
        self.evaluations = evaluations

    @cached_property
    def shares(self) -> dict[str, dict[Any, float]]:
        """By sample the share of each class; empty where the samples do not have the same classes."""
        found = {name: _shares(e) for name, e in self.evaluations.items()}
        return found if len({frozenset(one) for one in found.values()}) == 1 and all(found.values()) else {}

    @cached_property
    def common(self) -> dict[Any, float]:
        """The share of each class at the common mix: that of all cases together."""
        rows = [e.data.rows for e in self.evaluations.values()]
        labels = next(iter(self.shares.values()))
        return {
            label: float(np.average([one[label] for one in self.shares.values()], weights=rows))
            for label in labels
        }

    @cached_property
    def label(self) -> Any:
        """The class whose share differs most, by intervals that together are wrong in 2 % of samples.

        None where none differs.
        """
        if not self.shares:
            return None
        labels, pairs = list(self.common), list(combinations(self.evaluations, 2))
        labels = labels[-1:] if len(labels) == 2 else labels
        level = 1 - ALARMS / (len(labels) * len(pairs))
        differ = {label: max(self._apart(label, *pair, level) for pair in pairs) for label in labels}
        label = max(differ, key=lambda one: differ[one])
        return label if differ[label] > 0 else None

    def _apart(self, label: Any, first: str, second: str, level: float) -> float:
        """The difference of the shares of a class where its interval excludes 0, else 0."""
        one, other = (_share(self.evaluations[name], label, level) for name in (first, second))
        found = independent(one, other, (-1.0, 1.0))
        return abs(found.value) if found.has_interval and not found.low <= 0 <= found.high else 0.0

    @cached_property
    def _of_common_mix(self) -> dict[str, Evaluation]:
        factors = {
            name: {label: self.common[label] / share for label, share in one.items()}
            for name, one in self.shares.items()
        }
        return {name: _weighted(e, factors[name]) for name, e in self.evaluations.items()}

    def note(
        self, one: str, other: str, difference: float, ends: tuple[float, float],
        measured: Callable[[Evaluation], Estimate],
    ) -> Note | None:  # fmt: skip
        """What the difference would be at the common mix; None where the mix does not change the measure.

        measured: the estimate of an evaluation.
        """
        if self.label is None:
            return None
        first, second = (measured(self._of_common_mix[name]) for name in (one, other))
        found = independent(first, second, ends)
        if any(self.evaluations[name].clusters is not None for name in (one, other)):
            found = Estimate(found.value, level=found.level, undefined=found.undefined)
        if found.undefined or np.isclose(found.value, difference, rtol=SAME, atol=SAME):
            return None
        interval = {"low": found.low, "high": found.high, "level": found.level} if found.has_interval else {}
        return Note(
            "at-common-mix", label=self.label, share=self.common[self.label], value=found.value, **interval
        )

    def notice(self, measures: Sequence[str]) -> Notice:
        """What is said of all measures that depend on the mix."""
        return Notice(
            "class-mix-differs",
            label=self.label,
            samples=tuple(self.shares),
            shares=tuple(one[self.label] for one in self.shares.values()),
            common=self.common[self.label],
            measures=tuple(measures),
        )


def of_mix(found: Estimate) -> Note | None:
    """The note on a difference of a measure that depends on a class mix that differs; None of others."""
    return next(iter(of_code(found.notes, "at-common-mix")), None)


def with_common_mix(
    differences: tuple[Difference, ...], evaluations: Mapping[str, Evaluation]
) -> tuple[tuple[Difference, ...], tuple[Notice, ...]]:
    """Differences of models on different cases, with notes on those that depend on an unlike class mix."""
    mix = CommonMix(evaluations)
    notes = [
        mix.note(
            one.model,
            one.reference,
            one.value,
            _ends(one.measure, evaluations),
            itemgetter(one.measure),
        )
        for one in differences
    ]
    found = tuple(
        one
        if note is None
        else replace(one, estimate=replace(one.estimate, notes=joined(note, one.estimate.notes)))
        for one, note in zip(differences, notes, strict=True)
    )
    named = dict.fromkeys(one.measure for one, note in zip(differences, notes, strict=True) if note)
    return found, (mix.notice(list(named)),) if named else ()


def _ends(measure: str, evaluations: Mapping[str, Evaluation]) -> tuple[float, float]:
    return span(next(iter(evaluations.values())).entry(measure).range)


def _shares(e: Evaluation) -> dict[Any, float]:
    """The share of each class; empty for amounts, for several labels, and where a class has no cases."""
    if isinstance(e, BinaryEvaluation):
        sizes = dict(zip(e.labels, (e.data.negatives or 0.0, e.data.positives or 0.0), strict=True))
    elif isinstance(e, MulticlassEvaluation):
        sizes = dict(zip(e.matrix.labels, e.matrix.weights.sum(1).tolist(), strict=True))
    else:
        return {}
    total = sum(sizes.values())
    return {label: size / total for label, size in sizes.items()} if all(sizes.values()) else {}


def _share(e: Evaluation, label: Any, level: float) -> Estimate:
    """The share of a class with its interval; without one where class weights fix it."""
    if e.mix_fixed_by_weights:
        value = _shares(e)[label]
        return Estimate(value, value, value, level, "fixed by weights")
    e = replace(e, settings=replace(e.settings, level=level, design="cohort"))
    return e.classes[label]["prevalence"] if isinstance(e, MulticlassEvaluation) else e["prevalence"]


def _weighted(e: Evaluation, factors: Mapping[Any, float]) -> Evaluation:
    """The evaluation with the weights of each class times a factor, for fixed class sizes.

    Of clusters, which a table does not hold, values alone.
    """
    changes: dict[str, Any] = {"settings": replace(e.settings, design="case-control"), "clusters": None}
    if isinstance(e, BinaryEvaluation):
        n, p = (factors[label] for label in e.labels)
        counts = replace(e.counts, squares=e.counts.squares or e.counts)
        changes["counts"] = counts.with_class_sizes(counts.positives * p, counts.negatives * n)
        if e.binned is not None:
            changes["binned"] = e.binned.scaled(p, n)
            changes["ranking"] = changes["binned"].ranking
        elif e.ranking is not None:
            t, (yes, no) = e.ranking, e.ranking.squared
            changes["ranking"] = type(t).of(
                t.score, t.positive * p, t.negative * n, Squares(yes * p**2, no * n**2)
            )
        data = e.data.of_classes((e.data.positives or 0) * p, (e.data.negatives or 0) * n)
        return replace(e, data=replace(data, weighted=True, weight_kind="importance"), **changes)
    assert isinstance(e, MulticlassEvaluation)
    of_row = np.array([factors[label] for label in e.matrix.labels])[:, None]
    changes["matrix"] = e.matrix.with_weights(e.matrix.weights * of_row, e.matrix.squared * of_row**2)
    if e.scores is not None:
        s = e.scores
        of_case = np.array([factors[label] for label in s.labels])[s.truth]
        changes["scores"] = type(s)(s.labels, s.truth, s.score, s.weight * of_case, s.affix, "importance")
    return replace(e, data=replace(e.data, weighted=True, weight_kind="importance"), **changes)
