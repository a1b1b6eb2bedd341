"""Points that stand for the logits of a large table give the same regression as all of them."""

import numpy as np
import pytest
from scipy.special import expit

import tallymark as tm
from tallymark.inference import influence
from tallymark.inference.covariance import of_sums
from tallymark.measures.families import calibration
from tallymark.summaries import passes, ranking

CASES = 60_000


def sample(kind):
    rng = np.random.default_rng(7)
    truth = rng.random(CASES) < 0.2
    score = expit((rng.normal(size=CASES) + 1.5 * truth - 2) / (3.0 if kind == "steep" else 1.0))
    weight = rng.lognormal(size=CASES) if kind == "weighted" else None
    if kind == "zeros and ones":
        score[:1_000] = rng.integers(0, 2, 1_000)
    if kind == "tiny":
        score = score**4
    return truth, score, weight


def found(truth, score, weight):
    table = tm.RankingTable.from_arrays(truth=truth, score=score, weight=weight)
    names = ("calibration_slope", "calibration_intercept", "calibration_in_the_large")
    spreads = [
        of_sums(influence.sums_of_line(name, table), fixed) for name in names for fixed in (False, True)
    ]
    return table, np.array([*calibration.line(table), calibration.level(table), *np.ravel(spreads)])


@pytest.mark.parametrize("kind", ["plain", "weighted", "steep", "zeros and ones", "tiny"])
def test_regression_over_points_is_that_over_all_logits(kind, monkeypatch):
    table, over_points = found(*sample(kind))
    assert passes.points_of(table) is not None
    monkeypatch.setattr(passes, "ROWS", CASES * 16)  # so that no block has enough
    other, over_all = found(*sample(kind))
    assert passes.points_of(other) is None
    np.testing.assert_allclose(over_points, over_all, rtol=1e-11, atol=1e-13)


def test_weights_of_points_add_up_to_those_of_the_cases():
    truth, score, weight = sample("weighted")
    table = tm.RankingTable.from_arrays(truth=truth, score=score, weight=weight)
    points, every = passes.points_of(table), passes.finite_logits(table)
    for power in range(passes.POINTS):
        for mine, theirs in zip((*points[1:3], *points[3]), (*every[1:3], *every[3]), strict=True):
            expected = (theirs * every.x**power).sum()
            scale = (theirs * np.abs(every.x) ** power).sum()
            assert (mine * points.x**power).sum() == pytest.approx(expected, abs=1e-12 * scale)


def test_too_steep_a_line_is_found_over_all_logits(monkeypatch):
    truth, score, _ = sample("plain")
    score = expit(np.log(score / (1 - score)) / 6)
    table = tm.RankingTable.from_arrays(truth=truth, score=score)
    assert calibration.line(table).slope > passes.STEEPEST
    monkeypatch.setattr(passes, "ROWS", CASES * 16)  # so that no block has enough
    again = tm.RankingTable.from_arrays(truth=truth, score=score)
    assert calibration.line(table) == calibration.line(again)


def test_a_table_of_logits_gives_the_points_of_its_probabilities():
    truth, score, _ = sample("plain")
    z = np.log(score / (1 - score))
    z[:3] = np.inf, -np.inf, -np.inf
    of_logits = ranking.LogitTable.from_arrays(truth=truth, score=z)
    score[:3] = 1.0, 0.0, 0.0
    table = tm.RankingTable.from_arrays(truth=truth, score=score)
    np.testing.assert_allclose(calibration.line(of_logits), calibration.line(table), rtol=1e-11)
    assert of_logits.has_finite_logit == slice(1, len(of_logits) - 1)
