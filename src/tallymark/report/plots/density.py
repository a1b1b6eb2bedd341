"""The distribution of the scores of each class, with the threshold."""

from __future__ import annotations

from ...evaluation.results import BinaryEvaluation
from ...input import text
from . import style, words
from .of_curves import NEEDS
from .picture import Bars, Panel, Rule
from .registry import kind

BINS = 30


@kind("Distribution of the scores", BinaryEvaluation, way="apart", needs=NEEDS, intervals=False)
def density(e: BinaryEvaluation, name: str, *, bins: int | None = None) -> Panel:
    """A histogram of each class, of area 1."""
    curve = e.curve("density", bins=BINS if bins is None else bins)
    edges, numbers = curve.x, (e.data.positives or 0, e.data.negatives or 0)
    order = slice(None, None, -1 if e.higher_is_positive else 1)
    layers = [
        Bars(edges[order], line[1:][order], _named(e, look, numbers[look]), look, style.hatch(look))
        for look, line in enumerate(curve.lines.values())
    ]
    limit = [] if e.limit is None else [Rule(e.limit, words.threshold(e))]
    return Panel((*layers, *limit), "score", "density", title=name)


def _named(e: BinaryEvaluation, look: int, number: float) -> str:
    """The class: its kind, its label where that says more, its number of cases."""
    kind, label = ("positive", "negative")[look], e.labels[1 - look]
    shown = "" if label in (0, 1, kind) else f" ({text.label(label, 24)})"
    return f"{kind}{shown}, n = {text.count(number)}"
