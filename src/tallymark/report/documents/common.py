"""Columns, rows and sentences that several kinds of results share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...inference import Estimate
from ...input import text
from ...input.data_info import DataInfo, conditions
from ...input.spelling import either
from ..document import Cell, Column, Table
from ..grid import level_of, title

LONGEST = 40  # characters of a name in a sentence


def number_of(number: float, what: str) -> str:
    """As "1 case" or "2 cases"."""
    return f"{text.count(number)} {what}{'s' * (number != 1)}"


def name(label: object) -> str:
    """A name from data in a sentence."""
    return text.label(label, LONGEST)


def cases(data: DataInfo) -> str:
    """As "16 cases: 7 positive, 9 negative"; of importance weights the share of positives."""
    said = number_of(data.rows, "case")
    if data.positives is None or data.negatives is None:
        return said
    if data.weight_kind in ("importance", "mixed"):
        total = data.positives + data.negatives
        return f"{said}, weighted {data.positives / total:.1%} positive" if total else said
    return f"{said}: {text.count(data.positives)} positive, {text.count(data.negatives)} negative"


def of_others(shown: int, number: int) -> str:
    """As "2 of 4 others are", before what is shown of them."""
    if number == 1:
        return f"the other is{'' if shown else ' not'}"
    return f"{shown or 'none'} of {number} others {'is' if shown == 1 else 'are'}"


def named(measure: str) -> Cell:
    """A measure in a column of names."""
    return Cell(title(measure), name=measure)


def column(measure: str, kind: Any = "estimate") -> Column:
    """A column of the estimates of a measure."""
    return Column(measure, title(measure).split(" (")[0], kind, measure)


def level(level: float) -> str:
    """A sentence on intervals."""
    return f"Intervals: {100 * level:.4g}%."


def measures(
    estimates: Mapping[str, Any] | Iterable[tuple[str, Any]],
    confidence: float,
    called: str = "measures",
    heading: str = "",
    **more: Any,
) -> Table:
    """A row per measure, with its estimate and method."""
    each = estimates.items() if isinstance(estimates, Mapping) else estimates
    rows = [{"measure": named(name), "estimate": found, "method": found} for name, found in each]
    columns = (
        Column("measure", "measure", "name"),
        Column("estimate", level_of(confidence), "estimate"),
        Column("method", "method", "method"),
    )
    return Table(called, columns, rows, heading, **more)


def unusual_conditions(e: Any) -> str:
    """The design and the weights, but for a cohort, which is the usual design."""
    usual = e.design == "cohort" and not e.mix_fixed_by_weights
    return conditions(None, e.data.weight_kind) if usual else str(e.conditions)


def tests(found: Iterable[Any], **more: Any) -> Table:
    """A row per statistical test."""
    rows = [
        {
            "test": one.name,
            "statistic": one.statistic,
            "df": None if one.df is None else f"{one.df:.4g}" if isinstance(one.df, float) else str(one.df),
            "p": one.p_value,
            "note": one.note or "",
        }
        for one in found
    ]
    columns = (
        Column("test", "test", "name"),
        Column("statistic", "statistic", "number"),
        Column("df", "df", "text"),
        Column("p", "p", "p"),
        *([Column("note", "", "text")] if any(row["note"] for row in rows) else []),
    )
    return Table("tests", columns, rows, **more)


def in_full() -> str:
    """How everything is printed."""
    return either("result.all", "--all")


def is_approximate(found: Estimate) -> bool:
    """Whether a note says so of its interval."""
    return any(note.kind == "approximate" for note in found.notes)
