"""Degrees of freedom of variances of which few cases may make up most, and the intervals of weighted cases by
them."""

import math

import numpy as np
import pytest
from looping import for_each
from scipy.stats import t

from tallymark import RankingTable, estimate, evaluate
from tallymark.inference import Settings, influence
from tallymark.inference.covariance import Sampling, covariance, of_sums, sampling_of
from tallymark.measures.registry import get

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


def degrees_of_freedom(values, weight, squares, stratum=None):
    """Those of the variance of the mean of values about 0, which add up to 0 in each class with `stratum`."""
    classes = np.zeros(len(values), int) if stratum is None else stratum.astype(int)
    sampling = Sampling(weight, squares, classes, fixed=stratum is not None)
    return covariance(values[None], sampling)[1][0]


def centred(values, weight, classes=None):
    parts = [np.ones(len(values), bool)] if classes is None else [classes, ~classes]
    off = values.copy()
    for part in parts:
        off[part] -= np.average(off[part], weights=weight[part])
    return off


def test_by_definition():
    ones, value = np.ones(N), RANDOM.normal(size=N)
    off = centred(value, ones)
    assert degrees_of_freedom(off, ones, ones) == pytest.approx(by_definition([off]), rel=1e-9)
    off = centred(value, WEIGHT, TRUTH)
    size = [c.sum() for c in (TRUTH, ~TRUTH)]
    squares = [((off * WEIGHT)[c] ** 2) * k / (k - 1) for c, k in zip((TRUTH, ~TRUTH), size, strict=True)]
    total = sum(part.sum() for part in squares)
    expected = 2 / (sum((part**2).sum() for part in squares) / total**2 - 1 / N)
    assert degrees_of_freedom(off, WEIGHT, WEIGHT**2, TRUTH) == pytest.approx(expected, rel=1e-9)


def test_cases_of_one_weight_may_share_a_cell():
    value, number, weight = RANDOM.normal(size=20), RANDOM.integers(1, 6, 20), RANDOM.lognormal(size=20)
    rows = np.repeat(weight, number)
    apart = degrees_of_freedom(np.repeat(value, number), rows, rows**2)
    assert degrees_of_freedom(value, number * weight, number * weight**2) == pytest.approx(apart, rel=1e-9)


def test_units_and_cells_without_cases_change_nothing():
    value = RANDOM.normal(size=N)
    one = degrees_of_freedom(value, WEIGHT, WEIGHT**2)
    assert degrees_of_freedom(1e70 * value, 20 * WEIGHT, 400 * WEIGHT**2) == pytest.approx(one, rel=1e-9)
    more = [np.append(part, 0.0) for part in (WEIGHT, WEIGHT**2)]
    assert degrees_of_freedom(np.append(value, 1e9), *more) == pytest.approx(one, rel=1e-9)


def test_as_many_as_normal_cases_and_two_of_one_case():
    ones = np.ones(100_000)
    assert degrees_of_freedom(np.random.default_rng(0).normal(size=100_000), ones, ones) == pytest.approx(
        1e5, rel=0.03
    )
    assert degrees_of_freedom(np.r_[1e6, np.ones(999)], ones[:1000], ones[:1000]) == pytest.approx(
        2, rel=0.01
    )
    assert degrees_of_freedom(np.tile([1.0, -1.0], 9), ones[:18], ones[:18]) > 1e6


@for_each("fixed", (False, True))
def test_sums_of_powers_over_a_table_give_the_same_as_its_cells(fixed):
    values = RANDOM.normal(size=(2, len(TABLE)))
    ((variance,),), (df,) = covariance(values.reshape(1, -1), sampling_of(TABLE, fixed))
    assert of_sums(influence.sums_of_table(values, TABLE), fixed) == pytest.approx(
        (math.sqrt(variance), df), rel=1e-9
    )


@for_each("design", ("cohort", "case-control"))
def test_a_mean_of_weighted_losses_has_students_t(design):
    loss = (SCORE - TRUTH) ** 2
    mean = np.average(loss, weights=WEIGHT)
    off = loss - mean
    if design == "case-control":
        off = off - np.where(TRUTH, *(np.average(off[c], weights=WEIGHT[c]) for c in (TRUTH, ~TRUTH)))
    pulls = WEIGHT * off
    classes = [TRUTH, ~TRUTH] if design == "case-control" else [np.ones(N, bool)]
    size = [c.sum() for c in classes]
    error = (
        math.sqrt(sum((pulls[c] ** 2).sum() * k / (k - 1) for c, k in zip(classes, size, strict=True)))
        / WEIGHT.sum()
    )
    squares = [pulls[c] ** 2 * k / (k - 1) for c, k in zip(classes, size, strict=True)]
    fourth = sum((part**2).sum() for part in squares) / sum(part.sum() for part in squares) ** 2
    df = 2 / (fourth - 1 / sum(size))
    step = t.ppf(0.975, df) * error / (mean * (1 - mean))
    found = estimate("brier_score", TABLE, Settings(design=design))
    assert math.log(found.high / (1 - found.high)) == pytest.approx(
        math.log(mean / (1 - mean)) + step, rel=1e-9
    )
    assert found.method == "delta-logit-t"


