"""Rules on what is given: one class only, known costs, scores without a stated need."""

from __future__ import annotations

from functools import singledispatch

from ...measures.titles import several
from ..results import BinaryEvaluation, Evaluation
from .answer import Costs
from .mix import implied
from .rule import ACCURACY, CALIBRATION, LOSSES, Said, rule, same_whatever_is_predicted


@rule("Berrar, Defs. 3, 4 and 27", of=BinaryEvaluation)
def one_class(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """There are no positives, or no negatives."""
    if e.both_classes:
        return None
    if not e.counts.total:
        return "There are no cases, so that every measure is undefined.", (), ()
    positive = bool(e.counts.positives)
    use = ("sensitivity", "false_negative_rate") if positive else ("specificity", "false_positive_rate")
    same = same_whatever_is_predicted(positive)
    return (
        (
            f"There are {'positives' if positive else 'negatives'} only: {several(use)} are meaningful, and"
            f" no measure that compares the classes; {several(same)} are the same whatever is predicted. Add "
            "cases of the other class."
        ),
        use,
        same,
    )


@rule(
    "Berrar, section 1; Tharwat, section 2.2; Flemming, Choosing a Threshold; net benefit: Vickers and Elkin"
    " (2006)"
)
def costs_known(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """The costs of both kinds of error are given."""
    return None if costs is None else _at_costs(e, *costs)


@singledispatch
def _at_costs(e: Evaluation, fp: float, fn: float) -> Said | None:
    return (
        "Two costs apply to two classes: evaluate one class against the rest, with its costs.",
        ("expected_cost",),
        (),
    )


@_at_costs.register
def _(e: BinaryEvaluation, fp: float, fn: float) -> Said | None:
    if not e.counts.total:
        return None
    total = e.counts.total
    constant, answer = min(
        (fn * e.counts.positives / total, "negative"), (fp * e.counts.negatives / total, "positive")
    )
    cut = implied(e, fp, fn)
    at = f" at {e.limit:.3g}" if e.limit is not None else ""
    elsewhere = ""
    if cut is not None and e.limit != cut:
        there = e.at(cut)
        elsewhere = (
            f"; at {float(cut):.3g} it would be {there['expected_cost'].value:.3g}, and the net benefit"
            f" {there['net_benefit'].value:.3g}"
        )
    why = (
        f" With calibrated probabilities the best threshold is cost_fp / (cost_fp + cost_fn) ="
        f" {fp / (fp + fn):.3g}{elsewhere}."
        if e.probabilities
        else ""
    )
    return (
        (
            f"A false positive costs {fp:g} and a false negative {fn:g}: the expected cost{at} is"
            f" {e['expected_cost'].value:.3g} per case, and always predicting {answer} would cost"
            f" {constant:.3g}.{why}{' Accuracy weights both errors equally.' if fp != fn else ''}"
        ),
        ("expected_cost", "net_benefit") if fn else ("expected_cost",),
        ACCURACY if fp != fn else (),
    )


@rule("Berrar, section 6; Tharwat, section 1", of=BinaryEvaluation)
def scores_say_more(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """There are scores, and no special need is stated."""
    if need is not None or e.ranking is None or not e.both_classes:
        return None
    calibrated = (
        f" {several(CALIBRATION)} show whether the probabilities are right." if e.probabilities else ""
    )
    use = ("roc_auc", *(LOSSES if e.probabilities else ()))
    return (
        (
            f"There are scores, and {several(use)} judge{'s' * (len(use) == 1)} all of them: classifiers that"
            f" agree at one threshold can still be distinguished.{calibrated} The curves, as curve('roc') and"
            " curve('pr'), show more than any number."
        ),
        (*use, *(CALIBRATION if e.probabilities else ())),
        (),
    )
