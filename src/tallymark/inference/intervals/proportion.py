"""Intervals of a proportion: x of n, numbers or arrays; NaN where n is 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...input.messages import Note, in_array
from ...input.names import listed
from ...measures.registry import ratio
from ..results import Interval, no_interval
from .scale import normal_quantile

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
