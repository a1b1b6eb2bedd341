"""Criteria of fairness as text: a row for each, and which groups are furthest apart."""

from __future__ import annotations

from ...evaluation.groups.fairness import Disparity, Fairness
from ...evaluation.groups.table import FEWEST
from ...inference import Estimate
from ...input import text
from .. import parts

LONGEST = 14
CALIBRATED = {
    "calibration_in_the_large": "in the large (0)",
    "calibration_slope": "slope (1)",
    "expected_calibration_error": "ECE (0)",
}
NAMES = {"calibration_within_groups": "calibration"}


def as_text(found: Fairness) -> str:
    """What `print` shows."""
    rows = [[NAMES.get(name, name.replace("_", " ")), *_cells(one)] for name, one in found.items()]
    head = ["criterion", "difference", "ratio", "highest", "lowest"]
    number = len(found.groups)
    first = f"Fairness between {text.count(number)} group{'s' * (number != 1)} by {', '.join(found.by)}"
    notes = dict.fromkeys(
        note.text
        for one in found.values()
        for part in (one.difference, one.ratio)
        for note in (*part.notes, *([part.undefined] if part.undefined else []))
    )
    blocks = [
        text.paragraph(first, first=""),
        text.fitted(head, rows),
        _calibration(found),
        parts.listed(notes),
        text.paragraph(_said(found), first=""),
    ]
    return "\n\n".join(block for block in blocks if block)


def _calibration(found: Fairness) -> str:
    """The calibration within each group."""
    if not found.calibration:
        return ""
    heads = [CALIBRATED.get(name, name) for name in found.calibration]
    names = text.labels(found.groups, LONGEST)
    rows = [
        [names[group], *(_cell(one[group]) for one in found.calibration.values())] for group in found.groups
    ]
    return f"Calibration within groups\n\n{text.fitted(['group', *heads], rows)}"


def _cells(one: Disparity) -> list[str]:
    names = [text.label(name, LONGEST) if name is not None else "-" for name in (one.highest, one.lowest)]
    return [_cell(one.difference), _cell(one.ratio), *names]


def _cell(found: Estimate) -> str:
    if found.undefined:
        return "undefined"
    return parts.estimate(found)


def _said(found: Fairness) -> str:
    """How the intervals are made, and which groups are left out."""
    said = (
        f"Highest minus lowest, and lowest by highest. Intervals: {100 * found.level:.4g}% for each"
        " criterion, from those of the differences of each two groups together (Sidak)."
    )
    few = len(found.left_out)
    left = (
        f" {few} group{'s' * (few != 1)} with fewer than {FEWEST} cases of a class left out." if few else ""
    )
    of_odds = " Calibration is in the large: differences of log odds, and the ratio of odds."
    within = " Within the groups all intervals hold together." if found.calibration else ""
    return f"{said}{left}{of_odds}{within}"
