"""The sentences of notices, by their code; no decision depends on their wording.

They are written as those of notes (`input.messages`), with more fields that are made of others: {listed} are
the labels, {estimate} is the value with its interval. Fields that are rules or notes are inserted as their
sentences.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...input.labels import shown_apart
from ...input.messages import LONGEST_LABEL, MADE, Fields, Message, Words, case, in_words, when
from ...input.probabilities import DIVIDED
from ...input.spelling import option
from ...input.text import count, digits_of, interval, label, labels as written, rounded
from ...measures.titles import in_sentence

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


def _in_the_large(kind: str, way: str) -> Words:
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
    "overestimation": _in_the_large("Overestimation", "below"),
    "underestimation": _in_the_large("Underestimation", "above"),
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
