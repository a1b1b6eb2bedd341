"""The unit of the weights, and weights that are all equal, change no interval; nor does rounding that depends
on the unit."""

import json

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm
from tallymark import ConfusionMatrix, Counts, RankingTable
from tallymark.evaluation.thresholds import depends_on_threshold
from tallymark.measures.registry import get

TINY = 1e-38
RANDOM = np.random.default_rng(5)
WEIGHT = RANDOM.random(24) + 0.1
TRUTH, SCORE = np.arange(24) % 2, np.round(RANDOM.random(24), 1)


def test_equal_weights_make_whole_numbers_of_cases():
    """0.1 is not a binary number, so its sums divided by it are whole but for rounding."""
    plain, weighted = (
        RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=w) for w in (None, np.full(24, 0.1))
    )
    assert weighted.as_cases == plain
    assert not weighted.as_cases.weighted
    assert RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=WEIGHT).as_cases.weighted


def test_an_infinite_value_at_a_chosen_threshold_has_no_optimism_in_json():
    estimate = tm.Estimate(np.inf, 1.0, 3.0, 0.95, "corrected-log", corrected=2.0)
    assert estimate.to_dict()["optimism"] is None
    assert "infinite: value" in estimate.to_dict()["note"]
    assert tm.Estimate(3.0, 1.0, 3.0, 0.95, "corrected-log", corrected=2.0).to_dict()["optimism"] == 1.0
    json.dumps(estimate.to_dict(), allow_nan=False)


def test_a_measure_with_halves_depends_on_the_threshold_in_any_unit():
    function = get("corrected_odds_ratio", Counts).function
    for unit in (1.0, TINY):
        weight = np.full(4, 0.7 * unit)
        counts = Counts.from_arrays(truth=[0, 1, 1, 0], predicted=[0, 1, 0, 1], weight=weight)
        assert depends_on_threshold(function, counts)


@pytest.mark.full
@pytest.mark.parametrize("unit", [1.0, 1e-7, TINY, 1e14])
def test_without_mistakes_the_interval_of_information_is_the_same_in_any_unit(unit):
    label = np.arange(24) % 4
    for order in range(20):
        weight = np.random.default_rng(order).permutation(WEIGHT)
        plain, other = (
            tm.evaluate(truth=label, predicted=label, weight=w)["mutual_information"]
            for w in (weight, weight * unit)
        )
        assert (other.low, other.high) == pytest.approx((plain.low, plain.high), rel=1e-8)


def test_weights_without_rows_are_refused_by_their_length():
    with refuses("wrong-shape"):
        ConfusionMatrix.from_arrays(truth=[0, 1], predicted=[0, 1], weight=np.array([]))
