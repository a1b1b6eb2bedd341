"""Every cell of docs/coverage-of-sources.md is true."""

import inspect
import re
import sys
from functools import cache
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

import tallymark as tm
from tallymark.cli import main
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
        if sum(map(bool, (row.cells[name], row.gap.get(name), row.not_applicable.get(name)))) != 1
    ]
    assert wrong == []
    assert {name for row in ROWS for name in (*row.gap, *row.not_applicable)} <= set(page.CELLS)


# What has no command by its nature, and how this shows.
SHOWN_BY = {
    "training": lambda row: all(name.startswith("losses.") for name in row.python),
    "rule": lambda row: all(first_argument(name) == "rule" for name in row.python),
    "fitting": lambda row: all(first_argument(name) == "estimator" for name in row.python),
    "script": lambda row: row.id[0] == "H" and (ROOT / "examples" / folder_of(row) / "run.py").exists(),
}


def first_argument(name):
    return next(iter(inspect.signature(attrgetter(name)(tm)).parameters))


def folder_of(row):
    return next(path.name for path in (ROOT / "examples").glob(f"{row.id.lower()}_*"))


def test_not_applicable_is_for_one_of_these_reasons_and_only_a_command():
    assert page.FACTS["reasons"].keys() == SHOWN_BY.keys()
    found = {(row.id, name): row for row in ROWS for name in row.not_applicable}
    assert {name for _, name in found} == {"command"}
    used = {row.not_applicable["command"] for row in found.values()}
    assert used == SHOWN_BY.keys()
    assert [row.id for row in found.values() if not SHOWN_BY[row.not_applicable["command"]](row)] == []


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


NUMBER = 60


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Writes the file of a call into an empty folder, where the call is run."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(6)
    for name, centre in (("genuine", 1), ("impostor", 0)):
        (tmp_path / f"{name}.txt").write_text("\n".join(map(str, random.normal(centre, 1, NUMBER))))
    labels = np.arange(NUMBER) % 2
    columns = {name: random.permutation(labels) for name in "de"}
    columns |= {name: np.clip(labels * 0.3 + 0.7 * random.random(NUMBER), 0, 1) for name in "pq"}
    for part in ("abc", "xzv"):
        columns |= dict(zip(part, random.dirichlet([1, 1, 1], NUMBER).T, strict=True))

    def write(call):
        scores = re.findall(r"--score ([a-z])", call)
        truth = np.array(scores)[np.arange(NUMBER) % len(scores)] if len(scores) > 1 else labels
        every = {"y": truth, **columns}
        lines = [",".join(every), *(",".join(map(str, row)) for row in zip(*every.values(), strict=True))]
        (tmp_path / "cases.csv").write_text("\n".join(lines))

    return write


def test_commands_run(files, capsys):
    failed = []
    for row in ROWS:
        for call in row.calls:
            files(call)
            status = main(call.split())
            said = capsys.readouterr()
            if status != 0 or not said.out:
                failed.append((row.id, call, status, said.err))
    assert failed == []


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
