"""The kind of the weights of cases, and their squares where variances need them."""

from __future__ import annotations

import numpy as np

from ..input import columns, weighting
from ..input.options import WeightKind


def squared(weights: np.ndarray | None, weight_kind: WeightKind | None) -> np.ndarray | None:
    """The squares of weights; None where they are not needed: weights that are counts, or all 1.

    If the kind is not given, they are needed also where these weights are whole, since those of another batch
    may not be. Raises InputError for "count" where a weight is not whole.
    """
    if weights is None or weight_kind == "count" or (weights == 1).all():
        return None
    squares: np.ndarray = np.square(weights)
    return squares


def settled(weight_kind: WeightKind | None, weight: columns.Column | None) -> WeightKind | None:
    """The kind of the weights of all cases: as given, or "count" where all are whole."""
    if weight_kind is not None or weight is None or weight.weight_kind is not None:
        return weight_kind or (None if weight is None else weight.weight_kind)
    return "count" if weighting.are_whole(np.asarray(weighting.weights(weight))) else "importance"
