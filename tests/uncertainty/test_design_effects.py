"""Maxima and hulls of cases in clusters: design effects, and what they do to intervals."""

import numpy as np
import pytest

import tallymark as tm

NAMES = (
    "kolmogorov_smirnov",
    "youden_j_max",
    "auch",
    "h_measure",
    "min_cllr",
    "equal_error_rate_hull",
    "auc_pr_min",
)


@pytest.mark.full
@pytest.mark.parametrize("seed", [1, 2])
def test_groups_of_alike_cases_widen_the_interval(seed):
    rng = np.random.default_rng(seed)
    truth, group = np.arange(400) % 40 < 16, np.arange(400) % 40
    score = truth + 0.9 * rng.normal(size=40)[group] + 0.4 * rng.normal(size=400)
    wide, narrow = (tm.evaluate(truth=truth, score=score, **more) for more in ({"clusters": group}, {}))
    for name in NAMES:
        assert wide[name].high - wide[name].low > 1.3 * (narrow[name].high - narrow[name].low), name
        assert wide[name].low <= wide[name].value <= wide[name].high


def test_too_few_groups_have_no_interval_or_a_note():
    truth, group = np.arange(60) % 2 == 0, np.arange(60) // 20
    score = truth + np.random.default_rng(1).normal(size=60)
    found = tm.evaluate(truth=truth, score=score, clusters=group)["kolmogorov_smirnov"]
    assert found.notes


RESAMPLED = ("partial_auc_standardised", "decidability", "sensitivity_at_specificity")


def test_clusters_of_one_case_have_about_the_interval_of_independent_cases():
    rng = np.random.default_rng(3)
    truth = rng.random(400) < 0.4
    score = 1.5 * truth + rng.normal(size=400)
    alone, clusters = (
        tm.evaluate(truth=truth, score=score, **more) for more in ({}, {"clusters": np.arange(400)})
    )
    for name in RESAMPLED:
        width = alone[name].high - alone[name].low
        for end in ("low", "high"):
            assert getattr(clusters[name], end) == pytest.approx(
                getattr(alone[name], end), abs=0.15 * width
            ), name


@pytest.mark.parametrize("kind", ["tied", "separated"])
def test_clusters_with_tied_or_separated_scores_have_intervals(kind):
    """The clusters differ, though the value would be the same in resamples of them."""
    rng = np.random.default_rng(0)
    truth, group = rng.random(200) < 0.4, np.arange(200) // 5
    score = np.full(200, 0.5) if kind == "tied" else truth + 0.1 * rng.random(200)
    wide, narrow = (tm.evaluate(truth=truth, score=score, **more) for more in ({"clusters": group}, {}))
    for name in ("equal_error_rate", "partial_auc_standardised", "roc_auc", "kolmogorov_smirnov"):
        assert wide[name].low <= wide[name].value <= wide[name].high, name
        assert wide[name].high - wide[name].low >= 0.99 * (narrow[name].high - narrow[name].low), name
