"""Measures as one class grows: as text a row for each, a column per growth."""

from __future__ import annotations

from ...evaluation.class_mix import ClassMix
from ...input import text


def as_text(mix: ClassMix) -> str:
    """The last column has whether the measure changes."""
    header = ["measure", *(f"x {factor:g}" for factor in mix.growth), ""]
    rows = [
        [name, *map(text.number, values), "changes" if mix.changes[name] else "unchanged"]
        for name, values in mix.values.items()
    ]
    at = "" if mix.threshold is None else f"; measures of counts at the threshold {mix.threshold:.4g}"
    lines = [f"{mix.grown}s multiplied{at}", text.blocks(header, rows, last=1)]
    for said, changes in (("Curves that change", True), ("Curves that do not", False)):
        names = [name for name, one in mix.curves.items() if one is changes]
        lines += [text.paragraph(f"{said}: {', '.join(names)}", first="")] if names else []
    return "\n".join(lines)
