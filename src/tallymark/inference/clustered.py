"""Cases that depend on each other, in clusters or by the persons who are compared, and their estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from math import isnan
from typing import Any, ClassVar

import numpy as np

from ..input.messages.notes import Note
from ..measures.registry import Measure
from ..summaries import Counts, RankingTable
from ..summaries.cases import ScoredCases
from . import with_parameters
from .bootstrap import limits
from .covariance import CLASS_OF_CELL, Dependence, Sampling, sampling_of
from .effective import ONE_CASE, as_cases, of_one_case
from .fixed_sizes import with_mix
from .intervals.from_influence import single
from .intervals.kinds import Question, Settings, interval_of
from .replicates import Draws, draws
from .results import Estimate, Interval, no_interval, with_interval
from .units import Units

FEWEST = 2  # units, without which there is no spread


class DependentCases:
    """Cases of two classes that were sampled in units.

    Parameters
    ----------
    cases : ScoredCases
        The cases.
    *of : arrays of shape (cases,)
        The number of each case's unit, from 0 on: of a cluster, or of the two persons who are compared.
    """

    what: ClassVar[str]

    def __init__(self, cases: ScoredCases, *of: np.ndarray):
        self.cases, self.of, self.number = cases, of, int(max(one.max() for one in of)) + 1
        self.units = Units(cases, self.number, of[0], *(np.where(of[0] == one, -1, one) for one in of[1:]))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.cases, *self.of)

    @cached_property
    def pairs(self) -> Units | None:
        """The pairs of persons as units, including each person with himself; None for clusters."""
        if len(self.of) == 1:
            return None
        low, high = np.minimum(*self.of).astype(np.int64), np.maximum(*self.of)
        pairs, number = np.unique(low * self.number + high, return_inverse=True)
        self._members = np.stack([pairs // self.number, pairs % self.number], axis=1)
        self._alone = self._members[:, 0] == self._members[:, 1]
        return Units(self.cases, len(pairs), number)

    def resamples(self, how: Draws) -> tuple[RankingTable, Iterator[RankingTable]]:
        """The table, thinned where necessary, and those of resamples of whole units, some at a time."""
        base, rows = Units(self.cases, len(self.cases), np.arange(len(self.cases))).rows
        units = self.of[0] if len(self.of) == 1 else np.stack(self.of)

        def drawn(times: np.ndarray) -> RankingTable:
            table: RankingTable = base.of(base.score, *((part.T @ times.T.astype(float)).T for part in rows))
            return table.with_class_sizes(base.positives, base.negatives) if how.keeps_classes else table

        return base, map(drawn, draws(how, self.cases.strata, units))

    def sampling(self, threshold: float | None, design: str) -> Sampling:
        """How the cases were sampled, for the four counts at a threshold; for a table of scores with None."""

        def of(read: Callable[[Units], Any], stratum: np.ndarray) -> Dependence:
            if self.pairs is None:
                return Dependence(read(self.units), stratum, name=self.what)
            pairs = read(self.pairs)
            return Dependence(read(self.units), stratum, pairs, self._alone, self.what, self._members)

        fixed = design == "case-control"
        if threshold is not None:
            by_unit = of(lambda units: units.counts(threshold), CLASS_OF_CELL)
            weight, squares = self.units.whole(threshold), self.units.squares(threshold)
            return Sampling(weight, squares, CLASS_OF_CELL, fixed, by_unit)
        independent = sampling_of(self.units.rows[0], fixed)
        return replace(independent, units=of(lambda units: units.cells, independent.stratum))

    def estimate(
        self,
        entry: Measure,
        summary: Any,
        settings: Settings,
        parameters: dict[str, Any],
        threshold: float | None,
    ) -> Estimate:
        """The measure of a summary of all cases, with its interval.

        threshold: for measures of Counts, on the scale of the table.
        """

        summary = as_cases(summary)
        function = partial(entry.function, **entry.checked(parameters)) if parameters else entry.function
        value, level = float(function(summary)), settings.level
        if isnan(value):
            return Estimate(value, level=level, undefined=entry.why_undefined(summary))
        interval = self._interval(entry, parameters, settings, threshold, function, value)
        method = interval.method and f"{self.what.removesuffix('s')}-{interval.method}"
        interval = with_mix(replace(interval, method=method), function, summary, settings.design)
        return with_interval(value, interval, level, with_parameters(entry, interval.notes, parameters))

    def _interval(
        self,
        entry: Measure,
        parameters: dict[str, Any],
        settings: Settings,
        threshold: float | None,
        function: Callable[..., Any],
        value: float,
    ) -> Interval:
        reason = limits.why_none(entry, parameters, self.cases.table, self.number, self.what)
        if reason or entry.interval is None:
            return no_interval(reason or Note("no-known-interval"))
        if np.isinf(value) and entry.summary is not Counts:
            return no_interval(Note("infinite"))
        of_counts = entry.summary is Counts
        sampling = self.sampling(threshold if of_counts else None, settings.design)
        if of_one_case(self.cases.table):
            return no_interval(ONE_CASE)
        summary = Counts.of(*sampling.weight.tolist()) if of_counts else self.units.rows[0]
        return single(interval_of(Question(entry, function, summary, value, settings, sampling=sampling)))


class Clusters(DependentCases):
    """Cases of two classes in clusters, as several of one patient."""

    what = "clusters"

    @property
    def groups(self) -> np.ndarray:
        """The cluster of each case."""
        return self.of[0]


class Persons(DependentCases):
    """Comparisons of persons, mated (positive) and non-mated ones, which depend on each other by a person.

    The two numbers of a mated comparison are equal.
    """

    what = "persons"

    @property
    def of_class(self) -> dict[str, float]:
        """The number of independent comparisons among the mated and the non-mated ones."""
        sampling = self.sampling(0.0, "cohort")
        return {
            name: float(sampling.effective(np.equal(CLASS_OF_CELL, mated) * 1.0))
            for name, mated in (("mated", 1), ("non-mated", 0))
        }
