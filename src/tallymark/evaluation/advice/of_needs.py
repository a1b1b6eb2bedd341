"""Rules on what is needed: decisions, a ranking or probabilities.

For two classes or many, with known or unknown costs.
"""

from __future__ import annotations

from functools import singledispatch

from ... import kernels
from ...input.spelling import either, option
from ...input.validate import shown
from ..notices import number_of
from ..results import BinaryEvaluation, ClasswiseEvaluation, Evaluation, MulticlassEvaluation
from .answer import Costs
from .rule import (
    ACCURACY,
    DECIDING,
    Said,
    listed,
    no_probabilities,
    rule,
    same_whatever_is_predicted,
    without_scores,
)

LOSSES = ("brier_score", "log_loss")
ORDER = ("roc_auc", "average_precision")
ORDER_OF_CLASSES = ("macro_roc_auc", "pairwise_roc_auc")


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
            f"There are {'positives' if positive else 'negatives'} only: {listed(use)} are meaningful, and no"
            f" measure that compares the classes; {listed(same)} are the same whatever is predicted. Add "
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
    cut = (
        " With calibrated probabilities the best threshold is cost_fp / (cost_fp + cost_fn) = "
        f"{fp / (fp + fn):.3g}."
        if e.probabilities
        else ""
    )
    return (
        (
            f"A false positive costs {fp:g} and a false negative {fn:g}: expected_cost is"
            f" {e['expected_cost'].value:.3g} per case, and always predicting {answer} would cost"
            f" {constant:.3g}.{cut}{' Accuracy weights both errors equally.' if fp != fn else ''}"
        ),
        ("expected_cost", "net_benefit") if fn else ("expected_cost",),
        ACCURACY if fp != fn else (),
    )


@rule("Berrar, sections 4 and 6; Tharwat, section 4; Flemming, Choosing a Threshold")
def order_needed(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """A ranking is needed."""
    return _order(e) if need == "ranking" else None


@singledispatch
def _order(e: Evaluation) -> Said:
    return _no_order(f"here are {without_scores(e)}")


def _no_order(why: str) -> Said:
    return f"A ranking is measured on the scores of two classes, and {why}.", ORDER, ACCURACY


@_order.register
def _(e: MulticlassEvaluation) -> Said:
    if e.scores is None:
        return _no_order(f"here are {without_scores(e)}")
    return (
        (
            "Each class ranks the cases by its own score: macro_roc_auc averages the area over the classes,"
            " and pairwise_roc_auc over all pairs of classes, which does not depend on the class mix."
            " Accuracy depends on the highest score of each case only."
        ),
        ORDER_OF_CLASSES,
        ACCURACY,
    )


@_order.register
def _(e: BinaryEvaluation) -> Said:
    if e.ranking is None or not e.both_classes:
        return _no_order(
            f"here are {without_scores(e)}" if e.ranking is None else "these cases are of one class"
        )
    return (
        (
            "roc_auc is the share of pairs of a positive and a negative that the scores rank correctly, "
            f"{e['roc_auc'].value:.3g} here. A measure at one threshold depends on one cut through this "
            "ranking. Curves that cross may have the same area, so look at curve('roc') as well."
        ),
        ("roc_auc",),
        ACCURACY,
    )


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


@rule("Flemming, Choosing a Threshold; QuData, ROC", of=BinaryEvaluation)
def order_is_no_decision(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision is needed, and there are scores."""
    if need != "decision" or e.ranking is None or e.threshold is None:
        return None
    sign = ">=" if e.higher_is_positive else "<="
    return (
        (
            f"The decision is score {sign} {e.limit:.4g} (threshold: {e.threshold.rule}). roc_auc and "
            "average_precision measure the ranking over all thresholds: they show neither how good this "
            "threshold is nor which would be better."
        ),
        (),
        ORDER,
    )


@rule("Tharwat, sections 2.2 and 2.7; Flemming, Choosing a Threshold", of=BinaryEvaluation)
def both_kinds_of_error(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A decision between two classes is needed, and the costs of errors are not known."""
    if need not in DECIDING or costs or not e.both_classes:
        return None
    c = e.counts
    return (
        (
            f"{number_of(c.fn, 'positive')} of {c.positives:,.10g} and {number_of(c.fp, 'negative')} of "
            f"{c.negatives:,.10g} are predicted incorrectly. Report both rates: one number does not show "
            "which error is made (0.7 and 0.8 have the youden_j of 0.9 and 0.6). Where you know what each "
            f"error costs, pass {option('cost_fp')} and {option('cost_fn')}."
        ),
        ("sensitivity", "specificity"),
        (),
    )


@rule("Berrar, section 6; Tharwat, section 1", of=BinaryEvaluation)
def scores_say_more(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """There are scores, and no special need is stated."""
    if need is not None or e.ranking is None or not e.both_classes:
        return None
    use = ("roc_auc", *(LOSSES if e.probabilities else ()))
    return (
        (
            f"There are scores, and {listed(use)} judge{'s' * (len(use) == 1)} all of them: classifiers that"
            " agree at one threshold can still be distinguished. The curves, as curve('roc') and"
            " curve('pr'), show more than any number."
        ),
        use,
        (),
    )


@rule(
    "Flemming, Balanced accuracy and Binary Metrics for Multiclass Classification; Tharwat, section 2.9.2",
    of=ClasswiseEvaluation,
)
def many_classes(e: ClasswiseEvaluation, need: str | None, costs: Costs) -> Said | None:
    """There are more than two classes, or several labels per case."""
    if not e.table_of_classes.total:
        return None
    one_label = isinstance(e, MulticlassEvaluation)
    if need in ("ranking", "probabilities"):
        if isinstance(e, MulticlassEvaluation) and e.scores is not None:
            return (
                (
                    "To see one class against the others, take"
                    f" {either('.one_vs_rest(label)', 'tallymark curve --class')}."
                ),
                (),
                (),
            )
        what = "class against the rest" if one_label else "label at a time"
        return f"Scores are for two classes: evaluate one {what}, with {option('score')}.", (), ()
    found = zip(e.many.each("sensitivity"), e.table_of_classes.labels, strict=True)
    each = [(one.value, shown(label)) for one, label in found if not one.undefined]
    if not each:
        return None
    worst, label = min(each)
    mean, weighed = (e.averages[kind]["f1"].value for kind in ("macro", "weighted"))
    alike = (
        " Averaged over the cases (micro), precision, recall and f1 are equal to accuracy."
        if one_label
        else ""
    )
    return (
        (
            f"Look at each class (.classes): the lowest sensitivity is {worst:.3g}, of class {label}. Over "
            f"the classes f1 is {mean:.3g} on average (macro), and {weighed:.3g} with each weighted by its "
            f"size.{alike}"
        ),
        ("balanced_accuracy", "matthews_correlation") if one_label else (),
        (),
    )
