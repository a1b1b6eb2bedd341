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

from math import inf
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from ..input import validate
from ..input.calls import public
from ..input.names import listed
from ..input.validate import InputError

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


@listed("loss", "tm.losses.hinge(...)", aka=("svm_loss", "max_margin_loss"), terms=("hinge_loss",))
@public()
def hinge(
    *, truth: Any, score: Any, weight: Any = None, reduction: Reduction = "mean", check: bool = True
) -> Any:
    """Hinge loss: the distance of a score from the margin on the right side of the decision boundary.

    Parameters
    ----------
    truth : array
        0 and 1, or -1 and 1 as in the source: 1 is positive, the other negative. -1 and 0 together are
        refused.
    score : array
        A real number per case, higher for positives, 0 at the boundary (the logit); of the shape of truth.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"mean", "sum", "none"}
        The mean over the weights, the sum, or the loss of each case times its weight.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of the score: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, and, unless check=False, truth that is not 0 or 1 (-1 or 1) and
        weights that are negative or all 0.

    Notes
    -----
    max(0, 1 - score) for positives, max(0, 1 + score) for negatives.

    References
    ----------
    Berrar, Def. 35.

    Examples
    --------
    >>> from tallymark import losses
    >>> float(losses.hinge(truth=[1, 0], score=[0.5, -2.0]))
    0.25
    """
    xp, y, score, cases = labelled(truth, score, weight, reduction, check, signs=True)
    return cases.reduced(above_zero(xp, 1 - _signed(y, score)))


@listed(
    "loss",
    "tm.losses.cross_entropy(...)",
    aka=("bce_with_logits", "softplus_loss"),
    terms=("log_loss", "logistic_loss", "logistic_regression_loss", "bce"),
)
@public()
def cross_entropy(
    *,
    truth: Any,
    score: Any,
    weight: Any = None,
    reduction: Reduction = "mean",
    probabilities: bool = False,
    check: bool = True,
) -> Any:
    """Negative logarithm of the probability of the actual class, without overflow.

    Parameters
    ----------
    truth : array
        0 or 1 per case: 1 is positive.
    score : array
        A real number per case, higher for positives, 0 at the boundary (the logit), or a probability; of the
        shape of truth.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"mean", "sum", "none"}
        The mean over the weights, the sum, or the loss of each case times its weight.
    probabilities : bool, default False
        Whether score holds probabilities of being positive. They are clipped by the epsilon of
        their type and have no gradient there, so that logits are better for training.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of the score: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, and, unless check=False, truth that is not 0 or 1, probabilities
        outside 0 to 1 and weights that are negative or all 0.

    Notes
    -----
    log(1 + exp(-score)) for positives, log(1 + exp(score)) for negatives: in expectation the entropy plus the
    Kullback-Leibler divergence from the true probability.

    Differs: Berrar takes the logarithm to base 2, this is the natural one. For a weighted mean PyTorch
    divides by the number of cases, this by the sum of the weights.

    References
    ----------
    Flemming, Log Loss; Berrar, Def. 20.

    Examples
    --------
    >>> from tallymark import losses
    >>> round(float(losses.cross_entropy(truth=[1, 0], score=[0.0, 0.0])), 4)
    0.6931
    """
    xp, y, score, cases = labelled(truth, score, weight, reduction, check, probabilities)
    return cases.reduced(_softplus(xp, -_signed(y, score)))


