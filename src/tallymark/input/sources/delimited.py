"""CSV, TSV and other delimited text, read as by the csv module of Python.

Arrow, which is faster, reads it wherever both agree: a block only if every quotation mark is where RFC 4180
puts it, and a number only if it is finite and below 2^53. Anything else is read again as text, and what Arrow
refuses by the csv module, which then finds the line of the error.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..answers import NotAnAnswer
from ..arrays import MISSING_LABELS, arrow_as_numpy
from ..columns import NamedColumn
from ..validate import InputError, beyond, shown
from . import csvlimit, grammar, small
from .blocks import BOM, Block, ahead, at_line_end, blocks, check_kind, check_text, filled, lines_in
from .frames import check_names, check_once
from .parts import Labels, Part, Places

SEPARATORS = (",", "\t", ";", "|")
SEPARATOR_LINE = re.compile(rb"sep=([,\t;|])\r?\n", re.IGNORECASE)
LONGEST_HEADER = 1 << 20
QUOTE, CR, LF = b'"\r\n'


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a file, from its header, and the columns to read.

    places: by role, the index of the column; numbers: the roles of numbers; not_an_answer: by role of
    predicted labels, the texts that name no class.
    """

    where: str
    separator: str
    width: int
    wanted: Mapping[str, str]
    places: Mapping[str, int]
    numbers: frozenset[str]
    file: str | None
    not_an_answer: Mapping[str, NotAnAnswer]

    def place(self, line: int) -> str:
        """A line in messages, with the file if there are several."""
        return f"line {line}" if self.file is None else f"line {line} of {self.file}"

    def named(self, role: str) -> NamedColumn:
        """A column in messages."""
        return NamedColumn(role, self.wanted[role])


def parts(
    stream: Any,
    wanted: Mapping[str, str],
    numbers: frozenset[str],
    where: str,
    file: str | None,
    not_an_answer: Mapping[str, NotAnAnswer],
) -> Iterator[Part]:
    """The rows below the header. Raises InputError for a file of another format, with the line."""
    head, skipped, separators = beginning(filled(stream, LONGEST_HEADER), where)
    layout, size = _layout(head[skipped:], wanted, numbers, where, file, not_an_answer, separators)
    size += skipped
    cut = partial(_cut, layout.separator)
    data = blocks(stream, head[size:], 1 + lines_in(head[:size]), cut, where)
    yield from ahead(partial(_read, layout), data)


def beginning(head: bytes, where: str) -> tuple[bytes, int, Sequence[str]]:
    """The beginning of a file without the byte order mark, where its header begins, and its separators.

    A first line of Excel states the separator. Raises InputError for a file of another kind.
    """
    check_kind(head, where)
    head = head.removeprefix(BOM)
    first = SEPARATOR_LINE.match(head)
    return (head, first.end(), (first[1].decode(),)) if first else (head, 0, SEPARATORS)


def _layout(
    head: bytes,
    wanted: Mapping[str, str],
    numbers: frozenset[str],
    where: str,
    file: str | None,
    not_an_answer: Mapping[str, NotAnAnswer],
    separators: Sequence[str],
) -> tuple[Layout, int]:
    """The layout, with the separator for which the header has all requested columns."""
    found = {separator: _header(head, separator) for separator in separators}
    fit = {
        separator: sum(name in names for name in wanted.values()) for separator, (names, _) in found.items()
    }
    separator = max(separators, key=lambda one: (fit[one], len(found[one][0])))
    names, size = found[separator]
    check_text(Block(head[:size], 1, False, 1), where)
    if len(names) == 1 and {*wanted.values()} & {*names[0].replace('"', "").split()} - {*names}:
        raise InputError(
            "unreadable",
            where,
            f"line 1: {shown(names[0])} has no separator but blanks",
            f"separate the columns by one of {', '.join(map(repr, SEPARATORS))}",
        )
    if not names:
        raise InputError(
            "unreadable", where, "line 1: there is no header", "give the columns names in the first line"
        )
    _check_header(names, wanted, where, lines_in(head[:size]))
    places = {role: names.index(name) for role, name in wanted.items()}
    return Layout(where, separator, len(names), wanted, places, numbers, file, not_an_answer), size


def _check_header(names: Sequence[str], wanted: Mapping[str, str], where: str, line: int) -> None:
    """Raises InputError unless every requested column exists once; columns without a name may be several."""
    check_names(wanted, list(dict.fromkeys(names)), where)
    unnamed = "" not in wanted.values()
    check_once([name for name in names if name or not unnamed], f"{where}: line {max(line, 1)}")


def _header(head: bytes, separator: str) -> tuple[list[str], int]:
    """The names in the first row that is not blank, and the bytes up to its end."""
    text = head.decode(errors="surrogateescape")
    read: list[int] = []
    try:
        with csvlimit.lifted():
            names = next(
                (row for row in csv.reader(_noted(text, read), delimiter=separator, strict=True) if row), []
            )
    except csv.Error:
        return [], 0
    return names, sum(read)


