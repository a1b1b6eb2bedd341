"""The advice itself, as text, JSON and a table in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from math import isfinite
from typing import Any

from ...inference import Estimate
from ...input import text
from ...input.messages.notes import Note
from ...input.results import Answer, Result, Tabular, head

LONGEST = 60  # characters of a list of measures in the short form
Costs = tuple[float, float] | None  # of one false positive and of one false negative


@dataclass(frozen=True, slots=True, repr=False)
class Item(Result):
    """One piece of advice. use, avoid: names of measures; source: where the advice comes from."""

    code: str
    text: str
    use: tuple[str, ...]
    avoid: tuple[str, ...]
    source: str

    def __str__(self) -> str:
        return f"{self.text} [{self.code}; {self.source}]"

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"use": list(self.use), "avoid": list(self.avoid)}


@dataclass(frozen=True, eq=False)
class Advice(Answer, Tabular):
    """What to use, what misleads here, and why.

    estimates: of each measure that is named, one's own value with its interval, or a note that says why there is none; shifts: by
    measure, its value here and with classes of equal size.
    """

    ANSWER = "advice"

    items: tuple[Item, ...]
    need: str | None = None
    costs: Costs = None
    estimates: dict[str, Estimate | Note] = field(default_factory=dict, repr=False)
    shifts: dict[str, tuple[float, float]] = field(default_factory=dict, repr=False)

    @property
    def use(self) -> tuple[str, ...]:
        """The measures to use, in the order of the items."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.use))

    @property
    def avoid(self) -> tuple[str, ...]:
        """The measures that mislead here; none of them is to be used."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.avoid))

    def tables(self) -> Iterator[tuple[list[str], list[list[str]]]]:
        """Header and rows: what to use, with one's own values; what misleads, with what the class mix does to it."""
        if self.use:
            yield ["use", "value", "interval"], [_row(name, self.estimates[name]) for name in self.use]
        if self.avoid:
            there = {name: text.number(shift[1]) for name, shift in self.shifts.items()}
            avoid = [[*_row(name, self.estimates[name])[:2], there.get(name, "")] for name in self.avoid]
            yield ["avoid", "value", "with classes of equal size"], avoid

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per piece of advice, as plain values; the measures to use and to avoid with a comma between."""
        return self.rows_in({"items": [one.to_dict() for one in self.items]})

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        return [{**one, "use": ", ".join(one["use"]), "avoid": ", ".join(one["avoid"])} for one in plain["items"]]

    def __repr__(self) -> str:
        use, avoid = (text.label(", ".join(names) or "nothing", LONGEST) for names in (self.use, self.avoid))
        return f"<Advice: use {use}; avoid {avoid}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for strict JSON: what is undefined or infinite is None."""
        every = self.estimates.items()
        own, missing = ({name: one.to_dict() for name, one in every if isinstance(one, kind)} for kind in (Estimate, Note))
        moves = {name: [value if isfinite(value) else None for value in pair] for name, pair in self.shifts.items()}
        asked = {"need": self.need, "costs": dict(zip(("cost_fp", "cost_fn"), self.costs, strict=True)) if self.costs else None}
        said = {"use": list(self.use), "avoid": list(self.avoid), "items": [item.to_dict() for item in self.items]}
        found = {"measures": own, "unavailable": missing, "equal_classes": moves}
        return {**head(self.ANSWER), **asked, **said, **found}

    def __str__(self) -> str:
        tables = [text.table(header, rows, right=(1,)) for header, rows in self.tables()]
        return "\n\n".join([*tables, *(text.paragraph(str(item), first="* ") for item in self.items)])

    def _html(self) -> str:
        reasons = "".join(f"<li>{escape(str(item))}</li>" for item in self.items)
        return "".join(_html(header, rows) for header, rows in self.tables()) + f"<ul>{reasons}</ul>"


def _row(name: str, found: Estimate | Note) -> list[str]:
    if isinstance(found, Note):
        return [name, "-", found.text]
    if found.undefined:
        return [name, "-", f"undefined: {found.undefined}"]
    ends = f"{text.number(found.low)} to {text.number(found.high)} at {100 * found.level:.4g} %" if found.has_interval else "none"
    return [name, text.number(found.value), ends]


def _html(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [_cells("th", header), *(_cells("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _cells(tag: str, row: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(value)}</{tag}>' for value in row)}</tr>"
