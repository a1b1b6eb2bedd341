"""Predicted numbers: the summary of their errors, the measures of it, and the intervals of these."""

import copy
import math
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import given, strategies as st
from looping import for_each
from refusals import refuses
from scipy import special, stats

from tallymark import InputError, Settings, UndefinedMeasureWarning, estimate
from tallymark.measures.registry import get
from tallymark.summaries import Residuals, add_up

NAMES = ("mean_squared_error", "mean_absolute_error", "root_mean_squared_error", "huber_loss")
MSE, MAE, RMSE, HUBER = ENTRIES = [get(name, Residuals) for name in NAMES]
every_measure = for_each("entry", ENTRIES, ids=NAMES)
NUMBERS = st.integers(-50, 50).map(lambda value: value / 8) | st.floats(-1e6, 1e6)
WEIGHTS = st.integers(0, 5).map(float)


def rows(weights=WEIGHTS, min_size=0):
    """Lists of (truth, predicted, weight)."""
    return st.lists(st.tuples(NUMBERS, NUMBERS, weights), min_size=min_size, max_size=25)


def of(cases):
    there = [case for case in cases if case[2] > 0]
    if not there:
        return Residuals.empty()
    truth, predicted, weight = zip(*there, strict=True)
    kind = "count" if all(one == int(one) for one in weight) else None
    return Residuals.from_arrays(truth=truth, predicted=predicted, weight=weight, weight_kind=kind)


def of_errors_alone(residuals):
    """The same cases, whose actual amounts are not known."""
    error, place = np.unique(residuals.error, return_inverse=True)
    return Residuals(error, np.bincount(place, residuals.weight, len(error)))


def of_errors(errors):
    return Residuals.from_arrays(truth=np.zeros(len(errors)), predicted=errors)


# Values
# --------------------------------------------------------------------------------------------------

SMALL = Residuals.from_arrays(truth=[1, 2, 3, 4], predicted=[1.5, 1, 3, 6])  # off by .5, -1, 0 and 2


def test_the_errors_by_hand():
    assert SMALL.error.tolist() == [-1, 0, 0.5, 2]
    assert SMALL.weight.tolist() == [1, 1, 1, 1]
    assert SMALL.total == 4
    assert len(SMALL) == 4
    assert repr(SMALL) == "Residuals(4 cases, 4 pairs of error and actual amount)"
    assert SMALL.truth.tolist() == [2, 3, 1, 4]


def test_values_by_hand():
    assert MSE(SMALL) == (1 + 0.25 + 4) / 4
    assert MAE(SMALL) == 3.5 / 4
    assert RMSE(SMALL) == math.sqrt(5.25 / 4)
    assert HUBER(SMALL) == pytest.approx((1 + 0.25 + 2 * 1.35 * 2 - 1.35**2) / 4)
    assert HUBER(SMALL, epsilon=0.5) == pytest.approx(
        (0.25 + (2 * 0.5 * 1 - 0.25) + (2 * 0.5 * 2 - 0.25)) / 4
    )


def test_the_huber_loss_of_flemming():
    """Quadratic up to epsilon = 0.5, and then straight."""
    charged = [HUBER(of_errors([z]), epsilon=0.5) for z in (0.25, 0.5, -2.0)]
    assert charged == [0.0625, 0.25, 1.75]


def test_arrays_by_name():
    assert MSE(truth=[1, 2], predicted=[2, 4], weight=[3, 1]) == (3 * 1 + 4) / 4
    assert HUBER(truth=[1, 2], predicted=[2, 4], epsilon=1) == (1 + 3) / 2


