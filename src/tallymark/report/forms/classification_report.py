"""A classification report as text, in the layout of scikit-learn."""

from __future__ import annotations

from itertools import groupby

from ...evaluation.reporting.classification_report import ClassificationReport, ReportRow
from ...inference import Estimate
from ...input import text

COLUMNS = {"precision": "precision", "recall": "recall", "f1": "f1-score", "support": "support"}
NARROWEST, NAME = 9, 12  # characters of a column, and of "weighted avg"
LONGEST = 32  # characters of a label


def as_text(report: ClassificationReport) -> str:
    """A row for each class, then the accuracy and the averages."""
    cells, header = rows(report), ["", *COLUMNS.values()]
    first = max(NAME, *(len(row[0]) for row in cells))
    widths = [max(NARROWEST, *(len(row[i]) for row in (header, *cells))) for i in range(1, len(header))]
    lines = [_line(row, first, widths) for row in cells]
    groups = [
        [line for line, _ in group]
        for _, group in groupby(zip(lines, report.rows, strict=True), lambda one: one[1].kind == "class")
    ]
    assumed = [text.paragraph(report.conditions, first="")] if report.intervals and report.conditions else []
    return "\n\n".join([_line(header, first, widths), *("\n".join(group) for group in groups), *assumed])


def rows(report: ClassificationReport) -> list[list[str]]:
    """The names and cells of all rows."""
    names = _names(report)
    return [[names[i], *_cells(row, report)] for i, row in enumerate(report.rows)]


def _names(report: ClassificationReport) -> list[str]:
    labels = text.labels([str(row.label) for row in report.rows if row.kind == "class"], LONGEST)
    return [
        labels[str(row.label)] if row.kind == "class" else f"{row.label}{' avg' * (row.kind == 'average')}"
        for row in report.rows
    ]


def _line(cells: list[str], first: int, widths: list[int]) -> str:
    numbers = (f"{cell:>{width}}" for cell, width in zip(cells[1:], widths, strict=True))
    return f"{cells[0]:>{first}}  {' '.join(numbers)}"


def _cells(row: ReportRow, report: ClassificationReport) -> list[str]:
    """The cells of a row; the accuracy stands in the column of f1, as in scikit-learn."""
    found = {"f1": row.estimates["accuracy"]} if row.kind == "accuracy" else row.estimates
    measured = [_cell(found[name], report) if name in found else "" for name in list(COLUMNS)[:-1]]
    return [*measured, f"{row.support:.10g}"]


def _cell(found: Estimate, report: ClassificationReport) -> str:
    if found.undefined:
        return "-"
    value = f"{found.centre:.{report.digits}f}"
    if not (report.intervals and found.has_interval):
        return value
    return f"{value} [{found.low:.{report.digits}f}, {found.high:.{report.digits}f}]"
