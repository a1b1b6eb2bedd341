"""The parts of a result for a reader: what leads, notices, a table; Markdown and LaTeX write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

from ...evaluation.folds.of_models import FoldTables
from ...evaluation.folds.table import FoldTable
from ...evaluation.groups.of_models import GroupTables
from ...evaluation.groups.table import GroupTable
from ...evaluation.notices import Notice
from ...evaluation.paired.differences import Difference
from ...evaluation.reporting.classification_report import ClassificationReport
from ...evaluation.results import BinaryEvaluation, Evaluation, EvaluationTable, FullEvaluation
from ...evaluation.thresholds import CORRECTED
from ...inference import Estimate
from ...input import text
from ...input.results import Tabular
from ...studies.compare.answer import Comparison
from ...studies.gate.results import Verdict
from .. import first_screen, parts
from ..first_screen import Row
from ..forms import classification_report, comparison, fold_tables, folds, groups, headline, models
from .grid import Grid, grid_of

LONGEST = 60  # characters of a name


@dataclass(frozen=True, slots=True)
class Section:
    """One result of a document; empty parts are left out.

    Attributes
    ----------
    grid : Grid or None
        The table.
    heading : str
        Its name, where a document has several.
    lead : str
        The sentence that leads.
    notices : sequence of Notice
        What to consider when the numbers are read.
    above, below : str
        What stands over and under the table.
    """

    grid: Grid | None = None
    heading: str = ""
    lead: str = ""
    notices: Sequence[Notice] = ()
    above: str = ""
    below: str = ""


@singledispatch
def sections(result: Any, names: bool = False, digits: int | None = None) -> list[Section]:
    """The sections of a result: of any with rows its notices and rows.

    Of evaluations, names: identifiers in place of standard names; digits: after the point.
    """
    if not isinstance(result, Tabular):
        raise TypeError(type(result))
    grid, below = grid_of(result.table, digits), conditions_of(result)
    return [Section(grid, above=_short(result), notices=result.notices, below=below)]


def conditions_of(result: Any) -> str:
    """The design and the weights, what depends on a fixed class mix, and what the intervals are around."""
    assumed = f"{result.conditions[:1].upper()}{result.conditions[1:]}." if result.conditions else ""
    names = [row["measure"] for row in result.table if "measure" in row] if hasattr(result, "keys") else []
    found = [(name, one) for name in names if name in result and isinstance(one := result[name], Estimate)]
    evaluation = getattr(result, "evaluation", None)
    promise = parts.promise(evaluation) if isinstance(evaluation, BinaryEvaluation) else ""
    said = f"{promise[0].upper()}{promise[1:]}." if promise else ""
    around = CORRECTED if any(one.corrected is not None for _, one in found) else ""
    return " ".join(part for part in (assumed, first_screen.of_this_mix(found), said, around) if part)


def _short(result: Any) -> str:
    """The headline of a result, or else its short form, as a sentence."""
    if isinstance(headline := getattr(result, "headline", None), str):
        return headline
    return f"{repr(result).removeprefix('<').removesuffix('>')}."


# Evaluations
# --------------------------------------------------------------------------------------------------


@sections.register
def _(e: Evaluation, names: bool = False, digits: int | None = None) -> list[Section]:
    """The headline, and the measures of the first screen."""
    return [_of_one(e, first_screen.headlines(e), e.data.name, names, digits)]


@sections.register
def _(table: EvaluationTable, names: bool = False, digits: int | None = None) -> list[Section]:
    """A row for each model, a row of its differences, and each model under its name."""
    each = [
        _of_one(one, first_screen.headlines(one), text.label(name, LONGEST), names, digits)
        for name, one in table.items()
    ]
    return [*_of_models(table, names, digits), *each]


def _of_models(table: EvaluationTable, names: bool, digits: int | None) -> list[Section]:
    """A row for each model, and a row of its differences; nothing without a measure of all."""
    heads = list(table.measures) if names else [groups.title(name) for name in table.measures]
    if not heads:
        return []
    places, right = digits or parts.DIGITS, range(1, len(heads) + 1)
    rows = [[text.label(name, LONGEST), *models.cells(table, one, places)] for name, one in table.items()]
    first = [Section(Grid(["model", *heads], rows, right), lead=models.headline(table).replace("\n", " "))]
    apart = [
        [text.label(name, LONGEST), *row] for name, row in models.rows_of_differences(table, places).items()
    ]
    if apart:
        said = models.said_of(table)
        first.append(
            Section(Grid(["difference", *heads], apart, right), lead="Differences of models", below=said)
        )
    return first


@sections.register
def _(table: GroupTable, names: bool = False, digits: int | None = None) -> list[Section]:
    """A row for each group, then a row of its differences."""
    heads = list(table.measures) if names else [groups.title(name) for name in table.measures]
    shown, places = groups.largest(table, groups.ON_PAGE), digits or parts.DIGITS
    found = table.differences_of(shown)
    rows = [groups.cells(table, table[name], groups.label(name), places) for name in shown]
    rows.append(groups.cells(table, table.whole, groups.ALL_CASES, places))
    head = [", ".join(table.by), "cases", *heads]
    right = range(1, len(head))
    first = Section(Grid(head, rows, right), lead=groups.headline(table), notices=table.whole.notices)
    if not found:
        return [first]
    compared = [name for name in shown if name != table.reference]
    apart = [
        [groups.label(name), *row[1:]]
        for name, row in zip(compared, groups.rows_of_differences(found, places), strict=True)
    ]
    said = groups.said_of(table, found)
    return [first, Section(Grid(["difference", *heads], apart, right[:-1]), below=said)]


@sections.register
def _(table: GroupTables, names: bool = False, digits: int | None = None) -> list[Section]:
    """The sections of each model under its name, and the differences of the models."""
    alike = table.choose(list(table.measures))
    return [
        *_under_names(alike, names, digits),
        *_with_heading("All cases", _of_models(alike.whole, names, digits)),
    ]


def _with_heading(heading: str, found: list[Section]) -> list[Section]:
    """The sections, the first of them with a heading."""
    return [replace(found[0], heading=heading), *found[1:]] if found else []


def _under_names(table: Mapping[str, Any], names: bool, digits: int | None) -> list[Section]:
    """The sections of each model, the first with its name."""
    found: list[Section] = []
    for name, one in table.items():
        found += _with_heading(text.label(name, LONGEST), sections(one, names, digits))
    return found


@sections.register
def _(table: FoldTable, names: bool = False, digits: int | None = None) -> list[Section]:
    """A row for each measure, then a row for each fold."""
    heads = list(table.measures) if names else [groups.title(name) for name in table.measures]
    places = digits or parts.DIGITS
    of_each = zip(heads, folds.of_measures(table, places), strict=True)
    rows = [[head, *cells] for head, cells in of_each]
    first = Grid(["measure", *folds.HEAD], rows, range(1, 1 + len(folds.HEAD)))
    each = [[name, *folds.of_fold(table, name, places)] for name in list(table)[: folds.ON_PAGE]]
    head = [", ".join(table.columns), "cases", *heads]
    lead, said = folds.headline(table), folds.said_of(table)
    return [
        Section(first, lead=lead, notices=table.notices, below=said),
        Section(Grid(head, each, range(1, len(head)))),
    ]


@sections.register
def _(table: FoldTables, names: bool = False, digits: int | None = None) -> list[Section]:
    """A row for each model, pooled and as means; rows of the differences; the sections of each model."""
    alike, places = table.choose(list(table.measures)), digits or parts.DIGITS
    heads = list(alike.measures) if names else [groups.title(name) for name in alike.measures]
    right = range(1, 1 + len(heads))
    values = [
        Grid([head, *heads], fold_tables.rows(alike, part, places), right)
        for part, head in fold_tables.HEADS.items()
    ]
    apart = [
        Grid([head, *heads], fold_tables.differences(alike, part, places), right)
        for part, head in fold_tables.APART.items()
    ]
    lead, said = fold_tables.headline(alike), fold_tables.said_of_differences(alike)
    first = [Section(values[0], lead=lead), Section(values[1], below=fold_tables.said_of(alike))]
    second = [Section(apart[0], above=fold_tables.lead_of_differences(alike)), Section(apart[1], below=said)]
    return [*first, *second, *_under_names(alike, names, digits)]


@sections.register
def _(report: ClassificationReport, names: bool = False, digits: int | None = None) -> list[Section]:
    """A row for each class and average, with intervals in the cells."""
    whole = replace(report, intervals=True)
    head = ["class", *classification_report.COLUMNS.values()]
    grid = Grid(head, classification_report.rows(whole), range(1, len(head)))
    return [Section(grid, above=_short(report), notices=report.notices, below=conditions_of(report))]


@sections.register
def _(full: FullEvaluation, names: bool = False, digits: int | None = None) -> list[Section]:
    """The same with every measure."""
    found = full.evaluation
    several = found if isinstance(found, EvaluationTable) else {"": found}
    return [
        _of_one(one, _every_row(one), text.label(name, LONGEST) if len(several) > 1 else "", names, digits)
        for name, one in several.items()
    ]


def _every_row(e: Evaluation) -> list[Row]:
    return [Row(0, name, name, found) for name, found in e.estimates.items()]


def _of_one(e: Evaluation, rows: Sequence[Row], heading: str, names: bool, digits: int | None) -> Section:
    lead = "" if e.headline is None else headline.as_text(e.headline, digits)
    more = first_screen.sizes(e)
    data = (
        f"Data: {'; '.join(part for part in (e.data.called, more) if part)}." if e.data.called or more else ""
    )
    data = f"{data} {first_screen.conditions_of(e, rows, names)}".strip()
    cells = [
        (
            row.name if names else row.label,
            parts.value(row.found, digits),
            interval(row.found, digits),
            row.next_to,
        )
        for row in rows
    ]
    head = ["measure", "value", parts.level_of(e.settings.level), ""]
    return Section(Grid(head, cells, (1,)) if cells else None, heading, lead, e.notices, below=data)


def interval(found: Estimate, digits: int | None = None) -> str:
    """The interval of an estimate in a cell."""
    if found.undefined or not found.has_interval:
        return "undefined" if found.undefined else "none"
    about = " (approximate)" * any(note.kind == "approximate" for note in found.notes)
    return f"{parts.ends(found, digits=digits)}{about}"


# Comparisons and verdicts
# --------------------------------------------------------------------------------------------------


@sections.register
def _(c: Comparison, names: bool = False, digits: int | None = None) -> list[Section]:
    """The headline, and a row for each difference."""
    several = len(c.pairs) > 1
    head = ["measure", *(["models"] if several else []), *_heads(c), "difference"]
    head += [parts.level_of(c.level), "p", *comparison.adjusted(c)]
    rows = [_difference(c, one, several) for one in c.differences]
    right = tuple(range(1 + several, 4 + several))
    said = comparison.conditions_of(c)
    return [Section(Grid(head, rows, right), lead=str(c.headline), notices=c.notices, below=said)]


def _heads(c: Comparison) -> tuple[str, str]:
    """The names of the models of the only pair, or what they are in each."""
    if len(c.pairs) > 1:
        return "model", "reference"
    model, reference = (text.label(name, LONGEST) for name in c.pairs[0])
    return model, reference


def _difference(c: Comparison, one: Difference, several: bool) -> list[str]:
    pair = [f"{text.label(one.model, LONGEST)} - {text.label(one.reference, LONGEST)}"] if several else []
    p = [parts.p_value(one.p_value), *([parts.p_value(one.adjusted)] if comparison.adjusted(c) else [])]
    values = (parts.value(found) for found in (*one.models, one.estimate))
    return [parts.title(one.measure), *pair, *values, interval(one.estimate), *p]


@sections.register
def _(verdict: Verdict, names: bool = False, digits: int | None = None) -> list[Section]:
    """A heading, and a row for each requirement."""
    rows = [(finding.outcome, finding.requirement, finding.sentence) for finding in verdict.findings]
    return [
        Section(
            Grid(("outcome", "requirement", "found"), rows),
            heading=f"tallymark check: {verdict.summary}",
            notices=_severe(verdict.notices),
            above=verdict.condition or "",
            below=f"{verdict.budget}." if verdict.budget else "",
        )
    ]


def _severe(notices: Iterable[Notice]) -> list[Notice]:
    return [notice for notice in notices if notice.severe]
