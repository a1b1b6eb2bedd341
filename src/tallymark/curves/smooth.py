"""A smooth reliability curve: local linear regression of the actual class on the probability."""

from __future__ import annotations

import numpy as np

from ..input import validate
from ..measures.families.smooth_calibration import rates_by_probability
from ..summaries import RankingTable
from .curve import Curve
from .of_calibration import SHARE, probabilities_of

SPAN = 0.75  # share of the cases in each window, as in loess of R
MOST_POINTS = 1_000  # at which the curve is fitted
BEYOND = 1 + 1e-6  # so that two cases at the end of the window have some weight, if there are no others


def smooth_reliability(table: RankingTable, *, span: float = SPAN, points: int = 101) -> Curve:
    """Local linear regression of the actual class on the probability (lowess without robustness iterations).

    At each of `points` places of equal distance the line is fitted to the share `span` of the cases that is
    nearest, with tricube weights; values are limited to 0 and 1. Source: Cleveland (1979), JASA 74, 829-836;
    for calibration Austin and Steyerberg (2014), Statistics in Medicine 33, 517-535. Raises InputError where
    the scores are not probabilities.
    """
    known = probabilities_of(table, "smooth_reliability")
    number = validate.whole(points, "points", 2, MOST_POINTS)
    x, rate, weight = rates_by_probability(known)
    at = np.unique(np.linspace(x[0], x[-1], number))
    y = local_lines(at, x, rate, weight, validate.number(span, "span", 0.01, 1))
    ends = float(at[0]), float(at[-1])
    return Curve("smooth_reliability", at, y, at.copy(), "probability", SHARE, ends)


def local_lines(at: np.ndarray, x: np.ndarray, y: np.ndarray, weight: np.ndarray, span: float) -> np.ndarray:
    """The height at each place of the line fitted to its neighbours."""
    far = np.abs(x - at[:, None])
    order = np.argsort(far, axis=1, kind="stable")
    reached = np.cumsum(weight[order], axis=1) >= span * weight.sum() * (1 - 1e-12)
    last = np.take_along_axis(order, reached.argmax(axis=1)[:, None], axis=1)
    window = np.maximum(np.take_along_axis(far, last, axis=1), np.finfo(float).tiny) * BEYOND
    share = weight * (1 - np.minimum(far / window, 1) ** 3) ** 3
    share /= share.sum(axis=1, keepdims=True)
    middle, height = (share * x).sum(axis=1), (share * y).sum(axis=1)
    apart = x - middle[:, None]
    spread = (share * apart**2).sum(axis=1)
    rises = (share * apart * y).sum(axis=1)
    slope = np.divide(rises, spread, out=np.zeros_like(rises), where=spread > 1e-12 * np.ptp(x) ** 2)
    return np.clip(height + slope * (at - middle), 0.0, 1.0)
