"""Rules on the uncertainty of the values, and on how to report them."""

from __future__ import annotations

from ...input.spelling import option, series
from ..results import BinaryEvaluation, ClasswiseEvaluation, Evaluation
from .answer import Costs
from .mix import answered, decided, rows
from .rule import SHOWN, Said, classes, rule

WALD = 5  # Berrar, Def. 36: there must be more cases than this


@rule("Berrar, Defs. 36 and 37")
def few_cases(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """In some class five cases or fewer are predicted correctly, or five or fewer incorrectly."""
    table = answered(e)
    if table is None:
        return None
    scale = e.data.effective_rows / rows(table).sum() if e.data.effective_rows else 1.0
    each = [(name, scale * size, scale * right) for name, size, right in classes(e)]
    few = [
        f"{right:.4g} of {size:.4g} ({name})"
        for name, size, right in each
        if min(right, size - right) <= WALD
    ]
    if not few:
        return None
    return (
        (
            "Predicted right are "
            f"{series(few[:SHOWN])}"
            f"{f', as in {len(few) - SHOWN} more classes' * (len(few) > SHOWN)}."
            f" Wald's interval needs more than {WALD} cases right and more than {WALD} wrong, so it is not "
            "valid here: report every value with the interval that is shown here, or an exact one "
            f"({option('proportion', 'clopper-pearson')})."
        ),
        (),
        (),
    )


@rule("Wikipedia, introduction; Berrar, section 1; Flemming, Precision and Recall", of=BinaryEvaluation)
def custom_of_the_field(e: BinaryEvaluation, need: str | None, costs: Costs) -> Said | None:
    """There are two classes, and no special need is stated."""
    if need is not None or not e.both_classes:
        return None
    return (
        (
            "In medicine sensitivity and specificity are reported, in computer science precision and recall, "
            "which is another name of sensitivity. The first two depend on the classifier only, precision "
            "also on the class mix: report the class mix with it."
        ),
        ("sensitivity",),
        (),
    )


@rule("Berrar, section 6")
def several_measures(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """No special need is stated."""
    if need is not None or (decided(e) is None and not isinstance(e, ClasswiseEvaluation)):
        return None
    return (
        (
            "No single measure answers every question. State what the classifier is for "
            f"({option('need', 'decision')}, 'ranking' or 'probabilities') to see "
            "which measures matter; if that is open, report several, with their intervals."
        ),
        (),
        (),
    )


@rule("Berrar, section 6 (last paragraph)")
def same_measure_in_training(e: Evaluation, need: str | None, costs: Costs) -> Said | None:
    """A need is stated."""
    if need is None:
        return None
    return (
        (
            "Choose the model by the measure that it is reported by: one trained for another measure is not"
            " expected to be good at this one."
        ),
        (),
        (),
    )
