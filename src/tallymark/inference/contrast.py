"""Differences of estimates as contrasts of the rows of one matrix of influence values.

The variance of a difference is that of the differences of the influence values, so that what models share
cancels out. Estimates near the end of their range have asymmetric intervals; so has their difference, in the
proportions of the MOVER of Zou and Donner (2008), Statistics in Medicine 27, 1693-1702, for independent
estimates. Their formula with a correlation leaves a width where two models coincide, so that here both sides
are multiplied by the share of the variance that is not common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, inf, isnan, nan

import numpy as np

from ..input.messages import Note, Notes, joined
from .covariance import LEAST_FREEDOM, Sampling, covariance
from .doubt import of_heavy
from .hypothesis.evidence import Evidence, Normal, Unknown
from .intervals.kinds import ROUNDING
from .intervals.quantiles import normal_quantile, student_quantile
from .results import Estimate

UNSEEN = 2.0  # cases of a class that differ, and were not sampled, for which an interval allows
ENOUGH = 30.0  # differing cases of a class, with which it needs not
MANY = 200.0  # degrees of freedom of a difference, with which the classes need not be told apart
NO_SPREAD = Note("no-spread")
EVERY_CASE_ALIKE = Note("every-case-alike")


def contrast(
    values: Sequence[np.ndarray],
    sampling: Sampling,
    estimates: tuple[Estimate, Estimate],
    method: str,
    ends: tuple[float, float],
    *,
    differing: np.ndarray,
    counted: bool,
    by_class: bool = False,
    mean: bool = False,
    notes: Notes = (),
) -> Evidence:
    """The evidence on the difference of two estimates.

    Parameters
    ----------
    values : two arrays of shape (cells,)
        Their influence values.
    sampling : Sampling
        How the cases were sampled.
    estimates : two Estimates
        With their intervals, at one level.
    method : str
        Its name.
    ends : two floats
        The lowest and the highest difference.
    differing : array of shape (cells,)
        Whether the cases of a cell have different outputs of the two models.
    counted : bool
        Whether these alone bring about the difference: of counts and of means, not of ranks.
    by_class : bool
        Whether the influence values are about their means by class.
    mean : bool
        Whether the estimates are means of losses, so that the difference is the mean of the differences.
    notes : Notes
        On the difference.
    """
    rows = np.empty((3, len(sampling.stratum)))
    rows[:2] = values
    both, apart = rows[:2], rows[2]
    np.subtract(both[0], both[1], out=apart)
    two = sampling.stratum.max() == 1
    member = [sampling.stratum == one for one in (0, 1)] if two else [np.array(True)]
    between, df = covariance(rows, sampling, by_class)
    variance = np.diagonal(between)
    if isnan(variance[2]) or _in_one_unit(both, sampling, member):
        return Unknown((NO_SPREAD,))
    single = replace(sampling, units=None)
    number = np.array([float(single.effective(1.0 * (one & differing))) for one in member])
    more: float = 0.0
    if number.min() < ENOUGH or not (counted or df[2] >= MANY) or not variance[2] > ROUNDING**2 * variance[0]:
        by_member = np.stack([apart * one for one in member])
        parts, of_cases = covariance(by_member, sampling, by_class)
        if sampling.units is not None and not counted:
            of_cases = covariance(by_member, single, by_class)[1]
        if not counted:
            number = np.minimum(number, of_cases / 2)
        spread = np.diagonal(parts)
        number = np.where(spread > ROUNDING**2 * variance[:2].sum(), number, 0.0)
        more = sum(
            _of_unseen(float(v), k, both, sampling, one)
            for v, k, one in zip(spread, number.tolist(), member, strict=True)
            if k < ENOUGH
        )
    total = float(variance[2] + more)
    value = estimates[0].value - estimates[1].value
    if not np.sqrt(total) > ROUNDING * max(abs(one.value) for one in estimates):
        return Unknown((EVERY_CASE_ALIKE,), value=value)
    free = df[2] * (total / variance[2]) ** 2 if variance[2] > 0 else inf
    free = max(min(free, float(sampling.effective(np.ones(len(apart)))) - 1), LEAST_FREEDOM)
    even = mean or by_class or not any(_varies(both, one & (sampling.weight > 0)) for one in member)
    sides = (1.0, 1.0) if even else _sides(estimates, variance[:2], df[:2], sampling)
    few = of_heavy(apart, free, sampling, by_class)
    (a, b), (c, d) = between[:2, :2].tolist()
    error = float(np.sqrt(total))
    return Normal(
        value, error, method, ends, float(free), joined(*notes, few), ((a, b), (c, d)),
        (error * sides[0], error * sides[1]),
    )  # fmt: skip


def _varies(values: np.ndarray, member: np.ndarray) -> bool:
    """Whether a row has different values in these cells."""
    largest = values.max(axis=1, where=member, initial=-inf)
    return bool((values.min(axis=1, where=member, initial=inf) < largest).any())


def _of_unseen(
    variance: float, k: float, values: np.ndarray, sampling: Sampling, member: np.ndarray
) -> float:
    """The variance that cases of a class add which differ between the models, and were not sampled.

    Where none differs it is that of 2 cases that differ as much as any two cases of a model, whose interval
    is nearly that of the rule of three; where k differ, 1 / k times theirs, and that of the 2 over (1 + k)^2.
    It falls to 0 with 30 differing cases. Of a Poisson number of equal differences it covers at least .93.
    """
    there = member & (sampling.weight > 0)
    if not there.any():
        return 0.0
    if sampling.units is None:
        size, squares = sampling.weight[there].sum(), sampling.squares[there].sum()
    else:
        of_unit = sampling.units.weight @ there.astype(float)
        size, squares = of_unit.sum(), of_unit @ of_unit
    apart = np.ptp(values[:, there], axis=1).max()
    if not apart:  # all cases of the class are in one cell, as without a wrong prediction
        apart = np.ptp(values[:, member], axis=1).max()
    largest = float(apart) * squares / size / sampling.total
    return float((1 - k / ENOUGH) * (variance / max(k, 1.0) + UNSEEN * (largest / (1 + k)) ** 2))


def _in_one_unit(values: np.ndarray, sampling: Sampling, member: list[np.ndarray]) -> bool:
    """Whether all cases of a class that count are in one unit, as a cluster."""
    if sampling.units is None:
        return False
    counting = (values != 0).any(axis=0)
    effective = [float(sampling.effective(1.0 * (one & counting))) for one in member]
    return any(0 < one < 1 + ROUNDING for one in effective)


def _sides(
    estimates: tuple[Estimate, Estimate], variance: np.ndarray, df: np.ndarray, sampling: Sampling
) -> tuple[float, float]:
    """How much wider than a symmetric interval of independent estimates that by MOVER is, on both sides."""
    first, second = estimates
    level = first.level
    quantile = [
        normal_quantile(level) if sampling.equal else student_quantile(level, float(one)) for one in df
    ]
    width = hypot(*(quantile * np.sqrt(variance)))
    below = hypot(first.value - first.low, second.high - second.value)
    above = hypot(first.high - first.value, second.value - second.low)
    sides = below / width if width else nan, above / width if width else nan
    return sides if np.isfinite(sides).all() and min(sides) > 0 else (1.0, 1.0)


def equal(values: np.ndarray, spread: np.ndarray) -> tuple[float, int]:
    """Chi-square and its degrees of freedom for the hypothesis that all estimates are equal.

    (0, 0) where they cannot differ; NaN where a class has a single case, and where estimates differ without
    variance. The statistic is from the contrasts of each with the first, weighted by the pseudo-inverse of
    their covariance, whose rank is the degrees of freedom: models that coincide add none. Source: DeLong,
    DeLong and Clarke-Pearson (1988), Eq. 5.

    values: the estimates, shape (k,); spread: their covariance, shape (k, k).
    """
    rows = np.hstack([-np.ones((len(values) - 1, 1)), np.eye(len(values) - 1)])
    apart, between = rows @ values, rows @ spread @ rows.T
    if not np.isfinite(between).all():
        return nan, 0
    sizes, directions = np.linalg.eigh(between)
    least = ROUNDING * max(float(np.trace(spread)), 0.0)
    free, along = sizes > least, directions.T @ apart
    if (along[~free] ** 2 > least + ROUNDING**2).any():
        return nan, 0
    return float((along[free] ** 2 / sizes[free]).sum()), int(free.sum())
