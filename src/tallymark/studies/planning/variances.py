"""The variance of an estimated area under the ROC curve, and the covariance of two, by model.

Both have three parts: of pairs of cases, of pairs that share their negative, and of pairs that share their
positive; Var = (pair + (positives - 1) same_negative + (negatives - 1) same_positive) / (positives
negatives), and that is exact. Source: Bamber (1975), Journal of Mathematical Psychology 12, 387-415; Hanley
and McNeil (1982), Radiology 143, 29-36, Eq. 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import asin, pi
from statistics import NormalDist
from typing import Any

import numpy as np

NORMAL = NormalDist()
NODES = 64  # of the quadrature


@dataclass(frozen=True)
class Parts:
    """The parts of the variance of an area, or of the covariance of two."""

    pair: float
    same_negative: float
    same_positive: float

    def __call__(self, positives: Any, negatives: Any) -> Any:
        """The variance for these class sizes, numbers or arrays."""
        many = self.pair + (positives - 1) * self.same_negative + (negatives - 1) * self.same_positive
        return many / (positives * negatives)

    def __add__(self, other: Parts) -> Parts:
        return Parts(
            self.pair + other.pair,
            self.same_negative + other.same_negative,
            self.same_positive + other.same_positive,
        )

    def __mul__(self, factor: float) -> Parts:
        return Parts(self.pair * factor, self.same_negative * factor, self.same_positive * factor)


def binormal(area: float, spread_ratio: float) -> Parts:
    """The variance for scores that are normal in each class.

    spread_ratio: the standard deviation of the positives' scores over that of the negatives'.
    """
    return binormal_covariance((area, area), (1.0, 1.0), spread_ratio)


def binormal_covariance(
    areas: tuple[float, float], correlations: tuple[float, float], spread_ratio: float
) -> Parts:
    """The covariance of two areas, for scores that correlate within each class.

    Whether a pair is in order depends on the difference of its scores, which is normal. The differences of
    two pairs that share a case, or both, correlate by the share of their variance that is of this case, times
    the correlation of its two scores.
    """
    h, k = (NORMAL.inv_cdf(area) for area in areas)
    share = spread_ratio**2 / (1 + spread_ratio**2)  # the positives' part of the variance of a difference
    by_positive, by_negative = share * correlations[0], (1 - share) * correlations[1]
    return Parts(*(joint_excess(h, k, r) for r in (by_positive + by_negative, by_negative, by_positive)))


def joint_excess(h: float, k: float, correlation: float) -> float:
    """P(X <= h, Y <= k) - P(X <= h) P(Y <= k) of standard normal X and Y.

    1 / (2 pi) times the integral of exp(-(h^2 + k^2 - 2 h k sin t) / (2 cos^2 t)) from 0 to
    arcsin(correlation).
    Source: Drezner and Wesolowsky (1990), Journal of Statistical Computation and
    Simulation 35, 101-107, Eq. 3.
    """
    nodes, weights = _gauss()
    top = asin(min(correlation, 1.0))
    t = top / 2 * (1 + nodes)
    return (
        float(weights @ np.exp(-(h * h + k * k - 2 * h * k * np.sin(t)) / (2 * np.cos(t) ** 2)))
        * top
        / (4 * pi)
    )


@cache
def _gauss() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(NODES)
