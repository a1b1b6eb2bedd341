"""Pieces of text that several results print: an interval, a p-value, lines that are marked."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from ..inference import Estimate
from ..input import text


def interval(found: Estimate, none: str = "none") -> str:
    """Both ends of an estimate's interval; none: what stands there without one."""
    return f"{text.number(found.low)} to {text.number(found.high)}" if found.has_interval else none


def p_value(value: float) -> str:
    """Four decimals."""
    return "-" if isnan(value) else "<0.0001" if value < 1e-4 else f"{value:.4f}"


def marked(lines: Iterable[object], mark: str = "! ") -> list[str]:
    """Each as a paragraph after its mark: "!" of what must be read with the numbers."""
    return [text.paragraph(str(line), first=mark) for line in lines]


def listed(sentences: Iterable[str]) -> str:
    """Sentences without their full stop, below one another."""
    return "\n".join(text.paragraph(f"{sentence}.", "  ", "* ") for sentence in sentences)
