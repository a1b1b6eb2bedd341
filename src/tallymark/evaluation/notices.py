"""Notices: each is a rule of an evaluation, with a code, fields, and a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import isinf, sqrt, tanh
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from .. import kernels
from ..inference.interval import FEW_CASES
from ..input.errors import option
from ..input.labels import like_missing, shown_apart, similar
from ..input.messages import LONGEST_LABEL, MADE, Fields, Message, Words, case, in_words, when
from ..input.sample import TASKS, DataInfo, Task
from ..input.score_columns import DIVIDED, nearly_distributions
from ..input.text import count, digits_of, interval, label, labels as written, rounded
from ..measures.titles import in_sentence
from ..summaries.passes import ends_of

if TYPE_CHECKING:
    from ..inference import Estimate
    from .results import BinaryEvaluation, ClasswiseEvaluation, Evaluation, MulticlassEvaluation


# The sentences of notices, by their code; no decision depends on their wording
# --------------------------------------------------------------------------------------------------
#
# They are written as those of notes (`input.messages`), with more fields that are made of others: {listed}
# are the labels, {estimate} is the value with its interval. Fields that are rules or notes are inserted as
# their sentences.

# cases of each class recommended for a validation. Source: Vergouwe et al. 2005; Collins et al. 2016
ENOUGH = 100
LISTED = 8  # groups
NO_PROBABILITIES = {"margin": "margins", "llr": "log-likelihood ratios"}


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a field: the cases of both classes, one of them, and how to reverse the scores."""

    positives: str = "# positive|# positives"
    negatives: str = "# negative|# negatives"
    label: str = "is the positive label right"
    means: str = "positive"
    classes: str = "the class"
    turned: str = "pass {option[higher_is_positive=False]}"
    turned_back: str = "let a higher one do so"
    check: str = "the positive label"


USUAL = Terms()
TERMS = {
    "comparisons": Terms(
        "# mated comparison|# mated comparisons", "# non-mated comparison|# non-mated comparisons",
        "are the mated comparisons named right", "mated", "the kind of comparison",
        "pass {option[similarity=False]}", "{option[similarity=True]}", "which comparisons are mated",
    ),
}  # fmt: skip


# How a sentence is written
# --------------------------------------------------------------------------------------------------


def number_of(size: float, name: str, names: str | None = None) -> str:
    """As "1 case" or "7 cases"; names: the plural, where it is irregular."""
    number = count(size)
    return f"{number} {name if number == '1' else names or name + 's'}"


def _listed(fields: Fields) -> str:
    """The labels that are listed, and how many more there are."""
    labels, every = fields["labels"], fields["classes"]
    names = ", ".join(written(labels, LONGEST_LABEL).values())
    return names if every <= len(labels) else f"{names} and {every - len(labels)} more"


def _estimate(fields: Fields) -> str:
    """The value, or both of its bounds, with the interval, as "0.620 [0.550, 0.700]"."""
    values = fields.get("bounds", [fields.get("value")])
    if "low" not in fields:
        return " to ".join(dict.fromkeys(f"{one:.3g}" for one in values))
    low, high = fields["low"], fields["high"]
    ends = dict.fromkeys(rounded(one, digits_of(low, high)) for one in values)
    return f"{' to '.join(ends)} {interval(low, high)}"


MADE.update(
    listed=_listed,
    estimate=_estimate,
    called=lambda fields: TERMS[fields["terms"]] if "terms" in fields else USUAL,
    turned=lambda fields: in_words(fields["called"].turned, fields),
    turned_back=lambda fields: in_words(fields["called"].turned_back, fields),
    unit=lambda fields: fields["of"].removesuffix("s"),
    apart=lambda fields: shown_apart(*fields["first"]),
)


def sentence(notice: Message, short: bool = False) -> str:
    """The sentence, or the shorter one; for one of several models it begins with the name of the model."""
    words = SENTENCES[notice.code]
    text = in_words(BRIEF.get(notice.code, words) if short else words, Fields(notice.in_words, notice))
    return f"{notice['model']}: {text}" if "model" in notice else text


# The sentences
# --------------------------------------------------------------------------------------------------

FEW = (
    when("positives", "{positives:{called.positives}}"),
    when("positives", when("negatives", " and ")),
    when("negatives", "{negatives:{called.negatives}}"),
)
CASES_OF = "{%s:# non-mated comparison|# non-mated comparisons}"
LEFT_OUT = "log loss, Brier score, calibration and all else that needs probabilities are left out"
WHERE = (
    ": recalibrate on other data before the probabilities are used",
    when("within", ".", "; {either[tallymark.calibration|tallymark calibration]} shows where."),
)
NO_CASES = "There are no cases: every measure is undefined."
SHARES = when(
    "before", "the share of positives from {before:.3g} to {after:.3g}", "the shares of the classes"
)
MORE_CASES = "Every case is predicted {answer:name}, while {larger:name} has more cases"


def _slope(kind: str, way: str, extent: str) -> Words:
    return (
        kind,
        when(
            "answer",
            (
                ": the classifier gives its answer a probability of {answer:.3g} on average and is right in"
                " {right:.3g} of the cases, ",
                lambda fields: (
                    f"{100 * abs(fields['answer'] - fields['right']):.1f} percentage points"
                    f" {'less' if fields['answer'] > fields['right'] else 'more'}"
                ),
            ),
            f": calibration slope is {{estimate}}, {way} 1, so the probabilities are too {extent}",
        ),
        *WHERE,
    )


def _words_in_the_large(kind: str, way: str) -> Words:
    return (
        f"{kind}: calibration in the large is {{estimate}}, {way} 0: the probabilities add up to"
        " {expected:,.1f} positives where there are {positives:,.10g}",
        *WHERE,
    )


