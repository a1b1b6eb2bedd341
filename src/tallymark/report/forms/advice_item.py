"""One piece of advice: as text its sentence, with its code and source."""

from __future__ import annotations

from ...evaluation.advice.answer import Item


def as_text(item: Item) -> str:
    """The sentence, with its code and source, and what another source says."""
    other = f" Sources disagree: {item.disagreement}" if item.disagreement else ""
    return f"{item.text} [{item.code}; {item.source}]{other}"