@given(rows(WEIGHTS, min_size=1).filter(lambda cases: any(case[2] for case in cases)), st.floats(0.01, 100))
def test_they_agree_with_other_tools(cases, epsilon):
    truth, predicted, weight = map(np.array, zip(*cases, strict=True))
    given_, others = {"truth": truth, "predicted": predicted, "weight": weight}, (truth, predicted)
    close = lambda value: pytest.approx(value, rel=1e-12, abs=1e-12)  # noqa: E731
    assert MSE(**given_) == close(sklearn.metrics.mean_squared_error(*others, sample_weight=weight))
    assert MAE(**given_) == close(sklearn.metrics.mean_absolute_error(*others, sample_weight=weight))
    assert RMSE(**given_) == close(sklearn.metrics.root_mean_squared_error(*others, sample_weight=weight))
    halved = np.average(special.huber(epsilon, predicted - truth), weights=weight)
    assert HUBER(**given_, epsilon=epsilon) == close(2 * halved)


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_huber_lies_between_the_two_that_it_mixes(errors):
    residuals = of_errors(errors)
    assert HUBER(residuals, epsilon=1e9) == pytest.approx(MSE(residuals), rel=1e-12)
    assert HUBER(residuals, epsilon=1e-9) == pytest.approx(2e-9 * MAE(residuals), rel=1e-6, abs=1e-18)
    assert HUBER(residuals) <= MSE(residuals) * (1 + 1e-12)


@given(st.lists(NUMBERS, min_size=1, max_size=20), st.floats(0.01, 100))
def test_they_are_in_the_unit_of_the_numbers(errors, factor):
    small, large = of_errors(errors), of_errors(np.array(errors) * factor)
    assert MAE(large) == pytest.approx(factor * MAE(small), rel=1e-12)
    assert RMSE(large) == pytest.approx(factor * RMSE(small), rel=1e-12)
    assert HUBER(large, epsilon=factor) == pytest.approx(factor**2 * HUBER(small, epsilon=1), rel=1e-9)


@every_measure
def test_no_cases_no_value(entry):
    with pytest.warns(UndefinedMeasureWarning, match=r"is undefined: no cases \(total = 0\)"):
        assert math.isnan(entry(Residuals.empty()))
    assert estimate(entry, Residuals.empty()).undefined.text == "no cases (total = 0)"


@every_measure
def test_a_perfect_prediction(entry):
    assert entry(truth=[1, 2, 3], predicted=[1, 2, 3]) == entry.best == 0
    assert entry.better == "lower"


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, "1"])
def test_an_epsilon_that_is_refused(epsilon):
    with refuses("invalid-value", "huber_loss", argument="huber_loss: epsilon"):
        HUBER(SMALL, epsilon=epsilon)


# The summary
# --------------------------------------------------------------------------------------------------


@given(a=rows(), b=rows(), c=rows())
def test_any_split_in_any_order_is_the_whole(a, b, c):
    x, y, z = of(a), of(b), of(c)
    assert x + y == y + x == of(a + b)
    assert (x + y) + z == x + (y + z) == of(c + a + b) == sum([x, y, z]) == add_up([x, y, z])
    assert x + Residuals.empty() == x == Residuals.empty() + x


@given(a=rows(), b=rows())
def test_without_actual_amounts_of_one_part_the_sum_has_none(a, b):
    x, y = of(a), of(b)
    bare = of_errors_alone(y)
    if len(y):
        assert x + bare == bare + x == of_errors_alone(x) + bare == of_errors_alone(x + y)
    else:
        assert x + bare == bare + x == x


@given(a=rows(st.floats(0.01, 10)), b=rows(st.floats(0.01, 10)))
def test_parts_with_fractional_weights_add_up_to_the_whole(a, b):
    one, other = of(a) + of(b), of(a + b)
    np.testing.assert_array_equal(one.error, other.error)
    np.testing.assert_allclose(one.weight, other.weight, rtol=1e-12)
    for entry in ENTRIES:
        if a or b:
            assert entry(one) == pytest.approx(entry(other), rel=1e-12)


@given(rows(min_size=1).filter(lambda cases: any(case[2] for case in cases)))
def test_a_weight_is_as_many_rows(cases):
    """To the bit."""
    repeated = [case for case in cases for _ in range(int(case[2]))]
    truth, predicted, _ = zip(*repeated, strict=True)
    assert Residuals.from_arrays(truth=truth, predicted=predicted) == of(cases)


