"""Intervals by inverting a bootstrap along a family with one parameter.

A measure that is biased upwards or not smooth (maxima, hulls, errors over bins) has a bias and a spread that
depend on its true value, so that no correction at the estimate is right. The members of a family through the
data range from no effect to the largest one; each is a population with a true value, and samples of it show
which values it gives. The bounds are the true values of those members of whose samples the value is the upper
and the lower quantile. Efron (1981), Canadian Journal of Statistics 9, 139-172; DiCiccio and Romano (1990),
International Statistical Review 58, 59-76.

A member is a probability for each cell of one or more strata; its samples are multinomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ... import kernels
from ..intervals.scale import normal_quantile

ROUNDING, TINY = 1e-12, 1e-9  # relative; of values that are equal but for rounding
CASE_BY_CASE, SLOTS = 10, 1 << 16  # cases per cell up to which each is drawn, by a number of 16 bits
# The largest skewness that is corrected for, alone and times the quantile, so that quantiles increase.
SKEWED, OF_QUANTILE = 1.2, 2.5
# Members: how far they are from the data, in standard errors.
ERRORS = np.array([-6.0, -4.5, -3.3, -2.5, -1.8, -1.1, -0.4, 0.3, 1.0, 1.8, 2.7, 4.0, 6.0])
BETWEEN = 200  # steps from one member to the next
EDGES = np.array([0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95])  # of the cells that are controlled together


def multinomial(random: np.random.Generator, share: np.ndarray, size: int, replicates: int) -> np.ndarray:
    """Numbers of cases in cells: axes member, replicate, cell. share: of the cells, a row per member."""
    cells = share.shape[-1]
    if not share.any():  # no case of a class
        return np.zeros((len(share), replicates, cells))
    share = share / share.sum(-1, keepdims=True)
    if size > CASE_BY_CASE * cells:
        return random.multinomial(size, share[:, None], (len(share), replicates)).astype(float)
    places = np.arange(replicates)[:, None] * cells
    samples = np.empty((len(share), replicates, cells))
    for row, sample in zip(share, samples, strict=True):
        ends = np.rint(np.add.accumulate(row) * SLOTS).astype(np.int64)
        cell = np.arange(cells).repeat(np.diff(ends, prepend=0))
        place = cell[random.integers(0, len(cell), (replicates, size), np.uint16)] + places
        sample[:] = np.bincount(place.ravel(), minlength=sample.size).reshape(sample.shape)
    return samples


def draw(
    strata: Sequence[tuple[np.ndarray, float]], replicates: int, seed: int
) -> tuple[list[np.ndarray], Controls]:
    """Samples of each stratum, which add up to its size, and their controls.

    strata: of each the probabilities of the cells, a row per member, and the effective number of cases.
    """
    random = np.random.default_rng(seed)
    samples = [multinomial(random, share, max(round(size), 1), replicates) for share, size in strata]
    controls = Controls(samples, [share for share, _ in strata])
    return [
        part * (size / max(round(size), 1)) for part, (_, size) in zip(samples, strata, strict=True)
    ], controls


class Moments(NamedTuple):
    """Mean, standard deviation and skewness of a measure over the samples of each member."""

    mean: np.ndarray
    spread: np.ndarray
    skewness: np.ndarray


def moments_of(values: np.ndarray) -> Moments:
    """Without control variates; values: with the axes member and replicate."""
    away = values - values.mean(-1, keepdims=True)
    spread = np.maximum(away.std(-1, ddof=1), ROUNDING)
    return Moments(values.mean(-1), spread, (away**3).mean(-1) / spread**3)


class Controls:
    """Control variates: numbers of cases in groups of cells, of which all moments are known.

    Regression on them takes out most of the simulation error, which with the same seed would be common to all
    data. Efron (1990), Journal of the American Statistical Association 85, 79-89.
    """

    def __init__(self, samples: Sequence[np.ndarray], shares: Sequence[np.ndarray]):
        self.sizes, self.shares, off = [], [], []
        for cases, share in zip(samples, shares, strict=True):
            size, share = float(cases[0, 0].sum()), share / max(float(share[0].sum()), TINY)
            middle = share.mean(0)
            group = np.searchsorted(EDGES, np.cumsum(middle) - middle / 2)
            of_group = np.equal(group[:, None], np.arange(len(EDGES) + 1)).astype(float)
            self.sizes.append(size)
            self.shares.append(share @ of_group)
            off.append(cases @ of_group - size * self.shares[-1][:, None])
        every = np.concatenate(off, axis=-1)
        self.centre = every.mean(1)
        self.away = np.round(every - self.centre[:, None], 9)  # where no count varies, there is no slope
        self.inverse = np.linalg.pinv(self.away, rcond=1e-6)

    def moments(self, values: np.ndarray) -> Moments:
        """Of values with the axes member and replicate; those that are not finite are left out."""
        known, number = np.isfinite(values), values.shape[-1]
        mean = np.where(known, values, 0.0).sum(-1) / known.sum(-1)
        away = np.where(known, values - mean[:, None], 0.0)
        slope = np.einsum("mkr,mr->mk", self.inverse, away)
        fitted = np.einsum("mrk,mk->mr", self.away, slope)
        second = third = 0.0
        parts = np.split(slope, len(self.sizes), axis=-1)
        for size, share, worth in zip(self.sizes, self.shares, parts, strict=True):
            off = worth - (share * worth).sum(-1, keepdims=True)
            second = second + size * (share * off**2).sum(-1)
            third = third + size * (share * off**3).sum(-1)
        used = slope.shape[-1] - len(self.sizes)  # the last group follows from the others
        rest = ((away - fitted) ** 2).sum(-1) / (number - used - 1)
        spread = np.sqrt(np.maximum(second + rest * (1 - used / (number - used - 2)), 0.0))
        cube = third + (away**3 - fitted**3).mean(-1)
        mean = mean - np.einsum("mk,mk->m", self.centre, slope)
        return Moments(mean, spread, cube / np.maximum(spread, ROUNDING) ** 3)


class Limits(NamedTuple):
    """The bounds, and the member (a fractional index) whose median is the value, with its true value.

    lowest: the member of the lower bound.
    """

    low: float
    high: float
    middle: float
    member: float
    lowest: float


def bounds(true: np.ndarray, moments: Moments, at: float, level: float, fit: int | None = None) -> Limits:
    """The lowest and the highest true value of members of whose samples the value is within the quantiles.

    The quantiles are those of Cornish and Fisher (1938), interpolated between members. true: the values of
    the members; at: the value; fit: the member that fits best, if a measure may fall and rise along the
    family: of members that are not rejected, those connected with the nearest one count.
    """
    z = normal_quantile(level)
    most = min(SKEWED, OF_QUANTILE / z)
    skew, place = np.clip(moments.skewness, -most, most), np.arange(len(true))
    member = np.linspace(0.0, len(true) - 1.0, (len(true) - 1) * BETWEEN + 1)
    upper, lower, median = (
        np.interp(member, place, moments.mean + moments.spread * (t + skew * (t**2 - 1) / 6))
        for t in (z, -z, 0.0)
    )
    value, outside = np.interp(member, place, true), np.maximum(at - upper, lower - at)
    if fit is None and true[0] <= true.min() + TINY:  # less than with no effect does not reject it
        outside[0] = at - upper[0]
    accepted = np.flatnonzero(outside <= max(float(outside.min()), 0.0) + TINY)
    if fit is not None:
        run = np.cumsum(np.diff(accepted, prepend=accepted[0]) > 1)
        accepted = accepted[run == run[np.argmin(np.abs(member[accepted] - fit))]]
    middle = accepted[np.argmin(np.abs(median[accepted] - at))]
    lowest, high = accepted[np.argmin(value[accepted])], float(value[accepted].max())
    return Limits(
        float(value[lowest]), high, float(value[middle]), float(member[middle]), float(member[lowest])
    )


def factors(error: float) -> np.ndarray:
    """The members of a family of multiples of an effect, from none. error: its relative standard error."""
    return kernels.distinct(np.maximum(np.concatenate([[0.0, 1.0], 1 + ERRORS * error]), 0.0))
