"""Tests of one model: Fisher's exact test, Mann and Whitney's, accuracy against the no-information rate."""

from fractions import Fraction
from itertools import permutations
from math import comb, inf, isnan

import numpy as np
import pytest
from looping import for_each
from refusals import refuses
from scipy import stats

import tallymark as tm
from tallymark import Counts, InputError

R = np.random.default_rng(5)
ALTERNATIVES = ("two-sided", "greater", "less")
TABLES = [(3, 1, 1, 3), (8, 2, 1, 5), (0, 4, 6, 2), (10, 0, 0, 10), (30, 17, 21, 63), (1, 0, 9, 400)]


def by_hand(tp, fp, fn, tn, alternative):
    """Fisher's p-value with exact fractions."""
    first, second, predicted = tp + fn, fp + tn, tp + fp
    cells = range(max(0, predicted - second), min(first, predicted) + 1)
    share = {
        k: Fraction(comb(first, k) * comb(second, predicted - k), comb(first + second, predicted))
        for k in cells
    }
    extreme = {"greater": [k for k in cells if k >= tp], "less": [k for k in cells if k <= tp],
               "two-sided": [k for k in cells if share[k] <= share[tp]]}[alternative]  # fmt: skip
    return float(sum(share[k] for k in extreme))


@for_each("table", TABLES)
@for_each("alternative", ALTERNATIVES)
def test_fisher_by_hand_and_by_scipy(table, alternative):
    tp, fp, fn, tn = table
    found = tm.fisher_exact(Counts(tp=tp, fp=fp, fn=fn, tn=tn), alternative=alternative)
    assert found.p_value == pytest.approx(by_hand(*table, alternative), rel=1e-10)
    odds, p = stats.fisher_exact([[tp, fp], [fn, tn]], alternative)
    assert found.p_value == pytest.approx(p, rel=1e-9)
    assert found.statistic == pytest.approx(odds)
    assert found.alternative == alternative


def test_fisher_of_one_possible_table():
    found = tm.fisher_exact(Counts(tp=3, fp=0, fn=2, tn=0))
    assert found.p_value == 1
    assert isnan(found.statistic)
    assert "only one table" in found.note
    assert tm.fisher_exact(Counts(tp=3, fp=0, fn=0, tn=2)).statistic == inf


SCORES = R.random(24) + 0.2 * (np.arange(24) % 2)
TIED = np.round(R.random(240) + 0.2 * (np.arange(240) % 2), 1)


@for_each(("score", "method"), [(SCORES, "exact"), (TIED, "normal")], ids=["few", "tied"])
@for_each("alternative", ALTERNATIVES)
def test_mann_whitney_by_scipy(score, method, alternative):
    truth = np.arange(len(score)) % 2
    found = tm.mann_whitney(truth=truth, score=score, alternative=alternative)
    way = {"exact": "exact", "normal": "asymptotic"}[method]
    other = stats.mannwhitneyu(score[truth == 1], score[truth == 0], alternative=alternative, method=way)
    assert (found.statistic, found.method) == (other.statistic, method)
    assert found.p_value == pytest.approx(other.pvalue, rel=1e-9)
    assert found.roc_auc == pytest.approx(tm.measures.roc_auc(truth=truth, score=score))
    assert "not an area of 0.5" in found.note


@for_each("alternative", ALTERNATIVES)
def test_mann_whitney_by_all_orders(alternative):
    truth, score = np.array([0, 1, 0, 1, 1, 0]), np.array([0.1, 0.9, 0.3, 0.2, 0.6, 0.5])
    every = [tm.measures.roc_auc(truth=truth[list(one)], score=score) for one in permutations(range(6))]
    here = tm.measures.roc_auc(truth=truth, score=score)
    upper, lower = np.mean(np.array(every) >= here - 1e-9), np.mean(np.array(every) <= here + 1e-9)
    wanted = {"greater": upper, "less": lower, "two-sided": min(2 * min(upper, lower), 1)}[alternative]
    assert tm.mann_whitney(truth=truth, score=score, alternative=alternative).p_value == pytest.approx(wanted)


def test_whole_weights_are_cases():
    truth, score, weight = [0, 1, 0, 1], [0.1, 0.7, 0.4, 0.3], [3, 2, 1, 2]
    found = tm.mann_whitney(truth=truth, score=score, weight=weight, weight_kind="count")
    wide = tm.mann_whitney(truth=np.repeat(truth, weight), score=np.repeat(score, weight))
    assert (found.statistic, found.p_value) == (wide.statistic, wide.p_value)
    with refuses("unsupported", "weight_kind='count'", argument="weight"):
        tm.mann_whitney(truth=truth, score=score, weight=weight)


def test_scores_without_spread_have_p_1():
    assert tm.mann_whitney(truth=[0, 1, 1], score=[0.5, 0.5, 0.5]).p_value == 1


@for_each("counts", [(70, 20, 30, 80), (5, 3, 2, 90), (0, 0, 10, 90), (1, 1, 1, 1)])
def test_no_information_by_scipy_and_by_hand(counts):
    c = Counts(**dict(zip(("tp", "fp", "fn", "tn"), counts, strict=True)))
    found = tm.no_information_test(c)
    n, right = int(c.total), int(c.tp + c.tn)
    rate = Fraction(int(max(c.positives, c.negatives)), n)
    other = stats.binomtest(right, n, float(rate), alternative="greater")
    by_hand = sum(comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(right, n + 1))
    assert found.p_value == pytest.approx(other.pvalue, rel=1e-9)
    assert found.p_value == pytest.approx(float(by_hand), rel=1e-9)
    assert (found.accuracy, found.no_information_rate, found.cases) == (right / n, float(rate), n)


def test_no_information_of_many_classes():
    table = tm.ConfusionMatrix(("a", "b", "c"), np.array([[80, 15, 5], [15, 70, 15], [0, 10, 90]]))
    found = tm.no_information_test(table)
    assert (found.statistic, found.no_information_rate) == (240, 1 / 3)
    assert found.p_value == pytest.approx(stats.binomtest(240, 300, 1 / 3, alternative="greater").pvalue)


@for_each(
    ("call", "said"),
    [
        (lambda: tm.fisher_exact(Counts(tp=1, fp=1, fn=1, tn=1), alternative="both"), "alternative: 'both'"),
        (lambda: tm.fisher_exact(Counts(tp=0.5, fp=1, fn=1, tn=1)), "not a number of cases"),
        (lambda: tm.fisher_exact(truth=list("abc"), predicted=list("abc")), "for two classes"),
        (lambda: tm.fisher_exact(Counts.zero()), "there are no cases"),
        (lambda: tm.fisher_exact(Counts(tp=10**8, fp=10**8, fn=10**8, tn=10**8)), "with these margins"),
        (lambda: tm.mann_whitney(Counts(tp=1, fp=1, fn=1, tn=1)), "needs scores"),
        (lambda: tm.no_information_test(truth=[[0, 1]], predicted=[[1, 1]]), "one class each"),
        (lambda: tm.no_information_test(Counts.zero()), "there are no cases"),
    ],
)  # fmt: skip
def test_errors(call, said):
    with pytest.raises(InputError, match=said):
        call()
