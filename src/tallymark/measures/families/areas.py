"""Sums and areas of ranking tables along the last axis, so that leading axes hold replicates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import kernels
from ...input.messages import Note
from ...summaries import BinnedTable, RankingTable
from ...summaries.passes import HULL
from ..registry import Needs, get, plain as plain, ratio, within

OF_HULL = Needs((HULL,))
ROUNDING = 1e-12


def total(terms: np.ndarray) -> Any:
    """The sum along the last axis."""
    return plain(np.add.reduce(terms, axis=-1))


def total_of_some(terms: np.ndarray, row: np.ndarray, shape: tuple[int, ...]) -> Any:
    """The sums of rows in which most terms are 0, from the others: flat, with the row of each term."""
    return total(terms) if not shape else np.bincount(row, terms, int(np.prod(shape))).reshape(shape)


def share(part: Any, whole: Any) -> Any:
    """part / whole, clipped to [0, 1] against rounding."""
    return within(ratio(plain(part), plain(whole)), 0.0, 1.0)


def defined(value: Any, *weights: Any) -> Any:
    """The value, or NaN where one of the weights is 0."""
    missing = sum(0.0 * ratio(plain(weight), plain(weight)) for weight in weights)
    return plain(value) + missing


def mean_loss(t: RankingTable, loss: Callable[..., Any]) -> Any:
    """The mean over all cases of a loss, a function of the probabilities of the actual classes."""
    if t.positive.ndim == 1:
        return t.given.mean(loss)
    charges, weight = loss(t.given), t.given.weight
    if not np.isfinite(charges).all():  # only where there are no cases
        charges = np.where(weight > 0, charges, 0.0)
    return ratio(np.einsum("...i,...i->...", weight, charges), t.total)


def column(value: Any) -> Any:
    """A total with a new last axis, for broadcasting against the points of a sweep."""
    return value[..., None] if np.ndim(value) else value


def occurring(t: RankingTable) -> np.ndarray:
    """Whether each score has cases, since in a resample it may have none."""
    return (t.positive > 0) | (t.negative > 0)


def trapezoids(x: np.ndarray, y: np.ndarray) -> Any:
    """The area under straight lines between the points, clipped to [0, 1]."""
    return within(total(np.diff(x) * (y[..., 1:] + y[..., :-1]) / 2), 0.0, 1.0)


def precision_within(tp: np.ndarray, fp: np.ndarray) -> np.ndarray:
    """The sum over tied cases, in random order, of the precision down to each; one entry per score.

    tp, fp: at every threshold of the sweep. Where m cases are tied, p of them positive, after b positives
    among a cases, the i-th is expected to have b + p * i / m positives among a + i cases. The sum of these
    quotients has a closed form in digamma functions, which holds for fractional weights, too.
    """
    if tp.ndim > 1:
        return _precisions(tp, fp)
    result = np.empty(max(len(tp) - 1, 0))
    for rows in kernels.blocks(len(result)):
        ends = slice(rows.start, rows.stop + 1)
        result[rows] = _precisions(tp[ends], fp[ends])
    return result


def _precisions(tp: np.ndarray, fp: np.ndarray) -> np.ndarray:
    called, here = tp + fp, np.diff(tp)
    size = here + np.diff(fp)
    before, above = tp[..., :-1], called[..., :-1]
    tied = size != 1
    sums: np.ndarray = ratio(before + here, above + 1)
    if tied.any():
        p, m = here[tied], size[tied]
        with np.errstate(divide="ignore", invalid="ignore"):
            more = (before[tied] - p / m * above[tied]) * _harmonic(called, tied)
        sums[tied] = np.where(m > 0, p + more, 0.0)
    return sums


def _harmonic(called: np.ndarray, tied: np.ndarray) -> np.ndarray:
    """The sum of 1 / i over the ranks i of the cases at each tied score."""
    from scipy.special import digamma

    ends, found = np.zeros(called.shape, bool), np.zeros_like(called)
    ends[..., 1:] = tied
    ends[..., :-1] |= tied
    found[ends] = digamma(called[ends] + 1)
    return np.diff(found)[tied]


def best_at(
    t: RankingTable,
    rate: Callable[..., Any],
    other: Callable[..., Any],
    limit: float,
    *weights: Any,
    lowest: bool = False,
) -> Any:
    """The largest value of a rate over the thresholds at which another one is at least the limit; 0 if none.

    lowest: the smallest value where the other is at most the limit, 1 if none. NaN where a weight is 0.
    """
    counts, sign = t.sweep(), -1.0 if lowest else 1.0
    allowed = sign * other(counts) >= sign * limit - ROUNDING
    found = np.where(allowed, np.nan_to_num(rate(counts)), float(lowest))
    return defined(found.min(-1) if lowest else found.max(-1), *weights)


def least_mean(u: np.ndarray, v: np.ndarray, a: Any, b: Any) -> Any:
    """The mean over c ~ Beta(a, b) of the minimum of c * u + (1 - c) * v over the corners of a hull.

    u rises along the corners, and v falls to 0. The corners i and i + 1 are equally good where c = dv / (du +
    dv); the incomplete beta functions there are the weights of the step from one to the other.
    """
    from scipy.special import betainc

    du, dv = np.diff(u), -np.diff(v)
    step = du + dv > 0
    mean = ratio(a, a + b)
    ends = v[..., 0] * (1 - mean), u[..., -1] * mean
    first = ends[0] <= ends[1]  # sums from the end with the smaller value, so that few digits cancel
    a, b, mean, up = (np.broadcast_to(column(part), du.shape)[step] for part in (a, b, mean, first))
    c = np.where(up, dv[step], du[step]) / (du[step] + dv[step])
    for_u = mean * betainc(np.where(up, a + 1, b), np.where(up, b, a + 1), c)
    for_v = (1 - mean) * betainc(np.where(up, a, b + 1), np.where(up, b + 1, a), c)
    change = np.zeros_like(du)
    change[step] = np.where(up, 1, -1) * (du[step] * for_u - dv[step] * for_v)
    return np.maximum(total(change) + np.where(first, *ends), 0.0)


def of_numbers_of_cases(name: str) -> Callable[[BinnedTable], list[float] | Note]:
    """The values on both tables of the bracket, of a measure that is proven to rise for whole weights."""

    def bounds(binned: BinnedTable) -> list[float] | Note:
        if binned.positive.dtype.kind == "f":
            return Note("no-bounds-with-weights")
        return get(name).at_ends(binned)

    return bounds
