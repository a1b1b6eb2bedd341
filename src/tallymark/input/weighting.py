"""The kind of weights, numbers of cases or importance weights, and checks of their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from .arguments import WeightKind
from .errors import InputError, option
from .validate import WHOLE_BELOW, choice, exact, not_numeric, refuse_rows

if TYPE_CHECKING:
    from .columns import Column

# of the total: products of four weights are above 0 and finite
LEAST_IN_ALL, MOST_IN_ALL = 1e-40, 1e40
NEGLIGIBLE = 1e-30  # below this part of the largest a weight counts as 0: no square of another becomes 0
WEIGHT_KINDS = get_args(WeightKind)
MOST_CELLS = 10_000


def weight_kind(value: Any, weight: Any = ()) -> WeightKind | None:
    """The kind of weights: "count", "importance" or None. Raises InputError for a kind without weights."""
    kind: Any = None if value is None else choice(value, WEIGHT_KINDS, "weight_kind")
    if kind is not None and weight is None:
        raise InputError(
            "conflict", "weight_kind", f"it is for {option('weight')}, which is not given", "leave it out"
        )
    return kind


def weights(column: Column | None, kind: str | None = None) -> np.ndarray | None:
    """Weights as float64, None for weights of 1.

    Those below `NEGLIGIBLE` times the largest are 0. Raises InputError for negative, infinite and missing
    weights, and with the kind "count" for fractions.
    """
    if column is None:
        return None
    if column.missing is not None:
        problem = "the weight in {row} is missing"
        none = [None] * len(column)
        refuse_rows(column, column.gaps(), problem, "give every case a weight", none, "missing-value")
    if column.values.dtype.kind not in "buif":
        raise not_numeric(column, "weights are numbers")
    exact(column)
    with np.errstate(over="ignore"):  # from a longer type; infinite weights are refused below
        array = column.values.astype(np.float64, copy=False)
    with np.errstate(over="ignore", invalid="ignore"):
        total = array.sum()
    if not (total < np.inf and array.min(initial=0.0) >= 0):
        problem, remedy = "{value} in {row} cannot be a weight", "give finite numbers, none negative"
        refuse_rows(column, np.isnan(array), problem, remedy, array, "missing-value")
        refuse_rows(column, ~((array >= 0) & (array < np.inf)), problem, remedy, array)
    negligible = (array > 0) & (array < NEGLIGIBLE * array.max(initial=0.0))
    if negligible.any():
        array = np.where(negligible, 0.0, array)
    kind = kind or column.weight_kind
    if kind == "count":
        problem = f"{{value}} in {{row}} is not a number of cases, as {option('weight_kind', 'count')} asks"
        remedy = f"give whole numbers, or {option('weight_kind', 'importance')}"
        refuse_rows(column, array != np.rint(array), problem, remedy, array)
    if total > WHOLE_BELOW and kind == "count":
        countable(str(column), total)
    if total and not LEAST_IN_ALL < total < MOST_IN_ALL:
        raise InputError(
            "invalid-value",
            column,
            f"the weights add up to {total:g}, outside 1e-40 to 1e40",
            f"{'multiply' if total < 1 else 'divide'} them by a constant",
        )
    return array


def are_counts(column: Column | None) -> bool:
    """Whether weights are numbers of cases: by their kind, and without one if all are 0 or 1."""
    if column is None or column.weight_kind is not None:
        return column is None or column.weight_kind == "count"
    return bool(np.isin(column.values, (0, 1)).all())


def distinct_cells(labels: Sequence[Column], before: Iterable[Any] = ()) -> set[Any] | None:
    """The combinations of labels of these rows and of those before; None as soon as one occurs twice.

    None, too, where they are more than those of a table of 100 classes.
    Where each occurs once, the rows are the cells of a table, and whole weights numbers of cases.
    """
    seen = set(before)
    for cell in zip(*(column.values for column in labels), strict=True):
        if cell in seen or len(seen) == MOST_CELLS:
            return None
        seen.add(cell)
    return seen


def ones(size: int) -> np.ndarray:
    """A weight of 1 for each of so many cases: a view of a single number, which takes no memory."""
    return np.broadcast_to(np.float64(1.0), size)


def are_ones(weight: np.ndarray) -> bool:
    """Whether every weight is 1; a view of a single number shows it at once."""
    return bool(((weight[:1] if weight.strides == (0,) else weight) == 1).all())


def are_whole(weight: np.ndarray) -> bool:
    """Whether all weights are whole numbers."""
    return bool((weight == np.rint(weight)).all())


def countable(role: str, total: float) -> None:
    """Raises InputError where whole weights add up to more than a float counts exactly."""
    if total > WHOLE_BELOW:
        raise InputError(
            "invalid-value",
            role,
            f"whole weights are numbers of cases, and these add up to {total:g}, more than 2^53 = 9.007e15,"
            " the most that are counted exactly",
            "divide the weights by a constant",
        )


def some_weight(total: float, column: Column | None) -> None:
    """Raises InputError where all weights are 0."""
    if not total:
        raise InputError(
            "empty", column, "every weight is 0, so no case counts", "give at least one positive weight"
        )


def effective(total: Any, squares: Any) -> Any:
    """Kish's effective sample size; 0 without cases."""
    total = np.asarray(total, np.float64)
    found = np.divide(total * total, squares, out=np.zeros_like(total), where=np.asarray(squares) > 0)
    return found if found.ndim else found.item()
