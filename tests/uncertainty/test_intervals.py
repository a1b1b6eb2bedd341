"""Intervals of every measure of the catalogue: sound on whatever data, narrower with more, for one table or
for many."""

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each, in_part
from refusals import refuses
from sound import (
    DEGENERATE,
    SETTINGS,
    TABLES,
    USUAL,
    all_ways,
    check,
    degenerate,
    off,
    smooth,
    suited,
    usual,
    way,
)
from strategies import (
    BUSY,
    EVERY,
    OF_TWO_CLASSES,
    given_to,
    grid,
    matrix,
    measures_of,
    name,
    of_two_classes,
    says,
    some_matrices,
    summaries,
    tables_at_the_ends,
)

from tallymark import ClassScores, ConfusionMatrix, Counts, InputError, RankingTable, Settings, estimate
from tallymark.inference import estimate_each
from tallymark.inference.covariance import FEW
from tallymark.inference.interval import KINDS, wilson
from tallymark.inference.linear import FEWEST_DECIDING
from tallymark.measures.registry import SUMMARIES, get

LEVELS = (0.5, 0.9, 0.95, 0.99)
HARD = grid(0, 1, 2, 30)
HARDER = grid(0, 0.01, 1, 1e6)
ON_NUMBER = "It depends on the number of cases"  # as the docstring of a measure says
# measures in numbers of cases, not in shares: beside the value their intervals shrink as all do
GROWING = ("average_gain",)

every = for_each("entry", EVERY, ids=name)
of_counts = for_each("entry", measures_of(Counts), ids=name)
of_matrices = for_each("entry", measures_of(ConfusionMatrix), ids=name)


def with_ways(*kinds):
    """Every measure of these kinds of summary with each of the settings that make a difference to it."""
    return [
        pytest.param(entry, how, id=f"{name(entry)}-{way(how)}")
        for entry, how in all_ways()
        if entry in measures_of(*kinds)
    ]


each_way = for_each(("entry", "how"), with_ways)
each_way_of_counts = for_each(("entry", "how"), lambda: with_ways(Counts))


def resampled(found):
    """Whether it comes from random numbers, of which one table and many draw different ones."""
    return "bootstrap" in (found.method or "") or "resample" in (found.note or "")


def same_estimate(one, other):
    return repr(one) == repr(other) and np.array_equal(
        [one.value, one.low, one.high], [other.value, other.low, other.high], equal_nan=True
    )


# Degenerate data
# --------------------------------------------------------------------------------------------------


def all_degenerate():
    return [
        pytest.param(entry, how, summary, id=f"{name(entry)}-{way(how)}-{case}")
        for entry, how in all_ways()
        for case, summary in degenerate(entry).items()
    ]


@in_part(8)
@for_each(("entry", "how", "summary"), all_degenerate)
def test_degenerate_data_have_a_sound_interval_or_a_reason(entry, how, summary):
    check(entry, estimate(entry, summary, how))


@in_part(8)
@each_way_of_counts
@for_each("cells", [HARD, HARDER], ids=["few cases", "next to none and many"])
def test_every_combination_of_counts_has_a_sound_interval_or_a_reason(entry, how, cells):
    for found in estimate_each(entry, cells, how):
        check(entry, found)


@in_part(3)
@of_matrices
def test_matrices_of_few_cases_have_a_sound_interval_or_a_reason(entry):
    for m in itertools.chain(
        some_matrices(300), some_matrices(300, (0, 0, 0, 1), seed=7), some_matrices(100, (0, 0.01, 1, 1e6))
    ):
        check(entry, estimate(entry, m))


@pytest.mark.full
@of_matrices
def test_matrices_of_two_classes_have_a_sound_interval_or_a_reason(entry):
    for i in range(len(HARD.tp)):
        check(entry, estimate(entry, of_two_classes(HARD[i])))


@in_part(8)
@each_way
@given(data=st.data())
def test_interval_of_small_data_is_sound(entry, how, data):
    check(entry, estimate(entry, data.draw(summaries(entry.summary)), how))


