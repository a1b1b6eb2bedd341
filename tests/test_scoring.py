"""Scoring rules: expected scores by hand, and which rules can be cheated."""

import copy
import math
import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from looping import for_each, in_part
from refusals import refuses

from tallymark import InputError
from tallymark.measures.registry import get
from tallymark.probability.scoring_rules import expected_score, is_proper, rules

RULES = rules()
focal_loss, balanced_cross_entropy = RULES["focal_loss"][0], RULES["balanced_cross_entropy"][0]

SHARE = st.floats(0, 1)


def of_what_happened(function):
    """A rule that depends on the probability given to what happened alone."""
    return lambda y, q: function(q if y else 1 - q)


# Expected scores
# ------------------------------------------------------------------------------------------------------


@given(p=SHARE, q=SHARE)
def test_the_quadratic_rule_as_berrar_derives_it(p, q):
    """The two terms are added; the document prints a minus between them, and after it the result of a
    plus."""
    happens, fails = (1 - (1 - q) ** 2) * p, (1 - (0 - q) ** 2) * (1 - p)
    found = expected_score("quadratic", true=p, reported=q)
    assert found == pytest.approx(happens + fails, abs=1e-15)
    assert found == pytest.approx(1 - q**2 + 2 * p * q - p, abs=1e-15)
    assert found <= expected_score("quadratic", true=p, reported=p) + 1e-15


def test_with_the_minus_that_is_printed_the_derivation_would_not_hold():
    p, q = 0.3, 0.6
    printed = (1 - (1 - q) ** 2) * p - (1 - (0 - q) ** 2) * (1 - p)
    assert abs(printed - (1 - q**2 + 2 * p * q - p)) > 0.8


def test_the_slope_of_the_quadratic_rule_vanishes_at_the_truth():
    """Its slope is 2p - 2q, and its second derivative -2."""
    p, step = 0.3, 1e-4
    at = lambda q: expected_score("quadratic", true=p, reported=q)  # noqa: E731
    for q in (0.1, 0.3, 0.8):
        assert (at(q + step) - at(q - step)) / (2 * step) == pytest.approx(2 * p - 2 * q, abs=1e-9)
        assert (at(q + step) - 2 * at(q) + at(q - step)) / step**2 == pytest.approx(-2, abs=1e-6)


def test_expected_scores_by_hand():
    assert expected_score("brier_score", true=0.3, reported=0.6) == pytest.approx(0.3 * 0.16 + 0.7 * 0.36)
    assert expected_score("log_loss", true=0.3, reported=0.6) == pytest.approx(
        -0.3 * math.log(0.6) - 0.7 * math.log(0.4)
    )
    assert expected_score("mean_absolute_error", true=0.3, reported=0.6) == pytest.approx(
        0.3 * 0.4 + 0.7 * 0.6
    )
    assert expected_score("accuracy", true=0.3, reported=0.6) == 0.3
    assert expected_score("accuracy", true=0.3, reported=0.5) == 0.3
    assert expected_score("accuracy", true=0.3, reported=0.49) == 0.7
    length = math.hypot(0.6, 0.4)
    assert expected_score("spherical_score", true=0.3, reported=0.6) == pytest.approx(
        (0.3 * 0.6 + 0.7 * 0.4) / length
    )
    focal = -0.3 * 0.4**2 * math.log(0.6) - 0.7 * 0.6**2 * math.log(0.4)
    assert expected_score("focal_loss", true=0.3, reported=0.6) == pytest.approx(focal)
    balanced = -0.3 * 0.75 * math.log(0.6) - 0.7 * 0.25 * math.log(0.4)
    assert expected_score("balanced_cross_entropy", true=0.3, reported=0.6) == pytest.approx(balanced)


def test_what_cannot_happen_counts_nothing():
    np.testing.assert_array_equal(
        expected_score("log_loss", true=[0, 1, 0.5, 0.5], reported=[0, 1, 0, 1]), [0, 0, np.inf, np.inf]
    )


