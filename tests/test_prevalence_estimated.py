"""at_prevalence with a prevalence that was estimated itself."""

import json

import numpy as np
import pytest
from looping import for_each
from refusals import refuses
from scipy.stats import beta

import tallymark as tm
from tallymark import Counts, Estimate, InputError, at_prevalence

COUNTS = Counts(tp=90, fp=30, fn=10, tn=170)
KNOWN, ESTIMATED = at_prevalence(COUNTS, prevalence=12 / 340), at_prevalence(COUNTS, prevalence=(12, 340))
CHANGING = ("precision", "negative_predictive_value", "f1", "jaccard")


def width(found):
    return found.high - found.low


def test_values_stay_and_intervals_are_wider():
    for name in KNOWN:
        assert ESTIMATED[name].value == pytest.approx(KNOWN[name].value, nan_ok=True), name
    for name in CHANGING:
        assert width(ESTIMATED[name]) > 1.2 * width(KNOWN[name]), name
    for name in ("sensitivity", "specificity", "youden_j", "positive_likelihood_ratio"):
        assert ESTIMATED[name] == KNOWN[name]


def test_precision_is_that_of_three_posteriors():
    rng, n = np.random.default_rng(5), 200_000
    se, sp, share = beta(90.5, 10.5).rvs(n, rng), beta(170.5, 30.5).rvs(n, rng), beta(12.5, 328.5).rvs(n, rng)
    low, high = np.quantile(share * se / (share * se + (1 - share) * (1 - sp)), [0.025, 0.975])
    assert (ESTIMATED["precision"].low, ESTIMATED["precision"].high) == pytest.approx((low, high), abs=0.012)


def test_the_prevalence_has_its_own_interval():
    own, wilson = ESTIMATED["prevalence"], tm.estimate("sensitivity", Counts(tp=12, fn=328, fp=0, tn=1))
    assert (own.low, own.high, own.method) == (wilson.low, wilson.high, "wilson")
    assert not KNOWN["prevalence"].has_interval
    assert at_prevalence(COUNTS, prevalence=(12, 340), level=0.8)["prevalence"].level == 0.8


def test_many_cases_are_as_good_as_a_number():
    for name in CHANGING:
        many = at_prevalence(COUNTS, prevalence=(12_000_000, 340_000_000))
        assert (many[name].low, many[name].high) == pytest.approx(
            (KNOWN[name].low, KNOWN[name].high), rel=0.03
        )


def test_an_estimate_with_an_interval():
    share = tm.estimate("sensitivity", Counts(tp=12, fn=328, fp=0, tn=1))
    found = at_prevalence(COUNTS, prevalence=share)
    assert found["prevalence"] == share
    for name in CHANGING:
        assert width(found[name]) == pytest.approx(width(ESTIMATED[name]), rel=0.15)


def test_it_is_stated():
    assert "(counted in, 12 of 340 cases)" in " ".join(str(ESTIMATED).split())
    stated = json.loads(json.dumps(ESTIMATED.to_dict()))["prevalence_estimated"]
    assert stated == {"value": 12 / 340, "events": 12, "cases": 340, "estimate": None}
    assert KNOWN.to_dict()["prevalence_estimated"] is None


WRONG = [
    ((12, 340, 5), "prevalence: .* is not .positives, cases.; give both as"),
    ((0, 340), "prevalence: 0 positives of 340 cases leave one class"),
    ((340, 340), "leave one class"),
    ((400, 340), "is not .positives, cases."),
    ((1, 0), "is not .positives, cases."),
    (Estimate(0.1, level=0.95), "has no interval between 0 and 1"),
]


@for_each(("prevalence", "text"), WRONG)
def test_bad_input_is_one_sentence(prevalence, text):
    with pytest.raises(InputError, match=text):
        at_prevalence(COUNTS, prevalence=prevalence)


def test_rates_alone_have_no_interval_to_count_it_in():
    with refuses("needed", argument="prevalence"):
        at_prevalence(sensitivity=0.9, specificity=0.8, prevalence=(12, 340))


@pytest.mark.slow
def test_coverage():
    """At 95 %, of 160 samples; with the prevalence taken as known it is some 70 %."""
    se, sp, share, rng = 0.9, 0.85, 0.05, np.random.default_rng(2)
    true = share * se / (share * se + (1 - share) * (1 - sp))
    held = np.zeros(2)
    for seed in range(160):
        tp, tn, events = rng.binomial(100, se), rng.binomial(200, sp), max(rng.binomial(340, share), 1)
        counts = Counts.of(tp, 200 - tn, 100 - tp, tn)
        for i, one in enumerate([(events, 340), events / 340][: 1 + (seed < 80)]):
            found = at_prevalence(counts, prevalence=one, rng=seed)["precision"]
            held[i] += found.low <= true <= found.high
    assert 0.90 <= held[0] / 160 <= 0.99
    assert held[1] / 80 < 0.85
