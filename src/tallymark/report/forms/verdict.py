"""The verdict of a gate: the cases, a finding per requirement, and whether all are met."""

from __future__ import annotations

from ...input import text
from ...input.terminal import GREEN, RED, coloured
from ...studies.gate.results import FAILED, PASSED, Finding, Verdict
from .. import parts

LONGEST = 1000  # characters of a requirement that are shown
INDENT = "        "


def as_text(v: Verdict) -> str:
    """What `print` shows."""
    blocks = [
        _head(v),
        parts.severe(v.notices),
        "\n".join(_finding(one) for one in v.findings),
        coloured(v.summary, GREEN if v.passed else RED),
    ]
    return "\n\n".join(block for block in blocks if block)


def _head(v: Verdict) -> str:
    data = v.evaluation.data
    budget = f"{v.budget}." if v.budget else None
    size = f"{text.count(data.rows)} case{'s' * (data.rows != 1)}{parts.classes(data)}"
    lines = [data.called, size, v.baseline, v.condition, budget]
    return "\n".join(text.paragraph(line, first="") for line in lines if line)


def _finding(one: Finding) -> str:
    mark, colour = (PASSED, GREEN) if one.passed else (FAILED.upper(), RED)
    head = text.paragraph(text.label(one.requirement, LONGEST), INDENT, f"{mark}  ")
    return f"{coloured(head, colour)}\n{text.paragraph(one.sentence, INDENT)}"