def test_arrays_broadcast():
    found = expected_score("quadratic", true=np.linspace(0, 1, 3)[:, None], reported=np.linspace(0, 1, 5))
    assert found.shape == (3, 5)
    assert found[1, 0] == expected_score("quadratic", true=0.5, reported=0)
    assert type(expected_score("quadratic", true=1, reported=0)) is float


def test_rules_of_numbers_are_asked_one_by_one():
    by_number = lambda y, q: 1.0 if (q >= 0.5) == (y == 1) else 0.0  # noqa: E731
    q = np.linspace(0, 1, 9).reshape(3, 3)
    np.testing.assert_array_equal(
        expected_score(by_number, true=0.3, reported=q), expected_score("accuracy", true=0.3, reported=q)
    )
    np.testing.assert_allclose(
        expected_score(lambda y, q: 3, true=0.3, reported=[0.1, 0.2]), [3, 3], rtol=1e-15
    )


# Which rules are proper
# -----------------------------------------------------------------------------------------------


def boosting(y, q):
    return np.sqrt((1 - q) / q) if y else np.sqrt(q / (1 - q))


def cubic(y, q):
    """Asymmetric: thresholds c weighted with c, of Buja, Stuetzle and Shen's family."""
    return 1 / 6 - q**2 / 2 + q**3 / 3 if y else q**3 / 3


def cost(threshold):
    """Of a wrong label, where positive is q >= threshold."""
    return lambda y, q: (q < threshold) * (1 - threshold) if y else (q >= threshold) * threshold


def pseudospherical(order):
    return of_what_happened(
        lambda p: p ** (order - 1) / (p**order + (1 - p) ** order) ** ((order - 1) / order)
    )


STRICTLY = {
    "quadratic": ("quadratic", None),
    "brier_score": ("brier_score", None),
    "log_loss": ("log_loss", None),
    "spherical_score": ("spherical_score", None),
    "the logarithm, written with 0 * log 0": (lambda y, q: y * np.log(q) + (1 - y) * np.log(1 - q), None),
    "the logarithm of numbers": (lambda y, q: math.log(q) if y else math.log(1 - q), None),
    "the logarithm, clipped far out": (
        of_what_happened(lambda p: np.log(np.clip(p, 1e-15, 1 - 1e-15))),
        None,
    ),
    "boosting, infinite at both ends": (boosting, "lower"),
    "asymmetric": (cubic, "lower"),
    "a large constant beside it": (lambda y, q: 1e6 - (y - q) ** 2, "higher"),
    "a small factor": (lambda y, q: 1e-9 * (y - q) ** 2, "lower"),
    "with what the report cannot change": (lambda y, q: 5 * y - (y - q) ** 2, None),
    "written out": (lambda y, q: y * y - 2 * y * q + q * q, "lower"),
    "focal with gamma 0": (partial(focal_loss, gamma=0.0), "lower"),
    "balanced with alpha 0.5": (partial(balanced_cross_entropy, alpha=0.5), "lower"),
    **{f"pseudospherical {order}": (pseudospherical(order), None) for order in (1.5, 2, 3, 4, 5)},
}
PROPER = {
    "accuracy": ("accuracy", None),
    "accuracy, 0.5 itself negative": (lambda y, q: (q > 0.5) == y, None),
    "accuracy of numbers": (lambda y, q: 1 if (q >= 0.5) == (y == 1) else 0, None),
    "accuracy, half at 0.5": (lambda y, q: np.where(q == 0.5, 0.5, (q > 0.5) == y), None),
    "a constant": (lambda y, q: 3, None),
    "nothing": (lambda y, q: 0 * q, "lower"),
    "rounded to two digits": (lambda y, q: (y - np.round(q, 2)) ** 2, "lower"),
    **{f"cost at {c}": (cost(c), "lower") for c in (0.001, 0.3, 1 / 3, 0.5, 0.9)},
}
IMPROPER = {
    "mean_absolute_error": ("mean_absolute_error", None),
    "focal_loss": ("focal_loss", None),
    "balanced_cross_entropy": ("balanced_cross_entropy", None),
    "hinge of 2q - 1": (lambda y, q: np.maximum(0, 1 - (2 * y - 1) * (2 * q - 1)), "lower"),
    "hinge of numbers": (lambda y, q: max(0.0, 1 - (2 * y - 1) * (2 * q - 1)), "lower"),
    "linear reward": (of_what_happened(lambda p: p), None),
    "power 1.5": (lambda y, q: np.abs(y - q) ** 1.5, "lower"),
    "power 2.001": (lambda y, q: np.abs(y - q) ** 2.001, "lower"),
    "accuracy beside 0.5": (lambda y, q: (q >= 0.5001) == y, None),
    "accuracy just beside 0.5": (lambda y, q: (q >= 0.5 + 1e-10) == y, None),
    "the logarithm, clipped near by": (of_what_happened(lambda p: np.log(np.maximum(p, 1e-3))), None),
    "a reward taken for a loss": (lambda y, q: 1 - (y - q) ** 2, "lower"),
    "nearly balanced": (partial(balanced_cross_entropy, alpha=0.5001), "lower"),
    "a reward without end": (of_what_happened(lambda p: 1 / (1 - p)), None),
}


