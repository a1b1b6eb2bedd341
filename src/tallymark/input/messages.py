"""Messages as values: a code with fields, from which the sentence is made.

No decision depends on its wording.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from math import isfinite, log10
from numbers import Number
from string import Formatter
from typing import Any, Self

import numpy as np

from .errors import IN_FORMATS, option
from .labels import brief
from .results import Result
from .text import count, exact, interval, label, rounded
from .validate import shown


class Message(Result, ABC):
    """A code, and the figures and names of a sentence by name.

    Attributes
    ----------
    code : str
        Identifies the message, as "few-in-a-class"; it stays the same when the sentence is reworded.
    fields : tuple of pairs (name, value)
        The figures and names in the sentence, as ("limit", 30); `message["limit"]` is the value. A field may
        hold other messages.
    """

    __slots__ = ("_code", "_fields")

    def __init__(self, code: str, /, **fields: Any):
        self._code = code
        self._fields = tuple(fields.items())

    @property
    def code(self) -> str:
        """Identifies the message."""
        return self._code

    @property
    def fields(self) -> tuple[tuple[str, Any], ...]:
        """The figures and names in the sentence, with their names."""
        return self._fields

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message) or type(other) is not type(self):
            return NotImplemented
        return (self._code, self._fields) == (other._code, other._fields)

    def __hash__(self) -> int:
        return hash((self._code, self._fields))

    def __getitem__(self, name: str) -> Any:
        return dict(self.fields)[name]

    def __contains__(self, name: object) -> bool:
        return name in dict(self.fields)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self.fields))

    def __repr__(self) -> str:
        given = (f"{name}={value!r}" for name, value in self.fields)
        return f"{type(self).__name__}({', '.join([repr(self.code), *given])})"

    def __str__(self) -> str:
        return self.text

    @property
    @abstractmethod
    def text(self) -> str:
        """The sentence."""

    @property
    def in_words(self) -> dict[str, Any]:
        """The fields, with sentences in place of messages, or of tuples of messages."""
        words = dict(self.fields)
        for name, value in self.fields:
            first = value[0] if isinstance(value, tuple) and value else value
            words[name] = text_of(value) if isinstance(first, Message) else value
        return words

    def but(self, **fields: Any) -> Self:
        """The same message with other values of some fields."""
        return type(self)(self.code, **{**dict(self.fields), **fields})

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: the code, the fields, the sentence."""
        return {
            "code": self.code,
            "fields": {name: _plain(value) for name, value in self.fields},
            "text": self.text,
        }


def text_of(values: Message | tuple[Message, ...] | None) -> str | None:
    """The sentences joined with semicolons; None without messages."""
    several = (values,) if isinstance(values, Message) else values or ()
    return "; ".join(one.text for one in several) or None


class Noted:
    """What has notes, each with a code and fields."""

    __slots__ = ()

    @property
    def note(self) -> str | None:
        """The sentences of the notes, joined with semicolons; None where there are none."""
        return text_of(self.notes)  # type: ignore[attr-defined]  # a field, or a property


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    return value if value is None or isinstance(value, (str, bool, int)) else str(value)


# How sentences are written
# --------------------------------------------------------------------------------------------------

LEAD = "no interval: "
LONGEST_LABEL = 20


class Fields(dict[str, Any]):
    """The fields of a sentence, and those that are made of them. message: where they are of one."""

    def __init__(self, fields: Mapping[str, Any], message: Any = None) -> None:
        super().__init__({**IN_FORMATS, **fields})
        self.message = message

    def __missing__(self, name: str) -> Any:
        return MADE[name](self)


# A format of the fields, several sentences that are put together, or a function of the fields, as `when` and
# `case` make. Formats write a number with its noun, {cases:# case has|# cases have}, or choose between two
# words, {cases:it|them}, and have the fields of MADE and the notations of WRITTEN.
Words = str | tuple[Any, ...] | Callable[[Fields], str]


