"""Resamples of a ranking table: what they keep, what they vary, and that a thinned table gives what the whole
one gives."""

import gc
import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from looping import for_each
from scipy.special import ndtr
from sound import USUAL, suited
from strategies import measures_of, name, same, tables

from tallymark import RankingTable, Settings, estimate, evaluate, measures
from tallymark.inference import resampled
from tallymark.inference.interval import Scale, delong_variance, wilson
from tallymark.kernels import at_most
from tallymark.measures.registry import get

KINDS = ("resampled", "at-a-threshold")  # that are made of resamples
INVERTED = ("largest", "inverted", "average-precision")  # of which they are inverted
RESAMPLED = [entry for entry in measures_of(RankingTable) if entry.interval and entry.interval.kind in KINDS]


def by_class(table, seed):
    return resampled.bayesian(table, seed, design="case-control")


def with_halves(table, seed):
    return resampled.with_halves(table, seed, "case-control")


def multinomial(table, seed, **design):
    """All resamples in one table."""
    base, some = resampled.multinomial(table, seed, **design)
    return base, base.of(base.score, *map(np.concatenate, zip(*map(weights_of, some), strict=True)))


def drawn_by_class(table, seed):
    return multinomial(table, seed, design="case-control")


DRAWS = {"multinomial": drawn_by_class, "bayesian": by_class, "with halves": with_halves}
every_draw = for_each("draw", DRAWS.values(), ids=DRAWS)
of_resamples = pytest.mark.parametrize("entry", RESAMPLED, ids=name)
DRAWN = [
    entry for entry in measures_of(RankingTable) if entry.interval and entry.interval.kind in KINDS + INVERTED
]
FEW = RankingTable([0.9, 0.7, 0.6, 0.4, 0.1], [3, 2, 0, 1, 4], [0, 1, 2, 2, 5])


def continuous(size, seed=0):
    """A table of as many scores as cases, one in four positive."""
    random = np.random.default_rng(seed)
    truth = np.arange(size) % 4 == 0
    return RankingTable.from_arrays(truth=truth, score=ndtr(1.2 * (truth - 0.5) + random.normal(size=size)))


def weights_of(table):
    return table.positive, table.negative


# Draws
# --------------------------------------------------------------------------------------------------


@every_draw
def test_one_seed_draws_the_same_and_another_others(draw):
    one, again, other = (draw(RankingTable(*FEW._fields()), seed)[1] for seed in (3, 3, 4))
    for mine, same_seed, other_seed in zip(
        weights_of(one), weights_of(again), weights_of(other), strict=True
    ):
        np.testing.assert_array_equal(mine, same_seed)
        assert (mine != other_seed).any()


@every_draw
@given(table=tables())
def test_the_classes_keep_their_totals(draw, table):
    base, resamples = draw(table, 1)
    cases = [
        squares.sum() / weight.sum() if weight.sum() else 1.0
        for weight, squares in zip(weights_of(table), table.squared, strict=True)
    ]
    extra = [0.5 * one if draw is with_halves else 0.0 for one in cases]  # half a case
    for weight, drawn, more in zip(weights_of(table), weights_of(resamples), extra, strict=True):
        np.testing.assert_allclose(drawn.sum(-1), weight.sum() + more, rtol=1e-12)
        assert (drawn >= 0).all()
        assert drawn.shape == (resampled.REPLICATES, len(resamples))
    assert base.total == pytest.approx(table.total + sum(extra), rel=1e-12)


@given(table=tables())
def test_a_score_without_cases_of_a_class_gets_none_and_one_with_them_keeps_some(table):
    """But for cases of next to no weight, which a bootstrap of cases may lose."""
    for draw in (multinomial, resampled.bayesian):
        _, resamples = draw(table, 1)
        for weight, drawn in zip(weights_of(table), weights_of(resamples), strict=True):
            assert not drawn[:, weight == 0].any()
            assert draw is multinomial or (drawn[:, weight > 0] > 0).all()


