"""Differences of groups from all cases, from one group, or between each two, with simultaneous intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from ... import kernels
from ...inference import Estimate, estimate_each
from ...inference.contrast import Contrast, independent, span
from ...inference.covariance import covariance
from ...input.results import Result, Tabular, rows_of
from ...summaries import ConfusionMatrix, Counts, RankingTable
from ..paired.models import Influences
from ..results import BinaryEvaluation, Evaluation

RESAMPLED = "bootstrap"  # in the names of methods
T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class GroupDifference(Contrast):
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

    PLAIN = "measure group reference *estimate"

    measure: str
    group: str
    reference: str | None
    estimate: Estimate


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
        return rows_of(Result.to_dict(one) | one.estimate.plain for one in self.found)

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


@dataclass(frozen=True, eq=False)
class Compared:
    """Groups and all cases, at the level of a single interval.

    groups: by name the evaluation; whole: that of all cases; level: of each interval; influences: of the
    groups and, by None, of all cases.
    """

    groups: Mapping[str, Evaluation]
    whole: Evaluation
    level: float
    influences: Influences
    _found: dict[tuple[str | None, str], Estimate] = field(default_factory=dict)
    _variances: dict[str, float] = field(default_factory=dict)  # of a measure in all cases

    def difference(self, name: str, reference: str | None, measure: str) -> Estimate:
        """The value of a group less that of another, or of all cases."""
        one, other = self.estimate(name, measure), self.estimate(reference, measure)
        ends = span(self.whole.entry(measure).range)
        crossed = self.influences.crossed
        if one.undefined or other.undefined or (reference is not None and not crossed):
            return independent(one, other, ends)
        if self.influences.units:
            known = float(self.influences.correlations(measure, (name, reference))[0, 1])
        else:
            known = self._of_part(measure, name)
        if np.isnan(known) and not crossed:  # as of a mean of a part with that of all
            share = self.groups[name].data.rows / self.whole.data.rows
            widths = one.high - one.low, other.high - other.low
            usable = widths[1] > 0 and np.isfinite(widths[0] * widths[1])
            known = min(share * (widths[0] / widths[1]) if usable else np.sqrt(share), 1.0)
        method = "mover-part-of-whole" if reference is None else "mover-correlated"
        return independent(one, other, ends, correlation=float(np.clip(known, -1, 1)), method=method)

    def _of_part(self, measure: str, name: str) -> float:
        """The correlation of a measure in a group of independent cases and in all; NaN where it is not known.

        It is from the covariance of the influence values of the cases of the group on both values.
        """
        one, other = (self.influences.of(part, measure) for part in (name, None))
        by_class = measure == "roc_auc"
        if one is None or other is None:
            return np.nan
        (values, table, sampling), (of_all, whole, among) = one, other
        if isinstance(table, RankingTable):
            places = np.searchsorted(-whole.score, -table.score)
            there = of_all.reshape(2, -1)[:, places].ravel()
        elif isinstance(table, (Counts, ConfusionMatrix)):
            there = of_all
        else:
            return np.nan
        v = covariance(np.stack([values, there]), sampling, by_class, unbiased=False)[0]
        if measure not in self._variances:
            self._variances[measure] = covariance(of_all[None], among, by_class, unbiased=False)[0][0, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.sqrt(v[0, 0] * self._variances[measure])
            return float(v[0, 1] * (sampling.total / among.total) / scale)

    def prepare(self, names: Iterable[str], measure: str) -> None:
        """Makes the estimates of these groups at once, where that is possible."""
        found = _at_once({name: self.groups[name] for name in names}, measure, self.level)
        self._found.update({(name, measure): one for name, one in found.items()})

    def estimate(self, name: str | None, measure: str) -> Estimate:
        """The value of a group, or of all cases, with its interval at the level."""
        if (name, measure) not in self._found:
            e = self.whole if name is None else self.groups[name]
            if e.settings.level != self.level:
                e = replace(e, settings=replace(e.settings, level=self.level))
            self._found[name, measure] = e[measure]
        return self._found[name, measure]


def _at_once(every: Mapping[str, Evaluation], measure: str, level: float) -> dict[str, Estimate]:
    """A measure of counts of these groups, from one call for all; without those that are estimated alone."""
    simple = {  # at the threshold they follow from the counts alone
        name: one
        for name, one in every.items()
        if isinstance(one, BinaryEvaluation)
        and one.clusters is None
        and (one.threshold is None or not one.threshold.chosen)
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


def _stacked(every: Sequence[Counts]) -> Counts:
    """Counts with an entry for each of these."""
    squares = None if every[0].squares is None else _stacked([one.squares or one for one in every])
    cells = np.array([[one.tp, one.fp, one.fn, one.tn] for one in every], float).T
    return Counts.of(*cells, squares=squares)


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
    names = dict.fromkeys(name for pair in pairs for name in pair if name is not None)
    found: list[GroupDifference] = []
    for measure in measures:
        compared.prepare(names, measure)

        def difference(i: int, measure: str = measure) -> GroupDifference:
            return GroupDifference(measure, *pairs[i], compared.difference(*pairs[i], measure))

        found += of_parts(difference, len(pairs), compared.whole)
    return GroupDifferences(tuple(found), level, each)


def of_parts(work: Callable[[int], T], number: int, whole: Evaluation) -> list[T]:
    """The results for so many parts: the first alone, with what all of them need, then on all processors."""
    first = [work(0)] if number else []
    return first + kernels.each(lambda i: work(i + 1), number - 1, whole.data.rows > kernels.MANY)
