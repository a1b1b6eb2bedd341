"""The sentences of notices on the data and the scores, by their code."""

from __future__ import annotations

from collections.abc import Callable

from ...input.labels import shown_apart
from ...input.messages import Message
from ...input.probabilities import DIVIDED
from ...input.spelling import IN_FORMATS, either, option
from ...input.validate import shown
from .wording import USUAL, Words, number_of, some, terms

# cases of each class recommended for a validation. Source: Vergouwe et al. 2005; Collins et al. 2016
ENOUGH = 100
NO_PROBABILITIES = {"margin": "margins", "llr": "log-likelihood ratios"}
LEFT_OUT = "log loss, Brier score, calibration and all else that needs probabilities are left out"


# On the data
# ----------------------------------------------------------------------------------------------------------


def _one_class(notice: Message) -> str:
    if notice["missing"] == "both":
        return "There are no cases: every measure is undefined."
    return (
        f"There are no {notice['missing']} in these data: every measure that compares the two classes is"
        " undefined; add cases of the other class, or check the positive label."
    )


def _few_cases(notice: Message) -> str:
    if "classes" in notice:
        return (
            f"{number_of(notice['classes'], 'class has', 'classes have')} fewer than {notice['limit']} actual"
            f" cases ({some(notice)}): read the intervals rather than the values there, and collect more"
            " cases before deciding."
        )
    called = terms(notice)
    few = [
        number_of(notice[name], getattr(called, name[:-1]))
        for name in ("positives", "negatives")
        if name in notice
    ]
    wanted = (
        f" (for validation studies {ENOUGH} or more of each class are recommended)" if called is USUAL else ""
    )
    return (
        f"Only {' and '.join(few)}: read the intervals rather than the values, and collect more cases before"
        f" deciding{wanted}."
    )


def _rows_dropped(notice: Message) -> str:
    if "unanswered" in notice:
        return (
            f"{notice['dropped']} rows ({notice['share']:.1%}) with a missing value were left out, as"
            f" {option('missing', 'drop')} requests; {notice['unanswered']} of them lack only the prediction:"
            " where a model fails on difficult cases, every measure is biased upwards"
            + (
                f"; {option('not_an_answer', [''])} counts predicted labels that are missing as wrong."
                if "labels" in notice
                else "."
            )
        )
    return (
        f"{notice['dropped']} rows ({notice['share']:.1%}) with a missing value were left out, as "
        f"{option('missing', 'drop')} requests: if values are missing for a reason that is related to "
        f"{terms(notice).classes}, every measure is biased."
    )


def _no_answer(notice: Message) -> str:
    share = f"{notice['value']:.1%}"
    interval = f" [{notice['low']:.1%}, {notice['high']:.1%}]" if "low" in notice else ""
    how = (
        "wrong, and is no class of its own"
        if notice["of_classes"]
        else "predicted negative if it is positive, as predicted positive if it is negative (so in the table"
        " and in precision)"
    )
    return f"The predicted label of {share}{interval} of the cases names no class: each counts as {how}."


def _columns_matched(notice: Message) -> str:
    parts = [
        f"{notice[name]!r} at the {end}"
        for name, end in (("before", "beginning"), ("after", "end"))
        if notice[name]
    ]
    return (
        f"The columns of scores are matched to the classes by their names, without {' and '.join(parts)} of"
        " each name."
    )


def _importance_weights(notice: Message) -> str:
    if "rows" not in notice:
        return (
            "The table has weights that are not whole numbers, and not the number of cases behind them: "
            "intervals take them as numbers of cases; evaluate the cases themselves if the weights are not "
            "counts."
        )
    return (
        f"The weights are importance weights, not numbers of cases: the effective sample "
        f"size of the {notice['rows']} rows is {notice['effective_rows']:.1f} (Kish), and intervals allow for"
        " the variation of the weights."
    )


def _alike(notice: Message) -> str:
    pairs = number_of(notice["pairs"], "pair of labels differs", "pairs of labels differ")
    return (
        f"{pairs} only in {notice['what']}, as {shown_apart(*notice['first'])}: they are counted as classes"
        " of their own; write them in one way if they are one."
    )


def _like_missing(notice: Message) -> str:
    return (
        f"{number_of(notice['classes'], 'class has', 'classes have')} a label that often stands for a missing"
        f" value ({some(notice)}): it is counted as a class; leave these cases out if it is none."
    )


def _grades(notice: Message) -> str:
    return (
        f"{number_of(notice['classes'], 'grade')} between the lowest and the highest class"
        f" {'does' if notice['classes'] == 1 else 'do'} not occur ({some(notice)}): weighted kappas take the"
        f" next ones as neighbours; name all with {option('classes')} to count it."
    )


def _classes(what: str, follows: str) -> Callable[[Message], str]:
    return lambda notice: (
        f"{number_of(notice['classes'], 'class is', 'classes are')} {what} ({some(notice)}):"
        f" {follows.format(**IN_FORMATS)}"
    )


def _equal_highest(notice: Message) -> str:
    return (
        f"{number_of(notice['cases'], 'case has', 'cases have')} the same highest score in several classes,"
        " and the matrix counts the first of these in the order of the classes: it depends on that order,"
        " the areas do not."
    )


def _class_weights(notice: Message) -> str:
    shares = "the shares of the classes"
    if "before" in notice:
        shares = f"the share of positives from {notice['before']:.3g} to {notice['after']:.3g}"
    return (
        f"The weights are one number for each class and change {shares}: measures of probabilities are those "
        "of the weighted cases, for which probabilities that are calibrated for the unweighted cases are not"
        " calibrated; faults are reported only where they show with and without the weights."
    )


# On the scores
# --------------------------------------------------------------------------------------------------------


