"""The page of several models in a browser: one threshold moves the marks and the row of each of them."""

import json
import re
from functools import cache

import numpy as np
import pytest
from pages import EVIL, SCORE, TRUTH
from test_two_classes import PLACES, SAID, same_without_script

from tallymark import compare, evaluate

pytestmark = pytest.mark.full
SCORES = {"first": SCORE, EVIL: np.round(SCORE**2, 3), "__proto__": np.round(1 - SCORE, 2)}
MAKE = {
    "models": lambda: evaluate(truth=TRUTH, score=SCORES),
    "comparison": lambda: compare(truth=TRUTH, score=SCORES),
}
every_page = pytest.mark.parametrize("name", MAKE)


@cache
def page(name):
    """The page of this name."""
    return MAKE[name]().to_html()


def values(name):
    """The values in its page."""
    return json.loads(re.search(r'application/json">(.*?)</script>', page(name), re.DOTALL)[1])


@cache
def of_library(t, digits):
    """What the library says at a threshold."""
    said = {}
    for model, ev in evaluate(truth=TRUTH, score=SCORES).items():
        here = ev.at(t)
        for measure in ("sensitivity", "specificity", "precision", "f1"):
            found = here[measure]
            ends = f"[{found.low:.{digits}f}, {found.high:.{digits}f}]"
            said[f"{measure} {model}"] = "–" if found.undefined else f"{found.value:.{digits}f}"
            said[f"{measure} {model}.ends"] = ends if found.has_interval else ""
        for cell in ("tp", "fp", "fn", "tn"):
            said[f"{cell} {model}"] = f"{getattr(here.counts, cell):,.0f}"
    return said


def differing(shown, said, i):
    """The texts that are not those of the library."""
    own = of_library(shown["t"][i], shown["digits"])
    return {key: (said[key], text) for key, text in own.items() if said[key] != text}


@every_page
def test_each_step_by_keyboard_says_what_the_library_says(name, visit):
    tab, shown = visit(page(name)), values(name)
    tab.focus("#threshold")
    tab.keyboard.press("Home")
    before = None
    for i in range(len(shown["t"])):
        assert differing(shown, tab.evaluate(SAID), i) == {}
        marks = tab.evaluate(
            "[...document.querySelectorAll('svg[data-figure=roc] [data-mark]')].map("
            "one => [one.dataset.mark, one.getAttribute('cx'), one.getAttribute('cy')])"
        )
        assert [mark for mark, _, _ in marks[: len(SCORES)]] == [f"roc {model}" for model in SCORES]
        assert (
            marks != before or i == 0 or shown["marks"]["roc first"][i] == shown["marks"]["roc first"][i - 1]
        )
        before = marks
        tab.keyboard.press("ArrowRight")
    assert tab.complaints == []


def test_a_wrong_number_is_noticed(visit):
    wrong = values("models")
    wrong["measures"]["f1 first"]["v"][wrong["start"]] += 1
    before, _, rest = page("models").partition('application/json">')
    text = json.dumps(wrong).replace("<", "\\u003c")
    tab = visit(f'{before}application/json">{text}</script>{rest.partition("</script>")[2]}')
    assert set(differing(wrong, tab.evaluate(SAID), wrong["start"])) == {"f1 first"}


@every_page
def test_the_page_is_the_same_without_its_script(name, visit):
    same_without_script(page(name), visit)


@every_page
def test_buttons_the_box_and_a_drag(name, visit):
    tab, shown = visit(page(name)), values(name)
    for rule, button in zip(shown["rules"], tab.query_selector_all("[data-to]"), strict=True):
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        assert differing(shown, tab.evaluate(SAID), rule["at"]) == {}
    tab.fill("#typed", repr(shown["t"][3]))
    tab.keyboard.press("Enter")
    assert tab.evaluate(SAID)["t"] == shown["shown"][3]
    places = tab.evaluate(PLACES)
    picture = tab.query_selector('svg[data-figure="roc"]')
    picture.scroll_into_view_if_needed()
    tab.evaluate("window.scrollBy(0, -150)")
    box = picture.bounding_box()
    tab.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + 0.4 * box["height"])
    said = tab.evaluate(SAID)
    assert tab.evaluate(PLACES) != places
    assert differing(shown, said, shown["shown"].index(said["t"])) == {}
    assert tab.complaints == []
