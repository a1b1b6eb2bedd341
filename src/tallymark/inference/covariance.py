"""The one covariance: that of estimates, from their influence values and the way that the cases were sampled.

An influence value is the derivative of a measure by the weight of a case, times the total weight. Cases that
count alike in a measure are a *cell*: one of the four counts, one class at one score, one place of a
confusion matrix, or a case by itself. With influence values psi, weights w and total weight W the estimate is
a weighted mean but for terms of second order, and its variance is that of sum w psi / W (Binder 1983,
International Statistical Review 51, 279-292): all that varies from design to design is what is added up
before squares are taken, and about which mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_LEVERAGE = 0.9  # of a unit, the share of the weight of a class
LEAST_FREEDOM = 1.0
MATED = 1  # the class of comparisons of a person with himself
EQUAL = 1e-9  # relative difference of weights due to rounding


@dataclass(frozen=True, eq=False)
class Sampling:
    """How the cases of the cells of a summary were sampled.

    Parameters
    ----------
    weight, squares : array of shape (..., cells)
        The weight of the cases in each cell, and the sum of their squared weights. Cases of a cell are taken
        to weigh the same. Leading axes are of several tables.
    stratum : array of shape (cells,)
        The class of the cases of each cell, a whole number from 0 on.
    fixed : bool
        Whether the sizes of the classes are fixed (case-control).
    units : Dependence or None
        The units that were sampled, as clusters, where their cases depend on each other.
    """

    weight: np.ndarray
    squares: np.ndarray
    stratum: np.ndarray
    fixed: bool = False
    units: Dependence | None = None

    @property
    def total(self) -> Any:
        return self.weight.sum(-1)

    @property
    def equal(self) -> Any:
        """Whether all cases weigh the same and are independent, so that nothing but counts is estimated."""
        if self.units is not None:
            return np.zeros(self.weight.shape[:-1], bool)
        with np.errstate(divide="ignore", invalid="ignore"):
            unit = self.squares / self.weight
        least, most = np.fmin.reduce(unit, axis=-1), np.fmax.reduce(unit, axis=-1)
        return ~(most - least > EQUAL * most)

    def effective(self, cells: np.ndarray) -> Any:
        """The effective number of units with cases in these cells, by Kish (1965): (sum w)^2 / sum w^2.

        cells: shape (cells,), 1 for those that count and 0 for others.
        """
        if self.units is not None:
            return self.units.effective(cells)
        squares = self.squares @ cells
        return np.divide((self.weight @ cells) ** 2, squares, out=np.zeros_like(squares), where=squares > 0)


@dataclass(frozen=True, eq=False)
class Dependence:
    """Units whose cases depend on each other, as clusters, or persons who are compared.

    Parameters
    ----------
    weight : array or sparse array of shape (units, cells)
        The weight of the cases of each unit.
    pairs : the same of shape (pairs, cells), or None
        Of comparisons of two persons, which count in two units, the pairs of persons.
    alone : array of shape (pairs,), or None
        Whether the pair is a person with himself, which counts in one unit only.
    name : str
        What they are.
    """

    weight: Any
    stratum: np.ndarray
    pairs: Any = None
    alone: np.ndarray | None = None
    name: str = "clusters"

    def totals(self, values: np.ndarray) -> np.ndarray:
        """What an estimate changes by where a unit is left out, shape (units, estimates).

        values: influence values about their mean, shape (estimates, cells). The cases of a class count for
        more where the unit has much of it: MacKinnon, Nielsen and Webb (2023), Journal of Applied
        Econometrics 38, 671-694 (CV3).
        """
        found = np.zeros((self.weight.shape[0], len(values)))
        for one in np.unique(self.stratum):
            member = (self.stratum == one).astype(float)
            size = self.weight @ member
            share = size / max(float(size.sum()), np.finfo(float).tiny)
            found += (self.weight @ (values * member).T) / (1 - np.minimum(share, MOST_LEVERAGE))[:, None]
        return found

    def effective(self, cells: np.ndarray) -> float:
        """The effective number of units with cases in these cells.

        Of persons it is the number of independent comparisons: comparisons of the same persons are taken to
        be alike, and those that share one of two persons to have a correlation of 1/2.
        """
        size = self.weight @ cells
        total = float(size.sum())
        if self.pairs is not None:
            size = self.weight @ (cells * np.where(self.stratum == MATED, 1.0, np.sqrt(0.5)))
            total = float((self.pairs @ cells).sum())
        squares = float(size @ size)
        return total**2 / squares if squares else 0.0


def covariance(
    values: np.ndarray, sampling: Sampling, by_class: bool = False, unbiased: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """The covariance of estimates, and the degrees of freedom of their variances.

    Parameters
    ----------
    values : array of shape (estimates, ..., cells)
        The influence values.
    sampling : Sampling
        How the cases were sampled.
    by_class : bool, default False
        Whether the values are taken about their mean in each class, as where class sizes are fixed.
    unbiased : bool, default True
        Whether squares of independent cases are divided by n - 1, as for a sample variance, not by n, as for
        the maximum likelihood estimate of a variance of counts.

    Returns
    -------
    covariance : array of shape (estimates, estimates, ...)
        NaN where a class, or the whole, is a single case.
    df : array of shape (estimates, ...)
        Satterthwaite's degrees of freedom, at least 1: with the contributions d of n units, V = sum d^2
        estimates the variance, and sum d^4 - V^2 / n the variance of V. For a multiple of chi-square that is
        2 V^2 / df.

    Notes
    -----
    Sources: Binder (1983); Satterthwaite (1946), Biometrics Bulletin 2, 110-114; of persons who take part in
    several comparisons: Aronow, Samii and Assenova (2015), Political Analysis 23, 564-577.
    """
    s = sampling
    strata = np.unique(s.stratum) if by_class or s.fixed else np.zeros(1, int)
    member = (np.equal(s.stratum, strata[:, None]) | (len(strata) == 1)).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = s.weight @ member.T
        mean = (values * s.weight) @ member.T / np.where(size, size, 1.0)
        off = (
            np.where(s.weight > 0, values - mean @ member, 0.0) if s.units is None else values - mean @ member
        )
        if s.units is not None:
            found, fourth, number = _of_units(off, s.units)
        else:
            cases = np.where(s.squares > 0, s.weight**2 / s.squares, 0.0)
            n = cases @ member.T
            if unbiased:
                off = off * (np.sqrt(np.where(n > 1 + EQUAL, n / (n - 1), np.nan)) @ member)
            off = off * np.sqrt(s.squares)
            found, number = np.einsum("i...c,j...c->ij...", off, off), n.sum(-1)
            fourth = np.einsum(
                "i...c,...c->i...", off**4, np.divide(1.0, cases, where=cases > 0, out=0 * cases)
            )
        variance = np.einsum("ii...->i...", found)
        df = 2 / np.maximum(fourth / variance**2 - 1 / number, 2 * EQUAL)
        scale = s.total**2
    return found / scale, np.where(np.isfinite(df), np.maximum(df, LEAST_FREEDOM), np.inf)


def _of_units(off: np.ndarray, units: Dependence) -> tuple[np.ndarray, np.ndarray, float]:
    """The sums of products of the totals of units, and of fourth powers, and the number of units."""
    parts = units.totals(off)
    number = float(len(parts))
    parts *= np.sqrt(1 - 1 / number)
    found, fourth = parts.T @ parts, (parts**4).sum(0)
    if units.pairs is None:
        return found, fourth, number
    assert units.alone is not None
    of_pairs = units.pairs @ off.T
    together = of_pairs.T @ of_pairs
    several = of_pairs[~units.alone]
    found = found - several.T @ several
    # a variance is at least that of independent pairs
    low = np.diag(found) < np.diag(together)
    found = np.where(low | low[:, None], together, found)
    return found, fourth, number
