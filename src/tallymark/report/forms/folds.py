"""Folds of a cross-validation: a row per measure with its mean and its value pooled, then a row per fold."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import accumulate
from typing import Any

import numpy as np

from ...evaluation.folds.table import FoldTable
from ...inference import Estimate
from ...input import text
from ...input.spelling import either
from .. import first_screen, parts
from ..sheet import notices
from .groups import html_row, html_table, title

SHOWN = 20  # folds with a row
ON_PAGE = 200
LONGEST = 14  # characters of the name of a fold
GAP = 2  # characters between columns
OF_MODELS = "~"
HEAD = ("mean of folds", "pooled", "folds")
NO_MEASURE = "The folds have no measure of the table; see each, as table.whole."


def as_text(table: FoldTable, names: bool = False, digits: int | None = None) -> str:
    """The data, a row per measure, a row per fold, and what they rest on.

    names: identifiers in place of standard names; digits: after the point.
    """
    places = digits or parts.DIGITS
    heads = list(table.measures) if names else [title(name) for name in table.measures]
    if not heads:
        return NO_MEASURE
    rows = [[head, *cells] for head, cells in zip(heads, of_measures(table, places), strict=True)]
    first = f"{text.blocks(['measure', *HEAD], rows)}\n{text.paragraph(said_of(table), first='')}"
    second = _folds(table, heads, places)
    above = [text.paragraph(headline(table), first=""), parts.severe(table.notices)]
    blocks = (*above, first, second, _more(table, SHOWN), *parts.flagged(_of_folds(table)))
    return "\n\n".join(part for part in blocks if part)


def _folds(table: FoldTable, heads: Sequence[str], digits: int) -> str:
    """A row per fold; where no measures were chosen, with those that fit on a line."""
    shown = list(table)[:SHOWN]
    labels = text.labels(shown, LONGEST)
    rows = [[labels[name], *of_fold(table, name, digits)] for name in shown]
    head = [heading(table, LONGEST), "cases", *heads]
    widths = (max(len(row[i]) for row in (head, *rows)) + GAP for i in range(len(head)))
    fitting = sum(total - GAP <= text.WIDTH for total in accumulate(widths))
    most = fitting if table.selected is None else len(head)
    return text.blocks(head[:most], [row[:most] for row in rows])


def headline(table: FoldTable) -> str:
    """What the folds are, on one line."""
    d = table.whole.data
    predictions = "predictions" if table.repeated else "case"
    number = f"{text.count(d.rows)} {predictions}{'s' * (predictions == 'case' and d.rows != 1)}"
    more = first_screen.sizes(table.whole)
    return f"{d.head}{len(table)} folds, {number}{', ' * bool(more)}{more}"


def heading(table: FoldTable, longest: int) -> str:
    """The head of the column of the names of folds."""
    return text.label(", ".join(table.columns), longest)


def of_measures(table: FoldTable, digits: int = parts.DIGITS) -> list[list[str]]:
    """For each measure the mean, the value pooled, and the lowest to the highest value of a fold."""
    return [_of_measure(table, name, digits) for name in table.measures]


def _of_measure(table: FoldTable, name: str, digits: int) -> list[str]:
    between = _between(table.values_of(name), max(digits - 1, 2))
    return [with_mark(table.means[name], digits), with_mark(table.pooled[name], digits), between]


def with_mark(found: Estimate, digits: int = parts.DIGITS) -> str:
    """The estimate in a cell, marked where it puts scores of several models together."""
    mark = OF_MODELS * any(note.code == "scores-of-several-models" for note in found.notes)
    return parts.estimate(found, digits) + mark


def _between(values: np.ndarray, digits: int) -> str:
    """The lowest and the highest value."""
    known = values[~np.isnan(values)].tolist()
    return f"{min(known):.{digits}f} to {max(known):.{digits}f}" if known else "-"


def of_fold(table: FoldTable, name: str, digits: int = parts.DIGITS) -> list[str]:
    """The number of test cases of a fold, and the value of each measure."""
    e = table.evaluations[name]
    values = (e.estimates[measure].value for measure in table.measures)
    return [
        text.count(e.data.rows),
        *("-" if value != value else parts.rounded(value, digits) for value in values),
    ]


def said_of(table: FoldTable) -> str:
    """What the intervals are, and why some are missing."""
    return " ".join(sentences(table))


def sentences(table: FoldTable) -> list[str]:
    """The same, one by one."""
    level = f"{100 * table.whole.settings.level:.4g}%"
    least, most = (text.count(int(size)) for size in (table.trained.min(), table.trained.max()))
    cases = least if least == most else f"{least} to {most}"
    said = (
        f"Intervals: {level}, approximate, for models trained on {cases} cases"
        " (corrected resampled t, which allows for shared training cases; no exact variance is known)."
    )
    without = dict.fromkeys(
        note.text for name in table.measures for note in _reasons(table.means[name], table.pooled[name])
    )
    return [said, *(f"{reason[0].upper()}{reason[1:]}." for reason in without)]


def _reasons(*found: Estimate) -> list[Any]:
    """Why there is no interval or no value, and which folds are left out."""
    reasons = [one.undefined for one in found if one.undefined]
    reasons += [one.notes[0] for one in found if not one.undefined and not one.has_interval and one.notes]
    return reasons + [note for one in found for note in one.notes if note.code == "folds-left-out"]


def _of_folds(table: FoldTable) -> list[str]:
    """Notices on the folds that are not severe."""
    return [parts.brief(one) for one in table.notices if not one.severe and "model" not in one]


def _more(table: FoldTable, most: int) -> str:
    more = len(table) - most
    return (
        f"{text.count(more)} more fold{'s' * (more != 1)}: {either('.table', '--json')}" if more > 0 else ""
    )


def as_html(table: FoldTable) -> str:
    """The notices, a table of the measures, and one of the folds."""
    lead = ["<h1>Cross-validation</h1>", f"<p>{escape(headline(table))}</p>", notices(table), tables(table)]
    return "\n".join(block for block in lead if block)


def tables(table: FoldTable) -> str:
    """A table of the measures, and one of the folds."""
    heads, shown = [title(name) for name in table.measures], list(table)[:ON_PAGE]
    rows = [html_row(one, cells) for one, cells in zip(heads, of_measures(table), strict=True)]
    of_folds = [html_row(name, of_fold(table, name)) for name in shown]
    blocks = [
        html_table(["measure", *HEAD], rows),
        f"<p>{escape(said_of(table))}</p>",
        "<h2>Folds</h2>",
        html_table([heading(table, ON_PAGE), "cases", *heads], of_folds),
        f"<p>{escape(_more(table, ON_PAGE))}</p>" if _more(table, ON_PAGE) else "",
    ]
    return "\n".join(block for block in blocks if block)
