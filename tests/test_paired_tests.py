"""McNemar's tests and Cochran's Q."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels

from tallymark import InputError
from tallymark.paired_tests import FORMS, cochran_q, mcnemar

# R 4.2.2: binom.test(b, b + c), mcnemar.test(correct=FALSE) and mcnemar.test(correct=TRUE)
BY_R = {
    (5, 10): (0.30175781250000006, 1.6666666666666667, 0.19670560245894694, 1.0666666666666667, 0.30169958247834794),
    (12, 15): (0.7011080384254461, 0.3333333333333333, 0.563702861650773, 0.14814814814814814, 0.7003113729368903),
    (115, 208): (2.5591184465028e-07, 26.777089783281735, 2.2832830667622148e-07, 26.204334365325078, 3.071323873304581e-07),
    (5, 0): (0.0625, 5, 0.025347318677468304, 3.2, 0.07363827012030277),
    (20, 30): (0.20263875106454096, 2, 0.15729920705028447, 1.62, 0.20309178757716792),
    (7, 0): (0.015625000000000007, 7, 0.008150971593502702, 5.142857142857143, 0.023342202012890875),
    (0, 12): (0.0004882812500000001, 12, 0.0005320055051392497, 10.083333333333334, 0.0014961642897455515),
    (1, 1): (1, 0, 1, 0, 1),
    (4321, 2345): (3.3564376605779795e-131, 585.7449744974498, 2.110777038315683e-129, 585.1522652265227, 2.8403158649609297e-129),
}
numbers = st.integers(0, 60)


@pytest.mark.parametrize(("discordant", "wanted"), BY_R.items())
def test_mcnemar_by_r(discordant, wanted):
    exact, chi, p, corrected_chi, corrected = wanted
    assert mcnemar(*discordant, "exact").p_value == pytest.approx(exact, rel=1e-9)
    assert (mcnemar(*discordant, "chi-square").statistic, mcnemar(*discordant, "chi-square").p_value) == pytest.approx(
        (chi, p), rel=1e-9
    )
    found = mcnemar(*discordant, "corrected")
    assert (found.statistic, found.p_value) == pytest.approx((corrected_chi, corrected), rel=1e-9)


@given(numbers, numbers)
def test_mcnemar_by_statsmodels(b, c):
    """But for its chi-square without discordant cases, and its corrected one where b = c."""
    table = [[3, b], [c, 3]]
    assert mcnemar(b, c, "exact").p_value == pytest.approx(of_statsmodels(table).pvalue, rel=1e-9)
    if b + c:
        plain = of_statsmodels(table, exact=False, correction=False)
        assert mcnemar(b, c, "chi-square").p_value == pytest.approx(plain.pvalue, rel=1e-9)
    if b != c:
        corrected = of_statsmodels(table, exact=False, correction=True)
        assert mcnemar(b, c, "corrected").p_value == pytest.approx(corrected.pvalue, rel=1e-9)


@given(numbers, numbers)
def test_mid_p_by_summing_the_binomial(b, c):
    wanted = 2 * stats.binom.cdf(min(b, c), b + c, 0.5) - stats.binom.pmf(min(b, c), b + c, 0.5)
    assert mcnemar(b, c).p_value == pytest.approx(min(wanted, 1.0), abs=1e-12)
    assert mcnemar(b, c).p_value <= mcnemar(b, c, "exact").p_value


@pytest.mark.parametrize("form", FORMS)
def test_without_discordant_cases_p_is_1(form):
    found = mcnemar(0, 0, form)
    assert (found.p_value, found.statistic) == (1.0, 0.0)
    assert "no case" in found.note
    assert mcnemar(7, 7, form).p_value == pytest.approx(1.0)


@pytest.mark.parametrize("form", FORMS)
@given(b=numbers, c=numbers)
def test_which_model_is_first_is_irrelevant(form, b, c):
    assert mcnemar(b, c, form).p_value == mcnemar(c, b, form).p_value


def test_few_discordant_cases_are_said():
    assert "only 9 cases" in mcnemar(2, 7, "chi-square").note
    assert mcnemar(3, 7, "chi-square").note is None
    assert mcnemar(2, 7).note is None


def test_numbers_must_be_whole():
    with pytest.raises(InputError, match=r"first_only: 2\.5 is not possible; give a whole number"):
        mcnemar(2.5, 3)
    with pytest.raises(InputError, match="did you mean 'exact'"):
        mcnemar(2, 3, "exakt")


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_cochran_by_statsmodels(seed, k):
    right = np.random.default_rng(seed).random((k, 25)) < 0.6
    found = cochran_q(right)
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
    assert cochran_q(right).statistic == pytest.approx(mcnemar(b, c, "chi-square").statistic, rel=1e-12)
    assert cochran_q(right).p_value == pytest.approx(mcnemar(b, c, "chi-square").p_value, rel=1e-9)


def test_cochran_of_models_that_coincide():
    right = np.array([[True, False, True]] * 3)
    assert cochran_q(right).p_value == 1.0
    assert "right and wrong on the same cases" in cochran_q(right).note
    with pytest.raises(InputError, match="of two models or more"):
        cochran_q(right[:1])
