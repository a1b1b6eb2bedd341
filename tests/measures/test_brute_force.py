"""Every measure of a ranking against its definition in `slow`, on small tables of many ties."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import slow_limits  # noqa: F401  # enters its definitions
from looping import for_each, in_part
from slow import SLOW, Slow
from strategies import measures_of

from tallymark import ClassScores, RankingTable
from tallymark.measures.registry import get

pytestmark = pytest.mark.full

FAMILIES = ("ranking", "precision_recall", "early_retrieval", "biometric")
SCORES = np.array([-math.inf, -3.5, -1.0, 0.0, 0.25, 0.5, 2.0, 7.0, math.inf])
WEIGHTS = {
    "cases": [1],
    "whole": [1, 2, 3],
    "quarters": [0.25, 0.5, 0.75, 1, 2.5],
    "decimals": [0.1, 0.3, 0.7, 1, 2.2],
}
EXACT = ("cases", "whole", "quarters")  # sums without rounding, so that a rate may equal a limit


def some_tables(kind, number=250, most=12, seed=7):
    """Tables of a few scores, all alike or all different or between; the smallest often of one class."""
    random = np.random.default_rng(seed)
    while number:
        size = random.integers(1, most + 1)
        score = random.choice(random.choice(SCORES, random.integers(1, len(SCORES) + 1)), size)
        truth = (random.random(size) < random.choice([0.2, 0.5, 0.5, 0.5, 0.8])).astype(int)
        table = RankingTable.from_arrays(
            truth=truth, score=score, weight=random.choice(WEIGHTS[kind], size), positive=1
        )
        if kind != "whole" or table.total <= most:
            number -= 1
            yield table


TABLES = {kind: [(table, Slow(table)) for table in some_tables(kind)] for kind in WEIGHTS}

RATES = (0, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 1)
SPANS = [{}, {"low": 0, "high": 1}, {"low": 0.25, "high": 0.5}, {"low": 1 / 3, "high": 0.9}]
COSTS = [{}, {"prior": 0.5}, {"prior": 0.3, "cost_miss": 10, "cost_fa": 2}, {"prior": 0.9, "cost_fa": 0.1}]
NUMBERS = [{}, *({"k": k} for k in (1, 2, 3, 7, 1000))]
SHARES = [{}, *({"share": share} for share in (0.05, 0.25, 0.5, 0.9, 1))]
SETTINGS = {
    "h_measure": [{}, {"severity_ratio": 0.1}, {"severity_ratio": 1}, {"severity_ratio": 3.7}],
    "average_cost": [{}, {"alpha": 2, "beta": 5}, {"alpha": 0.5, "beta": 1.5}, {"alpha": 3.3, "beta": 1}],
    **dict.fromkeys(
        ("partial_auc", "partial_auc_standardised", "partial_auc_tpr", "partial_auc_tpr_standardised"), SPANS
    ),
    **dict.fromkeys(("precision_at_k", "recall_at_k"), NUMBERS),
    **dict.fromkeys(("precision_at_share", "recall_at_share", "enrichment_factor"), SHARES),
    "bedroc": [{}, {"alpha": 0.5}, {"alpha": 5}, {"alpha": 100}],
    "recall_at_precision": [{}, *({"precision": rate} for rate in RATES)],
    "precision_at_recall": [{}, *({"recall": rate} for rate in RATES)],
    "sensitivity_at_specificity": [{}, *({"specificity": rate} for rate in RATES)],
    "specificity_at_sensitivity": [{}, *({"sensitivity": rate} for rate in RATES)],
    "fnmr_at_fmr": [{}, *({"fmr": rate} for rate in RATES)],
    "fmr_at_fnmr": [{}, *({"fnmr": rate} for rate in RATES)],
    "min_dcf": COSTS,
    "min_dcf_normalised": COSTS,
}
EVERY_SETTING = [(name, setting) for name in SLOW for setting in SETTINGS.get(name, [{}])]
IN_RANDOM_ORDER = {
    "average_gain", "average_lift", "precision_at_k", "recall_at_k", "precision_at_share", "recall_at_share",
    "enrichment_factor", "bedroc",
}  # fmt: skip
AT_A_LIMIT = {name for name in SLOW if "_at_" in name} | {"equal_error_rate_nearest"}


def kinds_for(name):
    if name in IN_RANDOM_ORDER:
        return "cases", "whole"
    return EXACT if name in AT_A_LIMIT else tuple(WEIGHTS)


def close(ours, wanted, within=1e-11):
    return math.isclose(ours, wanted, rel_tol=within, abs_tol=within) or (
        math.isnan(ours) and math.isnan(wanted)
    )


@in_part(8)
@for_each(("name", "setting"), EVERY_SETTING, ids=lambda part: part if isinstance(part, str) else str(part))
def test_value_is_as_defined(name, setting):
    measure, defined = get(name), SLOW[name]
    for table, slow in (pair for kind in kinds_for(name) for pair in TABLES[kind]):
        wanted = float(defined(slow, **setting))
        assert close(measure(table, **setting), wanted), f"{table.to_dict()} should give {wanted}"


def test_pairs_of_cases():
    for table, slow in (pair for kind in EXACT for pair in TABLES[kind]):
        assert table.pairs == slow.pairs


def test_pairs_of_whole_weights_are_whole_numbers():
    table = RankingTable([0.9, 0.5, 0.1], [10**9 + 1, 10**9, 1], [1, 10**9 + 7, 10**9])
    slow = Slow(table)
    assert all(type(weight) is int for weight in table.pairs)
    assert table.pairs == slow.pairs
    assert table.pairs._fields == ("concordant", "discordant", "tied")


@pytest.mark.parametrize("name", ["precision_at_k", "recall_at_k"])
@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_quarters_of_cases_are_four_times_as_many_cases(name, k):
    """Of cases that count a quarter, four times as many are among the first k."""
    for table, _ in TABLES["quarters"]:
        assert close(
            get(name)(table, k=k),
            get(name)(RankingTable(table.score, table.positive * 4, table.negative * 4), k=4 * k),
        )


def of_whole(table):
    """The table of as many times the cases as makes their weights whole."""
    return Slow(RankingTable(table.score, table.positive * 4, table.negative * 4))


@for_each("name", ["precision_at_share", "recall_at_share", "enrichment_factor"])
@for_each("setting", SHARES, ids=str)
def test_share_of_fractional_weights(name, setting):
    few = [table for table, _ in TABLES["quarters"] if table.total <= 3]
    assert len(few) > 10
    for table in few:
        assert close(get(name)(table, **setting), float(SLOW[name](of_whole(table), **setting)))


@pytest.mark.parametrize("name", ["average_lift", "auc_pr_davis_goadrich"])
def test_few_tied_cases_below_a_million(name):
    """What is summed over tied cases in closed form must not be a small difference of large numbers."""
    # the same from the first positive to the last of its ties
    precision = [Fraction(k, 10**6 + k) for k in (1, 1, 2, 3, 4)]
    wanted = {
        "average_lift": (1 + sum(precision[2:])) / 4,
        "auc_pr_davis_goadrich": sum(a + b for a, b in itertools.pairwise(precision)) / 2 / 4,
    }
    table = RankingTable([0.9, 0.5, 0.1], [1, 2, 1], [10**6, 0, 0])
    assert math.isclose(get(name)(table), wanted[name], rel_tol=1e-9)


@pytest.mark.parametrize("name", ["min_cllr", "auch", "equal_error_rate_hull", "h_measure"])
def test_what_the_hull_gives_is_no_worse_when_neighbours_are_joined(name):
    """Two thresholds between which the order is wrong are one on the hull, so their cases may as well be
    tied."""
    table = RankingTable([4.0, 3.0, 2.0, 1.0], [5, 1, 3, 1], [1, 2, 1, 6])
    joined = RankingTable([4.0, 2.5, 1.0], [5, 4, 1], [1, 3, 6])
    assert close(get(name)(table), get(name)(joined), 1e-14)


def test_every_measure_of_a_ranking_is_here():
    """Guards the tests above against what is added to the catalogue later."""
    there = {entry.name for entry in measures_of(RankingTable) if entry.family in FAMILIES}
    assert there == set(SLOW)
    assert {name: set(get(name).parameters) for name in SLOW if get(name).parameters} == {
        name: {parameter for setting in settings for parameter in setting}
        for name, settings in SETTINGS.items()
    }


def test_share_that_is_wanted_is_reached_by_some_table():
    """Guards the limits above: a rate equals them now and then, or rounding would never be tried."""
    rates = {
        float(rate)
        for kind in EXACT
        for _, slow in TABLES[kind]
        if slow.n and slow.p
        for point in slow.errors
        for rate in point
    }
    assert set(RATES) <= rates | {float(1 - Fraction(rate)) for rate in rates}


# A score per class
# --------------------------------------------------------------------------------------------------


def mean(values, weights):
    """Over what is defined."""
    there = [(value, weight) for value, weight in zip(values, weights, strict=True) if not math.isnan(value)]
    return float(sum(v * w for v, w in there) / sum(w for _, w in there)) if there else math.nan


class OfClasses:
    """The definitions, class by class and pair by pair; a class that does not occur is NaN, and left out."""

    def __init__(self, truth, score, weight):
        self.truth, self.score, self.weight = truth, score, weight
        self.classes = range(score.shape[1])
        self.sizes = [weight[truth == i].sum() for i in self.classes]

    def of(self, measure, one, others):
        there = (self.truth == one) | np.isin(self.truth, others)
        truth, score, weight = (
            (self.truth[there] == one).astype(int),
            self.score[there, one],
            self.weight[there],
        )
        if len(set(truth.tolist())) < 2:
            return math.nan
        return SLOW[measure](Slow(RankingTable.from_arrays(truth=truth, score=score, weight=weight)))

    def each(self, measure):
        return [
            self.of(measure, one, [other for other in self.classes if other != one]) for one in self.classes
        ]

    def macro_roc_auc(self):
        return mean(self.each("roc_auc"), [1] * len(self.classes))

    def weighted_roc_auc(self):
        return mean(self.each("roc_auc"), self.sizes)

    def pairwise_roc_auc(self):
        pairs = [
            self.of("roc_auc", one, [other]) for one in self.classes for other in self.classes if one != other
        ]
        return mean(pairs, [1] * len(pairs))

    def mean_average_precision(self):
        return mean(self.each("average_precision"), [1] * len(self.classes))

    def weighted_average_precision(self):
        return mean(self.each("average_precision"), self.sizes)

    def pooled(self, measure):
        if sum(size > 0 for size in self.sizes) < 2:
            return math.nan
        every = [(i, one) for i in range(len(self.truth)) for one in self.classes]
        truth = [int(self.truth[i] == one) for i, one in every]
        score, weight = [self.score[i, one] for i, one in every], [self.weight[i] for i, _ in every]
        return SLOW[measure](Slow(RankingTable.from_arrays(truth=truth, score=score, weight=weight)))

    def micro_roc_auc(self):
        return self.pooled("roc_auc")

    def micro_average_precision(self):
        return self.pooled("average_precision")

    def top_k_accuracy(self, k=2):
        found = []
        for own, row in zip(self.truth, self.score, strict=True):
            orders = [
                sum(one > row[own] for one in row) + place
                for place in range(sum(one == row[own] for one in row))
            ]
            found.append(mean([order < k for order in orders], [1] * len(orders)))
        return mean(found, self.weight)


# Those that need probabilities are in test_probability_brute_force.py.
@in_part(3)
@for_each("name", [entry.name for entry in measures_of(ClassScores) if not entry.needs_probabilities])
@for_each("kind", WEIGHTS)
def test_value_of_class_scores_is_as_defined(name, kind):
    random = np.random.default_rng(11)
    for _ in range(60):
        size, classes = random.integers(1, 13), random.integers(1, 5)
        truth, score = random.integers(0, classes, size), random.choice(SCORES, (size, classes))
        weight = random.choice(WEIGHTS[kind], size).astype(float)
        table = ClassScores.from_arrays(truth=truth, score=score, weight=weight, classes=range(classes))
        ours, wanted = get(name)(table, undefined=math.nan), getattr(OfClasses(truth, score, weight), name)()
        assert close(ours, wanted), (truth, score, weight)
