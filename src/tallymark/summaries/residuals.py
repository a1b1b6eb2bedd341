"""Residuals: the errors of predicted numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from .. import kernels
from ..input import columns, validate, weighting
from ..input.arguments import WeightKind
from ..input.calls import constructor, public
from ..input.validate import LARGEST, InputError
from .counts import squared
from .passes import Entries, PowerSums
from .ranking import checked_squares as checked
from .value import Value, cached

# errors, weights, sums of squared weights, and actual amounts
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray | None]


def finite(column: columns.Column) -> np.ndarray:
    """The numbers of a column in float64. Raises InputError for one that is missing or infinite."""
    validate.no_gaps(column)
    with np.errstate(over="ignore"):  # beyond float64: infinity
        array = validate.scores(column, "only numbers can be subtracted").astype(np.float64, copy=False)
    problem, remedy = "{value} in {row} is not a finite number", "leave the case out, or correct it"
    validate.refuse_rows(column, np.isinf(array), problem, remedy, array)
    return array


def whole_numbers(weight: np.ndarray) -> np.ndarray:
    """As integers where all are whole, so that a weight of 2 gives exactly the result of two rows."""
    return (
        weight.astype(np.int64)
        if weighting.are_whole(weight) and weight.sum() <= validate.WHOLE_BELOW
        else weight
    )


ULPS = 4 * float(np.finfo(float).eps)  # relative rounding error of a sum of an amount and an error


def half_range(values: np.ndarray) -> float:
    """Half the difference of the largest and the smallest value, which does not overflow."""
    return float(values.max() / 2 - values.min() / 2) if len(values) else 0.0


PRODUCTS = {
    "squared_error": ("error", "error"),
    "of_error": ("error_off", "error_off"),
    "of_truth": ("truth_off", "truth_off"),
    "of_predicted": ("predicted_off", "predicted_off"),
    "together": ("truth_off", "predicted_off"),
}
SIZES = {"absolute_error": "error", "deviation": "truth_off"}
TERMS = (*PRODUCTS, *SIZES)


def term(rows: Any, name: str) -> Any:
    """What each pair adds to a sum. Raises AttributeError where the rows lack a value of the pairs."""
    if name in SIZES:
        return np.absolute(getattr(rows, SIZES[name]))
    one, other = (getattr(rows, value) for value in PRODUCTS[name])
    return one * other


class Sums:
    """Sums over the cases, and the values of each pair that they are of.

    Actual amounts and errors are in the unit of half the range of the actual amounts, predicted ones in that
    of theirs, so that squares do not overflow: ratios of sums in the same unit are measures.

    Parameters
    ----------
    residuals : Residuals
        With actual amounts that differ.

    Attributes
    ----------
    squared_error, absolute_error
        The sums of the squared errors, and of the absolute ones.
    of_error, of_truth, of_predicted, together
        The sums of squares about the mean, of errors, actual and predicted amounts, and of their products.
    deviation
        The sum of the absolute differences of actual amounts from their mean.
    """

    def __init__(self, residuals: Residuals):
        self._of, self._weight = residuals, residuals.weight
        self.total = residuals.total

    @cached
    def error(self) -> np.ndarray:
        """The errors."""
        with np.errstate(over="ignore"):
            result: np.ndarray = self._of.error / self._of.spread_of_truth
        return result

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

    def __getattr__(self, name: str) -> Any:
        """The sum of a term, which is computed once."""
        if name not in TERMS:
            raise AttributeError(name)
        result = self.__dict__[name] = kernels.dot(self._weight, term(self, name))
        return result

    def deviation_without(self, left_out: np.ndarray) -> np.ndarray:
        """The same without a case of each pair, whose mean differs. left_out: the weights of these cases."""
        off = self.truth_off
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = -left_out * off / (self.total - left_out)
        return _distance(off, self._weight, mean) - left_out * np.abs(off - mean)

    def _less_mean(self, values: np.ndarray) -> np.ndarray:
        sums = np.asarray(kernels.dot(self._weight, values))
        mean = np.divide(sums, self.total, out=np.zeros_like(sums), where=np.asarray(self.total) > 0)
        return values - mean[..., None]


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

    def __getattr__(self, name: str) -> Any:
        """Of an omitted case with weight u, u times the term; about means, u W / (W - u) times it."""
        if name not in TERMS:
            raise AttributeError(name)
        if name == "deviation":
            return self._whole.deviation_without(self._left_out)
        each, part = term(self._whole, name), self._left_out
        with np.errstate(divide="ignore", invalid="ignore"):
            if name not in ("squared_error", "absolute_error"):
                part = part * self._whole.total / self.total
            found = getattr(self._whole, name) - part * each
        return found if name == "together" else np.maximum(found, self._least)


def from_0_to_2(values: Any, low: float, unit: float) -> Any:
    """Values from their smallest one on, in this unit."""
    return (values / 2 - low / 2) / unit * 2


def _distance(values: np.ndarray, weight: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The sum of weight times |value - point|, for each point."""
    order = np.argsort(values)
    values, weight = values[order], np.asarray(weight[order], float)
    below, sums = (np.concatenate([[0.0], np.cumsum(part)]) for part in (weight, weight * values))
    place = np.searchsorted(values, points)
    return points * (2 * below[place] - below[-1]) - (2 * sums[place] - sums[-1])


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

    ENTRIES: ClassVar[tuple[str, ...]] = ("error", "weight")
    FIELDS = NAMES
    CELLS = ("weight",)

    error: np.ndarray
    weight: np.ndarray
    squares: np.ndarray | None
    truth: np.ndarray | None

    def __init__(self, error: Any, weight: Any, squares: Any = None, truth: Any = None):
        error = finite(columns.read(error, "error")) + 0.0
        weight = np.array(validate.cell(validate.plain_array(weight, "weight"), "weight"))
        actual = None if truth is None else finite(columns.read(truth, "truth")) + 0.0
        for name, array in (("weight", weight), ("truth", actual)):
            if array is not None and array.shape != error.shape:
                raise InputError(
                    "wrong-shape",
                    f"error, {name}",
                    f"{error.shape} and {array.shape} differ in shape",
                    f"give one {name} per error",
                )
        above = error[1:] > error[:-1]
        if actual is not None:
            above |= (error[1:] == error[:-1]) & (actual[1:] > actual[:-1])
        if not above.all() or not (np.abs(error) <= LARGEST).all():
            raise InputError(
                "invalid-value",
                "error",
                "errors are distinct, ascend, and lie within 1e100",
                "build them with Residuals.from_arrays",
            )
        if squares is None and weighting.are_whole(weight):
            weighting.countable("weight", float(weight.sum()))
        there = weight > 0
        held = None if squares is None else checked(squares, error.shape, "squares")[there]
        counts = whole_numbers(weight[there]) if squares is None else weight[there].astype(np.float64)
        self._set(error[there], counts, held, None if actual is None else actual[there])

    @classmethod
    def empty(cls) -> Residuals:
        """No cases: adding it changes nothing."""
        return cls.of(np.empty(0), np.empty(0, np.int64), None, np.empty(0))

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
        guessed, amounts = finite(predicted), finite(truth)
        with np.errstate(over="ignore"):
            error = guessed - amounts
        far = ~(np.abs(error) <= LARGEST)
        if far.any():
            row = int(far.argmax())
            raise InputError(
                "invalid-value",
                predicted,
                f"{guessed[row]:g} in {predicted.row(row)} is more than {LARGEST:g} off ({truth} is"
                f" {amounts[row]:g})",
                "divide both by a constant",
                row=row,
                value=guessed[row],
            )
        error, actual = error + 0.0, amounts + 0.0  # -0 becomes 0
        weights = weighting.weights(weight)
        if weights is None:
            return cls.of(*_together(error, np.ones(len(error), np.int64), None, actual))
        there = weights > 0
        error, weights, actual = error[there], weights[there], actual[there]
        squares = squared(weights, None if weight is None else weight.weight_kind)
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
        return self.weight if self.squares is None else self.squares

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
        largest = max(float(np.abs(part).max(initial=0.0)) for part in (self.truth, self.error))
        return found if found > ULPS * largest else 0.0

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

    def power_sums(self, function: Callable[..., Any], values: Callable[[], np.ndarray]) -> PowerSums:
        """The sums of powers of influence values on a mean of a loss, or a formula of `sums`.

        Raises LookupError where they are not known.
        """
        squares = None if self.squared is self.weight else self.squared
        return Entries.of(self.weight, squares, np.zeros(len(self), bool), 1).sums_of(values())

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

    def _plus(self, other: Residuals) -> Residuals:
        weight = np.concatenate([self.weight, other.weight])
        if weight.dtype.kind != "f":
            weighting.countable("weight", self.total + other.total)
        squares = self._squares_with(other, lambda *each: np.concatenate(each).astype(np.float64))
        actual = [one.truth for one in (self, other) if len(one)]
        known = [one for one in actual if one is not None]
        truth = np.concatenate([np.empty(0), *known]) if len(known) == len(actual) else None
        return Residuals.of(*_together(np.concatenate([self.error, other.error]), weight, squares, truth))

    def __repr__(self) -> str:
        what = "errors" if self.truth is None else "pairs of error and actual amount"
        return f"Residuals({self.total:,.10g} cases, {len(self)} {what})"

    @property
    def _columns(self) -> dict[str, Any]:
        """One row per distinct pair."""
        truth = {} if self.truth is None else {"truth": self.truth}
        return {"error": self.error, "weight": self.weight, **truth}

    def to_dict(self) -> dict[str, Any]:
        """Lists."""
        arrays = zip(NAMES, self._fields(), strict=True)
        return {name: array.tolist() for name, array in arrays if array is not None}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Residuals:
        """Make the summary from the result of `to_dict`."""
        return cls(table["error"], table["weight"], table.get("squares"), table.get("truth"))


def _together(
    error: np.ndarray, weight: np.ndarray, squares: np.ndarray | None, truth: np.ndarray | None
) -> Arrays:
    """Sorted pairs, with the weights of equal ones added, and their squares."""
    order = np.argsort(error, kind="stable")  # fast where two sorted parts follow each other
    new = kernels.changes(error[order])
    if truth is not None and not new.all():
        order = np.lexsort((truth, error))
    if truth is not None:
        truth = truth[order]
        new |= kernels.changes(truth)
    first = np.flatnonzero(new)
    held = None if squares is None else _added(squares[order], first)
    actual = None if truth is None else truth[first]
    return error[order][first], _added(weight[order], first), held, actual


def _added(weight: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The sums of the weights from each of these places to the next."""
    return np.add.reduceat(weight, new) if len(new) else weight