def test_resamples_do_not_depend_on_the_thread_that_draws_them():
    """Nor of a cohort on how many are drawn at once: one multinomial after the other, of one generator."""
    table = continuous(300)
    drawn = weights_of(multinomial(table, 5)[1])
    with at_most(1):
        np.testing.assert_array_equal(drawn, weights_of(multinomial(table, 5)[1]))
    both = np.concatenate(weights_of(table))
    wanted = np.random.default_rng(5).multinomial(both.sum(), both / both.sum(), resampled.REPLICATES)
    np.testing.assert_array_equal(np.concatenate(drawn, -1), wanted)


def test_the_bootstrap_draws_whole_cases():
    for drawn in weights_of(multinomial(FEW, 1)[1]):
        np.testing.assert_array_equal(drawn, np.rint(drawn))


@pytest.mark.parametrize(("draw", "more"), [(drawn_by_class, 0), (by_class, 1)])
def test_weights_vary_around_their_own(draw, more):
    """Shares have the mean p and the variance p (1 - p) / n, or n + 1 where they are Dirichlet: within five
    standard errors."""
    resamples = draw(FEW, 2)[1]
    for weight, drawn in zip(weights_of(FEW), weights_of(resamples), strict=True):
        n, p = weight.sum(), weight / weight.sum()
        shares, variance = drawn / n, p * (1 - p) / (n + more)
        assert (np.abs(shares.mean(0) - p) <= 5 * np.sqrt(variance / len(shares))).all()
        there = variance > 0
        # of a distribution with tails somewhat longer than the normal ones
        near = 5 * np.sqrt(2 / len(shares)) * 1.5
        np.testing.assert_allclose(shares.var(0)[there] / variance[there], 1, atol=near)


def test_the_classes_are_drawn_apart():
    """In a case-control design, so that a share of the one says nothing of the other."""
    resamples = by_class(FEW, 5)[1]
    both = np.corrcoef(resamples.positive.T[[0, 1, 3, 4]], resamples.negative.T[[1, 2, 3, 4]])[:4, 4:]
    assert np.abs(both).max() < 5 / math.sqrt(resampled.REPLICATES)


def test_the_class_mix_varies_in_a_cohort():
    """Shares of all cases are Dirichlet: each has the variance p (1 - p) / (n + 1), and so has that of the
    positives."""
    resamples = resampled.bayesian(FEW, 5)[1]
    np.testing.assert_allclose(resamples.total, FEW.total, rtol=1e-12)
    p, n = FEW.prior, FEW.total
    assert resamples.prior.var() == pytest.approx(p * (1 - p) / (n + 1), rel=0.15)
    within = resamples.positive / resamples.positive.sum(-1, keepdims=True)
    apart = by_class(FEW, 5)[1]
    np.testing.assert_allclose(within, apart.positive / apart.positive.sum(-1, keepdims=True), rtol=1e-12)


@for_each("design", ("cohort", "case-control"))
def test_an_importance_weight_is_one_case_however_large(design):
    """Shares vary as if each case had an exponential weight times its own: variance over cases,
    linearised."""
    weight = np.array([1.0, 1.0, 7.0, 3.0, 3.0, 5.0])
    truth, score = [1, 0, 1, 0, 1, 0], [0.9, 0.9, 0.9, 0.4, 0.4, 0.1]
    table = RankingTable.from_arrays(truth=truth, score=score, weight=weight, weight_kind="importance")
    resamples = resampled.bayesian(table, 2, design=design)[1]
    of_class = resamples.positive.sum(-1, keepdims=True)
    share = (resamples.positive / of_class)[:, 0]
    one_by_one = np.random.default_rng(3).standard_exponential((200_000, 3)) * [1, 7, 3]
    assert share.std() == pytest.approx((one_by_one[:, :2].sum(1) / one_by_one.sum(1)).std(), rel=0.1)
    if design == "case-control":
        np.testing.assert_allclose(of_class, table.positives, rtol=1e-12)


def test_halves_are_a_negative_above_all_scores_and_a_positive_below():
    base, resamples = resampled.with_halves(FEW, 1)
    assert base.positive.tolist() == [0, 3, 2, 0, 1, 4, 0.5]
    assert base.negative.tolist() == [0.5, 0, 1, 2, 2, 5, 0]
    assert base.score.tolist() == [0.9, *FEW.score.tolist(), 0.1]
    assert (resamples.negative[:, 0] > 0).all()
    assert (resamples.positive[:, -1] > 0).all()


