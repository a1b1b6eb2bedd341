"""The inversion of a bootstrap: moments with control variates, bounds, effective sizes of weighted cases."""

import numpy as np
import pytest

from tallymark import RankingTable, Settings, estimate, evaluate, measures
from tallymark.inference import inverted

RANDOM = np.random.default_rng(4)
TRUTH = np.arange(120) < 50
SCORE = 1 / (1 + np.exp(-RANDOM.normal(1.2 * TRUTH)))


def table(truth=TRUTH, score=SCORE, weight=None):
    return RankingTable.from_arrays(truth=truth, score=score, weight=weight)


SHARE = np.array([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1], [0.02, 0.03, 0.05, 0.9]])


def test_moments_of_a_linear_measure_are_exact():
    worth, sizes = np.array([3.0, -1.0, 2.0, 7.0]), (40, 90)
    samples, controls = inverted.draw([(SHARE, size) for size in sizes], 70, 3)
    moments = controls.moments(samples[0] @ worth - samples[1] @ worth)
    mean, away = SHARE @ worth, worth - (SHARE @ worth)[:, None]
    np.testing.assert_allclose(moments.mean, (sizes[0] - sizes[1]) * mean)
    variance = sum(sizes) * (SHARE * away**2).sum(-1)
    np.testing.assert_allclose(moments.spread, np.sqrt(variance))
    third = (sizes[0] - sizes[1]) * (SHARE * away**3).sum(-1)
    np.testing.assert_allclose(moments.skewness, third / variance**1.5)


def test_a_sample_without_a_value_is_left_out_of_the_moments():
    _, controls = inverted.draw([(SHARE, 50)], 70, 3)
    values = np.random.default_rng(1).normal(size=(len(SHARE), 70))
    values[2, 5] = np.nan
    moments = controls.moments(values)
    assert moments.mean[2] == pytest.approx(np.nanmean(values[2]), abs=0.2)
    assert moments.spread[2] == pytest.approx(np.nanstd(values[2], ddof=1), rel=0.1)


def test_bounds_hardly_depend_on_the_seed():
    high = [evaluate(truth=TRUTH, score=SCORE, rng=seed)["h_measure"].high for seed in range(6)]
    width = evaluate(truth=TRUTH, score=SCORE)["h_measure"]
    assert np.std(high) < 0.03 * (width.high - width.low)


def test_single_weighted_cases_are_not_tied_ones():
    weight = np.where(TRUTH, 7.0, 0.5)
    assert not inverted.LogOdds(table(weight=weight)).tied.any()
    assert inverted.rates(table(weight=weight)).std() < 0.35


def test_weights_apart_from_the_others_widen_the_interval_of_a_maximum():
    """They have the same effective class sizes as weights that do not depend on the score."""
    low = np.quantile(SCORE[TRUTH], 0.1) > SCORE
    mixed = np.random.default_rng(0).permutation(low[TRUTH])
    weights = np.where(low, 10.0, 1.0), np.where(low, 10.0, 1.0)
    weights[1][TRUTH] = np.where(mixed, 10.0, 1.0)
    apart, unrelated = (estimate("average_precision", table(weight=weight)) for weight in weights)
    assert apart.high - apart.low > 1.2 * (unrelated.high - unrelated.low)


@pytest.mark.parametrize("measure", ["expected_calibration_error", "brier_miscalibration"])
def test_a_fixed_class_mix_takes_its_variation_out_of_calibration_errors(measure):
    shifted = table(score=SCORE * 0.4)
    cohort, fixed = (estimate(measure, shifted, Settings(design=d)) for d in ("cohort", "case-control"))
    assert fixed.high - fixed.low < 0.9 * (cohort.high - cohort.low)


@pytest.mark.full
def test_the_lower_bound_of_the_miscalibration_of_a_calibrated_model_is_mostly_0():
    random, low = np.random.default_rng(7), []
    for _ in range(20):
        score = random.uniform(0.1, 0.9, 150)
        low.append(estimate("brier_miscalibration", table(random.random(150) < score, score)).low)
    assert sum(bound == 0 for bound in low) >= 16


@pytest.mark.full
def test_the_miscalibration_of_rates_that_do_not_rise_with_the_score_is_covered():
    """Isotonic recalibration of the population saves less than knowing its rates."""

    def drawn(cases):
        x = random.normal(size=cases)
        return table(random.random(cases) < 1 / (1 + np.exp(1.25 * x**2 - 1.5)), 1 / (1 + np.exp(-x)))

    random = np.random.default_rng(8)
    true = measures.brier_miscalibration(drawn(400_000))
    found = [estimate("brier_miscalibration", drawn(300)) for _ in range(20)]
    assert sum(one.low <= true <= one.high for one in found) >= 17


@pytest.mark.parametrize("measure", ["expected_calibration_error", "debiased_ece", "debiased_rmsce"])
def test_no_calibration_error_has_a_bound_above_1(measure):
    truth = np.arange(400) < 200
    found = estimate(measure, table(truth, 1.0 - truth), Settings(design="case-control"))
    assert 0.9 < found.low <= found.value <= found.high <= 1


@pytest.mark.full
def test_the_lower_bound_of_a_calibrated_model_that_hardly_discriminates_is_mostly_0():
    random, low = np.random.default_rng(9), []
    for _ in range(40):
        score = 1 / (1 + np.exp(0.5 - 0.2 * random.normal(size=300)))
        low.append(estimate("brier_miscalibration", table(random.random(300) < score, score)).low)
    assert sum(bound == 0 for bound in low) >= 36


@pytest.mark.full
def test_bounds_are_those_of_the_quantiles_of_many_samples():
    true, at = np.linspace(0.0, 4.0, 30), 2.0
    _, controls = inverted.draw([(np.full((30, 2), 0.5), 100)], 20_000, 1)
    values = true[:, None] + np.random.default_rng(2).gamma(9.0, 0.4, (30, 20_000)) - 3.6
    for level in (0.8, 0.95, 0.99):
        low, high, middle, *_ = inverted.bounds(true, controls.moments(values), at, level)
        quantiles = np.quantile(values, [(1 - level) / 2, 0.5, (1 + level) / 2], axis=1)
        assert (high, middle, low) == pytest.approx(
            [np.interp(at, edge, true) for edge in quantiles], abs=0.06
        )


def test_of_a_measure_that_falls_and_rises_all_members_that_are_not_rejected_count():
    true = np.abs(np.linspace(-1.0, 1.0, 21))
    moments = inverted.Moments(true, np.full(21, 0.1), np.zeros(21))
    low, high, *_ = inverted.bounds(true, moments, 0.0, 0.95)
    assert (low, high) == pytest.approx((0.0, 0.196), abs=0.001)


@pytest.mark.full
def test_the_miscalibration_of_certain_answers_has_room_above():
    """32 cases with probabilities of 0 and 1, of which 3 % are wrong: .0009 in the population."""
    random, held = np.random.default_rng(3), 0
    for _ in range(30):
        truth = np.arange(32) < 16
        score = np.where(random.random(32) < 0.03, ~truth, truth).astype(float)
        held += estimate("brier_miscalibration", table(truth, score)).high >= 0.0009
    assert held >= 27