def _noted(text: str, read: list[int]) -> Iterator[str]:
    """The lines of a text; the number of bytes of each is recorded as it is read."""
    for line in io.StringIO(text, newline=""):
        read.append(len(line.encode(errors="surrogateescape")))
        yield line


# Blocks
# --------------------------------------------------------------------------------------------------


def _cut(separator: str, data: bytes, last: bool) -> int:
    """The length up to the last record end: a line end after an even number of quotation marks.

    The csv module finds it where a quotation mark is out of place.
    """
    if last or not _opens(data, separator):
        return at_line_end(data, last)
    start = data.rfind(b"\n")
    if data.count(b'"', 0, max(start, 0)) % 2:
        array = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(array == LF)
        outside = ends[np.searchsorted(np.flatnonzero(array == QUOTE), ends) % 2 == 0]
        start = int(outside[-1]) if len(outside) else -1
    if start >= 0 and _well_quoted(data[: start + 1], separator):
        return start + 1
    if start < 0 and _well_quoted(data + b'"', separator):  # one record, which goes on
        return 0
    return _cut_by_rows(data, separator)


def _cut_by_rows(data: bytes, separator: str) -> int:
    """The length up to the end of the last record that the csv module finds complete."""
    text = data[: at_line_end(data, False)].decode(errors="surrogateescape")
    done = size = 0
    length: list[int] = []
    try:
        with csvlimit.lifted():
            for _ in csv.reader(_noted(text, length), delimiter=separator, strict=True):
                size += sum(length[done:])
                done = len(length)
    except csv.Error as wrong:
        return size if _is_end(wrong) else len(data)
    return size


def _opens(data: bytes, separator: str) -> bool:
    """Whether a quotation mark begins any field. If not, all are ordinary characters."""
    if QUOTE not in data:
        return False
    return data.startswith(b'"') or any(
        before + b'"' in data for before in (separator.encode(), b"\n", b"\r")
    )


def _well_quoted(data: bytes, separator: str) -> bool:
    """Whether every quotation mark opens a field, closes one or is doubled within one.

    Then counting them shows what is within a field.
    """
    array = np.frombuffer(b"\n" + data + b"\n", np.uint8)
    quotes = np.flatnonzero(array == QUOTE)
    if len(quotes) % 2:
        return False
    opening, closing = quotes[::2], quotes[1::2]
    around = np.zeros(256, bool)
    around[[ord(separator), CR, LF]] = True
    doubled = closing[:-1] + 1 == opening[1:]
    opens, closes = around[array[opening - 1]], around[array[closing + 1]]
    opens[1:] |= doubled
    closes[:-1] |= doubled
    return bool(opens.all() and closes.all())


# One block
# --------------------------------------------------------------------------------------------------


def _read(layout: Layout, block: Block) -> Part:
    check_text(block, layout.where)
    return small.read(layout, block) or _by_arrow(layout, block)


def _by_arrow(layout: Layout, block: Block) -> Part:
    quoted = _opens(block.data, layout.separator)
    if block.data.startswith(BOM) or (quoted and not _well_quoted(block.data, layout.separator)):
        return _by_rows(layout, block)
    table = _table(layout, block, quoted, typed=True)
    if table is not None and not all(map(grammar.is_plain, table.values())):
        table = None
    table = table or _table(layout, block, quoted, typed=False)
    if table is None:
        return _by_rows(layout, block)
    lines = _lines(layout, block, quoted, len(next(iter(table.values()))))
    return _by_rows(layout, block) if lines is None else _part(layout, table, lines)


