"""A curve: as HTML its picture."""

from __future__ import annotations

from html import escape

from ...curves import Curve
from ..svg import draw, standalone


def as_html(curve: Curve) -> str:
    """The picture, with what it is below."""
    caption = f"<figcaption>{escape(repr(curve))}</figcaption>"
    return f"<figure>\n{draw(curve, title=curve.name)}\n{caption}\n</figure>"


def as_svg(curve: Curve) -> str:
    """The picture alone, as a file."""
    return standalone(curve)
