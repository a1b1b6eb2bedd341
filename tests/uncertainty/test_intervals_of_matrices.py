"""Intervals of measures of a whole matrix: slopes by differences, errors by published formulas, other tools
and simulation."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from looping import for_each, in_part
from scipy.stats import binomtest, chi2, ncx2, norm
from sound import MATRICES, USUAL, check
from strategies import grid, matrix, measures_of, name, of_two_classes, some_matrices

from tallymark import ConfusionMatrix, Settings, estimate
from tallymark.inference.interval import METHODS
from tallymark.inference.linear import _bias_of_confusion, _bias_of_information, _noncentrality
from tallymark.measures.families.multiclass import entropy
from tallymark.measures.registry import get

Z = NormalDist().inv_cdf(0.975)
# made of a slope
BY_DELTA = [entry for entry in measures_of(ConfusionMatrix) if entry.interval and entry.interval.of]
by_delta = for_each("entry", BY_DELTA, ids=name)
BIAS = {
    "mutual_information": lambda m: _bias_of_information(m, m.total),
    "uncertainty_coefficient": lambda m: _bias_of_information(m, m.total) / entropy(m.weights.sum(1)),
    "confusion_entropy": lambda m: _bias_of_confusion(m, m.total),
}
WEIGHTED = {"cohen_kappa": None, "linear_weighted_kappa": "linear", "quadratic_weighted_kappa": "quadratic"}


def of(name):
    return get(name, ConfusionMatrix)


def full(sizes=(2, 3, 4, 6), number=40, most=60):
    """Matrices of which no cell is empty."""
    random = np.random.default_rng(8)
    for i in range(number):
        size = sizes[i % len(sizes)]
        yield matrix(random.integers(1, most, (size, size)) + np.diag(random.integers(0, 2 * most, size)))


def standard_error(entry, m):
    """By the delta method, of its slope."""
    shares = m.weights / m.total
    slope = entry.interval.of[0](shares)
    return math.sqrt(((shares * (slope - (shares * slope).sum()) ** 2).sum()) / m.total)


def logit(p):
    return math.log(p / (1 - p))


# Slopes
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@by_delta
def test_slope_is_what_the_measure_changes_by(entry):
    """Along directions that keep the sum of the shares, of the cells that are not empty."""
    random = np.random.default_rng(1)
    for m in (
        *full(),
        *(m for m in some_matrices(200) if 1 < m.weights.trace() < m.total and (m.weights > 0).sum() > 2),
    ):
        shares = m.weights / m.total
        if math.isnan(entry(m, undefined=math.nan)):
            continue
        slope, there = entry.interval.of[0](shares), shares > 0
        for _ in range(3):
            way = np.where(there, random.normal(size=shares.shape), 0.0) * shares
            way -= shares * way.sum()
            step = 1e-5
            up, down = (entry.function(matrix(shares + side * step * way)) for side in (1, -1))
            assert (slope * way).sum() == pytest.approx((up - down) / (2 * step), rel=1e-5, abs=1e-7)


@in_part(6, ("fast", "full"))
@by_delta
def test_slope_is_finite_wherever_the_measure_is_defined(entry):
    for m in some_matrices(300):
        if not math.isnan(entry(m, undefined=math.nan)):
            assert np.isfinite(entry.interval.of[0](m.weights / m.total)[m.weights > 0]).all()


@by_delta
def test_a_hundred_times_the_cases_have_a_tenth_of_the_error(entry):
    for m in full(number=8):
        assert standard_error(entry, m * 100) == pytest.approx(standard_error(entry, m) / 10, rel=1e-12)


# Errors
# --------------------------------------------------------------------------------------------------


def test_error_of_the_correlation_of_two_classes_is_that_of_phi():
    """Bishop, Fienberg and Holland (1975), Eq. 11.3-15."""
    for m in full(sizes=(2,)):
        row, column, phi = m.weights.sum(1) / m.total, m.weights.sum(0) / m.total, of("mcc")(m)
        apart, along = (row[0] - row[1], column[0] - column[1]), (row.prod(), column.prod())
        variance = 1 - phi**2 + phi * (1 + phi**2 / 2) * apart[0] * apart[1] / math.sqrt(along[0] * along[1])
        variance -= 3 / 4 * phi**2 * (apart[0] ** 2 / along[0] + apart[1] ** 2 / along[1])
        assert standard_error(of("mcc"), m) == pytest.approx(math.sqrt(variance / m.total), rel=1e-9)


def test_error_of_the_uncertainty_coefficient_is_that_of_sas():
    """PROC FREQ, "Uncertainty Coefficients": asymmetric, of the rows given the columns."""
    for m in full():
        n, row, column = m.total, m.weights.sum(1), m.weights.sum(0)
        of_row, of_column, of_both = (
            -np.sum(part / n * np.log(part / n)) for part in (row, column, m.weights)
        )
        term = of_row * np.log(m.weights / column) + (of_column - of_both) * np.log(row / n)[:, None]
        wanted = math.sqrt(np.sum(m.weights * term**2)) / (n * of_row**2)
        assert standard_error(of("uncertainty_coefficient"), m) == pytest.approx(wanted, rel=1e-9)


def test_error_of_the_mutual_information_is_the_spread_of_its_terms():
    """Each case contributes the logarithm of its cell's dependence: the error of a mean."""
    for m in full(number=8, most=9):
        terms = np.log(m.weights * m.total / np.outer(m.weights.sum(1), m.weights.sum(0)))
        each = np.repeat(terms.ravel(), m.weights.ravel().astype(int))
        assert standard_error(of("mutual_information"), m) == pytest.approx(
            each.std() / math.sqrt(len(each)), rel=1e-9
        )