@pytest.mark.parametrize("missing", ["positive", "negative"])
@every_draw
def test_a_class_without_cases_stays_without(draw, missing):
    columns = {"score": [0.7, 0.3], "positive": [1, 2], "negative": [3, 1]} | {missing: [0, 0]}
    resamples = draw(RankingTable(**columns), 1)[1]
    extra = 0.5 if draw is with_halves else 0.0
    np.testing.assert_allclose(getattr(resamples, missing).sum(-1), extra)


@pytest.mark.full
def test_the_last_resamples_are_kept_for_their_table_and_seed_alone():
    table, twin = (RankingTable(*FEW._fields()) for _ in range(2))
    found = resampled.bayesian(table, 1)
    assert resampled.bayesian(table, 1) is found
    assert resampled.bayesian(twin, 1) is not found
    assert resampled.bayesian(table, 1) is not found  # the twin's took their place
    values = resampled.bayesian(table, 1)[1].positive.tolist()
    assert values == found[1].positive.tolist() != resampled.bayesian(table, 2)[1].positive.tolist()
    del table
    gc.collect()
    other = RankingTable(FEW.score, FEW.negative, FEW.positive)  # where the first one was, perhaps
    assert resampled.bayesian(other, 2)[0] is other


@for_each("entry", DRAWN, ids=name)
def test_a_measure_of_resamples_is_that_of_each(entry):
    """Along the last axis, whatever leading axes there are."""
    table = USUAL[RankingTable]
    random = np.random.default_rng(3)
    for columns in ((table.positive, table.negative), (FEW.positive, FEW.negative)):
        score = table.score if columns[0] is table.positive else FEW.score
        drawn = [
            random.standard_gamma(np.broadcast_to(weight.astype(float), (2, 3, len(score))))
            for weight in columns
        ]
        together = entry.function(RankingTable.of(score, *drawn))
        assert together.shape == (2, 3)
        for index in np.ndindex(2, 3):
            alone = entry.function(RankingTable.of(score, *(weight[index].copy() for weight in drawn)))
            assert same(together[index], alone)


# Thinning
# --------------------------------------------------------------------------------------------------

LARGE = {
    "continuous": continuous(40_000),
    "a tenth of the scores tied": RankingTable(
        np.arange(20_000, 0, -1) / 20_001, *np.random.default_rng(4).integers(0, 3, (2, 20_000))
    ),
    "one class rare": RankingTable.from_arrays(
        truth=np.arange(30_000) % 300 == 0,
        score=np.random.default_rng(5).random(30_000) + (np.arange(30_000) % 300 == 0) * 0.2,
    ),
    "perfectly in order": RankingTable.from_arrays(truth=np.arange(9_000) >= 6_000, score=np.arange(9_000)),
    "fractional": continuous(9_000) * 0.37,
    "of few cases": continuous(9_000) * 1e-3,
    "one score of half the cases": RankingTable(
        np.arange(5_000, 0, -1), np.r_[np.ones(2_500), 5_000, np.ones(2_499)].astype(int), np.ones(5_000, int)
    ),
}
every_large = for_each("table", LARGE.values(), ids=LARGE)


@every_large
def test_a_thinned_table_keeps_its_totals_and_its_order(table):
    thin = table.thinned()
    assert (thin.positives, thin.negatives) == pytest.approx((table.positives, table.negatives), rel=1e-12)
    assert (np.diff(thin.score) < 0).all()
    assert set(thin.score.tolist()) <= set(table.score.tolist())
    assert thin.score[0] == table.score[0]
    assert thin.positive.dtype == table.positive.dtype
    assert len(thin) < 5 * (math.sqrt(table.positives) + math.sqrt(table.negatives)) + 5


@every_large
def test_what_a_thinned_table_says_of_a_threshold_is_true(table):
    """Each point of its ROC curve is one of the whole curve: scores are put together, never split."""
    thin, whole = table.thinned().sweep(), table.sweep()
    points = set(zip(np.round(whole.tp, 9).tolist(), np.round(whole.fp, 9).tolist(), strict=True))
    assert set(zip(np.round(thin.tp, 9).tolist(), np.round(thin.fp, 9).tolist(), strict=True)) <= points


