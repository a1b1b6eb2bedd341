"""Intervals on an unbounded scale, transformed back into the range of a measure, and the quantiles for them.

Quantiles and tails of the normal distribution, Student's t and chi-square are without SciPy, which takes
longer to load than an evaluation; it is used for what is rare.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp, inf, isnan, lgamma, log, log1p, nan, pi, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from ... import kernels
from ...summaries.ranking import sigmoid

MANY_DEGREES, FEW_DEGREES, LARGEST_NORMAL = 200.0, 3.0, 3.5
SERIES = {  # by the power of 1 / df: the divisor, and the coefficients of z from its highest power down
    1: (4, (1, 0, 1, 0)),
    2: (96, (5, 0, 16, 0, 3, 0)),
    3: (384, (3, 0, 19, 0, 17, 0, -15, 0)),
    4: (92_160, (79, 0, 776, 0, 1482, 0, -1920, 0, -945, 0)),
    5: (368_640, (27, 0, 339, 0, 930, 0, -1782, 0, -765, 0, 17955, 0)),
}
NEAR, MOST_STEPS = 1e-9, 50  # a relative step of Newton's method after which there is none; steps
SMALLEST, EXACT = 1e-300, 2e-16  # of a continued fraction
LARGE = 20.0  # from which a ratio of gamma functions is a series
MOST_FOR_FRACTION = 1e5  # degrees of freedom
LARGEST_SQUARED = 1e150  # a number whose square is finite


@lru_cache(maxsize=64)
def normal_quantile(level: float) -> float:
    """The normal quantile of a two-sided interval: 1.96 at 0.95."""
    return -NormalDist().inv_cdf((1 - level) / 2)


def detectable(error: float, error_at_limit: float, level: float, power: float) -> float:
    """How far from a limit a value is whose interval lies on one side of it with this power.

    error, error_at_limit: the standard errors at the value and at the limit.
    """
    return NormalDist().inv_cdf(power) * error + normal_quantile(level) * error_at_limit


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
    start = z + sum(_polynomial(terms, z) / scale * (1 / df) ** k for k, (scale, terms) in SERIES.items())
    return start if df >= MANY_DEGREES else _by_newton(start, (1 - level) / 2, df)


def student_quantiles(level: float, df: np.ndarray) -> np.ndarray:
    """The quantiles for an array of degrees of freedom."""
    finite = np.isfinite(df)
    if not finite.any():
        return np.full(df.shape, normal_quantile(level))
    from scipy.special import stdtrit

    return np.where(finite, stdtrit(np.where(finite, df, 1.0), (1 + level) / 2), normal_quantile(level))


def _polynomial(terms: tuple[int, ...], z: float) -> float:
    result = 0.0
    for term in terms:
        result = result * z + term
    return result


def student_tail(t: Any, df: float) -> Any:
    """The probability above t, 0 or more, of an array or a number; NaN without degrees of freedom."""
    if df == inf:
        return kernels.normal_cdf(-np.asarray(t, float))
    if df > MOST_FOR_FRACTION:
        return kernels.normal_cdf(-_as_normal(np.asarray(t, float), df))
    found = np.array([_upper_tail(one, df) for one in np.ravel(t).tolist()]).reshape(np.shape(t))
    return found if found.ndim else float(found)


def chi_square_tail(chi: float, df: float) -> float:
    """The probability above a chi-square statistic; NaN without degrees of freedom."""
    if not df > 0:
        return nan
    if df > MANY_DEGREES:
        from scipy.special import chdtrc

        return float(chdtrc(df, chi))
    if isnan(chi) or chi <= 0:
        return nan if isnan(chi) else 1.0
    return _gamma_tail(df / 2, chi / 2) if chi < inf else 0.0


def _gamma_tail(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function. Source: NIST DLMF, 8.11.4 and 8.9.2."""
    front = exp(a * log(x) - x - lgamma(a))
    if x >= a + 1:
        below = x + 1 - a
        ratio, found, k = 1 / SMALLEST, 1 / below, 0
        change, inverse = 0.0, found
        while abs(change - 1) > EXACT:
            k += 1
            below += 2.0
            inverse = 1 / _apart(below - k * (k - a) * inverse)
            ratio = _apart(below - k * (k - a) / ratio)
            change = inverse * ratio
            found *= change
        return front * found
    term = total = 1 / a
    k = 0
    while term > EXACT * total:
        k += 1
        term *= x / (a + k)
        total += term
    return 1 - front * total


def _by_newton(start: float, tail: float, df: float) -> float:
    """Where the upper tail of Student's t is `tail`."""
    scale, t = exp(_log_ratio(df / 2)) / sqrt(pi * df), start
    for _ in range(MOST_STEPS):
        density = scale * exp(-(df + 1) / 2 * log1p(t * t / df))
        step = (_upper_tail(t, df) - tail) / density
        t += step
        if abs(step) <= NEAR * t:
            break
    return t


