"""A curve: as text what it is, as HTML its picture."""

from __future__ import annotations

from html import escape

from ...curves import Curve
from ...input import text
from ..svg import draw, standalone


def as_text(curve: Curve) -> str:
    """What it is, what its band is for, and why there is none."""
    why = curve.about.note if curve.about is not None else None
    return "\n".join(text.paragraph(line, first="") for line in (repr(curve), why, curve.conditions) if line)


def as_html(curve: Curve) -> str:
    """The picture, with what it is below."""
    said = "; ".join(part for part in (repr(curve), curve.conditions) if part)
    caption = f"<figcaption>{escape(said)}</figcaption>"
    return f"<figure>\n{draw(curve, title=curve.name)}\n{caption}\n</figure>"


def as_svg(curve: Curve) -> str:
    """The picture alone, as a file."""
    return standalone(curve)
