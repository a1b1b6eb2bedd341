"""An evaluation on one screen: the data, notices, the matrix, and the measures that most readers ask for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from math import isfinite
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
APPROXIMATE = "~ approximate: --all gives the reason"
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


def text_of(e: Evaluation, names: bool = False, digits: int | None = None) -> str:
    """What `print` shows. names: identifiers in place of standard names; digits: after the point."""
    if e.selected is not None:
        shown = [_head(e), _notices(e), _measures(e, names, digits)]
    else:
        shown = [_head(e), _notices(e), *_above(e), _measures(e, names, digits), *_below(e), _more(e)]
    return "\n\n".join(part for part in shown if part)


def _head(e: Evaluation) -> str:
    cases = f"{text.count(e.data.rows)} case{'s' * (e.data.rows != 1)}"
    lines = [f"{PurePath(e.data.source).name}: {cases}{printed.in_clusters(e)}{_sizes(e)}"]
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
    return f", {text.count(positives)} positive{share}, {text.count(negatives)} negative{_threshold(e)}"


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


def _measures(e: Evaluation, names: bool, digits: int | None) -> str:
    rows = headlines(e)
    if not rows:
        return ""
    intervals = [_interval(row.found, digits) for row in rows]
    width = max(map(len, intervals))
    cells = [
        [row.name if names else row.label, _value(row.found, digits), f"{of:{width}}  {row.next_to}".rstrip()]
        for row, of in zip(rows, intervals, strict=True)
    ]
    table = text.aligned(["measure", "value", parts.level_of(e.settings.level)], cells, right=(1,))
    return f"{table}\n{APPROXIMATE}" if any(of.startswith("~") for of in intervals) else table


def _value(found: Estimate, digits: int | None) -> str:
    return "-" if found.undefined else _number(found.value, digits)


def _interval(found: Estimate, digits: int | None) -> str:
    """With ~ before one that is approximate."""
    if found.undefined or not found.has_interval:
        return "undefined" if found.undefined else "none"
    about = "~" * any(note.kind == "approximate" for note in found.notes)
    return f"{about}[{_number(found.low, digits)}, {_number(found.high, digits)}]"


def _number(value: float, digits: int | None) -> str:
    """So many digits after the point, by default three, and none from a thousand on.

    A number that this would show as 0, or that is very large, has so many significant digits.
    """
    size = abs(value)
    if digits is None:
        digits = 0 if LARGE <= size < LARGEST else DIGITS
    if not isfinite(value):
        return text.number(value)
    tiny = 0 < size < 10.0**-digits / 2
    return f"{value:.{max(digits, 1)}g}" if tiny or size >= LARGEST else f"{value:.{digits}f}"


def headlines(e: Evaluation) -> list[Row]:
    """The measures of the screen, in their order: those that were chosen, or those with a headline."""
    if e.selected is not None:
        return [_row(e, name, e.entry(name).headline or Headline(0, name)) for name in e.selected]
    return sorted([*_of_measures(e), *_of_averages(e)], key=lambda row: row.place)


def _of_measures(e: Evaluation) -> Iterator[Row]:
    scored = isinstance(e, BinaryEvaluation) and e.ranking is not None
    for name in e.estimates:
        head = e.entry(name).headline
        if head is not None and not (scored and head.labels_only):
            yield _row(e, name, head)


def _row(e: Evaluation, name: str, head: Headline) -> Row:
    found = e.shown[name] if e.selected is not None else e.estimates[name]
    return Row(head.place, head.label, name, found, _corrected(found) or _other(e, name, head))


def _corrected(found: Estimate) -> str:
    """The value without optimism, if the threshold was chosen on the same cases; its interval is shown."""
    return "" if found.corrected is None else f"corrected {_number(found.corrected, None)}"


def _other(e: Evaluation, name: str, head: Headline) -> str:
    if head.next_to is None:
        known = name == "accuracy" and e.baselines
        return f"majority class {_number(e.baselines['largest class'], None)}" if known else ""
    called, other = head.next_to
    return f"{called} {_number(e.estimates[other].value, None)}" if other in e.estimates else ""


def _of_averages(e: Evaluation) -> Iterator[Row]:
    if not isinstance(e, ClasswiseEvaluation):
        return
    for entry in registry.find(Counts):
        head = entry.headline
        for kind in head.averages if head is not None else ():
            assert head is not None
            found = e.averages[kind][entry.name]
            yield Row(head.place, f"{kind.capitalize()} {_short(head.label)}", f"{kind} {entry.name}", found)


def _short(label: str) -> str:
    """In the middle of a name: "precision" of "Precision (PPV)", but "F1"."""
    word = label.split(" (")[0]
    return word[0].lower() + word[1:] if word[1:].islower() else word


def _more(e: Evaluation) -> str:
    shown = {row.name for row in headlines(e)}
    more = sum(name not in shown for name in e.estimates)
    what = f"{more} more measure{'s' * (more != 1)}" if more else "methods and notes"
    return f"{what}: --all    page{' with curves' * _has_curves(e)}: --report page.html"


def _has_curves(e: Evaluation) -> bool:
    return isinstance(e, BinaryEvaluation) and e.ranking is not None
