"""Bins of equal mass: between the quantiles of type 7, as numpy.quantile, scikit-learn's calibration_curve
and R's hoslem.test cut.

By exact fractions for any number of bins; by the tools themselves for numbers of bins whose shares they do
not round.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from looping import for_each
from scipy.stats import chi2
from sklearn.calibration import calibration_curve
from test_probability_brute_force import type_7

from tallymark import RankingTable, calibration
from tallymark.curves import curve
from tallymark.inference.hypothesis import hosmer_lemeshow
from tallymark.measures import adaptive_calibration_error
from tallymark.measures.families.bins import of_equal_mass

# (n - 1) * (i / bins) is never below the whole number that it stands for
UNROUNDED = (1, 2, 4, 5, 8, 10, 16, 20)


def some_cases(number, seed, weights=None):
    """Truth, probability and weight: without ties, with few or many."""
    random = np.random.default_rng(seed)
    for i in range(number):
        size = int(random.integers(2, 60))
        truth = random.integers(0, 2, size)
        truth[:2] = 0, 1
        score = random.random(size).round((16, 2, 1)[i % 3])
        weight = {
            None: None,
            "whole": random.integers(0, 5, size),
            "tenths": random.integers(1, 30, size) / 10,
        }[weights]
        if weight is not None:
            weight[:2] += 1
        yield truth, score, weight


def table_of(truth, score, weight=None):
    return RankingTable.from_arrays(truth=truth, score=score, weight=weight)


def held(table, bins):
    """Of each bin with cases its weight, its positives and the sum of its probabilities."""
    found = of_equal_mass(table, bins)
    there = found.weight > 0
    return np.array([found.weight[there], found.positive[there], found.expected[there]])


def by_edges(truth, score, edges):
    """The same of cases one by one; a bin holds its upper edge."""
    place = np.searchsorted(edges, score, side="left")
    sums = [np.bincount(place, part) for part in (np.ones(len(score)), truth, score)]
    return np.array(sums)[:, sums[0] > 0]


def differing(number, seed, wanted, choices, weights=None):
    wrong = []
    for i, (truth, score, weight) in enumerate(some_cases(number, seed, weights)):
        bins = choices[i % len(choices)]
        ours, theirs = held(table_of(truth, score, weight), bins), wanted(truth, score, weight, bins)
        if ours.shape != theirs.shape or not np.allclose(ours, theirs, atol=1e-12):
            wrong.append((bins, truth.tolist(), score.tolist(), None if weight is None else weight.tolist()))
    return wrong


def by_fractions(truth, score, weight, bins):
    if weight is not None:
        truth, score = truth.repeat(weight), score.repeat(weight)
    cases = sorted(map(Fraction, score.tolist()))
    edges = [type_7(cases, Fraction(i, bins)) for i in range(1, bins)]
    place = np.array([sum(edge < Fraction(p) for edge in edges) for p in score.tolist()])
    sums = [np.bincount(place, part) for part in (np.ones(len(score)), truth, score)]
    return np.array(sums)[:, sums[0] > 0]


def by_numpy(truth, score, _, bins):
    return by_edges(truth, score, np.quantile(score, np.linspace(0, 1, bins + 1)[1:-1]))


def by_weighted_numpy(truth, score, weight, bins):
    """Of weights that are not whole: quantiles of type 1, the only ones for which NumPy takes weights.

    Up to the rounding of the sums of weights, which are whole numbers of tenths here.
    """
    tenths = np.rint(10 * weight).astype(int)
    edges = np.quantile(score, np.linspace(0, 1, bins + 1)[1:-1], weights=tenths, method="inverted_cdf")
    place = np.searchsorted(edges, score, side="left")
    sums = [np.bincount(place, weight * part) for part in (np.ones(len(score)), truth, score)]
    return np.array(sums)[:, sums[0] > 0]


@pytest.mark.full
@for_each(("weights", "seed"), [(None, 1), ("whole", 2)])
def test_quantiles_of_type_7_by_exact_fractions(weights, seed):
    assert differing(60, seed, by_fractions, range(1, 21), weights) == []


def test_as_numpy():
    assert differing(200, 3, by_numpy, UNROUNDED) == []


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="NumPy takes weights since 2.0")
def test_weights_that_are_not_whole_as_numpy():
    assert differing(200, 4, by_weighted_numpy, (2, 4, 5, 8, 10), "tenths") == []


@pytest.mark.full
def test_as_scikit_learn():
    wrong = []
    for i, (truth, score, _) in enumerate(some_cases(200, 5)):
        bins = UNROUNDED[i % len(UNROUNDED)]
        rate, mean = calibration_curve(truth, score, n_bins=bins, strategy="quantile")
        ours = curve("reliability_equal_mass", table_of(truth, score), bins=bins)
        same = len(rate) == len(ours.y) and np.allclose(ours.y, rate) and np.allclose(ours.x, mean)
        wrong += [] if same else [(bins, truth.tolist(), score.tolist())]
    assert wrong == []


def hoslem(truth, score, groups):
    """The statistic of R's hoslem.test, worked out as it does: groups cut at the different ones of the
    quantiles."""
    edges = np.unique(np.quantile(score, np.linspace(0, 1, groups + 1)))
    n, observed, expected = by_edges(truth, score, edges[1:-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        return sum(
            ((part - other) ** 2 / other).sum()
            for part, other in ((observed, expected), (n - observed, n - expected))
        )


def test_hosmer_and_lemeshow_as_in_r():
    """But where the first quantile is the lowest probability: R puts the cases of that one together with the
    next group."""
    wrong, compared = [], 0
    for i, (truth, score, _) in enumerate(some_cases(200, 6)):
        # so many that 5 of each class are expected in every group
        truth, score, groups = np.tile(truth, 120), np.tile((5 + 90 * score) / 100, 120), UNROUNDED[1 + i % 7]
        found = hosmer_lemeshow(table_of(truth, score), groups)
        assert found.p_value == pytest.approx(chi2.sf(found.statistic, found.df), nan_ok=True)
        if np.quantile(score, 1 / groups) > score.min():
            compared += 1
            near = math.isclose(found.statistic, hoslem(truth, score, groups), rel_tol=1e-9)
            wrong += [] if near else [(groups, score.tolist())]
    assert wrong == []
    assert compared > 150


def test_hosmer_and_lemeshow_of_many_cases_of_the_lowest_probability():
    """They are a group of their own, as in scikit-learn's bins; R joins them with the next one."""
    truth, score = np.array([0, 0, 1, 0, 0, 1, 1, 1]), np.array([0.1, 0.1, 0.1, 0.3, 0.4, 0.6, 0.8, 0.9])
    truth, score = np.tile(truth, 40), np.tile(score, 40)
    by_hand = 40 * np.array([(3, 1, 0.3), (1, 0, 0.3), (2, 1, 1.0), (2, 2, 1.7)])
    wanted = sum(
        (observed - expected) ** 2 / (expected * (1 - expected / n)) for n, observed, expected in by_hand
    )
    assert hosmer_lemeshow(table_of(truth, score), 4).statistic == pytest.approx(wanted)
    assert hoslem(truth, score, 4) != pytest.approx(wanted)


