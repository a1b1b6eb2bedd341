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
from tallymark.inference.bootstrap import resampled
from tallymark.inference.intervals.area import delong_variance
from tallymark.inference.intervals.proportion import wilson
from tallymark.inference.intervals.scale import Scale
from tallymark.kernels import at_most
from tallymark.measures.registry import get

# of measures whose intervals are made of samples, or of influence values of a thinned table
SMOOTH = ("distance-of-means", "crossing", "average-lift")
INVERTED = ("largest", "inverted", "average-precision", "at-a-threshold")


def multinomial(table, seed, **design):
    """All resamples in one table."""
    base, some = resampled.multinomial(table, seed, **design)
    return base, base.of(base.score, *map(np.concatenate, zip(*map(weights_of, some), strict=True)))


def drawn_by_class(table, seed):
    return multinomial(table, seed, design="case-control")


DRAWN, THINNED = (
    [entry for entry in measures_of(RankingTable) if entry.interval and entry.interval.kind in kinds]
    for kinds in (SMOOTH + INVERTED, SMOOTH)
)
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


def test_one_seed_draws_the_same_and_another_others():
    one, again, other = (drawn_by_class(RankingTable(*FEW._fields()), seed)[1] for seed in (3, 3, 4))
    for mine, same_seed, other_seed in zip(
        weights_of(one), weights_of(again), weights_of(other), strict=True
    ):
        np.testing.assert_array_equal(mine, same_seed)
        assert (mine != other_seed).any()


@given(table=tables())
def test_the_classes_keep_their_totals(table):
    base, resamples = drawn_by_class(table, 1)
    for weight, drawn in zip(weights_of(table), weights_of(resamples), strict=True):
        np.testing.assert_allclose(drawn.sum(-1), weight.sum(), rtol=1e-12)
        assert (drawn >= 0).all()
        assert drawn.shape == (resampled.REPLICATES, len(resamples))
    assert base.total == pytest.approx(table.total, rel=1e-12)


@given(table=tables())
def test_a_score_without_cases_of_a_class_gets_none(table):
    _, resamples = multinomial(table, 1)
    for weight, drawn in zip(weights_of(table), weights_of(resamples), strict=True):
        assert not drawn[:, weight == 0].any()


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


def test_weights_vary_around_their_own():
    """Shares have the mean p and the variance p (1 - p) / n: within five standard errors."""
    resamples = drawn_by_class(FEW, 2)[1]
    for weight, drawn in zip(weights_of(FEW), weights_of(resamples), strict=True):
        n, p = weight.sum(), weight / weight.sum()
        shares, variance = drawn / n, p * (1 - p) / n
        assert (np.abs(shares.mean(0) - p) <= 5 * np.sqrt(variance / len(shares))).all()
        there = variance > 0
        # of a distribution with tails somewhat longer than the normal ones
        near = 5 * np.sqrt(2 / len(shares)) * 1.5
        np.testing.assert_allclose(shares.var(0)[there] / variance[there], 1, atol=near)


@pytest.mark.parametrize("missing", ["positive", "negative"])
def test_a_class_without_cases_stays_without(missing):
    columns = {"score": [0.7, 0.3], "positive": [1, 2], "negative": [3, 1]} | {missing: [0, 0]}
    resamples = drawn_by_class(RankingTable(**columns), 1)[1]
    assert not getattr(resamples, missing).any()


@pytest.mark.full
def test_the_last_resamples_are_kept_for_their_table_and_seed_alone():
    table, twin = (RankingTable(*FEW._fields()) for _ in range(2))
    found = resampled.if_calibrated(table, 1)
    assert resampled.if_calibrated(table, 1) is found
    assert resampled.if_calibrated(twin, 1) is not found
    assert resampled.if_calibrated(table, 1) is not found  # the twin's took their place
    values = resampled.if_calibrated(table, 1)[1].positive.tolist()
    assert values == found[1].positive.tolist() != resampled.if_calibrated(table, 2)[1].positive.tolist()
    del table
    gc.collect()
    other = RankingTable(FEW.score, FEW.negative, FEW.positive)  # where the first one was, perhaps
    assert resampled.if_calibrated(other, 2)[0] is other


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
    assert resampled.thinned(few) is few
    assert len(resampled.thinned(many)) < resampled.MOST_SCORES / 4
    monkeypatch.setattr(resampled, "MOST_SCORES", 10_000)
    assert len(resampled.thinned(continuous(resampled.MOST_SCORES - 4))) == resampled.MOST_SCORES - 4


def test_the_cost_of_resampling_is_bounded():
    for table in (FEW, continuous(2_000), LARGE["continuous"]):
        drawn = resampled.if_calibrated(table, 1)[1].positive
        assert drawn.size <= resampled.CELLS
        assert resampled.FEWEST_REPLICATES <= len(drawn) <= resampled.REPLICATES


@pytest.mark.full
@pytest.mark.parametrize("entry", THINNED, ids=name)
def test_thinned_and_whole_tables_have_nearly_the_same_interval(entry, monkeypatch):
    """Of cases just too many to move each score: at another limit they are not too many."""
    table = continuous(2_400, seed=6)
    thinned = estimate(entry, table, **suited(entry))
    monkeypatch.setattr(resampled, "MOST_SCORES", 2_500)
    whole = estimate(entry, RankingTable(*table._fields()), **suited(entry))
    assert whole.has_interval
    width = whole.high - whole.low
    assert thinned.value == whole.value
    assert (thinned.low, thinned.high) == pytest.approx((whole.low, whole.high), abs=0.05 * width)
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


@pytest.mark.full
@pytest.mark.parametrize(
    "measure",
    ["roc_auc_optimistic", "equal_error_rate", "goodman_kruskal_gamma", "average_lift", "decidability"],
)
def test_a_linearised_interval_is_near_that_of_the_standard_deviation_of_resamples(measure):
    """Of exponential weights of all cases. Within 4 % of the width."""
    entry, table = get(measure), USUAL[RankingTable]
    random, scale = np.random.default_rng(0), Scale(entry.range)
    drawn = [random.standard_gamma(part * 1.0, (4_000, len(table))) for part in weights_of(table)]
    spread = scale.to(entry.function(RankingTable.of(table.score, *drawn))) - scale.to(entry.function(table))
    found = estimate(entry, table, Settings(level=0.9))
    centre, step = scale.to(found.value), NormalDist().inv_cdf(0.95) * spread.std()
    assert (found.low, found.high) == pytest.approx(
        (scale.back(centre - step), scale.back(centre + step)), abs=0.04 * (found.high - found.low)
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


def test_at_an_end_of_the_range_a_bootstrap_is_inverted():
    """A perfect order is not certain."""
    table = RankingTable.from_arrays(truth=np.arange(60) >= 30, score=np.arange(60))
    found = estimate("goodman_kruskal_gamma", table)
    assert found.method == "inverted-bootstrap"
    assert 0.9 < found.low < 0.99
    assert found.high == 1
