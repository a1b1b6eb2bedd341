"""Properties of the values of every measure of the catalogue: a new one is tested the day it is written."""

import math
import warnings

import numpy as np
import pytest
from faults import outside, undocumented
from hypothesis import given, strategies as st
from looping import for_each, holds, in_part
from scipy.special import ndtr
from strategies import (
    BUSY,
    BUSY_TABLE,
    EVERY,
    FRACTIONS,
    GRID,
    UNEVEN,
    cases,
    class_scores,
    empty,
    grid,
    indicators,
    matrix,
    measured,
    measures_of,
    name,
    nothing,
    residuals,
    same,
    says,
    some_matrices,
    tables,
    tables_at_the_ends,
    weights,
)

from tallymark import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals, measures
from tallymark.measures.registry import get

WHOLE, FRACTIONAL = list(some_matrices(400)), list(some_matrices(400, FRACTIONS))
ON_NUMBER = "It depends on the number of cases"  # as the docstring of a measure says
ON_QUANTILES = "Quantiles depend on the number of cases"  # so that a case near an edge may be in the next bin

every = for_each("entry", EVERY, ids=name)
of_counts = for_each("entry", measures_of(Counts), ids=name)
of_tables = for_each("entry", measures_of(RankingTable), ids=name)
of_matrices = for_each("entry", measures_of(ConfusionMatrix), ids=name)
of_indicators = for_each("entry", measures_of(IndicatorTable), ids=name)
of_class_scores = for_each("entry", measures_of(ClassScores), ids=name)
of_residuals = for_each("entry", measures_of(Residuals), ids=name)


def of_shares(kind):
    """The measures that look at shares of the cases alone, however many there are."""
    kept = [entry for entry in measures_of(kind) if not (says(entry, ON_NUMBER) or says(entry, ON_QUANTILES))]
    return for_each("entry", kept, ids=name)


each_mix = for_each("some", [WHOLE, FRACTIONAL], ids=["whole", "fractional"])
each_grid = for_each("cells", [GRID, UNEVEN], ids=["whole", "fractional"])


def in_range(entry, value):
    low, high = entry.range
    return np.all((value >= low) & (value <= high) | np.isnan(value))


# Values
# --------------------------------------------------------------------------------------------------


@of_counts
@for_each("cells", [GRID, UNEVEN, GRID * 1e9, GRID * 1e12], ids=["whole", "fractional", "large", "huge"])
@holds("range")
def test_value_lies_in_the_range(entry, cells):
    assert not outside(entry, cells), outside(entry, cells)


@in_part(3)
@of_tables
@holds("range")
@given(table=tables(fractional=False))
def test_value_of_whole_weights_lies_in_the_range(entry, table):
    assert in_range(entry, entry(table))


@in_part(3)
@of_tables
@holds("range")
@given(table=tables(fractional=True))
def test_value_of_fractional_weights_lies_in_the_range(entry, table):
    assert in_range(entry, entry(table))


@in_part(10)
@of_tables
@holds("range")
def test_value_at_the_ends_lies_in_the_range(entry):
    """Rounding must not leave it outside."""
    assert all(in_range(entry, entry(table)) for table in tables_at_the_ends(200))


@in_part(6, ("fast", "full"))
@of_matrices
@each_mix
@holds("range")
def test_value_of_a_matrix_lies_in_the_range(entry, some):
    assert [m for m in some if not in_range(entry, entry(m))] == []


@in_part(3)
@of_matrices
@each_mix
@holds("range")
def test_value_of_a_matrix_without_mistakes_or_with_nothing_else_lies_in_the_range(entry, some):
    right = [ConfusionMatrix(m.labels, np.diag(m.weights.sum(1))) for m in some]
    wrong = [ConfusionMatrix(m.labels, m.weights - np.diag(m.weights.diagonal())) for m in some]
    assert [m for m in right + wrong if not in_range(entry, entry(m))] == []


@of_indicators
@holds("range")
@given(table=indicators())
def test_value_of_indicators_lies_in_the_range(entry, table):
    assert in_range(entry, entry(table))


@of_class_scores
@holds("range")
@given(table=class_scores())
def test_value_of_class_scores_lies_in_the_range(entry, table):
    assert in_range(entry, entry(table))


