"""Parts of text files, and the batches of columns made of them, each of the type of its whole column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, pairwise
from typing import Any

import numpy as np

from ..answers import NotAnAnswer
from ..arrays import arrow_as_numpy
from ..columns import ANSWERS, Column
from ..validate import InputError
from ..where import WHERE
from . import grammar
from .grammar import Kind

Places = range | np.ndarray  # by row, the number of its line


class StartOver(Exception):  # noqa: N818  # no error: the batches so far are read again
    """A label is text, after only numbers: the batches start again with the type of the whole column."""


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of labels: the distinct ones, and for each row the index of its label.

    The index is -1 where the value is missing. typed: whether the file distinguishes numbers and text, as
    JSON does; unanswered: of predicted labels, where the answer is no class, or None.
    """

    distinct: list[Any]
    codes: np.ndarray
    typed: bool = False
    unanswered: np.ndarray | None = None

    @classmethod
    def of(cls, array: Any, typed: bool = False) -> Labels:
        """From a column of a table of Arrow."""
        coded = array.combine_chunks().dictionary_encode()
        codes = arrow_as_numpy(coded.indices.fill_null(-1) if coded.indices.null_count else coded.indices)
        return cls(coded.dictionary.to_pylist(), codes, typed)

    @classmethod
    def of_rows(cls, values: Sequence[Any], keys: Sequence[Any], typed: bool = False) -> Labels:
        """From a value for each row. keys: what tells two values apart; None of missing ones."""
        distinct: dict[Any, Any] = {}
        for key, value in zip(keys, values, strict=True):
            distinct.setdefault(key, value)
        distinct.pop(None, None)
        codes = {key: code for code, key in enumerate(distinct)}
        return cls(list(distinct.values()), np.array([codes.get(key, -1) for key in keys], np.int64), typed)

    def with_answers(self, words: NotAnAnswer, missing: Sequence[str] = ()) -> Labels:
        """The same predicted labels; these values are no answer. missing: texts of missing values."""
        gone = words.among(self.distinct)
        if words.none and missing:
            gone |= np.isin(self.distinct, missing)
        there = np.append(gone, words.gaps and self.typed)[self.codes]
        return replace(self._without(gone), unanswered=there if there.any() else None)

    def _without(self, gone: np.ndarray) -> Labels:
        if not gone.any():
            return self
        places = np.append(np.where(gone, -1, np.cumsum(~gone) - 1), -1)
        return replace(
            self, distinct=list(compress(self.distinct, (~gone).tolist())), codes=places[self.codes]
        )

    def rows(self, start: int, stop: int) -> Labels:
        """The rows from start to stop."""
        unanswered = None if self.unanswered is None else self.unanswered[start:stop]
        return replace(self, codes=self.codes[start:stop], unanswered=unanswered)

    def without(self, words: Collection[str]) -> Labels:
        """The same column, in which these texts are missing values."""
        return self._without(np.array([label in words for label in self.distinct], bool))

    def values(self, kind: Kind | None) -> np.ndarray | None:
        """One value per row, None or NaN where missing; None where the labels are not of this kind."""
        known = grammar.values_of(self.distinct, kind)
        if known is None or (not len(known) and not len(self.codes)):
            return known
        if self.codes.min() < 0:
            numbers = kind in (None, Kind.NUMBER)
            known = np.append(known, np.nan) if numbers else np.array([*known.tolist(), None], dtype=object)
        return known[self.codes]


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows: their numbers or labels by role, and their lines.

    Numbers are float64, NaN where missing; objects where some are not numbers.
    """

    columns: Mapping[str, np.ndarray | Labels]
    lines: Places
    unit: str = "line"

    def __len__(self) -> int:
        return len(self.lines)

    def without(self, missing: Callable[[str, Sequence[Any]], Collection[str]]) -> Part:
        """The same rows without labels that are missing values. missing: which of some labels, by role."""
        known = {
            role: one.without(missing(role, one.distinct)) if isinstance(one, Labels) else one
            for role, one in self.columns.items()
        }
        return replace(self, columns=known)

    def rows(self, start: int, stop: int) -> Part:
        """The rows from start to stop."""
        some = {
            role: one.rows(start, stop) if isinstance(one, Labels) else one[start:stop]
            for role, one in self.columns.items()
        }
        return replace(self, columns=some, lines=self.lines[start:stop])


def regrouped(parts: Iterable[Part], rows: int) -> Iterator[list[Part]]:
    """Parts of so many rows together; the last one may have fewer."""
    group: list[Part] = []
    held = 0
    for part in parts:
        start = 0
        while held + len(part) - start >= rows:
            stop = start + rows - held
            yield [*group, part.rows(start, stop)]
            group, held, start = [], 0, stop
        if start < len(part):
            group.append(part.rows(start, len(part)) if start else part)
            held += len(part) - start
    if group:
        yield group


def kinds_of(group: list[Part]) -> dict[str, Kind | None]:
    """The kind of the labels in these rows, by role."""
    found: dict[str, Kind | None] = {}
    for part in group:
        for role, column in part.columns.items():
            if isinstance(column, Labels):
                named = role.split()[0] not in (*ANSWERS, WHERE) and not column.typed
                kind = (
                    grammar.kind_of_names(column.distinct)
                    if named
                    else grammar.kind_of(column.distinct, column.typed)
                )
                found[role] = grammar.common(found.get(role), kind)
    return found


def columns_of(
    group: list[Part],
    names: Mapping[str, str],
    kinds: Mapping[str, Kind | None],
    where: str,
    file: str | None,
) -> dict[str, Column]:
    """The columns by role.

    names: of the columns, by role; where: the file in messages; file: the same, if there are several.
    """
    first, kept = _numbered([part.lines for part in group])
    found = {}
    for role, name in names.items():
        column = Column(role, np.empty(0), None, name, first, file, kept, group[0].unit)
        values, missing = _joined(group, column, kinds.get(role), where)
        unanswered = _unanswered([part.columns[role] for part in group])
        missing = missing if missing.any() else None  # type: ignore[assignment]
        found[role] = replace(column, values=values, missing=missing, unanswered=unanswered)
    return found


def _unanswered(parts: Sequence[np.ndarray | Labels]) -> np.ndarray | None:
    """Where predicted labels are no class, in all of these parts; None without any."""
    masks = [one.unanswered if isinstance(one, Labels) else None for one in parts]
    if all(mask is None for mask in masks):
        return None
    sizes = [len(one.codes) if isinstance(one, Labels) else len(one) for one in parts]
    return np.concatenate(
        [np.zeros(size, bool) if mask is None else mask for mask, size in zip(masks, sizes, strict=True)]
    )


def _joined(
    group: list[Part], column: Column, kind: Kind | None, where: str
) -> tuple[np.ndarray, np.ndarray]:
    arrays = []
    for part in group:
        held = part.columns[column.role]
        values = held.values(kind) if isinstance(held, Labels) else held
        if values is None:
            raise InputError(
                "labels",
                column,
                f"in {where} text and other values are mixed",
                "make them all text or all numbers",
            )
        arrays.append(values)
    missing = np.concatenate([np.isnan(one) if one.dtype.kind == "f" else _nones(one) for one in arrays])
    return (arrays[0] if len(arrays) == 1 else np.concatenate(arrays)), missing


def _nones(array: np.ndarray) -> np.ndarray:
    return np.asarray(array == np.array(None)) if array.dtype == object else np.zeros(len(array), bool)


def _numbered(places: Sequence[Places]) -> tuple[int, np.ndarray | None]:
    """The first line, and for each row its distance from it.

    None where the rows are on consecutive lines.
    """
    first = int(places[0][0])
    ranges = [one for one in places if isinstance(one, range)]
    if len(ranges) == len(places) and all(one.stop == other.start for one, other in pairwise(ranges)):
        return first, None
    return first, np.concatenate([np.asarray(one) for one in places]) - first
