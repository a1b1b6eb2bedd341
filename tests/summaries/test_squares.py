"""The sums of squared weights that summaries of answers hold: how they are made, added, indexed, scaled and
written."""

import pickle

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm
from tallymark import ConfusionMatrix, Counts
from tallymark.inference.covariance import covariance, sampling_of

TRUTH = np.array([1, 1, 0, 0, 1, 0])
CALLED = np.array([1, 0, 0, 1, 1, 0])
WEIGHT = np.array([0.5, 1.5, 2.0, 0.25, 3.0, 1.0])


def binary(**how):
    return Counts.from_arrays(truth=TRUTH, predicted=CALLED, **how)


def many(**how):
    return ConfusionMatrix.from_arrays(truth=list("abcabc"), predicted=list("abbabc"), **how)


def test_squares_of_fractional_weights():
    found = binary(weight=WEIGHT)
    assert found.squares == Counts(tp=9.25, fp=0.0625, fn=2.25, tn=5.0)
    assert (
        Counts.from_arrays(truth=TRUTH, score=CALLED, threshold=0.5, weight=WEIGHT).squares == found.squares
    )
    of_matrix = ConfusionMatrix.from_arrays(truth=TRUTH, predicted=CALLED, weight=WEIGHT)
    assert of_matrix.squares.tolist() == [[5.0, 0.0625], [2.25, 9.25]]
    assert of_matrix.counts(1) == found
    assert of_matrix.one_vs_rest()[1] == found


def test_whole_weights_are_importance_weights_unless_counts_are_asked():
    whole = 2 * np.ones(6)
    assert binary(weight=whole).squares == Counts(tp=8, fp=4, fn=4, tn=8)
    assert binary(weight=whole, weight_kind="count").squares is None
    assert binary(weight=whole, weight_kind="importance").squares == Counts(tp=8, fp=4, fn=4, tn=8)
    assert many(weight=whole, weight_kind="count").squares is None
    assert many(weight=whole) == many(weight=whole, weight_kind="importance")
    assert many(weight=whole, weight_kind="importance").squares.sum() == 24
    assert binary(weight=np.ones(6), weight_kind="importance").squares is None


@pytest.mark.parametrize("make", [binary, many])
def test_bad_kinds_are_refused(make):
    with refuses("invalid-value", "0.5", "row 0", "weight_kind='count'", argument="weight"):
        make(weight=WEIGHT, weight_kind="count")
    with refuses("unknown-name", "weight_kind"):
        make(weight=WEIGHT, weight_kind="counts")


@pytest.mark.parametrize("make", [binary, many])
def test_sums_copies_and_multiples_keep_their_squares(make):
    one, plain = make(weight=WEIGHT), make()
    both = one + plain
    assert both == plain + one
    assert both != make() * 1
    twice = ConfusionMatrix.from_arrays if make is many else Counts.from_arrays
    cells = (
        {"truth": list("abcabc"), "predicted": list("abbabc")}
        if make is many
        else {"truth": TRUTH, "predicted": CALLED}
    )
    together = {name: [*values, *values] for name, values in cells.items()}
    assert both == twice(**together, weight=[*WEIGHT, *np.ones(6)])
    assert pickle.loads(pickle.dumps(one)) == one
    assert type(one).from_json(one.to_json()) == one
    assert one * 3 == make(weight=3 * WEIGHT)
    assert one.repeated(2) == one + one
    assert one.without_squares().squares is None
    assert one.without_squares() != one


def test_equal_weights_with_other_squares_are_not_equal():
    cells = {"tp": 4.0, "fp": 1.0, "fn": 2.0, "tn": 5.0}
    one, other = Counts(**cells), Counts(**cells, squares=Counts(tp=8, fp=1, fn=2, tn=5))
    assert one != other
    assert hash(one) != hash(other)
    assert repr(other).endswith("squares=Counts(tp=8, fp=1, fn=2, tn=5))")


