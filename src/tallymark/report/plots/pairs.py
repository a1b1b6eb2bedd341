"""Every pair of a positive and a negative: the area under the ROC curve as the share of dark cells."""

from __future__ import annotations

from ...evaluation.results import BinaryEvaluation
from ...evaluation.threshold_table import PairsMatrix
from .picture import Cells, Panel, Picture
from .registry import kind

TITLE, NEEDS = "Pairs of positives and negatives", "two classes with scores"


@kind(TITLE, BinaryEvaluation, way="apart", needs=NEEDS, intervals=False)
def pairs(e: BinaryEvaluation, name: str) -> Panel:
    """Rows are positives, the highest score first, columns negatives, the lowest first."""
    return _panel(e.pairs_matrix, name)


@kind(TITLE, PairsMatrix, way="whole", needs=NEEDS, name="pairs", intervals=False)
def of_pairs(found: PairsMatrix) -> Picture:
    """The same of pairs that are known."""
    return Picture("pairs", (_panel(found, ""),), TITLE, (f"{found.cells.mean():.3f} in the right order",))


def _panel(found: PairsMatrix, title: str) -> Panel:
    positives, negatives = (
        tuple(f"{score:.4g}" for score in scores.tolist()) for scores in (found.positives, found.negatives)
    )
    cells = Cells(found.cells, None, positives, "1: right order, 0.5: tied, 0: wrong", negatives)
    return Panel((cells,), "scores of negatives", "scores of positives", title=title, key=None)
