"""Sums of squared case weights: they add up, and say how many cases the weights stand for."""

import json
import pickle

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

from tallymark import (
    ClassScores,
    LogitTable,
    RankingTable,
    Residuals,
    bootstrap,
    compare,
    evaluate,
)
from tallymark.summaries.samples import ScoredCases

RANDOM = np.random.default_rng(14)
N = 60
TRUTH = np.arange(N) % 3 == 0
SCORE = np.round(RANDOM.random(N), 1)  # with ties
WEIGHTS = {
    "fractions": np.round(RANDOM.lognormal(size=N), 3),
    "whole": RANDOM.integers(1, 9, N).astype(float),
    "first whole": np.where(np.arange(N) < N // 2, 3.0, 1.7),
}
TABLES = (RankingTable, LogitTable)


def by_hand(rows, weight):
    """By score, descending, the sums of the weights and of their squares, of positives and of negatives."""
    scores = np.unique(SCORE[rows])[::-1]
    of_class = (TRUTH[rows], ~TRUTH[rows])
    return [
        [np.sum(part[some & (SCORE[rows] == s)]) for s in scores]
        for part in (weight, weight**2)
        for some in of_class
    ]


def table_of(kind, rows, weight, weight_kind=None):
    return kind.from_arrays(
        truth=TRUTH[rows], score=SCORE[rows], weight=weight[rows], weight_kind=weight_kind
    )


def held(table):
    return [table.positive, table.negative, *table.squares]


@for_each("kind", TABLES)
@for_each("name", WEIGHTS)
def test_squares_are_summed_at_each_score_and_add_up(kind, name):
    weight, rows = WEIGHTS[name], np.arange(N)
    whole = table_of(kind, rows, weight)
    parts = table_of(kind, rows[: N // 2], weight) + table_of(kind, rows[N // 2 :], weight)
    for table in (
        whole,
        parts,
        whole.turned().turned(),
        pickle.loads(pickle.dumps(whole)),
        kind.from_json(whole.to_json()),
    ):
        assert type(table) is kind
        assert table.positive.dtype == whole.positive.dtype
        for ours, theirs in zip(held(table), by_hand(rows, weight), strict=True):
            assert np.allclose(ours, theirs, rtol=1e-14, atol=0)
    assert whole.turned().squares.positive[0] == whole.squares.positive[-1]
    assert json.loads(whole.to_json())["squares"] == [part.tolist() for part in whole.squares]
    thinned = whole.thinned(0.2)
    assert len(thinned) < len(whole)
    assert thinned.squares.positive.sum() == pytest.approx(whole.squares.positive.sum())


@for_each("name", WEIGHTS)
def test_the_order_of_rows_changes_the_rounding_of_the_squares_only(name):
    order = np.random.default_rng(1).permutation(N)
    one, other = (table_of(RankingTable, rows, WEIGHTS[name]) for rows in (np.arange(N), order))
    for ours, theirs in zip(held(one), held(other), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=0)


def test_a_count_is_the_row_as_often_and_an_importance_weight_is_one_case():
    weight, rows = WEIGHTS["whole"], np.arange(N)
    counted = table_of(RankingTable, rows, weight, "count")
    repeated = RankingTable.from_arrays(
        truth=np.repeat(TRUTH, weight.astype(int)), score=np.repeat(SCORE, weight.astype(int))
    )
    assert counted == repeated
    assert counted.squares is None
    assert counted.effective_total == counted.total == weight.sum()
    important = table_of(RankingTable, rows, weight, "importance")
    assert important.positive.dtype == np.float64
    assert important == table_of(RankingTable, rows, weight) != counted
    assert pickle.loads(pickle.dumps(important)) == important == RankingTable.from_json(important.to_json())
    assert important.effective_total == pytest.approx(weight.sum() ** 2 / (weight**2).sum(), rel=1e-14)
    there = weight[TRUTH]
    assert important.effective_positives == pytest.approx(there.sum() ** 2 / (there**2).sum(), rel=1e-14)


def test_cases_without_weights_hold_no_squares():
    for table in (
        RankingTable.from_arrays(truth=TRUTH, score=SCORE),
        table_of(RankingTable, np.arange(N), np.ones(N)),
    ):
        assert table.squares is None
        assert table.squared.positive is table.positive
        assert table.effective_positives == table.positives == TRUTH.sum()


def test_whole_weights_of_a_batch_become_importance_weights_where_a_later_one_has_fractions():
    weight = WEIGHTS["first whole"]
    parts = table_of(RankingTable, np.arange(N // 2), weight) + table_of(
        RankingTable, np.arange(N // 2, N), weight
    )
    assert parts.weighted
    assert parts.effective_total == pytest.approx(weight.sum() ** 2 / (weight**2).sum())


def test_the_number_of_cases_stays_where_importance_weights_are_multiplied():
    table = table_of(RankingTable, np.arange(N), WEIGHTS["fractions"])
    assert (table * 7).effective_total == pytest.approx(table.effective_total)
    counts = table_of(RankingTable, np.arange(N), WEIGHTS["whole"], "count")
    assert (counts * 7).effective_total == pytest.approx(7 * counts.effective_total)


def test_residuals_hold_squares():
    weight, whole = WEIGHTS["fractions"], WEIGHTS["whole"]
    predicted = TRUTH + SCORE
    table = Residuals.from_arrays(truth=TRUTH, predicted=predicted, weight=weight)
    parts = [slice(0, 20), slice(20, N)]
    added = sum(
        Residuals.from_arrays(truth=TRUTH[p], predicted=predicted[p], weight=weight[p]) for p in parts
    )
    for one in (table, added, pickle.loads(pickle.dumps(table)), Residuals.from_json(table.to_json())):
        assert one.effective_total == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
    counts = Residuals.from_arrays(truth=TRUTH, predicted=predicted, weight=whole, weight_kind="count")
    assert counts.effective_total == counts.total == whole.sum()
    important = Residuals.from_arrays(
        truth=TRUTH, predicted=predicted, weight=whole, weight_kind="importance"
    )
    assert important.weighted
    assert pickle.loads(pickle.dumps(important)) == important
    assert important.effective_total == pytest.approx(whole.sum() ** 2 / (whole**2).sum())


@for_each("weight_kind", (None, "count", "importance"))
def test_scores_per_class_know_the_kind_of_their_weights(weight_kind):
    truth, score = np.arange(N) % 3, RANDOM.random((N, 3))
    score, weight = score / score.sum(1, keepdims=True), WEIGHTS["whole"]
    table = ClassScores.from_arrays(truth=truth, score=score, weight=weight, weight_kind=weight_kind)
    effective = weight.sum() if weight_kind == "count" else weight.sum() ** 2 / (weight**2).sum()
    for one in (
        table,
        pickle.loads(pickle.dumps(table)),
        ClassScores.from_json(table.to_json()),
        table + table * 1.0,
    ):
        times = 2 if one.total > table.total else 1
        assert one.effective_total == pytest.approx(times * effective)
        assert one.confidence.effective_total == pytest.approx(times * effective)
        assert one.one_vs_rest(1).effective_total == pytest.approx(times * effective)
    mine = weight[truth == 1]
    expected = mine.sum() if weight_kind == "count" else mine.sum() ** 2 / (mine**2).sum()
    assert table.effective_sizes[1] == pytest.approx(expected)


def test_cases_of_a_table_are_as_many_as_its_squares_say():
    table = RankingTable([0.9, 0.1], [6.0, 0.0], [0.0, 2.5], [[12.0, 0.0], [0.0, 6.25]])
    cases = ScoredCases.from_table(table)
    assert cases.positive.tolist() == [True, True, True, False]
    assert cases.weight.tolist() == [2.0, 2.0, 2.0, 2.5]


def test_squares_that_are_none_are_refused():
    with refuses("invalid-value", "1.0", argument="squares"):
        RankingTable([0.9], [1.5], [0.0], [[-1.0], [0.0]])
    with refuses("wrong-shape", argument="squares"):
        RankingTable([0.9], [1.5], [0.0], [[1.0, 2.0], [0.0, 1.0]])


ENTRIES = {
    "evaluate": lambda **given: evaluate(truth=TRUTH, score=SCORE, **given),
    "labels": lambda **given: evaluate(truth=TRUTH, predicted=SCORE > 0.5, **given),
    "amounts": lambda **given: evaluate(truth=TRUTH, predicted=SCORE, regression=True, **given),
    "clusters": lambda **given: evaluate(truth=TRUTH, score=SCORE, clusters=np.arange(N), **given),
    "bootstrap": lambda **given: bootstrap(truth=TRUTH, score=SCORE, replicates=50, **given),
    "compare": lambda **given: compare(
        truth=TRUTH, score={"a": SCORE, "b": SCORE**2}, replicates=100, **given
    ),
    "table": lambda **given: RankingTable.from_arrays(truth=TRUTH, score=SCORE, **given),
}


@for_each("name", ENTRIES)
def test_every_entry_point_refuses_what_is_no_kind_of_weights(name):
    take = ENTRIES[name]
    broken = np.ones(N)
    broken[7] = 1.5
    with refuses("invalid-value", "1.5", "row 7", "weight_kind='importance'", argument="weight"):
        take(weight=broken, weight_kind="count")
    with refuses("unknown-name", "weight_kind", "'freq'"):
        take(weight=broken, weight_kind="freq")
    with refuses("conflict", "weight_kind", "weight="):
        take(weight_kind="count")


def codes(**given):
    return {notice.code for notice in evaluate(truth=TRUTH, score=SCORE, **given).notices}


def test_whole_weights_of_no_kind_are_importance_weights_with_a_notice():
    assert "whole-weights" in codes(weight=WEIGHTS["whole"])
    for weight, kind in (
        (WEIGHTS["whole"], "count"),
        (WEIGHTS["whole"], "importance"),
        (np.ones(N), None),
        (WEIGHTS["fractions"], None),
    ):
        assert "whole-weights" not in codes(weight=weight, weight_kind=kind), kind
