"""The page of what the source documents define and where it is: coverage_of_sources.toml, with the cells of
measures derived from the catalogue."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tallymark import Counts, RankingTable, Residuals
from tallymark.measures import registry

FACTS = tomllib.loads((Path(__file__).parent / "coverage_of_sources.toml").read_text(encoding="utf-8"))
CELLS = ("python", "command", "catalogue", "page", "test")
VALUES = "measures/test_values.py::test_value_worked_out_by_hand"
PAGE = """# Coverage of the source documents

Made by `python docs/make.py` from `docs/coverage_of_sources.toml`. The cells of measures are derived from the
catalogue; `tests/test_coverage_of_sources.py` checks every cell: that the name and the test exist, that the
command is parsed, that the catalogue finds the entry by every name in the row, and that the page has the
heading. A full-tier test runs every command. A cell without a value has the reason: a gap is missing; "not
applicable" is what has no such cell by its nature, for one of {reasons} reasons.

{documents}

{rows} rows, of which {whole} are without a gap; {empty} cells with a gap, and {without} that are not
applicable.

| document | rows | rows with a gap | cells with a gap | cells that are not applicable |
|---|---|---|---|---|
{counted}

A row that is in several documents counts for each of them. Tests are in `tests/`.
"""
HEAD = "| | row | source | Python | command | catalogue | page | test |\n|---|---|---|---|---|---|---|---|"
COUNTED = "counts --tp 3 --fp 1 --fn 2 --tn 4"
CASES = {
    RankingTable: "evaluate cases.csv --truth y --score p",
    Residuals: "evaluate cases.csv --truth y --predicted p --regression",
}
OF_CLASSES = "evaluate cases.csv --truth y --score a --score b --score c"


@dataclass(frozen=True)
class Row:
    """A row of the file, with what is derived. calls: commands, without "tallymark". finds: words of the
    catalogue with the entry that they must find. gap: the reason, by cell; not_applicable: the name of the
    reason, by cell."""

    id: str
    what: str
    source: tuple[str, ...]
    python: tuple[str, ...]
    calls: tuple[str, ...]
    finds: tuple[tuple[str, str], ...]
    pages: tuple[str, ...]
    test: str | None
    gap: dict[str, str] = field(default_factory=dict)
    not_applicable: dict[str, str] = field(default_factory=dict)

    @property
    def documents(self) -> set[str]:
        """The letters of the documents."""
        return {place.split()[0] for place in self.source}

    @property
    def cells(self) -> dict[str, list[str]]:
        """By column what it holds; empty where there is a gap."""
        catalogue = [f"`{word}`: {found}" for word, found in self.finds]
        return {
            "python": [f"`tm.{name}`" for name in self.python],
            "command": [f"`tallymark {call}`" for call in self.calls],
            "catalogue": catalogue,
            "page": [f"[{page.partition('#')[2]}]({page})" for page in self.pages],
            "test": [f"`{self.test}`"] if self.test else [],
        }


def rows() -> list[Row]:
    """Every row, in the order of the file."""
    return [_row(**given) for given in FACTS["row"]]


def _row(
    *,
    id: str,
    what: str,
    source: Sequence[str],
    measures: Sequence[str] = (),
    words: Sequence[str] = (),
    python: Sequence[str] = (),
    command: str | None = None,
    finds: Sequence[str] = (),
    page: str | None = None,
    test: str | None = None,
    gap: dict[str, str] | None = None,
    not_applicable: dict[str, str] | None = None,
) -> Row:
    entries = [(name.rpartition(":")[2], name) for name in (*measures, *finds)]
    return Row(
        id,
        what,
        tuple(source),
        tuple([f"measures.{name}" for name in measures] + list(python)),
        (command,) if command else tuple(_call(name) for name in measures),
        (*entries, *((word, measures[0]) for word in words)),
        tuple([f"measures.md#{name}" for name in measures] + ([page] if page else [])),
        test or (VALUES if measures else None),
        gap or {},
        not_applicable or {},
    )


def _call(name: str) -> str:
    """The command that computes a measure."""
    of = registry.get(name).summary
    return f"{COUNTED if of is Counts else CASES.get(of, OF_CLASSES)} --measure {name}"


def page() -> str:
    """The page."""
    every = rows()
    head = PAGE.format(
        documents="\n".join(f"* {letter}: {title}" for letter, title in FACTS["documents"].items()),
        rows=len(every),
        whole=sum(not row.gap for row in every),
        empty=sum(len(row.gap) for row in every),
        without=sum(len(row.not_applicable) for row in every),
        reasons=len(FACTS["reasons"]),
        counted="\n".join(_counted(letter, every) for letter in FACTS["documents"]),
    )
    return "\n".join([head, *(_section(letter, every) for letter in FACTS["sections"])])


def _counted(letter: str, every: list[Row]) -> str:
    of = [row for row in every if letter in row.documents]
    title = FACTS["documents"][letter].partition(",")[0]
    cells = [
        len(of),
        sum(bool(row.gap) for row in of),
        sum(len(row.gap) for row in of),
        sum(len(row.not_applicable) for row in of),
    ]
    return f"| {title} | {' | '.join(map(str, cells))} |"


def _section(letter: str, every: list[Row]) -> str:
    lines = [_line(row) for row in every if row.id[0] == letter]
    return "\n".join([f"## {FACTS['sections'][letter]}\n", HEAD, *lines, ""])


def _line(row: Row) -> str:
    cells = row.cells
    found = ["<br>".join(cells[name]) or _why(row, name) for name in CELLS]
    return f"| {' | '.join([row.id, row.what, '; '.join(row.source), *found])} |"


def _why(row: Row, name: str) -> str:
    """Why a cell is empty."""
    if name in row.not_applicable:
        return f"not applicable: {FACTS['reasons'][row.not_applicable[name]]}"
    return f"gap: {row.gap.get(name)}"
