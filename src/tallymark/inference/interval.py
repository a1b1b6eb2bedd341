"""The interval of an estimate: scales and quantiles, proportions, areas, settings that select a method."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import exp, inf, isnan, lgamma, log, log1p, nan, pi, sqrt
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np

from .. import kernels
from ..input import validate
from ..input.arguments import DESIGNS, VALIDITIES, AucInterval, Design, Proportion, Validity
from ..input.calls import constructor
from ..input.messages import Note, in_array, joined, of_code
from ..input.names import listed
from ..measures.families.ranking import roc_auc
from ..measures.registry import Average, get, plain, ratio
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from ..summaries.passes import PAIRS, Block, Sum, collected
from ..summaries.ranking import Squares, sigmoid
from .covariance import Sampling, codes_of, deciding, few_cases, of_squares, sampling_of, sums_by
from .results import Estimate, Interval, no_interval

# Intervals on an unbounded scale, transformed back into the range of a measure, and the quantiles for them
# --------------------------------------------------------------------------------------------------
#
# Quantiles and tails of the normal distribution, Student's t and chi-square are without SciPy, which takes
# longer to load than an evaluation; it is used for what is rare.

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


# Intervals of a proportion: x of n, numbers or arrays; NaN where n is 0
# --------------------------------------------------------------------------------------------------

ENOUGH_FOR_WALD = 5  # there must be more cases on either side. Source: Berrar, Def. 36
FEW_FOR_WALD = Note("wald-condition")
CUT = Note("bound-cut")
NO_WIDTH = Note("all-on-one-side")


@listed(
    "interval",
    "tm.evaluate(..., proportion='wilson')",
    name="wilson",
    aka=("wilson_score", "score_interval"),
    command="--proportion wilson",
)
def wilson(x: Any, n: Any, level: float) -> tuple[Any, Any]:
    """Wilson's score interval: the proportions that a score test at this level would not reject.

    Good from the smallest n on; not conservative. Source: Wilson (1927); Brown, Cai and DasGupta (2001), Eq.
    4.
    """
    z2 = normal_quantile(level) ** 2
    centre = ratio(x + z2 / 2, n + z2)
    half = np.sqrt(z2) / (n + z2) * np.sqrt(ratio(x * (n - x), n) + z2 / 4)
    # At the ends the bound is exactly 0 or 1; rounding must not leave it just outside or inside.
    low = np.where(x == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(x == n, 1.0, np.minimum(centre + half, 1.0))
    return _undefined_without_cases(n, low, high)


@listed(
    "interval",
    "tm.evaluate(..., proportion='clopper-pearson')",
    name="clopper-pearson",
    aka=("exact_binomial", "exact_interval", "binomial_exact"),
    command="--proportion clopper-pearson",
    terms=(
        "f_distribution",
        "exact_interval_for_a_proportion",
    ),
)
def clopper_pearson(x: Any, n: Any, level: float) -> tuple[Any, Any]:
    """The exact interval: each binomial tail at its bound is (1 - level) / 2.

    Its coverage is never below the level.
    Source: Clopper and Pearson (1934); Berrar, Def. 37, there by the F
    distribution, here by the beta: the same numbers.
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = np.where(x == 0, 0.0, betaincinv(np.where(x == 0, 1.0, x), n - x + 1.0, tail))
    high = np.where(x == n, 1.0, betaincinv(x + 1.0, np.where(x == n, 1.0, n - x), 1 - tail))
    return _undefined_without_cases(n, low, high)


@listed(
    "interval",
    "tm.evaluate(..., proportion='jeffreys')",
    name="jeffreys",
    aka=("jeffreys_prior",),
    command="--proportion jeffreys",
)
def jeffreys(x: Any, n: Any, level: float) -> tuple[Any, Any]:
    """The equal-tailed credible interval under Jeffreys' prior: quantiles of Beta(x + 1/2, n - x + 1/2).

    It is 0 at x = 0 and 1 at x = n, since the posterior quantiles would exclude the observed value there, as
    they would at a level near 0: the interval always contains it.
    Source: Brown, Cai and DasGupta (2001),
    section 3.1.2 and the remark on the ends in 4.1.
    Differs: statsmodels does not change the ends; binom's
    "bayes" is the shortest interval instead.
    """
    from scipy.special import betaincinv

    tail, p = (1 - level) / 2, ratio(x, n)
    low, high = (betaincinv(x + 0.5, n - x + 0.5, share) for share in (tail, 1 - tail))
    return _undefined_without_cases(
        n, np.where(x == 0, 0.0, np.minimum(low, p)), np.where(x == n, 1.0, np.maximum(high, p))
    )