@in_part(12)
@for_each("entry", measures_of(RankingTable), ids=name)
def test_rounding_is_not_taken_for_spread(entry):
    """In these tables there is none, so an interval of next to no width comes from rounding."""
    for table in tables_at_the_ends(100):
        check(entry, estimate(entry, table))


@pytest.mark.full
@for_each("entry", measures_of(ConfusionMatrix), ids=name)
def test_rounding_of_matrices_is_not_taken_for_spread(entry):
    """Fractional weights whose sums depend on their order: no mistake, nothing but mistakes, or
    independent."""
    random = np.random.default_rng(3)
    for size in (2, 3, 5) * 7:
        a, b = random.random((2, size))
        for weights in (np.diag(a), np.diag(a)[::-1], np.outer(a, b)):
            for how in SETTINGS[:2]:
                check(entry, estimate(entry, matrix(weights), how))


@in_part(6, ("fast", "full"))
@for_each("entry", measures_of(RankingTable), ids=name)
@for_each("size", [1.0000001, 1.5, 3, 1e4])
def test_interval_is_sound_whatever_the_weights_add_up_to(entry, size):
    """A few cases that weigh little more than one, or much more, in all."""
    table = RankingTable([0.99, 0.5, 0.2], [0.4, 0.05, 0.05], [0, 0.1, 0.4])
    check(entry, estimate(entry, table * (size / table.total)))


@for_each("entry", measures_of(Counts, ConfusionMatrix), ids=name)
@for_each("size", [1e-6, 0.9, 1.5, 1e12])
def test_interval_is_sound_whatever_the_counts_add_up_to(entry, size):
    summary = usual(entry)
    check(entry, estimate(entry, summary * (size / summary.total)))


@for_each("entry", measures_of(RankingTable), ids=name)
def test_scores_that_are_no_probabilities_are_measured_or_refused(entry):
    """Never a value outside the range, nor an error of arithmetic."""
    table = RankingTable([3.0, 0.4, -1.0], [2, 1, 0], [0, 1, 2])
    try:
        found = estimate(entry, table)
    except InputError:
        return
    check(entry, found)


# Usual data
# --------------------------------------------------------------------------------------------------


def beyond_parameters(entry, note):
    """What a note says beside the parameters, which come first."""
    parts = (note or "").split("; ")
    told = entry.parameters and any(f"{parameter} = " in parts[0] for parameter in entry.parameters)
    return "; ".join(parts[1:] if told else parts)


@in_part(4)
@each_way
def test_data_that_are_not_degenerate_have_an_interval(entry, how):
    """The note says nothing but the parameters, and how large the bias of a largest value is."""
    without_interval(entry)
    found = estimate(entry, usual(entry), how, **suited(entry))
    check(entry, found)
    assert found.has_interval
    said = beyond_parameters(entry, found.note)
    assert not said or (
        entry.interval.kind in ("largest", "discrimination")
        and said.startswith("the value has a bias of about")
    )
    # without an end, beside the value
    widest = 0.6 if np.isfinite(entry.range).all() else max(0.6, 2 * abs(found.value))
    assert 0.02 < (found.high - found.low) < widest


def without_interval(entry):
    """Skip a measure that never has one."""
    if entry.name == "largest_error":
        pytest.skip("a sample does not bound it")
    if entry.interval.kind == "smooth-deviations":
        pytest.skip("no method is known that covers")


def times(entry, factor):
    """That many times the usual cases, and the parameters for them.

    New cases, not the same ones again, of a table: at its few steps a largest value would stay the same. But
    not for a measure that counts its scores.
    """
    parameters = suited(entry)
    if "k" in parameters and entry.summary is RankingTable:
        parameters["k"] *= factor
    if entry.summary is RankingTable and entry.interval.kind not in ("resampled-whole", "mean-precision"):
        return (off if entry.needs_probabilities else smooth)(400 * factor), parameters
    return usual(entry) * factor, parameters


