"""One column of anything (list, array, series, tensor) as a NumPy array that remembers what it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from . import spelling, validate, weighting
from .options import WeightKind
from .validate import InputError, shown

if TYPE_CHECKING:
    from narwhals.stable.v2 import Series

# values, and where they are missing, None where none is known to be
Understood = tuple[np.ndarray, np.ndarray | None]

EXACT_UP_TO = 2**53  # whole numbers that a float holds
QUANTITIES = ("score", "weight")  # roles whose numbers may be rounded
THROUGH = "the files, counted through"


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column that is still to be read: the argument that it was given as, and its name, if it has one."""

    role: str
    name: Any = None

    def __str__(self) -> str:
        role = spelling.name(self.role)
        return role if self.name is None else f"{role} (column {shown(self.name)})"

    def number(self, row: int) -> int:
        """Rows are given as they are counted in the file."""
        return row


@dataclass(frozen=True, slots=True)
class Column:
    """Values with the names that an error message needs.

    values: one-dimensional; missing: True where there is no value, or None if none is known to lack (a NaN
    may remain). role: the argument that it was given as; name: its name in the frame or file; first_row: the
    number of its first row; file: where it stands, of several; kept: by value how far below the first row it
    stands, if not one below the other; unit: what is counted, rows or lines; weight_kind: of weights, "count"
    or "importance", None where the values decide.
    """

    role: str
    values: np.ndarray
    missing: np.ndarray | None = None
    name: str | None = None
    first_row: int = 0
    file: str | None = None
    kept: np.ndarray | None = None
    unit: str = "row"
    weight_kind: WeightKind | None = None

    def __len__(self) -> int:
        return len(self.values)

    def __str__(self) -> str:
        return str(NamedColumn(self.role, self.name))

    def row(self, index: int) -> str:
        """Names a row as the user finds it: an array, a frame or a file without lines from 0, a text file by
        its lines."""
        number = self.number(index)
        where = validate.row_at(number) if self.unit == "row" else f"{self.unit} {number}"
        return f"{where} of {self.file}" if self.file else where

    def number(self, index: int) -> int:
        """The number of this row, or line, in what the user has."""
        return self.first_row + int(index if self.kept is None else self.kept[index])

    def gaps(self) -> np.ndarray:
        """True where the value is missing or NaN."""
        gaps = np.zeros(len(self), bool) if self.missing is None else self.missing
        return gaps | np.isnan(self.values) if self.values.dtype.kind == "f" else gaps

    def keep(self, rows: np.ndarray) -> Column:
        """The rows where the mask is True, none of which is missing."""
        kept = self.values[rows]
        if kept.dtype == object:
            kept, _ = _from_objects(kept.tolist(), self.role)
        return replace(
            self,
            values=kept,
            missing=None,
            kept=np.flatnonzero(rows) if self.kept is None else self.kept[rows],
        )


def read(
    values: Any, role: str, name: str | None = None, first_row: int = 0, file: str | None = None
) -> Column:
    """Any one-dimensional collection as a `Column`.

    Raises InputError for a scalar, a text, a table, and for values that are neither all numbers nor all text.
    """
    if isinstance(values, Column):
        return values
    try:
        array, missing = _understood(values, role)
    except (InputError, MemoryError):
        raise
    except Exception as reason:  # whatever a foreign type raises: it goes into the sentence
        kind = type(values).__name__
        raise InputError(
            "unreadable", role, f"a {kind} that NumPy cannot read ({shown(reason)})", "convert it to an array"
        ) from reason
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        with np.errstate(over="ignore"):  # what is beyond all floats is infinite
            array = array.astype(np.float64)
    if array.dtype.kind == "V":
        raise InputError(
            "invalid-value",
            role,
            f"records of the type {array.dtype} are no single values",
            "pass one of their fields",
        )
    if array.ndim != 1:
        raise _of_shape(role, array)
    if array.strides[0] % array.itemsize or not array.flags.aligned:
        array = array.copy()  # a field of packed records: the kernels step in whole elements
    return Column(role, array, missing, name, first_row, file)


def read_weights(values: Any, kind: WeightKind | None) -> Column | None:
    """Weights as a `Column` that knows their kind; None where there are none. Raises InputError for an
    unknown kind."""
    weighting.weight_kind(kind, values)
    return None if values is None else replace(read(values, "weight"), weight_kind=kind)


