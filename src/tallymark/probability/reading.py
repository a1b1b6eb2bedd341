"""Columns and tables of numbers for `convert`, read and checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input import columns, validate
from ..input.score_columns import rows_of
from ..input.validate import InputError, shown


def numbers_of(values: Any, role: str, name: str | None = None) -> tuple[columns.Column, np.ndarray]:
    """The column, and its numbers as float32 or float64."""
    column = columns.read(values, role, name)
    refuse_gaps(column)
    return column, validate.scores(column, "only numbers can be converted")


def refuse_gaps(column: columns.Column) -> None:
    """Raises InputError with the number of missing values and the first row."""
    gaps = column.gaps()
    if gaps.any():
        number, row = int(gaps.sum()), int(gaps.argmax())
        said = "1 value is" if number == 1 else f"{number} values are"
        problem = f"{said} missing (NaN or null), the first in {column.row(row)}"
        raise InputError("missing-value", column, problem, "leave such cases out", row=row)


def as_scores(value: float, scores: np.ndarray) -> float:
    """The value rounded to the type of the scores, so that 0.7 equals a float32 score of 0.7."""
    with np.errstate(over="ignore"):
        return float(scores.dtype.type(value))


def refuse_outside(column: columns.Column, numbers: np.ndarray, ends: tuple[float, float], said: str) -> None:
    """Raises InputError with the first number outside the ends and its row."""
    outside = ~((numbers >= ends[0]) & (numbers <= ends[1]))
    if outside.any():
        row = int(outside.argmax())
        raise InputError(
            "invalid-value", column, f"{float(numbers[row]):.10g} in {column.row(row)} {said}", row=row
        )


def table_of(values: Any, role: str, hint: str) -> tuple[np.ndarray, list[str] | None]:
    """Numbers of shape (n, K), and the names of the columns of a data frame, else None."""
    parts, names = _columns(values, role)
    if len(parts) < 2:
        raise InputError(
            "wrong-shape", role, f"a column per class is needed, two at least, not {len(parts)}", hint
        )
    return np.stack([numbers_of(part, role, name)[1] for name, part in parts], axis=1), names


def _columns(values: Any, role: str) -> tuple[list[tuple[str, Any]], list[str] | None]:
    """(name, column) for every column, and the names if it is a data frame."""
    frame = _as_frame(values)
    if frame is not None:
        return [(str(part.name), part.to_native()) for part in frame.iter_columns()], list(frame.columns)
    array = rows_of(values, role)
    lists = array.dtype == object
    return [(str(i), part.tolist() if lists else part) for i, part in enumerate(array.T)], None


def _as_frame(values: Any) -> Any:
    if not hasattr(type(values), "columns"):
        return None
    import narwhals.stable.v2 as nw

    try:
        frame = nw.from_native(values, eager_only=True, pass_through=True)
    except Exception as reason:  # such as for two columns with the same name
        raise InputError(
            "unreadable",
            None,
            f"A {type(values).__name__} cannot be read ({shown(reason)})",
            "pass an array of its values",
        ) from reason
    return frame if isinstance(frame, nw.DataFrame) else None