SENTENCES: dict[str, Words] = {
    # on the data
    "one-class": case(
        "missing",
        {"both": NO_CASES},
        "There are no {missing} in these data: every measure that compares the two classes is undefined; add"
        " cases of the other class, or check the positive label.",
    ),
    "few-cases": when(
        "classes",
        "{classes:# class has|# classes have} fewer than {limit} actual cases ({listed}): read the intervals"
        " rather than the values there, and collect more cases before deciding.",
        (
            "Only ",
            FEW,
            ": read the intervals rather than the values, and collect more cases before deciding",
            when("terms", "", f" (for validation studies {ENOUGH} or more of each class are recommended)"),
            ".",
        ),
    ),
    "rows-dropped": (
        "{dropped} rows ({share:.1%}) with a missing value were left out, as {option[missing=drop]} requests",
        when(
            "unanswered",
            (
                "; {unanswered} of them lack only the prediction: where a model fails on difficult cases,"
                " every measure is biased upwards",
                when(
                    "labels",
                    lambda _: (
                        f"; {option('not_an_answer', [''])} counts predicted labels that are missing as"
                        " wrong."
                    ),
                    ".",
                ),
            ),
            ": if values are missing for a reason that is related to {called.classes}, every measure is"
            " biased.",
        ),
    ),
    "no-answer": (
        "The predicted label of {value:.1%}",
        when("high", " [{low:.1%}, {high:.1%}]"),
        " of the cases names no class: each counts as ",
        when(
            "of_classes",
            "wrong, and is no class of its own.",
            "predicted negative if it is positive, as predicted positive if it is negative (so in the table"
            " and in precision).",
        ),
    ),
    "labels-alike": (
        "{pairs:# pair of labels differs|# pairs of labels differ} only in {what}, as {apart}: they are"
        " counted as classes of their own; write them in one way if they are one."
    ),
    "labels-like-missing": (
        "{classes:# class has|# classes have} a label that often stands for a missing value ({listed}): it is"
        " counted as a class; leave these cases out if it is none."
    ),
    "positive-by-its-name": (
        "The label {label:shown} is taken as the positive one, since it is called so; pass {option[positive]}"
        " for the other."
    ),
    "grades-without-cases": (
        "{classes:# grade|# grades} between the lowest and the highest class {classes:does|do} not occur"
        " ({listed}): weighted kappas take the next ones as neighbours; name all with {option[classes]} to"
        " count it."
    ),
    "columns-matched": (
        "The columns of scores are matched to the classes by their names, without ",
        when("before", "{before!r} at the beginning"),
        when("before", when("after", " and ")),
        when("after", "{after!r} at the end"),
        " of each name.",
    ),
    "equal-highest-scores": (
        "{cases:# case has|# cases have} the same highest score in several classes, and the matrix counts the"
        " first of these in the order of the classes: it depends on that order, the areas do not."
    ),
    "importance-weights": when(
        "rows",
        "The weights are importance weights, not numbers of cases: the effective sample size of the {rows}"
        " rows is {effective_rows:.1f} (Kish), and intervals allow for the variation of the weights.",
        "The table has weights that are not whole numbers, and not the number of cases behind them: intervals"
        " take them as numbers of cases; evaluate the cases themselves if the weights are not counts.",
    ),
    "whole-weights": (
        "The weights are whole numbers and are taken as importance weights (sampling or class weights), so"
        " that a row is one case; if they are numbers of cases, pass {option[weight_kind=count]}, else"
        " {option[weight_kind=importance]}."
    ),
    "class-weights": (
        "The weights are one number for each class and change ",
        SHARES,
        ": measures of probabilities are those of the weighted cases, for which probabilities that are"
        " calibrated for the unweighted cases are not calibrated; faults are reported only where they show"
        " with and without the weights.",
    ),
    "classes-without-cases": (
        "{classes:# class is|# classes are} predicted but never true ({listed}): sensitivity is undefined"
        " there and left out of the averages; precision and F1 are 0 there and lower the macro average;"
        " {option[not_an_answer]} counts answers that name no class as wrong, without that."
    ),
    "classes-never-predicted": (
        "{classes:# class is|# classes are} true but never predicted ({listed}): precision is undefined there"
        " and left out of the averages, which are then too high; F1 counts as 0."
    ),
    "classes-that-do-not-occur": (
        "{classes:# class is|# classes are} neither true nor predicted ({listed}): sensitivity, precision and"
        " F1 are undefined there and left out of the averages, which are those of the other classes."
    ),
    # on the scores
    "scores-in-bins": (
        case(
            "memory",
            dict.fromkeys((0, None), "The scores came as {bins:# bin|# bins}"),
            (
                "The distinct scores do not fit into ",
                lambda fields: f"{fields['memory'] / (1 << 20):,.0f}",
                " MiB ({option[memory]}) and came as {bins:# bin|# bins}",
            ),
        ),
        when(
            "exact",
            " of one score each: every figure is that of the cases.",
            when(
                "within",
                ": each score is taken as the middle of its bin, at most {reach:.2g} from it.",
                (
                    ": counts at their lower ends and summed losses are exact; others have certified bounds,"
                    " as 0.853 to 0.861, within their intervals",
                    case(
                        "memory",
                        dict.fromkeys(
                            (0, None), " (narrower with {either[bins=, tolerance= or the cases|--memory]})"
                        ),
                    ),
                    ".",
                ),
            ),
        ),
    ),
    "scores-outside-unit-interval": (
        case(
            "because",
            {
                "lower-is-positive": "A lower score means positive here, so the scores are not probabilities:"
                " ",
                "score-kind": (
                    "The scores are ",
                    case("score_kind", NO_PROBABILITIES),
                    ", not probabilities: ",
                ),
            },
            "Scores range from {low:g} to {high:g}, outside [0, 1], so they are not probabilities: ranking"
            " measures are valid, ",
        ),
        LEFT_OUT,
        case(
            "because",
            {
                "range": "; turn the scores into probabilities{either[ (tallymark.convert.sigmoid)|]}, or say"
                " {option[score_kind=logit]} if they are logits."
            },
            ".",
        ),
    ),
    "infinite-scores": (
        "{cases:# score is|# scores are} infinite: such scores rank first or last, which is all that the"
        " ranking measures need; check their origin."
    ),
    "scores-look-like-labels": (
        "The only scores are 0 and 1: if they are predicted labels, pass them as {option[predicted]} instead"
        " of {option[score]}."
    ),
    "perfect-ranking": (
        "Every positive scores above every negative: check that the score does not contain the label in"
        " another form."
    ),
    "heavy-ties": (
        "{share:.0%} of the pairs of a positive and a negative have equal scores"
        " ({scores:# distinct score|# distinct scores} in all): ROC AUC counts each as one half; use"
        " unrounded scores if you have them."
    ),
    "no-class-probabilities": (
        "The scores are not probabilities of the classes, since {because}: ranking measures are valid, log"
        " loss, Brier score and calibration are left out; ",
        when(
            "nearly",
            DIVIDED,
            "turn the scores into probabilities{either[ (tallymark.convert.softmax)|]}, or say"
            " {option[score_kind=logit]}",
        ),
        ".",
    ),
    "probabilities-clipped": (
        "{cases:# case has a score|# cases have scores} outside [0, 1] by rounding, as {score!r}: as"
        " probabilities they count as 0 or 1."
    ),
    "probabilities-rounded": (
        "The probabilities of {cases:# case|# cases} do not add up to 1 exactly, because they are rounded"
        " (the largest difference is {largest:.2g}): no measure normalises them; pass more digits if you have"
        " them."
    ),
    "log-loss-clipped": (
        "{cases:# case|# cases} gave the actual class a probability below {epsilon:.2g}, the precision of the"
        " scores: log loss uses that value instead, an arbitrary cap; check these cases first."
    ),
    "certain-probabilities": (
        "{cases:# case has|# cases have} a probability of 0 or 1, of infinite logit: the logistic line leaves"
        " {cases:it|them} out."
    ),
    # on calibration
    "confidence-of-the-predicted-class": (
        "No probability is below 0.5 (mean {mean:.3f}), though ",
        lambda fields: f"{100 * fields['share']:.3g}%",
        " of the cases are positive, and ROC AUC is {auc:.3f}: they seem to be the confidence of the"
        " predicted class; pass the probability of the positive class, such as predict_proba(X)[:, 1].",
    ),
    "over-confident": _slope("Over-confident", "below", "extreme"),
    "under-confident": _slope("Under-confident", "above", "moderate, too close to each other"),
    "overestimation": _words_in_the_large("Overestimation", "below"),
    "underestimation": _words_in_the_large("Underestimation", "above"),
    "worse-than-guessing": (
        "Brier skill score is {estimate}, below 0: predicting ",
        when("of_classes", "the shares of the classes", "the share of positives"),
        " for every case has a smaller Brier score; recalibrate the scores on other data before they are used"
        " as probabilities.",
    ),
    # on the answers
    "auc-below-half": (
        "ROC AUC is {estimate}, below 0.5: {called.label}, and does a ",
        when(
            "higher_is_positive",
            "higher score mean {called.means} (else {turned})",
            "lower score mean {called.means} (else {turned_back})",
        ),
        "? Nothing was flipped.",
    ),
    "class-auc-below-half": (
        "The one-vs-rest ROC AUC of {listed} is below 0.5: are the score columns in the order of the classes,"
        " ",
        lambda fields: ", ".join(map(str, fields["order"])),
        when("more", ", ..."),
        "? Else name the class of each.",
    ),
    "threshold-chosen-here": (
        "The threshold {threshold:exact} ",
        lambda fields: (
            "has the largest Youden index"
            if fields.message["rule"].code == "youden"
            else f"was chosen by the rule {fields['rule']!r}"
        ),
        " on these same cases, so the measures at it are optimistic; choose the threshold on other data, or"
        " give one. Their intervals allow for the choice: they are around the corrected value, or there is"
        " none, with the reason.",
    ),
    "limit-met-here-only": (
        "The rule {rule!r} is met by the estimate on these cases only: at thresholds chosen in this way the"
        " true ",
        lambda fields: in_sentence(fields.message["rule"]["measure"]),
        " misses the limit in about half of samples",
        when("high", " (its interval is {interval})"),
        when("safer", "; the rule {safer!r} keeps the limit at the confidence level"),
        ".",
    ),
    "agreement-below-chance": (
        "Cohen's kappa is {estimate}, below 0: predicted and actual labels agree less than by chance"
        " (accuracy {accuracy:.3g}; always giving the largest class: {largest_class:.3g}); check whether the"
        " labels, or the direction of the scores, are reversed."
    ),
    "one-answer": when(
        "total",
        (MORE_CASES, " ({cases:,.10g} of {total:,.10g}): that prediction is right more often."),
        (
            "Every case is predicted {answer:name}",
            when("threshold", " at the threshold {threshold:exact}"),
            ", while prevalence is {estimate}, ",
            lambda fields: "above" if fields["value"] > fields["limit"] else "below",
            " {limit:.3g}: ",
            when(
                "probabilities",
                "the probabilities cannot be correct",
                "the other prediction is right more often",
            ),
            when("threshold", "; tallymark.choose_threshold finds another threshold"),
            ".",
        ),
    ),
    # on other results than evaluations
    "class-mix-differs": (
        "The samples differ in class mix: {label:name} is ",
        lambda fields: " and ".join(
            f"{share:.1%} of {label(name, LONGEST_LABEL)}"
            for name, share in zip(fields["samples"], fields["shares"], strict=True)
        ),
        ". {measures:measures} ",
        lambda fields: "depend" if len(fields["measures"]) > 1 else "depends",
        " on it, so that a difference does not show a better model; the note on it has the difference at a"
        " common share of {common:.1%}.",
    ),
    "groups-left-out": (
        "Nothing is required of groups by ",
        lambda fields: " and ".join(fields["by"]),
        " with fewer than {limit:g} ",
        case("of", {"rows": "cases"}, "{of}"),
        ": ",
        lambda fields: ", ".join(
            f"{label(name, LONGEST_LABEL)} ({count(size)})"
            for name, size in [*zip(fields["groups"], fields["sizes"], strict=True)][:LISTED]
        ),
        lambda fields: f" and {len(fields['groups']) - LISTED} more" * (len(fields["groups"]) > LISTED),
        ".",
    ),
    "cases-left-out": (
        "{lost:# case|# cases} of the {old:,} in the baseline {lost:is|are} not in the data: both models are"
        " compared on the {shared:# case|# cases} in both. Where the others were left out since the new model"
        " fails on them, it seems better than it is."
    ),
    "judge-differs": (
        when("group", "Group {group:name}: the", "The"),
        " judge's labels differ between the cases with a label ({labelled:.3g} on average) and the others"
        " ({others:.3g}): the labelled ones are hardly a random sample, which the estimate takes them to be.",
    ),
    "same-names-of-units": (
        "{units:# {unit} has its name|# {unit}s have their names} in several data sets, and are taken as"
        " different ones: where they are the same, put all cases in one data set and pass {option[sample]},"
        " so that the intervals allow for it."
    ),
    "rule-of-three": (
        when(
            "persons",
            (
                CASES_OF % "of",
                " of {persons:# person|# persons} {of:counts|count} as {comparisons:.3g} independent"
                " {comparisons:one|ones}, which",
            ),
            CASES_OF % "comparisons",
        ),
        " cannot show an FMR of {rates:rates}: even without a false match among them it may be as high as"
        " {as_high_as:.2g} (95% confidence",
        when("persons", "", ", assuming uncorrelated comparisons"),
        "). ",
        when(
            "needed",
            (
                lambda fields: f"For {min(fields['rates']):g} no fewer than {fields['needed']:,.0f} ",
                when("persons", "independent ones "),
                "are needed.",
            ),
            "No number of comparisons can show a rate of 0.",
        ),
    ),
    "rule-of-30": (
        "There are fewer than {enough} false matches, ",
        lambda fields: ", ".join(
            f"{count(errors)} at an FMR of {rate:g}"
            for rate, errors in zip(fields["rates"], fields["errors"], strict=True)
        ),
        ": with {enough} the true rate is within 30 % of the observed one at 90 % confidence, assuming"
        " uncorrelated comparisons (rule of 30).",
    ),
    "dependent-comparisons": (
        "The intervals take comparisons as independent; those of the same persons are not, so the uncertainty"
        " is larger. Pass {either[persons=(id1, id2)|--persons ID1 ID2]}, the two persons of each comparison,"
        " for intervals that allow for it."
    ),
    "cases-repeated": (
        "Cases are tested in several folds: pooled, each is counted as often as it is tested; the intervals"
        " allow for that."
    ),
    "cases-untested": "{cases:# case is|# cases are} in no test set, and not counted.",
    "clusters-in-several-folds": (
        "{clusters:# {unit} has|# {unit}s have} cases in several folds, so that models were tested on {unit}s"
        " that they were trained on, and the values are too good: let all cases of a {unit} be in one fold,"
        " as by GroupKFold."
    ),
    "pooled-scores": (
        "Pooled, measures of the order of the scores, or of their calibration (marked ^), put scores of"
        " different models together; the mean is of the scores of one model at a time."
    ),
    "fits-failed": "{fits:# fit|# fits} failed, the first with {error}; left out here.",
    "values-undefined": "{values:# value is|# values are} undefined, the first since: {because}; left out"
    " here.",
    "fitted-model-refitted": (
        "The estimator was fitted before; clones of it were fitted anew for each fold, and are what is"
        " measured. cv='prefit' measures the fitted one."
    ),
    "joblib-missing": (
        "joblib is not installed, so that one process made all fits; pip install tallymark[retrain]"
    ),
    "labels-not-by-threshold": (
        "The estimator predicts another label than its score at the threshold for"
        " {cases:# test case|# test cases}, as one with a tuned threshold does: measures at the threshold are"
        " of the scores; method='predict' takes its labels."
    ),
    "rarely-met": "On {share:.0%} of the resamples no threshold meets the rule {rule!r}: do not rely on it.",
    "unstable-threshold": (
        "The choice is unstable: on resamples of these cases the threshold varies from {low:.4g} to"
        " {high:.4g}, with {share:.0%} of all cases between; choose on more cases."
    ),
}

