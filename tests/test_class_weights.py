"""Importance weights that differ between the classes, or from case to case: bands, tests of calibration,
DeLong, planning.

Weights that are equal within each class change no sensitivity and no specificity, nor how sure these are:
there the answer must be that without weights.
"""

import math

import numpy as np
import pytest
from looping import for_each
from refusals import refuses
from scipy.special import expit, logit

import tallymark
from tallymark import RankingTable, planning
from tallymark.curves import GROUPED
from tallymark.inference.hypothesis import hosmer_lemeshow, spiegelhalter

RANDOM = np.random.default_rng(11)
N = 240
TRUTH = RANDOM.random(N) < 0.25
SCORE = np.round(RANDOM.standard_normal(N) + TRUTH, 2)
OTHER = np.round(RANDOM.standard_normal(N) + 0.5 * TRUTH, 2)
OF_CLASS = np.where(TRUTH, 2.1, 0.7)
UNLIKE = np.exp(0.6 * RANDOM.standard_normal(N))
PLAIN = {"truth": TRUTH, "score": SCORE}
WEIGHTED = PLAIN | {"weight": OF_CLASS, "weight_kind": "importance"}


# Bands
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each(
    ("name", "band"),
    [("roc", "pointwise"), ("roc", "simultaneous"), ("roc", "kolmogorov-smirnov"),
     ("sensitivity", "pointwise"), ("specificity", "pointwise"), ("sensitivity", "simultaneous")],
)  # fmt: skip
def test_bands_of_rates_are_those_without_class_weights(name, band):
    weighted, plain = (tallymark.evaluate(**given).curve(name, band=band) for given in (WEIGHTED, PLAIN))
    at = np.linspace(0.0137, 0.9837, 61) if name == "roc" else np.linspace(-2, 3, 61)  # between points
    for side in (0, 1):
        one, other = (_at(curve.x, curve.band[side], at) for curve in (weighted, plain))
        assert one == pytest.approx(other, rel=1e-6)
    assert "the weights count as" in weighted.about.note


def _at(x, bound, places):
    finite = np.isfinite(x)
    order = np.argsort(x[finite], kind="stable")
    return np.interp(places, x[finite][order], bound[finite][order])


@pytest.mark.full
@for_each("name", ["roc", "pr", "gain", "decision", "reliability", "reliability_isotonic", "f1"])
def test_the_scale_of_weights_changes_no_band(name):
    score = expit(SCORE)
    curves = [
        tallymark.evaluate(truth=TRUTH, score=score, weight=UNLIKE * OF_CLASS * unit).curve(
            name, band="pointwise"
        )
        for unit in (1.0, 64.0)
    ]
    unit = 64.0 if name == "gain" else 1.0
    for one, other in zip(*(curve.band for curve in curves), strict=True):
        assert one == pytest.approx(other / unit, rel=1e-6, nan_ok=True)


