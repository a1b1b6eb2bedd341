"""Checks of input, each with its message: what is wrong, where, the value, and what to do."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import islice
from math import inf, isinf, isnan, nan
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from .errors import (
    InputError as InputError,
    LabelError as LabelError,
    MissingValues,
    NoSuchEntry as NoSuchEntry,
    option,
)

if TYPE_CHECKING:
    from .columns import Column


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
        result = [
            value.item() if isinstance(value, np.generic) else value for value in islice(values, MOST + 1)
        ]
        if len(result) > MOST:
            raise TypeError
        return result
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


def is_masked(values: Any) -> TypeGuard[np.ma.MaskedArray[Any, Any]]:
    """Whether it is a masked array of NumPy, whose module is not loaded to see that."""
    return "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)


def on_host(values: Any) -> Any:
    """Arrays and tensors of any library, sparse ones too, as an array of NumPy; other values as they are.

    Subclasses of NumPy's arrays, except masked ones, become plain arrays; what lies on another device is
    copied once, without its gradient; bfloat16 and float8 become float32.
    """
    if isinstance(values, np.ndarray):
        array = values if is_masked(values) else np.asarray(values)
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
        raise InputError(
            "invalid-value",
            role,
            f"a {type(value).__name__} that NumPy cannot read ({shown(reason)})",
            "convert it to an array",
        ) from None


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


OPTION_SYNONYMS = {  # names of options in other libraries, or earlier versions, and their names here
    "multinomial": "bootstrap", "poisson": "poisson-bootstrap", "bayesian": "bayesian-bootstrap",
    "stratified": "case-control", "cases": "cohort",
}  # fmt: skip
NUMERALS = {  # numbers in the form of spreadsheets, and the way out
    re.compile(r"\s*[+-]?[0-9]+,[0-9]+\s*"): "write decimals with a point, as 0.5",
    re.compile(r"\s*[+-]?[0-9]+([.,][0-9]+)?\s*%\s*"): "write 20 % as 0.2",
}
SMALLEST = 1e-100  # weight, except 0: products of two of these are above 0
LARGEST = 1e100  # weight: products of four of these are finite
WHOLE_BELOW = 2.0**53  # floats hold every whole number up to here


# Arguments
# --------------------------------------------------------------------------------------------------


def level(value: float) -> float:
    """A confidence level, above 0 and below 1."""
    result = real(value)
    if not 0 < result < 1:
        raise InputError(
            "invalid-value",
            "level",
            f"{shown(value)} does not lie between 0 and 1",
            "for 95 % pass 0.95",
            value=value,
        )
    if 1 - result == 1 or 1 - result < 1e-15:  # beyond, quantiles depend on the last bits of the level
        raise InputError(
            "invalid-value",
            "level",
            f"{shown(value)} is too near {result:.0f} for an interval",
            "for 95 % pass 0.95",
            value=value,
        )
    return result


def _limit(value: float) -> str:
    """With six digits, or with all of them where these round it."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def number(value: Any, role: str, low: float, high: float) -> float:
    """A finite number from low to high."""
    result = real(value)
    if not low <= result <= high or isinf(result):
        said = (
            "that is finite"
            if low == -inf
            else f"from {_limit(low)} on"
            if high == inf
            else f"from {_limit(low)} to {_limit(high)}"
        )
        raise InputError(
            "invalid-value", role, f"{shown(value)} is not possible", f"give a number {said}", value=value
        )
    return result


def positive(value: Any, role: str, remedy: str = "give a finite number above 0") -> float:
    """A finite number above 0."""
    result = real(value)
    if not 0 < result < inf:
        raise InputError("invalid-value", role, f"{shown(value)} is not possible", remedy, value=value)
    return result


def row_at(number: int) -> str:
    """A row in messages; text files have lines instead."""
    return f"row {number} (counted from 0)"


def whole(value: Any, role: str, low: float, high: float) -> int:
    """A whole number from low to high."""
    found = number(value, role, low, high)
    if found != int(found):
        raise InputError(
            "invalid-value", role, f"{shown(value)} is not possible", "give a whole number", value=value
        )
    return int(value)


