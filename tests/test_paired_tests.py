"""McNemar's tests and Cochran's Q."""

import json
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from refusals import refuses
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar as of_statsmodels

import tallymark as tm
from tallymark import InputError
from tallymark.inference.hypothesis import FORMS, cochran_q_of_right, mcnemar_of_counts

# R 4.2.2: binom.test(b, b + c), mcnemar.test(correct=FALSE) and mcnemar.test(correct=TRUE)
BY_R = {
    (5, 10): (
        0.30175781250000006,
        1.6666666666666667,
        0.19670560245894694,
        1.0666666666666667,
        0.30169958247834794,
    ),
    (12, 15): (
        0.7011080384254461,
        0.3333333333333333,
        0.563702861650773,
        0.14814814814814814,
        0.7003113729368903,
    ),
    (115, 208): (
        2.5591184465028e-07,
        26.777089783281735,
        2.2832830667622148e-07,
        26.204334365325078,
        3.071323873304581e-07,
    ),
    (5, 0): (0.0625, 5, 0.025347318677468304, 3.2, 0.07363827012030277),
    (20, 30): (0.20263875106454096, 2, 0.15729920705028447, 1.62, 0.20309178757716792),
    (7, 0): (0.015625000000000007, 7, 0.008150971593502702, 5.142857142857143, 0.023342202012890875),
    (0, 12): (0.0004882812500000001, 12, 0.0005320055051392497, 10.083333333333334, 0.0014961642897455515),
    (1, 1): (1, 0, 1, 0, 1),
    (4321, 2345): (
        3.3564376605779795e-131,
        585.7449744974498,
        2.110777038315683e-129,
        585.1522652265227,
        2.8403158649609297e-129,
    ),
}
numbers = st.integers(0, 60)


@pytest.mark.parametrize(("discordant", "wanted"), BY_R.items())
def test_mcnemar_by_r(discordant, wanted):
    exact, chi, p, corrected_chi, corrected = wanted
    assert mcnemar_of_counts(*discordant, "exact").p_value == pytest.approx(exact, rel=1e-9)
    plain = mcnemar_of_counts(*discordant, "chi-square")
    assert (plain.statistic, plain.p_value) == pytest.approx((chi, p), rel=1e-9)
    found = mcnemar_of_counts(*discordant, "corrected")
    assert (found.statistic, found.p_value) == pytest.approx((corrected_chi, corrected), rel=1e-9)


@given(numbers, numbers)
def test_mcnemar_by_statsmodels(b, c):
    """But for its chi-square without discordant cases, and its corrected one where b = c."""
    table = [[3, b], [c, 3]]
    assert mcnemar_of_counts(b, c, "exact").p_value == pytest.approx(of_statsmodels(table).pvalue, rel=1e-9)
    if b + c:
        plain = of_statsmodels(table, exact=False, correction=False)
        assert mcnemar_of_counts(b, c, "chi-square").p_value == pytest.approx(plain.pvalue, rel=1e-9)
    if b != c:
        corrected = of_statsmodels(table, exact=False, correction=True)
        assert mcnemar_of_counts(b, c, "corrected").p_value == pytest.approx(corrected.pvalue, rel=1e-9)


@given(numbers, numbers)
def test_mid_p_by_summing_the_binomial(b, c):
    wanted = 2 * stats.binom.cdf(min(b, c), b + c, 0.5) - stats.binom.pmf(min(b, c), b + c, 0.5)
    assert mcnemar_of_counts(b, c).p_value == pytest.approx(min(wanted, 1.0), abs=1e-12)
    assert mcnemar_of_counts(b, c).p_value <= mcnemar_of_counts(b, c, "exact").p_value


@pytest.mark.parametrize("form", FORMS)
def test_without_discordant_cases_p_is_1(form):
    found = mcnemar_of_counts(0, 0, form)
    assert (found.p_value, found.statistic) == (1.0, 0.0)
    assert "no case" in found.note
    assert mcnemar_of_counts(7, 7, form).p_value == pytest.approx(1.0)


@pytest.mark.parametrize("form", FORMS)
@given(b=numbers, c=numbers)
def test_which_model_is_first_is_irrelevant(form, b, c):
    assert mcnemar_of_counts(b, c, form).p_value == mcnemar_of_counts(c, b, form).p_value


def test_few_discordant_cases_are_said():
    assert "only 9 cases" in mcnemar_of_counts(2, 7, "chi-square").note
    assert mcnemar_of_counts(3, 7, "chi-square").note is None
    assert mcnemar_of_counts(2, 7).note is None


