"""One column of anything (list, array, series, tensor) as a NumPy array that remembers what it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .validate import InputError


@dataclass(frozen=True, slots=True)
class Column:
    """Values with the names that an error message needs.

    values: one-dimensional; missing: True where there is no value, or None if none is known to lack (a NaN may remain).
    role: the argument that it was given as; name: its name in the frame or file; first_row: the number of its first row.
    """

    role: str
    values: np.ndarray
    missing: np.ndarray | None = None
    name: str | None = None
    first_row: int = 0

    def __len__(self) -> int:
        return len(self.values)

    def __str__(self) -> str:
        return self.role if self.name is None else f"{self.role} (column {self.name!r})"

    def row(self, index: int) -> str:
        """Names a row as the user counts: an array from 0, a file from 1."""
        return f"row {self.first_row + int(index)}"

    def gaps(self) -> np.ndarray:
        """True where the value is missing or NaN."""
        gaps = np.zeros(len(self), bool) if self.missing is None else self.missing
        return gaps | np.isnan(self.values) if self.values.dtype.kind == "f" else gaps

    def keep(self, rows: np.ndarray) -> Column:
        """The rows where the mask is True, none of which is missing."""
        kept = self.values[rows]
        if kept.dtype == object:
            kept, _ = _from_objects(kept.tolist(), self.role)
        return replace(self, values=kept, missing=None)


def read(values: Any, role: str, name: str | None = None, first_row: int = 0) -> Column:
    """Any one-dimensional collection as a `Column`.

    Raises InputError for a scalar, a text, a table, and for values that are neither all numbers nor all text.
    """
    if isinstance(values, Column):
        return values
    if type(values) is not np.ndarray or values.dtype == object:
        array, missing = _convert(values, role)
    else:
        array, missing = values, None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(_shape_text(role, array))
    return Column(role, array, missing, name, first_row)


def _shape_text(role, array):
    if array.ndim == 0:
        return f"{role}: one value per case is needed, not the single value {array.item()!r}; pass a list or an array."
    hint = "pass the column of the positive class, as in score[:, 1]" if role == "score" else "pass one column"
    return f"{role}: one value per case is needed, not a table of shape {array.shape}; {hint}."


def _convert(values, role):
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__len__"):
        kind = type(values).__name__
        raise InputError(f"{role}: one value per case is needed, not {values!r} ({kind}); pass a list, an array or a series.")
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(values.data), np.ma.getmaskarray(values)
    if isinstance(values, np.ndarray):
        return _from_objects(values.tolist(), role) if values.ndim == 1 else (values, None)
    if isinstance(values, Sequence):
        return _from_objects(list(values), role)
    series = _as_series(values)
    return _from_array(values, role) if series is None else _from_series(series, role)


def _from_array(values, role):
    try:
        return np.asarray(values), None
    except Exception as reason:  # whatever a foreign array type raises: it goes into the sentence
        raise InputError(
            f"{role}: a {type(values).__name__} that NumPy cannot read ({reason}); convert it to an array."
        ) from reason


def _as_series(values):
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def _from_series(series, role):
    import narwhals.stable.v2 as nw

    if series.null_count():
        return _from_objects(series.to_list(), role)
    if isinstance(series.dtype, (nw.Categorical, nw.Enum)) and series.implementation.is_pyarrow():
        series = series.cast(nw.String)
    values = series.to_numpy()
    return _from_objects(values.tolist(), role) if values.dtype == object else (values, None)


def _from_objects(values, role):
    """A list of Python objects: their common type, and where they are missing (None, NaN, pandas' NA)."""
    gap = [value is None or _is_gap(value) for value in values]
    known = [value for value, is_gap in zip(values, gap, strict=True) if not is_gap] if any(gap) else values
    array = _uniform(known, role)
    if known is values:
        return array, None
    missing = np.array(gap)
    whole = np.empty(len(values), array.dtype if array.dtype.kind == "f" else object)
    whole[missing] = np.nan if array.dtype.kind == "f" else None
    whole[~missing] = array
    return whole, missing


def _is_gap(value):
    if isinstance(value, (str, int)):
        return False
    return type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, (float, np.floating)) and value != value)


def _uniform(values, role):
    if any(isinstance(value, str) for value in values):
        stranger = next((value for value in values if not isinstance(value, str)), None)
        if stranger is not None:
            row = next(i for i, value in enumerate(values) if value is stranger)
            text = f"text and other values are mixed, as {stranger!r} (value {row}); make them all text or all numbers."
            raise InputError(f"{role}: {text}")
        return np.array(values, dtype=object)
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{role}: one value per case is needed, not lists of different lengths.") from None
    if array.dtype == object and array.ndim == 1:
        return _numbers(values, role)
    return array


def _numbers(values, role):
    """Decimals, fractions and integers beyond 64 bits, as floats."""
    try:
        return np.array([float(value) for value in values])
    except (TypeError, ValueError):
        odd = next(value for value in values if not hasattr(value, "__float__"))
        kind = type(odd).__name__
        raise InputError(f"{role}: values of type {kind}, as {odd!r}; labels are booleans, numbers or text.") from None