def flag(value: Any, role: str) -> bool:
    """True or False, and no other value that can be used as one."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError("invalid-value", role, f"{shown(value)} is neither True nor False", value=value)
    return bool(value)


def choice(value: Any, options: Iterable[str], role: str) -> str:
    """One of some names."""
    options = list(options)
    if not isinstance(value, str) or value not in options:
        hint = renamed(value, options) or nearest(value, options)
        raise InputError(
            "unknown-name",
            role,
            f"{shown(value)} is not known{hint}",
            f"choose from {', '.join(options)}",
            value=value,
        )
    return value


def renamed(value: Any, options: Iterable[str]) -> str:
    """The hint " (here it is called …)" for the name of an option elsewhere, else an empty text."""
    known = OPTION_SYNONYMS.get(value.lower()) if isinstance(value, str) else None
    return f" (here it is called {shown(known)})" if known in set(options) else ""


def threshold(value: Any) -> float:
    """A number, infinity included."""
    if value is None:
        raise InputError(
            "needed",
            "threshold",
            f"it is needed with {option('score')}",
            "cases with score >= threshold are predicted positive",
        )
    number = real(value)
    if isnan(number):
        raise InputError(
            "invalid-value",
            "threshold",
            f"{shown(value)} is not a number",
            "cases with score >= threshold are predicted positive",
            value=value,
        )
    return number


def nearest(value: Any, options: Iterable[object]) -> str:
    """The hint " (did you mean …?)" where an option is similar, else an empty text."""
    from difflib import get_close_matches  # needed for error messages only

    known = {str(option).lower(): option for option in options}
    found = (
        get_close_matches(value[:LONGEST].lower(), known, n=1, cutoff=0.6) if isinstance(value, str) else []
    )
    return f" (did you mean {shown(known[found[0]])}?)" if found else ""


def one_of(wanted: dict[str, Any]) -> str:
    """The single argument that was given."""
    given = [name for name, value in wanted.items() if value is not None]
    if len(given) != 1:
        said = " and ".join(map(option, given)) if given else "none"
        raise InputError(
            "conflict" if given else "needed",
            None,
            f"Give exactly one of {', '.join(map(option, wanted))}",
            f"given: {said}",
        )
    return given[0]


def only(counts: Any, **others: Any) -> None:
    """Raises InputError for arguments that describe cases in addition to counts."""
    if not hasattr(counts, "__add__") or not hasattr(counts, "to_json"):
        raise InputError(
            "invalid-value",
            "counts",
            f"a tallymark.Counts is needed, not a {type(counts).__name__}",
            "as Counts(tp=, fp=, fn=, tn=)",
        )
    for name, value in others.items():
        if value is not None:
            raise InputError(
                "conflict",
                name,
                f"counts describe all cases already, so {name} has no meaning with them",
                "leave it out",
            )


def seed(value: Any) -> int:
    """A whole number that is not negative; of a Generator one that it draws."""
    if type(value) is int and value >= 0:
        return value
    if isinstance(value, np.random.Generator):
        return int(value.integers(2**63))
    if isinstance(value, (bool, np.timedelta64)) or not isinstance(value, (int, np.integer)) or value < 0:
        raise InputError(
            "invalid-value",
            "rng",
            f"{shown(value)} is not a valid seed",
            "give a whole number from 0 on, or a numpy.random.Generator",
            value=value,
        )
    return int(value)


# Cells of counts
# --------------------------------------------------------------------------------------------------


def cell(value: Any, role: str) -> float | np.ndarray:
    """A weight, or an array of weights: numbers, none negative, none beyond 1e100."""
    if type(value) is float or type(value) is int:
        if not (value == 0 or SMALLEST <= value <= LARGEST):
            raise InputError(
                "invalid-value",
                role,
                f"{shown(value)} cannot be a count",
                "give 0, or a number from 1e-100 to 1e100",
                value=value,
            )
        return float(value) + 0.0  # -0 becomes 0
    array = plain_array(value, role)
    if array.dtype.kind not in "buif":
        raise InputError("invalid-value", role, f"{shown(value)} is not a number", value=value)
    with np.errstate(over="ignore"):  # LARGEST in single precision
        bad = ~((array == 0) | (array >= SMALLEST) & (array <= LARGEST))
    if bad.any():
        raise InputError(
            "invalid-value",
            role,
            f"{array[bad].flat[0]} cannot be a count",
            "give 0, or numbers from 1e-100 to 1e100",
        )
    return frozen(array.astype(np.float64) + 0.0) if array.ndim else float(array.item())


def cells(*values: Any) -> list[float | np.ndarray]:
    """The four cells, of one shape."""
    checked = [cell(value, role) for value, role in zip(values, ("tp", "fp", "fn", "tn"), strict=True)]
    if all(type(value) is float for value in checked):
        return checked
    try:
        return [frozen(array) for array in np.broadcast_arrays(*checked)]
    except ValueError:
        shapes = ", ".join(str(np.shape(value)) for value in checked)
        raise InputError(
            "wrong-shape", "tp, fp, fn, tn", f"their shapes {shapes} do not fit together"
        ) from None


def frozen(array: np.ndarray) -> np.ndarray:
    """The array, made read-only."""
    array.flags.writeable = False
    return array


# Columns
# --------------------------------------------------------------------------------------------------


def same_length(*columns: Column | None) -> None:
    """Raises InputError unless all columns have the same length, at least 1, and their indexes one order."""
    first, *others = columns
    assert first is not None
    if not len(first):
        raise InputError("empty", first, "there are no rows", "at least one case is needed")
    for other in others:
        if other is not None and len(other) != len(first):
            raise InputError(
                "wrong-shape",
                None,
                f"{first} has {len(first)} rows and {other} has {len(other)}",
                "give one value per case to each",
            )
    same_order({str(column): column.index for column in columns if column is not None})


def index_of(values: Any) -> Any:
    """The index of a series or frame of pandas, in one of narwhals, too; None of other values."""
    native = values.to_native() if hasattr(values, "to_native") else values
    index = getattr(native, "index", None)
    return index if hasattr(index, "equals") else None


def same_order(indexes: Mapping[str, Any]) -> None:
    """Raises InputError where two indexes of pandas have the same labels in another order.

    indexes: by the name of the column; None where it has none. Indexes with other labels are no sign of
    another order of the rows, as after `reset_index`.
    """
    different: dict[str, Any] = {}
    for name, index in indexes.items():
        if index is None or any(index.equals(one) for one in different.values()):
            continue
        for other, one in different.items():
            if _same_labels(one, index):
                raise InputError(
                    "ambiguous",
                    None,
                    f"{other} and {name} have the same index labels in another order",
                    "align them, as with .reindex(), or pass .to_numpy() of each to pair them by position",
                )
        different[name] = index


def _same_labels(one: Any, other: Any) -> bool:
    """Whether two indexes of different order have the same labels."""
    if len(one) != len(other):
        return False
    if {one.dtype.kind, other.dtype.kind} <= set("iuf") and one.max() != other.max():
        return False  # without a table of all labels
    return bool(one.isin(other).all() and other.isin(one).all())


def refuse_rows(
    column: Column,
    bad: np.ndarray,
    problem: str,
    remedy: str,
    values: Any = None,
    code: str = "invalid-value",
) -> None:
    """Raises InputError for the first row that is bad, if there is one.

    problem: a format of its `row` and its `value`; values: in place of those of the column.
    """
    if bad.any():
        row = int(bad.argmax())
        value = (column.values if values is None else values)[row]
        raise InputError(
            code, column, problem.format(row=column.row(row), value=value), remedy, row=row, value=value
        )


def no_gaps(column: Column) -> None:
    """Raises InputError for missing values."""
    gaps = column.gaps()
    if gaps.any():
        raise MissingValues(column, int(gaps.sum()), int(gaps.argmax()))


def scores(column: Column, hint: str | None = None) -> np.ndarray:
    """Scores as native floats of 16, 32 or 64 bits; kernels detect NaN. hint: what to do with text."""
    array, kind = column.values, column.values.dtype.kind
    if column.missing is not None:
        no_gaps(column)
    if kind not in "buif":
        raise not_numeric(column, hint or f"scores are numbers, and labels go to {option('predicted')}")
    if kind == "f":
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    exact(column)
    return array.astype(np.float64)


def beyond_floats(values: np.ndarray) -> bool:
    """Whether some are whole numbers beyond 2^53, which float64 may round."""
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8 or not len(values):
        return False
    return int(values.min()) < -WHOLE_BELOW or int(values.max()) > WHOLE_BELOW


def exact(column: Column) -> None:
    """Raises InputError for a whole number that float64 would round."""
    values = column.values
    if not beyond_floats(values):
        return
    with np.errstate(invalid="ignore"):  # the largest ones become 2^63 or 2^64
        held = values.astype(np.float64)
        rounded = (held.astype(values.dtype) != values) | (held > np.iinfo(values.dtype).max)
    if rounded.any():
        row = int(rounded.argmax())
        raise beyond(column, int(values[row]), column.row(row), row)


def beyond(column: Any, value: object, place: str, row: int) -> InputError:
    """The error for such a number. row: as counted in the file, for a whole column from its start."""
    return InputError(
        "invalid-value",
        column,
        f"{shown(value)} in {place} is beyond the numbers that float64 holds exactly",
        "float64 ends at 1.8e308"
        if isinstance(value, str) and isinf(float(value))
        else "subtract a constant from all, or round them",
        row=row,
        value=value,
    )


def not_numeric(column: Column, hint: str) -> InputError:
    """The error for text, or other values, where numbers are needed. hint: what to do."""
    if column.values.dtype.kind in "Mm":
        return InputError(
            "invalid-value",
            column,
            f"{shown(str(column.values[0]))} in {column.row(0)} is a date, a time or a duration",
            "convert the column to numbers",
            row=0,
        )
    values = column.values.tolist()
    row = next((i for i, value in enumerate(values) if not _is_number(value)), None)
    if row is None:
        return InputError(
            "invalid-value",
            column,
            f"numbers written as text, as {shown(values[0])} in {column.row(0)}",
            "convert the column to numbers",
            row=0,
            value=values[0],
        )
    return InputError(
        "invalid-value",
        column,
        f"{shown(values[row])} in {column.row(row)} is not a number",
        of_numeral(values[row]) or hint,
        row=row,
        value=values[row],
    )


def of_numeral(value: Any) -> str | None:
    """The way out for a number in another form; None for anything else."""
    text = value if isinstance(value, str) else ""
    return next((hint for form, hint in NUMERALS.items() if form.fullmatch(text)), None)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    # Python's float takes 1_000 and １, too
    written = not isinstance(value, str) or (value.isascii() and "_" not in value)
    return written and not isinstance(value, complex)


def some_rows(rows: int) -> None:
    """Raises InputError for a table without cases."""
    if not rows:
        raise InputError("empty", "data", "the table is empty", "at least one case is needed")
