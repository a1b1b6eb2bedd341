"""The statistic, the degrees of freedom, the standard error and the covariance of a difference."""

import json
from math import isfinite, isnan, sqrt

import numpy as np
import pytest
from looping import for_each, in_part
from scipy import stats

from tallymark import compare, evaluate
from tallymark.inference import Estimate
from tallymark.inference.contrast import independent

RANDOM = np.random.default_rng(21)
N = 200
Y = (RANDOM.random(N) < 0.4).astype(int)
LATENT = RANDOM.normal(size=N) + 1.2 * Y
A, B, C = (np.round(1 / (1 + np.exp(0.5 - LATENT - s * RANDOM.normal(size=N))), 3) for s in (0.5, 1.5, 1.0))
SAME = {"truth": Y, "score": {"a": A, "b": B}, "threshold": 0.5, "replicates": 200}
NAMES = [
    "roc_auc",
    "average_precision",
    "brier_score",
    "accuracy",
    "sensitivity",
    "f1",
    "log_loss",
    "h_measure",
    "prevalence",
]
CASES = {
    "auto": SAME,
    "case-control": SAME | {"design": "case-control"},
    "delong": SAME | {"method": "delong"},
    "score": SAME | {"method": "score"},
    "bootstrap": SAME | {"method": "bootstrap"},
    "basic": SAME | {"method": "basic-bootstrap"},
    "permutation": SAME | {"method": "permutation"},
    "groups": SAME | {"clusters": np.arange(N) // 4},
    "weights": SAME | {"weight": RANDOM.gamma(2.0, 1.0, N)},
    "classes": {
        "truth": Y + (A > 0.6),
        "predicted": {"a": Y + (B > 0.6), "b": Y + (C > 0.5)},
        "replicates": 200,
    },
    "apart": {"truth": [Y, Y[20:]], "score": [A, B[20:]], "paired": False, "threshold": 0.5},
    "delong apart": {"truth": [Y, Y[20:]], "score": [A, B[20:]], "paired": False, "method": "delong"},
    "the same": SAME | {"score": {"a": A, "b": A}},
    "one positive": {"truth": [1] + [0] * 20, "score": {"a": A[:21], "b": B[:21]}, "threshold": 0.5},
}
TESTED = {"delong", "delong-clustered", "score", "score-by-class", "paired-mean", "paired-mean-clustered",
"paired-delta",
          "paired-delta-clustered", "delta", "mover"}  # fmt: skip


def compared(given):
    names = {} if given.get("method") in ("delong", "score") or "predicted" in given else {"measures": NAMES}
    return compare(**given, **names)


@in_part(6, ("fast", "full"))
@for_each("given", CASES.values(), ids=CASES)
def test_p_is_twice_the_tail_beyond_the_statistic(given):
    for one in compared(given).differences:
        if one.statistic is None:
            assert one.df is None
            assert one.test not in TESTED
            continue
        assert one.test in TESTED
        tail = stats.norm.sf(abs(one.statistic)) if one.df is None else stats.t.sf(abs(one.statistic), one.df)
        assert one.p_value == pytest.approx(2 * tail, rel=1e-9)
        assert one.statistic * one.value >= 0


@in_part(6, ("fast", "full"))
@for_each("given", CASES.values(), ids=CASES)
def test_a_standard_error_goes_with_an_interval_of_its_width(given):
    for one in compared(given).differences:
        error = one.standard_error
        assert error is None or (isfinite(error) and error > 0 and one.estimate.has_interval)
        if one.test.startswith("paired-delta"):
            assert one.low <= one.value <= one.high
            assert one.statistic * one.value >= 0
        elif one.test.startswith(("delong", "paired-mean")):
            t = stats.norm.isf(0.025) if one.df is None else stats.t.isf(0.025, one.df)
            assert (one.low, one.high) == pytest.approx(
                (one.value - t * error, one.value + t * error), rel=1e-9
            )
            assert one.statistic == pytest.approx(one.value / error, rel=1e-12)
        elif one.test in ("score", "score-by-class", "permutation", "identical", ""):
            assert error is None
        elif "bootstrap" in one.test:
            assert error == pytest.approx(np.std(one.evidence.replicates, ddof=1), rel=1e-12)


def test_delong_against_another_tool():
    """MLstatkit 0.1.91, Delong_test(TRUTH, SCORES[0], SCORES[1], return_ci=True, return_auc=True); its z is
    that of B - A."""
    i = np.arange(90)
    truth = i * 7 % 11 < 5
    first, second = np.round([np.sin(i * 1.3) + truth * 0.9, np.cos(i * 2.1) + truth * 0.6], 1)
    one = compare(truth=truth.astype(int), score={"b": second, "a": first}, method="delong")["roc_auc"]
    assert (one.model, one.reference, one.df) == ("a", "b", None)
    assert one.statistic == pytest.approx(1.16280492530696, rel=1e-12)
    assert one.standard_error**2 == pytest.approx(0.005264605174342801, rel=1e-12)
    assert one.p_value == pytest.approx(0.24490865838415388, rel=1e-12)
    (a, ab), (ba, b) = one.covariance
    assert (ab, a + b - 2 * ab) == pytest.approx((ba, one.standard_error**2), rel=1e-12)


def test_the_covariance_is_that_of_the_shares_of_pairs():
    """DeLong's, from each positive against each negative, with the model before the reference."""
    one = compare(**SAME)["roc_auc"]
    assert one.model == "b"
    wins = [(s[Y == 1][:, None] > s[Y == 0]) + 0.5 * (s[Y == 1][:, None] == s[Y == 0]) for s in (B, A)]
    of_positives, of_negatives = np.cov([win.mean(1) for win in wins]), np.cov([win.mean(0) for win in wins])
    wanted = of_positives / (Y == 1).sum() + of_negatives / (Y == 0).sum()
    np.testing.assert_allclose(one.covariance, wanted, rtol=1e-10)


def test_of_different_cases_the_variances_stand_alone():
    apart = compare(**CASES["delong apart"])["roc_auc"]
    (first, none), (also_none, second) = apart.covariance
    assert none == also_none == 0
    assert first == pytest.approx(
        evaluate(truth=Y[20:], score=B[20:])["roc_auc"].standard_error ** 2, rel=1e-12
    )
    assert second == pytest.approx(evaluate(truth=Y, score=A)["roc_auc"].standard_error ** 2, rel=1e-12)
    assert apart.standard_error == pytest.approx(sqrt(first + second), rel=1e-12)


def test_paired_means_have_the_statistic_of_the_paired_t_test():
    """scipy.stats.ttest_rel of the losses; the degrees of freedom are at most its n - 1."""
    one = compare(**SAME, measures="brier_score")["brier_score"]
    wanted = stats.ttest_rel((B - Y) ** 2, (A - Y) ** 2)
    assert one.statistic == pytest.approx(wanted.statistic, rel=1e-9)
    assert one.standard_error == pytest.approx(one.value / wanted.statistic, rel=1e-9)
    assert 1 < one.df <= N - 1
    assert one.covariance is None


def test_of_shares_the_square_is_mcnemars_chi_square():
    right = [(s >= 0.5) == Y for s in (B, A)]
    b, c = (right[0] & ~right[1]).sum(), (~right[0] & right[1]).sum()
    one = compare(**SAME, measures="accuracy", method="score")["accuracy"]
    assert one.statistic == pytest.approx((b - c) / sqrt(b + c), rel=1e-9)
    assert (one.df, one.standard_error) == (None, None)


def test_of_two_estimates_put_together_the_errors_add_in_squares():
    first, second = Estimate(0.8, 0.7, 0.9, standard_error=0.03), Estimate(0.6, 0.5, 0.7, standard_error=0.04)
    assert independent(first, second).standard_error == pytest.approx(0.05)
    assert independent(first, Estimate(0.6, 0.5, 0.7)).standard_error is None


def test_json_has_them():
    found = compare(**SAME, measures=["roc_auc", "accuracy"])
    area, share = json.loads(found.to_json())["differences"]
    one = found["roc_auc"]
    assert (area["statistic"], area["df"], area["standard_error"]) == (
        one.statistic,
        one.df,
        one.standard_error,
    )
    assert area["covariance"] == [list(row) for row in one.covariance]
    assert share["df"] <= N - 1
    assert share["standard_error"] > 0
    assert "covariance" not in share
    assert {"statistic", "df", "standard_error"} <= found.table[0].keys()
    assert found.table[0].keys() == found.table[1].keys()
    same = compare(**CASES["the same"], measures="roc_auc")["roc_auc"]
    assert (same.statistic, same.df, same.standard_error, same.covariance) == (None, None, None, None)
    assert not isnan(same.p_value)


def test_the_statistic_of_mover_is_on_the_side_of_0():
    """Not the value over the standard error, which leaves out that the interval is not symmetric."""
    found = compare(**CASES["apart"], measures=["brier_score", "log_loss"])
    seen = [one for one in found.differences if one.test == "mover" and one.standard_error]
    assert seen
    for one in seen:
        room = one.value - one.low if one.value > 0 else one.high - one.value
        assert one.statistic == pytest.approx(stats.norm.ppf(0.975) * one.value / room, rel=1e-9)
        assert one.statistic != pytest.approx(one.value / one.standard_error, rel=1e-9)
        assert (abs(one.statistic) > stats.norm.ppf(0.975)) == (not one.low <= 0 <= one.high)
