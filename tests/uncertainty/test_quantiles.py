"""Quantiles that need no SciPy, next to SciPy's."""

import numpy as np
import pytest
from scipy import special

from tallymark import kernels
from tallymark.inference.interval import (
    FEW_DEGREES,
    MANY_DEGREES,
    chi_square_tail,
    quantiles,
    student_quantile,
    student_quantiles,
    student_tail,
)
from tallymark.summaries.ranking import logit, sigmoid


@pytest.mark.parametrize(
    "df", [1.5, FEW_DEGREES, 3.7, 8.0, 30.0, 63.2, MANY_DEGREES - 1e-9, MANY_DEGREES, 317.3, 1e4, 1e9]
)
@pytest.mark.parametrize("level", [0.01, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999, 1 - 1e-9])
def test_quantiles_of_student(level, df):
    assert student_quantile(level, df) == pytest.approx(special.stdtrit(df, (1 + level) / 2), rel=1e-12)


@pytest.mark.parametrize("df", [1e30, 1e77, 1e155, 1e300, np.inf])
@pytest.mark.parametrize("level", [0.5, 0.95, 1 - 1e-9])
def test_of_any_number_of_degrees_of_freedom(level, df):
    z = special.ndtri((1 + level) / 2)
    with np.errstate(over="raise", invalid="raise"):
        assert student_quantile(level, df) == pytest.approx(z, rel=1e-8)
        assert student_quantiles(level, np.array([df])) == pytest.approx([z], rel=1e-8)
        assert student_tail(z, df) == pytest.approx((1 - level) / 2, rel=1e-6)


T = [0.0, 1e-3, 0.5, 1.0, 1.96, 3.0, 10.0, 40.0, np.inf]


@pytest.mark.parametrize("df", [1.0, 1.5, 4.0, 39.9, 40.1, 63.2, 1e3, 99_999.0, 100_001.0, 1e7])
def test_tails_of_student(df):
    assert student_tail(np.array(T), df) == pytest.approx(special.stdtr(df, -np.array(T)), rel=1e-12)
    assert student_tail(2.0, df) == pytest.approx(special.stdtr(df, -2.0), rel=1e-12)


@pytest.mark.parametrize("df", [1, 2, 3, 8, 9.5, 199, 300])
def test_tails_of_chi_square(df):
    for chi in (0.0, 1e-6, 0.1, 1.0, df / 2, df - 0.1, df + 1.9, df + 2.1, 3 * df, 300.0, np.inf):
        assert chi_square_tail(chi, df) == pytest.approx(special.chdtrc(df, chi), rel=1e-12, abs=1e-290)
    assert np.isnan(chi_square_tail(np.nan, df))


def test_the_normal_distribution():
    z = np.concatenate([np.linspace(-37, 9, 4001), [np.inf, -np.inf, np.nan]])
    assert kernels.normal_cdf(z) == pytest.approx(special.ndtr(z), rel=1e-12, nan_ok=True)
    assert kernels.normal_cdf(-1.0) == pytest.approx(special.ndtr(-1.0), rel=1e-15)


def test_quantiles_of_replicates():
    random = np.random.default_rng(0)
    values = random.normal(size=(4_999, 7)).round(2)
    values[:3, 1], values[:2_000, 2], values[5, 3], values[:, 4] = np.inf, -np.inf, np.nan, 1.0
    for sample in (values, values[:10], values[:1], values[:, 0]):
        for share in ([0.025, 0.975], [0.3, 0.5, 1.0], [0.0]):
            with np.errstate(invalid="ignore"):
                wanted = np.quantile(sample, share, axis=0)
            assert np.array_equal(quantiles(sample, np.array(share)), wanted, equal_nan=True)


def test_inverse_of_the_normal_distribution():
    share = np.concatenate([np.linspace(0.001, 0.999, 999), [0, 1, -1, 2, np.nan, 1e-300, 1e-12, 1 - 1e-12]])
    found = kernels.inverse_normal_cdf(share)
    assert found == pytest.approx(special.ndtri(share), rel=1e-13, abs=1e-15, nan_ok=True)


def test_sigmoid_and_logit():
    z = np.concatenate([np.linspace(-745, 745, 2001), [np.inf, -np.inf]])
    assert sigmoid(z) == pytest.approx(special.expit(z), rel=1e-15)
    share = np.concatenate([np.linspace(0, 1, 1001), [1e-300]])
    assert logit(share) == pytest.approx(special.logit(share), rel=1e-13, abs=1e-15)


def test_tails_at_the_ends_of_the_numbers():
    assert student_tail(1e160, 1.0) == pytest.approx(1 / (np.pi * 1e160))
    assert student_tail(1e-160, 1.0) == pytest.approx(0.5)
    assert student_tail(2.0, np.inf) == pytest.approx(special.ndtr(-2.0), rel=1e-12)
    assert student_tail(1e300, 1e6) == 0
    for none in (student_tail(2.0, 0.0), chi_square_tail(2.0, 0.0)):
        assert np.isnan(none)
