"""Interval and p-value of a difference: two views of one thing."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from scipy import stats
from scipy.optimize import minimize_scalar

from tallymark import Estimate
from tallymark.inference.contrast import (
    Discordant,
    Normal,
    Resampled,
    Unknown,
    identical,
    of_estimate,
    of_replicates,
)

RANDOM = np.random.default_rng(4)
DRAWN = np.sort(RANDOM.normal(0.1, 0.05, 999))
SMOOTH = {
    "normal": Normal(0.1, 0.05, "delong"),
    "t": Normal(0.1, 0.05, "delong", df=7.0),
    "split": of_estimate(Estimate(0.1, -0.05, 0.2, 0.95, "mover")),
    "score": Discordant(12, 5, 80),
    "score, one side": Discordant(4, 0, 50),
    "score, no discordant case": Discordant(0, 0, 30),
}
every = for_each("one", SMOOTH.values(), ids=SMOOTH)


@every
@for_each("level", [0.5, 0.9, 0.95, 0.999])
def test_the_p_value_of_a_bound_is_what_the_level_leaves(one, level):
    assert one.p_at(np.array(one.bounds(level))) == pytest.approx(1 - level, rel=1e-6)


@every
def test_the_p_value_is_1_at_the_value_and_falls_on_both_sides(one):
    value = one.value
    assert one.p_at(value) == 1.0
    p = one.p_at(value + np.linspace(0, 0.5, 20))
    assert (np.diff(p) < 0).all()
    assert (np.diff(one.p_at(value - np.linspace(0, 0.5, 20))) < 0).all()


@every
def test_intervals_lie_inside_one_another(one):
    bounds = np.array([one.bounds(level) for level in (0.5, 0.8, 0.95, 0.99)])
    assert (np.diff(bounds[:, 0]) < 0).all()
    assert (np.diff(bounds[:, 1]) > 0).all()


def test_normal_and_t_by_scipy():
    assert SMOOTH["normal"].bounds(0.95) == pytest.approx(stats.norm.interval(0.95, 0.1, 0.05), rel=1e-12)
    assert SMOOTH["t"].bounds(0.9) == pytest.approx(stats.t.interval(0.9, 7, 0.1, 0.05), rel=1e-12)
    assert SMOOTH["t"].p_at(0.0) == pytest.approx(2 * stats.t.sf(2.0, 7), rel=1e-12)
    assert Normal(0.95, 0.1, "delong").bounds(0.95)[1] == 1.0


def test_split_keeps_the_interval_it_was_given():
    assert SMOOTH["split"].bounds(0.95) == pytest.approx((-0.05, 0.2), rel=1e-14)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 40), st.floats(-0.9, 0.9))
def test_tangos_score_by_maximising_the_likelihood(b, c, rest, d):
    """The share of the second model alone that is most likely if the difference is d, found by searching."""
    n = b + c + rest
    if not n or abs((b - c) / n - d) < 1e-3:
        return

    def against(q):
        p, alike = q + d, 1 - 2 * q - d
        terms = [(b, p), (c, q), (rest, alike)]
        return -sum(number * np.log(max(share, 1e-300)) for number, share in terms if number)

    low, high = max(0.0, -d), (1 - d) / 2
    q = minimize_scalar(against, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    ends = [end for end in (low, high) if against(end) <= against(q) + 1e-12]
    q = ends[0] if ends else q
    spread = n * (2 * q + d * (1 - d))
    z = (b - c - n * d) / np.sqrt(spread) if spread > 1e-9 else np.inf
    assert Discordant(b, c, n).p_at(d) == pytest.approx(2 * stats.norm.sf(abs(z)), abs=2e-5)


def test_at_no_difference_tango_is_mcnemar():
    assert Discordant(12, 5, 80).p_at(0.0) == pytest.approx(stats.chi2.sf((12 - 5) ** 2 / 17, 1), rel=1e-12)


def test_no_discordant_case_has_a_width():
    """+- z^2 / (n + z^2)."""
    z2 = stats.norm.ppf(0.975) ** 2
    assert Discordant(0, 0, 30).bounds(0.95) == pytest.approx((-z2 / (30 + z2), z2 / (30 + z2)), rel=1e-9)
    assert Discordant(30, 0, 30).bounds(0.95)[1] == 1.0


def test_resamples():
    found = Resampled(0.1, DRAWN)
    # the 50th on either side: p is 2 * 50 / 1000 outside of it
    assert found.bounds(0.9) == (DRAWN[49], DRAWN[-50])
    below = int((DRAWN <= 0).sum())
    assert found.p_at(0.0) == 2 * (below + 1) / 1000
    assert found.p_at(-5.0) == 2 / 1000
    assert found.p_at(np.median(DRAWN)) == 1.0
    low, high = Resampled(0.1, DRAWN, "basic-bootstrap").bounds(0.9)
    assert (low, high) == (0.2 - DRAWN[-50], 0.2 - DRAWN[49])
    assert Resampled(0.1, DRAWN, "basic-bootstrap").p_at(0.2) == found.p_at(0.0)


def test_resamples_of_few_cases_reach_further():
    """Of 20 cases: beyond sqrt(20 / 19) t(19) = 2.147 of a normal distribution, 1.59 % on either side."""
    few = Resampled(0.1, DRAWN, cases=20.0)
    tail = stats.norm.cdf(-np.sqrt(20 / 19) * stats.t.ppf(0.975, 19))
    assert tail == pytest.approx(0.0159, abs=5e-5)
    rank = int(tail * 1000)
    assert few.bounds(0.95) == (DRAWN[rank - 1], DRAWN[-rank])
    assert few.p_at(np.array(few.bounds(0.9))) == pytest.approx(0.1, abs=0.004)  # between two resamples
    assert few.p_at(0.0) == pytest.approx(
        2 * stats.t.cdf(stats.norm.ppf((int((DRAWN <= 0).sum()) + 1) / 1000) * np.sqrt(19 / 20), 19), rel=1e-9
    )
    assert few.p_at(0.0) > Resampled(0.1, DRAWN).p_at(0.0)
    assert few.p_at(np.median(DRAWN)) == 1.0
    assert Resampled(0.1, DRAWN, cases=1e6).bounds(0.951) == Resampled(0.1, DRAWN).bounds(0.951)


def test_resamples_that_are_undefined_are_counted():
    found = of_replicates(0.1, np.append(DRAWN, [np.nan]), np.zeros(len(DRAWN) + 1), "bootstrap", 500)
    assert "undefined on 1 of 1,000" in found.note
    none = of_replicates(
        0.1, np.append(DRAWN, np.full(1500, np.nan)), np.zeros(len(DRAWN) + 1500), "bootstrap", 500
    )
    assert isinstance(none, Unknown)
    assert "undefined on 60% of the resamples" in none.note


def test_resamples_without_a_spread_say_so():
    found = of_replicates(-0.5, np.zeros(200), np.full(200, 0.5), "bootstrap", 500)
    assert np.isnan(found.bounds(0.95)).all()
    assert np.isnan(found.p_at(0.0))
    assert found.note == "no interval: every resample gives the same difference"
    assert of_replicates(0.0, np.zeros(200), np.zeros(200), "bootstrap", 500).p_at(0.0) == 1.0


def test_resamples_of_a_single_case_tell_nothing():
    """It is in every resample, so that what it adds to the spread is not seen."""
    one = of_replicates(0.1, DRAWN, np.zeros(len(DRAWN)), "bootstrap", 1)
    assert isinstance(one, Unknown)
    assert np.isnan(one.bounds(0.95)).all()
    assert np.isnan(one.p_at(0.0))
    assert "a single case of a class" in one.note


def test_certain():
    assert identical("one model").bounds(0.99) == (0.0, 0.0)
    assert identical("one model").p_at(np.array([0.0, 0.1])).tolist() == [1.0, 0.0]


def test_rounding_errors_of_equal_values_have_no_sign():
    """Resamples on which both models are the same were counted on one side of 0."""
    model = np.append(np.linspace(1.0, 2.0, 100), np.full(100, 3.0))
    reference = np.append(np.full(100, 0.5), 3.0 * (1 + 4e-16 * np.arange(100)))
    found = of_replicates(1.0, model, reference, "bootstrap", 500)
    assert found.bounds(0.95)[0] == 0.0
    assert found.p_at(0.0) > 0.9


def test_infinite_differences_are_left_out():
    """inf - x was taken for a rounding error of inf, and counted as no difference."""
    model = np.append(np.linspace(1.0, 2.0, 900), np.full(100, np.inf))
    reference = np.append(np.full(900, 0.5), np.append(np.full(50, 0.5), np.full(50, np.inf)))
    found = of_replicates(1.0, model, reference, "bootstrap", 500)
    assert found.bounds(0.95)[0] > 0.5
    assert [note.code for note in found.notes] == ["resamples-left-out"]
