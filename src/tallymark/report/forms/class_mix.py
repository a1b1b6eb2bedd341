"""Measures as one class grows: as text a row for each, a column per growth."""

from __future__ import annotations

from ...evaluation.behaviour import ClassMix
from ...input import text


def as_text(mix: ClassMix) -> str:
    """The last column has whether the measure changes."""
    header = ["measure", *(f"x {factor:g}" for factor in mix.growth), ""]
    rows = [
        [name, *map(text.number, values), "changes" if mix.changes[name] else "unchanged"]
        for name, values in mix.values.items()
    ]
    return f"{mix.grown}s multiplied\n" + text.blocks(header, rows, last=1)
