"""How well predicted amounts follow the actual ones, relative to how much these differ."""

from typing import Any

import numpy as np

from ...summaries import Residuals
from ...summaries.residuals import Sums
from ..registry import Leading, jackknife, measure, plain, ratio, within

UP_TO_ONE, EITHER_SIGN = (-np.inf, 1.0), (-1.0, 1.0)


def _unexplained(s: Sums) -> Any:
    return 1 - ratio(s.squared_error, s.of_truth)


def _of_variance(s: Sums) -> Any:
    return 1 - ratio(s.of_error, s.of_truth)


def _of_absolute_errors(s: Sums) -> Any:
    return 1 - ratio(s.absolute_error, s.deviation)


def _correlation(s: Sums) -> Any:
    return within(ratio(s.together, np.sqrt(s.of_truth * s.of_predicted)), -1.0, 1.0)


@measure(
    aka=(
        "r2_score",
        "coefficient_of_determination",
        "squared_error_skill_score",
        "nash_sutcliffe_efficiency",
        "r_squared",
        "rsq_trad",
    ),
    range=UP_TO_ONE,
    interval=jackknife(_unexplained),
    headline=Leading(60, "R2", column=4),
)
def r2(r: Residuals) -> Any:
    """Relative improvement of the mean squared error over predicting the mean of the actual numbers.

    1 - sum of (predicted - truth)^2 / sum of (truth - mean of truth)^2

    0 means no improvement, and it is below 0 where the mean predicts better.

    Undefined: actual amounts that are not known or do not differ (spread_of_truth = 0).
    Source: Nash and Sutcliffe (1970), Journal of Hydrology 10, 282-290; Kvalseth (1985), The American
    Statistician 39, 279-285, the first of its eight.
    Differs: scikit-learn gives 1 or 0 where actual numbers do not differ. The squared correlation is larger
    where predictions are not calibrated.
    """
    return _of(_unexplained, r)


@measure(
    aka=("explained_variance_score",),
    range=UP_TO_ONE,
    interval=jackknife(_of_variance),
    headline=Leading(70, "Explained variance"),
)
def explained_variance(r: Residuals) -> Any:
    """Share of the variance of the actual numbers that the predictions explain.

    1 - variance of (predicted - truth) / variance of truth

    It is r2 of predictions that are shifted so that their mean error is 0.

    Undefined: actual amounts that are not known or do not differ (spread_of_truth = 0).
    Source: Murphy (1988), Monthly Weather Review 116, 2417-2424.
    Differs: scikit-learn gives 1 or 0 where actual numbers do not differ.
    """
    return _of(_of_variance, r)


@measure(
    aka=("pearson_correlation", "pearson_r", "corrcoef"),
    range=EITHER_SIGN,
    interval=jackknife(_correlation),
    headline=Leading(80, "Correlation"),
)
def correlation(r: Residuals) -> Any:
    """Pearson's correlation of the predicted and the actual numbers.

    covariance of predicted and truth / (standard deviation of predicted * standard deviation of truth)

    Predictions on another scale, or shifted, have the same correlation.

    Undefined: actual amounts that are not known or do not differ (spread_of_truth = 0), predicted amounts
    that are not known or do not differ (spread_of_predicted = 0).
    Source: Pearson (1896), Philosophical Transactions of the Royal Society A 187, 253-318.
    """
    return _of(_correlation, r) if r.spread_of_predicted else np.nan


@measure(
    aka=("skill_against_the_mean", "modified_coefficient_of_efficiency"),
    range=UP_TO_ONE,
    interval=jackknife(_of_absolute_errors),
    headline=Leading(90, "Skill against the mean"),
)
def absolute_error_skill_score(r: Residuals) -> Any:
    """Relative improvement of the mean absolute error over predicting the mean of the actual numbers.

    1 - sum of |predicted - truth| / sum of |truth - mean of truth|

    0 means no improvement. A few large errors determine it less than r2, which is the same of squared errors.

    Undefined: actual amounts that are not known or do not differ (spread_of_truth = 0).
    Source: Legates and McCabe (1999), Water Resources Research 35, 233-241.
    Differs: d2_absolute_error_score of scikit-learn compares with the median of the actual numbers.
    """
    return _of(_of_absolute_errors, r)


def _of(formula: Any, r: Residuals) -> Any:
    return plain(formula(r.sums)) if r.spread_of_truth else np.nan
