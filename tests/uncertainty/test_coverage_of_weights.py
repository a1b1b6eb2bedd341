"""Coverage of weighted cases: small versions of docs/coverage_weights.py and docs/simulated_defaults.py, with
their samples."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from looping import for_each, in_part

pytestmark = pytest.mark.full

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "coverage_weights.py"
SAMPLES, ENOUGH = 150, (0.90, 0.995)  # about three standard errors, 0.018, on either side of 0.95
MEASURES = ("sensitivity", "specificity", "negative_predictive_value", "roc_auc", "brier_score", "log_loss")


@in_part(3)
@for_each(
    "setting",
    ("balanced, 50 / 950", "balanced, 50 / 950 on average", "two-phase, weight 10", "sampling weights"),
)
def test_intervals_of_weighted_cases_hold(setting):
    found = runpy.run_path(str(SCRIPT))["coverage"](setting, SAMPLES, MEASURES)
    assert not {name: share for name, share in found.items() if not ENOUGH[0] <= share <= ENOUGH[1]}


DOCS = SCRIPT.parent
CASES = 250
# Measures whose intervals took the class mix of class weights as varying (0.99 to 1.0), and a few heavy
# positives as many (0.89).
OF_MIX = (
    "brier_score",
    "mean_absolute_error",
    "information_score",
    "precision",
    "f1",
    "net_benefit",
    "calibration_in_the_large",
)
OF_FEW = ("roc_auc", "focal_loss", "calibration_slope", "discrimination_slope")


@pytest.fixture
def simulated(monkeypatch):
    """Of a setting, by measure, the share of intervals that hold the true value, and that of intervals with a
    note."""
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])
    import simulated_defaults as s

    def shares(setting, measures):
        random, true = np.random.default_rng(3), s.truths(setting, False)
        known = [
            one for one in (s.evaluated(s.SETTINGS[setting], random) for _ in range(CASES)) if one is not None
        ]
        sums = {
            name: np.sum([s.row_of(one, true[name]) for one in s.estimates(name, known)], axis=0)
            for name in measures
        }
        return {name: (found[1] / found[0], found[4] / found[0]) for name, found in sums.items()}

    return shares


@in_part(2)
@for_each("setting", ("class weights, cohort, 30/270", "class weights, cohort, 100/900"))
def test_class_weights_fix_the_mix(simulated, setting):
    found = simulated(setting, OF_MIX)
    assert not {name: share for name, (share, _) in found.items() if not 0.91 <= share <= 0.985}


def test_few_heavy_cases_decide_and_that_is_said(simulated):
    found = simulated("two-phase, 200/800", OF_FEW)
    assert not {name: share for name, (share, _) in found.items() if not 0.90 <= share <= 0.985}
    assert not {name: noted for name, (_, noted) in found.items() if noted < 0.97}


@for_each("setting", ("sampling weights, 100/100", "class weights, case-control, 100/900"))
def test_precision_of_weighted_cases_taken(simulated, setting):
    (share, _) = simulated(setting, ("precision_at_share",))["precision_at_share"]
    assert 0.91 <= share <= 0.985
