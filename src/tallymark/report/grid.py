"""A table as texts, which every format lays out: one notation of numbers, with what they need said below.

An estimate is "0.895 [0.860, 0.923]", with ~ before an interval that is approximate; what is undefined is
"-", with its reason below the table. Digits follow the interval: its ends differ in what is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite, isnan
from typing import Any

from ..inference import Estimate
from ..input import text
from ..input.messages import why_approximate
from ..input.spelling import either
from .document import Cell, Column, Table

NUMBERS = ("value", "count", "number", "exact", "share", "p")
ESTIMATES = ("estimate", "difference")
BELOW = ("approximate", "conditional")  # notes that many measures have: said once, below the table
HERE = "on these cases"
NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
INTERVAL = re.compile(r" (?=~?\[)")  # before that of a written estimate
NOTHING = 1e-12  # a value nearer to 0 is 0 but for rounding
ROUNDING = 1e-9  # of the width of an interval: a value nearer to 0 is 0 but for rounding
APPROXIMATE, WITHOUT, MIX = "~ approximate: ", "Without an interval: ", "Given this class mix: "
# sentences below a table by their beginnings, and what stands between their parts
SENTENCES = {APPROXIMATE: "; ", WITHOUT: "; ", MIX: ", "}
FEW = 2  # reasons why intervals are approximate that are listed
CORRECTED = (
    "Corrected values allow for the choice of the threshold on these cases; the intervals are around them."
)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts. right: the indices of columns with numbers; estimates: of those with estimates."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[int] = ()
    estimates: Sequence[int] = ()
    below: Sequence[str] = ()


def written(
    table: Table,
    names: bool = False,
    most: int | None = None,
    longest: int = 200,
) -> Grid:
    """Its first `most` rows as texts.

    names: identifiers in place of titles; longest: characters of a name.
    """
    columns = table.columns
    rows = table.rows[:most]
    foot = _Foot(names, explained=any(one.kind == "method" for one in columns))
    heads = [one.name if names and one.name else one.title for one in columns]
    short = text.labels(dict.fromkeys(heads[1:]), longest) if table.kind == "matrix" else {}
    several = sum(one.kind == "estimate" for one in columns) > 1
    shortened = {
        one.key: text.labels(
            dict.fromkeys(
                _plain(row.get(one.key), names) for row in rows if not getattr(row.get(one.key), "name", "")
            ),
            longest,
        )
        for one in columns
        if one.kind == "name"
    }
    cells: list[list[str]] = []
    section = None
    for row in rows:
        if table.section is not None and row[table.section] != section:
            section = row[table.section]
            cells.append([f"[{section}]", *("" for _ in columns[1:])])
        of_measure = getattr(row.get(columns[0].key), "name", "")
        first = _plain(row.get(columns[0].key), names)
        cells.append(
            [
                shortened[one.key].get(name := _plain(row.get(one.key), names), name)
                if one.kind == "name"
                else foot.cell(one, row.get(one.key), head if several and not of_measure else first)
                for one, head in zip(columns, heads, strict=True)
            ]
        )
    return Grid(
        [short.get(head, head) for head in heads],
        cells,
        [i for i, one in enumerate(columns) if one.kind in NUMBERS],
        [i for i, one in enumerate(columns) if one.kind in ESTIMATES],
        [*table.notes, *foot.lines(len(foot.notes[APPROXIMATE]) if most is None else FEW)],
    )


def _plain(value: Any, names: bool) -> str:
    """A name as it is shown."""
    if isinstance(value, Cell):
        return f"{value.name if names and value.name else value.value}{value.mark}"
    return "" if value is None else str(value)


@dataclass
class _Foot:
    """Writes cells, and gathers what has to be said below the table.

    explained: whether a column has the methods and reasons; remarks: those of each mark, which differ in
    numbers alone; notes: by the beginnings of their sentences.
    """

    names: bool
    explained: bool
    remarks: dict[str, list[str]] = field(default_factory=dict)
    notes: dict[str, dict[str, None]] = field(default_factory=lambda: {one: {} for one in SENTENCES})
    parameters: dict[str, None] = field(default_factory=dict)
    corrected: bool = False

    def cell(self, column: Column, value: Any, about: str) -> str:
        """A value as the kind of its column is written. about: what an estimate is of."""
        whole = value if isinstance(value, Cell) else Cell(value)
        value, mark = (whole.name if self.names and whole.name else whole.value), whole.mark
        if value is None:
            return mark
        if isinstance(value, Estimate):
            if column.kind == "method":
                return self._method(value) + mark
            if column.kind == "value":
                value = value if value.undefined else Estimate(value.centre, bounds=value.bounds)
            return self._estimate(value, about, mark, "+" * (column.kind == "difference"))
        if isinstance(value, str):
            return value + mark
        return WRITE.get(column.kind, str)(value) + mark

    def _estimate(self, found: Estimate, about: str, mark: str, sign: str) -> str:
        if found.undefined:
            return "-" if self.explained else f"-{self._mark(found.undefined.text)}"
        for note in () if self.explained else found.notes:
            if note.code == "given-mix":
                self.notes[MIX][about] = None
            elif note.code == "parameters":
                self.parameters[f"{about}: {note.text}."] = None
            elif note.kind == "approximate" and found.has_interval:
                self.notes[APPROXIMATE][why_approximate(note.text)] = None
            elif not found.has_interval:
                self.notes[WITHOUT][note.reason] = None
        self.corrected |= found.corrected is not None
        return estimate(found, sign) + mark * found.has_interval

    def _method(self, found: Estimate) -> str:
        """The method with its notes, those of many measures as marks; or why there is no value."""
        if found.undefined:
            why = found.undefined
            return self._mark(why.text) if why.code.startswith("no-bounds") else why.text
        own = [part for part in (here(found), found.method) if part]
        marks = []
        for note in found.notes:
            if note.kind in BELOW or not (found.has_interval or note.code == "parameters"):
                marks.append(self._mark(note.text, note.kind in BELOW))
            else:
                own.append(note.text)
        said, its = "; ".join(own), "".join(sorted(marks, key=lambda one: int(one[1:])))
        return f"{said} {its}" if its and said[-1:].isdigit() else said + its

    def _mark(self, remark: str, alike: bool = False) -> str:
        """The mark of a remark. alike: that of others which differ in numbers."""
        key = NUMBER.sub("", remark) if alike else remark
        self.remarks.setdefault(key, []).append(remark)
        return f"^{[*self.remarks].index(key) + 1}"

    def lines(self, few: int) -> list[str]:
        """What stands below, a sentence each. few: reasons of intervals that are listed."""
        reasons = dict.fromkeys(ranges(self.notes[APPROXIMATE]))
        notes = self.notes | {APPROXIMATE: reasons}
        if len(reasons) > few:
            notes |= {APPROXIMATE: {f"{len(reasons)} reasons: {in_full()} has them": None}}
        return [
            *(f"^{i} {ranges(some)[0]}." for i, some in enumerate(self.remarks.values(), 1)),
            *(
                f"{start}{between.join(notes[start])}."
                for start, between in SENTENCES.items()
                if notes[start]
            ),
            *self.parameters,
            *([CORRECTED] if self.corrected else []),
        ]


def ranges(sentences: Iterable[str]) -> list[str]:
    """Sentences that differ in numbers alone as one, with the least and the largest of these."""
    groups: dict[str, list[str]] = {}
    for one in sentences:
        groups.setdefault(NUMBER.sub("", one), []).append(one)
    result = []
    for some in groups.values():
        numbers = zip(*map(NUMBER.findall, some), strict=True)
        sizes = [sorted({*each}, key=lambda one: float(one.replace(",", ""))) for each in numbers]
        spans = [" to ".join(dict.fromkeys((each[0], each[-1]))) for each in sizes]
        between = NUMBER.split(some[0])
        result.append("".join(map("".join, zip(between, [*spans, ""], strict=True))))
    return result


def in_full() -> str:
    """How everything is printed."""
    return either("result.all", "--all")


# Values
# --------------------------------------------------------------------------------------------------


def estimate(found: Estimate, sign: str = "") -> str:
    """The value with its interval, as "0.895 [0.860, 0.923]"; "-" where it is undefined."""
    return f"{value(found, sign)} {interval(found)}".rstrip() if not found.undefined else "-"


def value(found: Estimate, sign: str = "") -> str:
    """The value that the interval belongs to, with as many digits as its ends.

    Where only its bounds are known, both, as "0.853 to 0.861", unless they are written with the same digits.
    sign: before a number that is not below 0.
    """
    if found.undefined:
        return "-"
    if not found.has_interval:
        written: Callable[[float], str] = text.rounded
    else:
        places, width = text.digits_of(found.low, found.high), found.high - found.low
        written = partial(
            _beside_interval, places=places, negligible=ROUNDING * width if isfinite(width) else 0.0
        )
    return " to ".join(
        dict.fromkeys(sign * bool(one >= 0) + written(one) for one in found.bounds or (found.centre,))
    )


def _beside_interval(value: float, places: int, negligible: float) -> str:
    """A value with as many digits as the ends of its interval, and one more where it would be 0."""
    if abs(value) < max(negligible, 10.0 ** -(places + 1) / 2):
        return text.rounded(0.0, places)
    return text.rounded(value, places + (abs(value) < 10.0**-places / 2))


def rounded(found: Estimate) -> str:
    """The value without its interval, in the usual digits; both bounds where they differ in these."""
    return " to ".join(
        dict.fromkeys(text.rounded(0.0 if abs(one) < NOTHING else one) for one in found.between)
    )


def interval(found: Estimate) -> str:
    """The interval, with ~ before one that is approximate; empty without one."""
    if not found.has_interval:
        return ""
    about = "~" * any(note.kind == "approximate" for note in found.notes)
    return f"{about}{text.interval(found.low, found.high)}"


def here(found: Estimate) -> str:
    """The value on the cases that the threshold was chosen on, next to the corrected one; else empty."""
    return "" if found.corrected is None else f"{text.rounded(found.value)} {HERE}"


def p_value(value: float) -> str:
    """Four decimals, or that it is smaller."""
    return "-" if isnan(value) else "<0.0001" if value < 1e-4 else f"{value:.4f}"


def level_of(level: float, what: str = "estimate") -> str:
    """The head of a column of estimates."""
    return f"{what} [{100 * level:.4g}% interval]"


WRITE: dict[str, Callable[[Any], str]] = {
    "count": text.count,
    "exact": text.exact,
    "share": lambda one: f"{text.rounded(100 * one, text.CHOSEN.get() or 1)} %",
    "p": p_value,
    **dict.fromkeys(("number", "estimate", "difference"), text.rounded),
}
