"""Whether two results are the same bit for bit: of evaluations what they are measured on, and a few
estimates."""

import numpy as np

PARTS = (
    "data", "threshold", "labels", "higher_is_positive", "score_kind", "settings", "parameters", "ranking",
    "counts", "matrix", "scores", "indicators", "residuals",
)  # fmt: skip
FEW = ("roc_auc", "accuracy", "brier_score", "macro_roc_auc", "mean_absolute_error")


def same_evaluation(one, other):
    """What the estimates are made of is equal, and so are a few of them."""
    assert type(one) is type(other)
    assert list(one) == list(other)
    for name in PARTS:
        assert equal(getattr(one, name, None), getattr(other, name, None)), name
    for name in [name for name in FEW if name in one] or list(one):
        assert one[name] == other[name], name


def equal(one, other):
    """Arrays are equal where all their values are."""
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
