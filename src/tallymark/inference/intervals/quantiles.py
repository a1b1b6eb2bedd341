"""Quantiles of the normal distribution and of Student's t, mostly without SciPy, which is slow to load."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, pi, pow, sqrt
from statistics import NormalDist

import numpy as np

MANY_DEGREES, FEW_DEGREES, LARGEST_NORMAL = 200.0, 3.0, 3.5
SERIES = {  # by the power of 1 / df: the divisor, and the coefficients of z from its highest power down
    1: (4, (1, 0, 1, 0)),
    2: (96, (5, 0, 16, 0, 3, 0)),
    3: (384, (3, 0, 19, 0, 17, 0, -15, 0)),
    4: (92_160, (79, 0, 776, 0, 1482, 0, -1920, 0, -945, 0)),
    5: (368_640, (27, 0, 339, 0, 930, 0, -1782, 0, -765, 0, 17955, 0)),
}
NEAR, MOST_STEPS = 1e-9, 50  # a relative step of Newton's method after which there is none; steps
SMALLEST, EXACT = 1e-300, 1e-16  # of a continued fraction


@lru_cache(maxsize=64)
def normal_quantile(level: float) -> float:
    """The normal quantile of a two-sided interval: 1.96 at 0.95."""
    return -NormalDist().inv_cdf((1 - level) / 2)


def normal_quantiles(probability: np.ndarray) -> np.ndarray:
    """The normal quantiles of a few thousand probabilities."""
    return np.array([*map(NormalDist().inv_cdf, probability.tolist())])


@lru_cache(maxsize=256)
def student_quantile(level: float, df: float) -> float:
    """The quantile of Student's t with so many degrees of freedom; the normal one for infinity.

    For 200 and more it is a series in 1 / df, for fewer Newton's method from there; both agree with SciPy to
    1e-12. Source: Goldberg and Levine (1946), Annals of Mathematical Statistics 17, 216-225.
    """
    z = normal_quantile(level)
    if df < FEW_DEGREES or z >= LARGEST_NORMAL:
        from scipy.special import stdtrit

        return float(stdtrit(df, (1 + level) / 2))
    start = z + sum(_polynomial(terms, z) / (scale * df**k) for k, (scale, terms) in SERIES.items())
    return start if df >= MANY_DEGREES else _by_newton(start, (1 - level) / 2, df)


def student_quantiles(level: float, df: np.ndarray) -> np.ndarray:
    """The quantiles for an array of degrees of freedom."""
    from scipy.special import stdtrit

    finite = np.isfinite(df)
    return np.where(finite, stdtrit(np.where(finite, df, 1.0), (1 + level) / 2), normal_quantile(level))


def _polynomial(terms: tuple[int, ...], z: float) -> float:
    found = 0.0
    for term in terms:
        found = found * z + term
    return found


def _by_newton(start: float, tail: float, df: float) -> float:
    """Where the upper tail of Student's t is `tail`."""
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(pi)
    t = start
    for _ in range(MOST_STEPS):
        density = scale / sqrt(df) * pow(1 + t * t / df, -(df + 1) / 2)
        step = (_upper_tail(t, df, scale) - tail) / density
        t += step
        if abs(step) <= NEAR * t:
            break
    return t


def _upper_tail(t: float, df: float, scale: float) -> float:
    """By the incomplete beta function. scale: the inverse of the beta function of df / 2 and 1 / 2."""
    x, y, a = df / (df + t * t), t * t / (df + t * t), df / 2
    front = scale * pow(x, a) * sqrt(y)
    if x < (a + 1) / (a + 2.5):
        return front * _fraction(a, 0.5, x) / df
    return 0.5 - front * _fraction(0.5, a, y)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method.

    Source: NIST Digital Library of Mathematical Functions, 8.17.22; Lentz (1976), Applied Optics 15, 668-671.
    """
    ratio, below = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    found, m = below, 0
    while True:
        m += 1
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            below, ratio = 1 / _apart(1 + term * below), _apart(1 + term / ratio)
            found *= below * ratio
        if abs(below * ratio - 1) <= EXACT:
            return found


def _apart(value: float) -> float:
    """The value, but not 0."""
    return value if abs(value) > SMALLEST else SMALLEST
