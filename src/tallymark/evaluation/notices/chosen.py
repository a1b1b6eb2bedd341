"""Notices on a threshold that was chosen on the cases that are measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rules import BINARY, Fields, fact

if TYPE_CHECKING:
    from ..results import BinaryEvaluation


@fact(of=BINARY, severe=True)
def limit_met_here_only(e: BinaryEvaluation) -> Fields:
    """The rule limits an estimate, as `sensitivity>=0.95`, whose interval reaches beyond the limit."""
    by = None if e.threshold is None else e.threshold.by
    for limit in () if by is None else by.limits:
        found = e.estimates.get(limit.spec["measure"])
        if found is None or found.undefined or (found.has_interval and limit.met_by(found.low, found.high)):
            continue
        reaches = {"low": found.low, "high": found.high} if found.has_interval else {}
        return {"rule": limit.spec, **reaches, **({"safer": limit.safer} if limit.safer else {})}
    return None