def test_bins_have_the_linearised_variance_of_their_share():
    """Wilson's interval of p, of p (1 - p) / variance cases; with Student's t, somewhat wider."""
    p = np.repeat([0.25, 0.75], N // 2)
    found = tallymark.evaluate(truth=TRUTH, score=p, weight=UNLIKE * OF_CLASS).curve("reliability", bins=2)
    for at, edge in enumerate((0.25, 0.75)):
        there = p == edge
        w, y = (UNLIKE * OF_CLASS)[there], TRUTH[there]
        rate = (w * y).sum() / w.sum()
        cases = rate * (1 - rate) * w.sum() ** 2 / (w**2 * (y - rate) ** 2).sum()
        centre, half = (
            rate + 1.96**2 / 2 / cases,
            1.96 * math.sqrt(rate * (1 - rate) / cases + 1.96**2 / 4 / cases**2),
        )
        wanted = [(centre + side * half) / (1 + 1.96**2 / cases) for side in (-1, 1)]
        low, high = (bound[at] for bound in found.band)
        assert (low, high) == pytest.approx(tuple(wanted), rel=5e-3)
        assert low < wanted[0] < wanted[1] < high


def test_the_interval_of_a_threshold_is_that_without_class_weights():
    weighted, plain = (tallymark.choose_threshold(**given) for given in (WEIGHTED, PLAIN))
    assert weighted.threshold == plain.threshold
    assert weighted.interval == plain.interval


def _width(curve):
    """The mean over places: extremes of 2,000 resamples vary by a tenth from seed to seed at one of them."""
    low, high = curve.band
    return np.interp(np.linspace(0.1, 0.7, 25), curve.x / curve.x[-1], (high - low) / curve.y[-1]).mean()


@pytest.mark.slow
@for_each(
    ("name", "band"),
    [("roc", "pointwise"), ("roc", "simultaneous"), ("pr", "pointwise"), ("gain", "pointwise")],
)
def test_groups_are_resampled_as_wholes(name, band):
    four = {key: np.repeat(part, 4) for key, part in PLAIN.items()}
    alone = tallymark.evaluate(**PLAIN).curve(name, band=band)
    each = tallymark.evaluate(**PLAIN, clusters=np.arange(N)).curve(name, band=band)
    together = tallymark.evaluate(**four, clusters=np.repeat(np.arange(N), 4)).curve(name, band=band)
    assert _width(each) / _width(alone) == pytest.approx(1, abs=0.12)
    assert _width(together) / _width(each) == pytest.approx(1, abs=0.12)
    assert _width(tallymark.evaluate(**four).curve(name, band=band)) / _width(together) == pytest.approx(
        0.5, abs=0.1
    )
    assert together.about.method.startswith("clustered bayesian-bootstrap")
    assert GROUPED.text not in (together.about.note or "")


def test_groups_count_in_the_band_of_the_decision_curve():
    score, clusters = expit(SCORE), np.arange(N) % 40
    found, plain = (
        tallymark.evaluate(truth=TRUTH, score=score, **more).curve("decision", band="pointwise")
        for more in ({"clusters": clusters}, {})
    )
    assert found.about.method.startswith("clustered")
    assert set(found.bands) == set(plain.bands)
    assert not np.allclose(found.band[0], plain.band[0])


@pytest.mark.full
@for_each(
    ("name", "band"),
    [("roc", "kolmogorov-smirnov"), ("sensitivity", "kolmogorov-smirnov"), ("reliability", "pointwise")],
)
def test_bands_without_a_method_for_groups_are_refused(name, band):
    found = tallymark.evaluate(truth=TRUTH, score=expit(SCORE), clusters=np.arange(N) % 60)
    with pytest.raises(
        tallymark.InputError,
        match=f"^clusters: no valid {band} band of '{name}' .* take a pointwise or simultaneous",
    ):
        found.curve(name, band=band)
    for other in ("roc", "sensitivity"):
        assert found.curve(other, band="pointwise").about.method.startswith("clustered")


def test_the_order_of_ties_is_not_known_of_groups():
    found = tallymark.evaluate(**PLAIN, clusters=np.arange(N) % 60)
    with refuses("unsupported", argument="clusters"):
        found.curve("roc", band="pointwise", ties="optimistic")


def test_bins_have_the_intervals_of_groups():
    e = tallymark.evaluate(truth=TRUTH, score=expit(SCORE), clusters=np.arange(N) % 60)
    assert e.curve("reliability").about.method == "cluster-wilson"
    assert GROUPED.text in e.curve("reliability_isotonic").about.note


def test_few_groups_are_said_to_be():
    found = tallymark.evaluate(**PLAIN, clusters=np.arange(N) % 12).curve("roc", band="pointwise")
    assert "clusters with positives decide" in found.about.note


# Tests of calibration
# --------------------------------------------------------------------------------------------------

LEVELS = np.linspace(0.05, 0.8, 10)
Q = np.repeat(LEVELS, 30)  # of the cases as they are drawn
Y = np.random.default_rng(2).random(len(Q)) < Q
A, C = 2.5, 0.6  # weights of positives and of negatives
P = expit(logit(Q) + math.log(A / C))  # of the weighted population


def _table(p, weight=None):
    return RankingTable.from_arrays(
        truth=Y, score=p, weight=weight, weight_kind=None if weight is None else "importance"
    )


def test_hosmer_lemeshow_with_class_weights_is_that_of_the_cases():
    """Where a group has one probability, w (y - p) is y - q times a constant, so that the terms are those
    without weights."""
    tables = [_table(P, np.where(Y, A, C)), _table(Q)]
    weighted, plain = (hosmer_lemeshow(table + table + table + table, 1000) for table in tables)
    assert plain.df == len(LEVELS)
    assert weighted.statistic / weighted.df == pytest.approx(plain.statistic / plain.df, rel=1e-9)
    kurtosis = sum((1 - 6 * q * (1 - q)) / (120 * q * (1 - q)) for q in LEVELS)
    assert kurtosis > 0
    assert weighted.df == pytest.approx(10 / (1 + kurtosis / 20), rel=1e-9)


def test_a_group_for_each_case_has_a_p_value():
    """Of single cases observed - expected varies less than a normal variable: no correction is made then."""
    weight = np.where(Y, A, C) * (1 + np.arange(len(Y)) / 1e3)
    found = hosmer_lemeshow(_table(P + np.arange(len(P)) * 1e-9, weight), 1000)
    assert 0 < found.p_value < 1
    assert found.df <= len(Y)


def test_spiegelhalter_with_class_weights_by_the_cases():
    factor = A * (1 - P) + C * P
    terms, spread = factor * (1 - 2 * P) * (Y - Q), (factor * (1 - 2 * P)) ** 2 * Q * (1 - Q)
    found = spiegelhalter(_table(P, np.where(Y, A, C)))
    assert found.statistic == pytest.approx(terms.sum() / math.sqrt(spread.sum()), rel=1e-9)


def test_spiegelhalter_with_weights_that_have_nothing_to_do_with_the_outcome():
    """Each case then has its own weight squared, whatever its class."""
    weight = np.repeat([0.5, 1.0, 3.0], 100)
    p = np.round(Q + np.arange(len(Q)) * 1e-7, 9)  # all different
    found = spiegelhalter(_table(p, weight))
    terms, spread = weight * (Y - p) * (1 - 2 * p), weight**2 * (1 - 2 * p) ** 2 * p * (1 - p)
    assert found.statistic == pytest.approx(terms.sum() / math.sqrt(spread.sum()), rel=0.03)


@for_each("test", [hosmer_lemeshow, spiegelhalter])
def test_the_scale_of_weights_changes_no_test_of_calibration(test):
    weight = np.where(Y, A, C) * np.exp(0.5 * np.random.default_rng(4).standard_normal(len(Y)))
    one, other = test(_table(P, weight)), test(_table(P, 1000 * weight))
    assert other.statistic == pytest.approx(one.statistic, rel=1e-9)
    assert test(_table(Q, np.full(len(Q), 0.3))).statistic == pytest.approx(
        test(_table(Q)).statistic, rel=1e-9
    )


def _rejected(weights, samples, random):
    """The share of samples of 300 from a calibrated model on which each test rejects; weights: of classes, or
    of cases."""
    found = np.zeros(2)
    for _ in range(samples):
        z = random.standard_normal(300) - 1.15
        y = random.random(300) < expit(z)
        share = 0.2836  # of positives, on average
        of_class = np.where(y, 0.5 / share, 0.5 / (1 - share))
        weight = of_class if weights == "classes" else np.exp(0.8 * random.standard_normal(300))
        p = expit(z + (logit(1 - share) if weights == "classes" else 0))
        table = RankingTable.from_arrays(truth=y, score=p, weight=weight, weight_kind="importance")
        found += [test(table).p_value < 0.05 for test in (hosmer_lemeshow, spiegelhalter)]
    return found / samples


@pytest.mark.full
@pytest.mark.parametrize("weights", ["classes", "cases"])
def test_weighted_tests_keep_their_level(weights):
    rejected = _rejected(weights, 500, np.random.default_rng(5))
    assert (rejected > 0.025).all(), rejected
    assert (rejected < 0.082).all(), rejected  # five percent, and 3.3 standard errors


def test_cases_of_bins_are_effective_ones():
    found = tallymark.calibration(truth=Y, score=P, weight=np.where(Y, A, C), weight_kind="importance")
    assert "300 cases" not in str(found.curve())
    weight = np.where(Y, A, C)
    place = np.clip(np.ceil(10 * P).astype(int), 1, 10)
    for edge, *_, size in _rows_of_bins(found):
        held = weight[place == round(10 * edge)]
        assert size == pytest.approx(held.sum() ** 2 / (held**2).sum(), abs=0.051)


def test_cases_of_bins_are_the_cases_in_each():
    found = tallymark.calibration(truth=Y, score=P)
    table = _rows_of_bins(found)
    place = np.clip(np.ceil(10 * P).astype(int), 1, 10)
    assert {round(10 * edge): size for edge, size in table} == dict(
        zip(*map(list, np.unique(place, return_counts=True)), strict=True)
    )


def _rows_of_bins(found):
    """The upper edge and the number of cases of each bin, as printed."""
    lines = [line.split() for line in str(found.all).splitlines() if line.startswith("to ")]
    return [(float(edge), float(size)) for _, edge, size, *_ in lines]


def test_groups_have_no_test_of_calibration():
    found = tallymark.calibration(truth=Y, score=Q, clusters=np.arange(len(Y)))
    assert all(np.isnan(test.p_value) and "independent" in test.note for test in found.tests)


# DeLong
# --------------------------------------------------------------------------------------------------


def test_delongs_variance_on_the_diagonal_is_that_of_one_model():
    table = RankingTable.from_arrays(
        truth=TRUTH, score=SCORE, weight=UNLIKE * OF_CLASS, weight_kind="importance"
    )
    from tallymark.inference.interval import delong_variance

    weight = {"weight": 7 * UNLIKE * OF_CLASS, "weight_kind": "importance"}
    found = tallymark.compare(truth=TRUTH, score=[SCORE, OTHER], measures="roc_auc", **weight)["roc_auc"]
    # of n, not of the effective number of cases, less 1
    assert found.covariance[1][1] == pytest.approx(delong_variance(table), rel=0.01)


@for_each("paired", [True, False])
def test_compared_areas_are_those_without_class_weights(paired):
    def compared(**more):
        if paired:
            return tallymark.compare(
                truth=TRUTH, score={"a": SCORE, "b": OTHER}, measures=["roc_auc"], **more
            )
        first, second = (tallymark.evaluate(truth=TRUTH, score=score, **more) for score in (SCORE, OTHER))
        return tallymark.compare(first, second, measures=["roc_auc"], method="delong", paired=False)

    weighted, plain = compared(weight=OF_CLASS, weight_kind="importance"), compared()
    of = [next(iter(found.differences)) for found in (weighted, plain)]
    for part in ("low", "high", "p_value"):
        assert getattr(of[0], part) == pytest.approx(getattr(of[1], part), rel=1e-6)


# At another prevalence
# --------------------------------------------------------------------------------------------------


def test_intervals_at_another_prevalence_are_those_without_class_weights():
    weighted, plain = (
        tallymark.at_prevalence(tallymark.evaluate(**given, threshold=0.5), prevalence=0.1)
        for given in (WEIGHTED, PLAIN)
    )
    for name in ("ppv", "npv", "f1", "matthews_correlation"):
        one, other = weighted[name], plain[name]
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), rel=2e-3)


