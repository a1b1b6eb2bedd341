"""Evaluations do not hold which case is which: those of as many cases of each class are refused without
paired=False.

And two models that are one: whatever the method, they differ by 0, with the interval [0, 0] and p = 1.
"""

from math import isinf, isnan

import numpy as np
import pandas as pd
import pytest
from looping import for_each, in_part
from refusals import refuses

from tallymark import ConfusionMatrix, Counts, InputError, RankingTable, biometric, check, compare, evaluate
from tallymark.cli import main
from tallymark.evaluation.paired import METHODS

RANDOM = np.random.default_rng(1)
N = 400
Y = np.arange(N) % 2
COMMON = RANDOM.normal(Y)
A, B = COMMON + RANDOM.normal(0, 0.5, N), COMMON + RANDOM.normal(0, 0.8, N)
OF_THREE = np.arange(N) % 3
ANSWERS = [np.where(RANDOM.random(N) < share, OF_THREE, 0) for share in (0.7, 0.6)]
QUICK = {"replicates": 100}


def scored(rows=slice(None)):
    return [evaluate(truth=Y[rows], score=score[rows]) for score in (A, B)]


ALIKE = {
    "evaluations of scores": scored(),
    "evaluations of weighted scores": [
        evaluate(truth=Y, score=score, weight=1 + np.arange(N) % 3 / 7) for score in (A, B)
    ],
    "evaluations of labels": [evaluate(truth=Y, predicted=(score > 0.5).astype(int)) for score in (A, B)],
    "evaluations of three classes": [evaluate(truth=OF_THREE, predicted=one) for one in ANSWERS],
    "ranking tables": [RankingTable.from_arrays(truth=Y, score=score) for score in (A, B)],
    "counts": [Counts(tp=56, fp=3, fn=14, tn=9), Counts(tp=48, fp=2, fn=22, tn=10)],
    "matrices": [ConfusionMatrix.from_arrays(truth=OF_THREE, predicted=one) for one in ANSWERS],
    "an evaluation and a table": [scored()[0], RankingTable.from_arrays(truth=Y, score=B)],
    "the last two of three": [evaluate(truth=Y[:300], score=A[:300]), *scored()],
    "the same twice": scored()[:1] * 2,
}
OF_LABELS = ("evaluations of labels", "evaluations of three classes", "counts", "matrices")
APART = {
    "fewer cases": [scored()[0], scored(slice(300))[1]],
    "another class mix": [scored()[0], evaluate(truth=np.arange(N) % 4 == 0, score=B)],
    "another mix of three": [
        evaluate(truth=OF_THREE, predicted=ANSWERS[0]),
        evaluate(truth=OF_THREE[::-1] % 2 * 2, predicted=ANSWERS[1]),
    ],
}


@for_each("kept", ALIKE)
def test_as_many_cases_of_each_class_are_refused(kept):
    with pytest.raises(InputError) as refused:
        compare(*ALIKE[kept])
    said = str(refused.value)
    assert "as many cases of each class" in said
    assert ("predicted=[...]" if kept in OF_LABELS else "score=[...]") in said
    assert "paired=False" in said
    assert "\n" not in said


def test_the_message_names_the_models_and_their_classes():
    with refuses("ambiguous", "200", argument="paired"):
        compare(*ALIKE["the last two of three"])
    with refuses("ambiguous", "134", "133", argument="paired"):
        compare(*ALIKE["matrices"])


@pytest.mark.full
@for_each("kept", ALIKE)
def test_different_cases_are_compared_with_paired_false(kept):
    assert not compare(*ALIKE[kept], paired=False, **QUICK).paired


@pytest.mark.full
@for_each("kept", APART)
def test_others_are_of_different_cases(kept):
    one, other = (compare(*APART[kept], **more, **QUICK) for more in ({}, {"paired": False}))
    assert one.to_dict() == other.to_dict()


@for_each("paired", ["no", 0.5])
def test_paired_is_true_or_false(paired):
    with refuses("invalid-value", argument="paired"):
        compare(*scored(), paired=paired)


# The gate
# --------------------------------------------------------------------------------------------------

GATE = {"no_worse_than": 0.1}


@for_each(
    ("data", "cases", "baseline"),
    [
        (None, {"truth": Y, "score": A}, scored()[1]),
        (scored()[0], {}, scored()[1]),
        (ALIKE["ranking tables"][0], {}, ALIKE["ranking tables"][1]),
        (scored()[0], {}, ALIKE["ranking tables"][1]),
    ],
    ids=["an evaluation", "two evaluations", "ranking tables", "an evaluation and a table"],
)
def test_the_gate_refuses_such_a_baseline(data, cases, baseline):
    with refuses("ambiguous", "200", "pair_by=", argument="baseline"):
        check(data, **cases, baseline=baseline, **GATE)
    assert "taken as independent" in check(data, **cases, baseline=baseline, paired=False, **GATE).baseline


