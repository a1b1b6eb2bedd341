"""The script of the page in Node: the same words as in Python, for every state; places, lines and keys."""

import json
import subprocess

import pytest
from conftest import PAGES
from pages import SHORT
from test_two_classes import values

from tallymark.report import two_classes

pytestmark = pytest.mark.full


def run(node, body, given=None):
    """What the body logs, after the script."""
    source = (PAGES / "page.js").read_text("utf-8") + body
    done = subprocess.run(
        [node, "--input-type=module", "-"], input=source.replace("GIVEN", json.dumps(given)),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", SHORT)
def test_it_has_the_words_of_python(name, node):
    page = values(name)
    sizes = len(page["t"]), len(page["prevalence"]["shown"]), len(page["cost"]["shown"])
    states = [(i, i % sizes[1], i % sizes[2]) for i in range(sizes[0])]
    body = (
        "const [page, states] = GIVEN; console.log(JSON.stringify(states.map(one => words(page, ...one))));"
    )
    assert run(node, body, [page, states]) == [two_classes.words(page, *one) for one in states]


def test_numbers(node):
    body = """console.log(JSON.stringify([
        number({digits: 3}, 5), number({digits: 4}, -12), number({digits: 3}, null),
        percent({digits: 3}, 797),
        percent({digits: 4}, 7971), ends({digits: 3}, {v: [1], lo: [0], hi: [null]}, 0),
        ends({digits: 3}, {v: [1], lo: [0], hi: [1000]}, 0)]));"""
    assert run(node, body) == ["0.005", "-0.0012", "–", "79.7 %", "79.71 %", "", "[0.000, 1.000]"]


def test_the_nearest(node):
    body = (
        "console.log(JSON.stringify([nearest([0, 1, 4], 2.4), nearest([null, 3], 9), nearest([2, 2], 2)]));"
    )
    assert run(node, body) == [1, 1, 0]


def test_places_and_lines(node):
    body = """console.log(JSON.stringify([place("10,110,0,1", 0.5), place("110,10,-1,1", -1),
        path([[1, 2], [3, 4], null, [5, 6]]), path([])]));"""
    assert run(node, body) == [60, 110, "M1 2L3 4M5 6", ""]


def test_keys(node):
    body = """console.log(JSON.stringify(["ArrowLeft", "ArrowUp", "PageUp", "Home", "End", "Tab"].map(
        key => stepped(key, 0, 5))));"""
    assert run(node, body) == [0, 1, 4, 0, 4, None]
