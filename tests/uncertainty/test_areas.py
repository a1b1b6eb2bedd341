"""Intervals of the area under the ROC curve: against other tools, by brute force, and how often they hold."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from looping import for_each
from refusals import refuses
from scipy.special import ndtr, ndtri
from scipy.stats import norm
from sound import rows
from strategies import tables

from tallymark import RankingTable, Settings, estimate, evaluate
from tallymark.inference import interval
from tallymark.inference.interval import (
    AREA_METHODS,
    CUT,
    MISPLACED,
    ONE_CASE,
    OTHER_SHAPES,
    SEPARATED,
    TIED,
    Area,
    clopper_pearson,
    of_area,
)
from tallymark.measures.registry import get

DATASETS = json.loads((Path(__file__).parents[1] / "oracles" / "binary.json").read_text())["datasets"]
LEVELS = (0.5, 0.9, 0.95, 0.99)
AREA = get("roc_auc").function


def ranked(dataset):
    return RankingTable.from_arrays(truth=DATASETS[dataset]["labels"], score=DATASETS[dataset]["scores"])


def found(table, method="delong-logit", level=0.95):
    return estimate("roc_auc", table, Settings(level=level, auc_interval=method))


# DeLong
# --------------------------------------------------------------------------------------------------


def intervals_of_other_tools():
    """Of pROC and others, where the variance is not 0: they cut at 0 and 1, or not."""
    for dataset, case in DATASETS.items():
        for row in case["values"]:
            known = row["key"] == "delong_interval_95" and not {None, "nan"} & set(row["value"])
            if (
                known
                and row["value"][0] != row["value"][1]
                and row.get("deviates") in (None, "not clipped to [0, 1]")
            ):
                yield pytest.param(dataset, row["value"], id=f"{dataset}-{row['tool']}")


@for_each(("dataset", "theirs"), list(intervals_of_other_tools()))
def test_plain_delong_against_other_tools(dataset, theirs):
    ours = found(ranked(dataset), "delong")
    np.testing.assert_allclose((ours.low, ours.high), np.clip(theirs, 0, 1), rtol=1e-10)
    assert ours.method == "delong"
    assert (CUT.text in (ours.note or "")) == (ours.high == 1)


def drawn(rng, shape, positives, negatives, distance=1.0, spread=1.0):
    """Tables of cases in order, without ties, of two normal groups; what they have in front is `shape`."""
    z = rng.normal(size=(*shape, positives + negatives))
    z[..., :positives] = z[..., :positives] * spread + distance
    positive = (np.argsort(-z, axis=-1) < positives).astype(float)
    return RankingTable.of(np.arange(positives + negatives, 0.0, -1.0), positive, 1 - positive)


def in_levels(rng, shape, positives, negatives, distance, levels, spread=1.0):
    """The same with scores rounded to so many levels, and the true area."""
    cuts = np.linspace(distance + 1.5, -1.5, levels - 1)
    of_positive = np.diff(np.concatenate([[0], ndtr((distance - cuts) / spread), [1]]))
    of_negative = np.diff(np.concatenate([[0], ndtr(-cuts), [1]]))
    score = np.arange(levels, 0.0, -1.0)
    weights = (
        rng.multinomial(size, share, shape).astype(float)
        for size, share in ((positives, of_positive), (negatives, of_negative))
    )
    return RankingTable.of(score, *weights), float(AREA(RankingTable.of(score, of_positive, of_negative)))


def test_many_tables_at_once_have_what_each_has_alone():
    rng = np.random.default_rng(1)
    many, _ = in_levels(rng, (2, 3), 7, 5, 1.0, 6)
    with np.errstate(invalid="ignore"):
        together = [
            function(many) for function in (interval.delong_variance, interval.tied_share, interval.shape_of)
        ]
    assert together[0].shape == (2, 3)
    for place in np.ndindex(2, 3):
        one = RankingTable.of(many.score, many.positive[place].copy(), many.negative[place].copy())
        alone = interval.delong_variance(one), interval.tied_share(one), interval.shape_of(one)
        np.testing.assert_allclose([part[place] for part in together], alone, rtol=1e-12)
        assert isinstance(alone[0], float)


def test_variance_of_tables_that_have_lost_a_class_is_unknown():
    score, positive = np.array([2.0, 1.0]), np.array([[0.0, 1.0], [0.0, 0.0], [2.0, 1.0]])
    with np.errstate(invalid="ignore"):
        variance = interval.delong_variance(RankingTable.of(score, positive, np.array([[2.0, 1.0]] * 3)))
    assert np.isnan(variance).tolist() == [True, True, False]


@given(table=tables(both_classes=True))
def test_share_of_ties_is_that_of_the_pairs(table):
    assert math.isclose(
        interval.tied_share(table),
        table.pairs.tied / (table.positives * table.negatives),
        rel_tol=1e-12,
        abs_tol=1e-15,
    )


# Hanley and McNeil, Newcombe
# --------------------------------------------------------------------------------------------------


@for_each(("positives", "negatives"), [(5, 5), (3, 40), (40, 3), (51, 58)])
@for_each("area", [0.05, 0.5, 0.893, 0.999])
def test_hanley_mcneil_variance_as_they_write_it(area, positives, negatives):
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    wanted = area * (1 - area) + (positives - 1) * (q1 - area**2) + (negatives - 1) * (q2 - area**2)
    ours = interval.hanley_mcneil_variance(area, positives, negatives)
    assert math.isclose(ours, wanted / (positives * negatives), rel_tol=1e-9)
    both = (
        interval.hanley_mcneil_variance(0.3, positives, negatives),
        interval.hanley_mcneil_variance(0.7, negatives, positives),
    )
    assert math.isclose(*both, rel_tol=1e-12)  # the other class is the positive one


@pytest.mark.parametrize(("positives", "negatives"), [(8, 8), (5, 40), (40, 5)])
def test_hanley_mcneil_variance_is_that_of_exponential_scores(positives, negatives):
    """By simulation: 20,000 samples know a variance to 1 %."""
    rng, area = np.random.default_rng(2), 0.8
    scores = rng.exponential(size=(20_000, positives + negatives))
    scores[:, :positives] *= area / (1 - area)
    positive = (np.argsort(-scores, axis=-1) < positives).astype(float)
    areas = AREA(RankingTable.of(np.arange(positives + negatives, 0.0, -1.0), positive, 1 - positive))
    assert areas.mean() == pytest.approx(area, abs=0.005)
    assert np.var(areas) == pytest.approx(
        interval.hanley_mcneil_variance(area, positives, negatives), rel=0.05
    )


@pytest.mark.parametrize("level", LEVELS)
def test_hanley_mcneil_is_their_standard_error_on_either_side(level):
    table = ranked("below_chance")
    ours = found(table, "hanley-mcneil", level)
    step = norm.isf((1 - level) / 2) * math.sqrt(
        interval.hanley_mcneil_variance(ours.value, table.positives, table.negatives)
    )
    assert (ours.low, ours.high) == pytest.approx((ours.value - step, ours.value + step), rel=1e-12)
    assert ours.note is None


@for_each("level", LEVELS)
@for_each("times", [0.3, 1.0, 4.0])
def test_score_interval_satisfies_its_equation(times, level):
    z = norm.isf((1 - level) / 2)
    for bound in interval.newcombe_bounds(0.9, 20, 50, level, times):
        assert math.isclose(
            (0.9 - bound) ** 2, z**2 * times * interval.newcombe_variance(bound, 20, 50), rel_tol=1e-9
        )


def test_where_few_are_misplaced_delongs_variance_takes_the_place_of_newcombes():
    table = drawn(np.random.default_rng(4), (), 30, 300, distance=3.0)
    ours = found(table)
    assert (ours.method, ours.note) == ("delong-score", MISPLACED.text)
    halves = rows([0, *np.repeat([1, 0], [30, 300]), 1], np.arange(332))  # only for its sizes
    pulled = interval.with_halves(table)
    assert (pulled.positives, pulled.negatives) == (30.5, 300.5)
    assert len(pulled) == len(halves)
    assert AREA(pulled) == pytest.approx(AREA(table) * 30 * 300 / (30.5 * 300.5), rel=1e-12)
    times = interval.delong_variance(pulled) / interval.newcombe_variance(AREA(pulled), 30.5, 300.5)
    assert (ours.low, ours.high) == interval.newcombe_bounds(ours.value, 30, 300, 0.95, times)


# Exactly
# --------------------------------------------------------------------------------------------------


def chances(rng, levels):
    """The shares of the scores, from the lowest, of two classes: some empty, many next to 0 or 1."""
    shares = rng.dirichlet(np.full(levels, 0.3), 2) * (rng.random((2, levels)) < 0.8)
    return shares / shares.sum(1, keepdims=True)


def test_classes_are_separated_no_oftener_than_the_area_to_the_power_of_the_smaller_one():
    """P(lowest positive > highest negative) for any sizes, summed over the highest negative; and that all are
    tied."""
    rng = np.random.default_rng(5)
    for _ in range(2_000):
        with np.errstate(invalid="ignore"):
            positive, negative = chances(rng, 5)
        if np.isnan([positive, negative]).any():
            continue
        m, n = rng.integers(1, 12, 2)
        up_to = np.cumsum(negative)
        above = 1 - np.cumsum(positive)
        highest = up_to**n - np.concatenate([[0], up_to[:-1]]) ** n
        area = float((negative * above).sum() + (negative * positive).sum() / 2)
        assert (highest * np.maximum(above, 0) ** m).sum() <= area ** min(m, n) + 1e-12
        tied = float(positive @ negative)
        assert (positive**m @ negative**n) <= tied ** min(m, n) + 1e-12
        assert abs(area - 0.5) <= (1 - tied) / 2 + 1e-12


@for_each("fewer", [1, 2, 30])
@for_each("level", LEVELS)
def test_bound_where_classes_are_separated_is_reached(fewer, level):
    """One class always scores 0, the smaller one above it with this chance, or else below: the area is the
    chance."""
    bound = interval.separated(fewer, level)
    assert math.isclose(bound**fewer, (1 - level) / 2, rel_tol=1e-12)
    assert math.isclose(bound, clopper_pearson(fewer, fewer, level)[0], rel_tol=1e-12)


@for_each("method", ["delong-logit", "delong", "hanley-mcneil"])
@for_each(("positives", "negatives"), [(1, 1), (1, 9), (30, 10), (10, 30)])
def test_separated_classes_have_an_exact_interval_in_both_directions(method, positives, negatives):
    bound = 0.025 ** (1 / min(positives, negatives))
    up = RankingTable([1.0, 0.0], [positives, 0], [0, negatives])
    for table, wanted in ((up, (bound, 1.0)), (up.turned(), (0.0, 1 - bound))):
        ours = found(table, method)
        assert (ours.low, ours.high) == pytest.approx(wanted, rel=1e-12)
        assert (ours.method, ours.note) == ("exact", SEPARATED.text)
        gini = estimate("gini", table, Settings(auc_interval=method))
        assert (gini.low, gini.high) == pytest.approx((2 * wanted[0] - 1, 2 * wanted[1] - 1), rel=1e-12)
        assert gini.method == "exact"


def test_tied_scores_have_an_exact_interval():
    ours, bound = found(RankingTable([0.5], [10], [30])), 0.025**0.1
    assert (ours.low, ours.high) == pytest.approx((bound / 2, 1 - bound / 2), rel=1e-12)
    assert (ours.method, ours.note) == ("exact", TIED.text)
    assert found(RankingTable([0.5], [10], [30]), "hanley-mcneil").method == "hanley-mcneil"


def test_newcombe_needs_nothing_exact():
    ours = found(RankingTable([1.0, 0.0], [10, 0], [0, 10]), "newcombe")
    assert (ours.low, ours.high) == interval.newcombe_bounds(1.0, 10, 10, 0.95)
    assert (ours.method, ours.note) == ("newcombe", None)


# What is said
# --------------------------------------------------------------------------------------------------


def test_one_case_in_a_class_has_newcombes_interval():
    for method in ("delong-logit", "delong"):
        ours = found(ranked("one_pos"), method)
        assert (ours.method, ours.note) == ("newcombe", ONE_CASE.text)
        assert (ours.low, ours.high) == interval.newcombe_bounds(ours.value, 1, 7, 0.95)


def test_what_is_said_of_ties_and_of_unlike_sizes():
    assert found(ranked("tiny10")).note == MISPLACED.text
    wide, many = drawn(np.random.default_rng(6), (), 30, 300), drawn(np.random.default_rng(6), (), 300, 300)
    assert found(wide).note is found(many).note is None
    for method in ("hanley-mcneil", "newcombe"):
        assert found(wide, method).note == OTHER_SHAPES.text
        assert found(many, method).note is None
    tied = rows(np.repeat([1, 0], 40), np.where(np.arange(80) < 2, 0.9, 0.5))
    assert "cases decide" in found(tied).note == found(tied, "delong").note
    near = drawn(np.random.default_rng(4), (), 30, 300, distance=3.0)
    assert "about 1 case decides" in found(near, "delong").note


@pytest.mark.parametrize("measure", ["gini", "d_prime"])
@pytest.mark.parametrize("method", AREA_METHODS)
def test_functions_of_the_area_follow(measure, method):
    table, how = ranked("ties_heavy"), Settings(auc_interval=method)
    area, other = estimate("roc_auc", table, how), estimate(measure, table, how)
    assert (other.method, other.note) == (area.method, area.note)
    turned = {"gini": lambda a: 2 * a - 1, "d_prime": lambda a: math.sqrt(2) * ndtri(a)}[measure]
    assert (other.low, other.high) == pytest.approx((turned(area.low), turned(area.high)), rel=1e-9)


def test_evaluate_takes_the_method():
    truth, score = DATASETS["tiny10"]["labels"], DATASETS["tiny10"]["scores"]
    assert evaluate(truth=truth, score=score, auc_interval="delong")["roc_auc"] == found(
        ranked("tiny10"), "delong"
    )
    with refuses("unknown-name", "'delong-logit'", argument="auc_interval"):
        evaluate(truth=truth, score=score, auc_interval="delong-logits")


# How often they hold
# --------------------------------------------------------------------------------------------------

SAMPLES = 600


def held(tables, true, method="delong-logit"):
    """Whether each interval holds the true area, and whether it has a note."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = (
            AREA(tables),
            interval.delong_variance(tables),
            interval.tied_share(tables),
            interval.shape_of(tables),
        )
    sizes = float(tables.positives[0]), float(tables.negatives[0])
    answers = [
        of_area(Area(value, variance, tied, *sizes, lambda shape=shape: shape), 0.95, method)
        for value, variance, tied, shape in zip(*(part.tolist() for part in parts), strict=True)
    ]
    return np.mean([one.low <= true <= one.high for one in answers]), np.mean(
        [one.note is not None for one in answers]
    )


