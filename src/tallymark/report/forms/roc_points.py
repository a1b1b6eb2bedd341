"""Classifiers in ROC space: as text a row for each, with those that dominate it."""

from __future__ import annotations

from ...evaluation.roc_points import RocPoints
from ...inference import Estimate
from ...input import text
from .. import parts

LONGEST = 16
NEVER = "never"
MEANING = (
    "Best at: the ratios (negatives x cost of a false positive) / (positives x cost of a false negative) at"
    " which no other costs less. Dominated by: those with a sensitivity no lower and a false positive rate no"
    " higher."
)


def as_text(found: RocPoints) -> str:
    """The rates with intervals, the ratios at which it is best, and which dominate it."""
    names = text.labels(found, LONGEST)
    rows = []
    for name, one in found.items():
        slopes = NEVER if one.slopes is None else f"{one.slopes[0]:.3g} to {one.slopes[1]:.3g}"
        rates = (one.false_positive_rate, one.sensitivity)
        shown = [f"{rate.value:.3f} {_bounds(rate)}" for rate in rates]
        rows.append([names[name], *shown, slopes, ", ".join(names[other] for other in one.dominated_by)])
    head = ["classifier", "false positive rate", "sensitivity", "best at", "dominated by"]
    first = (
        f"{len(found)} classifier{'s' * (len(found) != 1)} in ROC space, {100 * found.level:.4g}% intervals"
    )
    return "\n\n".join([first, text.fitted(head, rows), text.paragraph(MEANING, first="")])


def _bounds(rate: Estimate) -> str:
    return parts.ends(rate, "(no interval)")