def test_numbers_must_be_whole():
    with refuses("invalid-value", "first_only", "2.5"):
        mcnemar_of_counts(2.5, 3)
    with refuses("unknown-name", "'exact'", argument="method"):
        mcnemar_of_counts(2, 3, "exakt")


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_cochran_by_statsmodels(seed, k):
    right = np.random.default_rng(seed).random((k, 25)) < 0.6
    found = cochran_q_of_right(right)
    if (right.sum(0) % k == 0).all():
        assert found.p_value == 1.0
        return
    other = cochrans_q(right.T.astype(int))
    assert (found.statistic, found.p_value, found.df) == (
        pytest.approx(other.statistic, rel=1e-9),
        pytest.approx(other.pvalue),
        k - 1,
    )


def test_cochran_of_two_models_is_mcnemar():
    right = np.random.default_rng(3).random((2, 200)) < [[0.6], [0.7]]
    b, c = int((right[0] & ~right[1]).sum()), int((~right[0] & right[1]).sum())
    assert cochran_q_of_right(right).statistic == pytest.approx(
        mcnemar_of_counts(b, c, "chi-square").statistic, rel=1e-12
    )
    assert cochran_q_of_right(right).p_value == pytest.approx(
        mcnemar_of_counts(b, c, "chi-square").p_value, rel=1e-9
    )


def test_cochran_of_models_that_coincide():
    right = np.array([[True, False, True]] * 3)
    assert cochran_q_of_right(right).p_value == 1.0
    assert "right and wrong on the same cases" in cochran_q_of_right(right).note
    with refuses("wrong-shape", argument="right"):
        cochran_q_of_right(right[:1])


# From cases
# ---------------------------------------------------------------------------------------------------------

RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.integers(0, 3, 150)
THREE = [np.where(RANDOM.random(150) < share, TRUTH, RANDOM.integers(0, 3, 150)) for share in (0.8, 0.6, 0.5)]
RIGHT = np.array([one == TRUTH for one in THREE])
FIRST, SECOND = int((RIGHT[0] & ~RIGHT[1]).sum()), int((~RIGHT[0] & RIGHT[1]).sum())
FRAME = pd.DataFrame({"y": TRUTH, "a": THREE[0], "b": THREE[1], "c": THREE[2]})


