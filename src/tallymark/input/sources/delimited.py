"""CSV, TSV and other delimited text, as the csv module of Python reads it.

Arrow, which is faster, reads large blocks in which every quotation mark is where RFC 4180 puts it, and every
number is finite and below 2^53. The csv module reads all others, finds the line of an error, and reads small
files in less time than it takes to load Arrow.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np

from .. import sources
from ..columns import Column
from ..validate import InputError, shown
from . import (
    BOM,
    LONGEST_RECORD,
    MISSING,
    SMALL,
    Block,
    Labels,
    Part,
    Places,
    Wanted,
    ahead,
    at_line_end,
    blocks,
    check_kind,
    check_text,
    columns_of_table,
    filled,
    is_inexact,
    lines_in,
    number,
)
from .frames import check_names, check_once

SEPARATORS = (",", "\t", ";", "|")
NO_SEPARATOR = "\x1f"  # of a list, in which it does not occur
SEPARATOR_LINE = re.compile(rb"sep=([,\t;|])\r?\n", re.IGNORECASE)
LONGEST_HEADER = 1 << 20
QUOTE, CR, LF = b'"\r\n'
# a quoted field, or the beginning of one without an end
QUOTED = {
    one: re.compile(rb'(?<![^%s\r\n])"[^"]*(?:""[^"]*)*(?:"|\Z)' % re.escape(one).encode())
    for one in SEPARATORS
}
csv.field_size_limit(max(csv.field_size_limit(), 2 * LONGEST_RECORD))  # of 131,072 characters


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a file, from its header, and the columns to read.

    places: by role, the index of the column; blanks: whether a blank line is a missing value.
    """

    wanted: Wanted
    separator: str
    width: int
    places: Mapping[str, int]
    blanks: bool = False


def parts(stream: Any, wanted: Wanted) -> Iterator[Part]:
    """The rows below the header. Raises InputError for a file of another format, with the line."""
    where = wanted.where
    head, skipped, separators = beginning(filled(stream, LONGEST_HEADER), where)
    found = {separator: _header(head[skipped:], separator) for separator in separators}
    fit = {one: sum(name in names for name in wanted.names.values()) for one, (names, _) in found.items()}
    separator = max(separators, key=lambda one: (fit[one], len(found[one][0])))
    names, size = found[separator]
    size += skipped
    check_text(Block(head[:size], 1, 1), where)
    _check_header(names, wanted.names, where, lines_in(head[skipped:size]))
    places = {role: names.index(name) for role, name in wanted.names.items()}
    layout = Layout(wanted, separator, len(names), places, len(names) == 1)
    data = blocks(stream, head[size:], 1 + lines_in(head[:size]), partial(_cut, separator), where)
    yield from ahead(partial(read, layout), data)


def beginning(head: bytes, where: str) -> tuple[bytes, int, Sequence[str]]:
    """The beginning of a file without the byte order mark, where its header begins, and its separators.

    A first line of Excel states the separator. Raises InputError for a file of another kind.
    """
    check_kind(head, where)
    head = head.removeprefix(BOM)
    first = SEPARATOR_LINE.match(head)
    return (head, first.end(), (first[1].decode(),)) if first else (head, 0, SEPARATORS)


def _check_header(names: Sequence[str], wanted: Mapping[str, str], where: str, line: int) -> None:
    """Raises InputError unless every requested column exists once; columns without a name may be several."""
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
    check_names(wanted, list(dict.fromkeys(names)), where)
    unnamed = "" not in wanted.values()
    check_once([name for name in names if name or not unnamed], f"{where}: line {max(line, 1)}")


def _header(head: bytes, separator: str) -> tuple[list[str], int]:
    """The names in the first row that is not blank, and the bytes up to its end."""
    lines: list[str] = []
    noted = (lines.append(line) or line for line in io.StringIO(head.decode(errors="surrogateescape"), ""))  # type: ignore[func-returns-value]
    try:
        names = next((row for row in csv.reader(noted, delimiter=separator, strict=True) if row), [])
    except csv.Error:
        return [], 0
    return names, len("".join(lines).encode(errors="surrogateescape"))


