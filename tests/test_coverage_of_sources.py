"""Every cell of docs/coverage-of-sources.md is true."""

import re
import sys
from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest

import tallymark as tm
from tallymark.cli.commands import parse
from tallymark.report.catalogue import find

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))
import coverage_of_sources as page  # noqa: E402

pytestmark = pytest.mark.full
ROWS = page.rows()


def test_every_row_has_its_own_name_and_a_known_source():
    assert len({row.id for row in ROWS}) == len(ROWS)
    assert {letter for row in ROWS for letter in row.documents} <= set(page.FACTS["documents"])
    assert {row.id[0] for row in ROWS} == set(page.FACTS["sections"])


def test_a_cell_has_a_value_or_a_reason_and_not_both():
    wrong = [
        (row.id, name)
        for row in ROWS
        for name in page.CELLS
        if bool(row.cells[name]) == bool(row.gap.get(name))
    ]
    assert wrong == []
    assert {name for row in ROWS for name in row.gap} <= set(page.CELLS)


def test_python_names_resolve():
    assert [(row.id, name) for row in ROWS for name in row.python if not is_there(name)] == []


def is_there(name):
    try:
        attrgetter(name)(tm)
    except AttributeError:
        return False
    return True


def test_commands_are_parsed():
    wrong = [(row.id, call) for row in ROWS for call in row.calls if not is_parsed(call)]
    assert wrong == []


def is_parsed(call):
    try:
        parse(call.split())
    except SystemExit:
        return False
    return True


def test_the_catalogue_finds_the_entry():
    wrong = [(row.id, word) for row in ROWS for word, wanted in row.finds if not is_found(word, wanted)]
    assert wrong == []


def is_found(word, wanted):
    kind, _, name = wanted.rpartition(":")
    return (kind or "measure", name) in [(entry.kind, entry.name) for entry in find(word)]


def test_pages_have_the_heading():
    wrong = [(row.id, place) for row in ROWS for place in row.pages if not has_heading(place)]
    assert wrong == []


def has_heading(place):
    file, _, anchor = place.partition("#")
    return anchor in anchors(file)


@cache
def anchors(file):
    headings = re.findall(r"^#+ (.*)$", (ROOT / "docs" / file).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_tests_exist():
    assert [(row.id, row.test) for row in ROWS if row.test and not is_test(row.test)] == []


def is_test(place):
    file, _, name = place.partition("::")
    path = ROOT / "tests" / file
    return path.exists() and f"def {name}(" in path.read_text(encoding="utf-8")


def test_what_does_not_exist_is_noticed():
    assert not is_there("unscoredd")
    assert not is_parsed("curve --truthh y cases.csv")
    assert not is_found("recall", "precision")
    assert not has_heading("names.md#curve")
    assert not is_test("test_points.py::test_berrars_figure_3")
