"""Coverage: how often an interval holds the truth, with 200 cases. More of it is in docs/coverage.py."""

import math

import numpy as np
import pytest
from looping import for_each, in_part
from scipy.stats import binom, norm
from strategies import CELLS, matrix, measures_of, name

from tallymark import ConfusionMatrix, Counts, RankingTable, estimate
from tallymark.inference import estimate_each
from tallymark.inference.interval import clopper_pearson, wilson

pytestmark = pytest.mark.full

N, RUNS, ENOUGH = 200, 500, (0.92, 0.985)
MANY = 400  # cases of matrices, which have many cells


def is_enough(share):
    return ENOUGH[0] <= share <= ENOUGH[1]


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.8, 0.97])
def test_coverage_of_wilson(p):
    """Not simulated: the probability of every outcome is known."""
    x = np.arange(N + 1)
    low, high = wilson(x, np.full(N + 1, N), 0.95)
    assert is_enough(binom.pmf(x, N, p)[(low <= p) & (p <= high)].sum())


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.8, 0.97])
def test_clopper_pearson_never_covers_less(p):
    x = np.arange(N + 1)
    low, high = clopper_pearson(x, np.full(N + 1, N), 0.95)
    assert binom.pmf(x, N, p)[(low <= p) & (p <= high)].sum() >= 0.95


def coverage(measure, truth, summaries):
    found = [estimate(measure, summary) for summary in summaries]
    return np.mean([one.low <= truth <= one.high for one in found])


def rows(truth, score):
    return RankingTable.from_arrays(truth=truth, score=score)


@pytest.mark.parametrize("separation", [0.5, 1.5])
def test_coverage_of_delong_logit(separation):
    random, truth = np.random.default_rng(11), np.arange(N) % 4 == 0
    draws = (rows(truth, random.normal(separation * truth)) for _ in range(RUNS))
    assert is_enough(coverage("roc_auc", norm.cdf(separation / math.sqrt(2)), draws))


SHARES = {
    "common": (0.25, 0.1, 0.15, 0.5),
    "rare": (0.08, 0.04, 0.04, 0.84),
    "good": (0.45, 0.04, 0.05, 0.46),
}


def draws_of_counts(shares):
    return Counts(**dict(zip(CELLS, np.random.default_rng(12).multinomial(N, shares, RUNS).T, strict=True)))


@in_part(10)
@for_each("entry", measures_of(Counts), ids=name)
@for_each("shares", SHARES.values(), ids=SHARES)
def test_coverage_of_measures_of_counts(entry, shares):
    """Of N cases, as many as the true value stands for where it depends on their number."""
    true = entry(Counts(**dict(zip(CELLS, (N * share for share in shares), strict=True))))
    found = [one for one in estimate_each(entry, draws_of_counts(shares)) if one.has_interval]
    assert len(found) > 0.99 * RUNS
    assert is_enough(np.mean([one.low <= true <= one.high for one in found]))


def test_coverage_of_independent_counts():
    """Where nothing is told, intervals of what is told hold 0."""
    shares = np.outer((0.3, 0.7), (0.4, 0.6)).ravel()
    draws = draws_of_counts(shares[[0, 2, 1, 3]])
    for measure in (
        "youden_j",
        "mcc",
        "kappa",
        "yule_q",
        "discriminant_power",
        "sedi",
        "uncertainty_coefficient",
    ):
        assert (
            np.mean([one.low <= 1e-12 and one.high >= 0 for one in estimate_each(measure, draws)])
            >= ENOUGH[0]
        ), measure


CLASSES = {
    "good": np.array([[0.3, 0.03, 0.02], [0.04, 0.25, 0.03], [0.02, 0.03, 0.28]]),
    "weak": np.array([[0.16, 0.1, 0.08], [0.09, 0.16, 0.09], [0.08, 0.1, 0.14]]),
    "two": np.array([[0.6, 0.1], [0.05, 0.25]]),
}


@in_part(4)
@for_each("entry", measures_of(ConfusionMatrix), ids=name)
@for_each("shares", CLASSES.values(), ids=CLASSES)
def test_coverage_of_measures_of_a_matrix(entry, shares):
    draws = np.random.default_rng(15).multinomial(MANY, shares.ravel(), RUNS).reshape(-1, *shares.shape)
    found = [estimate(entry, matrix(draw)) for draw in draws]
    assert np.mean([one.has_interval for one in found]) > 0.99
    assert is_enough(
        np.mean([one.low <= entry(matrix(shares)) <= one.high for one in found if one.has_interval])
    )


@pytest.mark.parametrize("name", ["mutual_information", "uncertainty_coefficient"])
def test_coverage_of_information_where_nothing_is_told(name):
    shares = np.outer([0.5, 0.3, 0.2], [0.4, 0.4, 0.2])
    draws = np.random.default_rng(16).multinomial(MANY, shares.ravel(), RUNS).reshape(-1, 3, 3)
    found = [estimate(name, matrix(draw)) for draw in draws]
    assert all(one.has_interval for one in found)
    assert np.mean([one.low == 0 for one in found]) >= ENOUGH[0]


def test_coverage_of_mean_logit():
    """Calibrated and uniform probabilities: the expected Brier score is the mean of p (1 - p), which is
    1/6."""
    random = np.random.default_rng(13)
    scores = random.random((RUNS, N))
    draws = (rows(random.random(N) < score, score) for score in scores)
    assert is_enough(coverage("brier_score", 1 / 6, draws))


def test_coverage_of_mean_log():
    """Of these probabilities the expected log loss is the mean of the entropy, which is 1/2."""
    random = np.random.default_rng(14)
    scores = random.random((RUNS, N))
    draws = (rows(random.random(N) < score, score) for score in scores)
    assert is_enough(coverage("log_loss", 0.5, draws))
