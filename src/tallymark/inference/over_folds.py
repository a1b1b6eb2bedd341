"""Intervals of cross-validation: of the mean over folds, and of a value of all folds pooled.

Both allow for the training cases that folds have in common.
"""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np

from ..input.messages import Note, joined
from .results import Estimate

METHOD = "corrected-resampled-t"
JACKKNIFE = "corrected-fold-jackknife-t"
ROUNDING = 1e-12  # relative spread due to rounding
NO_VALUE = Note("no-value-of", unit="fold")


def mean_over_folds(
    values: np.ndarray,
    shares: np.ndarray,
    ends: tuple[float, float],
    level: float,
    reason: Note | None = None,
) -> Estimate:
    """The mean over the folds that have a value.

    shares: n_test / n_train; ends: of the range; reason: why there is no value, where that is known.
    """
    there = ~np.isnan(values)
    if not there.any():
        return Estimate(nan, level=level, undefined=reason or NO_VALUE)
    mean, error, df = corrected(values[there], shares[there])
    if isnan(error):
        return Estimate(
            mean, level=level, notes=(Note("one-fold" if np.isfinite(mean) else "folds-infinite"),)
        )
    if not error > ROUNDING * abs(mean):
        return Estimate(mean, level=level, notes=(Note("folds-alike"),))
    return around(mean, error, df, ends, level)


def corrected(values: np.ndarray, shares: np.ndarray) -> tuple[float, float, int]:
    """The mean, its corrected standard error and its degrees of freedom.

    The error is sqrt((1/J + n_test/n_train) s^2); shares: n_test/n_train of every value, of which the mean is
    taken. It is NaN for a single value, and where values are infinite. Source: Nadeau and Bengio (2003),
    Section 5.2.
    """
    number = len(values)
    if not np.isfinite(values).all():
        return float(values[np.isinf(values)][0]), nan, number - 1
    mean = float(values.mean())
    if number < 2:
        return mean, nan, 0
    return mean, sqrt((1 / number + float(shares.mean())) * float(values.var(ddof=1))), number - 1


def pooled_over_folds(
    value: float,
    without: np.ndarray,
    sizes: np.ndarray,
    shares: np.ndarray,
    ends: tuple[float, float],
    level: float,
) -> Estimate:
    """A value of all test cases together, with an interval from the values without each fold.

    without: the value of all other folds; sizes: the numbers of test cases; shares: n_test / n_train. The
    variance is that of the jackknife that leaves out one fold at a time, of any sizes (Busing, Meijer and van
    der Leeden 1999, Statistics and Computing 9, 3-8), times 1 + J n_test/n_train, the correction of Nadeau
    and Bengio (2003). For a mean over cases and folds of equal size it is the interval of `mean_over_folds`.
    """
    if np.isnan(without).any():
        return Estimate(value, level=level, notes=(Note("undefined-without-a-fold"),))
    if not np.isfinite([value, *without]).all():
        return Estimate(value, level=level, notes=(Note("folds-infinite"),))
    number = len(without)
    if number < 2:
        return Estimate(value, level=level, notes=(Note("one-fold"),))
    variance = jackknife_variance(value, without, sizes)
    error = sqrt(variance * (1 + number * float(shares.mean())))
    if not error > ROUNDING * abs(value):
        return Estimate(value, level=level, notes=(Note("folds-alike"),))
    return around(value, error, number - 1, ends, level, JACKKNIFE)


def jackknife_variance(value: float, without: np.ndarray, sizes: np.ndarray) -> float:
    """The variance of a value by leaving out one fold at a time, of folds of any sizes."""
    times = sizes.sum() / sizes
    pseudo = times * value - (times - 1) * without
    centre = len(without) * value - ((1 - 1 / times) * without).sum()
    return float(((pseudo - centre) ** 2 / (times - 1)).mean())


def around(
    value: float, error: float, df: int, ends: tuple[float, float], level: float, method: str = METHOD
) -> Estimate:
    """The interval of Student's t around a value, clipped to the range."""
    from scipy.special import stdtrit

    half = float(stdtrit(df, (1 + level) / 2)) * error
    low, high = value - half, value + half
    cut = low < ends[0] or high > ends[1]
    notes = joined(Note("cut-at-range") if cut else None)
    return Estimate(
        value, max(low, ends[0]), min(high, ends[1]), level, method, notes=notes, standard_error=error
    )
