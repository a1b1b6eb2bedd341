"""Simplified curves: fewer points, the same ends, the same shape, the same area."""

import math
from dataclasses import replace

import numpy as np
import pytest
from drawn_tables import ALL, alike, columns, every_name, every_ties, many, over, some, table_of, tables_for
from hypothesis import given, strategies as st
from looping import for_each
from scipy.special import ndtr, ndtri
from strategies import same

from tallymark import RankingTable
from tallymark.curves import Curve, curve

# The same shape
# --------------------------------------------------------------------------------------------------


def kept(found):
    """Which points remain: simplifying does not look at thresholds, so these can number the points."""
    return replace(found, threshold=np.arange(len(found))).simplify().threshold


def near(one, other, values):
    """To 1e-12 of the largest value."""
    return np.abs(one - other) <= 1e-12 * np.abs(values[np.isfinite(values)]).max(initial=1)


def on_the_way(found, line, gone, before, after):
    """Whether the points that are gone lie on the way from those before to those after, measured across or
    upward."""
    (x0, y0), (x, y), (x1, y1) = ((found.x[at], line[at]) for at in (before, gone, after))
    across, up = x1 - x0, y1 - y0
    onward = ((x - x0) * (x1 - x) >= 0) & ((y - y0) * (y1 - y) >= 0)
    if found.step:  # level before each point, or after it
        level, upright = (y == y1, x == x0) if found.step == "pre" else (y == y0, x == x1)
        return onward & (level | upright) | ((x == x0) & (y == y0)) | ((x == x1) & (y == y1))
    straight = near(y, y0 + over(up * (x - x0), across), line) | near(
        x, x0 + over(across * (y - y0), up), found.x
    )
    return onward & straight | ((x == x0) & (y == y0)) | ((x == x1) & (y == y1))


def bent(found):
    """The points that are gone, and were not on the way."""
    remain = kept(found)
    gone = np.setdiff1d(np.arange(len(found)), remain)
    after = np.searchsorted(remain, gone)
    with np.errstate(invalid="ignore"):
        good = [
            on_the_way(found, line, gone, remain[after - 1], remain[after]) for line in found.lines.values()
        ]
    return gone[~np.all(good, axis=0)].tolist()


def ends(found):
    return [column[[0, -1]] if len(column) else column for column in columns(found)]


@pytest.mark.full
@every_ties
@every_name
@some
@given(data=st.data())
def test_simplified_is_the_same_shape(name, ties, data):
    found = curve(name, data.draw(tables_for(name)), ties=ties)
    small = found.simplify()
    assert bent(found) == []
    assert alike(ends(small), ends(found))
    assert same(small.area, found.area)
    assert alike(columns(small.simplify()), columns(small))


@pytest.mark.full
@every_ties
@for_each("scores", [None, 1000], ids=["untied", "tied"])
@for_each("name", ALL)
def test_simplified_is_the_same_shape_of_a_large_table(name, ties, scores):
    found = curve(name, many(20_000, scores), ties=ties)
    small = found.simplify()
    assert bent(found) == []
    assert same(small.area, found.area)
    assert alike(columns(small.simplify()), columns(small))
    assert {*small.threshold.tolist()} <= {*found.threshold.tolist()}


@pytest.mark.full
def test_weights_of_many_sizes_keep_the_shape():
    """Some so small that a sum does not change."""
    random = np.random.default_rng(3)
    for _ in range(100):
        table = table_of(
            random.integers(0, 2, 40), random.integers(0, 25, 40), 10 ** random.uniform(-40, 0, 40)
        )
        for name in ("roc", "pr", "gain", "f1"):
            found = curve(name, table)
            assert bent(found) == []
            assert same(found.simplify().area, found.area)


SMOOTH = {
    "circle": lambda t: (1 - np.cos(t * np.pi / 2), np.sin(t * np.pi / 2)),
    "binormal": lambda t: (t, ndtr(1 + ndtri(t))),
    "slight": lambda t: (t, t + 1e-9 * t * (1 - t)),
    "parabola": lambda t: (np.rint(1e5 * t), np.rint(1e5 * t) ** 2),
    "steep": lambda t: (t, 1e-6 * t**9),
}


