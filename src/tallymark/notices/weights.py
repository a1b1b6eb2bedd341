"""What the weights of the cases are taken for."""

from __future__ import annotations

from . import fact


@fact()
def weights_taken_as_counts(e):
    if not e.data.taken_as_counts or e.clusters:
        return None
    return (
        "The weights are whole numbers and are taken as numbers of cases, so that intervals count a case of weight 2 as two; pass "
        "weight_kind='importance' if they are sampling or class weights, weight_kind='count' if they are counts."
    )
