"""The sentences of notes that say why there is no value, no measure or no number, by their code; nothing
else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..spelling import option

LEAD = "no interval: "
Words = str | Callable[[Mapping[str, Any]], str]  # a format of the fields, or a function of them


def _of_single_classes(fields: Mapping[str, Any]) -> str:
    many = "a case may have several labels" if fields["several_labels"] else "there are more than two classes"
    return f"{many}; see .classes and .averages"


def _empty(fields: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{what} ({parts} = 0)" for what, parts in zip(fields["what"], fields["parts"], strict=True)
    )


UNDEFINED: dict[str, Words] = {
    "empty": _empty,
    "lower-is-positive": "a lower score means positive here",
    "needs-amounts": "it needs predicted amounts; say {option[regression=True]}",
    "needs-classes": (
        "it is a measure of classes, and amounts have none; mean_absolute_error and mean_squared_error are of"
        " amounts"
    ),
    "needs-two-classes": (
        "it is a measure of two classes; take one class against the rest, by its score, with "
        "{either[one_vs_rest(label)|tallymark curve --class]}"
    ),
    "needs-class-scores": "it needs a score per class",
    "needs-order": (
        "it needs classes in an order, and text has none; name them in it, as "
        "{either[classes=('low', 'high')|--classes low high]}, or number them"
    ),
    "needs-score-kind": lambda fields: (
        f"pass {option('score_kind', fields['score_kind'])} if that is what the scores are"
    ),
    "needs-scores": "there are no scores",
    "no-probabilities": "the scores are no probabilities: {because}",
    "no-probabilities-of-two": (
        "the scores are no probabilities; pass {option[score_kind=logit]} if they are logits"
    ),
    "not-of-these-data": "the data do not allow it",
    "of-single-classes": _of_single_classes,
    "other-score-kind": lambda fields: (
        f"{option('score_kind', fields['score_kind'])} says that the scores are something else"
    ),
    "score-outside": "a score is {score:.10g}",
    "scores-of-a-case": "the scores of a case add up to {sum:.10g}, not 1",
    "scores-range": "the scores range from {low:g} to {high:g}",
    "zero-over-zero": "0/0",
    "difference-of-undefined": "{because}",
    "infinite-at-both-ends": "infinite for some classes and minus infinity for others",
    "no-number": "undefined: {because}",
    "no-number-of-interval": lambda fields: f"{LEAD}{fields['reasons'] or 'none is known'}",
    "no-better-side": "of {measure} neither a higher nor a lower value is better",
    "no-case-left": "no case was left to measure it on",
    "no-value-of": "no {unit} gave a value",
    "no-value-of-both": "no {unit} gave a value of both",
    "part-infinite": "a part of it is infinite",
    "rates-without-size": "it depends on the number of cases, which is not known from rates alone",
    "undefined-for-every-class": "undefined for every class",
    "rule-never-met": (
        "no threshold meets {rule!r} on these cases; ask for less, or see {either[curve()|tallymark curve]}"
        " for what there is"
    ),
    "rule-without-value": (
        "{rule!r} has no value at any threshold that no other one dominates, with as many true and as few"
        " false positives; choose another rule, or see {either[curve()|tallymark curve]} for what there is"
    ),
    "threshold-of-one-class": (
        "there is one class only, so that no threshold is better than another; add cases of both"
    ),
    "too-few-for-bound": (
        "no threshold meets {rule!r} at a confidence level of {level:g}: that takes {cases:,} cases in the"
        " denominator, and there are {there:,.6g}; add cases, or ask for less"
    ),
}
