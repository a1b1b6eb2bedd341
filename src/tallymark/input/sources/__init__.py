"""Sources of cases: arrays, data frames or files, each as a stream of batches of named columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from .. import columns, validate
from ..answers import NotAnAnswer, of_answers
from ..columns import Column
from ..score_columns import NAMES
from ..validate import InputError, shown
from ..where import Condition
from .parts import StartOver

__all__ = ["Batch", "Source", "StartOver", "read"]

Batch = dict[str, Column]
NUMBERS = ("score", "weight")  # roles of columns with numbers


@dataclass(frozen=True, slots=True)
class Source:
    """The cases under the name of their units, and their batches: role ("truth", "score", …) to column.

    changed: whether the type of a column read so far changes in later rows, so that batches start again. The
    batches raise `StartOver` where they find that out themselves. files: the path, the size and the time of
    change of each.
    """

    name: str
    batches: Iterator[Batch]
    changed: Callable[[], bool] = bool
    files: tuple[tuple[str, int, int], ...] = ()


def read(
    data: Any,
    given: dict[str, Any],
    amounts: Iterable[str] = (),
    classes: Collection[str] = (),
    not_an_answer: NotAnAnswer | None = None,
    own_words: bool = False,
    condition: Condition | None = None,
    rows: int | None = None,
) -> Source:
    """The columns requested, from arrays, a frame or files.

    `given` has, per role, an array (data is None) or the name of a column of data. data: None, a path or
    several (CSV, Parquet, JSON lines; patterns; - for standard input), a mapping of columns, or any data
    frame that narwhals supports. amounts: roles of numbers besides scores and weights; classes: labels
    that are not missing values, though they look like them; not_an_answer: the predicted values that name no
    class; own_words: whether predicted labels have other words than the actual ones; condition: on rows, of
    which parts of the data without any that fulfils it may be left out; rows: the most of a batch.
    """
    wanted = {role: value for role, value in given.items() if value is not None}
    words = classes, not_an_answer
    numbers = frozenset(role for role in wanted if role.split()[0] in (*NUMBERS, *amounts))
    if data is None:
        return Source("arrays", _in_parts([_arrays(wanted, *words)], rows))
    known = None if all(isinstance(one, str) for one in wanted.values()) else columns_of(data)
    elsewhere = {role: one for role, one in wanted.items() if not _among(one, known)}
    for role, one in elsewhere.items():
        array = hasattr(one, "__len__") and not isinstance(one, (*NAMES, Mapping))
        if known is None or not array or len(elsewhere) == len(wanted):
            raise InputError(
                "conflict",
                role,
                f"with data given, name one of its columns, not {shown(one)} ({type(one).__name__})",
                "or leave data out",
            )
    if elsewhere:
        rest = read(
            data,
            {role: one for role, one in wanted.items() if role not in elsewhere},
            amounts,
            *words,
            condition=condition,
        )
        whole = (batch | _arrays(elsewhere, *words) for batch in rest.batches)
        return replace(rest, batches=_in_parts(whole, rows))
    paths = [data] if isinstance(data, (str, PathLike)) else data
    if (
        isinstance(paths, (list, tuple))
        and paths
        and all(isinstance(path, (str, PathLike)) for path in paths)
    ):
        from . import files

        batches = files.Batches(
            [str(path) for path in paths], wanted, numbers, *words, own_words, condition, rows
        )
        stamped = tuple((file.path, *file.stamp) for file in batches.files if file.stamp is not None)
        return Source(batches.name, batches, batches.changed, stamped)
    if isinstance(data, Mapping):
        from . import frames

        frames.check_names(wanted, list(data), "the data")
        return Source("columns", _in_parts([frames.named(data, wanted, *words)], rows))
    from . import frames

    found = frames.batches(data, wanted, *words, condition, rows, numbers)
    return Source(type(data).__name__, _in_parts(found, rows))


def columns_of(data: Any) -> list[Any] | None:
    """The names of the columns of a mapping or a frame; None of files."""
    if isinstance(data, (str, PathLike, list, tuple)):
        return None
    if isinstance(data, Mapping):
        return list(data)
    names: Any
    if hasattr(type(data), "collect_schema"):  # a lazy frame of polars warns of `columns`
        names = data.collect_schema().names()
    else:
        names = getattr(data, "column_names", None) or getattr(data, "columns", ())
    return list(names) if hasattr(names, "__iter__") else []


def _in_parts(batches: Iterable[Batch], rows: int | None) -> Iterator[Batch]:
    """The batches, each with so many rows at most. Raises InputError for columns of several lengths."""
    for batch in batches:
        size = len(next(iter(batch.values())))
        if rows is None or size <= rows:
            yield batch
            continue
        validate.same_length(*batch.values())
        for start in range(0, size, rows):
            yield {role: column.those(slice(start, start + rows)) for role, column in batch.items()}


def _among(name: Any, known: list[Any] | None) -> bool:
    """Whether it names a column: a text, or in pandas a whole number or a tuple that is the name of one."""
    return isinstance(name, str) or (known is not None and isinstance(name, NAMES) and name in known)


def _arrays(given: Mapping[str, Any], classes: Collection[str], not_an_answer: NotAnAnswer | None) -> Batch:
    for role, values in given.items():
        if isinstance(values, str):
            raise InputError(
                "needed",
                role,
                f"{shown(values)} names a column, but no data was given",
                "pass the data first, or an array here",
            )
    return {
        role: columns.read(values, role, classes=classes, not_an_answer=of_answers(role, not_an_answer))
        for role, values in given.items()
    }
