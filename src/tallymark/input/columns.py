"""A column (list, array, series, tensor) as a NumPy array with its role and name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from . import spelling, validate, weighting
from .arrays import (
    Levels,
    bins_as_text,
    from_objects,
    levels_of,
    nothing_lost,
    understood,
    without_missing_labels,
    wrong_shape,
)
from .options import WeightKind
from .validate import InputError, shown

if TYPE_CHECKING:
    from .answers import NotAnAnswer

FEW = 3  # values of a column in brief
ANSWERS = ("truth", "predicted", "baseline_score", "judge", "y", "y_test")  # roles of labels of classes


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column that is still to be read: the argument that it was given as, and its name, if it has one."""

    role: str
    name: Any = None

    def __str__(self) -> str:
        role = spelling.name(self.role)
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
