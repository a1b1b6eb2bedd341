"""Clusters with chosen thresholds, bounds and designs."""

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm

RANDOM = np.random.default_rng(3)
TRUTH = np.repeat((np.arange(40) < 20).astype(int), 20)
GROUPS = np.repeat(np.arange(40), 20)
SCORE = np.repeat(RANDOM.normal(0, 1, 40) + 1.5 * (np.arange(40) < 20), 20) + RANDOM.normal(0, 0.1, 800)
GIVEN = {"truth": TRUTH, "score": SCORE, "clusters": GROUPS}


@pytest.mark.parametrize("name", ["prevalence", "npr"])
def test_what_the_threshold_does_not_change_has_the_interval_of_groups(name):
    chosen, given = tm.evaluate(**GIVEN)[name], tm.evaluate(**GIVEN, threshold=0.6)[name]
    assert given.method.startswith("cluster-wilson")
    assert chosen == given


def test_a_rule_on_a_bound_is_refused_for_groups():
    with refuses("unsupported", "'sensitivity.low >= 0.8'", argument="rule"):
        tm.evaluate(**GIVEN, rule="sensitivity.low>=0.8")


def test_fixed_class_sizes_with_groups():
    """The intervals of the bootstrap that draws groups and reweights each class to its size."""
    given = {**GIVEN, "threshold": 0.6, "design": "case-control"}
    found, drawn = tm.evaluate(**given), tm.bootstrap(**given, method="percentile")
    for name in ("roc_auc", "accuracy", "precision"):
        width = found[name].high - found[name].low
        assert drawn[name].high - drawn[name].low == pytest.approx(width, rel=0.2)
    assert "given this class mix" in found["precision"].note
    assert found["roc_auc"].note is None or "class mix" not in found["roc_auc"].note
    assert "class sizes are fixed" in found["prevalence"].note


@pytest.mark.full
@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_the_design_is_named(design):
    found = tm.evaluate(truth=TRUTH, score=SCORE, design=design)
    assert found.to_dict()["design"] == design
    for shown in (str(found), found._repr_html_()):
        assert ("design: case-control" in shown) == (design == "case-control")


def test_evaluations_are_compared_by_their_own_design():
    rows = np.arange(800)
    parts = [
        tm.evaluate(truth=TRUTH[some], score=SCORE[some], threshold=0.6, design="case-control")
        for some in (rows[:450], rows[450:])
    ]
    with refuses("mismatch", "'cohort'", "'case-control'", argument="design"):
        tm.compare(*parts)
    assert tm.compare(*parts, design="case-control").to_dict()["design"] == "case-control"


def test_a_group_less_all_cases_allows_for_clusters_in_both():
    """Each case twice, in a cluster with itself, is a case: ends move by Student's t alone."""
    random = np.random.default_rng(0)
    site, latent = np.where(np.arange(400) % 4, "a", "b"), random.normal(size=400)
    truth = (latent + random.normal(size=400) > 0.3).astype(int)
    score = 1 / (1 + np.exp(-latent - random.normal(size=400)))
    single = {"truth": truth, "score": score, "by": {"site": site}, "threshold": 0.5}
    twice = {name: np.repeat(single[name], 2) for name in ("truth", "score")}
    twice |= {"by": {"site": np.repeat(site, 2)}, "threshold": 0.5, "clusters": np.repeat(np.arange(400), 2)}
    one, two = (tm.evaluate(**given).differences.found for given in (single, twice))
    for first, second in zip(one, two, strict=True):
        width = first.estimate.high - first.estimate.low
        assert second.estimate.low == pytest.approx(first.estimate.low, abs=0.06 * width)
        assert second.estimate.high == pytest.approx(first.estimate.high, abs=0.06 * width)
