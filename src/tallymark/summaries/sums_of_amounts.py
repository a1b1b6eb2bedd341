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
    """Sums over the cases, and the values of each pair that they are of.

    Actual amounts and errors are in the unit of half the range of the actual amounts, predicted ones in that
    of theirs, so that squares do not overflow: ratios of sums in the same unit are measures.

    Parameters
    ----------
    residuals : Residuals
        With actual amounts that differ.
    """

    def __init__(self, residuals: Residuals):
        self._of, self._weight = residuals, residuals.weight
        self.total = residuals.total

    @cached
    def error(self) -> np.ndarray:
        """The errors."""
        with np.errstate(over="ignore"):
            found: np.ndarray = self._of.error / self._of.spread_of_truth
        return found

    @cached
    def error_off(self) -> np.ndarray:
        """The errors less their mean."""
        return self._less_mean(self.error)

    @cached
    def truth_off(self) -> np.ndarray:
        """The actual amounts less their mean."""
        assert self._of.truth is not None
        return self._less_mean(from_0_to_2(self._of.truth, self._of.truth.min(), self._of.spread_of_truth))

    @cached
    def predicted_off(self) -> np.ndarray:
        """The predicted amounts less their mean."""
        assert self._of.truth is not None
        values = self._of.truth + self._of.error
        return self._less_mean(from_0_to_2(values, values.min(), self._of.spread_of_predicted))

    @cached
    def squared_error(self) -> Any:
        """The sum of the squared errors."""
        return kernels.dot(self._weight, np.square(self.error))

    @cached
    def absolute_error(self) -> Any:
        """The sum of the absolute errors."""
        return kernels.dot(self._weight, np.abs(self.error))

    @cached
    def of_error(self) -> Any:
        """The sum of the squares of errors about their mean."""
        return kernels.dot(self._weight, np.square(self.error_off))

    @cached
    def of_truth(self) -> Any:
        """The sum of the squares of actual amounts about their mean."""
        return kernels.dot(self._weight, np.square(self.truth_off))

    @cached
    def of_predicted(self) -> Any:
        """The sum of the squares of predicted amounts about their mean."""
        return kernels.dot(self._weight, np.square(self.predicted_off))

    @cached
    def together(self) -> Any:
        """The sum of the products of actual and predicted amounts about their means."""
        return kernels.dot(self._weight, self.truth_off * self.predicted_off)

    @cached
    def deviation(self) -> Any:
        """The sum of the absolute differences of actual amounts from their mean."""
        return kernels.dot(self._weight, np.abs(self.truth_off))

    def deviation_without(self, left_out: np.ndarray) -> np.ndarray:
        """The same without a case of each pair, whose mean differs. left_out: the weights of these cases."""
        off = self.truth_off
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = -left_out * off / (self.total - left_out)
        found: np.ndarray = _distance(off, self._weight, mean) - left_out * np.abs(off - mean)
        return found

    def _less_mean(self, values: np.ndarray) -> np.ndarray:
        sums = np.asarray(kernels.dot(self._weight, values))
        mean = np.divide(sums, self.total, out=np.zeros_like(sums), where=np.asarray(self.total) > 0)
        off: np.ndarray = values - mean[..., None]
        return off


class SumsWithoutEach:
    """The same sums without one case of each pair.

    They are arrays with an entry per pair, or expressions that an engine evaluates for each row.

    Parameters
    ----------
    whole : Sums
        Of all cases, or anything with its sums and values.
    left_out : array
        The weight of the case of each pair that is left out.
    least : float
        The smallest sum of squares.
    """

    def __init__(self, whole: Any, left_out: Any, least: float = 0.0):
        self._whole, self._left_out, self._least = whole, left_out, least

    @cached
    def total(self) -> Any:
        """The weight of the cases."""
        return self._whole.total - self._left_out

    @property
    def squared_error(self) -> Any:
        """The sum of the squared errors."""
        return self._less(self._whole.squared_error, np.square(self._whole.error))

    @property
    def absolute_error(self) -> Any:
        """The sum of the absolute errors."""
        return self._less(self._whole.absolute_error, np.absolute(self._whole.error))

    @property
    def of_error(self) -> Any:
        """The sum of the squares of errors about their mean."""
        return np.maximum(self._about_means("of_error", "error_off", "error_off"), self._least)

    @property
    def of_truth(self) -> Any:
        """The sum of the squares of actual amounts about their mean."""
        return np.maximum(self._about_means("of_truth", "truth_off", "truth_off"), self._least)

    @property
    def of_predicted(self) -> Any:
        """The sum of the squares of predicted amounts about their mean."""
        return np.maximum(self._about_means("of_predicted", "predicted_off", "predicted_off"), self._least)

    @property
    def together(self) -> Any:
        """The sum of the products of actual and predicted amounts about their means."""
        return self._about_means("together", "truth_off", "predicted_off")

    @property
    def deviation(self) -> Any:
        """The sum of the absolute differences of actual amounts from their mean."""
        return self._whole.deviation_without(self._left_out)

    def _less(self, whole: float, values: Any) -> Any:
        return np.maximum(whole - self._left_out * values, self._least)

    def _about_means(self, name: str, one: str, other: str) -> Any:
        """Of an omitted case with weight u, u W / (W - u) times the product is subtracted."""
        with np.errstate(divide="ignore", invalid="ignore"):
            part = self._left_out * self._whole.total / self.total
            return getattr(self._whole, name) - part * getattr(self._whole, one) * getattr(self._whole, other)


def from_0_to_2(values: Any, low: float, unit: float) -> Any:
    """Values from their smallest one on, in this unit."""
    return (values / 2 - low / 2) / unit * 2


def _distance(values: np.ndarray, weight: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The sum of weight times |value - point|, for each point."""
    order = np.argsort(values)
    values, weight = values[order], np.asarray(weight[order], float)
    below, sums = (np.concatenate([[0.0], np.cumsum(part)]) for part in (weight, weight * values))
    place = np.searchsorted(values, points)
    found: np.ndarray = points * (2 * below[place] - below[-1]) - (2 * sums[place] - sums[-1])
    return found
