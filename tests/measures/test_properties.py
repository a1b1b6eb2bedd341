"""Properties of every measure of the catalogue: a new one is tested the day it is written."""

import ast
import itertools
import json
import math
import pickle
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    EVERY,
    THRESHOLD,
    cases,
    counts,
    grid,
    measures_of,
    name,
    nothing,
    summaries,
    tables,
    tables_at_the_ends,
    weights,
)

import tallymark
from tallymark import Counts, InputError, RankingTable, UndefinedMeasureWarning, find, measures
from tallymark.registry import all_measures, card, get, measure

GRID = grid(0, 1, 2, 3, 7, 50, 1000)
UNEVEN = grid(0, 0.1, 0.3, 1, 7.7, 1234.5)
BUSY = Counts(
    **dict(zip(("tp", "fp", "fn", "tn"), np.random.default_rng(5).integers(1, 500, (4, 60)), strict=True))
)  # no cell is 0

every = pytest.mark.parametrize("entry", EVERY, ids=name)
of_counts = pytest.mark.parametrize("entry", measures_of(Counts), ids=name)
of_tables = pytest.mark.parametrize("entry", measures_of(RankingTable), ids=name)


def measured(entry, truth, score, weight=None):
    """The measure of cases, at THRESHOLD if it is one of counts."""
    at = {"threshold": THRESHOLD} if entry.summary is Counts else {}
    return entry(truth=truth, score=score, weight=weight, **at)


def same(a, b, within=1e-12):
    """Equal up to rounding; NaN equals NaN."""
    return np.allclose(a, b, rtol=within, atol=within, equal_nan=True)


def in_range(entry, value):
    low, high = entry.range
    return np.all((value >= low) & (value <= high) | np.isnan(value))


def empty(entry, summary):
    """Where one of the parts that the docstring names adds up to nothing."""
    parts = [sum(getattr(summary, part) for part in parts) == 0 for _, parts in entry.conditions]
    return np.logical_or.reduce(parts)


# Values ---------------------------------------------------------------------------------------------------------------


@of_counts
@pytest.mark.parametrize("cells", [GRID, UNEVEN, GRID * 1e9], ids=["whole", "fractional", "large"])
def test_value_lies_in_the_range(entry, cells):
    assert in_range(entry, entry(cells))


@of_tables
@given(table=tables(fractional=False))
def test_value_of_whole_weights_lies_in_the_range(entry, table):
    assert in_range(entry, entry(table))


@of_tables
@given(table=tables(fractional=True))
def test_value_of_fractional_weights_lies_in_the_range(entry, table):
    assert in_range(entry, entry(table))


@of_tables
def test_value_at_the_ends_lies_in_the_range(entry):
    """Rounding must not leave it outside."""
    assert all(in_range(entry, entry(table)) for table in tables_at_the_ends(200))


@of_counts
@pytest.mark.parametrize("cells", [GRID, UNEVEN], ids=["whole", "fractional"])
def test_undefined_exactly_where_documented_for_counts(entry, cells):
    np.testing.assert_array_equal(np.isnan(entry(cells)), empty(entry, cells))


@of_tables
@given(table=tables())
def test_undefined_exactly_where_documented_for_tables(entry, table):
    assert math.isnan(entry(table)) == empty(entry, table)


@every
def test_undefined_without_cases(entry):
    assert math.isnan(entry(nothing(entry.summary)))


@of_counts
def test_array_is_its_scalars(entry):
    some = np.random.default_rng(1).choice(len(GRID.tp), 300, replace=False)
    one_by_one = [entry(GRID[index]) for index in some]
    assert all(type(value) is float for value in one_by_one)
    np.testing.assert_array_equal(entry(GRID)[some], one_by_one)


@of_counts
def test_shape_of_the_cells_is_kept(entry):
    cells = Counts(tp=np.full((2, 3), 5), fp=1, fn=2, tn=np.arange(3))
    assert entry(cells).shape == (2, 3)


@of_counts
@pytest.mark.parametrize("factor", [7, 0.37, 1e9, 1e12])
def test_counts_times_a_number_give_the_same(entry, factor):
    assert same(entry(GRID * factor), entry(GRID))


@of_tables
@pytest.mark.parametrize("factor", [7, 0.37, 1e9, 1e12])
@given(table=tables())
def test_weights_times_a_number_give_the_same(entry, table, factor):
    assert same(entry(table * factor), entry(table))


@of_tables
@pytest.mark.parametrize("factor", [10**9, 3 * 10**9, 10**12])
@given(table=tables(fractional=False))
def test_billions_of_cases_give_the_same(entry, table, factor):
    """As whole numbers, of which products soon leave 64 bits."""
    billions = RankingTable(table.score, table.positive * factor, table.negative * factor)
    assert same(entry(billions), entry(table))


