"""Cases of several classes, of several labels or of amounts that were sampled in clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np

from ..input.messages.notes import Note
from ..measures.registry import Measure, find, get
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable
from ..summaries.cases import ScoredCases, content_order
from . import measured, measured_each
from .clustered import FEWEST, Clusters
from .covariance import CLASS_OF_CELL, EQUAL, Dependence, Sampling, cells_of, sampling_of
from .effective import as_cases
from .intervals.kinds import Settings
from .results import Estimate
from .weighted_mix import HELD

ONE_CLUSTER = Note("one-cluster")
OF_HIGHEST = ("bins", "bins-of-equal-mass")  # kinds of measures of the highest probability


class ClusteredTables:
    """Cases in clusters, and the cell of each of them in the tables of its evaluation.

    Parameters
    ----------
    groups : array of shape (cases,)
        The number of the cluster of each case, from 0 on.
    cells : mapping of types of tables to arrays
        The cell of each case, shape (cases,), or whether it counts in each cell, shape (cases, cells).
    weight : array of shape (cases,), or None
        None for one each.
    """

    what = "clusters"

    def __init__(
        self,
        groups: np.ndarray,
        cells: Mapping[type, np.ndarray],
        weight: np.ndarray | None = None,
    ):
        self.groups, self.cells, self.weight = groups, dict(cells), weight
        self.number = int(groups.max()) + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return ClusteredTables, (self.groups, self.cells, self.weight)

    @property
    def of(self) -> tuple[np.ndarray]:
        """The number of each case's cluster."""
        return (self.groups,)

    def sampling(self, table: Any, design: str) -> Sampling:
        """How the cases of a table were sampled; it may have the weights of the cases times a factor."""
        sampling = sampling_of(table, design == HELD)
        weight = np.ones(len(self.groups)) if self.weight is None else self.weight
        weight = weight * (float(sampling.total) / weight.sum())
        cells = next(cells for kind, cells in self.cells.items() if isinstance(table, kind))
        units = Dependence.of_cases(self.groups, cells, weight, sampling.stratum)
        return replace(sampling, units=units)

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
            highest = self._highest(summary)
            return highest.estimate(same, highest.cases.table, settings, parameters, None)
        table = as_cases(summary)
        sampling = self.sampling(table, settings.design)
        return self._known(measured(entry, table, settings, parameters, sampling=sampling))

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
        weight = self.sampling(table, settings.design).units.weight  # type: ignore[union-attr]
        units = Dependence(_against_the_rest(table, weight), CLASS_OF_CELL)
        sampling = replace(sampling_of(counts, settings.design == HELD), units=units)
        estimates = measured_each(
            get(name, Counts), counts, settings, parameters, of_classes=several, sampling=sampling
        )
        return list(map(self._known, estimates))

    def _highest(self, table: ClassScores) -> Clusters:
        """The cases with the probability of the predicted class, which is right or wrong."""
        rows = self.cells[ClassScores]
        right, highest = (table.predicted()[0] == table.truth)[rows], table.highest[rows]
        order = content_order(-highest, ~right, self.weight, self.groups)
        cases = ScoredCases(
            right, highest, self.weight, table.kind_of_table, table.weight_kind or "importance"
        )
        return Clusters(cases.taken(order, one_by_one=False), self.groups[order])

    def _known(self, estimate: Estimate) -> Estimate:
        if self.number < FEWEST and not estimate.undefined:
            return replace(
                estimate, low=nan, high=nan, method=None, notes=(ONE_CLUSTER,), standard_error=None
            )
        return replace(estimate, method=f"cluster-{estimate.method}") if estimate.has_interval else estimate


def _against_the_rest(table: ConfusionMatrix | IndicatorTable, weight: Any) -> np.ndarray:
    """The four counts of each class in each cluster, shape (K, clusters, 4)."""
    size = len(table)
    if isinstance(table, IndicatorTable):
        every, _, *each = np.split(weight.toarray(), [1, 2, 2 + size, 2 + 2 * size], axis=1)
        tp, fp, fn = each
    else:
        cells = weight.toarray().reshape(weight.shape[0], *table.weights.shape)
        tp, every = np.einsum("uii->ui", cells)[:, :size], cells.sum((1, 2))[:, None]
        fp, fn = cells.sum(1)[:, :size] - tp, cells.sum(2)[:, :size] - tp
    rest = every - tp - fp - fn
    tn = np.where(rest > EQUAL * every, rest, 0.0)  # up to rounding
    return cells_of(Counts.of(tp, np.maximum(fp, 0.0), np.maximum(fn, 0.0), tn)).swapaxes(0, 1)
