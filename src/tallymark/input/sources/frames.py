"""Data frames of all libraries that narwhals supports, lazy or not, as pandas, polars and pyarrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import columns
from ..columns import Column
from ..errors import option
from ..labels import NotAnAnswer, of_answers
from ..validate import InputError, nearest, shown
from ..where import Condition

BATCH_ROWS = 1 << 19  # of a file of a dataset
BUFFER = 1 << 20  # bytes of a Parquet file that are read at once, however large its row groups are


def batches(
    data: Any,
    wanted: dict[str, str],
    classes: Collection[str] = (),
    not_an_answer: NotAnAnswer | None = None,
    condition: Condition | None = None,
    rows: int | None = None,
    numbers: frozenset[str] = frozenset(),
) -> Iterator[dict[str, Column]]:
    """The columns by role: one batch, or those of a stream. Of a lazy frame only these are computed.

    rows: the most of a batch of a dataset; numbers: the roles of columns of numbers.
    """
    import narwhals.stable.v2 as nw

    if hasattr(data, "get_fragments") and hasattr(data, "to_batches"):
        yield from _of_dataset(data, wanted, classes, not_an_answer, condition, rows, numbers)
        return
    stream = _stream(data)
    if stream is not None:
        yield from _of_stream(stream, wanted, classes, not_an_answer)
        return
    if not all(isinstance(name, str) for name in wanted.values()):  # of pandas, as 0 or ("a", "b")
        check_names(wanted, list(data.columns), "the data")
        yield named(data, wanted, classes, not_an_answer)
        return
    try:
        frame = nw.from_native(data, pass_through=True)
    except nw.exceptions.NarwhalsError as reason:
        check_once(_names(data), "the data")
        raise InputError(
            "unreadable", "data", f"this {type(data).__name__} cannot be read: {shown(reason)}"
        ) from reason
    if not isinstance(frame, (nw.DataFrame, nw.LazyFrame)):
        raise InputError(
            "unreadable",
            "data",
            f"a {type(data).__name__} is not a table that can be read",
            "pass a data frame, a mapping of columns, the path of a file, or arrays by name "
            f"({option('truth')}, {option('score')})",
        )
    try:
        check_names(wanted, frame.collect_schema().names(), "the data")
        if isinstance(frame, nw.LazyFrame):
            # polars has no repeated names; for other libraries narwhals returns each once
            if not frame.implementation.is_polars():
                check_once(_names(frame.to_native()), "the data")
            frame = frame if condition is None else condition.filtered(frame)
            frame = frame.select(dict.fromkeys(wanted.values())).collect()
        yield named(frame, wanted, classes, not_an_answer)
    except (InputError, MemoryError):
        raise
    # a lazy frame is computed here, and its library may raise any exception
    except Exception as reason:
        raise InputError(
            "unreadable", "data", f"this {type(data).__name__} cannot be read: {shown(str(reason))}"
        ) from reason


def _of_dataset(
    data: Any,
    wanted: dict[str, str],
    classes: Collection[str],
    not_an_answer: NotAnAnswer | None,
    condition: Condition | None,
    most: int | None,
    numbers: frozenset[str],
) -> Iterator[dict[str, Column]]:
    """The batches of a dataset of Arrow, file by file, without those where no row fulfils the condition."""
    import pyarrow
    from pyarrow.dataset import ParquetFileFragment, get_partition_keys

    check_names(wanted, data.schema.names, "the data")
    names, most = list(dict.fromkeys(wanted.values())), min(BATCH_ROWS, most or BATCH_ROWS)
    try:
        files = list(data.get_fragments(condition and condition.arrow()))
    except pyarrow.ArrowException:  # of types that are compared as text, as dates
        files = list(data.get_fragments())
    except ValueError:  # rows of it were selected
        stream = data.to_batches(columns=names, batch_size=most, batch_readahead=1, fragment_readahead=1)
        yield from _of_stream(stream, wanted, classes, not_an_answer, "the data")
        return
    rows = 0
    for file in files:
        where = getattr(file, "path", "").rsplit("/", 1)[-1] or None
        if isinstance(file, ParquetFileFragment):
            found = _of_parquet(
                file, wanted, numbers=numbers, rows=most, where=where or "the data", file=where,
                classes=classes, not_an_answer=not_an_answer, condition=condition,
            )  # fmt: skip
        else:
            if where is not None:
                folders = get_partition_keys(file.partition_expression)
                check_names(wanted, [*file.physical_schema.names, *folders], where)
            # in the types of the file, which Arrow would turn into those of the first one: text into numbers
            own = {field.name: field for field in (*data.schema, *file.physical_schema)}
            stream = file.to_batches(
                pyarrow.schema([own[name] for name in names]), names, batch_size=most, batch_readahead=1,
                fragment_readahead=1,
            )  # fmt: skip
            found = _of_stream(stream, wanted, classes, not_an_answer, where)
        for batch in found:
            rows += len(batch["truth"])
            yield batch
    if not rows and condition is None:
        raise InputError("empty", "data", "the dataset has no rows", "at least one case is needed")


def _of_parquet(part: Any, wanted: Mapping[str, str], **given: Any) -> Iterator[dict[str, Column]]:
    """The batches of a Parquet file of a dataset, page by page, with the columns that its folders name."""
    from pyarrow.dataset import get_partition_keys

    from . import parquet

    folders = get_partition_keys(part.partition_expression)
    inside = {role: name for role, name in wanted.items() if name not in folders}
    outside = {role: name for role, name in wanted.items() if name in folders}
    with part.open() as stream:
        for batch in parquet.batches(stream, inside, **given, part=part):
            size = len(next(iter(batch.values())))
            values = {name: np.array([folders[name]]).repeat(size) for name in outside.values()}
            yield batch | named(values, outside)


def _stream(data: Any) -> Iterator[Any] | None:
    """The batches of a stream of Arrow (a reader, a capsule), or of any iterator; None of other data."""
    if isinstance(data, Iterator):
        return data
    if not hasattr(data, "__arrow_c_stream__") or hasattr(data, "columns") or hasattr(data, "collect"):
        return None  # a frame of a library, which narwhals knows
    import pyarrow

    try:
        result: Iterator[Any] = iter(pyarrow.RecordBatchReader.from_stream(data))
    except pyarrow.ArrowInvalid:  # a column
        return None
    return result


def _of_stream(
    stream: Iterator[Any],
    wanted: dict[str, str],
    classes: Collection[str],
    not_an_answer: NotAnAnswer | None,
    file: str | None = None,
) -> Iterator[dict[str, Column]]:
    """The batches of a stream, each a batch of Arrow, a frame or a mapping; rows are counted through."""
    rows = 0
    for part in stream:
        if isinstance(part, Mapping):
            check_names(wanted, list(part), "the data")
            found = iter([named(part, wanted, classes, not_an_answer)])
        else:
            found = batches(_table(part), wanted, classes, not_an_answer)
        for batch in found:
            yield {
                role: replace(one, first_row=one.first_row + rows, file=file) for role, one in batch.items()
            }
            rows += len(next(iter(batch.values())))
    if not rows and file is None:
        raise InputError(
            "empty",
            "data",
            "the stream has no batch, or was read before",
            "pass a new one; a stream can be read once",
        )


def _table(part: Any) -> Any:
    """A batch of Arrow as a table."""
    if type(part).__name__ != "RecordBatch":
        return part
    import pyarrow

    return pyarrow.Table.from_batches([part])


def _names(native: Any) -> list[str]:
    """The names of the columns in the library of the frame."""
    names: Sequence[str] = (
        native.column_names if hasattr(native, "column_names") else getattr(native, "columns", [])
    )
    return list(names)


def named(
    frame: Any,
    wanted: Mapping[str, str],
    classes: Collection[str] = (),
    not_an_answer: NotAnAnswer | None = None,
    first_row: int = 0,
    file: str | None = None,
) -> dict[str, Column]:
    """The columns of an eager narwhals frame, or a mapping, by role."""
    return {
        role: columns.read(
            frame[one], role, str(one), first_row, file, classes, of_answers(role, not_an_answer)
        )
        for role, one in wanted.items()
    }


def check_names(wanted: Mapping[str, str], available: Sequence[str], where: str) -> None:
    """Raises InputError unless every requested column exists once."""
    for role, name in wanted.items():
        if name not in available:
            hint = nearest(name, available) or f"; the columns are {', '.join(map(shown, available[:12]))}"
            whole = next((one for one in available if isinstance(one, tuple) and name in one), None)
            hint += "" if whole is None else f"; a tuple is named in a list, as [{shown(whole)}]"
            raise InputError("unknown-name", role, f"{where} has no column {shown(name)}{hint}", value=name)
    check_once(available, where)


def check_once(names: Sequence[str], where: str) -> None:
    """Raises InputError for a name that occurs twice."""
    name, times = next(iter(Counter(names).most_common(1)), ("", 0))
    if times > 1:
        raise InputError(
            "repeated",
            where,
            f"{times} columns have the name {shown(name)}",
            "give each its own name",
            value=name,
        )
