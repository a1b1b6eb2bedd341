"""A confusion matrix: its labels and cells. Labels are escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from ...input import text
from ...summaries import ConfusionMatrix
from . import rows

MOST_CLASSES = 30  # whose matrix is still drawn
LABEL_WIDTHS = (80, 40, 24, 16, 12, 8)  # of text: the first with which all classes fit
EXCERPT_LABEL = 12
NARROWEST_COLUMN = 3  # with the gap
LONGEST_LABEL = 24  # the whole label is the title of its cell
MOST_UPRIGHT = 40  # characters of all labels together: of more, the heads of the columns are turned


def as_text(matrix: ConfusionMatrix) -> str:
    """The matrix, actual classes as rows; of many classes as many as fit the terminal."""
    width = text.terminal_width()
    if len(matrix) * NARROWEST_COLUMN <= width:
        for longest in LABEL_WIDTHS:
            whole = _table(_names(matrix, longest), matrix.weights, _names(matrix, longest, matrix.answers))
            if text.fits(whole, width):
                return whole
    return "\n".join(
        [
            _excerpt(matrix, width),
            text.paragraph(f"{len(matrix):,} classes in all: .labels and .weights have them.", first=""),
        ]
    )


def as_html(matrix: ConfusionMatrix) -> str:
    """A table, or of many classes the first cells as rows."""
    return matrix_table(matrix) if drawn(matrix) else rows.as_html(matrix)


def _excerpt(matrix: ConfusionMatrix, width: int) -> str:
    """The first classes that fit, and the sums over the others."""
    most = min(len(matrix) - 1, width // NARROWEST_COLUMN)
    weights = _summed_from(matrix.weights, most)
    shortened = (_names(matrix, longest) for longest in (EXCERPT_LABEL, LABEL_WIDTHS[-1]))
    last = ""
    for names in shortened:
        for size in range(most, 0, -1):
            last = _table(_and_more(names, size), _summed_from(weights, size))
            if text.fits(last, width):
                return last
    return last


def _names(matrix: ConfusionMatrix, longest: int, labels: Sequence[Any] | None = None) -> list[str]:
    return list(text.labels(matrix.labels if labels is None else labels, longest).values())


def _table(names: Sequence[str], weights: np.ndarray, columns: Sequence[str] | None = None) -> str:
    header = ["actual \\ predicted", *(names if columns is None else columns)]
    rows = [[label, *map(text.count, row)] for label, row in zip(names, weights.tolist(), strict=False)]
    return text.aligned(header, rows, right=range(1, len(header)))


def _and_more(names: Sequence[str], size: int) -> list[str]:
    return [*names[:size], f"({len(names) - size:,} more)"]


def _summed_from(weights: np.ndarray, size: int) -> np.ndarray:
    """The first `size` rows and columns, and the sums over the others."""
    starts = range(size + 1)
    return np.add.reduceat(np.add.reduceat(weights, starts, 0), starts, 1)


def drawn(matrix: ConfusionMatrix) -> bool:
    """Whether it has few enough classes."""
    return len(matrix) <= MOST_CLASSES


def matrix_table(matrix: ConfusionMatrix) -> str:
    """Rows are actual classes and columns predicted ones."""
    labels = text.labels(map(str, matrix.answers), LONGEST_LABEL)
    kind = "matrix" if sum(map(len, labels.values())) <= MOST_UPRIGHT else "matrix large"
    head = "".join(
        f'<th class="n"{_title(*one)}><span>{escape(one[1])}</span></th>' for one in labels.items()
    )
    lines = list(zip(labels.items(), matrix.to_dict()["rows"], strict=True))[: len(matrix)]
    body = "\n".join(_row(i, *line) for i, line in enumerate(lines))
    table = f'<table class="{kind}">\n<tr><th>actual \\ predicted</th>{head}</tr>\n{body}\n</table>'
    return f'<div class="scroll">{table}</div>'


def _title(label: str, short: str) -> str:
    """The whole label, where it is not shown."""
    return "" if label == short else f' title="{escape(label, quote=True)}"'


def _row(index: int, label: tuple[str, str], row: Sequence[float]) -> str:
    cells = "".join(
        f'<td class="n{" diagonal" * (i == index)}">{text.count(cell)}</td>' for i, cell in enumerate(row)
    )
    return f"<tr><th{_title(*label)}>{escape(label[1])}</th>{cells}</tr>"