@pytest.mark.full
@for_each("points", SMOOTH.values(), ids=SMOOTH)
@for_each("step", ["", "pre", "post"], ids=["line", "steps", "steps after"])
def test_a_smooth_curve_is_not_flattened(points, step):
    t = np.linspace(0, 1, 100_001)
    found = Curve("smooth", *points(t), 1 - t, "x", "y", step=step)
    assert bent(found) == []
    assert found.simplify().area == pytest.approx(found.area, rel=1e-12)
    assert len(kept(found)) > 10_000


# Fewer points
# --------------------------------------------------------------------------------------------------


def test_of_untied_scores_the_corners_remain():
    truth = np.random.default_rng(2).integers(0, 2, 100_000)
    found = curve("roc", table_of(truth, np.arange(100_000.0))).simplify()
    assert len(found) == 2 + np.count_nonzero(np.diff(truth))


@pytest.mark.parametrize("name", ["roc", "gain", "pr"])
def test_of_tied_scores_in_even_proportion_the_corners_remain(name):
    """1024 scores of one mix, and 1024 of another."""
    mixes = np.repeat([[3, 1], [1, 3]], 1024, axis=0).T
    found = curve(name, RankingTable(np.arange(2048.0, 0, -1), *mixes)).simplify()
    if name == "pr":  # level, then falling
        assert len(found) == 2 + 1024
    else:
        assert found.x.tolist() == ([0, 0.25, 1] if name == "roc" else [0, 4096, 8192])
        assert found.y.tolist() == ([0, 0.75, 1] if name == "roc" else [0, 3072, 4096])


def test_what_stays_the_same_is_a_line():
    """Nothing is on the way from infinity."""
    assert curve("prevalence", RankingTable([0.8, 0.5, 0.4, 0.2], [1, 0, 1, 1],
        [1, 1, 1, 0])).simplify().x.tolist() == [
        math.inf, 0.8, 0.2,
    ]  # fmt: skip


@for_each(
    ("x", "y", "wanted"),
    [
        ([0, 1, 2, 3], [5, 5, 5, 5], [5, 5]),
        ([1, 1, 1, 1], [0, 2, 5, 6], [0, 6]),
        ([0, 1, 2, 3], [0, 2, 4, 5], [0, 4, 5]),
        ([0, 2, 1, 3], [0, 2, 1, 3], [0, 2, 1, 3]),  # there and back
        ([0, 1, 1, 2], [0, 1, 1, 1.5], [0, 1, 1.5]),  # a corner that is there twice
        ([0, 1, 1, 1, 2], [0, 1, 1, 1, 1.5], [0, 1, 1.5]),
        # nothing is on the way from infinity
        ([math.inf, 0.9, 0.8, 0.7], [0, 0.3, 0.6, 1], [0, 0.3, 0.6, 1]),
        ([0.9, 0.8, 0.7, -math.inf], [0, 0.3, 0.7, 1], [0, 0.3, 0.7, 1]),
        ([0, 1, 2, 3], [-math.inf, 1, 3, math.inf], [-math.inf, 1, 3, math.inf]),
        ([0, 1, 2, 3], [0, math.nan, 2, 3], [0, math.nan, 2, 3]),
        ([0, 1], [1, 1], [1, 1]),
        ([0], [1], [1]),
        ([], [], []),
    ],
    ids=str,
)
def test_what_remains(x, y, wanted):
    found = Curve("some", np.array(x, float), np.array(y, float), np.zeros(len(x)), "x", "y")
    assert alike([found.simplify().y], [np.array(wanted, float)])


def test_every_line_has_a_say():
    flat, bend = np.zeros(4), np.array([0.0, 1, 1, 0])
    found = Curve("two", np.arange(4.0), flat, flat, "x", "y", others={"z": bend})
    assert found.simplify().others["z"].tolist() == [0, 1, 1, 0]
    assert replace(found, others={"z": flat}).simplify().x.tolist() == [0, 3]
