"""Headlines as sentences: what a model does, with intervals, and what is unsure; what a difference shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...inference import Estimate
from ...input import text
from ...input.messages import of_code
from ...measures.titles import in_sentence, title
from ..document import Document, estimate, p_value, rounded
from . import common
from .common import number_of

if TYPE_CHECKING:
    from ...evaluation.headline import Figure, Headline, Reading

LONGEST_LABEL = 24
MOST_NAMED = 8  # models in a sentence
COMMON_MIX = "at-common-mix"
AGAINST: dict[Reading, str] = {
    "better": "better than chance ({:.3g})",
    "worse": "worse than chance ({:.3g})",
    "unclear": "not shown to differ from chance ({:.3g})",
}
OF_MEAN: dict[Reading, str] = {
    "better": "better than always predicting the mean",
    "worse": "worse than always predicting the mean",
    "unclear": "not shown to be better than always predicting the mean",
}


def headline(h: Any, full: bool = False) -> Document:
    """The sentence of an evaluation, or of a comparison."""
    return Document(kind="sentence", headline=sentence(h) if hasattr(h, "main") else of_comparison(h))


def sentence(h: Headline) -> str:
    """The sentence of an evaluation."""
    name, found = title(h.main.measure), h.main.estimate
    about = "approximate " * any(note.kind == "approximate" for note in found.notes)
    level = f"{about}{100 * found.level:.4g}% CI" if found.has_interval else "no interval"
    main = f"{_corrected(found)}{name} {_written(found)} ({level})"
    rest = "; ".join(filter(None, (_reading(h), *_further(h), _least_certain(h))))
    return f"{f'{name} is undefined' if found.undefined else main} on {_cases(h)}{': ' * bool(rest)}{rest}."


def _written(found: Estimate) -> str:
    """In a sentence, which says what is approximate in words."""
    return estimate(found).replace("~", "")


def _cases(h: Headline) -> str:
    said = [f"{text.count(h.cases)} {'weighted ' * h.weighted}case{'s' * (h.cases != 1)}"]
    if h.groups is not None:
        said[0] += common.in_units(*h.groups)
    if h.positives is not None:
        said.append(f"{text.count(h.positives)} positive")
    if h.classes is not None:
        said.append(f"{h.classes:,} {'labels' if h.task == 'multilabel' else 'classes'}")
    return ", ".join(said)


def _corrected(found: Estimate) -> str:
    return "" if found.corrected is None else "corrected "


def _with_interval(found: Estimate) -> str:
    return f"{_written(found)}{'' if found.has_interval else ' (no interval)'}"


def _reading(h: Headline) -> str:
    """What the measure that leads shows against chance."""
    if h.main.estimate.undefined:
        return h.main.estimate.undefined.text
    if h.reading is None:
        return "the share of cases with every label right" if h.main.measure == "exact_match" else ""
    return (OF_MEAN if h.task == "regression" else AGAINST)[h.reading].format(h.chance)


def _further(h: Headline) -> list[str]:
    """As "sensitivity is 0.587 [0.505, 0.665]"; those of two classes together, at their threshold."""
    binary = h.task == "binary"
    said = [
        f"{_corrected(one.estimate)}{in_sentence(one.measure)}{' is' * (not binary or i == 0)}"
        f" {_with_interval(one.estimate)}{_remark(h, one)}"
        for i, one in enumerate(h.further)
    ]
    if not binary or not said:
        return said
    chosen = ", chosen on these cases," if h.chosen else ""
    at = "" if h.threshold is None else f"at the threshold {h.threshold:.4g}{chosen} "
    return [at + " and ".join(said)]


def _remark(h: Headline, one: Figure) -> str:
    """What a further measure is compared with, or what it shows."""
    found = one.estimate
    if h.largest_class is not None:
        return f", against {text.rounded(h.largest_class)} for always predicting the largest class"
    if h.task == "binary" and h.least_certain is not None and one.measure == h.least_certain.measure:
        return " (the less certain)"
    if one.measure == "mean_error" and found.has_interval:
        side = "too high" if found.low > 0 else "too low" if found.high < 0 else ""
        return f", {f'{side} on average' if side else 'not shown to be biased'}"
    return ""


def _least_certain(h: Headline) -> str:
    one = h.least_certain
    if h.task == "binary" or one is None or one.cases is None:
        return ""
    of = f"{'label' if h.task == 'multilabel' else 'class'} {text.label(one.label, LONGEST_LABEL)}"
    cases = "" if h.weighted else f", from {number_of(one.cases, 'case')}"
    return f"least certain is the {in_sentence(one.measure)} of {of}, {_with_interval(one.estimate)}{cases}"


# Comparisons
# --------------------------------------------------------------------------------------------------


def of_comparison(h: Any) -> str:
    """The sentence of a comparison: the first difference, and what it shows."""
    if h.values:
        return _of_several(h)
    one = h.difference
    found = one.estimate
    sign = "/" if one.scale else "-"
    which = f"{title(one.measure)}, {common.name(one.model)} {sign} {common.name(one.reference)}"
    if found.undefined:
        return f"{which}: undefined {_on(h)}, {found.undefined.text}."
    if h.reading is None:
        return f"{which}: {rounded(found)} {_on(h)}, without a test: {found.note}."
    sizes = _size(one.p_value) + f", adjusted {_size(h.p_value)}" * h.adjusted
    level = f"{100 * h.level:.4g}% CI, " if found.has_interval else ""
    return f"{which}: {_written(found)} ({level}{sizes}) {_on(h)}: {_shown(h)}."


def _on(h: Any) -> str:
    """The cases that the measure is of, and their clusters."""
    of = f"{h.of_class} " if h.of_class else ""
    groups = common.in_units(*h.groups) if h.groups else ""
    folds = f"in the mean of {h.folds} folds " * bool(h.folds)
    return f"{folds}on {number_of(h.cases, f'{of}case')}{groups}"


def _size(p: float) -> str:
    return "p < 0.0001" if p < 1e-4 else f"p = {p_value(p)}"


def _shown(h: Any) -> str:
    """Which model is better, where the p-value shows a difference."""
    one, other = h.difference, h.opposite
    for at_mix in of_code(one.estimate.notes, COMMON_MIX):
        return f"not comparable, since it is {at_mix.text}"
    if h.reading == "unclear":  # the interval is of this difference alone
        alone = h.adjusted and one.p_value < 1 - h.level
        return f"no difference is shown{' after adjustment for all tests' * bool(alone)}"
    if h.reading in ("better", "worse"):
        return f"{common.name(one.model if h.reading == 'better' else one.reference)} is better"
    if h.of_class is None:
        return f"{common.name(one.model)} has the {h.reading} value"
    higher = _higher(one)
    said = f"{higher} has the higher {in_sentence(one.measure)}"
    if other is None:
        return said
    p = _size(other.adjusted if h.adjusted else other.p_value)
    apart = "" if _higher(other) == higher else f"{_higher(other)} "
    return f"{said}, and {apart}the higher {in_sentence(other.measure)} ({rounded(other.estimate)}, {p})"


def _higher(one: Any) -> str:
    """The model with the higher value."""
    return common.name(one.model if one.value > one.null else one.reference)


def _of_several(h: Any) -> str:
    """The range of the values, the joint test, and how many differences are shown."""
    one, known = h.difference, {name: e for name, e in h.values.items() if not e.undefined}
    head = f"{len(h.values)} models {_on(h)}: {title(one.measure)}"
    if not known:
        return f"{head} is undefined."
    ends = (pick(known, key=lambda name: known[name].value) for pick in (min, max))
    values = " to ".join(f"{rounded(known[name])} ({common.name(name)})" for name in ends)
    joint = ""
    if h.joint is not None:
        verdict = "rejected" if h.joint.p_value < 1 - h.level else "not rejected"
        joint = f"; that all are equal is {verdict} ({_size(h.joint.p_value)})"
    against = f" from {common.name(one.reference)}" if h.differences == len(h.values) - 1 else ""
    after = " after adjustment for all tests" * h.adjusted
    many = f"{h.shown or 'none'} {'are' if h.shown > 1 else 'is'}"
    shown = f"of {h.differences} differences{against} {many} shown{after}"
    if of_code(one.estimate.notes, COMMON_MIX):
        shown = "not comparable, since the samples differ in class mix"
    return f"{head} {values}{joint}; {shown}.{not_worse(h.not_worse)}"


def not_worse(models: Sequence[str]) -> str:
    """The models not shown to be worse than the best, as a sentence after others."""
    if not models:
        return ""
    named = ", ".join(map(common.name, models[:MOST_NAMED]))
    more = f" and {len(models) - MOST_NAMED} more" if len(models) > MOST_NAMED else ""
    return f" Not shown to be worse than the best: {named}{more}."