def test_the_scale_of_weights_changes_nothing_at_another_prevalence():
    def at(unit):
        found = tallymark.evaluate(**PLAIN, weight=UNLIKE * OF_CLASS * unit, threshold=0.5)
        return tallymark.at_prevalence(found, prevalence=0.1)

    small, large = at(1.0), at(512.0)
    for name, one in small.estimates.items():
        other = large[name]
        assert (one.value, one.low, one.high) == pytest.approx(
            (other.value, other.low, other.high), rel=2e-3, nan_ok=True
        ), name


def test_a_threshold_chosen_here_counts_at_another_prevalence():
    choice = tallymark.choose_threshold(**PLAIN)
    found = tallymark.at_prevalence(choice, prevalence=0.1)
    given = tallymark.at_prevalence(tallymark.evaluate(**PLAIN, threshold=choice.threshold), prevalence=0.1)
    assert found["ppv"].value == given["ppv"].value
    assert found["ppv"].corrected < given["ppv"].value
    assert found["ppv"].low < given["ppv"].low
    assert found["ppv"].method.startswith("corrected-")
    assert found["sensitivity"].corrected == choice["sensitivity"].corrected
    assert found["prevalence"].corrected is None
    by_hand = tallymark.evaluate(**PLAIN, threshold=choice.threshold).chosen_by("by hand")
    unknown = tallymark.at_prevalence(by_hand, prevalence=0.1)
    assert not unknown["ppv"].has_interval
    assert "is not known" in unknown["ppv"].note


