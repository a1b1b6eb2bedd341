"""Losses to train with. One formula each for arrays of NumPy, PyTorch, JAX and other libraries; gradients flow through it.

    from tallymark import losses

    losses.focal(truth=y, score=model(x)).backward()

What all of them share:

truth: 0 or 1 per case; for `squared`, `absolute` and `huber` any number. score: a real number per case, higher for positives, 0 at
the boundary (the logit); predicted: a number on the scale of truth. They have one shape, whatever it is, with at least one case.
weight: a number from 0 on per case; 2 is the case twice.
reduction: "mean", over the weights; "sum"; or "none", the loss of each case times its weight.

The result is of the library, the type and the device of the score (of predicted, of anchor): float32 stays float32, integers become
the library's usual floats, lists become NumPy's float64. Other arguments may be lists or NumPy arrays, too.

Raises InputError for shapes that differ, no cases, truth that is not 0 or 1, weights that are negative or all 0, and parameters out
of range. Where no value is known (under jax.jit, in torch.func.vmap) values pass unchecked. Scores always do: NaN gives NaN.
"""

from __future__ import annotations

from math import inf
from typing import Any, Literal, NamedTuple

import numpy as np

from . import validate
from .validate import InputError

Reduction = Literal["mean", "sum", "none"]

__all__ = ["absolute", "auc", "balanced_cross_entropy", "cross_entropy", "focal", "hinge", "huber", "squared", "triplet"]

# Of a label and a score -----------------------------------------------------------------------------------------------


def hinge(*, truth: Any, score: Any, weight: Any = None, reduction: Reduction = "mean") -> Any:
    """How far a case is from lying beyond the margin, on its own side of the boundary.

    max(0, 1 - score) for positives, max(0, 1 + score) for negatives; from 0 on

    truth: 0 and 1, or -1 and 1, as the source document has them: 1 is positive, the other negative. -1 and 0 together are refused.

    Source: Berrar, Def. 35.
    """
    xp, y, score, cases = _labelled(truth, score, weight, reduction, signs=True)
    return cases.reduced(xp.maximum(1 - _signed(y, score), 0))


def cross_entropy(*, truth: Any, score: Any, weight: Any = None, reduction: Reduction = "mean", probabilities: bool = False) -> Any:
    """Minus the logarithm of the probability given to what is true; never overflows.

    log(1 + exp(-score)) for positives, log(1 + exp(score)) for negatives; from 0 on

    probabilities: True where score holds probabilities of being positive. They count as no nearer to 0 and 1 than the epsilon of
    their type, and have no gradient there; so real-valued scores are better to train with.

    Source: Flemming, Log Loss; Berrar, Def. 20.
    Differs: Berrar has the logarithm to base 2, this is the natural one. PyTorch divides a weighted sum by the number of cases for
    its mean, this by the sum of the weights.
    """
    xp, y, score, cases = _labelled(truth, score, weight, reduction, probabilities)
    return cases.reduced(_softplus(xp, -_signed(y, score)))


def balanced_cross_entropy(
    *,
    truth: Any,
    score: Any,
    alpha: float | None = None,
    weight: Any = None,
    reduction: Reduction = "mean",
    probabilities: bool = False,
) -> Any:
    """Cross-entropy with alpha as the weight of positives and 1 - alpha as that of negatives.

    alpha log(1 + exp(-score)) for positives, (1 - alpha) log(1 + exp(score)) for negatives; from 0 on

    alpha: from 0 to 1; None for the share of negatives among these cases, the inverse class frequency. Cases of one class alone
    then cost nothing; where these are a batch, give the alpha of all cases. probabilities: as for `cross_entropy`.

    Source: Berrar, Def. 21.
    Differs: Berrar has the logarithm to base 2, this is the natural one.
    """
    alpha = _alpha(alpha)
    xp, y, score, cases = _labelled(truth, score, weight, reduction, probabilities)
    alpha = cases.mean(1 - y) if alpha is None else alpha
    return cases.reduced(_balance(y, alpha) * _softplus(xp, -_signed(y, score)))


