"""Identities between measures, and their definitions by brute force: case by case, pair by pair, in
fractions."""

import itertools
import math
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each, in_part
from strategies import (
    BUSY,
    CELLS,
    GRID,
    UNEVEN,
    cases,
    counts,
    measures_of,
    name,
    of_two_classes,
    same,
    weights,
)

from tallymark import ConfusionMatrix, Counts, measures
from tallymark.measures.registry import get

GRIDS = {"whole": GRID, "fractional": UNEVEN, "huge": GRID * 1e12, "busy": BUSY}
each_grid = for_each("c", GRIDS.values(), ids=GRIDS)
NO_EMPTY_CELL = (1, 2, 3, 5, 20, 400)


def alike(one, other, within=1e-12):
    """Equal wherever both have a finite value, of which there must be many; and infinite or undefined
    together."""
    there = np.isfinite(one) & np.isfinite(other)
    assert there.sum() > 50
    np.testing.assert_allclose(one[there], other[there], rtol=within, atol=within)


def all_alike(one, other, within=1e-12):
    """Equal everywhere, infinities and what is undefined included."""
    np.testing.assert_allclose(one, other, rtol=within, atol=within)


# Between measures
# -----------------------------------------------------------------------------------------------------


@each_grid
def test_square_of_the_matthews_correlation_is_the_product_of_its_two_regressions(c):
    all_alike(measures.mcc(c) ** 2, measures.youden_j(c) * measures.markedness(c))


@each_grid
def test_matthews_correlation_has_the_sign_of_youden_index(c):
    there = ~np.isnan(measures.mcc(c)) & (abs(measures.mcc(c)) > 1e-12)
    assert there.sum() > 50
    np.testing.assert_array_equal(np.sign(measures.mcc(c)[there]), np.sign(measures.youden_j(c)[there]))


@each_grid
def test_yule_q_is_a_function_of_the_odds_ratio(c):
    odds = measures.odds_ratio(c)
    with np.errstate(invalid="ignore"):
        alike(measures.yule_q(c), (odds - 1) / (odds + 1))
    np.testing.assert_array_equal(measures.yule_q(c)[np.isinf(odds)], 1)


@each_grid
def test_yule_y_is_a_function_of_the_odds_ratio(c):
    root = np.sqrt(measures.odds_ratio(c))
    with np.errstate(invalid="ignore"):
        alike(measures.yule_y(c), (root - 1) / (root + 1))
    np.testing.assert_array_equal(measures.yule_y(c)[np.isinf(root)], 1)


@each_grid
def test_discriminant_power_is_the_scaled_logarithm_of_the_odds_ratio(c):
    with np.errstate(divide="ignore"):
        all_alike(measures.discriminant_power(c), np.sqrt(3) / np.pi * np.log(measures.odds_ratio(c)))


@each_grid
def test_odds_ratio_is_the_quotient_of_the_likelihood_ratios(c):
    with np.errstate(divide="ignore", invalid="ignore"):
        alike(measures.odds_ratio(c), measures.plr(c) / measures.nlr(c))


@each_grid
def test_likelihood_ratios_are_quotients_of_rates(c):
    with np.errstate(divide="ignore", invalid="ignore"):
        all_alike(measures.plr(c), measures.tpr(c) / measures.fpr(c))
        all_alike(measures.nlr(c), measures.fnr(c) / measures.tnr(c))


@each_grid
def test_likelihood_ratio_turns_the_odds_before_into_those_after(c):
    with np.errstate(divide="ignore", invalid="ignore"):
        before, after = 1 / measures.npr(c), measures.precision(c) / measures.fdr(c)
        alike(measures.plr(c) * before, after)


@each_grid
def test_lift_is_precision_over_prevalence(c):
    with np.errstate(divide="ignore", invalid="ignore"):
        all_alike(measures.lift(c), measures.precision(c) / measures.prevalence(c))


@each_grid
def test_f_beta_has_f1_and_precision_in_it(c):
    all_alike(measures.f_beta(c, beta=1), measures.f1(c))
    all_alike(measures.f_beta(c, beta=0), measures.precision(c))
    alike(measures.f_beta(c, beta=1e6), measures.sensitivity(c), 1e-6)


