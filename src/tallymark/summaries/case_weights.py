"""The kind of the weights of cases, and their squares where variances need them."""

from __future__ import annotations

import numpy as np

from ..input import columns, weighting
from ..input.options import WeightKind


def squared(weights: np.ndarray | None, weight_kind: WeightKind | None) -> np.ndarray | None:
    """The squares of weights; None where they are not needed: weights that are counts, or all 1."""
    if weights is None or weight_kind == "count" or (weights == 1).all():
        return None
    squares: np.ndarray = np.square(weights)
    return squares


def of_labels(
    weight_kind: WeightKind | None, weight: columns.Column | None, *labels: columns.Column
) -> WeightKind | None:
    """The kind of the weights of labels: as passed, else "count" for the whole weights of a table's cells."""
    if weight_kind is not None or weight is None or weight.weight_kind is not None:
        return weight_kind or (None if weight is None else weight.weight_kind)
    whole = weighting.are_whole(np.asarray(weighting.weights(weight)))
    return "count" if whole and weighting.distinct_cells(labels) else None
