"""A model card that has its metadata only: YAML between two lines of three hyphens, as Markdown."""

from __future__ import annotations

from ...evaluation.reporting.model_card import ModelCard
from . import yaml


def as_text(card: ModelCard) -> str:
    """The head of a README.md."""
    return f"---\n{yaml.as_text(card)}---\n"