def test_by_hand():
    """Of 1 to 11 in four bins the quantiles are 3.5, 6 and 8.5; the old cut at shares of 1/4 gave 3, 3, 3 and
    2."""
    table = table_of([0, 1] * 5 + [0], np.arange(1, 12) / 20)
    assert of_equal_mass(table, 4).weight.tolist() == [3, 3, 2, 3]


def test_equal_quantiles_leave_bins_empty():
    """Four of seven cases have one probability, which three edges have: it is one bin."""
    table = table_of([0, 1, 0, 1, 0, 1, 0], [0.5] * 4 + [0.9, 0.1, 0.1])
    assert of_equal_mass(table, 5).weight.tolist() == [2, 4, 0, 0, 1]
    assert of_equal_mass(table_of([0, 1], [0.5, 0.5]), 3).weight.tolist() == [2, 0, 0]


def test_resamples_are_binned_like_tables_of_their_own():
    """Whole and fractional weights in one stack, and a resample that lost its cases."""
    random = np.random.default_rng(7)
    score = np.arange(30, 0, -1) / 31
    stack = random.multinomial(30, np.full(30, 1 / 30), (2, 6)).astype(float)
    stack[1] *= random.random((6, 1))
    stack[0, 0] = 0.0
    together = of_equal_mass(RankingTable.of(score, stack[0], stack[1]), 7)
    for i in range(6):
        alone = of_equal_mass(RankingTable.of(score, stack[0, i].copy(), stack[1, i].copy()), 7)
        assert together.weight[i].tolist() == alone.weight.tolist()
    nobody = RankingTable.of(score, np.zeros((2, 30)), np.zeros((2, 30)))
    assert of_equal_mass(nobody, 7).weight.tolist() == [[0.0] * 7] * 2


def test_weights_that_are_not_whole_may_be_on_any_scale():
    for truth, score, weight in some_cases(40, 8, "tenths"):
        weight = weight + math.pi / 10
        one = adaptive_calibration_error(truth=truth, score=score, weight=weight, bins=7)
        for scale in (1e-6, 0.123, 1e6 / 7):
            assert adaptive_calibration_error(
                truth=truth, score=score, weight=weight * scale, bins=7
            ) == pytest.approx(one, rel=1e-9)


@pytest.mark.full
def test_calibration_with_equal_weights_is_that_without():
    """Their effective number is the number of cases, whatever the weight."""
    truth, score, _ = next(some_cases(1, 9))
    plain = calibration(truth=truth, score=score, bins=7, hl_groups=7)
    for weight in (0.1, 0.5, 1 / 3, 1e5 / 7):
        weighted = calibration(
            truth=truth, score=score, weight=np.full(len(truth), weight), bins=7, hl_groups=7
        )
        assert weighted["ace"].value == pytest.approx(plain["ace"].value, rel=1e-9)
        assert weighted.tests[1].statistic == pytest.approx(plain.tests[1].statistic, rel=1e-6)
        assert weighted.curve("equal_mass").y == pytest.approx(plain.curve("equal_mass").y)
