"""The difference of two estimates from different cases: MOVER, and its reasons for having none."""

from math import inf, isnan, nan

import pytest
from hypothesis import given, strategies as st
from refusals import refuses
from statsmodels.stats.proportion import confint_proportions_2indep

from tallymark import Estimate
from tallymark.inference import interval
from tallymark.inference.contrast import independent, span
from tallymark.input.messages import Note

# DescTools 0.99.59, BinomDiffCI(x1, n1, x2, n2, method="score"): Newcombe's method 10, of Wilson's intervals;
# R 4.2.2
DESCTOOLS = {
    (26, 41, 60, 72): (-0.36683666673916937, -0.03371062299850869),
    (9, 10, 3, 10): (0.17052272393450313, 0.8090179735354881),
    (0, 10, 10, 10): (-1.0, -0.6075093504305243),
    (5, 5, 5, 5): (-0.43448246478317465, 0.43448246478317465),
    # Newcombe (1998), example (a): 0.0524 to 0.3339
    (56, 70, 48, 80): (0.05243147240236498, 0.333872654036906),
}


def share(x, n, level=0.95):
    low, high = interval.wilson(x, n, level)
    return Estimate(x / n, float(low), float(high), level, "wilson")


@pytest.mark.parametrize(("given_", "wanted"), DESCTOOLS.items())
def test_of_two_proportions_it_is_newcombes(given_, wanted):
    x1, n1, x2, n2 = given_
    found = independent(share(x1, n1), share(x2, n2))
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-8)
    assert found.method == "mover"
    other = confint_proportions_2indep(x1, n1, x2, n2, compare="diff", method="newcomb")
    assert (found.low, found.high) == pytest.approx(other, abs=1e-12)


@given(st.integers(0, 30), st.integers(0, 30), st.sampled_from([0.8, 0.95, 0.99]))
def test_turned_round_it_is_mirrored_and_it_holds_the_value(x, y, level):
    one, other = share(x, 30, level), share(y, 30, level)
    there, back = independent(one, other), independent(other, one)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-15)
    assert -1 <= there.low <= there.value <= there.high <= 1
    assert there.high - there.low > 0
    assert there.level == level


def test_bounds_stay_within_the_range():
    """Errors of 0.9 each way: the plain bounds would be -0.3 -+ 1.27."""
    found = independent(Estimate(0.1, 0.0, 1.0, 0.95, "a"), Estimate(0.4, 0.0, 1.0, 0.95, "b"))
    assert found.low == pytest.approx(-0.3 - (0.1**2 + 0.6**2) ** 0.5)
    assert found.high == pytest.approx(-0.3 + (0.9**2 + 0.4**2) ** 0.5)
    wide = independent(Estimate(0.9, 0.0, 1.0, 0.95, "a"), Estimate(0.1, 0.0, 1.0, 0.95, "b"))
    assert (wide.low, wide.high) == (
        pytest.approx(0.8 - (0.9**2 + 0.9**2) ** 0.5),
        pytest.approx(0.8 + (0.1**2 + 0.1**2) ** 0.5),
    )
    cut = independent(
        Estimate(0.9, 0.0, 1.0, 0.95, "a"), Estimate(0.1, 0.05, 1.0, 0.95, "b"), ends=(-0.1, 0.85)
    )
    assert (cut.low, cut.high) == (-0.1, 0.85)


def test_what_is_undefined_stays_so():
    known, gone = share(7, 10), Estimate(nan, undefined="no positives (positives = 0)")
    assert (
        independent(known, gone).undefined.text
        == "the second value is undefined (no positives (positives = 0))"
    )
    assert independent(gone, known).undefined.text.startswith("the first value is undefined")
    both = independent(gone, gone)
    assert isnan(both.value)
    assert both.undefined.text.count("no positives") == 2
    assert independent(Estimate(inf), Estimate(inf)).undefined.text == "both values are infinite"


def test_no_interval_has_its_reason():
    known = share(7, 10)
    without = independent(known, Estimate(0.5, notes=(Note("resamples-alike-so-none"),)))
    assert without.value == pytest.approx(0.2)
    assert not without.has_interval
    assert without.note == "no interval: the second value has none (every resample gives the same)"
    assert "the first value is infinite" in independent(Estimate(inf), known).note
    assert independent(Estimate(inf), known).value == inf
    assert (
        "does not contain the value itself"
        in independent(Estimate(0.2, 0.3, 0.6, 0.95, "corrected"), known).note
    )


def test_levels_must_agree():
    with refuses("mismatch", "0.95", argument="level"):
        independent(share(7, 10), share(7, 10, 0.9))


def test_the_span_of_a_range():
    assert span((0.0, 1.0)) == (-1.0, 1.0)
    assert span((-1.0, 1.0)) == (-2.0, 2.0)
    assert span((0.0, inf)) == (-inf, inf)
