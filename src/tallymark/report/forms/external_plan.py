"""The plan of an external validation: cases for each criterion, cases in all, and assumptions."""

from __future__ import annotations

from ...input import text
from ...studies.planning.external_plan import Criterion, ExternalPlan
from .. import parts
from .plan import DESIGN


def as_text(p: ExternalPlan) -> str:
    """What `print` shows."""
    head = (
        f"External validation: {100 * p.level:.4g}% intervals no wider than wanted, at a prevalence of"
        f" {p.prevalence:.4g}"
    )
    wanted = text.table(
        ["measure", "expected", "width", "interval", "cases"], [_row(one) for one in p.criteria], right=(1, 2)
    )
    sizes = [["cases", text.count(p.n)], ["positives", f"{text.count(p.events)} on average"]]
    sizes += [] if p.clusters is None else [["clusters", text.count(p.clusters)]]
    assumed = parts.listed([DESIGN[p.design], *p.assumptions])
    return "\n\n".join(
        [text.paragraph(head, first=""), wanted, text.table(["needed", "number"], sizes), assumed]
    )


def _row(one: Criterion) -> list[str]:
    expected, width, low, high = map(text.number, (one.expected, one.width, *one.interval))
    return [one.measure, expected, width, f"{low} to {high}", text.count(one.n)]
