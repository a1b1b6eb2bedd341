"""Intervals of weighted answers: linearised variances, scale of the weights, fixed class sizes."""

import numpy as np
import pytest
from looping import for_each, in_part

from tallymark import ConfusionMatrix, Counts, Settings, estimate, evaluate
from tallymark.inference import estimate_each
from tallymark.inference.covariance import as_cases
from tallymark.inference.interval import FIXED, GIVEN, METHODS, depends_on_mix
from tallymark.measures.registry import average_of, find

RANDOM = np.random.default_rng(141)
SIZE = 160
TRUTH = RANDOM.random(SIZE) < 0.4
CALLED = np.where(RANDOM.random(SIZE) < 0.8, TRUTH, ~TRUTH)
WEIGHT = RANDOM.lognormal(size=SIZE)
OF_COUNTS = find(Counts)
THREE = RANDOM.integers(0, 3, SIZE)
GUESSED = np.where(RANDOM.random(SIZE) < 0.7, THREE, RANDOM.integers(0, 3, SIZE))
DESIGNS = ("cohort", "case-control")


def counts_of(weight=None, **how):
    return Counts.from_arrays(truth=TRUTH, predicted=CALLED, weight=weight, **how)


def matrix_of(weight=None, **how):
    return ConfusionMatrix.from_arrays(truth=THREE, predicted=GUESSED, weight=weight, **how)


def same(one, other, rel=1e-7):
    assert one.note == other.note
    assert one.method == other.method
    numbers = [(found.value, found.low, found.high) for found in (one, other)]
    assert numbers[0] == pytest.approx(numbers[1], rel=rel, abs=1e-9, nan_ok=True)


@in_part(6, ("fast", "full"))
@for_each("entry", OF_COUNTS + find(ConfusionMatrix))
@for_each("design", DESIGNS)
def test_importance_weights_times_a_constant_change_no_interval(entry, design):
    make = counts_of if entry.summary is Counts else matrix_of
    one, other = (estimate(entry, make(factor * WEIGHT), Settings(design=design)) for factor in (1.0, 7.3))
    same(one, other)


@in_part(6, ("fast", "full"))
@for_each("entry", OF_COUNTS + find(ConfusionMatrix))
@for_each("design", DESIGNS)
def test_equal_importance_weights_are_no_weights(entry, design):
    make = counts_of if entry.summary is Counts else matrix_of
    same(
        estimate(entry, make(np.full(SIZE, 3.0), weight_kind="importance"), Settings(design=design)),
        estimate(entry, make(), Settings(design=design)),
    )


@for_each("entry", OF_COUNTS + find(ConfusionMatrix))
def test_a_count_of_two_is_the_row_twice(entry):
    make, twice = (counts_of, Counts) if entry.summary is Counts else (matrix_of, ConfusionMatrix)
    columns = (
        {"truth": TRUTH, "predicted": CALLED} if twice is Counts else {"truth": THREE, "predicted": GUESSED}
    )
    doubled = twice.from_arrays(**{name: np.repeat(values, 2) for name, values in columns.items()})
    assert make(np.full(SIZE, 2), weight_kind="count") == doubled
    same(estimate(entry, make(np.full(SIZE, 2), weight_kind="count")), estimate(entry, doubled))


def slope(function, case, weight, make):
    """How a measure changes with the weight of a case, by trying."""
    step, values = 1e-5, []
    for side in (-1, 1):
        moved = weight.copy()
        moved[case] += side * step
        values.append(float(function(make(moved))))
    return (values[1] - values[0]) / (2 * step)


@for_each(
    "name",
    ("accuracy", "precision", "sensitivity", "negative_predictive_value", "jaccard", "predicted_prevalence"),
)
def test_effective_numbers_are_those_of_the_linearised_variance(name):
    """Against the slopes of the measure in the weight of every case, found by trying."""
    entry = next(one for one in OF_COUNTS if one.name == name)
    wald = estimate(entry, counts_of(WEIGHT), Settings(proportion="wald"))
    slopes = np.array([slope(entry.function, case, WEIGHT, counts_of) for case in range(SIZE)])
    assert wald.standard_error**2 == pytest.approx((WEIGHT**2 @ slopes**2), rel=1e-5)


