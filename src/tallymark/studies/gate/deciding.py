"""From an estimate to the finding on a requirement."""

from __future__ import annotations

from math import isnan

from ...inference import Estimate
from .measuring import Measured
from .requirement import Requirement
from .results import FAILED, PASSED, UNDEFINED, Finding, met, number_of, undefined


def decide(asked: Requirement, found: Measured) -> Finding:
    """The finding: an undefined value, or a missing interval where its end is required, never passes."""
    part, size = asked.part or "value", asked.quantity.is_size
    return compare(
        asked.text, str(asked.quantity), found.estimate, part, asked.operator, asked.limit, found.how, size
    )


def compare(
    requirement: str,
    measured: str,
    estimate: Estimate,
    part: str,
    operator: str,
    limit: float,
    how: str | None = None,
    of_size: bool = False,
) -> Finding:
    """The finding on one number of an estimate, or on a number of cases."""
    reason = undefined(estimate, part)
    compared = number_of(estimate, part)
    outcome = UNDEFINED if isnan(compared) else PASSED if met(compared, operator, limit) else FAILED
    written = " ".join(requirement.split())
    return Finding(
        written, measured, estimate, part, compared, operator, limit, outcome, reason, how, of_size
    )