@listed(
    "interval",
    "tm.evaluate(..., proportion='agresti-coull')",
    name="agresti-coull",
    aka=("adjusted_wald", "add_two_successes"),
    command="--proportion agresti-coull",
)
def agresti_coull(x: Any, n: Any, level: float) -> tuple[Any, Any]:
    """Wald's interval after z^2 / 2 cases are added on each side.

    It is centred at Wilson's centre, and never narrower than Wilson's.

    Cut at 0 and 1, beyond which it reaches near the ends: at x = 0 and x = n always.
    Source: Agresti and Coull (1998); Brown, Cai and DasGupta (2001), Eq. 5.
    Differs: binom does not cut it; statsmodels and DescTools do.
    """
    z2 = normal_quantile(level) ** 2
    low, high = _cut(*_by_normal(x + z2 / 2, n + z2, level))
    # equal up to rounding
    return _undefined_without_cases(n, np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high))


@listed(
    "interval",
    "tm.evaluate(..., proportion='wald')",
    name="wald",
    aka=("normal_approximation", "simple_asymptotic"),
    command="--proportion wald",
    terms=("approximate_interval_for_a_proportion",),
)
def wald(x: Any, n: Any, level: float) -> tuple[Any, Any]:
    """p +- z sqrt(p (1 - p) / n), clipped to [0, 1]: the textbook interval, with the lowest coverage.

    NaN where x is 0 or n, where it has no width. It requires n p > 5 and n (1 - p) > 5; `remarks` notes where
    that fails.
    Source: Berrar, Def. 36.
    """
    seen = (x > 0) & (x < n)
    low, high = _cut(*_by_normal(x, n, level))
    return np.where(seen, low, np.nan), np.where(seen, high, np.nan)


def _by_normal(x: Any, n: Any, level: float) -> tuple[Any, Any]:
    p = ratio(x, n)
    half = normal_quantile(level) * error_of(x, n, "wald")
    return p - half, p + half


def _cut(low: Any, high: Any) -> tuple[Any, Any]:
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def _undefined_without_cases(n: Any, low: Any, high: Any) -> tuple[Any, Any]:
    return np.where(n == 0, np.nan, low), np.where(n == 0, np.nan, high)


METHODS = {
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
    "jeffreys": jeffreys,
    "agresti-coull": agresti_coull,
    "wald": wald,
}


def remarks(level: float, method: str, x: Any, n: Any) -> np.ndarray:
    """The notes on Wald's interval: where it is approximate, where a bound was clipped, why there is none.

    None for other methods.
    """
    if method != "wald":
        return np.full(np.shape(x), None)
    x, n = np.asarray(x), np.asarray(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = _by_normal(x, n, level)
        fewest = np.minimum(x, n - x)
        # a sum of flags: 1 where a bound is clipped, 2 where there are few cases, 4 without an interval
        faults = ((low < 0) | (high > 1)) + 2 * (fewest <= ENOUGH_FOR_WALD) + 4 * (fewest <= 0)
    return in_array(WALD_SAYS)[np.minimum(faults, len(WALD_SAYS) - 1)]


WALD_SAYS = (None, CUT, FEW_FOR_WALD, (FEW_FOR_WALD, CUT), NO_WIDTH)


def interval(x: float, n: float, level: float, method: str) -> Interval:
    """The interval of a single proportion, with its notes."""
    low, high = METHODS[method](x, n, level)
    (notes,) = remarks(level, method, [x], [n])
    return (
        no_interval(notes)
        if np.isnan(low)
        else Interval(float(low), float(high), method, notes, error_of(x, n, method))
    )


def error_of(x: Any, n: Any, method: str) -> Any:
    """The standard error of the method: for Wald's sqrt(p (1 - p) / n); None for the others."""
    p = ratio(x, n)
    return np.sqrt(ratio(p * (1 - p), n)) if method == "wald" else None


# Quantiles and standard deviations of replicates, along their first axis
# --------------------------------------------------------------------------------------------------

MOST_CASES = 1e15  # to draw: the interval has no width with more
HALF_A_CASE = 0.5  # Jeffreys' prior for each cell


def percentiles(values: np.ndarray, level: float) -> np.ndarray:
    """The interval that contains the middle `level` of the replicates, along the first axis."""
    return quantiles(values, np.array([(1 - level) / 2, (1 + level) / 2]))


def quantiles(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """As np.quantile along the first axis, which loads numpy.ma: a row per share, NaN where there is one."""
    place = (len(values) - 1) * shares
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, len(values) - 1)
    low, high = np.partition(values, np.unique([below, above]), axis=0)[[below, above]]
    part = (place - below).reshape(-1, *[1] * (values.ndim - 1))
    with np.errstate(invalid="ignore"):  # infinities
        found = np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1 - part))
    return np.where(np.isnan(values).any(axis=0), np.nan, found)


