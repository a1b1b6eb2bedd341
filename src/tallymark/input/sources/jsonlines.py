"""JSON lines and JSON arrays of objects, as the json module of Python reads them.

Arrow, which is faster, reads large blocks in which every number is finite and below 2^53. The json module
reads all others, and finds the place of an error.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..columns import NamedColumn
from ..validate import InputError, row_at, shown
from . import (
    BOM,
    LARGEST,
    ONE_EACH,
    SMALL,
    Block,
    Labels,
    Part,
    Places,
    Wanted,
    ahead,
    blocks,
    check_kind,
    check_text,
    columns_of_table,
    filled,
    is_rounded,
    lines_in,
    newlines_in,
)
from .frames import check_names

FIRST_BYTES = 1 << 20
DEEPEST = 500  # lists and objects within each other; Arrow and the json module take more
ROWS = 1 << 16  # objects of an array that the json module reads at once
BLANKS = re.compile(r"[ \t\r\n]*")
SEPARATOR = re.compile(rb"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")  # of two objects
TEXT = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
LEVELS = np.zeros(256, np.int8)
LEVELS[[*b"[{"]], LEVELS[[*b"]}"]] = 1, -1
TOO_DEEP = f"lists and objects are nested more than {DEEPEST} levels deep"
SURROGATE = re.compile("[\ud800-\udfff]")
WITHOUT_END = "the array of objects has no end", "close it with ]"
ONE_OBJECT = "write one object per case, with its columns by name"


class _Object(dict[str, Any]):
    """A JSON object; repeated: the keys that occur twice."""

    repeated: Collection[str] = ()


def parts(stream: Any, wanted: Wanted) -> Iterator[Part]:
    """The rows. Raises InputError for a file of another format, with the line."""
    head = filled(stream, FIRST_BYTES)
    check_kind(head, wanted.where)
    head = head.removeprefix(BOM)
    start, bracket, rest = head.partition(b"[")
    if bracket and not start.strip():
        data = blocks(stream, rest, 1 + lines_in(start), _at_separator, wanted.where)
        yield from _of_array(data, replace(wanted, unit="row"))
    else:
        yield from ahead(partial(_of_lines, wanted), blocks(stream, head, 1, _at_newline, wanted.where))


def _depth(data: bytes) -> int:
    """How many lists and objects are within each other, at most, as if there were no brackets in texts."""
    return int(np.cumsum(LEVELS[np.frombuffer(data, np.uint8)], dtype=np.int64).max(initial=0))


def _is_deep(text: str) -> bool:
    """Whether more lists and objects are within each other than are read, in a file of any size."""
    return text.count("[") + text.count("{") > DEEPEST < _depth(TEXT.sub(b"", text.encode()))


def _at_newline(data: bytes, last: bool) -> int:
    """The length up to the last LF: a CR alone is white space of JSON."""
    return len(data) if last else data.rfind(b"\n") + 1


def _at_separator(data: bytes, last: bool) -> int:
    """The length up to the last comma between two objects."""
    return len(data) if last else max((one.end() for one in SEPARATOR.finditer(data)), default=0)


# By Arrow
# --------------------------------------------------------------------------------------------------


def _by_arrow(wanted: Wanted, data: bytes, places: Places) -> Part | None:
    """Objects that Arrow reads as the json module does; None of anything else.

    From the first rows on each column has a value.
    """
    import pyarrow as pa
    from pyarrow import json as arrow

    if data.count(b"[") + data.count(b"{") - len(places) > DEEPEST < _depth(data):
        return None
    try:
        first = DECODER.raw_decode(data.decode().lstrip())[0]
    except (ValueError, RecursionError):
        return None
    known = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    types = {name: pa.float64() for role, name in wanted.names.items() if role in wanted.numbers}
    for name in wanted.names.values():
        if name not in types:
            types[name] = known.get(type(first.get(name)) if isinstance(first, dict) else str, pa.string())
    try:
        table = arrow.read_json(
            pa.py_buffer(data),
            arrow.ReadOptions(use_threads=False, block_size=len(data) + 1),
            arrow.ParseOptions(explicit_schema=pa.schema(types), unexpected_field_behavior="ignore"),
        )
    except (pa.ArrowInvalid, KeyError):
        return None
    if table.num_rows != len(places) or (
        places[0] <= 1 and any(column.null_count == len(places) for column in table.columns)
    ):
        return None
    columns = columns_of_table(table, wanted, wanted.names, typed=True)
    return None if columns is None else Part(columns, places, wanted.unit)


def _of_lines(wanted: Wanted, block: Block) -> Part:
    check_text(block, wanted.where)
    data = block.data.replace(b"\r\n", b"\n") if b"\r" in block.data else block.data
    rows = newlines_in(data) + (not data.endswith(b"\n"))
    lines = range(block.line, block.line + rows)
    one_each = len(data) > SMALL and data.count(b"\n{") + data.startswith(b"{") == rows
    part = _by_arrow(wanted, data, lines) if one_each else None
    return _by_lines(wanted, block) if part is None else part


def _of_array(data: Iterator[Block], wanted: Wanted) -> Iterator[Part]:
    """Blocks whose objects stand on a line each once their commas are line ends, and the rest as one text.

    A line end within a text, or between nested objects, is no JSON, so that Arrow refuses it.
    """
    rows, closed = 0, False
    for block in data:
        check_text(block, wanted.where)
        part = None
        if len(block.data) > SMALL:
            lines, commas = SEPARATOR.subn(b"}\n", block.data)
            lines = lines.rstrip()
            closed = lines.endswith(b"]")  # all other blocks end with a comma
            if closed or lines.endswith(b","):
                part = _by_arrow(wanted, lines[:-1], range(rows, rows + commas + 1))
        if part is None:
            rest = block.data + b"".join(one.data for one in data)
            yield from _by_objects(wanted, rest.decode(), rows)
            return
        rows += len(part)
        yield part
    if not closed:
        wanted.refuse(*WITHOUT_END)


# By the json module
# --------------------------------------------------------------------------------------------------


def _by_lines(wanted: Wanted, block: Block) -> Part:
    """Every line by the json module, about five times slower. Raises InputError with the line."""
    rows, lines = [], []
    for line, text in enumerate(block.data.decode().split("\n"), block.line):
        start = _beyond_blanks(text, 0)
        if start < len(text):
            if _is_deep(text):
                wanted.refuse(f"line {line}: {TOO_DEEP}")
            try:
                row, end = DECODER.raw_decode(text, start)
                if _beyond_blanks(text, end) < len(text):
                    raise json.JSONDecodeError("Extra data", text, end)
            except (ValueError, RecursionError) as wrong:
                if line == 1 and text.strip() == "{":
                    problem = "one JSON object over several lines, as a saved result, is no table of cases"
                    wanted.refuse(problem, "pass the cases, one JSON object on a line")
                wanted.refuse(f"line {line}: {_explained(wrong)}")
            rows.append(_object(row, line, wanted))
            lines.append(line)
    places = range(block.line, line + 1) if len(lines) == line + 1 - block.line else np.array(lines, np.int64)
    return _part(wanted, rows, places, block.line == 1)


def _by_objects(wanted: Wanted, text: str, first: int) -> Iterator[Part]:
    """The objects of an array from here on, each with the comma or bracket after it."""
    rows: list[dict[str, Any]] = []
    at, row, done = _beyond_blanks(text, 0), first, False
    if not first and text.startswith("]", at):
        _part(wanted, [], range(0), True)
    while not done:
        try:
            pairs, end = DECODER.raw_decode(text, at)
            if _is_deep(text[at:end]):
                raise RecursionError
            end = _beyond_blanks(text, end)
        except InputError as wrong:
            wanted.refuse(f"{row_at(row)}: {wrong.clause}")
        except RecursionError:
            wanted.refuse(f"{row_at(row)}: {TOO_DEEP}")
        except ValueError:
            pairs, end = None, len(text)
        if text[end : end + 1] not in (",", "]"):
            if not text.rstrip().endswith("]"):
                wanted.refuse(*WITHOUT_END)
            after = f"after {row_at(row - 1)}" if row else "above the first row"
            wanted.refuse(f"{after} there is no JSON", "it is an array of objects, one per case")
        rows.append(_object(pairs, row, wanted))
        row, done, at = row + 1, text[end] == "]", _beyond_blanks(text, end + 1)
        if done and at < len(text):
            wanted.refuse("text follows the end of the array", "remove it")
        if done or len(rows) == ROWS:
            start = row - len(rows)
            yield _part(wanted, rows, range(start, row), start == 0)
            rows = []


def _object(row: Any, place: int, wanted: Wanted) -> dict[str, Any]:
    """An object. Raises InputError for another value, and for a requested key that occurs twice."""
    if not isinstance(row, _Object):
        wanted.refuse(f"{wanted.place(place)} holds {shown(row)}, no object", ONE_OBJECT, value=row)
    twice = next((key for key in row.repeated if key in wanted.names.values()), None)
    if twice is not None:
        wanted.refuse(
            f"{wanted.place(place)}: {shown(twice)} stands there twice", "give each key once", value=twice
        )
    return row


def _pairs(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object(pairs)
    if len(result) < len(pairs):
        result.repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    return result


def _float(text: str) -> float:
    value = float(text)
    if np.isinf(value):
        raise InputError(
            "invalid-value",
            None,
            f"{shown(text)} is beyond the numbers that float64 holds",
            "write it with fewer digits",
            value=text,
        )
    return value


DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=_float)


def _beyond_blanks(text: str, at: int) -> int:
    """The position of the next character that is not blank."""
    return BLANKS.match(text, at).end()  # type: ignore[union-attr]  # it also matches no blanks at all


def _explained(wrong: Exception) -> str:
    if isinstance(wrong, InputError):
        return wrong.clause
    if isinstance(wrong, RecursionError):
        return TOO_DEEP
    said = getattr(wrong, "msg", "a number has too many digits")
    return f"it is no JSON ({said}); every line holds one JSON object"


def _part(wanted: Wanted, rows: list[dict[str, Any]], places: Places, first: bool) -> Part:
    """The columns of these rows. Raises InputError for values that they cannot hold.

    first: whether these are the first of the file, among whose keys all columns must be.
    """
    if first:
        known = list(dict.fromkeys(key for row in rows for key in row))
        if not known:
            wanted.refuse(
                "it holds no objects with columns", "write one JSON object per case, with its columns by name"
            )
        check_names(wanted.names, known, wanted.where)
    columns = {
        role: (_numbers if role in wanted.numbers else _labels)(
            role, [row.get(name) for row in rows], places, wanted
        )
        for role, name in wanted.names.items()
    }
    return Part(columns, places, wanted.unit)


def _numbers(role: str, values: list[Any], places: Places, wanted: Wanted) -> np.ndarray:
    """Values as float64, with NaN for missing ones.

    Raises InputError for a value that is not a number, and for a number that float64 cannot represent.
    """
    for value, number in zip(values, places, strict=True):
        rounded = type(value) is int and is_rounded(value)
        if rounded or type(value) not in (int, float, type(None)):
            wanted.refuse_number(role, value, int(number), rounded)
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _labels(role: str, values: list[Any], places: Places, wanted: Wanted) -> Labels:
    """Coded labels of one type.

    Raises InputError for lists, objects, texts among numbers, and numbers that would be rounded.
    """
    column = NamedColumn(role, wanted.names[role])
    nested = next((i for i, value in enumerate(values) if isinstance(value, (list, dict))), None)
    if nested is not None:
        raise InputError(
            "unreadable",
            column,
            f"{shown(values[nested])} in {wanted.place(places[nested])} of {wanted.where} is not one value",
            ONE_EACH,
        )
    keys = [None if value is None or value != value else (type(value), value) for value in values]
    labels = wanted.answers(role, Labels.of_rows(values, keys, typed=True))
    kinds = {type(label) for label in labels.distinct}
    kind = next((one for one in (str, bool, int, float) if one in kinds), None)
    for code, label in enumerate(labels.distinct):
        if kinds <= {int, float}:
            fits = type(label) is float or (
                not is_rounded(label) if float in kinds else -LARGEST <= label < LARGEST
            )
        else:
            fits = type(label) is kind and not (kind is str and SURROGATE.search(label))
        if not fits:
            place = f"{wanted.place(places[int((labels.codes == code).argmax())])} of {wanted.where}"
            problem, way_out = (
                (
                    "holds half of a surrogate pair, which is no character",
                    "write the whole pair, or other text",
                )
                if kind is str is type(label)
                else (
                    "is not a label among the others: text, numbers and other values are mixed, or a whole"
                    " number is too large",
                    "make them all text or all numbers",
                )
            )
            raise InputError("labels", column, f"{shown(label)} in {place} {problem}", way_out, value=label)
    return replace(labels, distinct=list(map(float, labels.distinct))) if float in kinds else labels
