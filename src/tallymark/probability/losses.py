"""Losses to train with. One formula each for arrays of NumPy, PyTorch, JAX and other libraries; gradients flow through it.

    from tallymark import losses

    losses.focal(truth=y, score=model(x)).backward()

Parameters that all of them share
---------------------------------
truth : array
    0 or 1 per case; for `squared`, `absolute` and `huber` any number.
score, predicted : array
    score is a real number per case, higher for positives, 0 at the boundary (the logit); predicted a number on the scale of truth.
    They have the shape of truth, whatever it is, with at least one case.
weight : array, optional
    A number from 0 on per case; 2 is the case twice.
reduction : {"mean", "sum", "none"}
    The mean over the weights, the sum, or the loss of each case times its weight.
check : bool, default True
    Whether values are checked: labels, probabilities and weights. To look at values an accelerator must be waited for at each call,
    and a compiler cannot trace it: with check=False nothing depends on values, so that torch.compile(fullgraph=True) works, and
    labels other than 0 and 1 (-1 and 1 for `hinge`), or negative weights, give meaningless losses.

Returns
-------
array
    Of the library, the type and the device of the score (of predicted, of anchor): float32 stays float32, integers become the
    library's usual floats, lists become NumPy's float64. Other arguments may be lists or NumPy arrays, too.

Raises
------
InputError
    For shapes that differ, no cases, parameters out of range, and, unless check=False, truth that is not 0 or 1 and weights that
    are negative or all 0. Where no value is known (under jax.jit, in torch.func.vmap) values pass unchecked. Scores always do: NaN
    gives NaN.
"""

from __future__ import annotations

from math import inf
from typing import Any, Literal

from ..input import validate
from ..input.calls import public
from .loss_input import cases_of, embeddings, labelled, measured, weight_of_positives

Reduction = Literal["mean", "sum", "none"]

__all__ = ["absolute", "auc", "balanced_cross_entropy", "cross_entropy", "focal", "hinge", "huber", "squared", "triplet"]

# Of a label and a score -----------------------------------------------------------------------------------------------


@public()
def hinge(*, truth: Any, score: Any, weight: Any = None, reduction: Reduction = "mean", check: bool = True) -> Any:
    """How far a case is from lying beyond the margin, on its own side of the boundary.

    max(0, 1 - score) for positives, max(0, 1 + score) for negatives; from 0 on

    Parameters
    ----------
    truth : array
        0 and 1, or -1 and 1, as the source document has them: 1 is positive, the other negative. -1 and 0 together are refused.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: Berrar, Def. 35.
    """
    xp, y, score, cases = labelled(truth, score, weight, reduction, check, signs=True)
    return cases.reduced(_above_zero(xp, 1 - _signed(y, score)))


@public()
def cross_entropy(
    *, truth: Any, score: Any, weight: Any = None, reduction: Reduction = "mean", probabilities: bool = False, check: bool = True
) -> Any:
    """Minus the logarithm of the probability given to what is true; never overflows.

    log(1 + exp(-score)) for positives, log(1 + exp(score)) for negatives; from 0 on

    Parameters
    ----------
    probabilities : bool, default False
        Whether score holds probabilities of being positive. They count as no nearer to 0 and 1 than the epsilon of their type,
        and have no gradient there; so real-valued scores are better to train with.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: Flemming, Log Loss; Berrar, Def. 20.
    Differs: Berrar has the logarithm to base 2, this is the natural one. PyTorch divides a weighted sum by the number of cases for
    its mean, this by the sum of the weights.
    """
    xp, y, score, cases = labelled(truth, score, weight, reduction, check, probabilities)
    return cases.reduced(_softplus(xp, -_signed(y, score)))


