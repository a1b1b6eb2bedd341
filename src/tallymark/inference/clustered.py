"""Cases that depend on each other, in clusters or by the persons who are compared, and their estimates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from .. import kernels
from ..input.messages import Note
from ..input.sample import name_of_units
from ..measures.registry import Measure, find, get
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable
from ..summaries.samples import ScoredCases, content_order
from . import measured_each, of_sampling, replicates, resampled
from .covariance import (
    CLASS_OF_CELL,
    EQUAL,
    ONE_CASE,
    Dependence,
    Sampling,
    as_cases,
    of_one_case,
    sampling_of,
)
from .interval import HELD, Settings
from .replicates import Draws, draws
from .results import Estimate

CELLS = 1 << 21  # of units in many tables at a time
OF_HIGHEST = ("bins", "bins-of-equal-mass")  # kinds of measures of the highest probability


class Dependent:
    """Cases in units.

    units: from 0 on, the cluster of each case, or in two rows its two persons; weight: of each case.
    """

    def __init__(self, units: np.ndarray, weight: np.ndarray):
        self.units, self.weight = units, weight
        self.number, self.what = int(units.max()) + 1, name_of_units(units)
        pairs = np.sort(np.atleast_2d(units), axis=0)
        self.in_one_unit = bool((pairs == pairs[:, :1]).all())  # one cluster, or one pair
        self._pooled: dict[Any, tuple[Any, Dependence]] = {}  # by kind of cells the last ones

    @cached_property
    def _by_case(self) -> Dependence:
        return Dependence.of_cases(self.units, self.weight, np.zeros(len(self.weight), int))

    def in_units(self, independent: Sampling, cells: np.ndarray, *of: Any) -> Sampling:
        """How the cases of a table were sampled; it may have their weights times a factor.

        independent: the same without units; cells: of each case, as for `Dependence.in_cells`; of: their kind
        and what they depend on.
        """
        factor = float(independent.total / self.weight.sum())
        held = self._pooled.get(of[0])
        if held is None or held[0] != (of, factor):
            units = self._by_case.in_cells(cells, independent.stratum)
            held = self._pooled[of[0]] = (of, factor), units if factor == 1 else units.reweighted(factor)
        return replace(independent, units=held[1])

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
        table, sampling = self.sampled(entry, summary, settings, threshold)
        reason = self.why_none(entry, parameters)
        return of_sampling(entry, summary, settings, parameters, table, sampling, reason)

    def sampled(
        self, entry: Measure, summary: Any, settings: Settings, threshold: float | None
    ) -> tuple[Any, Sampling]:
        """The summary for the intervals of a measure, and how its cases were sampled."""
        raise NotImplementedError

    def why_none(self, entry: Measure, parameters: Mapping[str, Any]) -> Note | None:
        """The reason why there can be no interval, or None."""
        return Note("too-few-units", units=self.what) if self.in_one_unit else None


class DependentCases(Dependent):
    """Cases of two classes in units.

    cases: with their scores; units: as for `Dependent`.
    """

    def __init__(self, cases: ScoredCases, units: np.ndarray):
        super().__init__(units, cases.weight)
        self.cases = cases

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.cases, self.units)

    @cached_property
    def table(self) -> RankingTable:
        """The scores, thinned where necessary; importance weights add up to the effective number of cases."""
        whole: RankingTable = as_cases(self.cases.table)
        return whole.thinned() if resampled.thins(whole) else whole

    @cached_property
    def _cell(self) -> np.ndarray:
        """The cell of each case: the positives of the table come first, from the highest score down."""
        # merged scores keep the highest
        below = np.searchsorted(self.table.score[::-1], self.cases.score, side="left")
        return np.asarray(len(self.table) * (1 + ~self.cases.positive) - 1 - below)

    def resamples(self, how: Draws) -> tuple[RankingTable, Iterator[RankingTable]]:
        """The table, and those of resamples of whole units, some at a time."""
        base = self.table
        weight = self.weight * (base.total / self.weight.sum())

        def drawn(times: np.ndarray) -> RankingTable:
            sums = kernels.sums(self._cell, times * weight, 2 * len(base))
            positive, negative = np.split(sums, 2, axis=1)
            table: RankingTable = base.of(base.score, positive, negative)
            return table.with_class_sizes(base.positives, base.negatives) if how.keeps_classes else table

        return base, map(drawn, draws(how, self.cases.strata, self.units))

    def sampling(self, threshold: float | None, design: str) -> Sampling:
        """How the cases were sampled, for the four counts at a threshold; for the table with None."""
        if threshold is None:
            return self.in_units(sampling_of(self.table, design == HELD), self._cell, RankingTable)
        return self.predicted(self._at_or_above(np.array([threshold])), np.array([False, True]), design)

    def at_cutoffs(self, limits: np.ndarray, design: str, tables: int = 1) -> Iterator[Sampling]:
        """The same at many thresholds, which are leading axes, some at a time.

        tables: how many the caller makes of each.
        """
        place, above = self._at_or_above(np.sort(limits)), np.argsort(np.argsort(limits))
        called = np.arange(len(limits) + 1)[:, None] > above
        step = max(1, CELLS // (4 * max(self.number, 2 * len(limits)) * tables))
        for start in range(0, len(limits), step):
            yield self.predicted(place, called[:, start : start + step], design)

    def _at_or_above(self, limits: np.ndarray) -> np.ndarray:
        """How many of these ascending thresholds the score of each case reaches."""
        score = self.cases.score
        with np.errstate(over="ignore"):  # beyond the range of float32: infinity
            return np.searchsorted(limits.astype(score.dtype), score, side="right")

    def predicted(self, place: np.ndarray, called: np.ndarray, design: str) -> Sampling:
        """How the cases were sampled, for the counts where some parts of them are predicted positive.

        place: of each case the part; called: which are, shape (parts,), or (parts, tables) for leading axes.
        """
        code, of_part = 2 * place + ~self.cases.positive, np.arange(2 * len(called))
        table = self.cases.table
        weight = self.weight * (as_cases(table).total / table.total)
        squares = weight if self.cases.counts_cases else weight**2
        sums = [np.bincount(code, part, len(of_part)) for part in (weight, squares)]
        joint = self.in_units(
            Sampling(sums[0], sums[1], of_part, design == HELD), code, "parts", place.tobytes()
        )
        cells = np.eye(4)[2 * ~called[of_part // 2] + (of_part % 2).reshape(-1, *[1] * (called.ndim - 1))]
        assert joint.units is not None
        units = joint.units.in_cells(cells, CLASS_OF_CELL)
        weight, squares = (np.tensordot(part, cells, 1) for part in sums)
        return Sampling(weight, squares, CLASS_OF_CELL, joint.fixed, units)

    def sampled(
        self, entry: Measure, summary: Any, settings: Settings, threshold: float | None
    ) -> tuple[Any, Sampling]:
        """The summary for the intervals of a measure, and how its cases were sampled."""
        if entry.summary is not Counts:
            return self.table, self.sampling(None, settings.design)
        sampling = self.sampling(threshold, settings.design)
        return Counts.of(*sampling.weight.tolist()), sampling

    def why_none(self, entry: Measure, parameters: Mapping[str, Any]) -> Note | None:
        """The reason why there can be no interval, or None."""
        table, number = self.cases.table, 1 if self.in_one_unit else self.number
        reason = replicates.why_few(entry, parameters, table, number, self.what)
        return ONE_CASE if reason is None and of_one_case(table) else reason


class DependentTables(Dependent):
    """Cases of several classes, of several labels or of amounts in units.

    units, weight: as for `Dependent`; cells: by type of table the cell of each case, or whether it counts in
    each of them, shape (cases, cells).
    """

    def __init__(self, units: np.ndarray, cells: Mapping[type, np.ndarray], weight: np.ndarray):
        super().__init__(units, weight)
        self.cells = dict(cells)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.units, self.cells, self.weight)

    def sampled(
        self, entry: Measure, summary: Any, settings: Settings, threshold: float | None
    ) -> tuple[Any, Sampling]:
        """The summary for the intervals of a measure, and how its cases were sampled."""
        table = as_cases(summary)
        return table, self.sampling(table, settings.design)

    def sampling(self, table: Any, design: str) -> Sampling:
        """How the cases of a table were sampled; it may have the weights of the cases times a factor."""
        cells = next(cells for kind, cells in self.cells.items() if isinstance(table, kind))
        return self.in_units(sampling_of(table, design == HELD), cells, type(table))

    def estimate(
        self,
        entry: Measure,
        summary: Any,
        settings: Settings,
        parameters: dict[str, Any],
        threshold: float | None,
    ) -> Estimate:
        """A measure of a table of all cases."""
        if entry.interval is not None and entry.interval.kind in OF_HIGHEST:
            same = next(one for one in find(RankingTable) if one.interval == entry.interval)
            highest = self.highest(summary)
            return highest.estimate(same, highest.cases.table, settings, parameters, None)
        return super().estimate(entry, summary, settings, parameters, threshold)

    def each(
        self,
        name: str,
        table: ConfusionMatrix | IndicatorTable,
        settings: Settings,
        parameters: dict[str, Any],
    ) -> list[Estimate]:
        """A measure of every class against the rest."""
        table = as_cases(table)
        counts, several = table.one_vs_rest(), isinstance(table, ConfusionMatrix)
        sampling = sampling_of(counts, settings.design == HELD)
        units = self.sampling(table, settings.design).units
        assert units is not None
        units = units.in_cells(_against_the_rest(table), CLASS_OF_CELL)
        sampling = replace(sampling, units=units if several else units.rounded(EQUAL))
        entry = get(name, Counts)
        reason = self.why_none(entry, parameters)
        return measured_each(
            entry, counts, settings, parameters, of_classes=several, sampling=sampling, reason=reason
        )

    def highest(self, table: ClassScores) -> DependentCases:
        """The cases with the probability of the predicted class, which is right or wrong."""
        rows = self.cells[ClassScores]
        right, highest = (table.predicted()[0] == table.truth)[rows], table.highest[rows]
        order = content_order(-highest, ~right, self.weight, *np.atleast_2d(self.units))
        kind = table.weight_kind or "importance"
        cases = ScoredCases(right, highest, self.weight, table.kind_of_table, kind)
        return DependentCases(cases.taken(order, one_by_one=False), self.units[..., order])


def _against_the_rest(table: ConfusionMatrix | IndicatorTable) -> np.ndarray:
    """What a case of each cell adds to the four counts of each class, shape (cells, K, 4)."""
    size = len(table)
    if isinstance(table, ConfusionMatrix):
        actual, called = np.indices(table.weights.shape).reshape(2, -1, 1) == np.arange(size)
        each = actual & called, ~actual & called, actual & ~called, ~actual & ~called
        return np.stack(each, -1) * 1.0
    counts = np.zeros((2 + 3 * size, size, 4))
    counts[0, :, 3] = 1.0  # of all cases: true negatives, but for those that the others tell
    for place in range(3):
        rows = 2 + place * size + np.arange(size)
        counts[rows, np.arange(size), place], counts[rows, np.arange(size), 3] = 1.0, -1.0
    return counts
