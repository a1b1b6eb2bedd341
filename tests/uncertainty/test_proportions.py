"""Intervals of a proportion: against other tools, and put back into the equations that define them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from scipy.stats import beta, binom, norm
from strategies import BUSY, EVERY, counts, grid, name, of_two_classes

from tallymark import Counts, Settings, estimate
from tallymark.inference.interval import (
    CUT,
    FEW_FOR_WALD,
    METHODS,
    NO_WIDTH,
    agresti_coull,
    clopper_pearson,
    jeffreys,
    remarks,
    wald,
    wilson,
)
from tallymark.inference.linear import parts
from tallymark.input.messages import text_of

PROPORTIONS = json.loads((Path(__file__).parents[1] / "oracles" / "proportions.json").read_text())[
    "intervals"
]
LEVELS = (0.5, 0.9, 0.95, 0.99)
OF_PROPORTIONS = [
    entry
    for entry in EVERY
    if entry.summary is Counts and entry.interval and entry.interval.kind == "proportion"
]


@pytest.mark.parametrize("method", METHODS)
def test_proportion_against_other_tools(method):
    rows = [row for row in PROPORTIONS if row["method"] == method and "deviates" not in row]
    assert len(rows) >= 75
    for row in rows:
        ours = METHODS[method](row["x"], row["n"], row["level"])
        np.testing.assert_allclose(ours, (row["low"], row["high"]), rtol=1e-10, atol=1e-14, err_msg=str(row))


@pytest.mark.parametrize("method", ["agresti-coull", "wald"])
def test_tools_that_do_not_cut_are_cut_to_ours(method):
    rows = [row for row in PROPORTIONS if row["method"] == method and row.get("deviates") == "beyond 0 or 1"]
    assert len(rows) >= 25
    for row in rows:
        theirs = max(row["low"], 0), min(row["high"], 1)
        np.testing.assert_allclose(
            METHODS[method](row["x"], row["n"], row["level"]), theirs, rtol=1e-10, atol=1e-14
        )


def test_where_the_tools_give_walds_interval_no_width_there_is_none():
    rows = [row for row in PROPORTIONS if row.get("deviates") == "of no width"]
    assert len(rows) == 60
    for row in rows:
        assert row["low"] == row["high"]
        assert np.isnan(wald(row["x"], row["n"], row["level"])).all()
        assert remarks(row["level"], "wald", [row["x"]], [row["n"]]).tolist() == [NO_WIDTH]


X_OF_N = [(x, n) for n in (1, 2, 7, 40, 1000) for x in {0, 1, n // 3, n - 1, n}]


@for_each("level", LEVELS)
@for_each(("x", "n"), X_OF_N)
def test_clopper_pearson_bounds_leave_half_the_rest_in_each_tail(x, n, level):
    low, high = clopper_pearson(x, n, level)
    assert low == 0 if x == 0 else math.isclose(binom.sf(x - 1, n, low), (1 - level) / 2, rel_tol=1e-9)
    assert high == 1 if x == n else math.isclose(binom.cdf(x, n, high), (1 - level) / 2, rel_tol=1e-9)


@for_each("level", LEVELS)
@for_each(("x", "n"), X_OF_N)
def test_wilson_bounds_are_where_the_score_test_turns(x, n, level):
    """|x/n - p| is z standard errors, the error being that of p; at the ends that holds of p = 0 and p = 1
    themselves."""
    z = norm.isf((1 - level) / 2)
    for bound in wilson(x, n, level):
        assert math.isclose(
            abs(x / n - bound), z * math.sqrt(bound * (1 - bound) / n), rel_tol=1e-9, abs_tol=1e-12
        )


@for_each("level", LEVELS)
@for_each(("x", "n"), X_OF_N)
def test_jeffreys_bounds_leave_half_the_rest_of_the_posterior_on_either_side(x, n, level):
    low, high = jeffreys(x, n, level)
    assert (
        low == 0
        if x == 0
        else math.isclose(beta.cdf(low, x + 0.5, n - x + 0.5), (1 - level) / 2, rel_tol=1e-9)
    )
    assert (
        high == 1
        if x == n
        else math.isclose(beta.sf(high, x + 0.5, n - x + 0.5), (1 - level) / 2, rel_tol=1e-9)
    )


@for_each("level", LEVELS)
@for_each(("x", "n"), X_OF_N)
def test_agresti_coull_is_wald_of_more_cases_and_holds_wilson(x, n, level):
    z2 = norm.isf((1 - level) / 2) ** 2
    low, high = agresti_coull(x, n, level)
    np.testing.assert_allclose((low, high), wald(x + z2 / 2, n + z2, level), rtol=1e-10, atol=1e-14)
    inner = wilson(x, n, level)
    assert low <= inner[0] + 1e-15
    assert inner[1] - 1e-15 <= high


def test_wald_of_berrar_is_cut_and_says_that_its_condition_fails():
    """His 3 of 5: from 0.1706 to 1.0294 before the cut, and 5 * 0.6 is not above 5."""
    step = 1.96 * math.sqrt(0.6 * 0.4 / 5)
    assert (round(0.6 - step, 4), round(0.6 + step, 4)) == (0.1706, 1.0294)
    found = estimate("sensitivity", Counts(tp=3, fp=0, fn=2, tn=5), Settings(proportion="wald"))
    assert (found.low, found.high) == (pytest.approx(0.1706, abs=5e-5), 1.0)
    assert found.note == f"{FEW_FOR_WALD.text}; {CUT.text}"


@pytest.mark.parametrize(
    ("x", "n", "level", "said"),
    [
        (5, 11, 0.95, FEW_FOR_WALD.text),
        (6, 11, 0.95, FEW_FOR_WALD.text),
        (6, 12, 0.95, None),
        (6, 12, 0.9999, CUT.text),
        (1, 100, 0.95, f"{FEW_FOR_WALD.text}; {CUT.text}"),
        (0, 100, 0.95, NO_WIDTH.text),
        (100, 100, 0.95, NO_WIDTH.text),
    ],
)
def test_what_is_said_of_wald(x, n, level, said):
    (found,) = remarks(level, "wald", [x], [n])
    assert text_of(found) == said
    found = estimate("accuracy", Counts(tp=x, fp=n - x, fn=0, tn=0), Settings(level=level, proportion="wald"))
    assert found.note == said
    assert found.has_interval == (said != NO_WIDTH.text)


def test_what_is_made_of_walds_intervals_passes_on_why_there_is_none():
    how, c = Settings(proportion="wald"), Counts(tp=20, fp=4, fn=0, tn=30)
    for made in ("sensitivity", "youden_j", "balanced_accuracy", "number_needed_to_diagnose"):
        found = estimate(made, c, how)
        assert (found.has_interval, found.note) == (False, NO_WIDTH.text)
    found = estimate("markedness", c, how)  # of 20 of 24, and of 30 of 30
    assert (found.has_interval, found.note) == (False, NO_WIDTH.text)
    found = estimate("youden_j", Counts(tp=20, fp=4, fn=3, tn=30), how)
    assert found.has_interval
    assert found.note == f"{FEW_FOR_WALD.text}; {CUT.text}"


def test_walds_difference_is_that_of_textbooks_where_nothing_is_cut():
    c = Counts(tp=40, fp=15, fn=20, tn=45)
    found = estimate("youden_j", c, Settings(proportion="wald"))
    step = norm.isf(0.025) * math.sqrt(40 * 20 / 60**3 + 15 * 45 / 60**3)
    assert (found.low, found.high) == pytest.approx((found.value - step, found.value + step), rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_proportion_of_arrays_is_that_of_their_entries(method):
    x, n = np.array([0, 3, 5, 0.4]), np.array([5, 5, 5, 2.5])
    low, high = METHODS[method](x, n, 0.95)
    np.testing.assert_array_equal(
        np.stack([low, high], 1),
        [METHODS[method](float(a), float(b), 0.95) for a, b in zip(x, n, strict=True)],
    )


@pytest.mark.parametrize("method", METHODS)
def test_proportion_of_no_cases_has_no_bounds(method):
    assert np.isnan(METHODS[method](0.0, 0.0, 0.95)).all()


@pytest.mark.parametrize("method", METHODS)
@given(x=st.integers(0, 40), rest=st.integers(0, 40))
def test_proportion_mirrors_that_of_the_rest(method, x, rest):
    low, high = METHODS[method](x, x + rest or 1, 0.95)
    mirrored = METHODS[method](rest if x + rest else 1, x + rest or 1, 0.95)
    np.testing.assert_allclose((1 - high, 1 - low), mirrored, rtol=0, atol=1e-12)


@for_each("entry", OF_PROPORTIONS, ids=name)
@given(c=counts())
def test_parts_are_those_of_the_formula(entry, c):
    cells = {cell: getattr(c, cell) for cell in ("tp", "fp", "fn", "tn")}
    above, _, below = entry.formula.partition(" / ")
    assert parts(entry.function, c) == (eval(above, {}, cells), eval(below, {}, cells))


@for_each("entry", OF_PROPORTIONS, ids=name)
def test_parts_of_arrays(entry):
    c = Counts(tp=[3, 0], fp=[1, 2], fn=[2, 0], tn=[4, 5])
    above, below = parts(entry.function, c)
    for index in range(2):
        assert (above[index], below[index]) == parts(entry.function, c[index])


def test_setting_chooses_the_method():
    c = Counts(tp=3, fp=1, fn=2, tn=4)
    for method, interval in METHODS.items():
        found = estimate("sensitivity", c, Settings(level=0.9, proportion=method))
        assert (found.low, found.high) == tuple(map(float, interval(3.0, 5.0, 0.9)))
        assert (found.method, found.level) == (method, 0.9)


@for_each("entry", OF_PROPORTIONS, ids=name)
def test_value_is_the_quotient_of_its_parts(entry):
    above, below = parts(entry.function, BUSY)
    np.testing.assert_allclose(entry(BUSY), above / below, rtol=1e-14)


@for_each("entry", OF_PROPORTIONS, ids=name)
def test_interval_is_that_of_the_parts(entry):
    c = Counts(tp=3, fp=4, fn=7, tn=11)
    for method, interval in METHODS.items():
        found = estimate(entry, c, Settings(proportion=method))
        assert (found.low, found.high, found.method) == (
            *map(float, interval(*parts(entry.function, c), 0.95)),
            method,
        )


def test_few_cases_on_a_side_have_no_note():
    """Their coverage varies about that which is promised, so that a note would be for nothing."""
    for few in range(10):
        c = Counts(tp=few, fp=0, fn=100, tn=0)
        for method in ("wilson", "jeffreys", "clopper-pearson", "agresti-coull"):
            assert estimate("sensitivity", c, Settings(proportion=method)).note is None


@pytest.mark.parametrize("n", [30, 200])
def test_wilson_covers_as_much_as_it_promises_on_average(n):
    x = np.arange(n + 1)
    low, high = wilson(x, np.full(n + 1, n), 0.95)
    shares = np.linspace(0.001, 0.5, 250)
    covered = [binom.pmf(x, n, p)[(low <= p) & (p <= high)].sum() for p in shares]
    assert np.mean(covered) > 0.948
    assert np.mean(np.array(covered)[n * shares < 8]) > 0.945


def test_no_interval_of_a_proportion_leaves_0_to_1():
    cells = grid(0, 1e-9, 1, 1e12)
    for entry in OF_PROPORTIONS:
        for method, interval in METHODS.items():
            low, high = interval(*parts(entry.function, cells), 0.95)
            there = ~np.isnan(entry(cells))
            if method == "wald":
                above, below = parts(entry.function, cells)
                there &= (above > 0) & (above < below)
            assert ((low >= 0) & (high <= 1) & (low < high))[there].all(), method


LEAST = {"wilson": 0.92, "clopper-pearson": 0.95, "jeffreys": 0.91, "agresti-coull": 0.93, "wald": 0.87}


@pytest.mark.parametrize("method", METHODS)
def test_coverage_where_there_are_cases_on_both_sides(method):
    """Summed over the binomial: with six cases or more expected on either side, none covers less than
    docs/intervals.md says."""
    for n in (30, 200):
        x = np.arange(n + 1.0)
        low, high = METHODS[method](x, np.full(n + 1, float(n)), 0.95)
        for p in np.linspace(6 / n, 0.5, 60):
            covered = binom.pmf(x, n, p)[(low <= p) & (p <= high)].sum()
            assert LEAST[method] <= covered <= 0.985


@pytest.mark.parametrize("method", METHODS)
def test_a_proportion_of_a_matrix_says_what_that_of_its_counts_says(method):
    for x, n in ((0, 20), (2, 20), (5, 20), (10, 20)):
        c, how = Counts(tp=x, fp=n - x, fn=0, tn=5), Settings(proportion=method)
        one, other = estimate("accuracy", c, how), estimate("accuracy", of_two_classes(c), how)
        assert repr(one) == repr(other)