@pytest.mark.parametrize("form", FORMS)
def test_mcnemar_from_cases_a_table_and_two_numbers_is_the_same(form):
    both, neither = int((RIGHT[0] & RIGHT[1]).sum()), int((~RIGHT[0] & ~RIGHT[1]).sum())
    table = [[both, FIRST], [SECOND, neither]]
    found = tm.mcnemar(truth=TRUTH, predicted=THREE[:2], method=form)
    assert (found.first_only, found.second_only, found.method) == (FIRST, SECOND, form)
    for other in (
        tm.mcnemar(table=table, method=form),
        tm.mcnemar(table=pd.DataFrame(table), method=form),
        tm.mcnemar(first_only=FIRST, second_only=SECOND, method=form),
        tm.mcnemar(truth=TRUTH, predicted={"a": THREE[0], "b": THREE[1]}, method=form),
        tm.mcnemar(truth=TRUTH, predicted=np.transpose(THREE[:2]), method=form),
        tm.mcnemar(FRAME, truth="y", predicted=["a", "b"], method=form),
    ):
        assert other == found
    if form != "mid-p":
        theirs = of_statsmodels(np.array(table), exact=form == "exact", correction=form == "corrected")
        assert (found.statistic, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
        assert found.df == (None if form == "exact" else 1)


def test_exact_is_the_binomial_test_of_scipy():
    assert tm.mcnemar(first_only=3, second_only=11, method="exact").p_value == pytest.approx(
        stats.binomtest(3, 14).pvalue, rel=1e-12
    )


def test_text_labels_need_no_positive_one():
    names = np.array(["yes", "no", "perhaps"])
    assert tm.mcnemar(truth=names[TRUTH], predicted=[names[one] for one in THREE[:2]]) == tm.mcnemar(
        truth=TRUTH, predicted=THREE[:2]
    )
    assert tm.mcnemar(truth=["x", "y"] * 10, predicted=[["x", "x"] * 10, ["y", "y"] * 10]).first_only == 10


def test_cochrans_q_from_cases():
    found, theirs = tm.cochran_q(truth=TRUTH, predicted=THREE), cochrans_q(RIGHT.T.astype(int))
    assert (found.statistic, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    assert (found.df, found.right) == (2, tuple(RIGHT.sum(1)))
    assert found.discordant == (RIGHT.any(0) & ~RIGHT.all(0)).sum()
    assert tm.cochran_q(FRAME, truth="y", predicted=["a", "b", "c"]) == found
    two = tm.cochran_q(truth=TRUTH, predicted=THREE[:2])
    assert two.statistic == pytest.approx(
        tm.mcnemar(first_only=FIRST, second_only=SECOND, method="chi-square").statistic, rel=1e-12
    )


def test_compare_has_the_same_results():
    tests = {
        one.name: one for one in tm.compare(truth=TRUTH, predicted=dict(zip("abc", THREE, strict=True))).tests
    }
    found, alone = (
        tests["mcnemar mid-p, accuracy: b - a"],
        tm.mcnemar(truth=TRUTH, predicted=[THREE[1], THREE[0]]),
    )
    assert found.to_dict() == alone.to_dict() | {"name": found.name}
    together, q = tests["cochran q, accuracy"], tm.cochran_q(truth=TRUTH, predicted=THREE)
    assert (together.p_value, together.discordant) == (q.p_value, q.discordant)


def test_cases_that_lack_a_label_are_refused_or_left_out_for_all():
    gap = [None, *THREE[1].tolist()[1:]]
    with refuses("missing-value", "row 0", argument="predicted model 2"):
        tm.mcnemar(truth=TRUTH, predicted=[THREE[0], gap])
    found = tm.mcnemar(truth=TRUTH, predicted=[THREE[0], gap], missing="drop")
    assert found == tm.mcnemar(truth=TRUTH[1:], predicted=[THREE[0][1:], THREE[1][1:]])


REFUSED = {
    "no cases are given": {},
    "several forms": {"table": [[1, 2], [3, 4]], "first_only": 3},
    "truth: counts cannot be combined": {"table": [[1, 2], [3, 4]], "truth": TRUTH},
    "data: counts cannot be combined": {"data": FRAME, "first_only": 3, "second_only": 4},
    "second_only: both numbers": {"first_only": 3},
    r"table: give \[\[both right, first only\]": {"table": [1, 2]},
    "table: give": {"table": [[1, 2], [3]]},
    "table, second only: -3": {"table": [[1, 2], [-3, 4]]},
    r"table, neither: 2\.5": {"table": [[1, 2], [3, 2.5]]},
    "truth: the actual labels": {"predicted": THREE[:2]},
    "3 models are given, and two are needed": {"truth": TRUTH, "predicted": THREE},
    "1 model is given": {"truth": TRUTH, "predicted": THREE[:1]},
    "look like scores; give labels": {"truth": TRUTH, "predicted": [THREE[0], np.linspace(0, 1, 150)]},
    "predicted second: these fractional numbers look like scores": {
        "truth": TRUTH,
        "predicted": {"first": THREE[0], "second": np.where(TRUTH, 0.8, 0.2)},
    },
    "holds text": {"truth": TRUTH, "predicted": [THREE[0], ["a"] * 150]},
    "has 149": {"truth": TRUTH, "predicted": [THREE[0], THREE[1][1:]]},
    "here it is called truth": {"y_true": TRUTH, "predicted": THREE[:2]},
    "so that they cannot be swapped": {"data": TRUTH.tolist(), "truth": TRUTH, "predicted": THREE[:2]},
}


@pytest.mark.parametrize(("message", "given_"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_tested_is_refused(message, given_):
    with pytest.raises(InputError, match=message):
        tm.mcnemar(**given_)


def test_cochrans_q_needs_two_models():
    with refuses("needed", argument="predicted"):
        tm.cochran_q(truth=TRUTH, predicted=THREE[:1])


def test_results_are_frozen_and_written_as_strict_json():
    for found in (tm.mcnemar(first_only=3, second_only=11), tm.cochran_q(truth=TRUTH, predicted=THREE)):
        assert json.loads(found.to_json()) == found.to_dict()
        assert pickle.loads(pickle.dumps(found)) == found
        assert repr(found).startswith(f"<{type(found).__name__}: name ")
        with pytest.raises(FrozenInstanceError):
            found.p_value = 0.0
    keys = {"name", "statistic", "p_value", "df", "note", "method", "first_only", "second_only", "notes"}
    assert tm.mcnemar(first_only=3, second_only=11).to_dict().keys() == keys


@pytest.mark.parametrize("method", ["exact", "mid-p"])
@pytest.mark.parametrize("pairs", [10**9, 2**33, 2**50])
def test_mcnemar_of_very_many_cases_is_the_normal_test(pairs, method):
    """With so many discordant cases the binomial distribution is normal."""
    apart = int(2 * pairs**0.5)
    first, second = (pairs + apart) // 2, (pairs - apart) // 2
    by_normal = tm.mcnemar(first_only=first, second_only=second, method="chi-square").p_value
    assert tm.mcnemar(first_only=first, second_only=second, method=method).p_value == pytest.approx(
        by_normal, rel=1e-3
    )