class _Formatter(Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        if "|" in spec:
            number = count(value)
            return spec.split("|")[number != "1"].replace("#", number)
        return WRITTEN[spec](value) if spec in WRITTEN else str(super().format_field(value, spec))


FORMATTER = _Formatter()


@cache
def _writer(words: str) -> Callable[[Fields], str]:
    """What writes a format: Python's own, which is faster, where it has no notation of ours."""
    specs = [spec or "" for _, _, spec, _ in FORMATTER.parse(words)]
    if any(spec in WRITTEN or "|" in spec or "{" in spec for spec in specs):
        return lambda fields: FORMATTER.vformat(words, (), fields)
    return words.format_map


def in_words(words: Words, fields: Fields) -> str:
    """The sentence for these fields."""
    if isinstance(words, str):
        return _writer(words)(fields)
    return "".join(in_words(part, fields) for part in words) if isinstance(words, tuple) else words(fields)


def when(field: str, yes: Words, no: Words = "") -> Words:
    """One of two sentences: whether the message has the field, and that is not None, False or empty."""

    def chosen(fields: Fields) -> str:
        value = fields.get(field)
        there = value is not False and (isinstance(value, Number) or value)
        return in_words(yes if there else no, fields)

    return chosen


def case(field: str, sentences: Mapping[Any, Words], other: Words = "") -> Words:
    """One of several sentences, by the value of the field."""
    return lambda fields: in_words(sentences.get(fields.get(field), other), fields)


def _measure(name: str) -> str:
    from ..measures.titles import in_sentence

    return in_sentence(name)


WRITTEN: dict[str, Callable[[Any], str]] = {
    "shown": shown,
    "count": count,
    "exact": exact,
    "rounded": rounded,
    "percent": lambda share: f"{100 * share:.4g}%",
    "name": lambda name: label(str(name), LONGEST_LABEL),
    "measure": _measure,
    "measures": lambda names: ", ".join(map(_measure, names)),
    "rates": lambda rates: ", ".join(f"{rate:g}" for rate in rates),
}
MADE: dict[str, Callable[[Fields], Any]] = {
    "interval": lambda fields: interval(fields["low"], fields["high"]),
    "reasons": lambda fields: "; ".join(note.reason for note in joined(fields.message["because"])),
}


# The sentences of notes
# --------------------------------------------------------------------------------------------------

VALUE = when("model", "the value of {model}", "the {which} value")
UNDEFINED_VALUES: dict[str, Words] = {
    "answers-without-order": "predicted values that name no class have no place in the order of the classes",
    "empty": lambda fields: ", ".join(
        what if "_" in parts else f"{what} ({parts} = 0)"  # not by a name of the library
        for what, parts in zip(fields["what"], fields["parts"], strict=True)
    ),
    "lower-is-positive": "a lower score means positive here",
    "needs-amounts": "it needs predicted amounts; say {option[regression=True]}",
    "needs-each-amount": (
        "only sums of the amounts came from their engine, and it needs each; pass {option[bins=None]} to read"
        " every row"
    ),
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
        "{either[classes=('low', 'high'), ordered=True|--classes low high --ordered]}, or number them"
    ),
    "needs-score-kind": lambda fields: (
        f"pass {option('score_kind', fields['score_kind'])} if that is what the scores are"
    ),
    "needs-scores": "there are no scores",
    "no-bounds-with-weights": (
        "where scores are in bins its bounds are known for numbers of cases, not for weights that vary"
    ),
    "no-probabilities": "the scores are not probabilities: {because}",
    "no-probabilities-of-two": (
        "the scores are not probabilities; pass {option[score_kind=logit]} if they are logits"
    ),
    "not-of-these-data": "the data do not allow it",
    "of-several-classes": "it is an average over several classes, and there are two; take {measure}",
    "of-single-classes": (
        when("several_labels", "a case may have several labels", "there are more than two classes"),
        "; take an average, as macro_{measure}, or a class of .classes",
    ),
    "other-score-kind": lambda fields: (
        f"{option('score_kind', fields['score_kind'])} says that the scores are something else"
    ),
    "score-outside": "a score is {score:.10g}",
    "scores-of-a-case": "the scores of a case add up to {sum:.10g}, not 1",
    "scores-range": "the scores range from {low:g} to {high:g}",
    "zero-over-zero": "0/0",
    "difference-of-undefined": "{because}",
    "infinite-at-both-ends": "infinite for some classes and minus infinity for others",
    "no-bounds": (
        "no bounds are known for it where scores are in bins ({bins:,}), {why}; take the cases, or a"
        " RankingTable"
    ),
    "value-in-bins": (
        "only bounds of it are known where scores are in bins ({bins:,}), and folds need its values;"
        " pass more {option[memory]}"
    ),
    "no-number": "undefined: {because}",
    "no-number-of-interval": ("{lead}", when("because", "{reasons}", "none is known")),
    "no-better-side": ("of {measure:measure} neither a higher nor a lower value is better"),
    "no-group-of-size": "no group has so many cases",
    "no-case-left": "no case was left to measure it on",
    "no-value-of": "no {unit} gave a value",
    "no-value-of-both": "no {unit} gave a value of both",
    "part-infinite": "a part of it is infinite",
    "rates-without-size": "it depends on the number of cases, which is not known from rates alone",
    "unbounded": ("between {low:.4g} and {high:.4g} where scores are in bins ({bins:,}); take more bins"),
    "undefined-for-every-class": "undefined for every class",
    "rule-never-met": (
        "no threshold meets {rule!r} on these cases; ask for less, or see {either[curve()|tallymark curve]}"
        " for the attainable values"
    ),
    "rule-without-value": (
        "{rule!r} has no value at any threshold that no other one dominates, with as many true and as few"
        " false positives; choose another rule, or see {either[curve()|tallymark curve]} for the"
        " attainable values"
    ),
    "threshold-of-one-class": (
        "there is one class only, so that no threshold is better than another; add cases of both"
    ),
    "threshold-no-probability": lambda fields: (
        f"the threshold {fields['threshold']:.6g} "
        + (
            "has infinite odds, and there is no false positive"
            if fields["threshold"] == 1
            else "is no probability, and has no odds at which benefit and harm are exchanged"
        )
        + f"; give {option('threshold')} between 0 and 1, or net_benefit a threshold of its own"
    ),
    "too-few-for-bound": (
        "no threshold meets {rule!r} at a confidence level of {level:g}: that takes {cases:,} cases in the"
        " denominator, and there are {there:,.6g}; add cases, or ask for less"
    ),
}
WITHOUT_INTERVAL: dict[str, Words] = {
    "changes-all-alike": "{lead}all cases of a class change alike",
    "areas-without-spread": "areas that differ show no spread",
    "brier-score-fixed": "every probability is 0, 1/2 or 1, so that the Brier score cannot vary",
    "without-each-amount": (
        "{lead}it needs each amount, and only sums came from their engine; pass {option[bins=None]}"
    ),
    "all-on-one-side": (
        "{lead}all cases are on one side, where Wald's has no width; use wilson or clopper-pearson"
    ),
    "both-infinite": "both values are infinite",
    "bounds-alike": "{lead}the bounds at this level are the same but for rounding",
    "chosen-here": (
        "{lead}the threshold was chosen on these cases; give {option[threshold]}, or use evaluate,"
        " which accounts for the choice"
    ),
    "chosen-here-by-models": (
        when("several", "the thresholds of {models} were", "the threshold of {models} was"),
        " chosen on these cases, which may favour one model more than the other, so that there is no interval"
        " and no p-value; give {option[threshold]}, from other cases",
    ),
    "groups-left-out": "{groups} without an interval of the difference left out",
    "interaction-of-one-group": "fewer than two groups have an interval of the difference",
    "fewer-than-two-groups": "fewer than two groups have 10 cases of each class",
    "undefined-without-a-fold": "{lead}it is undefined for the cases of all folds but one",
    "undefined-in-a-group": "the measure is undefined in a group",
    "chosen-on-all-folds": (
        "{lead}the threshold was chosen on the test cases of all folds; give {option[threshold]}"
    ),
    "chosen-on-all-groups": "{lead}the threshold was chosen on all cases, of which these are a part",
    "clusters-in-several-groups": "{lead}groups share clusters or persons, and their covariance is not known",
    "chosen-in-clusters": "{lead}with clusters no measure is corrected for the choice of the threshold",
    "chosen-on-too-few": (
        "{lead}the threshold was chosen on these cases, and a class has fewer than {limit} of them to choose"
        " and count on"
    ),
    "choice-not-repeated": (
        "{lead}the choice of the threshold was not repeated on resamples ({option[replicates=0]})"
    ),
    "choice-rarely-possible": (
        "{lead}the threshold was chosen on these cases, and on many halves of them the rule allows none"
    ),
    "class-mix-fixed": "{lead}the class mix is fixed by the weights",
    "class-sizes-fixed": "{lead}the class sizes are fixed by the design",
    "class-left-out": "{lead}a class that occurs is left out, and may not be in another sample",
    "classes-separated-or-tied": ("the classes are separated, or all scores tied: no case has any influence"),
    "close-to-an-end": "the value is too close to an end of its range for an interval",
    "corrected-undefined": (
        "{lead}after correction for the optimism of the chosen threshold, the measure is undefined or"
        " infinite"
    ),
    "depends-on-fixed-mix": (
        "it depends on the class mix, which the case-control design fixes; {option[design=cohort]} lets it"
        " vary"
    ),
    "depends-on-weighted-mix": "it depends on the class mix, which the weights fix",
    "scores-not-weighted": (
        "it is a mean over the scores of the sample, each of which counts the same whatever its weight"
    ),
    "smooth-deviations": (
        "{lead}a smooth curve deviates more in samples than in the population, and no method is known that"
        " covers"
    ),
    "deviations-larger-in-resamples": (
        "deviations are larger in resamples than in the cases, so that no bootstrap interval of them holds"
    ),
    "difference-undefined": "{lead}the difference is undefined",
    "errors-of-resamples-unknown": "the standard errors of the resamples are unknown, or 0",
    "curve-without-points": "{lead}the curve has no points",
    "every-case-alike": "{lead}the difference is the same in every case",
    "fewer-deciding": "fewer than {limit} cases decide",
    "fewer-taken": "fewer than one case is taken",
    "given": "given, so it has no interval",
    "in-clusters": "{lead}cases within a cluster are not independent",
    "infinite": "infinite",
    "infinite-value": ("{lead}", VALUE, " is infinite"),
    "interval-without-value": ("{lead}that of ", VALUE, " does not contain the value itself"),
    "leaps": (
        "none: the interval of {measure:measure} contains the value where this measure jumps from one end of"
        " its range to the other"
    ),
    "likelihood-flat": "the likelihood is flat, or nearly flat: there is no standard error",
    "judge-by-chance": "on these cases the judge is no better than chance",
    "largest-of-sample": (
        "a sample alone does not bound the largest error of other cases, which increases with their number"
    ),
    "losses-alike": "every case has the same loss, so that there is no spread",
    "losses-alike-in-each-class": (
        "every case of a class has the same loss, and the design fixes the class sizes, so that there is no "
        "spread"
    ),
    "one-case-decides": "without one of the cases it is undefined or at an end of its range",
    "losses-zero": "every loss is 0, so that there is no spread",
    "nearly-all-above": "nearly all samples of a calibrated model of so many cases have a larger error",
    "difference-alike": "no interval and no p-value: the same on every fold",
    "difference-infinite": "no interval and no p-value: infinite",
    "difference-of-one-fold": "no interval and no p-value: a single value",
    "folds-alike": "{lead}the same on every fold, which does not mean that there is no uncertainty",
    "folds-infinite": "some folds give infinity; no interval",
    "one-fold": "only one fold gave a value; no interval",
    "never-met": "{lead}no threshold meets the rule on any resample",
    "no-independent-trials": (
        "cases that share a cluster or a person, or with weights not whole, are not independent trials"
    ),
    "no-confidence-sequence": (
        "{lead}only a proportion, and a mean of bounded losses, of independent cases of equal weight in a"
        " cohort has one that is valid at every number of cases"
    ),
    "no-cases-of-a-class": "no band: there are no {missing}",
    "no-influence-values": "{lead}what each case adds to this measure is not known",
    "no-known-interval": "no interval is known for this measure",
    "no-spread": "{lead}a single case of a class, or a single cluster, shows no spread",
    "no-spread-of-band": "no band: a single case of a class, or a single cluster, shows no spread",
    "not-for-classes-here": (
        "{lead}there is none of single classes at a threshold chosen on these cases, or of comparisons of"
        " persons"
    ),
    "one-in-a-class": "fewer than two cases in a class, which show no spread",
    "one-independent-in-a-class": "a class counts as fewer than two independent cases, which show no spread",
    "one-part": (
        "every case has the same part in the measure, so the sample shows no spread: collect cases that"
        " differ"
    ),
    "point-estimate": "a point estimate; no interval is known for it",
    "probabilities-in-one-bin": "all probabilities are in one bin",
    "rates-without-cases": "{lead}the rates were given without the number of cases behind them",
    "replicates-alike": (
        "{lead}every replicate gives the same value, which does not mean that there is no uncertainty"
    ),
    "replicates-infinite": "some replicates give infinity; no interval",
    "resamples-alike": "every resample gives the same, which shows no spread",
    "resamples-alike-so-none": "every resample gives the same",
    "resamples-nearly-alike": "nearly every resample gives the same, which shows no spread",
    "resamples-of-difference-alike": "{lead}every resample gives the same difference",
    "resamples-of-difference-nearly-alike": "{lead}nearly all resamples give the same difference",
    "resamples-of-two-classes": "{lead}resamples do not keep the shares of more than two classes",
    "rule-unknown": (
        "{lead}the rule by which the threshold was chosen on these cases is not known, so that the choice"
        " cannot be repeated"
    ),
    "samples-alike": "all samples of such scores have the same value",
    "saves-alike": "all samples of this design have the same value, or a loss is infinite",
    "several-labels": "no interval where the class sizes are fixed: a case may have several labels",
    "single-case": "a single case in a class",
    "no-case-of-the-class": "no case of this class",
    "too-few-uncertain-groups": (
        "too few groups whose probabilities are not all 0 or 1: there is nothing to test"
    ),
    "too-few-cells": (
        "too few cases for an interval: fewer mistakes than cells off the diagonal, so most of them are empty"
    ),
    "weights-of-one-case": "fewer than two cases, in effect where they are weighted, show no spread",
    "too-few-for-median": "too few cases to bound a median at this level",
    "too-few-resamples": "fewer than two resamples",
    "too-few-resamples-for-level": "{lead}too few resamples for a level of {level:g}",
    "too-few-units": "too few {units} to show how others would differ",
    "too-few-of-a-class": "{lead}a class has fewer than {limit} cases",
    "undefined-inner": "{measure:measure} is undefined, from which it would be made",
    "undefined-on-resamples": "no interval: undefined on {share:.0%} of the resamples",
    "value-outside": "the value lies outside of all its resamples, so that their bias cannot be corrected",
    "no-ratio": (VALUE, " is {value:g}, so that there is no ratio"),
    "value-undefined": (VALUE, " is undefined", when("model", ": {reason}", " ({reason})")),
    "value-without-interval": ("{lead}", VALUE, " has none", when("because", " ({because})")),
    "weights-too-unequal": "the weights are too unequal for an interval",
}


