"""Differences of groups from all cases, from one group, or between each two, with simultaneous intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ... import kernels
from ...inference import Estimate, estimate_each, influence
from ...inference.covariance import Sampling, correlation
from ...inference.intervals.differences import independent, span
from ...inference.intervals.part_of_whole import Whole, by_share, correlated
from ...input.messages import Note
from ...input.results import Result, Tabular, rows_of
from ...input.sample import Array
from ...summaries import Counts
from ..results import BinaryEvaluation, Evaluation

CROSSED = Note("clusters-in-several-groups")
RESAMPLED = "bootstrap"  # in the names of methods
T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class GroupDifference(Result):
    """The value of a group less that of the reference.

    Attributes
    ----------
    measure, group : str
        Their names.
    reference : str or None
        The other group; None for all cases.
    estimate : Estimate
        The difference. Its level is that of the single interval, so that all of them hold together.
    """

    measure: str
    group: str
    reference: str | None
    estimate: Estimate

    @property
    def value(self) -> float:
        return self.estimate.value

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval excludes 0."""
        return self.estimate.has_interval and not self.estimate.low <= 0 <= self.estimate.high

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values."""
        named = {"measure": self.measure, "group": self.group, "reference": self.reference}
        return {**named, **self.estimate.to_dict()}


@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferences(Tabular, Sequence[GroupDifference]):
    """Differences between groups, with intervals that hold together.

    Attributes
    ----------
    found : tuple of GroupDifference
        The differences.
    level : float
        The confidence that all intervals contain their differences.
    level_of_each : float
        The level of each of them, level ** (1 / number): Sidak's adjustment.

    Notes
    -----
    With two-sided intervals of values that are jointly normal the confidence is at least `level`, whatever
    their correlation (Sidak, 1967, Journal of the American Statistical Association 62, 626-633).
    """

    FORM = "groups.group_differences"
    METHOD = "sidak"

    found: tuple[GroupDifference, ...]
    level: float
    level_of_each: float

    def __getitem__(self, place: Any) -> Any:
        return self.found[place]

    def __len__(self) -> int:
        return len(self.found)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per difference, as plain values."""
        return rows_of(_row(one) for one in self.found)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values: how the intervals are simultaneous, and the differences."""
        return {
            "simultaneous": {
                "method": self.METHOD,
                "comparisons": len(self),
                "level": self.level,
                "level_of_each": self.level_of_each,
            },
            "found": [one.to_dict() for one in self.found],
        }

    def __repr__(self) -> str:
        return f"<GroupDifferences: {len(self)}, simultaneous at {self.level:g} ({self.METHOD})>"


def _row(one: GroupDifference) -> dict[str, Any]:
    return {"measure": one.measure, "group": one.group, "reference": one.reference, **one.estimate.plain}


@dataclass(frozen=True, eq=False)
class Compared:
    """Groups and all cases, at the level of a single interval.

    groups: by name the evaluation; whole: that of all cases; level: of each interval; units: by the name of a
    group the units of its cases, by None those of all, empty where cases are independent; crossed: whether
    units have cases in several groups.
    """

    groups: Mapping[str, Evaluation]
    whole: Evaluation
    level: float
    units: Mapping[str | None, Array]
    crossed: bool
    _found: dict[tuple[str, str], Estimate] = field(default_factory=dict)
    _wholes: dict[str, Whole] = field(default_factory=dict)
    _influence: dict[tuple[str, str | None], Any] = field(default_factory=dict)

    def of_whole(self, name: str, measure: str) -> Estimate:
        """The value of a group less that of all cases."""
        part, whole, e = self._estimate(name, measure), self._whole(measure), self.groups[name]
        ends, share = span(e.entry(measure).range), e.data.rows / self.whole.data.rows
        if not self.units:
            return whole.less(e.summary_of(measure), part, share, ends)
        known = self._correlation(measure, name, None)
        if known is None and self.crossed:
            return _without(part, whole.found, CROSSED)
        known = by_share(part, whole.found, share) if known is None else known
        return correlated(part, whole.found, known, ends)

    def of_group(self, name: str, reference: str, measure: str) -> Estimate:
        """The value of a group less that of another."""
        one, other = self._estimate(name, measure), self._estimate(reference, measure)
        ends = span(self.groups[name].entry(measure).range)
        if not self.crossed:
            return independent(one, other, ends)
        known = self._correlation(measure, name, reference)
        if known is None:
            return _without(one, other, CROSSED)
        return correlated(one, other, known, ends, "mover-correlated")

    def _correlation(self, measure: str, *names: str | None) -> float | None:
        """The correlation of a measure in two groups, None for all cases; None where it is not known."""
        each = [self._in_units(measure, name) for name in names]
        if any(one is None for one in each):
            return None
        found = correlation(*each, by_class=measure == "roc_auc")  # type: ignore[arg-type]
        return None if np.isnan(found) else found

    def _in_units(self, measure: str, name: str | None) -> tuple[Array, Sampling, Array] | None:
        """The influence values, how the cases were sampled, and the units."""
        if (measure, name) not in self._influence:
            e = self.whole if name is None else self.groups[name]
            entry, held = e.entry(measure), e.clusters
            assert held is not None
            table, sampling = held.sampled(entry, e.summary_of(measure), e.settings, e.held_threshold)
            given = {**entry.defaults, **e.parameters_of(entry)}
            values = influence.of_summary(entry, given, table, partial(e.__getitem__, measure))
            known = None if values is None else (values.ravel(), sampling, np.unique(self.units[name]))
            self._influence[measure, name] = known
        found: tuple[Array, Sampling, Array] | None = self._influence[measure, name]
        return found

    def _whole(self, measure: str) -> Whole:
        if measure not in self._wholes:
            e, entry = self.whole, self.whole.entry(measure)
            found = at_level(e, self.level)[measure]
            self._wholes[measure] = Whole(entry, e.parameters_of(entry), e.summary_of(measure), found)
        return self._wholes[measure]

    def prepare(self, names: Iterable[str], measure: str) -> None:
        """Makes the estimates of these groups at once, where that is possible."""
        found = _at_once({name: self.groups[name] for name in names}, measure, self.level)
        self._found.update({(name, measure): one for name, one in found.items()})

    def _estimate(self, name: str, measure: str) -> Estimate:
        if (name, measure) not in self._found:
            self._found[name, measure] = at_level(self.groups[name], self.level)[measure]
        return self._found[name, measure]


def _at_once(every: Mapping[str, Evaluation], measure: str, level: float) -> dict[str, Estimate]:
    """A measure of counts of these groups, from one call for all; without those that are estimated alone."""
    simple = {
        name: one for name, one in every.items() if isinstance(one, BinaryEvaluation) and _by_counts(one)
    }
    first = next(iter(simple.values()), None)
    entry = None if first is None else first.entry(measure)
    if first is None or entry is None or entry.summary is not Counts:
        return {}
    given = first.parameters_of(entry)
    alike = {name: one for name, one in simple.items() if one.parameters_of(entry) == given}
    counts = [one.counts for one in alike.values()]
    if len({one.squares is None for one in counts}) > 1 or _is_resampled(first[measure]):
        return {}
    found = estimate_each(entry, _stacked(counts), replace(first.settings, level=level), **given)
    return {
        name: replace(one, threshold=first.limit)
        for name, one in zip(alike, found, strict=True)
        if not _is_resampled(one)
    }


def _is_resampled(found: Estimate) -> bool:
    """Whether the interval is from random numbers, which would be others for each number of groups."""
    of_none = any(note.code == "standard-error-zero" for note in found.notes)
    return of_none or (found.method is not None and found.method.endswith(RESAMPLED))


def _by_counts(e: BinaryEvaluation) -> bool:
    """Whether the estimates at the threshold follow from the counts alone."""
    return e.clusters is None and (e.threshold is None or not e.threshold.chosen)


def _stacked(every: Sequence[Counts]) -> Counts:
    """Counts with an entry for each of these."""
    squares = None if every[0].squares is None else _stacked([one.squares or one for one in every])
    cells = np.array([[one.tp, one.fp, one.fn, one.tn] for one in every], float).T
    return Counts.of(*cells, squares=squares)


def _without(one: Estimate, other: Estimate, reason: Note) -> Estimate:
    found = independent(one, other, (float("-inf"), float("inf")))
    return found if found.undefined else Estimate(found.value, level=found.level, notes=(reason,))


def at_level(e: Evaluation, level: float) -> Evaluation:
    """The evaluation with intervals at another level."""
    return e if e.settings.level == level else replace(e, settings=replace(e.settings, level=level))


def differences(
    pairs: Sequence[tuple[str, str | None]],
    measures: Sequence[str],
    level: float,
    compared_at: Callable[[float], Compared],
) -> GroupDifferences:
    """The differences of these groups in these measures.

    pairs: of a group and its reference, None for all cases; compared_at: the groups, by the level of a single
    interval.
    """
    number = len(pairs) * len(measures)
    each = level ** (1 / number) if number else level
    compared = compared_at(each)
    return GroupDifferences(tuple(_every(pairs, measures, compared)), level, each)


def _every(
    pairs: Sequence[tuple[str, str | None]], measures: Sequence[str], compared: Compared
) -> Iterator[GroupDifference]:
    names = dict.fromkeys(name for pair in pairs for name in pair if name is not None)
    for measure in measures:
        compared.prepare(names, measure)

        def difference(i: int, measure: str = measure) -> GroupDifference:
            name, reference = pairs[i]
            if reference is None:
                found = compared.of_whole(name, measure)
            else:
                found = compared.of_group(name, reference, measure)
            return GroupDifference(measure, name, reference, found)

        yield from of_parts(difference, len(pairs), compared.whole)


def of_parts(work: Callable[[int], T], number: int, whole: Evaluation) -> list[T]:
    """The results for so many parts: the first alone, with what all of them need, then on all processors."""
    first = [work(0)] if number else []
    return first + kernels.each(lambda i: work(i + 1), number - 1, whole.data.rows > kernels.MANY)