def deviation(values: np.ndarray) -> float:
    """The standard deviation of the defined replicates.

    NaN where fewer than two are defined, or one is infinite.
    """
    known = values[~np.isnan(values)]
    with np.errstate(invalid="ignore"):
        return float(np.std(known, ddof=1)) if len(known) > 1 else np.nan


# The area under the ROC curve: its variance, and intervals from it or from the area and the class sizes
# --------------------------------------------------------------------------------------------------


def delong_variance(table: RankingTable) -> Any:
    """DeLong's variance of the AUC, in one pass over the sorted table.

    It is NaN where a class has a single case. Var = S10 / positives + S01 / negatives, S10 being the variance
    over the positives of the proportion of negatives with a lower score (a tie counts 1/2), and S01 the same
    over the negatives; for importance weights w the variance of the mean over a class is sum w^2 (x - mean)^2
    / (sum w)^2, times k / (k - 1) for the effective number k of its cases. For a table with leading axes an
    array, one per replicate.
    Source: DeLong, DeLong and Clarke-Pearson (1988); by ranks: Sun and Xu (2014).
    """
    if table.positive.ndim == 1:
        return collected(table, PLACEMENTS)
    counts, area = table.sweep(), np.asarray(roc_auc(table))
    # The mean of the counts just above a score and at it: those below, and half of those tied with it.
    beaten, beating = counts.tn[..., 1:] + counts.tn[..., :-1], counts.tp[..., 1:] + counts.tp[..., :-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes = table.effective_positives, table.effective_negatives
        found = _variance_of_mean(
            table.squared.positive, table.positives, sizes[0], beaten, table.negatives, area
        )
        found = found + _variance_of_mean(
            table.squared.negative, table.negatives, sizes[1], beating, table.positives, area
        )
    found = np.where(np.minimum(*sizes) > 1, found, np.nan)
    return found if found.ndim else found.item()


@dataclass(frozen=True)
class PlacementSums:
    """The same of a table without replicates, from sums of the squared distances to the mean of a block."""

    def part(self, block: Block) -> list[tuple[float, float, float]]:
        """Of both classes the sum of squared weights, the mean, and the sum of squared distances to it."""
        sums = block.curve_sums
        return [*zip(sums.squares, sums.mean, sums.spread, strict=True)]

    def merged(self, table: RankingTable, parts: list[list[tuple[float, float, float]]]) -> float:
        sizes = table.effective_positives, table.effective_negatives
        if min(sizes) <= 1:
            return np.nan
        total, mean, spread = np.moveaxis(np.array(parts), -1, 0)
        sums = (spread + total * np.square(mean - roc_auc(table))).sum(0)
        totals = float(table.positives), float(table.negatives)
        return float(
            sum(
                of_squares(part, size, of_class)
                for part, size, of_class in zip(sums, sizes, totals, strict=True)
            )
        )


PLACEMENTS = PlacementSums()


def _variance_of_mean(
    squares: np.ndarray, total: Any, size: Any, twice: np.ndarray, others: Any, mean: np.ndarray
) -> np.ndarray:
    """The variance of a weighted mean over a class.

    squares: of the weights; size: the effective one; twice: twice the weight of the others with a lower
    score, overwritten; others: their total weight.
    """
    twice *= np.asarray(0.5 / np.asarray(others))[..., None]
    twice -= mean[..., None]
    twice *= twice
    return of_squares(np.einsum("...i,...i->...", squares, twice), np.asarray(size), np.asarray(total))


def tied_share(table: RankingTable) -> Any:
    """The proportion of pairs of a positive and a negative with the same score.

    With leading axes one per replicate.
    """
    if table.positive.ndim == 1:
        tied = collected(table, PAIRS)[2]
    else:
        tied = np.einsum("...i,...i->...", table.positive * 1.0, table.negative)
    return tied / (np.asarray(table.positives) * 1.0 * table.negatives)


def hanley_mcneil_variance(area: float, positives: float, negatives: float) -> float:
    """The variance of the AUC from the AUC and the class sizes, for exponential scores.

    (A (1 - A) + (positives - 1) (Q1 - A^2) + (negatives - 1) (Q2 - A^2)) / (positives negatives), where Q1 =
    A / (2 - A) is the probability that two positives score higher than one negative, and Q2 = 2 A^2 / (1 + A)
    that one positive scores higher than two negatives.
    Source: Hanley and McNeil (1982), Eq. 1 and 2. It is
    written as A (1 - A) times a factor: Q1 - A^2 = A (1 - A)^2 / (2 - A), and Q2 - A^2 = A^2 (1 - A) / (1 +
    A), to avoid cancellation near 0 and 1.
    """
    inner = 1 + (positives - 1) * (1 - area) / (2 - area) + (negatives - 1) * area / (1 + area)
    return area * (1 - area) * inner / (positives * negatives)


def newcombe_variance(area: Any, positives: Any, negatives: Any) -> Any:
    """The same with both class sizes in the inner terms replaced by their mean.

    It is then symmetric in the classes.
    Source: Newcombe (2006), Statistics in Medicine 25, 559-573, his
    method 5.
    """
    inner = 1 + ((positives + negatives) / 2 - 1) * ((1 - area) / (2 - area) + area / (1 + area))
    return area * (1 - area) * inner / (positives * negatives)


def newcombe_bounds(
    area: float, positives: float, negatives: float, level: float, times: float = 1.0
) -> tuple[float, float]:
    """Newcombe's pseudo-score interval (his method 5), which never has width 0.

    It needs the AUC and the class sizes alone. The bounds solve |area - theta| = z sqrt(V(theta)), V being
    his variance at theta, times a factor.
    """
    limit = normal_quantile(level) ** 2 * times

    def rejected(theta: float) -> bool:
        return (area - theta) ** 2 > limit * newcombe_variance(theta, positives, negatives)

    return _edge(rejected, 0.0, area), _edge(rejected, 1.0, area)


def with_halves(table: RankingTable) -> RankingTable:
    """The table with half a negative above all scores and half a positive below, also with leading axes.

    Its scores are ranks.
    """
    (positive, negative), squares = halves_added(table)
    return RankingTable.of(np.arange(positive.shape[-1], 0.0, -1.0), positive, negative, squares)


def halves_added(table: RankingTable) -> tuple[tuple[np.ndarray, np.ndarray], Squares | None]:
    """The weights with half a case added, and their squares.

    It is added in front for the negatives and at the end for the positives. A case has the weight sum of
    squares / sum of weights of its class, so that one more increases the effective number by one.
    """
    end = np.zeros((*table.positive.shape[:-1], 1))
    units = [_unit(*part) for part in zip(table.squared, (table.positive, table.negative), strict=True)]

    def padded(positive: np.ndarray, negative: np.ndarray, power: int) -> tuple[np.ndarray, np.ndarray]:
        halves = [end + HALF_A_CASE * unit**power for unit in units]
        return np.concatenate([end, positive, halves[0]], axis=-1), np.concatenate(
            [halves[1], negative, end], axis=-1
        )

    squares = None if table.squares is None else Squares(*padded(*table.squares, 2))
    return padded(table.positive, table.negative, 1), squares


def _unit(squares: np.ndarray, weight: np.ndarray) -> Any:
    """The weight of a case of a class; 1 where weights are numbers of cases, or there are none."""
    if squares is weight:
        return 1.0
    total = weight.sum(-1, keepdims=True)
    return np.where(total > 0, ratio(squares.sum(-1, keepdims=True), total), 1.0)


def shape_of(table: RankingTable) -> Any:
    """DeLong's variance over Newcombe's, both for the table with halves.

    It is a factor for `newcombe_bounds`, which then uses DeLong's estimate of the spread of the scores.
    """
    pulled = with_halves(table)
    return delong_variance(pulled) / newcombe_variance(
        roc_auc(pulled), pulled.effective_positives, pulled.effective_negatives
    )


def separated(fewer: float, level: float) -> float:
    """The exact lower bound of the AUC under perfect separation: ((1 - level) / 2) ^ (1 / fewer).

    fewer: cases of the smaller class. Pair each of its cases with another one of the larger class. If all
    cases are separated, so are these pairs, which are independent of one another: P(separated) <= P(a
    positive scores higher)^fewer <= AUC^fewer, whatever the distributions are. So where the AUC is below the
    bound, fewer than (1 - level) / 2 of samples are separated. The bound is sharp: where the larger class
    always scores 0, and the smaller 1 with probability AUC, else -1, it holds with equality. It is that of
    Clopper and Pearson for `fewer` successes of as many.

    If all scores are tied, so are these pairs, and P(all tied) <= P(a pair is tied)^fewer. As |AUC - 1/2| <=
    (1 - P(tied)) / 2, the AUC lies between bound / 2 and 1 - bound / 2.
    """
    return ((1 - level) / 2) ** (1 / fewer)


def _edge(rejected: Callable[[float], bool], outside: float, inside: float, steps: int = 60) -> float:
    """The edge of the rejected values, by bisection between an end of the range and the estimate."""
    if outside == inside:
        return inside
    for _ in range(steps):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if rejected(middle) else (outside, middle)
    return inside


FEW_CASES = 10  # of a class, for the notice on them
FEW_MISPLACED = 2  # cases of the smaller class on the wrong side
FEW_FOR_PLAIN = 5  # the same, for a symmetric interval
UNLIKE = 3  # ratio of the class sizes
HALF = 0.5
SEPARATED = Note("separated")
TIED = Note("scores-all-tied")
MISPLACED = Note("few-misplaced")
ONE_CASE = Note("one-case-in-a-class")
OTHER_SHAPES = Note("class-sizes-unlike")


@dataclass(frozen=True, slots=True)
class Area:
    """An area under the ROC curve, and the quantities for its interval.

    variance: by DeLong, NaN with one case in a class; tied: the proportion of pairs with the same score;
    positives, negatives: the class sizes; shape: a function that returns `shape_of`; df, doubt: the
    degrees of freedom of DeLong's variance, which may be few with weights, and the note on that.
    """

    value: float
    variance: float
    tied: float
    positives: float
    negatives: float
    shape: Callable[[], float]
    df: float = inf
    doubt: Note | None = None

    @property
    def fewer(self) -> float:
        """The number of cases in the smaller class."""
        return min(self.positives, self.negatives)

    @property
    def misplaced(self) -> float:
        """The number of misplaced cases of the smaller class, on average.

        Where it is small the variance is uncertain.
        """
        return self.fewer * min(self.value, 1 - self.value)

    @property
    def few(self) -> Note | None:
        """The note that the interval may be too narrow, as where few cases have scores of their own."""
        untied = self.fewer * (1 - self.tied)
        return self.doubt if self.tied < HALF else few_cases(untied) or self.doubt


def of_area(area: Area, level: float, method: str) -> Interval:
    """The interval by this method; exact instead where the variance is 0."""
    at_an_end = min(area.value, 1 - area.value) <= ROUNDING
    by_delong = method.startswith("delong")
    if method != "newcombe" and (at_an_end or (by_delong and area.variance <= ROUNDING**2)):
        return _exact(area, level)
    if by_delong and isnan(area.variance):
        return _newcombe(area, level, "newcombe", ONE_CASE)
    return AREA_METHODS[method](area, level)


def _exact(area: Area, level: float) -> Interval:
    bound = separated(area.fewer, level)
    if abs(area.value - HALF) < HALF / 2:
        return Interval(bound / 2, 1 - bound / 2, "exact", TIED)
    low, high = (bound, 1.0) if area.value > HALF else (0.0, 1 - bound)
    return Interval(min(low, area.value), max(high, area.value), "exact", SEPARATED)


def _newcombe(area: Area, level: float, method: str, note: Note | None, times: float = 1.0) -> Interval:
    low, high = newcombe_bounds(area.value, area.positives, area.negatives, level, times)
    return Interval(low, high, method, note)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='delong-logit')",
    name="delong-logit",
    aka=("logit_delong",),
    command="--auc-interval delong-logit",
)
def delong_logit(area: Area, level: float) -> Interval:
    """DeLong's variance on the logit scale: within (0, 1), and skewed near the ends.

    For weighted cases with Student's t. Where few cases are misplaced, so that the variance is uncertain,
    Newcombe's pseudo-score interval with DeLong's variance in place of his: its coverage is at least the
    nominal one there (docs/intervals.md).
    """
    if area.misplaced < FEW_MISPLACED:
        wider = (student_quantile(level, area.df) / normal_quantile(level)) ** 2
        return _newcombe(area, level, "delong-score", area.few or MISPLACED, area.shape() * wider)
    error = sqrt(area.variance)
    low, high = Scale((0.0, 1.0)).around(area.value, error, level, area.df)
    return Interval(low, high, "delong-logit" if area.df == inf else "delong-logit-t", area.few, error)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='delong')",
    name="delong",
    aka=("ci_auc",),
    command="--auc-interval delong",
)
def plain_delong(area: Area, level: float) -> Interval:
    """area +- z times DeLong's standard error, clipped to [0, 1].

    Source: DeLong and others (1988).
    """
    return _plain(area, area.variance, level, "delong", area.few)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='hanley-mcneil')",
    name="hanley-mcneil",
    aka=("hanley_and_mcneil",),
    command="--auc-interval hanley-mcneil",
)
def hanley_mcneil(area: Area, level: float) -> Interval:
    """area +- z times Hanley and McNeil's standard error, clipped to [0, 1].

    It follows from the area and the class sizes. Source: Hanley and McNeil (1982).
    """
    variance = hanley_mcneil_variance(area.value, area.positives, area.negatives)
    return _plain(area, variance, level, "hanley-mcneil", _of_unlike_sizes(area))


