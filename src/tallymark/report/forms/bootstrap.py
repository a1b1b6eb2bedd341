"""Measures with bootstrap intervals: as text a row for each."""

from __future__ import annotations

from ...evaluation.bootstrap.answer import Bootstrap
from ...input import text
from .. import parts


def as_text(found: Bootstrap) -> str:
    """The cases, how they are resampled, and the measures."""
    rows = [
        [
            name,
            parts.value(one, usual=parts.IN_FULL),
            parts.bounds(one, usual=parts.IN_FULL),
            parts.method(one),
        ]
        for name, one in ((n, found[n]) for n in found)
    ]
    table = text.table(["measure", "value", parts.level_of(found.level), "method"], rows, right=(1,))
    return f"{_head(found)}\n\n{table}"


def _head(found: Bootstrap) -> str:
    d, how = found.cases.data, found.how
    side = ">=" if found.cases.sign > 0 else "<="
    lines = [
        f"{text.count(d.rows)} cases{parts.classes(d)}",
        f"positive when score {side} {text.exact(found.cases.sign * found.threshold + 0.0)}",
        f"{how.replicates:,} resamples of {_drawn(found)} ({how.resampling}); seed {how.seed}",
        text.paragraph(found.conditions, first=""),
    ]
    return "\n".join(lines)


def _drawn(found: Bootstrap) -> str:
    clusters = found.cases.cluster_count
    return (
        f"{clusters:,} clusters"
        if clusters
        else "cases of each class"
        if found.how.keeps_classes
        else "cases"
    )
