"""The report page: one file that needs nothing else, and shows everything without trusting any of it."""

import os
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

from tallymark import Counts, Estimate, Evaluation, check, evaluate
from tallymark.input.text import interval
from tallymark.report import html
from tallymark.report.output import page

RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.integers(0, 2, 150)
SCORE = np.clip(0.4 * TRUTH + 0.6 * RANDOM.random(150), 0, 1)
VOID = {"meta", "link", "br", "img", "input", "hr", "path", "circle", "line", "rect"}
EVIL = "</td><script>alert('1')</script>\"&<img src=x onerror=alert(1)>"

EVALUATIONS = {
    "scores": evaluate(truth=TRUTH, score=SCORE),
    "labels": evaluate(truth=TRUTH, predicted=SCORE > 0.5),
    "counts": evaluate(counts=Counts(tp=70, fp=20, fn=30, tn=80)),
    "classes": evaluate(truth=TRUTH + (SCORE > 0.7), predicted=TRUTH + (SCORE > 0.6)),
    "weighted": evaluate(truth=TRUTH, score=SCORE, weight=SCORE + 0.1),
    "one class": evaluate(truth=TRUTH * 0, score=SCORE),
    "infinite": evaluate(truth=TRUTH, score=np.where(TRUTH, np.inf, SCORE), threshold=0.5),
    "infinite threshold": evaluate(truth=TRUTH, score=np.where(TRUTH, np.inf, SCORE), threshold=np.inf),
    "lower is positive": evaluate(truth=TRUTH, score=1 - SCORE, higher_is_positive=False),
    "one case": evaluate(truth=[1], score=[0.5]),
    "none": evaluate(counts=Counts.zero()),
}
every_evaluation = for_each("evaluation", EVALUATIONS.values(), ids=EVALUATIONS)


