"""The page of two classes in a browser: it says what the library says, whatever moves it."""

import json
import re

import numpy as np
import pytest
from pages import CASES, EVIL, SHORT, evaluation, page

from tallymark.report import two_classes

pytestmark = pytest.mark.full
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in CASES if name not in SHORT]
every_page = pytest.mark.parametrize("name", [*SHORT, *SLOW])
SAID = """() => Object.fromEntries([...document.querySelectorAll("[data-say]")].map(
    one => [one.getAttribute("data-say"), one.textContent]))"""
MOVED = (
    "svg [data-mark], svg [data-rule], svg [data-series], svg [data-band], svg [data-share], svg .needle,"
    " [data-measure] rect, [data-measure] circle, [data-from]"
)
PLACES = (
    f"() => [...document.querySelectorAll('{MOVED}')]"
    + """.map(one =>
    [...one.attributes].map(each => `${each.name}=${each.value.trim()}`).sort().join(" "))"""
)
TEXTS = "() => document.querySelector('main').textContent.replace(/\\s+/g, ' ')"


def values(name):
    """The values in its page."""
    return json.loads(re.search(r'application/json">(.*?)</script>', page(name), re.DOTALL)[1])


def of_library(name, t, digits):
    """What the library says at a threshold: each text by its name in the page."""
    ev = evaluation(name).at(t)
    counts, shown = ev.counts, {}
    for measure in values(name)["measures"]:
        found = ev[measure]
        shown[measure] = "–" if found.undefined else f"{found.value:.{digits}f}"
        ends = f"[{found.low:.{digits}f}, {found.high:.{digits}f}]"
        shown[f"{measure}.ends"] = ends if found.has_interval else ""
    cells = {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, "tn": counts.tn}
    flagged = {"flagged": counts.tp + counts.fp, "spared": counts.fn + counts.tn}
    return shown | {key: f"{n:,.1f}".removesuffix(".0") for key, n in (cells | flagged).items()}


def differing(name, said, i):
    """The texts that are not those of the library."""
    page = values(name)
    own = of_library(name, page["t"][i], page["digits"])
    return {key: (said[key], text) for key, text in own.items() if said[key] != text}


@every_page
def test_each_step_by_keyboard_says_what_the_library_says(name, visit):
    tab, last = visit(page(name)), len(values(name)["t"]) - 1
    tab.focus("#threshold")
    tab.keyboard.press("Home")
    for i in range(last + 1):
        assert differing(name, tab.evaluate(SAID), i) == {}
        tab.keyboard.press("ArrowRight")
    tab.keyboard.press("PageDown")
    assert tab.evaluate(SAID)["t"] == values(name)["shown"][max(0, last - 10)]
    assert tab.complaints == []


@pytest.mark.parametrize("name", ["probabilities"])
def test_a_wrong_number_is_noticed(name, visit):
    wrong = values(name)
    wrong["measures"]["sensitivity"]["v"][wrong["start"]] += 1
    before, _, rest = page(name).partition('application/json">')
    tab = visit(f'{before}application/json">{json.dumps(wrong)}</script>{rest.partition("</script>")[2]}')
    assert set(differing(name, tab.evaluate(SAID), wrong["start"])) == {"sensitivity"}


@every_page
def test_the_page_is_the_same_without_its_script(name, visit):
    same_without_script(page(name), visit)


def same_without_script(written, visit):
    still, live = visit(written, java_script_enabled=False), visit(written)
    assert live.evaluate("document.documentElement.className") == "live"
    before, after = visit_static(still), visit_static(live)
    assert before["texts"] == after["texts"]
    for static, scripted in zip(before["places"], after["places"], strict=True):
        assert apart(static, scripted) < 0.2, (static, scripted)


def visit_static(tab):
    """Texts and places; with the script off, too, as Playwright's own scripts run."""
    return {"texts": tab.evaluate(TEXTS), "places": tab.evaluate(PLACES)}


def apart(one, other):
    """The largest distance of two numbers in two lists of attributes that are else the same."""
    number = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
    if "data-series" in one or "data-band" in one:  # a line is drawn again only where a slider changes it
        return 0.0
    assert number.sub("#", one) == number.sub("#", other)
    pairs = zip(number.findall(one), number.findall(other), strict=True)
    return max((abs(float(a) - float(b)) for a, b in pairs), default=0.0)


