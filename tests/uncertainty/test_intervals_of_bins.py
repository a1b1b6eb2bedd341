"""Intervals of calibration errors over bins, inverted along multiples of the gaps."""

import numpy as np
import pytest

from tallymark import RankingTable, estimate, evaluate, measures
from tallymark.inference import Settings
from tallymark.inference.inverted import SCALE, bound_of_largest
from tallymark.measures.families.bins import Bins

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


@pytest.mark.parametrize(
    "name", [*MEASURES[:4], "debiased_rmsce", "brier_miscalibration", "log_loss_miscalibration"]
)
@pytest.mark.parametrize("number", [200, 300, 400, 1_000])
def test_a_smaller_error_than_chance_makes_has_the_lower_bound_0(name, number):
    """Calibrated probabilities were rejected where the errors are smaller than in most of their samples."""
    p = 1 / (1 + np.exp(-np.linspace(-3, 3, number)))
    truth = np.diff(np.floor(np.cumsum(p) + 0.5), prepend=0) > 0  # as many positives as expected, everywhere
    assert estimate(name, RankingTable.from_arrays(truth=truth, score=p)).low == 0


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


def upper_bound(gaps, cases=100, mean=0.5):
    """Of the largest gap of bins with as many cases."""
    n = np.full(len(gaps), float(cases))
    return bound_of_largest(Bins(n, n * (mean + np.asarray(gaps)), n * mean), 0.95, 0)


def test_the_upper_bound_of_the_largest_gap_of_a_single_bin_is_that_of_its_proportion():
    """Agresti and Coull's standard error, with one case of either class added."""
    shrunk = (0.7 * 400 + 1) / 402
    far = 0.2 * 400 / 402 + 1.96 * np.sqrt(shrunk * (1 - shrunk) / 402)
    assert upper_bound([0.2], cases=400) == pytest.approx(far, abs=0.002)


def test_gaps_that_chance_explains_are_shrunk_to_their_mean_and_others_are_not():
    rng = np.random.default_rng(5)
    chance = rng.normal(0, 0.05, 10)  # the standard error of 100 cases
    found = upper_bound(chance)
    assert found < np.abs(chance).max() + 1.96 * 0.05
    one_apart = upper_bound([0.4, *9 * [0.0]])
    assert 0.43 < one_apart < 0.4 + 1.96 * 0.05


def test_the_upper_bound_of_the_largest_gap_is_the_quantile_of_draws_from_its_posterior():
    gaps = np.array([0.1, -0.05, 0.2, 0.15])
    rng, gap, variance = np.random.default_rng(6), gaps * 60 / 62, _variance(0.5 + gaps, 60)
    unit = np.sqrt(1 / np.mean(1 / variance))  # a standard error
    spread = np.abs(rng.standard_cauchy(400_000)) * SCALE * unit
    spread = spread[spread < 30 * unit]
    precision = 1 / (variance + spread[:, None] ** 2)
    centre = (precision * gap).sum(1) / precision.sum(1)
    logs = 0.5 * (np.log(precision).sum(1) - np.log(precision.sum(1)))
    logs -= 0.5 * (precision * (gap - centre[:, None]) ** 2).sum(1)
    kept = rng.choice(len(spread), 100_000, p=np.exp(logs) / np.exp(logs).sum())
    common = centre[kept] + rng.normal(size=len(kept)) / np.sqrt(precision[kept].sum(1))
    share = (spread[kept] ** 2)[:, None] * precision[kept]
    drawn = common[:, None] + share * (gap - common[:, None])
    drawn += rng.normal(size=drawn.shape) * np.sqrt(variance * share)
    wanted = np.quantile(np.abs(drawn).max(1), 0.975)
    assert upper_bound(gaps, cases=60) == pytest.approx(wanted, abs=0.006)


def _variance(rate, cases):
    shrunk = (rate * cases + 1) / (cases + 2)
    return shrunk * (1 - shrunk) / (cases + 2)


def test_the_largest_gap_is_within_its_interval_where_it_is_small_by_chance():
    """Several bins have about the same gap then: multiples of them gave an upper bound of 0.20."""
    p = np.repeat(np.linspace(0.35, 0.95, 7), 140)
    right = np.concatenate([np.arange(140) < round(140 * (level - 0.18)) for level in p[::140]])
    found = estimate("maximum_calibration_error", RankingTable.from_arrays(truth=right, score=p))
    assert found.value == pytest.approx(0.18, abs=0.005)
    assert found.high > 0.215


def test_in_one_bin_the_largest_gap_is_the_mean_one():
    ev = evaluate(truth=[0] * 30 + [1] * 10, score=[0.35] * 40)
    names = ("expected_calibration_error", "maximum_calibration_error", "rms_calibration_error")
    assert len({(ev[name].value, ev[name].low, ev[name].high) for name in names}) == 1