def why_approximate(said: str) -> str:
    """The sentence of an approximate interval without "approximate" before it."""
    return said.removeprefix("approximate").lstrip(":, ").removeprefix("and ")


def _few_deciding(fields: Fields) -> str:
    cases, of = fields["cases"], fields["of"]
    number = float(f"{cases:.2g}")
    why = f"about {number:,g} {of} decide" if cases else f"{of} may be missing"
    if number == 1:
        why = f"about 1 {of.removesuffix('s')} decides"
    return f"approximate, perhaps too narrow: {why}"


MIX = "given this class mix"
MEANINGLESS = ", which the design fixes: without a prevalence it has no meaning for a population"
APPROXIMATIONS: dict[str, Words] = {
    "area-of-one": "approximate: an area of 1",
    "band-at-ends": (
        "approximate, perhaps too narrow: near the highest and the lowest scores few cases decide"
    ),
    "bias-of-both": "approximate: chance makes the values of both models larger, perhaps not equally",
    "chosen-on-few": "approximate: a threshold chosen on fewer than {limit} cases of a class",
    "class-sizes-unlike": (
        "approximate: the classes differ in size, so that much depends on the shape of the distributions"
    ),
    "clusters-as-independent": "approximate, perhaps too narrow: cases of a cluster are taken as independent",
    "rates-as-independent": (
        "approximate: the judge's share and its two rates are combined as independent, though cases of one"
        " cluster may enter several of them"
    ),
    "cases-of-several-models": (
        "approximate, perhaps too narrow: the models of {folds} folds are taken as one; means and pooled"
        " values allow for folds"
    ),
    "few-answered-differently-at-thresholds": (
        "approximate: at {thresholds:,} of {of:,} thresholds fewer than {limit} cases are answered"
        " differently"
    ),
    "few-deciding": _few_deciding,
    "few-cases-that-differ": "approximate: only {cases} cases on which the models differ",
    "few-discordant-cases": "approximate: only {cases} cases that one model alone gets right",
    "few-expected": "approximate: in {groups} of {of} groups fewer than {limit:g} of a class are expected",
    "few-in-a-class": "approximate: fewer than {limit} cases in a class",
    "few-resamples-beyond": (
        "approximate: {resamples:,} resamples, of which {beyond:.2g} lie beyond either end"
    ),
    "few-scores": "approximate, perhaps too narrow: it jumps between only {scores} different scores",
    "resamples-lopsided": (
        "approximate: {below:.0%} of the resamples lie below the value, where half should"
    ),
    "wald-condition": "approximate: n p > 5 and n (1 - p) > 5, as Wald's interval requires, does not hold",
}
CONDITIONS: dict[str, Words] = {
    "given-mix": (
        MIX,
        case(
            "fixed_by",
            {
                "weights": ", which the weights fix",
                "design": case(
                    "of",
                    {
                        "scores": MEANINGLESS,
                        "counts": (MEANINGLESS, " (see {either[at_prevalence|tallymark prevalence]})"),
                        "classes": (
                            ", which the design fixes: without the classes' shares it has no meaning for a"
                            " population (importance weights in proportion to them give it one)"
                        ),
                    },
                ),
            },
        ),
    ),
}
REMARKS: dict[str, Words] = {
    "as-independent": (
        "wider than necessary: these cases show no spread of the difference, and the intervals"
        " of both models are combined as independent"
    ),
    "at-an-end": (
        "the value is at an end of its range; half a case of each class was added at the wrong end"
    ),
    "at-an-end-or-flat": (
        "the value is at an end of its range, or hardly varies; half a case of each class was"
        " added at the wrong end"
    ),
    "level-beyond-resamples": "{resamples} resamples cannot show more than a level of {level:.3g}",
    "few-differ": "cautious: the models differ on {cases} of these {of:,} cases",
    "few-misplaced": "perhaps too wide: few cases are misplaced",
    "one-case-in-a-class": "DeLong's variance cannot be used with one case in a class",
    "at-common-mix": (
        "of different class mix; with {share:.1%} of class {label} in each sample the ",
        when("ratio", "ratio", "difference"),
        " is {value:rounded}",
        when("low", " {interval}"),
    ),
    "top-k-tied": "{predicted:,.10g} of k = {k:,.10g} cases: the next {tied:,.10g} are tied",
    "by-square-root-of-clusters": (
        "The number of cases follows the square-root rule, for more clusters of the same kind"
    ),
    "equivalent": (
        when("shown", "equivalent", "not shown to be equivalent"),
        ": [{low:.4g}, {high:.4g}] ({level:percent} interval) ",
        when("shown", "lies", "is not"),
        " within ",
        lambda fields: f"[{-fields['margin']:g}, {fields['margin']:g}]",
    ),
    "non-inferior": (
        when("shown", "non-inferior", "not shown to be non-inferior"),
        ": {side} end {end:.4g} ",
        when("shown", "is", "is not"),
        case("side", {"low": " above"}, " below"),
        " {limit:g} ({level:percent} interval)",
    ),
    "depends-on-size": "it depends on the number of cases itself",
    "more-than-any-cases": lambda fields: (
        f"more than 10^{round(log10(fields['limit']))} cases would be needed for that width"
    ),
    "no-finite-width": "it has no interval of finite width",
    "undecided": "undecided: {because}",
    "without-better-side": "for the measure neither a higher nor a lower value is better",
    "certain-group-wrong": "a group whose probabilities are all 0, or all 1, has cases of the other class",
    "models-rank-alike": "the models rank alike, or show no spread",
    "one-table-possible": "only one table has these margins",
    "equal-distributions": (
        "the hypothesis is that positives and negatives have the same distribution of scores, not an area of"
        " 0.5"
    ),
    "rate-from-same-cases": "the no-information rate is taken as known, although it is from the same cases",
    "reclassification-misleads": (
        "a net reclassification improvement above 0 does not show a better model: it is so for uninformative"
        " predictors and for probabilities that are merely shifted; look at the calibration of both models,"
        " and at the differences of log_loss and roc_auc (Hilden and Gerds 2014; Pepe and others 2015)"
    ),
    "no-discordant-case": "no case that only one of the models gets right",
    "right-on-the-same-cases": "the models are right and wrong on the same cases",
    "at-some-thresholds": "at some thresholds {what}",
    "band-of-bins": "each of {bins} bins has an interval of level {level:.6g} (Sidak)",
    "band-if-calibrated": "where the curve would lie if the probabilities were calibrated",
    "band-needs-more-resamples": (
        "perhaps too narrow: {resamples:,} resamples are too few for so high a level"
    ),
    "band-wide": "wider than necessary: fewer than {limit} cases in a class",
    "bias": "the value has a bias of about {bias:+.2g}, which the interval allows for",
    "bias-of-few-per-cell": (
        "the value is too {side} by about {by:.2g}, as happens with few cases per cell; the interval is for "
        "the value without it"
    ),
    "bound-cut": "a bound is cut at 0 or 1",
    "cases-deciding": "about {cases:.2g} cases decide",
    "clusters-as-cases": "every cluster counts as one case",
    "cut-at-range": "cut at the end of the measure's range",
    "folds-left-out": "{folds:# fold|# folds} left out, the first since {because}",
    "scores-of-several-models": "the scores are from different models",
    "equal-on-every-fold": "the two are equal on every fold",
    "groups-joined": "{groups} groups of {of}: neighbours are joined until {limit:g} of a class are expected",
    "halves-added": "a count is 0: 1/2 is added to each count",
    "infinite-parts": "infinite: {parts}",
    "no-mistakes": (
        "no mistakes: the measure where the accuracy is as low as its lower bound, with mistakes distributed "
        "as by chance"
    ),
    "none-as-good": "none of {used:,} was as good; that is not a p-value of 0: (b + 1) / (k + 1) = {p:.2g}",
    "not-studentised": "no standard error is known for it, so not studentised",
    "of-a-model": "{model}: {what}",
    "of-training-cases": "on its training cases: too optimistic",
    "parameters": lambda fields: ", ".join(f"{name} = {value:g}" for name, value in fields.message.fields),
    "persons-as-comparisons": (
        "wider than necessary: by persons, as {comparisons:.3g} independent comparisons"
    ),
    "resamples-biased": "the value lies outside: the resamples are biased",
    "resamples-left-out": "undefined on {lost:,} of {resamples:,} resamples, which are left out",
    "resamples-lost": "{what} on {lost:,} of {resamples:,} resamples",
    "same-column": "both models have the same column, or array",
    "same-whatever-is-predicted": "the same for every model on the same cases",
    "scores-all-tied": "all scores are tied: exact, whatever the distributions",
    "separated": "the classes are separated: exact, whatever the distributions",
    "standard-error-zero": "the standard error is 0: {method}",
    "too-few-replicates": "of {replicates} replicates: too few for the ends at this level",
    "undefined-classes": lambda fields: (
        f"{len(fields['labels'])} of {fields['classes']} classes left out, for which it is undefined"
        f" ({brief(fields['labels'])})"
    ),
    "weights-count-as": (
        "the weights count as {positives:.4g} positives and {negatives:.4g} negatives of one weight"
    ),
}
OF_KIND = {
    "approximate": APPROXIMATIONS, "conditional": CONDITIONS, "without": WITHOUT_INTERVAL,
    "undefined": UNDEFINED_VALUES,
    "remark": REMARKS,
}  # fmt: skip
KINDS: dict[str, str] = {code: kind for kind, words in OF_KIND.items() for code in words}
SENTENCES: dict[str, Words] = {code: words for part in OF_KIND.values() for code, words in part.items()}


