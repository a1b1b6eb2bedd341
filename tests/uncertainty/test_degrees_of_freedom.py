"""Degrees of freedom of variances of which few cases may make up most, and the intervals of weighted cases by
them."""

import math

import numpy as np
import pytest
from looping import for_each
from scipy.stats import t

from tallymark import RankingTable, estimate, evaluate
from tallymark.inference import Settings
from tallymark.inference.degrees_of_freedom import degrees_of_freedom, few_deciding
from tallymark.inference.intervals.means import UNSEEN
from tallymark.measures.families.logistic import influence_values

RANDOM = np.random.default_rng(9)
N = 120
TRUTH = RANDOM.random(N) < 0.4
SCORE = 1 / (1 + np.exp(-(0.8 * TRUTH - 0.6 + RANDOM.normal(size=N))))
WEIGHT = RANDOM.lognormal(0, 0.7, N)
TABLE = RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=WEIGHT, weight_kind="importance")
CASE_CONTROL = Settings(design="case-control")


def by_definition(contributions):
    """2 V^2 over the estimated variance of V = sum d^2; contributions: of each class those of its cases."""
    squares = [np.asarray(part) ** 2 for part in contributions]
    total = sum(part.sum() for part in squares)
    return 2 * total**2 / sum(((part - part.mean()) ** 2).sum() for part in squares)


def test_by_definition():
    off = RANDOM.normal(size=N)
    assert degrees_of_freedom(off, np.ones(N)) == pytest.approx(by_definition([off]), rel=1e-12)
    assert degrees_of_freedom(off, WEIGHT, WEIGHT**2) == pytest.approx(
        by_definition([off * WEIGHT]), rel=1e-12
    )
    parts = [(off * WEIGHT)[TRUTH], (off * WEIGHT)[~TRUTH]]
    assert degrees_of_freedom(off, WEIGHT, WEIGHT**2, TRUTH) == pytest.approx(by_definition(parts), rel=1e-12)


def test_cases_of_one_weight_may_share_an_entry():
    off, number, weight = RANDOM.normal(size=20), RANDOM.integers(1, 6, 20), RANDOM.lognormal(size=20)
    rows = np.repeat(off * weight, number)
    assert degrees_of_freedom(off, number * weight, number * weight**2) == pytest.approx(
        by_definition([rows]), rel=1e-9
    )
    assert degrees_of_freedom(off, number) == pytest.approx(by_definition([np.repeat(off, number)]), rel=1e-9)


def test_units_and_entries_without_cases_change_nothing():
    off, plain = RANDOM.normal(size=N), by_definition([WEIGHT])
    assert degrees_of_freedom(np.ones(N), WEIGHT, WEIGHT**2) == pytest.approx(plain, rel=1e-9)
    one = degrees_of_freedom(off, WEIGHT, WEIGHT**2)
    assert degrees_of_freedom(1e90 * off, 20 * WEIGHT, 400 * WEIGHT**2) == pytest.approx(one, rel=1e-9)
    more = [np.append(part, 0.0) for part in (WEIGHT, WEIGHT**2)]
    assert degrees_of_freedom(np.append(off, 1e9), *more) == pytest.approx(one, rel=1e-12)


def test_as_many_as_normal_cases_and_two_of_one_case():
    assert degrees_of_freedom(
        np.random.default_rng(0).normal(size=100_000), np.ones(100_000)
    ) == pytest.approx(1e5, rel=0.03)
    assert degrees_of_freedom(np.r_[1e6, np.ones(999)], np.ones(1000)) == pytest.approx(2, rel=0.01)
    assert degrees_of_freedom(np.tile([1.0, -1.0], 9), np.ones(18)) == math.inf
    assert few_deciding(29.9).text == "approximate: about 30 cases decide"
    assert few_deciding(30.0) is None


