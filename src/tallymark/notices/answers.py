"""On the answers: whether they are better than guessing, and what the measures can tell here."""

from __future__ import annotations

from math import sqrt, tanh

from . import FEW_CASES, among, fact, finding
from .evidence import CLEARLY, above, below, figures, sizes

FEW_LABELS = 6  # of the order of the classes, that a notice lists


@finding()
def auc_below_half(e):
    auc = below(e, "roc_auc", 0.5)
    return None if auc is None else {**figures(auc), "higher_is_positive": e.higher_is_positive}


@finding()
def class_auc_below_half(e):
    if e.scores is None:
        return None
    low = (label for label, area in e.class_areas.items() if area < 0.5)
    worse = [label for label in low if below(e.one_vs_rest(label), "roc_auc", 0.5)]
    if not worse:
        return None
    return {**among(worse), "order": tuple(e.scores.labels[:FEW_LABELS]), "more": len(e.scores.labels) > FEW_LABELS}


@fact()
def threshold_chosen_here(e):
    if e.threshold is None or not e.threshold.chosen:
        return None
    return {"threshold": e.threshold.value, "rule": e.threshold.rule}


@finding("Berrar, section 6; Flemming, Correct Classification Rate")
def agreement_below_chance(e):
    kappa = below(e, "cohen_kappa", 0.0)
    if kappa is None:
        return None
    return {**figures(kappa), "accuracy": e.estimates["accuracy"].value, "largest_class": e.baselines["largest class"]}


# On what the measures can tell here ---------------------------------------------------------------------------------------


def _two(e):
    return bool(e.counts is not None and e.data.positives and e.data.negatives)


@finding("Berrar, after Def. 15; QuData, AUC metric")
def one_answer(e):
    """Where correct probabilities would be on the other side of the threshold; of other scores, and of labels, where the other
    answer would be right more often. Correct probabilities of a rare event are all below 0.5, which is no fault."""
    answer = _only_answer(e)
    if answer is None:
        return None
    if not _two(e):
        return _of_a_smaller_class(e, answer)
    limit = _probability_at_threshold(e)
    share = (above if answer == "negative" else below)(e, "prevalence", limit)
    if share is None:
        return None
    at = {} if e.ranking is None else {"threshold": e.threshold.value}
    probabilities = e.ranking is not None and e.probabilities
    return {"answer": answer, **at, **figures(share), "limit": limit, "probabilities": probabilities}


def _probability_at_threshold(e):
    """Of probabilities the one at the threshold; 0.5 of other scores, and of labels."""
    if e.ranking is None or not e.probabilities:
        return 0.5
    return (1 + tanh(e.threshold.value / 2)) / 2 if e.score_kind == "logit" else e.threshold.value


def _of_a_smaller_class(e, answer):
    """Of many classes, where another one than that predicted has more cases, by more than CLEARLY standard errors."""
    sizes = e.matrix.weights.sum(1)
    predicted, largest = float(sizes[e.matrix.weights.sum(0).argmax()]), float(sizes.max())
    cases = 1.0 if e.data.effective_rows is None else e.data.effective_rows / float(sizes.sum())
    if e.clusters or not (largest - predicted) * sqrt(cases) > CLEARLY * sqrt(largest + predicted):
        return None
    larger = e.matrix.labels[int(sizes.argmax())]
    return {"answer": answer, "larger": larger, "cases": largest, "total": float(sizes.sum())}


def _only_answer(e):
    """The only label that is predicted, where several classes occur."""
    if _two(e):
        c = e.counts
        return "negative" if not c.tp + c.fp else "positive" if not c.fn + c.tn else None
    if e.matrix is None or e.many is None or (e.matrix.weights.sum(1) > 0).sum() < 2:
        return None
    given = e.matrix.weights.sum(0)
    return e.matrix.labels[int(given.argmax())] if (given > 0).sum() == 1 else None


@finding("Berrar, section 3 and Def. 18")
def worse_than_guessing(e):
    skill = below(e, "brier_skill_score", 0.0) if e.settings.design == "cohort" else None  # it depends on the prevalence
    if skill is None or (e.scores is None and min(sizes(e)) < FEW_CASES):
        return None
    return {**figures(skill), "of_classes": e.scores is not None}