@in_part(10)
@each_way
def test_a_hundred_times_the_cases_give_a_tenth_of_the_width(entry, how):
    without_interval(entry)
    (few, of_few), (many, of_many) = (times(entry, factor) for factor in (4, 400))
    few, many = estimate(entry, few, how, **of_few), estimate(entry, many, how, **of_many)
    growth = many.value / few.value if entry.name in GROWING else 1.0
    # What chance adds to isotonic regression shrinks with the cube root of the cases only (Chernoff 1964).
    least = 100 ** (1 / 3) if few.method == "isotonic" else 8
    if entry.name == "top_label_mce":  # with few cases the gaps of several bins may be the largest
        least = 6
    assert least < growth * (few.high - few.low) / (many.high - many.low) < 12
    near = 0.02 if entry.summary is RankingTable else 1e-9  # other cases, or the same again
    assert few.value == pytest.approx(many.value, rel=near) or says(entry, ON_NUMBER)


@pytest.mark.full
@every
def test_an_interval_leaves_room_on_both_sides_of_the_value(entry):
    """More or less as much on either, or of the value less the bias that its note states."""
    without_interval(entry)
    found = estimate(entry, usual(entry), **suited(entry))
    if found.low == entry.range[0] and entry.name == "top_label_mce":
        assert found.high > found.value  # all of the largest gap may be due to chance
        return
    bias = re.search(r"bias of about ([-+.e\d]+)", found.note or "")
    centre = found.value - (float(bias[1]) if bias else 0.0)
    assert 0.3 < (found.high - centre) / (centre - found.low) < 3


@pytest.mark.full
@each_way
def test_higher_level_gives_a_wider_interval(entry, how):
    without_interval(entry)
    settings = [Settings(level, how.proportion) for level in LEVELS]
    found = [estimate(entry, usual(entry), one, **suited(entry)) for one in settings]
    for narrow, wide in itertools.pairwise(found):
        # the error of a calibrated model
        assert wide.low < narrow.low or wide.low == narrow.low == entry.range[0]
        assert narrow.low < narrow.high < wide.high
        assert (narrow.level, wide.value) == (LEVELS[found.index(narrow)], narrow.value)


@in_part(4)
@every
def test_higher_level_gives_no_narrower_interval_of_degenerate_data(entry):
    for summary in degenerate(entry).values():
        found = [estimate(entry, summary, Settings(level=level)) for level in LEVELS]
        for narrow, wide in itertools.pairwise(one for one in found if one.has_interval):
            assert wide.low <= narrow.low <= narrow.high <= wide.high


@pytest.mark.full
@every
def test_a_row_of_weight_2_gives_the_interval_of_two_rows(entry):
    truth, score, weight = (
        np.array([1, 0, 1, 1, 0, 0]),
        np.array([0.9, 0.7, 0.6, 0.4, 0.4, 0.1]),
        np.array([1, 2, 1, 3, 1, 2]),
    )
    weighted = entry.summary.from_arrays(**given_to(entry, truth, score), weight=weight, weight_kind="count")
    repeated = entry.summary.from_arrays(
        **given_to(entry, np.repeat(truth, weight), np.repeat(score, weight))
    )
    fitting = OF_TWO_CLASSES.get(entry.name, {})
    one, other = estimate(entry, weighted, **fitting), estimate(entry, repeated, **fitting)
    if entry.summary is ClassScores:  # cases one by one, so that sums over them round
        assert (one.value, one.low, one.high) == pytest.approx(
            (other.value, other.low, other.high), rel=1e-12, nan_ok=True
        )
        assert (one.method, one.note) == (other.method, other.note)
    else:
        assert same_estimate(one, other)


@every
def test_undefined_value_has_no_interval(entry):
    found = estimate(entry, DEGENERATE[entry.summary]["no cases"])
    assert not found.has_interval
    assert found.undefined == entry.why_undefined(DEGENERATE[entry.summary]["no cases"])


