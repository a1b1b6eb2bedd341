"""Notices on how the weights of the cases are understood."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...input.data_info import Task
from .evidence import without_class_weights
from .rules import SCORED, Fields, fact

if TYPE_CHECKING:
    from ..results import BinaryEvaluation, Evaluation, ScoredEvaluation


@fact(severe=True)
def whole_weights(e: Evaluation) -> Fields:
    """Weights that are whole, not all 1, are importance weights, since weight_kind is not passed."""
    return {} if e.data.whole_weights else None


@fact(of=SCORED, severe=True)
def class_weights(e: ScoredEvaluation) -> Fields:
    """Importance weights are one number for each class: findings must hold with and without them."""
    plain = without_class_weights(e) if e.probabilities else None
    if plain is None:
        return None
    return MIX[e.task](plain, e)


def _share_of_positives(plain: BinaryEvaluation, e: BinaryEvaluation) -> Fields:
    assert plain.ranking is not None
    assert e.ranking is not None
    return {"before": float(plain.ranking.prior), "after": float(e.ranking.prior)}


MIX: dict[Task, Callable[[Any, Any], Fields]] = {
    "binary": _share_of_positives,
    "multiclass": lambda plain, e: {},
}
