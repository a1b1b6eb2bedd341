"""Control variates of simulated samples, effective sizes of weighted cases, and samples of bins by class."""

import numpy as np
import pytest

from tallymark import RankingTable, Settings, estimate, evaluate, measures
from tallymark.inference.intervals import (
    bins_by_class,
    multiples,
    of_maxima,
    of_miscalibration,
    samples_of_rates,
    tilted,
    tilted_samples,
    weight_effects,
)
from tallymark.measures.families.bins import of_equal_width

RANDOM = np.random.default_rng(4)
TRUTH = np.arange(120) < 50
SCORE = 1 / (1 + np.exp(-RANDOM.normal(1.2 * TRUTH)))


def table(truth=TRUTH, score=SCORE, weight=None):
    return RankingTable.from_arrays(truth=truth, score=score, weight=weight)


def test_moments_of_a_linear_measure_are_exact():
    drawn = of_maxima.drawn(table(), 3)
    controls, shares = drawn.samples.controls, drawn.samples.controls.shares
    worth = np.arange(shares.shape[-1]) ** 1.5
    counts = (
        controls.off
        + np.concatenate(
            [size * share[:, :-1] for size, share in zip(controls.sizes, shares, strict=True)], axis=-1
        )[:, None]
    )
    first = shares.shape[-1] - 1
    last = controls.sizes[0] - counts[..., :first].sum(-1)
    found = controls.moments(counts[..., :first] @ worth[:-1] + last * worth[-1])
    mean = (shares[0] * worth).sum(-1)
    away = worth - mean[:, None]
    size = controls.sizes[0]
    inside = (size * (shares[0] * away**2).sum(-1)) > 1e-3
    np.testing.assert_allclose(found.mean, size * mean, rtol=2e-3)  # of groups with cases
    np.testing.assert_allclose(
        found.spread[inside], np.sqrt(size * (shares[0] * away**2).sum(-1))[inside], rtol=5e-3
    )
    third = (shares[0] * away**3).sum(-1) / np.sqrt(size) / (shares[0] * away**2).sum(-1) ** 1.5
    np.testing.assert_allclose(found.skewness[inside], third[inside], atol=0.02)


def test_a_sample_without_a_value_is_left_out_of_the_moments():
    controls = of_maxima.drawn(table(), 3).samples.controls
    values = np.random.default_rng(1).normal(size=(len(controls.off), tilted_samples.REPLICATES))
    values[2, 5] = np.nan
    mean, spread, _ = controls.moments(values)
    assert mean[2] == pytest.approx(np.nanmean(values[2]))
    assert spread[2] == pytest.approx(np.nanstd(values[2], ddof=1))


def test_bounds_hardly_depend_on_the_seed():
    high = [evaluate(truth=TRUTH, score=SCORE, rng=seed)["h_measure"].high for seed in range(6)]
    width = evaluate(truth=TRUTH, score=SCORE)["h_measure"]
    assert np.std(high) < 0.03 * (width.high - width.low)


def test_single_weighted_cases_are_not_tied_ones():
    weight = np.where(TRUTH, 7.0, 0.5)
    assert not tilted.family(table(weight=weight)).tied
    assert tilted.rates(table(weight=weight)).std() < 0.35


def test_heavy_cases_apart_from_the_others_have_smaller_effective_classes():
    apart = table(weight=np.where(np.quantile(SCORE[TRUTH], 0.05) > SCORE, 10.5, 1.05))
    made, few = weight_effects.in_effect(apart, 0.95)
    assert made.effective_positives < apart.effective_positives / 1.5
    assert few is not None
    unrelated = table(weight=np.where(np.arange(120) % 2, 1.0, 1.5))
    same, few = weight_effects.in_effect(unrelated, 0.95)
    assert same.effective_positives == pytest.approx(unrelated.effective_positives, rel=0.1)
    assert few is None


def test_samples_of_bins_have_the_class_sizes_of_the_table():
    given = table()
    bins = of_equal_width(given, 10)
    bins = bins.only(bins.weight > 0)
    gaps = np.array([0.0, 0.5, 1.0])[:, None] * bins.gap
    members = bins_by_class.populations(bins, bins.weight, gaps)
    np.testing.assert_allclose(members.gap, gaps, atol=1e-12)
    samples = bins_by_class.samples(members, tilted.sizes(given), 20, 1)
    positives, total = float(members.positive[0].sum()), float(members.weight[0].sum())
    np.testing.assert_allclose(samples.positive.sum(-1), positives)
    np.testing.assert_allclose(samples.weight.sum(-1), total)


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


def test_bounds_by_moments_are_those_of_many_samples():
    true = np.linspace(0.0, 4.0, 30)
    values = true[:, None] + np.random.default_rng(2).gamma(9.0, 0.4, (30, 20_000)) - 3.6
    for level in (0.8, 0.95, 0.99):
        wanted = multiples.bounds(values, 2.0, true, level)
        assert multiples.bounds_by_moments(values, 2.0, true, level) == pytest.approx(wanted, abs=0.06)
    few = multiples.bounds(values[:, :100], 2.0, true, 0.999)
    assert few == pytest.approx(multiples.bounds(values, 2.0, true, 0.999), abs=0.4)


def test_binomial_numbers_of_many_cases_have_their_moments():
    total, rate = np.full((4_000, 3), 2_000), np.array([0.001, 0.3, 0.5])
    random = np.random.default_rng(5)
    found = samples_of_rates.binomial(random, total, rate, random.normal(size=total.shape))
    np.testing.assert_allclose(found.mean(0), 2_000 * rate, rtol=0.02)
    np.testing.assert_allclose(found.std(0), np.sqrt(2_000 * rate * (1 - rate)), rtol=0.05)
    assert (found == np.rint(found)).all()


def test_the_classes_of_a_case_control_design_are_drawn_independently():
    even = table(truth=np.arange(120) < 60)
    rate = np.full(120, 0.5)
    population = even.of(even.score, rate, rate)
    (drawn,) = samples_of_rates.samples_of([population], even, "case-control", 0)
    positive, negative = (part @ even.score for part in (drawn.positive, drawn.negative))
    assert abs(np.corrcoef(positive, negative)[0, 1]) < 0.25  # three standard errors


@pytest.mark.full
def test_the_miscalibration_of_certain_answers_has_room_above():
    """32 cases with probabilities of 0 and 1, of which 3 % are wrong: .0009 in the population."""
    random, held = np.random.default_rng(3), 0
    for _ in range(30):
        truth = np.arange(32) < 16
        score = np.where(random.random(32) < 0.03, ~truth, truth).astype(float)
        held += estimate("brier_miscalibration", table(truth, score)).high >= 0.0009
    assert held >= 27


def test_predictions_that_cannot_have_the_share_of_positives_keep_their_weights():
    weight, rate = np.ones(50), np.linspace(0.6, 0.9, 50)
    assert of_miscalibration.tilted_weights(weight, rate, 25.0) is weight
    found = of_miscalibration.tilted_weights(weight, rate, 35.0)
    assert (found.sum(), found @ rate) == pytest.approx((50, 35))
