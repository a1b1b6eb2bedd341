"""A threshold chosen on the cases measured: intervals count the choice in, and rules on a bound keep their
promise."""

import json
import math

import numpy as np
import pytest
from looping import for_each
from scipy.stats import binom, norm

import tallymark as tm
from tallymark import InputError, RankingTable, evaluate
from tallymark.evaluation.thresholds import OF_A_MAXIMUM, SPLITS, by_rule, optimism, pick, read_rule
from tallymark.inference.interval import clopper_pearson
from tallymark.measures.registry import get

RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.integers(0, 2, 60)
SCORE = RANDOM.normal(TRUTH).round(1)  # with ties
HERE = {"truth": TRUTH, "score": SCORE}
TABLE = RankingTable.from_arrays(**HERE)
LARGE = {"truth": np.arange(400) % 2, "score": np.random.default_rng(5).normal(np.arange(400) % 2)}


# The interval
# --------------------------------------------------------------------------------------------------


def test_the_optimism_by_a_plain_loop():
    """Half of each class by the same random numbers; Youden's threshold of one half, counted on both."""
    random, rates = np.random.default_rng(0), []
    parts = [
        (weight, random.multivariate_hypergeometric(weight, weight.sum() // 2, SPLITS, method="marginals"))
        for weight in (TABLE.positive, TABLE.negative)
    ]
    for split in range(SPLITS):
        first = [np.repeat(TABLE.score, drawn[split]) for _, drawn in parts]
        other = [np.repeat(TABLE.score, weight - drawn[split]) for weight, drawn in parts]
        for here, there in ((first, other), (other, first)):
            at = max(
                TABLE.score,
                key=lambda at, here=here: (round((here[0] >= at).mean() - (here[1] >= at).mean(), 12), at),
            )
            rates.append([(a >= at).mean() - (b >= at).mean() for a, b in zip(here, there, strict=True)])
    expected = np.mean(rates, 0) * [OF_A_MAXIMUM, -OF_A_MAXIMUM]
    assert optimism(TABLE, read_rule("youden"), 0)[:2] == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.full
@for_each("chosen", [{}, {"rule": "f1"}, {"rule": "specificity>=0.8"}, {"rule": "sensitivity.low>=0.8"}])
def test_the_interval_lies_around_the_corrected_value(chosen):
    e = evaluate(**HERE, **chosen)
    fixed = e.at(e.threshold.value)
    for name in ("sensitivity", "youden_j", "f1", "accuracy"):
        found = e[name]
        assert found.value == fixed[name].value
        assert found.optimism == found.value - found.corrected
        assert found.low < found.corrected < found.high
        assert found.low < found.value <= found.high
        assert found.method == f"corrected-{fixed[name].method}"
        assert found.to_dict()["corrected"] == found.corrected
    assert e["youden_j"].optimism > 0
    assert "chosen on fewer than 30 cases" in e["youden_j"].note
    assert not evaluate(**LARGE)["youden_j"].note
    assert e["prevalence"] == fixed["prevalence"]
    assert e["roc_auc"] == fixed["roc_auc"]
    assert "corrected" not in fixed["f1"].to_dict()
    rows = {row["measure"]: row for row in e.to_dict()["table"]["ratios"]}
    assert rows["sensitivity"]["low"] == e["sensitivity"].low
    for text in (str(e), " ".join(str(e.all).split())):
        assert "on these cases" in text
        assert f"{e['f1'].value:.3f}" in text


def test_lower_scores_and_whole_weights_and_scaled_weights_agree():
    e, weight = evaluate(**HERE)["f1"], 1 + np.arange(60) % 2
    assert evaluate(truth=TRUTH, score=-SCORE, higher_is_positive=False)["f1"] == e
    assert evaluate(**HERE, weight=np.full(60, 0.5))["f1"].low == pytest.approx(e.low)
    uneven = np.where(TRUTH == 1, 0.5, 7.3)
    for rule in ("youden", "sensitivity.low>=0.8"):
        once, thrice = (evaluate(**HERE, weight=uneven * times, rule=rule) for times in (1, 3))
        assert once.threshold.value == thrice.threshold.value == evaluate(**HERE, rule=rule).threshold.value
        assert once["sensitivity"].low == pytest.approx(evaluate(**HERE, rule=rule)["sensitivity"].low)
        assert once["precision"].low == pytest.approx(thrice["precision"].low)
    assert (
        evaluate(**HERE, weight=weight, weight_kind="count")["f1"]
        == evaluate(truth=TRUTH.repeat(weight), score=SCORE.repeat(weight))["f1"]
    )


@for_each("given", [
    ({"clusters": np.arange(60) // 2}, "clusters"),
    ({"truth": [0, 0, 0, 1, 0], "score": [1.0, 2.0, 3.0, 4.0, 5.0]}, "fewer than 2"),
    ({"truth": np.arange(1, 41) % 2, "score": -np.arange(40.0), "rule": "precision>=0.99"}, "many halves"),
])  # fmt: skip
def test_otherwise_there_is_no_interval_and_the_reason(given):
    e = evaluate(**(HERE | given[0]))
    assert not e["sensitivity"].has_interval
    assert given[1] in e["sensitivity"].note
    assert e["sensitivity"].value == e.at(e.threshold.value)["sensitivity"].value
    assert e["prevalence"].has_interval


def test_a_rule_in_words_cannot_be_repeated():
    assert "not known" in evaluate(**HERE).at(0.5).chosen_by("by eye")["f1"].note


@pytest.mark.full
def test_the_interval_covers_the_truth_at_the_chosen_threshold():
    """200 samples of 30 and 30 cases, of which a fixed threshold's interval misses too many; the standard
    error is 1.5 points."""
    random, truth, rows = np.random.default_rng(7), np.repeat([1, 0], 30), []
    names = ("sensitivity", "specificity", "youden_j", "accuracy")
    for _ in range(200):
        e = evaluate(truth=truth, score=random.normal(0.7 * truth))
        tpr, fpr = norm.sf(e.threshold.value - 0.7), norm.sf(e.threshold.value)
        true = tm.Counts(tp=tpr, fp=fpr, fn=1 - tpr, tn=1 - fpr)
        rows.append([_missed(e, name, float(get(name).function(true))) for name in names])
    held, fixed, apparent, corrected = np.mean(rows, 0).T
    assert (held >= 0.95 - 3 * 0.0155).all()
    assert fixed[2] < 0.95 - 3 * 0.0155 < held[2]
    assert (np.abs(corrected) < apparent / 3).all()


def _missed(e, name, true):
    found, plain = e[name], e.at(e.threshold.value)[name]
    return (
        found.low <= true <= found.high,
        plain.low <= true <= plain.high,
        found.value - true,
        found.corrected - true,
    )


# Rules on a bound
# --------------------------------------------------------------------------------------------------


@for_each("level", [0.8, 0.95, 0.99])
@for_each(
    "rule", [("sensitivity", "low", 0.8), ("specificity", "low", 0.7), ("false_negative_rate", "high", 0.2)]
)
def test_the_threshold_is_the_last_one_at_which_the_exact_bound_meets_the_limit(rule, level):
    name, side, limit = rule
    e = evaluate(**LARGE, rule=f"{name}.{side}{'>=' if side == 'low' else '<='}{limit}", level=level)
    c = e.ranking.sweep()
    x = {"sensitivity": c.tp, "specificity": c.tn, "false_negative_rate": c.fn}[name]
    low, high = clopper_pearson(x, 200, 1 - 2 * (1 - level))  # each end one-sided at the level
    allowed = low >= limit if side == "low" else high <= limit
    other, found = (c.tp, e.counts.tp) if name == "specificity" else (c.tn, e.counts.tn)
    assert 0 < found == other[allowed].max() < 200


@for_each("n", [30, 59, 100, 1000])
@for_each("limit", [0.8, 0.95])
def test_the_promise_is_kept_exactly(n, limit):
    """The true rate is below the limit where more of n cases lie above the limit's quantile than the rule
    allows to be missed."""
    scores = RankingTable.of(-np.arange(2.0 * n), np.tile([1.0, 0.0], n), np.tile([0.0, 1.0], n))
    found = pick(read_rule(f"sensitivity.low>={limit}"), scores)
    needed = math.ceil(math.log(0.05) / math.log(limit))
    assert found.good.any() == (n >= needed)
    if found.good.any():
        right = scores.sweep().tp[found.at]
        assert binom.sf(right - 1, n, limit) <= 0.05 < binom.sf(right - 2, n, limit)


@pytest.mark.full
def test_the_promise_by_simulation():
    """With ties and a class mix that varies; 400 samples, the standard error is 1.1 points."""
    random, kept, kept_by_estimate = np.random.default_rng(3), 0, 0
    for _ in range(400):
        truth = random.random(200) < 0.5
        score = random.normal(truth).round(1)
        for rule in ("sensitivity.low>=0.9", "sensitivity>=0.9"):
            limit = by_rule(RankingTable.from_arrays(truth=truth, score=score), read_rule(rule)).value
            good = norm.sf(limit - 0.05 - 1) >= 0.9
            kept, kept_by_estimate = (
                kept + good * (".low" in rule),
                kept_by_estimate + good * (".low" not in rule),
            )
    assert kept / 400 >= 0.95 - 3 * 0.011
    assert kept_by_estimate / 400 < 0.8


@for_each("given", [
    ("sensitivity.low>=0.99", "299 cases in the denominator, and there are"),
    ("precision.low>=0.5", "precision is not monotonic in the threshold.*sensitivity, specificity"),
    ("f1.low>=0.5", "f1 is not monotonic"),
    ("sensitivity.high>=0.5", "a lower bound takes >=, as sensitivity.low>=0.5"),
    ("sensitivity.low<=0.5", "guarantees nothing"),
    ("sensitivity.low>=1", "no number of cases shows"),
    ("prevalence.low>=0.5", "the same at every threshold"),
])  # fmt: skip
def test_what_is_refused(given):
    with pytest.raises(InputError, match=given[1]):
        evaluate(**HERE, rule=given[0])


def test_an_estimate_that_meets_a_limit_gets_a_notice():
    said = {rule: [n.text for n in evaluate(**LARGE,
        rule=rule).notices if n.code == "limit-met-here-only"] for rule in (
        "sensitivity>=0.9", "f1>=0.5", "sensitivity.low>=0.9", "sensitivity>=0.001", "youden",
    )}  # fmt: skip
    assert "'sensitivity.low >= 0.9'" in said["sensitivity>=0.9"][0]
    assert [len(texts) for texts in said.values()][2:] == [0, 0, 0]


def test_the_rule_on_a_bound_everywhere(capsys, tmp_path):
    from tallymark.cli import main

    rule = "sensitivity.low>=0.9"
    choice = tm.choose_threshold(**LARGE, rule=rule, replicates=50)
    assert choice.threshold == evaluate(**LARGE, rule=rule).threshold.value
    file = tmp_path / "cases.csv"
    np.savetxt(
        file,
        np.c_[LARGE["truth"], LARGE["score"]],
        delimiter=",",
        header="truth,score",
        comments="",
        fmt="%.17g",
    )
    main(
        [
            "threshold",
            str(file),
            "--truth",
            "truth",
            "--score",
            "score",
            "--rule",
            rule,
            "--replicates",
            "50",
            "--json",
        ]
    )
    assert json.loads(capsys.readouterr().out)["threshold"]["value"] == choice.threshold


# Comparisons
# --------------------------------------------------------------------------------------------------


def test_compare_has_no_evidence_at_thresholds_chosen_on_the_cases():
    random = np.random.default_rng(1)
    scores = {name: random.normal(LARGE["truth"]) for name in ("one", "other")}
    names = ["youden_j", "sensitivity", "roc_auc"]
    for more in ({}, {"method": "bootstrap"}, {"method": "permutation"}):
        found = tm.compare(truth=LARGE["truth"], score=scores, measures=names, **more)
        for name in names[:2]:
            assert not found[name].estimate.has_interval
            assert "chosen on these cases" in found[name].estimate.note
            assert math.isnan(found[name].p_value)
        assert not math.isnan(found["roc_auc"].p_value)
    given = tm.compare(truth=LARGE["truth"], score=scores, measures=names, threshold=0.5)
    assert given["youden_j"].estimate.has_interval


def test_bootstrap_has_no_interval_at_a_threshold_chosen_on_the_cases():
    found = tm.bootstrap(**LARGE, replicates=50, measures=["f1", "prevalence", "roc_auc"])
    assert "chosen on these cases" in found["f1"].note
    assert not found["f1"].has_interval
    assert found["prevalence"].has_interval
    assert found["roc_auc"].has_interval
    assert tm.bootstrap(**LARGE, threshold=0.5, replicates=50, measures="f1")["f1"].has_interval
