"""A confusion matrix as a table of HTML. Labels are escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from ..input import text

MOST_CLASSES = 30  # whose matrix is still drawn
LONGEST_LABEL = 24  # the whole label is the title of its cell
MOST_UPRIGHT = 40  # characters of all labels together: of more, the heads of the columns are turned


def drawn(matrix: Any) -> bool:
    """Whether it has few enough classes."""
    return len(matrix) <= MOST_CLASSES


def matrix_table(matrix: Any) -> str:
    """Rows are true classes and columns predicted ones."""
    labels = text.labels(map(str, matrix.labels), LONGEST_LABEL)
    kind = "matrix" if sum(map(len, labels.values())) <= MOST_UPRIGHT else "matrix large"
    head = "".join(f'<th class="n"{_title(*one)}><span>{escape(one[1])}</span></th>' for one in labels.items())
    rows = zip(labels.items(), matrix.to_dict()["rows"], strict=True)
    body = "\n".join(_row(i, *row) for i, row in enumerate(rows))
    table = f'<table class="{kind}">\n<tr><th>true \\ predicted</th>{head}</tr>\n{body}\n</table>'
    return f'<div class="scroll">{table}</div>'


def _title(label: str, short: str) -> str:
    """The whole label, where it is not shown."""
    return "" if label == short else f' title="{escape(label, quote=True)}"'


def _row(index: int, label: tuple[str, str], row: Sequence[float]) -> str:
    cells = "".join(f'<td class="n{" diagonal" * (i == index)}">{cell:,.9g}</td>' for i, cell in enumerate(row))
    return f"<tr><th{_title(*label)}>{escape(label[1])}</th>{cells}</tr>"