@pytest.mark.full
@for_each("kind", ("macro", "weighted"))
@for_each("name", ("jaccard", "f1", "matthews_correlation"))
def test_averages_have_the_linearised_variance(kind, name):
    from scipy.special import logit

    entry = next(one for one in OF_COUNTS if one.name == name)

    def value(weight):
        return average_of(kind, entry.function, matrix_of(weight))

    found = evaluate(matrix_of(WEIGHT)).averages[kind][name]
    slopes = np.array([slope(float, case, WEIGHT, value) for case in range(SIZE)])
    error = np.sqrt(WEIGHT**2 @ slopes**2)
    if name == "matthews_correlation":
        half = (np.arctanh(found.high) - np.arctanh(found.low)) / 2 * (1 - found.value**2)
    else:
        half = (logit(found.high) - logit(found.low)) / 2 * found.value * (1 - found.value)
    assert found.method == "delta-logit-t"
    assert found.standard_error == pytest.approx(error, rel=1e-3)
    assert 1.959 < half / error < 2.1  # the quantile of Student's t


def test_only_cases_in_the_denominator_count():
    """Class weights leave the cases within a class alike: sensitivity and specificity have the intervals of
    the plain counts."""
    plain = Counts(tp=40, fp=95, fn=10, tn=855)
    weighted = Counts(
        tp=400, fp=50, fn=100, tn=450, squares=Counts(tp=4000, fp=50**2 / 95, fn=1000, tn=450**2 / 855)
    )
    for name in (
        "sensitivity",
        "specificity",
        "youden_j",
        "positive_likelihood_ratio",
        "diagnostic_odds_ratio",
    ):
        same(estimate(name, weighted), estimate(name, plain))


def test_a_kind_of_case_that_was_not_met_has_the_weight_that_it_would_have():
    """Two-phase verification: every predicted positive, a tenth of the others with weight 10."""
    c = Counts(tp=60, fp=50, fn=0, tn=900, squares=Counts(tp=60, fp=50, fn=0, tn=9000))
    found, plain = estimate("sensitivity", c), estimate("sensitivity", Counts(tp=60, fp=50, fn=0, tn=90))
    assert found.value - found.low > 2 * (plain.value - plain.low)


@for_each("entry", OF_COUNTS)
def test_fixed_class_sizes(entry):
    """A measure within the classes keeps its interval; others are noted, and none has one that the class
    sizes make."""
    c = counts_of()
    plain, held = (estimate(entry, c, Settings(design=design)) for design in DESIGNS)
    if not depends_on_mix(entry.function, c):
        assert (held.low, held.high, held.note) == pytest.approx(
            (plain.low, plain.high, plain.note), nan_ok=True
        )
    else:
        assert held.note.endswith((GIVEN.text, FIXED.text))


def test_the_prevalence_is_no_result_of_a_case_control_study():
    found = estimate("prevalence", counts_of(), Settings(design="case-control"))
    assert not found.has_interval
    assert found.note.startswith("no interval: the class sizes are fixed by the design")


@pytest.mark.parametrize("design", DESIGNS)
def test_two_classes_as_counts_and_as_a_matrix(design):
    matrix = ConfusionMatrix.from_arrays(truth=TRUTH, predicted=CALLED, weight=WEIGHT**0.2)
    for name in ("accuracy", "cohen_kappa", "balanced_accuracy", "error_rate"):
        of_counts, of_matrix = (
            estimate(name, one, Settings(design=design)) for one in (matrix.counts(True), matrix)
        )
        assert (of_counts.low, of_counts.high) == pytest.approx((of_matrix.low, of_matrix.high), rel=1e-9), (
            name
        )


def test_arrays_of_weighted_counts_are_measured_one_by_one():
    each = matrix_of(WEIGHT).one_vs_rest()
    for entry in OF_COUNTS:
        for found, one in zip(estimate_each(entry, each), (each[i] for i in range(3)), strict=True):
            if "bootstrap" not in f"{found.method} {found.note}":  # arrays are resampled together
                same(found, estimate(entry, one))


# Few degrees of freedom
# -----------------------------------------------------------------------------------------------


