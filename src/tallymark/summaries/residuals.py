"""Residuals: the errors of predicted numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from .. import kernels
from ..input import columns, validate, weighting
from ..input.calls import constructor, public
from ..input.options import WeightKind
from ..input.weighting import effective
from .amounts import Arrays, checked_arrays, errors_and_truth, whole_numbers
from .cached import cached
from .squares import needed
from .sums_of_amounts import Sums, SumsWithoutEach, half_range, rounding_of
from .value import Value

Loss = Callable[[Any], Any]  # of errors
NAMES = ("error", "weight", "squares", "truth")


@constructor
class Residuals(Value):
    """The distinct pairs of an error and an actual amount, with the weight of the cases of each pair.

    Parameters
    ----------
    error : array of float64, shape (n,)
        predicted - actual, in the unit of the amounts; finite, ascending; strictly so without truth.
    weight : array, shape (n,)
        Above 0; int64 where they are numbers of cases, else float64.
    squares : array of float64, shape (n,), or None
        The sums of the squared weights of the cases of each pair, as for a `RankingTable`.
    truth : array of float64, shape (n,), or None
        The actual amounts, strictly ascending where errors are equal. None where only the errors are known:
        measures that relate them to the actual amounts, as r2, are then undefined.

    Raises
    ------
    InputError
        If the arrays are not valid.

    Notes
    -----
    The arrays are read-only. Adds with `+`: the sum is of all the cases together; where one of the two has no
    actual amounts, neither has the sum.

    Examples
    --------
    >>> import tallymark as tm
    >>> residuals = tm.Residuals.from_arrays(truth=[1.0, 2.0, 3.0], predicted=[1.5, 2.5, 2.0])
    >>> residuals.error.tolist(), residuals.weight.tolist()
    ([-1.0, 0.5, 0.5], [1, 1, 1])
    >>> residuals.truth.tolist()
    [3.0, 1.0, 2.0]
    >>> round(tm.measures.mean_absolute_error(residuals), 4)
    0.6667
    """

    said_of_it = "Residuals are"
    ENTRIES: ClassVar[tuple[str, ...]] = ("error", "weight")

    error: np.ndarray
    weight: np.ndarray
    squares: np.ndarray | None
    truth: np.ndarray | None

    def __init__(self, error: Any, weight: Any, squares: Any = None, truth: Any = None):
        self._set(*checked_arrays(error, weight, squares, truth))

    def _set(self, *arrays: np.ndarray | None) -> None:
        for name, array in zip(NAMES, arrays, strict=True):
            if array is not None:
                array.setflags(write=False)
            self.__dict__[name] = array

    @classmethod
    def of(
        cls,
        error: np.ndarray,
        weight: np.ndarray,
        squares: np.ndarray | None = None,
        truth: np.ndarray | None = None,
    ) -> Residuals:
        """Residuals of valid arrays that nothing else uses: they are made read-only.

        Parameters
        ----------
        error, weight, squares, truth
            As for the class.
        """
        new = object.__new__(cls)
        new._set(error, weight, squares, truth)
        return new

    @classmethod
    def empty(cls) -> Residuals:
        """No cases: adding it changes nothing."""
        return cls.of(np.empty(0), np.empty(0, np.int64), truth=np.empty(0))

    @classmethod
    @public()
    def from_arrays(
        cls, *, truth: Any, predicted: Any, weight: Any = None, weight_kind: WeightKind | None = None
    ) -> Residuals:
        """Make the differences of two columns of numbers.

        Parameters
        ----------
        truth, predicted : array, list or series
            The actual and the predicted amount of every case.
        weight : array, list or series, or None
            The weight of each case, >= 0.
        weight_kind : {"count", "importance"} or None
            "count" or "importance", as for a `RankingTable`.

        Raises
        ------
        InputError
            For values that are missing, infinite or not numbers, for lengths that differ, and for differences
            beyond 1e100.
        """
        of_weight = columns.read_weights(weight, weight_kind)
        table = cls.from_columns(
            columns.read(truth, "truth"), columns.read(predicted, "predicted"), of_weight
        )
        if of_weight is not None:
            weighting.some_weight(table.total, of_weight)
        return table

    @classmethod
    def from_columns(
        cls, truth: columns.Column, predicted: columns.Column, weight: columns.Column | None = None
    ) -> Residuals:
        """One batch of cases.

        Parameters
        ----------
        truth, predicted, weight : Column
            The actual amounts, the predicted ones, and the weights, which may be None.
        """
        validate.same_length(truth, predicted, weight)
        error, actual = errors_and_truth(truth, predicted)
        weights = weighting.weights(weight)
        if weights is None:
            return cls.of(*_together(error, np.ones(len(error), np.int64), None, actual))
        there = weights > 0
        error, weights, actual = error[there], weights[there], actual[there]
        squares = np.square(weights) if needed(weight, weights) else None
        whole = whole_numbers(weights) if weighting.are_counts(weight) else weights
        return cls.of(*_together(error, whole, squares, actual))

    @cached
    def total(self) -> Any:
        """The weight of all cases."""
        total = np.add.reduce(self.weight, axis=-1)
        return total if total.ndim else total.item()

    @cached
    def weighted(self) -> bool:
        """Whether weights are not numbers of cases."""
        return self.weight.dtype.kind == "f"

    @property
    def squared(self) -> np.ndarray:
        """The sum of squared case weights of each pair; of numbers of cases the weights themselves."""
        return self.weight if self.squares is None or not self.weighted else self.squares

    @cached
    def effective_total(self) -> float:
        """The effective number of cases: how many of one weight are equivalent to all."""
        found: float = (
            self.total
            if self.squared is self.weight
            else effective(self.total, np.add.reduce(self.squared).item())
        )
        return found

    @cached
    def spread_of_truth(self) -> float:
        """Half the range of the actual amounts; 0 where they are not known."""
        return 0.0 if self.truth is None else half_range(self.truth)

    @cached
    def spread_of_predicted(self) -> float:
        """Half the range of the predicted amounts, 0 up to rounding; 0 where they are not known."""
        if self.truth is None:
            return 0.0
        found = half_range(self.truth + self.error)
        return found if found > rounding_of(self.truth, self.error) else 0.0

    @cached
    def sums(self) -> Sums:
        """Sums of squares and products, from which measures that need the actual amounts follow."""
        return Sums(self)

    @property
    def sums_without_each(self) -> SumsWithoutEach:
        """The same without one case of each pair: arrays with an entry per pair."""
        return SumsWithoutEach(self.sums, self.weight_of_case)

    @cached
    def ends(self) -> tuple[Any, Any]:
        """The smallest and the largest error, of at least one."""
        if self.weight.ndim == 1:
            return float(self.error[0]), float(self.error[-1])
        there = self.weight > 0
        last = there.shape[-1] - 1 - there[..., ::-1].argmax(-1)
        return self.error[there.argmax(-1)], self.error[last]

    def sum_of(self, loss: Loss) -> Any:
        """The weighted sum of a loss, which is a function of the errors."""
        return kernels.dot(self.weight, loss(self.error))

    def spread_of(self, loss: Loss, mean: float) -> tuple[float, float, float]:
        """A unit, and the means of the squares and cubes of (loss - mean) / unit, by squared weights."""
        off = loss(self.error) - mean
        unit = float(np.abs(off).max()) or 1.0
        off /= unit
        square, weight = off * off, self.squared
        total = float(np.add.reduce(weight))
        return unit, kernels.dot(weight, square) / total, kernels.dot(weight, square * off) / total

    def jackknifed(
        self, formula: Callable[[Any], Any], scale: Callable[[Any], Any]
    ) -> tuple[float, float, float] | None:
        """Sums over the cases of the squares and fourth powers of what each changes, and their number.

        The change is that of a formula of the sums, on a scale, without the case, times the effective number
        of cases. None where it is not known.
        """
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            change = scale(formula(self.sums_without_each)) - scale(formula(self.sums))
            square = np.square(change * self.effective_total)
            cases = self.weight / self.weight_of_case
            fourth = kernels.dot(cases, np.square(square))
            return kernels.dot(cases, square), fourth, float(np.add.reduce(cases))

    @cached
    def sizes_of_errors(self) -> tuple[np.ndarray, np.ndarray]:
        """The absolute errors, ascending, and the weight of the cases up to each."""
        size = np.abs(self.error)
        order = np.argsort(size, kind="stable")
        return size[order], np.cumsum(self.weight[..., order], axis=-1)

    @property
    def weight_of_case(self) -> np.ndarray:
        """The weight of a case of each pair: 1 where weights are numbers of cases."""
        return np.ones(len(self)) if self.squared is self.weight else self.squared / self.weight

    def __len__(self) -> int:
        """The number of distinct pairs."""
        return len(self.error)

    def __add__(self, other: Residuals) -> Residuals:
        if not isinstance(other, Residuals):
            return self if isinstance(other, int) and other == 0 else NotImplemented  # sum() starts at 0
        weight = np.concatenate([self.weight, other.weight])
        if weight.dtype.kind != "f":
            weighting.countable("weight", self.total + other.total)
        squares = None
        if self.squares is not None or other.squares is not None:
            squares = np.concatenate(
                [one.weight if one.squares is None else one.squares for one in (self, other)]
            ).astype(np.float64)
        actual = [one.truth for one in (self, other) if len(one)]
        known = [one for one in actual if one is not None]
        truth = np.concatenate([np.empty(0), *known]) if len(known) == len(actual) else None
        return Residuals.of(*_together(np.concatenate([self.error, other.error]), weight, squares, truth))

    __radd__ = __add__

    def __mul__(self, factor: float) -> Residuals:
        """Every weight times a number above 0; the effective number of weighted cases is unchanged."""
        squares = self.squares * float(factor) ** 2 if self.squares is not None and self.weighted else None
        return Residuals.of(self.error, self.weight * float(factor), squares, self.truth)

    def repeated(self, times: float) -> Residuals:
        """The same cases, `times` times as many."""
        squares = self.squares * times if self.squares is not None and self.weighted else None
        return Residuals.of(self.error, self.weight * times, squares, self.truth)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Residuals):
            return False
        if len(self) and (self.truth is None) is not (other.truth is None):
            return False
        return all(map(np.array_equal, self._compared, other._compared))

    @property
    def _compared(self) -> list[np.ndarray]:
        arrays = [self.error, self.weight, self.squared]
        return arrays if self.truth is None or not len(self) else [*arrays, self.truth]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        what = "errors" if self.truth is None else "pairs of error and actual amount"
        return f"Residuals({self.total:,.10g} cases, {len(self)} {what})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Residuals, self._arrays()

    @property
    def _columns(self) -> dict[str, Any]:
        """One row per distinct pair."""
        truth = {} if self.truth is None else {"truth": self.truth}
        return {"error": self.error, "weight": self.weight, **truth}

    def to_dict(self) -> dict[str, Any]:
        """Lists."""
        arrays = zip(NAMES, self._arrays(), strict=True)
        return {name: array.tolist() for name, array in arrays if array is not None}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Residuals:
        """Make the summary from the result of `to_dict`."""
        return cls(table["error"], table["weight"], table.get("squares"), table.get("truth"))

    def _arrays(self) -> Arrays:
        return self.error, self.weight, self.squares, self.truth


def _together(
    error: np.ndarray, weight: np.ndarray, squares: np.ndarray | None, truth: np.ndarray | None
) -> Arrays:
    """Sorted pairs, with the weights of equal ones added, and their squares."""
    order = np.argsort(error, kind="stable")  # fast where two sorted parts follow each other
    new = _changes(error[order])
    if truth is not None and not new.all():
        order = np.lexsort((truth, error))
    if truth is not None:
        truth = truth[order]
        new |= _changes(truth)
    first = np.flatnonzero(new)
    held = None if squares is None else _added(squares[order], first)
    actual = None if truth is None else truth[first]
    return error[order][first], _added(weight[order], first), held, actual


def _changes(values: np.ndarray) -> np.ndarray:
    """Where a value differs from the one before; the first does."""
    new = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new


def _added(weight: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The sums of the weights from each of these places to the next."""
    if weight.dtype.kind != "f":
        whole: np.ndarray = np.add.reduceat(weight, new) if len(new) else weight
        return whole
    found: np.ndarray = kernels.sums(
        np.repeat(np.arange(len(new)), np.diff(new, append=len(weight))), weight, len(new)
    )
    return found