# Blocks
# --------------------------------------------------------------------------------------------------


def _cut(separator: str, data: bytes, last: bool) -> int:
    """The length up to the last line end outside of quoted fields."""
    if last or not _opens(data, separator):
        return at_line_end(data, last)
    if _well_quoted(data, separator):
        ends = _record_ends(np.frombuffer(data, np.uint8))
        return int(ends[-1]) + 1 if len(ends) else 0
    stop = len(data)  # a mark within a field, as in 5" disk, opens nothing
    for field in reversed(list(QUOTED[separator].finditer(data))):
        end = data.rfind(b"\n", field.end(), stop)
        if end >= 0:
            return end + 1
        stop = field.start()
    return data.rfind(b"\n", 0, stop) + 1


def _opens(data: bytes, separator: str) -> bool:
    """Whether a quotation mark begins any field. If not, all are ordinary characters."""
    if QUOTE not in data:
        return False
    return data.startswith(b'"') or any(
        before + b'"' in data for before in (separator.encode(), b"\n", b"\r")
    )


def _record_ends(array: np.ndarray) -> np.ndarray:
    """The places of line ends outside of quotation marks."""
    ends = np.flatnonzero(array == LF)
    return ends[np.searchsorted(np.flatnonzero(array == QUOTE), ends) % 2 == 0]


def _well_quoted(data: bytes, separator: str) -> bool:
    """Whether every quotation mark opens a field, closes one or is doubled within one.

    Then counting them shows what is within a field; the last one may be without an end.
    """
    array = np.frombuffer(b"\n" + data + b"\n", np.uint8)
    quotes = np.flatnonzero(array == QUOTE)
    opening, closing = quotes[::2], quotes[1::2]
    around = np.zeros(256, bool)
    around[[ord(separator), CR, LF]] = True
    opens, closes = around[array[opening - 1]], around[array[closing + 1]]
    doubled = closing[: len(opening) - 1] + 1 == opening[1:]
    opens[1:] |= doubled
    closes[: len(doubled)] |= doubled
    return bool(opens.all() and closes.all())


def read(layout: Layout, block: Block) -> Part:
    """The rows of a block. Raises InputError with the line."""
    check_text(block, layout.wanted.where)
    part = _by_arrow(layout, block) if len(block.data) > SMALL else None
    return _by_rows(layout, block) if part is None else part


