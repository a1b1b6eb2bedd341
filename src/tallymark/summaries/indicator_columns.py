"""The columns of an indicator table, read and checked: 0 and 1 per case and label."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from ..input import arrays, columns, validate, weighting
from ..input.labels import listed
from ..input.options import WeightKind
from ..input.validate import InputError, shown


def names_and_order(
    labels: Any, truth: Any, predicted: Any
) -> tuple[tuple[Any, ...] | None, list[int] | None]:
    """The labels, and the order of the columns of predicted by those of truth; None where it is the same."""
    if labels is not None:
        labels = validate.labels(list(labels) if isinstance(labels, str) else labels, "labels")
    of_truth, of_predicted = _columns(truth), _columns(predicted)
    order = None
    if of_truth and of_predicted and of_truth != of_predicted:
        if sorted(of_truth) != sorted(of_predicted) or len(set(of_truth)) < len(of_truth):
            raise InputError(
                "mismatch",
                None,
                f"truth has the columns {listed(of_truth)} and predicted {listed(of_predicted)}",
                "give both the same names",
            )
        order = [of_predicted.index(name) for name in of_truth]
    return (of_truth or of_predicted if labels is None else tuple(labels)), order


def _columns(values: Any) -> tuple[str, ...] | None:
    # a lazy frame would have to compute its columns
    if not isinstance(getattr(values, "shape", None), tuple):
        return None
    named = getattr(values, "column_names", getattr(values, "columns", None))
    return None if named is None else tuple(str(name) for name in named)


def indicators(values: Any, role: str) -> np.ndarray:
    """The values as booleans, shape (cases, labels). Raises InputError for anything but 0 and 1."""
    array = validate.plain_array(values, role, "give one column per label")
    if array.ndim == 2 and not len(array):
        raise InputError("empty", role, "there are no rows", "at least one case is needed")
    if array.ndim != 2 or not array.size:
        problem = f"shape {array.shape} where (cases, labels) is needed"
        raise InputError("wrong-shape", role, problem, "give one row per case and one column per label")
    gaps = (
        np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else np.zeros(array.shape, bool)
    )
    if array.dtype.kind == "O":
        array = _from_objects(array, role)
    if array.dtype.kind not in "buif":
        kind = "text" if array.dtype.kind in "UST" else array.dtype
        raise InputError("invalid-value", role, f"{kind} where 0 and 1, or booleans, are needed")
    if array.dtype.kind == "f":
        gaps = gaps | np.isnan(array)
    if gaps.any():
        row, column = np.argwhere(gaps)[0]
        raise InputError(
            "missing-value",
            role,
            f"the value in {_place(row, column)} is missing (NaN or null)",
            "leave out such rows, or fill them",
        )
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            "invalid-value",
            role,
            f"{array[row, column]} in {_place(row, column)} is neither 0 nor 1",
            "threshold scores first",
            value=array[row, column],
        )
    return array.astype(bool)


def _place(row: int, column: int) -> str:
    return f"row {row}, column {column} (counted from 0)"


def _from_objects(array: np.ndarray, role: str) -> np.ndarray:
    """Booleans and numbers of any library as floats, and what is missing as NaN."""
    numbers = np.empty(array.shape)
    for (row, column), value in np.ndenumerate(array):
        if value is None or arrays.is_gap(value):
            numbers[row, column] = np.nan
        elif isinstance(value, (Real, np.bool_)):
            numbers[row, column] = value
        else:
            raise InputError(
                "invalid-value",
                role,
                f"{shown(value)} in {_place(row, column)} is neither 0 nor 1",
                "give 0 and 1, or booleans",
                value=value,
            )
    return numbers


def weights_and_kind(
    weight: Any, rows: int, kind: WeightKind | None
) -> tuple[np.ndarray | None, WeightKind | None]:
    """The weights and their kind, checked."""
    if weight is None:
        return None, kind
    column = columns.read(weight, "weight")
    if len(column) != rows:
        raise InputError(
            "wrong-shape",
            None,
            f"truth has {rows} rows and weight has {len(column)}",
            "give one value per case to each",
        )
    kind = kind or column.weight_kind
    array = weighting.weights(column, kind)
    assert array is not None
    weighting.some_weight(array.sum(), column)
    return array, kind