@in_part(6, ("fast", "full"))
@for_each("which", STRICTLY)
def test_strictly_proper(which):
    rule, better = STRICTLY[which]
    found = is_proper(rule, better=better)
    assert found == "strictly proper"
    assert found.gain is None
    assert repr(found) == str(found) == "strictly proper"


@for_each("which", PROPER)
def test_proper_but_not_strictly(which):
    """And the example that is given: the other report pays just as much."""
    rule, better = PROPER[which]
    found = is_proper(rule, better=better)
    assert found == "proper"
    assert found.gain == 0
    other, honest = (expected_score(rule, true=found.true, reported=q) for q in (found.reported, found.true))
    assert other == pytest.approx(honest, rel=1e-12)
    assert found.true != found.reported


@in_part(6, ("fast", "full"))
@for_each("which", IMPROPER)
def test_improper(which):
    """And the example that is given: the other report pays more."""
    rule, better = IMPROPER[which]
    found = is_proper(rule, better=better)
    assert found == "improper"
    assert found.gain > 0
    other, honest = (expected_score(rule, true=found.true, reported=q) for q in (found.reported, found.true))
    sign = 1 if better == "higher" or (better is None and not isinstance(rule, str)) else -1
    assert sign * (other - honest) == pytest.approx(found.gain, rel=1e-6)


def test_the_answer_shows_the_case():
    assert (
        repr(is_proper("mean_absolute_error")) == "improper (who believes 0.25 gains 0.125 by reporting 0.0)"
    )
    assert repr(is_proper("accuracy")) == "proper (who believes 0.0 loses nothing by reporting 0.4975)"
    found = is_proper("accuracy")
    assert f"{found}" == str(found) == "proper"
    for again in (pickle.loads(pickle.dumps(found)), copy.copy(found)):
        assert (again, again.true, again.reported, again.gain) == ("proper", found.true, found.reported, 0.0)


def test_names_however_they_are_spelled():
    for name, verdict in {
        "zero_one_loss": "proper",
        "hinge_loss": "improper",  # twice the absolute difference
        "ranked_probability_score": "strictly proper",
        "root_mean_squared_error": "strictly proper",
    }.items():
        assert is_proper(name) == verdict
    assert is_proper("Brier score") == is_proper("brier-score") == "strictly proper"
    assert {is_proper(name) for name in RULES} == {"strictly proper", "proper", "improper"}


def test_a_measure_of_the_catalogue_stands_for_its_rule():
    assert is_proper(get("log_loss")) == "strictly proper"
    assert is_proper(get("accuracy")) == "proper"


THRESHOLDS = st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0.1, 10)), min_size=1, max_size=4)


def mixture(parts):
    """Costs at several thresholds: every proper rule is such a mixture (Schervish 1989)."""
    return lambda y, q: sum(weight * cost(threshold)(y, q) for threshold, weight in parts)


@pytest.mark.full
@settings(max_examples=30, deadline=None)
@given(THRESHOLDS)
def test_mixtures_of_costs_are_proper(parts):
    assert is_proper(mixture(parts), better="lower") == "proper"


