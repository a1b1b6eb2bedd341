"""Cases without a score: the closed form against the data set that it stands for, the best constant against a
search."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from strategies import SCORES, cases, weights

import tallymark
from tallymark import Counts, InputError, RankingTable, unscored
from tallymark.measures import roc_auc

SIXTHS = st.integers(0, 6)
ANY = (*SCORES, -2.5, 1e9, -math.inf, math.inf)
TRUTH, SCORE = [1, 1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.6, 0.3, 0.1]
FOUND = unscored(truth=TRUTH, score=SCORE, share=0.2)


def area(positives, negatives):
    """Over all pairs, a tie counting one half."""
    return np.mean([(p > n) + (p == n) / 2 for p in positives for n in negatives])


def extended(scores, sixths, constant):
    """The class with this many sixths of it, of all its cases, at the constant."""
    return [*np.repeat(scores, 6 - sixths), *[constant] * (sixths * len(scores))]


def constants(score):
    """At every score, between neighbours, beyond both ends, and at infinity."""
    finite = np.unique(score[np.isfinite(score)])
    ends = (finite[0] - 1, finite[-1] + 1) if len(finite) else (0.0,)
    return [*finite, *(finite[1:] + finite[:-1]) / 2, *ends, -math.inf, math.inf]


def both(scores=ANY, **how):
    return cases(scores=scores, both_classes=True, max_size=8, **how)


# The area
# --------------------------------------------------------------------------------------------------


@given(both(), SIXTHS, SIXTHS)
def test_it_is_the_area_of_the_extended_data(drawn, lost, false):
    truth, score = drawn
    found = unscored(truth=truth, score=score, of_positives=lost / 6, of_negatives=false / 6)
    for constant in constants(score):
        whole = area(
            extended(score[truth == 1], lost, constant), extended(score[truth == 0], false, constant)
        )
        assert found.at(constant) == pytest.approx(whole, abs=1e-12)


@given(both(), SIXTHS)
def test_one_share_is_that_of_either_class(drawn, sixths):
    truth, score = drawn
    one = unscored(truth=truth, score=score, share=sixths / 6)
    other = unscored(truth=truth, score=score, of_positives=sixths / 6, of_negatives=sixths / 6)
    assert (
        (one.of_positives, one.of_negatives)
        == (other.of_positives, other.of_negatives)
        == (sixths / 6, sixths / 6)
    )
    asked = np.array(constants(score))
    assert np.array_equal(one.at(asked), other.at(asked))


def test_by_hand():
    """8.5 of 9 pairs; above 0.5 lie 3 of 3 positives, and 1 of 3 negatives."""
    assert FOUND.at(0.5) == pytest.approx(0.64 * 8.5 / 9 + 0.16 * (1 + 2 / 3) + 0.02, rel=1e-14)
    assert FOUND.at(0.6) == pytest.approx(0.64 * 8.5 / 9 + 0.16 * (2.5 / 3 + 2.5 / 3) + 0.02, rel=1e-14)


def test_an_array_of_constants():
    asked = np.array([[0.5, 0.6], [-math.inf, math.inf]])
    assert FOUND.at(asked).tolist() == [
        [FOUND.at(0.5), FOUND.at(0.6)],
        [FOUND.at(-math.inf), FOUND.at(math.inf)],
    ]
    assert FOUND.at([0.5, 0.6]).tolist() == FOUND.at(asked[0]).tolist()
    assert type(FOUND.at(1)) is float


def test_no_share_is_the_plain_area():
    found = unscored(truth=TRUTH, score=SCORE, share=0)
    assert set(found.at([-math.inf, 0.1, 0.5, 0.6, math.inf]).tolist()) == {8.5 / 9}


def test_nobody_scored_is_a_constant_score():
    found = unscored(truth=TRUTH, score=SCORE, share=1)
    assert set(found.at([-math.inf, 0.1, 0.5, 0.6, math.inf]).tolist()) == {0.5}
    assert found.best[1] == 0.5


def test_one_class_without_scores():
    lost = unscored(truth=TRUTH, score=SCORE, of_positives=1, of_negatives=0)
    assert [lost.at(constant) for constant in (0.0, 0.5, 0.6, 1.0)] == pytest.approx([0, 2 / 3, 2.5 / 3, 1])
    false = unscored(truth=TRUTH, score=SCORE, of_positives=0, of_negatives=1)
    assert [false.at(constant) for constant in (0.0, 0.5, 0.6, 1.0)] == pytest.approx([1, 1, 2.5 / 3, 0])


def test_scores_in_single_precision():
    """A constant is compared as a score of their type, as a threshold is."""
    single = unscored(truth=[1, 0, 1], score=np.array([0.1, 0.05, 0.3], np.float32), share=0.5)
    double = unscored(truth=[1, 0, 1], score=[0.1, 0.05, 0.3], share=0.5)
    assert single.at(0.1) == pytest.approx(double.at(0.1))


# QuData's inequality
# --------------------------------------------------------------------------------------------------


@given(both(scores=(0.1, 0.25, 0.45, 0.6, 0.7, 0.9)), st.integers(1, 5))
def test_the_inequality_of_qudata(drawn, sixths):
    """Bad data at 0.5 are better than at 0 where most negatives lie below 0.5, and most positives above."""
    truth, score = drawn
    share = sixths / 6
    found = unscored(truth=truth, score=score, share=share)
    a, b, whole = (
        (score[truth == 0] < 0.5).mean(),
        (score[truth == 1] > 0.5).mean(),
        area(score[truth == 1], score[truth == 0]),
    )
    half, zero = ((1 - share) ** 2 * whole + share * (1 - share) * part + share**2 / 2 for part in (a + b, 1))
    assert found.at(0.5) == pytest.approx(half, abs=1e-12)
    assert found.at(0.0) == pytest.approx(zero, abs=1e-12)
    if a > 0.5 and b > 0.5:
        assert found.at(0.5) > found.at(0.0)


# The best constant
# --------------------------------------------------------------------------------------------------


@given(both(), SIXTHS, SIXTHS)
def test_no_constant_is_better_than_the_best(drawn, lost, false):
    truth, score = drawn
    found = unscored(truth=truth, score=score, of_positives=lost / 6, of_negatives=false / 6)
    constant, largest = found.best
    assert found.at(constant) == largest
    assert largest == pytest.approx(found.at(np.array(constants(score))).max(), abs=1e-12)


def test_the_best_lies_between_classes_that_are_apart():
    found = unscored(truth=[1, 1, 0, 0], score=[4.0, 3.0, 2.0, 1.0], share=0.2)
    constant, largest = found.best
    assert largest == pytest.approx(0.64 + 0.32 + 0.02)
    assert 2 < constant < 3


@pytest.mark.parametrize(("shares", "best"), [((0.5, 0), math.inf), ((0, 0.5), -math.inf)])
def test_missing_positives_belong_above_and_missing_negatives_below(shares, best):
    found = unscored(truth=[1, 0, 1, 0], score=[1, 4, 2, 3], of_positives=shares[0], of_negatives=shares[1])
    assert found.best[1] == found.at(best) == 0.5


# Weights
# --------------------------------------------------------------------------------------------------


@given(st.data(), SIXTHS)
def test_whole_weights_are_so_many_cases(data, sixths):
    truth, score = data.draw(both())
    weight = data.draw(weights(len(truth), (1, 2, 3)))
    one = unscored(truth=truth, score=score, weight=weight, share=sixths / 6)
    other = unscored(truth=truth.repeat(weight), score=score.repeat(weight), share=sixths / 6)
    asked = np.array(constants(score))
    assert np.array_equal(one.at(asked), other.at(asked))
    assert one.best == other.best


@given(st.data(), SIXTHS)
def test_weights(data, sixths):
    truth, score = data.draw(both())
    weight, share = data.draw(weights(len(truth))), sixths / 6
    found = unscored(truth=truth, score=score, weight=weight, share=share)
    for constant in constants(score):
        parts = [
            [(s, w * (1 - share)) for y, s, w in zip(truth, score, weight, strict=True) if y == k]
            for k in (1, 0)
        ]
        positives, negatives = (
            [*part, (constant, share * sum(weight[truth == k]))]
            for k, part in zip((1, 0), parts, strict=True)
        )
        won = sum(v * w * ((p > n) + (p == n) / 2) for p, v in positives for n, w in negatives)
        whole = weight[truth == 1].sum() * weight[truth == 0].sum()
        assert found.at(constant) == pytest.approx(won / whole, abs=1e-12)


# Ways in, and reading it
# --------------------------------------------------------------------------------------------------


def test_frames_summaries_and_labels():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y": ["b" if y else "a" for y in TRUTH], "p": SCORE})
    ways = [
        unscored(frame, truth="y", score="p", positive="b", share=0.2),
        unscored(RankingTable.from_arrays(truth=TRUTH, score=SCORE), share=0.2),
        unscored(truth=[*TRUTH, 1], score=[*SCORE, math.nan], missing="drop", share=0.2),
    ]
    for found in ways:
        assert (found.ranking, found.of_positives, found.best) == (FOUND.ranking, 0.2, FOUND.best)


@given(both())
def test_the_curve(drawn):
    truth, score = drawn
    found = unscored(truth=truth, score=score, share=0.3)
    curve = found.curve
    finite = np.unique(score[np.isfinite(score)])
    assert np.array_equal(curve.y, found.at(curve.x))
    assert (np.diff(curve.x) < 0).all()
    assert set(finite) <= set(curve.x.tolist())
    assert set(((finite[1:] + finite[:-1]) / 2).tolist()) <= set(curve.x.tolist())
    assert (curve.others["scored cases alone"] == roc_auc(found.ranking)).all()
    if finite.size and np.isfinite(found.best[0]):
        assert curve.y.max() == pytest.approx(found.best[1], abs=1e-12)


def test_the_curve_of_huge_scores():
    curve = unscored(truth=[1, 0], score=[1.7e308, 1.6e308], share=0.2).curve
    assert (np.diff(curve.x) < 0).all()


def test_the_curve_is_a_curve(tmp_path):
    FOUND.curve.save(tmp_path / "c.csv")
    head, *rows = (tmp_path / "c.csv").read_text(encoding="utf-8").splitlines()
    assert head == "threshold,score of the cases without one,roc_auc,scored cases alone"
    assert len(rows) == len(FOUND.curve)
    assert "<svg" in FOUND.curve._repr_svg_()


@for_each("scale", [1, 1e-7, 1e6, -1.2345e100, 12345.678])
@for_each("shares", [(0.2, 0.2), (0.0, 1.0), (1.0, 0.0), (1 / 3, 0.123456)])
def test_the_text(scale, shares):
    found = unscored(
        truth=TRUTH, score=np.array(SCORE) * scale, of_positives=shares[0], of_negatives=shares[1]
    )
    lines = str(found).splitlines()
    said = f"without a score: {shares[0]:.4g} of the positives, {shares[1]:.4g} of the negatives"
    assert said in lines
    assert max(map(len, lines)) <= 80
    values = [float(line.split()[-1]) for line in lines[-4:]]
    assert values == pytest.approx(
        [roc_auc(found.ranking), found.at(-math.inf), found.at(math.inf), found.best[1]], abs=6e-4
    )
    assert len({len(line) for line in lines[-4:]}) == 1, "the numbers stand below one another"


def test_it_is_public_and_frozen():
    assert tallymark.unscored is unscored
    assert "unscored" in tallymark.__all__
    with pytest.raises(AttributeError):
        FOUND.of_positives = 0


# What is refused
# --------------------------------------------------------------------------------------------------

CASES = {"truth": TRUTH, "score": SCORE}
BAD = {
    "no share": (CASES, "share: share= of_positives= of_negatives="),
    "one of two shares": ({**CASES, "of_positives": 0.1}, "share: both of_positives= of_negatives="),
    "share and shares": (
        {**CASES, "share": 0.1, "of_positives": 0.1, "of_negatives": 0.2},
        "share: share= or both",
    ),
    "share and one share": ({**CASES, "share": 0.1, "of_positives": 0.9}, "share: share= or both"),
    "beyond 1": ({**CASES, "share": 1.2}, "share: 1.2 from 0 to 1"),
    "in percent": ({**CASES, "of_positives": 20, "of_negatives": 0.1}, "of_positives: 20 from 0 to 1"),
    "negative": ({**CASES, "of_positives": 0.1, "of_negatives": -0.1}, "of_negatives: -0.1 from 0 to 1"),
    "NaN": ({**CASES, "share": math.nan}, "share: nan from 0 to 1"),
    "text": ({**CASES, "share": "0.2"}, "share: '0.2' number"),
    "True": ({**CASES, "share": True}, "share: True number"),
    "one class": ({"truth": [1, 1], "score": [0.1, 0.2], "share": 0.1}, "truth: one class"),
    "labels": ({"truth": [1, 0], "predicted": [1, 0], "share": 0.1}, "score: one score per case"),
    "counts": ({"counts": Counts(tp=1, fp=2, fn=3, tn=4), "share": 0.1}, "score: one score per case"),
    "three classes": (
        {"truth": [0, 1, 2], "score": np.eye(3), "share": 0.1},
        "score: an area needs two classes",
    ),
    "the other direction": (
        {**CASES, "higher_is_positive": False, "share": 0.1},
        "score: higher one means positive",
    ),
    "a missing score": (
        {"truth": [1, 0], "score": [0.1, math.nan], "share": 0.1},
        "score: 1 value missing row 1 missing='drop'",
    ),
    "nothing": ({"share": 0.1}, "score="),
    "lengths": ({"truth": [1, 0, 1], "score": [0.1, 0.2], "share": 0.1}, "truth 3 score 2"),
}


def sentence(refused):
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) < 200
    assert text.endswith(".")
    return text


@for_each(("given_", "parts"), BAD.values(), ids=BAD)
def test_bad_input(given_, parts):
    with pytest.raises(InputError) as refused:
        unscored(**given_)
    text = sentence(refused)
    for word in parts.split():
        assert word in text, text


@pytest.mark.parametrize("constant", [math.nan, [0.1, math.nan], "a", None, [[0.1], [0.2, 0.3]]])
def test_a_constant_that_is_no_number(constant):
    with pytest.raises(InputError) as refused:
        FOUND.at(constant)
    assert "constant" in sentence(refused)


@for_each("units", [{"clusters": [1, 1, 2, 2, 3, 3]}, {"persons": ([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 1])}])
def test_units_are_refused_since_the_areas_have_no_interval(units):
    with pytest.raises(InputError) as error:
        unscored(truth=TRUTH, score=SCORE, share=0.1, **units)
    assert error.value.argument in units
    assert "no interval" in str(error.value)