@listed("loss", "tm.losses.balanced_cross_entropy(...)", aka=("class_weighted_loss",))
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

    Parameters
    ----------
    truth : array
        0 or 1 per case: 1 is positive.
    score : array
        A real number per case, higher for positives, 0 at the boundary (the logit), or a probability; of the
        shape of truth.
    alpha : float or None
        From 0 to 1; None for the proportion of negatives among these cases. With it cases of one class alone
        have a loss of 0; where these are a batch, give the alpha of all cases.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"mean", "sum", "none"}
        The mean over the weights, the sum, or the loss of each case times its weight.
    probabilities : bool, default False
        As for `cross_entropy`.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of the score: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, alpha out of range, and, unless check=False, truth that is not 0 or
        1, probabilities outside 0 to 1 and weights that are negative or all 0.

    Notes
    -----
    alpha log(1 + exp(-score)) for positives, (1 - alpha) log(1 + exp(score)) for negatives.

    Differs: Berrar takes the logarithm to base 2, this is the natural one.

    References
    ----------
    Berrar, Def. 21.

    Examples
    --------
    >>> from tallymark import losses
    >>> round(float(losses.balanced_cross_entropy(truth=[1, 0], score=[0.0, 0.0])), 4)
    0.3466
    """
    alpha = None if alpha is None else validate.number(alpha, "alpha", 0.0, 1.0)
    xp, y, score, cases = labelled(truth, score, weight, reduction, check, probabilities)
    alpha = cases.mean(1 - y) if alpha is None else alpha
    return cases.reduced(_balance(y, alpha) * _softplus(xp, -_signed(y, score)))


@listed(
    "loss",
    "tm.losses.focal(...)",
    terms=(
        "focal_loss",
        "alpha_balanced_focal_loss",
    ),
)
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
    """Cross-entropy in which cases that are well classified have little weight.

    Parameters
    ----------
    truth : array
        0 or 1 per case: 1 is positive.
    score : array
        A real number per case, higher for positives, 0 at the boundary (the logit), or a probability; of the
        shape of truth.
    gamma : float, default 2
        At least 0; 0 is the cross-entropy.
    alpha : float or None
        From 0 to 1, the weight of positives, 1 - alpha that of negatives; None for 1 each.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"mean", "sum", "none"}
        The mean over the weights, the sum, or the loss of each case times its weight.
    probabilities : bool, default False
        As for `cross_entropy`.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of the score: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, gamma or alpha out of range, and, unless check=False, truth that is
        not 0 or 1, probabilities outside 0 to 1 and weights that are negative or all 0.

    Notes
    -----
    (1 - p)^gamma (-log p), where p is the probability of the actual class, 1/(1 + exp(-score)) for positives.

    Differs: Berrar takes the logarithm to base 2, this is the natural one, as in Lin et al. (2017),
    whom he cites.

    References
    ----------
    Berrar, Def. 22.

    Examples
    --------
    >>> from tallymark import losses
    >>> round(float(losses.focal(truth=[1, 0], score=[0.0, 0.0])), 4)
    0.1733
    """
    gamma = validate.number(gamma, "gamma", 0.0, inf)
    alpha = None if alpha is None else validate.number(alpha, "alpha", 0.0, 1.0)
    xp, y, score, cases = labelled(truth, score, weight, reduction, check, probabilities)
    right = _signed(y, score)
    # (1 - p)^gamma, without a power of 0, whose gradient may not be finite
    doubt = xp.exp(-gamma * _softplus(xp, right))
    loss = doubt * _softplus(xp, -right)
    return cases.reduced(loss if alpha is None else _balance(y, alpha) * loss)


@listed(
    "loss",
    "tm.losses.auc(...)",
    name="auc",
    aka=("auc_loss", "pairwise_loss"),
    terms=("loss_that_maximizes_auc_directly",),
)
@public()
def auc(*, truth: Any, score: Any, weight: Any = None, check: bool = True) -> Any:
    """Pairwise loss, small if positives have higher scores than negatives, in linear time and memory.

    Parameters
    ----------
    truth : array
        0 or 1 per case: 1 is positive.
    score : array
        Should be bounded, such as a probability (the sigmoid of a logit): the loss then lies between 0 and 1,
        and is 0.5 if the score carries no information or there is one class only. Without bounds it
        decreases without limit as the scores are scaled up.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of the score: one value.

    Raises
    ------
    InputError
        For shapes that differ, no cases, and, unless check=False, truth that is not 0 or 1 and weights that
        are negative or all 0.

    Notes
    -----
    0.5 + mean over all n^2 ordered pairs of (y_i - y_j)(score_j - score_i) = 0.5 - 2 cov(y, score), y being 1
    or 0 and cov the covariance over n. The weight of a pair is the product of two weights. There is no
    reduction, since it is a mean over pairs, not cases.

    Differs: it is not 1 - AUC, since it depends on the difference of two scores, the AUC on its sign alone.

    References
    ----------
    QuData, Varia.

    Examples
    --------
    >>> from tallymark import losses
    >>> float(losses.auc(truth=[1, 0], score=[1.0, 0.0]))
    0.0
    """
    _, *columns, cases = labelled(truth, score, weight, "mean", check)
    # centred first, so that scores far from 0 lose no digits
    y, p = (column - cases.mean(column) for column in columns)
    return 0.5 - 2 * cases.mean(y * p)


# Inside
# --------------------------------------------------------------------------------------------------


def _signed(y: Any, score: Any) -> Any:
    """The score, negated for negatives: a higher one is better."""
    return (2 * y - 1) * score


def _softplus(xp: Any, score: Any) -> Any:
    """log(1 + exp(score)): minus the logarithm of the probability of the negative class."""
    return xp.logaddexp(score, xp.zeros_like(score))


def _balance(y: Any, alpha: float) -> Any:
    """alpha for positives, 1 - alpha for negatives."""
    return alpha * y + (1 - alpha) * (1 - y)


@listed(
    "loss", "tm.losses.squared(...)", aka=("squared_error", "quadratic_loss", "l2_loss"), terms=("mse_loss",)
)
@public()
def squared(
    *, truth: Any, predicted: Any, weight: Any = None, reduction: Reduction = "mean", check: bool = True
) -> Any:
    """Squared error.

    Parameters
    ----------
    truth : array
        A number per case, of any shape.
    predicted : array
        Numbers on the scale of truth, of its shape.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"mean", "sum", "none"}
        The mean over the weights, the sum, or the loss of each case times its weight.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of predicted: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, and, unless check=False, weights that are negative or all 0.

    Notes
    -----
    (predicted - truth)^2

    References
    ----------
    Flemming, Mean Squared Error; Berrar, Def. 18.

    Examples
    --------
    >>> from tallymark import losses
    >>> float(losses.squared(truth=[1, 2], predicted=[1, 4]))
    2.0
    """
    _, truth, predicted, cases = measured(truth, predicted, weight, reduction, check)
    return cases.reduced((predicted - truth) ** 2)


@listed("loss", "tm.losses.absolute(...)", aka=("absolute_error", "l1_loss"))
@public()
def absolute(
    *, truth: Any, predicted: Any, weight: Any = None, reduction: Reduction = "mean", check: bool = True
) -> Any:
    """Absolute error.

    Parameters
    ----------
    truth : array
        A number per case, of any shape.
    predicted : array
        Numbers on the scale of truth, of its shape.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"mean", "sum", "none"}
        The mean over the weights, the sum, or the loss of each case times its weight.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of predicted: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, and, unless check=False, weights that are negative or all 0.

    Notes
    -----
    |predicted - truth|

    References
    ----------
    Flemming, Mean Absolute Error; Berrar, Def. 17.

    Examples
    --------
    >>> from tallymark import losses
    >>> float(losses.absolute(truth=[1, 2], predicted=[1, 4]))
    1.0
    """
    xp, truth, predicted, cases = measured(truth, predicted, weight, reduction, check)
    return cases.reduced(xp.abs(predicted - truth))


@listed("loss", "tm.losses.huber(...)", aka=("smooth_l1",), terms=("huber_loss",))
@public()
def huber(
    *,
    truth: Any,
    predicted: Any,
    epsilon: float = 1.35,
    weight: Any = None,
    reduction: Reduction = "mean",
    check: bool = True,
) -> Any:
    """Huber loss: quadratic for small errors and linear for large ones.

    Parameters
    ----------
    truth : array
        A number per case, of any shape.
    predicted : array
        Numbers on the scale of truth, of its shape.
    epsilon : float, default 1.35
        Above 0, on the scale of truth; 1.35 is for errors with a standard deviation of 1.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"mean", "sum", "none"}
        The mean over the weights, the sum, or the loss of each case times its weight.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of predicted: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, epsilon out of range, and, unless check=False, weights that are
        negative or all 0.

    Notes
    -----
    z^2 where ``|z| <= epsilon``, otherwise 2 epsilon |z| - epsilon^2, with z = predicted - truth.

    Differs: PyTorch's huber_loss is half of this.

    References
    ----------
    Flemming, Huber Loss.

    Examples
    --------
    >>> from tallymark import losses
    >>> float(losses.huber(truth=[1, 2], predicted=[1, 4], epsilon=1.0))
    1.5
    """
    epsilon = validate.number(epsilon, "epsilon", validate.SMALLEST, inf)
    xp, truth, predicted, cases = measured(truth, predicted, weight, reduction, check)
    error = xp.abs(predicted - truth)
    inside = xp.minimum(error, xp.full_like(error, epsilon))
    return cases.reduced(inside * (2 * error - inside))


@listed(
    "loss",
    "tm.losses.triplet(...)",
    aka=("triplet_margin_loss", "triplet_loss"),
    terms=("margin_between_positive_and_negative_pairs",),
)
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
    """Triplet loss: an anchor should be nearer to a case of its class than to another one, by a margin.

    Parameters
    ----------
    anchor, positive, negative : array
        Embeddings, of shape (cases, dimensions).
    margin : float, default 0.2
        At least 0; 0.2 as in Schroff et al. (2015), whom Berrar cites.
    normalise : bool, default True
        Whether every embedding is scaled to length 1 first, as in the definition; one of zeros is not
        changed.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"sum", "mean", "none"}
        The sum by default, as in the definition.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of the anchor: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, a margin out of range, and, unless check=False, weights that are
        negative or all 0.

    Notes
    -----
    max(0, |anchor - positive|^2 - |anchor - negative|^2 + margin), Euclidean; at most 4 + margin if
    normalised.

    Differs: PyTorch's triplet_margin_loss takes distances that are not squared, a margin of 1, and the mean.

    References
    ----------
    Berrar, Def. 34.

    Examples
    --------
    >>> from tallymark import losses
    >>> float(losses.triplet(anchor=[[1, 0]], positive=[[1, 0]], negative=[[0, 1]], margin=3.0))
    1.0
    """
    margin = validate.number(margin, "margin", 0.0, inf)
    validate.flag(normalise, "normalise")
    xp, anchor = _leading(anchor, "anchor")
    if anchor.ndim != 2:
        raise InputError(
            "wrong-shape",
            "anchor",
            f"the shape {tuple(anchor.shape)} is not possible",
            "give one row per case, (cases, dimensions)",
        )
    others = (("positive", positive), ("negative", negative))
    points = [anchor, *(_following(xp, value, role, anchor, "anchor") for role, value in others)]
    if normalise:
        points = [_unit(xp, point) for point in points]
    near, far = (xp.sum((points[0] - other) ** 2, axis=-1) for other in points[1:])
    return cases_of(xp, near, weight, reduction, check).reduced(above_zero(xp, near - far + margin))


def _unit(xp: Any, points: Any) -> Any:
    """Each row scaled to length 1; one of zeros is unchanged, with a finite gradient."""
    largest = xp.max(xp.abs(points), axis=-1, keepdims=True)
    smallest = xp.full_like(largest, float(xp.finfo(points.dtype).smallest_normal))
    largest = xp.where(largest > 0, xp.maximum(largest, smallest), xp.ones_like(largest))
    # so that no square overflows or underflows; a floor has no gradient
    points = points * 2 ** -xp.floor(xp.log2(largest))
    square = xp.sum(points**2, axis=-1, keepdims=True)
    return points / xp.sqrt(xp.where(square > 0, square, xp.ones_like(square)))


Reduction = Literal["mean", "sum", "none"]


class Cases(NamedTuple):
    """The weights of the cases, None for 1 each, and the reduction of their losses."""

    xp: Any
    weight: Any
    reduction: Reduction

    def mean(self, values: Any) -> Any:
        """The weighted mean."""
        if self.weight is None:
            return self.xp.mean(values)
        return self.xp.sum(self.weight * values) / self.xp.sum(self.weight)

    def reduced(self, loss: Any) -> Any:
        """The losses of the cases, reduced as requested."""
        if self.reduction == "mean":
            return self.mean(loss)
        charged = loss if self.weight is None else self.weight * loss
        return charged if self.reduction == "none" else self.xp.sum(charged)


# Arguments
# ------------------------------------------------------------------------------------------------------------


def labelled(
    truth: Any,
    score: Any,
    weight: Any,
    reduction: Reduction,
    check: bool,
    probabilities: bool = False,
    signs: bool = False,
) -> tuple[Any, Any, Any, Cases]:
    """The library, the truth as 0 and 1, the real-valued score, and the cases."""
    validate.flag(probabilities, "probabilities")
    xp, score = _leading(score, "score")
    truth = _following(xp, truth, "truth", score, "score")
    cases = cases_of(xp, score, weight, reduction, check)
    if check:
        low = -1 if signs and _holds(xp.any(truth == -1)) else 0
        either = f"is neither {low} nor 1; give 1 for positives and {low} for negatives"
        _each(xp, (truth == low) | (truth == 1), truth, "truth", either)
    if probabilities:
        not_one = "is not a probability; leave out probabilities=True for other scores"
        if check:
            _each(xp, (score >= 0) & (score <= 1), score, "score", not_one)
        score = _logit(xp, score)
    return xp, xp.astype(truth > 0, score.dtype), score, cases


def measured(
    truth: Any, predicted: Any, weight: Any, reduction: Reduction, check: bool
) -> tuple[Any, Any, Any, Cases]:
    """The library, both columns of numbers, and the cases."""
    xp, predicted = _leading(predicted, "predicted")
    return (
        xp,
        _following(xp, truth, "truth", predicted, "predicted"),
        predicted,
        cases_of(xp, predicted, weight, reduction, check),
    )


def cases_of(xp: Any, column: Any, weight: Any, reduction: Reduction, check: bool) -> Cases:
    """The cases of a column, one weight for each of its values."""
    validate.choice(reduction, get_args(Reduction), "reduction")
    validate.flag(check, "check")
    if weight is not None:
        weight = _following(xp, weight, "weight", column, "the cases")
        if check:
            fault = "cannot be a weight; give finite numbers, none negative"
            _each(xp, (weight >= 0) & (weight < inf), weight, "weight", fault)
            if not _holds(xp.any(weight > 0)):
                raise InputError(
                    "empty",
                    "weight",
                    "every weight is 0, so no case counts",
                    "give at least one positive weight",
                )
    return Cases(xp, weight, reduction)


def _logit(xp: Any, probability: Any) -> Any:
    """The inverse of the sigmoid."""
    epsilon = float(xp.finfo(probability.dtype).eps)
    probability = xp.clip(probability, epsilon, 1 - epsilon)
    return xp.log(probability) - xp.log1p(-probability)


# Arrays of any library
# ------------------------------------------------------------------------------------------------


def _leading(value: Any, role: str) -> tuple[Any, Any]:
    """The library of the result, and the array whose type and device the result has, as floats."""
    from array_api_compat import size

    xp, array = _read(value, role)
    if not size(array):
        raise InputError("empty", role, "there are no cases", "at least one is needed")
    if not xp.isdtype(array.dtype, "real floating"):
        array = xp.astype(array, xp.asarray(0.0).dtype)  # the library's usual floats
    return xp, array


def _following(xp: Any, value: Any, role: str, lead: Any, lead_role: str) -> Any:
    """An array with the library, shape and type of the leading one; lists and NumPy go to its device."""
    from array_api_compat import device

    library, array = _read(value, role)
    if array.shape != lead.shape:
        raise InputError(
            "wrong-shape",
            None,
            f"{role} has the shape {tuple(array.shape)} and {lead_role} {tuple(lead.shape)}",
            "they must be the same",
        )
    if library is not xp:
        array = xp.asarray(_of_numpy(array, role).astype(float), dtype=lead.dtype, device=device(lead))
    return xp.astype(array, lead.dtype, copy=False)


def _read(value: Any, role: str) -> tuple[Any, Any]:
    """An array of numbers, and its library: NumPy for lists and everything else that NumPy can read."""
    from array_api_compat import array_namespace, is_array_api_obj, is_numpy_array

    foreign = is_array_api_obj(value) and not is_numpy_array(value)
    array = value if foreign else _of_numpy(value, role)
    if not foreign and array.dtype.kind not in "buif":  # types that the array API does not have
        raise InputError(
            "invalid-value", role, f"values of the type {array.dtype} are not numbers", "convert them first"
        )
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, ("bool", "integral", "real floating")):
        raise InputError(
            "invalid-value", role, f"values of the type {array.dtype} are not numbers", "convert them first"
        )
    return xp, array


def _of_numpy(value: Any, role: str) -> np.ndarray:
    """A NumPy array."""
    if np.ma.is_masked(value):
        raise InputError("missing-value", role, "some values are masked", "leave their cases out")
    try:
        return np.asarray(value)
    except Exception as reason:  # a foreign array may raise anything
        raise InputError(
            "mismatch",
            role,
            f"a {type(value).__name__} that NumPy cannot read ({validate.shown(reason)})",
            "give arrays of one library",
        ) from reason


def _each(xp: Any, good: Any, values: Any, role: str, fault: str) -> None:
    """Raises InputError for the first value that is not good, as far as values are known."""
    if _holds(xp.all(good)):
        return
    at = int(xp.nonzero(xp.reshape(~good, (-1,)))[0][0])
    place = tuple(map(int, np.unravel_index(at, tuple(values.shape))))
    row = validate.row_at(at) if len(place) < 2 else f"place {place} (counted from 0)"
    raise InputError("invalid-value", role, f"{xp.reshape(values, (-1,))[at].item():g} in {row} {fault}")


def _holds(condition: Any) -> bool:
    """Whether a condition holds; True where its value is not known.

    It is not known while JAX traces, in a map of PyTorch, and for arrays without data.
    """
    try:
        return bool(condition)
    except (TypeError, RuntimeError):
        return True


def above_zero(xp: Any, values: Any) -> Any:
    """The values, and 0 where they are negative.

    With an array of zeros, since torch.compile does not trace the type of a number.
    """
    return xp.maximum(values, xp.zeros_like(values))
