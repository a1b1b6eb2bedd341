"""The sentences of notes on why there is no value, no interval or no measure, by their code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..spelling import option

LEAD = "no interval: "
Words = str | Callable[[Mapping[str, Any]], str]  # a format of the fields, or a function of them


def _of_single_classes(fields: Mapping[str, Any]) -> str:
    many = "a case may have several labels" if fields["several_labels"] else "there are more than two classes"
    return f"{many}; take an average, as macro_{fields['measure']}, or a class of .classes"


def _empty(fields: Mapping[str, Any]) -> str:
    return ", ".join(
        what if "_" in parts else f"{what} ({parts} = 0)"  # not by a name of the library
        for what, parts in zip(fields["what"], fields["parts"], strict=True)
    )


def _called(said: str) -> Words:
    """A sentence with the title of its measure."""

    def words(fields: Mapping[str, Any]) -> str:
        from ...measures.titles import in_sentence

        return said.format(in_sentence(fields["measure"]))

    return words


def _undefined_on(fields: Mapping[str, Any]) -> str:
    return f"{LEAD}undefined on {fields['share']:.0%} of the resamples"


def _value(fields: Mapping[str, Any]) -> str:
    return f"the value of {fields['model']}" if "model" in fields else f"the {fields['which']} value"


def _value_undefined(fields: Mapping[str, Any]) -> str:
    reason = f": {fields['reason']}" if "model" in fields else f" ({fields['reason']})"
    return f"{_value(fields)} is undefined{reason}"


def _value_without(fields: Mapping[str, Any]) -> str:
    because = f" ({fields['because']})" if fields["because"] else ""
    return f"{LEAD}{_value(fields)} has none{because}"


UNDEFINED: dict[str, Words] = {
    "answers-without-order": "predicted values that name no class have no place in the order of the classes",
    "empty": _empty,
    "lower-is-positive": "a lower score means positive here",
    "needs-amounts": "it needs predicted amounts; say {option[regression=True]}",
    "needs-each-amount": lambda fields: (
        "only sums of the amounts came from their engine, and it needs each; pass"
        f" {option('bins', None)} to read every row"
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
    "no-bounds": (
        "no bounds are known for it where scores are in bins ({bins:,}), {why}; take the cases, or a"
        " RankingTable"
    ),
    "value-in-bins": (
        "only bounds of it are known where scores are in bins ({bins:,}), and folds need its values;"
        " pass more {option[memory]}"
    ),
    "no-number": "undefined: {because}",
    "no-number-of-interval": lambda fields: f"{LEAD}{fields['reasons'] or 'none is known'}",
    "no-better-side": _called("of {} neither a higher nor a lower value is better"),
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
WITHOUT: dict[str, Words] = {
    "changes-all-alike": "{lead}all cases of a class change alike",
    "areas-without-spread": "areas that differ show no spread",
    "brier-score-fixed": "every probability is 0, 1/2 or 1, so that the Brier score cannot vary",
    "without-each-amount": lambda fields: (
        f"{LEAD}it needs each amount, and only sums came from their engine; pass {option('bins', None)}"
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
    "chosen-here-by-models": lambda fields: (
        f"the {'thresholds' if 'several' in fields else 'threshold'} of {fields['models']}"
        f" {'were' if 'several' in fields else 'was'} chosen on these cases, which may favour one model more"
        " than the other, so that there is no interval and no p-value; give"
        f" {option('threshold')}, from other cases"
    ),
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
    "infinite-value": lambda fields: f"{LEAD}{_value(fields)} is infinite",
    "interval-without-value": lambda fields: (
        f"{LEAD}that of {_value(fields)} does not contain the value itself"
    ),
    "leaps": _called(
        "none: the interval of {} contains the value where this measure jumps from one end of its "
        "range to the other"
    ),
    "likelihood-flat": "the likelihood is flat, or nearly flat: there is no standard error",
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
        "cases within a cluster, or with weights that are not whole, are not independent trials"
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
    "one-cluster": "{lead}all cases belong to one cluster",
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
    "too-few-units": "too few {units} (1) to show how others would differ",
    "too-few-of-a-class": "{lead}a class has fewer than {limit} cases",
    "too-many-scores": "more than {limit:,} different scores, too many to resample each",
    "undefined-inner": _called("{} is undefined, from which it would be made"),
    "undefined-on-resamples": _undefined_on,
    "value-outside": "the value lies outside of all its resamples, so that their bias cannot be corrected",
    "value-undefined": _value_undefined,
    "value-without-interval": _value_without,
    "weights-too-unequal": "the weights are too unequal for an interval",
}
