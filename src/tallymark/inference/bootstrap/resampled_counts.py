"""Resamples of four counts, at a cost that does not depend on the number of cases."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ... import kernels
from ...input.listed import listed
from ...summaries import Counts
from ..effective import numbers, units

REPLICATES = 5_000
MOST_CASES = 1e15  # to draw: the interval has no width with more
COHORT = "cohort"
CLASSES = ([0, 2], [1, 3])  # the cells of positives, and of negatives
HALF = 0.5
HALF_A_CASE = 0.5  # Jeffreys' prior for each cell


@listed(
    "interval",
    "tm.evaluate(..., resampling='bootstrap')",
    name="bootstrap",
    aka=("nonparametric_bootstrap", "resampling"),
    command="--resampling bootstrap",
)
@lru_cache(maxsize=8)
def multinomial(counts: Counts, seed: int, design: str = COHORT, replicates: int | None = None) -> Counts:
    """The bootstrap: cases drawn with replacement, so that the four counts are multinomial.

    Cells have the shape (replicates, ...). An empty cell stays empty in all replicates, so without errors
    every replicate is perfect and the interval has no width; for 40 cases and few errors 95 % intervals cover
    77 to 87 %. Hence not the default. Source: Efron (1979).
    """

    def drawn(random: np.random.Generator, cells: np.ndarray, size: int) -> np.ndarray:
        if design == COHORT:
            return _drawn(random, cells, size)
        draws = np.empty((size, 4))
        for of_class in CLASSES:
            draws[:, of_class] = _drawn(random, cells[of_class], size)
        return draws

    found = _weighed(_each(counts, seed, replicates, drawn), counts)
    return found if design == COHORT else _held(found, counts)


@listed(
    "interval",
    "tm.evaluate(..., resampling='bayesian-bootstrap')",
    name="bayesian-bootstrap",
    command="--resampling bayesian-bootstrap",
)
@lru_cache(maxsize=8)
def bayesian(counts: Counts, seed: int, design: str = COHORT, replicates: int | None = None) -> Counts:
    """The Bayesian bootstrap: proportions of the four kinds of cases, drawn from their posterior.

    Proportions are Dirichlet(counts + 1/2). No cell is ever empty, so the interval always has a width;
    simulated coverage of 95 % intervals is 93 to 97 % from 40 cases on (docs/intervals.md). Source: Rubin
    (1981); the half is Jeffreys' prior. Weighted cases count as the effective number of cases in their cell,
    each of one weight. Where the class sizes are fixed, the proportions are those within each class.
    """

    def drawn(random: np.random.Generator, cells: np.ndarray, size: int) -> np.ndarray:
        return random.standard_gamma(cells + HALF_A_CASE, (size, 4))

    found = _weighed(_each(counts, seed, replicates, drawn), counts)
    return found if design == COHORT else _held(found, counts)


def _each(counts: Counts, seed: int, replicates: int | None, drawn: Callable[..., np.ndarray]) -> np.ndarray:
    """Cells of each table, drawn by numbers of its own: those of a table do not depend on the others."""
    cells = numbers(counts)
    tables, size = cells.reshape(4, -1).T, replicates or REPLICATES
    found = np.empty((4, len(tables), size))  # the replicates of a table next to each other

    def draw(i: int) -> None:
        found[:, i] = drawn(np.random.default_rng(seed), tables[i], size).T

    kernels.each(draw, len(tables))
    return found.transpose(2, 1, 0).reshape(size, *cells.shape[1:], 4)


def _drawn(random: np.random.Generator, cells: np.ndarray, size: int) -> np.ndarray:
    total = cells.sum()
    shares = cells / total if total > 0 else np.full_like(cells, 1 / len(cells))
    return random.multinomial(round(min(float(total), MOST_CASES)), shares, size=size)


def _weighed(draws: np.ndarray, counts: Counts) -> Counts:
    """Numbers of cases in each cell, times the weight of a case there."""
    if counts.squares is not None:
        draws = draws * np.moveaxis(units(counts), 0, -1)
    return Counts.of(*np.moveaxis(draws, -1, 0))


def _held(drawn: Counts, counts: Counts) -> Counts:
    """The cells, scaled to the class sizes of the counts; a class without cases stays empty."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p, n = (np.where(size > 0, size / got, 0.0) for size, got in _sizes(counts, drawn))
    return Counts.of(drawn.tp * p, drawn.fp * n, drawn.fn * p, drawn.tn * n)


def _sizes(counts: Counts, drawn: Counts) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    return (counts.positives, drawn.positives), (counts.negatives, drawn.negatives)


def percentiles(values: np.ndarray, level: float) -> np.ndarray:
    """The interval that contains the middle `level` of the replicates, along the first axis."""
    return quantiles(values, tails(level))


def tails(level: float) -> np.ndarray:
    """The proportions below the two ends of the middle `level`."""
    tail = (1 - level) / 2
    return np.array([tail, 1 - tail])


def quantiles(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """As np.quantile along the first axis, which loads numpy.ma: a row per share, NaN where there is one."""
    found = at_places(partial(ordered, values), len(values), shares)
    return np.where(np.isnan(values).any(axis=0), np.nan, found)


def ordered(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What values would have at these places along the first axis if they were in ascending order."""
    found: np.ndarray = np.partition(values, np.unique(places), axis=0)[places]
    return found


def at_places(ordered: Callable[[np.ndarray], np.ndarray], size: int, shares: np.ndarray) -> np.ndarray:
    """The quantiles of so many ascending values, of which `ordered` gives those at some places."""
    place = (size - 1) * shares
    below = np.floor(place).astype(np.int64)
    low, high = ordered(np.array([below, np.minimum(below + 1, size - 1)]))
    part = (place - below).reshape(-1, *[1] * (low.ndim - 1))
    with np.errstate(invalid="ignore"):  # infinities
        found: np.ndarray = np.where(part < HALF, low + (high - low) * part, high - (high - low) * (1 - part))
    return found


def deviation(values: np.ndarray) -> Any:
    """The standard deviation of the defined replicates, along the first axis.

    NaN where fewer than two are defined, or one is infinite.
    """
    found = _deviation(values, len(values))
    if not np.isnan(found).any():
        return found
    gaps = np.isnan(values)
    number = (~gaps).sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # gaps are set to the mean, where they do not contribute
        filled = np.where(gaps, np.where(gaps, 0.0, values).sum(0) / number, values)
    return _deviation(filled, number)


def _deviation(values: np.ndarray, number: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        off = values - values.mean(0)
        return np.sqrt(np.einsum("r...,r...->...", off, off) / np.subtract(number, 1))


METHODS = {"bayesian-bootstrap": bayesian, "bootstrap": multinomial}
