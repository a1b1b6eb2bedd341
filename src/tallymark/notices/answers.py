"""On the answers: whether they are better than guessing, and what the measures can tell here."""

from __future__ import annotations

from math import isnan

from ..text import exact
from . import FEW_CASES, USUAL, fact, finding, number_of, some_of
from .evidence import below, sizes, written

RARE = 0.10  # share of the smaller class: nine to one. Source: Berrar, section 6
KNOWN_TO_MOVE = ("accuracy", "f1", "precision", "negative_predictive_value")  # that are read most
CLEAR = 0.20  # a difference that no reader overlooks


@finding()
def auc_below_half(e, terms=USUAL):
    auc = below(e, "roc_auc", 0.5)
    if auc is None:
        return None
    direction, way_out = ("higher", terms.turned) if e.higher_is_positive else ("lower", terms.turned_back)
    return (
        f"roc_auc is {written(auc)}, below 0.5: {terms.label}, and does a {direction} score mean {terms.means} "
        f"(else {way_out})? Nothing was flipped."
    )


@finding()
def class_auc_below_half(e):
    if e.scores is None:
        return None
    low = (label for label, area in e.class_areas.items() if area < 0.5)
    worse = [label for label in low if below(e.one_vs_rest(label), "roc_auc", 0.5)]
    if not worse:
        return None
    order = ", ".join(map(str, e.scores.labels[:6])) + (", ..." if len(e.scores.labels) > 6 else "")
    return (
        f"By its own score roc_auc of {some_of(worse)} is below 0.5: do the columns of scores stand for the classes in this order, "
        f"{order}? Else name the class of each."
    )


@fact()
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


def _two(e):
    return bool(e.counts is not None and e.data.positives and e.data.negatives)


@fact("Berrar, after Def. 15; QuData, AUC metric")
def one_answer(e):
    answer = _only_answer(e)
    if answer is None:
        return None
    if e.ranking is None:
        return f"Every case is predicted {answer}: measures that need other answers, too, are undefined."
    rare = RARELY_LARGE if answer == "negative" and e.threshold.rule == "default" else ""
    return (
        f"Every case is predicted {answer} at the threshold {exact(e.threshold.value)}: measures that need both answers are "
        f"undefined. {rare}Measures that need no threshold judge the scores; tallymark.choose_threshold finds another threshold."
    )


RARELY_LARGE = "Even correct probabilities of a rare event seldom reach 0.5. "


def _only_answer(e):
    """The only label that is predicted, where several classes occur."""
    if _two(e):
        c = e.counts
        return "negative" if not c.tp + c.fp else "positive" if not c.fn + c.tn else None
    if e.matrix is None or e.many is None or (e.matrix.weights.sum(1) > 0).sum() < 2:
        return None
    given = e.matrix.weights.sum(0)
    return some_of([e.matrix.labels[int(given.argmax())]]) if (given > 0).sum() == 1 else None


@fact("Tharwat, sections 2.1 and 2.9.1; Berrar, section 6; Wikipedia, Impact of prevalence on prediction values")
def class_mix(e):
    if not _two(e) or min(e.data.positives, e.data.negatives) > RARE * (e.data.positives + e.data.negatives):
        return None
    equal = {name: value for name, value in e.with_equal_classes.items() if name in KNOWN_TO_MOVE and not isnan(value)}
    name = max(equal, key=lambda name: abs(equal[name] - e.estimates[name].value))
    here = e.estimates[name]
    if not abs(equal[name] - here.value) > CLEAR or not (equal[name] < here.low or equal[name] > here.high):
        return None
    return (
        f"With {number_of(e.data.positives, 'positive')} and {number_of(e.data.negatives, 'negative')} {name} is "
        f"{here.value:.3g}; with classes of equal size it would be {equal[name]:.3g}: tallymark.advise lists the measures that "
        "hold for this mix only."
    )


@finding("Berrar, section 3 and Def. 18")
def worse_than_guessing(e):
    skill = below(e, "brier_skill_score", 0.0) if e.settings.design == "cohort" else None  # it depends on the prevalence
    if skill is None or (e.scores is None and min(sizes(e)) < FEW_CASES):
        return None
    shares = "the share of positives" if e.scores is None else "the shares of the classes"
    return (
        f"brier_skill_score is {written(skill)}, below 0: giving every case {shares} has a smaller Brier score; recalibrate the "
        "scores on other data before they are used as probabilities."
    )
