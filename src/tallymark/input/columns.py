"""A column (list, array, series, tensor) as a NumPy array, with role, name and a mask of missing values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import errors, validate, weighting
from .arguments import WeightKind
from .validate import InputError, is_masked, on_host, real, shown

if TYPE_CHECKING:
    from .labels import NotAnAnswer


# Any collection of values as a NumPy array, with a mask of those that are missing
# --------------------------------------------------------------------------------------------------

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


# A column (list, array, series, tensor) as a NumPy array with its role and name
# --------------------------------------------------------------------------------------------------

FEW = 3  # values of a column in brief
ANSWERS = ("truth", "predicted", "baseline_score", "judge", "y", "y_test")  # roles of labels of classes


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column that is still to be read: the argument that it was given as, and its name, if it has one."""

    role: str
    name: Any = None

    def __str__(self) -> str:
        role = errors.spelled(self.role)
        return role if self.name is None else f"{role} (column {shown(self.name)})"

    def number(self, row: int) -> int:
        """The row as it is: rows are counted as in the file."""
        return row


@dataclass(frozen=True, slots=True)
class Column:
    """Values with the names that an error message needs.

    values: one-dimensional; missing: True where there is no value, or None if none is known to be missing
    (there may be NaN). role: the argument that it was given as; name: its name in the frame or file;
    first_row: the number of its first row; file: its file, where there are several; kept: for each value its
    distance from the first row, where rows are left out; unit: what is counted, rows or lines; weight_kind:
    of weights, "count" or "importance", None where the values decide; index: of a series of pandas;
    unanswered: of predicted labels, True where the answer is no class, None without any; levels: the classes
    that its type declares; groups: the first rows of the row groups of its file, where there are several;
    of_rows: whether these weights are numbers of rows, which have none of their own; through: of the rows of
    several files, the first row of each part and the part without its values.
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
    index: Any = None
    unanswered: np.ndarray | None = None
    levels: Levels | None = None
    groups: np.ndarray | None = None
    of_rows: bool = False
    through: tuple[tuple[int, Column], ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    def __str__(self) -> str:
        return str(NamedColumn(self.role, self.name))

    def row(self, index: int) -> str:
        """The row as messages name it: counted from 0, or the line of a text file."""
        if self.through:
            part, place = self._part_of(index)
            return part.row(place)
        number = self.number(index)
        where = validate.row_at(number) if self.unit == "row" else f"{self.unit} {number}"
        if self.groups is not None:
            where += f" in row group {np.searchsorted(self.groups, number, 'right') - 1}"
        return f"{where} of {self.file}" if self.file else where

    def number(self, index: int) -> int:
        """The number of this row, or line, in the file of the user."""
        if self.through:
            part, place = self._part_of(index)
            return part.number(place)
        return self._number(index)

    def _number(self, index: int) -> int:
        return self.first_row + int(index if self.kept is None else self.kept[index])

    def _part_of(self, index: int) -> tuple[Column, int]:
        """The part of a file that has this row, and its place there."""
        number = self._number(index)
        first, part = next(one for one in reversed(self.through) if one[0] <= number)
        return part, number - first

    def gaps(self) -> np.ndarray:
        """True where the value is missing or NaN, and no answer is expected to be missing."""
        gaps = np.zeros(len(self), bool) if self.missing is None else self.missing
        gaps = gaps | np.isnan(self.values) if self.values.dtype.kind == "f" else gaps
        return gaps if self.unanswered is None else gaps & ~self.unanswered

    @property
    def without_answer(self) -> np.ndarray:
        """True where there is an answer that is no class."""
        return np.zeros(len(self), bool) if self.unanswered is None else self.unanswered

    def in_brief(self) -> Column:
        """What a column declares, with the first of its distinct texts, or a number, in place of its rows."""
        values = self.values[:1]
        if self.values.dtype.kind in "OU":
            some = sorted({*self.values.tolist()} - {None})[:FEW]  # numbers, too, where one was missing
            values = np.array(some, object if isinstance(next(iter(some), ""), str) else None)
        return Column(self.role, values, name=self.name, weight_kind=self.weight_kind, levels=self.levels)

    def those(self, rows: np.ndarray | slice) -> Column:
        """The rows where a mask is True, those at some places, or those of a range."""
        first, kept, index = self.first_row, self.kept, self.index
        if isinstance(rows, slice):
            index = None
        if kept is not None:
            kept = kept[rows]
        elif isinstance(rows, slice):
            first += rows.start
        else:
            kept = np.flatnonzero(rows) if rows.dtype == bool else rows
        return replace(
            self,
            values=self.values[rows],
            missing=None if self.missing is None else self.missing[rows],
            unanswered=None if self.unanswered is None else self.unanswered[rows],
            first_row=first,
            kept=kept,
            index=index,
        )

    def keep(self, rows: np.ndarray) -> Column:
        """The same; none of them may be missing."""
        found = self.those(rows)
        if found.values.dtype != object:
            return replace(found, missing=None)
        return replace(found, values=from_objects(found.values.tolist(), self.role)[0], missing=None)


def read(
    values: Any,
    role: str,
    name: str | None = None,
    first_row: int = 0,
    file: str | None = None,
    classes: Collection[Any] = (),
    not_an_answer: NotAnAnswer | None = None,
) -> Column:
    """Any one-dimensional collection as a `Column`; name: by default that of the series.

    classes: labels that are none of the missing values that they look like, as "NA"; not_an_answer: of
    predicted labels. Raises InputError for a scalar, a text, a table, and for values that are neither all
    numbers nor all text.
    """
    if isinstance(values, Column):
        return values
    given, unanswered = values, None
    if role.split()[0] == "where" and hasattr(values, "to_numpy"):
        times = np.asarray(values.to_numpy())
        if times.dtype.kind == "M":  # in conditions only; elsewhere times are no values of cases
            return Column(role, times, np.isnat(times), name, first_row, file)
    try:
        values, bins = bins_as_text(values)
        if not_an_answer is not None:
            values, unanswered = not_an_answer.taken_out(values, role)
        array, missing = understood(values, role)
        if array.ndim == 1 and array.dtype.kind in "OU" and role.split()[0] in ANSWERS:
            array, missing = without_missing_labels(array, missing, classes)
        levels = levels_of(given, classes) if bins is None else bins
    except InputError as reason:
        if name is None or reason.argument != role or reason.column is not None:
            raise
        raise InputError(
            reason.code,
            NamedColumn(role, name),
            reason.problem,
            reason.remedy,
            row=reason.row,
            value=reason.value,
        ) from None
    except MemoryError:
        raise
    except Exception as reason:  # any exception of a foreign type; it is quoted in the message
        kind = type(values).__name__
        raise InputError(
            "unreadable", role, f"a {kind} that NumPy cannot read ({shown(reason)})", "convert it to an array"
        ) from reason
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        with np.errstate(over="ignore"):  # numbers beyond all floats become infinite
            longer, array = array, array.astype(np.float64)
        nothing_lost(array.ravel(), longer.ravel(), role)
    if array.dtype.kind == "V":
        raise InputError(
            "invalid-value",
            role,
            f"records of the type {array.dtype} are not single values",
            "pass one of their fields",
        )
    if array.ndim != 1:
        raise wrong_shape(role, array)
    if array.strides[0] % array.itemsize or not array.flags.aligned:
        array = array.copy()  # a field of packed records, but the kernels require a stride of whole elements
    own = getattr(given, "name", None)
    if name is None and isinstance(own, str):
        name = own or None
    index = validate.index_of(given)
    return Column(
        role, array, missing, name, first_row, file, index=index, unanswered=unanswered, levels=levels
    )


def read_weights(values: Any, kind: WeightKind | None) -> Column | None:
    """Weights as a `Column` that states their kind; None without weights.

    Raises InputError for an unknown kind.
    """
    weighting.weight_kind(kind, values)
    return None if values is None else replace(read(values, "weight"), weight_kind=kind)


def that_count(weight: Column | None, *others: Column | None) -> list[Any]:
    """The other columns and the weight, without the rows of weight 0.

    In these rows no value may be missing either. Raises InputError for invalid weights, and where all are 0.
    """
    weights = weighting.weights(weight)
    if weight is None or weights is None or weights.all():
        return [*others, weight]
    weighting.some_weight(float(weights.max()), weight)
    for column in filter(None, others):
        validate.no_gaps(column)
    return [None if column is None else column.keep(weights > 0) for column in (*others, weight)]


def those_that_count(batch: dict[str, Column]) -> dict[str, Column]:
    """The columns by role, without the rows of weight 0, as `that_count`."""
    others = {role: column for role, column in batch.items() if role != "weight"}
    *left, weight = that_count(batch.get("weight"), *others.values())
    return dict(zip(others, left, strict=True)) | ({} if weight is None else {"weight": weight})


def joined(parts: Sequence[Column]) -> Column:
    """The parts of one column, concatenated."""
    first = parts[0]
    if len(parts) == 1:
        return first
    missing, unanswered = _masks(parts, "missing"), _masks(parts, "unanswered")
    if missing is None:  # else a value is None in objects of any kind
        _alike(parts)
    values = np.concatenate([part.values for part in parts])
    if any(part.file != first.file for part in parts):
        bare: dict[str, Any] = {"values": np.empty(0), "missing": None, "unanswered": None, "index": None}
        starts = accumulate(map(len, parts), initial=0)
        through = tuple(zip(starts, (replace(part, **bare) for part in parts), strict=False))
        whole = replace(first, **bare, first_row=0, kept=None, through=through)
        return replace(whole, values=values, missing=missing, unanswered=unanswered)
    kept = None
    if not all(part.kept is None for part in parts) or not _one_below_the_other(parts):
        places = (np.arange(len(part)) if part.kept is None else part.kept for part in parts)
        kept = np.concatenate(
            [part.first_row - first.first_row + place for part, place in zip(parts, places, strict=True)]
        )
    return replace(first, values=values, missing=missing, kept=kept, unanswered=unanswered)


def _masks(parts: Sequence[Column], name: str) -> np.ndarray | None:
    """The masks of the parts, concatenated; None where none has one."""
    masks = [getattr(part, name) for part in parts]
    if all(mask is None for mask in masks):
        return None
    pairs = zip(masks, parts, strict=True)
    return np.concatenate([np.zeros(len(part), bool) if mask is None else mask for mask, part in pairs])


def _one_below_the_other(parts: Sequence[Column]) -> bool:
    return all(part.first_row + len(part) == below.first_row for part, below in pairwise(parts))


def _alike(parts: Sequence[Column]) -> None:
    """Raises InputError where parts mix text and numbers, or numbers that no one type holds exactly."""
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
        and any(validate.beyond_floats(part.values) for part in parts)
    ):
        raise InputError(
            "labels",
            parts[0],
            "whole numbers beyond 2^53 and decimals are mixed, which no type holds exactly",
            "write such labels as text",
        )
