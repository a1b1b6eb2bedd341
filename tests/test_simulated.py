"""docs/simulate.py: chunks add up whatever their order, what is done is kept; and small versions of what it
tabulates."""

import argparse
import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from looping import for_each, in_part

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))

import simulate
import simulated_binned
import simulated_compare
import simulated_defaults
import simulated_thresholds

ASKED = argparse.Namespace(samples=300, minutes=10.0, jobs=1, only="", borderline=False)


def counted(setting, rng, samples):
    """Samples, and how many uniform numbers are below the setting."""
    return {"below": [samples, float((rng.random(samples) < float(setting)).sum())]}


FAKE = {
    "fake": simulate.Part(lambda: {"0.3": 0, "0.8": 0}, counted, lambda found, samples: [str(sorted(found))])
}


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setattr(simulate, "parts", lambda: FAKE)
    monkeypatch.setattr(simulate, "ProcessPoolExecutor", Inline)


class Inline:
    """Runs what is submitted at once."""

    def __init__(self, jobs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def submit(self, work, *arguments):
        done = simulate.Future()
        done.set_result(work(*arguments))
        return done


def test_what_is_done_is_kept_and_adds_up(fake, tmp_path):
    whole, parts = (simulate.Results(tmp_path / name) for name in ("whole.json", "parts.json"))
    simulate.run(["fake"], ASKED, whole)
    simulate.run(["fake"], argparse.Namespace(**vars(ASKED) | {"samples": 100}), parts)
    assert parts.of("fake", "0.3")["samples"] == 100
    again = simulate.Results(tmp_path / "parts.json")
    simulate.run(["fake"], ASKED, again)
    assert again.known == whole.known
    assert whole.of("fake", "0.8")["chunks"] == [0, 1, 2]
    assert whole.of("fake", "0.8")["sums"]["below"][0] == 300


@pytest.mark.parametrize(
    ("hits", "flagged", "limits", "verdicts"),
    [
        (1800, 0, "COVERAGE", {"fails", "not flagged"}),
        (1800, 1900, "COVERAGE", set()),
        (1850, 0, "COVERAGE", {"borderline", "not flagged"}),
        (1900, 300, "COVERAGE", {"flagged for nothing"}),
        (1999, 0, "COVERAGE", {"conservative"}),
        (1870, 300, "COVERAGE", set()),
        (170, 0, "TESTS", {"fails"}),
        (130, 0, "TESTS", {"borderline"}),
        (20, 0, "TESTS", {"conservative"}),
        (110, 0, "GATE", {"fails"}),
    ],
)
def test_the_verdict(hits, flagged, limits, verdicts):
    one = simulate.Judged("f1", 2000, hits, flagged)
    assert set(simulate.judge(one, getattr(simulate, limits))) == verdicts


def test_settings_in_doubt_alone_run_again(fake, tmp_path, monkeypatch):
    doubtful = {"fake": {"borderline": ["0.8: below 0.929"]}}
    monkeypatch.setattr(simulate, "verdicts", lambda names, results: doubtful)
    results = simulate.Results(tmp_path / "some.json")
    simulate.run(["fake"], argparse.Namespace(**vars(ASKED) | {"borderline": True}), results)
    assert (results.of("fake", "0.3")["samples"], results.of("fake", "0.8")["samples"]) == (0, 300)


def test_only_some_settings(fake, tmp_path):
    results = simulate.Results(tmp_path / "some.json")
    simulate.run(["fake"], argparse.Namespace(**vars(ASKED) | {"only": "^0.8$"}), results)
    assert (results.of("fake", "0.3")["samples"], results.of("fake", "0.8")["samples"]) == (0, 300)


def test_the_time_is_kept(fake, tmp_path):
    results = simulate.Results(tmp_path / "none.json")
    simulate.run(["fake"], argparse.Namespace(**vars(ASKED) | {"minutes": 0.0}), results)
    assert not results.known.get("fake", {}).get("0.3", {}).get("samples")


def test_a_measure_that_only_some_chunks_know_is_kept():
    assert simulate.added({"a": [1.0]}, {"a": [2.0], "b": [3.0]}) == {"a": [3.0], "b": [3.0]}


# Fewer of 100, of 40, of 200 happen in 1 of 5,000 samples where 95 % are covered, 1 of 500, 1 of 100,000: in
# every setting there are 2,600 shares.
LEAST = {100: 0.86, 40: 0.82, 200: 0.875}
# Of the mean of all shares, three standard errors: measures of one sample are correlated, so that with 40 it
# is .026 (seeds 4 to 7: .921 to .976).
APART = {100: 0.025, 40: 0.08, 200: 0.025}
# with its note "approximate"; docs/coverage.md has 0.876
TOO_NARROW = {("cohort, 100/100, 10 levels", "mean_precision"): 0.82}


def _covers(setting, which, samples):
    found = getattr(simulated_defaults, which)(setting, np.random.default_rng(3), samples)
    shares = {name: sums[1] / sums[0] for name, sums in found.items() if sums[0] > samples / 2}
    low = {
        name: share
        for name, share in shares.items()
        if share < TOO_NARROW.get((setting, name), LEAST[samples])
    }
    assert not low, f"{setting}: {low}"
    assert np.mean(list(shares.values())) == pytest.approx(0.955, abs=APART[samples])


@pytest.mark.full
@for_each("setting", ("cohort, 100/100", "class weights, cohort, 30/270"))
def test_default_intervals_cover(setting):
    _covers(setting, "quick", 100)


@in_part(4)
@for_each(
    "setting", lambda: [name for name in simulated_compare.settings() if ", shape, 300, 30%, cohort" in name]
)
def test_no_difference_is_rejected_in_some_5_percent_of_samples(setting):
    known, rejected, above, below = simulated_compare.counted(setting, np.random.default_rng(5), 300)[
        "difference"
    ]
    assert known == 300
    assert 3 <= rejected <= 29  # of 300 with 5 %: outside in 1 of 1,000
    assert rejected >= above + below - 2


@pytest.mark.full
def test_intervals_at_a_chosen_threshold_cover():
    setting = "youden: 200, 0.5, case-control, 1, none"
    found = simulated_thresholds.counted(setting, np.random.default_rng(7), 100)
    assert {name for name, sums in found.items() if sums[1] / sums[0] < LEAST[100]} == set()


@pytest.mark.full
def test_a_rule_on_a_bound_keeps_its_promise():
    setting = "sensitivity.low>=0.8: 1000, 0.5, cohort, 1, none"
    asked, there, kept = simulated_thresholds.promised(setting, np.random.default_rng(7), 500)["promise"]
    assert asked == there == 500
    assert kept / there >= 0.92
    assert kept / there < 1.0  # and does not stay far above it


@pytest.mark.slow
@for_each("setting", simulated_defaults.SETTINGS)
def test_default_intervals_cover_in_every_setting(setting):
    _covers(setting, "quick", 200)


@pytest.mark.slow
@for_each("setting", ("cohort, 100/100", "case-control, 30/30"))
def test_default_intervals_by_resamples_cover(setting):
    _covers(setting, "slow", 40)


@pytest.mark.full
@for_each("design", ("cohort", "case-control"))
def test_intervals_of_scores_in_bins_cover_where_those_of_the_cases_do(design):
    samples = 30
    found = simulated_binned.counted(f"discrete, 1,000, {design}", np.random.default_rng(1), samples)
    for name, (known, held, around, within, _, between) in found.items():
        bins, measure = name.split()
        assert within == samples, name  # the bounds hold the value of the cases
        assert held >= found[f"cases {measure}"][1] - 2, name
        assert held / known > 0.8, name  # 6 of 30 outside: one in 3,000
        if measure in ("roc_auc", "brier_score", "sensitivity"):
            assert around == known, name
        exact = measure in ("brier_score", "sensitivity")
        assert (between > 0) == (bins == "64" and not exact), name


@pytest.mark.full
def test_every_script_of_simulations_can_be_imported():
    names = sorted(
        path.stem
        for path in Path(simulate.__file__).parent.glob("*.py")
        if not path.stem.startswith("errors")
    )
    assert {"coverage", "coverage_bands", "simulate", "simulated_notices"} <= set(names)
    failed = []
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:
            failed.append(f"{name}: {error!r}")
    assert not failed
