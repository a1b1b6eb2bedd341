"""Every kind of result in every format: the same facts, on one screen of 80 columns, or in full."""

import html
import re
from functools import cache

import numpy as np
import pytest
from every_result import results
from looping import for_each, in_part

import tallymark as tm
from tallymark.input.results import Answer, InFull, Result
from tallymark.report import output
from tallymark.report.document import Cell, Document, written
from tallymark.report.documents import document

TAGS = re.compile(r"<style>.*?</style>|<script.*?</script>|<svg.*?</svg>|<[^>]*>", re.S)
COMMANDS = re.compile(r"\\(?:text[a-z]+|symbol|[a-z]+)\b|[\\{}$]")


@cache
def shown():
    """The results with a document of more than a line, by their names."""
    every = {name: one for name, one in results().items() if isinstance(one, Result)}
    return {name: one for name, one in every.items() if one.FORM and document(one).tables}


@cache
def whole(name):
    """The document in full."""
    return document(shown()[name], full=True)


def words(text):
    """The letters and digits of a text, so that line ends, marks, escapes and capitals do not matter."""
    plain = html.unescape(text).replace("\u2026", "")
    return re.sub(r"[^0-9a-zA-Z]+", "", plain).lower()


def cells(found):
    """The cells of the tables of a document but for methods, whose marks a page numbers by itself."""
    for table in found.tables:
        kinds = [column.kind for column in table.columns]
        for row in written(table).rows:
            yield from (cell for kind, cell in zip(kinds, row, strict=True) if kind != "method")


def facts(found):
    """What a document states: its sentences, notices, cells and what stands below its tables."""
    yield from (found.headline, *found.facts, *found.footnotes)
    for table in found.tables:
        grid = written(table)
        yield from (*grid.header, *grid.below)
        yield from (cell for row in grid.rows for cell in row)


FORMATS = {
    "markdown": lambda one: re.sub(r"<!-- -->", "", output.markdown(one, full=True)),
    "latex": lambda one: COMMANDS.sub("", output.latex(InFull(one))),
    "html": lambda one: TAGS.sub(" ", one.to_html()),
}


@in_part(8, ("fast", "full"))
@for_each("name", shown)
def test_every_format_states_the_same(name):
    one = shown()[name]
    found = whole(name)
    # in LaTeX an interval may stand below its value, and the second word of a head below the first
    stated = [words(part) for fact in facts(found) for part in fact.split(" ", 1)]
    severe = [words(notice.brief) for notice in found.notices if notice.severe]
    codes = [words(notice.code) for notice in found.notices]
    for kind, write in FORMATS.items():
        text = words(write(one))
        wanted = map(words, cells(found)) if kind == "html" else stated
        missing = [fact for fact in wanted if fact not in text]
        assert not missing, (kind, missing[:3])
        if kind != "html":  # which has them in full
            assert all(notice in text for notice in severe), kind
        if kind != "latex":
            assert all(code in text for code in codes), kind


@in_part(4, ("fast", "full"))
@for_each("name", shown)
def test_text_in_full_states_every_value(name):
    one = shown()[name]
    found = whole(name)
    text = words(output.text(one, full=True))
    assert all(words(str(notice)) in text for notice in found.notices)
    for table in found.tables:
        kinds = [column.kind for column in table.columns]
        for row in written(table).rows:
            for kind, cell in zip(kinds, row, strict=True):
                if kind not in ("name", "text", "method"):  # shortened, or wrapped within a column
                    assert words(cell) in text, cell


@for_each("name", shown)
def test_a_screen_has_80_columns_and_36_lines(name):
    lines = str(shown()[name]).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 36 or isinstance(shown()[name], InFull)


@in_part(4, ("fast", "full"))
@for_each("name", shown)
def test_everything_in_full_keeps_to_80_columns(name):
    lines = output.text(shown()[name], full=True).splitlines()
    assert max(map(len, lines)) <= 80


RANDOM = np.random.default_rng(3)
TRUTH = np.arange(400) % 2
GOOD, POOR = (np.clip(TRUTH * by + RANDOM.random(400) * 0.7, 0, 1) for by in (0.4, 0.05))
MIXED = np.where(np.arange(400) < 200, GOOD, POOR)
SITE = np.where(np.arange(400) < 200, "here", "there")
APART = {
    "models": lambda: tm.evaluate(truth=TRUTH, score={"good": GOOD, "poor": POOR}),
    "groups": lambda: tm.evaluate(truth=TRUTH, score=MIXED, by={"site": SITE}),
    "models on groups": lambda: tm.evaluate(
        truth=TRUTH, score={"mixed": MIXED, "poor": POOR}, by={"site": SITE}
    ),
    "folds": lambda: tm.evaluate(truth=TRUTH, score={"good": GOOD, "poor": POOR}, fold=np.arange(400) % 5),
    "comparison": lambda: tm.compare(truth=TRUTH, score={"good": GOOD, "poor": POOR}),
}


