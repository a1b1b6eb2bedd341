"""Several models on groups of cases: under each model a row per group, then the differences.

Names are escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from ...evaluation.groups.differences import GroupDifferences
from ...evaluation.groups.of_models import GroupTables
from ...evaluation.groups.table import GroupTable
from ...input import text
from .. import first_screen, parts
from ..sheet import notices
from . import groups, models

SHOWN = 40  # rows of groups, those of all models together
INDENT = "  "
Rows = list[list[str]]


def as_text(table: GroupTables, names: bool = False, digits: int | None = None) -> str:
    """The data, severe notices, under each model a row per group, and the differences.

    names: identifiers in place of standard names; digits: after the point.
    """
    alike, places = table.choose(list(table.measures)), digits or parts.DIGITS
    heads = list(alike.measures) if names else [groups.title(name) for name in alike.measures]
    shown = groups.largest(alike.first, max(SHOWN // len(alike), 3))
    blocks = [
        headline(alike),
        parts.severe(table.notices),
        _rows(alike, shown, heads, places) if heads else models.NO_MEASURE,
        groups.more(alike.first, shown),
        _differences(alike, shown, heads, places),
        models.differences(alike.whole, heads, places, f"On {groups.ALL_CASES} each model"),
    ]
    last = text.paragraph(f"The models in one group: table.of_group({next(iter(table.first))!r})", first="")
    return "\n\n".join(part for part in (*blocks, last) if part)


def headline(table: GroupTables) -> str:
    """The data, and the thresholds where they differ."""
    first = table.first
    number = f"{text.count(len(first))} group{'s' * (len(first) != 1)} by {', '.join(table.by)}"
    d = first.whole.data
    cases = text.count(d.rows)
    line = f"{d.head}{len(table)} models, {number}, {cases} cases"
    said = {name: first_screen.circumstances(one.whole) for name, one in table.items()}
    if len(set(said.values())) == 1:
        more = said[next(iter(said))]
        return text.paragraph(f"{line}{', ' * bool(more)}{more}", first="")
    each = (f"{text.label(name, models.LONGEST)}: {one}" for name, one in said.items())
    return "\n".join(text.paragraph(one, first="") for one in (line, *each))


def _under_models(table: GroupTables, rows_of: Callable[[GroupTable], Rows], width: int) -> Rows:
    """The rows of each model, under its name. width: the number of columns."""
    names = text.labels(table, models.LONGEST_IN_ROW)
    found: Rows = []
    for name, one in table.items():
        rows = [[INDENT + label, *cells] for label, *cells in rows_of(one)]
        found += [[names[name], *[""] * (width - 1)], *rows]
    return found


def _rows(table: GroupTables, shown: Sequence[str], heads: Sequence[str], digits: int) -> str:
    head = [text.label(", ".join(table.by), groups.LONGEST), "cases", *heads]
    rows = _under_models(table, lambda one: groups.rows(one, shown, digits), len(head))
    return f"{text.blocks(head, rows)}\n{groups.below(table.first, shown)}"


def _differences(table: GroupTables, shown: Sequence[str], heads: Sequence[str], digits: int) -> str:
    found = {name: one.differences_of(shown) for name, one in table.items()}
    if not any(found.values()):
        return ""
    rows = _under_models(
        table, lambda one: groups.rows_of_differences(one.differences_of(shown), digits), 1 + len(heads)
    )
    said = text.paragraph(said_of(table, list(found.values())), first="")
    return f"{text.blocks(['difference', *heads], rows)}\n{said}"


def said_of(table: GroupTables, found: Sequence[GroupDifferences]) -> str:
    """What the differences of groups are, and how the intervals hold together."""
    apart = sum(one.excludes_zero for some in found for one in some)
    which = f"{apart} exclude{'s' * (apart == 1)} 0, marked with !" if apart else "none excludes 0"
    level = f"{100 * found[0].level:.4g}%"
    return (
        f"Each group minus {groups.reference(table.first.reference)}. Intervals: {level} for the"
        f" {len(found[0])} differences of a model together (Sidak); {which}."
    )


# The page
# --------------------------------------------------------------------------------------------------


def as_html(table: GroupTables) -> str:
    """The notices, the models on all cases, and the tables of the groups of each."""
    alike = table.choose(list(table.measures))
    each = (f'<h1 class="model">{escape(name)}</h1>\n{groups.tables(one)}' for name, one in alike.items())
    blocks = [models.TITLE, f"<p>{escape(headline(alike))}</p>", notices(table)]
    blocks += [models.side_by_side(alike.whole)]
    blocks += [models.html_differences(alike.whole), *each]
    return "\n".join(block for block in blocks if block)
