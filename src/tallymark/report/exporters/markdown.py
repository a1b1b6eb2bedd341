"""The verdict as a table of Markdown."""

from __future__ import annotations

import re

from ...studies.gate.results import Verdict

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")


def as_text(verdict: Verdict) -> str:
    """A heading, and a row per requirement."""
    rows = [(finding.outcome, finding.requirement, finding.sentence) for finding in verdict.findings]
    table = [
        ("outcome", "requirement", "found"),
        ("---", "---", "---"),
        *(tuple(map(_plain, row)) for row in rows),
    ]
    lines = [f"| {' | '.join(row)} |" for row in table]
    budget = ["", f"{_plain(verdict.budget)}."] if verdict.budget else []
    condition = [_plain(verdict.condition), ""] if verdict.condition else []
    return "\n".join([f"### tallymark check: {_plain(verdict.summary)}", "", *condition, *lines, *budget, ""])


def _plain(text: str) -> str:
    """On one line, and nothing in it a mark."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))