def _upper_tail(t: float, df: float) -> float:
    """By the incomplete beta function of df / 2 and 1 / 2."""
    if isnan(t) or not df > 0:
        return nan
    if not 0 < t < inf:
        return 0.5 if t == 0 else 0.0
    x, y, a = df / (df + t * t), 1 / (1 + df / (t * t)) if t * t > 0 else 0.0, df / 2
    grown = log1p(t * t / df) if t < LARGEST_SQUARED else 2 * log(t) - log(df)
    front = exp(_log_ratio(a) - a * grown) * sqrt(y / pi)
    if x < (a + 1) / (a + 2.5):
        return front * _fraction(a, 0.5, x) / df
    return 0.5 - front * _fraction(0.5, a, y)


def _as_normal(t: np.ndarray, df: float) -> np.ndarray:
    """The normal deviate with the same tail. Source: Hill (1970), Communications of the ACM 13, 617-619."""
    a = df - 0.5
    b, w = 48 * a * a, np.sqrt(a * np.log1p(np.minimum(t, LARGEST_SQUARED) ** 2 / df))
    with np.errstate(invalid="ignore"):
        further = (4 * w**7 + 33 * w**5 + 240 * w**3 + 855 * w) / (b + 0.8 * w**4 + 100) / (10 * b)
        return np.where(np.isinf(t), t, w + (w**3 + 3 * w) / b - further)


def _log_ratio(a: float) -> float:
    """The logarithm of the gamma function at a + 1/2, less that at a: for large ones an asymptotic series."""
    if a < LARGE:
        return lgamma(a + 0.5) - lgamma(a)
    terms = (-1 / 8, 1 / 192, -1 / 640, 17 / 14336)
    return log(a) / 2 + sum(term / a ** (2 * k + 1) for k, term in enumerate(terms))


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method.

    Source: NIST Digital Library of Mathematical Functions, 8.17.22; Lentz (1976), Applied Optics 15, 668-671.
    """
    ratio, below = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    result, m = below, 0
    while True:
        m += 1
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            below, ratio = 1 / _apart(1 + term * below), _apart(1 + term / ratio)
            result *= below * ratio
        if abs(below * ratio - 1) <= EXACT:
            return result


def _apart(value: float) -> float:
    """The value, but not 0."""
    return value if abs(value) > SMALLEST else SMALLEST


LARGEST_STEP = 700.0  # larger arguments of exp overflow
ROUNDING = 1e-12  # relative spread due to rounding
STEP = 1e-3  # of a standard error, in a numerical derivative


def error_of_function(function: Callable[..., Any], value: Any, error: Any) -> Any:
    """The standard error of a function of a value, to first order (delta method).

    It is the derivative times the error of the value.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        up, down = function(value + STEP * error), function(value - STEP * error)
        return np.abs(np.subtract(up, down)) / (2 * STEP)


class Scale:
    """An unbounded scale for a range.

    The logit between two ends, the log from or to one, and no transformation where there are none.
    """

    def __init__(self, ends: tuple[float, float]):
        self.low, self.high = ends

    def to(self, value: Any) -> Any:
        """From the range to the scale."""
        if self.high == inf:
            return value if self.low == -inf else np.log(np.subtract(value, self.low))
        if self.low == -inf:
            return -np.log(np.subtract(self.high, value))
        return np.log(np.subtract(value, self.low)) - np.log(np.subtract(self.high, value))

    def inside(self, value: Any) -> Any:
        """Whether the value is within the range, not at an end of it, which is infinite on the scale."""
        return (self.low < value) & (value < self.high)

    def slope(self, value: Any) -> Any:
        """The derivative of the scale: an error on it is the error times this."""
        if self.low == -inf and self.high == inf:
            return np.ones_like(value, float) if np.ndim(value) else 1.0
        return 1 / (value - self.low) + 1 / (self.high - value)  # 0 for an unbounded side

    @property
    def name(self) -> str:
        """The suffix in the name of a method."""
        ends = (self.low > -inf) + (self.high < inf)
        return ("", "-log", "-logit")[ends]

    def back(self, value: Any) -> Any:
        """From the scale to the range."""
        if self.high == inf:
            return value if self.low == -inf else self.low + np.exp(np.minimum(value, LARGEST_STEP))
        if self.low == -inf:
            return self.high - np.exp(np.minimum(np.negative(value), LARGEST_STEP))
        return self.low + (self.high - self.low) * sigmoid(value)

    def around(self, value: Any, error: Any, level: float, df: Any = inf) -> Any:
        """The ends value +- t * error on the scale, the error times its slope (delta method).

        z in place of t with infinite degrees of freedom. All may be arrays.
        """
        quantile = student_quantiles if isinstance(df, np.ndarray) else student_quantile
        step = quantile(level, df) * error * self.slope(value)
        with np.errstate(over="ignore"):
            return tuple(self.back(self.to(value) + side * step) for side in (-1, 1))
