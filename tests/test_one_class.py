"""Cases of one class alone: every result can be made and printed, in either design, clusters and groups."""

import numpy as np
import pytest
from looping import for_each, in_part

import tallymark as tm

SCORE = np.array([0.1, 0.2, 0.7, 0.4])
GROUPS = np.array(["a", "a", "b", "b"])
TRUTHS = {"positives": np.ones(4, int), "negatives": np.zeros(4, int)}
WAYS = {"cohort": {}, "case-control": {"design": "case-control"}, "clusters": {"clusters": GROUPS}}


@in_part(5, ("fast", "full"))
@for_each("way", WAYS)
@for_each("truth", TRUTHS)
def test_everything_is_printed(truth, way):
    found = tm.evaluate(truth=TRUTHS[truth], score=SCORE, positive=1, **WAYS[way])
    for said in (str(found.all), found.to_html(), found.to_json(), found.to_markdown()):
        assert said


@for_each("way", ["cohort", "case-control"])
def test_calibration(way):
    found = tm.calibration(truth=TRUTHS["positives"], score=SCORE, positive=1, **WAYS[way])
    assert "ECE" in str(found)


@in_part(3, ("fast", "full"))
@for_each("way", WAYS)
def test_a_group_of_one_class(way):
    truth = np.array([1, 1, 0, 1])
    table = tm.evaluate(truth=truth, score=SCORE, by=GROUPS, **WAYS[way])
    assert "a" in str(table.all)


def test_a_requirement_of_groups_of_which_one_lacks_a_class():
    found = tm.check(
        {"y": [1, 1, 0, 1], "p": SCORE, "g": GROUPS},
        truth="y",
        score="p",
        design="case-control",
        require="expected_calibration_error <= 0.99 by g",
    )
    assert len(found.findings) == 2


@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_a_decision_curve_without_points_has_no_band(design):
    found = tm.evaluate(truth=[1, 0, 1, 0], score=[1.0, 1.0, 1.0, 1.0], design=design)
    curve = found.curve("decision", band="simultaneous")
    assert not len(curve.x)
    assert curve.band is None
    assert curve.about.note == "no interval: the curve has no points"
    assert found.to_html()
