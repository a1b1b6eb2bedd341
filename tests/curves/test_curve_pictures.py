"""Curves drawn: well-formed, nothing in them that is not a number, everything within the frame, and no larger
than can be seen."""

import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from drawn_tables import every_name, every_ties, few, many, table_of, tables_for
from hypothesis import given, strategies as st
from looping import for_each

from tallymark import RankingTable, evaluate
from tallymark.curves import curve
from tallymark.report.figures import figures
from tallymark.report.svg import draw, legend

SVG = "{http://www.w3.org/2000/svg}"
PATH = re.compile(r"([MLl]-?\d+(\.\d+)? -?\d+(\.\d+)?|[HVhv]-?\d+(\.\d+)?)+")


def parsed(found):
    return ElementTree.fromstring(found._repr_svg_())


def lines_of(picture):
    """The paths of the curves, then of the references; not the pieces of the legend."""
    paths = [path for path in picture.iter(f"{SVG}path") if path.get("class").split()[0] in ("curve", "ref")]
    paths.sort(key=lambda path: path.get("class"))
    return [path.get("d") for path in paths if not re.fullmatch(r"M[^LHV]*h18", path.get("d"))]


def texts_of(picture):
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


def places(path):
    """Every point (x, y) of a path."""
    x = y = math.nan
    for command, numbers in re.findall(r"([MLlHVhv])([-\d. ]+)", path):
        values = [float(number) for number in numbers.split()]
        if command in "ML":
            x, y = values
        elif command == "l":
            x, y = x + values[0], y + values[1]
        elif command in "Hh":
            x = values[0] + (x if command == "h" else 0)
        else:
            y = values[0] + (y if command == "v" else 0)
        yield x, y


def check(found):
    """Well-formed, only numbers in the paths, all of it in the frame, the axes named, every line that has a
    point drawn."""
    picture = parsed(found)
    left, top, width, height = map(float, picture.get("viewBox").split())
    inside = {path: parent.get("class") for parent in picture.iter() for path in parent}  # "plot" clips
    for path in picture.iter(f"{SVG}path"):
        closed = "Z" if "band" in path.get("class") else ""
        assert PATH.fullmatch(path.get("d").removesuffix(closed)), path.get("d")
        if "plot" not in inside[path]:
            for x, y in places(path.get("d")):
                assert left <= x <= left + width, path.get("d")
                assert top <= y <= top + height, path.get("d")
    words = texts_of(picture)
    assert not {"nan", "inf", "-inf", "None"} & {*words}
    for name in (found.x_name, *found.lines):
        rate = name.removeprefix("normal deviate of the ")  # whose ticks are shares
        assert any(word.lower().startswith(rate.replace("_", " ")) for word in words)
    there = [line for line in found.lines.values() if (np.isfinite(line) & np.isfinite(found.x)).any()]
    # of which the lowest may lie below the frame
    level = found.baseline is not None and np.isfinite(found.baseline).all()
    assert len(there) <= len(lines_of(picture)) <= len(found.lines) + level


@pytest.mark.full
@every_ties
@every_name
@few
@given(data=st.data())
def test_every_curve_can_be_drawn(name, ties, data):
    check(curve(name, data.draw(tables_for(name)), ties=ties))


def ticks(found):
    """Across, and up."""
    texts = [text for text in parsed(found).iter(f"{SVG}text") if text.get("class") != "axis"]
    return [
        [text.text for text in texts if text.get("text-anchor") == anchor] for anchor in ("middle", "end")
    ]


@for_each(
    "scores",
    [[0.9, 0.5, 0.2], [0.50003, 0.50002, 0.50001], [5000.003, 5000.002, 5000.001], [4e-7, 3e-7, 1e-7],
    [4e-15, 3e-15, 1e-15],
     [123456, 55555, 7], [3e9, 2e9, 1e9], [3e30, 2e30, 1e30], [-1, -20, -300], [0.5], [5000],
     [1.7e9 + 60, 1.7e9 + 30, 1.7e9], [-5, -math.inf], [math.inf, -math.inf]],
    ids=str,
)  # fmt: skip
@for_each("name", ["tpr_fpr", "density", "diagnostic_odds_ratio"])
def test_ticks_are_some_and_differ(name, scores):
    for labels in ticks(
        curve(name, RankingTable(scores, [1, 2, 1][: len(scores)], [1, 0, 3][: len(scores)]))
    ):
        assert 2 <= len({*labels}) == len(labels) <= 11
        assert max(map(len, labels)) <= 14


@for_each("factor", [1e-3, 0.1, 1, 1e3, 1e9])
@for_each("name", ["gain", "lift", "cost", "roc", "pr"])
def test_ticks_of_weights_are_some_and_differ(name, factor):
    for labels in ticks(
        curve(name, table_of([0, 1, 1, 0, 1], [0.1, 0.7, 0.3, 0.7, 0.9], np.array([1, 2, 3, 1, 2]) * factor))
    ):
        assert 2 <= len({*labels}) == len(labels) <= 11


FAR = {
    "large": [3e299, 2e299, 1e299],
    "as far apart as can be": [1.7e308, 0, -1.7e308],
    "tiny": [3e-300, 2e-300, 1e-300],
    "neighbours": [1, np.nextafter(1, 0), 0.5],
    "one large score": [1e17],
    "negative": [-1, -20, -300],
    "all infinite": [math.inf, -math.inf],
}