def _plain(area: Area, variance: float, level: float, method: str, note: Note | None) -> Interval:
    error = sqrt(variance)
    step = normal_quantile(level) * error
    low, high = area.value - step, area.value + step
    few = deciding(area.misplaced) if area.misplaced < FEW_FOR_PLAIN else None
    notes = joined(few or note, CUT if low < 0 or high > 1 else None)
    return Interval(max(low, 0.0), min(high, 1.0), method, notes, error)


@listed(
    "interval",
    "tm.evaluate(..., auc_interval='newcombe')",
    name="newcombe",
    aka=("newcombe_pseudo_score",),
    command="--auc-interval newcombe",
)
def newcombe(area: Area, level: float) -> Interval:
    """Newcombe's pseudo-score interval, from the area and the class sizes alone."""
    return _newcombe(area, level, "newcombe", _of_unlike_sizes(area))


def _of_unlike_sizes(area: Area) -> Note | None:
    return OTHER_SHAPES if max(area.positives, area.negatives) > UNLIKE * area.fewer else None


AREA_METHODS = {
    "delong-logit": delong_logit,
    "delong": plain_delong,
    "hanley-mcneil": hanley_mcneil,
    "newcombe": newcombe,
}


# The registry of kinds of intervals, and the settings of a user
# --------------------------------------------------------------------------------------------------