# Of severe notices, at most two lines of the first screen each
BRIEF: dict[str, Words] = {
    "agreement-below-chance": (
        "Predicted and actual labels agree less than by chance: check whether the labels or the scores are"
        " reversed."
    ),
    "auc-below-half": "ROC AUC is below 0.5: check {called.check} and the direction of the scores.",
    "class-auc-below-half": ("The ROC AUC of {listed} is below 0.5: check the order of the score columns."),
    "class-weights": (
        "The weights change ",
        SHARES,
        ": measures of probabilities are those of the weighted cases.",
    ),
    "classes-never-predicted": (
        "{classes:# class is|# classes are} never predicted ({listed}): averages of precision leave"
        " {classes:it|them} out and are too high."
    ),
    "confidence-of-the-predicted-class": (
        "No probability is below 0.5: they seem to be the confidence of the predicted class; pass the"
        " probability of the positive one."
    ),
    "few-cases": when(
        "classes",
        "{classes:# class has|# classes have} fewer than {limit} cases: read the intervals there, not the"
        " values.",
        ("Only ", FEW, ": read the intervals, not the values."),
    ),
    "labels-alike": "Labels differ only in {what}, as {apart}: write them in one way.",
    "limit-met-here-only": (
        "The rule {rule!r} is met by the estimate on these cases only, in other samples about half of the"
        " time."
    ),
    "no-answer": (
        "{value:.1%}",
        when("high", " [{low:.1%}, {high:.1%}]"),
        " of the predicted labels name no class and count as ",
        when("of_classes", "wrong.", "the class that the case is not of."),
    ),
    "one-answer": when(
        "total",
        (MORE_CASES, "."),
        when(
            "threshold",
            "Every case is predicted {answer:name} at the threshold {threshold:.4g}: choose another.",
            "Every case is predicted {answer:name}: the other prediction is right more often.",
        ),
    ),
    "one-class": case(
        "missing",
        {"both": NO_CASES},
        "There are no {missing}: every measure that compares the two classes is undefined.",
    ),
    "perfect-ranking": (
        "Every positive scores above every negative: check that the score does not contain the label."
    ),
    "rows-dropped": (
        "{dropped:# row|# rows} ({share:.1%}) with a missing value {dropped:was|were} left out."
    ),
    "scores-look-like-labels": "The only scores are 0 and 1: pass predicted labels as {option[predicted]}.",
    "threshold-chosen-here": (
        "The threshold {threshold:.4g} was chosen on these cases: the measures at it are optimistic; their"
        " intervals, if any, allow for that."
    ),
    "whole-weights": (
        "The weights are whole and are taken as importance weights; {option[weight_kind=count]} if they are"
        " numbers of cases."
    ),
}


