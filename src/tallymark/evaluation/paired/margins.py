"""Non-inferiority and equivalence: whether a difference lies within a margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, nan
from typing import Any

from ...inference import Estimate
from ...inference.hypothesis.evidence import Evidence
from ...inference.intervals.differences import span
from ...input import validate
from ...input.messages import Note, Notes, joined
from ...input.validate import InputError
from ...measures.registry import Measure, forms
from .differences import EQUIVALENCE, NON_INFERIORITY, Decision


def margins_of(
    non_inferior_by: Any, equivalent_within: Any, names: Sequence[str], level: float
) -> tuple[str | None, dict[str, float]]:
    """The hypothesis, and the margin by measure.

    Raises InputError for both hypotheses at once, and for margins that are not above 0.
    """
    given = {NON_INFERIORITY: non_inferior_by, EQUIVALENCE: equivalent_within}
    wanted = [name for name, value in given.items() if value is not None]
    if len(wanted) > 1:
        raise InputError(
            "conflict", "equivalent_within", "non_inferior_by is given already", "ask for one of the two"
        )
    if not wanted:
        return None, {}
    if wanted == [EQUIVALENCE] and not level > 0.5:
        raise InputError(
            "invalid-value",
            "level",
            f"{level:g} is too low for equivalence, which is judged at 2 level - 1",
            "give more than 0.5",
        )
    role = "non_inferior_by" if wanted == [NON_INFERIORITY] else "equivalent_within"
    value = given[wanted[0]]
    found = value if isinstance(value, Mapping) else dict.fromkeys(names, value)
    compared = {_compared(name, names, role): one for name, one in found.items()}
    return wanted[0], {form.name: _margin(one, role, form) for form, one in compared.items()}


def _compared(name: Any, names: Sequence[str], role: str) -> Measure:
    """The measure that is compared."""
    called = next((form for form in forms(name) if form.name in names), None)
    if called is None:
        raise InputError(
            "unknown-name",
            role,
            f"{validate.shown(name)} is not compared here",
            f"compared are {', '.join(names)}",
            value=name,
        )
    return called


def _margin(value: Any, role: str, measure: Measure) -> float:
    found = validate.positive(value, role, "give the smallest difference that matters, a number above 0")
    largest = span(measure.range)[1]
    if found >= largest:
        problem = (
            f"no values of {measure.name} differ by more than {largest:g}, so that {found:g} excludes nothing"
        )
        raise InputError("invalid-value", role, problem, f"give a number below {largest:g}", value=value)
    return found


def decision_of(
    hypothesis: str, margin: float, better: str | None, found: Estimate, evidence: Evidence, level: float
) -> Decision:
    """The decision whether the interval lies within the margin.

    For non-inferiority it is the two-sided interval at the level, so that the one-sided error is (1 - level)
    / 2, on the side where the model is worse. For equivalence it is the interval at 2 level - 1, on both
    sides: two one-sided tests at 1 - level each (Schuirmann 1987). The p-value is that of the one-sided test,
    or the larger one of the two.
    """
    if hypothesis == EQUIVALENCE:
        return _equivalent(margin, found, evidence, 2 * level - 1)
    if better is None:
        return _open(hypothesis, margin, level, joined(Note("without-better-side")))
    low, high = map(float, evidence.bounds(level))
    if isnan(low):
        return _open(hypothesis, margin, level, joined(found.undefined, found.notes))
    worse, side, limit = (low, "low", -margin) if better == "higher" else (high, "high", margin)
    kept = worse > limit if better == "higher" else worse < limit
    reason = Note("non-inferior", shown=bool(kept), side=side, end=float(worse), limit=limit, level=level)
    return Decision(
        hypothesis, margin, bool(kept), reason, one_sided(found, evidence, limit), low, high, level
    )


def _equivalent(margin: float, found: Estimate, evidence: Evidence, level: float) -> Decision:
    low, high = map(float, evidence.bounds(level))
    if isnan(low):
        return _open(EQUIVALENCE, margin, level, joined(found.undefined, found.notes))
    kept = -margin < low and high < margin
    reason = Note("equivalent", shown=bool(kept), low=low, high=high, margin=margin, level=level)
    p = max(one_sided(found, evidence, limit) for limit in (-margin, margin))
    return Decision(EQUIVALENCE, margin, bool(kept), reason, p, low, high, level)


def one_sided(found: Estimate, evidence: Evidence, limit: float) -> float:
    """The one-sided p-value of the hypothesis that the difference lies beyond the limit."""
    half = float(evidence.p_at(limit)) / 2
    inside = found.value > limit if limit < 0 else found.value < limit
    return half if inside else 1 - half


def _open(hypothesis: str, margin: float, level: float, reason: Notes) -> Decision:
    return Decision(hypothesis, margin, False, Note("undecided", because=reason), nan, nan, nan, level)
