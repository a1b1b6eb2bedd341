"""Every result has the same methods, which give the same in every form: looked for in all classes, tried on
one of each."""

import contextlib
import csv
import json
import re
import sys
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest
from every_result import public_functions, result_classes, results
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark.evaluation.notices import Notice
from tallymark.input.results import BACKENDS, Readable, Result, Tabular, rows_of

LONGEST = 200  # characters of a short form
PLAIN = (str, int, float, bool, type(None))
EVIL = "</td><script>alert('1')</script>\"&<img src=x onerror=alert(1)>"
VOID = {"meta", "br", "path", "circle", "line", "rect", "hr"}


@cache
def every():
    return {name: one for name, one in results().items() if isinstance(one, Result)}


def of_kind(kind):
    """Names; without amounts in an engine, which were summed there and have neither rows nor JSON."""
    return [name for name, one in every().items() if isinstance(one, kind) and name != "moments of residuals"]


def with_values():
    return of_kind(Result)


def tables():
    return of_kind(Tabular)


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


class Page(HTMLParser):
    """Checks that tags nest; keeps the tags and the text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.text = [], [], ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


# Which classes are results
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_what_a_function_answers_or_has_plain_values_is_a_result():
    """The catalogue answers with measures, which are not results."""
    answers = " ".join(
        str(function.__annotations__.get("return")) for function in public_functions().values()
    )
    named = {kind for kind in result_classes() if kind.__name__ in re.findall(r"\w+", answers)} - {tm.Measure}
    plain = {kind for kind in result_classes() if hasattr(kind, "to_dict") or hasattr(kind, "_repr_html_")}
    lacking = sorted(
        f"{kind.__module__}.{kind.__name__}" for kind in named | plain if not issubclass(kind, Result)
    )
    assert not lacking, f"these are not tallymark.input.results.Result: {lacking}"
    assert {"Unscored", "OperatingPoints", "PairsMatrix", "Verdict", "Counts"} <= {
        kind.__name__ for kind in named | plain
    }


def test_nothing_but_the_base_writes_json_files_and_html():
    """One place for each form: what differs is to_dict, table and the form."""
    own = {
        f"{kind.__name__}.{name}"
        for kind in result_classes()
        for name in ("save", "to_json", "to_frame", "_repr_html_", "from_json")
        if name in vars(kind)
    }
    assert own <= {
        "Result.save",
        "Result.to_json",
        "Result._repr_html_",
        "Tabular.to_frame",
        "Readable.from_json",
        "Answer.from_json",
        "Summary.to_json",
        "Display.save",  # a figure of matplotlib, which has no plain values
    }


# Its forms
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each("name", with_values)
def test_json_is_strict_and_holds_the_plain_values(name):
    one = every()[name]
    assert strict(one.to_json()) == one.to_dict()
    assert strict(one.to_json(indent=None)) == one.to_dict()
    assert "\n" not in one.to_json(indent=None)


@in_part(5, ("fast", "full"))
@for_each("name", every)
def test_the_short_form_is_one_line(name):
    written = repr(every()[name])
    assert 0 < len(written) <= LONGEST
    assert written.isprintable()
    assert " at 0x" not in written
    assert "no interval; no interval" not in written
    assert " at 0x" not in str(every()[name])
    assert str(every()[name])


@in_part(5, ("fast", "full"))
@for_each("name", every)
def test_a_notebook_shows_it_in_light_and_dark(name):
    html = every()[name]._repr_html_()
    page = Page(html)
    assert page.tags[0] == "style"
    assert not {"html", "body", "script", "img", "link"} & set(page.tags)
    assert "light-dark(" in html
    assert len(page.text.split("\n", 2)[-1]) > 10
    assert not re.search(r"\bnan\b", re.sub(r"<style>.*?</style>", "", html, flags=re.S))


@in_part(5, ("fast", "full"))
@for_each("name", every)
def test_notices_are_notices(name):
    notices = every()[name].notices
    assert isinstance(notices, tuple)
    assert all(isinstance(one, Notice) for one in notices)
    words = every()[name].to_html() if notices else ""
    assert all(one.code in words for one in notices)


@in_part(5, ("fast", "full"))
@for_each("name", lambda: [name for name, one in every().items() if hasattr(one, "keys")])
def test_its_parts_have_names(name):
    result = every()[name]
    names = list(result)
    assert names == list(result.keys())
    assert len(names) == len(result) == len(set(names)) > 0
    assert all(one in result for one in names)
    assert "nonsense" not in result
    assert 3 not in result
    assert [key for key, one in dict(result).items() if one is None] == []


@for_each("name", lambda: [name for name, one in every().items() if hasattr(type(one), "__getitem__")])
def test_iteration_gives_the_parts_or_is_refused_by_python(name):
    with contextlib.suppress(TypeError):
        list(every()[name])


@in_part(3)
@for_each("name", with_values)
def test_files(name, tmp_path_factory):
    one, folder = every()[name], tmp_path_factory.mktemp("files")
    if one.WRITERS.keys() == {".tally"}:  # sums of cases are no JSON
        return
    for ending in one.WRITERS:
        one.save(folder / f"x{ending.upper()}")
        assert (folder / f"x{ending.upper()}").stat().st_size
    written = strict((folder / "x.JSON").read_text(encoding="utf-8"))
    assert {key: part for key, part in written.items() if key != "document"} == one.to_dict()
    page = (folder / "x.HTML").read_text(encoding="utf-8")
    assert page == one.to_html()
    assert page.startswith("<!doctype html>")
    assert page.count("<h1>") == page.count("</html>") == 1
    assert {".html", ".json"} <= one.WRITERS.keys()
    assert (".csv" in one.WRITERS) == isinstance(one, Tabular)
    with refuses("not-written", "'x.pdf'", argument="path"):
        one.save("x.pdf")


def test_a_picture_is_part_of_the_page():
    for name in ("curve", "calibration"):
        assert "svg" in Page(every()[name]._repr_html_()).tags
    assert 'class="curve' in every()["curve"]._repr_html_()


# Tables
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_table_means_one_thing():
    assert {name for name, one in every().items() if hasattr(one, "table")} == set(tables())


@for_each("name", tables)
def test_a_table_is_a_list_of_rows_of_plain_values(name):
    rows = every()[name].table
    assert isinstance(rows, list)
    assert rows
    for row in rows:
        assert isinstance(row, dict)
        assert row.keys() == rows[0].keys()
        assert all(type(value) in PLAIN and value == value for value in row.values()), row


@in_part(6, ("fast", "full"))
@for_each("name", tables)
@for_each("backend", BACKENDS)
def test_frames(name, backend):
    pytest.importorskip(backend)
    rows = every()[name].table
    frame = every()[name].to_frame(backend)
    assert type(frame).__module__.split(".")[0] == backend
    names = list(frame.column_names if backend == "pyarrow" else frame.columns)
    assert (frame.shape, names) == ((len(rows), len(rows[0])), list(rows[0]))
    for column in names:
        values = (frame[column].to_pylist if backend == "pyarrow" else frame[column].to_list)()
        for value, row in zip(values, rows, strict=True):
            wanted = row[column]
            assert (wanted is None and (value is None or value != value)) or value in (wanted, str(wanted))


@in_part(5, ("fast", "full"))
@for_each("name", tables)
def test_csv(name, tmp_path_factory):
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    every()[name].save(path)
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {key: "" if value is None else str(value) for key, value in row.items()}
        for row in every()[name].table
    ]


def test_a_library_that_is_not_there_is_refused(monkeypatch):
    with refuses("unknown-name", "'panda'", argument="backend"):
        every()["two classes"].to_frame("panda")
    monkeypatch.setitem(sys.modules, "polars", None)
    with refuses("not-installed", "'pandas'", "'pyarrow'", argument="backend"):
        every()["two classes"].to_frame("polars")


def test_rows_have_the_same_keys():
    assert rows_of([{"a": 1, "b": [1]}, {"c": "x"}]) == [{"a": 1, "c": None}, {"a": None, "c": "x"}]


# Read back
# --------------------------------------------------------------------------------------------------


@for_each("name", lambda: of_kind(Readable))
def test_what_is_read_back_is_equal(name, tmp_path_factory):
    one, path = every()[name], tmp_path_factory.mktemp("json") / "x.json"
    one.save(path)
    for again in (type(one).from_json(one.to_json()), type(one).from_json(path.read_text(encoding="utf-8"))):
        assert type(again) is type(one)
        assert again == one
        assert again.to_dict() == one.to_dict()
    for wrong in ("", "[]", "{}", "null", '{"a": 1}', one.to_json()[:-1]):
        with pytest.raises(tm.InputError):
            type(one).from_json(wrong)


def test_every_summary_is_read_back():
    kinds = {one for one in vars(tm.summaries).values() if isinstance(one, type)}
    assert {type(one) for one in every().values() if isinstance(one, Readable)} >= kinds
    assert len(kinds) == 9


# Nothing is trusted
# --------------------------------------------------------------------------------------------------


def test_names_and_labels_are_escaped():
    truth = np.tile([EVIL, "x"], 20)
    score = np.linspace(0, 1, 40)
    cases = {"truth": truth, "positive": EVIL}
    several = tm.compare(**cases, score={EVIL: score, "x": 1 - score})
    matrix = tm.ConfusionMatrix.from_arrays(truth=truth, predicted=np.roll(truth, 1))
    two_by_two = tm.evaluate(**cases, score=score).two_by_two
    for one in (several, several.differences[0], several.agreement[0], matrix, two_by_two):
        page = Page(one._repr_html_())
        assert not {"script", "img"} & set(page.tags)
        assert EVIL[:4] in page.text


# The words of an estimate
# --------------------------------------------------------------------------------------------------


def test_an_estimate_says_once_that_it_has_no_interval():
    without = tm.at_prevalence(tm.Counts(tp=8, fp=2, fn=1, tn=9), prevalence=0.1)["prevalence"]
    assert not without.has_interval
    assert repr(without).count("no interval") == 1
    assert repr(without) == f"Estimate({without.value:.4g}, {without.note})"
    assert repr(tm.Estimate(0.5)) == "Estimate(0.5, no interval)"
    assert repr(tm.Estimate(0.5, 0.4, 0.6, 0.95, "wilson")) == "Estimate(0.5 [0.4, 0.6] at 0.95, wilson)"
