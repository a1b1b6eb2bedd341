"""Differences between groups as text: a row for each, and how the intervals hold together."""

from __future__ import annotations

from ...evaluation.groups.differences import GroupDifferences
from ...input import text
from . import groups

LONGEST = 20
MOST = 200


def as_text(found: GroupDifferences) -> str:
    """What `print` shows."""
    rows = [
        [
            text.label(groups.label(one.group), LONGEST),
            text.label(groups.reference(one.reference), LONGEST),
            groups.title(one.measure),
            groups.signed(one),
        ]
        for one in found[:MOST]
    ]
    head = ["group", "minus", "measure", f"difference, {100 * found.level:.4g}% together"]
    more = f"{len(found) - MOST:,} more: .table" if len(found) > MOST else ""
    table = text.fitted(head, rows, right=(3,))
    return "\n".join(
        part for part in (table, more, text.paragraph(groups.simultaneous(found), first="")) if part
    )
