"""Losses of an actual and a predicted number."""

from __future__ import annotations

from math import inf
from typing import Any

from ...input import validate
from ...input.calls import public
from ...input.names import listed
from ..loss_input import Reduction, measured


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
