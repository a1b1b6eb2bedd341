"""Pages in a browser: a phone, paper, dark, without a request, and for readers who do not see them."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from pages import CASES, EVIL, RANDOM, SCORE, SHORT, TRUTH, page

from tallymark import evaluate

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import pictures  # each kind of result, as in docs/pages.md

pytestmark = pytest.mark.full
CLASSES = np.random.default_rng(3).integers(0, 6, 240)
OTHERS = {
    "classes": lambda: evaluate(truth=CLASSES, predicted=np.where(SCORE > 0.4, CLASSES, 2)),
    "models": lambda: evaluate(truth=TRUTH, score={"first": SCORE, EVIL: np.round(SCORE**2, 3)}),
    "groups": lambda: evaluate(
        truth=TRUTH, score=SCORE, by={"region": np.where(RANDOM.random(240) > 0.5, "north", "south")}
    ),
} | {name: make for name, (_, make) in pictures.KINDS.items()}
PAGES = {name: (lambda name=name: page(name)) for name in CASES} | {
    name: cache(lambda make=make: make().to_html()) for name, make in OTHERS.items()
}
IN_CI = (*SHORT[:2], "classes", "models", "groups")
every_page = pytest.mark.parametrize(
    "name", [*IN_CI, *(pytest.param(name, marks=pytest.mark.slow) for name in PAGES if name not in IN_CI)]
)
SCRIPT = Path(__file__).parents[2] / "src/tallymark/report/pages/page.js"
SHEETS = {name: 4 for name in CASES}


@every_page
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(name, scheme, visit, axe):
    tab = visit(PAGES[name](), color_scheme=scheme, bypass_csp=True)
    tab.add_script_tag(content=axe)
    tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    found = tab.evaluate(
        "axe.run().then(all => all.violations.map(one => [one.id, one.impact, one.nodes[0].html]))"
    )
    assert [one for one in found if one[1] in ("serious", "critical", "moderate")] == []


@every_page
def test_a_phone_needs_no_sideways_scroll(name, visit):
    tab = visit(PAGES[name](), viewport={"width": 390, "height": 844})
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    sizes = """() => [...document.querySelectorAll("svg.figure text")].map(
        one => parseFloat(getComputedStyle(one).fontSize) * one.ownerSVGElement.getScreenCTM().a)"""
    assert min(tab.evaluate(sizes), default=12) >= 10.5


@every_page
def test_it_loads_nothing_and_complains_of_nothing(name, visit):
    html = PAGES[name]()
    tab = visit(html)
    assert tab.complaints == []
    assert "default-src 'none'" in html
    assert "unsafe" not in re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert tab.evaluate("document.querySelectorAll('[style]').length") == 0
    assert len({*re.findall(r' id="([^"]*)"', html)}) == len(re.findall(r' id="([^"]*)"', html))


@every_page
def test_sheets_of_paper(name, visit):
    pdf = visit(PAGES[name]()).pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= SHEETS.get(name, 6)


@pytest.mark.parametrize("name", ["models", "classes"])
@pytest.mark.parametrize("scripts", [True, False])
def test_one_part_at_a_time_is_chosen(name, scripts, visit):
    tab = visit(PAGES[name](), java_script_enabled=scripts)
    shown = "[...document.querySelectorAll('.part > section')].map(one => one.offsetHeight > 0)"
    number = len(tab.evaluate(shown))
    tab.focus(".part input:checked")
    for i in [*range(number), 0]:  # an arrow goes from the last to the first
        assert tab.evaluate(shown) == [k == i for k in range(number)]
        tab.keyboard.press("ArrowRight")
    tab.click(f".part:nth-of-type({number}) label")
    assert tab.evaluate(shown)[-1]
    assert tab.complaints == []


@pytest.mark.parametrize("name", ["probabilities", "models", "classes"])
def test_dark_and_light_differ_in_colours_alone(name, visit):
    light, dark = (visit(PAGES[name](), color_scheme=scheme) for scheme in ("light", "dark"))
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    assert light.evaluate(colour) != dark.evaluate(colour)
    height = "document.documentElement.scrollHeight"
    assert light.evaluate(height) == dark.evaluate(height)


def test_the_sizes_of_pages():
    assert len(page("probabilities").encode()) < 300_000
    assert len(page("ten cases").encode()) < 130_000


def test_the_script_is_checked_for_types(typescript, node):
    options = (
        "--checkJs --allowJs --strict --noEmit --target es2022 --module es2022 --lib es2022,dom,dom.iterable"
    )
    done = subprocess.run([typescript, *options.split(), str(SCRIPT)], capture_output=True, text=True)
    assert done.stdout + done.stderr == ""
    assert SCRIPT.stat().st_size < 15_000
