"""DeLong's covariance of several areas: against all pairs, another tool, and itself."""

import numpy as np
import pytest
from areas_of_scores import areas
from hypothesis import given
from hypothesis import strategies as st

from tallymark import RankingTable
from tallymark.inference.hypothesis.evidence import Normal
from tallymark.inference.intervals.delong import delong_variance

I = np.arange(90)  # noqa: E741
TRUTH = I * 7 % 11 < 5
SCORES = np.round(
    [np.sin(I * 1.3) + TRUTH * 0.9, np.cos(I * 2.1) + TRUTH * 0.6, np.sin(I * 0.7) + TRUTH * 0.5], 1
)


def by_all_pairs(positive, scores):
    """Each positive against each negative; the covariance of the means over the pairs."""
    wins = [
        (score[positive][:, None] > score[~positive]) + 0.5 * (score[positive][:, None] == score[~positive])
        for score in scores
    ]
    rows, columns = np.array([win.mean(1) for win in wins]), np.array([win.mean(0) for win in wins])
    covariance = np.cov(rows) / positive.sum() + np.cov(columns) / (~positive).sum()
    return np.array([win.mean() for win in wins]), covariance


@given(st.integers(0, 10**6), st.integers(0, 1))
def test_by_all_pairs(seed, digits):
    random = np.random.default_rng(seed)
    positive = np.arange(30) < random.integers(2, 28)
    scores = np.round(random.normal(size=(3, 30)) + positive, digits)
    found, (value, covariance) = areas(positive, scores), by_all_pairs(positive, scores)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.covariance == pytest.approx(covariance, abs=1e-12)


def test_another_tool():
    """MLstatkit 0.1.91, Delong_test(TRUTH, SCORES[0], SCORES[1], return_ci=True, return_auc=True); its z is
    that of B - A."""
    found = areas(TRUTH, SCORES)
    assert found.value[:2] == pytest.approx([0.7974116475858637, 0.7130413140866103], abs=1e-15)
    value, error = found.difference(0, 1)
    assert error**2 == pytest.approx(0.005264605174342801, rel=1e-12)
    known = Normal(value, error, "delong")
    assert value / error == pytest.approx(1.16280492530696, rel=1e-12)
    assert known.p_at(0.0) == pytest.approx(0.24490865838415388, rel=1e-12)


def test_its_diagonal_is_the_variance_of_one_area():
    found = areas(TRUTH, SCORES)
    alone = [delong_variance(RankingTable.from_arrays(truth=TRUTH, score=score)) for score in SCORES]
    assert np.diag(found.covariance) == pytest.approx(alone, rel=1e-12)


def test_the_area_of_a_weight_is_that_of_the_case_so_often_and_its_variance_is_linearised():
    weight = I % 4
    rows = np.repeat(I, weight)
    weighted = areas(TRUTH, SCORES, weight)
    assert weighted.value == pytest.approx(areas(TRUTH[rows], SCORES[:, rows]).value, rel=1e-12)
    table = RankingTable.from_arrays(truth=TRUTH, score=SCORES[0], weight=weight, weight_kind="importance")
    assert weighted.covariance[0, 0] == pytest.approx(delong_variance(table), rel=1e-12)


def test_any_rising_function_of_the_scores_gives_the_same():
    found, other = areas(TRUTH, SCORES), areas(TRUTH, np.exp(SCORES))
    assert (other.value == found.value).all()
    assert (other.covariance == found.covariance).all()


def test_all_areas_equal():
    """The chi-square of two is the square of z; a model that occurs twice adds no degree of freedom."""
    found = areas(TRUTH, SCORES)
    chi, df = found.overall()
    contrast = np.array([[1, -1, 0], [1, 0, -1]])
    off = contrast @ found.value
    assert (chi, df) == (
        pytest.approx(off @ np.linalg.inv(contrast @ found.covariance @ contrast.T) @ off, rel=1e-9),
        2,
    )
    two = areas(TRUTH, SCORES[:2])
    value, error = two.difference(1, 0)
    assert two.overall() == (pytest.approx((value / error) ** 2, rel=1e-9), 1)
    assert areas(TRUTH, SCORES[[0, 1, 0, 1]]).overall() == (pytest.approx((value / error) ** 2, rel=1e-9), 1)
    assert areas(TRUTH, SCORES[[2, 2]]).overall() == (0.0, 0)


def test_the_order_of_models_is_irrelevant():
    assert areas(TRUTH, SCORES[[2, 0, 1]]).overall()[0] == pytest.approx(
        areas(TRUTH, SCORES).overall()[0], rel=1e-9
    )


def test_one_case_in_a_class():
    found = areas(I < 1, SCORES)
    assert np.isnan(found.covariance).all()
    assert np.isnan(found.overall()[0])


# Groups
# --------------------------------------------------------------------------------------------------


def test_groups_of_one_case_are_cases():
    found = areas(TRUTH, SCORES, clusters=I[::-1].copy())
    assert found.covariance == pytest.approx(areas(TRUTH, SCORES).covariance, rel=1e-12)


def test_groups_by_obuchowskis_sums():
    """Her equations, group by group, as they are printed."""
    groups, positive = I % 13, TRUTH
    found = areas(positive, SCORES, clusters=groups)
    wins = [
        (s[positive][:, None] > s[~positive]) + 0.5 * (s[positive][:, None] == s[~positive])
        for s in SCORES[:2]
    ]
    m, n = positive.sum(), (~positive).sum()
    having = [len(set(groups[one])) for one in (positive, ~positive)]
    both = len(set(groups))
    theta = [win.mean() for win in wins]
    total = np.zeros((2, 2))
    for r in range(2):
        for s in range(2):
            s10 = s01 = s11 = s11_turned = 0.0
            for group in set(groups):
                inside = [groups[positive] == group, groups[~positive] == group]
                x = [
                    win.mean(1)[inside[0]].sum() - inside[0].sum() * t
                    for win, t in zip(wins, theta, strict=True)
                ]
                y = [
                    win.mean(0)[inside[1]].sum() - inside[1].sum() * t
                    for win, t in zip(wins, theta, strict=True)
                ]
                s10 += x[r] * x[s]
                s01 += y[r] * y[s]
                s11 += x[r] * y[s]
                s11_turned += x[s] * y[r]
            s10 *= having[0] / ((having[0] - 1) * m)
            s01 *= having[1] / ((having[1] - 1) * n)
            s11, s11_turned = (both / (both - 1) * part for part in (s11, s11_turned))
            total[r, s] = s10 / m + s01 / n + (s11 + s11_turned) / (m * n)
    assert found.covariance[:2, :2] == pytest.approx(total, rel=1e-12)


def test_cases_that_all_occur_twice_count_once():
    """Nearly: of g groups the variance has g / (g - 1) of each class for the n / (n - 1) of its cases."""
    rows = np.repeat(I, 2)
    found = areas(TRUTH[rows], SCORES[:, rows], clusters=rows)
    assert found.covariance == pytest.approx(areas(TRUTH, SCORES).covariance, rel=1e-12)


def test_one_group():
    assert np.isnan(areas(TRUTH, SCORES, clusters=np.zeros(90, int)).covariance).all()