def test_the_area_of_weighted_cases_has_students_t():
    wins = (SCORE[TRUTH][:, None] > SCORE[~TRUTH]).astype(float)
    w, v = WEIGHT[TRUTH], WEIGHT[~TRUTH]
    area = float(w @ wins @ v) / w.sum() / v.sum()
    parts = [w / w.sum() * (wins @ v / v.sum() - area), v / v.sum() * (w @ wins / w.sum() - area)]
    size = [len(one) for one in (w, v)]
    error = math.sqrt(sum((part**2).sum() * k / (k - 1) for part, k in zip(parts, size, strict=True)))
    squares = [part**2 * k / (k - 1) for part, k in zip(parts, size, strict=True)]
    fourth = sum((part**2).sum() for part in squares) / sum(part.sum() for part in squares) ** 2
    step = t.ppf(0.975, 2 / (fourth - 1 / sum(size))) * error / (area * (1 - area))
    found = estimate("roc_auc", TABLE)
    assert math.log(found.high / (1 - found.high)) == pytest.approx(
        math.log(area / (1 - area)) + step, rel=1e-9
    )
    assert found.method == "delong-logit-t"


@for_each("name", ("calibration_slope", "calibration_intercept", "calibration_in_the_large"))
def test_influence_values_of_a_line_are_its_slopes_in_the_weights(name):
    order = np.argsort(-SCORE)
    positive, negative = (np.where(TRUTH[order] == c, WEIGHT[order], 0.0) for c in (True, False))
    table, entry = RankingTable(SCORE[order], positive, negative), get(name, RankingTable)
    values = influence.of_table(entry, entry.function, {}, table) / table.total

    def at(case, step):
        more = np.zeros(N)
        more[case] = step
        sides = (positive + more, negative) if TRUTH[order][case] else (positive, negative + more)
        return estimate(name, RankingTable(SCORE[order], *sides)).value

    slopes = [(at(case, 1e-4) - at(case, -1e-4)) / 2e-4 for case in range(0, N, 17)]
    found = np.where(TRUTH[order], *values)[::17]
    np.testing.assert_allclose(found, slopes, rtol=1e-4, atol=1e-9)


def test_means_and_lines_have_students_t_and_areas_of_equal_weights_do_not():
    found = evaluate(truth=TRUTH, score=SCORE)
    assert found["log_loss"].method == "delta-log-t"
    assert found["brier_score"].method == "delta-logit-t"
    assert found["roc_auc"].method == "delong-logit"
    assert found["calibration_slope"].method == "delta-t"


def test_a_few_heavy_cases_decide_and_that_is_said():
    truth = np.arange(400) % 2 == 0
    score = 1 / (1 + np.exp(-(truth + np.random.default_rng(3).normal(size=400))))
    heavy = truth & (score <= np.sort(score[truth])[5])  # positives that were predicted negative
    found = evaluate(truth=truth, score=score, weight=np.where(heavy, 10.0, 1.0), weight_kind="importance")
    assert found.data.effective_rows > 60
    for name in ("roc_auc", "log_loss", "calibration_slope"):
        assert narrow(found[name]), name
    light = evaluate(truth=truth, score=score, weight=np.where(heavy, 1.5, 1.0), weight_kind="importance")
    assert not narrow(light["roc_auc"])


def test_heavy_cases_of_a_class_may_be_missing_and_that_is_said():
    truth = np.arange(1000) % 2 == 0
    score = 1 / (1 + np.exp(-(truth + np.random.default_rng(3).normal(size=1000))))
    weight = np.where(~truth & (score < 0.5), 3.0, 1.0)  # of the negatives alone
    found = evaluate(truth=truth, score=score, weight=weight, weight_kind="importance")
    assert narrow(found["roc_auc"])
    assert narrow(found["brier_score"])
    both = evaluate(
        truth=truth, score=score, weight=np.where(score < 0.5, 3.0, 1.0), weight_kind="importance"
    )
    assert not narrow(both["roc_auc"])


def test_few_degrees_of_freedom_alone_have_no_note_as_students_t_allows_for_them():
    found = evaluate(truth=TRUTH, score=SCORE, clusters=np.arange(len(TRUTH)) % 5)
    assert not narrow(found["log_loss"])


def narrow(found):
    """Whether it has the note that it may be too narrow."""
    return "few-deciding" in {note.code for note in found.notes}
