"""The picture of a result."""

from __future__ import annotations

from ...input.results import Result, as_svg


def as_text(result: Result) -> str:
    """The picture, which needs nothing else."""
    return as_svg(result)
