"""The standard error of an estimate: the standard deviation of its value over samples, whatever the scale of
the interval."""

import json
import math
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from scipy.special import expit, ndtri, softmax

import tallymark as tm
from tallymark import (
    ClassScores,
    ConfusionMatrix,
    Counts,
    Estimate,
    IndicatorTable,
    RankingTable,
    Residuals,
    Settings,
    estimate,
)
from tallymark.inference.interval import deviation, error_of_function
from tallymark.measures.registry import all_measures, get

SIZE, SAMPLES = 1_000, 400
# The standard deviation of so many samples has a standard error of 3.5 %; four of these, and what one
# sample's own estimate varies.
FAR = 4 / math.sqrt(2 * SAMPLES) + 0.06
Z = ndtri(0.975)
WITHOUT = {
    "wilson", "newcombe", "inverted-bootstrap", "score-test", "isotonic", "exact", "noncentral-chi-square",
    "delong-score", "bayesian-bootstrap with halves", "order-statistics",
}  # methods that use none  # fmt: skip


def ranking(random, sizes=None):
    truth = random.random(SIZE) < 0.4 if sizes is None else np.arange(SIZE) < sizes
    score = expit(0.9 * (2 * truth - 1) + random.normal(size=SIZE))
    return RankingTable.from_arrays(truth=truth.astype(int), score=np.round(score, 3))


FOUR = np.array([0.3, 0.1, 0.1, 0.5])
NINE = np.array([[0.25, 0.05, 0.02], [0.06, 0.2, 0.08], [0.03, 0.07, 0.24]])


def counts(random):
    return Counts.of(*map(float, random.multinomial(SIZE, FOUR)))


def matrix(random):
    return ConfusionMatrix((0, 1, 2), random.multinomial(SIZE, NINE.ravel()).reshape(3, 3).astype(float))


def class_scores(random):
    truth = random.integers(0, 3, SIZE)
    return ClassScores.from_arrays(
        truth=truth, score=softmax(1.2 * np.eye(3)[truth] + random.normal(size=(SIZE, 3)), axis=1)
    )


def indicators(random):
    truth = (random.random((SIZE, 3)) < [0.3, 0.5, 0.4]).astype(int)
    return IndicatorTable.from_arrays(
        truth=truth, predicted=np.where(random.random((SIZE, 3)) < 0.2, 1 - truth, truth)
    )


def residuals(random):
    truth = random.gamma(2.0, 1.0, SIZE)
    return Residuals.from_arrays(truth=truth, predicted=truth * random.lognormal(0.0, 0.3, SIZE))


DRAWN = {
    RankingTable: ranking, Counts: counts, ConfusionMatrix: matrix, ClassScores: class_scores,
    IndicatorTable: indicators, Residuals: residuals,
}  # fmt: skip
EVERY = [entry for entry in all_measures() if entry.interval is not None]


@cache
def summary_of(kind):
    """A sample; of cells what is expected, since errors of ratios rise with the value that a sample has."""
    if kind is Counts:
        return Counts.of(*(SIZE * FOUR).tolist())
    if kind is ConfusionMatrix:
        return ConfusionMatrix((0, 1, 2), SIZE * NINE)
    return DRAWN[kind](np.random.default_rng(11))


@cache
def spread(entry, draw):
    random = np.random.default_rng(12)
    values = [float(entry.function(draw(random))) for _ in range(SAMPLES)]
    return float(np.std(values, ddof=1))


def measured():
    """Every measure that has a standard error on its summary."""
    found = [
        (entry, estimate(entry, summary_of(entry.summary)))
        for entry in EVERY
        if entry.scores not in ("llr", "margin")
    ]
    return [(entry, one) for entry, one in found if one.has_interval]


@pytest.mark.full
def test_a_standard_error_is_there_where_the_method_uses_one():
    wrong = [
        (entry.name, one.method)
        for entry, one in measured()
        if (one.standard_error is None) != (one.method in WITHOUT)
    ]
    assert not wrong
    assert len([one for _, one in measured() if one.standard_error]) > 50


def well_known():
    """Those with a standard error, of which so many cases decide that it is well known."""
    found = [(entry, one) for entry, one in measured() if one.standard_error is not None]
    few = [entry.name for entry, one in found if "cases decide" in (one.note or "")]
    # by its default, 0.01
    assert few == ["fmr_at_fnmr"]
    return [(entry, one) for entry, one in found if entry.name not in few]


@pytest.mark.slow
def test_it_is_the_standard_deviation_over_samples():
    """Every measure of the registry, against new samples of the same population, in the unit of the
    measure."""
    ratios = {
        (e.name, e.summary.__name__): one.standard_error / spread(e, DRAWN[e.summary])
        for e, one in well_known()
    }
    assert len(ratios) > 50
    assert not {name: ratio for name, ratio in ratios.items() if abs(ratio - 1) > FAR}