class Page(HTMLParser):
    """Checks that tags nest, and keeps the tags, their attributes and the text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.text = [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    @property
    def words(self):
        return " ".join(self.text)


@pytest.mark.full
@every_evaluation
def test_the_page_parses_and_is_complete(evaluation):
    found = Page(page(evaluation))
    assert found.tags[:3] == ["html", "head", "meta"]
    for tag in ("style", "body", "main", "h1"):
        assert found.tags.count(tag) == 1
    assert "title" in found.tags


@in_part(6, ("fast", "full"))
@every_evaluation
def test_the_page_needs_nothing_else(evaluation):
    html = page(evaluation)
    assert "http:" not in html
    assert "https:" not in html
    assert "url(" not in html
    assert "@import" not in html
    found = Page(html)
    assert not {"link", "img", "iframe", "object", "embed"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("src", "style")]
    assert {value[0] for name, value in found.attributes if name == "href"} == {"#"}
    assert "default-src 'none'" in html
    assert "unsafe" not in html.partition("<style>")[0]


@pytest.mark.full
@every_evaluation
def test_no_number_is_left_unreadable(evaluation):
    html = re.sub(r"<(style|script).*?</\1>", "", page(evaluation), flags=re.S)
    assert not re.search(r"\b(nan|None)\b", html)
    for name, value in Page(html).attributes:
        if name in ("d", "cx", "cy", "x", "y", "width", "height"):
            assert "inf" not in value
            assert "nan" not in value


@in_part(5, ("fast", "full"))
@every_evaluation
def test_every_measure_and_every_notice_is_shown(evaluation):
    found = Page(page(evaluation))
    identifiers = {value for name, value in found.attributes if name == "title"}
    assert set(evaluation.estimates) <= identifiers
    for one in evaluation.estimates.values():
        if one.undefined:
            assert one.undefined.text in found.words
    for notice in evaluation.notices:
        assert notice.text in found.words
    for label in getattr(evaluation, "classes", ()):
        assert str(label) in found.words


@every_evaluation
@pytest.mark.full
def test_the_card_is_short_and_a_part_of_any_page(evaluation):
    card = evaluation._repr_html_()
    assert len(card.encode()) <= 25_000
    assert not {"html", "head", "body", "script"} & set(Page(card).tags)
    assert not [value for name, value in Page(card).attributes if name == "id"]


def test_an_estimate_has_a_card_with_its_interval():
    found = EVALUATIONS["scores"]["roc_auc"]
    words = Page(found._repr_html_()).words
    assert f"{found.low:.4g}, {found.high:.4g}" in words


@pytest.mark.parametrize("name", ["scores", "weighted", "infinite", "lower is positive"])
def test_scores_of_both_classes_have_a_threshold_to_move(name):
    html = page(EVALUATIONS[name])
    assert html.count("<figure") == (8 if EVALUATIONS[name].probabilities else 6)
    assert html.count('type="range"') == 3
    assert html.count("<script") == 2


@pytest.mark.parametrize(
    "name", ["labels", "counts", "classes", "one class", "one case", "none", "infinite threshold"]
)
def test_nothing_moves_without_scores_of_both_classes(name):
    html = page(EVALUATIONS[name])
    assert "<script" not in html
    assert 'type="range"' not in html


def test_a_class_is_shown_closer():
    ev = EVALUATIONS["classes"]
    _, *parts = page(ev).split('<div class="part">')
    assert len(parts) == len(ev.classes)
    worst = min(ev.classes, key=lambda one: ev.classes[one]["f1"].value)
    counts = ev.many.counts[list(ev.table_of_classes.labels).index(worst)]
    words = Page(f"<div>{parts[0].partition('</fieldset>')[0]}").words.replace("\n", " ")
    assert f"{counts.tp:g} of {counts.tp + counts.fn:g} cases are predicted as it" in words
    for name in ("sensitivity", "precision", "matthews_correlation"):
        assert f"{ev.classes[worst][name].low:.3f}, {ev.classes[worst][name].high:.3f}" in words


def test_a_long_table_has_its_lowest_groups_first_and_folds_the_rest():
    site = np.arange(3000) % 60
    truth = RANDOM.random(3000) < 0.4
    groups = evaluate(truth=truth, score=0.3 * truth + 0.7 * RANDOM.random(3000), by=site.astype(str))
    shown, folded = page(groups).split("<details", 1)
    assert folded.count('scope="row"') > 30
    rows = re.findall(r'<th scope="row">(.*?)</th>', shown)
    value = {name: one["roc_auc"].value for name, one in groups.items()}
    assert rows == ["all cases", *sorted(value, key=value.get)[:29]]


@pytest.mark.full
def test_dots_of_groups_are_as_large_as_these():
    site = np.repeat(["a", "b", "c"], [100, 40, 10])
    html = page(evaluate(truth=TRUTH, score=SCORE, by=site))
    first = html[html.index("<table") : html.index("</table>")]
    radius = [float(row) for row in re.findall(r'<tr><th scope="row">.*?<circle[^>]* r="([\d.]+)"', first)]
    assert radius[0] == radius[1] > radius[2] > radius[3]


@pytest.mark.slow
def test_the_page_of_a_million_rows_stays_small():
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 10**6)
    html = page(evaluate(truth=truth, score=random.normal(size=10**6) + truth))
    assert len(html) < 300_000


def test_the_matrix_has_its_labels_in_the_order_of_its_rows():
    words = Page(page(evaluate(truth=list("abcab"), predicted=list("abbbb")))).words
    assert re.search(r"a\s+b\s+c\s+a\s+1\s+1\s+0\s+b\s+0\s+2\s+0\s+c\s+0\s+1\s+0", words)


def test_a_page_shows_the_marks_of_differences():
    group = ["a", "b"] * 100
    score = [0.9 if (i // 2) % 2 == (i % 2) else 0.1 for i in range(200)]
    table = evaluate(truth=[(i // 2) % 2 for i in range(200)], score=score, by={"group": group})
    assert "]!" in page(table)


# Nothing is trusted
# --------------------------------------------------------------------------------------------------


def harmless(html):
    found = Page(html)
    assert "img" not in found.tags
    assert found.tags.count("script") == html.count("<script") in (0, 2)  # the values, and the page's own
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    return found


@pytest.mark.full
@pytest.mark.parametrize("positive", [EVIL, "<b>", "&amp;", "'\""])
def test_labels_are_escaped(positive):
    truth = [positive if value else "<i>" for value in TRUTH]
    called = [positive if value > 0.5 else "<i>" for value in SCORE]
    for given in ({"score": SCORE}, {"predicted": called}):
        words = harmless(page(evaluate(truth=truth, positive=positive, **given))).words
        assert f"actual {positive if len(positive) < 12 else positive[:4]}" in words


def test_labels_of_many_classes_are_escaped():
    truth = [EVIL, "<b>", "c"] * 30
    assert EVIL[:8] in harmless(page(evaluate(truth=truth, predicted=truth))).words


def test_names_of_files_are_escaped(tmp_path):
    pytest.importorskip("duckdb")
    name = "<script>alert(1)<&'\">.csv".replace("/", "")
    (tmp_path / name).write_text("y,p\n" + "1,0.9\n0,0.1\n" * 20, encoding="utf-8")
    found = harmless(page(evaluate(str(tmp_path / name), truth="y", score="p")))
    assert name in found.words


@pytest.mark.full
def test_names_of_columns_are_escaped():
    found = evaluate({EVIL: [0, 1] * 20, "<p>": [0.1, 0.9] * 20}, truth=EVIL, score="<p>")
    harmless(page(found))


# Writing
# --------------------------------------------------------------------------------------------------


def test_the_page_replaces_the_old_one_whole(tmp_path):
    target = tmp_path / "x.html"
    target.write_text("old", encoding="utf-8")
    EVALUATIONS["scores"].save(target)
    assert target.read_text(encoding="utf-8") == page(EVALUATIONS["scores"])
    assert list(tmp_path.iterdir()) == [target]


def test_a_write_that_fails_leaves_the_old_page_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "x.html"
    target.write_text("old", encoding="utf-8")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with refuses("not-written", argument="path"):
        EVALUATIONS["scores"].save(target)
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_page_may_be_read_by_whom_the_user_lets(tmp_path):
    EVALUATIONS["scores"].save(tmp_path / "x.html")
    (tmp_path / "y.html").touch()
    assert (tmp_path / "x.html").stat().st_mode == (tmp_path / "y.html").stat().st_mode


@pytest.mark.parametrize("name", ["x.pdf", "x", ".html", "no/x.html", "."])
def test_paths_that_are_refused(tmp_path, name):
    with refuses("not-written", argument="report"):
        Evaluation.check_path(tmp_path / name, "report")


# What was seen on pages
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_notices_of_one_code_stand_once_with_the_titles_of_measures():
    random = np.random.default_rng(4)
    truth = random.random(400) < 0.3
    score = {
        name: np.clip(0.35 + 0.4 * (truth - 0.3) + random.normal(0, 0.2, 400), 0.01, 0.99) for name in "ab"
    }
    table = evaluate(truth=truth, score=score)
    assert [one.code for one in table.notices].count("overestimation") == 2
    head = str(table.to_html()).split("In detail")[0]
    (said,) = re.findall(r'<p class="notice">((?:[^<]|<br>)*)<code>overestimation</code>', head)
    assert said.count("calibration in the large is") == 2
    assert said.count("ecalibrate on other data") == 1
    assert said.startswith("a: ")  # a name is data
    assert "calibration_in_the_large" not in head


def test_no_threshold_decides_between_several_classes():
    classes = np.arange(90) % 3
    score = np.random.default_rng(1).dirichlet([1, 1, 1], 90)
    page = evaluate(truth=classes, score=score, classes=[0, 1, 2]).to_html()
    assert 'data-figure="roc"' in page
    assert 'class="mark' not in page


def test_a_bar_is_drawn_where_its_interval_is_on_the_scale():
    from tallymark.report.document import Column, Table
    from tallymark.report.html import laid_out

    columns = Column("measure", "measure", "name"), Column("estimate", "estimate", "estimate")
    inside, across = Estimate(0.9, 0.8, 1.0, 0.95), Estimate(0.9, 0.8, 1.1, 0.95)
    rows = [{"measure": name, "estimate": one} for name, one in {"inside": inside, "across": across}.items()]
    drawn = laid_out(Table("measures", columns, rows, kind="forest"))
    assert drawn.scales[1] == ("0", "1")
    assert [row[1].bar for row in drawn.rows] == [(0.9, 0.8, 1.0, 5.0), None]
    limits = Table(
        "limits",
        columns,
        [{**row, "limit": 0.85} for row in rows],
        kind="forest",
        baseline={"estimate": "limit"},
    )
    lines = {round(row[1].line, 6) for row in laid_out(limits).rows}
    assert len(lines) == 1
    assert 0 < lines.pop() < 1


def test_the_page_of_a_gate_has_its_intervals_and_limits():
    truth = np.arange(200) % 2
    score = np.clip(0.5 * truth + np.random.default_rng(3).random(200) / 1.5, 0, 1)
    page = check(truth=truth, score=score, require=["roc_auc.low >= 0.5", "accuracy >= 0.99"]).to_html()
    assert page.count('class="dots"') == page.count('class="tick"') == 2
    assert "met" in page


def test_small_groups_stand_last_on_a_page():
    groups = np.repeat(np.arange(25), 60)
    random = np.random.default_rng(2)
    truth, score = random.random(1500) < 0.5, random.random(1500)
    truth[60:120], score[60:120] = np.arange(60) < 3, np.arange(60) / 60  # the lowest, with three positives
    page = evaluate(truth=truth, score=score, by={"site": groups}).to_html()
    names = re.findall(r'<th scope="row">(\d+\*?)</th>', page)
    assert names.index("1*") == 24


def test_reasons_that_differ_in_numbers_are_one():
    from tallymark.report.document import ranges

    reasons = ["on only 7 cases", "on only 12 cases", "fewer than 8 of a class", "on only 7 cases"]
    assert ranges(reasons) == ["on only 7 to 12 cases", "fewer than 8 of a class"]


def test_an_end_next_to_zero_has_one_digit():
    assert interval(-0.172, -0.000457) == "[-0.172, -0.0005]"
    assert interval(-2.06e-05, 0.4) == "[-2e-05, 0.400]"


def test_only_numbers_of_a_card_stand_at_the_right():
    card = check(truth=TRUTH, score=SCORE, require=["accuracy >= 0.2"])._repr_html_()
    assert re.search(r'<td(?: style="text-align:left")?>accuracy (>=|&gt;=) 0.2</td>', card)


def test_templates_are_compiled_once_and_pages_are_written_where_that_cannot_be_kept(tmp_path, monkeypatch):
    expected, stored = page(EVALUATIONS["counts"]), []
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "pages").mkdir()
    for place in (tmp_path, tmp_path, tmp_path / "missing"):
        monkeypatch.setattr(html, "__file__", str(place / "html.py"))
        html._environment.cache_clear()
        assert page(EVALUATIONS["counts"]) == expected
        files = sorted((tmp_path / "pages" / "__pycache__").iterdir())
        stored.append([(file.name, file.stat().st_mtime_ns) for file in files])
    html._environment.cache_clear()
    assert stored[0]
    assert stored[0] == stored[1] == stored[2]


def test_families_without_a_value_say_so():
    families = [
        re.sub("<[^>]*>", "", one)
        for one in re.findall("<summary>(.*?)</summary>", page(EVALUATIONS["one class"]))
    ]
    assert "Biometric 9, all undefined" in families
    assert "Rates 14" in families
    assert "all undefined" not in page(EVALUATIONS["scores"])
