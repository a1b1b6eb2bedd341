"""Cases of two classes in units whose cases depend on each other: the sums of each unit."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..summaries.cases import ScoredCases
from .bootstrap import resampled
from .effective import as_cases

CLASSES = ("positives", "negatives")


class Units:
    """Cases of two classes in units.

    of: arrays with the number of a unit for each case, -1 for none; a case may have several.
    """

    def __init__(self, cases: ScoredCases, number: int, *of: np.ndarray):
        self.cases, self.number, self.of = cases, number, of

    @cached_property
    def weight(self) -> np.ndarray:
        """The weight of each case; importance weights add up to the effective number of cases."""
        if self.cases.weight is None:
            return np.ones(len(self.cases))
        found: np.ndarray = self.cases.weight * (self.table.total / self.cases.table.total)
        return found

    @cached_property
    def table(self) -> Any:
        """The ranking table of the cases, with these weights."""
        return as_cases(self.cases.table)

    @cached_property
    def sizes(self) -> dict[str, np.ndarray]:
        """The weight of each unit's positives, and of its negatives."""
        masks = dict(zip(CLASSES, (self.cases.positive, ~self.cases.positive), strict=True))
        return {
            name: sum((self._sums(unit, mask * self.weight) for unit in self.of), np.zeros(self.number))
            for name, mask in masks.items()
        }

    def counts(self, threshold: float | None) -> np.ndarray:
        """The four counts of each unit, shape (units, 4)."""
        return np.reshape(
            sum(self._sums(4 * unit + self._cell(threshold), self.weight, unit >= 0, 4) for unit in self.of),
            (-1, 4),
        )

    def whole(self, threshold: float | None) -> np.ndarray:
        """The four counts of all cases."""
        return np.bincount(self._cell(threshold), self.weight, 4)

    def squares(self, threshold: float | None) -> np.ndarray:
        """The sums of the squared weights in the four counts of all cases."""
        return np.bincount(self._cell(threshold), self.weight ** (1 if self.cases.counts_cases else 2), 4)

    def _cell(self, threshold: float | None) -> np.ndarray:
        assert threshold is not None
        with np.errstate(over="ignore"):  # beyond the range of float32: infinity
            called = self.cases.score >= self.cases.score.dtype.type(threshold)
        found: np.ndarray = 2 * ~called + ~self.cases.positive  # tp, fp, fn, tn
        return found

    def _sums(
        self, place: np.ndarray, weight: np.ndarray, there: np.ndarray | None = None, times: int = 1
    ) -> np.ndarray:
        there = place >= 0 if there is None else there
        return np.bincount(place[there], weight[there], times * self.number)

    @cached_property
    def rows(self) -> tuple[Any, list[Any]]:
        """The table, thinned where necessary, and the weights of each unit at each of its scores.

        They are those of its positives, and of its negatives.
        """
        from scipy.sparse import csr_array

        table = self.table
        base = table.thinned() if resampled.thins(table) else table
        # merged scores keep the highest
        below = np.searchsorted(base.score[::-1], self.cases.score, side="left")
        row, shape = len(base) - 1 - below, (self.number, len(base))
        masks = self.cases.positive, ~self.cases.positive

        def summed(mask: np.ndarray, unit: np.ndarray) -> Any:
            there = mask & (unit >= 0)
            return csr_array((self.weight[there], (unit[there], row[there])), shape=shape)

        return base, [
            sum(summed(mask, unit) for unit in self.of[1:]) + summed(mask, self.of[0]) for mask in masks
        ]

    @cached_property
    def cells(self) -> Any:
        """The weights of each unit in the cells of the table: its positives, then its negatives."""
        from scipy.sparse import hstack

        return hstack(self.rows[1]).tocsr()
