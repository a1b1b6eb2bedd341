"""Confidence sequences: intervals that contain the true value at every number of cases at once.

Theory of operation. Take a mean m that the cases might have, and bet against it on every case, so that a
player's capital of 1 does not grow on average if m is true, whatever was bet. The capital then ever exceeds
1 / tail with a probability of at most `tail` (Ville's inequality): the means against which it has not are a
confidence sequence, at whatever number of cases, and however often, one looks. With bets that do not depend
on the order of cases, mixed by a density, the capital is a function of sums over the cases alone: so it needs
no order of rows, and merges as all summaries do. Each end has its own capital, and its own half of the error.

Sources: Robbins (1970), Annals of Mathematical Statistics 41, 1397-1409; Howard, Ramdas, McAuliffe and
Sekhon (2021), Annals of Statistics 49, 1055-1080; Waudby-Smith and Ramdas (2024), JRSS B 86, 1-27.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, log, sqrt
from typing import Any

import numpy as np

from ...input.names import listed
from ...summaries import ClassScores
from .. import influence
from ..results import Interval, no_interval
from .kinds import NO_SEQUENCE, Question, kind, mapped, noted
from .of_counts import mixed, parts, parts_of
from .proportion import error_of

HALVINGS = 60
PRIOR = 0.5  # Jeffreys': both parameters of the beta density by which bets on a proportion are mixed
SHAPE = 3.0  # of the gamma density by which bets on a mean are mixed: tightest for some hundreds of cases
SEQUENTIAL = ("beta-binomial", "gamma-exponential")
FOR_CHECKS = "tm.check(..., valid='anytime')"
kind("Counts", "function", anytime=True)(mapped)


def _lower_end(log_capital: Callable[[Any], Any], mean: Any, level: float) -> Any:
    """The smallest mean, up to the one that was seen, against which the capital is below 1 / tail."""
    low, high = np.zeros_like(mean), mean
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            excluded = log_capital(middle) >= -log((1 - level) / 2)
        low, high = np.where(excluded, middle, low), np.where(excluded, high, middle)
    return low


@listed(
    "interval",
    FOR_CHECKS,
    name="beta-binomial",
    aka=("confidence_sequence", "anytime_valid_interval", "always_valid_interval"),
    command="--valid anytime",
)
def beta_binomial(x: Any, n: Any, level: float) -> tuple[Any, Any]:
    """The confidence sequence of a proportion: at all numbers of cases together its error is 1 - level.

    The capital is a ratio of likelihoods, of larger proportions mixed by Jeffreys' density to the one in
    question.
    Source: Robbins (1970); Howard and others (2021), Proposition 7.
    """
    x, n = np.broadcast_arrays(np.asarray(x, float), n)
    return _least_share(x, n, level), 1 - _least_share(n - x, n, level)


def _least_share(x: np.ndarray, n: np.ndarray, level: float) -> Any:
    share = np.divide(x, n, out=np.full(np.shape(n), np.nan), where=n > 0)
    return _lower_end(lambda p: log_capital_of_share(x, n, p), share, level)


def log_capital_of_share(x: Any, n: Any, p: Any) -> Any:
    """The logarithm of the capital after bets that the true proportion is larger than p."""
    from scipy.special import betainc, betaln, xlog1py, xlogy

    a, b = PRIOR + x, PRIOR + n - x
    mixed_in = (
        betaln(a, b) - betaln(PRIOR, PRIOR) + np.log(betainc(b, a, 1 - p) / betainc(PRIOR, PRIOR, 1 - p))
    )
    return mixed_in - xlogy(x, p) - xlog1py(n - x, -p)


@listed(
    "interval",
    FOR_CHECKS,
    name="gamma-exponential",
    aka=("empirical_bernstein", "betting_interval"),
    command="--valid anytime",
)
def gamma_exponential(mean: Any, variance: Any, n: Any, level: float) -> tuple[Any, Any]:
    """The confidence sequence of a mean of values from 0 to 1, from their mean and variance.

    A bet of the share s on y = x / m - 1, which is never below -1, multiplies the capital by 1 + s y, which
    is at least exp(s y + (log(1 - s) + s) y^2); the product over the cases depends on sums of y and y^2
    alone. Bets are mixed by a gamma density of 1 - s, up to 1.
    Source: Fan, Grama and Liu (2015), Electronic Journal of Probability 20, 1-22; Howard and others (2021),
    Proposition 9.
    """
    return _least_mean(mean, variance, n, level), 1 - _least_mean(1 - mean, variance, n, level)


def _least_mean(mean: Any, variance: Any, n: Any, level: float) -> Any:
    mean, variance = np.asarray(mean, float), np.asarray(variance, float)
    return _lower_end(lambda m: log_capital_of_mean(mean, variance, n, m), mean, level)


def log_capital_of_mean(mean: Any, variance: Any, n: Any, m: Any) -> Any:
    """The logarithm of the capital after bets that the true mean is larger than m."""
    from scipy.special import gammainc, gammaln

    gains, squares = n * (mean / m - 1), n * (variance / m**2 + (mean / m - 1) ** 2)
    shape, rate = squares + SHAPE, gains + squares + SHAPE
    before = SHAPE * log(SHAPE) - gammaln(SHAPE) - np.log(gammainc(SHAPE, SHAPE))
    after = gammaln(shape) + np.log(gammainc(shape, rate)) - shape * np.log(rate)
    return before + after + gains + squares


@kind("Counts", "proportion", anytime=True)
def of_proportion(q: Question) -> Interval:
    """Of a proportion of independent cases of equal weight, by the beta-binomial confidence sequence."""
    x, n = parts(q.function, q.summary)
    low, high = beta_binomial(x, n, q.settings.level)
    known = q.sampled.equal & (not (q.fixed and mixed(parts_of(q.function)[1])))
    low, high = (np.where(known, end, np.nan) for end in (low, high))
    return Interval(low, high, "beta-binomial", noted(~known, NO_SEQUENCE), error_of(x, n, "wald"))


@kind("ConfusionMatrix", "proportion", anytime=True)
@kind("IndicatorTable", "proportion", anytime=True)
def of_share(q: Question) -> Interval:
    """The same, of all cases."""
    n = q.sampled.total
    low, high = beta_binomial(q.value * n, n, q.settings.level)
    return _known(q, low, high, "beta-binomial", float(error_of(q.value * n, n, "wald")))


@kind("RankingTable", "mean", anytime=True)
@kind("ClassScores", "mean", anytime=True)
def of_mean(q: Question) -> Interval:
    """Of a mean of a bounded loss, by the gamma-exponential confidence sequence."""
    least, most = q.entry.range
    if not isfinite(most):
        return no_interval(NO_SEQUENCE)
    values = (
        influence.of_class_scores(q.entry, q.function, q.summary)
        if isinstance(q.summary, ClassScores)
        else influence.of_table(q.entry, q.function, q.parameters, q.summary)
    )
    weight, width = q.sampled.weight, most - least
    n = weight.sum()
    variance = float((weight * np.square(np.ravel(values) / width)).sum() / n)
    low, high = gamma_exponential((q.value - least) / width, variance, n, q.settings.level)
    error = width * sqrt(variance / n)
    return _known(q, least + width * low, least + width * high, "gamma-exponential", error)


def _known(q: Question, low: Any, high: Any, method: str, error: float) -> Interval:
    """The interval, where all cases count alike and the share of no class is fixed."""
    known = bool(np.all(q.sampled.equal)) and not q.fixed
    return Interval(float(low), float(high), method, None, error) if known else no_interval(NO_SEQUENCE)