@in_part(6, ("fast", "full"))
@for_each("entry", [entry for entry in measures_of(Counts) if not np.isfinite(entry.range).all()], ids=name)
def test_infinite_value_has_its_finite_bound_or_says_that_there_is_none(entry):
    infinite = [found for found in estimate_each(entry, HARD) if math.isinf(found.value)]
    assert infinite or not np.isinf(entry(HARD, undefined=0.0)).any()
    for found in infinite:
        check(entry, found)
        if found.has_interval:
            assert found.value in (found.low, found.high)
            assert math.isfinite(found.high if found.value < 0 else found.low)
        assert found.has_interval or found.note


# Many tables at once
# --------------------------------------------------------------------------------------------------


@in_part(8)
@each_way_of_counts
def test_each_of_many_tables_has_the_estimate_that_it_has_alone(entry, how):
    """But for resampling, which draws other numbers."""
    some = HARD[np.random.default_rng(4).choice(len(HARD.tp), 70, replace=False)]
    for i, found in enumerate(estimate_each(entry, some, how)):
        alone = estimate(entry, some[i], how)
        if not resampled(alone):
            assert repr(found) == repr(alone)  # sums of products of arrays differ in the last digit
            assert all(
                same_up_to_rounding(getattr(found, end), getattr(alone, end))
                for end in ("value", "low", "high")
            )
            continue
        assert same_up_to_rounding(found.value, alone.value)
        assert found.has_interval == alone.has_interval
        check(entry, found)


@pytest.mark.full
@each_way_of_counts
def test_resampling_many_tables_gives_nearly_what_it_gives_for_each(entry, how):
    for i, found in enumerate(estimate_each(entry, BUSY[:5], how)):
        alone = estimate(entry, BUSY[i], how)
        assert (found.note, found.has_interval) == (alone.note, alone.has_interval)
        width = alone.high - alone.low if alone.has_interval else 0.0
        near = 0.1 * width if resampled(alone) else 1e-12
        np.testing.assert_allclose([found.low, found.high], [alone.low, alone.high], rtol=1e-12, atol=near)


def same_up_to_rounding(a, b):
    return np.isclose(a, b, rtol=1e-12, atol=1e-12, equal_nan=True)


@pytest.mark.full
@of_counts
def test_more_tables_than_are_held_at_once_are_all_answered(entry):
    cells = grid(0, 3, 40)
    found = estimate_each(entry, cells)
    assert len(found) == len(cells.tp)
    np.testing.assert_allclose([one.value for one in found], entry(cells), rtol=1e-12)


@of_counts
def test_no_tables_have_no_estimates(entry):
    assert estimate_each(entry, HARD[:0]) == []


def test_estimates_of_many_tables_take_names_settings_and_parameters():
    one = estimate_each("fbeta", BUSY[:3], Settings(level=0.9, seed=5), beta=0.5)
    other = estimate_each(get("f_beta"), BUSY[:3], Settings(level=0.9, seed=5), beta=0.5)
    assert one == other
    assert {found.level for found in one} == {0.9}
    assert [found.value for found in one] == get("f_beta")(BUSY[:3], beta=0.5).tolist()


def test_estimates_of_many_tables_like_others():
    """The values of the first, the uncertainty of the second: weights scaled to the effective number of
    cases."""
    both = estimate_each("sensitivity", BUSY[:3], effective_summary=BUSY[:3] * 0.1)
    for i, found in enumerate(both):
        assert found == estimate("sensitivity", BUSY[i], effective_summary=BUSY[i] * 0.1)


# Parameters
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [entry for entry in measures_of(Counts) if entry.parameters], ids=name)
def test_parameters_of_counts_are_used_and_said(entry):
    for parameter in entry.parameters:
        found = estimate(entry, USUAL[Counts], **{parameter: 0.25})
        assert found.value == entry(USUAL[Counts], **{parameter: 0.25})
        assert f"{parameter} = 0.25" in found.note
        assert found.value != estimate(entry, USUAL[Counts]).value
        check(entry, found)


