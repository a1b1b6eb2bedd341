"""JSON lines and JSON arrays. A file holds what Python's json module reads from it; Arrow reads lines faster where both agree.

Arrow is trusted with a block only if every line is one object, and with a number only if it is finite and below 2^53.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from ..kernels import json_lines
from ..validate import InputError, shown
from . import grammar
from .blocks import Block, ahead, at_line_end, blocks, check_text
from .frames import check_names
from .parts import Labels, Part

BOM = b"\xef\xbb\xbf"
WHOLE, DECIMAL, TEXT, BOOLEAN, NULL = 1, 2, 4, 8, 16  # kinds of values, as the kernel adds them up
TYPES = {0: "float64", WHOLE: "int64", DECIMAL: "float64", WHOLE | DECIMAL: "float64", TEXT: "string", BOOLEAN: "bool"}
LARGEST = 2**63
FIRST_BYTES, FIRST_LINES = 1 << 20, 1000  # where the names of columns are looked for


@dataclass(frozen=True, slots=True)
class Wanted:
    """names: by role, of the columns; numbers: the roles that hold numbers; where: the file."""

    names: Mapping[str, str]
    numbers: frozenset[str]
    where: str

    def named(self, role: str) -> str:
        """A column as messages name it."""
        return f"{role} (column {shown(self.names[role])})"


def parts(stream: Any, names: Mapping[str, str], numbers: frozenset[str], where: str) -> Iterator[Part]:
    """The rows. Raises InputError for what is no such file, with the line."""
    head = stream.read(FIRST_BYTES).removeprefix(BOM)
    wanted = Wanted(names, numbers, where)
    if head.lstrip().startswith(b"["):
        yield from _of_array(stream, head, wanted)
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
            check_names(wanted.names, list(known), wanted.where)
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
    if kind is None:
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
    return _part(wanted, [row for _, row in rows], np.array([line for line, _ in rows], dtype=np.int64))


def _objects(block, wanted):
    """(line, object) of every line that is not blank."""
    read = _decoder(wanted)
    check_text(block, wanted.where)
    for line, text in enumerate(block.data.decode().split("\n"), block.line):
        if text.strip():
            try:
                row = read(text)
            except (ValueError, RecursionError) as wrong:
                why = wrong if isinstance(wrong, InputError) else f"it is no JSON ({getattr(wrong, 'msg', 'nested too deeply')})"
                raise InputError(f"{wanted.where}: line {line}: {why}; every line holds one JSON object.") from None
            _check_object(row, f"line {line}", wanted)
            yield line, row


def _decoder(wanted):
    names = set(wanted.names.values())

    def once(pairs):
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next((name for name in names if keys.count(name) > 1), None)
            if twice is not None:
                raise InputError(f"{shown(twice)} stands there twice")
        return found

    return json.JSONDecoder(object_pairs_hook=once, parse_float=_float).decode


def _float(text):
    value = float(text)
    if np.isinf(value):
        raise InputError(f"{shown(text)} is beyond the numbers that float64 holds")
    return value


def _check_object(row, place, wanted):
    if not isinstance(row, dict):
        raise InputError(
            f"{wanted.where}: {place} holds {shown(row)}, no object; write one object per case, with its columns by name."
        )


def _part(wanted, rows, places, unit="line"):
    columns = {
        role: (_numbers if role in wanted.numbers else _labels)(role, [row.get(name) for row in rows], places, unit, wanted)
        for role, name in wanted.names.items()
    }
    return Part(columns, places, unit)


def _numbers(role, values, places, unit, wanted):
    """float64, NaN where missing; the values themselves if one is no number. Raises InputError where float64 does not hold one."""
    if not {type(value) for value in values} <= {int, float, bool, type(None)}:
        return np.array([*map(_plain, values), None], dtype=object)[:-1]
    for value, place in zip(values, places, strict=True):
        if type(value) is int and grammar.is_rounded(value):
            raise grammar.beyond(wanted.named(role), value, f"{unit} {place} of {wanted.where}")
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _plain(value):
    return None if value is None or value != value else value if isinstance(value, (str, int, float)) else json.dumps(value)


def _labels(role, values, places, unit, wanted):
    """Coded labels of one type. Raises InputError for lists, objects, texts among numbers, and numbers that would be rounded."""
    import pyarrow as pa

    known = [None if value is None or value != value else value for value in values]
    kinds = {type(value) for value in known} - {type(None)}
    fits = _fitting(kinds)
    odd = next((i for i, value in enumerate(known) if value is not None and not fits(value)), None)
    if odd is not None:
        raise InputError(
            f"{wanted.named(role)}: {shown(known[odd])} in {unit} {places[odd]} of {wanted.where} is no label among the others: "
            "text, numbers and other values are mixed, or a whole number is too large; make them all text or all numbers."
        )
    if float in kinds:
        return Labels.of(pa.array([None if value is None else float(value) for value in known], pa.float64()), typed=True)
    types = {int: pa.int64(), bool: pa.bool_(), str: pa.string()}
    return Labels.of(pa.array(known, types[kinds.pop()] if kinds else pa.null()), typed=True)


def _fitting(kinds):
    """Whether a label fits a column with labels of these types."""
    if kinds <= {int, float}:
        return lambda value: (
            type(value) is float or (not grammar.is_rounded(value) if float in kinds else -LARGEST <= value < LARGEST)
        )
    if kinds == {str}:
        return lambda value: not any("\ud800" <= character <= "\udfff" for character in value)
    if kinds == {bool}:
        return lambda value: True
    first = next((kind for kind in (str, bool, int) if kind in kinds), None)
    return lambda value: type(value) is first


# Arrays ---------------------------------------------------------------------------------------------------------------


def _of_array(stream, head, wanted):
    """The objects of one array, some megabytes at a time: what is left of a cut is whole objects if it can be read as an array."""
    first, known, done = 1, False, False
    data = blocks(stream, head[head.index(b"[") + 1 :], 1, partial(_cut, wanted), wanted.where)
    for block in data:
        check_text(block, wanted.where)
        text = block.data.decode().strip()
        if block.last and not done:
            text, done = _closed(text, wanted), True
        rows = _array(text if block.last else text.removesuffix(","), wanted)
        if rows is None or (not rows and first > 1):  # nothing follows a comma
            raise InputError(f"{wanted.where}: after row {first - 1} there is no JSON; it is an array of objects, one per case.")
        places = range(first, first + len(rows))
        for place, row in zip(places, rows, strict=True):
            _check_object(row, f"row {place}", wanted)
        if rows and not known:
            check_names(wanted.names, list(dict.fromkeys(key for row in rows for key in row)), wanted.where)
            known = True
        yield _part(wanted, rows, places, "row")
        first += len(rows)
    if not done:
        raise InputError(f"{wanted.where}: the array of objects has no end; close it with ].")


def _closed(text, wanted):
    if not text.endswith("]"):
        raise InputError(f"{wanted.where}: the array of objects has no end; close it with ].")
    return text[:-1].rstrip()


def _cut(wanted, data, last):
    """Below an object and its comma: one that leaves whole objects above it."""
    end = len(data)
    if last:
        return end
    for _ in range(8):
        end = data.rfind(b"}", 0, end)
        comma = end + 1 + len(data[end + 1 : end + 64]) - len(data[end + 1 : end + 64].lstrip())
        if end < 0:
            return 0
        if data[comma : comma + 1] == b"," and _array(data[: end + 1].decode(errors="replace"), wanted) is not None:
            return comma + 1
    return 0


def _array(text, wanted):
    try:
        return _decoder(wanted)(f"[{text}]")
    except InputError as wrong:
        raise InputError(f"{wanted.where}: {wrong}; correct that object.") from None
    except (ValueError, RecursionError):
        return None
