"""The confusion matrix as a heat map: counts, and shares of the actual classes."""

from __future__ import annotations

import numpy as np

from ...evaluation.results import BinaryEvaluation, MulticlassEvaluation
from ...input import text
from . import words
from .picture import Cells, Panel
from .registry import kind

MOST_TEXTS = 20  # classes whose cells have texts
LONGEST = 16  # characters of a label
WITH_SHARE = 12  # classes whose cells have the share, too


@kind(
    "Confusion matrix",
    BinaryEvaluation, MulticlassEvaluation,
    way="apart", needs="two classes or several", intervals=False,
)  # fmt: skip
def confusion(e: BinaryEvaluation | MulticlassEvaluation, name: str) -> Panel:
    """Rows are actual classes and columns predicted ones; the colour is the share of the row."""
    labels, weights = _matrix(e)
    sums = weights.sum(axis=1, keepdims=True)
    shares = np.divide(weights, sums, out=np.full_like(weights, np.nan), where=sums > 0)
    limit = words.threshold(e) if isinstance(e, BinaryEvaluation) else ""
    predicted = f"predicted ({limit})" if limit else "predicted"
    shown = tuple(text.labels(map(str, labels), LONGEST).values())
    return Panel(
        (Cells(shares, _texts(weights, shares), shown, "share of the actual class"),),
        predicted, "actual", title=name, key=None,
    )  # fmt: skip


def _matrix(e: BinaryEvaluation | MulticlassEvaluation) -> tuple[tuple[object, ...], np.ndarray]:
    if isinstance(e, MulticlassEvaluation):
        return tuple(e.matrix.labels), np.asarray(e.matrix.weights, float)
    c = e.counts
    return e.labels, np.array([[c.tn, c.fp], [c.fn, c.tp]], float)


def _texts(weights: np.ndarray, shares: np.ndarray) -> tuple[tuple[str, ...], ...] | None:
    if len(weights) > MOST_TEXTS:
        return None
    both = zip(weights.tolist(), shares.tolist(), strict=True)
    return tuple(tuple(_text(n, share, len(weights)) for n, share in zip(*row, strict=True)) for row in both)


def _text(weight: float, share: float, classes: int) -> str:
    """The count, and below it the share of the row; an empty cell of many classes is left empty."""
    if classes > 2 and not weight:
        return ""
    count = f"{weight:,.6g}"
    return count if classes > WITH_SHARE or np.isnan(share) else f"{count}\n{100 * share:.1f}%"
