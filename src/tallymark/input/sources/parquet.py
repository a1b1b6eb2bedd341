"""Parquet files in batches; columns have their exact names, and the types of the file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .. import columns
from ..columns import Column
from ..labels import NotAnAnswer, of_answers
from ..validate import InputError, shown
from ..where import Condition
from . import frames

THREADED = 1 << 19  # rows of a batch


def batches(
    stream: Any,
    wanted: Mapping[str, str],
    numbers: frozenset[str],
    rows: int,
    where: str,
    file: str | None,
    classes: Collection[str] = (),
    not_an_answer: NotAnAnswer | None = None,
    condition: Condition | None = None,
    part: Any = None,
) -> Iterator[dict[str, Column]]:
    """The columns by role, in batches of so many rows, numbered from 0.

    part: of a dataset, whose row groups are read. Raises InputError for a damaged file.
    """
    import narwhals.stable.v2 as nw
    import pyarrow as pa

    try:
        with _opened(stream, rows) as opened:
            frames.check_names(wanted, opened.schema_arrow.names, where)
            labels = {name for role, name in wanted.items() if role not in numbers}
            every = list(dict.fromkeys(wanted.values()))
            for first, batch in _numbered(opened, stream, rows, every, condition, part):
                table = nw.from_native(pa.Table.from_batches([_plain(batch, labels, where)]), eager_only=True)
                named = {}
                for role, name in wanted.items():
                    array, words = batch.column(name), of_answers(role, not_an_answer)
                    if array.null_count and pa.types.is_integer(array.type) and words is None:
                        # in their own type, which a list would lose
                        values = array.fill_null(0).to_numpy()
                        missing = array.is_null().to_numpy(zero_copy_only=False)
                        named[role] = Column(role, values, missing, name, first, file)
                    else:
                        named[role] = columns.read(table[name], role, name, first, file, classes, words)
                starts = None if opened.num_row_groups < 2 else _first_rows(opened)[:-1]
                yield {role: replace(column, groups=starts) for role, column in named.items()}
        pa.default_memory_pool().release_unused()
    except (InputError, MemoryError):
        raise
    except Exception as reason:  # damaged files make Arrow raise exceptions of many types
        said = shown(str(reason).split("\n")[0]).strip("'\"")
        raise InputError(
            "unreadable",
            where,
            f"cannot be read as Parquet ({said})",
            "write the file again, or give it another ending",
        ) from reason


def _opened(stream: Any, rows: int) -> Any:
    """The file; small batches are in memory of the system: the pool of Arrow would take twice as much."""
    import pyarrow as pa
    from pyarrow import parquet

    pool = pa.default_memory_pool()
    try:
        pa.set_memory_pool(pool if rows >= THREADED else pa.system_memory_pool())
        return parquet.ParquetFile(
            stream, buffer_size=frames.BUFFER, pre_buffer=False, page_checksum_verification=True
        )
    finally:
        pa.set_memory_pool(pool)


def _first_rows(opened: Any) -> np.ndarray:
    """The first row of each row group, and the number of rows."""
    sizes = [opened.metadata.row_group(i).num_rows for i in range(opened.num_row_groups)]
    return np.cumsum([0, *sizes])


def _numbered(
    opened: Any,
    stream: Any,
    rows: int,
    names: list[str],
    condition: Condition | None,
    part: Any,
) -> Iterator[tuple[int, Any]]:
    """Batches and their first rows, without row groups in which no row fulfils the condition."""
    starts = _first_rows(opened)
    groups = np.array([one.id for one in part.row_groups] if part else range(opened.num_row_groups), int)
    if condition is not None and not condition.nulls and len(groups) > 1:
        from pyarrow import ArrowException, dataset

        try:
            whole = dataset.ParquetFileFormat().make_fragment(stream)
            may = whole.subset(filter=condition.arrow(), schema=whole.physical_schema).row_groups
            groups = groups[np.isin(groups, [one.id for one in may])]
        except ArrowException:  # of types that are compared as text, as dates
            pass
    # in small batches what threads of Arrow hold exceeds the batch
    for run in np.split(groups, np.flatnonzero(np.diff(groups) != 1) + 1):
        read = starts[run[0]] if len(run) else 0
        for batch in opened.iter_batches(rows, run.tolist(), names, use_threads=rows >= THREADED):
            yield int(read), batch
            read += len(batch)


def _plain(batch: Any, labels: Collection[str], where: str) -> Any:
    """The table with dates and times of labels as text, and columns without any value as numbers."""
    import pyarrow.types as of

    for i, field in enumerate(batch.schema):
        if of.is_null(field.type):
            batch = batch.set_column(i, field.name, batch.column(i).cast("float64"))
        elif field.name in labels and (
            of.is_date(field.type) or of.is_time(field.type) or of.is_timestamp(field.type)
        ):
            batch = batch.set_column(i, field.name, _dates(batch.column(i), field.name, where))
    return batch


def _dates(array: Any, name: str, where: str) -> Any:
    """Dates and times as the csv module of Python writes them."""
    import pyarrow as pa

    coded = array.dictionary_encode()
    try:
        texts = pa.array(map(str, coded.dictionary.to_pylist()), pa.string())
    except (ValueError, OverflowError):
        raise InputError(
            "unreadable",
            where,
            f"column {shown(name)}: its type {array.type} has values that Python does not hold",
            "write them as text",
            value=name,
        ) from None
    return texts.take(coded.indices)
