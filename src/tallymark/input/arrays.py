"""Any collection of values as a NumPy array, with a mask of those that are missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from . import validate
from .validate import InputError, is_masked, on_host, real, shown

# the values, and a mask of missing ones, None where none is known to be missing
Understood = tuple[np.ndarray, np.ndarray | None]
Objects = Callable[[list[Any], str], Understood]

BINS = ("interval", "period")  # types of pandas
AS_FLOAT = "cast it to float64, as astype(float) in pandas or cast(... as double) in SQL"
MEASURED = ("score", "baseline_score", "weight", "genuine", "impostor")  # roles of scores and weights
SOME = 1000  # values among which one shows the type
# labels that are missing values in the output of pandas, R, Excel or a database, as are blanks
MISSING_LABELS = frozenset({
    "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "None", "NULL", "Null", "null", "NaN", "NAN",
    "nan", "-nan", "-NaN", "NaT",
})  # fmt: skip


class Levels(NamedTuple):
    """The classes that a type or an argument declares, with or without cases, and whether in their order."""

    labels: tuple[Any, ...]
    ordered: bool


def understood(values: Any, role: str, objects: Objects | None = None) -> Understood:
    """The values as an array, and which are missing. Raises InputError for a single value and for text.

    objects: what is done with a list of Python objects in place of `from_objects`.
    """
    values = on_host(values)
    if getattr(values, "ndim", 1) == 2 and values.shape[1] == 1:
        values = np.asanyarray(values) if hasattr(values, "mask") else np.asarray(values)
        values = values[:, 0]  # a column vector
    if type(values) is np.ndarray and values.dtype.kind not in "OST":
        return values, None
    return _convert(values, role, objects or from_objects)


def levels_of(values: Any, declared: Collection[Any] = ()) -> Levels | None:
    """The categories of a pandas Categorical, a polars Enum or an Arrow dictionary; None for other types.

    Without those that look like missing values, unless they are declared.
    """
    native = values.to_native() if hasattr(values, "to_native") else values
    dtype = getattr(native, "dtype", None)
    categories = getattr(dtype, "categories", None)
    kind: Any = getattr(native, "type", None)
    if categories is not None and hasattr(categories, "__len__"):
        labels, ordered = list(categories), getattr(dtype, "ordered", True)  # an Enum has an order
    elif type(kind).__name__ == "DictionaryType":
        parts = [part.dictionary.to_pylist() for part in getattr(native, "chunks", [native])]
        labels, ordered = [label for part in parts for label in part], kind.ordered
    else:
        return None
    lost = missing_labels({label for label in labels if isinstance(label, str)}, declared)
    return Levels(tuple(dict.fromkeys(label for label in labels if label not in lost)), bool(ordered))


def bins_as_text(values: Any) -> tuple[Any, Levels | None]:
    """Intervals and periods of pandas (`cut`, `qcut`, `to_period`) as text, in their order."""
    native = values.to_native() if hasattr(values, "to_native") else values
    dtype = getattr(native, "dtype", None)
    categories = getattr(dtype, "categories", None)
    kind = str(dtype if categories is None else getattr(categories, "dtype", dtype))
    if kind == "object" or isinstance(native, (list, tuple)):
        some = (one for one in islice(native, SOME) if one is not None and not is_gap(one))
        kind = type(next(some, None)).__name__.lower() if getattr(native, "ndim", 1) == 1 else ""
    if not kind.startswith(BINS):
        return values, None
    found = [None if one is None or is_gap(one) else one for one in native]
    known = {one for one in found if one is not None}
    if any(not type(one).__name__.lower().startswith(BINS) for one in known):
        return values, None  # mixed with others, which is refused
    texts = {one: str(one) for one in (sorted(known) if categories is None else categories)}
    return [None if one is None else texts[one] for one in found], Levels(tuple(texts.values()), True)


def missing_labels(texts: Collection[Any], declared: Collection[Any] = ()) -> set[Any]:
    """Which of these labels look like missing values, and are not declared as classes."""
    found = {one for one in texts if isinstance(one, str) and (one in MISSING_LABELS or not one.strip())}
    return found.difference(declared)


def without_missing_labels(
    array: np.ndarray, missing: np.ndarray | None, declared: Collection[Any]
) -> Understood:
    """Texts with a mask of those that look like missing values, unless they are declared as classes."""
    found = missing_labels(set(array.tolist()), declared)
    if not found:
        return array, missing
    gaps = np.fromiter((text is None or text in found for text in array.tolist()), bool, len(array))
    known = array.astype(object)
    known[gaps] = None
    return known, gaps


def wrong_shape(role: str, array: np.ndarray) -> InputError:
    """The error for an array that does not have one dimension."""
    if array.ndim == 0:
        return InputError(
            "wrong-shape",
            role,
            f"one value per case is needed, not the single value {shown(array.item())}",
            "pass a list or an array",
            value=array.item(),
        )
    return InputError(
        "wrong-shape",
        role,
        f"one value per case is needed, not a table of shape {array.shape}",
        "pass the column of the positive class, as in score[:, 1]" if role == "score" else "pass one column",
    )


def _convert(values: Any, role: str, objects: Objects) -> Understood:
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__len__"):
        kind = type(values).__name__
        raise InputError(
            "wrong-shape",
            role,
            f"one value per case is needed, not {shown(values)} ({kind})",
            "pass a list, an array or a series",
        )
    if isinstance(values, np.ndarray):
        if is_masked(values):
            masked = np.ma.getmaskarray(values)
            if values.dtype.kind in "OST" and values.ndim == 1:
                whole = values.data.astype(object)
                whole[masked] = None
                return objects(whole.tolist(), role)
            return np.asarray(values.data), masked
        return _from_array(values, role, objects)
    if isinstance(values, Sequence):
        return objects(list(values), role)
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return _from_array(np.asarray(values), role, objects)
    if series.null_count() or series.dtype in (nw.Int128, nw.UInt128):  # types that NumPy does not have
        return objects(series.to_list(), role)
    arrow = series.implementation.is_pyarrow()
    array = arrow_as_numpy(series.to_native()) if arrow else series.to_numpy()
    return _from_array(array, role, objects)


def _from_array(array: np.ndarray, role: str, objects: Objects) -> Understood:
    """An array of numbers as it is; one of text, bytes or objects by its values."""
    if array.dtype.kind not in "OST" or array.ndim != 1:
        return array, None
    return objects(array.tolist(), role)


def arrow_as_numpy(values: Any) -> np.ndarray:
    """An Arrow array, or a column of a table, without missing values; of one part without a copy.

    By DLPack where the type allows it, since the `to_numpy` of Arrow loads pandas. Equal texts of a part are
    one object.
    """
    import pyarrow.types as of

    if of.is_string(values.type) or of.is_large_string(values.type):
        values = values.dictionary_encode()
    if of.is_dictionary(values.type):
        coded = [(one.dictionary.to_pylist(), one.indices) for one in getattr(values, "chunks", [values])]
        texts = [np.array([*labels, None], object)[arrow_as_numpy(at)] for labels, at in coded]
        return texts[0] if len(texts) == 1 else np.concatenate(texts or [np.empty(0, object)])
    if not (of.is_integer(values.type) or of.is_floating(values.type)):
        return values.to_numpy() if hasattr(values, "chunks") else values.to_numpy(False)
    parts = [np.from_dlpack(part) for part in getattr(values, "chunks", [values])]
    return parts[0] if len(parts) == 1 else np.concatenate(parts or [np.empty(0)])


def is_plain(values: Any) -> bool:
    """Whether it is an array of float64 or int64."""
    return isinstance(values, np.ndarray) and values.dtype in (np.float64, np.int64)


def as_arrow(values: np.ndarray) -> Any:
    """A plain array as an Arrow array, without a copy; `pyarrow.array` loads pandas."""
    import pyarrow as pa

    kind = pa.float64() if values.dtype == np.float64 else pa.int64()
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def from_objects(values: list[Any], role: str) -> Understood:
    """A list of Python objects as an array of their common type, with a mask of None, NaN and pandas' NA."""
    if {*map(type, values)} == {str}:
        return np.array([*values, None], dtype=object)[:-1], None
    gap = [value is None or is_gap(value) for value in values]
    known = [value for value, is_gap in zip(values, gap, strict=True) if not is_gap] if any(gap) else values
    array = _uniform(known, role, [row for row, is_gap in enumerate(gap) if not is_gap])
    if known is values:
        return array, None
    missing = np.array(gap)
    whole = np.empty(len(values), array.dtype if array.dtype.kind == "f" else object)
    whole[missing] = np.nan if array.dtype.kind == "f" else None
    whole[~missing] = array
    return whole, missing