# kinds of notes
APPROXIMATE, CONDITIONAL, WITHOUT, REMARK = "approximate", "conditional", "without", "remark"
UNDEFINED = "undefined"


class Note(Message):
    """A note on a value or its interval.

    Attributes
    ----------
    code : str
        Identifies the note, as "few-deciding"; it stays the same when the sentence is reworded.
    fields : tuple of pairs (name, value)
        The figures and names in the sentence, as ("cases", 5); `note["cases"]` is the value. A field may
        hold other notes.

    Examples
    --------
    >>> note = Note("few-scores", scores=8)
    >>> note["scores"], note.kind
    (8, 'approximate')
    >>> note.text
    'approximate, perhaps too narrow: it jumps between only 8 different scores'
    """

    __slots__ = ()

    @property
    def kind(self) -> str:
        """The kind: "approximate", "conditional", "without", "undefined" or "remark".

        "approximate": why the interval may be too narrow; "conditional": what it is conditional on;
        "without": why there is no interval; "undefined": why there is no value; "remark": anything else.
        """
        return KINDS[self.code]

    @property
    def text(self) -> str:
        """The sentence."""
        return in_words(SENTENCES[self.code], Fields({"lead": LEAD, **self.in_words}, self))

    @property
    def reason(self) -> str:
        """The sentence as it stands after "no interval: "."""
        return in_words(SENTENCES[self.code], Fields({"lead": "", **self.in_words}, self))


