"""The differences of models over folds, with intervals for overlapping training sets."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from ...inference import Estimate
from ...inference.over_folds import METHOD, ROUNDING, around, corrected, pooled_over_folds
from ...input.messages import Note, joined, text_of
from ...input.results import Result, equal_as_tuples


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Result):
    """The difference of two estimators on the same folds, first less second.

    Attributes
    ----------
    first, second : str
        The names of the estimators.
    estimate : Estimate
        The mean difference with its interval.
    statistic, df, p_value : float, int and float
        Those of the two-sided corrected resampled t-test.
    """

    first: str
    second: str
    estimate: Estimate
    statistic: float
    df: int
    p_value: float

    __eq__ = equal_as_tuples

    @property
    def note(self) -> str | None:
        """The sentences of the estimate: why there is no difference, and its notes."""
        return text_of(joined(self.estimate.undefined, self.estimate.notes))

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: NaN and infinity become None."""
        test = {"statistic": self.statistic, "df": self.df, "p_value": self.p_value}
        finite = {name: value if np.isfinite(value) else None for name, value in test.items()}
        return {"first": self.first, "second": self.second, "estimate": self.estimate.to_dict(), **finite}


@dataclass(frozen=True, slots=True, repr=False)
class FoldDifference(Result):
    """The difference of two models on the same folds, in one measure.

    Attributes
    ----------
    measure, model, reference : str
        Their names.
    part : {"mean", "pooled"}
        Of the means over the folds, or of the values of all test cases together.
    estimate : Estimate
        The value of the model less that of the reference, with its interval.
    statistic, df, p_value : float, int and float
        Those of the two-sided corrected resampled t-test, or of that of the jackknife over folds.
    adjusted : float
        The p-value adjusted for all differences of this part.
    """

    measure: str
    part: str
    model: str
    reference: str
    estimate: Estimate
    statistic: float
    df: int
    p_value: float
    adjusted: float

    __eq__ = equal_as_tuples

    @property
    def value(self) -> float:
        return self.estimate.value

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: NaN and infinity become None."""
        named = {name: getattr(self, name) for name in ("measure", "part", "model", "reference")}
        test = {"statistic": self.statistic, "df": self.df, "p_value": self.p_value}
        test["adjusted_p_value"] = self.adjusted
        finite = {name: value if np.isfinite(value) else None for name, value in test.items()}
        return {**named, **self.estimate.to_dict(), **finite}


def less(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """first - second by fold; 0 for differences within rounding, which is not spread to test by."""
    with np.errstate(invalid="ignore"):  # infinity - infinity
        difference = first - second
        alike = np.abs(difference) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return np.where(alike & np.isfinite(difference), 0.0, difference)


def difference_of(
    first: str, second: str, values: np.ndarray, shares: np.ndarray, ends: tuple[float, float], level: float
) -> Difference:
    """The mean of the differences of two estimators on the same folds; first, second: their names."""
    there = ~np.isnan(values)
    if not there.any():
        gone = Note("no-value-of-both", unit="fold")
        return Difference(first, second, Estimate(nan, level=level, undefined=gone), nan, 0, nan)
    if not values[there].any():
        same = Estimate(0.0, 0.0, 0.0, level, METHOD, notes=(Note("equal-on-every-fold"),))
        return Difference(first, second, same, 0.0, int(there.sum()) - 1, 1.0)
    mean, error, df = corrected(values[there], shares[there])
    if not error > ROUNDING * abs(mean):
        code = (
            "difference-of-one-fold"
            if df < 1
            else "difference-infinite"
            if isnan(error)
            else "difference-alike"
        )
        none = Estimate(mean, level=level, notes=(Note(code),))
        return Difference(first, second, none, nan, df, nan)
    found = around(mean, error, df, ends, level)
    return Difference(first, second, found, mean / error, df, _two_sided(mean / error, df))


def difference_of_pooled(
    first: str,
    second: str,
    value: float,
    without: np.ndarray,
    sizes: np.ndarray,
    shares: np.ndarray,
    ends: tuple[float, float],
    level: float,
) -> Difference:
    """The difference of the values of all test cases together.

    value: the difference; without: by fold, that of the cases of all other folds; sizes: the numbers of test
    cases; shares: n_test / n_train.
    """
    if isnan(value):
        gone = Note("no-value-of-both", unit="fold")
        return Difference(first, second, Estimate(nan, level=level, undefined=gone), nan, 0, nan)
    df = len(without) - 1
    if not value and not without.any():
        same = Estimate(0.0, 0.0, 0.0, level, METHOD, notes=(Note("equal-on-every-fold"),))
        return Difference(first, second, same, 0.0, df, 1.0)
    found = pooled_over_folds(value, without, sizes, shares, ends, level)
    if not found.standard_error:
        return Difference(first, second, found, nan, df, nan)
    t = value / found.standard_error
    return Difference(first, second, found, t, df, _two_sided(t, df))


def _two_sided(t: float, df: int) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))