def _by_arrow(layout: Layout, block: Block) -> Part | None:
    """What Arrow reads as the csv module does; None of anything else."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    quoted, numbers = _opens(block.data, layout.separator), layout.wanted.numbers
    if block.data.startswith(BOM):
        return None
    if quoted and (block.data.count(b'"') % 2 or not _well_quoted(block.data, layout.separator)):
        return None  # Arrow takes a last value without an end
    types = {
        str(place): pa.float64() if role in numbers else pa.dictionary(pa.int32(), pa.string())
        for role, place in sorted(layout.places.items(), key=lambda item: item[0] not in numbers)
    }
    try:
        table = arrow.read_csv(
            pa.py_buffer(block.data),
            arrow.ReadOptions(
                use_threads=False,
                block_size=len(block.data) + 1,
                column_names=[str(place) for place in range(layout.width)],
            ),
            arrow.ParseOptions(
                delimiter=layout.separator,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted,
                ignore_empty_lines=not layout.blanks,
            ),
            arrow.ConvertOptions(
                include_columns=list(types),
                column_types=types,
                null_values=list(MISSING),  # of numbers; `Labels.without` has those of labels
            ),
            memory_pool=pa.system_memory_pool(),  # which gives back what is free
        )
    except pa.ArrowInvalid:
        return None
    lines = _lines(block, quoted, table.num_rows)
    columns = columns_of_table(
        table, layout.wanted, {role: str(place) for role, place in layout.places.items()}, typed=False
    )
    return None if lines is None or columns is None else Part(columns, lines)


def _lines(block: Block, quoted: bool, rows: int) -> Places | None:
    """The lines of the rows, or None where they cannot be found by counting, as where some are blank."""
    ended = block.data[-1:] in (b"\n", b"\r")
    if block.line_ends + (not ended) == rows:
        return range(block.line, block.line + rows)
    if not quoted:
        return None
    array = np.frombuffer(block.data if ended else block.data + b"\n", np.uint8)
    ends = np.searchsorted(np.flatnonzero(array == LF), _record_ends(array))
    return block.line + np.append(0, ends[:-1] + 1) if len(ends) == rows else None


def _by_rows(layout: Layout, block: Block) -> Part:
    """Every row by the csv module, about ten times slower. Raises InputError with the line."""
    reader = csv.reader(io.StringIO(block.data.decode(), newline=""), delimiter=layout.separator, strict=True)
    rows, lines, line = [], [], block.line
    try:
        for row in reader:
            if not row and layout.blanks:
                row = [""]
            if row:
                if len(row) != layout.width:
                    _refuse_width(layout, row, line)
                rows.append(row)
                lines.append(line)
            line = block.line + reader.line_num
    except csv.Error as wrong:
        layout.wanted.refuse(f"line {line}: {_explained(wrong)}")
    columns = list(zip(*rows, strict=True)) or [()] * layout.width
    places = np.array(lines, dtype=np.int64)
    return Part(
        {
            role: _numbers(layout.wanted, role, columns[place], places)
            if role in layout.wanted.numbers
            else layout.wanted.answers(role, Labels.of_rows(columns[place], columns[place]))
            for role, place in layout.places.items()
        },
        range(block.line, line) if len(lines) == line - block.line else places,
    )


def _numbers(wanted: Wanted, role: str, texts: Sequence[str], lines: np.ndarray) -> np.ndarray:
    """Texts as numbers. Raises InputError for other texts, and for numbers that float64 cannot represent."""
    values = {text: np.nan if text in MISSING else number(text) for text in {*texts}}
    wrong = {text for text, one in values.items() if one is None or is_inexact(text, one)}
    if wrong:
        row = next(i for i, text in enumerate(texts) if text in wrong)
        wanted.refuse_number(role, texts[row], int(lines[row]), values[texts[row]] is not None)
    return np.array([values[text] for text in texts], np.float64)


def _refuse_width(layout: Layout, row: Sequence[str], line: int) -> NoReturn:
    """Raises InputError for a row with another number of fields than the header."""
    there = f"line {line} has {len(row)} field{'s'[: len(row) != 1]} and the header {layout.width} names"
    if len(row) != layout.width + 1:
        there += f", separated by {layout.separator!r}"
        how = "correct that line, and put values that hold the separator into quotation marks"
    elif row[-1] == "":
        how = "remove the separators at the end of the lines"
    else:
        how = "name every column; write.table of R leaves out one name unless row.names=FALSE"
    layout.wanted.refuse(there, how)


def _explained(wrong: csv.Error) -> str:
    if "unexpected end" in str(wrong):
        return "a quotation mark opens a value that has no end; close it, or double one within a value"
    if "expected after" in str(wrong):
        return "text follows a closing quotation mark; double the quotation marks within a value"
    return f"{wrong}; correct that line"


def list_of_numbers(path: str, role: str) -> Column:
    """The numbers of a file, or of standard input, without blank lines.

    Raises InputError for anything else, with the line.
    """
    name = "standard input" if path == sources.STANDARD_INPUT else sources.named(path)
    layout = Layout(Wanted({role: None}, frozenset({role}), name, name), NO_SEPARATOR, 1, {role: 0})
    try:
        with sources.File(path, name, "csv").open()[0] as stream:
            head = filled(stream, 1000)
            check_kind(head, name)
            data = blocks(stream, head.removeprefix(BOM), 1, at_line_end, name)
            parts = list(ahead(partial(read, layout), data))
    except InputError as wrong:
        raise wrong.with_remedy(f"{wrong.remedy}, or name a column with --score") from None
    values = np.concatenate([np.empty(0), *(part.columns[role] for part in parts)])
    lines = np.concatenate([np.empty(0, np.int64), *(np.asarray(part.lines) for part in parts)])
    return Column(role, values, first_row=1, file=name, kept=lines - 1, unit="line")
