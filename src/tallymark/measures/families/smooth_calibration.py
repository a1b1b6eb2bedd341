"""Calibration errors against a smooth curve, a local quadratic regression on the probability."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...summaries import RankingTable
from ..registry import Needs, measure, ratio
from .bins import EqualMass, of_equal_mass

SPAN = 0.75  # share of the cases in each window, as in loess of R
MOST_SCORES = 2_000  # distinct probabilities; of more, the means of groups of neighbours
AT_ONCE = 1 << 18  # cells of a window at once
BEYOND = 1 + 1e-6  # so that the cases at the end of the window have some weight
SMALL = 1e-10  # eigenvalues below this, relative to the largest, are 0
HALF, NINE_TENTHS = 0.5, 0.9
UP_TO_ROUNDING = 1e-12
OF_GROUPS = Needs((EqualMass(MOST_SCORES),))


def local_polynomials(
    at: np.ndarray, x: np.ndarray, y: np.ndarray, weight: np.ndarray, span: float = SPAN, degree: int = 2
) -> np.ndarray:
    """The height at each place of the polynomial fitted to its neighbours with tricube weights, from 0 to 1.

    The window holds the share `span` of the cases. Source: Cleveland and Devlin (1988), Journal of the
    American Statistical Association 83, 596-610.
    """
    fitted, rows = np.empty(len(at)), max(AT_ONCE // max(len(x), 1), 1)
    for start in range(0, len(at), rows):
        fitted[start : start + rows] = _fitted(at[start : start + rows], x, y, weight, span, degree)
    return np.clip(fitted, 0.0, 1.0)


def _fitted(
    at: np.ndarray, x: np.ndarray, y: np.ndarray, weight: np.ndarray, span: float, degree: int
) -> np.ndarray:
    far, terms = np.abs(x - at[:, None]), degree + 1
    order = np.argsort(far, axis=1, kind="stable")
    reached = np.cumsum(weight[order], axis=1) >= span * weight.sum() * (1 - UP_TO_ROUNDING)
    last = np.take_along_axis(order, reached.argmax(axis=1)[:, None], axis=1)
    window = np.maximum(np.take_along_axis(far, last, axis=1), np.finfo(float).tiny) * BEYOND
    near = np.clip((x - at[:, None]) / window, -1, 1)  # cases outside the window have no weight
    share = weight * _cube(1 - _cube(np.abs(near)))
    share /= share.sum(axis=1, keepdims=True)
    middle = (share * near).sum(axis=1, keepdims=True)
    near -= middle  # so that the lowest degrees come first where few cases are there
    powers, sums = np.empty((2, len(at), 2 * degree + 1))
    for k in range(2 * degree + 1):
        powers[:, k], sums[:, k] = share.sum(axis=1), share @ y
        share *= near
    moments = powers[:, np.add.outer(range(terms), range(terms))]
    inverse = np.linalg.pinv(moments, rcond=SMALL, hermitian=True)
    return np.einsum("ij,ijk,ik->i", (-middle) ** np.arange(terms), inverse, sums[:, :terms])


def _cube(values: Any) -> Any:
    return values * values * values  # much faster than values**3


def _gaps(t: RankingTable) -> tuple[np.ndarray, np.ndarray]:
    """The differences of the probabilities from the curve, ascending, and the weight of each."""
    key = "gaps of the smooth curve"
    if key not in t.kept:
        x, rate, weight = rates_by_probability(t)
        gap = np.abs(local_polynomials(x, x, rate, weight) - x)
        order = np.argsort(gap, kind="stable")
        t.kept[key] = gap[order], weight[order]
    return t.kept[key]


def rates_by_probability(t: RankingTable) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ascending probabilities, the rate of positives and the weight at each."""
    if len(t) > MOST_SCORES:
        bins = of_equal_mass(t, MOST_SCORES)
        there = bins.weight > 0
        weight = bins.weight[there]
        return bins.expected[there] / weight, bins.positive[there] / weight, weight
    weight = np.asarray(t.positive + t.negative, float)
    there = (weight > 0)[::-1]
    weight = weight[::-1][there]
    return t.probability[::-1][there], np.asarray(t.positive, float)[::-1][there] / weight, weight


def _of_each(t: RankingTable, function: Callable[[RankingTable], float]) -> Any:
    """The value, or that of each resample."""
    if t.positive.ndim == 1:
        return function(t)
    parts = zip(t.positive, t.negative, strict=True)
    return np.array([_of_each(t.of(t.score, *part), function) for part in parts])


def _mean(t: RankingTable) -> float:
    gap, weight = _gaps(t)
    return float(ratio(float(gap @ weight), float(weight.sum())))


def _quantile(share: float, t: RankingTable) -> float:
    """The smallest difference that the share of the cases does not exceed."""
    gap, weight = _gaps(t)
    reached = np.cumsum(weight)
    if not len(gap) or not reached[-1] > 0:
        return np.nan
    return float(gap[np.searchsorted(reached, share * reached[-1] * (1 - UP_TO_ROUNDING))])


@measure(aka=("ici",), best=0.0, interval="smooth-deviations", scores="probability", needs=OF_GROUPS)
def integrated_calibration_index(t: RankingTable) -> Any:
    """Mean absolute difference of the predicted probability and a smooth curve of the share of positives.

    mean of |p - curve(p)|

    The curve is a local quadratic regression with tricube weights over the nearest three quarters of the
    cases. It is above 0 for calibrated probabilities, too, the more so the fewer the cases. With more than
    2,000 distinct probabilities the curve is fitted to the means of as many groups of neighbours.

    Undefined: no cases (positives + negatives = 0).
    Source: Austin and Steyerberg (2019), Statistics in Medicine 38, 4051-4065.
    Differs: loess of R interpolates between places at which it fits; windows there hold a whole number of
    cases, rounded down.
    """
    return _of_each(t, _mean)


@measure(aka=("e50",), best=0.0, interval="smooth-deviations", scores="probability", needs=OF_GROUPS)
def median_calibration_error(t: RankingTable) -> Any:
    """Median absolute difference of the predicted probability and a smooth curve of the share of positives.

    smallest d with |p - curve(p)| <= d for half of the cases

    The curve is that of integrated_calibration_index.

    Undefined: no cases (positives + negatives = 0).
    Source: Austin and Steyerberg (2019), Statistics in Medicine 38, 4051-4065.
    Differs: R takes the middle of the two middle differences of an even number of cases.
    """
    return _of_each(t, partial(_quantile, HALF))


@measure(aka=("e90",), best=0.0, interval="smooth-deviations", scores="probability", needs=OF_GROUPS)
def e90_calibration_error(t: RankingTable) -> Any:
    """Ninetieth percentile of the absolute difference of the predicted probability and a smooth curve.

    smallest d with |p - curve(p)| <= d for nine tenths of the cases

    The curve is that of integrated_calibration_index.

    Undefined: no cases (positives + negatives = 0).
    Source: Austin and Steyerberg (2019), Statistics in Medicine 38, 4051-4065.
    Differs: R interpolates between differences (quantiles of type 7).
    """
    return _of_each(t, partial(_quantile, NINE_TENTHS))
