"""Sums of squares and products of actual and predicted amounts, of all cases or without one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import kernels
from .cached import cached

if TYPE_CHECKING:
    from .residuals import Residuals

ULPS = 4 * float(np.finfo(float).eps)  # relative rounding error of a sum of an amount and an error


def half_range(values: np.ndarray) -> float:
    """Half the difference of the largest and the smallest value, which does not overflow."""
    return float(values.max() / 2 - values.min() / 2) if len(values) else 0.0


def rounding_of(truth: np.ndarray, error: np.ndarray) -> float:
    """A bound on the rounding error of their sums."""
    return ULPS * max(float(np.abs(part).max(initial=0.0)) for part in (truth, error))


class Sums:
    """Sums over the cases, as numbers; or without one case of each pair, as arrays.

    Actual amounts and errors are in the unit of half the range of the actual amounts, predicted ones in that
    of theirs, so that squares do not overflow: ratios of sums in the same unit are measures.

    Parameters
    ----------
    residuals : Residuals
        With actual amounts that differ.
    left_out : array or None
        The weight of the case of each pair that is left out.
    """

    def __init__(self, residuals: Residuals, left_out: np.ndarray | None = None):
        self._of, self._left_out = residuals, left_out

    @cached
    def total(self) -> Any:
        """The weight of the cases."""
        total = float(self._of.total)
        return total if self._left_out is None else total - self._left_out

    @cached
    def squared_error(self) -> Any:
        """The sum of the squared errors."""
        return self._sum(np.square(self._error))

    @cached
    def absolute_error(self) -> Any:
        """The sum of the absolute errors."""
        return self._sum(np.abs(self._error))

    @cached
    def of_error(self) -> Any:
        """The sum of the squares of errors about their mean."""
        return self._about_means(self._error, self._error)

    @cached
    def of_truth(self) -> Any:
        """The sum of the squares of actual amounts about their mean."""
        return self._about_means(self._truth, self._truth)

    @cached
    def of_predicted(self) -> Any:
        """The sum of the squares of predicted amounts about their mean."""
        return self._about_means(self._predicted, self._predicted)

    @cached
    def together(self) -> Any:
        """The sum of the products of actual and predicted amounts about their means."""
        return self._about_means(self._truth, self._predicted)

    @cached
    def deviation(self) -> Any:
        """The sum of the absolute differences of actual amounts from their mean."""
        off = self._truth - self._mean(self._truth)
        if self._left_out is None:
            return kernels.dot(self._of.weight, np.abs(off))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = -self._left_out * off / self.total
        return _distance(off, self._of.weight, mean) - self._left_out * np.abs(off - mean)

    def _sum(self, values: np.ndarray) -> Any:
        whole = kernels.dot(self._of.weight, values)
        return whole if self._left_out is None else np.maximum(whole - self._left_out * values, 0.0)

    def _about_means(self, one: np.ndarray, other: np.ndarray) -> Any:
        """Of an omitted case with weight u, u W / (W - u) times the product is subtracted."""
        off, of_other = one - self._mean(one), other - self._mean(other)
        whole = kernels.dot(self._of.weight, off * of_other)
        if self._left_out is None:
            return whole
        with np.errstate(divide="ignore", invalid="ignore"):
            less = whole - self._left_out * float(self._of.total) / self.total * off * of_other
        return np.maximum(less, 0.0) if one is other else less

    def _mean(self, values: np.ndarray) -> float:
        total = float(self._of.total)
        return kernels.dot(self._of.weight, values) / total if total else 0.0

    @property
    def _truth(self) -> np.ndarray:
        assert self._of.truth is not None
        return _from_0_to_2(self._of.truth, self._of.spread_of_truth)

    @property
    def _predicted(self) -> np.ndarray:
        assert self._of.truth is not None
        return _from_0_to_2(self._of.truth + self._of.error, self._of.spread_of_predicted)

    @property
    def _error(self) -> np.ndarray:
        with np.errstate(over="ignore"):
            found: np.ndarray = self._of.error / self._of.spread_of_truth
        return found


def _from_0_to_2(values: np.ndarray, unit: float) -> np.ndarray:
    found: np.ndarray = (values / 2 - values.min() / 2) / unit * 2
    return found


def _distance(values: np.ndarray, weight: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The sum of weight times |value - point|, for each point."""
    order = np.argsort(values)
    values, weight = values[order], np.asarray(weight[order], float)
    below, sums = (np.concatenate([[0.0], np.cumsum(part)]) for part in (weight, weight * values))
    place = np.searchsorted(values, points)
    found: np.ndarray = points * (2 * below[place] - below[-1]) - (2 * sums[place] - sums[-1])
    return found