@public()
def balanced_cross_entropy(
    *,
    truth: Any,
    score: Any,
    alpha: float | None = None,
    weight: Any = None,
    reduction: Reduction = "mean",
    probabilities: bool = False,
    check: bool = True,
) -> Any:
    """Cross-entropy with alpha as the weight of positives and 1 - alpha as that of negatives.

    alpha log(1 + exp(-score)) for positives, (1 - alpha) log(1 + exp(score)) for negatives; from 0 on

    Parameters
    ----------
    alpha : float or None
        From 0 to 1; None for the share of negatives among these cases, the inverse class frequency. Cases of one class alone then
        cost nothing; where these are a batch, give the alpha of all cases.
    probabilities : bool, default False
        As for `cross_entropy`.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: Berrar, Def. 21.
    Differs: Berrar has the logarithm to base 2, this is the natural one.
    """
    alpha = weight_of_positives(alpha)
    xp, y, score, cases = labelled(truth, score, weight, reduction, check, probabilities)
    alpha = cases.mean(1 - y) if alpha is None else alpha
    return cases.reduced(_balance(y, alpha) * _softplus(xp, -_signed(y, score)))


@public()
def focal(
    *,
    truth: Any,
    score: Any,
    gamma: float = 2.0,
    alpha: float | None = None,
    weight: Any = None,
    reduction: Reduction = "mean",
    probabilities: bool = False,
    check: bool = True,
) -> Any:
    """Cross-entropy in which cases that are well classified count little.

    (1 - p)^gamma (-log p), where p is the probability given to what is true, 1/(1 + exp(-score)) for positives; from 0 on

    Parameters
    ----------
    gamma : float, default 2
        From 0 on; 0 is the cross-entropy.
    alpha : float or None
        From 0 to 1, the weight of positives, 1 - alpha that of negatives; None for 1 each.
    probabilities : bool, default False
        As for `cross_entropy`.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: Berrar, Def. 22.
    Differs: Berrar has the logarithm to base 2, this is the natural one, as in the paper that he quotes (Lin et al. 2017).
    """
    gamma = validate.number(gamma, "gamma", 0.0, inf)
    alpha = weight_of_positives(alpha)
    xp, y, score, cases = labelled(truth, score, weight, reduction, check, probabilities)
    right = _signed(y, score)
    doubt = xp.exp(-gamma * _softplus(xp, right))  # (1 - p)^gamma, without a power of 0: its slope may not be finite
    loss = doubt * _softplus(xp, -right)
    return cases.reduced(loss if alpha is None else _balance(y, alpha) * loss)


@public()
def auc(*, truth: Any, score: Any, weight: Any = None, check: bool = True) -> Any:
    """How far positives are from having higher scores than negatives, over all pairs, in linear time and memory.

    0.5 + mean over all n^2 ordered pairs of (y_i - y_j)(score_j - score_i) = 0.5 - 2 cov(y, score), y being 1 or 0 and cov the
    covariance over n. With weights a pair weighs the product of its two. There is no reduction: it is a mean over pairs, not cases.

    Parameters
    ----------
    score : array
        Meant to be bounded, as a probability (the sigmoid of a real-valued score): the loss then lies from 0 to 1, and is 0.5
        where the score says nothing or there is one class only. Without bounds it falls without end as the scores are scaled up.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: QuData, Varia.
    Differs: it is not 1 - AUC: it looks at how far apart two scores are, the AUC only at which is higher.
    """
    _, *columns, cases = labelled(truth, score, weight, "mean", check)
    y, p = (column - cases.mean(column) for column in columns)  # first, so that scores far from 0 lose no digits
    return 0.5 - 2 * cases.mean(y * p)


# Of two numbers -------------------------------------------------------------------------------------------------------


@public()
def squared(*, truth: Any, predicted: Any, weight: Any = None, reduction: Reduction = "mean", check: bool = True) -> Any:
    """The square of the error; from 0 on.

    (predicted - truth)^2

    Parameters
    ----------
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: Flemming, Mean Squared Error; Berrar, Def. 18.
    """
    _, truth, predicted, cases = measured(truth, predicted, weight, reduction, check)
    return cases.reduced((predicted - truth) ** 2)


@public()
def absolute(*, truth: Any, predicted: Any, weight: Any = None, reduction: Reduction = "mean", check: bool = True) -> Any:
    """The size of the error; from 0 on.

    |predicted - truth|

    Parameters
    ----------
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: Flemming, Mean Absolute Error; Berrar, Def. 17.
    """
    xp, truth, predicted, cases = measured(truth, predicted, weight, reduction, check)
    return cases.reduced(xp.abs(predicted - truth))