# The rules of notices: each looks at an evaluation, and returns the fields of its notice, or None
# --------------------------------------------------------------------------------------------------
#
# The name of the function is the code, its docstring the condition. Notices are shown in the order of rules.
#
# Findings rest on two questions, whether an interval lies below or above a limit. With a two-sided interval
# of 99 % that has its nominal coverage, the false alarms of each side are 0.5 %, so that those of approximate
# intervals stay below the 2 % that are allowed.
#
# Weights that are one number for each class change the class mix. Probabilities are calibrated for one class
# mix: that of the unweighted cases, where class weights balanced the training, or the weighted one, where the
# weights undo sampling by class. The data do not show which, so with such weights a finding must hold with
# and without them.
#
# Mean and weak calibration in the terms of Van Calster et al. (2016, 2019): overestimation and
# underestimation by the calibration in the large; probabilities that are too extreme (over-confident) or too
# moderate (under-confident) by the calibration slope. With clusters these are left out: fitting a line to
# each of thousands of resamples takes seconds, too long for a notice.

LEVEL = 0.99
CLEARLY = 2.576  # standard errors from the value to the end of a two-sided interval of that level
ALIKE = 1e-9  # relative difference due to rounding
OTHER_MIX = 0.1  # of the logarithm of the ratio of the weights of two classes
MOST_SCORES = 5_000  # more distinct scores than this are pooled with their neighbours
GROUPS_AT_ONCE = 32  # of neighbours: a block of ten million scores fits the cache


def below(e: Evaluation, name: str, limit: float, size: float = 0.0) -> Estimate | None:
    """The estimate, where its interval is below the limit and its value by more than `size`; else None.

    The interval is that at LEVEL.
    """
    return _shown(e, name, lambda estimate: estimate.high < limit and estimate.between[1] < limit - size)


def above(e: Evaluation, name: str, limit: float, size: float = 0.0) -> Estimate | None:
    """The estimate, where its interval is above the limit and its value by more than `size`; else None.

    The interval is that at LEVEL.
    """
    return _shown(e, name, lambda estimate: estimate.low > limit and estimate.between[0] > limit + size)


def figures(estimate: Estimate) -> dict[str, Any]:
    """The value, its bounds and its interval, if there are any, as fields of a notice."""
    bounds = {} if estimate.bounds is None else {"bounds": list(estimate.bounds)}
    interval = {"low": estimate.low, "high": estimate.high} if estimate.has_interval else {}
    return {"value": estimate.value, **bounds, **interval}


def _shown(e: Evaluation, name: str, beyond: Callable[[Estimate], bool]) -> Estimate | None:
    """The estimate, where all evaluations show it.

    That with clusters comes last, since it takes longest.
    """
    if name not in e.estimates or not all(beyond(look.estimates[name]) for look in _looks(e)):
        return None
    return e.estimates[name]


def _looks(e: Evaluation) -> list[Evaluation]:
    looks: list[Evaluation]
    if "_looks" not in e.__dict__:
        settings, pooled = replace(e.settings, level=LEVEL), _pooled(e) if e.task == "binary" else {}
        looks = [replace(e, settings=settings, clusters=None, **pooled)]
        plain = without_class_weights(looks[0])
        looks += [] if plain is None else [plain]
        e.__dict__["_looks"] = looks if e.units is None else [*looks, replace(e, settings=settings)]
    looks = e.__dict__["_looks"]
    return looks


def without_class_weights(e: Any) -> Any:
    """The evaluation of scores with each case of weight 1.

    None unless all cases of a class have one weight, and the weights of the classes differ.
    """
    if e.data.effective_rows is None:
        return None
    if e.task == "binary":
        return _plain_ranking(e)
    return _plain_classes(e) if e.task == "multiclass" else None


def _of_class_weights(e: Evaluation, weights: np.ndarray, cases: np.ndarray) -> bool:
    """Whether all cases of a class have one weight, and the weights of the classes differ.

    weights: of each class; cases: the number of unweighted cases of each class.
    """
    there = weights > 0
    unit = np.log(weights[there] / cases[there])
    return bool(
        abs(cases.sum() - (e.data.rows - e.data.weightless)) <= ALIKE * e.data.rows
        and np.ptp(unit) > OTHER_MIX
    )


def _plain_classes(e: MulticlassEvaluation) -> MulticlassEvaluation | None:
    s = e.scores
    if s is None or not _of_class_weights(e, s.sizes, s.effective_sizes):
        return None
    one = type(s)(s.labels, s.truth, s.score, np.ones_like(s.weight), s.affix, "count")
    return replace(
        e,
        data=replace(e.data, effective_rows=None, weighted=False),
        scores=one,
        matrix=one.confusion(e.matrix.ordered),
        clusters=None,
    )


