"""Resampling four counts: what other samples of the same kind could have given. Its cost does not depend on the number of cases."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..summaries import Counts

REPLICATES = 5_000
MOST_CASES = 1e15  # to draw: the interval has no width any more
HALF_A_CASE = 0.5  # Jeffreys' prior for each cell


@lru_cache(maxsize=8)
def multinomial(counts: Counts, seed: int, replicates: int | None = None) -> Counts:
    """The bootstrap: cases drawn with replacement, so the four counts are multinomial. Cells of shape (replicates, ...).

    Where a cell is empty no replicate fills it, so without errors every replicate is perfect and the interval has no width;
    for 40 cases and few errors 95 % intervals cover 77 to 87 %. Hence not the default. Source: Efron (1979).
    """
    cells = _cells(counts)
    total = cells.sum(-1, keepdims=True)
    shares = np.divide(cells, total, out=np.full_like(cells, 0.25), where=total > 0)
    draws = np.random.default_rng(seed).multinomial(
        np.rint(np.minimum(total[..., 0], MOST_CASES)).astype(np.int64), shares, size=_size(counts, replicates)
    )
    return Counts.of(*np.moveaxis(draws.astype(np.float64), -1, 0))


@lru_cache(maxsize=8)
def bayesian(counts: Counts, seed: int, replicates: int | None = None) -> Counts:
    """The Bayesian bootstrap: shares of the four kinds of cases, drawn from what the counts and half a case of each leave likely.

    Shares are Dirichlet(counts + 1/2). No cell is ever empty, so the interval always has a width; simulated coverage of 95 %
    intervals is 93 to 97 % from 40 cases on (docs/intervals.md). Source: Rubin (1981); the half is Jeffreys' prior.
    """
    weights = np.random.default_rng(seed).standard_gamma(_cells(counts) + HALF_A_CASE, (*_size(counts, replicates), 4))
    return Counts.of(*np.moveaxis(weights, -1, 0))


def _cells(counts):
    return np.stack([counts.tp, counts.fp, counts.fn, counts.tn], axis=-1)


def _size(counts, replicates):
    return (replicates or REPLICATES, *np.shape(counts.tp))


def percentiles(values, level: float):
    """The interval that holds the middle `level` of the replicates, which come first in the shape."""
    tail = (1 - level) / 2
    return np.quantile(values, [tail, 1 - tail], axis=0)


METHODS = {"bayesian-bootstrap": bayesian, "bootstrap": multinomial}