@public()
def huber(
    *, truth: Any, predicted: Any, epsilon: float = 1.35, weight: Any = None, reduction: Reduction = "mean", check: bool = True
) -> Any:
    """The square of a small error, and a straight line for large ones; from 0 on.

    z^2 where |z| <= epsilon, otherwise 2 epsilon |z| - epsilon^2, with z = predicted - truth

    Parameters
    ----------
    epsilon : float, default 1.35
        Above 0, on the scale of truth; 1.35 is meant for errors of standard deviation 1.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: Flemming, Huber Loss.
    Differs: PyTorch's huber_loss is half of this.
    """
    epsilon = validate.number(epsilon, "epsilon", validate.SMALLEST, inf)
    xp, truth, predicted, cases = measured(truth, predicted, weight, reduction, check)
    error = xp.abs(predicted - truth)
    inside = xp.minimum(error, xp.full_like(error, epsilon))
    return cases.reduced(inside * (2 * error - inside))


# Of three embeddings --------------------------------------------------------------------------------------------------


@public()
def triplet(
    *,
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 0.2,
    normalise: bool = True,
    weight: Any = None,
    reduction: Reduction = "sum",
    check: bool = True,
) -> Any:
    """How far an anchor is from being nearer, by a margin, to a case of its own class than to one of another.

    max(0, |anchor - positive|^2 - |anchor - negative|^2 + margin), Euclidean; from 0 on, and to 4 + margin if normalised

    Parameters
    ----------
    anchor, positive, negative : array
        Embeddings, of shape (cases, dimensions).
    margin : float, default 0.2
        From 0 on; 0.2 as in the paper that Berrar quotes (Schroff et al. 2015).
    normalise : bool, default True
        Whether every embedding is brought to length 1 first, as the definition wants it; one of zeros has no direction, and stays.
    weight : array, optional
        One per case.
    reduction : {"sum", "mean", "none"}
        The sum by default, as the definition has it.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Source: Berrar, Def. 34.
    Differs: PyTorch's triplet_margin_loss takes distances that are not squared, a margin of 1, and the mean.
    """
    margin = validate.number(margin, "margin", 0.0, inf)
    validate.flag(normalise, "normalise")
    xp, *points = embeddings(anchor=anchor, positive=positive, negative=negative)
    if normalise:
        points = [_unit(xp, point) for point in points]
    near, far = (xp.sum((points[0] - other) ** 2, axis=-1) for other in points[1:])
    return cases_of(xp, near, weight, reduction, check).reduced(_above_zero(xp, near - far + margin))


# Inside ---------------------------------------------------------------------------------------------------------------


def _above_zero(xp: Any, values: Any) -> Any:
    """The values, and 0 where they are negative. An array of zeros, since torch.compile does not trace the type of a number."""
    return xp.maximum(values, xp.zeros_like(values))


def _signed(y: Any, score: Any) -> Any:
    """The score as it stands, of negatives with its sign turned: the higher, the better."""
    return (2 * y - 1) * score


def _softplus(xp: Any, score: Any) -> Any:
    """log(1 + exp(score)) for any score: minus the logarithm of the probability that it gives to being negative."""
    return xp.logaddexp(score, xp.zeros_like(score))


def _balance(y: Any, alpha: float) -> Any:
    """alpha for positives, 1 - alpha for negatives."""
    return alpha * y + (1 - alpha) * (1 - y)


def _unit(xp: Any, points: Any) -> Any:
    """Each row at length 1; one of zeros stays, with a finite slope."""
    largest = xp.max(xp.abs(points), axis=-1, keepdims=True)
    smallest = xp.full_like(largest, float(xp.finfo(points.dtype).smallest_normal))
    largest = xp.where(largest > 0, xp.maximum(largest, smallest), xp.ones_like(largest))
    points = points * 2 ** -xp.floor(xp.log2(largest))  # no square overflows or vanishes then; a floor has no slope
    square = xp.sum(points**2, axis=-1, keepdims=True)
    return points / xp.sqrt(xp.where(square > 0, square, xp.ones_like(square)))
