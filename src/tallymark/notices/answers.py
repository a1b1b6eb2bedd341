"""On the answers: whether they are better than guessing, and what the measures can tell here."""

from __future__ import annotations

from math import sqrt, tanh

from ..text import exact
from . import BINARY, FEW_CASES, MULTICLASS, SCORED, USUAL, fact, finding, some_of
from .evidence import CLEARLY, above, below, sizes, written


@finding(of=BINARY)
def auc_below_half(e, terms=USUAL):
    auc = below(e, "roc_auc", 0.5)
    if auc is None:
        return None
    direction, way_out = ("higher", terms.turned) if e.higher_is_positive else ("lower", terms.turned_back)
    return (
        f"roc_auc is {written(auc)}, below 0.5: {terms.label}, and does a {direction} score mean {terms.means} "
        f"(else {way_out})? Nothing was flipped."
    )


@finding(of=MULTICLASS)
def class_auc_below_half(e):
    low = (label for label, area in e.class_areas.items() if area < 0.5)
    worse = [label for label in low if below(e.one_vs_rest(label), "roc_auc", 0.5)]
    if not worse:
        return None
    order = ", ".join(map(str, e.scores.labels[:6])) + (", ..." if len(e.scores.labels) > 6 else "")
    return (
        f"By its own score roc_auc of {some_of(worse)} is below 0.5: do the columns of scores stand for the classes in this order, "
        f"{order}? Else name the class of each."
    )


@fact(of=BINARY)
def threshold_chosen_here(e):
    if e.threshold is None or not e.threshold.chosen:
        return None
    reason = "has the largest Youden index" if e.threshold.rule == "youden" else f"was chosen by the rule {e.threshold.rule!r}"
    return (
        f"The threshold {exact(e.threshold.value)} {reason} on these same cases, so the measures at it are "
        "optimistic; choose the threshold on other data, or give one. Their intervals count the choice in: they lie around the "
        "corrected value, or there is none, with the reason."
    )


@finding("Berrar, section 6; Flemming, Correct Classification Rate")
def agreement_below_chance(e):
    kappa = below(e, "cohen_kappa", 0.0)
    if kappa is None:
        return None
    return (
        f"cohen_kappa is {written(kappa)}, below 0: predicted and actual labels agree less than by chance (accuracy "
        f"{e.estimates['accuracy'].value:.3g}; always giving the largest class: {e.baselines['largest class']:.3g}); check "
        "whether the labels, or the direction of the scores, are reversed."
    )


# On what the measures can tell here ---------------------------------------------------------------------------------------


@finding("Berrar, after Def. 15; QuData, AUC metric", of=SCORED)
def one_answer(e):
    """Where correct probabilities would be on the other side of the threshold; of other scores, and of labels, where the other
    answer would be right more often. Correct probabilities of a rare event are all below 0.5, which is no fault."""
    return ONE_ANSWER[e.task](e)


def _one_of_two(e):
    answer = "negative" if not e.counts.tp + e.counts.fp else "positive" if not e.counts.fn + e.counts.tn else None
    if answer is None or not e.both_classes:
        return None
    limit = _probability_at_threshold(e)
    share, way = (above(e, "prevalence", limit), "above") if answer == "negative" else (below(e, "prevalence", limit), "below")
    if share is None:
        return None
    at = "" if e.ranking is None else f" at the threshold {exact(e.threshold.value)}"
    fault = "the probabilities cannot be correct" if e.ranking and e.probabilities else "the other answer is right more often"
    remedy = "" if e.ranking is None else "; tallymark.choose_threshold finds another threshold"
    return f"Every case is predicted {answer}{at}, while prevalence is {written(share)}, {way} {limit:.3g}: {fault}{remedy}."


def _probability_at_threshold(e):
    """Of probabilities the one at the threshold; 0.5 of other scores, and of labels."""
    if e.ranking is None or not e.probabilities:
        return 0.5
    return (1 + tanh(e.threshold.value / 2)) / 2 if e.score_kind == "logit" else e.threshold.value


def _one_of_many(e):
    """Of many classes, where another one than that predicted has more cases, by more than CLEARLY standard errors."""
    sizes, answer = e.matrix.weights.sum(1), _only_answer(e)
    if answer is None:
        return None
    predicted, largest = float(sizes[e.matrix.weights.sum(0).argmax()]), float(sizes.max())
    cases = 1.0 if e.data.effective_rows is None else e.data.effective_rows / float(sizes.sum())
    if e.clusters or not (largest - predicted) * sqrt(cases) > CLEARLY * sqrt(largest + predicted):
        return None
    return (
        f"Every case is predicted {answer}, while {some_of([e.matrix.labels[int(sizes.argmax())]])} has more cases "
        f"({largest:,.10g} of {float(sizes.sum()):,.10g}): that answer is right more often."
    )


ONE_ANSWER = {"binary": _one_of_two, "multiclass": _one_of_many}


def _only_answer(e):
    """The only label that is predicted, where several classes occur."""
    if (e.matrix.weights.sum(1) > 0).sum() < 2:
        return None
    given = e.matrix.weights.sum(0)
    return some_of([e.matrix.labels[int(given.argmax())]]) if (given > 0).sum() == 1 else None


SHARES = {"binary": "the share of positives", "multiclass": "the shares of the classes"}


@finding("Berrar, section 3 and Def. 18", of=SCORED)
def worse_than_guessing(e):
    skill = below(e, "brier_skill_score", 0.0) if e.settings.design == "cohort" else None  # it depends on the prevalence
    if skill is None or (e.task == "binary" and min(sizes(e)) < FEW_CASES):
        return None
    return (
        f"brier_skill_score is {written(skill)}, below 0: giving every case {SHARES[e.task]} has a smaller Brier score; "
        "recalibrate the scores on other data before they are used as probabilities."
    )
