"""An evaluation on one screen: the data, notices, the matrix, and the measures that most readers ask for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from pathlib import PurePath
from typing import NamedTuple

from ..evaluation.results import (
    BinaryEvaluation,
    ClasswiseEvaluation,
    Evaluation,
    MulticlassEvaluation,
)
from ..inference import Estimate
from ..input import text
from ..measures import registry
from ..measures.headline import Headline
from ..summaries import Counts
from . import parts, printed
from .forms import confusion, contingency

DIGITS = 3
LARGE, LARGEST = 1_000, 1e9  # from where no digits follow the point, and as far as all are written
NOTICES = 3  # that stand on the screen
MATRIX_CLASSES = 10  # of which the matrix is shown
LISTED_CLASSES = 10  # of which each has a line; of more, the worst and the best


class Row(NamedTuple):
    """A line of the table: its place, both names, the estimate, and a second number with its name."""

    place: int
    label: str
    name: str
    found: Estimate
    next_to: str = ""


def text_of(e: Evaluation, names: bool = False, digits: int = DIGITS) -> str:
    """What `print` shows. names: identifiers in place of standard names; digits: after the point."""
    if e.selected is not None:
        shown = [_head(e), _notices(e), _measures(e, names, digits)]
    else:
        shown = [_head(e), _notices(e), *_above(e), _measures(e, names, digits), *_below(e), _more(e)]
    return "\n\n".join(part for part in shown if part)


def _head(e: Evaluation) -> str:
    lines = [
        f"{PurePath(e.data.source).name}: {text.count(e.data.rows)} cases{printed.in_clusters(e)}{_sizes(e)}"
    ]
    lines += [e.conditions] if e.conditions else []
    return "\n".join(text.paragraph(line, first="") for line in lines)


@singledispatch
def _sizes(e: Evaluation) -> str:
    """How many cases there are of what, and where the threshold is."""
    return printed.sizes(e).replace(": ", ", ", 1)


@_sizes.register
def _(e: BinaryEvaluation) -> str:
    positives, negatives = e.data.positives or 0, e.data.negatives or 0
    of = positives + negatives
    share = f" ({100 * positives / of:.3g} %)" if of else ""
    return f", {text.count(positives)} positive{share}{_threshold(e)}"


def _threshold(e: BinaryEvaluation) -> str:
    if e.threshold is None or e.threshold.value is None:
        return ""
    side = ">=" if e.higher_is_positive else "<="
    return f"; positive where score {side} {text.exact(e.threshold.value)} ({e.threshold.rule})"


def _notices(e: Evaluation) -> str:
    found = e.notices
    more = len(found) - NOTICES
    lines = parts.flagged(found[:NOTICES])
    lines += [f"! {more} more notice{'s' * (more != 1)}: --all"] if more > 0 else []
    return "\n".join(lines)


@singledispatch
def _above(e: Evaluation) -> list[str]:
    """The tables of the task above the measures."""
    return []


@_above.register
def _(e: BinaryEvaluation) -> list[str]:
    return [contingency.cells(e.two_by_two)]


@_above.register
def _(e: MulticlassEvaluation) -> list[str]:
    return [confusion.as_text(e.matrix)] if len(e.matrix) <= MATRIX_CLASSES else []


@singledispatch
def _below(e: Evaluation) -> list[str]:
    """The tables of the task below the measures."""
    return []


@_below.register
def _(e: ClasswiseEvaluation) -> list[str]:
    return [printed.class_table(e, LISTED_CLASSES)]


@_below.register
def _(e: MulticlassEvaluation) -> list[str]:
    few = len(e.matrix) <= MATRIX_CLASSES
    return [printed.class_table(e, LISTED_CLASSES), "" if few else printed.confusion_table(e)]


# The measures
# --------------------------------------------------------------------------------------------------


def _measures(e: Evaluation, names: bool, digits: int) -> str:
    rows = headlines(e)
    if not rows:
        return ""
    intervals = [_interval(row.found, digits) for row in rows]
    width = max(map(len, intervals))
    cells = [
        [row.name if names else row.label, _value(row.found, digits), f"{of:{width}}  {row.next_to}".rstrip()]
        for row, of in zip(rows, intervals, strict=True)
    ]
    return text.aligned(["measure", "value", parts.level_of(e.settings.level)], cells, right=(1,))


def _value(found: Estimate, digits: int) -> str:
    return "-" if found.undefined else _number(found.value, digits)


def _interval(found: Estimate, digits: int) -> str:
    """With ~ before one that is approximate."""
    if found.undefined or not found.has_interval:
        return "undefined" if found.undefined else "none"
    about = "~" * any(note.kind == "approximate" for note in found.notes)
    return f"{about}[{_number(found.low, digits)}, {_number(found.high, digits)}]"


def _number(value: float, digits: int) -> str:
    """So many digits after the point, none from a thousand on; of tiny ones the first that are not 0."""
    return f"{value:,.0f}" if LARGE <= abs(value) < LARGEST else text.number(value, digits)


def headlines(e: Evaluation) -> list[Row]:
    """The measures of the screen, in their order."""
    if e.selected is not None:
        chosen = [(name, e.entry(name).headline) for name in e.selected]
        return [Row(0, head.label if head else name, name, e.shown[name]) for name, head in chosen]
    return sorted([*_of_measures(e), *_of_averages(e)], key=lambda row: row.place)


def _of_measures(e: Evaluation) -> Iterator[Row]:
    scored = isinstance(e, BinaryEvaluation) and e.ranking is not None
    for name, (entry, head) in _headed(e).items():
        if not (scored and head.labels_only):
            found = e.estimates[name]
            yield Row(head.place, head.label, name, found, _next_to(e, entry, head) or _corrected(found))


def _headed(e: Evaluation) -> dict[str, tuple[registry.Measure, Headline]]:
    """By name those of the screen; of a task without any all."""
    entries = [e.entry(name) for name in e.estimates]
    found = {entry.name: (entry, entry.headline) for entry in entries if entry.headline is not None}
    return found or {entry.name: (entry, Headline(place, entry.name)) for place, entry in enumerate(entries)}


def _next_to(e: Evaluation, entry: registry.Measure, head: Headline) -> str:
    if head.next_to is None:
        known = entry.name == "accuracy" and e.baselines
        return f"majority class {text.number(e.baselines['largest class'], DIGITS)}" if known else ""
    called, other = head.next_to
    return f"{called} {text.number(e.estimates[other].value, DIGITS)}" if other in e.estimates else ""


def _corrected(found: Estimate) -> str:
    """The value without optimism, if the threshold was chosen on the same cases; its interval is shown."""
    return "" if found.corrected is None else f"corrected {text.number(found.corrected, DIGITS)}"


def _of_averages(e: Evaluation) -> Iterator[Row]:
    if not isinstance(e, ClasswiseEvaluation):
        return
    for entry in registry.find(Counts):
        head = entry.headline
        for kind in head.averages if head is not None else ():
            assert head is not None
            label, name = f"{kind.capitalize()} {head.label}", f"{kind} {entry.name}"
            yield Row(head.place, label, name, e.averages[kind][entry.name])


def _more(e: Evaluation) -> str:
    more = len(e.estimates) - len(headlines(e))
    return f"{more} more measures: --all    page with curves: --report page.html" if more > 0 else ""
