"""Parts of text that several results share: intervals, methods, remarks below a table, notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

from ..inference import Estimate
from ..input import text
from ..input.data_info import DataInfo
from ..input.results import Result
from ..input.terminal import RED, coloured
from ..measures import registry

if TYPE_CHECKING:
    from ..evaluation.results import BinaryEvaluation

# notes of these kinds: what many measures have to say is said once, below the table
BELOW = ("approximate", "conditional")
OF_BINS = ("no-bounds", "no-bounds-with-weights")  # why many measures are undefined at once
DIGITS, rounded = text.DIGITS, text.rounded
IN_FULL = 4  # digits after the point in tables of all measures
ROUNDING = 1e-9  # of the width of an interval: a value nearer to 0 is 0 but for rounding
HERE = " on these cases"


def digits_of(found: Estimate, digits: int | None = None, usual: int = DIGITS) -> int | None:
    """How many digits after the point the value and its interval have; None for the usual ones."""
    return text.digits_of(found.low, found.high, digits, usual) if found.has_interval else digits


def value(found: Estimate, digits: int | None = None, usual: int = DIGITS, sign: str = "") -> str:
    """The value that the interval belongs to, with as many digits as its ends.

    Where only its bounds are known, both, as "0.853 to 0.861", unless they are written with the same digits.
    sign: before a number that is not below 0.
    """
    if found.undefined:
        return "-"
    places = digits_of(found, digits, usual)
    width = found.high - found.low if found.has_interval else 0.0
    written = dict.fromkeys(
        sign * (one >= 0)
        + rounded(
            0.0 if abs(one) < ROUNDING * width else one,
            usual if places is None and abs(one) < text.LARGE else places,
        )
        for one in found.bounds or (found.centre,)
    )
    return " to ".join(written)


def ends(found: Estimate, none: str = "none", digits: int | None = None, usual: int = DIGITS) -> str:
    """The ends of an interval. none: what stands there without one."""
    return text.interval(found.low, found.high, digits, usual) if found.has_interval else none


def bounds(found: Estimate, none: str = "none", digits: int | None = None, usual: int = DIGITS) -> str:
    """The same, or that the value is undefined."""
    return "undefined" if found.undefined else ends(found, none, digits, usual)


def estimate(found: Estimate, digits: int | None = None, sign: str = "") -> str:
    """The value with its interval, as "0.895 [0.860, 0.923]"."""
    said = f"{value(found, digits, sign=sign)} {ends(found, '', digits)}"
    return said.rstrip() if not found.undefined else "-"


def signed(found: Estimate, marked: bool = False, digits: int | None = None) -> str:
    """A difference with its interval in a cell, with an exclamation mark where it is marked."""
    if found.undefined:
        return "-"
    return f"{estimate(found, digits, '+')}{'!' * (marked and found.has_interval)}"


def title(measure: str) -> str:
    """The name under which the literature knows a measure, as "ROC AUC"; else its own name.

    A name that is another one of a measure of another summary, as mean_squared_error, has its own title.
    """
    forms = registry.forms(measure) if registry.known(measure) else ()
    own = [one for one in forms if one.name == measure] or forms
    return next((one.headline.label for one in own if one.headline is not None), measure)


def short(label: str) -> str:
    """In the middle of a name: "precision" of "Precision (PPV)", but "F1"."""
    word = label.split(" (")[0]
    return word[0].lower() + word[1:] if word[1:].islower() else word


def level_of(level: float) -> str:
    """The head of a column of intervals."""
    return f"{100 * level:.4g}% interval"


def method(found: Estimate) -> str:
    """The method of an interval with its notes, or why the value is undefined."""
    return (
        found.undefined.text
        if found.undefined
        else "; ".join(part for part in (found.method, found.note) if part)
    )


def promise(e: BinaryEvaluation) -> str:
    """In how many samples a rule on a confidence bound keeps its limit; empty for other rules."""
    at = e.threshold
    if at is None or not at.chosen or at.rule.code != "bound":
        return ""
    least = "about" if e.data.weight_kind == "importance" else "at least"
    return (
        f"the true {at.rule['measure']} meets this limit in {least} {100 * e.settings.level:.4g} % of samples"
    )


def p_value(value: float) -> str:
    """Four decimals, or that it is smaller."""
    return "-" if isnan(value) else "<0.0001" if value < 1e-4 else f"{value:.4f}"


def cells(
    found: Estimate, remarks: dict[str, str], hidden: str | None = None, usual: int = IN_FULL
) -> list[str]:
    """Value, interval and method, with marks of the remarks; or that the value is undefined, and why."""
    if found.undefined:
        why = found.undefined.text
        return ["-", "undefined", mark(why, remarks) if found.undefined.code in OF_BINS else why]
    return [value(found, usual=usual), ends(found, usual=usual), marked(found, remarks, hidden)]


def said_of(found: Estimate, remarks: dict[str, str], hidden: str | None = None) -> tuple[list[str], str]:
    """Method and parameters of an estimate, and the marks of its remarks below the table.

    remarks: may grow. hidden: a parameter that another column, or the whole table, shows; its notes are left
    out.
    """
    own = [part for part in (here(found, text.number), found.method) if part]
    below = []
    for note in found.notes:
        if note.kind in BELOW or not (found.has_interval or note.code == "parameters"):
            below.append(note.text)
        elif hidden not in note:
            own.append(note.text)
    return own, marks(below, remarks)


def here(found: Estimate, write: Callable[[float], str] = rounded) -> str:
    """The value on the cases that the threshold was chosen on, next to the corrected one; else empty."""
    return "" if found.corrected is None else f"{write(found.value)}{HERE}"


def at_threshold(entry: registry.Measure, found: Estimate) -> str:
    """The threshold of a maximum over the thresholds; empty for other measures."""
    if entry.attained is None or found.threshold is None:
        return ""
    return f"at the threshold {text.exact(found.threshold)}"


def marked(found: Estimate, remarks: dict[str, str], hidden: str | None = None) -> str:
    """The same as one text."""
    own, its = said_of(found, remarks, hidden)
    return with_marks("; ".join(own), its)


def mark(remark: str, remarks: dict[str, str]) -> str:
    """The mark of a remark, which is added where it is new."""
    return remarks.setdefault(remark, f"^{len(remarks) + 1}")


def marks(several: Iterable[str], remarks: dict[str, str]) -> str:
    """The marks of several remarks, in ascending order."""
    return "".join(sorted((mark(remark, remarks) for remark in several), key=lambda one: int(one[1:])))


def with_marks(said: str, its: str) -> str:
    """A text and its marks, apart from a number at its end, of which they would look like powers."""
    return f"{said} {its}" if its and said[-1:].isdigit() else said + its


def below(remarks: Mapping[str, str]) -> list[str]:
    """What the marks stand for."""
    return [text.paragraph(f"{remark}.", "  ", f"{mark} ") for remark, mark in remarks.items()]


def classes(data: DataInfo) -> str:
    """As ": 7 positive, 9 negative", of importance weights the share of positives; else empty."""
    if data.positives is None or data.negatives is None:
        return ""
    if data.weight_kind in ("importance", "mixed"):
        total = data.positives + data.negatives
        return f", weighted {data.positives / total:.1%} positive" if total else ""
    return f": {text.count(data.positives)} positive, {text.count(data.negatives)} negative"


def others(result: Result) -> list[str]:
    """The notices that are not severe: these stand below the numbers."""
    return flagged(notice for notice in result.notices if not notice.severe)


def flagged(lines: Iterable[object]) -> list[str]:
    """Each as a paragraph that begins with an exclamation mark."""
    return [text.paragraph(str(line), first="! ") for line in lines]


def severe(notices: Iterable[Any], in_full: bool = False) -> str:
    """Those that change how the numbers must be read, in brief or in full: they stand before the numbers."""
    return coloured("\n".join(flagged(one if in_full else brief(one) for one in notices if one.severe)), RED)


def brief(notice: Any) -> str:
    """Its short sentence with its code."""
    return f"{notice.brief} [{notice.code}]"


def listed(sentences: Iterable[str]) -> str:
    """Sentences without their full stop, one below the other."""
    return "\n".join(text.paragraph(f"{sentence}.", "  ", "* ") for sentence in sentences)
