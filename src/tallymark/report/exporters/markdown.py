"""Results in Markdown, compact, for a comment on a pull request or a language model.

The headline, severe notices, and a table. Nothing in a label or a name is a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import singledispatch
from pathlib import PurePath

from ...evaluation.groups.differences import ALL_CASES
from ...evaluation.groups.table import GroupTable
from ...evaluation.notices import Notice
from ...evaluation.results import Evaluation, EvaluationTable, FullEvaluation
from ...inference import Estimate
from ...input import text
from ...studies.compare.answer import Comparison
from ...studies.compare.differences import Difference
from ...studies.gate.results import Verdict
from .. import first_screen, parts
from ..first_screen import Row
from ..forms import comparison, groups, headline

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")
MENTION = re.compile(r"@(?=\w)")
LONGEST = 60  # characters of a name
RIGHT, LEFT = "---:", "---"


@singledispatch
def as_text(result: object, names: bool = False, digits: int | None = None) -> str:
    """The result in Markdown, with a line end.

    Of evaluations, names: identifiers in place of standard names; digits: after the point.
    """
    raise TypeError(type(result))


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block) + "\n"


def _plain(written: str) -> str:
    """On one line, and nothing in it a mark or a mention."""
    return MENTION.sub("@<!-- -->", SPECIAL.sub(r"\\\1", " ".join(written.split())))


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A table of cells that are escaped here."""
    marks = [RIGHT if i in right else LEFT for i in range(len(header))]
    lines = [[_plain(cell) for cell in header], marks, *([_plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _notices(notices: Iterable[Notice]) -> str:
    """Severe notices in brief, and the codes of the others."""
    severe = [f"> **Notice** {_plain(one.brief)} `{one.code}`" for one in notices if one.severe]
    others = dict.fromkeys(one.code for one in notices if not one.severe)
    further = f"Further notices: {', '.join(f'`{code}`' for code in others)}." if others else ""
    return "\n\n".join(["\n>\n".join(severe), further]).strip()


def _interval(found: Estimate, digits: int | None = None) -> str:
    if found.undefined or not found.has_interval:
        return "undefined" if found.undefined else "none"
    about = " (approximate)" * any(note.kind == "approximate" for note in found.notes)
    return f"{parts.rounded(found.low, digits)} to {parts.rounded(found.high, digits)}{about}"


# Evaluations
# --------------------------------------------------------------------------------------------------


@as_text.register
def of_evaluation(e: Evaluation, names: bool = False, digits: int | None = None) -> str:
    """The headline, severe notices, and the measures of the first screen.

    names: identifiers in place of standard names; digits: after the point.
    """
    return _joined(_of_one(e, first_screen.headlines(e), names, digits))


@as_text.register
def of_models(models: EvaluationTable, names: bool = False, digits: int | None = None) -> str:
    """The same of each model, under its name."""
    each = (
        _joined([f"### {_plain(text.label(name, LONGEST))}", of_evaluation(one, names, digits)]).rstrip()
        for name, one in models.items()
    )
    return _joined(each)


@as_text.register
def of_groups(table: GroupTable, names: bool = False, digits: int | None = None) -> str:
    """Severe notices, a row for each group, and a row of its differences."""
    heads = list(table.measures) if names else [groups.title(name) for name in table.measures]
    shown, places = groups.largest(table, groups.ON_PAGE), digits or parts.DIGITS
    found = table.differences_of(shown)
    rows = [groups.cells(table, table[name], name, places) for name in shown]
    rows.append(groups.cells(table, table.whole, ALL_CASES, places))
    head = [", ".join(table.by), "cases", *heads]
    apart = [[name, *(groups.signed(one, places) for one in found if one.group == name)] for name in shown]
    return _joined(
        [
            f"**{_plain(groups.headline(table))}**",
            _notices(table.whole.notices),
            _table(head, rows, right=range(1, len(head))),
            _table(["difference", *heads], [row for row in apart if len(row) > 1], right=range(1, len(head))),
            _plain(groups.said_of(table, found)) if found else "",
        ]
    )


@as_text.register
def of_all(full: FullEvaluation) -> str:
    """The same with every measure."""
    found = full.evaluation
    models = found.values() if isinstance(found, EvaluationTable) else (found,)
    each = (
        _joined(_of_one(one, [Row(0, name, name, value) for name, value in one.estimates.items()])).rstrip()
        for one in models
    )
    heads = [f"### {_plain(text.label(name, LONGEST))}" for name in found] if len(models) > 1 else [""]
    return _joined(part for pair in zip(heads, each, strict=True) for part in pair)


def _of_one(e: Evaluation, rows: Sequence[Row], names: bool = False, digits: int | None = None) -> list[str]:
    sentence = "" if e.headline is None else f"**{_plain(headline.as_text(e.headline, digits))}**"
    more = first_screen.sizes(e)
    data = _plain(f"Data: {PurePath(e.data.source).name}{'; ' * bool(more)}{more}.")
    cells = [
        [
            row.name if names else row.label,
            first_screen.value_of(row.found, digits),
            _interval(row.found, digits),
            row.next_to,
        ]
        for row in rows
    ]
    head = ["measure", "value", parts.level_of(e.settings.level), ""]
    return [sentence, _notices(e.notices), _table(head, cells, right=(1,)) if cells else "", data]


# Comparisons and verdicts
# --------------------------------------------------------------------------------------------------


@as_text.register
def of_comparison(c: Comparison) -> str:
    """The headline, severe notices, and a row for each difference."""
    several = len(c.pairs) > 1
    head = ["measure", *(["models"] if several else []), *map(str, _heads(c)), "difference"]
    head += [parts.level_of(c.level), "p", *comparison.adjusted(c)]
    rows = [_difference(c, one, several) for one in c.differences]
    first = f"**{_plain(comparison.sentence(c))}**"
    first_number = 2 if several else 1
    return _joined(
        [
            first,
            _notices(c.notices),
            _table(head, rows, right=(first_number, first_number + 1, first_number + 2)),
        ]
    )


def _heads(c: Comparison) -> tuple[str, str]:
    """The names of the models of the only pair, or what they are in each."""
    if len(c.pairs) > 1:
        return "model", "reference"
    model, reference = (text.label(name, LONGEST) for name in c.pairs[0])
    return model, reference


def _difference(c: Comparison, one: Difference, several: bool) -> list[str]:
    pair = [f"{text.label(one.model, LONGEST)} - {text.label(one.reference, LONGEST)}"] if several else []
    p = [parts.p_value(one.p_value), *([parts.p_value(one.adjusted)] if comparison.adjusted(c) else [])]
    values = (first_screen.value_of(found) for found in (*one.models, one.estimate))
    return [parts.title(one.measure), *pair, *values, _interval(one.estimate), *p]


@as_text.register
def of_verdict(verdict: Verdict) -> str:
    """A heading, severe notices, and a row for each requirement."""
    rows = [(finding.outcome, finding.requirement, finding.sentence) for finding in verdict.findings]
    severe = [notice for notice in verdict.notices if notice.severe]
    return _joined(
        [
            f"### tallymark check: {_plain(verdict.summary)}",
            _notices(severe),
            _plain(verdict.condition) if verdict.condition else "",
            _table(("outcome", "requirement", "found"), rows),
            f"{_plain(verdict.budget)}." if verdict.budget else "",
        ]
    )
