"""The sentences of notes, by their code, and nothing else: no decision depends on a word of these.

A sentence is a format of the fields, or a function of them. Two words are filled in besides: `{approximate}`
is "approximate", or "approximate, perhaps too narrow" where a field `perhaps` says so; `{lead}` is "no
interval: ", or nothing where this stands before it anyway.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from typing import Any

from ..labels import listed
from ..spelling import IN_FORMATS
from .reasons import LEAD, UNDEFINED, Words


def sentence(code: str, fields: Mapping[str, Any], lead: str = LEAD) -> str:
    """The sentence of a note. lead: what a reason begins with where there is no interval."""
    words = SENTENCES[code]
    if callable(words):
        return words(fields)
    perhaps = f", perhaps {fields['perhaps']}" if fields.get("perhaps") else ""
    return words.format(**{**IN_FORMATS, "lead": lead, "approximate": f"approximate{perhaps}", **fields})


def _parameters(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in fields.items())


def _left_out(fields: Mapping[str, Any]) -> str:
    missing = fields["labels"]
    return (
        f"{len(missing)} of {fields['classes']} classes left out, for which it is undefined"
        f" ({listed(missing)})"
    )


def _given_mix(fields: Mapping[str, Any]) -> str:
    return GIVEN[fields.get("fixed_by"), fields.get("of")].format(**IN_FORMATS)


def _few_deciding(fields: Mapping[str, Any]) -> str:
    units = f", fewer than {fields['limit']:,} {fields['units']}" if fields.get("units") else ""
    perhaps = f", perhaps {fields['perhaps']}" if fields.get("perhaps") else ""
    return f"approximate{perhaps}: about {fields['cases']:.2g} cases decide{units}"


def _resamples_alike(fields: Mapping[str, Any]) -> str:
    way_out = "; use bayesian-bootstrap" if fields["resampling"] == "bootstrap" else ""
    return f"every resample gives the same value, so the bootstrap says nothing here{way_out}"


def _undefined_on(fields: Mapping[str, Any]) -> str:
    return f"{LEAD}undefined on {fields['share']:.0%} of the resamples"


def _value(fields: Mapping[str, Any]) -> str:
    return f"the value of {fields['model']}" if "model" in fields else f"the {fields['which']} value"


def _value_undefined(fields: Mapping[str, Any]) -> str:
    reason = f": {fields['reason']}" if "model" in fields else f" ({fields['reason']})"
    return f"{_value(fields)} is undefined{reason}"


def _non_inferior(fields: Mapping[str, Any]) -> str:
    head, is_ = ("non-inferior", "is") if fields["shown"] else ("not shown to be non-inferior", "is not")
    way = "above" if fields["side"] == "low" else "below"
    level = f"{100 * fields['level']:.4g}% interval"
    return f"{head}: {fields['side']} end {fields['end']:.4g} {is_} {way} {fields['limit']:g} ({level})"


def _equivalent(fields: Mapping[str, Any]) -> str:
    head, lies = (
        ("equivalent", "lies within") if fields["shown"] else ("not shown to be equivalent", "is not within")
    )
    found = f"{fields['low']:.4g} to {fields['high']:.4g} ({100 * fields['level']:.4g}% interval)"
    return f"{head}: {found} {lies} {-fields['margin']:g} to {fields['margin']:g}"


def _value_without(fields: Mapping[str, Any]) -> str:
    because = f" ({fields['because']})" if fields["because"] else ""
    return f"{LEAD}{_value(fields)} has none{because}"


def _delong(fields: Mapping[str, Any]) -> str:
    single = {
        "case": "a single case in a class",
        "cluster": "a class in a single cluster",
        None: "the ranks show no spread",
    }
    reason = f"DeLong's variance cannot be used ({single[fields['of_a_single']]})"
    return (
        f"{reason}: as for different cases, wider than need be" if fields["interval"] else f"{LEAD}{reason}"
    )


MIX = "given this class mix"
MEANINGLESS = "which the design fixes: without a prevalence it has no meaning for a population"
GIVEN = {
    (None, None): MIX,
    ("weights", None): f"{MIX}, which the weights fix",
    ("design", "scores"): f"{MIX}, {MEANINGLESS}",
    ("design", "counts"): f"{MIX}, {MEANINGLESS} (see {{either[at_prevalence|tallymark prevalence]}})",
    ("design", "classes"): (
        f"{MIX}, which the design fixes: without the classes' shares it has no meaning for a population"
        " (importance weights in proportion to them give it one)"
    ),
}

APPROXIMATE: dict[str, Words] = {
    "area-of-one": "{approximate}: an area of 1",
    "at-an-end": (
        "{approximate}: the value is at an end of its range; half a case of each class was added at the"
        " wrong end"
    ),
    "at-an-end-or-flat": (
        "{approximate}: the value is at an end of its range, or hardly varies; half a case of each class was"
        " added at the wrong end"
    ),
    "bias-of-both": "{approximate}: chance makes the values of both models larger, perhaps not alike",
    "chosen-on-few": "{approximate}: a threshold chosen on fewer than {limit} cases of a class",
    "class-sizes-unlike": (
        "{approximate}: the classes are of unlike size, where much depends on the shape of the distributions"
    ),
    "class-with-few-cases": "{approximate}: a class has fewer than {limit} cases",
    "clusters-as-independent": "{approximate}: cases of a cluster are taken as independent",
    "few-answered-differently": "{approximate}: only {cases} cases are answered differently",
    "few-answered-differently-at-thresholds": (
        "{approximate}: at {thresholds:,} of {of:,} thresholds fewer than {limit} cases are answered"
        " differently"
    ),
    "few-cases": "{approximate}: fewer than {limit} cases",
    "few-cases-of-a-score": "{approximate}: each score counts alike, and one has {cases:.3g} cases",
    "few-deciding": _few_deciding,
    "few-discordant": "approximate, and cautious: only {cases} cases tell the models apart",
    "few-cases-that-differ": "{approximate}: only {cases} cases on which the models differ",
    "few-discordant-cases": "{approximate}: only {cases} cases that one model alone gets right",
    "few-expected": "{approximate}: in {groups} of {of} groups fewer than {limit:g} of a class are expected",
    "few-in-a-class": "{approximate}: fewer than {limit:,} {counted} in a class",
    "few-in-a-count": "{approximate}: a count is below {limit}",
    "few-in-a-count-of-a-class": "{approximate}: a class has a count below {limit}",
    "few-in-the-largest-gap": "{approximate}: the bin of the largest gap has {cases:.3g} cases",
    "few-misplaced": "{approximate}: few cases are misplaced",
    "few-mistakes": "{approximate}: fewer than {limit} mistakes",
    "few-mistakes-per-cell": "{approximate}: fewer than {limit} mistakes per cell off the diagonal",
    "few-of-an-answer": "{approximate}: a model gives one of the answers to fewer than {limit} cases",
    "few-on-one-side": "{approximate}: fewer than {limit} cases on one side",
    "few-resamples-beyond": (
        "{approximate}: {resamples:,} resamples, of which {beyond:.2g} lie beyond either end"
    ),
    "few-scores": "{approximate}: it jumps between only {scores} different scores",
    "few-taken": "{approximate}: about {cases:.2g} cases are taken",
    "few-units": "{approximate}: fewer than {limit:,} {units}",
    "large-errors-decide": "{approximate}: a few large errors make up much of it",
    "one-case-in-a-class": "{approximate}: DeLong's variance cannot be used with one case in a class",
    "resamples-lopsided": (
        "{approximate}: {below:.0%} of the resamples lie below the value, where half should"
    ),
    "scores-nearly-tied": "{approximate}: nearly all scores are the same",
    "scores-tied": "{approximate}: of tied scores others might have occurred",
    "wald-condition": "{approximate}: n p > 5 and n (1 - p) > 5, as Wald's interval asks, does not hold",
    "weights-vary": (
        "{approximate}: weights vary, and fewer than {limit} cases of one weight stand for a count"
    ),
    "weights-vary-in-one-class": (
        "{approximate}: weights vary in one class only, and heavy cases of the other may be missing"
    ),
}
CONDITIONAL: dict[str, Words] = {"given-mix": _given_mix}
WITHOUT: dict[str, Words] = {
    "areas-without-spread": "areas that differ show no spread",
    "brier-score-fixed": "every probability is 0, 1/2 or 1, so that the Brier score cannot vary",
    "all-on-one-side": (
        "{lead}all cases are on one side, where Wald's has no width; use wilson or clopper-pearson"
    ),
    "both-infinite": "both values are infinite",
    "bounds-alike": "{lead}the bounds at this level are the same but for rounding",
    "chosen-here": (
        "{lead}the threshold was chosen on these cases; give {option[threshold]}, or see evaluate, which"
        " counts the choice in"
    ),
    "chosen-here-by-models": (
        "no interval and no p-value: the threshold of {models} was chosen on these cases, which may favour"
        " one model more than the other; give {option[threshold]}, from other cases"
    ),
    "chosen-in-clusters": "{lead}of cases in clusters the choice of a threshold is not resampled",
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
    "classes-make-up-for-each-other": "{lead}what one class gains in another sample, another loses",
    "classes-separated-or-tied": (
        "the classes are separated, or all scores tied: no case has any influence to go by"
    ),
    "close-to-an-end": "the value is too close to an end of its range for an interval",
    "clusters-alike": "{lead}the clusters do not differ",
    "corrected-undefined": (
        "{lead}less the optimism of the choice of the threshold the measure is undefined or infinite"
    ),
    "delong-without-spread": _delong,
    "depends-on-fixed-mix": (
        "it depends on the class mix, which the case-control design fixes; {option[design=cohort]} lets it"
        " vary"
    ),
    "depends-on-weighted-mix": "it depends on the class mix, which the weights fix",
    "deviations-larger-in-resamples": (
        "deviations are larger in resamples than in the cases, so that no bootstrap interval of them holds"
    ),
    "difference-undefined": "{lead}the difference is undefined",
    "equal-whatever-is-predicted": "the same whatever is predicted, so there is no interval",
    "errors-of-resamples-unknown": "the standard errors of the resamples are unknown, or 0",
    "every-case-alike": "{lead}the difference is the same in every case",
    "fewer-deciding": "fewer than {limit} cases decide",
    "fewer-taken": "fewer than one case is taken",
    "given": "given, so it has no interval",
    "in-clusters": "{lead}cases within a cluster are not independent",
    "infinite": "infinite",
    "infinite-value": lambda fields: f"{LEAD}{_value(fields)} is infinite",
    "interval-without-value": lambda fields: f"{LEAD}that of {_value(fields)} does not hold the value itself",
    "leaps": (
        "none: the interval of {measure} holds the value where this measure leaps from one end of its range"
        " to the other"
    ),
    "likelihood-flat": "the likelihood is flat, or all but: there is no standard error",
    "losses-alike": "every case has the same loss: there is no spread to go by",
    "losses-alike-in-each-class": (
        "every case of a class has the same loss, and the design fixes the class sizes: there is no spread to"
        " go by"
    ),
    "losses-zero": "every loss is 0: there is no spread to go by",
    "nearly-all-above": "nearly all samples of a calibrated model of so many cases have a larger error",
    "difference-alike": "no interval and no p-value: the same on every fold",
    "difference-infinite": "no interval and no p-value: infinite",
    "difference-of-one-fold": "no interval and no p-value: a single value",
    "folds-alike": "{lead}the same on every fold, which does not make it sure",
    "folds-infinite": "some folds give infinity; no interval",
    "one-fold": "only one fold gave a value; no interval",
    "never-met": "{lead}on no resample a threshold meets the rule",
    "no-independent-trials": (
        "cases within a cluster, or with weights that are not whole, are no independent trials"
    ),
    "no-cases-of-a-class": "no band: there are no {missing}",
    "no-influence-values": "{lead}what each case adds to this measure is not known",
    "no-known-interval": "no interval is known for this measure",
    "no-spread": "{lead}a single case of a class, or a single cluster, shows no spread",
    "no-spread-of-amounts": "{lead}a single case shows no spread",
    "no-spread-of-band": "no band: a single case of a class, or a single cluster, shows no spread",
    "not-for-classes-in-clusters": (
        "{lead}with clusters there is none of single classes and of averages over them"
    ),
    "one-cluster": "{lead}all cases belong to one cluster",
    "one-in-a-class": "fewer than two cases in a class, which show no spread",
    "one-independent-in-a-class": "a class counts as fewer than two independent cases, which show no spread",
    "one-part": (
        "every case has the same part in the measure, so the sample shows no spread: collect cases that"
        " differ"
    ),
    "persons-alike": "persons show no spread",
    "point-estimate": "a point estimate; no interval is known for it",
    "probabilities-in-one-bin": "all probabilities are in one bin",
    "rates-without-cases": "{lead}the rates were given without the number of cases behind them",
    "replicates-alike": "{lead}every replicate gives the same value, which does not make it sure",
    "replicates-infinite": "some replicates give infinity; no interval",
    "resamples-alike": "every resample gives the same, which shows no spread",
    "resamples-alike-so-none": "every resample gives the same",
    "resamples-nearly-alike": "nearly every resample gives the same, which shows no spread",
    "resamples-of-clusters-alike": "resamples of the clusters show no spread",
    "resamples-of-counts-alike": _resamples_alike,
    "resamples-of-difference-alike": "{lead}every resample gives the same difference",
    "resamples-of-difference-nearly-alike": "{lead}nearly all resamples give the same difference",
    "resamples-of-two-classes": "{lead}resamples do not keep the shares of more than two classes",
    "resamples-undefined": "every resample left the measure undefined",
    "rule-unknown": (
        "{lead}the rule by which the threshold was chosen on these cases is not known, so that the choice"
        " cannot be repeated"
    ),
    "samples-alike": "all samples of such scores have the same value",
    "saves-alike": "every case saves the same, or one saves without end: there is no spread to go by",
    "several-labels": "no interval where the class sizes are fixed: a case may have several labels",
    "single-case": "a single case in a class",
    "no-case-of-the-class": "no case of this class",
    "too-few-uncertain-groups": (
        "too few groups whose probabilities are not all 0 or 1: there is nothing to test"
    ),
    "too-few-cells": (
        "too few cases for an interval: fewer mistakes than cells off the diagonal, so most of them are empty"
    ),
    "too-few-for-level": "too few cases in a class for such a level",
    "weights-of-one-case": "the weights make up fewer than two cases, which show no spread",
    "weights-of-no-case": "the weights make up fewer than one case",
    "too-few-resamples": "fewer than two resamples",
    "too-few-resamples-for-level": "{lead}too few resamples for a level of {level:g}",
    "too-few-units": "too few {units} (1): resamples do not show how others would differ",
    "too-many-classes": "{lead}more than {limit} classes",
    "too-many-scores": "more than {limit:,} different scores, too many to resample each",
    "undefined-inner": "{measure} is undefined, from which it would be made",
    "undefined-on-resamples": _undefined_on,
    "value-outside": "the value lies outside of all its resamples, so that their bias cannot be corrected",
    "value-undefined": _value_undefined,
    "value-without-interval": _value_without,
    "values-at-an-end": "the value is at an end of its range, or all cases do the same to it",
    "weights-too-unequal": "the weights are too unequal for an interval",
}
REMARKS: dict[str, Words] = {
    "by-square-root-of-clusters": (
        "The number of cases is by the rule of the square root, for as many times the clusters of the same"
        " kind"
    ),
    "equivalent": _equivalent,
    "non-inferior": _non_inferior,
    "depends-on-size": "it depends on the number of cases itself",
    "more-than-any-cases": lambda fields: (
        f"more than 10^{round(log10(fields['limit']))} cases would be needed for that width"
    ),
    "no-finite-width": "it has no interval of finite width",
    "undecided": "undecided: {because}",
    "without-better-side": "the measure has no better side",
    "certain-group-wrong": "a group whose probabilities are all 0, or all 1, has cases of the other class",
    "models-rank-alike": "the models rank alike, or show no spread",
    "no-discordant-case": "no case that only one of the models gets right",
    "right-on-the-same-cases": "the models are right and wrong on the same cases",
    "at-some-thresholds": "at some thresholds {what}",
    "band-of-bins": "each of {bins} bins has an interval of level {level:.6g} (Sidak)",
    "band-if-calibrated": "where the curve would lie if the probabilities were true",
    "band-needs-more-resamples": "perhaps too narrow: {resamples:,} resamples cannot show so high a level",
    "band-wide": "wider than need be: fewer than {limit} cases in a class",
    "bias": "the value has a bias of about {bias:+.2g}, which the interval allows for",
    "bias-of-few-per-cell": (
        "the value is too {side} by about {by:.2g}, as happens with few cases per cell; the interval is for"
        " what is right"
    ),
    "bound-cut": "a bound is cut at 0 or 1",
    "cases-deciding": "about {cases:.2g} cases decide",
    "clusters-as-cases": "wider than need be: every cluster counts as one case",
    "cut-at-range": "cut at the end of the measure's range",
    "equal-on-every-fold": "the two are equal on every fold",
    "halves-added": "a count is 0: 1/2 is added to each count",
    "infinite-parts": "infinite: {parts}",
    "level-beyond-resamples": "{resamples} resamples cannot show more than a level of {level:.3g}",
    "mean-of-bounds": "the mean of the bounds of the classes, which is wider than need be",
    "no-mistakes": (
        "no mistakes: the measure where the accuracy is as low as its lower bound, with mistakes spread as"
        " chance would"
    ),
    "none-as-good": "none of {used:,} was as good; that is not a p-value of 0: (b + 1) / (k + 1) = {p:.2g}",
    "not-studentised": "no standard error is known for it, so not studentised",
    "of-a-model": "{model}: {what}",
    "of-training-cases": "of the cases it was trained on: too good",
    "parameters": _parameters,
    "persons-as-comparisons": "wider than need be: by persons, as {comparisons:.3g} independent comparisons",
    "resamples-biased": "the value lies outside: the resamples are biased",
    "resamples-left-out": "undefined on {lost:,} of {resamples:,} resamples, which are left out",
    "resamples-not-counted": "{lost} of {resamples} resamples left the measure undefined and are not counted",
    "resamples-unusable": "undefined, or at an end of its range, on {lost:,} of {resamples:,} resamples",
    "resamples-lost": "{what} on {lost:,} of {resamples:,} resamples",
    "same-amounts": "the models predict the same amount for every case",
    "same-answers": "the models give the same answer to every case",
    "same-ranks": "the models rank every case alike",
    "same-scores": "the models give the same score to every case",
    "same-whatever-is-predicted": "the same for every model on the same cases",
    "scores-all-tied": "all scores are tied: exact, whatever the distributions",
    "separated": "the classes are separated: exact, whatever the distributions",
    "standard-error-zero": "the standard error is 0: {method}",
    "too-few-replicates": "of {replicates} replicates: too few for the ends at this level",
    "undefined-classes": _left_out,
    "weights-count-as": (
        "the weights count as {positives:.4g} positives and {negatives:.4g} negatives of one weight"
    ),
}
OF_KIND = {
    "approximate": APPROXIMATE, "conditional": CONDITIONAL, "without": WITHOUT, "undefined": UNDEFINED,
    "remark": REMARKS,
}  # fmt: skip
KINDS: dict[str, str] = {code: kind for kind, words in OF_KIND.items() for code in words}
SENTENCES: dict[str, Words] = {code: words for part in OF_KIND.values() for code, words in part.items()}
