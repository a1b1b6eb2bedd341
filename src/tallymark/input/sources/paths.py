"""Files by path or pattern, and standard input: how they are found, named in messages, and opened."""

from __future__ import annotations

import atexit
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from glob import glob, has_magic
from pathlib import Path
from threading import Lock
from typing import IO, Any
from urllib.parse import unquote

from ..validate import InputError, shown
from . import tally
from .blocks import BOM, filled

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
