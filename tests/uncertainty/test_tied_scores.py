"""Intervals of measures of a ranking where many cases, or all, share a score."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from tallymark import RankingTable, Settings, biometric, estimate, evaluate, measures

MAXIMA = ("kolmogorov_smirnov", "youden_j_max", "auch", "equal_error_rate_hull", "min_cllr", "h_measure")
OTHERS = ("average_precision", "average_cost", "brier_discrimination", "log_loss_discrimination")
AREAS = (
    "auc_pr_trapezoid",
    "auc_pr_min",
    "auc_pr_minmax",
    "auc_pr_max",
    "auc_pr_integral",
    "auc_pr_davis_goadrich",
)
CASE_CONTROL = Settings(design="case-control")


def answers(tp, positives, fp, negatives):
    """A test with two answers; with one, all scores are tied."""
    if tp + fp in (0, positives + negatives):
        return RankingTable([0.0], [positives], [negatives])
    return RankingTable([1.0, 0.0], [tp, positives - tp], [fp, negatives - fp])


def covered(name, size, sensitivity, false_alarms=0.0):
    """The probability that the interval contains the true value, with as many cases of either class."""
    of_class = np.array([[sensitivity, 1 - sensitivity], [false_alarms, 1 - false_alarms]])
    true = getattr(measures, name).function(RankingTable.of(np.array([1.0, 0.0]), *(size * of_class)))
    chances = np.multiply.outer(*(binom.pmf(np.arange(size + 1), size, share) for share in of_class[:, 0]))
    found = 0.0
    for tp, fp in np.argwhere(chances > 1e-5).tolist():
        one = estimate(name, answers(tp, size, fp, size), CASE_CONTROL)
        found += chances[tp, fp] * (one.low - 1e-9 <= true <= one.high + 1e-9)
    return found


@pytest.mark.parametrize("name", ["kolmogorov_smirnov", "auch", "average_precision", "auc_pr_min"])
@pytest.mark.parametrize("sensitivity", [0.05, 0.5])
def test_a_test_without_false_alarms_is_covered(name, sensitivity):
    """The bound on the good side was the value itself, so that half of all samples covered."""
    assert covered(name, 30, sensitivity) >= 0.93


@pytest.mark.full
@pytest.mark.parametrize("name", MAXIMA + OTHERS + AREAS)
@pytest.mark.parametrize("size", [30, 100, 500])
def test_a_test_without_false_alarms_is_covered_at_every_size_and_sensitivity(name, size):
    assert min(covered(name, size, sensitivity) for sensitivity in (0.05, 0.2, 0.5, 0.8)) >= 0.93


@pytest.mark.full
@pytest.mark.parametrize("name", AREAS)
@pytest.mark.parametrize("rates", [(0.3, 0.05), (0.8, 0.1), (0.5, 0.3), (1.0, 0.7)])
def test_areas_of_a_test_with_false_alarms_are_covered(name, rates):
    """The width of a block of tied scores was taken as known: .66 to .97."""
    assert covered(name, 30, *rates) >= 0.93


@pytest.mark.full
@pytest.mark.parametrize("levels", [3, 5, 20])
def test_areas_of_scores_with_a_few_levels_are_covered(levels):
    """The lower and the upper trapezoids covered .43 to .85."""
    random, ends = np.random.default_rng(7), norm.ppf(np.arange(1, levels) / levels) * 1.25 + 0.75
    edges, names = np.concatenate([[-np.inf], ends, [np.inf]]), ("auc_pr_trapezoid", "auc_pr_min")
    of_class = [np.diff(norm.cdf(edges - mean))[::-1] for mean in (1.5, 0.0)]
    score = np.arange(levels, 0.0, -1.0)
    true = {name: getattr(measures, name).function(RankingTable.of(score, *of_class)) for name in names}
    held = dict.fromkeys(names, 0)
    for _ in range(400):
        table = RankingTable.of(score, *(random.multinomial(40, share) * 1.0 for share in of_class))
        for name in names:
            one = estimate(name, table, CASE_CONTROL)
            held[name] += one.low <= true[name] <= one.high
    assert min(held.values()) >= 0.93 * 400


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