def test_the_gate_takes_a_baseline_of_other_cases():
    baseline = scored(slice(300))[1]
    assert check(truth=Y, score=A, baseline=baseline, **GATE).passed


@for_each(
    ("more", "part"),
    [
        ({"baseline": scored()[1], "paired": True}, "pair_by="),
        ({"baseline_score": B, "paired": False}, "leave out paired=False"),
        ({"baseline": scored()[1], "paired": "no"}, "paired: "),
    ],
)
def test_what_does_not_fit_is_refused(more, part):
    with pytest.raises(InputError, match=r"^paired: ") as refused:
        check(truth=Y, score=A, **more, **GATE)
    assert part in str(refused.value)


def test_paired_needs_a_baseline():
    with refuses("conflict", argument="paired"):
        check(truth=Y, score=A, require="n >= 1", paired=False)


# Two models that are one
# --------------------------------------------------------------------------------------------------

P = np.round(1 / (1 + np.exp(-A)), 2)
CASES = {
    "scores": {"truth": Y, "score": P},
    "scores at a threshold": {"truth": Y, "score": P, "threshold": 0.4},
    "labels": {"truth": Y, "predicted": (P > 0.5).astype(int)},
    "three classes": {"truth": OF_THREE, "predicted": ANSWERS[0]},
    "perfect": {"truth": Y, "score": np.where(Y, 0.9, 0.1)},
    "all tied": {"truth": Y, "score": np.full(N, 0.5)},
    "one positive": {"truth": (np.arange(N) == 7).astype(int), "score": P},
}
MORE = {
    "plain": {},
    "clusters": {"clusters": np.arange(N) // 4},
    "whole weights": {"weight": 1 + np.arange(N) % 3},
    "other weights": {"weight": 0.1 + np.arange(N) % 7 / 7},
}
NOT_FOR_THESE = {
    *(("score", cases) for cases in ("scores", "perfect", "all tied", "one positive")),
    *(("delong", cases) for cases in ("labels", "three classes")),
    *((method, "three classes") for method in ("bootstrap", "basic-bootstrap", "permutation")),
}


def twice(cases, models=2):
    kind = "score" if "score" in cases else "predicted"
    return cases | {kind: {f"model {i}": cases[kind].copy() for i in range(models)}}


def all_zero(found, single=False):
    """single: whether a class has one case, so that measures of it have no interval."""
    for one in found.differences:
        gone = [isnan(value.value) or isinf(value.value) for value in one.models]
        if all(gone):
            assert isnan(one.estimate.value), one.measure  # undefined, and infinite less infinite
            continue
        assert one.estimate.value == 0, one.measure
        assert one.estimate.low <= 0 <= one.estimate.high or one.estimate.note, one.measure
        if single and isnan(one.estimate.low):
            assert one.estimate.note, one.measure
            assert isnan(one.p_value) or one.p_value == 1, one.measure
            continue
        assert one.p_value == 1, one.measure
        assert not one.adjusted < 1, one.measure


@in_part(3)
@for_each("method", METHODS)
@for_each("cases", CASES)
@for_each("more", MORE)
def test_a_model_differs_by_0_from_itself_by_every_method(method, cases, more):
    asked = {**twice(CASES[cases]), **MORE[more], "method": method, **QUICK}
    if (method, cases) in NOT_FOR_THESE:
        with refuses("unsupported"):
            compare(**asked)
        return
    found = compare(**asked)
    all_zero(found, single=cases == "one positive")
    assert all(test.p_value == 1 or test.note for test in found.tests)


@in_part(6, ("fast", "full"))
@for_each("method", METHODS)
def test_a_model_differs_by_0_from_itself(method):
    all_zero(
        compare(**twice(CASES["scores at a threshold"], models=3), method=method, reference="all", **QUICK)
    )


@in_part(3)
@for_each("cases", [name for name in CASES if name != "three classes"])
def test_a_model_differs_by_0_from_itself_in_every_measure(cases):
    names = list(evaluate(**CASES[cases]).estimates)
    found = compare(**twice(CASES[cases]), measures=names, **QUICK)
    all_zero(found, single=cases == "one positive")


# Two data sets
# --------------------------------------------------------------------------------------------------

SETS = {
    "scores": [{"y": Y, "s": score} for score in (A, B)],
    "truth as booleans": [{"y": Y, "s": A}, {"y": Y.astype(bool), "s": B}],
    "sorted by class": [{"y": np.sort(Y), "s": score} for score in (A, B)],
    "few": [{"y": Y[:4], "s": score[:4]} for score in (A, B)],
    "the last two of three": [{"y": Y[:300], "s": A[:300]}, *({"y": Y, "s": score} for score in (A, B))],
}
OTHER_SETS = {
    "another order": [{"y": Y, "s": A}, {"y": Y[::-1], "s": B}],
    "fewer": [{"y": Y, "s": A}, {"y": Y[:-2], "s": B[:-2]}],
}


def frames(sets):
    return [pd.DataFrame(one) for one in sets]


@pytest.mark.full
@for_each("sets", SETS)
def test_data_sets_with_the_same_truth_are_refused(sets):
    with pytest.raises(InputError) as refused:
        compare(*frames(SETS[sets]), truth="y", score="s", **QUICK)
    said = str(refused.value)
    assert "the same truth in each of" in said
    assert "score=[...]" in said
    assert "paired=False" in said
    assert "\n" not in said
    assert not compare(*frames(SETS[sets]), truth="y", score="s", paired=False, **QUICK).paired


@for_each("sets", OTHER_SETS)
def test_data_sets_with_another_truth_are_different_cases(sets):
    assert not compare(*frames(OTHER_SETS[sets]), truth="y", score="s", **QUICK).paired


def test_a_file_that_is_named_unpaired_is_one(tmp_path, capsys):
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for file, one in zip(files, frames(SETS["scores"]), strict=True):
        one.to_csv(file, index=False)
    given = [str(files[0]), "--truth", "y", "--score", "s", "--measure", "roc_auc"]
    assert main(["compare", *given, "--unpaired", str(files[1])]) == 0
    assert main(["compare", *given, str(files[1])]) == 2


def test_the_usual_measures_of_amounts():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(2, 50))
    found = [evaluate(truth=one, predicted=one + rng.normal(size=50), regression=True) for one in truth]
    assert compare(*found, paired=False).measures == ("mean_squared_error", "mean_absolute_error")
    assert compare(*found, paired=False, measures="mean_squared_error").measures == ("mean_squared_error",)


