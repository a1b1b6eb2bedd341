"""Coverage of intervals of answers: cohorts and fixed class sizes, class and verification weights."""

import numpy as np
import pytest
from looping import for_each

from tallymark import Counts, Settings
from tallymark.inference import estimate_each
from tallymark.measures.registry import get

pytestmark = pytest.mark.full

SAMPLES, ENOUGH = 1500, (0.93, 0.98)
MIX, RATES = (50, 950), (0.8, 0.9)  # positives and negatives; sensitivity and specificity
ALIKE, BALANCED = np.ones(4), np.array([10.0, 1000 / 1900, 10.0, 1000 / 1900])
VERIFIED = np.array([1.0, 1.0, 10.0, 10.0])  # a tenth of those predicted negative
SETTINGS = {
    "cohort": (ALIKE, "cohort"),
    "case-control": (ALIKE, "case-control"),
    "class weights": (BALANCED, "cohort"),
    "class weights, sizes held": (BALANCED, "case-control"),
    "two-phase verification": (VERIFIED, "cohort"),
}
WITHIN = ("sensitivity", "specificity", "youden_j", "positive_likelihood_ratio", "diagnostic_odds_ratio")
MIXED = (
    "accuracy",
    "precision",
    "negative_predictive_value",
    "f1",
    "matthews_correlation",
    "cohen_kappa",
    "lift",
    "positive_predictive_ratio",
    "negative_predictive_ratio",
)


def samples(weights, design, scale):
    """Counts of so many samples, each an entry, and those of all cases."""
    random, (se, sp) = np.random.default_rng(7), RATES
    mean = scale * np.array([MIX[0] * se, MIX[1] * (1 - sp), MIX[0] * (1 - se), MIX[1] * sp])
    if design == "cohort":
        drawn = random.poisson(mean / (weights if weights is VERIFIED else 1.0), (SAMPLES, 4)).T
    else:
        tp, tn = (random.binomial(scale * size, rate, SAMPLES) for size, rate in zip(MIX, RATES, strict=True))
        drawn = np.stack([tp, scale * MIX[1] - tn, scale * MIX[0] - tp, tn])
    cells, squares = (np.ascontiguousarray(drawn * power[:, None], float) for power in (weights, weights**2))
    drawn_of = Counts.of(*cells, squares=None if weights is ALIKE else Counts.of(*squares))
    return drawn_of, Counts.of(*mean * (1.0 if weights is VERIFIED else weights))


@pytest.mark.slow
@for_each("setting", SETTINGS)
@for_each("name", WITHIN + MIXED)
def test_intervals_cover_by_design(setting, name):
    weights, design = SETTINGS[setting]
    counts, whole = samples(weights, design, 8 if weights is VERIFIED else 1)
    true = float(get(name, Counts).function(whole))
    found = estimate_each(name, counts, Settings(design=design))
    held = np.mean([one.low <= true <= one.high for one in found])
    assert ENOUGH[0] <= held <= ENOUGH[1], held


def test_quotients_over_both_classes_vary_within_the_classes_where_their_sizes_are_fixed():
    """The predicted classes are independent samples in a cohort only: as such they covered 0.998 here."""
    name = "negative_predictive_ratio"
    counts, whole = samples(ALIKE, "case-control", 1)
    true = float(get(name, Counts).function(whole))
    found = estimate_each(name, counts[:400], Settings(design="case-control"))
    assert ENOUGH[0] <= np.mean([one.low <= true <= one.high for one in found]) <= ENOUGH[1]
    cohort = estimate_each(name, counts[:1], Settings())[0]
    ratio = estimate_each("positive_likelihood_ratio", counts[:1], Settings(design="case-control"))[0]
    assert cohort.method == ratio.method == "delta-log"
    assert found[0].high - found[0].low < cohort.high - cohort.low
