"""Notices on the predictions: whether they are better than guessing, and what the measures can show."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt, tanh
from typing import TYPE_CHECKING, Any

from ...inference.intervals.area import FEW_CASES
from ...input.data_info import Task
from .evidence import CLEARLY, above, below, figures, sizes
from .rules import BINARY, MULTICLASS, SCORED, Fields, among, fact, finding

if TYPE_CHECKING:
    from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation, ScoredEvaluation

FEW_LABELS = 6  # number of areas, in the order of the classes, that a notice lists


@finding(of=BINARY, severe=True)
def auc_below_half(e: BinaryEvaluation) -> Fields:
    """The interval of roc_auc is below 0.5: check the positive label and the direction of the scores."""
    auc = below(e, "roc_auc", 0.5)
    return None if auc is None else {**figures(auc), "higher_is_positive": e.higher_is_positive}


@finding(of=MULTICLASS, severe=True)
def class_auc_below_half(e: MulticlassEvaluation) -> Fields:
    """With a score per class, the interval of a roc_auc is below 0.5: check the order of the columns."""
    low = (label for label, area in e.class_areas.items() if area < 0.5)
    worse = [label for label in low if below(e.one_vs_rest(label), "roc_auc", 0.5)]
    if not worse or e.scores is None:
        return None
    return {
        **among(worse),
        "order": tuple(e.scores.labels[:FEW_LABELS]),
        "more": len(e.scores.labels) > FEW_LABELS,
    }


@fact(of=BINARY, severe=True)
def threshold_chosen_here(e: BinaryEvaluation) -> Fields:
    """The threshold was chosen on these cases."""
    if e.threshold is None or not e.threshold.chosen:
        return None
    return {"threshold": e.threshold.value, "rule": e.threshold.rule}


@finding("Berrar, section 6; Flemming, Correct Classification Rate", severe=True)
def agreement_below_chance(e: Evaluation) -> Fields:
    """The interval of cohen_kappa is below 0: check whether the labels are reversed."""
    kappa = below(e, "cohen_kappa", 0.0)
    if kappa is None:
        return None
    return {
        **figures(kappa),
        "accuracy": e.estimates["accuracy"].value,
        "largest_class": e.baselines["largest class"],
    }


# On what the measures can show
# ---------------------------------------------------------------------------------------


@finding("Berrar, after Def. 15; QuData, AUC metric", of=SCORED, severe=True)
def one_answer(e: ScoredEvaluation) -> Fields:
    """All predictions are equal, and the interval of prevalence is on the other side of the threshold.

    Correct probabilities would be on both sides. For labels, and for scores that are not probabilities, 0.5
    is used in place of the threshold: the other prediction is correct more often. With three or more classes:
    another class has more cases, by 2.576 standard errors. Correct probabilities of a rare event are all
    below 0.5, which is not a fault.
    """
    return ONE_ANSWER[e.task](e)


def _one_of_two(e: BinaryEvaluation) -> Fields:
    answer = (
        "negative" if not e.counts.tp + e.counts.fp else "positive" if not e.counts.fn + e.counts.tn else None
    )
    if answer is None or not e.both_classes:
        return None
    limit = _probability_at_threshold(e)
    share = (above if answer == "negative" else below)(e, "prevalence", limit)
    if share is None:
        return None
    at = {} if e.ranking is None else {"threshold": e.limit}
    probabilities = e.ranking is not None and e.probabilities
    return {"answer": answer, **at, **figures(share), "limit": limit, "probabilities": probabilities}


def _probability_at_threshold(e: BinaryEvaluation) -> float:
    """The probability at the threshold; 0.5 for other scores, and for labels."""
    limit = e.limit
    if limit is None or not e.probabilities:
        return 0.5
    return (1 + tanh(limit / 2)) / 2 if e.score_kind == "logit" else limit


def _one_of_many(e: MulticlassEvaluation) -> Fields:
    """The fields where all predictions are of one of many classes, and another class is more frequent.

    The difference is more than CLEARLY standard errors.
    """
    sizes, answer = e.matrix.class_sizes, _only_answer(e)
    if answer is None:
        return None
    predicted, largest = float(sizes[e.matrix.weights.sum(0)[: len(sizes)].argmax()]), float(sizes.max())
    cases = 1.0 if e.data.effective_rows is None else e.data.effective_rows / float(sizes.sum())
    if e.clusters or not (largest - predicted) * sqrt(cases) > CLEARLY * sqrt(largest + predicted):
        return None
    larger = e.matrix.labels[int(sizes.argmax())]
    return {"answer": answer, "larger": larger, "cases": largest, "total": float(sizes.sum())}


ONE_ANSWER: dict[Task, Callable[[Any], Fields]] = {"binary": _one_of_two, "multiclass": _one_of_many}


def _only_answer(e: MulticlassEvaluation) -> Any:
    """The only predicted label, where several classes occur."""
    if (e.matrix.class_sizes > 0).sum() < 2:
        return None
    given = e.matrix.weights.sum(0)[: len(e.matrix)]
    return e.matrix.labels[int(given.argmax())] if (given > 0).sum() == 1 else None


@finding("Berrar, section 3 and Def. 18", of=SCORED)
def worse_than_guessing(e: ScoredEvaluation) -> Fields:
    """The interval of brier_skill_score is below 0: predicting the prevalence for all cases is better."""
    # the score of this reference depends on the prevalence
    skill = below(e, "brier_skill_score", 0.0) if e.settings.design == "cohort" else None
    if skill is None or TOO_FEW[e.task](e):
        return None
    return {**figures(skill), "of_classes": e.task == "multiclass"}


TOO_FEW: dict[Task, Callable[[Any], bool]] = {
    "binary": lambda e: min(sizes(e)) < FEW_CASES,
    "multiclass": lambda e: False,
}