# How many cases more
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each("measure", ["sensitivity", "roc_auc", "average_precision"])
def test_weighted_cases_can_be_planned(measure):
    small, large = (
        planning.present(tallymark.evaluate(**PLAIN, weight=UNLIKE * unit, threshold=0.5), measures=measure)[
            measure
        ]
        for unit in (1.0, 128.0)
    )
    assert small.factor == pytest.approx(4, rel=0.2)
    assert (small.factor, small.cases) == pytest.approx((large.factor, large.cases), rel=1e-3)


def test_a_table_repeated_has_so_many_times_its_cases():
    table = RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=UNLIKE, weight_kind="importance")
    thrice = table.repeated(3)
    for name in ("positives", "negatives", "effective_positives", "effective_negatives", "effective_total"):
        assert getattr(thrice, name) == pytest.approx(3 * getattr(table, name), rel=1e-12)
    squares, once = (one.counts_at(0.5).squares._cells() for one in (thrice, table))
    assert squares == pytest.approx([3 * cell for cell in once], rel=1e-12)
    counts = RankingTable.from_arrays(truth=TRUTH, score=SCORE).repeated(2)
    assert (counts.positives, counts.effective_positives) == (2 * TRUTH.sum(), 2 * TRUTH.sum())


def test_hosmer_lemeshow_with_class_weights_of_a_rare_class_is_noted():
    """How few positives are expected in a group of the sample is said in text and as JSON, though the weights
    make them half."""
    random = np.random.default_rng(2)
    p = expit(random.normal(-2.4, 1, 300))
    truth = random.random(300) < p
    weight = np.where(truth, 1 / 0.12, 1 / 0.88)
    odds = p / 0.12 / ((1 - p) / 0.88)
    found = tallymark.calibration(
        truth=truth, score=odds / (1 + odds), weight=weight, weight_kind="importance"
    )
    test = next(one for one in found.tests if one.name == "hosmer_lemeshow")
    assert "5 groups of 10" in test.note
    assert test.note in [one.note for one in found.tests]
    assert test.note in [one["note"] for one in found.to_dict()["tests"]]


