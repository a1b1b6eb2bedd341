"""The headline of a comparison as one sentence: the first difference, and what it shows.

Of more than two models the range of their values and the joint test.
"""

from __future__ import annotations

from ...input import text
from ...studies.compare.common_mix import of_mix
from ...studies.compare.headline import ComparisonHeadline
from .. import parts

LONGEST = 80  # characters of a model's name


def as_text(h: ComparisonHeadline) -> str:
    """The sentence."""
    return _of_several(h) if h.values else _of_two(h)


def _of_two(h: ComparisonHeadline) -> str:
    one = h.difference
    found, which = one.estimate, f"{parts.title(one.measure)}, {_name(one.model)} - {_name(one.reference)}"
    if found.undefined:
        return f"{which}: undefined {_on(h)}, {found.undefined.text}."
    if h.reading is None:
        return f"{which}: {parts.rounded(found.value)} {_on(h)}, without a test: {found.note}."
    sizes = _size(one.p_value) + f", adjusted {_size(h.p_value)}" * h.adjusted
    level = f"{100 * h.level:.4g}% CI, " if found.has_interval else ""
    return f"{which}: {parts.estimate(found)} ({level}{sizes}) {_on(h)}: {_shown(h)}."


def _name(model: str) -> str:
    return text.label(model, LONGEST)


def _on(h: ComparisonHeadline) -> str:
    """The cases that the measure is of, and their clusters."""
    of = f"{h.of_class} " if h.of_class else ""
    groups = f" in {h.groups[1]:,} {h.groups[0]}" if h.groups else ""
    return f"on {text.count(h.cases)} {of}case{'s' * (h.cases != 1)}{groups}"


def _size(p_value: float) -> str:
    return "p < 0.0001" if p_value < 1e-4 else f"p = {parts.p_value(p_value)}"


def _shown(h: ComparisonHeadline) -> str:
    """Which model is better, where the p-value shows a difference."""
    one = h.difference
    at_mix = of_mix(one.estimate)
    if at_mix is not None:
        return f"not comparable, since it is {at_mix.text}"
    if h.reading == "unclear":  # the interval is of this difference alone
        alone = h.adjusted and one.p_value < 1 - h.level
        return "no difference is shown" + " after adjustment for all tests" * alone
    if h.reading in ("higher", "lower"):
        if h.of_class is None:
            return f"{_name(one.model)} has the {h.reading} value"
        higher, other = _name(one.model if one.value > 0 else one.reference), h.opposite
        said = f"{higher} has the higher {parts.short(parts.title(one.measure))}"
        if other is None:
            return said
        apart = _name(other.model if other.value > 0 else other.reference)
        return (
            f"{said}, and {'' if apart == higher else f'{apart} '}the higher"
            f" {parts.short(parts.title(other.measure))}"
            f" ({parts.rounded(other.value)}, {_size(other.adjusted if h.adjusted else other.p_value)})"
        )
    return f"{_name(one.model if h.reading == 'better' else one.reference)} is better"


def _of_several(h: ComparisonHeadline) -> str:
    """The range of the values, the joint test, and how many differences are shown."""
    one, known = h.difference, {name: e for name, e in h.values.items() if not e.undefined}
    title = parts.title(one.measure)
    if not known:
        return f"{len(h.values)} models {_on(h)}: {title} is undefined."
    low, high = (pick(known, key=lambda name: known[name].value) for pick in (min, max))
    ends = (f"{parts.rounded(known[name].value)} ({_name(name)})" for name in (low, high))
    joint = ""
    if h.joint is not None:
        verdict = "rejected" if h.joint.p_value < 1 - h.level else "not rejected"
        joint = f"; that all are equal is {verdict} ({_size(h.joint.p_value)})"
    against = f" from {_name(one.reference)}" if h.differences == len(h.values) - 1 else ""
    after = " after adjustment for all tests" * h.adjusted
    if of_mix(one.estimate):
        shown = "not comparable, since the samples differ in class mix"
    else:
        many = f"{h.shown or 'none'} {'are' if h.shown > 1 else 'is'}"
        shown = f"of {h.differences} differences{against} {many} shown{after}"
    return f"{len(h.values)} models {_on(h)}: {title} {' to '.join(ends)}{joint}; {shown}."
