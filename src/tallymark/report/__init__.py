"""What an evaluation leaves behind: a page or a JSON file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from ..validate import InputError, shown

WRITERS = (".html", ".htm", ".json")


def check(path: str | Path) -> Path:
    """The path, if a report can be written there; to be asked before the work. Raises InputError."""
    try:
        return _writable(Path(path)).resolve()
    except (OSError, ValueError, TypeError) as reason:
        if isinstance(reason, InputError):
            raise
        raise InputError(f"report: {shown(path)} cannot be written ({shown(reason)}); choose another place.") from reason


def _writable(target):
    if target.suffix.lower() not in WRITERS:
        raise InputError(f"report: {str(target)!r} must end in .html for a page, or in .json.")
    if target.is_dir():
        raise InputError(f"report: {str(target)!r} is a folder; give the path of a file in it.")
    if not target.parent.is_dir():
        raise InputError(f"report: the folder {str(target.parent)!r} does not exist; make it first, or choose another.")
    if not os.access(target.parent, os.W_OK) or (target.exists() and not os.access(target, os.W_OK)):
        raise InputError(f"report: {str(target)!r} cannot be written; check its permissions, or choose another place.")
    return target


def save(evaluation: Any, path: str | Path) -> None:
    """Writes the page or the JSON, whole or not at all."""
    from .page import page

    target = check(path)
    text = evaluation.to_json() if target.suffix.lower() == ".json" else page(evaluation)
    try:
        _write_whole(target, text)
    except OSError as reason:
        raise InputError(f"report: {str(target)!r} cannot be written ({reason.strerror}); choose another place.") from reason


def _write_whole(target, text):
    """To a draft beside the target, which then takes its place."""
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=".tallymark-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(draft, 0o666 & ~_umask())
        os.replace(draft, target)
    except BaseException:
        os.unlink(draft)
        raise


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
