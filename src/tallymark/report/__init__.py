"""What an evaluation leaves behind: a page or a JSON file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import writing

WRITERS = (".html", ".htm", ".json")


def check(path: str | Path) -> Path:
    """The path, if a report can be written there; to be asked before the work. Raises InputError."""
    return writing.check(path, "report", WRITERS)


def save(evaluation: Any, path: str | Path) -> None:
    """Writes the page or the JSON, whole or not at all."""
    from .page import page

    target = check(path)
    writing.write_text(target, "report", evaluation.to_json() if target.suffix.lower() == ".json" else page(evaluation))