def test_squares_follow_their_cells():
    c = Counts(tp=4, fp=1, fn=2, tn=5, squares=Counts(tp=8, fp=3, fn=2.5, tn=6))
    assert c.swap_classes().squares == c.squares.swap_classes()
    assert c.swap_truth().squares == c.squares.swap_truth()
    resized = c.with_class_sizes(12, 3)
    assert resized.squares == Counts(tp=32, fp=0.75, fn=10, tn=1.5)
    arrays = many(weight=WEIGHT).one_vs_rest()
    assert arrays[1].squares.tp == arrays.squares.tp[1]
    assert arrays.sum().squares == arrays.squares.sum()


def test_squares_of_another_shape_are_refused():
    with refuses("wrong-shape", argument="squares"):
        Counts(tp=[1, 2], fp=[1, 2], fn=[1, 2], tn=[1, 2], squares=Counts(tp=1, fp=1, fn=1, tn=1))
    with refuses("wrong-shape", argument="squares"):
        ConfusionMatrix(("a", "b"), np.ones((2, 2)), np.ones((3, 3)))
    with refuses("invalid-value", argument="squares"):
        tm.Counts(tp=1, fp=1, fn=1, tn=1, squares=2)


# Several labels per case
# ----------------------------------------------------------------------------------------------

SEVERAL = np.random.default_rng(3).random((40, 3)) < 0.5
ANSWERED = np.where(np.random.default_rng(4).random((40, 3)) < 0.8, SEVERAL, ~SEVERAL)
LOADS = np.random.default_rng(5).lognormal(size=40)


def several(weight=None, **how):
    return tm.IndicatorTable.from_arrays(truth=SEVERAL, predicted=ANSWERED, weight=weight, **how)


def test_squares_of_a_table_of_labels():
    one, squared = several(LOADS), several(LOADS**2)
    assert one.squares.to_dict() == squared.without_squares().to_dict()
    assert one.one_vs_rest().squares == squared.one_vs_rest().without_squares()
    assert several(np.full(40, 2), weight_kind="count").squares is None
    assert several(np.full(40, 2)) == several(np.full(40, 2), weight_kind="importance")
    assert several(np.full(40, 2), weight_kind="importance").squares.total == 160
    assert pickle.loads(pickle.dumps(one)) == one == tm.IndicatorTable.from_json(one.to_json())
    both = one + several()
    assert both.squares.total == pytest.approx((LOADS**2).sum() + 40)
    assert one.repeated(2).squares.total == pytest.approx(2 * one.squares.total)


def test_variance_of_weighted_cases_with_several_labels():
    slopes = np.random.default_rng(6).normal(size=(4, 3))
    kind = np.where(SEVERAL, np.where(ANSWERED, 0, 2), np.where(ANSWERED, 1, 3))
    sums = slopes[kind, np.arange(3)].sum(1)
    wanted = (LOADS**2 * (sums - np.average(sums, weights=LOADS)) ** 2).sum() / LOADS.sum() ** 2
    table = several(LOADS)
    ((variance,),), _ = covariance(table.by_cell(slopes.T)[None], sampling_of(table))
    assert variance == pytest.approx(wanted, rel=1e-9)


def test_averages_over_labels_do_not_depend_on_the_unit_of_the_weights():
    one, other = (tm.evaluate(several(factor * LOADS)) for factor in (1.0, 5.0))
    for kind in ("macro", "weighted", "micro"):
        for name in ("f1", "sensitivity", "cohen_kappa"):
            found = [
                (found.value, found.low, found.high)
                for found in (ev.averages[kind][name] for ev in (one, other))
            ]
            assert found[0] == pytest.approx(found[1], rel=1e-9)
    wide, narrow = one["exact_match_ratio"], tm.evaluate(several())["exact_match_ratio"]
    assert wide.high - wide.low > narrow.high - narrow.low
    assert not tm.evaluate(several(), design="case-control").averages["macro"]["f1"].has_interval
