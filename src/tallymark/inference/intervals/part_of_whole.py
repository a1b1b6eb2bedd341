"""The difference of a part of the cases from all of them, which are not independent."""

from __future__ import annotations

from functools import partial
from math import isfinite, isinf, nan, sqrt
from typing import Any

import numpy as np

from ...input.messages.notes import Note, joined
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from .. import influence
from ..covariance import Sampling, cells_of, covariance, sampling_of
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

    entry, parameters: the measure; table: the summary of all cases; found: their estimate; sampling: how the
    cases of its cells were sampled, by default independently.
    """

    def __init__(
        self,
        entry: Measure,
        parameters: dict[str, Any],
        table: Any,
        found: Estimate,
        sampling: Sampling | None = None,
    ):
        self.entry, self.parameters, self.found = entry, {**entry.defaults, **parameters}, found
        self.table, self._values = table, influence_on(table, entry, self.parameters)
        self.variance = nan
        if self._values is not None:
            self.variance = float(self._covariance(self._values.reshape(1, -1), table, sampling)[0, 0])

    def less(
        self,
        table: Any,
        part: Estimate,
        share: float,
        ends: tuple[float, float],
        sampling: Sampling | None = None,
    ) -> Estimate:
        """The value of a part less that of all cases.

        table: its summary; share: of the cases that it has; sampling: how its cases were sampled.
        """
        return from_whole(part, self.found, self.correlation(table, part, share, sampling), ends)

    def correlation(
        self, table: Any, part: Estimate, share: float, sampling: Sampling | None = None
    ) -> float:
        """The correlation of the value of a part of the cases with that of all.

        It is from the covariance of the influence values of the cases of the part on both values, where these
        are known. For other measures the value of all cases is taken as the mean of the values of its parts,
        weighted by their share of the cases.
        """
        known = nan
        own = None if self._values is None else influence_on(table, self.entry, self.parameters)
        if own is not None and self._values is not None:
            there = self._values
            if isinstance(table, RankingTable):
                there = there[:, np.searchsorted(-self.table.score, -table.score)]
            v = self._covariance(np.stack([own.ravel(), there.ravel()]), table, sampling)
            with np.errstate(divide="ignore", invalid="ignore"):
                known = v[0, 1] * float(table.total / self.table.total) / np.sqrt(v[0, 0] * self.variance)
        if isfinite(known):
            return min(max(float(known), -1.0), 1.0)
        widths = [one.high - one.low for one in (part, self.found)]
        usable = widths[1] > 0 and isfinite(widths[0] * widths[1])
        return min(share * (widths[0] / widths[1] if usable else sqrt(1 / share)), 1.0)

    def _covariance(self, rows: np.ndarray, table: Any, sampling: Sampling | None) -> np.ndarray:
        by_class = self.entry.name == "roc_auc"
        return covariance(rows, sampling or sampling_of(table), by_class, unbiased=False)[0]


def influence_on(table: Any, entry: Measure, parameters: dict[str, Any]) -> np.ndarray | None:
    """The influence values of the cells of a summary on a measure; None where they are not known."""
    function = partial(entry.function, **parameters)
    if isinstance(table, Counts):
        return influence.of_counts(function, cells_of(table)).values
    if not isinstance(table, RankingTable) or not (table.positives and table.negatives):
        return None
    return influence.of_table(entry, function, parameters, table) if influence.closed(entry) else None
