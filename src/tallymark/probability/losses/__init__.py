"""Losses for training, with gradients, for arrays of NumPy, PyTorch, JAX and other libraries.

    from tallymark import losses

    losses.focal(truth=y, score=model(x)).backward()

Parameters that all of them share
---------------------------------
truth : array
    0 or 1 per case; for `squared`, `absolute` and `huber` any number.
score, predicted : array
    score is a real number per case, higher for positives, 0 at the boundary (the logit); predicted a number
    on the scale of truth. They have the shape of truth, with at least one case.
weight : array, optional
    A number >= 0 per case; 2 is the case twice.
reduction : {"mean", "sum", "none"}
    The mean over the weights, the sum, or the loss of each case times its weight.
check : bool, default True
    Whether values are checked: labels, probabilities and weights. A check waits for the accelerator at each
    call, and a compiler cannot trace it. With check=False nothing depends on values, so that
    torch.compile(fullgraph=True) works; labels other than 0 and 1 (-1 and 1 for `hinge`), or negative
    weights, give meaningless losses.

Returns
-------
array
    Of the library, the type and the device of the score (of predicted, of anchor): float32 stays float32,
    integers become the library's usual floats, lists become NumPy's float64. Other arguments may be lists or
    NumPy arrays, too.

Raises
------
InputError
    For shapes that differ, no cases, parameters out of range, and, unless check=False, truth that is not 0 or
    1 and weights that are negative or all 0. Where values are not known (under jax.jit, in torch.func.vmap)
    they are not checked. Scores are never checked: NaN gives NaN.
"""

from __future__ import annotations

from .of_embeddings import triplet
from .of_numbers import absolute, huber, squared
from .of_scores import auc, balanced_cross_entropy, cross_entropy, focal, hinge

__all__ = [
    "absolute",
    "auc",
    "balanced_cross_entropy",
    "cross_entropy",
    "focal",
    "hinge",
    "huber",
    "squared",
    "triplet",
]