NO_SEQUENCE = Note("no-confidence-sequence")
INFINITE = ("mapped", "average")  # kinds of values that may be infinite, besides those of Counts


@constructor
@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of confidence intervals.

    Parameters
    ----------
    level : float, default 0.95
        Confidence level, above 0 and below 1.
    proportion : {"wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"}, default "wilson"
        Method for proportions.
    seed : int, default 0
        Seed of the resampling.
    auc_interval : {"delong-logit", "delong", "hanley-mcneil", "newcombe"}, default "delong-logit"
        Method for the area under the ROC curve and its functions.
    design : {"cohort", "case-control"}, default "cohort"
        "cohort": the class mix varies from sample to sample; "case-control": the class sizes are fixed.
    valid : {"fixed", "anytime"}, default "fixed"
        "anytime": confidence sequences, which hold at all numbers of cases together, and no interval for
        measures that have none.

    Raises
    ------
    InputError
        For a level or a seed out of range, and for an unknown name.
    """

    level: float = 0.95
    proportion: Proportion = "wilson"
    seed: int = 0
    auc_interval: AucInterval = "delong-logit"
    design: Design = "cohort"
    valid: Validity = "fixed"

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", validate.level(self.level))
        validate.choice(self.proportion, METHODS, "proportion")
        object.__setattr__(self, "seed", validate.seed(self.seed))
        validate.choice(self.auc_interval, AREA_METHODS, "auc_interval")
        validate.choice(self.design, DESIGNS, "design")
        validate.choice(self.valid, VALIDITIES, "valid")


@dataclass(frozen=True, slots=True)
class Question:
    """The input of an interval method: a measure with its parameters bound, its value and summary.

    cases: the effective number of cases for the proportion of positives, if it is not that of the summary;
    sampling: how the cases of the cells were sampled, by
    default independently.
    """

    entry: Any
    function: Callable[..., Any]
    summary: Any
    value: Any
    settings: Settings
    cases: float | None = None
    sampling: Sampling | None = None

    @property
    def fixed(self) -> bool:
        """Whether the class sizes are fixed."""
        return self.settings.design == "case-control"

    @property
    def sampled(self) -> Sampling:
        """How the cases of the cells were sampled."""
        return self.sampling or sampling_of(self.summary, self.fixed)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters of the measure."""
        return self.entry.defaults | getattr(self.function, "keywords", {})