def _table(layout: Layout, block: Block, quoted: bool, typed: bool) -> dict[str, Any] | None:
    """The columns by role, as Arrow reads them, or None where it fails. typed: numbers as numbers."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    labels = {place for role, place in layout.places.items() if role not in layout.numbers or not typed}
    text = pa.dictionary(pa.int32(), pa.string())
    names = [str(place) for place in range(layout.width)]
    types = {str(place): text if place in labels else pa.float64() for place in layout.places.values()}
    try:
        table = arrow.read_csv(
            pa.py_buffer(block.data),
            arrow.ReadOptions(use_threads=False, block_size=len(block.data) + 1, column_names=names),
            arrow.ParseOptions(
                delimiter=layout.separator,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted,
                ignore_empty_lines=layout.width > 1,
            ),
            arrow.ConvertOptions(
                include_columns=list(types),
                column_types=types,
                null_values=list(grammar.MISSING),  # of numbers; `Labels.without` has those of labels
            ),
            memory_pool=pa.system_memory_pool(),  # which gives back what is free
        )
    except pa.ArrowInvalid:
        return None
    return {role: table.column(str(place)) for role, place in layout.places.items()}


def _part(layout: Layout, table: Mapping[str, Any], lines: Places) -> Part:
    columns = {role: _column(layout, role, array, lines) for role, array in table.items()}
    return Part(columns, lines)


def _column(layout: Layout, role: str, array: Any, lines: Places) -> np.ndarray | Labels:
    import pyarrow as pa

    if pa.types.is_floating(array.type):
        return arrow_as_numpy(array.fill_null(float("nan")) if array.null_count else array)
    labels = Labels.of(array)
    if role in layout.not_an_answer:
        labels = labels.with_answers(layout.not_an_answer[role], (*MISSING_LABELS, ""))
    return (
        _numbers(layout, role, labels.without(grammar.MISSING), lines) if role in layout.numbers else labels
    )


def _numbers(layout: Layout, role: str, labels: Labels, lines: Places) -> np.ndarray:
    """Texts as numbers. Raises InputError for other texts, and for numbers that float64 cannot represent."""
    values = grammar.floats(labels.distinct)
    if values is None:
        first = int(np.isin(labels.codes, grammar.no_numbers(labels.distinct)).argmax())
        text = labels.distinct.to_pylist()[int(labels.codes[first])]
        raise grammar.no_number(layout.named(role), text, layout.place(lines[first]), int(lines[first]))
    wrong = grammar.inexact(labels.distinct.to_pylist(), values)
    if wrong is not None:
        row = int((labels.codes == labels.distinct.to_pylist().index(wrong)).argmax())
        raise beyond(layout.named(role), wrong, f"line {lines[row]} of {layout.where}", int(lines[row]))
    numbers: np.ndarray = np.append(values, np.nan)[labels.codes]
    return numbers


def _lines(layout: Layout, block: Block, quoted: bool, rows: int) -> Places | None:
    """The lines of the rows, or None where they cannot be found by counting."""
    ended = block.data[-1:] in (b"\n", b"\r")
    if block.line_ends + (not ended) == rows:
        return range(block.line, block.line + rows)
    array = np.frombuffer(block.data if ended else block.data + b"\n", np.uint8)
    ends = np.flatnonzero(array == LF)
    if not len(ends):  # lines that end with CR only
        return None
    of_rows = np.arange(len(ends))
    if quoted:
        of_rows = of_rows[np.searchsorted(np.flatnonzero(array == QUOTE), ends) % 2 == 0]
    before = np.append(-1, of_rows[:-1])
    start = np.where(before < 0, 0, ends[before] + 1)
    length = ends[of_rows] - start
    blank = (length == 0) | ((length == 1) & (array[np.minimum(start, len(array) - 1)] == CR))
    lines = block.line + 1 + (before if layout.width == 1 else before[~blank])
    return lines if len(lines) == rows else None


# What only the csv module can read
# --------------------------------------------------------------------------------------------------


def _by_rows(layout: Layout, block: Block) -> Part:
    """Every row by the csv module, about ten times slower. Raises InputError with the line."""
    import pyarrow as pa

    reader = csv.reader(io.StringIO(block.data.decode(), newline=""), delimiter=layout.separator, strict=True)
    rows, lines, line = [], [], block.line
    try:
        with csvlimit.lifted():
            for row in reader:
                if not row and layout.width == 1:
                    row = [""]
                if row:
                    _check_width(layout, row, line)
                    rows.append([row[place] for place in layout.places.values()])
                    lines.append(line)
                line = block.line + reader.line_num
    except csv.Error as wrong:
        raise InputError("unreadable", layout.where, f"line {line}: {_explained(wrong)}") from None
    columns = list(zip(*rows, strict=True)) or [()] * len(layout.places)
    table = {role: pa.array(values, pa.string()) for role, values in zip(layout.places, columns, strict=True)}
    return _part(layout, table, np.array(lines, dtype=np.int64))


def _check_width(layout: Layout, row: Sequence[str], line: int) -> None:
    if len(row) == layout.width + 1:
        how = (
            "remove the separators at the end of the lines"
            if row[-1] == ""
            else "name every column; write.table of R leaves out one name unless row.names=FALSE"
        )
        problem = f"line {line} has {len(row)} fields and the header {layout.width} names"
        raise InputError("unreadable", layout.where, problem, how)
    if len(row) != layout.width:
        raise InputError(
            "unreadable",
            layout.where,
            f"line {line} has {len(row)} field{'s'[: len(row) != 1]} and the header {layout.width}, separated"
            f" by {layout.separator!r}",
            "correct that line, and put values that hold the separator into quotation marks",
        )


def _is_end(wrong: csv.Error) -> bool:
    return "unexpected end" in str(wrong)


def _explained(wrong: csv.Error) -> str:
    if _is_end(wrong):
        return "a quotation mark opens a value that has no end; close it"
    if "expected after" in str(wrong):
        return "text follows a closing quotation mark; double the quotation marks within a value"
    return f"{wrong}; correct that line"
