"""An evaluation on one screen: the data, notices, the matrix, and the measures that most readers ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from itertools import accumulate
from typing import NamedTuple

from ..evaluation.notices import Notice
from ..evaluation.results import (
    BinaryEvaluation,
    ClasswiseEvaluation,
    Evaluation,
    MulticlassEvaluation,
)
from ..inference import Estimate
from ..input import text
from ..input.data_info import Task, conditions
from ..input.spelling import either
from ..input.terminal import FAINT, RED, coloured
from ..measures.headline import Headline
from . import parts, printed
from .forms import confusion, contingency, headline

ALSO = "Also, see {}: "
APPROXIMATE = "~ approximate: {} gives the reason"
LINES: dict[Task, int] = {"binary": 36, "multiclass": 45, "multilabel": 45, "regression": 30}  # at most
OTHERS = 2  # notices that are not severe, as far as there is room
MATRIX_CLASSES = 10  # of which the matrix is shown
LISTED_CLASSES = 10  # of which each has a line, as far as there is room; of more, the worst and the best
FEWEST_CLASSES = 4
MISTAKES = 5  # that are named where the matrix is not shown


class Row(NamedTuple):
    """A line of the table: its place, both names, the estimate, and a second number with its name."""

    place: int | None
    label: str
    name: str
    found: Estimate
    next_to: str = ""


def in_full() -> str:
    """How everything is printed."""
    return either("ev.all", "--all")


def text_of(e: Evaluation, names: bool = False, digits: int | None = None) -> str:
    """What `print` shows. names: identifiers in place of standard names; digits: after the point."""
    e.add_up(_heads(e))  # what the measures of the screen need, before one of them is estimated
    head, measures = [_sentence(e, digits), _head(e)], _measures(e, names, digits)
    body = [measures] if e.selected is not None else [*_above(e), measures]
    foot = [] if e.selected is not None else [*_mistakes(e), _more(e)]
    room = LINES[e.task] - height([*head, _notices(e, 0), *body, *foot])
    classes = [] if e.selected is not None else [_classes(e, room)]
    room -= height(classes)
    return "\n\n".join(part for part in (_top(e, head, room), *body, *classes, *foot) if part)


def _top(e: Evaluation, head: Sequence[str], room: int) -> str:
    """What stands above the tables, closer together where severe notices take more lines than there are."""
    above = [part for part in head if part]
    if room >= 0:
        return "\n\n".join(part for part in (*above, _notices(e, room)) if part)
    return "\n".join((*above, _notices(e, room + len(above))))


def height(parts: Sequence[str]) -> int:
    """The lines of all parts, each with a blank one."""
    return sum(_lines(part) + 1 for part in parts if part)


def _sentence(e: Evaluation, digits: int | None) -> str:
    return "" if e.headline is None else text.paragraph(headline.as_text(e.headline, digits), first="")


def circumstances(e: Evaluation) -> str:
    """`sizes`, and the design and the weights unless they are the usual ones."""
    return "; ".join(part for part in (sizes(e).removeprefix("; "), unusual_conditions(e)) if part)


def _head(e: Evaluation) -> str:
    lines = [f"{e.data.head}{sizes(e)}".removesuffix(": "), unusual_conditions(e)]
    return "\n".join(text.paragraph(line, first="") for line in lines if line)


def unusual_conditions(e: Evaluation) -> str:
    """The design and the weights, but for a cohort, which is the usual design."""
    usual = e.design == "cohort" and not e.mix_fixed_by_weights
    return conditions(None, e.data.weight_kind) if usual else e.conditions


@singledispatch
def sizes(e: Evaluation) -> str:
    """What the headline does not say of the data: the share of positives, the classes, the threshold."""
    return ""


@sizes.register
def _(e: BinaryEvaluation) -> str:
    positives, negatives = e.data.positives or 0, e.data.negatives or 0
    of = positives + negatives
    return f"{f'{100 * positives / of:.3g} % positive' if of else 'no cases'}{_threshold(e)}"


@sizes.register
def _(e: MulticlassEvaluation) -> str:
    said = "" if e.scores is None else printed.sizes(e).removeprefix(": ")
    return said if ", " in said else ""  # the labels, which the headline does not name


def _threshold(e: BinaryEvaluation) -> str:
    if e.threshold is None or e.threshold.value is None:
        return ""
    side = ">=" if e.higher_is_positive else "<="
    rule = "; ".join(part for part in (str(e.threshold.rule), parts.promise(e)) if part)
    return f"; positive where score {side} {e.threshold.value:.4g} ({rule})"


def _notices(e: Evaluation, room: int) -> str:
    """Severe notices in brief, then others that fit, and how many there are more.

    room: lines for others; below 0, of so many lines there are too many.
    """
    severe = [notice for notice in e.notices if notice.severe]
    others = parts.flagged(notice for notice in e.notices if not notice.severe)
    shown = that_fit(others, room)
    more = len(others) - len(shown)
    last = [f"! {more} more notice{'s' * (more != 1)}: {in_full()}"] if more else []
    said = [*parts.flagged(map(parts.brief, severe)), *last]
    if room < 0 and severe:
        said, shown = _shortened(severe, more, sum(map(_lines, said)) + room), []
    red = [coloured(one, RED) for one in said[: len(severe)]]
    return "\n".join([*red, *shown, *said[len(severe) :]])


def _shortened(severe: Sequence[Notice], more: int, most: int) -> list[str]:
    """Severe notices in brief; of the last ones the codes alone, so that there are at most so many lines.

    more: the number of other notices.
    """
    whole, rest = parts.flagged(map(parts.brief, severe)), [f"{more} more"] if more else []
    shorter = (
        [
            *whole[:kept],
            *parts.flagged([f"{ALSO.format(in_full())}{', '.join([*_codes(severe[kept:]), *rest])}"]),
        ]
        for kept in range(len(whole) - 1, 0, -1)
    )
    shown = [*whole, *parts.flagged([f"{ALSO.format(in_full())}{rest[0]}"] if rest else [])]
    while sum(map(_lines, shown)) > most and (fewer := next(shorter, None)):
        shown = fewer
    return shown


def _codes(notices: Sequence[Notice]) -> list[str]:
    return [notice.code for notice in notices]


def _lines(part: str) -> int:
    return 1 + part.count("\n")


def that_fit(others: Sequence[str], room: int) -> list[str]:
    """The first few; the line that says how many there are more is already counted."""
    heights = list(accumulate(map(_lines, others[:OTHERS])))
    last = len(others) == 1  # in whose place no line stands
    return list(others[: sum(height <= room + last for height in heights)])


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


def _classes(e: Evaluation, room: int) -> str:
    """A line for each class, or as many as fit. room: lines, of which a table has up to five for others."""
    if not isinstance(e, ClasswiseEvaluation):
        return ""
    number = len(e.table_of_classes.labels)
    if number + 3 <= room and number <= LISTED_CLASSES:
        whole = printed.class_table(e, number)
        spare = room - height([_notices(e, room)]) + height([_notices(e, 0)])  # without those of notices
        return whole if height([whole]) <= spare else printed.class_table(e, number, printed.FEWER_COLUMNS)
    most = min(room - 5, LISTED_CLASSES)
    return printed.class_table(e, most, printed.FEWER_COLUMNS) if most >= FEWEST_CLASSES else _lowest(e)


def _lowest(e: ClasswiseEvaluation) -> str:
    """The classes with the lowest f1, on one or two lines."""
    listed, more = printed.shown_classes(e, FEWEST_CLASSES)
    names, found = list(printed.names_of(e).values()), e.many.each("f1")
    said = ", ".join(f"{names[i]} {parts.estimate(found[i])}" for i in listed[: len(listed) - bool(more)])
    return text.paragraph(f"Lowest f1: {said}; {in_full()} lists the classes", first="") if said else ""


def _mistakes(e: Evaluation) -> list[str]:
    """The most frequent ones, where the matrix is not shown."""
    if not isinstance(e, MulticlassEvaluation) or len(e.matrix) <= MATRIX_CLASSES:
        return []
    names = printed.names_of(e)
    found = printed.confusions(e)[:MISTAKES]
    said = ", ".join(f"{names[a]} predicted as {names[b]} ({text.count(n)})" for a, b, n in found)
    return [text.paragraph(f"Most frequent mistakes: {said}", first="")] if found else []


# The measures
# --------------------------------------------------------------------------------------------------


def _measures(e: Evaluation, names: bool, digits: int | None) -> str:
    rows = headlines(e)
    return table_of(e, rows, names, digits) if rows else ""


def table_of(e: Evaluation, rows: Sequence[Row], names: bool = False, digits: int | None = None) -> str:
    """The measures in rows, with what is approximate and what is given this class mix."""
    intervals = [interval_of(row.found, digits) for row in rows]
    called = [row.name if names else row.label for row in rows]
    table = _table(rows, called, intervals, parts.level_of(e.settings.level), digits)
    about = APPROXIMATE.format(in_full()) if any(of.startswith("~") for of in intervals) else ""
    mix = of_this_mix((name, row.found) for name, row in zip(called, rows, strict=True))
    below = (text.paragraph(part, first="") for part in (_parameters(rows, called), mix))
    return "\n".join(part for part in (table, about, *below) if part)


def _parameters(rows: Sequence[Row], called: Sequence[str]) -> str:
    """The parameters with which measures are computed, as "expected_cost: cost_fp = 1, cost_fn = 5"."""
    return "; ".join(
        f"{name}: {note.text}"
        for row, name in zip(rows, called, strict=True)
        for note in row.found.notes
        if note.code == "parameters"
    )


def conditions_of(e: Evaluation, rows: Sequence[Row], names: bool) -> str:
    """What `_head` and `_measures` say of the design and the weights, as sentences."""
    unusual = unusual_conditions(e)
    mix = of_this_mix((row.name if names else row.label, row.found) for row in rows)
    return " ".join(part for part in (unusual and f"{unusual[0].upper()}{unusual[1:]}.", mix) if part)


def of_this_mix(found: Iterable[tuple[str, Estimate]]) -> str:
    """The names of what depends on a class mix that the design or weights fix, in a sentence."""
    names = [name for name, one in found if any(note.code == "given-mix" for note in one.notes)]
    return f"Given this class mix: {', '.join(names)}." if names else ""


def _table(
    rows: Sequence[Row], called: list[str], intervals: list[str], level: str, digits: int | None
) -> str:
    """With the second numbers next to the intervals; on a narrow terminal after the names."""
    head, values = ["measure", "value", level], [parts.value(row.found, digits) for row in rows]
    width = max(map(len, intervals))
    ends = [f"{of:{width}}  {row.next_to}".rstrip() for row, of in zip(rows, intervals, strict=True)]
    whole = text.aligned(head, list(zip(called, values, ends, strict=True)), right=(1,))
    if text.fits(whole):
        return whole
    with_other = [
        f"{name} ({row.next_to.replace(parts.HERE, ' here')})" if row.next_to else name
        for name, row in zip(called, rows, strict=True)
    ]
    return text.fitted(head, list(zip(with_other, values, intervals, strict=True)), right=(1,))


def interval_of(found: Estimate, digits: int | None = None) -> str:
    """With ~ before one that is approximate."""
    about = "~" * (found.has_interval and any(note.kind == "approximate" for note in found.notes))
    return f"{about}{parts.bounds(found, digits=digits)}"


def headlines(e: Evaluation) -> list[Row]:
    """The measures of the screen, in their order: those that were chosen, or those with a headline."""
    heads = _heads(e)
    e.add_up(heads)
    rows = [row_of(e, name, head) for name, head in heads.items()]
    return rows if e.selected is not None else sorted(rows, key=lambda row: row.place or 0)


def _heads(e: Evaluation) -> dict[str, Headline]:
    """The measures on the screen: those that were chosen, or those with a place there."""
    if e.selected is not None:
        return {name: e.entry(name).headline or Headline(0, name) for name in e.selected}
    scored = isinstance(e, BinaryEvaluation) and e.ranking is not None
    every = ((name, e.entry(name).headline) for name in e.estimates)
    return {
        name: head
        for name, head in every
        if head is not None and head.place is not None and not (scored and head.labels_only)
    }


def row_of(e: Evaluation, name: str, head: Headline | None = None) -> Row:
    """The row of a measure."""
    head = head or e.entry(name).headline or Headline(0, name)
    found = e.shown[name] if e.selected is not None else e.estimates[name]
    return Row(
        head.place,
        head.label,
        name,
        found,
        parts.here(found) or parts.at_threshold(e.entry(name), found) or _other(e, name, head),
    )


def _other(e: Evaluation, name: str, head: Headline) -> str:
    if head.next_to is None:
        known = name == "accuracy" and e.baselines
        return f"majority class {parts.rounded(e.baselines['largest class'])}" if known else ""
    called, other = head.next_to
    return f"{called} {parts.rounded(e.estimates[other].value)}" if other in e.estimates else ""


def _more(e: Evaluation) -> str:
    shown = _heads(e)
    more = sum(name not in shown for name in e.estimates)
    what = f"{more} more measure{'s' * (more != 1)}" if more else "methods and notes"
    saved = either('ev.save("page.html")', "--report page.html")
    page = f"page{' with curves' * _has_curves(e)}: {saved}"
    line = f"{what}: {in_full()}    {page}"
    return coloured(line if text.fits(line) else f"{what}: {in_full()}\n{page}", FAINT)


def _has_curves(e: Evaluation) -> bool:
    return isinstance(e, BinaryEvaluation) and e.ranking is not None
