"""The sentences of notes, by their code; no decision depends on their wording.

A sentence is a format of the fields, or a function of them. Two more fields are added: `{approximate}` is
"approximate", or "approximate, perhaps too narrow" with a field `perhaps`; `{lead}` is "no interval: ", or
empty where this text is added elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from typing import Any

from ..labels import listed
from ..spelling import IN_FORMATS
from ..text import interval, rounded
from .reasons import LEAD, UNDEFINED, WITHOUT, Words


def sentence(code: str, fields: Mapping[str, Any], lead: str = LEAD) -> str:
    """The sentence of a note. lead: the beginning of a reason why there is no interval."""
    words = SENTENCES[code]
    if callable(words):
        return words(fields)
    perhaps = f", perhaps {fields['perhaps']}" if fields.get("perhaps") else ""
    return words.format(**{**IN_FORMATS, "lead": lead, "approximate": f"approximate{perhaps}", **fields})


def why_approximate(said: str) -> str:
    """The sentence of an approximate interval without "approximate" before it."""
    return said.removeprefix("approximate").lstrip(":, ").removeprefix("and ")


def _parameters(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in fields.items())


def _left_out(fields: Mapping[str, Any]) -> str:
    missing = fields["labels"]
    return (
        f"{len(missing)} of {fields['classes']} classes left out, for which it is undefined"
        f" ({listed(missing)})"
    )


def _folds_left_out(fields: Mapping[str, Any]) -> str:
    folds = f"{fields['folds']} fold{'s' * (fields['folds'] != 1)}"
    return f"{folds} left out, the first since {fields['because']}"


def _given_mix(fields: Mapping[str, Any]) -> str:
    return GIVEN[fields.get("fixed_by"), fields.get("of")].format(**IN_FORMATS)


def _few_deciding(fields: Mapping[str, Any]) -> str:
    units = f", fewer than {fields['limit']:,} {fields['units']}" if fields.get("units") else ""
    perhaps = f", perhaps {fields['perhaps']}" if fields.get("perhaps") else ""
    return f"approximate{perhaps}: about {fields['cases']:.2g} {fields.get('of', 'cases')} decide{units}"


def _non_inferior(fields: Mapping[str, Any]) -> str:
    head, is_ = ("non-inferior", "is") if fields["shown"] else ("not shown to be non-inferior", "is not")
    way = "above" if fields["side"] == "low" else "below"
    level = f"{100 * fields['level']:.4g}% interval"
    return f"{head}: {fields['side']} end {fields['end']:.4g} {is_} {way} {fields['limit']:g} ({level})"


def _equivalent(fields: Mapping[str, Any]) -> str:
    head, lies = (
        ("equivalent", "lies within") if fields["shown"] else ("not shown to be equivalent", "is not within")
    )
    found = f"[{fields['low']:.4g}, {fields['high']:.4g}] ({100 * fields['level']:.4g}% interval)"
    return f"{head}: {found} {lies} [{-fields['margin']:g}, {fields['margin']:g}]"


def _at_common_mix(fields: Mapping[str, Any]) -> str:
    ends = f" {interval(fields['low'], fields['high'])}" if "low" in fields else ""
    return (
        f"of different class mix; with {fields['share']:.1%} of class {fields['label']} in each sample the"
        f" difference is {rounded(fields['value'])}{ends}"
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
    "as-independent": (
        "{approximate}, wider than necessary: these cases show no spread of the difference, and the intervals"
        " of both models are combined as independent"
    ),
    "at-an-end": (
        "{approximate}: the value is at an end of its range; half a case of each class was added at the"
        " wrong end"
    ),
    "at-an-end-or-flat": (
        "{approximate}: the value is at an end of its range, or hardly varies; half a case of each class was"
        " added at the wrong end"
    ),
    "band-at-ends": "{approximate}: near the highest and the lowest scores few cases decide",
    "bias-of-both": "{approximate}: chance makes the values of both models larger, perhaps not equally",
    "chosen-on-few": "{approximate}: a threshold chosen on fewer than {limit} cases of a class",
    "class-sizes-unlike": (
        "{approximate}: the classes differ in size, so that much depends on the shape of the distributions"
    ),
    "class-with-few-cases": "{approximate}: a class has fewer than {limit} cases",
    "clusters-as-independent": "{approximate}: cases of a cluster are taken as independent",
    "cases-of-several-models": (
        "{approximate}: the models of {folds} folds are taken as one; means and pooled values allow for folds"
    ),
    "few-answered-differently-at-thresholds": (
        "{approximate}: at {thresholds:,} of {of:,} thresholds fewer than {limit} cases are answered"
        " differently"
    ),
    "few-cases": "{approximate}: fewer than {limit} cases",
    "few-deciding": _few_deciding,
    "few-differ": "approximate, and cautious: the models differ on {cases} of these {of:,} cases",
    "few-cases-that-differ": "{approximate}: only {cases} cases on which the models differ",
    "few-discordant-cases": "{approximate}: only {cases} cases that one model alone gets right",
    "few-expected": "{approximate}: in {groups} of {of} groups fewer than {limit:g} of a class are expected",
    "few-in-a-class": "{approximate}: fewer than {limit:,} {counted} in a class",
    "few-in-a-count": "{approximate}: a count is below {limit}",
    "few-in-the-largest-gap": "{approximate}: the bin of the largest gap has {cases:.3g} cases, and bins with"
    " fewer or none may have larger gaps",
    "few-misplaced": "{approximate}: few cases are misplaced",
    "few-mistakes": "{approximate}: fewer than {limit} mistakes",
    "few-mistakes-per-cell": "{approximate}: fewer than {limit} mistakes per cell off the diagonal",
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
    "wald-condition": "{approximate}: n p > 5 and n (1 - p) > 5, as Wald's interval requires, does not hold",
    "weights-vary-in-one-class": (
        "{approximate}: weights vary in one class only, and heavy cases of the other may be missing"
    ),
}
CONDITIONAL: dict[str, Words] = {"given-mix": _given_mix}
REMARKS: dict[str, Words] = {
    "at-common-mix": _at_common_mix,
    "top-k-tied": "{predicted:,.10g} of k = {k:,.10g} cases: the next {tied:,.10g} are tied",
    "by-square-root-of-clusters": (
        "The number of cases follows the square-root rule, for more clusters of the same kind"
    ),
    "equivalent": _equivalent,
    "non-inferior": _non_inferior,
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
    "folds-left-out": _folds_left_out,
    "scores-of-several-models": "the scores are from different models",
    "equal-on-every-fold": "the two are equal on every fold",
    "groups-joined": "{groups} groups of {of}: neighbours are joined until {limit:g} of a class are expected",
    "halves-added": "a count is 0: 1/2 is added to each count",
    "infinite-parts": "infinite: {parts}",
    "level-beyond-resamples": "{resamples} resamples cannot show more than a level of {level:.3g}",
    "no-mistakes": (
        "no mistakes: the measure where the accuracy is as low as its lower bound, with mistakes distributed "
        "as by chance"
    ),
    "none-as-good": "none of {used:,} was as good; that is not a p-value of 0: (b + 1) / (k + 1) = {p:.2g}",
    "not-studentised": "no standard error is known for it, so not studentised",
    "of-a-model": "{model}: {what}",
    "of-training-cases": "on its training cases: too optimistic",
    "parameters": _parameters,
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
