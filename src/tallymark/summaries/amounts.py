"""Columns of amounts, their differences, and the arrays that hold them, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input import columns, validate, weighting
from ..input.validate import LARGEST, InputError
from .squares import checked

# errors, weights, sums of squared weights, and actual amounts
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray | None]


def errors_and_truth(truth: columns.Column, predicted: columns.Column) -> tuple[np.ndarray, np.ndarray]:
    """predicted - truth, and truth, in float64, in which small integers do not wrap around.

    Raises InputError where a difference is too large.
    """
    guessed, said = finite(predicted), finite(truth)
    with np.errstate(over="ignore"):
        error = guessed - said
    far = ~(np.abs(error) <= LARGEST)
    if far.any():
        row = int(far.argmax())
        raise InputError(
            "invalid-value",
            predicted,
            f"{guessed[row]:g} in {predicted.row(row)} is more than {LARGEST:g} off ({truth} is"
            f" {said[row]:g})",
            "divide both by a constant",
            row=row,
            value=guessed[row],
        )
    return error + 0.0, said + 0.0  # -0 becomes 0


def finite(column: columns.Column) -> np.ndarray:
    """The numbers of a column in float64. Raises InputError for one that is missing or infinite."""
    validate.no_gaps(column)
    with np.errstate(over="ignore"):  # beyond float64: infinity
        array = validate.scores(column, "only numbers can be subtracted").astype(np.float64, copy=False)
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


def whole_numbers(weight: np.ndarray) -> np.ndarray:
    """As integers where all are whole, so that a weight of 2 gives exactly the result of two rows."""
    return (
        weight.astype(np.int64)
        if weighting.are_whole(weight) and weight.sum() <= validate.WHOLE_BELOW
        else weight
    )


def checked_arrays(error: Any, weight: Any, squares: Any, truth: Any) -> Arrays:
    """The arrays of `Residuals` as they are stored. Raises InputError where they are not valid."""
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
    if not _ascend(error, actual) or not (np.abs(error) <= LARGEST).all():
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
    return error[there], counts, held, None if actual is None else actual[there]


def _ascend(error: np.ndarray, truth: np.ndarray | None) -> bool:
    """Whether the errors ascend, and where two are equal the actual amounts."""
    above = error[1:] > error[:-1]
    if truth is not None:
        above |= (error[1:] == error[:-1]) & (truth[1:] > truth[:-1])
    return bool(above.all())
