"""What the data at hand show: of each measure its interval, and how many cases another width takes."""

from __future__ import annotations

from math import ceil

from ...input import text
from ...studies.planning.present import Present, Reach
from .. import parts

SAME_KIND = (
    "Cases are those that give the width wanted: the same data counted more often, with the interval made"
    " anew"
)
RESAMPLED = (
    "Intervals by resampling vary a little from one number of cases to another, and so do the numbers of"
    " cases given for them"
)
DETECTABLE = (
    "An interval detects, with a power of {power:g}, about so large a difference from a fixed value; from"
    " another model, on other such data, one of 1.41 times that"
)


def as_text(p: Present) -> str:
    """What `print` shows."""
    head = ["measure", "value", f"{100 * p.level:.4g}% interval", "width", "wanted", "cases", "detects"]
    assumed = text.paragraph(p.conditions, first="")
    rows = text.blocks(head, [_row(one) for one in p.reach])
    return f"{text.count(ceil(p.cases))} cases\n{assumed}\n\n{rows}\n\n{parts.listed(_notes(p))}"


def _notes(p: Present) -> list[str]:
    resampled = [RESAMPLED] if any(map(_resampled, p.reach)) else []
    return [
        SAME_KIND,
        DETECTABLE.format(power=p.power),
        *resampled,
        *(f"{one.measure}: {one.note}" for one in p.reach if one.note),
    ]


def _resampled(one: Reach) -> bool:
    return one.estimate.method is not None and "bootstrap" in one.estimate.method


def _row(one: Reach) -> list[str]:
    now, cases = one.estimate, "-" if one.cases is None else text.count(one.cases)
    width, wanted, detectable = map(_number, (one.width, one.wanted, one.detectable))
    return [
        one.measure,
        parts.value(now, usual=parts.IN_FULL),
        parts.ends(now, usual=parts.IN_FULL),
        width,
        wanted,
        cases,
        detectable,
    ]


def _number(value: float | None) -> str:
    return "-" if value is None else text.number(value)
