"""Several models on folds: a row per model, pooled and as means, then the differences.

Names are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ...evaluation.folds.differences import FoldDifference
from ...evaluation.folds.of_models import FoldTables
from ...evaluation.folds.table import MEAN, POOLED
from ...evaluation.notices import Notice
from ...input import text
from ...input.spelling import either
from .. import first_screen, parts
from ..sheet import notices
from . import folds, groups, models

HEADS = {POOLED: "pooled", MEAN: "mean of folds"}
APART = {MEAN: "of means", POOLED: "of pooled"}
Rows = list[list[str]]


def as_text(table: FoldTables, names: bool = False, digits: int | None = None) -> str:
    """The data, a row per model pooled and as means, the differences, and what they rest on.

    names: identifiers in place of standard names; digits: after the point.
    """
    alike, places = table.choose(list(table.measures)), digits or parts.DIGITS
    heads = list(alike.measures) if names else [groups.title(name) for name in alike.measures]
    if not heads:
        return models.NO_MEASURE
    values = [text.blocks([HEADS[part], *heads], rows(alike, part, places)) for part in HEADS]
    apart = [text.blocks([APART[part], *heads], differences(alike, part, places)) for part in APART]
    lead, said = (
        text.paragraph(one, first="") for one in (lead_of_differences(alike), said_of_differences(alike))
    )
    of_values = "\n\n".join(values) + "\n" + text.paragraph(said_of(alike), first="")
    of_differences = f"{lead}\n\n" + "\n\n".join(apart) + f"\n{said}"
    blocks = [
        text.paragraph(headline(alike), first=""),
        parts.severe(_severe(table)),
        of_values,
        of_differences,
        *parts.flagged(parts.brief(one) for one in _of_folds(table).values() if not one.severe),
    ]
    last = text.paragraph(either(f"The folds of one model: table[{next(iter(table))!r}]", ""), first="")
    return "\n\n".join(part for part in (*blocks, last) if part)


def headline(table: FoldTables) -> str:
    """The models, the folds and the cases, on one line."""
    first = table.first
    d = first.whole.data
    predictions = "predictions" if first.repeated else "cases"
    said = {first_screen.sizes(one.whole) for one in table.values()}
    more = said.pop() if len(said) == 1 else ""
    line = f"{d.head}{len(table)} models, {len(first)} folds"
    return f"{line}, {text.count(d.rows)} {predictions}{', ' * bool(more)}{more}"


def rows(table: FoldTables, part: str, digits: int = parts.DIGITS) -> Rows:
    """For each model the means, or the pooled values, with their intervals."""
    names = text.labels(table, models.LONGEST_IN_ROW)
    found = {name: one.means if part == MEAN else one.pooled for name, one in table.items()}
    return [
        [names[name], *(folds.with_mark(one[measure], digits) for measure in table.measures)]
        for name, one in found.items()
    ]


def differences(table: FoldTables, part: str, digits: int = parts.DIGITS) -> Rows:
    """For each model but the reference its differences."""
    names = text.labels(table, models.LONGEST_IN_ROW)
    by_model: dict[str, list[str]] = {}
    for one in table.differences:
        if one.part == part:
            by_model.setdefault(one.model, [names[one.model]]).append(
                parts.signed(one.estimate, is_shown(one), digits)
            )
    return list(by_model.values())


def is_shown(one: FoldDifference) -> bool:
    """Whether the adjusted p-value shows a difference."""
    return one.adjusted < 1 - one.estimate.level


def said_of(table: FoldTables) -> str:
    """What the intervals are, and why some are missing."""
    return " ".join(dict.fromkeys(sentence for one in table.values() for sentence in folds.sentences(one)))


def lead_of_differences(table: FoldTables) -> str:
    """From which model the differences are."""
    best = f", the best mean {groups.title(table.measures[0])} here" * is_best(table)
    return f"Differences from {text.label(table.compared_with, models.LONGEST)}{best}, on the same folds:"


def is_best(table: FoldTables) -> bool:
    """Whether the model compared with is the one that is best in the first measure."""
    return table.reference is None and table.first.whole.entry(table.measures[0]).better is not None


def said_of_differences(table: FoldTables) -> str:
    """How many differences are shown to be differences."""
    found, level = table.differences, table.first.whole.settings.level
    apart, limit = sum(map(is_shown, found)), f"p < {1 - level:.3g}"
    shown = f"{apart} with {limit}, marked with !" if apart else f"none with {limit}"
    return (
        f"Intervals: {100 * level:.4g}%, paired by folds, not simultaneous. Of"
        f" {len(found)} differences {shown}"
        " (p adjusted by Holm for the means, and for the pooled values)."
    )


def _of_folds(table: FoldTables) -> dict[str, Notice]:
    """The notices on the folds, once, by their code."""
    return {one.code: one for table in table.values() for one in table.notices if "model" not in one}


def _severe(table: FoldTables) -> Iterable[Notice]:
    """Those on the folds, once, and those on the cases of each model."""
    every = (*_of_folds(table).values(), *table.notices)
    return {one.brief: one for one in every if one.severe}.values()


def as_html(table: FoldTables) -> str:
    """The notices, the models pooled and as means, their differences, and the folds of each model."""
    alike = table.choose(list(table.measures))
    heads = [groups.title(name) for name in alike.measures]
    blocks = ["<h1>Cross-validation</h1>", f"<p>{escape(headline(alike))}</p>", notices(table)]
    blocks += [_html([HEADS[part], *heads], rows(alike, part)) for part in HEADS]
    blocks += [f"<p>{escape(said_of(alike))}</p>", f"<h2>{escape(lead_of_differences(alike)[:-1])}</h2>"]
    blocks += [_html([APART[part], *heads], differences(alike, part)) for part in APART]
    blocks += [f"<p>{escape(said_of_differences(alike))}</p>"]
    each = (f'<h1 class="model">{escape(name)}</h1>\n{folds.tables(one)}' for name, one in alike.items())
    return "\n".join(block for block in (*blocks, *each) if block)


def _html(head: Sequence[str], lines: Rows) -> str:
    return groups.html_table(head, [groups.html_row(name, cells) for name, *cells in lines])