@every_large
def test_groups_of_a_thinned_table_are_within_the_error_of_a_rank(table):
    """Of each class a group holds, beyond its first score, about as many as the square root of those further
    out."""
    thin = table.thinned()
    start = np.searchsorted(-table.score, -thin.score)
    for weight, whole in zip(weights_of(thin), weights_of(table), strict=True):
        above = np.cumsum(weight) - weight
        outer = np.maximum(np.minimum(above + weight, weight.sum() - above), 0)
        assert (weight - whole[start] <= np.sqrt(outer) + 2).all()


@every_large
def test_the_area_of_a_thinned_table_is_near(table):
    """Within half a standard error, which is what thinning may cost at most; and much less on the whole."""
    error = math.sqrt(delong_variance(table))
    assert abs(measures.roc_auc(table.thinned()) - measures.roc_auc(table)) <= error / 2 + 1e-12


def test_finer_thinning_is_nearer():
    table = LARGE["continuous"]
    sizes = [len(table.thinned(fineness)) for fineness in (0.5, 1, 2, 8)]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 4 * sizes[0]
    nearer = [
        abs(measures.roc_auc(table.thinned(fineness)) - measures.roc_auc(table)) for fineness in (0.5, 8)
    ]
    assert nearer[1] <= nearer[0]


def test_only_tables_of_very_many_scores_are_thinned(monkeypatch):
    few, many = continuous(resampled.MOST_SCORES), continuous(resampled.MOST_SCORES + 4)
    assert (resampled.thins(few), resampled.thins(many)) == (False, True)
    assert resampled.bayesian(few, 1)[0] is few
    assert len(resampled.bayesian(many, 1)[0]) < resampled.MOST_SCORES / 4
    monkeypatch.setattr(resampled, "MOST_SCORES", 10_000)
    assert resampled.bayesian(continuous(resampled.MOST_SCORES - 4), 1)[0].total == resampled.MOST_SCORES - 4


def test_the_cost_of_resampling_is_bounded():
    for table in (FEW, continuous(2_000), LARGE["continuous"]):
        drawn = resampled.bayesian(table, 1)[1].positive
        assert drawn.size <= resampled.CELLS
        assert resampled.FEWEST_REPLICATES <= len(drawn) <= resampled.REPLICATES


@pytest.mark.full
@of_resamples
def test_thinned_and_whole_tables_have_nearly_the_same_interval(entry, monkeypatch):
    """Of cases just too many to resample each: at another limit they are not too many."""
    # more resamples than usual, so that their own error is small
    monkeypatch.setattr(resampled, "CELLS", 4_000_000)
    table = continuous(2_400, seed=6)
    # 0.9 leaves a few dozen cases
    parameters = suited(entry) | ({"precision": 0.5} if "precision" in entry.parameters else {})
    thinned = estimate(entry, table, **parameters)
    monkeypatch.setattr(resampled, "MOST_SCORES", 2_500)
    whole = estimate(entry, RankingTable(*table._fields()), **parameters)
    assert whole.has_interval
    width = whole.high - whole.low
    assert thinned.value == whole.value
    assert (thinned.high - thinned.low) == pytest.approx(width, rel=0.1)
    assert (thinned.low, thinned.high) == pytest.approx((whole.low, whole.high), abs=0.1 * width)
    assert (thinned.method, thinned.note) == (whole.method, whole.note)


# Answers
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("size", [300, 6_000], ids=["whole", "thinned"])
def test_the_same_cases_get_the_same_answer_whatever_was_asked_before(size):
    random = np.random.default_rng(7)
    truth = random.integers(0, 2, size)
    score = random.random(size) + 0.5 * truth
    given_ = {"truth": truth, "score": score}
    first = evaluate(**given_).to_dict()
    evaluate(truth=1 - truth, score=score)["min_cllr"]
    assert evaluate(**given_).to_dict() == first
    one_by_one = evaluate(**given_)
    for name_ in list(first["measures"])[::-7]:
        assert one_by_one[name_].to_dict() == first["measures"][name_]


