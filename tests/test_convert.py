"""Scores to probabilities, probabilities to labels: by hand, at the extremes, and what is refused."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from refusals import refuses
from scipy.special import expit, softmax as other_softmax

from tallymark import InputError
from tallymark.probability.convert import Decisions, argmax, linear, sigmoid, softmax, to_labels

ANY = st.floats(allow_nan=False, allow_infinity=False)
SHARE = st.floats(0, 1)


# Scores to probabilities
# ----------------------------------------------------------------------------------------------


def test_linear_by_hand():
    np.testing.assert_array_equal(linear([-1, 0, 3], low=-1, high=3), [0, 0.25, 1])


@given(low=ANY, high=ANY, share=SHARE)
def test_linear_stays_within_0_and_1(low, high, share):
    if not 0 < high - low < math.inf:
        return
    score = min(max(low + share * (high - low), low), high)
    found = linear([low, score, high], low=low, high=high)
    assert found[0] == 0
    assert 0 <= found[1] <= 1
    assert found[2] == 1


def test_ends_are_rounded_as_float32_scores_are():
    np.testing.assert_array_equal(linear(np.float32([0.1, 0.7]), low=0.1, high=0.7), [0, 1])


def test_sigmoid_by_hand():
    np.testing.assert_allclose(sigmoid([0, math.log(3), -math.log(3)]), [0.5, 0.75, 0.25], rtol=1e-15)


def test_sigmoid_far_out():
    np.testing.assert_array_equal(
        sigmoid([1000, -1000, math.inf, -math.inf, 1e308, -1e308]), [1, 0, 1, 0, 1, 0]
    )
    assert sigmoid([-700])[0] == pytest.approx(math.exp(-700), rel=1e-12)


@given(st.lists(ANY, max_size=20))
def test_sigmoid_agrees_with_scipy(scores):
    np.testing.assert_allclose(sigmoid(scores), expit(np.array(scores, float)), rtol=1e-14, atol=1e-300)


@given(ANY, ANY)
def test_softmax_of_two_scores_is_the_sigmoid_of_their_difference(a, b):
    with np.errstate(over="ignore"):
        difference = np.subtract(a, b)
    np.testing.assert_allclose(
        softmax([[a, b]])[0], [*sigmoid([difference]), *sigmoid([-difference])], rtol=1e-15
    )


@given(ANY)
def test_the_two_classes_share_the_probability(score):
    assert sigmoid([score]) + sigmoid([-score]) == pytest.approx(1, abs=1e-15)


def test_softmax_by_hand():
    np.testing.assert_allclose(
        softmax(np.log([[1, 2, 5], [1, 1, 2]])), [[1 / 8, 2 / 8, 5 / 8], [1 / 4, 1 / 4, 1 / 2]], rtol=1e-14
    )


@given(st.lists(st.tuples(ANY, ANY, ANY), min_size=1, max_size=10))
def test_softmax_agrees_with_scipy_and_adds_up_to_1(rows):
    found = softmax(rows)
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(found, other_softmax(np.array(rows), axis=1), rtol=1e-13, atol=1e-300)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-14)


def test_softmax_far_out():
    np.testing.assert_array_equal(
        softmax([[1000, -1000], [-1e308, 1e308], [0, -math.inf]]), [[1, 0], [0, 1], [1, 0]]
    )
    np.testing.assert_array_equal(softmax([[1000, 1000], [-1000, -1000]]), np.full((2, 2), 0.5))


TABLE = {"a": [0.2, 0.5], "b": [0.8, 0.5]}
TABLES = [
    np.array([[0.2, 0.8], [0.5, 0.5]]),
    [[0.2, 0.8], [0.5, 0.5]],
    [np.array([0.2, 0.8]), np.array([0.5, 0.5])],
]
FRAMES = [pd.DataFrame(TABLE), pl.DataFrame(TABLE), pa.table(TABLE)]


@pytest.mark.parametrize("table", TABLES + FRAMES, ids=lambda table: type(table).__module__)
def test_any_table_will_do(table):
    np.testing.assert_allclose(
        softmax(table), [[1 / (1 + math.exp(0.6)), 1 / (1 + math.exp(-0.6))], [0.5, 0.5]]
    )
    assert argmax(table).ambiguous.tolist() == [False, True]


@pytest.mark.parametrize(
    "column", [[1, 2], (1, 2), pd.Series([1, 2]), pl.Series([1, 2]), pa.array([1, 2]), np.array([[1], [2]])]
)
def test_any_column_will_do(column):
    np.testing.assert_array_equal(linear(column, low=0, high=2), [0.5, 1])


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "uint8", "int64", ">f8", "longdouble"]
)
def test_everything_is_computed_in_float64(dtype):
    scores = np.array([[3, 1], [0, 2]], dtype)
    assert (
        softmax(scores).dtype
        == sigmoid(scores[:, 0]).dtype
        == linear(scores[:, 0], low=0, high=3).dtype
        == np.float64
    )
    np.testing.assert_array_equal(softmax(scores), softmax(scores.astype(float)))
    np.testing.assert_array_equal(sigmoid(scores[:, 0]), sigmoid([3.0, 0.0]))


def test_nothing_in_nothing_out():
    assert sigmoid([]).shape == linear([], low=0, high=1).shape == to_labels([]).labels.shape == (0,)
    assert softmax(np.empty((0, 3))).shape == (0, 3)
    assert len(argmax(np.empty((0, 3)))) == 0


# Probabilities to labels
# ----------------------------------------------------------------------------------------------


def test_labels_by_a_threshold():
    found = to_labels([0.2, 0.5, 0.9])
    assert found.labels.tolist() == [0, 1, 1]
    assert found.ambiguous.tolist() == [False, True, False]
    assert found.number == 1
    assert len(found) == 3
    assert (
        repr(found)
        == "Decisions(3 cases, 1 ambiguous: exactly at the threshold 0.5, the first in row 1 (counted"
        " from 0))"
    )
    assert repr(to_labels([0.2, 0.9])) == "Decisions(2 cases, 0 ambiguous: exactly at the threshold 0.5)"


def test_a_case_at_the_threshold_gets_the_label_of_the_counts():
    p = np.float32([0.1, 0.7, 0.7, 0.3])
    assert to_labels(p, threshold=0.7).labels.tolist() == [0, 1, 1, 0]  # 0.7 as float32 is below 0.7
    assert to_labels(p.astype(float), threshold=0.7).labels.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_margin_holds_its_ends(dtype):
    """0.55 - 0.5 is a little more than 0.05 in floating point."""
    p = np.array([0.44, 0.45, 0.5, 0.55, 0.56], dtype)
    assert to_labels(p, margin=0.05).ambiguous.tolist() == [False, True, True, True, False]
    assert argmax(np.stack([p, 1 - p], axis=1), margin=0.1).ambiguous.tolist() == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_rounding_makes_no_probability_wrong():
    assert to_labels([1 + 2**-52, -(2**-53)]).labels.tolist() == [1, 0]
    assert to_labels(np.float32([1.0000001])).labels.tolist() == [1]


def test_labels_of_any_kind():
    assert to_labels([0.2, 0.8], labels=("well", "ill")).labels.tolist() == ["well", "ill"]
    assert to_labels([0.2, 0.8], labels=[False, True]).labels.dtype == bool
    assert to_labels([0.2, 0.8], labels=np.array([-1, 1])).labels.tolist() == [-1, 1]


def test_ambiguous_cases_get_the_label_that_is_asked_for():
    found = to_labels([0.2, 0.5, 0.9], ambiguous_label="look again")
    assert found.labels.tolist() == [0, "look again", 1]
    assert found.number == 1
    assert to_labels([0.2, 0.5, 0.9], ambiguous_label=0).labels.tolist() == [0, 0, 1]
    table = [[0.5, 0.5, 0], [0.2, 0.3, 0.5]]
    assert argmax(table, classes=["a", "b", "c"], ambiguous_label="").labels.tolist() == ["", "c"]


def test_ambiguous_cases_can_be_refused():
    assert to_labels([0.2, 0.9], ambiguous="raise").labels.tolist() == [0, 1]
    with refuses("ambiguous", "0.5", "row 1"):
        to_labels([0.2, 0.5, 0.9], ambiguous="raise")
    with refuses("ambiguous", "row 0"):
        argmax([[1, 1], [1, 2]], ambiguous="raise")


def test_argmax_by_hand():
    found = argmax([[0.2, 0.5, 0.3], [0.4, 0.2, 0.4], [0.3, 0.3, 0.4]])
    assert found.labels.tolist() == [1, 0, 2]
    assert found.ambiguous.tolist() == [False, True, False]
    assert (
        repr(found)
        == "Decisions(3 cases, 1 ambiguous: the two highest are equal, the first in row 1 (counted from 0))"
    )
    near = argmax([[0.2, 0.5, 0.3], [0.4, 0.2, 0.4], [0.3, 0.3, 0.4]], margin=0.1)
    assert near.ambiguous.tolist() == [False, True, True]
    assert "differ by 0.1 at most" in repr(near)


def test_argmax_takes_its_classes_from_a_frame():
    for frame in FRAMES:
        assert argmax(frame).labels.tolist() == ["b", "a"]
    assert argmax(FRAMES[0], classes=(7, 9)).labels.tolist() == [9, 7]


def test_infinite_scores_are_compared():
    scores = [
        [math.inf, 1],
        [-math.inf, 1],
        [math.inf, -math.inf],
        [math.inf, math.inf],
        [-math.inf, -math.inf],
        [1e308, -1e308],
    ]
    for margin in (0, 0.1):
        found = argmax(scores, margin=margin)
        assert found.labels.tolist() == [0, 1, 0, 0, 0, 0]
        assert found.ambiguous.tolist() == [False, False, False, True, True, False]


@given(st.lists(SHARE, min_size=1, max_size=30), SHARE, SHARE)
def test_two_columns_decide_as_one(p, threshold, margin):
    """What is not ambiguous is clearly on its side, and a wider margin only adds to what is."""
    found = to_labels(p, threshold=threshold, margin=margin)
    clear = ~found.ambiguous
    np.testing.assert_array_equal(found.labels, np.array(p) >= threshold)
    assert (np.abs(np.array(p) - threshold)[clear] > margin).all()
    assert (found.ambiguous >= to_labels(p, threshold=threshold).ambiguous).all()


@given(st.lists(st.tuples(ANY, ANY, ANY), min_size=1, max_size=10))
def test_argmax_of_scores_is_that_of_their_probabilities(rows):
    """But for scores so close that their probabilities are equal."""
    by_score, by_probability = argmax(rows), argmax(softmax(rows))
    sure = ~by_probability.ambiguous
    np.testing.assert_array_equal(by_score.labels[sure], by_probability.labels[sure])
    assert not (by_score.ambiguous & sure).any()


def test_decisions_cannot_be_set():
    with pytest.raises(AttributeError):
        to_labels([0.2]).labels = None
    assert isinstance(to_labels([0.2]), Decisions)


# What is refused
# ------------------------------------------------------------------------------------------------------

ONE = [(sigmoid, {}), (linear, {"low": 0, "high": 1}), (to_labels, {})]
BAD_COLUMNS = [
    (
        [0.1, math.nan, 0.2, None],
        "2 values are missing (NaN or null), the first in row 1 (counted from 0); leave out such rows.",
    ),
    (
        np.ma.masked_array([0.1, 0.2], [False, True]),
        "1 value is missing (NaN or null), the first in row 1 (counted from 0)",
    ),
    (pl.Series([0.1, None]), "1 value is missing (NaN or null), the first in row 1 (counted from 0)"),
    (["0.1", "high"], "'high' in row 1 (counted from 0) is not a number; only numbers can be converted."),
    (["0.1", "0.2"], "numbers written as text, as '0.1' in row 0 (counted from 0)"),
    (np.array([1j]), "1j in row 0 (counted from 0) is not a number"),
    (0.5, "one value per case is needed, not 0.5 (float)"),
    ("0.5", "one value per case is needed, not '0.5' (str)"),
    (np.ones((2, 2)), "not a table of shape (2, 2)"),
    (np.array(0.5), "not the single value 0.5"),
]


@for_each(("function", "given_"), ONE, ids=["sigmoid", "linear", "to_labels"])
@for_each(("column", "text"), BAD_COLUMNS, ids=[text[:20] for _, text in BAD_COLUMNS])
def test_columns_that_are_refused(function, given_, column, text):
    with pytest.raises(InputError) as refused:
        function(column, **given_)
    assert text in str(refused.value)


BAD_TABLES = [
    (
        [[0.1, math.nan], [0.2, 0.3]],
        (
            "(column '1'): 1 value is missing (NaN or null), the first in row 0 (counted from 0); leave out"
            " such rows."
        ),
    ),
    (
        pl.DataFrame({"a": [0.1, 0.2], "b": [0.3, None]}),
        "(column 'b'): 1 value is missing (NaN or null), the first in row 1 (counted from 0)",
    ),
    (pd.DataFrame({"a": [0.1], "b": ["x"]}), "(column 'b'): 'x' in row 0 (counted from 0) is not a number"),
    ([[0.1, 0.2], [0.3]], "a row of numbers per case is needed"),
    ([0.1, 0.2], "a row of numbers per case is needed"),
    (np.zeros((2, 2, 2)), "a row of numbers per case is needed"),
    (0.5, "a row of numbers per case is needed"),
    (pl.LazyFrame({"a": [0.1], "b": [0.2]}), "a row of numbers per case is needed"),
    ([[0.1], [0.2]], "a column per class is needed, two at least, not 1; a single"),
    (pd.DataFrame([[1, 2]], columns=["a", "a"]), "the column 'a' is named twice"),
]


@for_each("function", [softmax, argmax])
@for_each(("table", "text"), BAD_TABLES, ids=[text[:20] for _, text in BAD_TABLES])
def test_tables_that_are_refused(function, table, text):
    with pytest.raises(InputError) as refused:
        function(table)
    assert text in str(refused.value)


REFUSED = [
    (
        lambda: linear([0, 3, 2], low=0, high=2),
        "score: 3 in row 1 (counted from 0) lies outside 0 to 2; give the range that scores can have",
    ),
    (lambda: linear([math.inf], low=0, high=2), "score: inf in row 0 (counted from 0) lies outside 0 to 2"),
    (lambda: linear([1], low=2, high=2), "low, high: 2 and 2 span no range"),
    (lambda: linear([1], low=2, high=1), "low, high: 2 and 1 span no range"),
    (lambda: linear([1], low=-1e308, high=1e308), "low, high: -1e+308 and 1e+308 span no range"),
    (lambda: linear(np.float32([1]), low=0, high=1e308), "low, high: 0 and inf span no range"),
    (lambda: linear([1], low=math.nan, high=1), "low: nan is not possible"),
    (lambda: linear([1], low=0, high=math.inf), "high: inf is not possible"),
    (lambda: linear([1], low="0", high=1), "low: '0' is not possible"),
    (
        lambda: softmax([[1, 2], [math.inf, 2]]),
        "score: the highest in row 1 (counted from 0) is inf; give every case a finite score",
    ),
    (lambda: softmax([[-math.inf, -math.inf]]), "score: the highest in row 0 (counted from 0) is -inf"),
    (
        lambda: to_labels([0.1, 1.5]),
        "probability: 1.5 in row 1 (counted from 0) is not a probability; turn scores into "
        "probabilities first",
    ),
    (lambda: to_labels([-0.1]), "probability: -0.1 in row 0 (counted from 0) is not a probability"),
    (lambda: to_labels([0.1], threshold=1.5), "threshold: 1.5 is not possible; give a number from 0 to 1."),
    (lambda: to_labels([0.1], threshold=None), "threshold: None is not possible"),
    (lambda: to_labels([0.1], margin=-0.1), "margin: -0.1 is not possible"),
    (lambda: to_labels([0.1], labels=(1, 1)), "labels: [1, 1] are not 2 different labels"),
    (lambda: to_labels([0.1], labels=("a", "b", "c")), "labels: ['a', 'b', 'c'] are not 2 different labels"),
    (lambda: to_labels([0.1], labels="ab"), "labels: 'ab' is not a list of labels; give a list of them."),
    (lambda: to_labels([0.1], labels=3), "labels: 3 is not a list of labels"),
    (lambda: to_labels([0.1], ambiguous="rais"), "ambiguous: 'rais' is not known (did you mean 'raise'?)"),
    (
        lambda: argmax([[1, 2]], classes=["a"]),
        "classes: ['a'] are not 2 different labels; give one for each class.",
    ),
    (lambda: argmax([[1, 2]], margin=math.nan), "margin: nan is not possible"),
]


@for_each(("call", "text"), REFUSED, ids=[text for _, text in REFUSED])
def test_what_is_refused(call, text):
    with pytest.raises(InputError) as refused:
        call()
    assert text in str(refused.value)
