"""Sources of cases: arrays, data frames or files, each as a stream of batches of named columns."""

from __future__ import annotations

import atexit
import io
import math
import os
import re
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cached_property
from glob import glob, has_magic
from importlib.util import find_spec
from itertools import chain, compress
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import IO, Any, NoReturn, Protocol, TypeVar
from urllib.parse import unquote

import numpy as np

from .. import columns, validate
from ..columns import ANSWERS, MISSING_LABELS, Column, NamedColumn, arrow_as_numpy, missing_labels
from ..errors import IN_FORMATS
from ..labels import NotAnAnswer, of_answers
from ..score_columns import NAMES
from ..validate import InputError, beyond, of_numeral, row_at, shown
from ..where import WHERE, Condition
from . import tally

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
    known = None if all(isinstance(one, str) for one in wanted.values()) else names_of_columns(data)
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
        pass  # GONE

        batches = Batches([str(path) for path in paths], wanted, numbers, *words, own_words, condition, rows)
        stamped = tuple((file.path, *file.stamp) for file in batches.files if file.stamp is not None)
        return Source(batches.name, batches, batches.changed, stamped)
    if isinstance(data, Mapping):
        from . import frames

        frames.check_names(wanted, list(data), "the data")
        return Source("columns", _in_parts([frames.named(data, wanted, *words)], rows))
    from . import frames

    found = frames.batches(data, wanted, *words, condition, rows, numbers)
    return Source(type(data).__name__, _in_parts(found, rows))


def names_of_columns(data: Any) -> list[Any] | None:
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


# Streams of bytes in blocks that end with a record, and parallel work on several blocks
# --------------------------------------------------------------------------------------------------

