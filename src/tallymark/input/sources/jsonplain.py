"""Plain JSON objects, in lines or arrays, where the kernel and Arrow agree with Python's json module."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from . import grammar
from .jsonobjects import Wanted
from .parts import Labels, Part, Places

WHOLE, DECIMAL, TEXT, BOOLEAN, NULL = 1, 2, 4, 8, 16  # kinds of values, as the kernel combines them
TYPES = {
    0: "float64",
    WHOLE: "int64",
    DECIMAL: "float64",
    WHOLE | DECIMAL: "float64",
    TEXT: "string",
    BOOLEAN: "bool",
}
QUOTE, COLON, LF, SPACE = b'":\n '
FIRST_LINES = 1000  # kinds that show the type of labels


class Objects(NamedTuple):
    """Objects read by the kernel.

    The columns by name, None for a column with values of several kinds. size: the number of bytes; done:
    whether the array ends there; all_there: whether every column has values or nulls.
    """

    columns: Mapping[str, Any]
    rows: int
    size: int
    done: bool
    all_there: bool


def objects(wanted: Wanted, data: bytes, array: bool) -> Objects | None:
    """Lines with a plain object each, or the plain objects at the beginning of an array; None without any."""
    names = list(dict.fromkeys(wanted.names.values()))
    found = kernels.json_objects(data, [name.encode(errors="surrogatepass") for name in names], array)
    if found is None:
        return None
    numbers = {name for role, name in wanted.names.items() if role in wanted.numbers}
    columns = {name: _column(name in numbers, *one) for name, one in zip(names, found[0], strict=True)}
    return Objects(columns, len(found[0][0][2]), found[1], found[2], all(kinds for *_, kinds in found[0]))


def plain_part(wanted: Wanted, columns: Mapping[str, Any] | None, places: Places, unit: str) -> Part | None:
    """The columns by role, or None where only the json module can read them.

    That is where a column is missing, of another length, or has a number that may be rounded.
    """
    import pyarrow as pa

    if columns is None or any(one is None or len(one) != len(places) for one in columns.values()):
        return None
    tables = {
        name: one if isinstance(one, pa.ChunkedArray) else pa.chunked_array([one])
        for name, one in columns.items()
    }
    if not all(map(grammar.is_plain, tables.values())):
        return None
    by_role = {role: tables[name] for role, name in wanted.names.items()}
    read = {
        role: one.to_numpy() if role in wanted.numbers else Labels.of(one, typed=True)
        for role, one in by_role.items()
    }
    read |= {role: read[role].with_answers(words) for role, words in wanted.not_an_answer.items()}
    return Part(read, places, unit)


def _column(number: bool, text: bytes, offsets: np.ndarray, known: np.ndarray, kinds: int) -> Any:
    import pyarrow as pa

    kinds &= ~NULL
    kind = pa.float64() if number and kinds <= WHOLE | DECIMAL else TYPES.get(kinds)
    if kind is None or (number and kind in ("string", "bool")):
        return None
    gaps = None if known.all() else pa.array(known).buffers()[1]
    texts = pa.StringArray.from_buffers(len(known), pa.py_buffer(offsets), pa.py_buffer(text), gaps)
    try:
        return texts.cast(kind)
    except pa.ArrowInvalid:  # a whole number beyond 64 bits
        return None


def each_key_once(data: bytes, rows: int) -> bool:
    """Whether every line has the keys of the first, each once, as far as that shows without parsing."""
    keys = _first_keys(data)
    array = np.frombuffer(data, np.uint8)
    colons = np.flatnonzero(array == COLON)
    before = array[colons - 1]
    ends = colons[before == QUOTE] - 1
    if (
        b"\\" in data
        or (before <= SPACE).any()
        or not keys
        or len(ends) != rows * len(keys)
        or len(set(keys)) < len(keys)
    ):
        return False
    ends = ends.reshape(rows, len(keys))
    below = np.flatnonzero(array == LF)[: rows - 1]
    if not ((ends[:-1, -1] < below) & (below < ends[1:, 0])).all():  # lines with other numbers of keys
        return False
    return all(_all_end_with(b'"' + key.encode(), array, ends[:, i]) for i, key in enumerate(keys))


def _first_keys(data: bytes) -> list[str]:
    try:
        return [key for key, _ in json.loads(data.split(b"\n", 1)[0], object_pairs_hook=list)]
    except (ValueError, TypeError, RecursionError):
        return []


def _all_end_with(text: bytes, array: np.ndarray, ends: np.ndarray) -> bool:
    """Whether this text ends before each of these positions."""
    return all(
        bool((array[ends - back] == character).all()) for back, character in enumerate(reversed(text), 1)
    )


def _is_objects(data: bytes, rows: int) -> bool:
    return data.startswith(b"{") and data.count(b"}\n{") == rows - 1 and data.rstrip(b"\n").endswith(b"}")


def table_of(wanted: Wanted, data: bytes, rows: int) -> dict[str, Any] | None:
    """The columns of lines by name, as Arrow reads them.

    None where it fails, and where a key may occur twice.
    """
    import pyarrow as pa
    from pyarrow import json as arrow

    if not (_is_objects(data, rows) and each_key_once(data, rows)):
        return None
    types = _types(wanted, data)
    for again in (None, pa.float64()):  # whole numbers first, decimals later
        fields = {
            name: again if again is not None and kind == pa.int64() else kind for name, kind in types.items()
        }
        try:
            table = arrow.read_json(
                pa.py_buffer(data),
                arrow.ReadOptions(use_threads=False, block_size=len(data) + 1),
                arrow.ParseOptions(explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore"),
            )
        except (pa.ArrowInvalid, KeyError):
            if pa.int64() in fields.values():
                continue
            return None
        return {name: table.column(name) for name in types}
    return None


def _types(wanted: Wanted, data: bytes) -> dict[str, Any]:
    """By name of column the Arrow type: float64 for numbers, and for labels that of the first one."""
    import pyarrow as pa

    types = {name: pa.float64() for role, name in wanted.names.items() if role in wanted.numbers}
    known = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    labels = [name for role, name in wanted.names.items() if role not in wanted.numbers]
    for name, kind in _first_kinds(data, labels).items():
        own = known.get(kind, pa.string())
        types[name] = own if types.get(name, own) == own else pa.float64()
    return types


def _first_kinds(data: bytes, names: Sequence[str]) -> dict[str, type]:
    """By name the type of the first value that is not null; NoneType where the first lines have none."""
    found = dict.fromkeys(names, type(None))
    missing = set(names)
    for line in islice(io.BytesIO(data), FIRST_LINES):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            break
        if isinstance(row, dict):
            found.update({name: type(row[name]) for name in missing if row.get(name) is not None})
            missing = {name for name in missing if found[name] is type(None)}
        if not missing:
            break
    return found
