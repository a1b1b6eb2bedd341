"""A chosen threshold: its place, the counts there, and measures of counts corrected for optimism."""

from __future__ import annotations

from ...evaluation.notices import number_of
from ...evaluation.thresholds import CORRECTED
from ...evaluation.thresholds.choose_threshold import ThresholdChoice
from ...input import text
from ...input.messages.notes import without_codes
from .. import parts
from . import contingency

FEW_INTERVALS = 3  # of equally good thresholds that are listed


def as_text(c: ThresholdChoice) -> str:
    """The threshold, the two-by-two table, the measures, the notices."""
    tables = [contingency.as_text(c.evaluation.two_by_two), _table(c)]
    return "\n\n".join(
        part for part in (_head(c), parts.severe(c.notices), *tables, *parts.others(c)) if part
    )


def _head(c: ThresholdChoice) -> str:
    e, table = c.evaluation, c.choice.ranking
    side = ">=" if c.sign > 0 else "<="
    lines = [
        (
            f"{text.count(e.data.rows)} cases: {text.count(table.positives)} positive,"
            f" {text.count(table.negatives)} negative"
        ),
        f"positive when score {side} {text.exact(c.threshold)} (rule: {c.rule})",
        *([promise] if (promise := parts.promise(e)) else []),
        _reached(c),
        f"equally good: {_listed(c)}",
        c.conditions,
    ]
    return "\n".join(text.paragraph(line, first="") for line in lines)


def _reached(c: ThresholdChoice) -> str:
    """Where the thresholds lie on resamples, or why that is not known."""
    if c.without_interval:
        return c.note or ""
    number, (low, high) = number_of(len(c.choice.thresholds), "resample"), c.interval
    within = f"{100 * c.evaluation.settings.level:.4g}% of the thresholds lie from {low:.6g} to {high:.6g}"
    return f"on {number} {within}{f'; {c.note}' if c.note else ''}"


def _listed(c: ThresholdChoice) -> str:
    left, right = "(]" if c.sign > 0 else "[)"
    ends = [f"{left}{low:.6g}, {high:.6g}{right}" for low, high in c.equally_good]
    more = f" and {len(ends) - FEW_INTERVALS} more" if len(ends) > FEW_INTERVALS else ""
    return ", ".join(ends[:FEW_INTERVALS]) + more


def _table(c: ThresholdChoice) -> str:
    remarks: dict[str, str] = {}
    rows = [_row(c, name, remarks) for name in c.corrected]
    header = ["measure", "on these cases", "corrected", parts.level_of(c.evaluation.settings.level)]
    corrected = [text.paragraph(CORRECTED, first="")] if c.choice.replicates else []
    return "\n".join([text.fitted(header, rows, right=(1, 2)), *corrected, *parts.below(remarks)])


def _row(c: ThresholdChoice, name: str, remarks: dict[str, str]) -> list[str]:
    found = c.evaluation.estimates[name]
    said = (
        [found.undefined.text]
        if found.undefined
        else [note.text for note in without_codes(found.notes, "parameters")]
    )
    marks = parts.marks(said, remarks)
    return [
        name,
        text.number(found.value),
        text.number(c.corrected[name]),
        parts.with_marks(parts.ends(found), marks),
    ]
