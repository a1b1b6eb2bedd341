"""The metadata of a model card: as text its YAML."""

from __future__ import annotations

from html import escape

from ...evaluation.reporting.model_card import ModelCard
from ..exporters import yaml


def as_text(card: ModelCard) -> str:
    """The YAML."""
    return yaml.as_text(card).rstrip("\n")


def as_html(card: ModelCard) -> str:
    """The same."""
    return f"<pre>{escape(as_text(card))}</pre>"
