"""The facts about the data that no summary holds."""

from __future__ import annotations

from dataclasses import dataclass

from .text import whole


@dataclass(frozen=True, slots=True)
class Data:
    """What was measured. rows: cases used; positives, negatives: their weight (None for many classes).

    dropped: rows left out for missing values; effective_rows: Kish's effective sample size where weights are not whole, else None;
    weightless: of the rows those of weight 0, which do not count.
    """

    rows: float
    positives: float | None
    negatives: float | None
    weighted: bool
    source: str
    dropped: int = 0
    effective_rows: float | None = None
    weightless: int = 0

    def to_dict(self) -> dict:
        sizes = {"rows": self.rows, "positives": _plain(self.positives), "negatives": _plain(self.negatives)}
        return {**sizes, "weighted": self.weighted, "source": self.source}


def _plain(value):
    return None if value is None else whole(value)