def _understood(values: Any, role: str) -> Understood:
    if getattr(values, "ndim", 1) == 2 and values.shape[1] == 1:
        values = np.asanyarray(values)[:, 0]  # a column vector
    if type(values) is np.ndarray and values.dtype.kind not in "OST":
        return values, None
    return _convert(values, role)


def that_count(weight: Column | None, *others: Column | None) -> list[Any]:
    """The other columns and the weight, all without the rows of weight 0, in which no value may be missing
    either.

    Raises InputError for weights that are none, and where every one of them is 0.
    """
    weights = weighting.weights(weight)
    if weight is None or weights is None or weights.all():
        return [*others, weight]
    weighting.some_weight(float(weights.max()), weight)
    for column in filter(None, others):
        validate.no_gaps(column)
    return [None if column is None else column.keep(weights > 0) for column in (*others, weight)]


def those_that_count(batch: dict[str, Column]) -> dict[str, Column]:
    """Columns by role, without the rows of weight 0; otherwise as `that_count`."""
    others = {role: column for role, column in batch.items() if role != "weight"}
    *left, weight = that_count(batch.get("weight"), *others.values())
    return dict(zip(others, left, strict=True)) | ({} if weight is None else {"weight": weight})


def joined(parts: Sequence[Column]) -> Column:
    """Parts of one column, none of which has a gap, one after the other; the rows of several files are
    counted through."""
    first = parts[0]
    if len(parts) == 1:
        return first
    _alike(parts)
    values = np.concatenate([part.values for part in parts])
    if any(part.file != first.file for part in parts):
        return Column(first.role, values, None, first.name, 0, THROUGH, weight_kind=first.weight_kind)
    kept = None
    if not all(part.kept is None for part in parts) or not _one_below_the_other(parts):
        places = (np.arange(len(part)) if part.kept is None else part.kept for part in parts)
        kept = np.concatenate(
            [part.first_row - first.first_row + place for part, place in zip(parts, places, strict=True)]
        )
    return replace(first, values=values, missing=None, kept=kept)


def _one_below_the_other(parts: Sequence[Column]) -> bool:
    return all(part.first_row + len(part) == below.first_row for part, below in pairwise(parts))


def _alike(parts: Sequence[Column]) -> None:
    """All parts hold text, or all numbers that one type holds exactly. Raises InputError."""
    text = [part.values.dtype.kind in "OUST" for part in parts]
    odd = parts[text.index(not text[0])] if len(set(text)) > 1 else None
    if odd is not None:
        kinds = ("text", "numbers") if text[0] else ("numbers", "text")
        raise InputError(
            "labels",
            parts[0],
            f"it holds {kinds[0]} from {parts[0].row(0)} on and {kinds[1]} from {odd.row(0)} on",
            "make it all one kind",
            row=0,
        )
    types = {part.values.dtype for part in parts}
    if (
        len(types) > 1
        and not any(text)
        and np.result_type(*types).kind == "f"
        and any(map(_beyond_floats, parts))
    ):
        raise InputError(
            "labels",
            parts[0],
            "whole numbers beyond 2^53 and decimals are mixed, which no type holds exactly",
            "write such labels as text",
        )


def _beyond_floats(part: Column) -> bool:
    values = part.values
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8 or not len(values):
        return False
    return bool(values.max() > EXACT_UP_TO or values.min() < -EXACT_UP_TO)


def _of_shape(role: str, array: np.ndarray) -> InputError:
    if array.ndim == 0:
        problem = f"one value per case is needed, not the single value {shown(array.item())}"
        return InputError("wrong-shape", role, problem, "pass a list or an array", value=array.item())
    hint = (
        "pass the column of the positive class, as in score[:, 1]" if role == "score" else "pass one column"
    )
    return InputError(
        "wrong-shape", role, f"one value per case is needed, not a table of shape {array.shape}", hint
    )


