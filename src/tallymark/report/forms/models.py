"""Several models: a row for each with its measures, then the differences; as HTML also each by itself.

Names are escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from ...evaluation.paired.differences import Difference
from ...evaluation.results import Evaluation, EvaluationTable
from ...inference import Estimate
from ...input import text
from ...input.spelling import either
from .. import first_screen, parts
from ..page import body as page_of_one
from ..page import interval
from ..sheet import notices
from .groups import title

TITLE = "<h1>Models</h1>"
LONGEST = 40  # characters of a name at the head of a column; the whole name is its title
LONGEST_IN_ROW = 20
EACH = "Each model"
NO_MEASURE = "The models have no measure of the table in common; see each, as table['name']."


def as_text(models: EvaluationTable, names: bool = False, digits: int | None = None) -> str:
    """The data, severe notices, a row per model, and the differences.

    names: identifiers in place of standard names; digits: after the point.
    """
    heads = [name if names else title(name) for name in models.measures]
    places = digits or parts.DIGITS
    blocks = [headline(models), parts.severe(models.notices), _rows(models, heads, places)]
    in_python = f"All measures of one model: table[{next(iter(models))!r}]; of all: table.all"
    last = text.paragraph(either(in_python, "All measures: --all"), first="")
    return "\n\n".join(part for part in (*blocks, differences(models, heads, places), last) if part)


def one_by_one(models: EvaluationTable, text_of: Callable[[Evaluation], str]) -> str:
    """Each model under its name."""
    names = text.labels(models, LONGEST)
    each = (f"{names[name]}\n{'=' * len(names[name])}\n\n{text_of(one)}" for name, one in models.items())
    return "\n\n\n".join(each)


def headline(models: EvaluationTable) -> str:
    """The data, and the thresholds where they differ."""
    first = next(iter(models.values()))
    d, number = first.data, len(models)
    cases = f"{text.count(d.rows)} case{'s' * (d.rows != 1)}"
    line = f"{d.head}{number} model{'s' * (number != 1)} of {cases}"
    said = {name: first_screen.circumstances(one) for name, one in models.items()}
    if len(set(said.values())) == 1:
        more = said[next(iter(said))]
        return text.paragraph(f"{line}{', ' * bool(more)}{more}", first="")
    each = (f"{text.label(name, LONGEST)}: {one}" for name, one in said.items())
    return "\n".join(text.paragraph(one, first="") for one in (line, *each))


def _rows(models: EvaluationTable, heads: Sequence[str], digits: int) -> str:
    if not heads:
        return NO_MEASURE
    names = text.labels(models, LONGEST_IN_ROW)
    rows = [[names[name], *cells(models, one, digits)] for name, one in models.items()]
    level = next(iter(models.values())).settings.level
    return f"{text.blocks(['model', *heads], rows)}\nIntervals: {100 * level:.4g}%."


def cells(models: EvaluationTable, one: Evaluation, digits: int = parts.DIGITS) -> list[str]:
    """Each measure of a row with its interval."""
    return [parts.estimate(one[name], digits) for name in models.measures]


def differences(models: EvaluationTable, heads: Sequence[str], digits: int, subject: str = EACH) -> str:
    """A row per model with its differences, and what they are. subject: what has them."""
    rows = rows_of_differences(models, digits)
    if not rows:
        return ""
    names = text.labels(models, LONGEST_IN_ROW)
    table = text.blocks(["difference", *heads], [[names[name], *row] for name, row in rows.items()])
    return f"{table}\n{text.paragraph(said_of(models, subject), first='')}"


def rows_of_differences(models: EvaluationTable, digits: int = parts.DIGITS) -> dict[str, list[str]]:
    """By model its difference in each measure."""
    rows: dict[str, list[str]] = {}
    for one in models.differences:
        rows.setdefault(one.model, []).append(_signed(one, digits))
    return rows


def _signed(one: Difference, digits: int) -> str:
    """A difference with its interval, marked where its adjusted p-value shows a difference."""
    return parts.signed(one.estimate, one.adjusted < 1 - one.estimate.level, digits)


def said_of(models: EvaluationTable, subject: str = EACH) -> str:
    """What the differences are, and how many are shown to be differences."""
    reference, found = models.compared_with, models.differences
    level = found[0].estimate.level
    best = f", the best {title(models.measures[0])} here" * is_best(models)
    apart = sum(one.adjusted < 1 - level for one in found)
    shown = f"{apart} with p < {1 - level:.3g}, marked with !" if apart else f"none with p < {1 - level:.3g}"
    return (
        f"{subject} minus {text.label(reference, LONGEST)}{best}; paired, {100 * level:.4g}% intervals, not"
        f" simultaneous. Of {len(found)} differences {shown} (p adjusted by Holm)."
    )


def is_best(models: EvaluationTable) -> bool:
    """Whether the model compared with is the one that is best in the first measure."""
    first = next(iter(models.values()))
    return models.reference is None and first.entry(models.measures[0]).better is not None


def as_html(models: EvaluationTable) -> str:
    """The notices of all models, once; the table of their measures; each model."""
    each = (
        f'<h1 class="model">{escape(name)}</h1>\n{page_of_one(one, noticed=False)}'
        for name, one in models.items()
    )
    blocks = (TITLE, notices(models), side_by_side(models), html_differences(models), *each)
    return "\n".join(part for part in blocks if part)


def html_differences(models: EvaluationTable) -> str:
    """A row per model with its differences, and what they are."""
    rows = rows_of_differences(models)
    if not rows:
        return ""
    head = "".join(f'<th class="n">{escape(title(name))}</th>' for name in models.measures)
    lines = "\n".join(_html_row(name, row) for name, row in rows.items())
    table = f'<div class="scroll"><table>\n<tr><th>difference</th>{head}</tr>\n{lines}\n</table></div>'
    return f"<h2>Differences</h2>\n{table}\n<p>{escape(said_of(models))}</p>"


def _html_row(name: str, row: Sequence[str]) -> str:
    numbers = "".join(f'<td class="n">{escape(one)}</td>' for one in row)
    return f"<tr><th>{escape(name)}</th>{numbers}</tr>"


def side_by_side(models: EvaluationTable) -> str:
    """One row per measure, one column per model; a cell is empty where the model lacks the measure."""
    short = text.labels(models, LONGEST)
    head = "".join(
        f'<th class="n" title="{escape(name, quote=True)}">{escape(short[name])}</th>' for name in models
    )
    measures = dict.fromkeys(name for one in models.values() for name in one)
    cells = {name: "".join(_cell(one.estimates.get(name)) for one in models.values()) for name in measures}
    rows = "\n".join(f"<tr><th>{escape(name)}</th>{row}</tr>" for name, row in cells.items())
    return f'<div class="scroll"><table>\n<tr><th>measure</th>{head}</tr>\n{rows}\n</table></div>'


def _cell(found: Estimate | None) -> str:
    return (
        '<td class="n"></td>'
        if found is None
        else f'<td class="n">{parts.value(found, usual=parts.IN_FULL)}<br>{interval(found)}</td>'
    )