def test_adding_only_what_fits():
    with pytest.raises(TypeError):
        SMALL + 1
    assert SMALL.__add__("a") is NotImplemented
    assert SMALL != 3
    with pytest.raises(TypeError):
        hash(SMALL)


def test_times_a_number():
    assert (SMALL * 2.5).total == 10
    assert MSE(SMALL * 2.5) == MSE(SMALL)


@given(rows(WEIGHTS | st.floats(0.01, 10)))
def test_there_and_back(cases):
    residuals = of(cases)
    for again in (
        Residuals.from_dict(residuals.to_dict()),
        Residuals.from_json(residuals.to_json()),
        pickle.loads(pickle.dumps(residuals)),
        copy.deepcopy(residuals),
    ):
        assert again == residuals
        assert again.weight.dtype == residuals.weight.dtype


def test_it_is_a_value():
    with pytest.raises(AttributeError, match="Residuals: error cannot be set"):
        SMALL.error = 3
    with pytest.raises(AttributeError, match="Residuals: weight cannot be deleted"):
        del SMALL.weight
    for array in (SMALL.error, SMALL.weight, (SMALL + SMALL).weight, pickle.loads(pickle.dumps(SMALL)).error):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_whole_weights_are_integers():
    assert SMALL.weight.dtype == of([(1, 2, 3.0)]).weight.dtype == np.int64
    assert not SMALL.weighted
    assert of([(1, 2, 0.5), (1, 2, 0.5)]).weighted
    with refuses("invalid-value", "53", argument="weight"):
        Residuals([0], [2**53]) + Residuals([0], [1])


def test_weights_of_0_leave_no_trace():
    assert of([(1, 2, 1), (5, 1, 0)]) == of([(1, 2, 1)])
    assert Residuals([1, 2, 3], [1, 0, 1]) == Residuals([1, 3], [1, 1])
    assert Residuals.from_arrays(truth=[1, 2], predicted=[2, 3], weight=[0, 1]).total == 1


# Types
# --------------------------------------------------------------------------------------------------


@for_each(
    "dtype",
    ["uint8", "int8", "uint16", "int32", "uint64", "int64", "float16", "float32", "float64", "longdouble"],
)
def test_small_types_do_not_overflow(dtype):
    residuals = Residuals.from_arrays(
        truth=np.array([100, 3, 0], dtype), predicted=np.array([0, 5, 127], dtype)
    )
    assert residuals.error.tolist() == [-100, 2, 127]
    assert residuals.error.dtype == np.float64


def test_the_ends_of_integers():
    ends = np.array([-128, 127], np.int8)
    assert Residuals.from_arrays(truth=ends, predicted=ends[::-1]).error.tolist() == [-255, 255]
    largest, lowest = np.array([2**63], np.uint64), np.array([-(2**63)], np.int64)
    assert Residuals.from_arrays(truth=lowest, predicted=largest).error.tolist() == [2.0**64]
    with pytest.raises(InputError, match=str(2**64 - 1)):
        Residuals.from_arrays(truth=lowest, predicted=np.array([2**64 - 1], np.uint64))
    assert Residuals.from_arrays(truth=[1e30], predicted=[float(10**30 + 10**20)]).error.tolist() == [
        float(10**30 + 10**20) - 1e30
    ]


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, pd.Series, pl.Series, lambda values: np.array(values)[:, None]]
)
def test_any_column_will_do(kind):
    assert Residuals.from_arrays(
        truth=kind([1, 2]), predicted=kind([1.5, 2]), weight=kind([2, 1]), weight_kind="count"
    ) == Residuals([0, 0.5], [1, 2], truth=[2, 1])


def test_booleans_and_decimals_are_numbers():
    assert Residuals.from_arrays(
        truth=[True, False], predicted=[Decimal("0.5"), Decimal("0.25")]
    ).error.tolist() == [-0.5, 0.25]


