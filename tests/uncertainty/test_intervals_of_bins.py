"""Intervals of calibration errors over bins, inverted along multiples of the gaps found."""

import numpy as np
import pytest

from tallymark import RankingTable, estimate, measures
from tallymark.inference import Settings

MEASURES = (
    "expected_calibration_error",
    "adaptive_calibration_error",
    "maximum_calibration_error",
    "rms_calibration_error",
    "debiased_ece",
)


def cases(number, shift=0.0, seed=0):
    """Probabilities between .05 and .95, too high by a shift."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.05, 0.95, number)
    return RankingTable.from_arrays(truth=rng.random(number) < np.clip(p - shift, 0, 1), score=p)


@pytest.mark.parametrize("name", MEASURES)
def test_an_error_that_chance_makes_has_the_lower_bound_0_and_another_one_has_not(name):
    assert estimate(name, cases(400)).low == pytest.approx(0.0, abs=1e-12)
    assert estimate(name, cases(400, shift=0.3)).low > 0.1


def test_the_interval_is_narrower_than_that_of_the_triangle_inequality():
    """It was .15 to .35 wide where the probabilities are too high by .2, of 300 cases."""
    found = estimate("expected_calibration_error", cases(300, shift=0.2, seed=3))
    assert found.low < 0.19 < found.high
    assert found.high - found.low < 0.13
    assert found.method == "inverted-bootstrap"


def test_perfect_answers_have_an_upper_bound():
    table = RankingTable([1.0, 0.0], [30, 0], [0, 30])
    found = estimate("expected_calibration_error", table)
    assert found.value == found.low == 0
    assert 0.02 < found.high < 0.2


def test_a_debiased_error_has_the_upper_bound_of_a_true_one():
    table = cases(500, shift=0.15, seed=4)
    plain, debiased = (estimate(name, table) for name in ("expected_calibration_error", "debiased_ece"))
    assert measures.debiased_ece(table) < plain.value
    assert debiased.high == pytest.approx(plain.high, abs=0.02)


def test_a_higher_level_gives_a_wider_interval():
    found = [
        estimate("expected_calibration_error", cases(300, 0.1), Settings(level=level))
        for level in (0.5, 0.8, 0.95)
    ]
    widths = [one.high - one.low for one in found]
    assert widths == sorted(widths)
