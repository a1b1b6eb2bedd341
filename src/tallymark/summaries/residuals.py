"""Residuals: the errors of predicted numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernels
from ..input import columns, validate, weighting
from ..input.calls import constructor, public
from ..input.options import WeightKind
from ..input.validate import LARGEST, InputError
from ..input.weighting import effective
from .cached import cached
from .squares import checked, needed
from .value import Value

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray | None]  # errors, weights, and sums of squared weights


@constructor
class Residuals(Value):
    """The distinct errors, predicted - actual, lowest first, with the weight of the cases at each.

    Parameters
    ----------
    error : array of float64, shape (n,)
        In the unit of the amounts; finite, strictly ascending.
    weight : array, shape (n,)
        Above 0; int64 where all are whole, else float64.
    squares : array of float64, shape (n,), or None
        The sums of the squared weights of the cases at each error, as for a `RankingTable`.

    Raises
    ------
    InputError
        If the arrays are not valid.

    Notes
    -----
    The arrays are read-only. Adds with `+`: the sum is of all the cases together.

    Examples
    --------
    >>> import tallymark as tm
    >>> residuals = tm.Residuals.from_arrays(truth=[1.0, 2.0, 3.0], predicted=[1.5, 2.5, 2.0])
    >>> residuals.error.tolist(), residuals.weight.tolist()
    ([-1.0, 0.5], [1, 2])
    >>> round(tm.measures.mean_absolute_error(residuals), 4)
    0.6667
    """

    said_of_it = "Residuals are"

    error: np.ndarray
    weight: np.ndarray
    squares: np.ndarray | None

    def __init__(self, error: Any, weight: Any, squares: Any = None):
        self._set(*_checked(error, weight, squares))

    def _set(self, error: np.ndarray, weight: np.ndarray, squares: np.ndarray | None) -> None:
        for name, array in (("error", error), ("weight", weight), ("squares", squares)):
            if array is not None:
                array.setflags(write=False)
            self.__dict__[name] = array

    @classmethod
    def of(cls, error: np.ndarray, weight: np.ndarray, squares: np.ndarray | None = None) -> Residuals:
        """Residuals of valid arrays that nothing else uses: they are made read-only.

        Parameters
        ----------
        error, weight, squares
            As for the class.
        """
        new = object.__new__(cls)
        new._set(error, weight, squares)
        return new

    @classmethod
    def empty(cls) -> Residuals:
        """No cases: adding it changes nothing."""
        return cls.of(np.empty(0), np.empty(0, np.int64))

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
        error = _difference(truth, predicted)
        weights = weighting.weights(weight)
        if weights is None:
            return cls.of(*_together(error, np.ones(len(error), np.int64)))
        there = weights > 0
        error, weights = error[there], weights[there]
        squares = np.square(weights) if needed(weight, weights) else None
        return cls.of(
            *_together(error, _whole(weights) if weighting.are_counts(weight) else weights, squares)
        )

    @cached
    def total(self) -> float:
        """The weight of all cases."""
        total: float = np.add.reduce(self.weight).item()
        return total

    @property
    def weighted(self) -> bool:
        """Whether weights are not numbers of cases."""
        return self.weight.dtype.kind == "f"

    @property
    def squared(self) -> np.ndarray:
        """The sum of squared case weights at each error; of numbers of cases the weights themselves."""
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

    def __len__(self) -> int:
        """The number of distinct errors."""
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
        return Residuals.of(*_together(np.concatenate([self.error, other.error]), weight, squares))

    __radd__ = __add__

    def __mul__(self, factor: float) -> Residuals:
        """Every weight times a number above 0; the effective number of weighted cases is unchanged."""
        squares = self.squares * float(factor) ** 2 if self.squares is not None and self.weighted else None
        return Residuals.of(self.error, self.weight * float(factor), squares)

    def repeated(self, times: float) -> Residuals:
        """The same cases, `times` times as many."""
        squares = self.squares * times if self.squares is not None and self.weighted else None
        return Residuals.of(self.error, self.weight * times, squares)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Residuals):
            return False
        return all(
            map(
                np.array_equal,
                (self.error, self.weight, self.squared),
                (other.error, other.weight, other.squared),
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Residuals({self.total:,.10g} cases, {len(self)} errors)"

    def __reduce__(self) -> tuple[Any, ...]:
        return Residuals, self._arrays()

    @property
    def _columns(self) -> dict[str, Any]:
        """One row per distinct error."""
        return {"error": self.error, "weight": self.weight}

    def to_dict(self) -> dict[str, Any]:
        """Lists."""
        squares = {} if self.squares is None else {"squares": self.squares.tolist()}
        return {"error": self.error.tolist(), "weight": self.weight.tolist(), **squares}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Residuals:
        """Make the summary from the result of `to_dict`."""
        return cls(table["error"], table["weight"], table.get("squares"))

    def _arrays(self) -> Arrays:
        return self.error, self.weight, self.squares


def _difference(truth: columns.Column, predicted: columns.Column) -> np.ndarray:
    """predicted - truth in float64, in which small integers do not wrap around.

    Raises InputError where it is too large.
    """
    numbers, said = _numbers(predicted), _numbers(truth)
    with np.errstate(over="ignore"):
        error = numbers - said
    far = ~(np.abs(error) <= LARGEST)
    if far.any():
        row = int(far.argmax())
        raise InputError(
            "invalid-value",
            predicted,
            f"{numbers[row]:g} in {predicted.row(row)} is more than {LARGEST:g} off ({truth} is"
            f" {said[row]:g})",
            "divide both by a constant",
            row=row,
            value=numbers[row],
        )
    plain: np.ndarray = error + 0.0  # -0 becomes 0
    return plain


def _numbers(column: columns.Column) -> np.ndarray:
    validate.no_gaps(column)
    with np.errstate(over="ignore"):  # beyond float64: infinity
        array = validate.scores(column, "only numbers can be subtracted").astype(np.float64)
    endless = np.isinf(array)
    if endless.any():
        row = int(endless.argmax())
        raise InputError(
            "invalid-value",
            column,
            f"{array[row]} in {column.row(row)} is not a finite number",
            "leave the case out, or correct it",
            row=row,
            value=array[row],
        )
    return array


def _together(error: np.ndarray, weight: np.ndarray, squares: np.ndarray | None = None) -> Arrays:
    """Sorted errors, with the weights of equal ones added, and their squares."""
    order = np.argsort(error, kind="stable")  # fast where two sorted parts follow each other
    error = error[order]
    new = np.flatnonzero(np.diff(error, prepend=np.nan) != 0)
    held = None if squares is None else _added(squares[order], new)
    return error[new], _added(weight[order], new), held


def _added(weight: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The sums of the weights from each of these places to the next."""
    if weight.dtype.kind != "f":
        whole: np.ndarray = np.add.reduceat(weight, new) if len(new) else weight
        return whole
    found: np.ndarray = kernels.sums(
        np.repeat(np.arange(len(new)), np.diff(new, append=len(weight))), weight, len(new)
    )
    return found