@each_grid
@pytest.mark.parametrize("beta", [0.5, 2])
def test_f_beta_is_a_weighted_harmonic_mean(c, beta):
    precision, recall = measures.precision(c), measures.recall(c)
    with np.errstate(divide="ignore", invalid="ignore"):
        alike(measures.f_beta(c, beta=beta), (1 + beta**2) / (1 / precision + beta**2 / recall))


@each_grid
def test_adjusted_f_is_made_of_two_f_measures(c):
    two, half = measures.f_beta(c, beta=2), measures.f_beta(c.swap_classes(), beta=0.5)
    all_alike(measures.adjusted_f(c) ** 2, two * half)


@each_grid
def test_equitable_threat_score_is_a_function_of_kappa(c):
    kappa = measures.kappa(c)
    all_alike(measures.ets(c), kappa / (2 - kappa))


@each_grid
def test_f1_is_a_function_of_jaccard(c):
    all_alike(measures.f1(c), 2 * measures.jaccard(c) / (1 + measures.jaccard(c)))


@each_grid
def test_balanced_measures_are_youden_index_on_other_scales(c):
    all_alike(measures.balanced_accuracy(c), (1 + measures.youden_j(c)) / 2)
    all_alike(measures.balanced_error_rate(c), (measures.fpr(c) + measures.fnr(c)) / 2)
    all_alike(measures.balanced_error_rate(c) + measures.balanced_accuracy(c), 1 + 0 * measures.youden_j(c))


@each_grid
def test_markedness_is_youden_index_of_truth_and_prediction_swapped(c):
    all_alike(measures.markedness(c), measures.youden_j(c.swap_truth()))


@each_grid
def test_number_needed_to_diagnose_is_infinite_or_turns_back_into_youden_index(c):
    needed, j = measures.nnd(c), measures.youden_j(c)
    nothing = c.tp * c.tn == c.fp * c.fn
    np.testing.assert_array_equal(np.isinf(needed), nothing & ~np.isnan(j))
    with np.errstate(divide="ignore"):
        alike(1 / needed, j)


@each_grid
def test_prevalence_threshold_is_where_precision_falls_as_fast_as_prevalence(c):
    """Precision is a p / (a p + b (1 - p)) of the prevalence p; its slope there is 1, and steeper below."""
    a, b, p = measures.sensitivity(c), measures.fpr(c), measures.prevalence_threshold(c)
    some = (a > 0) & (b > 0)
    assert some.sum() > 50
    all_alike(a[some] * b[some] / (a * p + b * (1 - p))[some] ** 2, 1)
    np.testing.assert_array_equal(p[(a == 0) & (b > 0)], 1)
    np.testing.assert_array_equal(p[(a > 0) & (b == 0)], 0)


@each_grid
def test_symmetric_extremal_dependence_turns_with_the_prediction(c):
    """What is called positive, called negative: hits become misses."""
    turned = Counts(tp=c.fn, fp=c.tn, fn=c.tp, tn=c.fp)
    all_alike(measures.sedi(turned), -measures.sedi(c))


@each_grid
def test_symmetric_extremal_dependence_does_not_depend_on_the_prevalence(c):
    rarer = Counts(tp=c.tp / 1000, fp=c.fp, fn=c.fn / 1000, tn=c.tn)
    all_alike(measures.sedi(rarer), measures.sedi(c), 1e-11)


@each_grid
def test_symmetric_extremal_dependence_goes_to_its_ends(c):
    """A count of next to nothing gives next to what nothing gives."""
    least = np.maximum(c.total, 1.0) * 1e-100
    nearly = Counts(**{cell: np.where(getattr(c, cell) == 0, least, getattr(c, cell)) for cell in CELLS})
    one = [(getattr(c, cell) == 0).astype(int) for cell in CELLS]
    some = (sum(one) == 1) & ~np.isnan(measures.sedi(c))
    assert some.sum() > 10 or c is BUSY
    np.testing.assert_allclose(measures.sedi(nearly)[some], measures.sedi(c)[some], atol=0.1)


@each_grid
def test_costs_are_linear_in_the_mistakes(c):
    all_alike(measures.expected_cost(c), measures.error_rate(c))
    false, missed = measures.expected_cost(c, cost_fn=0), measures.expected_cost(c, cost_fp=0)
    all_alike(measures.expected_cost(c, cost_fp=3, cost_fn=7), 3 * false + 7 * missed)


