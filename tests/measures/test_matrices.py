"""Measures of a whole confusion matrix: against the form of two classes, under new names, and from their
definitions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from looping import for_each, in_part
from strategies import (
    FRACTIONS,
    GRID,
    UNEVEN,
    empty,
    matrices,
    matrix,
    measures_of,
    name,
    of_two_classes,
    same,
    says,
    some_matrices,
)

from tallymark import ConfusionMatrix, Counts
from tallymark.measures.registry import get

OF_MATRICES = measures_of(ConfusionMatrix)
of_matrices = for_each("entry", OF_MATRICES, ids=name)
of_both = for_each("entry", [entry for entry in measures_of(Counts) if entry.for_many_classes], ids=name)
BY_ORDER = "The order of the classes is that of"  # as the docstring of a measure says
WHOLE, FRACTIONAL = list(some_matrices(200, seed=9)), list(some_matrices(200, FRACTIONS, seed=9))


def of(name, m):
    return get(name, ConfusionMatrix)(m)


def permuted(m, order):
    return matrix(m.weights[np.ix_(order, order)])


# Two classes
# ----------------------------------------------------------------------------------------------------------


@in_part(3)
@of_both
@for_each(("cells", "within"), [(GRID, 1e-12), (UNEVEN, 1e-11)], ids=["whole", "fractional"])
def test_two_classes_give_the_value_of_their_counts(entry, cells, within):
    """Wherever that has one: the mean of the recalls leaves out a class that is not there."""
    values = entry(cells)
    there = np.flatnonzero(~np.isnan(values))
    assert len(there) > 800
    ours = [entry.for_many_classes(of_two_classes(cells[int(i)])) for i in there]
    np.testing.assert_allclose(ours, values[there], rtol=within, atol=within)


@in_part(6, ("fast", "full"))
@of_both
def test_which_class_is_called_positive_is_irrelevant(entry):
    for i in np.random.default_rng(2).integers(0, len(GRID.tp), 200):
        m = of_two_classes(GRID[int(i)])
        assert same(entry(m), entry(permuted(m, [1, 0])))


@of_both
def test_arrays_of_two_classes_give_the_same_by_either_form(entry):
    truth, called = [0, 1, 1, 0, 1, 1, 0], [0, 1, 0, 0, 1, 1, 1]
    both = (form(truth=truth, predicted=called) for form in (entry, entry.for_many_classes))
    assert next(both) == pytest.approx(next(both), rel=1e-14)


# Names and order of the classes
# ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [entry for entry in OF_MATRICES if not says(entry, BY_ORDER)], ids=name)
@given(data=st.data(), m=matrices(min_classes=2, max_classes=5))
def test_new_names_for_the_classes_change_nothing(entry, data, m):
    order = data.draw(st.permutations(range(len(m))))
    assert same(entry(permuted(m, order)), entry(m))


@pytest.mark.parametrize("entry", [entry for entry in OF_MATRICES if says(entry, BY_ORDER)], ids=name)
@given(m=matrices(min_classes=2, max_classes=5))
def test_turning_the_order_of_the_classes_changes_nothing(entry, m):
    assert same(entry(permuted(m, range(len(m))[::-1])), entry(m))


@pytest.mark.parametrize("entry", [entry for entry in OF_MATRICES if says(entry, BY_ORDER)], ids=name)
def test_another_order_of_the_classes_changes_what_depends_on_it(entry):
    m = matrix([[5, 1, 0], [2, 6, 1], [0, 1, 3]])
    assert not same(entry(permuted(m, [1, 0, 2])), entry(m), 1e-3)


def test_some_measures_depend_on_the_order():
    """Guards the sentence by which the tests above tell them."""
    assert {entry.name for entry in OF_MATRICES if says(entry, BY_ORDER)} == {
        "linear_weighted_kappa",
        "quadratic_weighted_kappa",
    }


@of_matrices
def test_labels_of_any_kind_are_as_good(entry):
    weights = [[5, 1, 0], [2, 6, 1], [0, 1, 3]]
    for labels in (("a", "b", "c"), (-1.5, 0.0, 7.25), (10, 20, 30)):
        assert entry(ConfusionMatrix(labels, weights)) == entry(matrix(weights))


@pytest.mark.parametrize("entry", [entry for entry in OF_MATRICES if "K" not in entry.formula], ids=name)
@given(m=matrices(max_classes=3))
def test_a_class_that_no_case_has_changes_nothing(entry, m):
    """Unless the number of classes, K, is in the formula."""
    assert same(entry(matrix(np.pad(m.weights, (0, 1)))), entry(m))


@pytest.mark.full
@for_each(
    "name", ["accuracy", "matthews_correlation", "cohen_kappa", "mutual_information", "confusion_entropy"]
)
@for_each("some", [WHOLE, FRACTIONAL], ids=["whole", "fractional"])
def test_truth_and_prediction_swapped_give_the_same(name, some):
    assert all(same(of(name, matrix(m.weights.T)), of(name, m)) for m in some)


@of_matrices
@given(data=st.data())
def test_parts_of_the_cases_may_be_counted_apart(entry, data):
    labels = st.sampled_from([1, 2, 3] if entry.ordered else "abc")
    rows = data.draw(st.lists(st.tuples(labels, labels), min_size=4, max_size=12))
    truth, called = (list(column) for column in zip(*rows, strict=True))
    halves = slice(0, 3), slice(3, None)
    assume(all({*truth[some]} & {*called[some]} for some in (*halves, slice(None))))  # else in other words
    parts = [ConfusionMatrix.from_arrays(truth=truth[some], predicted=called[some]) for some in halves]
    assert same(entry(sum(parts)), entry(truth=truth, predicted=called))


# Definitions
# ----------------------------------------------------------------------------------------------------------


@for_each("m", WHOLE[:60], ids=lambda m: f"{len(m)}x{len(m)}")
def test_matthews_correlation_is_a_correlation_of_indicators(m):
    """The covariances of the indicators of the classes added up, over those within the truth and within the
    prediction."""
    cells = [(i, j) for i in range(len(m)) for j in range(len(m))]
    share = np.array([m.weights[cell] / m.total for cell in cells])
    truth, called = (np.eye(len(m))[[cell[side] for cell in cells]] for side in (0, 1))

    def covariance(a, b):
        return sum(share @ (a[:, k] * b[:, k]) - (share @ a[:, k]) * (share @ b[:, k]) for k in range(len(m)))

    if not empty(get("mcc", ConfusionMatrix), m):
        wanted = covariance(truth, called) / math.sqrt(covariance(truth, truth) * covariance(called, called))
        assert same(of("matthews_correlation", m), wanted, 1e-10)


KAPPAS = {
    "cohen_kappa": lambda i, j: int(i != j),
    "linear_weighted_kappa": lambda i, j: abs(i - j),
    "quadratic_weighted_kappa": lambda i, j: (i - j) ** 2,
}


@for_each("name", KAPPAS)
@for_each("m", WHOLE[:60], ids=lambda m: f"{len(m)}x{len(m)}")
def test_kappa_is_what_is_lost_over_what_chance_loses(name, m):
    """In fractions: the mean disagreement of the pairs, over that of every truth with every prediction."""
    cells = [[Fraction(int(weight)) for weight in row] for row in m.weights]
    pairs = list(itertools.product(range(len(m)), repeat=2))
    lost = sum(KAPPAS[name](i, j) * cells[i][j] for i, j in pairs) * sum(map(sum, cells))
    by_chance = sum(KAPPAS[name](i, j) * sum(cells[i]) * sum(row[j] for row in cells) for i, j in pairs)
    if by_chance:
        assert of(name, m) == pytest.approx(float(1 - lost / by_chance), rel=1e-10, abs=1e-12)
    else:
        assert math.isnan(of(name, m))


def surprise(shares):
    return -sum(p * math.log(p) for p in shares if p > 0)


@for_each("m", WHOLE[:60], ids=lambda m: f"{len(m)}x{len(m)}")
def test_mutual_information_is_what_the_prediction_takes_from_the_entropy(m):
    shares = m.weights / m.total
    truth, called, both = surprise(shares.sum(1)), surprise(shares.sum(0)), surprise(shares.ravel())
    assert of("mutual_information", m) == pytest.approx(truth + called - both, abs=1e-12)
    if not empty(get("uncertainty_coefficient", ConfusionMatrix), m):
        assert of("uncertainty_coefficient", m) == pytest.approx((truth + called - both) / truth, abs=1e-9)


@pytest.mark.parametrize("base", [2, 10, 1.5])
def test_mutual_information_in_another_unit(base):
    entry = get("mutual_information")
    for m in WHOLE[:50]:
        assert entry(m, base=base) == pytest.approx(entry(m) / math.log(base), rel=1e-12)


@for_each("m", WHOLE[:60], ids=lambda m: f"{len(m)}x{len(m)}")
def test_confusion_entropy_is_the_mean_of_that_of_the_classes(m):
    """As Wei, Yuan, Hu and Wang (2010) write it, class by class: their Eqs. 2 to 6."""
    base, value = max(2 * (len(m) - 1), 2), 0.0
    for k in range(len(m)):
        side = m.weights[k].sum() + m.weights[:, k].sum()
        mistakes = [m.weights[j, k] for j in range(len(m)) if j != k] + [
            m.weights[k, j] for j in range(len(m)) if j != k
        ]
        if side:
            value += (
                side / (2 * m.total) * surprise([mistake / side for mistake in mistakes]) / math.log(base)
            )
    assert of("confusion_entropy", m) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("size", [3, 4, 10])
def test_confusion_entropy_is_1_for_even_mistakes_alone(size):
    assert of("confusion_entropy", matrix(7 * (1 - np.eye(size)))) == pytest.approx(1, rel=1e-14)
    assert of("confusion_entropy", matrix(np.eye(size))) == 0


def test_confusion_entropy_of_two_classes_can_exceed_1():
    assert of("confusion_entropy", matrix([[1, 4], [3, 2]])) > 1


@given(m=matrices())
def test_balanced_accuracy_is_the_mean_of_the_recalls(m):
    recalls = [Fraction(int(row[k]), int(row.sum())) for k, row in enumerate(m.weights) if row.sum()]
    assert of("balanced_accuracy", m) == pytest.approx(float(sum(recalls) / len(recalls)), rel=1e-14)


@given(m=matrices())
def test_accuracy_and_error_rate_are_shares_of_the_cells(m):
    assert of("accuracy", m) == float(Fraction(int(m.weights.trace()), int(m.total)))
    assert of("error_rate", m) == float(Fraction(int(m.weights.sum() - m.weights.trace()), int(m.total)))


def test_kappa_of_two_classes_is_the_same_however_distance_is_weighed():
    for i in range(7, len(UNEVEN.tp), 7):
        values = [get(name, ConfusionMatrix)(of_two_classes(UNEVEN[i])) for name in KAPPAS]
        assert same(values, values[0])


def test_linear_kappa_is_the_mean_of_the_kappas_of_the_cuts():
    """Each cut of the ordered classes in two has a kappa; their mean, by chance disagreement, is the linear
    one (Vanbelle 2016)."""
    m = matrix([[11, 3, 1, 0], [2, 9, 4, 1], [0, 5, 8, 2], [1, 0, 3, 7]])
    cuts = []
    for k in range(1, 4):
        low = [slice(0, k), slice(k, None)]
        two = matrix([[m.weights[a, b].sum() for b in low] for a in low])
        row, column = two.weights.sum(1), two.weights.sum(0)
        cuts.append((of("cohen_kappa", two), row[0] * column[1] + row[1] * column[0]))
    values, by_chance = np.array(cuts).T
    assert of("linear_weighted_kappa", m) == pytest.approx(values @ by_chance / by_chance.sum(), rel=1e-12)


def test_quadratic_kappa_is_a_concordance_coefficient():
    """Lin's, of the numbers of the classes: 2 cov / (var + var + (difference of the means)^2)."""
    for m in (m for m in WHOLE[:100] if not empty(get("quadratic_weighted_kappa"), m)):
        rank, shares = np.arange(len(m)), m.weights / m.total
        row, column = shares.sum(1), shares.sum(0)
        means = row @ rank, column @ rank
        covariance = rank @ shares @ rank - means[0] * means[1]
        spread = row @ rank**2 - means[0] ** 2 + column @ rank**2 - means[1] ** 2 + (means[0] - means[1]) ** 2
        assert same(of("quadratic_weighted_kappa", m), 2 * covariance / spread, 1e-9)
