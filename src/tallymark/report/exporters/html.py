"""The page of a result."""

from __future__ import annotations

from ...input.results import Result


def as_text(result: Result) -> str:
    """The page, which needs nothing else."""
    return result.to_html()
