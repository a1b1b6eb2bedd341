"""Intervals of ranking and probabilistic measures: against other tools, by brute force, and from their
formulas."""

import json
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from looping import for_each
from scipy.stats import norm, t
from strategies import tables

from tallymark import RankingTable, Settings, estimate
from tallymark.inference.interval import delong_variance, newcombe_bounds
from tallymark.measures.registry import get

DATASETS = json.loads((Path(__file__).parents[1] / "oracles" / "binary.json").read_text())["datasets"]
LEVELS = (0.5, 0.9, 0.95, 0.99)
Z = NormalDist().inv_cdf(0.975)


# Area under the ROC curve
# ---------------------------------------------------------------------------------------------


def delong_by_pairs(truth, score):
    """The definition, case against case."""
    wins = [[(p > n) + 0.5 * (p == n) for n in score[truth == 0]] for p in score[truth == 1]]
    each_positive, each_negative = np.mean(wins, axis=1), np.mean(wins, axis=0)
    return np.var(each_positive, ddof=1) / len(each_positive) + np.var(each_negative, ddof=1) / len(
        each_negative
    )


@for_each("seed", range(10))
def test_delong_variance_by_brute_force(seed):
    random = np.random.default_rng(seed)
    truth = np.concatenate([[0, 0, 1, 1], random.integers(0, 2, 30)])
    score = random.integers(0, 12, len(truth)) / 12 + truth / 6  # with ties
    table = RankingTable.from_arrays(truth=truth, score=score)
    assert math.isclose(delong_variance(table), delong_by_pairs(truth, score), rel_tol=1e-12)


def delong_rows(key):
    """(data set, the tool's answer), for the tools that can be compared."""
    for dataset, case in DATASETS.items():
        for row in case["values"]:
            if row["key"] == key and "deviates" not in row and not isinstance(row["value"], dict):
                yield dataset, row["value"]


def ranked(dataset):
    return RankingTable.from_arrays(truth=DATASETS[dataset]["labels"], score=DATASETS[dataset]["scores"])


@for_each(("dataset", "theirs"), list(delong_rows("delong_variance")))
def test_delong_variance_against_other_tools(dataset, theirs):
    ours = delong_variance(ranked(dataset))
    assert math.isnan(ours) if theirs is None else math.isclose(ours, theirs, rel_tol=1e-10)


@for_each(("dataset", "theirs"), list(delong_rows("delong_standard_error")))
def test_delong_standard_error_against_other_tools(dataset, theirs):
    assert math.isclose(math.sqrt(delong_variance(ranked(dataset))), theirs, rel_tol=1e-10)
    found = estimate("roc_auc", ranked(dataset), Settings(auc_interval="delong"))
    assert found.method != "delong" or math.isclose(found.standard_error, theirs, rel_tol=1e-10)


@for_each(("dataset", "theirs"), [row for row in delong_rows("delong_interval_95") if None not in row[1]])
def test_plain_delong_interval_against_other_tools(dataset, theirs):
    """They go z standard errors to either side and cut at 0 and 1."""
    table = ranked(dataset)
    area, step = get("roc_auc")(table), Z * math.sqrt(delong_variance(table))
    np.testing.assert_allclose((max(area - step, 0), min(area + step, 1)), theirs, rtol=1e-10)


def logit(p):
    return math.log(p / (1 - p))


@for_each("level", LEVELS)
@for_each("dataset", ["below_chance", "calib1000", "miscalibrated", "ties_heavy"])
def test_delong_logit_is_symmetric_on_the_logit_scale(dataset, level):
    table = ranked(dataset)
    area, found = get("roc_auc")(table), estimate("roc_auc", table, Settings(level=level))
    step = norm.isf((1 - level) / 2) * math.sqrt(delong_variance(table)) / (area * (1 - area))
    assert math.isclose(logit(found.high) - logit(area), step, rel_tol=1e-9)
    assert math.isclose(logit(area) - logit(found.low), step, rel_tol=1e-9)
    assert found.method == "delong-logit"