Kind = Callable[[Question], Interval]
# what it needs of the rows of a table, for a measure with its parameters
Needed = Callable[[Any, Any, Mapping[str, Any]], Iterable[Sum]]
# by the name of the summary and of the kind; those of confidence sequences
KINDS: dict[tuple[str, str], Kind] = {}
SEQUENCES: dict[tuple[str, str], Kind] = {}
SUMS: dict[tuple[str, str], Needed] = {}


def kind(
    summary: str, name: str, sums: Needed | None = None, anytime: bool = False
) -> Callable[[Kind], Kind]:
    """Registers a function from a Question to an Interval, and the sums over a table that it is made from.

    For Counts it gets, and returns, arrays with one entry per table. anytime: of a confidence sequence.
    """

    def enter(function: Kind) -> Kind:
        (SEQUENCES if anytime else KINDS)[summary, name] = function
        if sums is not None:
            SUMS[summary, name] = sums
        return function

    return enter


def interval_of(question: Question) -> Interval:
    """The interval of the kind that the measure names."""
    entry = question.entry
    name = "average" if isinstance(entry, Average) else entry.interval and entry.interval.kind
    if name is None:
        return no_interval(Note("no-known-interval"))
    if entry.summary is not Counts and name not in INFINITE and np.isinf(question.value):
        return no_interval(Note("infinite"))
    if question.settings.valid == "anytime":
        found = SEQUENCES.get((entry.summary.__name__, name))
        return no_interval(NO_SEQUENCE) if found is None else found(question)
    return KINDS[entry.summary.__name__, name](question)


