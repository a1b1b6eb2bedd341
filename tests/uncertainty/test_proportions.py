"""Intervals of a proportion: against other tools, and put back into the equations that define them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from strategies import BUSY, EVERY, counts, grid, name

from tallymark import Counts, Settings, estimate
from tallymark.uncertainty.of_counts import FEW_ON_A_SIDE, parts
from tallymark.uncertainty.proportion import METHODS, clopper_pearson, wilson

PROPORTIONS = json.loads((Path(__file__).parents[1] / "oracles" / "proportions.json").read_text())["intervals"]
LEVELS = (0.5, 0.9, 0.95, 0.99)
OF_PROPORTIONS = [entry for entry in EVERY if entry.interval and entry.interval.kind == "proportion"]


@pytest.mark.parametrize("method", METHODS)
def test_proportion_against_other_tools(method):
    rows = [row for row in PROPORTIONS if row["method"] == method and "deviates" not in row]
    assert len(rows) >= 180
    for row in rows:
        ours = METHODS[method](row["x"], row["n"], row["level"])
        np.testing.assert_allclose(ours, (row["low"], row["high"]), rtol=1e-10, atol=1e-14, err_msg=str(row))


X_OF_N = [(x, n) for n in (1, 2, 7, 40, 1000) for x in {0, 1, n // 3, n - 1, n}]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("x", "n"), X_OF_N)
def test_clopper_pearson_bounds_leave_half_the_rest_in_each_tail(x, n, level):
    low, high = clopper_pearson(x, n, level)
    assert low == 0 if x == 0 else math.isclose(binom.sf(x - 1, n, low), (1 - level) / 2, rel_tol=1e-9)
    assert high == 1 if x == n else math.isclose(binom.cdf(x, n, high), (1 - level) / 2, rel_tol=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("x", "n"), X_OF_N)
def test_wilson_bounds_are_where_the_score_test_turns(x, n, level):
    """|x/n - p| is z standard errors, the error being that of p; at the ends that holds of p = 0 and p = 1 themselves."""
    z = norm.isf((1 - level) / 2)
    for bound in wilson(x, n, level):
        assert math.isclose(abs(x / n - bound), z * math.sqrt(bound * (1 - bound) / n), rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_proportion_of_arrays_is_that_of_their_entries(method):
    x, n = np.array([0, 3, 5, 0.4]), np.array([5, 5, 5, 2.5])
    low, high = METHODS[method](x, n, 0.95)
    np.testing.assert_array_equal(
        np.stack([low, high], 1), [METHODS[method](float(a), float(b), 0.95) for a, b in zip(x, n, strict=True)]
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


@pytest.mark.parametrize("entry", OF_PROPORTIONS, ids=name)
@given(c=counts())
def test_parts_are_those_of_the_formula(entry, c):
    cells = {cell: getattr(c, cell) for cell in ("tp", "fp", "fn", "tn")}
    above, _, below = entry.formula.partition(" / ")
    assert parts(entry.function, c) == (eval(above, {}, cells), eval(below, {}, cells))


@pytest.mark.parametrize("entry", OF_PROPORTIONS, ids=name)
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


@pytest.mark.parametrize("entry", OF_PROPORTIONS, ids=name)
def test_value_is_the_quotient_of_its_parts(entry):
    above, below = parts(entry.function, BUSY)
    np.testing.assert_allclose(entry(BUSY), above / below, rtol=1e-14)


@pytest.mark.parametrize("entry", OF_PROPORTIONS, ids=name)
def test_interval_is_that_of_the_parts(entry):
    c = Counts(tp=3, fp=4, fn=7, tn=11)
    for method, interval in METHODS.items():
        found = estimate(entry, c, Settings(proportion=method))
        assert (found.low, found.high, found.method) == (*map(float, interval(*parts(entry.function, c), 0.95)), method)


def test_few_cases_on_a_side_are_said_where_wilson_covers_too_little():
    for few in range(FEW_ON_A_SIDE + 2):
        c = Counts(tp=few, fp=0, fn=100, tn=0)
        for rate in ("sensitivity", "false_negative_rate"):
            assert bool(estimate(rate, c).note) == (few < FEW_ON_A_SIDE)
            assert estimate(rate, c, Settings(proportion="clopper-pearson")).note is None


@pytest.mark.parametrize("n", [30, 200])
def test_wilson_with_more_cases_on_either_side_covers_what_it_says(n):
    """What the note says: only shares that give fewer are covered less than 0.92 of the time."""
    x = np.arange(n + 1)
    low, high = wilson(x, np.full(n + 1, n), 0.95)
    for p in np.linspace(0.001, 0.5, 250):
        covered = binom.pmf(x, n, p)[(low <= p) & (p <= high)].sum()
        assert covered > 0.92 or n * p < FEW_ON_A_SIDE + 1


def test_no_interval_of_a_proportion_leaves_0_to_1():
    cells = grid(0, 1e-9, 1, 1e12)
    for entry in OF_PROPORTIONS:
        for method, interval in METHODS.items():
            low, high = interval(*parts(entry.function, cells), 0.95)
            there = ~np.isnan(entry(cells))
            assert ((low >= 0) & (high <= 1) & (low < high))[there].all(), method
