"""The JSON of a result, with a line end."""

from __future__ import annotations

from ...input.results import Result


def as_text(result: Result) -> str:
    """The JSON."""
    return result.to_json() + "\n"