@each_grid
@for_each("threshold", [0, 0.1, 0.5, 0.9])
def test_net_benefit_and_cost_tell_the_same(c, threshold):
    """What is lost of the best possible benefit, the prevalence, is the cost at the odds of the threshold."""
    cost = measures.expected_cost(c, cost_fp=threshold / (1 - threshold), cost_fn=1)
    all_alike(measures.prevalence(c) - measures.net_benefit(c, threshold=threshold), cost)


@each_grid
def test_optimization_precision_is_the_accuracy_less_the_imbalance(c):
    high, low = np.maximum(measures.tpr(c), measures.tnr(c)), np.minimum(measures.tpr(c), measures.tnr(c))
    with np.errstate(invalid="ignore"):
        all_alike(measures.optimization_precision(c), measures.accuracy(c) - (high - low) / (high + low))


@each_grid
def test_adjusted_geometric_mean_lies_between_the_specificity_and_the_geometric_mean(c):
    value, ends = measures.agm(c), np.sort([measures.specificity(c), measures.geometric_mean(c)], axis=0)
    there = (c.tp > 0) & ~np.isnan(value)
    assert ((ends[0] <= value + 1e-12) & (value <= ends[1] + 1e-12))[there].all()
    np.testing.assert_array_equal(value[~there & ~np.isnan(value)], 0)
    np.testing.assert_array_equal(np.isnan(value), np.isnan(measures.youden_j(c)))


@each_grid
def test_corrected_odds_ratio_is_the_odds_ratio_of_the_corrected_counts(c):
    some = c.total > 0
    with_halves = Counts(**{cell: getattr(c, cell)[some] + 0.5 for cell in CELLS})
    all_alike(measures.corrected_odds_ratio(c)[some], measures.odds_ratio(with_halves))


@each_grid
def test_uncertainty_coefficient_is_one_exactly_where_the_prediction_tells_the_truth(c):
    value = measures.uncertainty_coefficient(c)
    told = ((c.fp == 0) & (c.fn == 0)) | ((c.tp == 0) & (c.tn == 0))
    np.testing.assert_array_equal(value > 1 - 1e-12, told & ~np.isnan(value))


@in_part(6, ("fast", "full"))
@each_grid
@pytest.mark.parametrize("form", [Counts, ConfusionMatrix], ids=lambda form: form.__name__)
def test_a_count_of_next_to_nothing_tells_what_none_tells(c, form):
    """x log x goes to 0 with x, however far the count is below what chance would give."""
    some = np.flatnonzero((c.positives > 0) & (c.negatives > 0))[::7]
    least, entry = 1e-30 * c.total.max(), get("uncertainty_coefficient", form)
    nearly = Counts(**{cell: np.maximum(getattr(c, cell), least) for cell in CELLS})
    for i in map(int, some):
        one, other = (
            of_two_classes(counts[i]) if form is ConfusionMatrix else counts[i] for counts in (nearly, c)
        )
        assert same(entry(one), entry(other), 1e-9)


# To the last digit
# ----------------------------------------------------------------------------------------------------

RARE = [(3, 2, 1, 10**tens) for tens in (2, 4, 6, 8, 12)] + [
    (10**8, 3, 0, 2),
    (1, 10**12, 0, 1),
    (10**12, 10**6, 10**6, 10**12),
]


def in_decimals(tp, fp, fn, tn):
    """Measures of whole and parts of wildly different size, with sixty digits."""
    getcontext().prec = 60
    tp, fp, fn, tn = map(Decimal, (tp, fp, fn, tn))
    n, p, called = tp + fp + fn + tn, tp + fn, tp + fp
    cells = [(tp, p, called), (fp, n - p, called), (fn, p, n - called), (tn, n - p, n - called)]
    told = sum(x / n * (x * n / (row * column)).ln() for x, row, column in cells if x)
    beyond = tp * tn - fp * fn
    return {
        "matthews_correlation": beyond / (p * (n - p) * called * (n - called)).sqrt(),
        "cohen_kappa": 2 * beyond / (called * (n - p) + p * (n - called)),
        "equitable_threat_score": beyond / (beyond + (fp + fn) * n),
        "youden_j": tp / p - fp / (n - p),
        "uncertainty_coefficient": told / -sum(size / n * (size / n).ln() for size in (p, n - p)),
        "error_rate": (fp + fn) / n,
    }


