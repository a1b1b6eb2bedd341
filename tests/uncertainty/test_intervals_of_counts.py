"""Intervals of measures of four counts: against their sources, other tools, and the formulas written out."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from looping import for_each
from scipy.stats.contingency import odds_ratio, relative_risk
from sound import COUNTS, SETTINGS, way
from strategies import BUSY, CELLS, GRID, UNEVEN, counts, measures_of, name

from tallymark import Counts, Settings, estimate, measures
from tallymark.inference import bounds_each, estimate_each
from tallymark.inference.interval import METHODS, wilson
from tallymark.input.messages import of_kind as notes_of_kind
from tallymark.measures.registry import get

Z = NormalDist().inv_cdf(0.975)


def of_kind(kind):
    return [entry for entry in measures_of(Counts) if entry.interval and entry.interval.kind == kind]


def bounds(measure, c, *settings):
    found = estimate(measure, c, *settings)
    return found.low, found.high


def drawn(*smallest, number=40, seed=7):
    """Counts, none below these."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        yield Counts(**dict(zip(CELLS, random.integers(0, 60, 4) + np.array(smallest), strict=True)))


# Functions of another measure
# --------------------------------------------------------------------------------------------------


@for_each("entry", of_kind("function"), ids=name)
@for_each("cells", [GRID, UNEVEN, BUSY], ids=["whole", "fractional", "busy"])
def test_a_function_of_another_measure_is_the_measure(entry, cells):
    """The measure is written twice, as itself and as what turns the bounds: the two must not drift apart."""
    inner, transform = entry.interval.of[0], entry.interval.transform
    with np.errstate(divide="ignore", invalid="ignore"):
        np.testing.assert_allclose(transform(inner(cells)), entry.function(cells), rtol=1e-10, atol=1e-12)


@for_each("entry", of_kind("function"), ids=name)
def test_a_function_of_another_measure_goes_one_way(entry):
    """Always up or always down, but for a leap from one end of the range to the other."""
    low, high = get(entry.interval.of[0].__name__).range
    inside = np.linspace(low, min(high, 50.0), 402)[1:-1]
    values = entry.interval.transform(inside)
    steps = np.sign(np.diff(values))
    if np.isfinite(entry.range).any():
        assert len(set(steps)) == 1
    else:
        assert (steps[:200] == steps[0]).all() or len(
            set(steps[np.sign(inside[1:]) == np.sign(inside[:-1])])
        ) == 1


@pytest.mark.full
@for_each("entry", of_kind("function"), ids=name)
@for_each("how", SETTINGS, ids=way)
def test_bounds_of_a_function_are_those_of_the_other_measure_turned(entry, how):
    inner, transform = get(entry.interval.of[0].__name__), entry.interval.transform
    for c in drawn(30, 1, 1, 30):
        one, other = estimate(entry, c, how), estimate(inner, c, how)
        wanted = sorted([transform(np.float64(other.low)), transform(np.float64(other.high))])
        if one.has_interval:
            assert (one.low, one.high) == pytest.approx(wanted, rel=1e-9)
            assert one.method == other.method


def test_f1_has_the_interval_of_jaccard():
    for c in drawn(1, 1, 1, 0):
        low, high = wilson(c.tp, c.tp + c.fp + c.fn, 0.95)
        assert bounds("f1", c) == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)), rel=1e-12)


@for_each(("odds", "share"), [("npr", "prevalence"), ("npr_predicted", "predicted_prevalence")])
@for_each("method", METHODS)
def test_class_ratio_has_the_odds_of_the_bounds_of_its_share(odds, share, method):
    for c in (
        Counts(tp=10, fp=3, fn=7, tn=80),
        Counts(tp=5, fp=0, fn=1, tn=0),
        Counts(tp=1, fp=1, fn=0, tn=200),
    ):
        ratio, part = (estimate(name, c, Settings(proportion=method)) for name in (odds, share))
        with np.errstate(divide="ignore"):
            wanted = (1 - np.array([part.high, part.low])) / np.array([part.high, part.low])
        assert (ratio.low, ratio.high) == pytest.approx(tuple(wanted), rel=1e-12, nan_ok=method == "wald")
        assert ratio.value == pytest.approx((1 - part.value) / part.value, rel=1e-12)
        assert (ratio.method, ratio.note) == (part.method, part.note)
        assert part.method == method or "has no width" in part.note