@pytest.mark.full
def test_the_interval_of_a_large_sample_is_as_wide_as_it_says():
    """z standard errors to either side, but for the skewness of the scale."""
    ratios = {
        (entry.name, one.method): (one.high - one.low) / (2 * Z * one.standard_error)
        for entry, one in well_known()
    }
    assert not {name: ratio for name, ratio in ratios.items() if not 0.93 < ratio < 1.07}


@pytest.mark.full
def test_where_class_sizes_are_fixed_it_is_that_over_samples_of_these_sizes():
    draw = partial(ranking, sizes=400)
    table = draw(np.random.default_rng(11))
    for name in (
        "roc_auc",
        "brier_score",
        "average_lift",
        "discrimination_slope",
        "average_gain",
        "calibration_slope",
    ):
        entry = get(name, RankingTable)
        found = estimate(entry, table, Settings(design="case-control"))
        assert found.standard_error == pytest.approx(spread(entry, draw), rel=FAR), name


def test_of_a_function_of_a_measure_by_the_delta_method():
    table, cells = summary_of(RankingTable), summary_of(Counts)
    area, square, odds = (estimate(name, table if name != "diagnostic_odds_ratio" else cells).standard_error
                          for name in ("roc_auc", "brier_score", "diagnostic_odds_ratio"))  # fmt: skip
    assert estimate("gini", table).standard_error == pytest.approx(2 * area, rel=1e-9)
    root = estimate("root_mean_squared_error", table)
    assert root.standard_error == pytest.approx(square / (2 * root.value), rel=1e-5)
    ratio = estimate("diagnostic_odds_ratio", cells).value
    assert estimate("yule_q", cells).standard_error == pytest.approx(2 * odds / (1 + ratio) ** 2, rel=1e-5)
    assert odds == pytest.approx(
        ratio * math.sqrt(sum(1 / n for n in (cells.tp, cells.fp, cells.fn, cells.tn))), rel=1e-12
    )
    assert float(error_of_function(np.exp, 0.0, 0.1)) == pytest.approx(0.1, rel=1e-6)


def test_of_walds_interval_and_no_other_of_a_proportion():
    cells = Counts(tp=30, fp=4, fn=10, tn=40)
    wald = estimate("sensitivity", cells, Settings(proportion="wald"))
    assert wald.standard_error == pytest.approx(math.sqrt(0.75 * 0.25 / 40), rel=1e-12)
    assert wald.high - wald.value == pytest.approx(Z * wald.standard_error, rel=1e-12)
    for method in ("wilson", "clopper-pearson", "jeffreys", "agresti-coull"):
        assert estimate("sensitivity", cells, Settings(proportion=method)).standard_error is None


def test_halves_leave_none_since_they_are_those_of_another_value():
    """But for the corrected odds ratio, whose value has them, too."""
    cells = Counts(tp=30, fp=0, fn=10, tn=40)
    assert estimate("diagnostic_odds_ratio", cells).standard_error is None
    found = estimate("corrected_odds_ratio", cells)
    assert found.standard_error == pytest.approx(
        found.value * math.sqrt(1 / 30.5 + 2 + 1 / 10.5 + 1 / 40.5), rel=1e-12
    )


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "studentised"])
def test_of_a_bootstrap_the_standard_deviation_of_the_replicates(method):
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 200)
    found = tm.bootstrap(
        truth=truth, score=truth + random.normal(size=200), measures="roc_auc", replicates=300, method=method
    )
    assert found["roc_auc"].standard_error == pytest.approx(
        float(np.std(found.replicates("roc_auc"), ddof=1)), rel=1e-12
    )


def test_the_deviation_of_replicates_leaves_out_those_that_are_undefined():
    values = np.random.default_rng(1).normal(5.0, 2.0, (50, 3))
    assert [deviation(one) for one in values.T] == pytest.approx(np.std(values, axis=0, ddof=1), rel=1e-12)
    values[::3, 0], values[4, 1], values[1:, 2] = np.nan, np.inf, np.nan
    found = np.array([deviation(one) for one in values.T])
    assert found[0] == pytest.approx(np.nanstd(values[:, 0], ddof=1), rel=1e-12)
    assert np.isnan(found[1:]).all()


def in_groups(random):
    truth, group = random.integers(0, 2, (150, 1)), np.repeat(np.arange(150), 4)
    score = truth + random.normal(size=(150, 1)) + 0.5 * random.normal(size=(150, 4))
    return {
        "truth": np.repeat(truth.ravel(), 4),
        "score": np.round(expit(score.ravel() - 0.5), 3),
        "clusters": group,
    }


