"""Measures at another prevalence: as text a row for each."""

from __future__ import annotations

from ...evaluation.contingency import Contingency
from ...evaluation.prevalence import UNKNOWN, AtPrevalence
from ...evaluation.thresholds import CORRECTED, Optimism
from ...inference import Estimate
from ...input import text
from .. import parts
from . import contingency


def as_text(found: AtPrevalence) -> str:
    """The rates that stay, and every measure."""
    unknown = (
        [] if found.measured else [text.paragraph(f"{UNKNOWN.text[0].upper()}{UNKNOWN.text[1:]}.", first="")]
    )
    below = [text.paragraph(CORRECTED, first="")] if _chosen(found) else []
    expected = [contingency.cells(Contingency(found.counts))] if found.counts.total != 1 else []
    return "\n\n".join([_head(found), *expected, *unknown, _table(found), *below])


def _head(found: AtPrevalence) -> str:
    rates = ", ".join(f"{name} {found[name]:.4g}" for name in ("sensitivity", "specificity"))
    cases = f" ({text.count(found.counts.total)} cases, as measured)" if found.measured else ""
    first = f"prevalence {text.number(found.prevalence)}{_estimated(found)}, {rates}{cases}"
    return "\n".join(text.paragraph(line, first="") for line in (first, found.conditions) if line)


def _estimated(found: AtPrevalence) -> str:
    """The interval of a prevalence that is not known, and what it was estimated from."""
    if found.share.known:
        return ""
    events, cases = found.share.events, found.share.cases
    of = "" if events is None or cases is None else f", {text.count(events)} of {text.count(cases)} cases"
    return f" {parts.bounds(found['prevalence'])} (counted in{of})"


def _table(found: AtPrevalence) -> str:
    corrected = ["on these cases", "corrected"] if _chosen(found) else ["value"]
    header = ["measure", *corrected, parts.level_of(found.settings.level), "method"]
    return text.table(header, [_row(found, name, one) for name, one in found.estimates.items()], right=(1,))


def _row(found: AtPrevalence, name: str, one: Estimate) -> list[str]:
    said = "" if UNKNOWN in one.notes else parts.method(one)  # once, above the table
    values = [one.value, one.centre] if _chosen(found) else [one.value]
    return [name, *map(text.number, values), parts.bounds(one, usual=parts.IN_FULL), said]


def _chosen(found: AtPrevalence) -> bool:
    """Whether the threshold was chosen on the cases measured, and values are corrected for that."""
    return isinstance(found.gained, Optimism)
