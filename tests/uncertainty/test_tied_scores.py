"""Intervals of measures of a ranking where many cases, or all, share a score."""

import numpy as np
import pytest
from scipy.stats import binom

from tallymark import RankingTable, Settings, biometric, estimate, evaluate, measures

MAXIMA = ("kolmogorov_smirnov", "youden_j_max", "auch", "equal_error_rate_hull", "min_cllr", "h_measure")
OTHERS = ("average_precision", "average_cost", "brier_discrimination", "log_loss_discrimination")
CASE_CONTROL = Settings(design="case-control")


def answers(tp, positives, fp, negatives):
    """A test with two answers; with one, all scores are tied."""
    if tp + fp in (0, positives + negatives):
        return RankingTable([0.0], [positives], [negatives])
    return RankingTable([1.0, 0.0], [tp, positives - tp], [fp, negatives - fp])


def covered(name, size, sensitivity):
    """The probability that the interval contains the true value, where no negative is above."""
    share = np.array([sensitivity, 1 - sensitivity])
    true = getattr(measures, name).function(
        RankingTable.of(np.array([1.0, 0.0]), size * share, size * np.eye(2)[1])
    )
    found = 0.0
    for tp in range(size + 1):
        chance = binom.pmf(tp, size, sensitivity)
        if chance > 1e-5:
            one = estimate(name, answers(tp, size, 0, size), CASE_CONTROL)
            found += chance * (one.low - 1e-9 <= true <= one.high + 1e-9)
    return found


@pytest.mark.parametrize("name", ["kolmogorov_smirnov", "auch", "average_precision"])
def test_a_test_without_false_alarms_is_covered(name):
    """The bound on the good side was the value itself, so that half of all samples covered."""
    assert covered(name, 30, 0.5) >= 0.93


@pytest.mark.full
@pytest.mark.parametrize("name", MAXIMA + OTHERS)
@pytest.mark.parametrize("size", [30, 100, 500])
def test_a_test_without_false_alarms_is_covered_at_every_size_and_sensitivity(name, size):
    assert min(covered(name, size, sensitivity) for sensitivity in (0.05, 0.2, 0.5, 0.8)) >= 0.93


def test_the_interval_of_the_maximum_of_a_test_with_two_answers_is_that_of_its_youden_index():
    truth = np.repeat([1, 0], 200)
    ev = evaluate(truth=truth, score=np.where(np.arange(400) < 100, 1.0, 0.0))
    exact, width = ev["youden_j"], ev["youden_j"].high - ev["youden_j"].low
    for name in ("kolmogorov_smirnov", "youden_j_max"):
        assert (ev[name].low, ev[name].high) == pytest.approx((exact.low, exact.high), abs=0.1 * width)


@pytest.mark.full
def test_scores_of_which_many_are_0_are_covered():
    random, held = np.random.default_rng(3), []
    for _ in range(60):
        positive = np.where(random.random(100) < 0.4, random.uniform(1, 2, 100), 0.0)
        negative = np.where(random.random(100) < 0.05, random.uniform(0, 1, 100), 0.0)
        table = RankingTable.from_arrays(
            truth=np.repeat([1, 0], 100), score=np.concatenate([positive, negative])
        )
        one = estimate("kolmogorov_smirnov", table)
        held.append(one.low <= 0.4 <= one.high)
    assert sum(held) >= 52


TIED = {"truth": np.repeat([1, 0], 30), "score": np.full(60, 0.4)}


def test_where_all_scores_are_tied_every_measure_of_the_ranking_has_an_exact_interval():
    ev = evaluate(**TIED, design="case-control")
    apart = 1 - 0.025 ** (1 / 30)  # more of a class above or below the others would show in 97.5 % of samples
    assert (ev["kolmogorov_smirnov"].low, ev["kolmogorov_smirnov"].high) == pytest.approx((0, apart))
    for name in ("auch", "roc_auc"):
        assert ev[name].high == pytest.approx((1 + apart) / 2)
    for name in ("roc_auc", "average_precision", "partial_auc", "average_lift", "auc_pr_trapezoid"):
        assert ev[name].low < ev[name].value < ev[name].high
    for name in ("min_cllr", "equal_error_rate_hull"):
        assert ev[name].low < ev[name].value == ev[name].high


def test_the_equal_error_rate_of_a_constant_score_may_be_on_both_sides():
    found = biometric(genuine=[1.0] * 30, impostor=[1.0] * 30)["equal_error_rate"]
    assert found.low < 0.5 < found.high


def test_average_precision_of_tied_scores_is_as_uncertain_as_the_prevalence():
    truth = np.arange(1_050) < 50
    ev = evaluate(truth=truth, score=np.full(1_050, 0.3))
    one, prevalence = ev["average_precision"], ev["prevalence"]
    assert one.value == pytest.approx(prevalence.value)
    assert one.low <= prevalence.low < prevalence.high <= one.high