def focal(
    *,
    truth: Any,
    score: Any,
    gamma: float = 2.0,
    alpha: float | None = None,
    weight: Any = None,
    reduction: Reduction = "mean",
    probabilities: bool = False,
) -> Any:
    """Cross-entropy in which cases that are well classified count little.

    (1 - p)^gamma (-log p), where p is the probability given to what is true, 1/(1 + exp(-score)) for positives; from 0 on

    gamma: from 0 on; 0 is the cross-entropy. alpha: from 0 to 1, the weight of positives, 1 - alpha that of negatives; None for 1
    each. probabilities: as for `cross_entropy`.

    Source: Berrar, Def. 22.
    Differs: Berrar has the logarithm to base 2, this is the natural one, as in the paper that he quotes (Lin et al. 2017).
    """
    gamma = validate.number(gamma, "gamma", 0.0, inf)
    alpha = _alpha(alpha)
    xp, y, score, cases = _labelled(truth, score, weight, reduction, probabilities)
    right = _signed(y, score)
    doubt = xp.exp(-gamma * _softplus(xp, right))  # (1 - p)^gamma, without a power of 0: its slope may not be finite
    loss = doubt * _softplus(xp, -right)
    return cases.reduced(loss if alpha is None else _balance(y, alpha) * loss)


def auc(*, truth: Any, score: Any, weight: Any = None) -> Any:
    """How far positives are from having higher scores than negatives, over all pairs, in linear time and memory.

    0.5 + mean over all n^2 ordered pairs of (y_i - y_j)(score_j - score_i) = 0.5 - 2 cov(y, score), y being 1 or 0 and cov the
    covariance over n. With weights a pair weighs the product of its two. There is no reduction: it is a mean over pairs, not cases.

    score: meant to be bounded, as a probability (the sigmoid of a real-valued score): the loss then lies from 0 to 1, and is
    0.5 where the score says nothing or there is one class only. Without bounds it falls without end as the scores are scaled up.

    Source: QuData, Varia.
    Differs: it is not 1 - AUC: it looks at how far apart two scores are, the AUC only at which is higher.
    """
    _, *columns, cases = _labelled(truth, score, weight, "mean")
    y, p = (column - cases.mean(column) for column in columns)  # first, so that scores far from 0 lose no digits
    return 0.5 - 2 * cases.mean(y * p)


# Of two numbers -------------------------------------------------------------------------------------------------------


def squared(*, truth: Any, predicted: Any, weight: Any = None, reduction: Reduction = "mean") -> Any:
    """The square of the error; from 0 on.

    (predicted - truth)^2

    Source: Flemming, Mean Squared Error; Berrar, Def. 18.
    """
    _, truth, predicted, cases = _measured(truth, predicted, weight, reduction)
    return cases.reduced((predicted - truth) ** 2)


def absolute(*, truth: Any, predicted: Any, weight: Any = None, reduction: Reduction = "mean") -> Any:
    """The size of the error; from 0 on.

    |predicted - truth|

    Source: Flemming, Mean Absolute Error; Berrar, Def. 17.
    """
    xp, truth, predicted, cases = _measured(truth, predicted, weight, reduction)
    return cases.reduced(xp.abs(predicted - truth))


def huber(*, truth: Any, predicted: Any, epsilon: float = 1.35, weight: Any = None, reduction: Reduction = "mean") -> Any:
    """The square of a small error, and a straight line for large ones; from 0 on.

    z^2 where |z| <= epsilon, otherwise 2 epsilon |z| - epsilon^2, with z = predicted - truth

    epsilon: above 0, on the scale of truth; 1.35 is meant for errors of standard deviation 1.

    Source: Flemming, Huber Loss.
    Differs: PyTorch's huber_loss is half of this.
    """
    epsilon = validate.number(epsilon, "epsilon", validate.SMALLEST, inf)
    xp, truth, predicted, cases = _measured(truth, predicted, weight, reduction)
    error = xp.abs(predicted - truth)
    inside = xp.minimum(error, epsilon)
    return cases.reduced(inside * (2 * error - inside))


# Of three embeddings --------------------------------------------------------------------------------------------------


