"""Losses of an actual label and a score."""

from __future__ import annotations

from math import inf
from typing import Any

from ...input import validate
from ...input.calls import public
from ...input.names import listed
from ..loss_input import Reduction, above_zero, labelled, weight_of_positives


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
    alpha = weight_of_positives(alpha)
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
    alpha = weight_of_positives(alpha)
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