def _outside(notice: Message) -> str:
    if notice["because"] == "lower-is-positive":
        return f"A lower score means positive here, so the scores are not probabilities: {LEFT_OUT}."
    if notice["because"] == "score-kind":
        kind = NO_PROBABILITIES[notice["score_kind"]]
        return f"The scores are {kind}, not probabilities: {LEFT_OUT}."
    return (
        f"Scores range from {notice['low']:g} to {notice['high']:g}, outside [0, 1], so they are not"
        f" probabilities: ranking measures are valid, {LEFT_OUT}; turn the scores into"
        f" probabilities{either(' (tallymark.convert.sigmoid)', '')}, or say {option('score_kind', 'logit')}"
        " if they are logits."
    )


def _in_bins(notice: Message) -> str:
    bins = f"The scores came as {number_of(notice['bins'], 'bin')}"
    if notice["memory"]:
        size = f"{notice['memory'] / (1 << 20):,.0f} MiB ({option('memory')})"
        bins = f"The distinct scores do not fit into {size} and came as {number_of(notice['bins'], 'bin')}"
    if notice["exact"]:
        return f"{bins} of one score each: every figure is that of the cases."
    if "within" in notice:
        return f"{bins}: each score is taken as the middle of its bin, at most {notice['reach']:.2g} from it."
    more = either("bins=, tolerance= or the cases", "--memory")
    return (
        f"{bins}: counts at their lower ends and summed losses are exact; others have certified bounds, as"
        f" 0.853 to 0.861, within their intervals{f' (narrower with {more})' * (not notice['memory'])}."
    )


def _infinite(notice: Message) -> str:
    return (
        f"{number_of(notice['cases'], 'score is', 'scores are')} infinite: such scores rank first or last,"
        " which is all that the ranking measures need; check their origin."
    )


def _no_class_probabilities(notice: Message) -> str:
    how = either(" (tallymark.convert.softmax)", "")
    turned = f"turn the scores into probabilities{how}, or say {option('score_kind', 'logit')}"
    return (
        f"The scores are not probabilities of the classes, since {notice['because'].text}: ranking measures"
        " are valid, log loss, Brier score and calibration are left out;"
        f" {DIVIDED if notice['nearly'] else turned}."
    )


def _ties(notice: Message) -> str:
    return (
        f"{notice['share']:.0%} of the pairs of a positive and a negative have equal scores"
        f" ({number_of(notice['scores'], 'distinct score')} in all): ROC AUC counts each as one half; use"
        " unrounded scores if you have them."
    )


def _clipped(notice: Message) -> str:
    cases = number_of(notice["cases"], "case has a score", "cases have scores")
    return (
        f"{cases} outside [0, 1] by rounding, as {notice['score']!r}: as probabilities they count as 0 or 1."
    )


def _rounded(notice: Message) -> str:
    return (
        f"The probabilities of {number_of(notice['cases'], 'case')} do not add up to 1 exactly, because they"
        f" are rounded (the largest difference is {notice['largest']:.2g}): no measure normalises them; pass"
        " more digits if you have them."
    )


def _log_loss(notice: Message) -> str:
    return (
        f"{number_of(notice['cases'], 'case')} gave the actual class a probability below "
        f"{notice['epsilon']:.2g}, the precision of the scores: log loss uses that value instead, an "
        "arbitrary cap; check these cases first."
    )


def _certain(notice: Message) -> str:
    cases = (
        f"{number_of(notice['cases'], 'case has', 'cases have')} a probability of 0 or 1, of infinite logit"
    )
    return f"{cases}: the logistic line leaves {'it' if notice['cases'] == 1 else 'them'} out."


SENTENCES: dict[str, Words] = {
    "certain-probabilities": _certain,
    "class-weights": _class_weights,
    "classes-never-predicted": _classes(
        "true but never predicted",
        "precision is undefined there and left out of the averages, which are then too high; F1 counts as 0.",
    ),
    "classes-that-do-not-occur": _classes(
        "neither true nor predicted",
        "sensitivity, precision and F1 are undefined there and left out of the averages, which are those of"
        " the other classes.",
    ),
    "classes-without-cases": _classes(
        "predicted but never true",
        "sensitivity is undefined there and left out of the averages; precision and F1 are 0 there and"
        " lower the macro average; {option[not_an_answer]} counts answers that name no class as wrong,"
        " without that.",
    ),
    "columns-matched": _columns_matched,
    "equal-highest-scores": _equal_highest,
    "few-cases": _few_cases,
    "grades-without-cases": _grades,
    "heavy-ties": _ties,
    "infinite-scores": _infinite,
    "labels-alike": _alike,
    "labels-like-missing": _like_missing,
    "log-loss-clipped": _log_loss,
    "no-answer": _no_answer,
    "no-class-probabilities": _no_class_probabilities,
    "one-class": _one_class,
    "positive-by-its-name": lambda notice: (
        f"The label {shown(notice['label'])} is taken as the positive one, since it is called so; pass"
        f" {option('positive')} for the other."
    ),
    "probabilities-clipped": _clipped,
    "probabilities-rounded": _rounded,
    "rows-dropped": _rows_dropped,
    "scores-in-bins": _in_bins,
    "scores-look-like-labels": (
        "The only scores are 0 and 1: if they are predicted labels, pass them as {option[predicted]} instead"
        " of {option[score]}."
    ),
    "scores-outside-unit-interval": _outside,
    "importance-weights": _importance_weights,
    "whole-weights": (
        "The weights are whole numbers and are taken as importance weights (sampling or class weights), so"
        " that a row is one case; if they are numbers of cases, pass {option[weight_kind=count]}, else"
        " {option[weight_kind=importance]}."
    ),
}
