"""Sums and areas that several measures of a ranking table need: along the last axis, so that leading axes
hold replicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..registry import ratio, within

if TYPE_CHECKING:
    from ...summaries import RankingTable


def plain(value: Any) -> Any:
    """A number as a Python float, an array as it is."""
    return value if np.ndim(value) else float(value)


def total(terms: np.ndarray) -> Any:
    """The sum along the last axis."""
    return plain(np.add.reduce(terms, axis=-1))


def total_of_some(terms: np.ndarray, row: np.ndarray, shape: tuple[int, ...]) -> Any:
    """The same where most terms are 0: of the others, flat, over those of each row; rows have leading axes of
    this shape."""
    return total(terms) if not shape else np.bincount(row, terms, int(np.prod(shape))).reshape(shape)


def share(part: Any, whole: Any) -> Any:
    """part / whole, kept in [0, 1] in spite of rounding."""
    return within(ratio(plain(part), plain(whole)), 0.0, 1.0)


def defined(value: Any, *weights: Any) -> Any:
    """The value, or NaN where one of the weights is 0."""
    missing = sum(0.0 * ratio(plain(weight), plain(weight)) for weight in weights)
    return plain(value) + missing


def column(value: Any) -> Any:
    """A total, made to fit its sweep: one number per replicate next to rows of points."""
    return value[..., None] if np.ndim(value) else value


def occurring(t: RankingTable) -> np.ndarray:
    """Of each score, whether somebody has it: in a resample perhaps nobody."""
    return (t.positive > 0) | (t.negative > 0)


def trapezoids(x: np.ndarray, y: np.ndarray) -> Any:
    """The area under straight lines between the points, within [0, 1]."""
    return within(total(np.diff(x) * (y[..., 1:] + y[..., :-1]) / 2), 0.0, 1.0)


def precision_within(
    tp_above: np.ndarray, above: np.ndarray, here: np.ndarray, size: np.ndarray
) -> np.ndarray:
    """Of tied cases in random order: the sum over them of the share of positives among all down to them.

    tp_above, above: positives, and all cases, with higher scores; here, size: positives, and all cases, with
    this one. Where `size` cases are tied, the i-th of them is expected to have tp_above + here * i / size
    positives among above + i cases. The sum of these quotients has a closed form in digamma functions, which
    holds for fractional weights, too.
    """
    from scipy.special import digamma

    sums: np.ndarray = ratio(tp_above + here, above + 1)
    tied = size != 1
    if tied.any():
        p, m, a, before = here[tied], size[tied], above[tied], tp_above[tied]
        with np.errstate(invalid="ignore"):
            more = (before - p / m * a) * (digamma(a + m + 1) - digamma(a + 1))
        sums[tied] = np.where(m > 0, p + more, 0.0)
    return sums


def least_mean(u: np.ndarray, v: np.ndarray, a: Any, b: Any) -> Any:
    """The mean over c ~ Beta(a, b) of the smallest c * u + (1 - c) * v over the corners of a hull, u rising
    and v falling to 0.

    The corners i and i + 1 are equally good where c = dv / (du + dv), and the incomplete beta functions up to
    there are the weights with which the step from the one to the other counts.
    """
    from scipy.special import betainc

    du, dv = np.diff(u), -np.diff(v)
    step = du + dv > 0
    spread = [np.broadcast_to(column(part), du.shape)[step] for part in (a, b)]
    c = dv[step] / (du[step] + dv[step])
    mean = ratio(a, a + b)
    for_u = np.broadcast_to(column(mean), du.shape)[step] * betainc(spread[0] + 1, spread[1], c)
    for_v = np.broadcast_to(column(1 - mean), du.shape)[step] * betainc(spread[0], spread[1] + 1, c)
    change = np.zeros_like(du)
    change[step] = du[step] * for_u - dv[step] * for_v
    return np.maximum(total(change) + v[..., 0] * (1 - mean), 0.0)
