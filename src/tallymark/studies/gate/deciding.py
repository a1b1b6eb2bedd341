"""From an estimate to the finding on a requirement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isnan

from ...evaluation.results import Evaluation
from ...inference import Estimate
from .measuring import measured
from .requirement import Requirement
from .results import FAILED, PASSED, UNDEFINED, Finding, met, number_of, undefined

NEAR = 0.05  # of the interval's width from the limit: as far as other random numbers may move a number
SEEDS = 4


def decide(e: Evaluation, requirement: Requirement) -> Finding:
    """The finding: an undefined value, or a missing interval where its end is required, never passes."""
    return with_other_seeds(e, lambda again: _decided(again, requirement))


def _decided(e: Evaluation, requirement: Requirement) -> Finding:
    found, part = measured(e, requirement), requirement.part or "value"
    done = compare(
        requirement.text,
        str(requirement.quantity),
        found.estimate,
        part,
        requirement.operator,
        requirement.limit,
        found.how,
    )
    return replace(done, of_size=requirement.quantity.is_size, nominal=done.nominal and not found.at_best)


def with_other_seeds(e: Evaluation, finding: Callable[[Evaluation], Finding]) -> Finding:
    """The finding, with its number for other seeds where it is near the limit and depends on the seed."""
    found, others = finding(e), list[float]()
    width = found.estimate.high - found.estimate.low
    if abs(found.compared - found.limit) < NEAR * width:
        for seed in range(e.settings.seed + 1, e.settings.seed + 1 + SEEDS):
            others.append(finding(replace(e, settings=replace(e.settings, seed=seed))).compared)
            if others == [found.compared]:
                return found
    return replace(found, other_seeds=tuple(others))


def compare(
    requirement: str,
    quantity: str,
    estimate: Estimate,
    part: str,
    operator: str,
    limit: float,
    how: str | None = None,
) -> Finding:
    """The finding on one number of an estimate: of a value between bounds on that which meets it less."""
    reason = undefined(estimate, part)
    compared = number_of(estimate, part)
    if part == "value" and estimate.bounds is not None:
        compared = estimate.bounds[operator.startswith("<")]
    outcome = UNDEFINED if isnan(compared) else PASSED if met(compared, operator, limit) else FAILED
    written = " ".join(requirement.split())
    nominal = not any(note.kind == "approximate" for note in estimate.notes)
    return Finding(
        written, quantity, estimate, part, compared, operator, limit, outcome, reason, how, nominal=nominal
    )