@pytest.mark.full
@settings(max_examples=30, deadline=None)
@given(THRESHOLDS, st.floats(0.01, 10))
def test_with_a_strictly_proper_part_they_are_strictly_proper(parts, factor):
    assert (
        is_proper(lambda y, q: mixture(parts)(y, q) + factor * (y - q) ** 2, better="lower")
        == "strictly proper"
    )


@pytest.mark.full
@settings(max_examples=30, deadline=None)
@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_the_costs_of_one_threshold_and_the_labels_of_another_are_improper(c, t):
    def rule(y, q):
        return (q < t) * (1 - c) if y else (q >= t) * c

    assert (is_proper(rule, better="lower") == "improper") == (abs(c - t) > 1e-12)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.floats(0.02, 20), st.floats(-5, 5), st.floats(-5, 5))
def test_a_factor_and_what_the_report_cannot_change_make_no_difference(factor, a, b):
    for name, (rule, better) in RULES.items():
        other = lambda y, q, rule=rule: factor * rule(y, q) + (a if y else b)  # noqa: E731
        assert is_proper(other, better=better) == is_proper(name), name


# What is refused
# ------------------------------------------------------------------------------------------------------

REFUSED = [
    (lambda: is_proper("lgloss"), "rule: 'lgloss' is not known (did you mean 'log_loss'?)"),
    (lambda: is_proper(3), "rule: 3 is not a rule; give a function of y (1 or 0) and q, or one of quadratic"),
    (
        lambda: is_proper("log_loss", better="higher"),
        "better: a lower log_loss is better, not 'higher'; leave better= out.",
    ),
    (
        lambda: is_proper(lambda y, q: q, better="more"),
        "better: 'more' is not known; choose from higher, lower.",
    ),
    (lambda: is_proper(lambda q: q), "rule: it fails for y = 0 and q = 0 (TypeError("),
    (lambda: is_proper(lambda y, q: "a"), "rule: it gives no number for y = 0 and q = 0"),
    (
        lambda: is_proper(lambda y, q: np.where(q < 0.3, q, np.nan)),
        "rule: it gives no number for y = 0 and q = 0.3",
    ),
    (lambda: is_proper(lambda y, q: [q]), "rule: it fails for y = 0 and q = 0 (TypeError("),
    (
        lambda: expected_score("log_loss", true=0.3, reported=1.5),
        "reported: 1.5 is not a probability; give numbers from 0 to 1.",
    ),
    (
        lambda: expected_score("log_loss", true=[0.1, -0.2], reported=0.5),
        "true: -0.2 at [1] is not a probability",
    ),
    (
        lambda: expected_score("log_loss", true=[[0.1, math.nan]], reported=0.5),
        "true: nan at [0, 1] is not a probability",
    ),
    (
        lambda: expected_score("log_loss", true="a", reported=0.5),
        "true: 'a' is not a number; give probabilities",
    ),
    (
        lambda: expected_score("log_loss", true=[[0.1], [0.2, 0.3]], reported=0.5),
        "true: [[0.1], [0.2, 0.3]] is not an array; its rows differ in length",
    ),
    (
        lambda: expected_score("log_loss", true=[0.1, 0.2], reported=[0.1, 0.2, 0.3]),
        "their shapes (2,) and (3,) do not fit",
    ),
    (
        lambda: expected_score(math.log, true=0.5, reported=0.5),
        "rule: it gives no number for y = 0 and q = 0.5",
    ),
]


@for_each(("call", "text"), REFUSED, ids=[text[:50] for _, text in REFUSED])
def test_what_is_refused(call, text):
    with pytest.raises(InputError) as refused:
        call()
    assert text in str(refused.value)


def test_only_a_gap_that_counts_is_refused():
    naive = lambda y, q: y * np.log(q) + (1 - y) * np.log(1 - q)  # noqa: E731
    assert expected_score(naive, true=0, reported=0.5) == pytest.approx(math.log(0.5))
    with refuses("invalid-value", argument="rule"):
        expected_score(naive, true=[0.2, 0.5], reported=[0.5, 1])
    assert expected_score(
        lambda y, q: math.log(1 - q) if y == 0 else math.nan, true=0, reported=0.5
    ) == math.log(0.5)