def _whole(weight: np.ndarray) -> np.ndarray:
    """As integers where all are whole, so that a weight of 2 gives exactly the result of two rows."""
    return (
        weight.astype(np.int64)
        if weighting.are_whole(weight) and weight.sum() <= validate.WHOLE_BELOW
        else weight
    )


def _checked(error: Any, weight: Any, squares: Any) -> Arrays:
    whole = squares is None or np.asarray(weight).dtype.kind != "f"
    error = _numbers(columns.read(error, "error")) + 0.0
    weight = np.array(validate.cell(validate.plain_array(weight, "weight"), "weight"))
    if weight.shape != error.shape:
        raise InputError(
            "wrong-shape",
            "error, weight",
            f"{error.shape} and {weight.shape} differ in shape",
            "give one weight per error",
        )
    if not (error[1:] > error[:-1]).all() or not (np.abs(error) <= LARGEST).all():
        raise InputError(
            "invalid-value",
            "error",
            "errors are distinct, ascend, and lie within 1e100",
            "build them with Residuals.from_arrays",
        )
    if whole and weighting.are_whole(weight):
        weighting.countable("weight", float(weight.sum()))
    there = weight > 0
    held = None if squares is None else checked(squares, error.shape, "squares")[there]
    return error[there], _whole(weight[there]) if whole else weight[there], held