def test_evaluations_of_fixed_class_sizes_are_compared_by_the_tasks_own_tables():
    """What the class mix changes is for the mix given; amounts have no classes."""
    draw, truth = np.random.default_rng(3), np.tile(["a", "b", "c"], 40)
    per_class = [
        evaluate(truth=truth, score=draw.dirichlet([1, 1, 1], 120), design="case-control") for _ in range(2)
    ]
    found = compare(
        *per_class,
        paired=False,
        design="case-control",
        measures=["log_loss", "macro_roc_auc", "pairwise_roc_auc"],
    )
    given = {
        one.measure: "given-mix" in [note.code for note in one.estimate.notes] for one in found.differences
    }
    assert given == {"log_loss": True, "macro_roc_auc": True, "pairwise_roc_auc": False}
    amounts = [evaluate(truth=draw.random(50), predicted=draw.random(50), regression=True) for _ in range(2)]
    difference = compare(*amounts, paired=False, measures="mean_absolute_error").differences[0]
    assert (
        difference.value == amounts[1]["mean_absolute_error"].value - amounts[0]["mean_absolute_error"].value
    )
    assert "given-mix" not in [note.code for note in difference.estimate.notes]


def test_comparisons_that_share_persons_are_not_taken_as_independent():
    first, second = np.triu_indices(12)
    same = (first == second).astype(int)
    sets = [
        biometric(truth=same[i:], score=A[: 78 - i], persons=(first[i:], second[i:])).evaluation
        for i in (0, 3)
    ]
    plain = [evaluate(truth=same[i:], score=A[: 78 - i]) for i in (0, 3)]
    found, alone = (compare(*pair, paired=False, measures="roc_auc") for pair in (sets, plain))
    (ours,), (theirs,) = found.differences, alone.differences
    assert "persons independent" in found.assumes
    assert ours.value == theirs.value
    assert ours.high - ours.low > 1.2 * (theirs.high - theirs.low)
    assert compare(*sets, paired=False, measures="roc_auc", method="bootstrap").differences[0].low < 0
    with refuses("unsupported", argument="method"):
        compare(*sets, paired=False, measures="roc_auc", method="delong")
