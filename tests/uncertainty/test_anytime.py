"""Confidence sequences: intervals that hold at all numbers of cases together."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from scipy.integrate import quad
from scipy.stats import beta, gamma

import tallymark as tm
from tallymark.inference import linear

ANYTIME = tm.Settings(valid="anytime")
COUNTS = tm.Counts(tp=90, fp=20, fn=10, tn=80)
RNG = np.random.default_rng(3)
TRUTH = RNG.random(400) < 0.3
TABLE = tm.RankingTable.from_arrays(truth=TRUTH, score=1 / (1 + np.exp(-RNG.normal(2 * TRUTH - 1))))


def capital_of_share(x, n, p):
    """By integration: likelihood ratios of larger proportions, mixed by Jeffreys' density above p."""
    density = beta(0.5, 0.5)
    mixed = quad(lambda q: (q / p) ** x * ((1 - q) / (1 - p)) ** (n - x) * density.pdf(q), p, 1, limit=200)[0]
    return mixed / density.sf(p)


def capital_of_mean(values, m):
    """By integration over the shares that are bet, of the lower bound of what a bet on each case gives."""
    y, density = values / m - 1, gamma(3, scale=1 / 3)

    def of_bet(s):
        return np.exp(s * y.sum() + (np.log(1 - s) + s) * np.square(y).sum()) * density.pdf(1 - s)

    return quad(of_bet, 0, 1, limit=200)[0] / density.cdf(1)


@for_each(("x", "n"), [(1, 3), (7, 9), (12, 40)])
def test_the_capital_is_that_of_the_mixture(x, n):
    for p in (0.05, 0.2, 0.6):
        wanted = capital_of_share(x, n, p)
        assert np.exp(linear.log_capital_of_share(x, n, p)) == pytest.approx(wanted, rel=1e-6)


def test_the_capital_of_a_mean_is_that_of_the_mixture_and_below_that_of_real_bets():
    values = np.random.default_rng(0).beta(1, 3, 30)
    for m in (0.1, 0.2, 0.4):
        found = np.exp(linear.log_capital_of_mean(values.mean(), values.var(), 30, m))
        assert found == pytest.approx(capital_of_mean(values, m), rel=1e-6)
        bets = np.linspace(0, 0.99, 50)[:, None]
        assert (
            np.exp(bets * (values / m - 1) + (np.log(1 - bets) + bets) * (values / m - 1) ** 2)
            <= 1 + bets * (values / m - 1) + 1e-12
        ).all()


def test_an_end_is_where_the_capital_reaches_its_limit():
    e = tm.estimate("sensitivity", COUNTS, ANYTIME)
    assert e.method == "beta-binomial"
    assert capital_of_share(90, 100, e.low) == pytest.approx(1 / 0.025, rel=1e-6)
    assert capital_of_share(10, 100, 1 - e.high) == pytest.approx(1 / 0.025, rel=1e-6)
    brier = tm.estimate("brier_score", TABLE, ANYTIME)
    losses = (TABLE.score - 1) ** 2 * TABLE.positive + TABLE.score**2 * TABLE.negative
    assert brier.method == "gamma-exponential"
    assert capital_of_mean(losses, brier.low) == pytest.approx(1 / 0.025, rel=1e-6)
    assert capital_of_mean(1 - losses, 1 - brier.high) == pytest.approx(1 / 0.025, rel=1e-6)


def test_at_the_ends_and_for_few_cases():
    for x, n in ((0, 1), (1, 1), (0, 1000), (1000, 1000), (1, 10**7)):
        e = tm.estimate("sensitivity", tm.Counts(tp=x, fn=n - x, fp=1, tn=1), ANYTIME)
        assert 0 <= e.low <= e.value <= e.high <= 1
        assert (e.low == 0) == (x == 0)
        assert (e.high == 1) == (x == n)
    perfect = tm.RankingTable.from_arrays(truth=[0, 1, 1], score=[0.0, 1.0, 1.0])
    e = tm.estimate("brier_score", perfect, ANYTIME)
    assert (e.value, e.low) == (0, 0)
    assert 0.5 < e.high <= 1
    alone = tm.RankingTable.from_arrays(truth=np.ones(50, bool), score=np.linspace(0, 1, 50))
    e = tm.estimate("brier_score", alone, ANYTIME)
    assert 0 < e.low < e.value < e.high < 1


