"""A small version of docs/coverage_maxima.py and simulated_bins.py: that 95 % intervals cover, as far as so
few samples show."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import methods_of_maxima
import simulated_bins
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
        methods=dict.fromkeys(MAXIMA, (methods_of_maxima.before,)),
    )
    assert len(outside(found, 60)) == 2


@pytest.mark.full
@pytest.mark.parametrize("setting", SETTINGS[:1], ids=str)
def test_intervals_of_maxima_cover(setting):
    names = ("kolmogorov_smirnov", "h_measure", "average_precision")
    found = simulate(*setting, 100, names, methods=METHODS)
    assert not outside(found, 100)
    # intervals a quarter narrower cover .82 to .94, .86 on average, which no single one of 100 samples shows
    assert np.mean([share for share, *_ in found.values()]) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_intervals_of_maxima_and_precision_cover_in_more_samples(setting):
    names = (
        MAXIMA + OF_RETRIEVAL if setting[0] != "20 levels" else MAXIMA + OF_RETRIEVAL[:-1]
    )  # docs/intervals_of_maxima.md, what is left
    assert not outside(simulate(*setting, 400, names, methods=METHODS), 400)


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["6 classes, 1000", "both, 1000, 0.3, 2"])
def test_the_interval_of_the_largest_gap_covers(setting):
    """In the second one multiples of the gaps found cover .88."""
    found = simulated_bins.counted(setting, np.random.default_rng(3), 200)
    held = {way: sums[1] for way, sums in found.items()}
    assert held["default"] >= binom.ppf(ERROR, 200, LOWEST)
    assert held["default"] > held["multiples of the gaps"]
    assert found["default"][5] < found["highest bound of a bin"][5]