def hanley_mcneil_variance(area, positives, negatives):
    """As Hanley and McNeil (1982) write it, with the mean class size within the brackets, as Newcombe (2006)
    has it."""
    q1, q2, size = area / (2 - area), 2 * area**2 / (1 + area), (positives + negatives) / 2
    return (area * (1 - area) + (size - 1) * (q1 - area**2) + (size - 1) * (q2 - area**2)) / (
        positives * negatives
    )


@for_each("level", LEVELS)
@for_each(("positives", "negatives"), [(1, 1), (1, 9), (5, 5), (20, 400)])
@for_each("area", [0.0, 0.04, 0.5, 0.9, 1.0])
def test_newcombe_bounds_satisfy_their_equation(area, positives, negatives, level):
    z = norm.isf((1 - level) / 2)
    low, high = newcombe_bounds(area, positives, negatives, level)
    assert low == 0 if area == 0 else 0 < low < area
    assert high == 1 if area == 1 else area < high < 1
    for bound in {low, high} - {0.0, 1.0}:
        assert math.isclose(
            (area - bound) ** 2, z**2 * hanley_mcneil_variance(bound, positives, negatives), rel_tol=1e-9
        )


# Means and average precision
# ------------------------------------------------------------------------------------------


@given(table=tables(fractional=False, min_size=2))
def test_brier_interval_is_that_of_a_mean(table):
    """The standard error of a mean over cases, on the logit scale."""
    p = np.concatenate([np.repeat(table.score, table.positive), 1 - np.repeat(table.score, table.negative)])
    loss = (1 - p) ** 2
    found = estimate("brier_score", table)
    if np.ptp(loss) < 1e-12:
        assert not found.has_interval
        return
    mean = loss.mean()
    step = t_of(loss) * loss.std(ddof=1) / math.sqrt(len(loss)) / (mean * (1 - mean))
    if step < 10:
        assert math.isclose(logit(found.high) - logit(mean), step, rel_tol=1e-5)
        assert math.isclose(logit(mean) - logit(found.low), step, rel_tol=1e-5)


def t_of(loss):
    """By Satterthwaite: 2 V^2 over the variance of V, the sum of squares, from the fourth powers."""
    off = loss - loss.mean()
    excess = (off**4).sum() / (off**2).sum() ** 2 - 1 / len(off)
    return t.ppf(0.975, max(2 / max(excess, 2e-9), 1.0))


def test_log_loss_interval_is_symmetric_on_the_log_scale():
    table = ranked("calib1000")
    found = estimate("log_loss", table)
    p = table.given.p
    step = t_of(-np.log(p)) * np.std(-np.log(p), ddof=1) / math.sqrt(len(p)) / found.value
    assert found.method == "delta-log-t"
    assert math.isclose(math.log(found.high / found.value), step, rel_tol=1e-9)
    assert math.isclose(math.log(found.value / found.low), step, rel_tol=1e-9)


@pytest.mark.parametrize("base", [2, 10])
def test_log_loss_interval_to_another_base_is_that_of_the_mean_in_its_unit(base):
    table = ranked("calib1000")
    nats, found = estimate("log_loss", table), estimate("log_loss", table, base=base)
    assert (found.low, found.high) == pytest.approx(
        (nats.low / math.log(base), nats.high / math.log(base)), rel=1e-12
    )


@pytest.mark.parametrize("clip", [0.05, 0.3])
def test_log_loss_interval_with_a_clip_is_that_of_the_clipped_losses(clip):
    table = ranked("calib1000")
    p = table.given.p
    loss = -np.log(np.maximum(p, clip))
    found = estimate("log_loss", table, clip=clip)
    assert found.value == pytest.approx(loss.mean(), rel=1e-12)
    assert math.log(found.high / found.value) == pytest.approx(
        t_of(loss) * loss.std(ddof=1) / math.sqrt(len(p)) / loss.mean(), rel=1e-9
    )