def inner_of(q: Question) -> Question:
    """The question of the measure that another one is a function of."""
    inner = get(q.entry.interval.of[0].__name__, q.entry.summary)
    given = {name: value for name, value in q.parameters.items() if name in inner.parameters}
    function = partial(inner.function, **given)
    return replace(q, entry=inner, function=function, value=plain(function(q.summary)))


def transform_of(q: Question) -> Callable[..., Any]:
    """The function of the other measure, and of a summary, by default that of the question."""
    transform, given = q.entry.interval.transform, q.parameters
    takes = inspect.signature(transform).parameters
    extra = {name: value for name, value in given.items() if name in takes}
    return lambda value, table=q.summary: transform(value, *(table,)[: len(takes) - 1], **extra)


@kind("Counts", "function")
@kind("Residuals", "mapped")
def mapped(q: Question) -> Interval:
    """The transformed bounds of another measure of the same summary."""
    return transformed(q, inner_of(q))


def transformed(q: Question, inner: Question) -> Interval:
    """The same, of this inner measure."""
    known, transform = interval_of(inner), transform_of(q)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends, error = np.sort([transform(known.low), transform(known.high)], axis=0), known.standard_error
        if error is not None:
            error = error_of_function(transform, inner.value, np.asarray(error, float))
    leaps = ~((ends[0] <= q.value + ROUNDING) & (q.value - ROUNDING <= ends[1])) & ~np.isnan(known.low)
    low, high = np.minimum(ends[0], q.value), np.maximum(ends[1], q.value)
    low, high = (np.where(leaps, np.nan, end) for end in (low, high))
    notes = known.notes
    if np.any(leaps):
        notes = noted(leaps, Note("leaps", measure=inner.entry.name), notes)
    return Interval(low, high, known.method, notes, error)


def noted(where: Any, note: Any, otherwise: Any = None) -> np.ndarray:
    """The note where it applies, else the other; each a note, None, or an array of as many."""
    notes = np.empty(np.shape(where), object)
    notes[...] = otherwise
    notes[where] = note[where] if isinstance(note, np.ndarray) else note
    return notes


# Intervals where the class sizes are fixed, by the design or by weights
# --------------------------------------------------------------------------------------------------

HELD: Design = "case-control"
ALIKE = 1e-4  # relative difference that weights written with four digits leave
GIVEN_MIX = Note("given-mix")
GIVEN_SCORES = Note("given-mix", fixed_by="design", of="scores")
GIVEN = Note("given-mix", fixed_by="design", of="counts")
GIVEN_CLASSES = Note("given-mix", fixed_by="design", of="classes")
GIVEN_WEIGHTS = Note("given-mix", fixed_by="weights")
WITH_CLASSES = (Counts, ConfusionMatrix, RankingTable, ClassScores)
FIXED = Note("class-sizes-fixed")
FIXED_BY_WEIGHTS = Note("class-mix-fixed")
SEED = 14
NEGLIGIBLE = 1e-9
MOST_KEPT, OTHER_SIZES = 1_000, "other class sizes"
Found = TypeVar("Found", Interval, Estimate)


def fixed_by_weights(summary: Any) -> Any:
    """Whether weights are constant within each class, and all classes have the same total weight.

    As class weights made from the sample, total / (classes * cases of the class): the weight of every class
    is then the same in each sample, whatever its number of cases, and only the variation within the classes
    counts. Weights that fix another mix cannot be recognised; for these use design="case-control". Weights
    must differ between classes. For counts with arrays of one dimension one answer per entry.
    """
    if not isinstance(summary, RankingTable):
        found = _fixed(summary)
        return found if found.ndim else bool(found)
    if "fixed by weights" not in summary.kept:
        summary.kept["fixed by weights"] = summary.positive.ndim == 1 and bool(_fixed(summary))
    return summary.kept["fixed by weights"]


def _fixed(summary: Any) -> np.ndarray:
    if summary.squares is None or isinstance(summary, (IndicatorTable, Residuals)):
        return np.zeros(np.shape(getattr(summary, "tp", 0.0)), bool)
    cells = sampling_of(summary)
    code = codes_of(cells.stratum)
    total, squares = (sums_by(code, part) for part in (cells.weight, cells.squares))
    unit = ratio(squares, total)
    unlike = np.abs(cells.squares - unit[..., code] * cells.weight) > ALIKE * cells.squares
    light, heavy = _extremes(unit, total)
    least, most = _extremes(total, total)
    several = (total > 0).sum(-1) > 1
    return several & ~unlike.any(-1) & (most - least <= ALIKE * most) & (heavy - light > ALIKE * heavy)