def triplet(
    *,
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 0.2,
    normalise: bool = True,
    weight: Any = None,
    reduction: Reduction = "sum",
) -> Any:
    """How far an anchor is from being nearer, by a margin, to a case of its own class than to one of another.

    max(0, |anchor - positive|^2 - |anchor - negative|^2 + margin), Euclidean; from 0 on, and to 4 + margin if normalised

    anchor, positive, negative: embeddings, of shape (cases, dimensions). margin: from 0 on; 0.2 as in the paper that Berrar quotes
    (Schroff et al. 2015). normalise: bring every embedding to length 1 first, as the definition wants it; one of zeros has no
    direction, and stays. weight: one per case. reduction: "sum" by default, as the definition has it.

    Source: Berrar, Def. 34.
    Differs: PyTorch's triplet_margin_loss takes distances that are not squared, a margin of 1, and the mean.
    """
    margin = validate.number(margin, "margin", 0.0, inf)
    validate.flag(normalise, "normalise")
    xp, *points = _embeddings(anchor=anchor, positive=positive, negative=negative)
    if normalise:
        points = [_unit(xp, point) for point in points]
    near, far = (xp.sum((points[0] - other) ** 2, axis=-1) for other in points[1:])
    return _cases(xp, near, weight, reduction).reduced(xp.maximum(near - far + margin, 0))


# Inside ---------------------------------------------------------------------------------------------------------------


def _signed(y, score):
    """The score as it stands, of negatives with its sign turned: the higher, the better."""
    return (2 * y - 1) * score


def _softplus(xp, score):
    """log(1 + exp(score)) for any score: minus the logarithm of the probability that it gives to being negative."""
    return xp.logaddexp(score, xp.zeros_like(score))


def _balance(y, alpha):
    """alpha for positives, 1 - alpha for negatives."""
    return alpha * y + (1 - alpha) * (1 - y)


def _logit(xp, probability):
    """The score of which this is the sigmoid."""
    epsilon = float(xp.finfo(probability.dtype).eps)
    probability = xp.clip(probability, epsilon, 1 - epsilon)
    return xp.log(probability) - xp.log1p(-probability)


def _unit(xp, points):
    """Each row at length 1; one of zeros stays, with a finite slope."""
    largest = xp.max(xp.abs(points), axis=-1, keepdims=True)
    largest = xp.where(largest > 0, xp.maximum(largest, xp.finfo(points.dtype).smallest_normal), 1.0)
    points = points * 2 ** -xp.floor(xp.log2(largest))  # no square overflows or vanishes then; a floor has no slope
    square = xp.sum(points**2, axis=-1, keepdims=True)
    return points / xp.sqrt(xp.where(square > 0, square, 1.0))


class _Cases(NamedTuple):
    """What the cases weigh, None for one each, and how their losses become the answer."""

    xp: Any
    weight: Any
    reduction: str

    def mean(self, values):
        """The mean over the weights."""
        if self.weight is None:
            return self.xp.mean(values)
        return self.xp.sum(self.weight * values) / self.xp.sum(self.weight)

    def reduced(self, loss):
        """The answer that was asked for."""
        if self.reduction == "mean":
            return self.mean(loss)
        charged = loss if self.weight is None else self.weight * loss
        return charged if self.reduction == "none" else self.xp.sum(charged)


# At the door ----------------------------------------------------------------------------------------------------------


def _labelled(truth, score, weight, reduction, probabilities=False, signs=False):
    """The library, the truth as 0 and 1, the real-valued score, and the cases."""
    validate.flag(probabilities, "probabilities")
    xp, score = _leading(score, "score")
    truth = _following(xp, truth, "truth", score, "score")
    low = -1 if signs and _holds(xp.any(truth == -1)) else 0
    either = f"is neither {low} nor 1; give 1 for positives and {low} for negatives"
    _each(xp, (truth == low) | (truth == 1), truth, "truth", either)
    if probabilities:
        _each(xp, (score >= 0) & (score <= 1), score, "score", "is no probability; leave out probabilities=True for other scores")
        score = _logit(xp, score)
    return xp, xp.astype(truth > 0, score.dtype), score, _cases(xp, score, weight, reduction)


