"""The card of a notebook in a browser, inside the style sheets of notebooks."""

import re

import pytest
from pages import EVIL, RANDOM, SCORE, TRUTH, evaluation
from test_every_page import pictures

from tallymark import compare, evaluate

pytestmark = pytest.mark.full
HOSTS = {  # what their style sheets do to tables
    "JupyterLab": (
        "<style>.jp-RenderedHTMLCommon table{font-size:12px;margin-left:auto}.jp-RenderedHTMLCommon td,"
        ".jp-RenderedHTMLCommon th,.jp-RenderedHTMLCommon tr{vertical-align:middle;padding:.5em;border:none;"
        "max-width:none}.jp-RenderedHTMLCommon:not(.jp-RenderedMarkdown) td,"
        ".jp-RenderedHTMLCommon:not(.jp-RenderedMarkdown) th{text-align:right}"
        ".jp-RenderedHTMLCommon table{color:var(--jp-ui-font-color1)}</style>"
        "<body data-jp-theme-light=%s style='%s'><div class='jp-RenderedHTMLCommon jp-RenderedHTML'>"
    ),
    "classic": (
        "<style>.rendered_html tr,.rendered_html th,.rendered_html td{text-align:right;vertical-align:middle;"
        "padding:.5em}.rendered_html tbody tr:nth-child(odd){background:#f5f5f5}</style>"
        "<body data-light=%s style='%s'><div class='output_html rendered_html output_subarea'>"
    ),
    "VS Code": "<body class=vscode-%s style='%s'><div>",
}
DARK = "--jp-content-font-color1:#fff;--jp-content-font-color2:#bbb;--jp-border-color2:#444;background:#111"
LIGHT = "--jp-content-font-color1:#111;--jp-content-font-color2:#555;--jp-border-color2:#ddd;background:#fff"
RESULTS = {
    "two classes": lambda: evaluation("probabilities"),
    "classes": lambda: evaluate(truth=["a", "b", EVIL] * 30, predicted=["a", "b", "b"] * 30),
    "models": lambda: evaluate(truth=TRUTH, score={"first": SCORE, EVIL: SCORE**2}),
    "ten cases": lambda: evaluation("ten cases"),
    "amounts": lambda: evaluate(
        truth=40 * SCORE, predicted=40 * SCORE + RANDOM.normal(size=240), regression=True
    ),
    "comparison": lambda: compare(truth=TRUTH, score={"a": SCORE, "b": SCORE**2}),
}


def shown(host, scheme, *cards):
    """A notebook with outputs."""
    light = {"JupyterLab": str(scheme == "light").lower(), "VS Code": scheme}.get(host, scheme)
    return (
        "<!doctype html><meta charset=utf-8>"
        + HOSTS[host] % (light, LIGHT if scheme == "light" else DARK)
        + "".join(cards)
    )


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_are_left_aligned_and_the_card_is_low(host, scheme, visit):
    card = RESULTS["two classes"]()._repr_html_()
    tab = visit(shown(host, scheme, card), viewport={"width": 1000, "height": 800})
    rows = "[...document.querySelectorAll('.tallymark tbody th')].map(one => getComputedStyle(one).textAlign)"
    assert set(tab.evaluate(rows)) == {"left"}
    assert tab.evaluate("document.querySelector('.tallymark').offsetHeight") <= 400
    ink = tab.evaluate("getComputedStyle(document.querySelector('.tallymark tbody th')).color")
    darkness = sum(map(int, re.findall(r"\d+", ink)[:3])) / 3
    assert darkness < 100 if scheme == "light" else darkness > 155
    assert tab.complaints == []


@pytest.mark.parametrize("name", RESULTS)
def test_an_untrusted_notebook_drops_the_style_and_pictures_alone(name, visit):
    """The sanitizer of JupyterLab 4 drops <style> with its contents, attributes without a value, and of SVG
    the tags alone.
    """
    card = re.sub(r"<style>.*?</style>", "", RESULTS[name]()._repr_html_(), flags=re.DOTALL)
    card = re.sub(r"</?(?:svg|path|rect|circle|line|text|desc)\b[^>]*>", " ", card)
    card = re.sub(r"(<[^>]*) [a-z]+(?=>)", r"\1", card)
    tab = visit(shown("JupyterLab", "light", card))
    sides = (
        "[...document.querySelectorAll('.tallymark > div %s')].map(one => getComputedStyle(one).textAlign)"
    )
    assert set(tab.evaluate(sides % "tbody th")) == {"left"}
    assert set(tab.evaluate(sides % "td.n")) <= {"right"}
    assert set(tab.evaluate(sides % "td.e")) <= {"left"}
    assert "right" not in tab.evaluate(
        "[...document.querySelectorAll('details')].filter(one => one.querySelectorAll('tr').length <= 40)"
        ".flatMap(one => [...one.querySelectorAll('tbody th')].map(name => getComputedStyle(name).textAlign))"
    )
    assert not any(one.is_visible() for one in tab.query_selector_all(".t-fig"))
    assert tab.query_selector(".tallymark table").bounding_box()["x"] < 50
    assert tab.evaluate("document.querySelector('.tallymark').offsetHeight") <= 430


@pytest.mark.parametrize("width", [1000, 784])
@pytest.mark.parametrize(
    "make",
    [
        *RESULTS.values(),
        *(pytest.param(make, id=name, marks=pytest.mark.slow) for name, (_, make) in pictures.KINDS.items()),
    ],
)
def test_cards_are_low(make, width, visit):
    card = make()._repr_html_()
    assert len(card.encode()) <= 25_000
    tab = visit(shown("JupyterLab", "light", card), viewport={"width": width, "height": 800})
    assert tab.evaluate("document.querySelector('.tallymark').offsetHeight") <= 400


@pytest.mark.parametrize("name", RESULTS)
def test_cards_are_small_inert_and_alone(name, visit):
    card = RESULTS[name]()._repr_html_()
    assert len(card.encode()) <= 25_000
    assert "<script" not in card
    assert " id=" not in card
    tab = visit(shown("JupyterLab", "light", card, card))
    assert tab.evaluate("document.querySelectorAll('.tallymark').length") == 2
    assert tab.complaints == []


def test_the_report_is_the_whole_page_in_a_frame(visit):
    report = evaluation("probabilities").report()
    assert report == evaluation("probabilities").to_html()
    tab = visit(shown("JupyterLab", "light", report._repr_html_()))
    inner = tab.frames[1]
    inner.wait_for_selector("html.live")
    before = inner.text_content("[data-say=t]")
    inner.focus("#threshold")
    tab.keyboard.press("ArrowRight")
    assert inner.text_content("[data-say=t]") != before
    assert tab.complaints == []