def is_gap(value: Any) -> bool:
    """Whether it is a missing value: NaN, NaT or pandas' NA."""
    if isinstance(value, (str, int)):
        return False
    return type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, (float, np.floating)) and bool(value != value)
    )


def _uniform(values: list[Any], role: str, rows: list[int]) -> np.ndarray:
    """Values of one type. rows: their indices in the whole column."""
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
    if array.dtype.kind == "f" and array.ndim == 1:
        nothing_lost(array, values, role)
    return array


def nothing_lost(array: np.ndarray, values: Any, role: str) -> None:
    """Raises InputError where conversion to float would round a number beyond 2^53."""
    large = np.flatnonzero(np.abs(array) >= validate.WHOLE_BELOW)
    lost = next((values[i] for i in large.tolist() if array[i].item() != values[i]), None)
    if lost is not None:
        raise InputError(
            "labels",
            role,
            f"no type of number holds {shown(lost)} and the other values exactly",
            "write such labels as text, and scores, weights and amounts as floats",
            value=lost,
        )


def _all_text(values: list[Any], text: list[bool], role: str, rows: list[int]) -> np.ndarray:
    if not all(text):
        odd = text.index(sum(text) * 2 < len(text))  # the first of the rarer kind is more likely the mistake
        where = f"{shown(values[odd])} in {validate.row_at(rows[odd])}"
        raise InputError(
            "labels",
            role,
            f"text and other values are mixed, as {where}",
            "make them all text or all numbers",
        )
    texts = [one.decode("utf-8", "backslashreplace") if isinstance(one, bytes) else one for one in values]
    return np.array([*texts, None], dtype=object)[:-1]


def _float(value: Any, role: str) -> float:
    """A decimal, a fraction or an integer beyond 64 bits as a float.

    Raises InputError for a decimal as a score or weight, of which two that differ may be one float.
    """
    if isinstance(value, Decimal) and role.split()[0] in MEASURED:
        raise InputError(
            "invalid-value",
            role,
            f"{shown(value)} is a decimal number, which float64 may round",
            AS_FLOAT,
            value=value,
        )
    try:
        return real(value) if isinstance(value, int) else float(value)
    except (TypeError, ValueError, OverflowError):
        kind = type(value).__name__
        raise InputError(
            "labels",
            role,
            f"{shown(value)} ({kind}) is not a label or score",
            "these are booleans, numbers or text",
            value=value,
        ) from None