@of_residuals
@holds("range")
@given(table=residuals())
def test_value_of_residuals_lies_in_the_range_and_is_defined(entry, table):
    for parameters in settings_of(entry):
        value = entry(table, **parameters)
        assert in_range(entry, value), parameters
        assert math.isfinite(value) != empty(entry, table), parameters
    for factor in (7, 0.37, 1e9, 1e12):
        assert same(entry(table * factor), entry(table)), factor


@of_counts
@each_grid
@holds("0/0")
def test_undefined_exactly_where_documented_for_counts(entry, cells):
    assert not undocumented(entry, cells), undocumented(entry, cells)


@in_part(6, ("fast", "full"))
@of_tables
@holds("0/0")
@given(table=tables())
def test_undefined_exactly_where_documented_for_tables(entry, table):
    assert math.isnan(entry(table)) == empty(entry, table)


@of_class_scores
@holds("0/0")
@given(table=class_scores())
def test_undefined_exactly_where_documented_for_class_scores(entry, table):
    assert math.isnan(entry(table)) == empty(entry, table)


@in_part(6, ("fast", "full"))
@of_matrices
@each_mix
@holds("0/0")
def test_undefined_exactly_where_documented_for_matrices(entry, some):
    assert [m for m in some if math.isnan(entry(m)) != empty(entry, m)] == []


@in_part(3)
@of_matrices
@for_each("factor", [1, 0.1, 1 / 3, 1e12])
@holds("0/0")
def test_undefined_exactly_where_documented_for_matrices_of_one_class(entry, factor):
    """All in one row, in one column, or in one cell: rounding must leave nothing beside it."""
    random = np.random.default_rng(8)
    for size in (1, 2, 3, 4, 6, 9) * 25:
        row = np.zeros((size, size))
        row[random.integers(size)] = random.random(size) * factor
        for m in map(matrix, (row, row.T, row * np.eye(size))):
            assert math.isnan(entry(m)) == empty(entry, m), m.to_dict()


@every
@holds("0/0")
def test_undefined_without_cases(entry):
    assert math.isnan(entry(nothing(entry.summary)))


@of_matrices
@for_each("size", [1, 2, 5])
@holds("0/0")
def test_undefined_without_cases_but_with_classes(entry, size):
    assert math.isnan(entry(matrix(np.zeros((size, size)))))


@in_part(8, ("fast", "full"))
@of_counts
@holds("arrays")
def test_array_is_its_scalars(entry):
    some = np.random.default_rng(1).choice(len(GRID.tp), 300, replace=False)
    one_by_one = [entry(GRID[index]) for index in some]
    assert all(type(value) is float for value in one_by_one)
    np.testing.assert_array_equal(entry(GRID)[some], one_by_one)


@for_each("entry", [entry for entry in EVERY if entry.summary is not Counts], ids=name)
@holds("arrays")
def test_a_single_value_is_a_float(entry):
    truth, score = np.array([0, 1, 1, 0]), np.array([0.2, 0.3, 0.6, 0.7])
    for value in (
        measured(entry, truth, score),
        entry(nothing(entry.summary)),
        entry(nothing(entry.summary), undefined=1),
    ):
        assert type(value) is float


@of_counts
@holds("arrays")
def test_shape_of_the_cells_is_kept(entry):
    cells = Counts(tp=np.full((2, 3), 5), fp=1, fn=2, tn=np.arange(3))
    assert entry(cells).shape == (2, 3)