@every_page
def test_each_button_goes_where_it_says(name, visit):
    tab, shown = visit(page(name)), values(name)
    for rule, button in zip(shown["rules"], tab.query_selector_all("[data-to]"), strict=True):
        button.click()
        assert button.text_content() == rule["title"]
        assert button.get_attribute("aria-pressed") == "true"
        assert differing(name, tab.evaluate(SAID), rule["at"]) == {}
    tab.click("#to-best")
    assert tab.evaluate(SAID)["t"] == shown["shown"][shown["cost"]["best"][shown["cost"]["own"]]]
    with tab.expect_download() as saved:
        tab.click("#save-json")
    assert json.loads(saved.value.path().read_text("utf-8")) == shown


@every_page
def test_the_boxes_go_to_the_nearest_cut_off(name, visit):
    tab, shown = visit(page(name)), values(name)
    for i in (0, len(shown["t"]) // 3, len(shown["t"]) - 1):
        tab.fill("#typed", repr(shown["t"][i]))
        tab.keyboard.press("Enter")
        assert tab.evaluate(SAID)["t"] == shown["shown"][i]
    tab.fill("#top", "30")
    tab.keyboard.press("Tab")
    shares = np.array(shown["share"]["v"], float) / 10 ** (shown["digits"] - 2)
    assert abs(float(tab.evaluate(SAID)["share"].rstrip(" %")) - 30) == pytest.approx(abs(shares - 30).min())
    assert tab.input_value("#top") == tab.evaluate(SAID)["share"].removesuffix(" %")


@every_page
def test_the_sliders_of_prevalence_and_cost(name, visit):
    tab, shown = visit(page(name)), values(name)
    last = len(shown["prevalence"]["shown"]) - 1
    for slider, states in (
        ("#prevalence", [(q, shown["cost"]["own"]) for q in range(last + 1)]),
        ("#ratio", [(last, r) for r in range(len(shown["cost"]["shown"]))]),
    ):
        tab.focus(slider)
        tab.keyboard.press("Home")
        for state in states:
            assert tab.evaluate(SAID) == two_classes.words(shown, shown["start"], *state)
            tab.keyboard.press("ArrowRight")
    assert tab.complaints == []


def test_dragging_along_a_curve_moves_the_threshold(visit):
    tab, shown = visit(page("probabilities")), values("probabilities")
    for figure in ("roc", "pr", "rates", "decision", "gain", "cost"):
        tab.click(f'[data-to="{shown["rules"][0]["at"]}"]')
        before = tab.evaluate(SAID)["t"]
        picture = tab.query_selector(f'svg[data-figure="{figure}"]')
        picture.scroll_into_view_if_needed()
        tab.evaluate("window.scrollBy(0, -200)")
        box = picture.bounding_box()
        tab.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
        tab.mouse.down()
        tab.mouse.move(box["x"] + 0.85 * box["width"], box["y"] + 0.3 * box["height"], steps=4)
        tab.mouse.up()
        said = tab.evaluate(SAID)
        assert said["t"] != before, figure
        assert differing("probabilities", said, shown["shown"].index(said["t"])) == {}
    assert tab.complaints == []


def test_the_histogram_is_the_slider(visit):
    tab, shown = visit(page("probabilities")), values("probabilities")
    box = tab.query_selector("#threshold").bounding_box()
    for part in (0.25, 0.6, 0.9):
        tab.mouse.click(box["x"] + part * box["width"], box["y"] + 10)
        low, high = shown["axis"]
        assert abs(float(tab.evaluate(SAID)["t"]) - (low + part * (high - low))) < 0.05 * (high - low)
    at = float(tab.evaluate(SAID)["t"])
    bars = tab.evaluate(
        "[...document.querySelectorAll('[data-from]')].map(one => [+one.dataset.from, one.matches('.off')])"
    )
    assert all(off == (middle < at) for middle, off in bars)


def test_labels_of_classes_are_inert(visit):
    tab = visit(page("evil"))
    tab.on("dialog", lambda _: tab.complaints.append("dialog"))
    tab.focus("#threshold")
    tab.keyboard.press("Home")
    assert EVIL in tab.text_content("main")
    assert tab.evaluate("document.scripts.length") == 2
    assert tab.complaints == []
