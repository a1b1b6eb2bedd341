"""JSON lines and JSON arrays. A file holds what Python's json module reads from it; Arrow reads lines faster where both agree.

Arrow is trusted with a block only if every line is one object, and with a number only if it is finite and below 2^53.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from ..kernels import json_lines
from ..validate import InputError
from . import grammar, jsonarrays
from .blocks import Block, ahead, at_line_end, blocks, check_text, filled
from .jsonobjects import Wanted, beyond_blanks, check_columns, check_object, decoder, part_of
from .parts import Labels, Part

BOM = b"\xef\xbb\xbf"
WHOLE, DECIMAL, TEXT, BOOLEAN, NULL = 1, 2, 4, 8, 16  # kinds of values, as the kernel adds them up
TYPES = {0: "float64", WHOLE: "int64", DECIMAL: "float64", WHOLE | DECIMAL: "float64", TEXT: "string", BOOLEAN: "bool"}
FIRST_BYTES, FIRST_LINES = 1 << 20, 1000  # where the names of columns are looked for


def parts(stream: Any, names: Mapping[str, str], numbers: frozenset[str], where: str, file: str | None) -> Iterator[Part]:
    """The rows. Raises InputError for what is no such file, with the line."""
    head = filled(stream, FIRST_BYTES).removeprefix(BOM)
    wanted = Wanted(names, numbers, where, file)
    if head.lstrip().startswith(b"["):
        yield from jsonarrays.parts(stream, head, wanted)
        return
    data = blocks(stream, head, 1, at_line_end, where)
    yield from ahead(partial(_read, wanted), _checked(data, wanted))


def _checked(data: Iterable[Block], wanted: Wanted) -> Iterator[Block]:
    """The blocks, once the first has the columns: in its first lines, or in any of them."""
    for number, block in enumerate(data):
        if not number:
            known: dict[str, None] = {}
            for row in islice(_objects(block, wanted), FIRST_LINES):
                known.update(dict.fromkeys(row[1]))
            if not set(wanted.names.values()) <= known.keys():
                for _, row in _objects(block, wanted):
                    known.update(dict.fromkeys(row))
            check_columns(known, wanted)
        yield block


# Lines ----------------------------------------------------------------------------------------------------------------


def _read(wanted: Wanted, block: Block) -> Part:
    check_text(block, wanted.where)
    data = block.data.replace(b"\r\n", b"\n") if b"\r" in block.data else block.data
    rows = data.count(b"\n") + (not data.endswith(b"\n"))
    table = _plain_table(wanted, data)
    if table is None and data.startswith(b"{") and data.count(b"}\n{") == rows - 1 and data.rstrip(b"\n").endswith(b"}"):
        table = _table(wanted, data)
    if table is None or any(len(column) != rows for column in table.values()):
        return _by_lines(wanted, block)
    columns = {
        role: column.to_numpy() if role in wanted.numbers else Labels.of(column, typed=True) for role, column in table.items()
    }
    return Part(columns, range(block.line, block.line + rows))


def _plain_table(wanted, data):
    """The columns by role, if the kernel reads them, every column has values of one kind, and no number may be rounded."""
    import pyarrow as pa

    names = list(dict.fromkeys(wanted.names.values()))
    found = json_lines(data, [name.encode(errors="surrogatepass") for name in names])
    if found is None:
        return None
    numbers = {name for role, name in wanted.names.items() if role in wanted.numbers}
    try:
        arrays = {name: _plain_column(name in numbers, *one) for name, one in zip(names, found, strict=True)}
    except pa.ArrowInvalid:  # a whole number beyond 64 bits
        return None
    if any(array is None for array in arrays.values()):
        return None
    columns = {role: pa.chunked_array([arrays[name]]) for role, name in wanted.names.items()}
    return columns if all(map(grammar.is_plain, columns.values())) else None


def _plain_column(number, text, offsets, known, kinds):
    import pyarrow as pa

    kinds &= ~NULL
    kind = pa.float64() if number and kinds <= WHOLE | DECIMAL else TYPES.get(kinds)
    if kind is None or (number and kind == "string"):
        return None
    gaps = None if known.all() else pa.array(known).buffers()[1]
    texts = pa.StringArray.from_buffers(len(known), pa.py_buffer(offsets), pa.py_buffer(text), gaps)
    return texts.cast(kind)


def _table(wanted, data):
    """The columns by role, as Arrow reads them, or None where it finds something else, or a number that it may round."""
    import pyarrow as pa
    from pyarrow import json as arrow

    types = _types(wanted, data)
    for again in (None, pa.float64()):  # whole numbers first, decimals later
        fields = {name: again if again is not None and kind == pa.int64() else kind for name, kind in types.items()}
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
        columns = {role: table.column(name) for role, name in wanted.names.items()}
        return columns if all(map(grammar.is_plain, columns.values())) else None
    return None


def _types(wanted, data):
    """By name of column the Arrow type: float64 for numbers, and for labels that of the first one."""
    import pyarrow as pa

    types = {name: pa.float64() for role, name in wanted.names.items() if role in wanted.numbers}
    rows = []
    for line in islice(data.split(b"\n", FIRST_LINES), FIRST_LINES):
        try:
            rows.append(json.loads(line))
        except (ValueError, RecursionError):
            break
    known = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    for role, name in wanted.names.items():
        if role not in wanted.numbers:
            values = (row.get(name) for row in rows if isinstance(row, dict))
            first = next((value for value in values if value is not None), None)
            own = known.get(type(first), pa.string())
            types[name] = own if types.get(name, own) == own else pa.float64()
    return types


# What only the json module can read -----------------------------------------------------------------------------------


def _by_lines(wanted: Wanted, block: Block) -> Part:
    """Every line by the json module, some five times slower. Raises InputError with the line."""
    rows = list(_objects(block, wanted))
    return part_of(wanted, [row for _, row in rows], np.array([line for line, _ in rows], dtype=np.int64))


def _objects(block, wanted):
    """(line, object) of every line that is not blank."""
    read = decoder(wanted)
    check_text(block, wanted.where)
    for line, text in enumerate(block.data.decode().split("\n"), block.line):
        start = beyond_blanks(text, 0)
        if start < len(text):
            try:
                row, end = read(text, start)
                if beyond_blanks(text, end) < len(text):
                    raise json.JSONDecodeError("Extra data", text, end)
            except (ValueError, RecursionError) as wrong:
                raise InputError(f"{wanted.where}: line {line}: {_explained(wrong)}.") from None
            check_object(row, f"line {line}", wanted)
            yield line, row


def _explained(wrong):
    if isinstance(wrong, InputError):
        return wrong
    return f"it is no JSON ({getattr(wrong, 'msg', 'nested too deeply')}); every line holds one JSON object"