# Cases ----------------------------------------------------------------------------------------------------------------


@every
@given(data=st.data(), drawn=cases(both_classes=True))
def test_order_of_the_rows_is_irrelevant(entry, data, drawn):
    truth, score = drawn
    order = data.draw(st.permutations(range(len(truth))))
    weight = np.array(data.draw(weights(len(truth))))
    assert measured(entry, truth[order], score[order]) == pytest.approx(measured(entry, truth, score), rel=0, abs=0, nan_ok=True)
    assert same(measured(entry, truth[order], score[order], weight[order]), measured(entry, truth, score, weight))


@every
@given(data=st.data(), drawn=cases())
def test_weight_is_the_number_of_times_that_a_row_counts(entry, data, drawn):
    """2 stands for the row twice, and 0 for no row."""
    truth, score = drawn
    times = np.array(data.draw(weights(len(truth), (0, 1, 2, 3)).filter(lambda drawn: drawn.sum() > 0)))
    repeated = measured(entry, np.repeat(truth, times), np.repeat(score, times))
    assert measured(entry, truth, score, times) == pytest.approx(repeated, rel=0, abs=0, nan_ok=True)


@every
@given(data=st.data(), drawn=cases())
def test_rows_of_weight_0_are_absent_among_fractional_ones(entry, data, drawn):
    truth, score = drawn
    weight = np.array(data.draw(weights(len(truth), (0.0, 0.3, 0.7)).filter(lambda drawn: drawn.sum() > 0)))
    there = weight > 0
    assert same(measured(entry, truth, score, weight), measured(entry, truth[there], score[there], weight[there]))


@of_tables
@pytest.mark.parametrize("empty_row", [0, 1, 2])
def test_a_score_that_nobody_has_changes_nothing(entry, empty_row):
    score, positive, negative = np.array([0.9, 0.6, 0.4, 0.2, 0.1]), np.array([2, 3, 1, 1, 0]), np.array([0, 1, 1, 0, 4])
    with_it = [np.insert(column, empty_row, value) for column, value in zip((score, positive, negative), (0, 0, 0), strict=True)]
    with_it[0][empty_row] = [0.95, 0.7, 0.5][empty_row]
    assert same(entry(RankingTable(*with_it)), entry(RankingTable(score, positive, negative)))


@every
def test_perfect_classifier_gets_the_best_value(entry):
    truth = np.array([0, 1, 1, 0, 1, 0, 0])
    for weight in (None, np.array([0.1, 0.7, 0.3, 0.3, 2.2, 0.9, 0.6])):
        value = measured(entry, truth, truth.astype(float), weight)
        assert entry.best is None or same(value, entry.best, 1e-15)


@pytest.mark.parametrize("entry", [entry for entry in EVERY if entry.best is not None], ids=name)
def test_poor_classifier_gets_less_than_the_best_value(entry):
    truth, score = np.array([0, 1, 1, 0, 1]), np.array([0.9, 0.8, 0.3, 0.4, 0.6])
    worse = measured(entry, truth, score)
    assert worse < entry.best if entry.better == "higher" else worse > entry.best


# Swapped classes ------------------------------------------------------------------------------------------------------


def partners():
    """Each measure of counts, and the ones that equal it once the negative class is called positive."""
    values = {entry.name: entry(BUSY) for entry in measures_of(Counts)}
    swapped = {entry.name: entry(BUSY.swap_classes()) for entry in measures_of(Counts)}
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


@pytest.mark.parametrize("name", ["accuracy", "error_rate", "youden_j", "balanced_accuracy", "matthews_correlation", "cohen_kappa"])
def test_swapping_the_classes_changes_nothing(name):
    assert PARTNERS[name] == {name}


def test_partners_come_in_pairs_and_no_two_measures_are_one():
    assert all(len(found) <= 1 for found in PARTNERS.values()), "two measures give the same values: make one an alias"
    assert all(PARTNERS[other] == {one} for one, found in PARTNERS.items() for other in found)


@given(drawn=cases(both_classes=True))
def test_swapping_the_classes_and_turning_the_scores_leaves_the_auc(drawn):
    truth, score = drawn
    assert measures.roc_auc(truth=1 - truth, score=-score) == measures.roc_auc(truth=truth, score=score)


@given(drawn=cases(both_classes=True))
def test_turning_the_scores_turns_the_auc(drawn):
    truth, score = drawn
    assert math.isclose(measures.roc_auc(truth=truth, score=-score), 1 - measures.roc_auc(truth=truth, score=score), abs_tol=1e-15)


