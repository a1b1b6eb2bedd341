"""Files that are written: asked for before the work, and written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from ..input import text
from ..input.spelling import series
from ..input.validate import InputError, shown

LONGEST = 200  # characters of a path in a message


def check(path: str | Path, role: str, endings: Sequence[str]) -> Path:
    """The path, if it can be written to.

    Raises InputError for another ending, a missing folder, or no permission.
    """
    try:
        return _writable(Path(path), role, endings).resolve()
    except (OSError, ValueError, TypeError) as reason:
        if isinstance(reason, InputError):
            raise
        raise InputError(
            "not-written",
            role,
            f"{shown(path)} cannot be written ({shown(reason)})",
            "choose another place",
            value=path,
        ) from reason


def named(target: Path) -> str:
    """A path in messages, shortened in the middle."""
    return repr(text.label(str(target), LONGEST))


def _writable(target: Path, role: str, endings: Sequence[str]) -> Path:
    if target.suffix.lower() not in endings:
        raise InputError(
            "not-written",
            role,
            f"{named(target)} must end in {series(endings, 'or')}",
        )
    if target.is_dir():
        raise InputError("not-written", role, f"{named(target)} is a folder", "give the path of a file in it")
    if target.exists() and not target.is_file():  # a pipe or a device, which the finished file would replace
        raise InputError("not-written", role, f"{named(target)} is not a plain file", "choose another place")
    if not target.parent.is_dir():
        raise InputError(
            "not-written",
            role,
            f"the folder {str(target.parent)!r} does not exist",
            "make it first, or choose another",
        )
    if not os.access(target.parent, os.W_OK) or (target.exists() and not os.access(target, os.W_OK)):
        raise InputError(
            "not-written",
            role,
            f"{named(target)} cannot be written",
            "check its permissions, or choose another place",
        )
    return target


def write(target: Path, role: str, fill: Callable[[str], object]) -> None:
    """Let `fill` write a draft, which then replaces the target. Raises InputError on failure."""
    from tempfile import mkstemp  # slow to load, and not needed to print

    try:
        handle, draft = mkstemp(dir=target.parent, prefix=".tallymark-")
        os.close(handle)
        try:
            fill(draft)
            with open(draft, "rb") as file:
                os.fsync(file.fileno())  # so that after a crash there is the old file or the whole new one
            os.chmod(draft, 0o666 & ~_umask())
            os.replace(draft, target)
        except BaseException:
            os.unlink(draft)
            raise
    except OSError as reason:
        raise InputError(
            "not-written",
            role,
            f"{named(target)} cannot be written ({reason.strerror})",
            "choose another place",
        ) from reason


def write_text(target: Path, role: str, text: str) -> None:
    """The same for a text, as UTF-8; half a surrogate pair, which has no UTF-8, as \\udXXX."""

    def fill(draft: str) -> None:
        Path(draft).write_text(text, encoding="utf-8", errors="backslashreplace", newline="")

    write(target, role, fill)


def write_bytes(target: Path, role: str, content: bytes) -> None:
    """The same for what is not text."""
    write(target, role, lambda draft: Path(draft).write_bytes(content))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
