"""Several models: as text one after the other, as HTML side by side and then each by itself.

Names are escaped.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from ...evaluation.results import Evaluation, EvaluationTable
from ...inference import Estimate
from ...input import text
from ..page import body as page_of_one
from ..page import interval
from ..sheet import notices

LONGEST = 40  # characters of a name at the head of a column; the whole name is its title


def as_text(models: EvaluationTable, text_of: Callable[[Evaluation], str] = str) -> str:
    """Each under its name."""
    names = text.labels(models, LONGEST)
    each = (f"{names[name]}\n{'=' * len(names[name])}\n\n{text_of(one)}" for name, one in models.items())
    return "\n\n\n".join(each)


def as_html(models: EvaluationTable) -> str:
    """The notices of all models, once; the table of their measures; each model."""
    each = (
        f'<h1 class="model">{escape(name)}</h1>\n{page_of_one(one, noticed=False)}'
        for name, one in models.items()
    )
    return "\n".join(part for part in (notices(models), side_by_side(models), *each) if part)


def side_by_side(models: EvaluationTable) -> str:
    """One row per measure, one column per model; a cell is empty where the model lacks the measure."""
    short = text.labels(models, LONGEST)
    head = "".join(
        f'<th class="n" title="{escape(name, quote=True)}">{escape(short[name])}</th>' for name in models
    )
    measures = dict.fromkeys(name for one in models.values() for name in one)
    cells = {name: "".join(_cell(one.estimates.get(name)) for one in models.values()) for name in measures}
    rows = "\n".join(f"<tr><th>{escape(name)}</th>{row}</tr>" for name, row in cells.items())
    return (
        "<h1>Models</h1>\n"
        f'<div class="scroll"><table>\n<tr><th>measure</th>{head}</tr>\n{rows}\n</table></div>'
    )


def _cell(found: Estimate | None) -> str:
    return (
        '<td class="n"></td>'
        if found is None
        else f'<td class="n">{text.number(found.value)}<br>{interval(found)}</td>'
    )