def test_a_score_per_class():
    score = RNG.dirichlet([1, 1, 1], 200)
    truth = np.array([RNG.choice(3, p=one) for one in score])
    scores = tm.ClassScores.from_arrays(truth=truth, score=score)
    for name in ("brier_score", "top_k_accuracy", "ranked_probability_score"):
        fixed, always = (tm.estimate(name, scores, tm.Settings(valid=how)) for how in ("fixed", "anytime"))
        assert always.method == "gamma-exponential"
        assert always.low < fixed.low < fixed.high < always.high
    accuracy = tm.ConfusionMatrix.from_arrays(truth=truth, predicted=score.argmax(1))
    assert tm.estimate("accuracy", accuracy, ANYTIME).method == "beta-binomial"


def test_it_is_wider_than_the_fixed_interval_and_depends_on_the_level():
    for name, summary in (("accuracy", COUNTS), ("f1", COUNTS), ("brier_score", TABLE)):
        fixed, always = (tm.estimate(name, summary, tm.Settings(valid=how)) for how in ("fixed", "anytime"))
        narrow = tm.estimate(name, summary, tm.Settings(0.5, valid="anytime"))
        assert always.low < fixed.low < fixed.value < fixed.high < always.high
        assert always.low < narrow.low < narrow.value < narrow.high < always.high


def test_the_order_and_the_parts_of_the_cases_do_not_matter():
    score, order = RNG.random(400), RNG.permutation(400)
    whole, moved, first, second = (
        tm.RankingTable.from_arrays(truth=TRUTH[rows], score=score[rows])
        for rows in (slice(None), order, order[:100], order[100:])
    )
    found = [tm.estimate("brier_score", one, ANYTIME) for one in (whole, moved, first + second)]
    assert np.allclose([(one.low, one.high) for one in found], (found[0].low, found[0].high), rtol=1e-12)


@for_each(
    ("name", "summary", "settings"),
    [
        ("roc_auc", TABLE, {}),
        ("log_loss", TABLE, {}),
        ("matthews_correlation", COUNTS, {}),
        ("accuracy", COUNTS, {"design": "case-control"}),
        ("brier_score", TABLE, {"design": "case-control"}),
    ],
)
def test_what_has_none_says_so(name, summary, settings):
    e = tm.estimate(name, summary, tm.Settings(valid="anytime", **settings))
    assert np.isnan(e.low)
    assert "no-confidence-sequence" in [note.code for note in e.notes]


def test_with_fixed_class_sizes_a_rate_of_one_class_has_one():
    at_fixed = tm.estimate("sensitivity", COUNTS, tm.Settings(valid="anytime", design="case-control"))
    assert at_fixed == tm.estimate("sensitivity", COUNTS, ANYTIME)


@pytest.mark.full
@for_each("name", ["right or wrong (0.99)", "near 0 or near 1"])
def test_an_end_seldom_ever_crosses_the_true_mean(name):
    """600 runs of 10,000 looks each: a share of 2.5 % is known to 0.64 points."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
    try:
        simulation = importlib.import_module("coverage_anytime")
    finally:
        sys.path.pop(0)
    draw, mean, of_shares = simulation.settings()[name]
    crossed, _ = simulation.crossings(np.random.default_rng(8), draw, mean, of_shares, 600)
    assert max(crossed) <= 0.025 + 2 * 0.0064


def test_every_other_interval_is_left_out():
    """Of every measure of every kind of cases."""
    cases = {"truth": TRUTH, "score": np.round(RNG.random(400), 2)}
    classes = {"truth": RNG.integers(0, 3, 400)}
    per_class = RNG.dirichlet([1, 1, 1], 400)
    labels = RNG.random((400, 3)) < 0.4
    evaluations = [
        tm.evaluate(**cases),
        tm.evaluate(**cases, clusters=np.arange(400) // 2),
        tm.evaluate(**cases, weight=1 + RNG.random(400)),
        tm.evaluate(**classes, score=per_class),
        tm.evaluate(**classes, predicted=per_class.argmax(1)),
        tm.evaluate(truth=labels, predicted=~labels),
        tm.evaluate(truth=RNG.random(400), predicted=RNG.random(400), regression=True),
    ]
    for e in evaluations:
        always = replace(e, settings=replace(e.settings, valid="anytime"))
        methods = {one.method for one in always.estimates.values() if one.has_interval}
        assert methods <= {*linear.SEQUENTIAL}, methods
        assert bool(methods) == (e.clusters is None and not e.data.weighted and e is not evaluations[-1])