@pytest.mark.parametrize("name", ["roc_auc", "average_precision"])
@pytest.mark.parametrize(
    "transform", [np.exp, np.cbrt, lambda s: 5 * s - 100, lambda s: -1 / (s + 1)], ids=["exp", "root", "line", "inverse"]
)
@given(drawn=cases(both_classes=True))
def test_increasing_transforms_leave_the_ranking(name, transform, drawn):
    truth, score = drawn
    assert get(name)(truth=truth, score=transform(score)) == get(name)(truth=truth, score=score)


# By brute force -------------------------------------------------------------------------------------------------------


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
    in_order = sum(weight[i] * weight[j] * ((score[i] > score[j]) + 0.5 * (score[i] == score[j])) for i, j in pairs)
    assert same(measures.roc_auc(truth=truth, score=score, weight=weight), in_order / sum(weight[i] * weight[j] for i, j in pairs))


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
    given_to_truth = [max(p if y else 1 - p, floor) for y, p in zip(truth.tolist(), score.tolist(), strict=True)]
    terms = [-math.log(p) if p else math.inf for p in given_to_truth]
    assert same(measures.log_loss(truth=truth, score=score, clip=clip), np.mean(terms), 1e-14)


def test_log_loss_clips_at_the_precision_of_the_scores():
    """A single precision score cannot say 1 - 1e-16, so it is not charged for having said 1."""
    for precision in (np.float32, np.float64):
        loss = measures.log_loss(truth=[0], score=np.array([1], precision))
        assert math.isclose(loss, -math.log(np.finfo(precision).eps), rel_tol=1e-15)