def _extremes(values: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest one of the classes that have cases."""
    there = total > 0
    return np.where(there, values, np.inf).min(-1), np.where(there, values, 0.0).max(-1)


def with_fixed_mix(settings: Settings, summary: Any) -> Settings:
    """The settings, with fixed class sizes where the weights of the summary fix them."""
    fixed = settings.design != HELD and np.all(fixed_by_weights(summary))
    return replace(settings, design=HELD) if fixed else settings


def depends_on_mix(function: Callable[..., Any], summary: Any = None) -> bool:
    """Whether a measure changes with the class mix while the rates within classes stay the same.

    summary: None for a measure of counts, of which any will do.
    """
    if summary is None or isinstance(summary, Counts):
        return _differ(*_at_two_mixes(function))
    if isinstance(summary, IndicatorTable):  # each label has a mix of its own
        return False
    tables = _with_other_sizes(summary)  # for the same total
    with np.errstate(divide="ignore", invalid="ignore"):
        value, *others = (float(function(table)) for table in (summary, *tables))
    return _differ(value, np.array(others))


def reorders(function: Callable[..., Any]) -> bool:
    """Whether the order of classifiers by a measure of counts depends on the class mix."""
    rare, common = (np.subtract.outer(found, found) for found in map(np.asarray, _at_two_mixes(function)))
    with np.errstate(invalid="ignore"):
        return bool(
            (np.sign(rare) != np.sign(common))[(abs(rare) > NEGLIGIBLE) | (abs(common) > NEGLIGIBLE)].any()
        )


def _at_two_mixes(function: Callable[..., Any]) -> list[Any]:
    """Of classifiers with the same rates, and as many cases in all."""
    sensitivity, specificity = np.random.default_rng(SEED).uniform(0.1, 0.9, (2, 16))
    with np.errstate(divide="ignore", invalid="ignore"):
        return [
            function(
                Counts.of(p * sensitivity, n * (1 - specificity), p * (1 - sensitivity), n * specificity)
            )
            for p, n in ((300.0, 700.0), (600.0, 400.0))
        ]


def _with_other_sizes(summary: Any) -> list[Any]:
    """Two such summaries; those of a small table are kept, since measures share what they need of them."""
    small = isinstance(summary, RankingTable) and len(summary) <= MOST_KEPT
    if small and OTHER_SIZES in summary.kept:
        return summary.kept[OTHER_SIZES]
    classes = 2 if isinstance(summary, RankingTable) else len(getattr(summary, "weights", summary))
    factors = np.random.default_rng(SEED).uniform(0.5, 2.0, (2, classes))
    result = [_with_sizes(summary, factor) for factor in factors]
    if small:
        summary.kept[OTHER_SIZES] = result
    return result


def _with_sizes(summary: Any, factor: np.ndarray) -> Any:
    """The summary with the weights of each class times its factor, and the total restored."""
    if isinstance(summary, ConfusionMatrix):
        weights = summary.weights * factor[:, None]
        return summary.with_weights(weights * summary.total / weights.sum())
    if isinstance(summary, RankingTable):
        factor = factor * (summary.total / (factor[0] * summary.positives + factor[1] * summary.negatives))
        return summary.of(summary.score, summary.positive * factor[0], summary.negative * factor[1])
    weights = summary.weight * factor[summary.truth]
    return type(summary)(
        summary.labels, summary.truth, summary.score, weights * summary.total / weights.sum(), summary.affix
    )


def _differ(one: Any, other: Any) -> bool:
    with np.errstate(invalid="ignore"):
        return bool((abs(other - one) > NEGLIGIBLE * np.maximum(abs(np.asarray(one)), 1.0)).any())


def with_mix(
    found: Found, function: Callable[..., Any], summary: Any, design: str, of_classes: bool = False
) -> Found:
    """The interval or estimate, with a note where the measure depends on a fixed class mix.

    of_classes: whether counts are those of classes against the rest.
    """
    if design != HELD or not isinstance(summary, WITH_CLASSES) or not depends_on_mix(function, summary):
        return found
    return replace(found, notes=_with_given(found.notes, _given(summary, of_classes)))


def _given(summary: Any, of_classes: bool) -> Note:
    if np.all(fixed_by_weights(summary)):
        return GIVEN_WEIGHTS
    if of_classes or (isinstance(summary, (ConfusionMatrix, ClassScores)) and len(summary) > 2):
        return GIVEN_CLASSES
    return GIVEN if isinstance(summary, (Counts, ConfusionMatrix)) else GIVEN_SCORES


def _with_given(notes: Any, given: Note) -> Any:
    """The notes and the one on the class mix, unless one of them states it already."""
    if isinstance(notes, np.ndarray):
        return in_array(_with_given(note, given) for note in notes.tolist())
    return joined(notes, None if of_code(notes, FIXED.code, FIXED_BY_WEIGHTS.code) else given)
