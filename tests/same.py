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


def same_plain(one, other):
    """Plain values are equal, and numbers but for the rounding of sums, which some fingerprints are of."""
    if isinstance(one, dict):
        rounded = {"sha256"} if one.get("weight_kind") == "importance" else set()
        names = one.keys() - rounded
        return one.keys() == other.keys() and all(same_plain(one[name], other[name]) for name in names)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same_plain, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return np.isclose(one, other, rtol=4e-11, atol=1e-15, equal_nan=True)  # through numerical slopes
    return one == other