@pytest.mark.full
@by_delta
def test_error_is_the_spread_of_the_values_of_other_samples(entry):
    m = USUAL[ConfusionMatrix] * 10
    shares = m.weights / m.total
    draws = (
        np.random.default_rng(3).multinomial(int(m.total), shares.ravel(), 2000).reshape(-1, *shares.shape)
    )
    assert standard_error(entry, m) == pytest.approx(
        np.std([entry.function(matrix(draw)) for draw in draws]), rel=0.06
    )


@pytest.mark.full
@pytest.mark.parametrize("name", WEIGHTED)
def test_error_of_kappa_is_that_of_statsmodels(name):
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    for m in full():
        theirs = rater.cohens_kappa(m.weights, wt=WEIGHTED[name])
        low, high = np.arctanh([(found := estimate(name, m)).low, found.high])
        assert found.value == pytest.approx(theirs.kappa, rel=1e-12, abs=1e-13)
        assert (high - low) / (2 * Z) * (1 - found.value**2) == pytest.approx(theirs.std_kappa, rel=1e-12)
        assert (low + high) / 2 == pytest.approx(math.atanh(found.value), rel=1e-9, abs=1e-12)


# Bounds
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_bounds_of_the_correlation_lie_as_far_on_fishers_scale(level):
    z = norm.isf((1 - level) / 2)
    for m in full():
        found, entry = estimate("mcc", m, Settings(level=level)), of("mcc")
        low, value, high = np.arctanh([found.low, found.value, found.high])
        step = z * standard_error(entry, m) / (1 - found.value**2)
        assert (value - low, high - value) == pytest.approx((step, step), rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_share_right_has_the_interval_of_a_proportion(method):
    for m in some_matrices(60):
        low, high = map(float, METHODS[method](m.weights.trace(), m.total, 0.95))
        for share, bounds in (("accuracy", (low, high)), ("error_rate", (1 - high, 1 - low))):
            found = estimate(share, m, Settings(proportion=method))
            assert (found.low, found.high) == pytest.approx(
                bounds, rel=1e-12, abs=1e-12, nan_ok=method == "wald"
            )
            assert found.method == method or ("has no width" in found.note and share_at_an_end(m))


def share_at_an_end(m):
    return m.weights.trace() in (0, m.total)


@pytest.mark.full
@pytest.mark.parametrize(("method", "exact"), [("wilson", "wilson"), ("clopper-pearson", "exact")])
def test_mean_of_two_recalls_is_put_together_from_their_bounds(method, exact):
    """As Zou and Donner (2008) have it, from the bounds of SciPy, class by class."""
    for i in range(len(grid(1, 4, 9).tp)):
        m = of_two_classes(grid(1, 4, 9)[i])
        down = up = total = 0.0
        for row, right in zip(m.weights, m.weights.diagonal(), strict=True):
            recall, (low, high) = (
                right / row.sum(),
                binomtest(int(right), int(row.sum())).proportion_ci(method=exact),
            )
            total, down, up = (
                total + recall / 2,
                down + ((recall - low) / 2) ** 2,
                up + ((high - recall) / 2) ** 2,
            )
        found = estimate("balanced_accuracy", m, Settings(proportion=method))
        wanted = max(total - math.sqrt(down), 0), min(total + math.sqrt(up), 1)
        assert (found.low, found.high) == pytest.approx(wanted, rel=1e-9)
        assert found.method == "newcombe"


def test_mean_of_recalls_has_the_error_of_a_mean_on_the_logit_scale():
    """Of proportions counted apart."""
    for m in full(sizes=(3, 4, 6)):
        recall, size = m.weights.diagonal() / m.weights.sum(1), m.weights.sum(1)
        error = math.sqrt((recall * (1 - recall) / size).sum()) / len(m)
        found = estimate("balanced_accuracy", m)
        assert found.standard_error == pytest.approx(error, rel=1e-6)
        assert logit(found.high) + logit(found.low) == pytest.approx(2 * logit(found.value), rel=1e-9)
        assert logit(found.high) - logit(found.value) > Z * error / (found.value * (1 - found.value))


def test_mean_of_recalls_leaves_out_a_class_that_is_never_true():
    m = matrix([[9, 1, 2, 1], [0, 0, 0, 0], [3, 1, 8, 0], [2, 1, 1, 7]])
    without = matrix([[9, 3, 1], [4, 8, 0], [3, 1, 7]])
    one, other = estimate("balanced_accuracy", m), estimate("balanced_accuracy", without)
    assert one.value == other.value
    # of numerical derivatives
    assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-9)


