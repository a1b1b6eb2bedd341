"""Quantiles that need no SciPy, next to SciPy's."""

import numpy as np
import pytest
from scipy import special

from tallymark.inference.intervals.quantiles import (
    FEW_DEGREES,
    MANY_DEGREES,
    normal_quantiles,
    student_quantile,
)
from tallymark.summaries.logits import logit, sigmoid


@pytest.mark.parametrize(
    "df", [1.5, FEW_DEGREES, 3.7, 8.0, 30.0, 63.2, MANY_DEGREES - 1e-9, MANY_DEGREES, 317.3, 1e4, 1e9]
)
@pytest.mark.parametrize("level", [0.01, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999, 1 - 1e-9])
def test_quantiles_of_student(level, df):
    assert student_quantile(level, df) == pytest.approx(special.stdtrit(df, (1 + level) / 2), rel=1e-12)


def test_normal_quantiles():
    share = np.concatenate([np.linspace(0.001, 0.999, 999), [1e-12, 1 - 1e-12]])
    assert normal_quantiles(share) == pytest.approx(special.ndtri(share), rel=1e-13, abs=1e-15)


def test_sigmoid_and_logit():
    z = np.concatenate([np.linspace(-745, 745, 2001), [np.inf, -np.inf]])
    assert sigmoid(z) == pytest.approx(special.expit(z), rel=1e-15)
    share = np.concatenate([np.linspace(0, 1, 1001), [1e-300]])
    assert logit(share) == pytest.approx(special.logit(share), rel=1e-13, abs=1e-15)
