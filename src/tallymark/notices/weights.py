"""What the weights of the cases are taken for."""

from __future__ import annotations

from . import SCORED, fact
from .evidence import without_class_weights


@fact()
def weights_taken_as_counts(e):
    if not e.data.taken_as_counts or e.clusters:
        return None
    return {}


@fact(of=SCORED)
def class_weights(e):
    plain = without_class_weights(e) if e.probabilities else None
    if plain is None:
        return None
    return MIX[e.task](plain, e)


def _share_of_positives(plain, e):
    return {"before": float(plain.ranking.prior), "after": float(e.ranking.prior)}


MIX = {"binary": _share_of_positives, "multiclass": lambda plain, e: {}}
