"""Files that are written: asked for before the work, and written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
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
    file, folder = named(target), target.parent
    if target.suffix.lower() not in endings:
        raise InputError("not-written", role, f"{file} must end in {series(endings, 'or')}")
    known = target.exists()
    for wrong, problem, remedy in (
        (target.is_dir(), f"{file} is a folder", "give the path of a file in it"),
        # a pipe or a device, which the finished file would replace
        (known and not target.is_file(), f"{file} is not a plain file", "choose another place"),
        (
            not folder.is_dir(),
            f"the folder {str(folder)!r} does not exist",
            "make it first, or choose another",
        ),
        (
            not os.access(folder, os.W_OK) or (known and not os.access(target, os.W_OK)),
            f"{file} cannot be written",
            "check its permissions, or choose another place",
        ),
    ):
        if wrong:
            raise InputError("not-written", role, problem, remedy)
    return target


def write(target: Path, role: str, content: str | bytes) -> None:
    """A draft of the content, which then replaces the target. Raises InputError on failure.

    A text is written as UTF-8; half a surrogate pair, which has no UTF-8, as \\udXXX.
    """
    draft = target.with_name(f".tallymark-{os.urandom(8).hex()}")
    try:
        try:
            with open(draft, "xb") as file:
                file.write(
                    content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
                )
                file.flush()
                os.fsync(file.fileno())  # so that after a crash there is the old file or the whole new one
            os.replace(draft, target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as reason:
        raise InputError(
            "not-written",
            role,
            f"{named(target)} cannot be written ({reason.strerror})",
            "choose another place",
        ) from reason
