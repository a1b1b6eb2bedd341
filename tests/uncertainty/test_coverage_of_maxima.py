"""A small version of docs/coverage_maxima.py and coverage_bins.py: that 95 % intervals cover, as far as so
few samples show."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import coverage_bins
import coverage_maxima
from coverage_maxima import MAXIMA, OF_RETRIEVAL, chosen, simulate

LOWEST, HIGHEST = 0.93, 0.98  # what is promised
ERROR = 1e-4  # of a test, where a share is just at the edge of this
SETTINGS = [
    ("area .6", (30, 30), "cohort"),
    ("area .9", (30, 150), "case-control"),
    ("20 levels", (100, 100), "cohort"),
]
METHODS = {name: (chosen,) for name in (*MAXIMA, *OF_RETRIEVAL)}


def outside(found, samples):
    """What covers less, or more, than samples of an interval that keeps the promise may."""
    least, most = binom.ppf(ERROR, samples, LOWEST), binom.ppf(1 - ERROR, samples, HIGHEST)
    return {key: value[0] for key, value in found.items() if not least <= round(value[0] * samples) <= most}


@pytest.mark.full
def test_the_limits_refuse_what_the_basic_bootstrap_covered():
    """It held the true value in about 60 % of samples where discrimination is low."""
    found = simulate(
        "area .6",
        (30, 30),
        "cohort",
        60,
        ("kolmogorov_smirnov", "h_measure"),
        methods=dict.fromkeys(MAXIMA, (coverage_maxima.before,)),
    )
    assert len(outside(found, 60)) == 2


@pytest.mark.full
@pytest.mark.parametrize("setting", SETTINGS[:1], ids=str)
def test_intervals_of_maxima_cover(setting):
    assert not outside(
        simulate(
            *setting,
            100,
            ("kolmogorov_smirnov", "h_measure", "average_precision", "precision_at_recall"),
            methods=METHODS,
        ),
        100,
    )


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_intervals_of_maxima_and_precision_cover_in_more_samples(setting):
    names = (
        MAXIMA + OF_RETRIEVAL if setting[0] != "20 levels" else MAXIMA + OF_RETRIEVAL[:-1]
    )  # docs/intervals_of_maxima.md, what is left
    assert not outside(simulate(*setting, 400, names, methods=METHODS), 400)


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting", [("calibrated", (300, 0.1), 1.0), ("too extreme", (1_000, 0.3), 1.0)], ids=str
)
def test_intervals_of_calibration_errors_cover(setting, monkeypatch):
    monkeypatch.setattr(
        coverage_bins, "MEASURES", ("expected_calibration_error", "adaptive_calibration_error")
    )
    found = {
        key: value for key, value in coverage_bins.simulate(*setting, 200).items() if key[1] == "inverted"
    }
    assert all(value[0] * 200 >= binom.ppf(ERROR, 200, LOWEST) for value in found.values())
    assert np.isfinite([value[1] for value in found.values()]).all()
