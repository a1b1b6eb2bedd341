"""Calibration errors against a smooth curve: R's loess, and a fit of each place by least squares."""

import json
from pathlib import Path

import numpy as np
import pytest
from looping import for_each

from tallymark import RankingTable, estimate, measures
from tallymark.measures.families.smooth_calibration import local_polynomials

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "loess.json").read_text(encoding="utf-8"))
R = np.random.default_rng(4)


def by_least_squares(at, x, y, weight, span=0.75):
    """The height of one parabola, fitted by NumPy to the cases of its window."""
    far = np.abs(x - at)
    order = np.argsort(far, kind="stable")
    window = far[order[np.argmax(np.cumsum(weight[order]) >= span * weight.sum() - 1e-9)]]
    share = weight * np.maximum(1 - (far / window) ** 3, 0) ** 3
    there = share > 0
    return np.clip(np.polyval(np.polyfit(x[there] - at, y[there], 2, w=np.sqrt(share[there])), 0), 0, 1)


@for_each("oracle", ORACLES, ids=lambda one: str(len(one["score"])))
def test_the_curve_is_that_of_loess(oracle):
    """It weights cases at the very end of a window a little differently."""
    x, y = np.array(oracle["score"]), np.array(oracle["truth"], float)
    assert local_polynomials(x, x, y, np.ones(len(x))) == pytest.approx(np.array(oracle["fitted"]), abs=2e-3)
    found = measures.integrated_calibration_index(truth=oracle["truth"], score=x)
    assert found == pytest.approx(oracle["ici"], abs=5e-4)
    gaps = np.abs(np.array(oracle["fitted"]) - x)
    middle = measures.median_calibration_error(truth=oracle["truth"], score=x)
    assert middle == pytest.approx(np.quantile(gaps, 0.5, method="inverted_cdf"), abs=2e-3)
    tail = measures.e90_calibration_error(truth=oracle["truth"], score=x)
    assert tail == pytest.approx(np.quantile(gaps, 0.9, method="inverted_cdf"), abs=2e-3)


def test_the_curve_is_that_of_least_squares_at_each_place():
    x = np.sort(R.random(60))
    y, weight = (R.random(60) < x).astype(float), R.integers(1, 4, 60).astype(float)
    wanted = [by_least_squares(at, x, y, weight) for at in x]
    assert local_polynomials(x, x, y, weight) == pytest.approx(np.array(wanted), abs=1e-5)


def test_many_scores_are_grouped_with_little_change():
    p = R.random(5000)
    y = (R.random(5000) < p**2).astype(int)
    found = measures.integrated_calibration_index(truth=y, score=p)
    assert found == pytest.approx(np.mean(p - p**2), abs=0.02)


def test_there_is_no_interval_with_the_reason():
    table = RankingTable.from_arrays(truth=[0, 1, 1, 0], score=[0.2, 0.7, 0.9, 0.4])
    found = estimate("ici", table)
    assert not found.has_interval
    assert "no method is known" in found.note
