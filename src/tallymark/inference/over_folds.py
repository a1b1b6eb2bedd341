"""Intervals and tests of cross-validation: of means over folds, of pooled values, and of their differences.

A value has a standard error and its degrees of freedom, from the values of the folds or from those without
each fold; both allow for the training cases that folds have in common. The rest is Student's t.
"""

from __future__ import annotations

from dataclasses import replace
from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from ..input.messages import Note, joined
from .results import Estimate

METHOD = "corrected-resampled-t"
JACKKNIFE = "corrected-fold-jackknife-t"
ROUNDING = 1e-12  # relative spread due to rounding
NO_VALUE = Note("no-value-of", unit="fold")
NO_DIFFERENCE = Note("no-value-of-both", unit="fold")
EQUAL = Note("equal-on-every-fold")
NO_INTERVAL = {  # by reason the code of the note on a value, and on a difference
    "single": ("one-fold", "difference-of-one-fold"),
    "infinite": ("folds-infinite", "difference-infinite"),
    "alike": ("folds-alike", "difference-alike"),
    "undefined": ("undefined-without-a-fold", "undefined-without-a-fold"),
}


class Tested(NamedTuple):
    """A difference with its two-sided test by Student's t."""

    estimate: Estimate
    statistic: float
    df: int
    p_value: float


class OverFolds(NamedTuple):
    """A value from several folds, its corrected standard error, and the degrees of freedom of that.

    lacking: why there is no error, a key of `NO_INTERVAL`; equal: of a difference, whether it is 0 on every
    fold.
    """

    value: float
    error: float
    df: int
    method: str = METHOD
    lacking: str | None = None
    equal: bool = False

    def estimate(
        self, ends: tuple[float, float], level: float, undefined: Note = NO_VALUE, of_difference: bool = False
    ) -> Estimate:
        """The value with the interval of Student's t, clipped to the range, or why there is none."""
        from scipy.special import stdtrit

        value, error, lacking = self.value, self.error, self.lacking
        if isnan(value):
            return Estimate(nan, level=level, undefined=undefined)
        if lacking is None and not error > ROUNDING * abs(value):
            lacking = "alike"
        if lacking is not None:
            return Estimate(value, level=level, notes=(Note(NO_INTERVAL[lacking][of_difference]),))
        half = float(stdtrit(self.df, (1 + level) / 2)) * error
        low, high = value - half, value + half
        notes = joined(Note("cut-at-range") if low < ends[0] or high > ends[1] else None)
        low, high = max(low, ends[0]), min(high, ends[1])
        return Estimate(value, low, high, level, self.method, notes=notes, standard_error=error)

    def tested(self, ends: tuple[float, float], level: float, pairs: int = 1) -> Tested:
        """A difference with its interval, and the test that it is 0.

        pairs: of how many differences it was chosen, for which both are adjusted by Bonferroni.
        """
        from scipy.special import stdtr

        if self.equal:
            return Tested(Estimate(0.0, 0.0, 0.0, level, METHOD, notes=(EQUAL,)), 0.0, self.df, 1.0)
        estimate = self.estimate(ends, 1 - (1 - level) / pairs, NO_DIFFERENCE, True)
        t = self.value / self.error if estimate.has_interval else nan
        p = min(float(2 * stdtr(self.df, -abs(t))) * pairs, 1.0) if t == t else nan
        return Tested(replace(estimate, level=level), t, self.df, p)


def mean_over_folds(values: np.ndarray, shares: np.ndarray) -> OverFolds:
    """The mean over the folds that have a value.

    Its error is sqrt((1/J + n_test/n_train) s^2); shares: n_test/n_train of every value, of which the mean is
    taken. There is none for a single value, and where values are infinite. Source: Nadeau and Bengio (2003),
    Section 5.2.
    """
    there = ~np.isnan(values)
    values, shares = values[there], shares[there]
    number = len(values)
    if not number:
        return OverFolds(nan, nan, 0)
    if not np.isfinite(values).all():
        return OverFolds(float(values[np.isinf(values)][0]), nan, number - 1, lacking="infinite")
    if number < 2:
        return OverFolds(float(values[0]), nan, 0, lacking="single", equal=not values.any())
    error = sqrt((1 / number + float(shares.mean())) * float(values.var(ddof=1)))
    return OverFolds(float(values.mean()), error, number - 1, equal=not values.any())


def pooled_over_folds(value: float, without: np.ndarray, sizes: np.ndarray, shares: np.ndarray) -> OverFolds:
    """A value of all test cases together, with its error from the values without each fold.

    without: the value of all other folds; sizes: the numbers of test cases; shares: n_test / n_train. The
    variance is that of the jackknife that leaves out one fold at a time, of any sizes (Busing, Meijer and van
    der Leeden 1999, Statistics and Computing 9, 3-8), times 1 + J n_test/n_train, the correction of Nadeau
    and Bengio (2003). For a mean over cases and folds of equal size it is that of `mean_over_folds`.
    """
    number, equal = len(without), not value and not without.any()
    lacking = "single" if number < 2 else None
    if not np.isfinite([value, *without]).all():
        lacking = "undefined" if np.isnan(without).any() else "infinite"
    if lacking is not None:
        return OverFolds(value, nan, number - 1, JACKKNIFE, lacking, equal)
    others = sizes.sum() - sizes
    pseudo = value + others / sizes * (value - without)
    centre = number * value - (others / sizes.sum() * without).sum()
    variance = float(((pseudo - centre) ** 2 * sizes / others).mean())
    error = sqrt(variance * (1 + number * float(shares.mean())))
    return OverFolds(value, error, number - 1, JACKKNIFE, equal=equal)


def less(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """first - second by fold; 0 for differences within rounding, which is not spread to test by."""
    with np.errstate(invalid="ignore"):  # infinity - infinity
        difference = first - second
        alike = np.abs(difference) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return np.where(alike & np.isfinite(difference), 0.0, difference)