@for_each("scores", FAR.values(), ids=FAR)
@for_each("name", ["tpr_fpr", "density", "f1", "diagnostic_odds_ratio", "roc"])
def test_scores_far_from_1_can_be_drawn(name, scores):
    check(curve(name, RankingTable(scores, [1, 2, 1][: len(scores)], [1, 0, 3][: len(scores)])))


@for_each("factor", [1e-30, 1e-3, 1e3, 1e30])
@for_each("name", ["gain", "lift", "cost"])
def test_weights_of_any_size_can_be_drawn(name, factor):
    cases = [0, 1, 1, 0, 1], [0.1, 0.7, 0.3, 0.7, 0.9], np.array([1, 2, 3, 1, 2]) * factor
    check(curve(name, table_of(*cases)))


@pytest.mark.full
@every_name
def test_a_large_curve_is_no_larger_than_its_picture(name):
    found = curve(name, many())
    assert len(found._repr_svg_()) < 170_000 * len(found.lines)


@every_name
def test_simplified_is_the_same_picture(name):
    """But for the points: each line keeps its frame."""
    found = curve(name, many(5000, 200))
    one, other = parsed(found), parsed(found.simplify())
    assert texts_of(one) == texts_of(other)
    for first, second in zip(lines_of(one), lines_of(other), strict=True):
        ends = [[*places(path)] for path in (first, second)]
        assert np.ptp(ends[0], axis=0).tolist() == np.ptp(ends[1], axis=0).tolist()


def test_where_lines_go():
    """The corners of the unit square, and steps that hold back to the recall before."""
    perfect = RankingTable([0.9, 0.1], [3, 0], [0, 2])
    (left, bottom), corner, (right, top) = places(lines_of(parsed(curve("roc", perfect)))[0])
    assert corner == (left, top)
    assert min(right - left, bottom - top) > 300
    path, _ = lines_of(parsed(curve("pr", RankingTable([0.9, 0.5, 0.1], [1, 0, 1], [0, 1, 0]))))
    heights = [round(1 - (y - top) / (bottom - top), 2) for _, y in places(path)]
    assert heights == pytest.approx([1, 1, 0.5, 0.67, 0.67], abs=0.01)


def test_names_are_escaped():
    odd = "<b>\"&'"
    found = replace(curve("tpr_fpr", many(50)), name=odd, x_name=odd, others={f"{odd}!": np.zeros(51)})
    picture = parsed(found)
    assert picture.get("aria-label") == odd
    assert {odd, f"{odd}!"} <= {*texts_of(picture)}


def test_marks_and_scales_are_told_to_scripts():
    e = evaluate(truth=[0, 1, 1, 0, 1], score=[0.1, 0.4, 0.8, 0.6, 0.9])
    picture = ElementTree.fromstring(draw(figures(e, "roc", band=None)[0]))
    (dot,) = [one for one in picture.iter("circle") if one.get("data-mark") == "roc"]
    for axis, place, value in (("x", "cx", 1 - e["specificity"].value), ("y", "cy", e["sensitivity"].value)):
        first, last, low, high = map(float, picture.get(f"data-{axis}").split(","))
        assert float(dot.get(place)) == pytest.approx(
            first + (value - low) / (high - low) * (last - first), abs=0.06
        )
    assert picture.get("aria-label") == "ROC curve"
    assert "ROC AUC" in picture.find("desc").text
    every = [*picture.iter()]
    assert not [one for one in every if {"id", "style"} & {*one.keys()}]


def test_a_rule_stands_at_the_threshold():
    e = evaluate(truth=[0, 1, 1, 0, 1], score=[0.1, 0.4, 0.8, 0.6, 0.9], threshold=0.25)
    picture = ElementTree.fromstring(draw(figures(e, "decision", band=None)[0]))
    (rule,) = [one for one in picture.iter("path") if one.get("data-rule")]
    first, last, low, high = map(float, picture.get("data-x").split(","))
    at = float(re.match(r"translate\(([\d.]+) 0\)", rule.get("transform"))[1])
    assert low + (at - first) / (last - first) * (high - low) == pytest.approx(0.25, abs=1e-3)


def test_the_legend_of_several_models_names_the_measure_once_and_ranks_them():
    truth = [0, 1, 1, 0, 1, 0]
    scores = {
        "a": [0.6, 0.4, 0.5, 0.1, 0.9, 0.8],
        "b": [0.1, 0.8, 0.7, 0.2, 0.9, 0.3],
        "c": [0.1, 0.2, 0.7, 0.2, 0.9, 0.3],
    }
    table = evaluate(truth=truth, score=scores)
    measure, *ranked, rest = legend(figures(table, "roc")[0])
    assert (rest[1], measure[1]) == ("guessing", "ROC AUC:")
    assert [text[:8] for _, text in ranked] == [
        f"{name} {table[name]['roc_auc'].value:.3f} "[:8] for name in "bca"
    ]
    assert [look for look, _ in ranked] == ["c-1 sample d-1", "c-2 sample d-2", "c-0 sample"]  # as the lines
    (_, *errors, _) = legend(figures(table, "reliability")[0])  # the least error first
    ece = {name: table[name]["expected_calibration_error"].value for name in "abc"}
    assert [text[0] for _, text in errors] == sorted("abc", key=ece.get)
