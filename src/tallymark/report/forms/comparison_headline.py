"""The headline of a comparison as one sentence: the first difference, and what it shows."""

from __future__ import annotations

from ...input import text
from ...studies.compare.headline import ComparisonHeadline
from .. import parts


def as_text(h: ComparisonHeadline) -> str:
    """The sentence."""
    one = h.difference
    found, which = one.estimate, f"{parts.title(one.measure)}, {one.model} - {one.reference}"
    cases = f"on {text.count(h.cases)} case{'s' * (h.cases != 1)}"
    if found.undefined:
        return f"{which}: undefined {cases}, {found.undefined.text}."
    if h.reading is None:
        return f"{which}: {parts.rounded(found.value)} {cases}, without a test: {found.note}."
    ends = f"{100 * h.level:.4g}% CI {parts.rounded(found.low)} to {parts.rounded(found.high)}, "
    interval = ends if found.has_interval else ""
    sizes = _size(one.p_value) + f", adjusted {_size(h.p_value)}" * h.adjusted
    said = f"({interval}{sizes})"
    return f"{which}: {parts.rounded(found.value)} {said} {cases}: {_shown(h)}."


def _size(p_value: float) -> str:
    return "p < 0.0001" if p_value < 1e-4 else f"p = {parts.p_value(p_value)}"


def _shown(h: ComparisonHeadline) -> str:
    """Which model is better, where the p-value shows a difference."""
    one = h.difference
    if h.reading == "unclear":  # the interval is of this difference alone
        alone = h.adjusted and one.p_value < 1 - h.level
        return "no difference is shown" + " after adjustment for all tests" * alone
    if h.reading in ("higher", "lower"):
        return f"{one.model} has the {h.reading} value"
    return f"{one.model if h.reading == 'better' else one.reference} is better"
