"""Headlines as sentences: what a model does, with intervals, and what is unsure; what a difference shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ...inference import Estimate
from ...input import text
from ...input.data_info import Task
from ...input.messages.notes import of_code
from ..document import Document
from ..grid import estimate, p_value, rounded, short, title

if TYPE_CHECKING:
    from ...evaluation.headline import Figure, Headline, Reading

LONGEST_LABEL = 24
COMMON_MIX = "at-common-mix"
LONGEST_NAME = 80  # characters of a model's name
Write = Callable[[Estimate], str]
AGAINST: dict[Reading, str] = {
    "better": "better than chance ({})",
    "worse": "worse than chance ({})",
    "unclear": "not shown to differ from chance ({})",
}
OF_MEAN: dict[Reading, str] = {
    "better": "better than always predicting the mean",
    "worse": "worse than always predicting the mean",
    "unclear": "not shown to be better than always predicting the mean",
}


def headline(h: Any, full: bool = False) -> Document:
    """The sentence of an evaluation, or of a comparison."""
    return Document(kind="sentence", headline=sentence(h) if hasattr(h, "main") else of_comparison(h))


def sentence(h: Headline, digits: int | None = None) -> str:
    """The sentence of an evaluation. digits: after the point."""
    write = partial(_estimate, digits=digits)
    first = f"{_main(h, write)} on {_cases(h)}"
    rest = "; ".join(part for part in SENTENCES[h.task](h, write) if part)
    return f"{first}: {rest}." if rest else f"{first}."


def _estimate(found: Estimate, digits: int | None) -> str:
    """In a sentence, which says what is approximate in words."""
    return estimate(found, digits).replace("~", "")


def _main(h: Headline, write: Write) -> str:
    name, found = title(h.main.measure), h.main.estimate
    if found.undefined:
        return f"{name} is undefined"
    about = "approximate " * any(note.kind == "approximate" for note in found.notes)
    level = f" ({about}{100 * found.level:.4g}% CI)" if found.has_interval else " (no interval)"
    return f"{_corrected(found)}{name} {write(found)}{level}"


def _cases(h: Headline) -> str:
    said = [f"{text.count(h.cases)} {'weighted ' * h.weighted}case{'s' * (h.cases != 1)}"]
    if h.groups is not None:
        what, number = h.groups
        said[0] += f" in {number:,} {what[: -1 if number == 1 else None]}"
    if h.positives is not None:
        said.append(f"{text.count(h.positives)} positive")
    if h.classes is not None:
        said.append(f"{h.classes:,} {'labels' if h.task == 'multilabel' else 'classes'}")
    return ", ".join(said)


def _corrected(found: Estimate) -> str:
    return "" if found.corrected is None else "corrected "


def _with_interval(found: Estimate, write: Write) -> str:
    return f"{write(found)}{'' if found.has_interval else ' (no interval)'}"


def _said(one: Figure, write: Write, verb: str = " is") -> str:
    """As "sensitivity is 0.587 [0.505, 0.665]"."""
    name = short(title(one.measure))
    found = one.estimate
    return f"{_corrected(found)}{name}{verb} {_with_interval(found, write)}"


def _reading(h: Headline, words: dict[Reading, str] = AGAINST) -> str:
    if h.main.estimate.undefined:
        return h.main.estimate.undefined.text
    return "" if h.reading is None else words[h.reading].format(f"{h.chance:.3g}")


# The rest of the sentence, by task
# --------------------------------------------------------------------------------------------------


def _two_classes(h: Headline, write: Write) -> list[str]:
    at = "" if h.threshold is None else f"at the threshold {h.threshold:.4g}"
    at += f"{', chosen on these cases,' if h.chosen else ''} " if at else ""
    said = [f"{_said(one, write, ' is' * (one is h.further[0]))}" for one in h.further]
    least = [_with_least(one, h, of) for one, of in zip(h.further, said, strict=True)]
    return [_reading(h), f"{at}{' and '.join(least)}" if least else ""]


def _with_least(one: Figure, h: Headline, said: str) -> str:
    """With a remark, where it is the less certain of two."""
    least = h.least_certain is not None and one.measure == h.least_certain.measure
    return f"{said} (the less certain)" if least else said


def _several_classes(h: Headline, write: Write) -> list[str]:
    always = "" if h.largest_class is None else text.rounded(h.largest_class)
    against = f", against {always} for always predicting the largest class" if always else ""
    found = "".join(_said(one, write) + against for one in h.further)
    return [_reading(h), found, _least_certain(h, write, "class")]


def _several_labels(h: Headline, write: Write) -> list[str]:
    exact = "the share of cases with every label right" if h.main.measure == "exact_match" else ""
    first = _reading(h) or exact
    return [first, *(_said(one, write) for one in h.further), _least_certain(h, write, "label")]


def _least_certain(h: Headline, write: Write, what: str) -> str:
    one = h.least_certain
    if one is None or one.cases is None:
        return ""
    name, found = short(title(one.measure)), one.estimate
    of = f"{what} {text.label(one.label, LONGEST_LABEL)}"
    cases = "" if h.weighted else f", from {text.count(one.cases)} case{'s' * (one.cases != 1)}"
    return f"least certain is the {name} of {of}, {_with_interval(found, write)}{cases}"


def _amounts(h: Headline, write: Write) -> list[str]:
    return [_reading(h, OF_MEAN), *(_of_amounts(one, write) for one in h.further)]


def _of_amounts(one: Figure, write: Write) -> str:
    found, said = one.estimate, _said(one, write)
    if one.measure != "mean_error" or not found.has_interval:
        return said
    side = "too high" if found.low > 0 else "too low" if found.high < 0 else ""
    return f"{said}, {f'{side} on average' if side else 'not shown to be biased'}"


SENTENCES: dict[Task, Callable[[Headline, Write], list[str]]] = {
    "binary": _two_classes,
    "multiclass": _several_classes,
    "multilabel": _several_labels,
    "regression": _amounts,
}


# Comparisons
# --------------------------------------------------------------------------------------------------


def of_comparison(h: Any) -> str:
    """The sentence of a comparison: the first difference, and what it shows."""
    return _of_several(h) if h.values else _of_two(h)


def _of_two(h: Any) -> str:
    one = h.difference
    found, which = one.estimate, f"{title(one.measure)}, {_name(one.model)} - {_name(one.reference)}"
    if found.undefined:
        return f"{which}: undefined {_on(h)}, {found.undefined.text}."
    if h.reading is None:
        return f"{which}: {rounded(found)} {_on(h)}, without a test: {found.note}."
    sizes = _size(one.p_value) + f", adjusted {_size(h.p_value)}" * h.adjusted
    level = f"{100 * h.level:.4g}% CI, " if found.has_interval else ""
    return f"{which}: {_estimate(found, None)} ({level}{sizes}) {_on(h)}: {_shown(h)}."


def _name(model: str) -> str:
    return text.label(model, LONGEST_NAME)


def _on(h: Any) -> str:
    """The cases that the measure is of, and their clusters."""
    of = f"{h.of_class} " if h.of_class else ""
    groups = f" in {h.groups[1]:,} {h.groups[0]}" if h.groups else ""
    return f"on {text.count(h.cases)} {of}case{'s' * (h.cases != 1)}{groups}"


def _size(p: float) -> str:
    return "p < 0.0001" if p < 1e-4 else f"p = {p_value(p)}"


def _shown(h: Any) -> str:
    """Which model is better, where the p-value shows a difference."""
    one = h.difference
    for at_mix in of_code(one.estimate.notes, COMMON_MIX):
        return f"not comparable, since it is {at_mix.text}"
    if h.reading == "unclear":  # the interval is of this difference alone
        alone = h.adjusted and one.p_value < 1 - h.level
        return f"no difference is shown{' after adjustment for all tests' * bool(alone)}"
    if h.reading in ("higher", "lower"):
        if h.of_class is None:
            return f"{_name(one.model)} has the {h.reading} value"
        higher, other = _name(one.model if one.value > 0 else one.reference), h.opposite
        said = f"{higher} has the higher {short(title(one.measure))}"
        if other is None:
            return said
        apart = _name(other.model if other.value > 0 else other.reference)
        return (
            f"{said}, and {'' if apart == higher else f'{apart} '}the higher"
            f" {short(title(other.measure))}"
            f" ({rounded(other.estimate)}, {_size(other.adjusted if h.adjusted else other.p_value)})"
        )
    return f"{_name(one.model if h.reading == 'better' else one.reference)} is better"


def _of_several(h: Any) -> str:
    """The range of the values, the joint test, and how many differences are shown."""
    one, known = h.difference, {name: e for name, e in h.values.items() if not e.undefined}
    name = title(one.measure)
    if not known:
        return f"{len(h.values)} models {_on(h)}: {name} is undefined."
    low, high = (pick(known, key=lambda name: known[name].value) for pick in (min, max))
    ends = (f"{rounded(known[name])} ({_name(name)})" for name in (low, high))
    joint = ""
    if h.joint is not None:
        verdict = "rejected" if h.joint.p_value < 1 - h.level else "not rejected"
        joint = f"; that all are equal is {verdict} ({_size(h.joint.p_value)})"
    against = f" from {_name(one.reference)}" if h.differences == len(h.values) - 1 else ""
    after = " after adjustment for all tests" * h.adjusted
    if of_code(one.estimate.notes, COMMON_MIX):
        shown = "not comparable, since the samples differ in class mix"
    else:
        many = f"{h.shown or 'none'} {'are' if h.shown > 1 else 'is'}"
        shown = f"of {h.differences} differences{against} {many} shown{after}"
    return f"{len(h.values)} models {_on(h)}: {name} {' to '.join(ends)}{joint}; {shown}."