@for_each("design", ("cohort", "case-control"))
def test_a_mean_of_weighted_losses_has_students_t(design):
    loss = (SCORE - TRUTH) ** 2
    mean = np.average(loss, weights=WEIGHT)
    off = loss - mean
    if design == "case-control":
        off = off - np.where(TRUTH, *(np.average(off[c], weights=WEIGHT[c]) for c in (TRUTH, ~TRUTH)))
    pulls = WEIGHT * off
    classes = [TRUTH, ~TRUTH] if design == "case-control" else [np.ones(N, bool)]
    size = [WEIGHT[c].sum() ** 2 / (WEIGHT[c] ** 2).sum() for c in classes]
    error = (
        math.sqrt(sum((pulls[c] ** 2).sum() * k / (k - 1) for c, k in zip(classes, size, strict=True)))
        / WEIGHT.sum()
    )
    step = t.ppf(0.975, by_definition([pulls[c] for c in classes])) * error / (mean * (1 - mean))
    found = estimate("brier_score", TABLE, Settings(design=design))
    assert math.log(found.high / (1 - found.high)) == pytest.approx(
        math.log(mean / (1 - mean)) + step, rel=1e-9
    )
    assert found.method == "mean-logit-t"


def test_the_area_of_weighted_cases_has_students_t():
    wins = (SCORE[TRUTH][:, None] > SCORE[~TRUTH]).astype(float)
    w, v = WEIGHT[TRUTH], WEIGHT[~TRUTH]
    area = float(w @ wins @ v) / w.sum() / v.sum()
    parts = [w / w.sum() * (wins @ v / v.sum() - area), v / v.sum() * (w @ wins / w.sum() - area)]
    size = [one.sum() ** 2 / (one**2).sum() for one in (w, v)]
    error = math.sqrt(sum((part**2).sum() * k / (k - 1) for part, k in zip(parts, size, strict=True)))
    step = t.ppf(0.975, by_definition(parts)) * error / (area * (1 - area))
    found = estimate("roc_auc", TABLE)
    assert math.log(found.high / (1 - found.high)) == pytest.approx(
        math.log(area / (1 - area)) + step, rel=1e-9
    )
    assert found.method == "delong-logit-t"


@for_each("name", ("calibration_slope", "calibration_intercept", "calibration_in_the_large"))
def test_influence_values_of_a_line_are_its_slopes_in_the_weights(name):
    order = np.argsort(-SCORE)
    positive, negative = (np.where(TRUTH[order] == c, WEIGHT[order], 0.0) for c in (True, False))
    values = influence_values(RankingTable(SCORE[order], positive, negative), name)

    def at(case, step):
        more = np.zeros(N)
        more[case] = step
        sides = (positive + more, negative) if TRUTH[order][case] else (positive, negative + more)
        return estimate(name, RankingTable(SCORE[order], *sides)).value

    slopes = [(at(case, 1e-4) - at(case, -1e-4)) / 2e-4 for case in range(0, N, 17)]
    found = np.where(TRUTH[order], *values)[::17]
    np.testing.assert_allclose(found, slopes, rtol=1e-4, atol=1e-9)


def test_of_unweighted_cases_only_unbounded_losses_have_students_t():
    found = evaluate(truth=TRUTH, score=SCORE)
    assert found["log_loss"].method == "mean-log-t"
    assert found["brier_score"].method == "mean-logit"
    assert found["roc_auc"].method == "delong-logit"
    assert found["calibration_slope"].method == "fisher-information"


def test_a_few_heavy_cases_decide_and_that_is_said():
    truth = np.arange(400) % 2 == 0
    score = 1 / (1 + np.exp(-(truth + np.random.default_rng(3).normal(size=400))))
    heavy = truth & (score <= np.sort(score[truth])[5])  # positives that were predicted negative
    found = evaluate(truth=truth, score=score, weight=np.where(heavy, 10.0, 1.0), weight_kind="importance")
    assert found.data.effective_rows > 60
    for name in ("roc_auc", "log_loss", "calibration_slope"):
        assert "cases decide" in found[name].note
    light = evaluate(truth=truth, score=score, weight=np.where(heavy, 1.5, 1.0), weight_kind="importance")
    assert "cases decide" not in (light["roc_auc"].note or "")


def test_heavy_cases_of_a_class_may_be_missing_and_that_is_said():
    truth = np.arange(1000) % 2 == 0
    score = 1 / (1 + np.exp(-(truth + np.random.default_rng(3).normal(size=1000))))
    weight = np.where(~truth & (score < 0.5), 3.0, 1.0)  # of the negatives alone
    found = evaluate(truth=truth, score=score, weight=weight, weight_kind="importance")
    assert found["roc_auc"].note == UNSEEN.text
    assert UNSEEN.text in found["brier_score"].note
    both = evaluate(
        truth=truth, score=score, weight=np.where(score < 0.5, 3.0, 1.0), weight_kind="importance"
    )
    assert UNSEEN.text not in (both["roc_auc"].note or "")