@for_each("entry", measures_of(ConfusionMatrix), ids=name)
def test_no_mistakes_leave_room_on_the_worse_side(entry):
    """As much as the likely accuracy leaves; less of it with more cases."""
    few, many = (estimate(entry, matrix(np.diag([2, 3, 5]) * factor)) for factor in (4, 400))
    for found in (few, many):
        check(entry, found)
        assert found.has_interval
    worse = (
        (lambda found: found.value - found.low)
        if entry.better == "higher"
        else (lambda found: found.high - found.value)
    )
    assert 0 < worse(many) < worse(few) / 5


@pytest.mark.parametrize("shares", [(0.1, 0.9), (0.2, 0.3, 0.5)])
def test_information_without_mistakes_is_not_certain_from_above(shares):
    """It is the entropy of the truth, and the sizes of the classes would be others in another sample."""
    found = estimate("mutual_information", matrix(np.diag(shares) * 100))
    truth = -np.sum(shares * np.log(shares))
    assert found.low < truth < found.high
    assert found.high > found.value + 0.02


@pytest.mark.parametrize("name", ["mutual_information", "uncertainty_coefficient"])
@pytest.mark.parametrize(
    "case", ["as chance would", "as chance would, two classes", "nearly as chance would", "one of each"]
)
def test_information_of_what_tells_nothing_is_bounded_by_0(name, case):
    """No interval would be no answer: how much it may tell at most is the question."""
    found = estimate(name, MATRICES[case])
    assert found.has_interval
    assert found.low == 0
    assert found.high < 1


def weak(number=30, most=40):
    """Matrices in which truth and prediction have little to do with each other."""
    random = np.random.default_rng(12)
    return [
        matrix(random.multinomial(most * size**2, np.full(size**2, 1 / size**2)).reshape(size, size))
        for size in (2, 3, 5) * number
    ]