def _measured(truth, predicted, weight, reduction):
    """The library, both columns of numbers, and the cases."""
    xp, predicted = _leading(predicted, "predicted")
    return xp, _following(xp, truth, "truth", predicted, "predicted"), predicted, _cases(xp, predicted, weight, reduction)


def _embeddings(anchor, **others):
    """The library and three tables of one shape."""
    xp, anchor = _leading(anchor, "anchor")
    if anchor.ndim != 2:
        raise InputError(f"anchor: the shape {tuple(anchor.shape)} is not possible; give one row per case, (cases, dimensions).")
    return xp, anchor, *(_following(xp, value, role, anchor, "anchor") for role, value in others.items())


def _cases(xp, column, weight, reduction):
    """The cases of a column, one weight for each of its values."""
    validate.choice(reduction, ("mean", "sum", "none"), "reduction")
    if weight is not None:
        weight = _following(xp, weight, "weight", column, "the cases")
        _each(xp, (weight >= 0) & (weight < inf), weight, "weight", "cannot be a weight; give finite numbers, none negative")
        if not _holds(xp.any(weight > 0)):
            raise InputError("weight: every weight is 0, so no case counts; give at least one positive weight.")
    return _Cases(xp, weight, reduction)


def _alpha(value):
    """The weight of positives, if it is given."""
    return None if value is None else validate.number(value, "alpha", 0.0, 1.0)


# Arrays of any library ------------------------------------------------------------------------------------------------


def _leading(value, role):
    """The library of the result, and the array that the result is like, as floats."""
    from array_api_compat import size

    xp, array = _read(value, role)
    if not size(array):
        raise InputError(f"{role}: there are no cases; at least one is needed.")
    if not xp.isdtype(array.dtype, "real floating"):
        array = xp.astype(array, xp.asarray(0.0).dtype)  # the library's usual floats
    return xp, array


def _following(xp, value, role, lead, lead_role):
    """An array of the library, shape and type of the leading one; from a list or NumPy it goes to its device."""
    from array_api_compat import device

    library, array = _read(value, role)
    if array.shape != lead.shape:
        raise InputError(f"{role} has the shape {tuple(array.shape)} and {lead_role} {tuple(lead.shape)}; they must be the same.")
    if library is not xp:
        array = xp.asarray(_of_numpy(array, role).astype(float), dtype=lead.dtype, device=device(lead))
    return xp.astype(array, lead.dtype, copy=False)


def _read(value, role):
    """An array of numbers, and its library: NumPy for lists and whatever else NumPy can read."""
    from array_api_compat import array_namespace, is_array_api_obj, is_numpy_array

    foreign = is_array_api_obj(value) and not is_numpy_array(value)
    array = value if foreign else _of_numpy(value, role)
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, ("bool", "integral", "real floating")):
        raise InputError(f"{role}: values of the type {array.dtype} are not numbers; convert them first.")
    return xp, array


def _of_numpy(value, role):
    """A NumPy array."""
    if np.ma.is_masked(value):
        raise InputError(f"{role}: some values are masked; leave their cases out.")
    try:
        return np.asarray(value)
    except Exception as reason:  # whatever a foreign array raises: it goes into the sentence
        what = f"a {type(value).__name__} that NumPy cannot read ({validate.shown(reason)})"
        raise InputError(f"{role}: {what}; give arrays of one library.") from reason


def _each(xp, good, values, role, fault):
    """Every value is good, as far as values are known."""
    if _holds(xp.all(good)):
        return
    at = int(xp.nonzero(xp.reshape(~good, (-1,)))[0][0])
    place = tuple(map(int, np.unravel_index(at, tuple(values.shape))))
    row = f"row {at}" if len(place) < 2 else f"place {place}"
    raise InputError(f"{role}: {xp.reshape(values, (-1,))[at].item():g} in {row} {fault}.")


def _holds(condition):
    """Whether it holds; taken to where no value is known: while JAX traces, in a map of PyTorch, without data."""
    try:
        return bool(condition)
    except (TypeError, RuntimeError):
        return True
