"""Groups of cases: a row for each, then the differences from all cases; as HTML also each by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ...evaluation.groups.differences import GroupDifference, GroupDifferences
from ...evaluation.groups.table import FEWEST, GroupTable
from ...evaluation.results import BinaryEvaluation, Evaluation
from ...inference import Estimate
from ...input import text
from ...input.spelling import either
from .. import first_screen, parts
from ..sheet import notices

SHOWN = 20  # groups with a row, the largest ones
ON_PAGE = 200
LONGEST = 14  # characters of the name of a group
SMALL = "*"
ALL_CASES = "all cases"  # the row of these; a group with this name is in quotation marks


def as_text(table: GroupTable, names: bool = False, digits: int | None = None) -> str:
    """The data, severe notices, a row per group, and the differences.

    names: identifiers in place of standard names; digits: after the point.
    """
    shown, heads = largest(table, SHOWN), list(table.measures if names else map(title, table.measures))
    found, places = table.differences_of(shown), digits or parts.DIGITS
    of_groups, differences = _rows(table, shown, heads, places), _differences(table, found, heads, places)
    above = [text.paragraph(headline(table), first=""), parts.severe(table.whole.notices)]
    return "\n\n".join(part for part in (*above, of_groups, more(table, shown), differences) if part)


def largest(table: GroupTable, most: int) -> list[str]:
    """The groups with most cases, in the order of the table."""
    if len(table) <= most:
        return list(table)
    kept = set(sorted(table, key=lambda name: -table.sizes[name])[:most])
    return [name for name in table if name in kept]


def headline(table: GroupTable) -> str:
    """What the groups are, on one line."""
    d = table.whole.data
    many = f"{text.count(len(table))} group{'s' * (len(table) != 1)} by {', '.join(table.by)}"
    cases = f"{text.count(d.rows)} case{'s' * (d.rows != 1)}"
    more = first_screen.circumstances(table.whole)
    return f"{d.head}{many}, {cases}{', ' * bool(more)}{more}"


def _rows(table: GroupTable, shown: Sequence[str], heads: Sequence[str], digits: int) -> str:
    head = [", ".join(table.by), "cases", *heads]
    return f"{text.blocks(_short(head), rows(table, shown, digits))}\n{below(table, shown)}"


def rows(table: GroupTable, shown: Sequence[str], digits: int = parts.DIGITS) -> list[list[str]]:
    """A row for each of these groups, and one of all cases."""
    names = labels(shown, LONGEST)
    found = [cells(table, table[name], names[name] + SMALL * table.is_small(name), digits) for name in shown]
    return [*found, cells(table, table.whole, ALL_CASES, digits)]


def label(name: str) -> str:
    """The name of a group, in quotation marks where it is that of the row of all cases."""
    return repr(name) if name == ALL_CASES else name


def labels(names: Iterable[str], longest: int) -> dict[str, str]:
    """The names of groups, shortened so that they remain distinct."""
    return {name: label(short) for name, short in text.labels(names, longest).items()}


def reference(name: str | None) -> str:
    """What groups are compared with."""
    return ALL_CASES if name is None else label(name)


def below(table: GroupTable, shown: Sequence[str]) -> str:
    """What the mark of small groups means, and the level of the intervals."""
    small = any(table.is_small(name) for name in shown)
    mark = f"{SMALL} fewer than {FEWEST} cases of a class: not ranked\n" * small
    return f"{mark}Intervals: {100 * table.whole.settings.level:.4g}%, not simultaneous."


def _short(head: list[str]) -> list[str]:
    return [text.label(head[0], LONGEST), *head[1:]]


def title(measure: str) -> str:
    """The name of a measure at the head of a column."""
    return parts.title(measure).split(" (")[0]


def _positive(table: GroupTable) -> list[str]:
    return ["positive"] if isinstance(table.whole, BinaryEvaluation) else []


def cells(table: GroupTable, e: Evaluation, label: str, digits: int = parts.DIGITS) -> list[str]:
    """The name, the number of cases, and each measure with its interval."""
    found = (parts.estimate(e[name], digits) for name in table.measures)
    return [label, text.count(e.data.rows), *found]


def _share(e: BinaryEvaluation) -> str:
    positives, negatives = e.data.positives or 0, e.data.negatives or 0
    return f"{100 * positives / (positives + negatives):.1f} %" if positives + negatives else "-"


def more(table: GroupTable, shown: Sequence[str]) -> str:
    """How many groups are not shown."""
    left = len(table) - len(shown)
    said = f"{text.count(left)} more group{'s' * (left != 1)}, with fewer cases: {either('.table', '--json')}"
    return text.paragraph(said, first="") if left else ""


def _differences(table: GroupTable, found: GroupDifferences, heads: Sequence[str], digits: int) -> str:
    if not found:
        return ""
    head, said = _short(["difference", *heads]), text.paragraph(said_of(table, found), first="")
    return f"{text.blocks(head, rows_of_differences(found, digits))}\n{said}"


def rows_of_differences(found: GroupDifferences, digits: int = parts.DIGITS) -> list[list[str]]:
    """A row for each group, with its difference in each measure."""
    names = labels(dict.fromkeys(one.group for one in found), LONGEST)
    by_group: dict[str, list[str]] = {}
    for one in found:
        by_group.setdefault(one.group, [names[one.group]]).append(signed(one, digits))
    return list(by_group.values())


def said_of(table: GroupTable, found: GroupDifferences) -> str:
    """What the differences are, and how the intervals hold together."""
    return f"Each group minus {reference(table.reference)}. {simultaneous(found)}"


def simultaneous(found: GroupDifferences) -> str:
    """How the intervals hold together, as sentences."""
    apart = sum(one.excludes_zero for one in found)
    which = f"{apart} exclude{'s' * (apart == 1)} 0, marked with !" if apart else "none excludes 0"
    return f"Intervals: {100 * found.level:.4g}% for all {len(found)} differences together (Sidak); {which}."


def signed(one: GroupDifference, digits: int = parts.DIGITS) -> str:
    """A difference with its interval, marked where that excludes 0."""
    return parts.signed(one.estimate, one.excludes_zero, digits)


# The page
# --------------------------------------------------------------------------------------------------


def as_html(table: GroupTable) -> str:
    """The notices, a table of the groups, and one of the differences."""
    said = f"<p>{escape(headline(table))}</p>"
    return "\n".join(part for part in ("<h1>Groups</h1>", said, notices(table), tables(table)) if part)


def tables(table: GroupTable) -> str:
    """A table of the groups, and one of the differences."""
    shown = largest(table, ON_PAGE)
    found, left = table.differences_of(shown), more(table, shown)
    blocks = [
        _table_of_groups(table, shown),
        f"<p>{escape(left)}</p>" if left else "",
        "<h2>Differences</h2>" if found else "",
        _table_of_differences(table, found) if found else "",
        f"<p>{escape(said_of(table, found))}</p>" if found else "",
    ]
    return "\n".join(block for block in blocks if block)


def _table_of_groups(table: GroupTable, shown: Sequence[str]) -> str:
    head = [", ".join(table.by), "cases", *_positive(table), *map(title, table.measures)]
    small = f"fewer than {FEWEST} cases of a class: not ranked"
    marked = {name: f" title='{small}'" for name in shown if table.is_small(name)}
    lines = [
        html_row(
            label(name) + SMALL * (name in marked), _html_cells(table, table[name]), marked.get(name, "")
        )
        for name in shown
    ]
    lines.append(html_row(ALL_CASES, _html_cells(table, table.whole)))
    note = f"<p>{SMALL} {small}</p>" if marked else ""
    return html_table(head, lines) + note


def _html_cells(table: GroupTable, e: Evaluation) -> list[str]:
    _, cases, *found = cells(table, e, "")
    return [cases, *([_share(e)] if isinstance(e, BinaryEvaluation) else []), *found]


def _table_of_differences(table: GroupTable, found: GroupDifferences) -> str:
    head = [f"minus {reference(table.reference)}", *map(title, table.measures)]
    by_group: dict[str, list[str]] = {}
    for one in found:
        by_group.setdefault(one.group, []).append(_whole(one.estimate))
    return html_table(head, [html_row(label(name), row) for name, row in by_group.items()])


def _whole(found: Estimate) -> str:
    return parts.estimate(found)


def html_row(name: str, cells: Sequence[str], more: str = "") -> str:
    """A row of a table: the name, which is escaped, and cells of numbers. more: attributes of its cell."""
    numbers = "".join(f'<td class="n">{escape(one)}</td>' for one in cells)
    return f"<tr><th{more}>{escape(name)}</th>{numbers}</tr>"


def html_table(head: Sequence[str], rows: Sequence[str]) -> str:
    """A table with rows of HTML."""
    first, *others = map(escape, head)
    cells = "".join(f'<th class="n">{one}</th>' for one in others)
    lines = "\n".join(rows)
    return f'<div class="scroll"><table>\n<tr><th>{first}</th>{cells}</tr>\n{lines}\n</table></div>'
