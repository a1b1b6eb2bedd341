"""Rules on predicted probabilities."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from ... import kernels
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation
from .answer import Costs
from .rule import ACCURACY, LOSSES, ORDER, ORDER_OF_CLASSES, Said, listed, no_probabilities, rule, value

NINE_TENTHS = 0.9  # Berrar, section 6: nine to one is highly imbalanced
FOR_IMBALANCE = ("balanced_cross_entropy", "focal_loss", "relative_information_score")


@rule("Berrar, sections 3 and 6; Flemming, Log Loss and From Scores to Probabilities")
def probabilities_needed(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """Probabilities are needed."""
    if need != "probabilities":
        return None
    if e.probabilities:
        return _losses(e)
    of_classes = isinstance(e, MulticlassEvaluation) and e.scores is not None
    order = ORDER_OF_CLASSES if of_classes else ORDER
    return f"Probabilities from 0 to 1 are needed, and {no_probabilities(e)}.", LOSSES, order


@singledispatch
def _losses(e: Evaluation) -> Said | None:
    return None


@_losses.register
def _(e: MulticlassEvaluation) -> Said:
    return (
        (
            f"brier_score is {e['brier_score'].value:.3g} and log_loss {e['log_loss'].value:.3g}, over all"
            " classes; brier_skill_score and log_loss_skill_score compare them with predicting the class"
            f" shares for each case. {listed(ORDER_OF_CLASSES)} depend on the ranking only, and accuracy on"
            " the highest probability of each case."
        ),
        LOSSES,
        (*ORDER_OF_CLASSES, *ACCURACY),
    )


@_losses.register
def _(e: BinaryEvaluation) -> Said:
    t = e.ranking
    assert t is not None  # the scores are probabilities
    share, mean = t.positives / t.total, kernels.dot(t.score, t.positive + t.negative) / t.total
    return (
        (
            f"brier_score is {e['brier_score'].value:.3g}, and {share * (1 - share):.3g} if the prevalence is"
            f" predicted for each case. The prevalence is {share:.3g}, the mean probability {mean:.3g}: they "
            "should agree, over all cases and among cases with similar scores. roc_auc and average_precision"
            " depend on the ranking only, and accuracy on one threshold."
        ),
        LOSSES,
        (*ORDER, *ACCURACY),
    )


@rule("Berrar, section 3 (after Def. 20) and section 6", of=BinaryEvaluation)
def loss_of_the_larger_class(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """Probabilities are needed, and the larger class makes up most of log_loss.

    That class has nine tenths of the cases or more.
    """
    t, given = e.ranking, e.parameters.get("log_loss", {})
    if need != "probabilities" or not e.probabilities or t is None or not e.both_classes:
        return None
    none = np.zeros_like(t.positive)
    positives = value("log_loss", t.of(t.score, t.positive, none), **given)
    negatives = value("log_loss", t.of(t.score, none, t.negative), **given)
    larger, cases, loss = max(
        ("positives", t.positives, positives), ("negatives", t.negatives, negatives), key=lambda one: one[1]
    )
    total = t.total * e["log_loss"].value
    if cases < NINE_TENTHS * t.total or cases * loss <= total / 2:
        return None
    return (
        (
            f"{cases * loss / total:.0%} of log_loss comes from the {larger}, {cases / t.total:.0%} of the "
            f"cases. A positive loses {positives:.3g} and a negative {negatives:.3g} on average: report it by"
            " class."
        ),
        (),
        (),
    )


@rule(
    "Berrar, section 6 and Defs. 21 to 23",
    of=BinaryEvaluation,
    disagreement=(
        "Berrar (section 1) also asks for proper scoring rules, and none of the three is one"
        " (tallymark.is_proper): reporting the true probability does not optimise them. brier_score and"
        " log_loss are strictly proper."
    ),
)
def losses_for_imbalance(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """Probabilities are needed, and one class is larger."""
    t = e.ranking
    if need != "probabilities" or not e.probabilities or t is None or not e.both_classes:
        return None
    if t.positives == t.negatives:
        return None
    balanced, focal, information = (e[name].value for name in FOR_IMBALANCE)
    return (
        (
            f"balanced_cross_entropy, {balanced:.3g}, weights both classes equally; focal_loss, {focal:.3g},"
            " gives less weight to cases that are easy to classify; relative_information_score,"
            f" {information:.3g}, compares with the class proportions, so that a large majority class alone"
            " gives nothing."
        ),
        FOR_IMBALANCE,
        (),
    )
