"""The figures on the page of an evaluation of two classes."""

from __future__ import annotations

from html import escape

from ..curves import OF_PROBABILITIES
from ..evaluation.results import BinaryEvaluation
from . import svg
from .figure import Figure
from .figures import figures

SHOWN = ("roc", "pr", "reliability_equal_mass", "density", "thresholds", "decision")


def curves(e: BinaryEvaluation) -> str:
    """The figures; empty where there are no scores, or only one class."""
    if e.ranking is None or not e.both_classes:
        return ""
    found = [
        figures(e, name)[0]
        for name in SHOWN
        if e.probabilities or name not in (*OF_PROBABILITIES, "reliability_equal_mass")
    ]
    parts = "\n".join(map(_figure, found))
    return f'<h2>Curves</h2>\n<div class="curves">\n{parts}\n</div>'


def _figure(one: Figure) -> str:
    said = [*one.facts, *(each.label for each in one.named), one.band]
    caption = f"{one.title}: {'; '.join(filter(None, said))}."
    return f"<figure>\n{svg.draw(one)}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"
