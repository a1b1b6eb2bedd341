"""Coverage of weighted cases: a small version of docs/coverage_weights.py, whose samples it draws."""

import runpy
from pathlib import Path

import pytest
from looping import for_each

pytestmark = pytest.mark.full

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "coverage_weights.py"
SAMPLES, ENOUGH = 150, (0.90, 0.995)  # about three standard errors, 0.018, on either side of 0.95
MEASURES = ("sensitivity", "specificity", "negative_predictive_value", "roc_auc", "brier_score", "log_loss")


@for_each("setting", ("balanced, 50 / 950", "two-phase, weight 10", "sampling weights"))
def test_intervals_of_weighted_cases_hold(setting):
    found = runpy.run_path(str(SCRIPT))["coverage"](setting, SAMPLES, MEASURES)
    assert not {name: share for name, share in found.items() if not ENOUGH[0] <= share <= ENOUGH[1]}
