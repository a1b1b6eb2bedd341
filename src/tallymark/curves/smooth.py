"""A smooth reliability curve: local linear regression of the actual class on the probability."""

from __future__ import annotations

import numpy as np

from ..input import validate
from ..measures.families.smooth_calibration import SPAN, local_polynomials, rates_by_probability
from ..summaries import RankingTable
from .curve import Curve
from .of_calibration import SHARE, probabilities_of

MOST_POINTS = 1_000  # at which the curve is fitted


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
    y = local_polynomials(at, x, rate, weight, validate.number(span, "span", 0.01, 1), degree=1)
    ends = float(at[0]), float(at[-1])
    return Curve("smooth_reliability", at, y, at.copy(), "probability", SHARE, ends)
