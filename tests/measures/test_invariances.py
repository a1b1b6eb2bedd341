"""What the measures of a ranking owe to the order of the scores alone: transforms, swapped classes, merged
and resampled tables."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from looping import for_each, in_part
from strategies import cases, measures_of, name, same, tables, weights

from tallymark import RankingTable
from tallymark.measures.registry import get

OF_TABLES = measures_of(RankingTable)
# of which sums are exact, so that a rate reaches a limit in one table as in the other
QUARTERS = (0.25, 0.5, 1.0, 2.75)
USES_SCORES = {entry.name for entry in OF_TABLES if entry.needs_probabilities} | {
    "cllr",
    "decidability",
    "hinge_loss",
}
# alone, though they are parts of what uses the probabilities themselves, or but for the bins they fall into
BY_THEIR_ORDER = {
    "brier_uncertainty", "brier_discrimination", "log_loss_uncertainty", "log_loss_discrimination",
    "brier_resolution",
}  # fmt: skip

of_tables = for_each("entry", OF_TABLES, ids=name)
of_order = for_each("entry", [entry for entry in OF_TABLES if entry.name not in USES_SCORES], ids=name)


few = settings(max_examples=25)  # of each of many measures


@st.composite
def some_cases(draw, **how):
    """Arrays truth, score and weight: every weight 1, or quarters."""
    truth, score = draw(cases(**how))
    return truth, score, draw(weights(len(truth), QUARTERS) | st.just(np.ones(len(truth))))


def table_of(truth, score, weight=None):
    return RankingTable.from_arrays(truth=truth, score=score, weight=weight, positive=1)


def ordered(setting):
    return setting.get("low", 0) < setting.get("high", 1)


def settings_of(entry):
    """As it is, and every combination of its parameters at the ends of their limits and within."""
    ends = [
        (low, 4 if one == "bins" else 0.4 * low + 0.6 * min(high, 2), min(high, 1e9))
        for one, (low, high) in zip(entry.parameters, map(entry.limits.get, entry.parameters), strict=True)
    ]
    every = (dict(zip(entry.parameters, values, strict=True)) for values in itertools.product(*ends))
    return [{}, *(setting for setting in every if setting and ordered(setting))]


def two_settings(entry):
    """As it is, and with other parameters, if it has any."""
    return [{}, {one: {"low": 0.3, "k": 3, "base": 2, "bins": 3}.get(one, 0.6) for one in entry.parameters}][
        : 1 + bool(entry.parameters)
    ]


def value(entry, table, **setting):
    return entry(table, undefined=math.nan, **setting)


def equal(one, other):
    return one == other or (math.isnan(one) and math.isnan(other))


# The scores
# --------------------------------------------------------------------------------------------------


TRANSFORMS = [np.exp, np.cbrt, lambda s: 5 * s - 100, lambda s: -1 / (s + 1)]


@in_part(3)
@of_order
@few
@given(drawn=some_cases(), transform=st.sampled_from(TRANSFORMS))
def test_increasing_transforms_change_nothing(entry, drawn, transform):
    truth, score, weight = drawn
    one, other = table_of(truth, score, weight), table_of(truth, transform(score), weight)
    for setting in two_settings(entry):
        assert equal(value(entry, one, **setting), value(entry, other, **setting))


@in_part(3)
@of_order
@few
@given(drawn=some_cases())
def test_infinite_scores_are_but_the_highest_and_the_lowest(entry, drawn):
    truth, score, weight = drawn
    endless = np.where(score == 1, math.inf, np.where(score == 0, -math.inf, score))
    assert equal(value(entry, table_of(truth, score, weight)), value(entry, table_of(truth, endless, weight)))


@for_each("name", sorted(USES_SCORES - BY_THEIR_ORDER))
def test_what_uses_the_scores_themselves_changes(name):
    """Guards the exception above."""
    truth, score = [0, 1, 1, 0, 1], np.array([0.2, 0.4, 0.9, 0.5, 0.8])
    assert not same(get(name)(truth=truth, score=score), get(name)(truth=truth, score=score**3), 1e-3)


# Swapped classes
# --------------------------------------------------------------------------------------------------

# The measure that another one becomes where the classes are swapped and the scores negated, so that what was
# most surely positive is most surely negative: what happens to its parameters, or None where the measure has
# no partner.
ITSELF = [
    "roc_auc", "roc_auc_optimistic", "roc_auc_pessimistic", "gini", "goodman_kruskal_gamma", "auch",
    "d_prime", "kolmogorov_smirnov", "truncated_average_ks", "youden_j_max", "average_gain",
    "equal_error_rate", "equal_error_rate_hull", "cllr", "min_cllr", "decidability",
]  # fmt: skip
PARTNERS = {
    "sensitivity_at_specificity": (
        "specificity_at_sensitivity",
        lambda specificity: {"sensitivity": specificity},
    ),
    "fnmr_at_fmr": ("fmr_at_fnmr", lambda fmr: {"fnmr": fmr}),
    "partial_auc": ("partial_auc_tpr", lambda low, high: {"low": 1 - high, "high": 1 - low}),
    "partial_auc_standardised": (
        "partial_auc_tpr_standardised",
        lambda low, high: {"low": 1 - high, "high": 1 - low},
    ),
    "average_cost": ("average_cost", lambda alpha, beta: {"alpha": beta, "beta": alpha}),
    **{
        name: (
            name,
            lambda prior, cost_miss, cost_fa: {
                "prior": 1 - prior,
                "cost_miss": cost_fa,
                "cost_fa": cost_miss,
            },
        )
        for name in ("min_dcf", "min_dcf_normalised")
    },
}
ONLY_OF_POSITIVES = [
    "average_lift", "average_precision", "mean_precision", "auc_pr_trapezoid", "auc_pr_min", "auc_pr_minmax",
    "auc_pr_max", "auc_pr_davis_goadrich", "auc_pr_integral", "precision_at_k", "recall_at_k",
    "precision_at_share", "recall_at_share", "enrichment_factor", "bedroc", "recall_at_precision",
    "precision_at_recall", "h_measure",
]  # fmt: skip
NOT_ALWAYS = ["equal_error_rate_nearest"]  # which of several thresholds equally near is a choice


def swapped(truth, score, weight):
    return table_of(1 - truth, -score, weight)


@for_each("name", ITSELF)
@given(drawn=some_cases())
def test_swapping_the_classes_changes_nothing(name, drawn):
    assert same(value(get(name), table_of(*drawn)), value(get(name), swapped(*drawn)))


def between(*names):
    return st.fixed_dictionaries(
        {name: st.sampled_from([0.05, 0.25, 1 / 3, 0.5, 0.6, 0.75, 0.9]) for name in names}
    )


@pytest.mark.parametrize("name", PARTNERS)
@given(data=st.data(), drawn=some_cases())
def test_swapping_the_classes_gives_the_partner(name, data, drawn):
    other, turned = PARTNERS[name]
    setting = data.draw(
        between(*get(name).parameters).filter(lambda drawn: drawn.get("low", 0) < drawn.get("high", 1))
    )
    ours, wanted = (
        value(get(name), table_of(*drawn), **setting),
        value(get(other), swapped(*drawn), **turned(**setting)),
    )
    assert same(ours, wanted)


@for_each("name", ONLY_OF_POSITIVES)
def test_swapping_the_classes_gives_no_partner(name):
    """No other measure, nor the same one, has the value of the one when the classes are swapped."""
    random = np.random.default_rng(2)
    truth, score = random.integers(0, 2, 60), random.integers(0, 30, 60) / 30
    one, other = table_of(truth, score), swapped(truth, score, None)
    ours = value(get(name), one)
    assert [
        entry.name for entry in OF_TABLES if entry.name not in USES_SCORES and same(value(entry, other), ours)
    ] == []


def test_every_measure_is_sorted_by_its_partner():
    """Guards the tests above against what is added later."""
    there = {*ITSELF, *PARTNERS, *(other for other, _ in PARTNERS.values()), *ONLY_OF_POSITIVES, *NOT_ALWAYS}
    assert there == {
        entry.name for entry in OF_TABLES if entry.name not in USES_SCORES - {"cllr", "decidability"}
    }


@given(drawn=some_cases(both_classes=True))
def test_swapping_the_classes_leaves_the_nearest_equal_error_rate_if_there_is_one(drawn):
    table, entry = table_of(*drawn), get("equal_error_rate_nearest")
    counts = table.sweep()
    gaps = np.sort(abs(counts.fn * table.negatives - counts.fp * table.positives))
    if gaps[0] < gaps[1]:
        assert same(entry(table), entry(swapped(*drawn)))


@given(drawn=some_cases(both_classes=True))
def test_h_measure_of_swapped_classes(drawn):
    """Its costs are not shared evenly between the classes but where both are as severe."""
    truth, score, weight = drawn
    one, other = table_of(truth, score, weight), swapped(truth, score, weight)
    assert same(get("h_measure")(one, severity_ratio=1), get("h_measure")(other, severity_ratio=1))


@given(drawn=some_cases(both_classes=True))
def test_negated_scores_turn_what_counts_pairs(drawn):
    truth, score, weight = drawn
    one, other = table_of(truth, score, weight), table_of(truth, -score, weight)
    for measure in ("gini", "goodman_kruskal_gamma", "truncated_average_ks"):
        assert same(value(get(measure), one), -value(get(measure), other))
    assert same(get("roc_auc_optimistic")(one), 1 - get("roc_auc_pessimistic")(other))
    assert same(get("kolmogorov_smirnov")(one), get("kolmogorov_smirnov")(other))
    assert same(get("d_prime")(one), -get("d_prime")(other))
    assert one.pairs == other.pairs._replace(
        concordant=other.pairs.discordant, discordant=other.pairs.concordant
    )


# Merged and resampled tables
# --------------------------------------------------------------------------------------------------


@in_part(8)
@of_tables
@few
@given(data=st.data(), drawn=some_cases())
def test_merged_tables_give_what_all_cases_give(entry, data, drawn):
    truth, score, weight = drawn
    here = np.array(data.draw(st.lists(st.booleans(), min_size=len(truth), max_size=len(truth))))
    parts = [table_of(truth[rows], score[rows], weight[rows]) for rows in (here, ~here) if rows.any()]
    merged, whole = sum(parts), table_of(*drawn)
    for setting in two_settings(entry):
        assert equal(value(entry, merged, **setting), value(entry, whole, **setting))


def replicates(draw, table, number=3):
    """Weights of each row in each of a few resamples, of which some lack a score or a class."""
    size = 2 * number * len(table)
    drawn = st.lists(st.sampled_from((0, 0, 1, 2, 3)), min_size=size, max_size=size)
    return np.array(draw(drawn), np.int64).reshape(2, number, len(table))


@in_part(10)
@of_tables
@few
@given(data=st.data(), table=tables(), fractional=st.booleans())
def test_replicates_give_an_array_of_their_values(entry, data, table, fractional):
    positive, negative = replicates(data.draw, table) * (0.25 if fractional else 1)
    stacked = RankingTable.of(table.score, positive, negative)
    one_by_one = [RankingTable(table.score, p, n) for p, n in zip(positive, negative, strict=True)]
    for setting in two_settings(entry):
        together = entry.function(stacked, **setting)
        assert together.shape == (len(positive),)
        assert same(together, [value(entry, one, **setting) for one in one_by_one]), setting


# Degenerate tables
# --------------------------------------------------------------------------------------------------


def degenerate():
    none, one = np.zeros(3), np.array([1.0, 0, 2])
    yield RankingTable.empty()
    for scale in (1, 1e-9, 0.1, 1e12, 1e15):
        yield RankingTable([0.5], [scale], [0])
        yield RankingTable([0.5], [0], [scale])
        yield RankingTable([0.5], [scale], [scale])
        yield RankingTable([0.9, 0.5, 0.1], one * scale, none)
        yield RankingTable([0.9, 0.5, 0.1], none, one * scale)
        yield RankingTable([0.9, 0.5, 0.1], one * scale, one[::-1] * scale)
        yield RankingTable([1.0, 0.0], [scale, 0], [0, 1])
        yield RankingTable([1.0, 0.0], [0, scale], [1, 0])


INFINITE = [
    RankingTable([math.inf, 0.5, -math.inf], p, n)
    for p in ([1, 1, 1], [0, 0, 1], [1, 0, 0])
    for n in ([1, 1, 1], [1, 0, 0])
]


@in_part(3)
@of_tables
def test_no_warning_and_no_value_out_of_range(entry):
    """Whatever is empty, tiny or huge: no division by zero, no logarithm of it, and no rounding across an end
    of the range."""
    low, high = entry.range
    some = [*degenerate(), *(INFINITE if not entry.needs_probabilities else [])]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for table, setting in itertools.product(some, list(settings_of(entry))):
            found = value(entry, table, **setting)
            assert math.isnan(found) or low <= found <= high, (table.to_dict(), setting)


@in_part(3)
@of_tables
@few
@given(table=tables())
def test_parameters_at_their_limits_leave_the_value_in_the_range(entry, table):
    low, high = entry.range
    for setting in settings_of(entry):
        found = value(entry, table, **setting)
        assert math.isnan(found) or low <= found <= high, setting