def _convert(values: Any, role: str) -> Understood:
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__len__"):
        kind = type(values).__name__
        raise InputError(
            "wrong-shape",
            role,
            f"one value per case is needed, not {shown(values)} ({kind})",
            "pass a list, an array or a series",
        )
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(values.data), np.ma.getmaskarray(values)
    if isinstance(values, np.ndarray):
        return _from_array(values, role)
    if isinstance(values, Sequence):
        return _from_objects(list(values), role)
    series = _as_series(values)
    if series is not None:
        return _from_series(series, role)
    return _from_array(np.asarray(values), role)


def _from_array(array: np.ndarray, role: str) -> Understood:
    """An array of numbers as it is; one of text, bytes or objects by its values."""
    if array.dtype.kind not in "OST" or array.ndim != 1:
        return array, None
    return _from_objects(array.tolist(), role)


def _as_series(values: Any) -> Series[Any] | None:
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def _from_series(series: Series[Any], role: str) -> Understood:
    import narwhals.stable.v2 as nw

    if isinstance(series.dtype, (nw.Categorical, nw.Enum)) and series.implementation.is_pyarrow():
        native = series.to_native()
        series = nw.from_native(native.cast(native.type.value_type), series_only=True)
    if series.null_count():
        return _from_objects(series.to_list(), role)
    if series.dtype in (nw.Int128, nw.UInt128):  # which NumPy has not
        return _from_objects(series.to_list(), role)
    return _from_array(series.to_numpy(), role)


def _from_objects(values: list[Any], role: str) -> Understood:
    """A list of Python objects: their common type, and where they are missing (None, NaN, pandas' NA)."""
    gap = [value is None or _is_gap(value) for value in values]
    known = [value for value, is_gap in zip(values, gap, strict=True) if not is_gap] if any(gap) else values
    array = _uniform(known, role, [row for row, is_gap in enumerate(gap) if not is_gap])
    if known is values:
        return array, None
    missing = np.array(gap)
    whole = np.empty(len(values), array.dtype if array.dtype.kind == "f" else object)
    whole[missing] = np.nan if array.dtype.kind == "f" else None
    whole[~missing] = array
    return whole, missing


def _is_gap(value: Any) -> bool:
    if isinstance(value, (str, int)):
        return False
    return type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, (float, np.floating)) and bool(value != value)
    )


def _uniform(values: list[Any], role: str, rows: list[int]) -> np.ndarray:
    """Values of one type. rows: where they stand among all."""
    text = [isinstance(value, (str, bytes)) for value in values]
    if any(text):
        return _all_text(values, text, role, rows)
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):
        raise InputError(
            "wrong-shape", role, "one value per case is needed, not lists of different lengths"
        ) from None
    if array.dtype.kind == "O" and array.ndim == 1:
        array = np.array([_float(value, role) for value in values])
    if array.dtype.kind == "f" and array.ndim == 1 and role.split()[0] not in QUANTITIES:
        _nothing_lost(array, values, role)
    return array


def _nothing_lost(array: np.ndarray, values: list[Any], role: str) -> None:
    """Labels beyond 2^53 are the numbers that were given: two of them must not become one. Raises
    InputError."""
    if not len(array) or np.abs(array).max() < EXACT_UP_TO:
        return
    lost = next((value for held, value in zip(array.tolist(), values, strict=True) if held != value), None)
    if lost is not None:
        raise InputError(
            "labels",
            role,
            f"no type of number holds {shown(lost)} and the other values exactly",
            "write such labels as text, and such amounts as floats",
            value=lost,
        )


def _all_text(values: list[Any], text: list[bool], role: str, rows: list[int]) -> np.ndarray:
    if not all(text):
        odd = text.index(sum(text) * 2 < len(text))  # the first of the rarer kind is the likelier slip
        where = f"{shown(values[odd])} in {validate.row_at(rows[odd])}"
        raise InputError(
            "labels",
            role,
            f"text and other values are mixed, as {where}",
            "make them all text or all numbers",
        )
    return np.array([_decoded(value) for value in values] + [None], dtype=object)[:-1]


def _decoded(value: str | bytes) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def _float(value: Any, role: str) -> float:
    """A decimal, a fraction or an integer beyond 64 bits as a float."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        kind = type(value).__name__
        raise InputError(
            "labels",
            role,
            f"{shown(value)} ({kind}) is no label or score",
            "these are booleans, numbers or text",
            value=value,
        ) from None