LF = ord("\n")
BOM = b"\xef\xbb\xbf"  # the byte order mark of UTF-8
# what a file is that begins so; with the ending that it needs
OTHERS: dict[bytes, str | tuple[str, str]] = {
    b"PAR1": ("Parquet", ".parquet"),
    b"\x1f\x8b": ("compressed by gzip", ".gz"),
    b"\x28\xb5\x2f\xfd": ("compressed by Zstandard", ".zst"),
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
BLOCK_BYTES = 1 << 18  # small enough to stay in the cache; several are held at once
SMALL = 1 << 17  # bytes that are read without Arrow, which takes a tenth of a second to load
LONGEST_RECORD = 1 << 26
WORKERS = 2
T = TypeVar("T")


class Readable(Protocol):
    """An object with bytes to read."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records, with the lines that they are on.

    line: the number of the first line; line_ends: how many there are.
    """

    data: bytes
    line: int
    line_ends: int


# from what was read, and whether it is all: the length of its whole records
Cut = Callable[[bytes, bool], int]


def blocks(stream: Readable, head: bytes, line: int, cut: Cut, where: str) -> Iterator[Block]:
    """The blocks of a stream after its head. Raises InputError for a record without an end."""
    rest, size = head, BLOCK_BYTES
    while True:
        read = stream.read(size)
        data, last = rest + read, not read
        end = cut(data, last)
        if end:
            whole, rest = data[:end], data[end:]
            block = Block(whole, line, lines_in(whole))
            yield block
            line += block.line_ends
        else:
            rest = data
        size = max(BLOCK_BYTES, 0 if end else len(data))
        if last:
            return
        if len(rest) > LONGEST_RECORD:
            raise InputError(
                "unreadable",
                where,
                f"the record that begins in line {line} has no end within {LONGEST_RECORD >> 20} MB",
                "close the value, or the object, that has no end",
            )


def filled(stream: Readable, size: int) -> bytes:
    """As many bytes as requested, or all there are.

    A single read may return fewer, as from a pipe or a compressed file.
    """
    data = stream.read(size)
    while len(data) < size and (more := stream.read(size - len(data))):
        data += more
    return data


def lines_in(data: bytes) -> int:
    """The number of line ends: LF, CR or both together."""
    ends = newlines_in(data)
    return ends + data.count(b"\r") - data.count(b"\r\n") if b"\r" in data else ends


def newlines_in(data: bytes) -> int:
    """The number of LFs; NumPy counts them four times as fast as bytes do."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == LF))


def at_line_end(data: bytes, last: bool) -> int:
    """The length up to the last line end. A CR at the very end may be half of one."""
    if last:
        return len(data)
    end = data.rfind(b"\n") + 1
    return end or data.rfind(b"\r", 0, max(len(data) - 1, 0)) + 1


def check_text(block: Block, where: str) -> None:
    """Raises InputError, with the line, for text that is not UTF-8."""
    if block.data.isascii():
        return
    try:
        block.data.decode()
    except UnicodeDecodeError as wrong:
        line = block.line + lines_in(block.data[: wrong.start])
        raise InputError(
            "unreadable",
            where,
            f"line {line} holds the byte 0x{block.data[wrong.start]:02x}, which is not UTF-8",
            "save the file as UTF-8",
        ) from None


def check_kind(head: bytes, where: str) -> None:
    """Raises InputError for the beginning of a file that is no text in UTF-8, whatever its name says."""
    what = next((name for magic, name in OTHERS.items() if head.startswith(magic)), None)
    if what is None and b"\0" in head[:1000]:
        what = "UTF-16 without a byte order mark, or no text"
    if what is not None:
        how = f"give it the ending {what[1]}" if isinstance(what, tuple) else "save it as UTF-8"
        kind = what[0] if isinstance(what, tuple) else what
        raise InputError("unreadable", where, f"line 1: the file is {kind}", how)


def ahead(work: Callable[[Any], T], items: Iterable[Any]) -> Iterator[T]:
    """work(item) for each item, in order, with the next ones computed in parallel.

    A single item uses no thread. An error of the items comes after the results of those before it.
    """

    def result(item: Any) -> T:
        if isinstance(item, InputError):
            raise item
        return work(item)

    items = _with_fault(items)
    first, second = next(items, None), next(items, None)
    if second is None:
        if first is not None:
            yield result(first)
        return
    from concurrent.futures import Future, ThreadPoolExecutor  # refuses to load when Python shuts down

    def begun(item: Any) -> Future[T]:
        try:
            return pool.submit(copy_context().run, result, item)
        except RuntimeError:  # no thread can start, as when Python shuts down
            done: Future[T] = Future()
            done.set_result(result(item))
            return done

    pool = ThreadPoolExecutor(WORKERS, "tallymark-files")
    pending: deque[Future[T]] = deque()
    try:
        for item in chain((first, second), items):
            pending.append(begun(item))
            if len(pending) > WORKERS:  # one extra item waits, so that no worker is idle
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        # no waiting: the garbage collector may close this within a lock of `threading` that waiting needs
        pool.shutdown(wait=False, cancel_futures=True)


def _with_fault(items: Iterable[Any]) -> Iterator[Any]:
    """The items, and the error that ends them."""
    try:
        yield from items
    except InputError as wrong:
        yield wrong


# Files by path or pattern, and standard input: how they are found, named in messages, and opened
# --------------------------------------------------------------------------------------------------

STANDARD_INPUT = "-"
KINDS = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), "csv"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
}
COMPRESSED = {".gz": "gzip", ".zst": "zstd"}
MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
LONGEST_PATH = 4000
LONGEST_NAME = 240  # characters of a path in messages


@dataclass(frozen=True, slots=True)
class File:
    """A file to read.

    path: as given; name: in messages; kind: "csv", "json" or "parquet", None where its content shows it;
    folders: the columns that its folders name, as date=2024-01 (Hive); stamp: its size and the time of its
    last change, None of standard input.
    """

    path: str
    name: str
    kind: str | None
    folders: Mapping[str, str | None] = field(default_factory=dict)
    stamp: tuple[int, int] | None = None

    def open(self) -> tuple[Any, str]:
        """The open stream, decompressed, and the kind of file. Raises InputError where that fails.

        Where its name does not say the kind, its content does: Parquet begins with PAR1, JSON with { or [.
        """
        if self.kind is not None:
            return self._stream(COMPRESSED.get(Path(self.path).suffix.lower())), self.kind
        magic = self._stream(None).read(4)
        codec = next((one for start, one in MAGIC.items() if magic.startswith(start)), None)
        start = filled(self._stream(codec), 4096)
        if start.startswith(b"PAR1") and codec is not None:
            raise InputError(
                "unreadable",
                self.name,
                "a compressed Parquet file cannot be read",
                "Parquet compresses by itself",
            )
        json = start.removeprefix(BOM).lstrip()[:1] in (b"{", b"[")
        kind = "parquet" if start.startswith(b"PAR1") else "json" if json else "csv"
        return self._stream(codec), kind

    def _stream(self, codec: str | None) -> Any:
        """The open stream, decompressed."""
        try:
            stream: Any = standard_input() if self.path == STANDARD_INPUT else open(self.path, "rb")  # noqa: SIM115
        except OSError as reason:
            raise InputError(
                "unreadable",
                self.name,
                f"cannot be read ({reason.strerror})",
                "give the path of a file of predictions",
            ) from None
        if codec is None:
            return stream
        import pyarrow

        return pyarrow.CompressedInputStream(stream, codec)


def found(path: str) -> list[File]:
    """The files of a path, pattern or folder. Raises InputError where none exists, or for an unknown kind."""
    if path == STANDARD_INPUT:
        return [File(path, "standard input", None)]
    if len(path) > LONGEST_PATH or "\0" in path:
        raise InputError("unreadable", named(path), "this is not the path of a file")
    if os.path.isdir(path):
        files = [one for one in sorted(glob("**", root_dir=path, recursive=True)) if _ending(one) in KINDS]
        if not files:
            raise InputError("unreadable", named(path), "the folder holds no file of predictions")
        other = next((one for one in files if _ending(one) != _ending(files[0])), None)
        if other is not None:
            raise InputError(
                "ambiguous",
                named(path),
                f"the folder holds files of several kinds, as {shown(files[0])} and {shown(other)}",
                f"give a pattern, as {named(os.path.join(path, '*' + _ending(files[0])))}",
            )
        return [_checked(os.path.join(path, one)) for one in files]
    if path.lower().endswith(tally.ENDING):
        raise InputError(
            "unsupported",
            named(path),
            "it holds the sums of cases, and this needs the cases themselves",
            "give the files of which it was made",
        )
    pattern = has_magic(path) and not os.path.exists(path)
    if _ending(path) not in KINDS and not pattern:
        raise InputError(
            "unreadable",
            named(path),
            "the ending of its name tells the kind of file",
            f"known are {', '.join(KINDS)}, also with .gz or .zst",
        )
    if not pattern:
        return [_checked(path)]
    paths = sorted(glob(path, recursive=True))
    if not paths:
        raise InputError("unreadable", named(path), "no file fits this pattern")
    known = [one for one in paths if os.path.isdir(one) or _ending(one) in KINDS]
    return list({os.path.abspath(file.path): file for one in known for file in found(one)}.values())


def named(path: str) -> str:
    """A path in messages: on one line, without control characters, and shortened."""
    if not path or not path.isprintable():
        path = repr(path)
    return path if len(path) <= LONGEST_NAME else f"{path[: LONGEST_NAME // 2]}…{path[-LONGEST_NAME // 2 :]}"


def _checked(path: str) -> File:
    name = named(path)
    try:
        about = os.stat(path)
    except OSError as reason:
        raise InputError(
            "unreadable",
            name,
            "no such file"
            if isinstance(reason, FileNotFoundError)
            else f"cannot be read ({reason.strerror})",
            "give the path of a file of predictions",
        ) from None
    if not os.path.isfile(path):
        raise InputError(
            "unreadable",
            name,
            "this is not a plain file",
            "write - and pass it as standard input, or copy it to a file",
        )
    if not about.st_size:
        needs = "a header and " * (KINDS[_ending(path)] == "csv")
        raise InputError("empty", name, "the file is empty", f"it needs {needs}one row per case")
    stamp = about.st_size, about.st_mtime_ns
    return File(path, name, KINDS[_ending(path)], _folders(path), stamp)


def _folders(path: str) -> dict[str, str | None]:
    """The columns of its folders, by name; None for the missing value of Hive."""
    pairs = (part.partition("=") for part in Path(path).parts[:-1])
    columns = {unquote(name): unquote(value) for name, sign, value in pairs if name and sign}
    return {name: None if value == "__HIVE_DEFAULT_PARTITION__" else value for name, value in columns.items()}


def _ending(path: str) -> str:
    """The ending, without that of a compression."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() not in COMPRESSED]
    return suffixes[-1] if suffixes else ""


# Streams
# --------------------------------------------------------------------------------------------------

# standard input can be read only once, but a command may need it again: the stream, and its copy
_copies: dict[str, Any] = {}


class _View(io.RawIOBase):
    """An open file, read from its own position, since a file without a name cannot be opened again."""

    def __init__(self, file: Any):
        self.file, self.at = file, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = (0, self.at, os.fstat(self.file.fileno()).st_size)[whence]
        self.at = start + offset
        return self.at

    def readinto(self, into: Any) -> int:
        with _one_reader:
            self.file.seek(self.at)
            size: int = self.file.readinto(into)
        self.at += size
        return size


_one_reader = Lock()


def standard_input() -> IO[bytes]:
    """All of standard input from its beginning, also if requested again. Raises InputError without it."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("unreadable", "standard input", "there is none", "give the path of a file")
    if _copies.get("stream") is not stream:
        if "copy" in _copies:
            _copies["copy"].close()
        _copies.update(stream=stream, copy=_copied(stream))
    if not os.fstat(_copies["copy"].fileno()).st_size:
        raise InputError("empty", "standard input", "it is empty", "it needs a header and one row per case")
    return io.BufferedReader(_View(_copies["copy"]), 1 << 16)


def _copied(stream: Any) -> IO[bytes]:
    """A copy in a file without a name, which disappears when Python ends."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115  # it stays open
    atexit.register(copy.close)
    shutil.copyfileobj(stream, copy)
    copy.flush()
    return copy


# Parts of text files: the forms of numbers, missing values and labels, and batches of columns of one type
# --------------------------------------------------------------------------------------------------
#
# docs/files.md describes the forms in words.

MISSING = ("", "NA", "null", "NULL", "NaN", "nan")
BLANKS = r"[ \t]*"
DECIMAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
INFINITY = r"[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?"
NUMBER = re.compile(rf"{BLANKS}(?:{DECIMAL}|{INFINITY}){BLANKS}")
# A label is not infinite, and 007 is not the label 7: such labels stay text.
LABEL = re.compile(rf"{BLANKS}[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?{BLANKS}")
WHOLE_LABEL = re.compile(rf"{BLANKS}[+-]?(?:0|[1-9][0-9]*){BLANKS}")
NAME = re.compile(r"(?:0|-?[1-9][0-9]{0,17})")  # a number that stands for its text alone
WHOLE_FORM = re.compile(rf"{BLANKS}[+]?(-?[0-9]+)(?:\.0*)?{BLANKS}")
EXACT = 2**53  # float64 holds every whole number up to here
LARGEST = 2**63

ONE_EACH = "write one JSON object per case, as pandas does with to_json(orient='records', lines=True)"
HINTS = {"score": "scores are numbers, and labels go to {option[predicted]}", "weight": "weights are numbers"}
HINTS |= dict.fromkeys(("genuine", "impostor"), "the scores of comparisons are numbers")


class Kind(Enum):
    """The kind of the labels of a column.

    LARGE: whole numbers, some of which float64 would round, or write with other digits.
    """

    BOOLEAN = "true or false"
    WHOLE = "whole numbers"
    LARGE = "large whole numbers"
    NUMBER = "numbers"
    TEXT = "text"


WIDER = {frozenset({Kind.WHOLE, Kind.LARGE}): Kind.LARGE, frozenset({Kind.WHOLE, Kind.NUMBER}): Kind.NUMBER}
KINDS_OF_TYPES = {bool: Kind.BOOLEAN, int: Kind.WHOLE, float: Kind.NUMBER, str: Kind.TEXT}


def common(one: Kind | None, other: Kind | None) -> Kind | None:
    """The kind of a column with two parts of these kinds; None: no value is known yet."""
    if one is None or other is None or one is other:
        return one or other
    return WIDER.get(frozenset({one, other}), Kind.TEXT)


def number(text: str) -> float | None:
    """A single text as a number, or None if it is not a number."""
    return float(text) if NUMBER.fullmatch(text) else None


def is_plain(values: np.ndarray) -> bool:
    """Whether Arrow and Python read these numbers alike: they are finite, and below 2^53."""
    return values.dtype.kind != "f" or bool((np.abs(values) < EXACT).all())


def is_rounded(value: int) -> bool:
    """Whether float64 rounds a whole number."""
    return abs(value) > EXACT and (abs(value) >= 10**308 or int(float(value)) != value)


def is_inexact(text: str, value: float) -> bool:
    """Whether it is a whole number that float64 would round, or a number that is too large."""
    if abs(value) < EXACT:
        return False
    digits = text.strip(" \t")
    if digits.lstrip("+-").isdigit():
        return len(digits) > 400 or is_rounded(int(digits))
    return math.isinf(value) and "inf" not in digits.lower()


def no_number(column: NamedColumn, value: object, place: str, row: int) -> InputError:
    """The error for a text in a column of numbers. row: as counted in the file."""
    if isinstance(value, str) and number(value) is not None:
        hint = "it is text; write numbers without quotation marks"
    elif isinstance(value, (list, dict)):
        hint = ONE_EACH
    else:
        usual = HINTS.get(column.role.split()[0], "only numbers can be subtracted").format(**IN_FORMATS)
        hint = of_numeral(value) or usual
    return InputError(
        "invalid-value", column, f"{shown(value)} in {place} is not a number", hint, row=row, value=value
    )


def kind_of(labels: Sequence[Any], typed: bool) -> Kind | None:
    """The kind of the distinct labels. typed: their type is that of the file, and not inferred from texts."""
    if not labels:
        return None
    if not typed:
        return _kind_of_texts(labels)
    kind = KINDS_OF_TYPES[type(labels[0])]
    return Kind.LARGE if kind is Kind.WHOLE and any(map(is_rounded, labels)) else kind


def _kind_of_texts(texts: Sequence[str]) -> Kind:
    if not all(map(LABEL.fullmatch, texts)):
        return Kind.TEXT
    values = list(map(float, texts))
    rounded = any(map(is_inexact, texts, values))
    if all(map(WHOLE_LABEL.fullmatch, texts)):
        if any(abs(value) >= LARGEST for value in values) and not all(
            len(text) < 400 and -LARGEST <= int(text) < LARGEST for text in texts
        ):
            return Kind.TEXT
        # together with decimals they are text
        large = (text for text, value in zip(texts, values, strict=True) if abs(value) > EXACT)
        return Kind.LARGE if rounded or any(_changed(text, float(text)) for text in large) else Kind.WHOLE
    if rounded or any(map(math.isinf, values)) or any(map(_changed, texts, values)):
        return Kind.TEXT  # float64 might make two labels equal
    return Kind.NUMBER if merge_forms({}, texts) else Kind.TEXT


def merge_forms(forms: dict[float, str], texts: Iterable[str]) -> bool:
    """Adds the texts of numbers, by value; whether no two of them are different codes of one value.

    345.1 and 345.10 are two codes, and 1 and 1.0 are one number. 1E2 is a code, too: an exponent is one of a
    number only as Python writes it.
    """
    for text in texts:
        if "e" in text.lower() and text.strip(" \t") != repr(float(text)):
            return False
        whole = WHOLE_FORM.fullmatch(text)
        form = whole[1] if whole else text.strip(" \t")
        if forms.setdefault(float(text), form) != form and float(text):  # 0 and -0 are one number
            return False
    return True


def kind_of_names(labels: Sequence[str]) -> Kind | None:
    """The kind of texts that are names, such as those of groups: whole numbers if all are."""
    if not labels:
        return None
    return Kind.WHOLE if all(map(NAME.fullmatch, labels)) else Kind.TEXT


def _changed(text: str, value: float) -> bool:
    """Whether float64 writes the number with other digits, or the exponent is beyond that of any number."""
    try:
        return Decimal(text.strip()) != Decimal(repr(value))
    except InvalidOperation:
        return True


def values_of(labels: Sequence[Any], kind: Kind | None) -> np.ndarray | None:
    """The distinct labels as NumPy values, or None where their type does not allow this kind."""
    if not labels:
        return np.empty(0)
    if kind is Kind.TEXT:
        return np.array([*labels, None], dtype=object)[:-1] if isinstance(labels[0], str) else None
    dtype: Any = {Kind.BOOLEAN: np.bool_, Kind.NUMBER: np.float64}.get(kind, np.int64)  # type: ignore[arg-type]
    number = float if kind is Kind.NUMBER else int
    return np.fromiter(map(number, labels), dtype, len(labels))


Places = range | np.ndarray  # by row, the number of its line


class StartOver(Exception):  # noqa: N818  # no error: the batches so far are read again
    """A label is text, after only numbers: the batches start again with the type of the whole column."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns to read of a file.

    names: of the columns, by role; numbers: the roles of numbers; where: the file in messages; file: the
    same, if there are several; not_an_answer: predicted values that name no class; unit: what places count,
    lines or rows of an array.
    """

    names: Mapping[str, Any]
    numbers: frozenset[str]
    where: str
    file: str | None = None
    not_an_answer: NotAnAnswer | None = None
    unit: str = "line"

    def place(self, number: int) -> str:
        """A row of an array, counted from 0, or a line."""
        return row_at(number) if self.unit == "row" else f"line {number}"

    def refuse(self, problem: str, remedy: str = "", **facts: Any) -> NoReturn:
        """Raises InputError for the file."""
        raise InputError("unreadable", self.where, problem, remedy, **facts) from None

    def refuse_number(self, role: str, value: Any, number: int, rounded: bool) -> NoReturn:
        """Raises InputError for a value that is no number, or that float64 would round."""
        column, place = NamedColumn(role, self.names[role]), self.place(number)
        if rounded:
            raise beyond(column, value, f"{place} of {self.where}", number)
        raise no_number(column, value, place if self.file is None else f"{place} of {self.file}", number)

    def answers(self, role: str, labels: Labels) -> Labels:
        """Labels, of predicted ones those that are answers."""
        words = of_answers(role, self.not_an_answer)
        return labels if words is None else labels.with_answers(words)


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of labels: the distinct ones, and for each row the index of its label.

    The index is -1 where the value is missing. typed: whether the file distinguishes numbers and text, as
    JSON does; unanswered: of predicted labels, where the answer is no class, or None.
    """

    distinct: list[Any]
    codes: np.ndarray
    typed: bool = False
    unanswered: np.ndarray | None = None

    @classmethod
    def of(cls, array: Any, typed: bool = False) -> Labels:
        """From a column of a table of Arrow."""
        coded = array.combine_chunks().dictionary_encode()
        codes = arrow_as_numpy(coded.indices.fill_null(-1) if coded.indices.null_count else coded.indices)
        return cls(coded.dictionary.to_pylist(), codes, typed)

    @classmethod
    def of_rows(cls, values: Sequence[Any], keys: Sequence[Any], typed: bool = False) -> Labels:
        """From a value for each row. keys: what tells two values apart; None of missing ones."""
        distinct: dict[Any, Any] = {}
        for key, value in zip(keys, values, strict=True):
            distinct.setdefault(key, value)
        distinct.pop(None, None)
        codes = {key: code for code, key in enumerate(distinct)}
        return cls(list(distinct.values()), np.array([codes.get(key, -1) for key in keys], np.int64), typed)

    def with_answers(self, words: NotAnAnswer) -> Labels:
        """The same predicted labels; these values are no answer."""
        gone = words.among(self.distinct)
        if words.none and not self.typed:
            gone |= np.isin(self.distinct, [*MISSING_LABELS, ""])
        there = np.append(gone, words.gaps and self.typed)[self.codes]
        return replace(self._without(gone), unanswered=there if there.any() else None)

    def _without(self, gone: np.ndarray) -> Labels:
        if not gone.any():
            return self
        places = np.append(np.where(gone, -1, np.cumsum(~gone) - 1), -1)
        return replace(
            self, distinct=list(compress(self.distinct, (~gone).tolist())), codes=places[self.codes]
        )

    def without(self, words: Collection[str]) -> Labels:
        """The same column, in which these texts are missing values."""
        return self._without(np.array([label in words for label in self.distinct], bool))

    def values(self, kind: Kind | None) -> np.ndarray | None:
        """One value per row, None or NaN where missing; None where the labels are not of this kind."""
        known = values_of(self.distinct, kind)
        if known is None or (not len(known) and not len(self.codes)):
            return known
        if self.codes.min() < 0:
            numbers = kind in (None, Kind.NUMBER)
            known = np.append(known, np.nan) if numbers else np.array([*known.tolist(), None], dtype=object)
        return known[self.codes]


Columns = Mapping[str, np.ndarray | Labels]  # by role


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows: their numbers or labels by role, and their lines.

    Numbers are float64, NaN where missing; objects where some are not numbers.
    """

    columns: Columns
    lines: Places
    unit: str = "line"

    def __len__(self) -> int:
        return len(self.lines)

    def without(self, missing: Callable[[str, Sequence[Any]], Collection[str]]) -> Part:
        """The same rows without labels that are missing values. missing: which of some labels, by role."""
        known = {
            role: one.without(missing(role, one.distinct)) if isinstance(one, Labels) else one
            for role, one in self.columns.items()
        }
        return replace(self, columns=known)

    def column(self, wanted: Wanted, role: str, kind: Kind | None) -> Column:
        """One of its columns. kind: of the labels. Raises InputError for labels of another kind."""
        held, first = self.columns[role], int(self.lines[0])
        kept = None if isinstance(self.lines, range) else self.lines - first
        column = Column(role, np.empty(0), None, wanted.names[role], first, wanted.file, kept, self.unit)
        if isinstance(held, Labels):
            values, gaps, unanswered = held.values(kind), held.codes < 0, held.unanswered
        else:
            values, gaps, unanswered = held, np.isnan(held), None
        if values is None:
            raise InputError(
                "labels",
                column,
                f"in {wanted.where} text and other values are mixed",
                "make them all text or all numbers",
            )
        return replace(column, values=values, missing=gaps if gaps.any() else None, unanswered=unanswered)


def grouped(parts: Iterable[Part], rows: int) -> Iterator[list[Part]]:
    """Parts of so many rows together, or a few more; the last ones may have fewer."""
    group: list[Part] = []
    for part in parts:
        if len(part):
            group.append(part)
        if sum(map(len, group)) >= rows:
            yield group
            group = []
    if group:
        yield group


def columns_of_table(table: Any, wanted: Wanted, names: Mapping[str, str], typed: bool) -> Columns | None:
    """The columns by role; None of numbers that Arrow and Python may read differently.

    names: of the columns in the table, by role; typed: whether the file distinguishes numbers and text.
    """
    columns: dict[str, np.ndarray | Labels] = {}
    for role, name in names.items():
        column = table.column(name)
        if str(column.type) == "double" and not is_plain(arrow_as_numpy(column.drop_null())):
            return None
        if role not in wanted.numbers:
            columns[role] = wanted.answers(role, Labels.of(column, typed))
        else:
            columns[role] = arrow_as_numpy(column.fill_null(np.nan) if column.null_count else column)
    return columns


def kinds_of(group: list[Part], by_value: Collection[str] = ()) -> dict[str, Kind | None]:
    """The kind of the labels in these rows, by role. by_value: roles that are compared with numbers."""
    result: dict[str, Kind | None] = {}
    for part in group:
        for role, column in part.columns.items():
            if isinstance(column, Labels):
                named = role.split()[0] not in (*ANSWERS, WHERE) and not column.typed
                kind = kind_of_names(column.distinct) if named else kind_of(column.distinct, column.typed)
                if kind is Kind.TEXT and role in by_value and not column.typed and _all_numbers(column):
                    kind = Kind.NUMBER  # 0.5 and 0.50 are two labels, but one number
                result[role] = common(result.get(role), kind)
    return result


def _all_numbers(labels: Labels) -> bool:
    values = map(number, labels.distinct)
    pairs = zip(labels.distinct, values, strict=True)
    return all(value is not None and not is_inexact(text, value) for text, value in pairs)


def columns_of(group: Sequence[Part], wanted: Wanted, kinds: Mapping[str, Kind | None]) -> dict[str, Column]:
    """The columns by role. kinds: of the labels."""
    return {
        role: columns.joined([part.column(wanted, role, kinds.get(role)) for part in group])
        for role in wanted.names
    }


# CSV, Parquet and JSON files in batches; a file may be larger than memory
# --------------------------------------------------------------------------------------------------
#
# docs/files.md describes how each is read.

BATCH_ROWS = 1 << 21  # with more, what batches leave unused in memory exceeds the table
WHOLE = re.compile("[-+]?[0-9]{1,18}")  # numbers in names of folders
ROWS_OF_TEXT = 1 << 18  # fewer: both the parts and the whole are in memory


class Batches:
    """The columns by role, in batches of rows, file by file, in the order of the rows.

    The type of a column of labels is that of the whole column, over all files. As long as it is not known,
    batches have the type of all labels so far; a batch that changes it raises StartOver, and the next
    iteration starts from the beginning.
    """

    def __init__(
        self,
        given: Sequence[str],
        wanted: Mapping[str, str],
        numbers: frozenset[str],
        classes: Collection[str] = (),
        not_an_answer: NotAnAnswer | None = None,
        own_words: bool = False,
        condition: Condition | None = None,
        rows: int | None = None,
    ):
        """given: files, or patterns of paths; all are checked here, before anything is read.

        classes: as for `read`; not_an_answer, own_words: of predicted labels; rows: the most of a batch.
        """
        if find_spec("pyarrow") is None:  # not loaded here: a small file does without
            raise InputError(
                "not-installed",
                None,
                "Reading files needs pyarrow",
                "install it with: pip install 'tallymark[files]'",
            )
        self.wanted, self.numbers, self.classes = wanted, numbers, classes
        self.not_an_answer, self.own_words, self.condition = not_an_answer, own_words, condition
        self.rows = BATCH_ROWS if rows is None else min(rows, BATCH_ROWS)
        self.forms: dict[str, dict[float, str]] = {}
        self.files = [file for path in given for file in found(path)]
        several = named(given[0]) if len(given) == 1 else f"{len(given)} files"
        self.name = self.files[0].name if len(given) == 1 == len(self.files) else several
        self.kinds: dict[str, Kind | None] = {}
        self._batches = self._read()

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        return next(self._batches)

    def changed(self) -> bool:
        """Whether later labels change the type of those that were read, so that batches start again."""
        if all(kind is Kind.TEXT for kind in self.kinds.values()):
            return False
        try:
            for _ in self._batches:
                pass
        except StartOver:
            return True
        except InputError:
            pass  # errors in later rows are not reported first
        return False

    def _read(self) -> Iterator[Batch]:
        rows = 0
        for file in self.files:
            folders = {role: name for role, name in self.wanted.items() if name in file.folders}
            of_one = {role: self._repeated(role, name, file, 1) for role, name in folders.items()}
            if self.condition is not None and not self.condition.may_hold(of_one):
                continue
            wanted = {role: name for role, name in self.wanted.items() if role not in folders}
            with closing(self._of_file(file, wanted)) as batches:
                for batch in batches:
                    size = len(next(iter(batch.values())))
                    rows += size
                    more = {role: self._repeated(role, name, file, size) for role, name in folders.items()}
                    yield batch | more if more else batch
        if not rows and self.condition is None:
            raise InputError("empty", self.name, "there are no rows", "at least one case is needed")

    def _repeated(self, role: str, name: str, file: File, rows: int) -> Column:
        """A column that the folders of a file name, as date=2024-01 (Hive): text, or whole numbers."""
        value: str | int | None = file.folders[name]
        if value and role.split()[0] == WHERE and name in self._whole:
            value = int(value)
        missing = np.full(rows, True) if value is None else None
        one = np.array([value], int if isinstance(value, int) else object)
        return Column(role, one.repeat(rows), missing, name)  # np.full would make a text for each row

    @cached_property
    def _by_value(self) -> set[str]:
        """The roles of columns that the condition compares with numbers."""
        names = set() if self.condition is None else self.condition.numbers
        return {role for role, name in self.wanted.items() if role.split()[0] == WHERE and name in names}

    @cached_property
    def _whole(self) -> set[str]:
        """The columns of folders that are whole numbers in all files, and compared with numbers."""
        names = set() if self.condition is None else self.condition.numbers
        values = {name: {text for file in self.files if (text := file.folders.get(name))} for name in names}
        return {name for name, texts in values.items() if texts and all(map(WHOLE.fullmatch, texts))}

    def _of_file(self, file: File, wanted: Mapping[str, str]) -> Generator[Batch, None, None]:
        apart = file.name.rsplit("/", 1)[-1] if len(self.files) > 1 else None
        stream, kind = file.open()
        try:
            if kind == "parquet":
                from . import parquet

                yield from parquet.batches(
                    stream, wanted, self.numbers, self.rows, file.name, apart, self.classes,
                    self.not_an_answer, self.condition,
                )  # fmt: skip
                return
            from . import delimited, jsonlines

            own = Wanted(wanted, self.numbers, file.name, apart, self.not_an_answer)
            read = delimited.parts(stream, own) if kind == "csv" else jsonlines.parts(stream, own)
            known = (part.without(self._missing) for part in read)
            for group in grouped(known, min(self.rows, ROWS_OF_TEXT)):
                self._learn(group, typed=kind == "json")
                batch = columns_of(group, own, self.kinds)
                for start in range(0, sum(map(len, group)), self.rows):
                    rows = slice(start, start + self.rows)
                    yield {role: column.those(rows) for role, column in batch.items()}
        except OSError as reason:  # as for a damaged compressed file, or a failing disk
            said = str(reason).split("\n")[0].rstrip(".")
            raise InputError(
                "unreadable", file.name, f"cannot be read ({said})", "write the file again"
            ) from reason
        finally:
            stream.close()

    def _missing(self, role: str, texts: Sequence[Any]) -> Collection[str]:
        """Which texts of a column are missing values."""
        if role.split()[0] in ANSWERS:
            return missing_labels(texts, self.classes)
        return MISSING

    def _learn(self, group: list[Part], typed: bool) -> None:
        """Records the kinds of labels in the next batch.

        Raises StartOver where they change the type of those that were read. In CSV, which has no types,
        actual and predicted labels are text if one of the two is: where all predictions are F, or all are 1,
        the other column shows that these are names of classes.
        """
        used, kinds = dict(self.kinds), kinds_of(group, self._by_value)
        for role, kind in kinds.items():
            self.kinds[role] = common(used.get(role), kind)
            numbers = (
                not typed and role.split()[0] in ANSWERS and self.kinds[role] in (Kind.WHOLE, Kind.NUMBER)
            )
            if numbers and not self._one_form(group, role):
                self.kinds[role] = Kind.TEXT
        answers = [role for role in kinds if role.split()[0] in ANSWERS]
        if not typed and not self.own_words and any(self.kinds[role] is Kind.TEXT for role in answers):
            self.kinds.update(dict.fromkeys(answers, Kind.TEXT))
        if any(
            _types(used)[role] != kind for role, kind in _types(self.kinds).items() if role in _types(used)
        ):
            self._batches = self._read()
            raise StartOver

    def _one_form(self, group: list[Part], role: str) -> bool:
        """Whether no two labels of a column that differ as text, such as 345.1 and 345.10, have one value."""
        forms = self.forms.setdefault(role, {})
        columns = (part.columns[role] for part in group)
        return all(merge_forms(forms, one.distinct) for one in columns if isinstance(one, Labels))


def _types(kinds: Mapping[str, Kind | None]) -> dict[str, Kind]:
    """By role, the type of the labels, where it is known."""
    same = {Kind.LARGE: Kind.WHOLE}
    return {role: same.get(kind, kind) for role, kind in kinds.items() if kind is not None}
