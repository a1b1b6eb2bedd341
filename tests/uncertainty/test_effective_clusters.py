"""Clusters of unlike size: degrees of freedom, and coverage."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, ndtr
from scipy.stats import t as student

import tallymark as tm
from tallymark.inference import Settings
from tallymark.inference.clustered import DependentCases
from tallymark.inference.covariance import effective_number
from tallymark.inference.replicates import Replicates
from tallymark.summaries.samples import ScoredCases


def unlike(clusters, seed, shared=0.6):
    """Clusters of 100 / 1, 100 / 2, ... cases, whose scores have a part in common."""
    random = np.random.default_rng(seed)
    group = np.repeat(np.arange(clusters), np.ceil(100 / np.arange(1, clusters + 1)).astype(int))
    truth = random.random(len(group)) < 0.4
    score = (
        truth
        + shared * random.normal(size=clusters)[group]
        + np.sqrt(1 - shared**2) * random.normal(size=len(group))
    )
    return truth, score, group


def test_the_effective_number():
    """Clusters of like size count fully; one large group among small ones counts nearly alone."""
    assert effective_number(np.full(40, 7.0)) == pytest.approx(40)
    assert effective_number(np.array([1000.0, *[1.0] * 30])) < 1.1
    sizes = np.array([3.0, 1.0, 2.0])
    gamma = np.mean((sizes / sizes.mean() - 1) ** 2)  # Carter, Schnepel and Steigerwald
    assert effective_number(sizes) == pytest.approx(3 / (1 + gamma))


def test_more_groups_than_are_left_out_one_by_one():
    """Influence values instead, which are the same to first order."""
    random = np.random.default_rng(3)
    group = np.repeat(np.arange(1500), 3)
    truth = random.random(4500) < 0.3
    score = np.round(truth + random.normal(size=1500)[group] + random.normal(size=4500), 2)
    for measure in ("roc_auc", "brier_score", "f1"):
        widths = []
        for some in (group < 1500, group < 1000):
            probability = expit(score[some])
            found = tm.evaluate(truth=truth[some], score=probability, clusters=group[some], threshold=0.5)[
                measure
            ]
            widths.append(found.high - found.low)
        assert widths[0] / widths[1] == pytest.approx(np.sqrt(1000 / 1500), rel=0.1), measure


@pytest.mark.full
def test_groups_of_unlike_size_are_covered():
    """40 clusters of 100, 50, 33, ... cases: the area of the model (0.7602) is held by 95 % intervals; 200
    samples."""
    held = 0
    for seed in range(200):
        truth, score, group = unlike(40, seed=100 + seed, shared=0.7)
        clusters = DependentCases(ScoredCases(truth, score), group)
        found = clusters.estimate(tm.measures.roc_auc, clusters.cases.table, Settings(), {}, None)
        held += found.low <= 0.7602499 <= found.high
    assert 0.93 <= held / 200 <= 0.995


def test_percentiles_of_few_groups_are_further_out():
    """Hesterberg (2015): Student's t, and the variance of resamples that is too small by (n - 1) / n; not
    without clusters."""
    sample = Replicates(0.5, np.linspace(0.3, 0.7, 1001), (0.0, 1.0), 0.95)
    assert sample.tails == pytest.approx([0.025, 0.975])
    outer = ndtr(student.ppf(0.025, 11) * np.sqrt(12 / 11))
    assert replace(sample, clusters=12.0).tails == pytest.approx([outer, 1 - outer])
    truth, score, group = unlike(40, seed=4)
    found = tm.bootstrap(
        truth=truth, score=score, clusters=group, measures="roc_auc", method="percentile", replicates=400
    )
    effective = min(effective_number(np.bincount(group, part)) for part in (truth, ~truth))
    outer = ndtr(student.ppf(0.025, effective - 1) * np.sqrt(effective / (effective - 1)))
    wanted = np.quantile(found.replicates("roc_auc"), [outer, 1 - outer])
    assert (found["roc_auc"].low, found["roc_auc"].high) == pytest.approx(tuple(wanted))
    assert "of unlike size count as" in found["roc_auc"].note


def test_degrees_of_freedom_of_compared_areas():
    """At most the effective number of clusters less 1."""
    truth, score, group = unlike(40, seed=5)
    other = score + np.random.default_rng(6).normal(size=len(score))
    found = tm.compare(truth=truth, score=[score, other], clusters=group, measures="roc_auc")["roc_auc"]
    assert 1 < found.df <= effective_number(np.bincount(group)) - 1
    assert (found.low, found.high) == pytest.approx(
        student.interval(0.95, found.df, found.value, found.standard_error)
    )


def test_degrees_of_freedom_of_compared_losses():
    """At most the effective number of clusters less 1; the standard error is at least that of their sums."""
    truth, score, group = unlike(40, seed=8)
    one, other = expit(score), expit(score + np.random.default_rng(9).normal(size=len(score)))
    found = tm.compare(truth=truth, score=[one, other], clusters=group, measures="brier_score")["brier_score"]
    apart = (other - truth) ** 2 - (one - truth) ** 2
    sums = np.bincount(group, apart - apart.mean())
    error = np.sqrt(40 / 39 * sums @ sums) / len(truth)
    assert 1 < found.df <= effective_number(np.bincount(group)) - 1
    assert error <= found.standard_error
    wanted = student.interval(0.95, found.df, apart.mean(), found.standard_error)
    assert (found.low, found.high) == pytest.approx(wanted)


@pytest.mark.full
def test_type_one_error_of_compared_areas():
    """Equal areas, 40 clusters of 100, 50, 33, ... cases, 1,000 samples at 5 %."""
    random, rejected = np.random.default_rng(7), 0
    for _ in range(1000):
        group = np.repeat(np.arange(40), np.ceil(100 / np.arange(1, 41)).astype(int))
        common, own = random.normal(size=(3, 40))[:, group], random.normal(size=(3, len(group)))
        drawn = np.sqrt(0.3) * common + np.sqrt(0.7) * own
        truth = drawn[0] > 0.25
        scores = [*(1.2 * truth + drawn[1:])]
        one = tm.compare(truth=truth, score=scores, clusters=group, measures="roc_auc")["roc_auc"]
        rejected += one.p_value < 0.05
    assert 0.02 <= rejected / 1000 <= 0.065


def test_the_scale_of_importance_weights_has_no_effect():
    truth, score, group = unlike(40, seed=10)
    given = {"truth": truth, "score": expit(score), "clusters": group, "weight_kind": "importance"}
    weight = np.random.default_rng(11).random(len(truth)) + 0.5
    one, other = (tm.evaluate(**given, weight=weight * times) for times in (1.0, 100.5))
    for name in ("roc_auc", "sensitivity", "brier_score", "f1", "auc_pr_trapezoid", "calibration_slope"):
        assert (one[name].low, one[name].high) == pytest.approx(
            (other[name].low, other[name].high), rel=1e-6
        ), name
