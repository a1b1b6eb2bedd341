"""The difference of a part of the cases from all of them, or of parts that are not independent."""

from __future__ import annotations

from math import isfinite, isinf, nan, sqrt
from typing import Any

import numpy as np

from ...input.messages import Note, joined
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from .. import influence
from ..covariance import covariance, sampling_of
from ..results import Estimate
from .differences import ENDS, independent


def correlated(
    part: Estimate,
    whole: Estimate,
    correlation: float,
    ends: tuple[float, float] = ENDS,
    method: str = "mover-part-of-whole",
) -> Estimate:
    """The value of a part of the cases less that of all cases, or of another part, with an interval.

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
        self.table, self._values = table, self._influence(table)
        self.variance = nan
        if self._values is not None:
            self.variance = float(self._covariance(self._values[None], table)[0, 0])

    def less(self, table: Any, part: Estimate, share: float, ends: tuple[float, float]) -> Estimate:
        """The value of a part less that of all cases.

        table: its summary; share: of the cases that it has.
        """
        return correlated(part, self.found, self.correlation(table, part, share), ends)

    def correlation(self, table: Any, part: Estimate, share: float) -> float:
        """The correlation of the value of a part of the cases with that of all.

        It is from the covariance of the influence values of the cases of the part on both values, where these
        are known. For other measures the value of all cases is taken as the mean of the values of its parts,
        weighted by their share of the cases.
        """
        known = nan
        own = None if self._values is None else self._influence(table)
        if own is not None and self._values is not None:
            there = self._values
            if isinstance(table, RankingTable):
                places = np.searchsorted(-self.table.score, -table.score)
                there = there.reshape(2, -1)[:, places].ravel()
            v = self._covariance(np.stack([own, there]), table)
            with np.errstate(divide="ignore", invalid="ignore"):
                known = v[0, 1] * float(table.total / self.table.total) / np.sqrt(v[0, 0] * self.variance)
        return float(np.clip(known, -1, 1)) if isfinite(known) else by_share(part, self.found, share)

    def _influence(self, table: Any) -> Any:
        there = isinstance(table, (Counts, RankingTable))
        found = influence.of_summary(self.entry, self.parameters, table) if there else None
        return None if found is None else found.ravel()

    def _covariance(self, rows: np.ndarray, table: Any) -> np.ndarray:
        return covariance(rows, sampling_of(table), self.entry.name == "roc_auc", unbiased=False)[0]


def by_share(part: Estimate, whole: Estimate, share: float) -> float:
    """The correlation of a part with the whole, as of a mean with that of all, by its share of the cases."""
    widths = [one.high - one.low for one in (part, whole)]
    usable = widths[1] > 0 and isfinite(widths[0] * widths[1])
    return min(share * (widths[0] / widths[1] if usable else sqrt(1 / share)), 1.0)