@in_part(6, ("fast", "full"))
@of_counts
@holds("x/0")
def test_no_warning_but_of_what_is_undefined(entry):
    """Whatever is empty: no division by zero, no logarithm of it, in numbers and in arrays."""
    degenerate = grid(0, 1, 1e-9, 1e12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for parameters in settings_of(entry):
            together = entry(degenerate, undefined=math.nan, **parameters)
            one_by_one = [
                entry(degenerate[i], undefined=math.nan, **parameters) for i in range(len(degenerate.tp))
            ]
            np.testing.assert_allclose(together, one_by_one, rtol=1e-12, atol=1e-12)


def settings_of(entry):
    """As it is, and each parameter at the ends of its limits; the two ends of a range together, for the one
    is below the other."""
    if "low" in entry.parameters:
        return [
            {},
            *({"low": low, "high": high} for low, high in ((0, 1), (0, 1e-9), (0.25, 0.5), (1 - 1e-9, 1))),
        ]
    return [
        {},
        *({parameter: end} for parameter, ends in entry.limits.items() for end in ends if math.isfinite(end)),
    ]


@for_each("entry", [entry for entry in measures_of(Counts) if entry.limits], ids=name)
@each_grid
@holds("range")
def test_value_at_the_limits_of_a_parameter_lies_in_the_range(entry, cells):
    for parameters in settings_of(entry):
        assert not outside(entry, cells, **parameters), f"{parameters}: {outside(entry, cells, **parameters)}"


@for_each("entry", [entry for entry in measures_of(ConfusionMatrix) if entry.limits], ids=name)
@holds("range")
def test_value_of_a_matrix_at_the_limits_of_a_parameter_lies_in_the_range(entry):
    for parameters in settings_of(entry):
        assert all(in_range(entry, entry(m, **parameters)) for m in WHOLE[:50]), parameters


@in_part(3)
@for_each("entry", [entry for entry in measures_of(RankingTable) if entry.limits], ids=name)
@holds("range")
@given(table=tables())
def test_value_of_a_table_at_the_limits_of_a_parameter_lies_in_the_range(entry, table):
    for parameters in settings_of(entry):
        value = entry(table, **parameters)
        assert in_range(entry, value), parameters
        assert math.isnan(value) == empty(entry, table), parameters


@for_each("entry", [entry for entry in measures_of(ClassScores) if entry.limits], ids=name)
@holds("range")
@given(table=class_scores())
def test_value_of_class_scores_at_the_limits_of_a_parameter_lies_in_the_range(entry, table):
    for parameters in settings_of(entry):
        assert in_range(entry, entry(table, **parameters)), parameters


# The number of cases
# --------------------------------------------------------------------------------------------------


@of_shares(Counts)
@for_each("factor", [7, 0.37, 1e9, 1e12])
@holds("shares")
def test_counts_times_a_number_give_the_same(entry, factor):
    assert same(entry(GRID * factor), entry(GRID))


@in_part(3)
@of_shares(ConfusionMatrix)
@for_each("factor", [7, 0.37, 1e9, 1e12])
@holds("shares")
def test_a_matrix_times_a_number_gives_the_same(entry, factor):
    for m in WHOLE[:100] + FRACTIONAL[:100]:
        assert same(entry(m * factor), entry(m))


@for_each("entry", [entry for entry in EVERY if says(entry, ON_NUMBER)], ids=name)
@holds("shares")
def test_what_is_said_to_depend_on_the_number_of_cases_does(entry):
    some = {Counts: BUSY, RankingTable: BUSY_TABLE}[entry.summary]
    assert not same(entry(some * 0.1), entry(some), 1e-4)


@for_each("entry", [entry for entry in measures_of(RankingTable) if says(entry, ON_QUANTILES)], ids=name)
@holds("shares")
def test_what_is_in_bins_between_quantiles_depends_on_the_number_of_cases(entry):
    """Of 12 cases in 10 bins quantiles of type 7 cut elsewhere than of the same cases seven times."""
    positive = np.array([1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1])
    some = RankingTable(np.arange(12, 0, -1) / 25 + 0.5, positive, 1 - positive)
    assert not same(entry(some * 7), entry(some), 1e-4)


def test_some_measure_depends_on_the_number_of_cases():
    """Guards the sentence by which the tests above tell them."""
    of_counts = {"adjusted_geometric_mean", "corrected_odds_ratio"}
    assert {entry.name for entry in EVERY if says(entry, ON_NUMBER)} >= of_counts | {
        "average_gain",
        "precision_at_k",
    }


@in_part(3)
@of_shares(RankingTable)
@holds("shares")
@given(table=tables())
def test_weights_times_a_number_give_the_same(entry, table):
    for factor in (7, 0.37, 1e9, 1e12):
        assert same(entry(table * factor), entry(table)), factor


@in_part(3)
@of_shares(ClassScores)
@holds("shares")
@given(table=class_scores())
def test_weights_of_class_scores_times_a_number_give_the_same(entry, table):
    for factor in (7, 0.37, 1e9, 1e12):
        assert same(entry(table * factor), entry(table)), factor


@in_part(3)
@of_shares(RankingTable)
@holds("shares")
@given(table=tables(fractional=False))
def test_billions_of_cases_give_the_same(entry, table):
    """As whole numbers, of which products soon leave 64 bits."""
    for factor in (10**9, 3 * 10**9, 10**12):
        billions = RankingTable(table.score, table.positive * factor, table.negative * factor)
        assert same(entry(billions), entry(table)), factor


# Cases
# --------------------------------------------------------------------------------------------------


def alike(entry, one, other):
    """To the last digit where a summary puts cases together; class scores hold them one by one, so that sums
    over them round."""
    return same(one, other, 1e-14) if entry.summary is ClassScores else same(one, other, 0)


@in_part(4)
@every
@holds("cases")
@given(data=st.data(), drawn=cases(both_classes=True))
def test_order_of_the_rows_is_irrelevant(entry, data, drawn):
    truth, score = drawn
    order = data.draw(st.permutations(range(len(truth))))
    weight = np.array(data.draw(weights(len(truth))))
    assert alike(entry, measured(entry, truth[order], score[order]), measured(entry, truth, score))
    assert same(
        measured(entry, truth[order], score[order], weight[order]), measured(entry, truth, score, weight)
    )


@in_part(4, ("fast", "full"))
@every
@holds("cases")
@given(data=st.data(), drawn=cases())
def test_weight_is_the_number_of_times_that_a_row_counts(entry, data, drawn):
    """2 stands for the row twice, and 0 for no row."""
    truth, score = drawn
    times = np.array(data.draw(weights(len(truth), (0, 1, 2, 3)).filter(lambda drawn: drawn.sum() > 0)))
    repeated = measured(entry, np.repeat(truth, times), np.repeat(score, times))
    assert alike(entry, measured(entry, truth, score, times, weight_kind="count"), repeated)


@in_part(4)
@every
@holds("cases")
@given(data=st.data(), drawn=cases())
def test_rows_of_weight_0_are_absent_among_fractional_ones(entry, data, drawn):
    truth, score = drawn
    weight = np.array(data.draw(weights(len(truth), (0.0, 0.3, 0.7)).filter(lambda drawn: drawn.sum() > 0)))
    there = weight > 0
    assert same(
        measured(entry, truth, score, weight), measured(entry, truth[there], score[there], weight[there])
    )


@of_tables
@for_each("empty_row", [0, 1, 2])
@holds("cases")
def test_a_score_that_nobody_has_changes_nothing(entry, empty_row):
    score, positive, negative = (
        np.array([0.9, 0.6, 0.4, 0.2, 0.1]),
        np.array([2, 3, 1, 1, 0]),
        np.array([0, 1, 1, 0, 4]),
    )
    with_it = [
        np.insert(column, empty_row, value)
        for column, value in zip((score, positive, negative), (0, 0, 0), strict=True)
    ]
    with_it[0][empty_row] = [0.95, 0.7, 0.5][empty_row]
    assert same(entry(RankingTable(*with_it)), entry(RankingTable(score, positive, negative)))


@every
@holds("best")
def test_perfect_classifier_gets_the_best_value(entry):
    truth = np.array([0, 1, 1, 0, 1, 0, 0])
    for weight in (None, np.array([0.1, 0.7, 0.3, 0.3, 2.2, 0.9, 0.6])):
        value = measured(entry, truth, truth.astype(float), weight)
        assert entry.best is None or same(value, entry.best, 1e-15), f"{value:g} is not best={entry.best:g}"


@of_matrices
@holds("best")
def test_perfect_classifier_of_many_classes_gets_the_best_value(entry):
    for sizes in ([3, 7, 1000, 1], [0.1, 0.3, 2.2, 1234.5]):
        assert entry.best is None or same(entry(matrix(np.diag(sizes))), entry.best, 1e-12)


@for_each("entry", [entry for entry in EVERY if entry.best is not None], ids=name)
@holds("best")
def test_poor_classifier_gets_less_than_the_best_value(entry):
    truth, score = np.array([0, 1, 1, 0, 1]), np.array([0.9, 0.8, 0.3, 0.4, 0.6])
    worse = measured(entry, truth, score)
    assert worse < entry.best if entry.better == "higher" else worse > entry.best, (
        f"{worse:g} is no worse than {entry.best:g}"
    )


@for_each("entry", [entry for entry in EVERY if entry.better], ids=name)
@holds("best")
def test_better_classifier_gets_a_better_value(entry):
    """Each class is found more often, and some mistakes are left; scores of many values, of which some reach
    any rate."""
    truth, random = np.arange(900) % 3 == 0, np.random.default_rng(4).normal(size=900)
    poor, good = (
        measured(entry, truth.astype(int), ndtr((truth - 0.5) * apart + random)) for apart in (0.5, 3)
    )
    assert poor < good if entry.better == "higher" else poor > good, (
        f"{good:g} of a better classifier, {poor:g} of a poor one"
    )


# Swapped classes
# --------------------------------------------------------------------------------------------------


def unusual(entry):
    """Parameters such that no measure is another one, as the expected cost is the error rate where both
    mistakes cost 1."""
    return {parameter: 0.3 * (i + 1) for i, parameter in enumerate(entry.parameters)}


def partners():
    """Each measure of counts, and the ones that equal it once the negative class is called positive."""
    values = {entry.name: entry(BUSY, **unusual(entry)) for entry in measures_of(Counts)}
    swapped = {entry.name: entry(BUSY.swap_classes(), **unusual(entry)) for entry in measures_of(Counts)}
    return {name: {other for other in values if same(swapped[name], values[other])} for name in values}


PARTNERS = partners()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sensitivity", "specificity"),
        ("precision", "negative_predictive_value"),
        ("false_positive_rate", "false_negative_rate"),
        ("false_discovery_rate", "false_omission_rate"),
    ],
)
def test_swapping_the_classes_gives_the_partner(one, other):
    assert PARTNERS[one] == {other}
    assert PARTNERS[other] == {one}