@for_each("cells", RARE)
@for_each("name", in_decimals(1, 1, 1, 1))
def test_rare_events_cost_no_digits(name, cells):
    assert get(name)(Counts(**dict(zip(CELLS, cells, strict=True)))) == pytest.approx(
        float(in_decimals(*cells)[name]), rel=1e-9
    )


@for_each("cells", RARE)
@for_each("entry", [entry for entry in measures_of(Counts) if entry.for_many_classes], ids=name)
def test_rare_events_cost_no_digits_in_a_matrix(entry, cells):
    c = Counts(**dict(zip(CELLS, cells, strict=True)))
    assert entry.for_many_classes(of_two_classes(c)) == pytest.approx(entry(c), rel=1e-9)


# By brute force
# -------------------------------------------------------------------------------------------------------


@given(drawn=cases(both_classes=True))
def test_auc_is_the_share_of_pairs_in_order(drawn):
    truth, score = drawn
    pairs = list(itertools.product(score[truth == 1], score[truth == 0]))
    points = sum(2 * (high > low) + (high == low) for high, low in pairs)
    assert measures.roc_auc(truth=truth, score=score) == points / (2 * len(pairs))


@given(data=st.data(), drawn=cases(both_classes=True))
def test_weighted_auc_is_the_weight_of_pairs_in_order(data, drawn):
    truth, score = drawn
    weight = np.array(data.draw(weights(len(truth))))
    pairs = list(itertools.product(np.flatnonzero(truth == 1), np.flatnonzero(truth == 0)))
    in_order = sum(
        weight[i] * weight[j] * ((score[i] > score[j]) + 0.5 * (score[i] == score[j])) for i, j in pairs
    )
    assert same(
        measures.roc_auc(truth=truth, score=score, weight=weight),
        in_order / sum(weight[i] * weight[j] for i, j in pairs),
    )


@given(drawn=cases(both_classes=True))
def test_average_precision_is_its_steps(drawn):
    """Each threshold adds its precision times what it adds to the recall."""
    truth, score = drawn
    total, before = Fraction(0), 0
    for threshold in sorted(set(score.tolist()), reverse=True):
        called = score >= threshold
        hits = int(truth[called].sum())
        total += Fraction(hits, int(called.sum())) * (hits - before)
        before = hits
    assert same(measures.average_precision(truth=truth, score=score), float(total / int(truth.sum())), 1e-14)


@given(drawn=cases())
def test_brier_score_is_the_mean_over_cases(drawn):
    truth, score = drawn
    assert same(measures.brier_score(truth=truth, score=score), np.mean((truth - score) ** 2), 1e-14)


@given(drawn=cases(), clip=st.sampled_from([None, 1e-15, 0.01, 0.0]))
def test_log_loss_is_the_mean_over_cases(drawn, clip):
    truth, score = drawn
    floor = np.finfo(float).eps if clip is None else clip
    given_to_truth = [
        max(p if y else 1 - p, floor) for y, p in zip(truth.tolist(), score.tolist(), strict=True)
    ]
    terms = [-math.log(p) if p else math.inf for p in given_to_truth]
    assert same(measures.log_loss(truth=truth, score=score, clip=clip), np.mean(terms), 1e-14)


def test_log_loss_clips_at_the_precision_of_the_scores():
    """A single precision score cannot say 1 - 1e-16, so it is not charged for having said 1."""
    for precision in (np.float32, np.float64):
        loss = measures.log_loss(truth=[0], score=np.array([1], precision))
        assert math.isclose(loss, -math.log(np.finfo(precision).eps), rel_tol=1e-15)


@given(c=counts(NO_EMPTY_CELL))
def test_kappa_is_agreement_beyond_chance(c):
    tp, fp, fn, tn = (int(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    n = tp + fp + fn + tn
    agreement = Fraction(tp + tn, n)
    by_chance = Fraction((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn), n * n)
    assert same(measures.kappa(c), float((agreement - by_chance) / (1 - by_chance)))


@given(c=counts(NO_EMPTY_CELL))
def test_matthews_correlation_is_a_correlation(c):
    tp, fp, fn, tn = (int(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    truth, predicted = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    assert same(measures.mcc(c), np.corrcoef(truth, predicted)[0, 1])


@given(c=counts(NO_EMPTY_CELL))
def test_f1_is_a_harmonic_mean(c):
    assert same(measures.f1(c), 2 / (1 / measures.precision(c) + 1 / measures.recall(c)))
