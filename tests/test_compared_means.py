"""Differences of means over the same cases: the variance is that of the differences, over all cases or class
by class."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from looping import for_each
from scipy import stats

import tallymark as tm
from tallymark import compare
from tallymark.inference import influence
from tallymark.inference.contrast import Discordant, Permuted, Resampled
from tallymark.inference.covariance import Sampling, covariance
from tallymark.measures import registry
from tallymark.summaries import Counts, RankingTable
from tallymark.summaries.samples import ScoredCases

QUICK = {"replicates": 100}
RANDOM = np.random.default_rng(11)
N = 400
Y = (RANDOM.random(N) < 0.3).astype(int)
LOW, HIGH = 0.25 + 0.02 * RANDOM.normal(size=N), 0.35 + 0.02 * RANDOM.normal(size=N)
SCORES = {"a": LOW, "b": HIGH}
CASE_CONTROL = {"design": "case-control"}


def losses():
    return (HIGH - Y) ** 2 - (LOW - Y) ** 2


def test_a_cohort_has_the_variance_of_the_differences():
    """Student's t of pairs; of a case-control sample the classes apart, which here tells models apart that
    are as good."""
    found = compare(truth=Y, score=SCORES, measures="brier_score")["brier_score"]
    wanted = stats.ttest_1samp(losses(), 0.0)
    assert found.p_value == pytest.approx(wanted.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(wanted.confidence_interval(0.95)))
    assert found.test == found.estimate.method == "paired-mean"
    fixed = compare(truth=Y, score=SCORES, measures="brier_score", **CASE_CONTROL)["brier_score"]
    parts = [losses()[c == Y] for c in (0, 1)]
    error = np.sqrt(sum(len(part) * part.var(ddof=1) for part in parts)) / N
    assert (fixed.high - fixed.low) / 2 == pytest.approx(1.97 * error, rel=0.01)
    assert fixed.p_value < 1e-4 < 0.01 < found.p_value


def test_what_the_class_sizes_condition_says_so():
    asked = {"measures": ["brier_score", "roc_auc", "accuracy", "sensitivity"], "threshold": 0.3, **QUICK}
    found = compare(truth=Y, score=SCORES, **asked, **CASE_CONTROL)
    notes = {one.measure: "given this class mix" in (one.estimate.note or "") for one in found.differences}
    assert notes == {"brier_score": True, "roc_auc": False, "accuracy": True, "sensitivity": False}
    assert (found.design, found.to_dict()["design"]) == ("case-control", "case-control")
    assert "Design: case-control" in str(found)
    cohort = compare(truth=Y, score=SCORES, **asked)
    assert (cohort.design, "given this class mix" in str(cohort)) == ("cohort", False)
    assert "Design: cohort" in str(cohort)
    grouped = compare(truth=Y, score=SCORES, clusters=np.arange(N) // 4, **asked, **CASE_CONTROL)
    assert "given this class mix" in grouped.differences[0].estimate.note


def test_different_cases_have_the_intervals_of_the_design():
    asked = {
        "truth": [Y[:150], Y[150:]],
        "score": [LOW[:150], HIGH[150:]],
        "paired": False,
        "measures": "brier_score",
    }
    kept = compare(**asked, **CASE_CONTROL)
    assert {one.settings.design for one in kept.evaluations.values()} == {"case-control"}
    assert "given this class mix" in kept["brier_score"].estimate.note


def test_weights():
    """Count weights are cases; the scale of importance weights has no effect; their squares make the
    variance."""
    times = RANDOM.integers(1, 4, N)
    found = compare(truth=Y, score=SCORES, weight=times, weight_kind="count", measures="brier_score")[
        "brier_score"
    ]
    wanted = stats.ttest_1samp(np.repeat(losses(), times), 0.0)
    assert found.p_value == pytest.approx(wanted.pvalue)
    weight = 0.1 + RANDOM.random(N)
    one, other = (
        compare(truth=Y, score=SCORES, weight=k * weight, measures="brier_score")["brier_score"]
        for k in (1, 17.3)
    )
    assert (one.low, one.high, one.p_value) == pytest.approx((other.low, other.high, other.p_value))
    mean = np.average(losses(), weights=weight)
    cases = weight.sum() ** 2 / (weight**2).sum()
    error = np.sqrt(N / (N - 1) * (weight**2 * (losses() - mean) ** 2).sum()) / weight.sum()
    assert one.df <= cases - 1
    assert one.high - one.low == pytest.approx(2 * error * stats.t.ppf(0.975, one.df))


def test_groups_count_by_their_sums():
    clusters = np.arange(N) // 8
    found = compare(truth=Y, score=SCORES, clusters=clusters, measures="brier_score")["brier_score"]
    sums = np.bincount(clusters, losses() - losses().mean())
    error = np.sqrt(50 / 49 * (sums**2).sum()) / N
    assert found.standard_error == pytest.approx(error, rel=0.01)  # a cluster left out, as by the jackknife
    assert found.high - found.low == pytest.approx(2 * found.standard_error * stats.t.ppf(0.975, found.df))
    assert found.estimate.method == "paired-mean-clustered"


def cases_of(weight=None):
    random = np.random.default_rng(3)
    positive = random.random(60) < 0.4
    score = np.round(np.clip(0.4 + 0.2 * positive + 0.2 * random.normal(size=60), 0.02, 0.98), 2)
    return ScoredCases(positive, score, weight)


def slopes(function, weight):
    """Numerically, by a little more and a little less of each case."""
    moved = np.eye(60) * 1e-5
    return (
        np.array([(function(weight + row) - function(weight - row)) / 2e-5 for row in moved]) * weight.sum()
    )


MEASURED = [e for e in registry.find(RankingTable) if influence.closed(e) and (e.loss or "pre" in e.name)]


@pytest.mark.full
@for_each("weighted", [False, True])
@for_each("entry", MEASURED, ids=[entry.name for entry in MEASURED])
def test_influence_values_are_the_slopes_of_the_measure(entry, weighted):
    weight = 0.1 + np.random.default_rng(4).random(60) if weighted else np.ones(60)

    def value(weight):
        return float(entry.function(cases_of(weight).table, **entry.defaults))

    cases, given = cases_of(weight if weighted else None), dict(entry.defaults)
    values = influence.of_table(entry, partial(entry.function, **given), given, cases.table)
    found = np.where(cases.positive, values[0][cases.place], values[1][cases.place])
    # derivatives of the loss by the proportion of positives are numerical: off by 7e-5 at most
    if entry.name != "mean_precision":
        assert found == pytest.approx(slopes(value, weight), abs=1e-4)
        return
    # with a case that is alone at its score, a threshold goes, whatever its weight
    table, more = cases.table, found - slopes(value, weight)
    alone = np.bincount(cases.place)[cases.place] == 1
    tp, seen = np.cumsum(table.positive), np.cumsum(table.positive + table.negative)
    own = ((tp / seen)[cases.place] - value(weight)) * weight.sum() / len(table) / weight
    assert more == pytest.approx(np.where(alone, own, 0.0), abs=1e-6)


@for_each("name", ["f1", "precision", "matthews_correlation", "cohen_kappa", "balanced_accuracy"])
def test_influence_values_of_answers(name):
    entry, weight = registry.get(name, Counts), 0.1 + np.random.default_rng(4).random(60)
    positive, answers = cases_of().positive, cases_of().score > 0.5

    def value(weight):
        there = [positive & answers, ~positive & answers, positive & ~answers, ~positive & ~answers]
        return float(
            entry.function(Counts.of(*(float(weight[some].sum()) for some in there)), **entry.defaults)
        )

    cell = np.where(positive, np.where(answers, 0, 2), np.where(answers, 1, 3))
    values = influence.of_counts(
        partial(entry.function, **entry.defaults), np.bincount(cell, weight, 4)
    ).values
    assert values[cell] == pytest.approx(slopes(value, weight), abs=1e-6)


def test_a_single_case_of_a_class_has_no_standard_error():
    classes = np.array([0, 0, 0, 1])
    for fixed in (True, False):
        variance, _ = covariance(np.arange(4.0)[None], Sampling(np.ones(4), np.ones(4), classes, fixed))
        assert np.isnan(variance[0, 0]) == fixed


def test_shares_by_class():
    """With one class Tango's interval; of two classes the variances of the classes, without what the class
    mix adds."""
    one, whole = Discordant((12,), (5,), (80,)), Discordant(12, 5, 80)
    assert one.bounds(0.95) == pytest.approx(whole.bounds(0.95))
    assert one.p_at(np.linspace(-0.5, 0.5, 7)) == pytest.approx(whole.p_at(np.linspace(-0.5, 0.5, 7)))
    apart, together = Discordant((2, 60), (60, 2), (200, 200)), Discordant(62, 62, 400)
    expected = np.sqrt(1 - 58**2 / 200 / 62)  # of 62 - 58^2 / 200 to 62, class by class
    assert np.diff(apart.bounds(0.95)) == pytest.approx(expected * np.diff(together.bounds(0.95)), rel=0.01)
    assert Discordant((0, 0), (0, 0), (30, 50)).bounds(0.95)[1] > 0.02


def test_the_interval_holds_the_effects_that_are_not_rejected():
    """Of resamples and permutations, ties and single values among them, at many levels."""
    random = np.random.default_rng(6)
    for _ in range(300):
        size, level = int(random.integers(20, 200)), float(random.choice([0.5, 0.8, 0.9, 0.95, 0.99]))
        drawn, value = np.sort(random.integers(-3, 8, size) / 10), float(random.integers(-3, 8)) / 10
        cases = float(random.choice([3, 12, 40, np.inf]))
        kinds = [Resampled(value, drawn, method, cases=cases) for method in ("bootstrap", "basic-bootstrap")]
        for one in [*kinds, Permuted(value, np.sort(np.abs(drawn)) + 1e-12)]:
            low, high = one.bounds(level)
            effects = np.linspace(-1, 1, 41)[1:-1]
            rejected = one.p_at(effects) <= round(1 - level, 12)
            assert (
                not rejected.any()
                if np.isnan(low)
                else (rejected == ((effects < low) | (effects > high))).all()
            ), one


@pytest.mark.slow
def test_p_values_and_intervals_never_contradict_each_other():
    """200 small samples, four methods, measures of all kinds; bar equality with the limit itself."""
    random, wrong = np.random.default_rng(8), []
    for seed in range(200):
        n = int(random.integers(20, 80))
        y = np.append(random.random(n) < 0.5, [True, True, False, False]).astype(int)
        scores = [np.clip(np.round(0.3 * y + 0.7 * random.random(n + 4), 2), 0.01, 0.99) for _ in range(2)]
        method = ["auto", "bootstrap", "basic-bootstrap", "permutation"][seed % 4]
        design = ["cohort", "case-control"][seed // 4 % 2]
        names = [
            "roc_auc",
            "average_precision",
            "brier_score",
            "brier_skill_score",
            "accuracy",
            "sensitivity",
            "f1",
            "lift",
        ]
        found = compare(
            truth=y,
            score=scores,
            measures=names,
            threshold=0.5,
            method=method,
            design=design,
            rng=seed,
            replicates=200,
        )
        for one in found.differences:
            outside = one.low > 0 or one.high < 0
            if abs(one.p_value - 0.05) > 1e-9 and outside != (one.p_value <= 0.05):
                wrong.append((seed, method, design, one.measure, one.p_value, one.low, one.high))
    assert not wrong


def test_a_permutation_gives_interval_and_p_value():
    found = compare(truth=Y, score=SCORES, measures="brier_score", method="permutation", replicates=999)[
        "brier_score"
    ]
    one, other = (
        compare(truth=Y, score=SCORES, measures="brier_score", method=how)["brier_score"]
        for how in ("auto", "permutation")
    )
    assert found.estimate.method == found.test == "permutation"
    assert found.high - found.low == pytest.approx(one.high - one.low, rel=0.1)
    assert other.p_value == pytest.approx(one.p_value, abs=0.03)


FRAME = pd.DataFrame({"y": Y, "a": LOW, "b": HIGH})


def test_the_gate_takes_a_design():
    asked = {
        "truth": "y",
        "score": "b",
        "baseline_score": "a",
        "no_worse_than": 0.02,
        "measures": ["brier_score", "roc_auc"],
    }
    cohort, fixed = (tm.check(FRAME, **asked, **more) for more in ({}, CASE_CONTROL))
    limits = compare(FRAME, truth="y", score=["a", "b"], measures="brier_score", **CASE_CONTROL)[
        "brier_score"
    ]
    assert fixed.findings[0].estimate.high == limits.high < cohort.findings[0].estimate.high
    assert (cohort.to_dict()["design"], fixed.to_dict()["design"]) == ("cohort", "case-control")
    for text in (str(fixed), fixed.to_markdown()):
        assert "design: case-control" in text
        assert "given this class mix" in " ".join(text.split())
    assert "given this class mix" not in " ".join(str(cohort).split())
    assert "design: cohort" in str(cohort)


SAMPLES = 400
REJECTED = stats.binom.ppf([0.0005, 0.9995], SAMPLES, 0.05)  # 7 to 36
KEPT = stats.binom.ppf([0.0005, 0.9995], SAMPLES, 0.025)  # 2 to 22


@pytest.mark.slow
def test_models_that_differ_in_calibration_are_told_apart_at_the_level():
    """Of 400 samples of a cohort of 500 cases, 30 % positives; expected Brier scores are equal: (0.3 -
    0.25)^2 = (0.35 - 0.3)^2."""
    random, found = np.random.default_rng(9), []
    for _ in range(SAMPLES):
        y = (random.random(500) < 0.3).astype(int)
        scores = [centre + 0.02 * random.normal(size=500) for centre in (0.25, 0.35)]
        one = compare(truth=y, score=scores, measures="brier_score")["brier_score"]
        found.append((one.p_value <= 0.05, one.low > 0, one.high < 0))
    rejected, above, below = np.sum(found, axis=0)
    assert REJECTED[0] <= rejected <= REJECTED[1]
    assert KEPT[0] <= above <= KEPT[1]
    assert KEPT[0] <= below <= KEPT[1]


@pytest.mark.full
def test_different_cases_let_the_class_mix_vary():
    """mean_precision of two cohorts alike: at most 14 of 100 rejected (by intervals of fixed class sizes 33
    %)."""
    random, rejected = np.random.default_rng(10), 0
    for _ in range(100):
        truth = [(random.random(400) < 0.2).astype(int) for _ in range(2)]
        score = [1 / (1 + np.exp(1.4 - random.normal(size=400) - 1.5 * y)) for y in truth]
        found = compare(truth=truth, score=score, paired=False, measures="mean_precision", replicates=200)[
            "mean_precision"
        ]
        rejected += found.p_value <= 0.05
    assert rejected <= stats.binom.ppf(0.9995, 100, 0.05)


@pytest.mark.slow
def test_default_measures_err_at_the_level_where_models_differ(monkeypatch):
    """A cell of each default measure, as of the table in docs/coverage.md, and of either design."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "docs")
    import coverage_compare as script
    import simulated_compare

    random = np.random.default_rng(11)
    firsts = {name: script.pairs_of(name)[0] for name in script.MEASURES}
    sizes = dict(zip(script.MEASURES, 2 * [200, 500, 500, 300], strict=True))
    cells = [
        (name, pair, sizes[name], 0.3, design)
        for name, pair in firsts.items()
        for design in script.DESIGNS
        if script.models_of(name, pair, 0.3)
    ]
    rates = {cell: simulated_compare.judged(*cell, random, SAMPLES)[1:] for cell in cells}
    wrong = {
        cell: found for cell, found in rates.items() if not REJECTED[0] <= round(found[0]) <= REJECTED[1]
    }
    wrong |= {cell: found for cell, found in rates.items() if max(found[1:]) > KEPT[1] + 4}
    assert len(cells) >= 14
    assert not wrong