@for_each(
    "name",
    [
        "accuracy", "error_rate", "youden_j", "markedness", "balanced_accuracy", "balanced_error_rate",
        "geometric_mean", "optimization_precision", "matthews_correlation", "cohen_kappa",
        "equitable_threat_score", "uncertainty_coefficient", "symmetric_extremal_dependence",
        "diagnostic_odds_ratio", "corrected_odds_ratio", "discriminant_power", "yule_q", "yule_y",
        "number_needed_to_diagnose",
    ],
)  # fmt: skip
def test_swapping_the_classes_changes_nothing(name):
    assert PARTNERS[name] == {name}


def test_partners_come_in_pairs_and_no_two_measures_are_one():
    assert all(len(found) <= 1 for found in PARTNERS.values()), (
        "two measures give the same values: make one an alias"
    )
    assert all(PARTNERS[other] == {one} for one, found in PARTNERS.items() for other in found)


@given(drawn=cases(both_classes=True))
def test_swapping_the_classes_and_turning_the_scores_leaves_the_auc(drawn):
    truth, score = drawn
    assert measures.roc_auc(truth=1 - truth, score=-score) == measures.roc_auc(truth=truth, score=score)


@given(drawn=cases(both_classes=True))
def test_turning_the_scores_turns_the_auc(drawn):
    truth, score = drawn
    assert math.isclose(
        measures.roc_auc(truth=truth, score=-score),
        1 - measures.roc_auc(truth=truth, score=score),
        abs_tol=1e-15,
    )


@pytest.mark.parametrize("name", ["roc_auc", "average_precision"])
@pytest.mark.parametrize(
    "transform",
    [np.exp, np.cbrt, lambda s: 5 * s - 100, lambda s: -1 / (s + 1)],
    ids=["exp", "root", "line", "inverse"],
)
@given(drawn=cases(both_classes=True))
def test_increasing_transforms_leave_the_ranking(name, transform, drawn):
    truth, score = drawn
    assert get(name)(truth=truth, score=transform(score)) == get(name)(truth=truth, score=score)