def test_nothing_has_no_sign():
    assert math.copysign(1, Residuals.from_arrays(truth=[0.0], predicted=[-0.0]).error[0]) == 1
    assert Residuals.from_arrays(truth=[0.0, -0.0], predicted=[-0.0, 0.0]) == Residuals([0], [2], truth=[0])


# What is refused
# --------------------------------------------------------------------------------------------------


def build(truth=(1, 2), predicted=(1, 2), weight=None):
    return Residuals.from_arrays(truth=truth, predicted=predicted, weight=weight)


REFUSED = [
    (
        lambda: build([1, math.nan]),
        "truth: 1 value is missing (NaN or null), the first in row 1 (counted from 0)",
    ),
    (
        lambda: build(predicted=[None, 1]),
        "predicted: 1 value is missing (NaN or null), the first in row 0 (counted from 0)",
    ),
    (
        lambda: build([1, math.inf]),
        "truth: inf in row 1 (counted from 0) is not a finite number; leave the case out, or correct it.",
    ),
    (
        lambda: build(predicted=[1, -math.inf]),
        "predicted: -inf in row 1 (counted from 0) is not a finite number",
    ),
    (
        lambda: build(["a", "b"]),
        "truth: 'a' in row 0 (counted from 0) is not a number; only numbers can be subtracted.",
    ),
    (lambda: build(["1", "2"]), "truth: numbers written as text"),
    (lambda: build([1, 2, 3]), "truth has 3 rows and predicted has 2"),
    (lambda: build([], []), "truth: there are no rows"),
    (lambda: build(3), "truth: one value per case is needed, not 3 (int)"),
    (lambda: build(np.ones((2, 2))), "truth: one value per case is needed, not a table of shape (2, 2)"),
    (
        lambda: build([1, -1e308], [1, 1e308]),
        "predicted: 1e+308 in row 1 (counted from 0) is more than 1e+100 off (truth is -1e+308); divide both",
    ),
    (
        lambda: build([1, 0], [1, 1e101]),
        "predicted: 1e+101 in row 1 (counted from 0) is more than 1e+100 off (truth is 0)",
    ),
    (lambda: build(weight=[1, -1]), "weight: -1.0 in row 1 (counted from 0) cannot be a weight"),
    (
        lambda: build(weight=[1, math.nan]),
        "weight: the weight in row 1 (counted from 0) is missing; give every case a weight.",
    ),
    (lambda: build(weight=[0, 0]), "weight: every weight is 0, so no case counts"),
    (lambda: build(weight=[1]), "truth has 2 rows and weight has 1"),
    (lambda: Residuals([2, 1], [1, 1]), "error: errors are distinct, ascend, and lie within 1e100"),
    (lambda: Residuals([1, 1], [1, 1]), "error: errors are distinct, ascend"),
    (lambda: Residuals([1e101], [1]), "error: errors are distinct, ascend, and lie within 1e100"),
    (lambda: Residuals([math.inf], [1]), "error: inf in row 0 (counted from 0) is not a finite number"),
    (lambda: Residuals([math.nan], [1]), "error: 1 value is missing"),
    (
        lambda: Residuals([1, 2], [1]),
        "error, weight: (2,) and (1,) differ in shape; give one weight per error.",
    ),
    (lambda: Residuals([1, 2], [1, -1]), "weight: -1 cannot be a count"),
    (
        lambda: Residuals([1, 2], [1, 1], truth=[1]),
        "error, truth: (2,) and (1,) differ in shape; give one truth per error.",
    ),
    (lambda: Residuals([1, 1], [1, 1], truth=[2, 1]), "error: errors are distinct, ascend"),
    (lambda: Residuals([1, 1], [1, 1], truth=[2, 2]), "error: errors are distinct, ascend"),
    (lambda: Residuals([1], [1], truth=[math.nan]), "truth: 1 value is missing"),
]


@for_each(("call", "text"), REFUSED, ids=[text[:40] for _, text in REFUSED])
def test_what_is_refused(call, text):
    with pytest.raises(InputError) as refused:
        call()
    assert text in str(refused.value)