def test_bounds_of_little_information_leave_half_the_rest_in_each_tail():
    """2 n times the information is the noncentrality of the chi-square that the G statistic follows."""
    answered = [
        (m, found)
        for m in weak()
        if (found := estimate("mutual_information", m)).method == "noncentral-chi-square"
    ]
    assert len(answered) > 60
    for m, found in answered:
        freedom, g = (len(m) - 1) ** 2, 2 * m.total * found.value
        assert ncx2.cdf(max(g, freedom), freedom, 2 * m.total * found.high) == pytest.approx(0.025, rel=1e-6)
        if found.low > 0:
            assert ncx2.sf(g, freedom, 2 * m.total * found.low) == pytest.approx(0.025, rel=1e-6)
        else:
            assert chi2.sf(g, freedom) > 0.025
    assert {found.low > 0 for _, found in answered} == {True, False}


@for_each("level", [0.5, 0.95, 0.99])
@for_each(("g", "freedom"), [(1, 1), (30, 16), (900, 961), (1521, 1521), (1800, 1521), (25_000, 22_500)])
def test_noncentralities_leave_half_the_rest_in_each_tail(g, freedom, level):
    """Of very many degrees of freedom, where no tail can be had, nearly so."""
    low, high = _noncentrality(g, freedom, level)
    tail, near = (1 - level) / 2, {"rel": 1e-6} if freedom < 1000 else {"abs": 0.003}
    assert ncx2.cdf(max(g, freedom), freedom, high) == pytest.approx(tail, **near)
    assert 0 <= low < high
    assert (
        ncx2.sf(g, freedom, low) == pytest.approx(tail, **near) if low else chi2.sf(g, freedom) > tail - 0.003
    )


def test_bounds_of_the_uncertainty_coefficient_are_those_of_the_information_by_the_entropy():
    for m in (*weak(5), *full(number=12)):
        told, share = (estimate(name, m) for name in ("mutual_information", "uncertainty_coefficient"))
        if told.method == share.method == "noncentral-chi-square":
            wanted = np.array([told.low, told.value, told.high]) / entropy(m.weights.sum(1))
            assert (share.low, share.value, share.high) == pytest.approx(tuple(wanted), rel=1e-9)


@pytest.mark.full
@pytest.mark.parametrize("name", ["mutual_information", "uncertainty_coefficient"])
def test_information_of_nearly_nothing_has_bounds_of_its_size(name):
    """Not hundreds of times what a case can tell, and no arithmetic that overflows, however near to 0 it
    is."""
    for beyond in (*np.geomspace(0.01, 3000, 300), *np.linspace(99, 102, 300)):
        found = estimate(name, matrix(np.full((2, 2), 10_000) + beyond * np.eye(2)))
        check(of(name), found)
        assert not found.has_interval or found.high < found.value + 0.01


@for_each("case", MATRICES)
def test_information_is_bounded_by_what_the_classes_can_tell(case):
    """The logarithm of their number."""
    found = estimate("mutual_information", MATRICES[case])
    assert not found.has_interval or found.high <= math.log(len(MATRICES[case])) + 1e-12


@pytest.mark.full
@pytest.mark.parametrize("name", BIAS)
def test_information_of_hundreds_of_independent_samples_is_always_answered(name):
    shares = np.outer([0.5, 0.3, 0.2], [0.4, 0.4, 0.2])
    for draw in np.random.default_rng(5).multinomial(1000, shares.ravel(), 400).reshape(-1, 3, 3):
        check(of(name), estimate(name, matrix(draw)))


@pytest.mark.full
@pytest.mark.parametrize("name", BIAS)
def test_bias_that_is_allowed_for_is_the_bias(name):
    """What the values of small samples are off by, on average; to a third."""
    shares = np.array([[0.3, 0.03, 0.02], [0.04, 0.25, 0.03], [0.02, 0.03, 0.28]])
    entry, n = of(name), 150
    draws = np.random.default_rng(4).multinomial(n, shares.ravel(), 3000).reshape(-1, 3, 3)
    off = np.mean([entry.function(matrix(draw)) for draw in draws]) - entry.function(matrix(shares))
    assert BIAS[name](matrix(shares * n)) == pytest.approx(off, rel=1 / 3)
