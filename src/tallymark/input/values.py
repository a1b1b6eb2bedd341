"""Values of any type as text, numbers, lists, labels or arrays, whatever their own methods raise."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from itertools import islice
from math import inf, nan
from numbers import Real
from typing import Any

import numpy as np

from .errors import InputError

MOST = 1_000_000  # most entries of an argument that is a list
LONGEST = 60  # characters of a value that a message quotes
OF_MODELS = ("score", "predicted")  # arguments that may name several models
AS_HERE = 'as {"logreg": "column_a", "svm": "column_b"}'


def shown(value: Any) -> str:
    """A value in messages: on one line, and shortened."""
    try:
        text = " ".join(repr(value.item() if isinstance(value, np.number) else value).split())
    except Exception:  # raised by a foreign class, or by a value that contains itself
        return f"a {type(value).__name__}"
    line = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in line)


def real(value: Any) -> float:
    """A real number as a float, infinite beyond all floats; NaN for text, booleans and other values."""
    if not isinstance(value, Real) or isinstance(value, (bool, np.timedelta64)):
        return nan
    try:
        return float(value)
    except OverflowError:
        return -inf if value < 0 else inf
    except Exception:  # raised by a foreign class
        return nan


def some(values: Any, role: str, what: str) -> list[Any]:
    """The entries of an iterable that is not a text, as a list. Raises InputError, also where it fails."""
    try:
        if isinstance(values, (str, bytes)):
            raise TypeError
        found = [
            value.item() if isinstance(value, np.generic) else value for value in islice(values, MOST + 1)
        ]
        if len(found) > MOST:
            raise TypeError
        return found
    except MemoryError:
        raise
    except Exception:
        raise InputError(
            "invalid-value", role, f"{shown(values)} is not a list of {what}", "give a list of them"
        ) from None


def labels(values: Any, role: str) -> tuple[Any, ...]:
    """Labels as a tuple of texts, numbers or booleans."""
    return tuple(label_of(label, role) for label in some(values, role, "labels"))


def hashable(value: Any) -> bool:
    """Whether it can be a key of a mapping."""
    try:
        hash(value)
    except Exception:  # of a list, or of another's class
        return False
    return True


def label_of(label: Any, role: str) -> Any:
    """A label, which is a text, a number or a boolean; or None, where none is given."""
    if label is not None and not (
        isinstance(label, (str, bytes, Real, Decimal, np.bool_)) and hashable(label)
    ):
        raise InputError(
            "labels",
            role,
            f"{shown(label)} ({type(label).__name__}) is not a label",
            "these are booleans, numbers or text",
            value=label,
        )
    return float(label) if isinstance(label, np.longdouble) else label


def of_type(value: Any, kind: type | tuple[type, ...], role: str) -> Any:
    """The value, if it is of this type, or of one of these types."""
    if not isinstance(value, kind):
        names = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
        raise InputError("invalid-value", role, f"a {type(value).__name__} is given, and it must be {names}")
    return value


def function(value: Any, role: str) -> Any:
    """A function, or None."""
    if value is not None and not callable(value):
        raise InputError(
            "invalid-value",
            role,
            f"{shown(value)} is not a function",
            "give one of one argument, or leave it out",
            value=value,
        )
    return value


def on_host(values: Any) -> Any:
    """Arrays and tensors of any library, sparse ones too, as an array of NumPy; other values as they are.

    Subclasses of NumPy's arrays, except masked ones, become plain arrays; what lies on another device is
    copied once, without its gradient; bfloat16 and float8 become float32.
    """
    if isinstance(values, np.ndarray):
        array = values if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
        # the types of ml_dtypes
        return array.astype(np.float32) if array.dtype.kind == "V" and _is_short_float(array) else array
    if hasattr(values, "nnz") and hasattr(values, "toarray"):  # sparse
        values = values.toarray()
    if not hasattr(values, "__dlpack__") or hasattr(values, "__arrow_c_array__"):
        return values
    if hasattr(values, "detach"):  # torch
        values = values.detach().cpu().to_dense()
        values = values.float() if _is_short_float(values) else values
    elif hasattr(values, "get"):  # CuPy
        values = values.get()
    elif _is_short_float(values):
        values = values.astype("float32")
    try:
        return np.from_dlpack(values)
    except (BufferError, RuntimeError, TypeError, ValueError):
        return np.asarray(values)


def _is_short_float(values: Any) -> bool:
    """Whether the type is bfloat16 or a float of 8 bits, which NumPy does not have."""
    name = str(getattr(values, "dtype", ""))
    return "bfloat16" in name or "float8" in name


def plain_array(value: Any, role: str, hint: str = "convert it to an array") -> np.ndarray:
    """The value as a NumPy array. Raises InputError for whatever error the conversion raises."""
    try:
        return np.asarray(on_host(value))
    except (MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except ValueError:
        raise InputError(
            "wrong-shape",
            role,
            f"{shown(value)} is not an array; its rows differ in length",
            hint,
            value=value,
        ) from None
    except BaseException as reason:  # the PanicException of polars is not an Exception
        what = f"a {type(value).__name__} that NumPy cannot read ({shown(reason)})"
        raise InputError("invalid-value", role, what, "convert it to an array") from None


def names_of_models(kind: str, models: Mapping[Any, Any]) -> None:
    """Raises InputError unless every model has a text as its name, and a column. kind: the argument."""
    if not models:
        raise InputError(
            "needed", kind, "the mapping is empty", f"name every model with its column, {AS_HERE}"
        )
    odd = [name for name in models if not isinstance(name, str)]
    if odd:
        raise InputError(
            "invalid-value",
            kind,
            f"{shown(odd[0])} ({type(odd[0]).__name__}) is not a model name",
            f"names are text, {AS_HERE}",
            value=odd[0],
        )
    lacking = next((name for name, one in models.items() if one is None), None)
    if lacking is not None:
        raise InputError(
            "needed",
            kind,
            f"the model {shown(lacking)} has no column (None)",
            f"name one, {AS_HERE}",
            value=lacking,
        )
