"""The sentences of notices on the model, and on results other than evaluations, by their code."""

from __future__ import annotations

from collections.abc import Callable

from ...input.messages import Message
from ...input.spelling import IN_FORMATS, either
from ...input.text import count, exact, interval, label
from ...measures.titles import in_sentence
from .wording import LONGEST_LABEL, Words, number_of, some, terms, value

# On calibration
# -------------------------------------------------------------------------------------------------------


def _where(notice: Message) -> str:
    """What to do, and where to see more, unless the notice is part of that result."""
    shown = (
        "."
        if "within" in notice
        else f"; {either('tallymark.calibration', 'tallymark calibration')} shows where."
    )
    return f": recalibrate on other data before the probabilities are used{shown}"


def _slope(kind: str, way: str, extent: str) -> Callable[[Message], str]:
    return lambda notice: (
        f"{kind}: calibration slope is {value(notice)}, {way} 1, so the probabilities are too"
        f" {extent}{_where(notice)}"
        if "answer" not in notice
        else _of_answers(kind, notice)
    )


def _of_answers(kind: str, notice: Message) -> str:
    mean, right = notice["answer"], notice["right"]
    return (
        f"{kind}: the classifier gives its answer a probability of {mean:.3g} on average and is right in"
        f" {right:.3g} of the cases, {100 * abs(mean - right):.1f} percentage points"
        f" {'less' if mean > right else 'more'}{_where(notice)}"
    )


def _in_the_large(kind: str, way: str) -> Callable[[Message], str]:
    return lambda notice: (
        f"{kind}: calibration in the large is {value(notice)}, {way} 0: the probabilities add up to"
        f" {notice['expected']:,.1f} positives where there are {notice['positives']:,.10g}{_where(notice)}"
    )


def _worse(notice: Message) -> str:
    shares = "the shares of the classes" if notice["of_classes"] else "the share of positives"
    return (
        f"Brier skill score is {value(notice)}, below 0: predicting {shares} for every case has a smaller "
        "Brier score; recalibrate the scores on other data before they are used as probabilities."
    )


# On models on different cases
# -------------------------------------------------------------------------------------------------------


def _class_mix_differs(notice: Message) -> str:
    samples = zip(notice["samples"], notice["shares"], strict=True)
    shares = " and ".join(f"{share:.1%} of {label(name, LONGEST_LABEL)}" for name, share in samples)
    measures, several = notice["measures"], len(notice["measures"]) > 1
    depend = "depend" if several else "depends"
    return (
        f"The samples differ in class mix: {label(str(notice['label']), LONGEST_LABEL)} is {shares}."
        f" {', '.join(map(in_sentence, measures))} {depend} on it, so that a difference does not show a"
        f" better model; the note on it has the difference at a common share of {notice['common']:.1%}."
    )


# On the answers
# -------------------------------------------------------------------------------------------------------


def _auc(notice: Message) -> str:
    called, higher = terms(notice), notice["higher_is_positive"]
    direction, way_out = ("higher", called.turned) if higher else ("lower", called.turned_back)
    way_out = way_out.format(**IN_FORMATS)
    return (
        f"ROC AUC is {value(notice)}, below 0.5: {called.label}, and does a {direction} score mean"
        f" {called.means} (else {way_out})? Nothing was flipped."
    )


def _confidence(notice: Message) -> str:
    return (
        f"No probability is below 0.5 (mean {notice['mean']:.3f}), though {100 * notice['share']:.3g}% of the"
        f" cases are positive, and ROC AUC is {notice['auc']:.3f}: they seem to be the confidence of the"
        " predicted class; pass the probability of the positive class, such as predict_proba(X)[:, 1]."
    )


def _class_auc(notice: Message) -> str:
    order = ", ".join(map(str, notice["order"])) + (", ..." if notice["more"] else "")
    return (
        f"The one-vs-rest ROC AUC of {some(notice)} is below 0.5: are the score columns in the order of the"
        f" classes, {order}? Else name the class of each."
    )


def _chosen(notice: Message) -> str:
    rule = notice["rule"]
    reason = (
        "has the largest Youden index" if rule.code == "youden" else f"was chosen by the rule {rule.text!r}"
    )
    return (
        f"The threshold {exact(notice['threshold'])} {reason} on these same cases, so the measures at it are "
        "optimistic; choose the threshold on other data, or give one. Their intervals allow for the choice: "
        "they are around the corrected value, or there is none, with the reason."
    )


def _agreement(notice: Message) -> str:
    return (
        f"Cohen's kappa is {value(notice)}, below 0: predicted and actual labels agree less than by chance"
        f" (accuracy {notice['accuracy']:.3g}; always giving the largest class:"
        f" {notice['largest_class']:.3g}); check whether the labels, or the direction of the scores, are"
        " reversed."
    )


def _one_answer(notice: Message) -> str:
    answer = label(notice["answer"], LONGEST_LABEL)
    if "larger" in notice:
        larger = label(notice["larger"], LONGEST_LABEL)
        return (
            f"Every case is predicted {answer}, while {larger} has more cases ({notice['cases']:,.10g} of "
            f"{notice['total']:,.10g}): that prediction is right more often."
        )
    scores = "threshold" in notice
    at = f" at the threshold {exact(notice['threshold'])}" if scores else ""
    fault = (
        "the probabilities cannot be correct"
        if notice["probabilities"]
        else "the other prediction is right more often"
    )
    remedy = "; tallymark.choose_threshold finds another threshold" if scores else ""
    way = "above" if notice["value"] > notice["limit"] else "below"
    return (
        f"Every case is predicted {answer}{at}, while prevalence is {value(notice)}, {way}"
        f" {notice['limit']:.3g}: {fault}{remedy}."
    )


