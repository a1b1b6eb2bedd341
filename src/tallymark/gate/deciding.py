"""From what was measured to what became of a requirement."""

from __future__ import annotations

from math import isnan

from ..uncertainty import Estimate
from .measuring import Measured
from .requirement import Requirement
from .results import FAILED, PASSED, UNDEFINED, Finding, met, number_of, undefined


def decide(asked: Requirement, found: Measured) -> Finding:
    """Compares; what is undefined, or has no interval where its end is asked for, never passes."""
    return compare(asked.text, str(asked.quantity), found.estimate, asked.part or "value", asked.operator, asked.limit, found.how)


def compare(
    requirement: str, measured: str, estimate: Estimate, part: str, operator: str, limit: float, how: str | None = None
) -> Finding:
    """The finding on one number of an estimate."""
    reason = undefined(estimate, part)
    compared = number_of(estimate, part)
    outcome = UNDEFINED if isnan(compared) else PASSED if met(compared, operator, limit) else FAILED
    return Finding(" ".join(requirement.split()), measured, estimate, part, compared, operator, limit, outcome, reason, how)
