"""What a measure of a ranking table needs of its rows, so that one pass collects it for several measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..summaries.passes import Sum


@dataclass(frozen=True, slots=True)
class Needs:
    """Sums over the rows of a table.

    Parameters
    ----------
    sums : tuple of Sum
        Those that depend on no parameter.
    of_bins : callable or None
        A function of the parameter `bins` of the measure that returns another sum.
    answers : bool
        Whether the rows are those of the table of predicted classes (`RankingTable.confidence`).
    pairs_alone : bool
        Whether the value of cases without weights follows from `positives`, `negatives` and
        `twice_concordant`, so that arrays need no rows.
    """

    sums: tuple[Sum, ...] = ()
    of_bins: Callable[[int], Sum] | None = None
    answers: bool = False
    pairs_alone: bool = False

    def wanted(self, bins: int) -> tuple[Sum, ...]:
        """The sums, for this number of bins."""
        return self.sums if self.of_bins is None else (*self.sums, self.of_bins(bins))
