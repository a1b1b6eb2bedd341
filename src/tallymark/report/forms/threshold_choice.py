"""A chosen threshold: one sentence, the counts there, and measures of counts corrected for optimism."""

from __future__ import annotations

from math import isinf

from ...evaluation.notices import number_of
from ...evaluation.thresholds import CORRECTED
from ...evaluation.thresholds.choose_threshold import ThresholdChoice
from ...inference import Estimate
from ...input import text
from ...input.messages.notes import without_codes
from ...input.spelling import either
from ...input.terminal import FAINT, coloured
from .. import first_screen, parts
from . import contingency

LINES = 36
FEW_INTERVALS = 3  # of equally good thresholds that are listed
DIGITS = 3  # significant ones, of a threshold in the sentence


def as_text(c: ThresholdChoice) -> str:
    """The sentence, severe notices, the two-by-two table, the usual measures on one screen; or everything."""
    head, table = f"{text.paragraph(sentence(c), first='')}\n\n{_head(c)}", c.evaluation.two_by_two
    if c.full:
        tables = [contingency.as_text(table), _table(c)]
        return "\n\n".join(
            part for part in (head, parts.severe(c.notices), *tables, *parts.others(c)) if part
        )
    above = [part for part in (head, parts.severe(c.notices), contingency.cells(table)) if part]
    rows, fewest = _rows(c), len(c.evaluation.selected or c.choice.rule.measures)
    measured = first_screen.table_of(c.evaluation, rows)
    while len(rows) > fewest and first_screen.height([*above, measured]) > LINES:
        rows = rows[:-1]
        measured = first_screen.table_of(c.evaluation, rows)
    above.append(measured)
    others = parts.others(c)
    shown = first_screen.that_fit(others, LINES - first_screen.height(above) - 3)
    below = "\n".join(shown), _more(c, len(rows), len(others) - len(shown))
    return "\n\n".join(part for part in (*above, *below) if part)


def sentence(c: ThresholdChoice) -> str:
    """The threshold, its interval, and what the rule is about: here, corrected, at the usual threshold."""
    low, high = c.interval
    ends = "" if c.without_interval else f" [{_limit(low)}, {_limit(high)}]"
    where = f"Predict positive {'from' if c.sign > 0 else 'up to'} {_threshold(c)}{ends}"
    if isinf(c.threshold):
        whom = "nobody" if c.threshold * c.sign > 0 else "everybody"
        where = f"Predict {whom} positive (threshold {c.threshold:g}{ends})"
    first, *others = (_measured(c, name) for name in c.choice.rule.measures)
    if c.against is not None:
        first += f", against {parts.rounded(c.against[1])} at {text.exact(c.against[0])}"
    return f"{where}: {'; '.join([first, *others])}."


def _threshold(c: ThresholdChoice) -> str:
    """The threshold in as few digits as leave it equally good, three or more."""

    def is_good(value: float) -> bool:
        return any(low < value <= high if c.sign > 0 else low <= value < high for low, high in c.equally_good)

    shorter = (float(f"{c.threshold:.{digits}g}") for digits in range(DIGITS, 18))
    return text.exact(next(filter(is_good, shorter), c.threshold))


def _measured(c: ThresholdChoice, name: str) -> str:
    found = c[name]
    title = parts.short(parts.title(name)).replace("_", " ")
    if found.undefined:
        return f"{title} is undefined"
    corrected = "" if found.corrected is None else f", corrected {parts.rounded(found.corrected)}"
    return f"{title} {parts.rounded(found.value)}{corrected} {parts.ends(found, '')}".rstrip()


def _limit(value: float) -> str:
    """A threshold in three significant digits, or as a whole number."""
    return text.exact(float(f"{value:.{DIGITS}g}")) if abs(value) < 10.0**DIGITS else text.number(value, 1)


def _head(c: ThresholdChoice) -> str:
    e = c.evaluation
    side = ">=" if c.sign > 0 else "<="
    lines = [
        (
            f"{text.count(e.data.rows)} cases{parts.classes(e.data)}; positive where score {side}"
            f" {text.exact(c.threshold)} (rule: {c.rule})"
        ),
        *([promise] if (promise := parts.promise(e)) else []),
        _reached(c) if c.full else c.note or "",
        f"equally good: {_listed(c)}",
        c.conditions if c.full else first_screen.unusual_conditions(e),
    ]
    return "\n".join(text.paragraph(line, first="") for line in lines if line)


def _reached(c: ThresholdChoice) -> str:
    """Where the thresholds lie on resamples, or why that is not known."""
    if c.without_interval:
        return c.note or ""
    number, (low, high) = number_of(len(c.choice.thresholds), "resample"), c.interval
    within = f"{100 * c.evaluation.settings.level:.4g}% of the thresholds lie from {low:.6g} to {high:.6g}"
    return f"on {number} {within}{f'; {c.note}' if c.note else ''}"


def _listed(c: ThresholdChoice) -> str:
    left, right = "(]" if c.sign > 0 else "[)"
    ends = [f"{left}{low:.6g}, {high:.6g}{right}" for low, high in c.equally_good]
    more = f" and {len(ends) - FEW_INTERVALS} more" if len(ends) > FEW_INTERVALS else ""
    return ", ".join(ends[:FEW_INTERVALS]) + more


def _rows(c: ThresholdChoice) -> list[first_screen.Row]:
    """The chosen measures; or those that the rule is about, and those of counts on an evaluation's screen."""
    usual = first_screen.headlines(c.evaluation)
    if c.evaluation.selected is not None:
        return usual
    own = [first_screen.row_of(c.evaluation, name) for name in c.choice.rule.measures]
    return [
        *own,
        *(row for row in usual if row.name in c.corrected and row.name not in c.choice.rule.measures),
    ]


def _table(c: ThresholdChoice) -> str:
    remarks: dict[str, str] = {}
    rows = [
        [name, text.number(c[name].value), text.number(value), _ends(c[name], remarks)]
        for name, value in c.corrected.items()
    ]
    header = ["measure", "on these cases", "corrected", parts.level_of(c.evaluation.settings.level)]
    corrected = [text.paragraph(CORRECTED, first="")] if c.choice.replicates else []
    return "\n".join([text.fitted(header, rows, right=(1, 2)), *corrected, *parts.below(remarks)])


def _ends(found: Estimate, remarks: dict[str, str]) -> str:
    said = (
        [found.undefined.text]
        if found.undefined
        else [note.text for note in without_codes(found.notes, "parameters")]
    )
    return parts.with_marks(parts.ends(found), parts.marks(said, remarks))


def _more(c: ThresholdChoice, shown: int, notices: int) -> str:
    """What the screen leaves out, and how to see it."""
    measures = 0 if c.evaluation.selected is not None else len(c.corrected) - shown
    left = [(measures, "more measure"), (notices, "more notice")]
    said = " and ".join(number_of(number, what) for number, what in left if number)
    return coloured(f"{said}: {either('.all', '--all')}", FAINT) if said else ""
