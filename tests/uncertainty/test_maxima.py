"""Intervals inverted along a smooth family: what the family is, and what the intervals hold."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from tallymark import RankingTable, Settings, estimate, measures
from tallymark.inference import influence, inverted as mechanism, inverted as rankings, linear
from tallymark.summaries.ranking import Squares

MAXIMA = (
    "kolmogorov_smirnov",
    "youden_j_max",
    "auch",
    "h_measure",
    "min_cllr",
    "equal_error_rate_hull",
    "average_cost",
)
AREAS = (
    "average_precision",
    "auc_pr_trapezoid",
    "auc_pr_min",
    "recall_at_share",
    "mean_precision",
)
CASE_CONTROL = Settings(design="case-control")
RANDOM = np.random.default_rng(8)


def normal(positives, negatives, distance, seed=0, rounded=None):
    """Two normal groups; rounded: to so many levels for each unit."""
    score = np.random.default_rng(seed).normal(np.repeat([distance, 0.0], [positives, negatives]))
    score = score if rounded is None else np.round(score * rounded) / rounded
    return RankingTable.from_arrays(truth=np.repeat([1, 0], [positives, negatives]), score=score)


TABLES = {
    "few": normal(30, 40, 1.0),
    "many": normal(400, 800, 1.5),
    "levels": normal(200, 300, 1.0, rounded=1),
    "turned": normal(60, 60, -1.0),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_family_goes_from_one_perfect_order_to_the_other_through_chance_and_the_fit(table):
    family = rankings.family(table)
    tilt = np.array([-60.0, 0.0, family.side, 60.0])
    area = measures.roc_auc.function(family.population(tilt))
    assert (area[0], area[1], area[3]) == pytest.approx((0.0, 0.5, 1.0), abs=1e-3)
    assert area[2] == pytest.approx(measures.roc_auc(table), abs=0.03)
    for share in family.shares(tilt):
        np.testing.assert_allclose(share.sum(-1), 1.0, rtol=1e-9)


def test_the_shares_of_the_classes_at_a_tied_score_are_those_of_the_data_and_vary():
    table = RankingTable([3.0, 2.0, 1.0], [500, 100, 400], [100, 800, 100])
    family = rankings.family(table)
    fit = family.population([family.side])
    np.testing.assert_allclose(fit.positive[0], table.positive, rtol=0.03)
    np.testing.assert_allclose(fit.negative[0], table.negative, rtol=0.05)
    assert family.population([1.5 * family.side]).positive[0, 0] > 600


@pytest.mark.parametrize("distance", [0.5, 1.5])
def test_two_normal_distributions_of_the_same_spread_stay_such_ones(distance):
    """Their equal error rate, KS and area belong together in every member."""
    family = rankings.family(normal(20_000, 20_000, distance))
    members = family.population([0.6, 0.8, 1.0, 1.3])
    area, largest = measures.roc_auc.function(members), measures.kolmogorov_smirnov.function(members)
    np.testing.assert_allclose(largest, 2 * ndtr(ndtri(area) / np.sqrt(2)) - 1, atol=0.01)


@pytest.mark.parametrize("size", [300, 3_000])
def test_samples_have_the_size_of_the_table_and_the_mean_of_their_population(size):
    table = normal(size, 2 * size, 1.0)
    members = rankings.drawn(table, 1)
    np.testing.assert_allclose(members.samples.positive.sum(-1), table.positives)
    np.testing.assert_allclose(members.samples.negative.sum(-1), table.negatives)
    area = measures.roc_auc.function
    np.testing.assert_allclose(area(members.samples).mean(-1), area(members.populations), atol=0.01)
    assert rankings.drawn(table, 1) is members


def test_what_depends_on_the_ranking_alone_has_the_same_interval_whatever_varies():
    for name in set(MAXIMA) - {"h_measure"}:
        assert estimate(name, TABLES["few"]) == estimate(name, TABLES["few"], CASE_CONTROL)


@pytest.mark.parametrize("name", AREAS)
def test_a_cohort_has_wider_intervals_where_the_share_of_positives_matters(name):
    table = TABLES["few"]
    cohort, held = (
        estimate(name, table, how, **({"share": 0.3} if name == "recall_at_share" else {}))
        for how in (Settings(), CASE_CONTROL)
    )
    assert cohort.low < held.low < held.value < held.high <= cohort.high


def test_the_bias_is_noted_where_it_is_more_than_a_quarter_of_the_width():
    few, many = (estimate("min_cllr", normal(size, size, 1.0)) for size in (40, 4_000))
    assert "the value has a bias of about -0.0" in few.note
    assert few.low < few.value < few.high
    assert many.note is None


def test_perfect_order_has_an_interval_with_a_note():
    table = RankingTable(np.arange(60.0, 0, -1), [1] * 30 + [0] * 30, [0] * 30 + [1] * 30)
    for name in MAXIMA:
        found = estimate(name, table)
        assert found.low < found.high
        assert found.value in (found.low, found.high)
        assert "at an end of its range" in found.note


def _derivative(function, table, case, of):
    """Of a measure, by the weight of one case, in cases."""
    step = 1e-6
    parts = [table.positive.astype(float), table.negative.astype(float)]
    parts[of][case] += step
    more = RankingTable.of(table.score, *parts)
    return (
        float(function(more))
        - float(
            function(
                RankingTable.of(
                    table.score, *(np.asarray(part, float) for part in (table.positive, table.negative))
                )
            )
        )
    ) / step


@pytest.mark.parametrize("of", [0, 1], ids=["positives", "negatives"])
def test_influence_values_of_average_precision_are_its_derivatives(of):
    table = TABLES["levels"]
    values = influence.of_average_precision(table)[of] / table.total
    wanted = [_derivative(measures.average_precision.function, table, case, of) for case in range(len(table))]
    np.testing.assert_allclose(values, wanted, rtol=1e-3, atol=1e-8)


def mean_precision_of_reweighted(table, other):
    """With the threshold of a single case weighing as much as the case does."""
    tp, fp = np.cumsum(other.positive), np.cumsum(other.negative)
    cases = (other.positive + other.negative) / (table.positive + table.negative)
    size, squares = table.positive + table.negative, sum(table.squared)
    weight = np.where(size**2 <= squares * (1 + 1e-12), cases, 1.0)
    return float((weight * tp / (tp + fp)).sum() / weight.sum())


@pytest.mark.parametrize("of", [0, 1], ids=["positives", "negatives"])
def test_influence_values_of_mean_precision_are_its_derivatives(of):
    """With thresholds of a single case weighing what this does."""
    for table in (TABLES["levels"], TABLES["few"]):
        values = influence.of_mean_precision(table)[of] / table.total
        wanted = [
            _derivative(
                lambda other, table=table: mean_precision_of_reweighted(table, other), table, case, of
            )
            for case in range(len(table))
        ]
        there = (table.positive if of == 0 else table.negative) > 0
        np.testing.assert_allclose(values[there], np.array(wanted)[there], rtol=1e-3, atol=1e-8)


def weighted(positive, negative):
    """Cases of these weights, one at each score: the positives above the negatives but for the last and the
    first one."""
    order = np.r_[
        0 : len(positive) - 1,
        len(positive),
        len(positive) - 1,
        len(positive) + 1 : len(positive) + len(negative),
    ]
    of_class = np.repeat([True, False], (len(positive), len(negative)))[order]
    weight = np.r_[positive, negative][order]
    parts = [np.where(of_class, weight, 0.0), np.where(of_class, 0.0, weight)]
    return RankingTable.of(np.arange(len(weight), 0.0, -1.0), *parts, Squares(*(part**2 for part in parts)))


@pytest.mark.parametrize("of", [0, 1], ids=["positives", "negatives"])
def test_influence_values_of_the_mean_precision_of_weighted_cases_are_its_derivatives(of):
    table = weighted(RANDOM.gamma(2.0, 1.0, 12), RANDOM.gamma(2.0, 1.0, 15))
    values = influence.of_mean_precision(table)[of] / table.total
    wanted = [
        _derivative(lambda other: mean_precision_of_reweighted(table, other), table, case, of)
        for case in range(len(table))
    ]
    there = (table.positive if of == 0 else table.negative) > 0
    np.testing.assert_allclose(values[there], np.array(wanted)[there], rtol=1e-3, atol=1e-8)


def test_mean_precision_has_no_interval_where_cases_of_unlike_weight_count_the_same():
    table = weighted(RANDOM.gamma(2.0, 1.0, 40), RANDOM.gamma(2.0, 1.0, 50))
    assert [note.code for note in estimate("mean_precision", table).notes] == ["scores-not-weighted"]


@pytest.mark.full
def test_average_precision_of_many_cases_is_close_by_both_methods(monkeypatch):
    table = normal(1_000, 3_000, 1.0)
    by_influence = estimate("average_precision", table)
    assert by_influence.method == "delta-logit-t"
    monkeypatch.setattr(linear, "MANY", 2_000)
    inverted = [estimate("average_precision", table, Settings(seed=seed)) for seed in range(5)]
    assert {found.method for found in inverted} == {"inverted-bootstrap"}
    width, mean = (
        by_influence.high - by_influence.low,
        np.mean([(found.low, found.high) for found in inverted], axis=0),
    )
    assert mean == pytest.approx((by_influence.low, by_influence.high), abs=0.08 * width)


@pytest.mark.parametrize("size", [500, 5_000])
def test_cases_fall_into_the_cells_as_often_as_they_should(size):
    share = np.array([0.3, 1e-7, 0.2, 1e-3, 0.0, 0.4989999])
    counts = mechanism.multinomial(np.random.default_rng(1), share[None], size, 1_400).sum((0, 1))
    assert counts.sum() == 1_400 * size
    assert counts[4] == 0
    error = np.sqrt(counts.sum() * share * (1 - share))
    assert (np.abs(counts - counts.sum() * share) <= 4 * error + 1e-5 * counts.sum()).all()


def levels(*cells):
    """A table of these numbers of positives and negatives, from the highest score."""
    positive, negative = zip(*cells, strict=True)
    return RankingTable(np.arange(len(cells), 0.0, -1.0), list(positive), list(negative))


def test_mean_precision_of_levels_does_not_depend_on_the_unit_of_weights():
    table = levels((40, 10), (30, 30), (20, 60))
    units = [table * factor for factor in (0.5, 3.0)]
    of_units = [
        RankingTable.of(t.score, t.positive, t.negative, Squares(t.positive * f, t.negative * f))
        for t, f in zip(units, (0.5, 3.0), strict=True)
    ]
    one, other = (estimate("mean_precision", t) for t in of_units)
    assert (one.low, one.high) == pytest.approx((other.low, other.high))
    plain = estimate("mean_precision", table)
    assert (one.low, one.high) == pytest.approx((plain.low, plain.high))
