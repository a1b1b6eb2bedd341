"""What the weights of the cases are taken for."""

from __future__ import annotations

from . import SCORED, fact
from .evidence import without_class_weights


@fact()
def weights_taken_as_counts(e):
    if not e.data.taken_as_counts or e.clusters:
        return None
    return (
        "The weights are whole numbers and are taken as numbers of cases, so that intervals count a case of weight 2 as two; pass "
        "weight_kind='importance' if they are sampling or class weights, weight_kind='count' if they are counts."
    )


@fact(of=SCORED)
def class_weights(e):
    plain = without_class_weights(e) if e.probabilities else None
    if plain is None:
        return None
    return (
        f"The weights are one number for each class and change {MIX[e.task](plain, e)}: measures of probabilities are those of the "
        "weighted cases, for which probabilities of the cases as they come are not calibrated; faults are reported only where they "
        "show with and without the weights."
    )


def _share_of_positives(plain, e):
    shares = [float(one.ranking.prior) for one in (plain, e)]
    return f"the share of positives from {shares[0]:.3g} to {shares[1]:.3g}"


MIX = {"binary": _share_of_positives, "multiclass": lambda plain, e: "the shares of the classes"}
