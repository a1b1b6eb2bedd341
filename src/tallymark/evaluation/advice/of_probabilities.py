"""Rules on predicted probabilities."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from ... import kernels
from ...input.spelling import either
from ...measures.titles import several
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation
from .answer import Costs
from .rule import ACCURACY, CALIBRATION, LOSSES, ORDER_OF_CLASSES, Said, no_probabilities, rule, value

NINE_TENTHS = 0.9  # Berrar, section 6: nine to one is highly imbalanced
FOR_IMBALANCE = ("balanced_cross_entropy", "focal_loss", "relative_information_score")


@rule(
    "Van Calster and others (2025); Berrar, sections 3 and 6; Flemming, Log Loss and From Scores to"
    " Probabilities",
    disagreement=(
        "Berrar (section 6) and Flemming measure probabilities by losses only, and the area under the ROC"
        " curve for a ranking; Van Calster and others (2025) ask for the area, the calibration and the net"
        " benefit together: a loss does not show whether ranking or calibration is at fault."
    ),
)
def probabilities_needed(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """Probabilities are needed."""
    if need != "probabilities":
        return None
    if e.probabilities:
        return _of_probabilities(e)
    return f"Probabilities from 0 to 1 are needed, and {no_probabilities(e)}.", LOSSES, ()


@singledispatch
def _of_probabilities(e: Evaluation) -> Said | None:
    return None


@_of_probabilities.register
def _(e: MulticlassEvaluation) -> Said:
    return (
        (
            f"The Brier score is {e['brier_score'].value:.3g} and log loss {e['log_loss'].value:.3g}, over"
            " all classes; Brier skill score and log loss skill score compare them with predicting the class"
            f" shares for each case. {several(ORDER_OF_CLASSES)} show the ranking next to them; accuracy"
            " depends on the highest probability of each case only."
        ),
        (*LOSSES, *ORDER_OF_CLASSES),
        ACCURACY,
    )


@_of_probabilities.register
def _(e: BinaryEvaluation) -> Said:
    t = e.ranking
    assert t is not None  # the scores are probabilities
    share, mean = t.positives / t.total, kernels.dot(t.score, t.positive + t.negative) / t.total
    slope, large = (e[name] for name in CALIBRATION)
    curve = either("curve('decision')", "tallymark curve decision")
    reliability = either("tallymark.calibration", "tallymark calibration")
    calibrated = (
        f" Calibration slope is {slope.value:.3g} and calibration in the large {large.value:.3g}; 1 and 0 are"
        " those of calibrated probabilities."
        if not (slope.undefined or large.undefined)
        else ""
    )
    return (
        (
            f"The prevalence is {share:.3g}, the mean probability {mean:.3g}: they should agree, over all"
            f" cases and among cases with similar scores (the curve of {reliability}).{calibrated}"
            f" Log loss, {e['log_loss'].value:.3g}, and the Brier score,"
            f" {e['brier_score'].value:.3g}, are proper; the Brier score of predicting the prevalence for"
            f" each case is {share * (1 - share):.3g}. Net benefit shows what decisions are worth, by"
            f" threshold in {curve}; ROC AUC the ranking next to them."
            " Average precision depends on the ranking and the class mix, accuracy on one threshold."
        ),
        (*CALIBRATION, *LOSSES[::-1], "net_benefit", "roc_auc"),
        ("average_precision", *ACCURACY),
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
            f"{cases * loss / total:.0%} of log loss comes from the {larger}, {cases / t.total:.0%} of the "
            f"cases. A positive loses {positives:.3g} and a negative {negatives:.3g} on average: report it by"
            " class."
        ),
        (),
        (),
    )


@rule(
    "Berrar, section 1 (proper scoring rules) and Defs. 21 to 23; Van Calster and others (2025)",
    of=BinaryEvaluation,
    disagreement=(
        "Berrar (section 6) recommends the three for imbalanced classes, and (section 1) proper scoring"
        " rules; Van Calster and others (2025) advise against improper measures."
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
            f"Balanced cross entropy, {balanced:.3g}, focal loss, {focal:.3g}, and"
            f" relative information score, {information:.3g}, are made for imbalanced classes and are"
            " not proper (tallymark.is_proper): probabilities that are too high or too"
            " extreme can score better than the true ones. Use them only to compare with a training loss."
        ),
        (),
        FOR_IMBALANCE,
    )
