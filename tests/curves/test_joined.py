"""The decision curve between its thresholds: counts are constant there, and it jumps at every score."""

import numpy as np
import pytest
from drawn_tables import some_cases, table_of
from hypothesis import given
from looping import for_each
from strategies import SCORES

import tallymark as tm
from tallymark.curves import curve

TRUTH = np.array([1, 0, 1, 0, 0, 1, 0, 1])
SCORE = np.array([0.9, 0.9, 0.7, 0.65, 0.3, 0.3, 0.05, 0.02])


def net_benefit(t, truth=TRUTH, score=SCORE):
    """Of its definition."""
    called = score >= t
    return (np.sum(called & (truth == 1)) - np.sum(called & (truth == 0)) * t / (1 - t)) / len(truth)


def read(found, line, t):
    """The height of straight lines between the points, which are in the order of descending thresholds."""
    return np.interp(t, found.x[::-1], line[::-1])


def test_it_is_exact_between_scores_and_jumps_at_them():
    e = tm.evaluate(truth=TRUTH, score=SCORE)
    found = e.curve("decision").joined()
    between = np.random.default_rng(0).uniform(0.02, 0.7, 300)
    heights = [net_benefit(t) for t in between]
    assert read(found, found.y, between) == pytest.approx(heights, abs=1e-3)  # the grid is of 1 / 200
    straight = e.curve("decision")
    assert np.abs(read(straight, straight.y, between) - heights).max() > 0.1  # what it was before
    everybody = found.others["everybody positive"]
    assert read(found, everybody, between) == pytest.approx(0.5 - 0.5 * between / (1 - between), abs=1e-3)
    for score in (0.05, 0.3, 0.65, 0.7):
        above, at = found.y[found.x == score]
        assert at == pytest.approx(net_benefit(score))
        assert above == pytest.approx(net_benefit(score + 1e-9), abs=1e-6)


@given(drawn=some_cases(scores=SCORES, values=[]))
def test_every_point_is_the_net_benefit_at_its_threshold(drawn):
    truth, score = (np.asarray(one) for one in drawn[:2])
    found = curve("decision", table_of(truth, score)).joined()
    assert (np.diff(found.x) <= 0).all()
    heights = [net_benefit(t, truth, score) for t in found.threshold]
    assert found.y == pytest.approx(heights, abs=1e-9)


@pytest.mark.full
@for_each("name", ["roc", "pr", "sensitivity", "cost"])
def test_other_curves_are_as_they_were(name):
    found = tm.evaluate(truth=TRUTH, score=SCORE).curve(name)
    assert found.joined() is found


@pytest.mark.full
def test_the_figures_show_it_and_the_band_holds_it():
    e = tm.evaluate(truth=np.tile(TRUTH, 5), score=np.tile(SCORE, 5))
    display = e.plot("decision")
    line = next(one for one in display.figures[0].series if getattr(one, "label", "") == "model")
    assert np.interp(0.5, line.x[::-1], line.y[::-1]) == pytest.approx(net_benefit(0.5), abs=1e-4)
    found = e.curve("decision", band="pointwise")
    shown = found.joined()
    assert (shown.band[0] <= shown.y).all()
    assert (shown.band[1] >= shown.y).all()
    points = np.isin(shown.threshold, found.threshold)
    for bound, there in zip(shown.band, found.band, strict=True):
        assert bound[points] == pytest.approx(there[np.isin(found.threshold, shown.threshold)])
    low, high = shown.bands["everybody positive"]
    assert low.shape == high.shape == shown.x.shape
    assert len(e.curve("decision")._repr_svg_()) > 5_000