def weighed(*cells):
    """Counts of these lists of case weights: true positives, false positives, false negatives, true
    negatives."""
    return Counts.of(
        *map(float, map(np.sum, cells)),
        squares=Counts.of(*(float(np.sum(np.square(cell))) for cell in cells)),
    )


PROPORTIONS = (
    "sensitivity",
    "specificity",
    "precision",
    "negative_predictive_value",
    "accuracy",
    "jaccard",
    "youden_j",
)


def test_a_wald_interval_that_students_t_reaches_beyond_1_is_flagged():
    counts = weighed(*(np.random.default_rng(3).lognormal(0.0, 0.7, size) for size in (38, 30, 8, 30)))
    found = estimate("sensitivity", counts, Settings(proportion="wald"))
    assert found.high == 1
    assert "about 13 cases decide" in found.note


@for_each("name", PROPORTIONS[:-1])
@for_each("unit", [(2.5, 2.5, 2.5, 2.5), (3.0, 0.7, 3.0, 0.7), (1.0, 1.0, 10.0, 10.0), (2.0, 3.0, 0.5, 0.75)],
          ids=["all", "class", "prediction", "both"])  # fmt: skip
def test_weights_that_class_and_prediction_make_leave_it_as_it_is(name, unit):
    counts = weighed(*(np.full(size, weight) for size, weight in zip((30, 12, 10, 28), unit, strict=True)))
    found, wald = estimate(name, counts), estimate(name, counts, Settings(proportion="wald"))
    n = found.value * (1 - found.value) / wald.standard_error**2
    wanted = tuple(map(float, METHODS["wilson"](found.value * n, n, 0.95)))
    assert (found.low, found.high) == pytest.approx(wanted, rel=1e-9)


@for_each("name", PROPORTIONS)
def test_weights_that_hardly_vary_hardly_matter(name):
    plain = estimate(name, Counts(tp=30, fp=12, fn=10, tn=28))
    for spread, near in ((1e-9, 1e-6), (1e-4, 1e-3)):
        found = estimate(
            name, weighed(*(1 + spread * RANDOM.uniform(-1, 1, size) for size in (30, 12, 10, 28)))
        )
        assert (found.low, found.high) == pytest.approx(
            (plain.low, plain.high), abs=near * (plain.high - plain.low)
        )


@pytest.mark.full
def test_proportions_of_few_cases_with_sampling_weights_are_covered():
    """120 cases, 8,000 samples. By the normal distribution: 0.932, 0.928 and 0.927."""
    random, true = (
        np.random.default_rng(13),
        {"sensitivity": 0.8, "specificity": 0.65, "negative_predictive_value": 0.65 / 0.85},
    )
    weight, positive = random.lognormal(0.0, 0.7, (8_000, 120)), random.random((8_000, 120)) < 0.5
    called = random.random(weight.shape) < np.where(positive, 0.8, 0.35)
    masks = (positive & called, ~positive & called, positive & ~called, ~positive & ~called)
    counts = Counts.of(
        *((weight * mask).sum(1) for mask in masks),
        squares=Counts.of(*((weight**2 * mask).sum(1) for mask in masks)),
    )
    for name, value in true.items():
        held = np.mean([one.low <= value <= one.high for one in estimate_each(name, counts)])
        assert 0.935 <= held <= 0.97, name


@for_each("measure", ("accuracy", "sensitivity", "precision", "specificity"))
@for_each("proportion", tuple(METHODS))
def test_weights_too_unlike_for_floats_have_no_interval_of_width_0(measure, proportion):
    """Wilson's was [1, 1]."""
    for heavy, light in ((1e49, 1e-49), (1e20, 1e-8), (1e4, 1e-4)):
        weights = {"tp": heavy, "fp": light, "fn": light, "tn": heavy}
        counts = Counts(**weights, squares=Counts(**{cell: weight**2 for cell, weight in weights.items()}))
        found = estimate(measure, counts, Settings(proportion=proportion))
        reason = str(found.note)
        assert found.low < found.high or "no interval" in reason or "fewer than two cases" in reason


def test_as_cases():
    c = as_cases(counts_of(WEIGHT))
    assert c.total == pytest.approx(c.squares.total)
    assert c.total == pytest.approx(WEIGHT.sum() ** 2 / (WEIGHT**2).sum())
    assert as_cases(counts_of()) == counts_of()