def test_another_seed_gives_another_interval_that_is_near():
    table = USUAL[RankingTable]
    one, other = (estimate("kolmogorov_smirnov", table, Settings(seed=seed)) for seed in (0, 1))
    assert one.value == other.value
    assert one.low != other.low
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.1 * (one.high - one.low))


def differences(entry, table, seed=0):
    """Between resamples and table, on the scale of the measure."""
    base, resamples = resampled.bayesian(table, seed)
    scale = Scale(entry.range)
    return scale, scale.to(entry.function(resamples)) - scale.to(entry.function(base))


@pytest.mark.full
@pytest.mark.parametrize(
    "measure", ["roc_auc_optimistic", "equal_error_rate", "goodman_kruskal_gamma", "average_lift"]
)
def test_a_linearised_interval_is_near_that_of_the_standard_deviation_of_resamples(measure):
    """Within 3 % of the width: 0.4 to 2 % were found."""
    entry, table = get(measure), USUAL[RankingTable]
    scale, spread = differences(entry, table)
    found = estimate(entry, table, Settings(level=0.9))
    centre, step = scale.to(found.value), NormalDist().inv_cdf(0.95) * spread.std()
    assert (found.low, found.high) == pytest.approx(
        (scale.back(centre - step), scale.back(centre + step)), abs=0.03 * (found.high - found.low)
    )
    assert found.method in ("delta-logit-t", "delta-log-t")


@pytest.mark.parametrize(
    ("measure", "inner", "turned"),
    [
        ("gini", "roc_auc", lambda area: 2 * area - 1),
        ("d_prime", "roc_auc", lambda area: math.sqrt(2) * NormalDist().inv_cdf(area)),
        ("partial_auc", "partial_auc_standardised", lambda share: 0.005 + (2 * share - 1) * (0.1 - 0.005)),
    ],
)
def test_a_mapped_interval_is_the_other_one_turned(measure, inner, turned):
    table = USUAL[RankingTable]
    for level in (0.5, 0.95):
        one, other = (estimate(name, table, Settings(level=level)) for name in (measure, inner))
        assert (one.value, one.low, one.high) == pytest.approx(
            tuple(map(turned, (other.value, other.low, other.high))), rel=1e-9
        )
        assert (one.method, one.note) == (other.method, other.note)


@given(table=tables(both_classes=True), k=st.sampled_from([1, 3, 10, 100]))
def test_precision_of_the_cases_taken_at_an_end_has_the_interval_of_a_share_of_them(table, k):
    """Of numbers of cases; other weights: test_weights_of_scores.py. Between 0 and 1 the variance is that of
    all cases (test_share_of_taken.py)."""
    assume(not table.weighted)
    taken = min(k, table.total)
    found = estimate("precision_at_k", table, k=k)
    if taken < 1:
        assert not found.has_interval
        return
    if found.value in (0.0, 1.0):
        np.testing.assert_allclose(
            (found.low, found.high), wilson(found.value * taken, taken, 0.95), rtol=1e-12
        )
    else:
        assert 0 < found.low < found.value < found.high < 1


def test_at_an_end_of_the_range_half_a_case_of_each_class_is_added():
    entry, table = (
        get("goodman_kruskal_gamma"),
        RankingTable.from_arrays(truth=np.arange(60) >= 30, score=np.arange(60)),
    )
    found = estimate(entry, table)
    values = entry.function(resampled.with_halves(table, 0)[1])
    assert (found.low, found.high) == (pytest.approx(np.quantile(values, 0.025), rel=1e-12), 1)
    assert found.method == "bayesian-bootstrap with halves"
    assert "half a case of each class" in found.note


def test_an_area_of_truncated_thresholds_is_not_certain_where_the_classes_are_separated():
    """With each case a threshold it is n / (n - 1) (AUC - 1/2): its interval is that of the area."""
    table = RankingTable(np.arange(40.0)[::-1], np.repeat([1.0, 0.0], 20), np.repeat([0.0, 1.0], 20))
    area, found = (estimate(name, table) for name in ("roc_auc", "truncated_average_ks"))
    assert found.value == pytest.approx(40 / 39 * (area.value - 0.5))
    assert (found.low, found.high) == pytest.approx((40 / 39 * (area.low - 0.5), found.value))