def _met_here(notice: Message) -> str:
    reaches = f" (its interval is {interval(notice['low'], notice['high'])})" if "low" in notice else ""
    keeps = ""
    if "safer" in notice:
        keeps = f"; the rule {notice['safer'].text!r} keeps the limit at the confidence level"
    rule = notice["rule"]
    return (
        f"The rule {rule.text!r} is met by the estimate on these cases only: at thresholds chosen in this way"
        f" the true {in_sentence(rule['measure'])} misses the limit in about half of samples{reaches}{keeps}."
    )


# Of other results
# -----------------------------------------------------------------------------------------------------


def _unsupported(notice: Message) -> str:
    n, rates = notice["comparisons"], ", ".join(f"{rate:g}" for rate in notice["rates"])
    those, unit = number_of(n, "non-mated comparison"), ""
    if "persons" in notice:
        every = number_of(notice["of"], "non-mated comparison")
        counts, ones = "counts" if notice["of"] == 1 else "count", "one" if f"{n:.3g}" == "1" else "ones"
        of = number_of(notice["persons"], "person")
        those = f"{every} of {of} {counts} as {n:.3g} independent {ones}, which"
        unit = "independent ones "
    needed = "No number of comparisons can show a rate of 0."
    if "needed" in notice:
        needed = f"For {min(notice['rates']):g} no fewer than {notice['needed']:,.0f} {unit}are needed."
    assuming = "" if "persons" in notice else ", assuming uncorrelated comparisons"
    return (
        f"{those} cannot show an FMR of {rates}: even without a false match among them it may be as high as "
        f"{notice['as_high_as']:.2g} (95% confidence{assuming}). {needed}"
    )


def _few_errors(notice: Message) -> str:
    found = (
        f"{count(errors)} at an FMR of {rate:g}"
        for rate, errors in zip(notice["rates"], notice["errors"], strict=True)
    )
    return (
        f"There are fewer than {notice['enough']} false matches, {', '.join(found)}: with"
        f" {notice['enough']} the true rate is within 30 % of the observed one at 90 % confidence, assuming"
        " uncorrelated comparisons (rule of 30)."
    )


def _failed(notice: Message) -> str:
    return f"{number_of(notice['fits'], 'fit')} failed, the first with {notice['error']}; left out here."


def _undefined(notice: Message) -> str:
    values = number_of(notice["values"], "value is", "values are")
    return f"{values} undefined, the first since: {notice['because']}; left out here."


def _untested(notice: Message) -> str:
    return f"{number_of(notice['cases'], 'case is', 'cases are')} in no test set, and not counted."


def _crossing(notice: Message) -> str:
    one = notice["of"].removesuffix("s")
    return (
        f"{number_of(notice['clusters'], f'{one} has', f'{one}s have')} cases in several folds, so that"
        f" models were tested on {one}s that they were trained on, and the values are too good: let"
        f" all cases of a {one} be in one fold, as by GroupKFold."
    )


def _not_by_threshold(notice: Message) -> str:
    return (
        f"The estimator predicts another label than its score at the threshold for"
        f" {number_of(notice['cases'], 'test case')}, as one with a tuned threshold does: measures at the"
        " threshold are of the scores; {predict} takes its labels."
    ).format(predict="method='predict'")


SENTENCES: dict[str, Words] = {
    "agreement-below-chance": _agreement,
    "auc-below-half": _auc,
    "cases-repeated": (
        "Cases are tested in several folds: pooled, each is counted as often as it is tested; the intervals"
        " allow for that."
    ),
    "cases-untested": _untested,
    "confidence-of-the-predicted-class": _confidence,
    "class-auc-below-half": _class_auc,
    "class-mix-differs": _class_mix_differs,
    "clusters-in-several-folds": _crossing,
    "dependent-comparisons": (
        "The intervals take comparisons as independent; those of the same persons are not, so the uncertainty"
        " is larger. Pass {either[persons=(id1, id2)|--persons ID1 ID2]}, the two persons of each comparison,"
        " for intervals that allow for it."
    ),
    "fits-failed": _failed,
    "fitted-model-refitted": (
        "The estimator was fitted before; clones of it were fitted anew for each fold, and are what is"
        " measured. cv='prefit' measures the fitted one."
    ),
    "joblib-missing": (
        "joblib is not installed, so that one process made all fits; pip install tallymark[retrain]"
    ),
    "labels-not-by-threshold": _not_by_threshold,
    "limit-met-here-only": _met_here,
    "one-answer": _one_answer,
    "over-confident": _slope("Over-confident", "below", "extreme"),
    "overestimation": _in_the_large("Overestimation", "below"),
    "perfect-ranking": (
        "Every positive scores above every negative: check that the score does not contain the label in "
        "another form."
    ),
    "pooled-scores": (
        "Pooled, measures of the order of the scores, or of their calibration (marked ^), put scores of"
        " different models together; the mean is of the scores of one model at a time."
    ),
    "rarely-met": "On {share:.0%} of the resamples no threshold meets the rule {rule!r}: do not rely on it.",
    "rule-of-30": _few_errors,
    "rule-of-three": _unsupported,
    "threshold-chosen-here": _chosen,
    "under-confident": _slope("Under-confident", "above", "moderate, too close to each other"),
    "underestimation": _in_the_large("Underestimation", "above"),
    "unstable-threshold": (
        "The choice is unstable: on resamples of these cases the threshold varies from {low:.4g} to "
        "{high:.4g}, with {share:.0%} of all cases between; choose on more cases."
    ),
    "values-undefined": _undefined,
    "worse-than-guessing": _worse,
}
