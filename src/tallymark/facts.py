"""The facts about the data that no summary holds."""

from __future__ import annotations

from dataclasses import dataclass

from .text import whole


@dataclass(frozen=True, slots=True)
class Data:
    """What was measured. rows: cases used; positives, negatives: their weight (None for many classes).

    dropped: rows left out for missing values; effective_rows: Kish's effective sample size of importance weights, else None;
    weightless: of the rows those of weight 0, which do not count; taken_as_counts: whether weights that are not all 1 count cases
    since they are whole, and nothing is known of their kind.
    """

    rows: float
    positives: float | None
    negatives: float | None
    weighted: bool
    source: str
    dropped: int = 0
    effective_rows: float | None = None
    weightless: int = 0
    taken_as_counts: bool = False

    def to_dict(self) -> dict:
        sizes = {"rows": self.rows, "positives": _plain(self.positives), "negatives": _plain(self.negatives)}
        return {**sizes, "weighted": self.weighted, "source": self.source}


def _plain(value):
    return None if value is None else whole(value)
