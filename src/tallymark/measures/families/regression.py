"""Errors of predicted amounts: a loss of each error, predicted - actual, averaged over the cases."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...summaries import Residuals
from ..registry import Leading, mapped, measure, plain, ratio

UNBOUNDED, EITHER_SIDE = (0.0, np.inf), (-np.inf, np.inf)
HALF_UP_TO_ROUNDING = 1e-12  # of the weight


def mean_loss(r: Residuals, loss: Callable[[np.ndarray], np.ndarray]) -> Any:
    """The mean over all cases of a loss, which is a function of the errors."""
    return ratio(r.sum_of(loss), plain(r.total))


def squared(error: np.ndarray) -> np.ndarray:
    """error^2."""
    return np.square(error)


def absolute(error: np.ndarray) -> np.ndarray:
    """|error|."""
    return np.abs(error)


def signed(error: np.ndarray) -> np.ndarray:
    """The error itself."""
    return error


def huber(error: np.ndarray, epsilon: float = 1.35) -> np.ndarray:
    """error^2 up to epsilon, and linear with the same slope beyond it."""
    size = np.abs(error)
    inside = np.minimum(size, epsilon)
    return inside * (2 * size - inside)


def _root(mean: Any, residuals: Residuals) -> Any:
    return np.sqrt(mean)


@measure(
    aka=("mse",),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=squared,
    terms=(
        "euclidean_distance",
        "regression_quality",
    ),
    headline=Leading(None, "Mean squared error"),
)
def mean_squared_error(r: Residuals) -> Any:
    """Mean squared difference between the predicted and the actual number.

    mean of (predicted - truth)^2

    In the squared unit of the numbers; a few large errors determine it.

    Undefined: no cases (total = 0).
    Source: Flemming.
    """
    return mean_loss(r, squared)


@measure(
    aka=("mae",),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=absolute,
    headline=Leading(20, "Mean absolute error", column=2),
)
def mean_absolute_error(r: Residuals) -> Any:
    """Mean absolute difference between the predicted and the actual number.

    mean of |predicted - truth|

    In the unit of the numbers; errors count in proportion to their size.

    Undefined: no cases (total = 0).
    Source: Flemming.
    """
    return mean_loss(r, absolute)


@measure(
    aka=("rmse", "root_mean_square_error", "rms_error"),
    range=UNBOUNDED,
    best=0.0,
    interval=mapped(mean_squared_error, _root),
    headline=Leading(10, "Root mean squared error", column=1),
)
def root_mean_squared_error(r: Residuals) -> Any:
    """Square root of the mean squared difference between the predicted and the actual number.

    sqrt(mean_squared_error)

    In the unit of the numbers; a few large errors determine it.

    Undefined: no cases (total = 0).
    Source: Flemming, the root of the mean squared error.
    """
    return plain(np.sqrt(mean_squared_error(r)))


@measure(
    aka=("mean_huber_loss",),
    range=UNBOUNDED,
    best=0.0,
    interval="mean",
    loss=huber,
    limits={"epsilon": (1e-100, 1e100)},
    terms=("sensitivity_to_outliers",),
    headline=Leading(None, "Huber loss"),
)
def huber_loss(r: Residuals, *, epsilon: float = 1.35) -> Any:
    """Mean of a loss that is quadratic for small errors and linear for large ones.

    mean of z^2 where |z| <= epsilon, else 2 epsilon |z| - epsilon^2; z = predicted - truth

    epsilon: the error at which the linear part begins, in the unit of the numbers. The usual 1.35 is for
    errors with a standard deviation of about 1: divide the numbers by it first, or multiply epsilon by it.

    Undefined: no cases (total = 0).
    Source: Flemming, Huber Loss.
    Differs: SciPy, PyTorch and Keras halve it.
    """
    return mean_loss(r, partial(huber, epsilon=epsilon))


@measure(
    aka=("mean_bias_error", "bias"),
    range=EITHER_SIDE,
    best=None,
    interval="signed-mean",
    loss=signed,
    headline=Leading(40, "Mean error (bias)", column=3),
)
def mean_error(r: Residuals) -> Any:
    """Mean difference between the predicted and the actual number.

    mean of predicted - truth

    In the unit of the numbers; above 0 where predictions are too high on average. Errors of both signs
    cancel.

    Undefined: no cases (total = 0).
    Source: Willmott (1982), Bulletin of the American Meteorological Society 63, 1309-1313.
    """
    return mean_loss(r, signed)


@measure(
    aka=("medae",),
    range=UNBOUNDED,
    best=0.0,
    interval="median",
    headline=Leading(30, "Median absolute error"),
)
def median_absolute_error(r: Residuals) -> Any:
    """Median absolute difference between the predicted and the actual number.

    median of |predicted - truth|

    In the unit of the numbers; half of the cases have smaller errors. Where exactly half of the weight lies
    up to one error, it is the middle between this and the next.

    Undefined: no cases (total = 0).
    Source: Hyndman and Koehler (2006), International Journal of Forecasting 22, 679-688.
    """
    size, reached = r.sizes_of_errors
    if not len(size):
        return np.nan
    halves = (r.total * (0.5 + side * HALF_UP_TO_ROUNDING) for side in (-1, 1))
    ends = [(reached > np.asarray(half)[..., None]).argmax(-1) for half in halves]
    return plain(size[ends].sum(0) / 2)


@measure(
    aka=("max_error", "maximum_absolute_error"),
    range=UNBOUNDED,
    best=0.0,
    interval="largest",
    headline=Leading(50, "Largest error"),
)
def largest_error(r: Residuals) -> Any:
    """Largest absolute difference between the predicted and the actual number.

    maximum of |predicted - truth|

    In the unit of the numbers. It is that of a single case, and increases with the number of cases.

    Undefined: no cases (total = 0).
    Source: Willmott and Matsuura (2005), Climate Research 30, 79-82.
    """
    return plain(np.abs(r.ends).max(0)) if np.all(r.total) else np.nan
