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

from ..validate import InputError
from . import jsonarrays
from .blocks import BOM, Block, ahead, at_line_end, blocks, check_text, filled
from .jsonobjects import Wanted, beyond_blanks, check_columns, check_object, decoder, part_of
from .jsonplain import each_key_once, objects, plain_part
from .parts import Part

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
    lines = range(block.line, block.line + rows)
    found = objects(wanted, data, array=False)
    part = None if found is None else plain_part(wanted, found.columns, lines, "line")
    if part is None and _is_objects(data, rows) and each_key_once(data, rows):
        part = plain_part(wanted, _table(wanted, data), lines, "line")
    return _by_lines(wanted, block) if part is None else part


def _is_objects(data, rows):
    return data.startswith(b"{") and data.count(b"}\n{") == rows - 1 and data.rstrip(b"\n").endswith(b"}")


def _table(wanted, data):
    """The columns by name, as Arrow reads them, or None where it finds something else."""
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
        return {name: table.column(name) for name in types}
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
    read = decoder()
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