@pytest.mark.full
@for_each("entry", [entry for entry in measures_of(RankingTable) if entry.parameters], ids=name)
def test_parameters_of_tables_are_used_and_said(entry):
    table, fitting = usual(entry), suited(entry)
    for parameter in entry.parameters:
        given = fitting | {parameter: max(fitting.get(parameter, 0.5) / 2, entry.limits[parameter][0])}
        found = estimate(entry, table, **given)
        assert found.value == entry(table, **given) != estimate(entry, table, **fitting).value
        assert all(f"{name} = {value:g}" in found.note for name, value in given.items())
        check(entry, found)


@pytest.mark.full
@for_each("entry", [entry for entry in EVERY if entry.effective_n], ids=name)
def test_few_cases_that_decide_are_said_and_fewer_tell_nothing(entry):
    """The usual cases, each a part of a case: in the end too few in whatever part of the ranking the measure
    looks at."""
    parameters = entry.defaults | suited(entry)
    # Wilson's interval fits any number of cases but less than one
    share = entry.interval.kind == "share-of-taken"
    fewest = 1 if share else FEWEST_DECIDING
    for factor in (1.0, 0.2, 0.05, 0.01, 0.002):
        table = usual(entry) * factor
        cases, found = entry.effective_n(table, **parameters), estimate(entry, table, **parameters)
        # all cases are taken, and so all positives
        if parameters.get("k", 0) >= table.total and entry.name == "recall_at_k":
            assert not found.has_interval
            continue
        assert found.has_interval == (
            cases >= fewest and (share or min(table.positives, table.negatives) >= 2)
        )
        said = beyond_parameters(entry, found.note)
        if found.has_interval:
            at_the_lower_bound = entry.name == "recall_at_precision"  # where fewer may decide
            assert ("decide" in said) == (cases < FEW) or (at_the_lower_bound and "decide" in said)
        else:
            assert "fewer than" in said


def test_the_default_of_a_parameter_is_said_too():
    assert "beta = 2" in estimate("f_beta", USUAL[Counts]).note
    assert "cost_fp = 1, cost_fn = 1" in estimate("expected_cost", USUAL[Counts]).note


def test_a_parameter_that_happens_to_be_e_is_said():
    assert "beta = 2.718" in estimate("f_beta", USUAL[Counts], beta=math.e).note


@for_each("base", [2, 10])
@for_each("case", [None, "no errors", "as chance would", "nearly as chance would", "one error in a million"])
def test_another_base_of_the_logarithm_changes_nothing_but_the_unit(base, case):
    m = DEGENERATE[ConfusionMatrix][case] if case else USUAL[ConfusionMatrix]
    nats, other = estimate("mutual_information", m), estimate("mutual_information", m, base=base)
    np.testing.assert_allclose(
        np.array([other.value, other.low, other.high]) * math.log(base),
        [nats.value, nats.low, nats.high],
        rtol=1e-9,
        atol=1e-15,
    )


# Measures that share an interval
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "rest"),
    [("accuracy", "error_rate"), ("balanced_accuracy", "balanced_error_rate"), ("tpr", "fnr")],
)
@pytest.mark.parametrize("how", SETTINGS[:2], ids=way)
def test_interval_of_the_rest_is_the_rest_of_the_interval(one, rest, how):
    for a, b in zip(estimate_each(one, HARD, how), estimate_each(rest, HARD, how), strict=True):
        np.testing.assert_allclose((a.value, a.low, a.high), (1 - b.value, 1 - b.high, 1 - b.low), atol=1e-12)


@pytest.mark.parametrize("how", SETTINGS[:2], ids=way)
def test_interval_of_the_error_rate_of_a_matrix_is_the_rest_of_that_of_its_accuracy(how):
    for m in some_matrices(100):
        a, b = (estimate(name, m, how) for name in ("accuracy", "error_rate"))
        np.testing.assert_allclose((a.value, a.low, a.high), (1 - b.value, 1 - b.high, 1 - b.low), atol=1e-12)