@given(c=counts((1, 2, 3, 5, 20, 400)))
def test_kappa_is_agreement_beyond_chance(c):
    tp, fp, fn, tn = (int(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    n = tp + fp + fn + tn
    agreement = Fraction(tp + tn, n)
    by_chance = Fraction((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn), n * n)
    assert same(measures.kappa(c), float((agreement - by_chance) / (1 - by_chance)))


@given(c=counts((1, 2, 3, 5, 20, 400)))
def test_matthews_correlation_is_a_correlation(c):
    tp, fp, fn, tn = (int(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    truth, predicted = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    assert same(measures.mcc(c), np.corrcoef(truth, predicted)[0, 1])


@given(c=counts((1, 2, 3, 5, 20, 400)))
def test_f1_is_a_harmonic_mean(c):
    assert same(measures.f1(c), 2 / (1 / measures.precision(c) + 1 / measures.recall(c)))


# What the catalogue says ----------------------------------------------------------------------------------------------


@every
def test_docstring_is_complete(entry):
    assert entry.title.endswith(".")
    assert entry.title[0].isupper()
    assert entry.formula
    assert not entry.formula.endswith(".")
    assert entry.section("Undefined").endswith(".")
    assert entry.source.endswith(".")


@every
def test_every_documented_case_is_understood(entry):
    """A condition that the catalogue cannot read would never be given as the reason."""
    said = entry.section("Undefined")
    assert len(entry.conditions) == said.count("= 0)") > 0
    assert all(text in said for text, _ in entry.conditions)


@every
def test_parameters_are_documented(entry):
    assert all(f"{parameter}:" in entry.function.__doc__ for parameter in entry.parameters)


@every
def test_best_value_is_an_end_of_the_range(entry):
    low, high = entry.range
    assert low < high
    assert entry.best in (None, *entry.range)
    assert entry.better == {None: None, low: "lower", high: "higher"}[entry.best]


@every
def test_where_leads_to_the_function(entry):
    file, line = entry.where.split(":")
    source = (Path(tallymark.__file__).parents[1] / file).read_text(encoding="utf-8")
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert functions[entry.name].decorator_list[0].lineno == int(line)


@every
def test_card_is_strict_json(entry):
    back = json.loads(json.dumps(card(entry), allow_nan=False))
    assert back["name"] == entry.name
    assert back["undefined"] == entry.section("Undefined")


@every
def test_pickle_gives_the_very_measure(entry):
    assert pickle.loads(pickle.dumps(entry)) is entry


@every
def test_repr_names_it(entry):
    assert entry.name in repr(entry)
    assert entry.title in repr(entry)


@every
def test_wrong_summary_is_refused(entry):
    other = RankingTable([0.5], [1], [1]) if entry.summary is Counts else Counts(tp=1, fp=1, fn=1, tn=1)
    with pytest.raises(InputError, match=entry.summary.__name__):
        entry(other)


# Undefined ------------------------------------------------------------------------------------------------------------


@every
def test_undefined_warns_with_the_reason(entry):
    with pytest.warns(UndefinedMeasureWarning, match=rf"{entry.name} is undefined: .* = 0\)") as caught:
        assert math.isnan(entry(nothing(entry.summary)))
    assert caught[0].filename == __file__
    assert entry.conditions[0][0] in str(caught[0].message)


@every
def test_undefined_raises_on_request(entry):
    with pytest.raises(InputError, match=f"{entry.name} is undefined"):
        entry(nothing(entry.summary), undefined="raise")


@every
def test_undefined_becomes_a_number_on_request(entry):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert entry(nothing(entry.summary), undefined=0.25) == 0.25
        assert math.isnan(entry(nothing(entry.summary), undefined=math.nan))


@every
@given(data=st.data())
def test_a_defined_value_does_not_care_for_undefined(entry, data):
    summary = data.draw(summaries(entry.summary).filter(lambda drawn: not empty(entry, drawn)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert entry(summary, undefined="raise") == entry(summary, undefined=0.25) == entry(summary)


@of_counts
def test_a_number_fills_only_the_gaps_of_an_array(entry):
    filled, plain = entry(GRID, undefined=-9.0), entry(GRID)
    np.testing.assert_array_equal(filled, np.where(empty(entry, GRID), -9.0, plain))


def test_only_the_empty_part_is_named():
    with pytest.warns(UndefinedMeasureWarning, match=r"^youden_j is undefined: no real positives \(tp \+ fn = 0\)\.$"):
        measures.youden_j(Counts(tp=0, fp=3, fn=0, tn=4))


@pytest.mark.parametrize("summary", [Counts.zero(), Counts(tp=1, fp=1, fn=1, tn=1)], ids=["undefined", "defined"])
def test_unknown_word_for_undefined_is_refused(summary):
    with pytest.raises(InputError, match="rais"):
        measures.f1(summary, undefined="rais")


# Names ----------------------------------------------------------------------------------------------------------------


@every
def test_every_name_leads_to_the_measure(entry):
    for one in (entry.name, *entry.aliases):
        assert get(one) is get(one.upper()) is get(one.replace("_", " ")) is get(f" {one.replace('_', '-')} ") is entry
        assert getattr(measures, one) is entry
        assert find(one) == (entry,)


def test_names_are_unique():
    names = [name for entry in EVERY for name in (entry.name, *entry.aliases)]
    assert len(names) == len(set(names))
    assert all(name == name.lower() and name.isidentifier() for name in names)


def test_all_measures_are_listed():
    assert list(all_measures()) == EVERY
    assert dir(measures) == sorted(entry.name for entry in EVERY)
    assert len(EVERY) > 20


def test_a_name_cannot_be_given_twice():
    def sensitivity(c: Counts):
        """Another one."""

    with pytest.raises(ValueError, match="sensitivity is already a name of sensitivity"):
        measure()(sensitivity)
    assert get("sensitivity").title == "Share of the real positives that are predicted positive."


@pytest.mark.parametrize(
    ("typo", "meant"),
    [("sensitivty", "sensitivity"), ("roc auk", "roc_auc"), ("presision", "precision"), ("F-1-score", "f1_score")],
)
def test_typo_gets_a_suggestion(typo, meant):
    with pytest.raises(InputError, match=f"did you mean '{meant}'"):
        get(typo)


def test_nonsense_gets_no_suggestion():
    with pytest.raises(InputError, match="no measure of the catalogue; "):
        get("xyzzy")
    with pytest.raises(AttributeError, match="xyzzy"):
        _ = measures.xyzzy


@pytest.mark.parametrize("wanted", ["phi", "MCC", "Matthews", "matthews corrcoef", "matthews-correlation"])
def test_find_by_name(wanted):
    assert [entry.name for entry in find(wanted)] == ["matthews_correlation"]


def test_find_by_words_has_names_before_descriptions():
    found = [entry.name for entry in find("predicted positive")]
    assert found[0] == "predicted_prevalence"  # of which an alias is predicted_positive_rate
    assert {"sensitivity", "precision", "false_positive_rate"} < set(found)
    assert "roc_auc" not in found
    assert len(found) == len(set(found))


def test_find_by_what_the_data_allow():
    for kind in (Counts, RankingTable):
        assert find(kind) == find(nothing(kind)) == tuple(measures_of(kind)) != ()


@pytest.mark.parametrize("wanted", ["xyzzy", "sensitivity xyzzy", 3, int])
def test_find_nothing(wanted):
    assert find(wanted) == ()