@pytest.mark.full
def test_of_groups_the_standard_deviation_over_samples_of_groups():
    """Several times that of independent cases."""
    random, names = np.random.default_rng(6), ("roc_auc", "brier_score", "sensitivity", "equal_error_rate")
    values = {name: [] for name in names}
    for _ in range(SAMPLES):
        cases = in_groups(random)
        table = RankingTable.from_arrays(truth=cases["truth"], score=cases["score"])
        for name in names:
            entry = get(name)
            values[name].append(
                float(entry.function(table.counts_at(0.5) if entry.summary is Counts else table))
            )
    found = tm.evaluate(**in_groups(np.random.default_rng(5)))
    for name in names:
        assert found[name].standard_error == pytest.approx(np.std(values[name], ddof=1), rel=FAR), name


@pytest.mark.full
def test_the_scale_of_importance_weights_is_irrelevant():
    random = np.random.default_rng(8)
    truth, score, weight = (
        random.integers(0, 2, 300),
        np.round(random.random(300), 2),
        random.gamma(2.0, 1.0, 300),
    )
    one, other = (tm.evaluate(truth=truth, score=score, weight=weight * factor) for factor in (1.0, 1000.0))
    errors = [
        [one[name].standard_error, other[name].standard_error]
        for name in one
        if one[name].standard_error is not None
    ]
    assert len(errors) > 40
    np.testing.assert_allclose(*np.transpose(errors), rtol=1e-6)


def test_averages_over_classes_and_each_class():
    ev = tm.evaluate(truth=np.tile([0, 1, 2], 60), predicted=np.tile([0, 1, 2, 0, 1, 1, 2, 1, 2], 20))
    found = ev.averages["macro"]["matthews_correlation"]
    assert found.standard_error == pytest.approx((found.high - found.low) / (2 * Z), rel=0.05)
    assert ev.classes[2]["f_beta"].standard_error > 0
    assert ev.classes[0]["sensitivity"].standard_error is None


def test_without_an_interval_there_is_none():
    """As of cases of one cluster."""
    truth, predicted = np.tile([0, 1, 2], 60), np.tile([0, 1, 2, 0, 1, 1, 2, 1, 2], 20)
    ev, several = (
        tm.evaluate(truth=truth, predicted=predicted, clusters=np.arange(180) // size) for size in (180, 4)
    )
    found = [ev.classes[2]["f_beta"], ev.averages["macro"]["matthews_correlation"], ev["cohen_kappa"]]
    assert [(one.has_interval, one.standard_error) for one in found] == [(False, None)] * 3
    assert several["cohen_kappa"].standard_error > 0


def test_at_another_prevalence():
    found = tm.at_prevalence(Counts(tp=400, fp=100, fn=100, tn=900), prevalence=0.1)["cohen_kappa"]
    assert found.standard_error == pytest.approx((found.high - found.low) / (2 * Z), rel=0.05)


def test_at_a_chosen_threshold_it_is_that_of_the_corrected_value():
    random = np.random.default_rng(9)
    truth = random.integers(0, 2, 400)
    found = tm.evaluate(truth=truth, score=truth + random.normal(size=400), rule="youden")[
        "matthews_correlation"
    ]
    assert found.corrected < found.value
    assert found.standard_error == pytest.approx((found.high - found.low) / (2 * Z), rel=0.05)


def test_the_threshold_that_the_counts_were_taken_at():
    truth, score = [0, 0, 1, 1, 1], [0.1, 0.6, 0.4, 0.7, 0.9]
    ev = tm.evaluate(truth=truth, score=score, threshold=0.65)
    assert ev["sensitivity"].threshold == 0.65
    assert ev.at(0.3)["sensitivity"].threshold == 0.3
    assert ev["roc_auc"].threshold is None
    assert tm.evaluate(truth=truth, predicted=[0, 1, 1, 1, 1])["sensitivity"].threshold is None
    turned = tm.evaluate(truth=truth, score=[-s for s in score], threshold=-0.65, higher_is_positive=False)
    assert turned["sensitivity"].threshold == -0.65


@pytest.mark.parametrize("threshold", [np.inf, -np.inf])
def test_an_infinite_threshold_is_null_in_json_and_the_note_says_which(threshold):
    ev = tm.evaluate(truth=[0, 0, 1, 1, 0], score=[0.1, 0.4, 0.6, 0.8, 0.9], threshold=threshold)
    found = ev["sensitivity"].to_dict()
    assert found["threshold"] is None
    assert found["note"].endswith(f"infinite: threshold ({threshold})")
    assert "threshold" not in (ev["roc_auc"].to_dict()["note"] or "")


def test_json_has_all_fields():
    found = Estimate(0.5, 0.4, 0.6, method="delta", standard_error=0.05, threshold=0.25)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (plain["standard_error"], plain["threshold"]) == (0.05, 0.25)
    assert "bounds" not in plain
    assert replace(found, bounds=(0.49, 0.51)).to_dict()["bounds"] == [0.49, 0.51]
    assert Estimate(0.5, threshold=math.inf).to_dict()["threshold"] is None
    assert Estimate(0.5).to_dict()["standard_error"] is None
    with pytest.raises(AttributeError):
        found.standard_error = 1.0