# JSON
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_json_says_whether_class_weights_fix_the_mix():
    """evaluate, compare, bootstrap, calibration and choose_threshold."""
    made = np.where(TRUTH, N / 2 / TRUTH.sum(), N / 2 / (~TRUTH).sum())
    given = {"truth": TRUTH, "score": expit(SCORE), "weight_kind": "importance"}
    for weight, fixed in ((made, True), (UNLIKE, False)):
        some = given | {"weight": weight}
        calls = (
            tallymark.evaluate(**some),
            tallymark.bootstrap(**some, replicates=50),
            tallymark.compare(**some | {"score": [expit(SCORE), expit(OTHER)]}, measures="brier_score"),
            tallymark.calibration(**some),
            tallymark.choose_threshold(**some, replicates=0),
        )
        for found in calls:
            plain = found.to_dict()
            keys = list(plain)
            assert plain["mix_fixed_by_weights"] is fixed
            assert keys[keys.index("design") + 1] == "mix_fixed_by_weights"


def test_json_of_amounts_names_neither_design_nor_mix():
    found = tallymark.evaluate(truth=[1.0, 2.5, 3.0], predicted=[1.5, 2.0, 3.5], regression=True).to_dict()
    assert not {"design", "mix_fixed_by_weights"} & found.keys()
