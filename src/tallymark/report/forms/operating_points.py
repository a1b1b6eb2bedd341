"""Operating points: as text a row per threshold, of many the first and the last."""

from __future__ import annotations

from typing import Any

from ...evaluation.threshold_table import OperatingPoints
from ...input import text

FIRST, LAST = 30, 10  # rows that are printed of a longer table
SHORT = {"positives": "pos", "negatives": "neg", "sensitivity": "tpr", "false_positive_rate": "fpr"}
CASES = ("positives", "negatives", "tp", "fp", "fn", "tn")


def as_text(points: OperatingPoints) -> str:
    """A row per threshold, from calling nobody positive on."""
    columns, size = points.columns, len(points.columns["threshold"])
    shown = range(size) if size <= FIRST + LAST else [*range(FIRST), *range(size - LAST, size)]
    rows = [[_written(name, column[i]) for name, column in columns.items()] for i in shown]
    if len(shown) < size:
        rows.insert(FIRST, [f"… {size - FIRST - LAST:,} more", *[""] * (len(columns) - 1)])
    return text.blocks([SHORT.get(name, name) for name in columns], rows)


def _written(name: str, value: Any) -> str:
    if name == "threshold":
        return f"{value:.6g}"
    return text.count(float(value)) if name in CASES else text.number(float(value), 3)
