"""Rules on more than two classes, and on several labels per case."""

from __future__ import annotations

from ...input.spelling import either, option, series
from ...input.validate import shown
from ...measures.titles import in_sentence
from ..results import ClasswiseEvaluation, MulticlassEvaluation
from .answer import Costs
from .rule import LOSSES, ORDER_OF_CLASSES, Said, rule

PRECISIONS = "mean_average_precision"
TOP_LABEL = "top_label_ece"
OF_ORDER = {
    "ranked_probability_score": (None, "probabilities"),
    "quadratic_weighted_kappa": (None, "decision"),
}


@rule(
    "Flemming, Balanced accuracy and Binary Metrics for Multiclass Classification; Tharwat, section 2.9.2",
    of=ClasswiseEvaluation,
)
def many_classes(e: ClasswiseEvaluation, need: str | None, costs: Costs) -> Said | None:
    """There are more than two classes, or several labels per case."""
    if not e.table_of_classes.total:
        return None
    one_label = isinstance(e, MulticlassEvaluation)
    if need in ("ranking", "early_retrieval", "probabilities"):
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
        " Averaged over the cases (micro), precision, recall and F1 are equal to accuracy."
        if one_label
        else ""
    )
    return (
        (
            f"Look at each class (.classes): the lowest sensitivity is {worst:.3g}, of class {label}. Over "
            f"the classes F1 is {mean:.3g} on average (macro), and {weighed:.3g} with each weighted by its "
            f"size.{alike}"
        ),
        ("balanced_accuracy", "matthews_correlation") if one_label else (),
        (),
    )


@rule(
    "Tharwat, section 4; Berrar, section 4 (after Def. 33); Flemming, Log Loss",
    of=MulticlassEvaluation,
    disagreement=(
        "Tharwat (section 4) describes the sum of areas weighted by class size (weighted ROC AUC) and says"
        " that it changes with the class mix; pairwise ROC AUC does not."
    ),
)
def scores_of_many_classes(e: MulticlassEvaluation, need: str | None, costs: Costs) -> Said | None:
    """There are more than two classes with a score for each, and no decision is the stated need."""
    if e.scores is None or need in ("decision", "early_retrieval"):
        return None
    order = (*ORDER_OF_CLASSES, PRECISIONS) if need in (None, "ranking") else ()
    losses = (*LOSSES, TOP_LABEL) if need in (None, "probabilities") and e.probabilities else ()
    use = tuple(name for name in (*order, *losses) if name in e.estimates)
    if not use:
        return None
    said = ", ".join(f"{in_sentence(name)} {e[name].value:.3g}" for name in use)
    return (
        (
            f"Over all classes: {said}. Each class has its own curve: "
            f"{either('.one_vs_rest(label).curve(...)', 'tallymark curve --class')}. Averages over classes"
            " hide the class that is ranked worst."
        ),
        use,
        (),
    )


@rule("Berrar, section 3 (after Def. 18)", of=MulticlassEvaluation)
def classes_in_order(e: MulticlassEvaluation, need: str | None, costs: Costs) -> Said | None:
    """The labels of more than two classes have an order, as numbers do, or one is stated."""
    known = [name for name, needs in OF_ORDER.items() if need in needs and name in e.estimates]
    if not known or not e.matrix.has_order:
        return None
    said = " and ".join(f"{in_sentence(name)}, {e[name].value:.3g}," for name in known)
    return (
        (
            f"If the order of the classes, {series(map(shown, e.matrix.labels))}, has a meaning, take {said}"
            " where an error between distant classes counts more than one between neighbours; other measures"
            " count both alike."
        ),
        (),
        (),
    )
