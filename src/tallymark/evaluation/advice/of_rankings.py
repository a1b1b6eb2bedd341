"""Rules on rankings: areas, comparisons of curves, rare positives, the top of the ranking."""

from __future__ import annotations

from functools import singledispatch

from ...measures.titles import title
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation
from .answer import Costs
from .rule import ACCURACY, ORDER, ORDER_OF_CLASSES, Said, rule, without_scores

LARGEST_GAP = "kolmogorov_smirnov"
TOP = (
    "average_precision",
    "precision_at_k",
    "recall_at_k",
    "enrichment_factor",
    "bedroc",
    "partial_auc_standardised",
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
            "Each class ranks the cases by its own score: macro ROC AUC averages the area over the classes,"
            " and pairwise ROC AUC over all pairs of classes, which does not depend on the class mix."
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
            "ROC AUC is the share of pairs of a positive and a negative that the scores rank correctly, "
            f"{e['roc_auc'].value:.3g} here. A measure at one threshold depends on one cut through this "
            "ranking. Curves that cross may have the same area, so look at curve('roc') as well."
        ),
        ("roc_auc",),
        ACCURACY,
    )


@rule(
    "Tharwat, section 3 (last paragraph) and section 4; Flemming, Definition of AUC",
    disagreement=(
        "Tharwat (section 3) requires data sets of the same class ratio although ROC curves do not change"
        " with it, and holds that scores of different ranges cannot be compared; only ranks count (Flemming)."
    ),
)
def comparable_curves(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """A ranking is needed."""
    if need != "ranking":
        return None
    return (
        (
            "ROC curves of several classifiers can be compared on the same cases, or on data sets of the same"
            " size and class ratio. Scores may have different ranges. A classifier with the smaller area can"
            " be better in a part of the curve: compare(..., method='delong') tests the areas, plot('roc') of"
            " several models marks where they cross."
        ),
        (),
        (),
    )


@rule(
    "Berrar, section 4 (after Def. 30) and Def. 31",
    of=BinaryEvaluation,
    disagreement=(
        "Berrar does not say this of the largest Youden index (Def. 8), which is the same distance where"
        " sensitivity is the larger rate."
    ),
)
def largest_distance_is_noisy(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A ranking is needed, and there are scores of both classes."""
    if need != "ranking" or e.ranking is None or not e.both_classes:
        return None
    return (
        (
            f"{title(LARGEST_GAP)}, {e[LARGEST_GAP].value:.3g} here, is one distance of two curves and"
            f" sensitive to noise; it is not recommended for evaluation and comparison. Truncated average KS,"
            f" {e['truncated_average_ks'].value:.3g}, averages all distances."
        ),
        ("truncated_average_ks",),
        (LARGEST_GAP,),
    )


@rule(
    "Berrar, section 6 and Def. 32; Tharwat, section 5",
    of=BinaryEvaluation,
    disagreement=(
        "Berrar (section 6) prefers precision-recall curves for imbalanced classes, Tharwat (section 5) warns"
        " that they change with the class mix, as ROC curves do not."
    ),
)
def fewer_positives(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """A ranking is needed, and positives are the smaller class."""
    if (
        need not in (None, "ranking")
        or e.ranking is None
        or not e.both_classes
        or e.ranking.positives >= e.ranking.negatives
    ):
        return None
    t = e.ranking
    return (
        (
            f"Positives are the smaller class: {t.positives:,.10g} of {t.total:,.10g}. Average precision, "
            f"{e['average_precision'].value:.3g} where a random ranking has {t.positives / t.total:.3g}, and "
            "curve('pr') show the top of the ranking, where positives should be; ROC AUC, "
            f"{e['roc_auc'].value:.3g}, weights the rest of the ranking as much. Compare average precision "
            "within one class mix. The rarer positives are, the more the two differ."
        ),
        ("average_precision",),
        (),
    )


@rule(
    "Berrar, section 6 (early retrieval problem); partial areas: McClish (1989); bedroc: Truchon and Bayly"
    " (2007)",
    disagreement=(
        "Tharwat (section 5) warns that precision-recall curves change with the class mix: precision and"
        " enrichment at the top are values of one class mix."
    ),
)
def early_retrieval(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """Only the highest scores are used."""
    return _top(e) if need == "early_retrieval" else None


@singledispatch
def _top(e: Evaluation) -> Said:
    what = "one class against the rest" if isinstance(e, MulticlassEvaluation) else without_scores(e)
    return f"The top of a ranking is measured on the scores of two classes: {what}.", TOP, ACCURACY


@_top.register
def _(e: BinaryEvaluation) -> Said:
    if e.ranking is None or not e.both_classes:
        return _no_order(
            f"here are {without_scores(e)}" if e.ranking is None else "these cases are of one class"
        )
    t = e.ranking
    return (
        (
            f"Average precision, {e['average_precision'].value:.3g} where a random ranking has"
            f" {t.positives / t.total:.3g}, and curve('pr') emphasise the top of the ranking; precision at k,"
            " recall at k and enrichment factor count the highest scores only, where k is the number of cases"
            " that can be followed up; the standardised partial AUC is the area at low false positive rates."
            f" ROC AUC, {e['roc_auc'].value:.3g}, also reflects the rest of the ranking."
        ),
        TOP,
        ("roc_auc", *ACCURACY),
    )