def marks(found):
    """How many differences are marked, also in the documents of the parts."""
    own = sum(
        isinstance(cell, Cell) and cell.mark == "!" and cell.value.has_interval
        for table in found.tables
        for row in table.rows
        for cell in row.values()
    )
    return own + sum(marks(make()) for make in found.parts.values())


@pytest.mark.full
@for_each("name", list(APART))
def test_marks_of_differences_are_in_every_format(name):
    """A mark that one format leaves out fails."""
    one = APART[name]()
    marked = marks(document(one, full=True))
    assert marked
    every = {"text": lambda found: output.text(found, full=True), **FORMATS}
    assert {kind: write(one).count("]!") for kind, write in every.items()} == dict.fromkeys(every, marked)


@in_part(4, ("fast", "full"))
@for_each("name", lambda: [name for name, one in results().items() if isinstance(one, Answer)])
def test_every_answer_prints_in_full(name):
    one = results()[name]
    assert str(one.all)
    assert one.all.to_dict() == one.to_dict() or hasattr(one, "selected")


def test_dropped_rows_are_stated_in_every_format():
    truth, score = [0, 1, 1, 0] * 10, [0.1, 0.8, 0.6, 0.7] * 9 + [0.1, 0.8, 0.6, float("nan")]
    found = tm.evaluate(truth=truth, score=score, missing="drop")
    for text in (str(found.all), found.to_markdown(), found.to_html()):
        assert "rows-dropped" in text


def test_identifiers_and_digits():
    found = tm.evaluate(truth=[0, 1, 1, 0] * 9, score=[0.1, 0.8, 0.6, 0.7] * 9)
    text = output.text(found, names=True, digits=5)
    one = found["roc_auc"]
    assert re.search(rf"roc_auc +{one.value:.5f} +~?\[{one.low:.5f}, {one.high:.5f}\]", text)
    assert "ROC AUC  " not in text
    assert f"{one.value:.5f} [{one.low:.5f}, {one.high:.5f}] (95% CI)" in " ".join(text.split())
    assert f"{one.value:.5f} [{one.low:.5f}, {one.high:.5f}]" not in str(found)


@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_the_class_mix_is_stated_once_below_a_table(design):
    truth, score = [0, 1, 1, 0] * 25, np.linspace(0.1, 0.9, 100)
    how = {"measures": ["roc_auc", "precision"], "threshold": 0.5, "design": design}
    found = tm.compare(truth=truth, score={"a": score, "b": score[::-1]}, **how)
    for table in document(found, full=True).tables:
        below = " ".join(written(table).below)
        assert below.lower().count("given this class mix") == (design == "case-control") * (
            table.name in ("values", "differences")
        )


def test_a_comparison_has_words_and_a_measure_once():
    models = {name: GOOD**power for name, power in (("a", 1), ("b", 2), ("c", 3))}
    found = tm.compare(truth=TRUTH, score=models, measures=["roc_auc", "accuracy"], threshold=0.123456789)
    text, page = str(found.all), found.to_html()
    for name in ("DeLong's test, all areas equal", "McNemar's mid-p, Accuracy: b - a", "score >= 0.1235"):
        assert name in text
        assert name in html.unescape(page)
    first = page.partition("</table>")[0]
    assert first.count('class="hide">Accuracy') == len(models) - 1
    assert first.count("<circle") == 2 * (2 * len(models) - 1)


def test_documents_are_values():
    made = document(tm.evaluate(truth=[0, 1, 1, 0], predicted=[0, 1, 1, 1]))
    assert isinstance(made, Document)
    assert made.headline.startswith("Balanced accuracy 0.750")
    assert made.tables[0].kind == "matrix"
    assert [column.kind for column in made.tables[1].columns] == ["name", "estimate", "text"]


@pytest.mark.parametrize("label", ["a|b", "<script>", r"\textbf{x}", "*x*", "@team"])
def test_labels_are_text_in_every_format(label):
    truth = np.array([label, "other"])[np.arange(40) % 2]
    found = tm.evaluate(truth=truth, predicted=np.roll(truth, 1), classes=[label, "other", "third"])
    assert label in str(found)
    assert label in html.unescape(TAGS.sub(" ", found.to_html())) or label == "<script>"
    assert "<script>" not in found.to_html()
    assert r"\textbf{x}" not in found.to_latex()
