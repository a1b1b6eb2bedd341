"""The confusion matrix as a heat map: counts, and shares of the actual classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evaluation.results import BinaryEvaluation, MulticlassEvaluation, MultilabelEvaluation
from ...input import text
from ...input.validate import InputError
from ...summaries import Counts
from . import words
from .picture import Cells, Panel, Picture
from .registry import kind
from .source import ALONE, MOST, Source

WITH_WITHOUT = ("with", "without")
MOST_TEXTS = 20  # classes whose cells have texts
LONGEST = 16  # characters of a label
WITH_SHARE = 12  # classes whose cells have the share, too


@kind(
    "Confusion matrix",
    BinaryEvaluation, MulticlassEvaluation,
    way="apart", needs="two classes or several", intervals=False,
)  # fmt: skip
def confusion(e: BinaryEvaluation | MulticlassEvaluation, name: str) -> Panel:
    """Rows are actual classes, the positive one first, columns predicted ones; colours are shares of rows."""
    labels, weights = _matrix(e)
    limit = words.threshold(e) if isinstance(e, BinaryEvaluation) else ""
    predicted = f"predicted ({limit})" if limit else "predicted"
    return _panel(weights, tuple(text.labels(map(str, labels), LONGEST).values()), predicted, name)


def _panel(weights: np.ndarray, labels: tuple[str, ...], predicted: str, title: str) -> Panel:
    sums = weights.sum(axis=1, keepdims=True)
    shares = np.divide(weights, sums, out=np.full_like(weights, np.nan), where=sums > 0)
    cells = Cells(shares, _texts(weights, shares), labels, "share of the actual class")
    return Panel((cells,), predicted, "actual", title=title, key=None)


@kind(
    "Confusion matrix of each label",
    MultilabelEvaluation,
    way="whole",
    needs="several labels",
    name="confusion",
)
def of_labels(e: MultilabelEvaluation, *, classes: Any = None) -> Picture:
    """A matrix for each label: whether a case has it, and whether it was predicted."""
    counts = e.class_counts
    chosen = _chosen([*counts], classes)
    names = text.labels(chosen, LONGEST)
    panels = [_of_counts(counts[label], names[label]) for label in chosen]
    title = f"Confusion matrix of {names[chosen[0]] if len(chosen) == 1 else 'each label'}"
    return Picture("confusion", tuple(panels), title, Source(e, {ALONE: e}).facts[:1])


def _chosen(labels: list[Any], classes: Any) -> list[Any]:
    """The labels that are drawn. Raises InputError for others, and for too many."""
    chosen = labels if classes is None else list(classes) if isinstance(classes, (list, tuple)) else [classes]
    strange = [one for one in chosen if one not in labels]
    if strange:
        raise InputError("unknown-name", "classes", f"{strange[0]!r} is not a label here", value=strange[0])
    if len(chosen) > MOST:
        problem = f"there are {len(chosen):,} labels, and one figure shows {MOST} at most"
        raise InputError("needed", "classes", problem, f"name some, as classes={chosen[:3]!r}")
    return chosen


def _of_counts(c: Counts, name: str) -> Panel:
    return _panel(_positive_first(c), WITH_WITHOUT, "predicted", name)


def _matrix(e: BinaryEvaluation | MulticlassEvaluation) -> tuple[tuple[object, ...], np.ndarray]:
    if isinstance(e, MulticlassEvaluation):
        return e.matrix.answers, np.asarray(e.matrix.weights, float)
    return e.labels[::-1], _positive_first(e.counts)


def _positive_first(c: Counts) -> np.ndarray:
    return np.array([[c.tp, c.fn], [c.fp, c.tn]], float)


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