def _plain_ranking(e: BinaryEvaluation) -> BinaryEvaluation | None:
    if e.ranking is None or e.in_bins:
        return None
    cases = np.array(sizes(e), float)
    if not _of_class_weights(e, np.array([e.ranking.positives, e.ranking.negatives], float), cases):
        return None
    effective = e.ranking.in_effective_cases()
    ranking = e.ranking.of(e.ranking.score, np.rint(effective.positive), np.rint(effective.negative))
    data = replace(e.data, effective_rows=None, weighted=False).of_classes(cases[0], cases[1])
    plain = replace(e, data=data, ranking=ranking, binned=None, clusters=None)
    return plain if e.limit is None else plain.at(e.limit)


def _pooled(e: Any) -> dict[str, Any]:
    """Neighbouring scores replaced by their mean, where there are very many.

    What the intervals show does not change.
    """
    table = e.ranking
    if table is None or len(table) <= MOST_SCORES or e.in_bins:
        return {}
    step = -(-len(table) // MOST_SCORES)

    def means(rows: slice) -> np.ndarray:
        """The mean scores of groups of so many neighbours, in these rows."""
        score, weight = table.score[rows], table.positive[rows] + table.negative[rows]
        first = np.arange(0, len(score), step)
        return np.add.reduceat(score * weight, first) / np.add.reduceat(weight, first)

    mean = np.concatenate(kernels.stretches(means, len(table), GROUPS_AT_ONCE * step))
    held = table.grouped(np.arange(0, len(table), step))
    return {"ranking": table.of(mean, held.positive, held.negative, held.squares), "binned": None}


def sizes(e: BinaryEvaluation) -> tuple[float, float]:
    """The effective numbers of positives and negatives of an evaluation of two classes."""
    if e.ranking is not None:
        return e.ranking.effective_positives, e.ranking.effective_negatives
    assert e.data.positives is not None
    assert e.data.negatives is not None
    scale = e.data.effective_rows / (e.data.positives + e.data.negatives) if e.data.effective_rows else 1
    return scale * e.data.positives, scale * e.data.negatives


BINARY: tuple[Task, ...] = ("binary",)
MULTICLASS: tuple[Task, ...] = ("multiclass",)
CLASSWISE: tuple[Task, ...] = ("multiclass", "multilabel")
SCORED: tuple[Task, ...] = ("binary", "multiclass")  # tasks whose evaluations may have scores
VALIDATION = "Vergouwe et al. 2005; Collins et al. 2016"
VAN_CALSTER = "Van Calster et al. 2016 and 2019"
MANY_LABELS = 5  # number of labels that a notice lists
FEW_LABELS = 6  # number of areas, in the order of the classes, that a notice lists
FEWEST_GRADES = 3
MANY_TIES = 0.10  # share of tied pairs of a positive and a negative
# of a slope, and of a shift on the logit scale (10 % of the odds): what validation studies are planned to
# detect (Riley 2021)
SIZE = 0.1
FEWEST = 5  # cases of the class that is more frequent than predicted: with fewer the interval is too narrow
HALF, RANKS = 0.5, 0.65  # probability; area under the ROC curve from which scores rank positives higher
ENOUGH_CASES = 50  # cases without a probability below 0.5
LEAST_GAP = 0.02  # between the highest probability and the accuracy
ROUNDING = 1e-6  # differences of sums of probabilities from 1 that cause no notice
RuleFields = dict[str, Any] | None
R = TypeVar("R", bound=Callable[..., RuleFields])  # a rule


class Rule(NamedTuple):
    """A rule: its function, code, source and kind, and the tasks that it applies to.

    finding: whether it rests on an interval; else it is a plain fact. severe: whether it changes how the
    numbers must be read, so that it stands before them. needs: what an evaluation must have for it.
    """

    function: Callable[[Any], RuleFields]
    code: str
    source: str | None
    finding: bool
    of: tuple[Task, ...] = TASKS
    severe: bool = False
    needs: str | None = None

    def fields(self, e: Any) -> RuleFields:
        """The fields of its notice; None where there is no reason for one."""
        if e.task not in self.of or (self.needs is not None and getattr(e, self.needs) is None):
            return None
        return self.function(e)


RULES: list[Rule] = []


def fact(
    source: str | None = None,
    of: tuple[Task, ...] = TASKS,
    severe: bool = False,
    finding: bool = False,
    needs: str | None = None,
) -> Callable[[R], R]:
    """Registers a rule that states a fact of the data; the arguments are those of `Rule`."""

    def register(function: R) -> R:
        code = function.__name__.replace("_", "-")
        RULES.append(Rule(function, code, source, finding, of, severe, needs))
        return function

    return register


def finding(
    source: str | None = None, of: tuple[Task, ...] = TASKS, severe: bool = False, needs: str | None = None
) -> Callable[[R], R]:
    """Registers a rule that finds a fault of the model."""
    return fact(source, of, severe, finding=True, needs=needs)


def among(labels: Sequence[Any]) -> RuleFields:
    """The number of classes, and the labels of the first few, as fields; None for no class."""
    return {"classes": len(labels), "labels": tuple(labels[:MANY_LABELS])} if labels else None


# On the predictions
# --------------------------------------------------------------------------------------------------


@finding(of=BINARY, severe=True)
def auc_below_half(e: BinaryEvaluation) -> RuleFields:
    """The interval of roc_auc is below 0.5: check the positive label and the direction of the scores."""
    auc = below(e, "roc_auc", 0.5)
    return None if auc is None else {**figures(auc), "higher_is_positive": e.higher_is_positive}


@finding(of=MULTICLASS, severe=True)
def class_auc_below_half(e: MulticlassEvaluation) -> RuleFields:
    """With a score per class, the interval of a roc_auc is below 0.5: check the order of the columns."""
    low = (label for label, area in e.class_areas.items() if area < 0.5)
    worse = [label for label in low if below(e.one_vs_rest(label), "roc_auc", 0.5)]
    if not worse or e.scores is None:
        return None
    return {
        **(among(worse) or {}),
        "order": tuple(e.scores.labels[:FEW_LABELS]),
        "more": len(e.scores.labels) > FEW_LABELS,
    }


@fact(of=BINARY, severe=True, needs="threshold")
def threshold_chosen_here(e: Any) -> RuleFields:
    """The threshold was chosen on these cases."""
    at = e.threshold
    return {"threshold": at.value, "rule": at.rule} if at.chosen else None


@finding("Berrar, section 6; Flemming, Correct Classification Rate", severe=True)
def agreement_below_chance(e: Evaluation) -> RuleFields:
    """The interval of cohen_kappa is below 0: check whether the labels are reversed."""
    kappa = below(e, "cohen_kappa", 0.0)
    if kappa is None:
        return None
    return {
        **figures(kappa),
        "accuracy": e.estimates["accuracy"].value,
        "largest_class": e.baselines["largest class"],
    }


@finding("Berrar, after Def. 15; QuData, AUC metric", of=SCORED, severe=True)
def one_answer(e: Any) -> RuleFields:
    """All predictions are equal, and the interval of prevalence is on the other side of the threshold.

    Correct probabilities would be on both sides. For labels, and for scores that are not probabilities, 0.5
    is used in place of the threshold: the other prediction is correct more often. With three or more classes:
    another class has more cases, by 2.576 standard errors. Correct probabilities of a rare event are all
    below 0.5, which is not a fault.
    """
    if e.task == "multiclass":
        return _one_of_many(e)
    answer = (
        "negative" if not e.counts.tp + e.counts.fp else "positive" if not e.counts.fn + e.counts.tn else None
    )
    if answer is None or not e.both_classes:
        return None
    limit = 0.5  # for other scores than probabilities, and for labels
    if e.limit is not None and e.probabilities:
        limit = (1 + tanh(e.limit / 2)) / 2 if e.score_kind == "logit" else e.limit
    share = (above if answer == "negative" else below)(e, "prevalence", limit)
    if share is None:
        return None
    at = {} if e.ranking is None else {"threshold": e.limit}
    probabilities = e.ranking is not None and e.probabilities
    return {"answer": answer, **at, **figures(share), "limit": limit, "probabilities": probabilities}


def _one_of_many(e: MulticlassEvaluation) -> RuleFields:
    """The fields where all predictions are of one of many classes, and another class is more frequent.

    The difference is more than CLEARLY standard errors.
    """
    sizes = e.matrix.class_sizes
    calls = e.matrix.weights.sum(0)[: len(sizes)]
    if (sizes > 0).sum() < 2 or (calls > 0).sum() != 1 or e.units:
        return None
    predicted, largest, total = float(sizes[calls.argmax()]), float(sizes.max()), float(sizes.sum())
    cases = 1.0 if e.data.effective_rows is None else e.data.effective_rows / total
    if not (largest - predicted) * sqrt(cases) > CLEARLY * sqrt(largest + predicted):
        return None
    answer, larger = (e.matrix.labels[int(each.argmax())] for each in (calls, sizes))
    return {"answer": answer, "larger": larger, "cases": largest, "total": total}


@finding("Berrar, section 3 and Def. 18", of=SCORED)
def worse_than_guessing(e: Any) -> RuleFields:
    """The interval of brier_skill_score is below 0: predicting the prevalence for all cases is better."""
    # the score of this reference depends on the prevalence
    skill = below(e, "brier_skill_score", 0.0) if e.settings.design == "cohort" else None
    if skill is None or (e.task == "binary" and min(sizes(e)) < FEW_CASES):
        return None
    return {**figures(skill), "of_classes": e.task == "multiclass"}


@fact(of=BINARY, severe=True, needs="threshold")
def limit_met_here_only(e: Any) -> RuleFields:
    """The rule limits an estimate, as `sensitivity>=0.95`, whose interval reaches beyond the limit."""
    for limit in () if e.threshold.by is None else e.threshold.by.limits:
        estimate = e.estimates.get(limit.spec["measure"])
        if (
            estimate is None
            or estimate.undefined
            or (estimate.has_interval and limit.met_by(estimate.low, estimate.high))
        ):
            continue
        reaches = {"low": estimate.low, "high": estimate.high} if estimate.has_interval else {}
        return {"rule": limit.spec, **reaches, **({"safer": limit.safer} if limit.safer else {})}
    return None


# On the data
# --------------------------------------------------------------------------------------------------


@fact(of=BINARY, severe=True)
def one_class(e: BinaryEvaluation) -> RuleFields:
    """There are no positives, or no negatives."""
    if e.both_classes:
        return None
    if not e.data.positives and not e.data.negatives:
        return {"missing": "both"}
    return {"missing": "positives" if not e.data.positives else "negatives"}


@fact(VALIDATION, of=(*BINARY, *CLASSWISE), severe=True)
def few_cases(e: Any) -> RuleFields:
    """A class has fewer than ten cases; for validation studies 100 of each class are recommended."""
    if e.task == "binary":
        named = zip(("positives", "negatives"), sizes(e), strict=True)
        few: RuleFields = {name: size for name, size in named if 0 < size < FEW_CASES}
    else:
        of_classes = zip(e.many.summary.labels, e.many.class_sizes.tolist(), strict=True)
        few = among([label for label, size in of_classes if 0 < size < FEW_CASES])
    return {"limit": FEW_CASES, **few} if few else None


@fact(severe=True)
def rows_dropped(e: Evaluation) -> RuleFields:
    """Rows with missing values were left out, as requested."""
    if not e.data.dropped:
        return None
    share = e.data.dropped / (e.data.rows + e.data.dropped)
    answers = {"unanswered": e.data.dropped_unanswered} if e.data.dropped_unanswered else {}
    labels = {"labels": True} if answers and getattr(e, "scored", e) is None else {}
    return {"dropped": e.data.dropped, "share": share, **answers, **labels}


@fact("Schuetz et al. 2012", of=SCORED, severe=True, needs="unanswered")
def no_answer(e: Any) -> RuleFields:
    """Predicted values that name no class were named with `not_an_answer`, and occur."""
    share = e.unanswered
    if not share.value:
        return None
    interval = {"low": share.low, "high": share.high} if share.has_interval else {}
    return {"value": share.value, **interval, "of_classes": e.task == "multiclass"}


@fact(of=SCORED, severe=True)
def labels_alike(e: Any) -> RuleFields:
    """Labels differ only in case, blanks, zeros or the Unicode form."""
    pairs = similar(e.labels if e.task == "binary" else e.matrix.labels)
    return (
        {"pairs": len(pairs), "first": next(iter(pairs)), "what": next(iter(pairs.values()))}
        if pairs
        else None
    )


@fact(of=SCORED)
def labels_like_missing(e: Any) -> RuleFields:
    """A class has a label such as "." or "?", which often stands for a missing value."""
    return among(like_missing(e.labels if e.task == "binary" else e.matrix.labels))


@fact(of=BINARY)
def positive_by_its_name(e: BinaryEvaluation) -> RuleFields:
    """The label "positive" is taken as the positive one, which was not named."""
    return {"label": e.labels[1]} if e.data.positive_by_name else None


@fact(of=MULTICLASS)
def grades_without_cases(e: MulticlassEvaluation) -> RuleFields:
    """Whole numbers as classes have gaps: measures of ordered classes take them as neighbours."""
    labels = e.matrix.labels
    if e.matrix.ordered or len(labels) < FEWEST_GRADES or not all(type(label) is int for label in labels):
        return None
    low, high = int(min(labels)), int(max(labels))
    if high - low >= 2 * len(labels):  # these are codes rather than grades
        return None
    return among([grade for grade in range(low, high) if grade not in labels])


@fact(of=MULTICLASS, needs="scores")
def columns_matched(e: Any) -> RuleFields:
    """The columns of scores were matched to the classes by a part of their names."""
    affix = e.scores.affix
    return affix and dict(zip(("before", "after"), affix, strict=True))


@fact(of=MULTICLASS, needs="scores")
def equal_highest_scores(e: Any) -> RuleFields:
    """With a score per class: some cases have the same highest score in several classes."""
    _, ambiguous = e.scores.predicted()
    return {"cases": ambiguous} if ambiguous else None


@fact()
def importance_weights(e: Any) -> RuleFields:
    """There are importance weights: intervals use the effective number of cases."""
    if e.data.effective_rows is None:
        if e.task in CLASSWISE:
            cells = (e.many.counts.tp, e.many.counts.fp, e.many.counts.fn, e.many.counts.tn)
            fractions = any((cell != cell.round()).any() for cell in cells)
        else:
            table = e.ranking if e.task == "binary" else e.residuals
            fractions = table is not None and table.weighted and table.squares is None
        return {} if fractions else None
    if e.units:
        return None  # each case is drawn with its weight
    return {"rows": e.data.rows - e.data.weightless, "effective_rows": e.data.effective_rows}


@fact(of=CLASSWISE)
def classes_without_cases(e: ClasswiseEvaluation) -> RuleFields:
    """Some classes are predicted but do not occur as actual classes."""
    return _classes_that_are(e, true=False, predicted=True)


@fact(of=CLASSWISE, severe=True)
def classes_never_predicted(e: ClasswiseEvaluation) -> RuleFields:
    """Some classes occur as actual classes but are never predicted."""
    return _classes_that_are(e, true=True, predicted=False)


@fact(of=CLASSWISE)
def classes_that_do_not_occur(e: ClasswiseEvaluation) -> RuleFields:
    """Some classes occur neither as actual nor as predicted classes."""
    return _classes_that_are(e, true=False, predicted=False)


def _classes_that_are(e: ClasswiseEvaluation, true: bool, predicted: bool) -> RuleFields:
    """The classes that occur, or do not, among the actual and the predicted labels."""
    counts = e.many.counts
    rows = zip(e.many.summary.labels, counts.positives, counts.tp + counts.fp, strict=True)
    return among([label for label, cases, calls in rows if bool(cases) == true and bool(calls) == predicted])


# On the scores
# --------------------------------------------------------------------------------------------------


@fact(of=BINARY, needs="binned")
def scores_in_bins(e: Any) -> RuleFields:
    """The scores are known as bins; where these are not single scores, measures have bounds."""
    low, high = e.binned.low, e.binned.high
    several = low < high  # a bin of one infinite score has no width
    reach = float((high[several] / 2 - low[several] / 2).max(initial=0.0))
    return {"bins": len(e.binned), "exact": e.binned.single, "reach": reach, "memory": e.data.memory}


@fact(of=BINARY, needs="ranking")
def scores_outside_unit_interval(e: Any) -> RuleFields:
    """Scores lie outside [0, 1]: brier_score and log_loss are left out."""
    if e.probabilities:
        return None
    if not e.higher_is_positive:
        return {"because": "lower-is-positive"}
    if e.score_kind in NO_PROBABILITIES:
        return {"because": "score-kind", "score_kind": e.score_kind}
    return {"because": "range", "low": float(e.ranking.score[-1]), "high": float(e.ranking.score[0])}


@fact(of=BINARY, needs="ranking")
def infinite_scores(e: Any) -> RuleFields:
    """Some scores are infinite."""
    # scores are sorted, so that infinite ones are the first and the last
    ends = (0, -1) if len(e.ranking) > 1 else (0,)
    cases = sum(e.ranking.positive[i] + e.ranking.negative[i] for i in ends if isinf(e.ranking.score[i]))
    return {"cases": cases} if cases else None


@fact(of=BINARY, severe=True, needs="ranking")
def scores_look_like_labels(e: Any) -> RuleFields:
    """The only scores are 0 and 1."""
    return {} if not e.in_bins and e.ranking.score[:3].tolist() == [1, 0] else None


@finding(of=BINARY, severe=True, needs="ranking")
def perfect_ranking(e: Any) -> RuleFields:
    """Every positive has a higher score than every negative, with ten or more of each."""
    if min(sizes(e)) < FEW_CASES:  # with fewer this may well happen by chance
        return None
    mixed = ends_of(e.ranking.positive)[1] >= ends_of(e.ranking.negative)[0]
    return None if mixed else {}


@fact(of=BINARY, needs="ranking")
def heavy_ties(e: Any) -> RuleFields:
    """A tenth or more of the pairs of a positive and a negative have equal scores."""
    if not e.both_classes or e.in_bins:
        return None
    tied = kernels.dot(e.ranking.positive, e.ranking.negative)
    share = tied / (e.ranking.positives * e.ranking.negatives)
    return {"share": share, "scores": len(e.ranking)} if share >= MANY_TIES else None


# On probabilities
# --------------------------------------------------------------------------------------------------


@fact(of=MULTICLASS, needs="scores")
def no_class_probabilities(e: Any) -> RuleFields:
    """With a score per class: why the rows are not probabilities."""
    if e.probabilities or e.score_kind is not None:
        return None
    return {"because": e.scores.why_no_probabilities, "nearly": nearly_distributions(e.scores.probability)}


@fact(of=SCORED, needs="scored")
def probabilities_clipped(e: Any) -> RuleFields:
    """Scores just outside [0, 1], as by rounding, are taken as 0 or 1."""
    if not e.probabilities or e.score_kind == "logit":
        return None
    score = e.scored.score
    if score.ndim == 1 and score[0] <= 1 and score[-1] >= 0:  # in the order of the scores
        return None
    outside = (score > 1) | (score < 0)
    if not outside.any():
        return None
    binary = e.task == "binary"
    weight = e.ranking.positive + e.ranking.negative if binary else e.scores.weight
    cases = weight[outside if binary else outside.any(axis=1)]
    return {"cases": float(cases.sum()), "score": score[outside].flat[0].item()}


@fact(of=MULTICLASS, needs="scores")
def probabilities_rounded(e: Any) -> RuleFields:
    """Rounded probabilities do not add up to 1."""
    if not e.probabilities or e.score_kind == "logit":
        return None
    off = np.abs(e.scores.probability.sum(axis=1) - 1)
    number = float(e.scores.weight[off > ROUNDING].sum())
    return {"cases": number, "largest": float(off.max())} if number else None


@fact(of=SCORED, needs="scored")
def log_loss_clipped(e: Any) -> RuleFields:
    """A case of the class to which probability 0 was given."""
    table = e.scored
    if e.in_bins or "log_loss" not in e.estimates or e.score_kind == "logit" or not table.total:
        return None
    # the weight of the cases to whose class less than epsilon was given
    clipped = (
        table.given.sum(lambda given: given.p < table.epsilon)
        if e.task == "binary"
        else float(table.weight[table.given < table.epsilon].sum())
    )
    return {"cases": clipped, "epsilon": float(table.epsilon)} if clipped else None


@finding(of=BINARY, severe=True)
def confidence_of_the_predicted_class(e: BinaryEvaluation) -> RuleFields:
    """No probability is below 0.5, though fewer cases are positive, and these hardly rank higher.

    So are the probabilities of the predicted class, be it the positive one or not: `roc_auc` is near 0.5
    then, or below where most cases are negative. Its interval must lie below `RANKS`, and that of the share
    of positives below the mean probability.
    """
    t = e.ranking
    if (
        t is None
        or not len(t)
        or "calibration_in_the_large" not in e.estimates
        or sum(sizes(e)) < ENOUGH_CASES
    ):
        return None
    if t.probability[-1] < HALF or not below(e, "roc_auc", RANKS):
        return None
    mean = _expected(e) / float(t.total)
    share = below(e, "prevalence", mean, LEAST_GAP)
    if share is None or e.settings.design != "cohort":
        return None
    return {"mean": mean, "share": share.value, "auc": e.estimates["roc_auc"].value}


def _expected(e: BinaryEvaluation) -> float:
    """The sum of the probabilities."""
    assert e.ranking is not None
    t = e.ranking
    if e.in_bins:
        return float(t.positives) / e.estimates["observed_expected_ratio"].value
    p, positive, negative = t.probability, t.positive, t.negative
    parts = kernels.stretches(lambda some: kernels.dot(p[some], positive[some] + negative[some]), len(p))
    return float(np.add.reduce(parts))


@finding(VAN_CALSTER, of=SCORED)
def over_confident(e: Any) -> RuleFields:
    """The interval of calibration_slope is below 1: the probabilities are too extreme.

    Not where it is below 0, as with a reversed direction. With a score per class: the highest probability is
    larger than the share of correct predictions.
    """
    if e.task == "multiclass":
        return _of_answers(e, 1)
    confidence = e.units or confidence_of_the_predicted_class(e) is not None
    slope = None if confidence else below(e, "calibration_slope", 1.0, SIZE)
    # a reversed direction has its own notice: auc_below_half
    return None if slope is None or below(e, "calibration_slope", 0.0) else figures(slope)


@finding(VAN_CALSTER, of=SCORED)
def under_confident(e: Any) -> RuleFields:
    """The interval of calibration_slope is above 1: the probabilities are too moderate.

    With a score per class: the highest probability is smaller than the share of correct predictions.
    """
    if e.task == "multiclass":
        return _of_answers(e, -1)
    slope = None if e.units else above(e, "calibration_slope", 1.0, SIZE)
    return None if slope is None else figures(slope)


@finding(VAN_CALSTER, of=BINARY)
def overestimation(e: BinaryEvaluation) -> RuleFields:
    """The interval of calibration_in_the_large is below 0: the probabilities are too high on average."""
    return None if confidence_of_the_predicted_class(e) is not None else _in_the_large(e, below, 1)


@finding(VAN_CALSTER, of=BINARY)
def underestimation(e: BinaryEvaluation) -> RuleFields:
    """The interval of calibration_in_the_large is above 0: the probabilities are too low on average."""
    return _in_the_large(e, above, 0)


def _in_the_large(e: BinaryEvaluation, beyond: Callable[..., Estimate | None], larger: int) -> RuleFields:
    """The fields where calibration in the large lies beyond 0.

    The share of positives must be that of a population, and its interval that of independent cases; larger:
    the class that is more frequent than predicted.
    """
    if e.units or e.settings.design != "cohort":
        return None
    shift = beyond(e, "calibration_in_the_large", 0.0, SIZE)
    if shift is None or sizes(e)[larger] < FEWEST:
        return None
    assert e.ranking is not None
    return {**figures(shift), "expected": _expected(e), "positives": float(e.ranking.positives)}


def _of_answers(e: MulticlassEvaluation, side: int) -> RuleFields:
    """The fields where the highest probability differs from the share of correct predictions.

    With a score per class. side: 1 where it is larger, -1 where it is smaller.
    """
    # the standard error is that of independent cases
    if not e.probabilities or not e.data.rows or e.units:
        return None
    looks = [_gap(each) for each in (e, without_class_weights(e)) if each is not None]
    if not all(side * (mean - share) > max(CLEARLY * error, LEAST_GAP) for mean, share, error in looks):
        return None
    return {"answer": float(looks[0][0]), "right": float(looks[0][1])}


def _gap(e: MulticlassEvaluation) -> tuple[float, float, float]:
    """The mean of the highest probabilities, the share of correct predictions, and its standard error.

    The standard error is that of calibrated probabilities.
    """
    assert e.scores is not None
    answer, _ = e.scores.predicted()
    p, weight = np.clip(e.scores.probability.max(axis=1), 0.0, 1.0), e.scores.weight
    total = weight.sum()
    cases = total if e.data.effective_rows is None else e.data.effective_rows
    error = sqrt(max(kernels.dot(p * (1 - p), weight), 0.0) / total / cases)
    return kernels.dot(p, weight) / total, weight[answer == e.scores.truth].sum() / total, error


# On weights
# --------------------------------------------------------------------------------------------------


@fact(severe=True)
def whole_weights(e: Evaluation) -> RuleFields:
    """Weights that are whole, not all 1, are importance weights, since weight_kind is not passed."""
    return {} if e.data.whole_weights else None


@fact(of=SCORED, severe=True)
def class_weights(e: Any) -> RuleFields:
    """Importance weights are one number for each class: findings must hold with and without them."""
    plain = without_class_weights(e) if e.probabilities else None
    if plain is None or e.task == "multiclass":
        return None if plain is None else {}
    return {"before": float(plain.ranking.prior), "after": float(e.ranking.prior)}


# Notices: each is a code with fields, of which `texts` makes a sentence that says what to do
# --------------------------------------------------------------------------------------------------
#
# A rule (`rules`) is a function of an `Evaluation` that returns the fields of its notice, or None; the name
# of the function is the code. A fact is a property of the data, as the number of cases. A finding is a
# judgement on the model: it rests on a confidence interval, so that a model without the fault causes it in at
# most 2 % of samples; docs/notices.md has the simulated shares.

OF_DATA = ("rows-dropped", "whole-weights")
# of other results than evaluations, which have no rules
SEVERE = ("cases-left-out", "class-mix-differs", "groups-left-out", "judge-differs")
BY_CODE = {rule.code: rule for rule in RULES}


class Notice(Message):
    """A fact or finding to consider when reading the results.

    Attributes
    ----------
    code : str
        What it is, as "few-cases"; it stays the same when the sentence is reworded.
    fields : tuple of pairs (name, value)
        The figures and names in the sentence, as ("positives", 7); `notice["positives"]` is the value.
    """

    __slots__ = ()

    @property
    def text(self) -> str:
        """The sentence."""
        return sentence(self)

    @property
    def brief(self) -> str:
        """A shorter sentence, of a severe notice; of others the sentence."""
        return sentence(self, short=True)

    @property
    def source(self) -> str | None:
        """The source that discusses it, if there is one."""
        rule = BY_CODE.get(self.code)
        return None if rule is None else rule.source

    @property
    def severe(self) -> bool:
        """Whether it changes how the numbers must be read."""
        rule = BY_CODE.get(self.code)
        return self.code in SEVERE if rule is None else rule.severe

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: the code, the fields, the sentence, the source, whether it is severe."""
        return {**super().to_dict(), "source": self.source, "severe": self.severe}


def without(notices: Iterable[Notice], *codes: str) -> tuple[Notice, ...]:
    """The notices that have none of these codes."""
    return tuple(notice for notice in notices if notice.code not in codes)


def of_model(name: str, notice: Notice) -> Notice:
    """The notice on one of several models, with the name of the model."""
    return notice.but(model=name)


def of_data(about: DataInfo | None) -> tuple[Notice, ...]:
    """The notices that follow from the facts of the data alone, for results that hold no evaluation."""
    fields = {code: BY_CODE[code].function(SimpleNamespace(data=about)) for code in OF_DATA if about}
    return tuple(Notice(code, **each) for code, each in fields.items() if each is not None)


def review(evaluation: Any) -> tuple[Notice, ...]:
    """The notices of an evaluation: severe ones first, each part in the order of the rules."""
    fields = ((rule.code, rule.fields(evaluation)) for rule in RULES)
    notices = (Notice(code, **each) for code, each in fields if each is not None)
    return tuple(sorted(notices, key=lambda notice: not notice.severe))