Notes = tuple[Note, ...]
SomeNotes = Note | Notes | None


def joined(*parts: SomeNotes) -> Notes:
    """The notes in one tuple; None adds none."""
    several = ((part,) if isinstance(part, Note) else part or () for part in parts)
    return tuple(note for some in several for note in some)


def of_code(notes: SomeNotes, *codes: str) -> Notes:
    """The notes with one of these codes."""
    return tuple(note for note in joined(notes) if note.code in codes)


def of_kind(notes: SomeNotes, *kinds: str) -> Notes:
    """The notes of one of these kinds."""
    return tuple(note for note in joined(notes) if note.kind in kinds)


def without_codes(notes: SomeNotes, *codes: str) -> Notes:
    """The notes with none of these codes."""
    return tuple(note for note in joined(notes) if note.code not in codes)


def in_array(parts: Iterable[SomeNotes]) -> np.ndarray:
    """An array with one entry for each: a note, several or none."""
    rows = list(parts)
    result = np.empty(len(rows), object)
    for i, part in enumerate(rows):
        result[i] = part
    return result


def of_each(notes: Any, number: int) -> list[Notes]:
    """The notes of each of so many values: the entries of an array, else the same for all."""
    if isinstance(notes, np.ndarray):
        return [joined(part) for part in np.broadcast_to(notes, number).tolist()]
    return [joined(notes)] * number
