"""The text of a result, as `print` shows it."""

from __future__ import annotations

from ...input.results import Result
from ...input.terminal import shown_on


def as_text(result: Result) -> str:
    """The text, 80 columns wide and without colours, with a line end."""
    with shown_on(None):
        return f"{result}\n"