def test_class_ratio_without_positives_is_infinite_and_has_its_lower_bound():
    found = estimate("npr", Counts(tp=0, fp=2, fn=0, tn=8))
    share = estimate("prevalence", Counts(tp=0, fp=2, fn=0, tn=8))
    assert (found.value, found.high) == (math.inf, math.inf)
    assert found.low == pytest.approx((1 - share.high) / share.high)


def test_number_needed_to_diagnose_is_torn_where_the_prediction_may_tell_nothing():
    """Below chance it is negative, above positive, and infinite between: no interval holds both."""
    told, chance = (
        estimate("nnd", Counts(tp=40, fp=10, fn=10, tn=40)),
        estimate("nnd", Counts(tp=6, fp=4, fn=5, tn=6)),
    )
    assert told.has_interval
    assert not chance.has_interval
    assert "jumps" in chance.note
    low, high = bounds("youden_j", Counts(tp=6, fp=4, fn=5, tn=6))
    assert low < 0 < high


# Newcombe's difference
# --------------------------------------------------------------------------------------------------

# Newcombe (1998), "Interval estimation for the difference between independent proportions", Table II, method
# 10.
PRINTED = [
    ((56, 70), (48, 80), (0.0524, 0.3339)),
    ((9, 10), (3, 10), (0.1705, 0.8090)),
    ((6, 7), (2, 7), (0.0582, 0.8062)),
    ((5, 56), (0, 29), (-0.0381, 0.1926)),
    ((0, 10), (0, 20), (-0.1611, 0.2775)),
    ((0, 10), (0, 10), (-0.2775, 0.2775)),
    ((10, 10), (0, 20), (0.6791, 1.0)),
    ((10, 10), (0, 10), (0.6075, 1.0)),
]


@pytest.mark.parametrize(("first", "second", "printed"), PRINTED)
def test_youden_index_has_the_interval_that_newcombe_prints(first, second, printed):
    """Sensitivity less false positive rate: x of n actual positives, y of m actual negatives."""
    (x, n), (y, m) = first, second
    assert [round(bound, 4) for bound in bounds("youden_j", Counts(tp=x, fn=n - x, fp=y, tn=m - y))] == list(
        printed
    )


@pytest.mark.parametrize(("first", "second", "printed"), PRINTED)
def test_markedness_has_the_interval_that_newcombe_prints(first, second, printed):
    """Precision less false omission rate: of the predicted positives, of the predicted negatives."""
    (x, n), (y, m) = first, second
    assert [
        round(bound, 4) for bound in bounds("markedness", Counts(tp=x, fp=n - x, fn=y, tn=m - y))
    ] == list(printed)


@given(c=counts())
def test_youden_index_has_the_interval_of_statsmodels(c):
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    if c.tp + c.fn and c.fp + c.tn:
        wanted = proportion.confint_proportions_2indep(
            c.tp, c.tp + c.fn, c.fp, c.fp + c.tn, method="newcomb", compare="diff"
        )
        assert bounds("youden_j", c) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.full
@for_each("entry", of_kind("difference"), ids=name)
@for_each("method", METHODS)
def test_difference_is_put_together_from_the_bounds_of_its_parts(entry, method):
    """Zou and Donner (2008): each bound goes as far as the two parts go, at right angles."""
    how = Settings(proportion=method)
    for c in drawn(1, 1, 1, 1):
        first, second = (estimate(part.__name__, c, how) for part in entry.interval.of)
        found = estimate(entry, c, how)
        assert found.value == pytest.approx(first.value - second.value, abs=1e-15)
        down = math.hypot(first.value - first.low, second.high - second.value)
        up = math.hypot(first.high - first.value, second.value - second.low)
        assert (found.low, found.high) == pytest.approx(
            (max(found.value - down, -1), min(found.value + up, 1)), rel=1e-12
        )


# Ratios, on the log scale
# --------------------------------------------------------------------------------------------------


def log_interval(value, variance):
    step = Z * math.sqrt(variance)
    return value * math.exp(-step), value * math.exp(step)


def test_likelihood_ratios_have_the_interval_of_simel():
    """Simel, Samsa and Matchar (1991), Eq. 9, of cells without a 0."""
    for c in drawn(1, 1, 1, 1):
        p, n = c.tp + c.fn, c.fp + c.tn
        wanted = log_interval(measures.plr(c), 1 / c.tp - 1 / p + 1 / c.fp - 1 / n)
        assert bounds("plr", c) == pytest.approx(wanted, rel=1e-12)
        wanted = log_interval(measures.nlr(c), 1 / c.fn - 1 / p + 1 / c.tn - 1 / n)
        assert bounds("nlr", c) == pytest.approx(wanted, rel=1e-12)


