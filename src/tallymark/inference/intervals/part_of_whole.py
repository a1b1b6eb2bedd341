"""The difference of a part of the cases from all of them, which are not independent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from math import isfinite, isinf, nan, sqrt
from typing import Any

import numpy as np

from ... import kernels
from ...input.messages.notes import Note, joined
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from .. import influence
from ..covariance import cells_of
from ..results import Estimate
from .differences import ENDS, independent


def from_whole(
    part: Estimate, whole: Estimate, correlation: float, ends: tuple[float, float] = ENDS
) -> Estimate:
    """The value of a part of the cases less that of all cases, with an interval.

    correlation: of the two values; ends: as for `independent`. The bounds combine the two intervals, as those
    of independent values, with the correlation: below sqrt(a^2 + b^2 - 2 r a b), where a is the distance of
    the part's value from its lower end, and b that of the whole's from its higher end; likewise above.
    Source: Zou (2007), Psychological Methods 12, 399-413.
    """
    apart = independent(part, whole, ends)
    if not apart.has_interval:
        return apart
    (first, last), (lowest, highest), (least, most) = part.between, whole.between, apart.between
    low = least - _side(first - part.low, whole.high - highest, correlation)
    high = most + _side(part.high - last, lowest - whole.low, correlation)
    if not high > low:
        return Estimate(apart.value, level=part.level, notes=joined(Note("bounds-alike")))
    method = "mover-part-of-whole"
    low, high = max(low, ends[0]), min(high, ends[1])
    return Estimate(apart.value, low, high, part.level, method, bounds=apart.bounds)


def _side(a: float, b: float, r: float) -> float:
    if isinf(a) or isinf(b):
        return float("inf")
    return sqrt(max(a * a + b * b - 2 * r * a * b, 0.0))


class Whole:
    """All cases, of which parts are compared with them.

    entry, parameters: the measure; table: the summary of all cases; found: their estimate.
    """

    def __init__(self, entry: Measure, parameters: dict[str, Any], table: Any, found: Estimate):
        self.entry, self.parameters, self.found = entry, {**entry.defaults, **parameters}, found
        self._influence = influence_on(table, entry, self.parameters)

    def less(self, table: Any, part: Estimate, share: float, ends: tuple[float, float]) -> Estimate:
        """The value of a part less that of all cases. table: its summary; share: of the cases that it has."""
        return from_whole(part, self.found, self.correlation(table, part, share), ends)

    def correlation(self, table: Any, part: Estimate, share: float) -> float:
        """The correlation of the value of a part of the cases with that of all.

        From the influence of the cases of the part on both values, where it is known: the covariance is the
        sum of the products. For other measures the value of all cases is taken as the mean of the values of
        its parts, weighted by their share of the cases.
        """
        own = None if self._influence is None else influence_on(table, self.entry, self.parameters)
        known = nan if own is None or self._influence is None else own.correlation(self._influence)
        if isfinite(known):
            return min(max(known, -1.0), 1.0)
        widths = [one.high - one.low for one in (part, self.found)]
        usable = widths[1] > 0 and isfinite(widths[0] * widths[1])
        return min(share * (widths[0] / widths[1] if usable else sqrt(1 / share)), 1.0)


@dataclass(frozen=True, eq=False)
class Influence:
    """The influence values on a measure of a table.

    values: of a case in each cell, shape (..., cells or scores); squares: the sums of the squared weights of
    these cases; score: of a table of scores, descending, else None.
    """

    values: np.ndarray
    squares: np.ndarray
    score: np.ndarray | None = None

    @cached_property
    def ascending(self) -> np.ndarray:
        """The scores in ascending order."""
        assert self.score is not None
        return np.ascontiguousarray(self.score[::-1])

    @cached_property
    def variance(self) -> float:
        """The sum of the squared influence."""
        return kernels.dot((self.values**2).ravel(), self.squares.ravel())

    def correlation(self, whole: Influence) -> float:
        """The correlation with the value of all cases, of which these are a part; NaN without spread."""
        there = whole.values
        if self.score is not None and whole.score is not None:
            there = there[:, len(whole.score) - np.searchsorted(whole.ascending, self.score, "right")]
        if there.shape != self.values.shape:
            return nan
        both = kernels.dot((self.values * there).ravel(), self.squares.ravel())
        alone = self.variance * whole.variance
        return both / sqrt(alone) if alone > 0 else nan


def influence_on(table: Any, entry: Measure, parameters: dict[str, Any]) -> Influence | None:
    """The influence of the cases of a summary on a measure; None where it is not known."""
    function = partial(entry.function, **parameters)
    if isinstance(table, Counts):
        cells, squares = cells_of(table), cells_of(table.squares or table)
        values = influence.of_counts(function, cells).values
        return Influence(values - values @ cells / cells.sum(), squares)
    if not isinstance(table, RankingTable) or not (table.positives and table.negatives):
        return None
    if not influence.closed(entry):
        return None
    values = influence.of_table(entry, function, parameters, table)
    return Influence(values, np.stack(table.squared).astype(float), table.score)