# Intervals
# --------------------------------------------------------------------------------------------------


@every_measure
@given(rows(WEIGHTS | st.floats(0.01, 10), min_size=1))
def test_an_interval_or_a_reason(entry, cases):
    found = estimate(entry, of(cases))
    if found.has_interval:
        assert 0 <= found.low < found.value < found.high
        assert found.method == "mean-log-t"
        wider = estimate(entry, of(cases), Settings(level=0.99))
        assert wider.low < found.low < found.high < wider.high
    else:
        assert found.undefined or found.note


@every_measure
def test_no_interval_without_spread(entry):
    assert "fewer than two cases" in estimate(entry, of_errors([3])).note
    assert "every case has the same loss" in estimate(entry, of_errors([0.3, -0.3, 0.3])).note
    assert "every loss is 0" in estimate(entry, of_errors([0, 0])).note


@every_measure
def test_what_is_said_of_an_interval(entry):
    random = np.random.default_rng(1)
    assert "narrow" not in (estimate(entry, of_errors(random.normal(size=1000))).note or "")
    for heavy in (np.append(random.normal(size=999), 100), np.append(random.normal(size=39), 9)):
        assert "large errors may be missing" in estimate(entry, of_errors(heavy)).note


def test_the_interval_by_hand():
    """Student's t on the log scale below; above, Hall's bound put back into his transformation gives -t."""
    errors = np.random.default_rng(2).normal(size=40)
    found, losses = estimate(MSE, of_errors(errors)), errors**2
    mean, error, t = losses.mean(), losses.std(ddof=1) / math.sqrt(40), stats.t.ppf(0.975, 39)
    assert found.low == pytest.approx(mean * math.exp(-t * error / mean), rel=1e-12)
    skewness = stats.skew(losses) / math.sqrt(40)
    x = (mean - found.high) / error
    assert x + skewness * x**2 / 3 + skewness**2 * x**3 / 27 + skewness / 6 == pytest.approx(-t, rel=1e-9)
    assert found.high > mean * math.exp(t * error / mean)


def test_losses_that_are_not_skewed_get_the_log_scale_on_both_sides():
    errors = np.tile([1.0, 3.0], 50)
    found = estimate(MAE, of_errors(errors))
    error = stats.t.ppf(0.975, 99) * errors.std(ddof=1) / math.sqrt(100)
    assert (found.low, found.high) == pytest.approx(
        (2 * math.exp(-error / 2), 2 * math.exp(error / 2)), rel=1e-12
    )


def test_the_root_has_the_root_of_the_bounds():
    root, square = estimate(RMSE, SMALL), estimate(MSE, SMALL)
    assert (root.low, root.high) == pytest.approx((math.sqrt(square.low), math.sqrt(square.high)), rel=1e-15)


def test_parameters_reach_the_interval():
    found = estimate(HUBER, SMALL, epsilon=0.5)
    assert found.value == HUBER(SMALL, epsilon=0.5)
    assert found.high < estimate(HUBER, SMALL, epsilon=5).high
    assert found.note.startswith("epsilon = 0.5")


@every_measure
def test_twice_the_cases_with_half_the_weight_have_the_same_interval(entry):
    one, other = estimate(entry, SMALL), estimate(entry, (SMALL + SMALL) * 0.5)
    assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12)


def test_weights_beyond_reason_give_no_interval_but_a_reason():
    assert "too unequal" in estimate(MSE, Residuals([0, 1e100], [1e100, 1e-100])).note


@pytest.mark.full
def test_coverage():
    """Of normal errors, where 95 % is meant; docs/intervals.md has more."""
    random = np.random.default_rng(3)
    for entry, true in ((MSE, 1.0), (MAE, math.sqrt(2 / math.pi)), (RMSE, 1.0)):
        found = [estimate(entry, of_errors(random.normal(size=30))) for _ in range(1000)]
        assert 0.92 < np.mean([one.low <= true <= one.high for one in found]) < 0.975