@pytest.mark.full
@for_each("entry", [entry for entry in measures_of(Counts) if entry.for_many_classes], ids=name)
@for_each("how", SETTINGS, ids=way)
def test_two_classes_have_the_interval_of_their_counts_where_it_is_made_the_same_way(entry, how):
    for i in range(20):
        c = Counts(tp=BUSY[i].tp + 500, fp=BUSY[i].fp, fn=BUSY[i].fn, tn=BUSY[i].tn + 500)
        one, other = estimate(entry, c, how), estimate(entry.for_many_classes, of_two_classes(c), how)
        assert one.value == pytest.approx(other.value, rel=1e-11)
        if one.method == other.method:
            assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-11)
        else:  # the bootstrap and the delta method: near, with hundreds of cases
            width = other.high - other.low
            assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.2 * width)


# Settings
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, "0.95", True, math.nan])
def test_level_outside_0_and_1_is_refused(level):
    with refuses("invalid-value", argument="level"):
        Settings(level=level)


@pytest.mark.parametrize("wrong", [{"proportion": "wilsn"}, {"auc_interval": "delogn"}])
def test_unknown_method_is_refused_with_a_suggestion(wrong):
    with refuses("unknown-name"):
        Settings(**wrong)


def test_estimate_takes_a_name_or_a_measure():
    c = Counts(tp=3, fp=1, fn=2, tn=4)
    assert estimate("recall", c) == estimate(get("sensitivity"), c)


@pytest.mark.parametrize(
    "entry", [entry for entry in measures_of(Counts) if entry.for_many_classes], ids=name
)
def test_a_name_of_two_forms_gives_that_of_the_summary(entry):
    c, m = USUAL[Counts], USUAL[ConfusionMatrix]
    for one in (entry.name, *entry.aliases):
        assert estimate(one, c).value == entry(c)
        assert estimate(one, m).value == entry.for_many_classes(m)


@pytest.mark.parametrize(
    "entry", [entry for entry in measures_of(Counts) if entry.for_many_classes], ids=name
)
def test_estimate_passes_a_matrix_on_as_a_call_does(entry):
    assert estimate(entry, USUAL[ConfusionMatrix]) == estimate(entry.for_many_classes, USUAL[ConfusionMatrix])


@pytest.mark.parametrize(
    ("measure", "summary"),
    [
        ("roc_auc", Counts(tp=1, fp=1, fn=1, tn=1)),
        ("f1", TABLES["inverted"]),
        ("accuracy", Counts(tp=[1, 2], fp=0, fn=1, tn=2)),
    ],
    ids=["counts for a table", "table for counts", "arrays in the cells"],
)
def test_estimate_of_the_wrong_summary_is_refused(measure, summary):
    with pytest.raises(InputError, match=measure):
        estimate(measure, summary)


def test_interval_of_another_summary():
    """The value of one, the uncertainty of the other: weights scaled to the effective number of cases."""
    c = Counts(tp=30, fp=10, fn=20, tn=40)
    found = estimate("sensitivity", c, effective_summary=c * 0.1)
    assert found.value == 0.6
    assert (found.low, found.high) == tuple(map(float, wilson(3.0, 5.0, 0.95)))


@in_part(3)
@every
def test_interval_of_a_tenth_of_the_cases_is_that_of_a_tenth_of_the_cases(entry):
    summary = usual(entry)
    found, tenth = estimate(entry, summary, effective_summary=summary * 0.1), estimate(entry, summary * 0.1)
    assert found.value == entry(summary)
    if not says(entry, ON_NUMBER):
        assert (found.low, found.high) == pytest.approx((tenth.low, tenth.high), rel=1e-9, nan_ok=True)


@every
def test_every_kind_of_interval_is_known(entry):
    known = [kind for summary, kind in KINDS if summary == entry.summary.__name__]
    assert entry.interval is None or entry.interval.kind in known, (
        f"{entry.name}: {entry.interval} is not a kind of interval; there are {', '.join(known)}"
    )


def test_every_kind_of_interval_is_used():
    used = {(entry.summary.__name__, entry.interval.kind) for entry in EVERY if entry.interval}
    averages = {(summary, "average") for summary in ("ConfusionMatrix", "IndicatorTable")}
    assert set(KINDS) == used | averages
    assert {summary for summary, _ in KINDS} == set(SUMMARIES)