def test_likelihood_ratios_have_the_interval_of_a_relative_risk():
    for c in drawn(1, 1, 1, 1):
        p, n = int(c.tp + c.fn), int(c.fp + c.tn)
        theirs = relative_risk(int(c.tp), p, int(c.fp), n).confidence_interval()
        assert bounds("plr", c) == pytest.approx(tuple(theirs), rel=1e-12)
        theirs = relative_risk(int(c.fn), p, int(c.tn), n).confidence_interval()
        assert bounds("nlr", c) == pytest.approx(tuple(theirs), rel=1e-12)


def test_odds_ratio_has_the_interval_of_woolf():
    for c in drawn(1, 1, 1, 1):
        wanted = log_interval(measures.odds_ratio(c), 1 / c.tp + 1 / c.fp + 1 / c.fn + 1 / c.tn)
        assert bounds("odds_ratio", c) == pytest.approx(wanted, rel=1e-12)
        theirs = odds_ratio(
            [[int(c.tp), int(c.fn)], [int(c.fp), int(c.tn)]], kind="sample"
        ).confidence_interval()
        assert bounds("odds_ratio", c) == pytest.approx(tuple(theirs), rel=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_ratios_have_the_intervals_of_statsmodels(level):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    for c in drawn(1, 1, 1, 1, number=10):
        theirs = tables.Table2x2([[c.tp, c.fn], [c.fp, c.tn]])
        how = Settings(level=level)
        assert bounds("odds_ratio", c, how) == pytest.approx(theirs.oddsratio_confint(1 - level), rel=1e-10)
        assert np.log(bounds("odds_ratio", c, how)) == pytest.approx(
            theirs.log_oddsratio_confint(1 - level), rel=1e-10
        )
        assert bounds("plr", c, how) == pytest.approx(theirs.riskratio_confint(1 - level), rel=1e-10)
        assert measures.odds_ratio(c) == pytest.approx(theirs.oddsratio, rel=1e-12)


def test_corrected_odds_ratio_has_the_interval_of_the_counts_with_halves():
    """Gart (1966): as if half a case more were in each."""
    for c in (*drawn(0, 0, 0, 0), *COUNTS.values()):
        if c.total > 0:
            more = Counts(**{cell: getattr(c, cell) + 0.5 for cell in CELLS})
            assert bounds("corrected_odds_ratio", c) == pytest.approx(bounds("odds_ratio", more), rel=1e-12)


@pytest.mark.parametrize("empty", CELLS)
def test_odds_ratio_with_an_empty_count_has_the_interval_with_halves(empty):
    """On the side where there is one: the other end is that of the value, 0 or infinity."""
    for c in drawn(1, 1, 1, 1, number=10):
        hollow = Counts(**{cell: 0.0 if cell == empty else getattr(c, cell) for cell in CELLS})
        found, more = (
            estimate("odds_ratio", hollow),
            Counts(**{cell: getattr(hollow, cell) + 0.5 for cell in CELLS}),
        )
        low, high = bounds("odds_ratio", more)
        assert (found.low, found.high) == pytest.approx(
            (0.0, high) if found.value == 0 else (low, math.inf), rel=1e-12
        )
        assert "1/2 is added" in found.note


def test_likelihood_ratio_with_an_empty_count_has_the_interval_with_halves():
    """Walter (1975), for 0 of the one or of the other, or for all of both."""
    for c in (
        Counts(tp=0, fp=4, fn=9, tn=30),
        Counts(tp=8, fp=0, fn=3, tn=40),
        Counts(tp=8, fp=30, fn=0, tn=0),
    ):
        found, more = estimate("plr", c), Counts(**{cell: getattr(c, cell) + 0.5 for cell in CELLS})
        low, high = bounds("plr", more)
        assert (found.low, found.high) == pytest.approx(
            (min(low, found.value), max(high, found.value)), rel=1e-12
        )
        assert "1/2 is added" in found.note


def test_likelihood_ratio_with_all_of_one_class_found_gets_halves_too():
    """Taken as it is, the share of 1 would count as certain, and of 10 such cases the interval would cover 76
    %."""
    c = Counts(tp=12, fp=4, fn=0, tn=30)
    wanted = log_interval((12.5 / 13) / (4.5 / 35), 1 / 12.5 - 1 / 13 + 1 / 4.5 - 1 / 35)
    assert bounds("plr", c) == pytest.approx(wanted, rel=1e-12)
    assert "halves-added" in [note.code for note in estimate("plr", c).notes]


@pytest.mark.parametrize(("name", "scale"), [("yule_q", 1.0), ("yule_y", 0.5)])
def test_yules_coefficients_have_the_bounds_of_the_odds_ratio(name, scale):
    """Q is tanh of half the log odds ratio, Y of a quarter."""
    for c in drawn(1, 1, 1, 1):
        assert bounds(name, c) == pytest.approx(
            tuple(np.tanh(np.log(bounds("odds_ratio", c)) * scale / 2)), rel=1e-9
        )


# Kappa
# --------------------------------------------------------------------------------------------------


def test_kappa_has_the_standard_error_of_statsmodels_on_fishers_scale():
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    for c in drawn(1, 1, 1, 1):
        theirs, kappa = rater.cohens_kappa([[c.tp, c.fn], [c.fp, c.tn]]), measures.kappa(c)
        low, high = np.arctanh(bounds("kappa", c))
        assert theirs.kappa == pytest.approx(kappa, rel=1e-12, abs=1e-14)
        assert (high - low) / (2 * Z) * (1 - kappa**2) == pytest.approx(theirs.std_kappa, rel=1e-12)
        assert (low + high) / 2 == pytest.approx(math.atanh(kappa), rel=1e-9, abs=1e-12)


SMOOTH = of_kind("smooth") + of_kind("smaller") + of_kind("association")


def test_the_smaller_of_two_functions_is_the_measure():
    for entry in of_kind("smaller"):
        there = ~np.isnan(entry(GRID))
        both = np.minimum(*(function(GRID)[there] for function in entry.interval.of))
        np.testing.assert_allclose(both, entry(GRID)[there], atol=1e-12)


def test_the_smaller_of_two_functions_can_reach_its_kink():
    """With sensitivity and specificity alike, the accuracy itself lies within the bounds."""
    c = Counts(tp=40, fp=10, fn=10, tn=40)
    low, high = bounds("optimization_precision", c)
    assert low < 0.7
    assert high > 0.86


def test_uncertainty_coefficient_of_independent_counts_is_bounded_by_0():
    for c in (
        Counts(tp=10, fp=20, fn=30, tn=60),
        Counts(tp=11, fp=20, fn=30, tn=60),
        Counts(tp=9, fp=20, fn=30, tn=60),
    ):
        found = estimate("uncertainty_coefficient", c)
        assert found.low == 0
        assert found.high > 0.01
    for c in (Counts(tp=40, fp=10, fn=10, tn=40), Counts(tp=10, fp=40, fn=40, tn=10)):  # told, whichever way
        assert 0 < estimate("uncertainty_coefficient", c).low < 0.2


def test_small_counts_have_no_note_since_their_intervals_cover():
    for entry in SMOOTH:
        (few,) = estimate_each(entry, Counts(tp=[40], fp=[4], fn=[9], tn=[30]))
        assert not notes_of_kind(few.notes, "approximate")


@pytest.mark.full
@pytest.mark.parametrize(
    "name", ["geometric_mean", "symmetric_extremal_dependence", "uncertainty_coefficient"]
)
@pytest.mark.parametrize(
    ("cases", "prevalence", "sensitivity", "specificity"),
    [(2_000, 0.02, 0.9, 0.9), (400, 0.05, 0.7, 0.9), (100, 0.2, 0.95, 0.95), (60, 0.5, 0.7, 0.8)],
)
def test_few_missed_positives_are_covered(name, cases, prevalence, sensitivity, specificity):
    """With four expected the delta method covered .906 to .921: of one the variance is too small."""
    expected = cases * np.array(
        [
            prevalence * sensitivity,
            (1 - prevalence) * (1 - specificity),
            prevalence * (1 - sensitivity),
            (1 - prevalence) * specificity,
        ]
    )
    drawn = np.random.default_rng(3).multinomial(cases, expected / cases, 2_000)
    _, low, high = bounds_each(name, Counts.of(*drawn.T.astype(float)))
    true = float(get(name, Counts).function(Counts.of(*expected)))
    assert 0.925 <= np.mean((low <= true) & (true <= high)) <= 0.98