@pytest.mark.full
@for_each(("positives", "negatives"), [(30, 30), (30, 300), (100, 100)])
@for_each("area", [0.5, 0.8, 0.95, 0.99])
@for_each("spread", [1.0, 2.0])
def test_default_covers_what_it_says_from_30_cases_on(positives, negatives, area, spread):
    """Of normal groups, of unlike spread, too; 0.93 less twice what 600 samples leave open, and never too
    wide without a note."""
    rng, distance = np.random.default_rng(7), ndtri(area) * math.sqrt(1 + spread**2)
    share, noted = held(drawn(rng, (SAMPLES,), positives, negatives, distance, spread), area)
    assert share >= 0.91
    assert share <= 0.985 or noted > 0.5


@pytest.mark.parametrize("levels", [5, 11])
@pytest.mark.parametrize("area", [0.6, 0.9])
def test_default_covers_what_it_says_with_ties(levels, area):
    table, true = in_levels(np.random.default_rng(8), (SAMPLES,), 30, 100, ndtri(area) * math.sqrt(2), levels)
    assert 0.92 <= held(table, true)[0] <= 0.985


@pytest.mark.full
@pytest.mark.parametrize("area", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_default_covers_what_it_says_of_the_worst_distribution(area):
    """The positives above all negatives, or below: the area is a proportion of 30, and its interval of that
    kind."""
    hit = np.random.default_rng(9).binomial(30, area, SAMPLES)[:, None].astype(float)
    none = np.zeros((SAMPLES, 1))
    table = RankingTable.of(
        np.array([3.0, 2.0, 1.0]), np.hstack([hit, none, 30 - hit]), np.hstack([none, none + 1000, none])
    )
    assert held(table, area)[0] >= 0.91
    assert held(table, area, "newcombe")[0] < 0.85  # which takes the distributions to be alike
